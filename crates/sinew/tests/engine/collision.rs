//! Bodies against themselves and against scenes: at rest nothing touches, what
//! is deep is found and named, meshes agree with the solids they outline, and no
//! question allocates.

use crate::counting;
use proptest::prelude::*;
use sinew::collision::{BodyPart, CollisionBody, CollisionQuery, CollisionScene, ObstacleShape, Touched};
use sinew::error::RigError;
use sinew::math::{Real, rotation};
use sinew::skeleton::humanoid::HumanoidMap;
use sinew::{ModelPose, Pose, Quat, Skeleton, Transform, Vec3, rigs};

use crate::numbers::Numbers;

fn human() -> (Skeleton, CollisionBody) {
    let skeleton = rigs::humanoid(rigs::SwingModel::Ellipse);
    let body = CollisionBody::from_rig(&skeleton, &HumanoidMap::find(&skeleton));
    (skeleton, body)
}

fn placed(skeleton: &Skeleton, body: &CollisionBody, pose: &Pose) -> CollisionQuery {
    let mut query = CollisionQuery::new(body);
    query.place(body, &ModelPose::new(skeleton, pose));
    query
}

/// The name of what a contact is with.
fn touched(body: &CollisionBody, scene: &CollisionScene, with: Touched) -> String {
    match with {
        Touched::Part(part) => body.parts()[part].name.clone(),
        Touched::Obstacle(id) => scene.name(id).unwrap().to_string(),
    }
}

#[test]
fn nothing_touches_at_rest_on_any_rig() {
    let scene = CollisionScene::new();
    for info in rigs::all() {
        let skeleton = info.build();
        let body = CollisionBody::from_rig(&skeleton, &HumanoidMap::find(&skeleton));
        assert!(!body.parts().is_empty(), "{}", info.name);
        let query = placed(&skeleton, &body, &Pose::rest(&skeleton));
        let contact = query.deepest_contact(&body, &scene, query.all_parts());
        assert!(contact.is_none(), "{}: {contact:?}", info.name);
    }
}

#[test]
fn a_human_has_the_parts_that_people_name() {
    let (_, body) = human();
    let names: Vec<&str> = body.parts().iter().map(|part| part.name.as_str()).collect();
    for name in
        ["pelvis", "head", "neck", "left elbow", "right forearm", "right hand", "left thigh", "left foot"]
    {
        assert!(names.contains(&name), "{name} is not among {names:?}");
    }
    assert!(names.iter().filter(|name| name.starts_with("torso")).count() >= 2);
}

#[test]
fn an_elbow_that_is_pressed_into_the_torso_is_found() {
    let (skeleton, body) = human();
    let scene = CollisionScene::new();
    let shoulder = skeleton.find("r_shoulder").unwrap();
    let arm = body.parts_below(&skeleton, shoulder);
    let mut last = 0.0;
    for degrees in [10.0, 20.0, 30.0] {
        let mut pose = Pose::rest(&skeleton);
        // The right arm hangs at −x: turning about z by this takes it inwards.
        pose.set_rotation(shoulder, rotation::about(Vec3::Z, (degrees as Real).to_radians()));
        let query = placed(&skeleton, &body, &pose);
        let contact = query.deepest_contact(&body, &scene, &arm).unwrap();
        assert!(contact.depth > last, "deeper in the further it goes: {contact:?}");
        last = contact.depth;
        assert!(query.first_contact(&body, &scene, &arm).is_some());
        let name = touched(&body, &scene, contact.with);
        assert!(name.starts_with("torso") || name == "pelvis" || name.contains("thigh"), "{name}");
    }
    // The other arm has not moved and is free.
    let left = body.parts_below(&skeleton, skeleton.find("l_shoulder").unwrap());
    let mut pose = Pose::rest(&skeleton);
    pose.set_rotation(shoulder, rotation::about(Vec3::Z, 0.2));
    assert!(placed(&skeleton, &body, &pose).first_contact(&body, &scene, &left).is_none());
}

