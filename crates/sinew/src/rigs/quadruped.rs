//! A four-legged animal of a large dog's size.

use alloc::format;
use alloc::string::{String, ToString};

use super::degrees;
use crate::limit::{Cone, SwingShape, SwingTwistLimit};
use crate::math::*;
use crate::skeleton::{JointDef, JointKind, Skeleton, SkeletonBuilder};

/// A ball joint that lets its bone swing within a cone and turn about itself,
/// both in degrees.
fn within(name: impl Into<String>, bone: Vec3, radius: Real, twist: Real) -> JointDef {
    let limit = SwingTwistLimit::along(bone.normalize(), Vec3::X)
        .swing(SwingShape::Cone(Cone { radius: degrees(radius) }))
        .twist(degrees(-twist), degrees(twist));
    JointDef::new(name).limit(limit)
}

/// A dog-like quadruped, 0.6 m high at the shoulder, standing square.
///
/// The root `rump` moves freely; three spine joints lead to the `withers`, then
/// the neck and the skull; a tail of five joints. Hind legs are thigh (ball),
/// stifle and hock (hinges) and toes; forelegs scapula and upper arm (balls),
/// elbow and carpus (hinges) and toes. Stifle and elbow bend the opposite way of
/// hock and carpus, as they do in a dog.
pub fn quadruped() -> Skeleton {
    let mut builder = SkeletonBuilder::new("quadruped");
    let rump = builder.add(JointDef::new("rump").at(Vec3::new(0.0, 0.58, -0.32)).kind(JointKind::Free));

    let (mut last, mut withers) = (rump, rump);
    let mut at = Vec3::new(0.0, 0.015, 0.05);
    for (name, bone, radius, twist) in [
        ("loin", Vec3::new(0.0, 0.005, 0.19), 20.0, 8.0),
        ("back", Vec3::new(0.0, -0.005, 0.19), 15.0, 12.0),
        ("withers", Vec3::new(0.0, 0.04, 0.16), 15.0, 12.0),
        ("neck1", Vec3::new(0.0, 0.1, 0.09), 35.0, 20.0),
        ("neck2", Vec3::new(0.0, 0.1, 0.08), 35.0, 20.0),
        ("skull", Vec3::new(0.0, -0.03, 0.2), 50.0, 35.0),
    ] {
        last = builder.add(within(name, bone, radius, twist).under(last).at(at));
        at = bone;
        if name == "withers" {
            withers = last;
        }
    }
    builder.joints[last.index()].tip = Some(at);

    last = rump;
    at = Vec3::new(0.0, 0.02, -0.06);
    for i in 1..=5 {
        let bone = Vec3::new(0.0, -0.02 * i as Real, -0.09).normalize() * 0.085;
        last = builder.add(within(format!("tail{i}"), bone, 35.0, 10.0).under(last).at(at));
        at = bone;
    }
    builder.joints[last.index()].tip = Some(at);

    for (side, s) in [("l", 1.0), ("r", -1.0)] {
        let named = |part: &str| [side, part].join("_").to_string();
        // Turning forwards lifts a hanging bone towards +Z: about −X.
        let hinge = |part: &str, min: Real, max: Real| {
            JointDef::new(named(part)).hinge_range(-Vec3::X, degrees(min), degrees(max))
        };

        let thigh_bone = Vec3::new(0.0, -0.2, 0.09);
        let shin = Vec3::new(0.0, -0.18, -0.13);
        let cannon = Vec3::new(0.0, -0.135, 0.03);
        let hip_at = Vec3::new(0.07 * s, -0.035, 0.0);
        let thigh = builder.add(within(named("thigh"), thigh_bone, 50.0, 20.0).under(rump).at(hip_at));
        let stifle = builder.add(hinge("stifle", -70.0, 35.0).under(thigh).at(thigh_bone));
        let hock = builder.add(hinge("hock", -30.0, 75.0).under(stifle).at(shin));
        builder.add(hinge("hind_toes", -40.0, 60.0).under(hock).at(cannon).tip(Vec3::new(0.0, -0.03, 0.06)));

        let scapula_bone = Vec3::new(0.02 * s, -0.13, 0.11);
        let humerus = Vec3::new(0.0, -0.14, -0.11);
        let radius = Vec3::new(0.0, -0.2, 0.01);
        let carpal = Vec3::new(0.0, -0.11, 0.02);
        let scapula_at = Vec3::new(0.05 * s, 0.015, 0.05);
        let scapula = within(named("scapula"), scapula_bone, 20.0, 5.0).under(withers).at(scapula_at);
        let scapula = builder.add(scapula);
        let arm = builder.add(within(named("humerus"), humerus, 45.0, 20.0).under(scapula).at(scapula_bone));
        let elbow = builder.add(hinge("elbow", -35.0, 80.0).under(arm).at(humerus));
        let carpus = builder.add(hinge("carpus", -100.0, 20.0).under(elbow).at(radius));
        builder
            .add(hinge("fore_toes", -40.0, 60.0).under(carpus).at(carpal).tip(Vec3::new(0.0, -0.03, 0.06)));
    }
    super::built(builder)
}
