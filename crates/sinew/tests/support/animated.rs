//! Inverse kinematics on top of an animation: what a solve of any kind must
//! keep to, whatever the rig and the pose.
//!
//! The tests over the embedded rigs and those over recorded motions both include this file.
#![allow(dead_code)] // each test file uses some of it

use std::collections::BTreeMap;
use std::fmt;

use sinew::math::{Real, rotation};
use sinew::{Goal, GoalSet, JointId, JointKind, ModelPose, Pose, Quat, Skeleton, SolverSpec, Target, Vec3};

use crate::numbers::Numbers;

/// How far a goal at the effector's present place may turn a joint, in radians.
const STILL: Real = 1.0e-3;
/// In how many steps the influence goes from 0 to 1.
const STEPS: usize = 100;
/// A step of a joint that is never too large, in radians.
const SMALL: Real = 0.15;
/// How often the mean of its steps a joint's step may be.
const UNEVEN: Real = 3.0;
/// By what part of the first miss the miss may rise from one step to the next: what
/// solvers leave when they stop at their tolerance.
const RISE: Real = 5.0e-3;
/// The first miss counts as this at least, in metres or radians: a target that is as good as
/// met is missed by what the tolerance leaves.
const LEAST_MISS: Real = 0.02;

/// An animated pose with goals on it.
pub struct Scene<'a> {
    pub skeleton: &'a Skeleton,
    pub animated: Pose,
    pub goals: GoalSet,
    /// What the goals are, in words.
    pub what: &'static str,
}

impl Scene<'_> {
    /// Whether a goal hangs on the joint, directly or further out.
    pub fn moves(&self, joint: JointId) -> bool {
        self.goals.as_slice().iter().any(|goal| self.skeleton.is_ancestor(joint, goal.effector.joint))
    }

    /// How far the goals are missed, in metres and radians.
    fn miss(&self, pose: &Pose) -> Real {
        let model = ModelPose::new(self.skeleton, pose);
        let squares = self.goals.as_slice().iter().map(|goal| {
            let at = goal.effector.transform(&model);
            let position = goal.target.position().map_or(0.0, |p| at.translation.distance(p));
            let turn = goal.target.orientation(at);
            let angle = turn.map_or(0.0, |q| rotation::angle(q * at.rotation.conjugate()));
            position * position + angle * angle
        });
        squares.sum::<Real>().sqrt()
    }

    /// The goals moved to where their effectors are.
    fn at_the_present_place(&self) -> GoalSet {
        let model = ModelPose::new(self.skeleton, &self.animated);
        let mut goals = self.goals.clone();
        for (id, goal) in self.goals.iter() {
            let at = goal.effector.transform(&model);
            let target = match goal.target {
                Target::Position(_) => Target::Position(at.translation),
                Target::Orientation(_) => Target::Orientation(at.rotation),
                Target::Pose(_) => Target::Pose(at),
                Target::Aim { axis, .. } => {
                    Target::Aim { axis, at: at.translation + at.rotation * axis.normalize() }
                }
                Target::Contact { axis, .. } => {
                    Target::Contact { axis, at: at.translation, normal: at.rotation * axis }
                }
            };
            goals.set_target(id, target);
        }
        goals
    }
}

const JUMPS: &str = "a joint jumps";
const RISES: &str = "the miss rises";

/// A solver that falls short, and in how many scenes at the most a joint jumps and the miss rises.
pub type Known = (&'static str, usize, usize);

/// What was found over many scenes, for a solver.
#[derive(Debug, Default)]
pub struct Findings {
    pub scenes: usize,
    /// The largest turn of a joint for goals at the present place, in radians.
    stirred: Real,
    /// The largest step of a joint against what is allowed; at most 1.
    jump: Real,
    /// The largest rise of the miss against what is allowed; at most 1.
    rise: Real,
    /// How many scenes broke each rule, and the first of them in words.
    broken: BTreeMap<&'static str, (usize, String)>,
}

impl Findings {
    fn breaks(&mut self, rule: &'static str, words: impl FnOnce() -> String) {
        self.broken.entry(rule).or_insert_with(|| (0, words())).0 += 1;
    }

    /// What broke the rules more often than is known, a line each; empty if nothing did.
    pub fn complaints(&self, solver: &str, known: &[Known]) -> String {
        let &(_, jumps, rises) = known.iter().find(|known| known.0 == solver).unwrap_or(&("", 0, 0));
        let allowed = |rule| match rule {
            JUMPS => jumps,
            RISES => rises,
            _ => 0,
        };
        let over = self.broken.iter().filter(|&(&rule, &(count, _))| count > allowed(rule));
        let line = |(rule, (count, words)): (&&str, &(usize, String))| {
            format!("{solver}: {count} of {} scenes: {rule}, as in {words}\n", self.scenes)
        };
        over.map(line).collect()
    }
}

impl fmt::Display for Findings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { scenes, stirred, jump, rise, .. } = self;
        let count = |rule| self.broken.get(rule).map_or(0, |(count, _)| *count);
        write!(f, "{scenes} scenes, stirred {stirred:.1e}, ")?;
        write!(f, "{} jump (up to {jump:.2}), {} rise (up to {rise:.2})", count(JUMPS), count(RISES))
    }
}