#[test]
fn a_hand_in_the_face_names_hand_and_head() {
    let (skeleton, body) = human();
    let find = |name: &str| body.parts().iter().position(|part| part.name == name).unwrap();
    let mut query = placed(&skeleton, &body, &Pose::rest(&skeleton));
    query.place_at(&body, find("right hand"), Transform::from_translation(Vec3::new(-0.05, 1.7, 0.05)));
    let arm = body.parts_below(&skeleton, skeleton.find("r_shoulder").unwrap());
    let scene = CollisionScene::new();
    let contact = query.deepest_contact(&body, &scene, &arm).unwrap();
    assert_eq!(contact.part, find("right hand"));
    assert_eq!(contact.with, Touched::Part(find("head")));
}

#[test]
fn every_primitive_is_met_where_it_is_and_not_where_it_is_not() {
    let skeleton = rigs::chain(1, 1.0);
    let root = skeleton.root();
    let ball =
        BodyPart { name: "ball".into(), joint: root, points: vec![Vec3::ZERO], radius: 0.1, inner: false };
    let body = CollisionBody::from_parts(&skeleton, vec![ball]).unwrap();
    let turn = rotation::exp(Vec3::new(0.2, 0.5, -0.3));
    let at = Transform::new(Vec3::new(0.3, -0.2, 0.4), turn);
    // Each reaches 0.5 along its own y from its origin.
    let shapes = [
        ObstacleShape::Sphere { radius: 0.5 },
        ObstacleShape::Cuboid { half_extents: Vec3::new(0.3, 0.5, 0.2) },
        ObstacleShape::Capsule { half_height: 0.3, radius: 0.2 },
        ObstacleShape::Cylinder { half_height: 0.5, radius: 0.3 },
        ObstacleShape::Hull { points: vec![Vec3::Y * 0.4, Vec3::X * 0.2, Vec3::Z * 0.2], radius: 0.1 },
        box_mesh(Vec3::new(0.3, 0.5, 0.2)),
    ];
    for shape in shapes {
        let mut scene = CollisionScene::new();
        scene.add("thing", shape.clone(), at).unwrap();
        let mut query = CollisionQuery::new(&body);
        for (height, deep) in [(0.62, None), (0.58, Some(0.02)), (0.55, Some(0.05))] {
            let place = at.transform_point(Vec3::Y * height);
            query.place_at(&body, query.all_parts()[0], Transform::from_translation(place));
            let contact = query.deepest_contact(&body, &scene, query.all_parts());
            match (contact, deep) {
                (None, None) => {}
                (Some(contact), Some(deep)) => {
                    assert!((contact.depth - deep).abs() < 2e-4, "{shape:?}: {contact:?}")
                }
                (contact, _) => panic!("{shape:?} at {height}: {contact:?}"),
            }
        }
    }
    let mut scene = CollisionScene::new();
    scene.add("floor", ObstacleShape::HalfSpace { normal: Vec3::Y * 3.0 }, Transform::IDENTITY).unwrap();
    let mut query = CollisionQuery::new(&body);
    query.place_at(&body, query.all_parts()[0], Transform::from_translation(Vec3::Y * 0.07));
    let contact = query.first_contact(&body, &scene, query.all_parts()).unwrap();
    assert!((contact.depth - 0.03).abs() < 1e-5);
}

