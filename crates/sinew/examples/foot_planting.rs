//! Feet that stay where they stand while an animation moves the hips: IK over an animation,
//! faded in when the foot comes down and out when it leaves.
//!
//! cargo run -p sinew --example foot_planting

#![allow(clippy::print_stdout, clippy::unwrap_used)] // an example may do both

use sinew::analytic::{Limb, Swivel};
use sinew::math::rotation;
use sinew::skeleton::humanoid::{HumanoidMap, Side};
use sinew::{JointId, ModelPose, Pose, Target, Vec3, rigs};

/// A stand-in for a played animation, which writes every joint: the hips sway, so the feet slide.
fn animation(time: f32, rest: &Pose, hips: JointId, spine: JointId, pose: &mut Pose) {
    pose.copy_from(rest);
    pose.set_translation(hips, Vec3::new(0.06 * (time * 3.0).sin(), -0.05 + 0.02 * (time * 6.0).cos(), 0.0));
    pose.set_rotation(spine, rotation::about(Vec3::Y, 0.2 * (time * 3.0).sin()));
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let human = rigs::humanoid(Default::default());
    let map = HumanoidMap::find(&human);
    let legs = [Limb::leg(&human, &map, Side::Left)?, Limb::leg(&human, &map, Side::Right)?];
    let (hips, spine) = (human.root(), map.spine()[1]);
    let rest = Pose::rest(&human);
    let mut pose = rest.clone();
    let mut model = ModelPose::rest(&human);

    // Where each foot stands, taken once when it came down.
    animation(0.0, &rest, hips, spine, &mut pose);
    model.update(&human, &pose);
    let planted = [0, 1].map(|i: usize| model.transform(legs[i].joints().end));

    let (mut slid, mut slides) = (0.0f32, 0.0f32);
    for frame in 0..120 {
        let time = frame as f32 / 60.0;
        animation(time, &rest, hips, spine, &mut pose);
        model.update(&human, &pose);
        // Half a second to come in, half a second to let go.
        let influence = (time / 0.5).min((2.0 - time) / 0.5).clamp(0.0, 1.0);
        for (leg, place) in legs.iter().zip(planted) {
            slides = slides.max(model.position(leg.joints().end).distance(place.translation));
            leg.solve_in_part(&human, &model, &Target::Pose(place), influence, Swivel::Last, &mut pose);
        }
        // The solvers have only read the model pose; who wants to know where things are updates it.
        model.update(&human, &pose);
        for (leg, place) in legs.iter().zip(planted) {
            let off = model.position(leg.joints().end).distance(place.translation);
            slid = if influence == 1.0 { slid.max(off) } else { slid };
        }
    }
    println!("the animation slides its feet by {slides:.3} m, planted they slide by {slid:.6} m");
    assert!(slides > 0.05 && slid < 1e-3);
    Ok(())
}
