//! Reaches as motions: what a user meets who asks for one.
//!
//! Targets are random places about the right shoulder of the embedded humanoid, with and without an
//! orientation, alone and with a random box beside the way. Whatever is said of them is checked by means of its
//! own:
//!
//! - what is called reached by forward kinematics, hand and feet;
//! - what is refused without an obstacle by the robust solver, which may start where it likes, with the feet held and
//!   the centre of mass over them;
//! - what is refused because of the box by the same reach without it, which must be reached, and by a search that
//!   is many times larger and begins with other random numbers, which must not find a way;
//! - every limb in every frame by capsules along its bones, thinner than those of the engine, against the
//!   box.

use std::time::Instant;

use rand::RngExt;
use sinew_f64::body::reach::{
    ReachOptions, ReachPlan, ReachPlanOptions, ReachSolver, Style, Surroundings, standing,
};
use sinew_f64::collision::{CollisionBody, CollisionScene, ObstacleShape, Touched};
use sinew_f64::goal::BalanceGoal;
use sinew_f64::math::rotation;
use sinew_f64::skeleton::humanoid::{HumanoidBone, HumanoidMap, Side, masses};
use sinew_f64::{Goal, GoalSet, ModelPose, Pose, Quat, Skeleton, SolverSpec, Target, Transform, Vec3, rigs};

use crate::sample;
use crate::stats::{largest, median, percentile};
use crate::table::{Cell, Table};

/// Frames of a second.
const RATE: f64 = 30.0;
/// How much larger the judge's search is, for each posture and in postures.
const LARGER: u32 = 2;
/// How many refusals the large search judges: one for so many targets, and this many at the most. It takes
/// longer than all the motions together.
const TARGETS_A_SEARCH: usize = 10;
const SEARCHED: usize = 3;
/// A limb that is deeper than this in the box is in it, in metres.
const INSIDE: f64 = 3.0e-3;

struct Person {
    skeleton: Skeleton,
    map: HumanoidMap,
    solver: ReachSolver,
    parts: CollisionBody,
}

/// A box, by its centre and half of its size.
#[derive(Debug, Clone, Copy)]
struct Crate {
    centre: Vec3,
    half: Vec3,
}

impl Crate {
    /// How far a point is outside of it; negative inside.
    fn distance(&self, p: Vec3) -> f64 {
        let q = (p - self.centre).abs() - self.half;
        q.max(Vec3::ZERO).length() + q.max_element().min(0.0)
    }

    fn scene(&self) -> CollisionScene {
        let mut scene = CollisionScene::new();
        let shape = ObstacleShape::Cuboid { half_extents: self.half };
        // Its sizes are above zero.
        let _ = scene.add("box", shape, Transform::from_translation(self.centre));
        scene
    }
}

/// A motion that was planned, with what it took.
struct Planned {
    plan: ReachPlan,
    milliseconds: f64,
    names_the_box: bool,
}

impl Person {
    fn new() -> Option<Self> {
        let skeleton = rigs::humanoid(rigs::SwingModel::Ellipse);
        let map = HumanoidMap::find(&skeleton);
        let start = standing(&skeleton, &map);
        let mut solver = ReachSolver::new(&skeleton, &map, &start, ReachOptions::default()).ok()?;
        for side in Side::BOTH {
            solver.set_behaviour(Style::Plain.behaviour(&skeleton, &map, side)?).ok()?;
        }
        let parts = CollisionBody::from_rig(&skeleton, &map);
        Some(Self { skeleton, map, solver, parts })
    }

    fn at(&self, model: &ModelPose, bone: HumanoidBone) -> Vec3 {
        self.map.get(bone).map_or(Vec3::ZERO, |joint| model.position(joint))
    }

    fn start(&self, bone: HumanoidBone) -> Vec3 {
        self.at(self.solver.initial_model(), bone)
    }

    fn plan(&self, target: Target, scene: CollisionScene, options: &ReachPlanOptions) -> Planned {
        let initial = self.solver.initial_model();
        let mut around = Surroundings::new(&self.skeleton, &self.map, self.parts.clone(), scene, initial);
        let clock = Instant::now();
        let targets = [(Side::Right, target)];
        let plan = ReachPlan::new(&self.skeleton, &self.solver, &targets, Some(&mut around), options);
        let milliseconds = clock.elapsed().as_secs_f64() * 1.0e3;
        let touched = plan.report().contact.map(|contact| contact.with);
        Planned { plan, milliseconds, names_the_box: matches!(touched, Some(Touched::Obstacle(_))) }
    }

