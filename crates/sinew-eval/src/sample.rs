//! Random poses and rotations from a seed.

use rand::{Rng, RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use sinew::math::{Quat, Real, Vec3, rotation};
use sinew::{JointId, JointKind, JointLimit, Pose, Skeleton};

use std::f64::consts::PI;

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

/// Draws poses that hold every limit of a skeleton.
pub struct PoseSampler<'a> {
    skeleton: &'a Skeleton,
    /// For each joint how far any allowed rotation is from rest, in radians.
    widest: Vec<Real>,
}

impl<'a> PoseSampler<'a> {
    /// Looks at the limits once, so that draws are mostly allowed at the first try.
    pub fn new(skeleton: &'a Skeleton) -> Self {
        let mut random = generator(0);
        let widest = skeleton
            .joints()
            .iter()
            .map(|joint| {
                // The furthest corners show up among projections from everywhere.
                let reach = |_| rotation::angle(joint.project(any_rotation(&mut random)));
                (0..256)
                    .map(reach)
                    .fold(0.0, Real::max)
                    .mul_add(1.02, 1.0e-3)
                    .min(std::f64::consts::PI as Real)
            })
            .collect();
        Self { skeleton, widest }
    }

    /// A pose in which each joint's rotation vector is uniform over what its
    /// limit allows; a free root is anywhere within `travel` metres, turned any way.
    pub fn draw(&self, random: &mut impl Rng, travel: f64) -> Pose {
        let mut pose = Pose::rest(self.skeleton);
        for id in self.skeleton.ids() {
            let Some(rotation) = self.rotation(id, random) else { continue };
            pose.set_rotation(id, rotation);
            if self.skeleton.joint(id).kind() == JointKind::Free {
                pose.set_translation(id, in_ball(random) * travel as Real);
            }
        }
        pose.project(self.skeleton);
        pose
    }

    /// The same for one joint; `None` if it does not turn.
    pub fn rotation(&self, id: JointId, random: &mut impl Rng) -> Option<Quat> {
        let joint = self.skeleton.joint(id);
        let widest = self.widest[id.index()];
        let draw = |random: &mut _| match joint.kind() {
            JointKind::Hinge { axis } => {
                rotation::about(axis, between(random, -f64::from(widest), f64::from(widest)))
            }
            _ => rotation::exp(in_ball(random) * widest),
        };
        match joint.kind() {
            JointKind::Fixed | JointKind::Prismatic { .. } => None,
            JointKind::Free if joint.limit().is_none() => Some(any_rotation(random)),
            // So narrow that no draw falls in: the nearest will do.
            _ => (0..500)
                .map(|_| draw(random))
                .find(|&q| joint.limit().violation(q) == 0.0)
                .or_else(|| Some(joint.project(draw(random)))),
        }
    }

    /// Presses a random part of the joints that have limits to within `depth` radians of an edge.
    pub fn press(&self, pose: &mut Pose, random: &mut impl Rng, part: f64, depth: f64) {
        for id in self.skeleton.ids() {
            let joint = self.skeleton.joint(id);
            let chosen = f64::from(between(random, 0.0, 1.0)) < part;
            if !chosen || !joint.kind().turns() || joint.limit().is_none() {
                continue;
            }
            let inside = pose.rotation(id);
            let tries = (0..100).find_map(|_| {
                let outside = match joint.kind() {
                    JointKind::Hinge { axis } => rotation::about(axis, between(random, -PI, PI)),
                    _ => any_rotation(random),
                };
                near_edge(joint.limit(), inside, outside, depth, random)
            });
            if let Some(rotation) = tries {
                pose.set_rotation(id, rotation);
            }
        }
        pose.project(self.skeleton);
    }
}

/// The nearest rotation on the edge of a limit to one outside of it, brought in by less than `depth`
/// towards one inside; `None` for a limit without an edge.
fn near_edge(
    limit: &JointLimit,
    inside: Quat,
    outside: Quat,
    depth: f64,
    random: &mut impl Rng,
) -> Option<Quat> {
    if limit.violation(outside) == 0.0 {
        return None;
    }
    let edge = limit.project(outside);
    let way = rotation::log(inside * edge.conjugate());
    let part = between(random, 0.0, depth) / way.length().max(1.0e-6);
    let within = (rotation::exp(way * part.min(1.0)) * edge).normalize();
    (limit.violation(within) == 0.0 && f64::from(limit.edge_distance(within)) <= depth).then_some(within)
}

/// A point, uniform in the unit ball.
fn in_ball(random: &mut impl Rng) -> Vec3 {
    direction(random) * between(random, 0.0, 1.0).cbrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pressed_joints_stand_near_an_edge_and_within_it() {
        let skeleton = sinew::rigs::by_name("humanoid:kusudama").unwrap();
        let sampler = PoseSampler::new(&skeleton);
        let mut random = generator(3);
        let (mut near, mut limited) = (0, 0);
        for _ in 0..20 {
            let mut pose = sampler.draw(&mut random, 0.5);
            sampler.press(&mut pose, &mut random, 1.0, 0.035);
            assert_eq!(pose.worst_violation(&skeleton), None);
            for id in skeleton.ids().filter(|&id| !skeleton.joint(id).limit().is_none()) {
                limited += 1;
                near += usize::from(skeleton.joint(id).limit().edge_distance(pose.rotation(id)) <= 0.0351);
            }
        }
        assert!(near * 10 > limited * 9, "{near} of {limited}");
    }

    #[test]
    fn poses_hold_their_limits_and_repeat_for_a_seed() {
        for entry in ["humanoid", "spider", "erik-c", "tentacle:8"] {
            let skeleton = sinew::rigs::by_name(entry).unwrap();
            let sampler = PoseSampler::new(&skeleton);
            let pose = sampler.draw(&mut generator(7), 0.5);
            assert_eq!(pose.worst_violation(&skeleton), None, "{entry}");
            assert_eq!(pose, sampler.draw(&mut generator(7), 0.5));
            assert_ne!(pose, sampler.draw(&mut generator(8), 0.5));
        }
    }
}
