//! Whether a small move of the goal ever makes a large move of a joint.
//!
//! The hand goes along paths through the places where limbs pop: across the
//! vertical axis of the shoulder, where the paper's swivel angle is undefined; out
//! through full extension and back; in to full flexion and back; and across the
//! edge of the limits. Each path is followed in steps of a millimetre, from the
//! preferred swivel angle and from that of the last frame. A pop does not shrink
//! with the step, so each is followed in steps of a tenth of a millimetre too, and
//! the largest single turn of a joint is set beside the other.
//!
//! At full extension and flexion the flexion goes with the square root of the
//! distance, for geometry leaves no choice: there the largest turn shrinks with
//! the square root of the step, and the note says what the bones allow.

use sinew_f64 as engine;

use engine::analytic::{Limb, Swivel};
use engine::math::{Quat, Real, Vec3, rotation};
use engine::rigs::{SwingModel, humanoid};
use engine::skeleton::humanoid::{HumanoidMap, LimbJoints, Side};
use engine::{JointDef, ModelPose, Pose, Skeleton, SkeletonBuilder, Target};

use crate::table::{Cell, Table};

/// A path through a hard place.
pub struct Path {
    /// What is hard about it.
    pub name: &'static str,
    skeleton: Skeleton,
    limb: Limb,
    /// Whether the hand keeps the orientation that it has at this part of the way
    /// when only its position is asked for.
    oriented: Option<Real>,
    /// Where the hand is after a part of the way, from the base, and the way's length.
    at: Box<dyn Fn(Real) -> Vec3 + Sync>,
    length: Real,
}

/// What a limb did along a path.
#[derive(Debug, Clone)]
pub struct Trace {
    /// How the swivel angle was wanted.
    pub mode: &'static str,
    /// The largest turn of any joint at each step of a millimetre, in radians.
    pub steps: Vec<f64>,
    /// The largest turn at steps of 1 mm and at the fine ones, in radians.
    pub largest: [f64; 2],
}

/// An arm without limits, hanging from the origin, its elbow a hinge.
fn free_arm() -> Option<(Skeleton, Limb)> {
    let mut b = SkeletonBuilder::new("arm");
    let shoulder = b.add(JointDef::new("shoulder"));
    let elbow = b.add(JointDef::new("elbow").under(shoulder).at(-Vec3::Y * 0.3).hinge(-Vec3::X));
    let wrist = b.add(JointDef::new("wrist").under(elbow).at(-Vec3::Y * 0.25));
    let skeleton = b.build().ok()?;
    let joints = LimbJoints { upper: shoulder, lower: elbow, end: wrist };
    // The neutral reaches forwards, so that straight up and down are like others.
    let options =
        engine::analytic::LimbOptions { neutral: Some(rotation::exp(-Vec3::X * 1.2)), ..Default::default() };
    let limb = Limb::new(&skeleton, joints, &options).ok()?;
    Some((skeleton, limb))
}

fn human(is_arm: bool) -> Option<(Skeleton, Limb)> {
    let skeleton = humanoid(SwingModel::Ellipse);
    let map = HumanoidMap::find(&skeleton);
    let limb = match is_arm {
        true => Limb::arm(&skeleton, &map, Side::Right).ok()?,
        false => Limb::leg(&skeleton, &map, Side::Left).ok()?,
    };
    Some((skeleton, limb))
}

fn line(from: Vec3, to: Vec3) -> (Box<dyn Fn(Real) -> Vec3 + Sync>, Real) {
    (Box::new(move |part| from.lerp(to, part)), from.distance(to))
}

/// There and back.
fn and_back(from: Vec3, to: Vec3) -> (Box<dyn Fn(Real) -> Vec3 + Sync>, Real) {
    (Box::new(move |part| from.lerp(to, 1.0 - (1.0 - 2.0 * part).abs())), 2.0 * from.distance(to))
}

/// The paths of the experiment.
pub fn paths() -> Vec<Path> {
    let mut paths = Vec::new();
    type Way = (Box<dyn Fn(Real) -> Vec3 + Sync>, Real);
    let mut add = |name, body: Option<(Skeleton, Limb)>, oriented, (at, length): Way| {
        if let Some((skeleton, limb)) = body {
            paths.push(Path { name, skeleton, limb, oriented, at, length });
        }
    };
    let v = Vec3::new;
    add("across the y axis, above", free_arm(), None, line(v(-0.25, 0.35, 0.0), v(0.25, 0.35, 0.0)));
    add("across the y axis, below", free_arm(), None, line(v(-0.25, -0.35, 0.0), v(0.25, -0.35, 0.0)));
    let below = line(v(0.2, -0.42, 0.0), v(-0.25, -0.42, 0.0));
    add("across the y axis, human arm", human(true), None, below);
    let out = v(-0.25, -0.2, 0.4).normalize();
    add("full extension", human(true), None, and_back(out * 0.4, out * 0.65));
    add("full extension, oriented", human(true), Some(0.25), and_back(out * 0.45, out * 0.65));
    let down = v(0.05, -0.9, 0.3).normalize();
    add("full extension, leg", human(false), None, and_back(down * 0.7, down * 0.92));
    add("full flexion", human(true), None, and_back(out * 0.35, out * 0.05));
    let behind = line(v(-0.2, -0.35, 0.35), v(0.1, -0.25, -0.45));
    add("across the limit's edge", human(true), None, behind);
    let sideways = line(v(-0.45, -0.1, 0.2), v(0.3, -0.1, 0.35));
    add("across the limit's edge, oriented", human(true), Some(0.4), sideways);
    paths
}