    /// The frames of a motion at 30 a second.
    fn frames(&self, plan: &mut ReachPlan) -> Vec<Pose> {
        let count = (plan.duration() * RATE).round().max(1.0) as usize;
        let mut pose = self.solver.initial().clone();
        let mut frames = Vec::with_capacity(count + 1);
        for frame in 0..=count {
            plan.sample(&self.skeleton, frame as f64, count as f64, &mut pose);
            frames.push(pose.clone());
        }
        frames
    }

    /// Every limb as a capsule: two ends and a radius.
    fn limbs(&self, model: &ModelPose) -> Vec<(Vec3, Vec3, f64)> {
        use HumanoidBone::{Foot, Hand, Head, LowerArm, LowerLeg, Neck, Spine, UpperArm, UpperLeg};
        let at = |bone| self.at(model, bone);
        let mut limbs = Vec::new();
        for side in Side::BOTH {
            limbs.push((at(UpperArm(side)), at(LowerArm(side)), 0.035));
            limbs.push((at(LowerArm(side)), at(Hand(side)), 0.03));
            let (hip, knee) = (at(UpperLeg(side)), at(LowerLeg(side)));
            limbs.push((hip.lerp(knee, 0.15), knee, 0.05));
            limbs.push((knee, at(Foot(side)), 0.04));
        }
        limbs.push((at(Spine), at(Neck), 0.07));
        limbs.push((at(Head), at(Head) + (at(Head) - at(Neck)) * 0.8, 0.08));
        limbs
    }

    /// How deep any limb that starts outside of the box is in it, in the worst frame.
    fn deepest(&self, frames: &[Pose], obstacle: &Crate) -> f64 {
        let mut first = Vec::new();
        let mut deepest: f64 = 0.0;
        for pose in frames {
            let model = ModelPose::new(&self.skeleton, pose);
            let outside: Vec<f64> = self
                .limbs(&model)
                .into_iter()
                .map(|(a, b, radius)| {
                    let along = (0..=20).map(|i| obstacle.distance(a.lerp(b, f64::from(i) / 20.0)));
                    along.fold(f64::INFINITY, f64::min) - radius
                })
                .collect();
            if first.is_empty() {
                first.clone_from(&outside);
            }
            let entered = outside.iter().zip(&first).filter(|(_, first)| **first > 0.0);
            deepest = entered.map(|(now, _)| -now).fold(deepest, f64::max);
        }
        deepest
    }

    /// Whether the robust solver reaches a target with the feet held and the centre of mass over them.
    fn is_possible(&self, target: Target) -> bool {
        let start = self.solver.initial_model();
        let Some(hand) = self.map.get(HumanoidBone::Hand(Side::Right)) else { return false };
        let mut goals = GoalSet::new();
        goals.add(match target {
            Target::Pose(at) => Goal::pose(hand, at),
            _ => Goal::position(hand, target.position().unwrap_or_default()),
        });
        let mut support = Vec::new();
        for side in Side::BOTH {
            let Some(foot) = self.map.get(HumanoidBone::Foot(side)) else { continue };
            goals.add(Goal::pose(foot, start.transform(foot)));
            let at = start.position(foot);
            for (x, z) in [(-0.045, -0.06), (0.045, -0.06), (0.045, 0.18), (-0.045, 0.18)] {
                support.push(at + Vec3::new(x, 0.0, z));
            }
        }
        let masses = masses(&self.skeleton, &self.map);
        goals.set_balance(Some(BalanceGoal { masses, support, up: Vec3::Y, margin: 0.0 }));
        let Ok(mut solver) = SolverSpec::default().build(&self.skeleton, &goals) else { return false };
        let mut pose = self.solver.initial().clone();
        solver.solve(&self.skeleton, &goals, &mut pose).reached()
    }
}

/// What is measured of one motion that nothing is in the way of.
#[derive(Default)]
struct Ways {
    /// How far the hand leaves its line, in hundredths of its length.
    off: Vec<f64>,
    /// The peak of its speed over the mean.
    peak: Vec<f64>,
    /// The largest turn of a joint in a frame, in degrees.
    turn: Vec<f64>,
}

