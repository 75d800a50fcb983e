//! Rigs and motions for the tests.

use sinew_f64::math::rotation;
use sinew_f64::{JointDef, JointKind, Pose, Quat, Skeleton, SkeletonBuilder, Vec3};
use sinew_io::{Asset, Motion};

/// A little creature: turned rest frames, a branch, a zero-length bone, a
/// hinge with a limit, a fixed joint, a stiff one and a tip.
pub fn creature() -> Skeleton {
    let mut builder = SkeletonBuilder::new("creature");
    let turn = |x, y, z| rotation::exp(Vec3::new(x, y, z));
    let hips = builder.add(
        JointDef::new("hips")
            .at(Vec3::new(0.1, 0.9, -0.3))
            .turned(turn(0.2, -0.4, 0.1))
            .kind(JointKind::Free),
    );
    let spine = builder
        .add(JointDef::new("spine").under(hips).at(Vec3::new(0.0, 0.2, 0.01)).turned(turn(-0.7, 0.0, 0.3)));
    let twin = builder.add(JointDef::new("twin").under(spine).turned(turn(0.0, 1.0, 0.0)));
    let arm = builder.add(
        JointDef::new("bras gauche")
            .under(twin)
            .at(Vec3::new(0.3, 0.1, 0.0))
            .limit(sinew_f64::limit::SwingTwistLimit::along(Vec3::X, Vec3::Y).twist(-0.5, 0.75)),
    );
    builder.add(
        JointDef::new("elbow")
            .under(arm)
            .at(Vec3::new(0.25, 0.0, 0.0))
            .hinge_range(Vec3::Y, -0.1, 2.4)
            .tip(Vec3::new(0.21, 0.013, -0.002)),
    );
    builder.add(JointDef::new("horn").under(spine).at(Vec3::new(0.0, 0.15, 0.1)).kind(JointKind::Fixed));
    let leg = builder.add(JointDef::new("leg").under(hips).at(Vec3::new(0.1, -0.4, 0.0)).stiffness(0.25));
    builder.add(JointDef::new("foot").under(leg).at(Vec3::new(0.0, -0.45, 0.0)).turned(turn(-1.2, 0.0, 0.0)));
    builder.build().unwrap()
}

/// A motion that turns every joint and shifts the root, and at one joint more
/// than `shifted` says the bone itself.
pub fn motion(skeleton: &Skeleton, name: &str, frame_time: f64, frames: usize, shifted: &[&str]) -> Motion {
    let frames = (0..frames).map(|frame| {
        let t = frame as f64 * 0.13;
        let mut pose = Pose::rest(skeleton);
        for joint in skeleton.ids() {
            let k = joint.index() as f64;
            let turn = Vec3::new((t + k).sin(), (t * 0.7 - k).cos(), (t * 1.3 + 2.0 * k).sin()) * 0.9;
            pose.set_rotation(joint, rotation::exp(turn));
            if joint == skeleton.root() || shifted.contains(&skeleton.joint(joint).name()) {
                pose.set_translation(joint, Vec3::new(t.sin() * 2.0, t.cos() * 0.2, t * 0.1));
            }
        }
        pose.set_rotation(skeleton.root(), Quat::from_rotation_y(t * 3.0));
        pose
    });
    Motion { name: name.into(), frame_time, frames: frames.collect() }
}

/// The creature with two motions.
pub fn asset() -> Asset {
    let mut asset = Asset::new(creature());
    asset.motions.push(motion(&asset.skeleton, "dance", 1.0 / 30.0, 40, &[]));
    asset.motions.push(motion(&asset.skeleton, "stretch", 0.008_333_4, 25, &["elbow"]));
    asset.roles.push(("hips".into(), asset.skeleton.root()));
    asset
}
