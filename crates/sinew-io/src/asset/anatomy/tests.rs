use sinew_f64::math::rotation;
use sinew_f64::{JointKind, Pose, Transform};

use super::*;

/// Numbers that look drawn by lot.
struct Lot(u64);

impl Lot {
    fn number(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64 * 2.0 - 1.0
    }

    fn turn(&mut self, most: f64) -> Quat {
        let axis = Vec3::new(self.number(), self.number(), self.number());
        rotation::exp(most * self.number() * axis.normalize_or_zero())
    }
}

fn human() -> Skeleton {
    humanoid(SwingModel::Ellipse)
}

/// How far the arms of the other body are raised from hanging.
fn raised(name: &str, by: f64) -> Quat {
    let arm =
        ["shoulder", "elbow", "wrist", "thumb1", "index1", "pinky1"].iter().any(|part| name.ends_with(part));
    match (arm, name.starts_with("l_")) {
        (false, _) => Quat::IDENTITY,
        (true, true) => Quat::from_rotation_z(by),
        (true, false) => Quat::from_rotation_z(-by),
    }
}

/// The humanoid without limits, its arms raised at rest and the frames of its joints turned anyhow.
fn other_body(by: f64, lot: &mut Lot) -> Skeleton {
    let human = human();
    let rest = ModelPose::rest(&human);
    let mut builder = human.to_builder();
    let frames: Vec<Quat> = human.ids().map(|_| lot.turn(3.0)).collect();
    let mut world: Vec<Transform> = Vec::new();
    for id in human.ids() {
        let raise = raised(human.joint(id).name(), by);
        let place = match human.parent(id) {
            None => rest.position(id),
            Some(parent) => {
                let above = raised(human.joint(parent).name(), by);
                world[parent.index()].translation + above * (rest.position(id) - rest.position(parent))
            }
        };
        let here = Transform::new(place, raise * frames[id.index()]);
        let local = human.parent(id).map_or(here, |parent| world[parent.index()].inverse() * here);
        world.push(here);
        let joint = &mut builder.joints[id.index()];
        joint.rest = local;
        joint.tip = None;
        if joint.parent.is_some() {
            joint.kind = JointKind::Ball;
        }
        joint.limit = JointLimit::None;
    }
    builder.build().unwrap()
}

/// The motions of the other body that show a posture of the humanoid.
fn same_posture(pose: &Pose, other: &Skeleton, by: f64) -> Vec<Quat> {
    let human = human();
    let (model, rest) = (ModelPose::new(&human, pose), ModelPose::rest(other));
    let world: Vec<Quat> = human
        .ids()
        .map(|id| model.rotation(id) * raised(human.joint(id).name(), by).conjugate() * rest.rotation(id))
        .collect();
    let motion = |id: JointId| {
        let parent = human.parent(id)?;
        let local = world[parent.index()].conjugate() * world[id.index()];
        Some(other.joint(id).rest().rotation.conjugate() * local)
    };
    human.ids().map(|id| motion(id).unwrap_or(Quat::IDENTITY)).collect()
}

/// What the humanoid may do, every body may whatever pose it rests in and however its frames are turned; what the
/// humanoid may not do by far, none may.
#[test]
fn a_body_may_do_what_the_humanoid_may_whatever_its_rest() {
    let human = human();
    let mut lot = Lot(7);
    for by in [0.0, 0.8, 1.45] {
        let other = other_body(by, &mut lot);
        let limits = Asset::new(other.clone()).anatomical_limits();
        assert!(limits.len() >= 18, "{} limits", limits.len());
        let mut refused = 0;
        for round in 0..400 {
            let inside = round % 2 == 0;
            let mut pose = Pose::rest(&human);
            for id in human.ids().skip(1) {
                pose.set_rotation(id, lot.turn(2.5));
            }
            let wild = pose.clone();
            pose.project(&human);
            let shown = if inside { &pose } else { &wild };
            let motions = same_posture(shown, &other, by);
            for (id, limit) in &limits {
                let violation = limit.violation(motions[id.index()]);
                let name = human.joint(*id).name();
                if inside {
                    assert!(violation < 0.13, "{name} by {violation} with arms raised {by}");
                } else {
                    let joint = human.joint(*id);
                    let away = joint.violation(wild.rotation(*id), Vec3::ZERO);
                    let is_ball = matches!(joint.kind(), JointKind::Ball);
                    if is_ball && away > 0.4 {
                        assert!(violation > 0.05, "{name} may {away} more with arms raised {by}");
                        refused += 1;
                    }
                }
            }
        }
        assert!(refused > 1000, "{refused}");
    }
}

#[test]
fn knees_and_elbows_bend_one_way_and_own_limits_stay() {
    let mut lot = Lot(3);
    let mut builder = other_body(1.3, &mut lot).to_builder();
    let own = JointLimit::from(SwingTwistLimit::along(Vec3::Y, Vec3::X).twist(-0.1, 0.1));
    let hip = builder.joints.iter().position(|joint| joint.name == "l_hip").unwrap();
    builder.joints[hip].limit = own;
    let other = builder.build().unwrap();
    let limits = Asset::new(other.clone()).anatomical_limits();
    assert!(limits.iter().all(|(joint, _)| other.joint(*joint).name() != "l_hip"));
    let human = human();
    for (name, axis) in
        [("l_knee", Vec3::X), ("r_knee", Vec3::X), ("l_elbow", -Vec3::X), ("r_elbow", -Vec3::X)]
    {
        let joint = human.find(name).unwrap();
        let limit = &limits.iter().find(|(id, _)| *id == joint).unwrap().1;
        let violation = |angle: f64| {
            let mut pose = Pose::rest(&human);
            pose.set_rotation(joint, rotation::about(axis, angle));
            limit.violation(same_posture(&pose, &other, 1.3)[joint.index()])
        };
        assert!(
            violation(1.2) < 0.05 && violation(0.0) < 0.05,
            "{name}: {} {}",
            violation(1.2),
            violation(0.0)
        );
        assert!(violation(-0.6) > 0.2, "{name} bends backwards by {}", violation(-0.6));
    }
}

/// What has no sides has no facing, and no limits.
#[test]
fn no_body_no_limits() {
    for name in ["arm", "chain:9", "spider"] {
        let asset = Asset::new(sinew_f64::rigs::by_name(name).unwrap());
        assert!(asset.anatomical_limits().is_empty(), "{name}");
    }
}
