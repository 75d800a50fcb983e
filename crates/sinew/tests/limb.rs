//! The promises of the analytic limb: what it calls reached is reached, what it
//! refuses cannot be had, limits hold, and nothing allocates or is not finite.

#![allow(clippy::unwrap_used, clippy::panic)]

#[cfg(sinew_f64)]
extern crate sinew_f64 as sinew;

use sinew::analytic::{Limb, LimbGoal, LimbOutcome, Swivel};
use sinew::math::{ROUNDING, Real, rotation};
use sinew::rigs::{SwingModel, humanoid};
use sinew::skeleton::humanoid::{HumanoidMap, Side};
use sinew::{ModelPose, Pose, Skeleton, Vec3};

/// A small deterministic generator, so that the tests need no crate for it.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> Real {
        // xorshift64*, the upper bits as a fraction.
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let bits = self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 40;
        bits as Real / (1u64 << 24) as Real
    }
    fn vector(&mut self) -> Vec3 {
        Vec3::new(self.next(), self.next(), self.next()) * 2.0 - Vec3::ONE
    }
}

/// Most joints on the edge of their limits: a goal that such a pose reaches can
/// often be had at one swivel angle only. In single precision the edge is kept
/// off by a degree, since a rounding of the goal may put it beyond.
fn random_pose(skeleton: &Skeleton, numbers: &mut Numbers) -> Pose {
    let inset = if ROUNDING > 1e-10 { 0.02 } else { 0.0 };
    let mut pose = Pose::rest(skeleton);
    for (id, joint) in skeleton.ids().zip(skeleton.joints()) {
        let wild = joint.project(rotation::exp(numbers.vector() * 2.0));
        pose.set_rotation(id, joint.limit().project_inset(wild, inset).unwrap_or(wild));
    }
    pose.project(skeleton);
    pose
}

fn limbs(skeleton: &Skeleton) -> Vec<(String, Limb)> {
    let map = HumanoidMap::find(skeleton);
    let mut limbs = Vec::new();
    for side in Side::BOTH {
        limbs.push((format!("{side:?} arm"), Limb::arm(skeleton, &map, side).unwrap()));
        limbs.push((format!("{side:?} leg"), Limb::leg(skeleton, &map, side).unwrap()));
    }
    limbs
}

#[test]
fn goals_of_allowed_poses_are_reached() {
    for model in SwingModel::ALL {
        let skeleton = humanoid(model);
        let mut numbers = Numbers(7);
        let mut refused = 0;
        let rounds = if model == SwingModel::Ellipse { 4000 } else { 400 };
        for round in 0..rounds {
            let from = random_pose(&skeleton, &mut numbers);
            let placed = ModelPose::new(&skeleton, &from);
            for (name, limb) in limbs(&skeleton) {
                let end = limb.joints().end;
                let goal = LimbGoal::pose(placed.transform(end));
                let mut pose = from.clone();
                for j in [limb.joints().upper, limb.joints().lower, end] {
                    pose.set_rotation(j, sinew::Quat::IDENTITY);
                }
                let report = limb.solve(&skeleton, &placed, &goal, Swivel::default(), &mut pose);
                assert!(pose.is_finite());
                assert!(pose.worst_violation(&skeleton).is_none_or(|(_, v)| v < 1e-4), "{name} {round}");
                let after = ModelPose::new(&skeleton, &pose).transform(end);
                let off = after.translation.distance(goal.position);
                let turned = rotation::angle(after.rotation.conjugate() * goal.orientation.unwrap());
                if report.reached() {
                    assert!(off < 1e-4 && turned < 1e-4, "{name} {round}: {off} {turned}");
                } else {
                    refused += 1;
                    println!("{model:?} {name} {round}: {report:?}");
                }
            }
        }
        assert_eq!(refused, 0, "{model:?}: of {}", rounds * 4);
    }
}

#[test]
fn the_arm_reaches_forwards_with_its_elbow_down() {
    let skeleton = humanoid(SwingModel::Ellipse);
    for (name, limb) in limbs(&skeleton) {
        let rest = ModelPose::rest(&skeleton);
        let base = rest.position(limb.joints().upper);
        let (near, far) = limb.reach();
        let goal =
            LimbGoal::position(base + Vec3::new(0.0, -0.3, 0.6).normalize() * (0.4 * near + 0.6 * far));
        let mut pose = Pose::rest(&skeleton);
        let report = limb.solve(&skeleton, &rest, &goal, Swivel::default(), &mut pose);
        assert_eq!(report.outcome, LimbOutcome::Reached, "{name}");
        let model = ModelPose::new(&skeleton, &pose);
        let mid = model.position(limb.joints().lower) - base;
        println!("{name}: mid {mid:?} swivel {}", report.swivel);
        let line = (goal.position - base).normalize();
        let aside = mid - line * mid.dot(line);
        if name.contains("leg") {
            assert!(aside.z > 0.05, "{name}: knee forwards {aside:?}");
        } else {
            assert!(aside.y < -0.05, "{name}: elbow down {aside:?}");
        }
    }
}
