//! A foot is what the rig has for one, and hips are as high as its legs, wherever it rests.

use crate::walk::{AHEAD, FRAME, STAND};
use sinew::body::walk::{Ground, WalkOptions, Walker};
use sinew::math::Real;
use sinew::{ModelPose, Pose, Vec3, rigs};

/// Toes that are a joint and have no tip were in the ground by 18 mm whenever the heel rose, and the tip of a foot without
/// toes by 25 mm: both turned about a point behind them.
#[test]
fn a_foot_rolls_over_what_it_has() {
    let human = rigs::by_name("humanoid").unwrap();
    let mut bare = human.to_builder();
    for joint in bare.joints.iter_mut().filter(|j| j.name.contains("metatarsal")) {
        joint.tip = None;
    }
    let mut stiff = human.to_builder();
    // The joints of the feet stay, and none of them is known as toes.
    let tip = Vec3::new(0.0, -0.068, 0.2);
    for joint in &mut stiff.joints {
        let part = ["subtalar", "midtarsal", "metatarsal"].iter().any(|part| joint.name.contains(part));
        if part {
            joint.name =
                joint.name.replace("subtalar", "a").replace("midtarsal", "b").replace("metatarsal", "c");
            joint.tip = None;
        }
        if joint.name.ends_with("_ankle") {
            joint.tip = Some(tip);
        }
    }
    for (builder, toes) in [(bare, true), (stiff, false)] {
        let rig = builder.build().unwrap();
        let point = |side: &str| match toes {
            true => (rig.find(&side_of(side, "metatarsal")).unwrap(), Vec3::ZERO),
            false => (rig.find(&side_of(side, "ankle")).unwrap(), tip),
        };
        let points = [point("l"), point("r")];
        let mut walker = Walker::new(&rig, WalkOptions::default(), &Ground::Flat).unwrap();
        let mut pose = Pose::rest(&rig);
        for frame in 0..240 {
            walker.step(&rig, &Ground::Flat, AHEAD, FRAME, &mut pose);
            let model = ModelPose::new(&rig, &pose);
            for (joint, at) in points {
                let p = model.transform(joint).transform_point(at);
                assert!(p.y > -2.0e-3, "toes {toes} frame {frame}: {p}");
            }
        }
    }
}

fn side_of(side: &str, part: &str) -> String {
    format!("{side}_{part}")
}

/// Files of recordings have their root at zero at rest; such rigs once walked with their hips in
/// the ground, and those that rest with their legs apart walked so.
#[test]
fn hips_stand_as_high_as_the_legs_wherever_the_rig_rests() {
    let human = rigs::by_name("humanoid").unwrap();
    for (shift, knees) in [(-0.94, 0.0), (3.0, 0.0), (0.0, 0.6)] {
        let mut builder = human.to_builder();
        builder.joints[0].rest.translation.y += shift;
        for joint in &mut builder.joints {
            // Squatting, with the soles level.
            let bend = match joint.name.get(2..) {
                Some("hip") => -knees,
                Some("knee") => 2.0 * knees,
                Some("ankle") => -knees,
                _ => continue,
            };
            joint.rest.rotation *= sinew::Quat::from_rotation_x(bend);
            joint.limit = sinew::JointLimit::None;
        }
        let rig = builder.build().unwrap();
        let [hip, knee, ankle] = ["l_hip", "l_knee", "l_ankle"].map(|name| rig.find(name).unwrap());
        let leg = rig.bone_length(knee) + rig.bone_length(ankle);
        let mut walker = Walker::new(&rig, WalkOptions::default(), &Ground::Flat).unwrap();
        let mut pose = Pose::rest(&rig);
        for _ in 0..240 {
            walker.step(&rig, &Ground::Flat, AHEAD, FRAME, &mut pose);
            let model = ModelPose::new(&rig, &pose);
            let height = model.position(hip).y / leg;
            assert!((0.85..=1.1).contains(&height), "{shift} {knees}: {height}");
            let lowest = rig.ids().map(|id| model.position(id).y).fold(Real::MAX, Real::min);
            assert!(lowest > -0.01, "{shift} {knees}: {lowest}");
        }
    }
}

/// Soles are those of the skin: a shoe under the foot keeps it off the ground.
#[test]
fn soles_are_those_of_the_skin() {
    let human = rigs::by_name("humanoid").unwrap();
    let model = ModelPose::rest(&human);
    let map = sinew::skeleton::humanoid::HumanoidMap::find(&human);
    let thick = 0.03;
    let mut skin = Vec::new();
    for name in ["l_ankle", "r_ankle"] {
        let joint = human.find(name).unwrap();
        let at = model.position(joint);
        for (x, z) in [(-0.04, -0.06), (0.04, -0.06), (-0.05, 0.05), (0.05, 0.05), (-0.04, 0.2), (0.04, 0.2)]
        {
            let sole = Vec3::new(at.x + x, -thick, at.z + z);
            skin.push((joint, model.transform(joint).inverse().transform_point(sole)));
        }
    }
    let ground = &Ground::Flat;
    let mut walker = Walker::with_skin(&human, &map, &skin, WalkOptions::default(), ground).unwrap();
    let mut pose = Pose::rest(&human);
    for frame in 0..300 {
        let input = if frame < 200 { AHEAD } else { STAND };
        walker.step(&human, ground, input, FRAME, &mut pose);
        let model = ModelPose::new(&human, &pose);
        for (joint, point) in &skin {
            let p = model.transform(*joint).transform_point(*point);
            // The tip of this shoe does not bend with the toes.
            let tip = point.z > 0.15;
            assert!(p.y > if tip { -0.06 } else { -5.0e-3 }, "frame {frame}: {p}");
        }
    }
    let model = ModelPose::new(&human, &pose);
    let lowest = skin.iter().map(|(joint, p)| model.transform(*joint).transform_point(*p).y);
    let lowest = lowest.fold(Real::MAX, Real::min);
    assert!(lowest.abs() < 1.0e-3, "{lowest}");
}