/// Follows a path in steps of this many metres.
fn follow(path: &Path, swivel: Swivel, step: Real) -> Vec<f64> {
    let joints = path.limb.joints();
    let own = [joints.upper, joints.lower, joints.end];
    let model = ModelPose::rest(&path.skeleton);
    let base = model.position(joints.upper);
    let count = (path.length / step).round().max(1.0) as usize;
    let mut pose = Pose::rest(&path.skeleton);
    let orientation: Option<Quat> = path.oriented.map(|part| {
        let goal = Target::Position(base + (path.at)(part));
        path.limb.solve(&path.skeleton, &model, &goal, Swivel::default(), &mut pose);
        ModelPose::new(&path.skeleton, &pose).rotation(joints.end)
    });
    let goal = |i: usize| Target::from_parts(base + (path.at)(i as Real / count as Real), orientation);
    path.limb.solve(&path.skeleton, &model, &goal(0), Swivel::default(), &mut pose);
    let mut steps = Vec::with_capacity(count);
    for i in 1..=count {
        let before = own.map(|j| pose.rotation(j));
        path.limb.solve(&path.skeleton, &model, &goal(i), swivel, &mut pose);
        let turn = own
            .iter()
            .zip(before)
            .map(|(j, was)| rotation::angle(was.conjugate() * pose.rotation(*j)))
            .fold(0.0, f64::max);
        steps.push(turn);
    }
    steps
}

/// Follows every path in steps of 1 mm and of `fine` millimetres. The traces come back
/// beside the table, for plots.
pub fn run(fine: f64, mut tick: impl FnMut()) -> (Table, Vec<(&'static str, Vec<Trace>)>) {
    let fine = if fine.is_finite() { fine.clamp(1.0e-3, 1.0) } else { 0.1 };
    let finer = format!("{fine} mm");
    let mut table = Table::new(
        "Largest turn of a joint in one step of the hand, in degrees",
        &["path", "swivel", "1 mm", finer.as_str(), "shrinks by"],
    );
    let mut traces = Vec::new();
    for path in paths() {
        let mut of_path = Vec::new();
        for (mode, swivel) in [("preferred", Swivel::default()), ("last", Swivel::Last)] {
            let steps = follow(&path, swivel, 1.0e-3);
            let largest = |steps: &[f64]| steps.iter().copied().fold(0.0, f64::max);
            let largest = [largest(&steps), largest(&follow(&path, swivel, 1.0e-3 * fine))];
            table.row(vec![
                path.name.into(),
                mode.into(),
                Cell::number(largest[0].to_degrees(), 3),
                Cell::number(largest[1].to_degrees(), 4),
                Cell::number(largest[0] / largest[1].max(1.0e-12), 1),
            ]);
            of_path.push(Trace { mode, steps, largest });
            tick();
        }
        traces.push((path.name, of_path));
    }
    table.note(
        "with a tenth of the step a smooth motion shrinks by 10, a square root (full extension and flexion) \
         by 3.2, a pop by 1",
    );
    table.note(
        "oriented paths end where the orientation is out of reach: there the wrist's 5° of twist of its own are \
         taken up at once, the last chance to hold the orientation",
    );
    if let Some((_, limb)) = human(true) {
        let (a, b) = limb.lengths();
        let bound = |step: f64| (2.0 * (a + b) * step / (a * b)).sqrt().to_degrees();
        table.note(format!(
            "beside full extension the elbow of the arm must turn by up to {:.2}° in the last 1 mm, {:.2}° in \
             the last {fine} mm",
            bound(1.0e-3),
            bound(1.0e-3 * fine)
        ));
    }
    (table, traces)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_pops() {
        let (_, traces) = run(0.1, || {});
        assert!(traces.len() >= 8);
        for (path, traces) in traces {
            for trace in traces {
                let [coarse, fine] = trace.largest;
                // Where a wrist's own twist lets it swing a little further, the last
                // of its 5° is taken up within a hundredth of a millimetre.
                let play = if path.contains("oriented") { 0.09 } else { 1.0e-4 };
                assert!(coarse > 2.0 * fine || fine < play, "{path}, {}: {:?}", trace.mode, trace.largest);
            }
        }
    }
}
