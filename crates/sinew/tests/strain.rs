//! A limb that goes on beyond its limits: what it may do, and what it never does.

#![allow(clippy::unwrap_used, clippy::panic)]

#[cfg(sinew_f64)]
extern crate sinew_f64 as sinew;

use proptest::prelude::*;
use sinew::analytic::{Giving, Limb, Swivel};
use sinew::math::{Real, rotation};
use sinew::rigs::{SwingModel, humanoid};
use sinew::skeleton::humanoid::{HumanoidMap, Side};
use sinew::{Cause, ModelPose, Pose, Quat, Skeleton, Target, Vec3};

fn arm(model: SwingModel) -> (Skeleton, Limb) {
    let skeleton = humanoid(model);
    let limb = Limb::arm(&skeleton, &HumanoidMap::find(&skeleton), Side::Left).unwrap();
    (skeleton, limb)
}

fn place(limb: &Limb, model: &ModelPose, at: [Real; 3]) -> Vec3 {
    model.position(limb.joints().upper) + Vec3::from_array(at)
}

proptest! {
    /// The end is where it should be as far as the bones reach, only the base is outside, by what the
    /// report says and no more than allowed; and a refusal changes nothing.
    #[test]
    fn only_the_base_gives_and_no_more_than_it_may(
        at in [-0.5..0.5, -0.5..0.5, -0.5..0.5_f64],
        axis in [-1.0..1.0, -1.0..1.0, -1.0..1.0_f64],
        turn in -2.0..2.0_f64,
        oriented: bool,
        towards in proptest::option::of(-3.0..3.0_f64),
        within in 0.0..3.2_f64,
        most in 0.0..0.8_f64,
        which in 0..3_usize,
    ) {
        let (skeleton, limb) = arm(SwingModel::ALL[which % SwingModel::ALL.len()]);
        let start = Target::Position(place(&limb, &ModelPose::rest(&skeleton), [0.2, -0.3, 0.2]));
        let mut pose = Pose::rest(&skeleton);
        let model = ModelPose::rest(&skeleton);
        limb.solve(&skeleton, &model, &start, Swivel::default(), &mut pose);
        let axis = Vec3::from_array(axis.map(|x| x as Real)).normalize_or(Vec3::X);
        let orientation = oriented.then(|| rotation::about(axis, turn as Real));
        let position = place(&limb, &model, at.map(|x| x as Real));
        let goal = Target::from_parts(position, orientation);
        let giving =
            Giving { towards: towards.map(|x| x as Real), within: within as Real, most: most as Real };
        let before = pose.clone();
        let Some(report) = limb.solve_giving(&skeleton, &model, &goal, &giving, &mut pose) else {
            prop_assert_eq!(before, pose);
            return Ok(());
        };
        prop_assert!(pose.is_finite());
        let now = ModelPose::new(&skeleton, &pose);
        let (shoulder, end) = (limb.joints().upper, limb.joints().end);
        let away = now.position(end).distance(position);
        prop_assert!((away - report.outcome.residual.position).abs() < 1.0e-4);
        // Whatever the shoulder, the elbow must allow the distance.
        let bare = Target::Position(position);
        let (placed, outside) = limb.at_swivel(&skeleton, &model, &bare, 0.0, &before).unwrap();
        if outside[1] == 0.0 && placed.end.translation.distance(position) < 1.0e-4 {
            prop_assert!(away < 1.0e-3, "{} off", away);
        }
        let by = match report.outcome.cause {
            Some(Cause::Strained { joint, by, .. }) => {
                prop_assert_eq!(joint, shoulder);
                by
            }
            _ => 0.0,
        };
        prop_assert!(by <= giving.most);
        for joint in skeleton.ids() {
            let outside = skeleton.joint(joint).violation(pose.rotation(joint), pose.translation(joint));
            let allowed = if joint == shoulder { by } else { 0.0 };
            prop_assert!(outside <= allowed + 1.0e-3, "{}: {}", skeleton.joint(joint).name(), outside);
        }
    }
}

#[test]
fn what_is_no_number_does_no_harm() {
    let (skeleton, limb) = arm(SwingModel::Ellipse);
    let model = ModelPose::rest(&skeleton);
    let nan = Real::NAN;
    let good = Target::Position(place(&limb, &model, [0.2, -0.3, 0.2]));
    let numbers = [nan, Real::INFINITY, -1.0, 0.0, 0.3, Real::MAX];
    for towards in [None, Some(nan), Some(Real::INFINITY), Some(1.0)] {
        for within in numbers {
            for most in numbers {
                for goal in [
                    good,
                    Target::Position(Vec3::splat(nan)),
                    Target::Position(Vec3::splat(Real::MAX)),
                    Target::from_parts(Vec3::ZERO, Some(Quat::from_xyzw(nan, 0.0, 0.0, 1.0))),
                    Target::Position(model.position(limb.joints().upper)),
                ] {
                    let mut pose = Pose::rest(&skeleton);
                    limb.solve_giving(&skeleton, &model, &goal, &Giving { towards, within, most }, &mut pose);
                    assert!(pose.is_finite(), "{towards:?} {within} {most} {goal:?}");
                }
            }
        }
    }
}
