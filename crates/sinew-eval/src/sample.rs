//! Random poses and rotations from a seed.

use rand::{Rng, RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use sinew::math::{Quat, Real, Vec3, rotation};
use sinew::{JointKind, Pose, Skeleton};

/// The generator of every experiment: small, fast and the same everywhere.
pub fn generator(seed: u64) -> Pcg64Mcg {
    Pcg64Mcg::seed_from_u64(seed)
}

/// A number between two others.
pub fn between(random: &mut impl Rng, low: f64, high: f64) -> Real {
    random.random_range(low..high) as Real
}

/// A direction, uniform on the sphere.
pub fn direction(random: &mut impl Rng) -> Vec3 {
    loop {
        let v = Vec3::new(between(random, -1.0, 1.0), between(random, -1.0, 1.0), between(random, -1.0, 1.0));
        let n = v.length_squared();
        if n > 1.0e-4 && n <= 1.0 {
            return v / n.sqrt();
        }
    }
}

/// A rotation, uniform over all rotations (Shoemake 1992).
pub fn any_rotation(random: &mut impl Rng) -> Quat {
    let (u, a, b) = (
        between(random, 0.0, 1.0),
        between(random, 0.0, std::f64::consts::TAU),
        between(random, 0.0, std::f64::consts::TAU),
    );
    let (r, s) = ((1.0 - u).sqrt(), u.sqrt());
    Quat::from_xyzw(r * a.sin(), r * a.cos(), s * b.sin(), s * b.cos()).normalize()
}

/// A pose that holds every limit: each joint uniform over what its limit
/// allows, a free root anywhere within `travel` metres and turned any way.
pub fn pose_within_limits(skeleton: &Skeleton, random: &mut impl Rng, travel: f64) -> Pose {
    let mut pose = Pose::rest(skeleton);
    for id in skeleton.ids() {
        let joint = skeleton.joint(id);
        let rotation = match joint.kind() {
            JointKind::Fixed | JointKind::Prismatic { .. } => continue,
            JointKind::Hinge { axis } => allowed(random, |r| {
                let q = rotation::about(axis, between(r, -std::f64::consts::PI, std::f64::consts::PI));
                (joint.limit().violation(q) == 0.0).then_some(q)
            }),
            _ => allowed(random, |r| {
                let q = any_rotation(r);
                (joint.limit().violation(q) == 0.0).then_some(q)
            }),
        };
        // A limit so narrow that no draw falls in it: the nearest will do.
        pose.set_rotation(id, rotation.unwrap_or_else(|| joint.project(any_rotation(random))));
        if joint.kind() == JointKind::Free {
            let shift = |r: &mut _| between(r, -travel, travel);
            pose.set_translation(id, Vec3::new(shift(random), shift(random), shift(random)));
        }
    }
    pose.project(skeleton);
    pose
}

/// The first of many draws that is allowed.
fn allowed<R: Rng>(random: &mut R, mut draw: impl FnMut(&mut R) -> Option<Quat>) -> Option<Quat> {
    (0..20_000).find_map(|_| draw(random))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn poses_hold_their_limits_and_repeat_for_a_seed() {
        for entry in ["humanoid", "spider", "erik:C", "tentacle:8"] {
            let Some(skeleton) = sinew::rigs::by_name(entry).ok() else { continue };
            let pose = pose_within_limits(&skeleton, &mut generator(7), 0.5);
            assert_eq!(pose.worst_violation(&skeleton), None, "{entry}");
            assert_eq!(pose, pose_within_limits(&skeleton, &mut generator(7), 0.5));
            assert_ne!(pose, pose_within_limits(&skeleton, &mut generator(8), 0.5));
        }
    }
}