impl Ways {
    fn add(&mut self, person: &Person, frames: &[Pose]) {
        let Some(hand) = person.map.get(HumanoidBone::Hand(Side::Right)) else { return };
        let at = |pose: &Pose| ModelPose::new(&person.skeleton, pose).position(hand);
        let way: Vec<Vec3> = frames.iter().map(at).collect();
        let (Some(first), Some(last)) = (way.first(), way.last()) else { return };
        let (line, start) = (*last - *first, *first);
        let length = line.length();
        // Where the line itself leads through the shoulder or the trunk, it is in the way.
        let shoulder = person.start(HumanoidBone::UpperArm(Side::Right));
        let (hips, neck) = (person.start(HumanoidBone::Hips), person.start(HumanoidBone::Neck));
        let blocked = (0..40).any(|i| {
            let p = start + line * (f64::from(i) / 39.0);
            let part = (p - hips).dot(neck - hips) / (neck - hips).length_squared();
            p.distance(shoulder) < 0.24 || p.distance(hips + (neck - hips) * part.clamp(0.0, 1.0)) < 0.2
        });
        if length < 0.15 || blocked {
            return;
        }
        let off = way.iter().map(|p| (*p - start).cross(line / length).length()).fold(0.0, f64::max);
        self.off.push(100.0 * off / length);
        let speeds: Vec<f64> = way.windows(2).map(|pair| pair[0].distance(pair[1])).collect();
        let most = largest(&speeds);
        let moving: Vec<f64> = speeds.into_iter().filter(|speed| *speed > 0.02 * most).collect();
        self.peak.push(most * moving.len() as f64 / moving.iter().sum::<f64>().max(1.0e-12));
        let turn = |pair: &[Pose]| {
            let of = |id| rotation::angle(pair[1].rotation(id) * pair[0].rotation(id).conjugate());
            person.skeleton.ids().map(of).fold(0.0, f64::max)
        };
        self.turn.push(frames.windows(2).map(turn).fold(0.0, f64::max).to_degrees());
    }
}

/// Median, 95 % and the largest.
fn spread(samples: &[f64], digits: usize) -> [Cell; 3] {
    let mut sorted = samples.to_vec();
    sorted.sort_by(f64::total_cmp);
    [median(samples), percentile(&sorted, 0.95), largest(samples)].map(|x| Cell::number(x, digits))
}

fn share(count: usize, of: usize) -> Cell {
    Cell::number(100.0 * count as f64 / of.max(1) as f64, 1)
}

/// Plans motions to this many targets of each kind and judges them. `tick` is called after each.
pub fn run(targets: usize, seed: u64, mut tick: impl FnMut()) -> Vec<Table> {
    let Some(person) = Person::new() else { return Vec::new() };
    let (outcomes, ways, times) = alone(&person, targets, seed, &mut tick);
    let mut tables = vec![outcomes, ways];
    let (among, mut times) = among(&person, targets, seed, times, &mut tick);
    times.note(
        "one thread, f64; a motion is decided once, a frame of it is then sampled in a few microseconds",
    );
    tables.extend([among, times]);
    tables
}

