//! A pose as a plain list of numbers: angles of hinges, exponential maps of
//! balls, distances of prismatic joints; and a joint as swing and twist.

use super::Pose;
use crate::error::RigError;
use crate::limit::{LimitShape, universal_angles};
use crate::math::*;
use crate::skeleton::{Joint, JointId, JointKind, Skeleton};

impl Pose {
    /// Writes the pose's coordinates, joint after joint: a hinge's angle as its limit counts it, so that what
    /// is within a range from 0 to 3.7 is never −2.8; the
    /// two angles of a universal joint; a ball's rotation vector; a prismatic
    /// joint's displacement; a free joint's translation and rotation vector.
    pub fn to_coordinates(&self, skeleton: &Skeleton, out: &mut [Real]) -> Result<(), RigError> {
        check(skeleton, out.len())?;
        let mut rest = out;
        for (i, joint) in skeleton.joints().iter().enumerate() {
            let (mine, others) = rest.split_at_mut(joint.kind().degrees_of_freedom());
            rest = others;
            self.coordinates_of(joint, i, mine);
        }
        Ok(())
    }

    /// The same for a stream: of all values that mean the same rotation and are within the joint's range,
    /// those nearest to the ones that stand in `coordinates`. A joint that turns past half a turn goes on counting
    /// instead of jumping back by a whole one, and so does a drive that is sent its value.
    ///
    /// ```
    /// use sinew::{JointDef, JointKind, Pose, SkeletonBuilder, Vec3};
    /// let mut wheel = SkeletonBuilder::new("wheel");
    /// let axle = wheel.add(JointDef::new("axle").kind(JointKind::Hinge { axis: Vec3::Z }));
    /// let wheel = wheel.build()?;
    /// let (mut pose, mut values) = (Pose::rest(&wheel), [3.0]);
    /// pose.set_value(&wheel, axle, 3.3);
    /// pose.next_coordinates(&wheel, &mut values)?;
    /// assert!((values[0] - 3.3).abs() < 1e-5, "and not 3.3 − 2π");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn next_coordinates(&self, skeleton: &Skeleton, coordinates: &mut [Real]) -> Result<(), RigError> {
        check(skeleton, coordinates.len())?;
        let mut rest = coordinates;
        for (i, joint) in skeleton.joints().iter().enumerate() {
            let (mine, others) = rest.split_at_mut(joint.kind().degrees_of_freedom());
            rest = others;
            let mut now = [0.0; 6];
            self.coordinates_of(joint, i, &mut now[..mine.len()]);
            let angles = matches!(joint.kind(), JointKind::Hinge { .. } | JointKind::Universal { .. });
            for (value, now) in mine.iter_mut().zip(now) {
                *value = if angles && value.is_finite() {
                    counted(joint, *value + wrap_angle(now - *value))
                } else {
                    now
                };
            }
        }
        Ok(())
    }

    fn coordinates_of(&self, joint: &Joint, i: usize, mine: &mut [Real]) {
        let (q, t) = (self.rotations[i], self.translations[i]);
        match joint.kind() {
            JointKind::Fixed => {}
            JointKind::Hinge { axis } => mine[0] = counted(joint, rotation::angle_about(axis, q)),
            JointKind::Universal { first, second } => {
                (mine[0], mine[1]) = universal_angles(first, second, q);
            }
            JointKind::Ball => mine.copy_from_slice(&rotation::log(q).to_array()),
            JointKind::Prismatic { axis } => mine[0] = axis.dot(t),
            JointKind::Free => {
                mine[..3].copy_from_slice(&t.to_array());
                mine[3..].copy_from_slice(&rotation::log(q).to_array());
            }
        }
    }

    /// Sets the pose from coordinates as [`to_coordinates`](Self::to_coordinates)
    /// writes them. Limits are not looked at.
    pub fn set_coordinates(&mut self, skeleton: &Skeleton, from: &[Real]) -> Result<(), RigError> {
        check(skeleton, from.len())?;
        let mut rest = from;
        for (i, joint) in skeleton.joints().iter().enumerate() {
            let (mine, others) = rest.split_at(joint.kind().degrees_of_freedom());
            rest = others;
            let vector = |s: &[Real]| Vec3::new(s[0], s[1], s[2]);
            match joint.kind() {
                JointKind::Fixed => {}
                JointKind::Hinge { axis } => self.rotations[i] = rotation::about(axis, mine[0]),
                JointKind::Universal { first, second } => {
                    self.rotations[i] = rotation::about(first, mine[0]) * rotation::about(second, mine[1]);
                }
                JointKind::Ball => self.rotations[i] = rotation::exp(vector(mine)),
                JointKind::Prismatic { axis } => self.translations[i] = axis * mine[0],
                JointKind::Free => {
                    self.translations[i] = vector(mine);
                    self.rotations[i] = rotation::exp(vector(&mine[3..]));
                }
            }
        }
        Ok(())
    }
}

/// A hinge's angle as its limit counts it: a drive that turns from 0 to 3.7 cannot be sent −2.8.
fn counted(joint: &Joint, angle: Real) -> Real {
    match &joint.limit().shape {
        LimitShape::Hinge(limit) => limit.range.counted(angle),
        _ => angle,
    }
}

impl Pose {
    /// The angle of a hinge as its limit counts it, or the way of a slide; `None` for joints of other kinds.
    pub fn value(&self, skeleton: &Skeleton, joint: JointId) -> Option<Real> {
        let (q, t) = (self.rotation(joint), self.translation(joint));
        let joint = skeleton.joint(joint);
        match joint.kind() {
            JointKind::Hinge { axis } => Some(counted(joint, rotation::angle_about(axis, q))),
            JointKind::Prismatic { axis } => Some(axis.dot(t)),
            _ => None,
        }
    }

    /// Sets the angle of a hinge, or the way of a slide; says whether the joint
    /// is one. Limits are not looked at.
    pub fn set_value(&mut self, skeleton: &Skeleton, joint: JointId, value: Real) -> bool {
        match skeleton.joint(joint).kind() {
            JointKind::Hinge { axis } => self.set_rotation(joint, rotation::about(axis, value)),
            JointKind::Prismatic { axis } => self.set_translation(joint, axis * value),
            _ => return false,
        }
        true
    }

    /// A joint's rotation as a swing of its bone (an axis-angle vector) and the angle of a twist
    /// about it. `frame`
    /// turns z to the bone's direction in the joint's rest frame, as the
    /// [`frame`](crate::limit::SwingTwistLimit::frame) of a swing-twist limit does.
    pub fn swing_twist(&self, joint: JointId, frame: Quat) -> (Vec2, Real) {
        swing_twist::from_quat(frame.conjugate() * self.rotation(joint) * frame)
    }

    /// Sets a joint's rotation from a swing of its bone and a twist about it, in
    /// the same `frame`. Limits are not looked at.
    pub fn set_swing_twist(&mut self, joint: JointId, frame: Quat, (swing, twist): (Vec2, Real)) {
        self.set_rotation(
            joint,
            (frame * swing_twist::to_quat(swing, twist) * frame.conjugate()).normalize(),
        );
    }
}

fn check(skeleton: &Skeleton, got: usize) -> Result<(), RigError> {
    let expected = skeleton.degrees_of_freedom();
    if got == expected { Ok(()) } else { Err(RigError::Coordinates { expected, got }) }
}
