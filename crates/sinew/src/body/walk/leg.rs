//! One leg and the ways in which it can be solved.
//!
//! All of them are asked the same: the ankle here, the foot turned so. The
//! analytic limb and EWBIK take both at once, and so does the full Jacobian; the
//! half Jacobian takes the place alone, and the foot is turned by the ankle
//! afterwards, which is free to do so (Meredith & Maddock's penultimate link).

use alloc::vec::Vec;

use super::foot::{Sole, TOES_DOWN, way_out};
use super::terrain::Terrain;
use crate::analytic::{Limb, Swivel};
use crate::error::RigError;
use crate::goal::{Effector, Goal, GoalId, GoalSet, Target};
use crate::math::*;
use crate::pose::{ModelPose, Pose};
use crate::report::{Cause, Tolerance};
use crate::skeleton::{JointId, Skeleton};
use crate::solver::ewbik::EwbikOptions;
use crate::solver::jacobian::half::{HalfOptions, JacobianSize};
use crate::solver::{Solver, SolverSpec};

/// How the legs are solved; may be changed while walking.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
pub enum LegSolver {
    /// The half Jacobian: three rows.
    Half,
    /// The full Jacobian: six rows.
    Full,
    /// The full Jacobian for the foot in front, the half one for the one behind.
    Hybrid,
    /// The analytic limb, exact and fastest. Legs that are none take the half Jacobian.
    #[default]
    Limb,
    /// EWBIK.
    Ewbik,
}

impl LegSolver {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Half, Self::Full, Self::Hybrid, Self::Limb, Self::Ewbik];

    /// Its name on the command line and in tables.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Half => "half",
            Self::Full => "full",
            Self::Hybrid => "hybrid",
            Self::Limb => "limb",
            Self::Ewbik => "ewbik",
        }
    }

    /// By its name.
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|s| s.name() == name)
    }
}

/// A general solver with the one goal that it follows.
#[derive(Debug, Clone)]
struct Follower {
    solver: Solver,
    goals: GoalSet,
}

impl Follower {
    fn new(skeleton: &Skeleton, goal: Goal, spec: SolverSpec) -> Result<Self, RigError> {
        let goals = GoalSet::from_iter([goal]);
        Ok(Self { solver: spec.build(skeleton, &goals)?, goals })
    }

    fn solve(&mut self, skeleton: &Skeleton, target: Target, pose: &mut Pose) -> LegSolve {
        self.goals.set_target(GoalId(0), target);
        let report = self.solver.solve(skeleton, &self.goals, pose);
        LegSolve { iterations: report.iterations, aligned: true, cause: report.cause }
    }
}

/// What a leg is asked for: the foot here, turned by this from rest, pointing ahead.
#[derive(Debug, Clone, Copy)]
pub(in crate::body) struct Footing {
    pub place: Vec3,
    pub turn: Quat,
    pub ahead: Vec3,
    /// The point of the sole that stands, and from it to the ankle at rest.
    pub stands: Option<(Vec3, Vec3)>,
    /// What it stands on instead where its ankle tips it from its heel onto its toes.
    pub onto: Option<Onto>,
    /// Up from what it stands on.
    pub up: Vec3,
    /// At rest: from heel to toes, and from the middle of the sole to its left edge.
    pub along: Vec3,
    pub edge: Vec3,
}

/// The toes of a foot that should stand on its heel.
#[derive(Debug, Clone, Copy)]
pub(in crate::body) struct Onto {
    pub toe: Vec3,
    /// From them to the ankle at rest.
    pub arm: Vec3,
    /// The sine of the rise of the flat sole.
    pub level: Real,
}

impl Footing {
    /// How far the middle of a sole is over the ground that stands on an edge, because its ankle turned it by
    /// this from rest and not as it should. Straight up: along the ground it stays where it is.
    pub fn on_edge(&self, turn: Quat) -> Vec3 {
        let over = |turn: Quat| (turn * self.edge).dot(self.up).abs();
        Vec3::Y * (over(turn) - over(self.turn)).max(0.0)
    }

    /// Where the ankle belongs of a foot that stands, when it is turned by this from rest.
    pub fn ankle(&self, turn: Quat) -> Option<Vec3> {
        let (mut at, mut arm) = self.stands?;
        if let Some(onto) = self.onto.filter(|onto| (turn * self.along).y < onto.level) {
            (at, arm) = (onto.toe, onto.arm);
        }
        Some(at + self.on_edge(turn) + turn * arm)
    }

    /// How far the foot tips up or down, or aside, from what it should, in radians: what lifts its heel. Its roll is none
    /// of it.
    fn tips(&self, turn: Quat) -> Real {
        rotation::angle(rotation::between(self.turn * self.along, turn * self.along, Vec3::Y))
    }
}