/// Targets with nothing about.
fn alone(person: &Person, targets: usize, seed: u64, tick: &mut impl FnMut()) -> (Table, Table, Table) {
    let mut outcomes = Table::new(
        "Reaches as motions: what is said, and whether it is true",
        &[
            "targets",
            "count",
            "reached %",
            "refused %",
            "refused though possible",
            "worst hand, mm",
            "worst orientation, rad",
            "worst foot, mm",
            "moves if refused",
        ],
    );
    let mut table = Table::new(
        "The hand's way where nothing is in it, at 30 frames a second",
        &["targets", "what", "motions", "median", "95 %", "worst", "aim"],
    );
    let mut times = Table::new(
        "Time to decide a whole motion, milliseconds",
        &["what", "outcome", "motions", "median", "95 %", "most"],
    );
    let options = ReachPlanOptions::default();
    let shoulder = person.start(HumanoidBone::UpperArm(Side::Right));
    for (name, oriented) in [("position", false), ("position and orientation", true)] {
        let mut random = sample::generator(seed);
        let mut ways = Ways::default();
        let (mut reached, mut refuted, mut moved) = (0, 0, 0);
        let (mut hand, mut turn, mut foot) = (0.0_f64, 0.0_f64, 0.0_f64);
        let mut took = [Vec::new(), Vec::new()];
        for _ in 0..targets {
            let target = draw(&mut random, shoulder, oriented);
            let Planned { mut plan, milliseconds, .. } = person.plan(target, CollisionScene::new(), &options);
            let is_reached = plan.report().reached();
            took[usize::from(!is_reached)].push(milliseconds);
            let frames = person.frames(&mut plan);
            let Some(last) = frames.last() else { continue };
            let model = ModelPose::new(&person.skeleton, last);
            for side in Side::BOTH {
                let bone = HumanoidBone::Foot(side);
                foot = foot.max(person.at(&model, bone).distance(person.start(bone)));
            }
            if is_reached {
                reached += 1;
                let at = person.at(&model, HumanoidBone::Hand(Side::Right));
                hand = hand.max(target.position().map_or(0.0, |p| p.distance(at)));
                if let (Target::Pose(goal), Some(wrist)) =
                    (target, person.map.get(HumanoidBone::Hand(Side::Right)))
                {
                    let off = goal.rotation.conjugate() * model.rotation(wrist);
                    turn = turn.max(rotation::angle(off));
                }
                ways.add(person, &frames);
            } else {
                refuted += usize::from(person.is_possible(target));
                moved += usize::from(frames.iter().any(|pose| pose != person.solver.initial()));
            }
            tick();
        }
        outcomes.row(vec![
            name.into(),
            Cell::number(targets as f64, 0),
            share(reached, targets),
            share(targets - reached, targets),
            Cell::number(refuted as f64, 0),
            Cell::number(hand * 1.0e3, 4),
            Cell::number(turn, 6),
            Cell::number(foot * 1.0e3, 4),
            Cell::number(moved as f64, 0),
        ]);
        for (what, samples, digits, aim) in [
            ("off its line, % of the length", &ways.off, 2, "≤ 5"),
            ("peak of speed over mean", &ways.peak, 2, "≤ 2.1"),
            ("largest turn of a joint in a frame, °", &ways.turn, 1, "≤ 12"),
        ] {
            let mut row = vec![name.into(), what.into(), Cell::number(samples.len() as f64, 0)];
            row.extend(spread(samples, digits));
            row.push(aim.into());
            table.row(row);
        }
        for (what, took) in ["reached", "refused"].into_iter().zip(&took) {
            add_times(&mut times, name, what, took);
        }
    }
    outcomes.note(format!(
        "seed {seed}; places within 0.9 m of the right shoulder, 0.2 to 2.2 m high; oriented ones 0.3 to 0.5 m ahead, \
         turned by up to 60° about each axis"
    ));
    outcomes.note(
        "refused though possible: the robust solver meets it, with the feet held and the centre of mass over them",
    );
    table.note("motions of 15 cm and more whose line keeps clear of the shoulder and the spine");
    (outcomes, table, times)
}

/// A place within this of the shoulder, above the floor and outside of the body.
fn place(random: &mut impl rand::Rng, shoulder: Vec3, reach: f64) -> Vec3 {
    loop {
        let p = Vec3::new(
            random.random_range(-1.0..0.8),
            random.random_range(0.2..2.2),
            random.random_range(-0.6..1.1),
        );
        let outside = p.x.hypot(p.z) > 0.28 || p.y > 1.85;
        if outside && p.distance(shoulder) < reach {
            return p;
        }
    }
}

/// A target of the right hand of the embedded humanoid, whose shoulder is here: anywhere about it, or
/// before it and turned by up to 60° about each axis.
pub(super) fn draw(random: &mut impl rand::Rng, shoulder: Vec3, oriented: bool) -> Target {
    if !oriented {
        return Target::Position(place(random, shoulder, 0.9));
    }
    let mut angle = || random.random_range(-60.0_f64..60.0).to_radians();
    let turn =
        Quat::from_rotation_y(angle()) * Quat::from_rotation_x(angle()) * Quat::from_rotation_z(angle());
    let at = Vec3::new(
        random.random_range(-0.45..0.15),
        random.random_range(0.9..1.5),
        random.random_range(0.3..0.5),
    );
    Target::Pose(Transform::new(at, turn))
}

fn add_times(table: &mut Table, what: &str, outcome: &str, took: &[f64]) {
    if took.is_empty() {
        return;
    }
    let mut row = vec![what.into(), outcome.into(), Cell::number(took.len() as f64, 0)];
    row.extend(spread(took, 2));
    table.row(row);
}

