//! Transforms from a game engine and back: local matrices with a scale in, a pose, IK, matrices
//! out.
//!
//! cargo run -p sinew --example engine_transforms

#![allow(clippy::print_stdout, clippy::unwrap_used)] // an example may do both

use glam::{Affine3A, Mat4, Quat, Vec3};
use sinew::{Goal, GoalSet, JointDef, JointKind, ModelPose, Pose, SkeletonBuilder, SolverSpec, Transform};

/// A bone of the engine: its parent and its local matrix at rest, in centimetres.
const BONES: [(&str, Option<usize>, [f32; 3]); 4] = [
    ("hips", None, [0.0, 95.0, 0.0]),
    ("thigh", Some(0), [10.0, 0.0, 0.0]),
    ("shin", Some(1), [0.0, -42.0, 1.0]),
    ("foot", Some(2), [0.0, -43.0, -1.0]),
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // The model's root is scaled from centimetres to metres and turned to face its way.
    let world = Mat4::from_scale_rotation_translation(
        Vec3::splat(0.01),
        Quat::from_rotation_y(0.7),
        Vec3::new(3.0, 0.0, -2.0),
    );
    let (root, scale) = Transform::from_scaled(world).ok_or("the root's matrix has shear")?;

    // The skeleton is in metres: offsets take the scale, and the engine's matrices stay as they are.
    let mut builder = SkeletonBuilder::new("leg");
    let mut ids = Vec::new();
    for (name, parent, offset) in BONES {
        let mut joint = JointDef::new(name).at(Vec3::from(offset) * scale);
        if let Some(parent) = parent {
            joint = joint.under(ids[parent]);
        } else {
            joint = joint.kind(JointKind::Fixed);
        }
        ids.push(builder.add(joint));
    }
    let skeleton = builder.build()?;

    // A frame of the engine's animation, as local matrices.
    let mut locals = BONES.map(|(_, _, offset)| Affine3A::from_translation(offset.into()));
    locals[2] = Affine3A::from_rotation_translation(Quat::from_rotation_x(0.6), BONES[2].2.into());
    let mut pose = Pose::rest(&skeleton);
    for (id, local) in ids.iter().zip(locals) {
        let mut local = Transform::try_from(local)?;
        local.translation *= scale;
        pose.set_local(&skeleton, *id, local);
    }

    // The target comes in the engine's world.
    let foot = ids[3];
    let wanted = Vec3::new(3.1, 0.25, -1.9);
    let goals = GoalSet::from_iter([Goal::position(foot, root.inverse().transform_point(wanted))]);
    let mut solver = SolverSpec::default().build(&skeleton, &goals)?;
    let report = solver.solve(&skeleton, &goals, &mut pose);
    assert!(report.reached(), "{:?}", report.cause);

    // Back: local matrices for the engine, in its centimetres.
    for (id, local) in ids.iter().zip(&mut locals) {
        let mut new = pose.local(&skeleton, *id);
        new.translation /= scale;
        *local = new.into();
    }
    // What the engine draws with them is what the solver reached.
    let mut drawn: Vec<Mat4> = Vec::new();
    for ((_, parent, _), local) in BONES.iter().zip(locals) {
        drawn.push(parent.map_or(world, |p| drawn[p]) * local);
    }
    let there = drawn[3].transform_point3(Vec3::ZERO);
    println!("the engine draws the foot {:.6} m from where it should be", there.distance(wanted));
    assert!(there.distance(wanted) < 1e-3);
    let model = ModelPose::new(&skeleton, &pose);
    assert!((root * model.transform(foot)).translation.distance(there) < 1e-4);
    Ok(())
}