fn turn(a: &Pose, b: &Pose, joint: JointId) -> Real {
    rotation::angle(a.rotation(joint).conjugate() * b.rotation(joint))
}

/// Holds a solve to the rules. `solve` solves for the goals from the pose it is given.
pub fn check(
    scene: &Scene<'_>,
    what: &str,
    findings: &mut Findings,
    mut solve: impl FnMut(&GoalSet, &mut Pose),
) {
    let skeleton = scene.skeleton;
    let what = format!("{what}, {}", scene.what);
    let name = |joint: JointId| skeleton.joint(joint).name();
    findings.scenes += 1;
    let mut solved = |goals: &GoalSet| {
        let mut pose = scene.animated.clone();
        solve(goals, &mut pose);
        pose
    };
    // What no goal moves keeps its bits, and so do the shifts of bones.
    let needless = |pose: &Pose| {
        skeleton.ids().find(|&joint| {
            let slides =
                matches!(skeleton.joint(joint).kind(), JointKind::Free | JointKind::Prismatic { .. });
            let shifted = pose.translation(joint) != scene.animated.translation(joint);
            let turned = pose.rotation(joint) != scene.animated.rotation(joint);
            let moves = scene.moves(joint);
            (shifted && !(slides && moves)) || (turned && !moves)
        })
    };

    let mut present = scene.at_the_present_place();
    let ids: Vec<_> = present.iter().map(|(id, _)| id).collect();
    for influence in [1.0, 0.5] {
        ids.iter().for_each(|&id| present.set_influence(id, influence));
        let still = solved(&present);
        let stirred = |joint: &JointId| turn(&scene.animated, &still, *joint);
        let Some(most) = skeleton.ids().max_by(|a, b| stirred(a).total_cmp(&stirred(b))) else { return };
        findings.stirred = findings.stirred.max(stirred(&most));
        if stirred(&most) > STILL {
            let words = || format!("{what}: {} by {:.4}", name(most), stirred(&most));
            findings.breaks("a goal at the present place turns a joint", words);
        }
    }

    let mut goals = scene.goals.clone();
    for off in [true, false] {
        for &id in &ids {
            goals.set_enabled(id, !off);
            goals.set_influence(id, if off { 1.0 } else { 0.0 });
        }
        if solved(&goals) != scene.animated {
            let rule = if off { "a goal that is off changes bits" } else { "influence 0 changes bits" };
            findings.breaks(rule, || what.clone());
        }
    }

    let mut steps = vec![Vec::with_capacity(STEPS); skeleton.len()];
    let mut before = scene.animated.clone();
    let first = scene.miss(&before);
    let mut miss = first;
    let (mut highest_rise, mut rose_at, mut moved) = (0.0, 0, None);
    for step in 1..=STEPS {
        for &id in &ids {
            goals.set_influence(id, step as Real / STEPS as Real);
        }
        let pose = solved(&goals);
        moved = moved.or_else(|| needless(&pose));
        for (joint, list) in skeleton.ids().zip(&mut steps) {
            list.push(turn(&before, &pose, joint));
        }
        let now = scene.miss(&pose);
        if now - miss > highest_rise {
            (highest_rise, rose_at) = (now - miss, step);
        }
        miss = now;
        before = pose;
    }
    if let Some(joint) = moved {
        findings.breaks("what no goal moves is moved", || format!("{what}: {}", name(joint)));
    }
    let rise = highest_rise / (RISE * first.max(LEAST_MISS));
    findings.rise = findings.rise.max(rise);
    if rise > 1.0 {
        let words = || format!("{what}: {first:.3} at first, by {highest_rise:.5} at step {rose_at}");
        findings.breaks(RISES, words);
    }
    let mut worst = (0.0, String::new());
    for (joint, list) in skeleton.ids().zip(&steps) {
        let mean = list.iter().sum::<Real>() / STEPS as Real;
        let largest = list.iter().copied().fold(0.0, Real::max);
        let jump = largest / (UNEVEN * mean).max(SMALL);
        if jump > worst.0 {
            worst = (jump, format!("{what}: {} by {largest:.3}, mean {mean:.4}", name(joint)));
        }
    }
    findings.jump = findings.jump.max(worst.0);
    if worst.0 > 1.0 {
        findings.breaks(JUMPS, || worst.1);
    }
}

