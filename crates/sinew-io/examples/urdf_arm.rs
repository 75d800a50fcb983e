//! A robot arm from a URDF file that follows a circle at 100 Hz, its joint angles by name.
//!
//! cargo run -p sinew-io --example urdf_arm [FILE.urdf TOOL_LINK]

#![allow(clippy::print_stdout, clippy::unwrap_used)] // an example may do both

use sinew_f64::{Goal, GoalSet, ModelPose, Pose, SolverSpec, Target, Vec3};

/// A small arm, for when no file is named.
const ARM: &str = r#"<robot name="arm">
  <link name="base"/><link name="turret"/><link name="upper"/><link name="fore"/><link name="tool"/>
  <joint name="yaw" type="revolute"><parent link="base"/><child link="turret"/>
    <origin xyz="0 0 0.2"/><axis xyz="0 0 1"/><limit lower="-3" upper="3" effort="50" velocity="2"/></joint>
  <joint name="shoulder" type="revolute"><parent link="turret"/><child link="upper"/>
    <origin xyz="0 0 0.1"/><axis xyz="0 1 0"/><limit lower="-1.8" upper="1.8" effort="50" velocity="2"/></joint>
  <joint name="elbow" type="revolute"><parent link="upper"/><child link="fore"/>
    <origin xyz="0 0 0.4"/><axis xyz="0 1 0"/><limit lower="0" upper="2.6" effort="30" velocity="3"/></joint>
  <joint name="wrist" type="fixed"><parent link="fore"/><child link="tool"/>
    <origin xyz="0 0 0.35"/></joint>
</robot>"#;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let (robot, tool) = match (arguments.next(), arguments.next()) {
        (Some(file), Some(tool)) => (sinew_io::read_file(file)?, tool),
        _ => (sinew_io::read("arm.urdf", ARM.as_bytes(), &mut |_| None)?, "tool".to_owned()),
    };
    let skeleton = &robot.skeleton;
    let tool = robot.find(&tool).ok_or("there is no such link or joint")?;
    // The joints that turn, with the names that the controller knows.
    let joints: Vec<_> = skeleton.ids().filter(|id| skeleton.joint(*id).kind().turns()).collect();

    let mut goals = GoalSet::new();
    let goal = goals.add(Goal::position(tool, Vec3::ZERO));
    let mut solver = SolverSpec::default().build(skeleton, &goals)?;
    let mut pose = Pose::rest(skeleton);
    // Off the stretched start, where small moves need large angles.
    for (name, angle) in [("shoulder", 0.3), ("elbow", 1.4)] {
        if let Some(id) = robot.find(name) {
            pose.set_value(skeleton, id, angle);
        }
    }
    let centre = ModelPose::new(skeleton, &pose).position(tool);

    let mut angles: Vec<f64> = joints.iter().filter_map(|id| pose.value(skeleton, *id)).collect();
    let mut fastest = 0.0f64;
    for tick in 0..200 {
        let phase = f64::from(tick) * 0.01 * std::f64::consts::PI;
        // A circle of five centimetres through where the tool stands.
        let target = centre + Vec3::new(0.0, 0.05 * phase.sin(), 0.05 - 0.05 * phase.cos());
        goals.set_target(goal, Target::Position(target));
        let report = solver.solve(skeleton, &goals, &mut pose);
        assert!(report.reached(), "tick {tick}: {:?}", report.cause);
        for (id, angle) in joints.iter().zip(&mut angles) {
            let now = pose.value(skeleton, *id).ok_or("the joint has no angle")?;
            fastest = fastest.max((now - *angle).abs() * 100.0);
            *angle = now;
        }
    }
    for (id, angle) in joints.iter().zip(&angles) {
        println!("{:<10} {:8.3} rad", skeleton.joint(*id).name(), angle);
    }
    println!("no joint was faster than {fastest:.2} rad/s");
    for drive in &robot.drives {
        assert!(drive.velocity.is_none_or(|most| fastest < most), "a motor cannot follow");
    }
    Ok(())
}
