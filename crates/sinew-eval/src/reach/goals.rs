//! Random goals for arms and legs: whatever the limb says is checked.
//!
//! The goals are of six kinds, drawn in turn: taken from a random allowed pose
//! (with and without the orientation), a point of the limb's reach with any
//! orientation or none, a point further away or nearer than the limb reaches, and
//! the goal of an allowed pose pushed about by up to 10 cm and half a radian, which
//! lies near the edges. The body stands in a random allowed pose each time.
//!
//! What is called reached is measured by forward kinematics of the whole
//! skeleton. What is refused is refuted, if it can be, by brute force: the limb is
//! turned about the line from base to goal in steps of 0.05°, the rest of the turn
//! is divided between forearm and end joint in every way, and the skeleton's own
//! limits are asked. A step is skipped only where the violation before it is too
//! large to vanish on the way.

use rand::RngExt;
use rayon::prelude::*;

use crate::table::{Cell, Table};

/// What to run.
#[derive(Debug, Clone)]
pub struct GoalsOptions {
    /// How many goals, in each precision.
    pub goals: usize,
    /// Where the random numbers start.
    pub seed: u64,
}

impl Default for GoalsOptions {
    fn default() -> Self {
        Self { goals: 100_000, seed: 1 }
    }
}

/// The kinds of goal, in the order in which they are drawn.
pub const KINDS: [&str; 6] =
    ["allowed pose", "allowed position", "any pose", "any position", "beyond reach", "near an edge"];

/// What came of some goals.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Tally {
    /// How many goals.
    pub goals: usize,
    /// How many of them were reached.
    pub reached: usize,
    /// Refused because too far or too near.
    pub out_of_reach: usize,
    /// Refused because of a limit.
    pub limited: usize,
    /// The largest distance of a reached goal, in metres.
    pub position: f64,
    /// The largest turn that a reached goal still wants, in radians.
    pub orientation: f64,
    /// The largest violation of any limit, in radians.
    pub violation: f64,
    /// Refusals that brute force refuted.
    pub refuted: usize,
    /// Poses that are not finite.
    pub not_finite: usize,
}

impl Tally {
    fn with(mut self, other: Self) -> Self {
        self.goals += other.goals;
        self.reached += other.reached;
        self.out_of_reach += other.out_of_reach;
        self.limited += other.limited;
        self.position = self.position.max(other.position);
        self.orientation = self.orientation.max(other.orientation);
        self.violation = self.violation.max(other.violation);
        self.refuted += other.refuted;
        self.not_finite += other.not_finite;
        self
    }
}

/// The tallies of one precision: for each kind of goal, and for each limb.
#[derive(Debug, Clone, PartialEq)]
pub struct Tallies {
    /// In the order of [`KINDS`].
    pub kinds: [Tally; 6],
    /// Left arm, right arm, left leg, right leg.
    pub limbs: [Tally; 4],
}

impl Tallies {
    /// Everything together.
    pub fn all(&self) -> Tally {
        self.kinds.iter().fold(Tally::default(), |a, b| a.with(*b))
    }
}

/// Runs both precisions. `tick` is called after each thousand goals.
pub fn run(options: &GoalsOptions, tick: impl Fn() + Sync) -> (Vec<Table>, [Tallies; 2]) {
    let double = double::run(options, &tick);
    let single = single::run(options, &tick);
    let mut outcomes = Table::new(
        format!("{} random goals for arms and legs: what came of them", options.goals),
        &["precision", "goals", "count", "reached %", "out of reach %", "limited %", "refuted", "not finite"],
    );
    let mut exact = Table::new(
        "What is called reached, by forward kinematics",
        &["precision", "limb", "reached", "position m", "orientation rad", "limit beyond rad"],
    );
    for (name, tallies) in [("f64", &double), ("f32", &single)] {
        let everything = tallies.all();
        for (kind, t) in KINDS.iter().copied().zip(tallies.kinds).chain([("all", everything)]) {
            let part = |n: usize| Cell::number(100.0 * n as f64 / t.goals.max(1) as f64, 2);
            outcomes.row(vec![
                name.into(),
                kind.into(),
                Cell::number(t.goals as f64, 0),
                part(t.reached),
                part(t.out_of_reach),
                part(t.limited),
                Cell::number(t.refuted as f64, 0),
                Cell::number(t.not_finite as f64, 0),
            ]);
        }
        let limbs = ["left arm", "right arm", "left leg", "right leg"];
        for (limb, t) in limbs.iter().copied().zip(tallies.limbs) {
            exact.row(vec![
                name.into(),
                limb.into(),
                Cell::number(t.reached as f64, 0),
                format!("{:.1e}", t.position).into(),
                format!("{:.1e}", t.orientation).into(),
                format!("{:.1e}", t.violation).into(),
            ]);
        }
    }
    outcomes.note(format!(
        "seed {}; every refusal is set against a scan of the swivel circle at 0.05° with every division of \
         the twist; 'refuted' counts those where the scan found an allowed pose",
        options.seed
    ));
    outcomes
        .note("on the humanoid with ellipses (80 %), splines (10 %) and Kusudamas (10 %) as swing limits");
    exact.note("the largest of each; the aim is 1e-5 in f64 and 1e-4 in f32");
    (vec![outcomes, exact], [double, single])
}

