//! A body from a headset and two controllers, for a person taller than the rig, at two frame
//! rates.
//!
//! cargo run -p sinew --example vr_three_points

#![allow(clippy::print_stdout, clippy::unwrap_used)] // an example may do both

use sinew::body::six_point::{Point, SixPoint, SixPointOptions, Trackers};
use sinew::skeleton::humanoid::{HumanoidMap, Side};
use sinew::{ModelPose, Vec3, rigs};

/// How much taller the person is than the rig.
const TALLER: f32 = 1.12;

/// What headset and controllers of the person say: standing, with hands that wave.
fn tracked(rest: &Trackers, time: f32) -> Trackers {
    let mut seen = Trackers::default();
    for (point, phase) in
        [(Point::Head, 0.0), (Point::Wrist(Side::Left), 0.7), (Point::Wrist(Side::Right), 2.1)]
    {
        let at = rest.position(point).unwrap_or_default();
        let wave = match point {
            Point::Head => Vec3::new(0.04 * (time * 1.3).sin(), -0.03, 0.02),
            _ => Vec3::new(0.0, 0.3 + 0.1 * (time * 3.0 + phase).sin(), 0.25),
        };
        seen = seen.with(point, (at + wave) * TALLER);
    }
    seen
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let avatar = rigs::humanoid(Default::default());
    let map = HumanoidMap::find(&avatar);
    let rest = ModelPose::rest(&avatar);
    let mut bodies = Vec::new();
    for rate in [72.0f32, 144.0] {
        let mut body = SixPoint::new(&avatar, &map, SixPointOptions::default())?;
        let points = body.points_of(&rest);
        // The person stands in a T-pose once; from then on everything is scaled to the avatar.
        let mut t_pose = points;
        for (side, out) in [(Side::Left, Vec3::X), (Side::Right, -Vec3::X)] {
            let arm = body.limb(Point::Wrist(side)).expect("the avatar has arms");
            let shoulder = rest.position(arm.joints().upper);
            t_pose = t_pose.with(Point::Wrist(side), shoulder + out * (arm.lengths().0 + arm.lengths().1));
        }
        let scale = body.calibrate(&t_pose.scaled(TALLER)).expect("head, wrists and ankles are seen");
        assert!((scale * TALLER - 1.0).abs() < 0.02, "{scale}");

        let mut pose = body.relaxed().clone();
        let mut model = rest.clone();
        let mut worst = 0.0f32;
        for frame in 0..=(4.0 * rate) as usize {
            let time = frame as f32 / rate;
            let seen = tracked(&points, time);
            body.solve(&avatar, &seen, 1.0 / rate, &mut pose);
            model.update(&avatar, &pose);
            if time > 1.0 {
                for side in Side::BOTH {
                    let wrist = body.joint(Point::Wrist(side)).expect("the avatar has arms");
                    let wanted = seen.position(Point::Wrist(side)).unwrap_or_default() * scale;
                    worst = worst.max(model.position(wrist).distance(wanted));
                }
            }
        }
        println!("{rate} Hz: wrists at most {:.1} mm off", worst * 1000.0);
        assert!(worst < 0.02 && pose.worst_violation(&avatar).is_none_or(|(_, by)| by < 1e-3));
        bodies.push(model);
    }
    let apart = bodies[0].positions().iter().zip(bodies[1].positions()).map(|(a, b)| a.distance(*b));
    let apart = apart.fold(0.0, f32::max);
    println!("the two bodies are at most {:.1} mm apart", apart * 1000.0);
    // Feet that nobody tracks step by themselves, and may do so a moment earlier or later.
    assert!(apart < 0.1);
    Ok(())
}
