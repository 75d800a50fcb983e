//! Postures that any chain of hinges can take, to begin with.

use alloc::vec::Vec;

use super::Erik;
use crate::math::*;
use crate::pose::{ModelPose, Pose};
use crate::skeleton::{JointId, JointKind, Skeleton};

type Shape = fn(Real) -> Real;

/// How much a bend is turned from rest, in degrees of all bends together, by how
/// far along the chain it is (0 to 1).
const SHAPES: [(&str, Shape); 4] = [
    ("straight", |_| 0.0),
    ("bow", |_| 100.0),
    ("wave", |along| if along < 0.5 { -120.0 } else { 180.0 }),
    ("coil", |along| -60.0 + 320.0 * along),
];

/// Their names.
pub const NAMES: [&str; 4] = [SHAPES[0].0, SHAPES[1].0, SHAPES[2].0, SHAPES[3].0];

/// The posture of this name: a shape over the bends of the chains that lie in
/// the plane of the first one.
///
/// ```
/// use sinew::solver::erik::{Erik, ErikOptions, end_of_longest_chain, postures};
/// use sinew::{Goal, Quat, Target};
/// let robot = sinew::rigs::by_name("snake")?;
/// let head = Goal::new(end_of_longest_chain(&robot), Target::Orientation(Quat::IDENTITY));
/// let erik = Erik::new(&robot, &[head], ErikOptions::default())?;
/// assert!(postures::by_name(&robot, &erik, "coil").is_some());
/// assert!(postures::by_name(&robot, &erik, "knot").is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn by_name(skeleton: &Skeleton, erik: &Erik, name: &str) -> Option<Pose> {
    let (_, shape) = SHAPES.iter().find(|shape| shape.0 == name)?;
    let rest = ModelPose::rest(skeleton);
    let mut plane: Option<Vec3> = None;
    let mut bends: Vec<(JointId, Vec3, Real)> = Vec::new();
    for (id, _) in erik.joints().filter(|&(id, twists)| !twists && skeleton.contains(id)) {
        if let JointKind::Hinge { axis } = skeleton.joint(id).kind() {
            let along = rest.rotation(id) * axis;
            let side = along.dot(*plane.get_or_insert(along));
            if side.abs() > 0.9 {
                bends.push((id, axis, side.signum()));
            }
        }
    }
    let mut pose = Pose::rest(skeleton);
    let count = bends.len();
    for (i, (id, axis, side)) in bends.into_iter().enumerate() {
        let along = if count > 1 { i as Real / (count - 1) as Real } else { 0.0 };
        let angle = side * (shape(along) / count as Real) * (PI / 180.0);
        pose.set_rotation(id, skeleton.joint(id).project(rotation::about(axis, angle)));
    }
    Some(pose)
}