/// A box as twelve triangles.
fn box_mesh(half: Vec3) -> ObstacleShape {
    // Corners are numbered by the signs of x, y and z.
    let sign = |positive: u32| if positive == 0 { -1.0 } else { 1.0 };
    let vertices = (0..8).map(|i| half * Vec3::new(sign(i & 1), sign(i & 2), sign(i & 4))).collect();
    let faces = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let triangles = faces.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    ObstacleShape::Mesh { vertices, triangles }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Outside of a box, its mesh and the box itself say the same.
    #[test]
    fn a_mesh_and_the_solid_it_outlines_agree(
        x in -1.0..1.0f64, y in -1.0..1.0f64, z in -1.0..1.0f64,
        a in -3.0..3.0f64, b in -3.0..3.0f64, c in -3.0..3.0f64,
        slab in any::<bool>(),
    ) {
        let skeleton = rigs::chain(1, 1.0);
        let points = match slab {
            true => vec![Vec3::new(0.1, 0.2, 0.0), Vec3::new(-0.1, 0.2, 0.0), Vec3::new(0.1, -0.2, 0.05), Vec3::new(-0.1, -0.2, 0.0)],
            false => vec![Vec3::Y * 0.2, Vec3::NEG_Y * 0.2],
        };
        let part = BodyPart { name: "part".into(), joint: skeleton.root(), points, radius: 0.1, inner: false };
        let body = CollisionBody::from_parts(&skeleton, vec![part]).unwrap();
        let half = Vec3::new(0.4, 0.3, 0.5);
        let at = Transform::new(Vec3::new(0.1, 0.0, -0.1), rotation::exp(Vec3::new(0.3, -0.2, 0.4)));
        let (mut solid, mut mesh) = (CollisionScene::new(), CollisionScene::new());
        solid.add("box", ObstacleShape::Cuboid { half_extents: half }, at).unwrap();
        mesh.add("box", box_mesh(half), at).unwrap();
        let joint = Transform::new(
            Vec3::new(x as Real, y as Real, z as Real),
            rotation::exp(Vec3::new(a as Real, b as Real, c as Real)),
        );
        let mut query = CollisionQuery::new(&body);
        query.place_at(&body, query.all_parts()[0], joint);
        let ids = query.all_parts();
        let (s, m) = (query.deepest_contact(&body, &solid, ids), query.deepest_contact(&body, &mesh, ids));
        match (s, m) {
            (None, None) => {}
            // Skin deep: the same depth. Deeper, a mesh only knows of its surface.
            (Some(s), Some(m)) => prop_assert!(s.depth > 0.095 || (s.depth - m.depth).abs() < 2e-3, "{s:?} {m:?}"),
            (Some(s), None) => prop_assert!(s.depth > 0.095 || s.depth < 2e-3, "{s:?}"),
            (None, Some(m)) => prop_assert!(m.depth < 2e-3, "{m:?}"),
        }
    }

    /// Whatever is asked, first and deepest agree on whether, and asking again
    /// gives the same bits.
    #[test]
    fn answers_agree_and_repeat(seed in any::<u64>()) {
        let (skeleton, body) = human();
        let mut numbers = Numbers::new(seed);
        let mut pose = Pose::rest(&skeleton);
        for id in skeleton.ids() {
            pose.set_rotation(id, numbers.rotation(1.0));
        }
        pose.project(&skeleton);
        let mut scene = CollisionScene::new();
        scene.add("box", ObstacleShape::Cuboid { half_extents: Vec3::splat(0.2) }, Transform::from_translation(Vec3::Y + numbers.vector())).unwrap();
        let query = placed(&skeleton, &body, &pose);
        let (first, deepest) = (query.first_contact(&body, &scene, query.all_parts()), query.deepest_contact(&body, &scene, query.all_parts()));
        prop_assert_eq!(first.is_some(), deepest.is_some());
        if let (Some(first), Some(deepest)) = (first, deepest) {
            prop_assert!(first.depth > 0.0 && first.depth.is_finite() && deepest.depth >= first.depth);
        }
        let again = placed(&skeleton, &body, &pose);
        prop_assert_eq!(again.deepest_contact(&body, &scene, again.all_parts()), deepest);
    }
}

#[test]
fn asking_does_not_allocate() {
    let (skeleton, body) = human();
    let mut scene = CollisionScene::new();
    scene
        .add("mesh", box_mesh(Vec3::splat(0.3)), Transform::from_translation(Vec3::new(0.0, 1.0, 0.2)))
        .unwrap();
    scene
        .add(
            "can",
            ObstacleShape::Cylinder { half_height: 0.3, radius: 0.2 },
            Transform::from_translation(Vec3::Y),
        )
        .unwrap();
    scene
        .add("floor", ObstacleShape::HalfSpace { normal: Vec3::Y }, Transform::from_translation(Vec3::NEG_Y))
        .unwrap();
    let mut query = CollisionQuery::new(&body);
    let model = ModelPose::rest(&skeleton);
    let all: Vec<_> = query.all_parts().to_vec();
    let before = counting::allocations();
    for _ in 0..10 {
        query.place(&body, &model);
        assert!(query.first_contact(&body, &scene, &all).is_some());
        assert!(query.deepest_contact(&body, &scene, &all).is_some());
    }
    assert_eq!(counting::allocations() - before, 0);
}