/// The same with a box beside the way, until so many are judged that are reached without it.
fn among(
    person: &Person,
    targets: usize,
    seed: u64,
    mut times: Table,
    tick: &mut impl FnMut(),
) -> (Table, Table) {
    let mut random = sample::generator(seed ^ 0xb0c5);
    let shoulder = person.start(HumanoidBone::UpperArm(Side::Right));
    let options = ReachPlanOptions::default();
    let large = ReachPlanOptions {
        samples: options.samples * LARGER,
        postures: options.postures * LARGER,
        seed: options.seed + 77,
        ..options
    };
    let (mut judged, mut reached, mut named, mut searched, mut refuted) = (0, 0, 0, 0, 0);
    let mut depths = Vec::new();
    let mut took = [Vec::new(), Vec::new()];
    // Most places can be had; a body that reaches nothing must not go on for ever.
    for _ in 0..20 * targets {
        if judged == targets {
            break;
        }
        let at = place(&mut random, shoulder, 0.8);
        let Some(obstacle) = beside(person, &mut random, at) else { continue };
        let target = Target::Position(at);
        if !person.plan(target, CollisionScene::new(), &options).plan.report().reached() {
            continue;
        }
        judged += 1;
        let mut got = person.plan(target, obstacle.scene(), &options);
        let is_reached = got.plan.report().reached();
        took[usize::from(!is_reached)].push(got.milliseconds);
        depths.push(person.deepest(&person.frames(&mut got.plan), &obstacle) * 1.0e3);
        if is_reached {
            reached += 1;
        } else {
            named += usize::from(got.names_the_box);
            if searched < SEARCHED.min(targets / TARGETS_A_SEARCH) {
                searched += 1;
                refuted += usize::from(person.plan(target, obstacle.scene(), &large).plan.report().reached());
            }
        }
        tick();
    }
    let mut table = Table::new(
        "Reaches round a random box",
        &[
            "judged",
            "reached",
            "reached %",
            "refused",
            "naming the box",
            "another reason",
            "refuted by a large search",
            "limb over 3 mm inside",
            "deepest limb, mm",
            "aim",
        ],
    );
    let refused = judged - reached;
    table.row(vec![
        Cell::number(judged as f64, 0),
        Cell::number(reached as f64, 0),
        share(reached, judged),
        Cell::number(refused as f64, 0),
        Cell::number(named as f64, 0),
        Cell::number((refused - named) as f64, 0),
        format!("{refuted} of {searched}").into(),
        Cell::number(depths.iter().filter(|depth| **depth > INSIDE * 1.0e3).count() as f64, 0),
        Cell::number(largest(&depths), 2),
        "reached ≥ 85 %, none inside, none for another reason".into(),
    ]);
    table.note(format!(
        "seed {seed}; of targets that are reached without the box; sides of 6 to 30 cm, centre a third to four fifths of the \
         way along, 8 cm off it"
    ));
    table.note(format!(
        "the large search has {LARGER} times the samples for {LARGER} times the postures and other random numbers; limbs are \
         measured in every frame"
    ));
    for (what, took) in ["reached", "refused"].into_iter().zip(&took) {
        add_times(&mut times, "a box beside the way", what, took);
    }
    (table, times)
}

/// A box beside the way from a hanging hand to a place, not at the place and not in the body.
fn beside(person: &Person, random: &mut impl rand::Rng, at: Vec3) -> Option<Crate> {
    let elbow = person.start(HumanoidBone::LowerArm(Side::Right));
    let from = Vec3::new(elbow.x, 0.85, elbow.z + 0.05);
    // The sum of twelve even numbers is nearly a normal one.
    let mut normal = || (0..12).map(|_| random.random_range(-0.5..0.5)).sum::<f64>() * 0.08;
    let aside = Vec3::new(normal(), normal(), normal());
    let centre = from + (at - from) * random.random_range(0.35..0.8) + aside;
    let mut side = || random.random_range(0.03..0.15);
    let found = Crate { centre, half: Vec3::new(side(), side(), side()) };
    let is_free = found.distance(at) >= 0.1 && found.distance(Vec3::Y) >= 0.2;
    is_free.then_some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn motions_hold_their_promises() {
        let tables = run(4, 5, || {});
        assert_eq!(tables.len(), 4);
        let number = |table: &Table, row: usize, column: usize| match table.rows[row][column] {
            Cell::Number(value, _) => value,
            ref other => panic!("{other}"),
        };
        for row in 0..2 {
            assert!(number(&tables[0], row, 2) > 20.0, "{:?}", tables[0]);
            assert!(number(&tables[0], row, 5) < 0.1 && number(&tables[0], row, 7) < 0.1, "{:?}", tables[0]);
        }
        let among = &tables[2];
        assert!(number(among, 0, 0) == 4.0 && number(among, 0, 5) == 0.0 && number(among, 0, 7) == 0.0);
    }
}