/// How far ahead of the foot the knee points, in metres.
const POLE: Real = 10.0;
/// A knee that is nearer than this to the line from hip to ankle, of the leg's reach, points nowhere.
const STRAIGHT: Real = 1.0e-3;
/// And one that is nearer than this is bent first for a method that turns one joint at a time.
const NEARLY_STRAIGHT: Real = 0.03;
/// How often a foot that its ankle cannot turn as it should is put back on what it stands on.
const STANDS: usize = 10;
/// How near to its place it then is, in metres.
const STANDS_STILL: Real = 5.0e-5;

/// How often the joints of a leg are turned to find out how far it reaches.
const ROUNDS: usize = 24;

/// The search for the ankle's place at which what stands of a foot is in its own, though the ankle
/// cannot turn the foot as it should. Another place of the ankle turns the shin, and with it the foot:
/// `place = at + turn(place) * arm` is a fixed point. To go from one side of it to the other takes a
/// third of the way or more each time; with the secant through the last two (Anderson 1965)
/// three or four are enough.
struct Settling {
    place: Vec3,
    /// The place before, and what it was off by.
    last: Option<(Vec3, Vec3)>,
}

impl Settling {
    fn new(footing: &Footing) -> Self {
        Self { place: footing.place, last: None }
    }

    /// Where the ankle should be after a foot was turned like this; none if it is there.
    fn next(&mut self, footing: &Footing, turn: Quat) -> Option<Vec3> {
        let off = footing.ankle(turn)? - self.place;
        if off.length_squared() < STANDS_STILL * STANDS_STILL {
            return None;
        }
        let mut step = off;
        if let Some((place, last)) = self.last {
            let change = off - last;
            // Half of the last step, or three times this one, are as much as a secant is trusted with.
            let part = (off.dot(change) / change.length_squared().max(TINY)).clamp(-2.0, 0.5);
            step -= (self.place - place + change) * part;
        }
        self.last = Some((self.place, off));
        self.place += step;
        Some(self.place)
    }
}

/// A foot as the analytic limb has it.
pub(in crate::body) struct Stand {
    pub foot: Transform,
    /// How far it is turned from what was wanted, and how far it tips up, down or aside from it.
    off: Real,
    pub tips: Real,
    cause: Option<Cause>,
}

/// What came of a leg.
pub(in crate::body) struct LegSolve {
    pub iterations: u32,
    /// Whether the foot is known not to tip from how it should be turned.
    pub aligned: bool,
    pub cause: Option<Cause>,
}

/// A leg, with all that may solve it.
#[derive(Debug, Clone)]
pub(in crate::body) struct Leg {
    /// The joint at the body, and the one that carries the foot.
    pub base: JointId,
    pub effector: Effector,
    pub limb: Option<Limb>,
    /// The effector's joint at rest, turned as in model space.
    pub rest: Quat,
    /// Whether the foot's turn matters.
    oriented: bool,
    half: Follower,
    full: Option<Follower>,
    ewbik: Follower,
    /// A pose to try things on; taken out while it is.
    trial: Option<Pose>,
    /// The joints from the base to the foot, in order.
    chain: Vec<JointId>,
    /// How far the foot can be from the base.
    reach: Real,
}

/// Planted feet may drift by a millimetre; this leaves room.
const TOLERANCE: Tolerance = Tolerance { position: 1.0e-4, orientation: 1.0e-3 };

impl Leg {
    /// `skeleton` must have a root that does not give way.
    pub fn new(
        skeleton: &Skeleton,
        base: JointId,
        effector: Effector,
        limb: Option<Limb>,
        oriented: bool,
    ) -> Result<Self, RigError> {
        let model = ModelPose::rest(skeleton);
        let rest = effector.transform(&model);
        let jacobian = |size| {
            SolverSpec::HalfJacobian(HalfOptions { size, tolerance: TOLERANCE, ..HalfOptions::default() })
        };
        let place = Goal::new(effector, Target::Position(rest.translation));
        let pose = Goal::new(effector, Target::Pose(rest));
        let half = Follower::new(skeleton, place, jacobian(JacobianSize::Half))?;
        let full =
            oriented.then(|| Follower::new(skeleton, pose, jacobian(JacobianSize::Full))).transpose()?;
        let options =
            EwbikOptions { tolerance: TOLERANCE, iterations: 60, escapes: 0, ..EwbikOptions::default() };
        let goal = if oriented { pose } else { place };
        let ewbik = Follower::new(skeleton, goal, SolverSpec::Ewbik(options))?;
        let chain = skeleton.chain(base, effector.joint).unwrap_or_default();
        let reach = limb.as_ref().map_or_else(|| furthest(skeleton, &chain, base, effector), |l| l.reach().1);
        let rest = model.rotation(effector.joint);
        let trial = Some(Pose::rest(skeleton));
        Ok(Self { base, effector, limb, rest, oriented, half, full, ewbik, trial, chain, reach })
    }