/// The experiment in one precision.
macro_rules! precision {
    ($name:ident, $engine:ident, $real:ty) => {
        mod $name {
            use $engine as engine;

            use engine::analytic::{Limb, Swivel};
            use engine::limit::to_kind;
            use engine::math::{Quat, Vec3, rotation};
            use engine::rigs::{SwingModel, humanoid};
            use engine::skeleton::humanoid::{HumanoidMap, Side};
            use engine::{Cause, JointId, JointKind, ModelPose, Pose, Skeleton, Target, Transform};

            use super::*;
            use crate::sample;

            const STEP: $real = 0.05 * (std::f64::consts::PI / 180.0) as $real;
            const TURN: $real = (2.0 * std::f64::consts::PI) as $real;
            const DEGREE: $real = (std::f64::consts::PI / 180.0) as $real;

            struct Body {
                skeleton: Skeleton,
                limbs: Vec<Limb>,
            }

            fn body(model: SwingModel) -> Option<Body> {
                let skeleton = humanoid(model);
                let map = HumanoidMap::find(&skeleton);
                let mut limbs = Vec::new();
                for side in Side::BOTH {
                    limbs.push(Limb::arm(&skeleton, &map, side).ok()?);
                }
                for side in Side::BOTH {
                    limbs.push(Limb::leg(&skeleton, &map, side).ok()?);
                }
                Some(Body { skeleton, limbs })
            }

            pub(super) fn run(options: &GoalsOptions, tick: &(impl Fn() + Sync)) -> Tallies {
                let bodies: Vec<Body> = SwingModel::ALL.into_iter().filter_map(body).collect();
                let none = Tallies { kinds: [Tally::default(); 6], limbs: [Tally::default(); 4] };
                let chunks = options.goals.div_ceil(1000);
                (0..chunks)
                    .into_par_iter()
                    .map(|chunk| {
                        let mut random = sample::generator(options.seed ^ ((chunk as u64 + 1) << 20));
                        let count = 1000.min(options.goals - chunk * 1000);
                        let mut tallies = none.clone();
                        for i in 0..count {
                            let body = match i % 10 {
                                0 => &bodies[1],
                                5 => &bodies[2],
                                _ => &bodies[0],
                            };
                            let (kind, limb) = (i % 6, (i / 6) % 4);
                            let tally = one(body, limb, kind, &mut random);
                            tallies.kinds[kind] = tallies.kinds[kind].with(tally);
                            tallies.limbs[limb] = tallies.limbs[limb].with(tally);
                        }
                        tick();
                        tallies
                    })
                    .reduce(
                        || none.clone(),
                        |a, b| Tallies {
                            kinds: std::array::from_fn(|i| a.kinds[i].with(b.kinds[i])),
                            limbs: std::array::from_fn(|i| a.limbs[i].with(b.limbs[i])),
                        },
                    )
            }

            fn unit(random: &mut impl rand::Rng) -> $real {
                random.random_range(0.0..1.0)
            }

            fn direction(random: &mut impl rand::Rng) -> Vec3 {
                let d = sample::direction(random);
                Vec3::new(d.x as $real, d.y as $real, d.z as $real)
            }

            fn any_rotation(random: &mut impl rand::Rng) -> Quat {
                let q = sample::any_rotation(random);
                Quat::from_xyzw(q.x as $real, q.y as $real, q.z as $real, q.w as $real).normalize()
            }

            /// Uniform over what the joint's limit allows, by rejection.
            fn allowed(skeleton: &Skeleton, joint: JointId, random: &mut impl rand::Rng) -> Quat {
                let joint = skeleton.joint(joint);
                for _ in 0..400 {
                    let v = direction(random) * (unit(random).cbrt() * 2.8);
                    let q = to_kind(joint.kind(), rotation::exp(v));
                    if joint.limit().violation(q) == 0.0 {
                        return q;
                    }
                }
                joint.project(rotation::exp(direction(random)))
            }

            fn one(body: &Body, limb: usize, kind: usize, random: &mut impl rand::Rng) -> Tally {
                let (skeleton, limb) = (&body.skeleton, &body.limbs[limb]);
                let joints = limb.joints();
                let own = [joints.upper, joints.lower, joints.end];
                // A body in some pose; the limb itself starts at rest.
                let mut pose = Pose::rest(skeleton);
                for id in skeleton.ancestors(joints.upper).skip(1) {
                    if skeleton.joint(id).kind() == JointKind::Free {
                        pose.set_rotation(id, any_rotation(random));
                        pose.set_translation(id, direction(random));
                    } else if skeleton.joint(id).kind() != JointKind::Fixed {
                        pose.set_rotation(id, allowed(skeleton, id, random));
                    }
                }
                let mut posed = pose.clone();
                for id in own {
                    posed.set_rotation(id, allowed(skeleton, id, random));
                }
                let model = ModelPose::new(skeleton, &posed);
                let base = model.position(joints.upper);
                let (near, far) = limb.reach();
                let Transform { translation: mut position, rotation } = model.transform(joints.end);
                let mut orientation = Some(rotation);
                match kind {
                    0 => {}
                    1 => orientation = None,
                    2 | 3 => {
                        let way = (near.powi(3) + (far.powi(3) - near.powi(3)) * unit(random)).cbrt();
                        position = base + direction(random) * way;
                        orientation = (kind == 2).then(|| any_rotation(random));
                    }
                    4 => {
                        let way =
                            if unit(random) < 0.7 { far * (1.0 + unit(random)) } else { near * unit(random) };
                        position = base + direction(random) * way;
                        orientation = Some(any_rotation(random));
                    }
                    _ => {
                        position += direction(random) * (0.1 * unit(random));
                        let turn = rotation::exp(direction(random) * (0.5 * unit(random)));
                        orientation = orientation.map(|q| (turn * q).normalize());
                    }
                }
                let goal = Target::from_parts(position, orientation);
                let report = limb.solve(skeleton, &model, &goal, Swivel::default(), &mut pose);
                let mut tally = Tally { goals: 1, ..Tally::default() };
                if !pose.is_finite() {
                    tally.not_finite = 1;
                    return tally;
                }
                for id in own {
                    let outside = skeleton.joint(id).limit().violation(pose.rotation(id));
                    tally.violation = tally.violation.max(f64::from(outside));
                }
                let end = ModelPose::new(skeleton, &pose).transform(joints.end);
                let missed = f64::from(end.translation.distance(position));
                let turned =
                    orientation.map_or(0.0, |q| f64::from(rotation::angle(end.rotation.conjugate() * q)));
                let distance = position.distance(base);
                let tolerance = limb.tolerance().position;
                match report.outcome.cause {
                    None => {
                        tally.reached = 1;
                        (tally.position, tally.orientation) = (missed, turned);
                    }
                    Some(Cause::OutOfReach { by, .. }) => {
                        tally.out_of_reach = 1;
                        let right = (distance - far - by).abs() <= tolerance && distance > far;
                        tally.refuted = usize::from(!right);
                    }
                    Some(Cause::TooClose { by, .. }) => {
                        tally.out_of_reach = 1;
                        let right = (near - distance - by).abs() <= tolerance && distance < near;
                        tally.refuted = usize::from(!right);
                    }
                    Some(Cause::Limit { .. }) => {
                        tally.limited = 1;
                        tally.refuted = usize::from(brute(skeleton, limb, &model, &goal, &pose));
                    }
                    _ => tally.refuted = 1,
                }
                tally
            }

            /// Whether some swivel angle on a raster of 0.05° is allowed.
            fn brute(
                skeleton: &Skeleton,
                limb: &Limb,
                model: &ModelPose,
                goal: &Target,
                pose: &Pose,
            ) -> bool {
                let joints = limb.joints();
                let Some(at) = goal.position() else { return false };
                let Some(([base, mid, end], _)) = limb.at_swivel(skeleton, model, goal, 0.0, pose) else {
                    return false;
                };
                // The flexion follows from the distance; when that is not to be
                // had, no swivel angle helps.
                if end.translation.distance(at) > limb.tolerance().position {
                    return false;
                }
                let line = (at - base.translation).normalize();
                let base_frame = model.rest_frame(skeleton, joints.upper);
                let mid_rest = skeleton.joint(joints.lower).rest().rotation;
                let end_rest = skeleton.joint(joints.end).rest();
                let forearm = end_rest.translation.normalize();
                // The middle joint without its twist.
                let mid = (base.rotation * mid_rest).conjugate() * mid.rotation;
                let straightened = match skeleton.joint(joints.lower).kind() {
                    JointKind::Universal { first, .. } => {
                        let (was, now) = (forearm - first * first.dot(forearm), mid * forearm);
                        let now = now - first * first.dot(now);
                        rotation::about(first, first.dot(was.cross(now)).atan2(was.dot(now)))
                    }
                    _ => mid,
                };
                let outside = |joint: JointId, q: Quat| skeleton.joint(joint).limit().violation(q);
                // No swivel angle changes the flexion.
                if outside(joints.lower, straightened) > 0.0 {
                    return false;
                }
                let twists = matches!(skeleton.joint(joints.lower).kind(), JointKind::Universal { .. });
                let mut angle: $real = 0.0;
                while angle < TURN {
                    let turn = rotation::about(line, angle);
                    let base = turn * base.rotation;
                    let mut worst = outside(joints.upper, base_frame.conjugate() * base);
                    // How well it is known.
                    let mut known = DEGREE;
                    if worst == 0.0
                        && let Target::Pose(Transform { rotation: wanted, .. }) = *goal
                    {
                        let frame = base * mid_rest * straightened * end_rest.rotation;
                        let needed = frame.conjugate() * wanted;
                        let axis = end_rest.rotation.conjugate() * forearm;
                        let best = |from: $real, to: $real, step: $real| {
                            let mut best = (<$real>::INFINITY, from);
                            let mut twist = from;
                            while twist <= to {
                                let end = rotation::about(axis, -twist) * needed;
                                let mid = straightened * rotation::about(forearm, twist);
                                let v = outside(joints.end, end).max(outside(joints.lower, mid));
                                if v < best.0 {
                                    best = (v, twist);
                                }
                                twist += step;
                            }
                            best
                        };
                        if twists {
                            // Every division that the forearm's limit has room for. A violation
                            // changes no faster than the twist, so what holds lies within half a
                            // coarse step of a look that is outside by no more than that.
                            let coarse = 4.0 * DEGREE;
                            let mut twist = -84.0 * DEGREE;
                            worst = <$real>::INFINITY;
                            while twist <= 84.0 * DEGREE && worst > 0.0 {
                                let (there, _) = best(twist, twist, coarse);
                                worst = worst.min(there);
                                if there > 0.0 && there <= 0.5 * coarse + STEP {
                                    worst =
                                        worst.min(best(twist - 0.5 * coarse, twist + 0.5 * coarse, STEP).0);
                                }
                                twist += coarse;
                            }
                            known = 0.5 * coarse;
                        } else {
                            worst = outside(joints.end, needed);
                        }
                    }
                    if worst == 0.0 {
                        return true;
                    }
                    // A violation vanishes at most about as fast as the limb turns.
                    angle += (0.5 * worst - known).max(STEP);
                }
                false
            }
        }
    };
}

precision!(double, sinew_f64, f64);
precision!(single, sinew, f32);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_goals_hold_what_all_must() {
        let (tables, tallies) = run(&GoalsOptions { goals: 1200, seed: 3 }, || {});
        assert_eq!(tables.len(), 2);
        for (tallies, near) in tallies.iter().zip([1e-5, 1e-4]) {
            let all = tallies.all();
            assert_eq!((all.goals, all.refuted, all.not_finite), (1200, 0, 0));
            assert_eq!(all.reached + all.out_of_reach + all.limited, 1200);
            assert!(all.position < near && all.orientation < near, "{all:?}");
            assert_eq!(tallies.kinds[0].reached, tallies.kinds[0].goals);
            assert_eq!(tallies.kinds[4].reached, 0);
        }
    }
}
