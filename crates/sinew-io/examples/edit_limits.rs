//! Limits edited and saved: a rig in, another limit on a joint, the file out, read again.
//!
//! cargo run -p sinew-io --example edit_limits

#![allow(clippy::print_stdout, clippy::unwrap_used)] // an example may do both

use sinew_f64::limit::{SwingEllipse, SwingShape, SwingTwistLimit};
use sinew_f64::math::rotation;
use sinew_f64::{Pose, Vec3, rigs};
use sinew_io::{Asset, Format, WriteOptions, read, write};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut asset = Asset::new(rigs::humanoid(Default::default()));
    let shoulder = asset.find("r_shoulder").ok_or("the rig has no shoulder")?;
    let elbow = asset.find("r_elbow").ok_or("the rig has no elbow")?;

    // An injured shoulder: 40° to the front and back, 25° aside, hardly any twist. The limit is about
    // the upper arm's direction, which points down at rest.
    let injured = SwingTwistLimit::along(-Vec3::Y, Vec3::X)
        .swing(SwingShape::Ellipse(SwingEllipse::new(40f64.to_radians(), 25f64.to_radians())))
        .twist(-0.2, 0.2);
    asset.skeleton = asset.skeleton.with_limit(shoulder, injured)?;
    // A limit that does not fit its joint is refused with a reason, and the skeleton stays.
    let wrong = sinew_f64::JointLimit::prismatic(Vec3::X, -0.1, 0.1);
    println!("refused: {}", asset.skeleton.with_limit(elbow, wrong).unwrap_err());

    let file = write(Format::Rig, &asset, &WriteOptions::default())?;
    let again = read("injured.rig.toml", &file.bytes, &mut |_| None)?;

    // The limit that was read holds what the one that was made holds.
    for (rig, name) in [(&asset, "made"), (&again, "read")] {
        let mut pose = Pose::rest(&rig.skeleton);
        let shoulder = rig.find("r_shoulder").ok_or("the rig has no shoulder")?;
        pose.set_rotation(shoulder, rotation::about(Vec3::X, -1.5));
        assert!(pose.worst_violation(&rig.skeleton).is_some(), "beyond the new limit");
        pose.project(&rig.skeleton);
        let left = rotation::angle(pose.rotation(shoulder)).to_degrees();
        println!("{name}: of 86° forwards {left:.1}° are left");
        assert!((left - 40.0).abs() < 0.1);
    }
    Ok(())
}