    /// How far the foot can be from the base.
    pub fn reach(&self) -> Real {
        self.reach
    }

    /// Brings the foot to `place`, turned by `turn` from rest. `model` must hold
    /// where the base's parent stands.
    pub fn solve(
        &mut self,
        skeleton: &Skeleton,
        model: &mut ModelPose,
        footing: Footing,
        solver: LegSolver,
        leads: bool,
        pose: &mut Pose,
    ) -> LegSolve {
        let Footing { place, turn, .. } = footing;
        let wanted = (turn * self.rest).normalize();
        let whole = match solver {
            LegSolver::Full | LegSolver::Ewbik => true,
            LegSolver::Hybrid => leads,
            LegSolver::Half | LegSolver::Limb => false,
        };
        let mut target = Transform::new(place, wanted);
        if solver != LegSolver::Limb
            && let Some(limb) = &self.limb
        {
            self.point_knee(limb, skeleton, model, (&footing, solver), pose);
        }
        // A foot that its ankle cannot turn as it should would be traded for its place.
        if whole
            && self.oriented
            && let Some(mut trial) = self.trial.take()
        {
            if let Some(limb) = &self.limb {
                target = self.stand(limb, skeleton, model, footing, &mut trial).foot;
            }
            self.trial = Some(trial);
        }
        let target = Target::Pose(target);
        match (solver, &self.limb, &mut self.full) {
            (LegSolver::Limb, Some(limb), _) => {
                let Stand { tips, cause, .. } = self.stand(limb, skeleton, model, footing, pose);
                LegSolve { iterations: 0, aligned: tips <= TOLERANCE.orientation, cause }
            }
            (LegSolver::Ewbik, ..) => {
                let target = if self.oriented { target } else { Target::Position(place) };
                self.ewbik.solve(skeleton, target, pose)
            }
            (LegSolver::Full, _, Some(full)) => full.solve(skeleton, target, pose),
            (LegSolver::Hybrid, _, Some(full)) if leads => full.solve(skeleton, target, pose),
            _ => {
                let mut solved = self.half.solve(skeleton, Target::Position(place), pose);
                let mut settling = Settling::new(&footing);
                for _ in 0..STANDS {
                    if !self.oriented {
                        break;
                    }
                    let turned = self.turn_foot(skeleton, model, wanted, pose);
                    let off = rotation::angle(turned.conjugate() * wanted);
                    let turn = turned * self.rest.conjugate();
                    let Some(place) = settling.next(&footing, turn).filter(|_| off > TOLERANCE.orientation)
                    else {
                        break;
                    };
                    let again = self.half.solve(skeleton, Target::Position(place), pose);
                    solved = LegSolve { iterations: solved.iterations + again.iterations, ..again };
                }
                solved
            }
        }
    }

    /// Brings the foot to its place by the analytic limb.
    ///
    /// The knee goes where the foot points, so that the ankle need not turn aside. The place
    /// counts, and the foot turns as far as its ankle lets it: for the turn's sake the knee would
    /// have to jump aside. What stands of a foot stays in its place all the same.
    pub fn stand(
        &self,
        limb: &Limb,
        skeleton: &Skeleton,
        model: &mut ModelPose,
        footing: Footing,
        pose: &mut Pose,
    ) -> Stand {
        let Footing { mut place, turn, ahead, .. } = footing;
        let wanted = (turn * self.rest).normalize();
        let mut stand = Stand { foot: Transform::new(place, wanted), off: 0.0, tips: 0.0, cause: None };
        let mut settling = Settling::new(&footing);
        for _ in 0..STANDS {
            let swivel = Swivel::Pole(place + ahead * POLE);
            let report = limb.solve(skeleton, model, &Target::Position(place), swivel, pose);
            stand.cause = report.outcome.cause;
            if !self.oriented {
                break;
            }
            let turned = self.turn_foot(skeleton, model, wanted, pose);
            stand.foot = Transform::new(place, turned);
            stand.off = rotation::angle(turned.conjugate() * wanted);
            stand.tips = footing.tips(turned * self.rest.conjugate());
            if stand.off <= TOLERANCE.orientation {
                break;
            }
            let Some(next) = settling.next(&footing, turned * self.rest.conjugate()) else { break };
            place = next;
        }
        stand
    }