/// The same for a general solver; goals that it refuses are not its business.
pub fn check_general(scene: &Scene<'_>, spec: SolverSpec, what: &str, findings: &mut Findings) {
    let Ok(mut solver) = spec.build(scene.skeleton, &scene.goals) else { return };
    check(scene, what, findings, |goals, pose| {
        solver.solve(scene.skeleton, goals, pose);
    });
}

/// Joints that a goal would be put on: where limbs end, as far apart in the list as can be.
pub fn ends(skeleton: &Skeleton, most: usize) -> Vec<JointId> {
    let leaves: Vec<JointId> = skeleton.ids().filter(|&j| skeleton.children(j).next().is_none()).collect();
    let count = leaves.len().min(most);
    (0..count).map(|i| leaves[i * leaves.len() / count]).collect()
}

/// Scenes of one pose: a point, a pose, and points for several limbs at once. Joints that a goal
/// can move are brought within their limits, others are as they come. The targets are where the
/// effectors would be if each joint that can move made the turn that `further` gives, from its
/// rotation; so they can be had.
pub fn scenes<'a>(
    skeleton: &'a Skeleton,
    raw: &Pose,
    mut further: impl FnMut(JointId, Quat) -> Quat,
) -> Vec<Scene<'a>> {
    let ends = ends(skeleton, 4);
    let Some(&one) = ends.last() else { return Vec::new() };
    let mut kinds = vec![("a point", vec![one], false), ("a pose", vec![one], true)];
    if ends.len() > 1 {
        kinds.push(("points", ends, false));
    }
    let mut scene = |(what, effectors, oriented): (&'static str, Vec<JointId>, bool)| {
        let (mut animated, mut reached) = (raw.clone(), raw.clone());
        for joint in skeleton.ids().filter(|&j| effectors.iter().any(|&e| skeleton.is_ancestor(j, e))) {
            let moving = skeleton.joint(joint);
            let allowed = moving.project(raw.rotation(joint));
            animated.set_rotation(joint, allowed);
            reached.set_rotation(joint, moving.project(further(joint, allowed)));
            if let JointKind::Prismatic { .. } = moving.kind() {
                let along = moving.project_translation(raw.translation(joint));
                animated.set_translation(joint, along);
                reached.set_translation(joint, along);
            }
        }
        let model = ModelPose::new(skeleton, &reached);
        let goal = |&joint: &JointId| match oriented {
            true => Goal::pose(joint, model.transform(joint)),
            false => Goal::position(joint, model.position(joint)),
        };
        Scene { skeleton, animated, goals: effectors.iter().map(goal).collect(), what }
    };
    kinds.into_iter().map(&mut scene).collect()
}

/// A pose of a made motion: every joint turns and every bone shifts like a sum of waves, with no
/// regard to limits.
pub fn made_pose(skeleton: &Skeleton, numbers: &mut Numbers) -> Pose {
    let seconds = numbers.between(0.0, 60.0);
    let mut pose = Pose::rest(skeleton);
    for (i, joint) in skeleton.ids().enumerate() {
        let wave = |k: Real| (seconds * (1.3 + 0.1 * k) + i as Real * 1.7 * k).sin();
        pose.set_rotation(joint, rotation::exp(Vec3::new(wave(1.0), wave(2.0), wave(3.0)) * 0.35));
        pose.set_translation(joint, Vec3::new(wave(4.0), wave(5.0), wave(6.0)) * 0.02);
    }
    pose
}

/// Scenes of a made motion.
pub fn made_scenes(skeleton: &Skeleton, seed: u64) -> Vec<Scene<'_>> {
    let mut numbers = Numbers::new(seed);
    let pose = made_pose(skeleton, &mut numbers);
    scenes(skeleton, &pose, |_, now| now * numbers.rotation(0.25))
}
