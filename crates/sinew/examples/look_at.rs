//! A head that turns to something and away again: a look over an animation, faded in and out.
//!
//! cargo run -p sinew --example look_at

#![allow(clippy::print_stdout, clippy::unwrap_used)] // an example may do both

use sinew::analytic::{Aim, AimOptions};
use sinew::math::rotation;
use sinew::{ModelPose, Pose, Vec3, rigs};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let human = rigs::humanoid(Default::default());
    let [chest, neck, head] = ["vt1", "vc4", "skullbase"].map(|name| human.find(name).unwrap());
    // How much of the turn each joint takes. The gaze is +Z of the head, a little above its joint.
    let joints = [(chest, 0.5), (neck, 1.0), (head, 2.0)];
    let mut look = Aim::new(&human, &joints, Vec3::Z, Vec3::Y * 0.08, &AimOptions::default())?;

    let target = Vec3::new(1.0, 1.9, 1.5);
    let mut pose = Pose::rest(&human);
    let mut model = ModelPose::rest(&human);
    let mut before: Option<Pose> = None;
    let (mut nearest, mut fastest) = (f32::INFINITY, 0.0f32);
    for frame in 0..=180 {
        let time = frame as f32 / 60.0;
        // The animation: a nodding head.
        pose.set_rotation(neck, rotation::about(Vec3::X, 0.1 * (time * 4.0).sin()));
        for joint in [chest, head] {
            pose.set_rotation(joint, sinew::Quat::IDENTITY);
        }
        let animated = pose.clone();
        model.update(&human, &pose);

        let influence = (time.min(3.0 - time)).clamp(0.0, 1.0);
        let report = look.solve(&human, &model, target, influence, &mut pose);
        nearest = nearest.min(report.residual.orientation);
        assert_eq!(report.reached(), influence == 1.0, "{report}");
        if influence == 0.0 {
            assert_eq!(pose, animated, "nothing is asked, nothing changes");
        }
        if let Some(before) = before {
            fastest = fastest.max(rotation::angle(before.rotation(head).conjugate() * pose.rotation(head)));
        }
        before = Some(pose.clone());
    }
    println!("at best {nearest:.5} rad off, at most {fastest:.4} rad a frame");
    assert!(nearest < 1e-3 && fastest < 0.05);
    Ok(())
}