    /// How far heel and toes have to be moved so as not to be under the ground; `model` must hold where the leg is,
    /// and the tip of the toes is given if it has a joint of its own.
    pub fn out_of_ground(
        &self,
        (model, tip): (&ModelPose, Option<Vec3>),
        sole: &Sole,
        terrain: &dyn Terrain,
    ) -> Vec3 {
        let ankle = self.effector.transform(model);
        let turn = ankle.rotation * self.rest.conjugate();
        let [heel, toe] = [sole.heel, sole.toe].map(|p| ankle.translation + turn * (p - sole.ankle));
        let left = turn * sole.left * sole.width;
        let ahead = turn * sole.ahead;
        let level = direction_or(Vec3::new(ahead.x, 0.0, ahead.z), sole.ahead);
        // The toes are level where the foot points down.
        let toes = if ahead.y > 0.0 { ahead } else { level * (1.0 - TOES_DOWN * ahead.y) };
        let tip = tip.unwrap_or(toe + toes * sole.tip);
        let points = [heel - left, heel + left, toe - left, toe + left, tip];
        way_out(&points, level, terrain)
    }

    /// Writes where the leg's joints are in a pose; `model` must hold where the base's parent stands.
    pub fn update(&self, skeleton: &Skeleton, model: &mut ModelPose, pose: &Pose) {
        for &id in &self.chain {
            model.update_joint(skeleton, pose, id);
        }
    }

    /// Turns the whole leg about the line from its base to its foot until its knee points where the foot does,
    /// as the analytic limb has it. Jacobians leave this turn nearly free; from frame to frame it would drift until the
    /// ankle cannot turn the foot any more.
    fn point_knee(
        &self,
        limb: &Limb,
        skeleton: &Skeleton,
        model: &mut ModelPose,
        (footing, solver): (&Footing, LegSolver),
        pose: &mut Pose,
    ) {
        self.update(skeleton, model, pose);
        let base = model.position(self.base);
        let away = self.effector.transform(model).translation - base;
        let line = direction_or(away, Vec3::NEG_Y);
        let aside = |v: Vec3| v - line * v.dot(line);
        let knee = aside(model.position(limb.joints().lower) - base);
        let pole = aside(footing.place + footing.ahead * POLE - base);
        let angle = line.dot(knee.cross(pole)).atan2(knee.dot(pole));
        let wanted = footing.place.distance(base);
        if solver == LegSolver::Ewbik
            && knee.length() < NEARLY_STRAIGHT * self.reach
            && wanted < away.length()
        {
            // A joint that is turned by itself does not bring the end of a straight chain nearer.
            let lower = limb.joints().lower;
            let at = model.position(lower);
            let (thigh, shin) = (at.distance(base), at.distance(base + away));
            let cosine = (wanted * wanted - thigh * thigh - shin * shin) / (2.0 * thigh * shin).max(TINY);
            let bend = rotation::about(limb.flexion_axis(), cosine.clamp(-1.0, 1.0).acos());
            pose.set_rotation(
                lower,
                skeleton.joint(lower).project((pose.rotation(lower) * bend).normalize()),
            );
        } else if knee.length() > STRAIGHT * self.reach {
            let frame = model.rest_frame(skeleton, self.base);
            let turn = frame.conjugate() * rotation::about(line, angle) * frame * pose.rotation(self.base);
            pose.set_rotation(self.base, skeleton.joint(self.base).project(turn.normalize()));
        }
    }

    /// Turns the foot by its own joint alone; returns how it is turned then.
    fn turn_foot(&self, skeleton: &Skeleton, model: &mut ModelPose, wanted: Quat, pose: &mut Pose) -> Quat {
        self.update(skeleton, model, pose);
        let id = self.effector.joint;
        let frame = model.rest_frame(skeleton, id);
        let turn = skeleton.joint(id).project((frame.conjugate() * wanted).normalize());
        pose.set_rotation(id, turn);
        frame * turn
    }
}

/// How far the foot of any chain can be from its base within the limits of its joints: most legs
/// of animals cannot be straight. Each joint is turned a little each way about each axis as
/// long as that helps, then by half as much.
fn furthest(skeleton: &Skeleton, chain: &[JointId], base: JointId, effector: Effector) -> Real {
    let mut pose = Pose::rest(skeleton);
    let mut model = ModelPose::rest(skeleton);
    let mut away = |pose: &Pose| {
        for &id in chain {
            model.update_joint(skeleton, pose, id);
        }
        effector.transform(&model).translation.distance(model.position(base))
    };
    let mut best = away(&pose);
    let mut turn: Real = 0.5;
    for _ in 0..ROUNDS {
        let before = best;
        for &id in chain.iter().skip(1) {
            for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
                for angle in [-turn, turn] {
                    let last = pose.rotation(id);
                    let next = (last * rotation::about(axis, angle)).normalize();
                    pose.set_rotation(id, skeleton.joint(id).project(next));
                    let now = away(&pose);
                    if now > best {
                        best = now;
                    } else {
                        pose.set_rotation(id, last);
                    }
                }
            }
        }
        if best < before * (1.0 + 1.0e-4) {
            turn *= 0.5;
        }
    }
    best
}
