//! Paths through hard places: small moves of a target should be small moves of
//! every joint.
//!
//! A target travels along a smooth path in steps of a millimetre; each solve
//! starts from the last pose. The paths lead where solvers tend to pop: out
//! through full extension and back, along the edge of a limit, and past the
//! direction straight behind the chain's first bone.
//!
//! The continuity contract and the experiment `sinew eval solvers` both include this file.

#![allow(clippy::useless_conversion)] // of the engine's precision, which is either

use sinew::math::{Real, rotation};
use sinew::{
    Goal, GoalSet, JointDef, JointId, JointKind, Pose, Skeleton, SkeletonBuilder, SolverSpec, Target, Vec3,
    limit,
};

/// Metres from one frame to the next.
const STEP: Real = 1.0e-3;

/// A path through a hard place.
pub struct Path {
    /// What is hard about it.
    pub name: &'static str,
    skeleton: Skeleton,
    tip: JointId,
    points: Vec<Vec3>,
}

/// How far the joints went.
#[derive(Debug, Clone)]
pub struct Trace {
    /// The largest turn of any joint at each frame, in radians per millimetre.
    pub steps: Vec<f64>,
}

impl Trace {
    /// The largest step of all.
    pub fn largest(&self) -> f64 {
        self.steps.iter().copied().fold(0.0, f64::max)
    }
}

/// An arm of three balls with the given limits, hanging down from the origin.
fn arm(limited: bool) -> Option<(Skeleton, JointId)> {
    let mut b = SkeletonBuilder::new(if limited { "limited arm" } else { "arm" });
    let cone = |radius: Real| {
        limit::SwingTwistLimit::along(-Vec3::Y, Vec3::X)
            .swing(limit::SwingShape::Cone(limit::Cone { radius }))
            .twist(-0.8, 0.8)
    };
    let mut shoulder = JointDef::new("shoulder");
    let mut elbow = JointDef::new("elbow").at(-Vec3::Y * 0.3);
    let mut wrist = JointDef::new("wrist").at(-Vec3::Y * 0.25);
    if limited {
        shoulder = shoulder.limit(cone(1.2));
        elbow = elbow.limit(cone(1.0));
        wrist = wrist.limit(cone(0.6));
    }
    let shoulder = b.add(shoulder);
    let elbow = b.add(elbow.under(shoulder));
    let wrist = b.add(wrist.under(elbow));
    b.add(JointDef::new("tip").under(wrist).at(-Vec3::Y * 0.1).kind(JointKind::Fixed));
    let skeleton = b.build().ok()?;
    let tip = skeleton.find("tip")?;
    Some((skeleton, tip))
}

fn line(from: Vec3, to: Vec3) -> Vec<Vec3> {
    let count = (from.distance(to) / STEP).ceil() as usize;
    (0..=count).map(|i| from.lerp(to, i as Real / count.max(1) as Real)).collect()
}

/// The paths of the experiment.
pub fn paths() -> Vec<Path> {
    let mut paths = Vec::new();
    let mut add = |name, limited, points: Vec<Vec3>| {
        if let Some((skeleton, tip)) = arm(limited) {
            paths.push(Path { name, skeleton, tip, points });
        }
    };
    let near = Vec3::new(0.2, -0.35, 0.1);
    let far = near.normalize() * 0.9;
    let mut out_and_back = line(near, far);
    out_and_back.extend(line(far, near));
    add("full extension", false, out_and_back.clone());
    add("full extension, limited", true, out_and_back);
    // Round the reach of the limited arm, mostly beyond the edge of its cone.
    let around: Vec<Vec3> = (0..2200)
        .map(|i| {
            let a = i as Real * STEP / 0.45;
            Vec3::new(0.45 * a.cos(), -0.12 + 0.08 * (2.0 * a).sin(), 0.45 * a.sin())
        })
        .collect();
    add("along the limit's edge", true, around);
    // Above the shoulder and over it: the first bone turns through straight back.
    add("past the antipode", false, line(Vec3::new(-0.3, 0.4, 0.02), Vec3::new(0.3, 0.4, 0.02)));
    paths
}

/// Follows a path with a solver.
pub fn follow(spec: SolverSpec, path: &Path) -> Option<Trace> {
    let skeleton = &path.skeleton;
    let mut goals = GoalSet::new();
    let id = goals.add(Goal::position(path.tip, *path.points.first()?));
    let mut solver = spec.build(skeleton, &goals).ok()?;
    let mut pose = Pose::rest(skeleton);
    // Bent a little, as a limb at ease is, and settled on the path's start.
    for j in skeleton.ids() {
        let bent = rotation::exp(Vec3::new(0.15, 0.0, 0.1));
        pose.set_rotation(j, skeleton.joint(j).project(bent));
    }
    for _ in 0..20 {
        solver.solve(skeleton, &goals, &mut pose);
    }
    let mut steps = Vec::with_capacity(path.points.len());
    // Where a path turns back, its corner stands twice.
    for pair in path.points.windows(2).filter(|pair| pair[0] != pair[1]) {
        goals.set_target(id, Target::Position(pair[1]));
        let before = pose.clone();
        solver.solve(skeleton, &goals, &mut pose);
        let turn = skeleton
            .ids()
            .map(|j| f64::from(rotation::angle(before.rotation(j).conjugate() * pose.rotation(j))))
            .fold(0.0, f64::max);
        steps.push(turn / (f64::from(pair[0].distance(pair[1])) * 1.0e3));
    }
    Some(Trace { steps })
}