/// Whether the error is about a shape and its problem has these words.
fn refuses(words: &str, error: RigError) -> bool {
    matches!(error, RigError::Shape { problem, .. } if problem.contains(words))
}

#[test]
fn nonsense_is_refused_or_meets_nothing() {
    let (skeleton, body) = human();
    let mut scene = CollisionScene::new();
    let here = Transform::IDENTITY;
    let bad = |shape: ObstacleShape| CollisionScene::new().add("bad", shape, here).unwrap_err();
    assert!(refuses("sizes", bad(ObstacleShape::Sphere { radius: 0.0 })));
    assert!(refuses("sizes", bad(ObstacleShape::Cuboid { half_extents: Vec3::NAN })));
    assert!(refuses("sizes", bad(ObstacleShape::HalfSpace { normal: Vec3::ZERO })));
    let mesh = |triangles| ObstacleShape::Mesh { vertices: vec![Vec3::ZERO, Vec3::X, Vec3::Y], triangles };
    assert!(refuses("at least one triangle", bad(mesh(vec![]))));
    assert!(refuses("corner", bad(mesh(vec![[0, 1, 7]]))));
    // A triangle of no area is harmless.
    scene.add("needle", mesh(vec![[0, 1, 1], [0, 1, 2]]), Transform::from_translation(Vec3::Y)).unwrap();
    let mut query = CollisionQuery::new(&body);
    assert!(query.first_contact(&body, &scene, query.all_parts()).is_none(), "nothing stands anywhere yet");
    let nowhere = Transform::new(Vec3::NAN, Quat::IDENTITY);
    for id in query.all_parts().to_vec() {
        query.place_at(&body, id, nowhere);
    }
    assert!(query.first_contact(&body, &scene, query.all_parts()).is_none());
    let none =
        BodyPart { name: "p".into(), joint: skeleton.root(), points: vec![], radius: 1.0, inner: false };
    assert!(refuses("points", CollisionBody::from_parts(&skeleton, vec![none]).unwrap_err()));
}

#[test]
fn obstacles_can_be_moved_and_pairs_allowed() {
    let (skeleton, mut body) = human();
    let mut scene = CollisionScene::new();
    for shape in [box_mesh(Vec3::splat(0.1)), ObstacleShape::Cylinder { half_height: 0.1, radius: 0.1 }] {
        let id = scene.add("thing", shape, Transform::from_translation(Vec3::Y * 9.0)).unwrap();
        let query = placed(&skeleton, &body, &Pose::rest(&skeleton));
        assert!(query.first_contact(&body, &scene, query.all_parts()).is_none());
        scene.set_place(id, Transform::from_translation(Vec3::new(0.0, 1.7, 0.1))).unwrap();
        let contact = query.deepest_contact(&body, &scene, query.all_parts()).unwrap();
        assert_eq!(body.parts()[contact.part].name, "head");
        scene.set_place(id, Transform::from_translation(Vec3::Y * 9.0)).unwrap();
    }
    let mut pose = Pose::rest(&skeleton);
    pose.set_rotation(skeleton.find("r_shoulder").unwrap(), rotation::about(Vec3::Z, 0.5));
    let query = placed(&skeleton, &body, &pose);
    let none = CollisionScene::new();
    let mut left = 40;
    while let Some(contact) = query.first_contact(&body, &none, query.all_parts()) {
        let Touched::Part(other) = contact.with else { panic!("{contact:?}") };
        body.allow(contact.part, other, Real::INFINITY);
        left -= 1;
        assert!(left > 0, "allowing a pair takes it out of the answers");
    }
}
