//! What is written to a rig file is read back bit for bit.

#![allow(clippy::unwrap_used, clippy::panic)] // helpers of tests, which clippy takes for more

#[path = "common/files.rs"]
mod files;

use proptest::prelude::*;
use sinew_f64::body::reach::{Behaviour, KeyPosture, KeyValues};
use sinew_f64::limit::{
    AngleRange, Cone, EulerLimit, EulerOrder, Kusudama, KusudamaCone, SphericalPolygon, SplineKnot,
    SwingEllipse, SwingShape, SwingSpline, SwingTwistLimit, UniversalLimit,
};
use sinew_f64::math::Vec2;
use sinew_f64::skeleton::humanoid::{HumanoidBone, Side};
use sinew_f64::{
    Effector, Goal, JointDef, JointKind, JointLimit, Pose, Quat, SkeletonBuilder, Target, Transform, Vec3,
};
use sinew_io::{Alias, Asset, Drive, Mimic, rig};

const PI: f64 = std::f64::consts::PI;

/// Everything but notes, motions and where it came from.
fn assert_same(a: &Asset, b: &Asset) {
    assert_eq!(a.skeleton.name(), b.skeleton.name());
    for (x, y) in a.skeleton.to_builder().joints.iter().zip(&b.skeleton.to_builder().joints) {
        assert_eq!(x, y);
    }
    assert_eq!(a.skeleton.to_builder(), b.skeleton.to_builder());
    assert_eq!(a.roles, b.roles);
    assert_eq!(a.aliases, b.aliases);
    assert_eq!(a.goals, b.goals);
    assert_eq!(a.postures, b.postures);
    assert_eq!(a.behaviours, b.behaviours);
    let sorted = |asset: &Asset| {
        let (mut mimics, mut drives) = (asset.mimics.clone(), asset.drives.clone());
        mimics.sort_by_key(|m| m.joint);
        drives.sort_by_key(|d| d.joint);
        (mimics, drives)
    };
    assert_eq!(sorted(a), sorted(b));
}

fn round_trip(asset: &Asset) -> String {
    let written = rig::write(asset).unwrap();
    let text = String::from_utf8(written.bytes).unwrap();
    let back = rig::read(text.as_bytes(), &mut |_| None).unwrap_or_else(|e| panic!("{e}\n{text}"));
    assert_same(asset, &back);
    let again = String::from_utf8(rig::write(&back).unwrap().bytes).unwrap();
    assert_eq!(text, again, "written twice, the same text");
    text
}

#[test]
fn every_embedded_rig_comes_back() {
    for info in sinew_f64::rigs::all() {
        let asset = Asset::new(info.build());
        let text = round_trip(&asset);
        assert!(text.len() < 400_000, "{}: {} bytes", info.name, text.len());
    }
    for name in ["humanoid:ellipse", "humanoid:spline", "humanoid:kusudama", "humanoid-hands:kusudama"] {
        round_trip(&Asset::new(sinew_f64::rigs::by_name(name).unwrap()));
    }
}

#[test]
fn a_robot_with_links_followers_and_motors_comes_back() {
    let document = sinew_io::urdf::parse(include_bytes!("urdf/crane.urdf")).unwrap();
    round_trip(&document.to_asset(&Default::default()).unwrap());
    let turned = sinew_io::urdf::reroot(&document, "lamp").unwrap();
    round_trip(&turned.to_asset(&Default::default()).unwrap());
}

#[test]
fn robots_of_ours_come_back() {
    for path in files::ending(&files::seeds().join("urdf"), &["urdf"]) {
        round_trip(&sinew_io::read_file(&path).unwrap());
    }
}

#[test]
#[ignore = "needs SINEW_DATA, see docs/data.md"]
fn real_robots_come_back() {
    for path in files::ending(&files::data().join("urdf"), &["urdf"]) {
        round_trip(&sinew_io::read_file(&path).unwrap());
    }
}

#[test]
fn characters_of_ours_take_a_sidecar() {
    characters_take_a_sidecar(&files::ending(&files::seeds().join("gltf"), &["glb", "gltf", "vrm"]));
}

#[test]
#[ignore = "needs SINEW_DATA, see docs/data.md"]
fn real_characters_take_a_sidecar() {
    characters_take_a_sidecar(&files::ending(&files::data().join("rigs"), &["glb", "gltf", "vrm"]));
}

/// Limits, a role, a goal and a posture beside a file that is left alone.
fn characters_take_a_sidecar(paths: &[std::path::PathBuf]) {
    for path in paths {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let base = sinew_io::read_file(path).unwrap();
        let mut asset = base.clone();
        let mut builder = asset.skeleton.to_builder();
        for def in builder.joints.iter_mut().skip(1).step_by(2) {
            def.limit =
                JointLimit::from(SwingTwistLimit::along(Vec3::Y, Vec3::X).swing(Cone::new(0.7))).soft(0.1);
            def.stiffness = 0.5;
        }
        asset.skeleton = builder.build().unwrap();
        let last = asset.skeleton.ids().last().unwrap();
        asset.roles.retain(|(role, _)| role != "jaw");
        asset.roles.push(("jaw".into(), last));
        asset.goals.push(("reach".into(), Goal::position(last, Vec3::ONE)));
        let mut pose = Pose::rest(&asset.skeleton);
        pose.set_rotation(last, Quat::from_rotation_x(0.3));
        asset.postures.push(("nod".into(), pose));

        let sidecar = rig::write_sidecar(&asset, &base, &name).unwrap();
        let folder = path.parent().unwrap();
        let back = rig::read(&sidecar.bytes, &mut |name| std::fs::read(folder.join(name)).ok()).unwrap();
        assert_same(&asset, &back);
        assert_eq!(back.motions.len(), base.motions.len());
    }
}

#[test]
fn a_file_reads_as_one_would_write_it() {
    let mut builder = SkeletonBuilder::new("leg");
    let hip = builder.add(
        JointDef::new("hip").at(Vec3::Y).limit(
            JointLimit::from(
                SwingTwistLimit::along(-Vec3::Y, Vec3::X)
                    .swing(SwingEllipse::new(45f64.to_radians(), 30f64.to_radians()))
                    .twist(-20f64.to_radians(), 40f64.to_radians()),
            )
            .soft(5f64.to_radians()),
        ),
    );
    builder.add(
        JointDef::new("knee")
            .under(hip)
            .at(Vec3::new(0.0, -0.45, 0.0))
            .hinge_range(Vec3::X, 0.0, 150f64.to_radians())
            .tip(Vec3::new(0.0, -0.4, 0.0)),
    );
    let text = round_trip(&Asset::new(builder.build().unwrap()));
    let expected = r#"# A rig of sinew; docs/rig-file.md says what may be here.
sinew_rig = 1
name = "leg"

[[joint]]
name = "hip"
offset = [0.0, 1.0, 0.0]

[joint.limit]
swing = "ellipse"
x = 45.0
y = 30.0
bone = [0.0, -1.0, 0.0]
right = [1.0, 0.0, 0.0]
twist = [-20.0, 40.0]
soft = 5.0

[[joint]]
name = "knee"
parent = "hip"
offset = [0.0, -0.45, 0.0]
kind = "hinge"
axis = [1.0, 0.0, 0.0]
tip = [0.0, -0.4, 0.0]

[joint.limit]
min = 0.0
max = 150.0
"#;
    assert_eq!(text, expected);
}

#[test]
fn what_no_reader_takes_is_not_written() {
    let mut builder = SkeletonBuilder::new("x");
    builder.add(JointDef::new(""));
    let nameless = Asset::new(builder.build().unwrap());
    assert!(rig::write(&nameless).unwrap_err().to_string().contains("a name"));
    let mut asset = Asset::new(sinew_f64::rigs::chain(2, 1.0));
    asset.goals.push(("g".into(), Goal::position(asset.skeleton.root(), Vec3::splat(f64::NAN))));
    assert!(rig::write(&asset).unwrap_err().to_string().contains("goal 'g'"));
}

// Boxed, here and there: nested strategies would fill a test's stack otherwise.

fn numbers() -> impl Strategy<Value = f64> {
    prop_oneof![4 => -3.0f64..3.0, 1 => (-12i32..12).prop_map(|n| f64::from(n) * 0.25), 1 => Just(0.0), 1 => -1.0e-12f64..1.0e-12]
}

fn angles() -> impl Strategy<Value = f64> {
    prop_oneof![(-180i32..=180).prop_map(|n| f64::from(n).to_radians()), -PI..PI]
}

fn half_angles() -> impl Strategy<Value = f64> {
    prop_oneof![(1i32..=120).prop_map(|n| f64::from(n).to_radians()), 0.01f64..2.2]
}

fn vectors() -> impl Strategy<Value = Vec3> {
    prop::array::uniform3(numbers()).prop_map(Vec3::from_array)
}

fn directions() -> BoxedStrategy<Vec3> {
    prop_oneof![
        Just(Vec3::X),
        Just(-Vec3::Y),
        Just(Vec3::Z),
        vectors().prop_map(|v| if v.length() < 0.05 { Vec3::Y } else { v })
    ]
    .boxed()
}

fn rotations() -> BoxedStrategy<Quat> {
    prop_oneof![
        1 => Just(Quat::IDENTITY),
        1 => (0usize..3, -360i32..360).prop_map(|(axis, degrees)| {
            let axis = [Vec3::X, Vec3::Y, Vec3::Z][axis];
            sinew_f64::math::rotation::about(axis, f64::from(degrees).to_radians())
        }),
        3 => (directions(), angles()).prop_map(|(axis, angle)| Quat::from_axis_angle(axis.normalize(), angle)),
    ]
    .boxed()
}

fn transforms() -> BoxedStrategy<Transform> {
    (vectors(), rotations()).prop_map(|(t, r)| Transform::new(t, r)).boxed()
}

fn ranges() -> impl Strategy<Value = AngleRange> {
    (angles(), angles()).prop_map(|(a, b)| AngleRange { min: a.min(b), max: a.max(b) })
}

/// Corners about z, in order, so that they make a polygon.
fn polygons() -> BoxedStrategy<SphericalPolygon> {
    prop::collection::vec(0.3f64..1.2, 3..9)
        .prop_map(|radii| {
            let count = radii.len() as f64;
            SphericalPolygon::new(radii.into_iter().enumerate().map(|(i, radius)| {
                let (s, c) = (i as f64 / count * 2.0 * PI).sin_cos();
                Vec3::new(c * radius.sin(), s * radius.sin(), radius.cos())
            }))
        })
        .boxed()
}

fn splines() -> BoxedStrategy<SwingSpline> {
    prop::collection::vec(half_angles(), 3..9)
        .prop_map(|amplitudes| {
            let count = amplitudes.len() as f64;
            SwingSpline::from_knots(
                amplitudes
                    .into_iter()
                    .enumerate()
                    .map(|(i, amplitude)| SplineKnot {
                        circumduction: i as f64 / count * 6.0 - 3.0,
                        amplitude,
                    })
                    .collect(),
            )
        })
        .boxed()
}

fn kusudamas() -> BoxedStrategy<Kusudama> {
    prop::collection::vec((-0.7f64..0.7, -0.7f64..0.7, 0.05f64..0.5, prop::option::of(0.2f64..1.0)), 1..6)
        .prop_map(|cones| {
            let cone = |(x, y, radius, tangent)| KusudamaCone { axis: Vec3::new(x, y, 1.0), radius, tangent };
            Kusudama::from_cones(cones.into_iter().map(cone).collect())
        })
        .boxed()
}

fn swings() -> BoxedStrategy<SwingShape> {
    prop_oneof![
        Just(SwingShape::Free),
        half_angles().prop_map(|radius| Cone { radius }.into()),
        (half_angles(), half_angles()).prop_map(|(x, y)| SwingEllipse { x, y }.into()),
        polygons().prop_map(Into::into),
        splines().prop_map(Into::into),
        kusudamas().prop_map(Into::into),
    ]
    .boxed()
}

fn swing_twists() -> BoxedStrategy<SwingTwistLimit> {
    let frames = prop_oneof![
        (directions(), directions())
            .prop_map(|(bone, right)| SwingTwistLimit::along(bone.normalize(), right)),
        (directions(), directions(), directions()).prop_map(
            |(bone, centre, right)| SwingTwistLimit::centred(bone.normalize(), centre.normalize(), right)
        ),
        (rotations(), rotations()).prop_map(|(frame, rest)| SwingTwistLimit {
            frame,
            rest,
            ..SwingTwistLimit::along(Vec3::Z, Vec3::X)
        }),
    ];
    (frames, swings(), prop::option::of(ranges()))
        .prop_map(|(limit, swing, twist)| SwingTwistLimit { swing, twist, ..limit })
        .boxed()
}

/// A kind and a limit that fits it.
fn kinds_and_limits() -> BoxedStrategy<(JointKind, JointLimit)> {
    let hinge = (directions(), prop::option::of(ranges())).prop_map(|(axis, range)| {
        let limit = range.map_or(JointLimit::None, |r| JointLimit::hinge(axis, r.min, r.max));
        (JointKind::Hinge { axis }, limit)
    });
    let prismatic =
        (directions(), prop::option::of((-1.0f64..0.0, 0.0f64..1.0))).prop_map(|(axis, range)| {
            let limit = range.map_or(JointLimit::None, |(low, high)| JointLimit::prismatic(axis, low, high));
            (JointKind::Prismatic { axis }, limit)
        });
    let universal = (directions(), directions(), prop::option::of((ranges(), ranges()))).prop_map(
        |(first, second, range)| {
            // Two axes that are not parallel, at right angles as the builder makes them.
            let first = first.normalize();
            let second = second - first * first.dot(second);
            let second =
                if second.length() < 0.1 { first.any_orthonormal_vector() } else { second.normalize() };
            let limit =
                range.map_or(JointLimit::None, |(a, b)| UniversalLimit::new([first, second], a, b).into());
            (JointKind::Universal { first, second }, limit)
        },
    );
    let euler =
        (0usize..6, prop::array::uniform3(ranges()), rotations()).prop_map(|(order, ranges, frame)| {
            EulerLimit { frame, order: EulerOrder::ALL[order], ranges }.into()
        });
    let ball = (
        prop_oneof![Just(JointKind::Ball), Just(JointKind::Free)],
        prop_oneof![1 => Just(JointLimit::None), 2 => euler, 5 => swing_twists().prop_map(Into::into)],
    );
    let soft = prop_oneof![Just(0.0), 0.0f64..0.3, Just(5f64.to_radians())];
    let any = prop_oneof![1 => Just((JointKind::Fixed, JointLimit::None)), 2 => hinge, 2 => prismatic, 2 => universal, 6 => ball];
    (any, soft)
        .prop_map(|((kind, limit), soft)| {
            let soft = if limit.is_none() { 0.0 } else { soft };
            (kind, limit.soft(soft))
        })
        .boxed()
}

fn names() -> BoxedStrategy<String> {
    prop_oneof![
        "[a-z]{1,8}",
        "\\PC{1,6}",
        Just("mixamorig:Hips".to_owned()),
        Just("a \"b\"\n\t\\".to_owned()),
        Just("\u{1}\u{7f}é".to_owned())
    ]
    .boxed()
}

/// A skeleton whose limits the engine takes; the few that make no region are dropped.
fn skeletons() -> BoxedStrategy<SkeletonBuilder> {
    let joint = (
        names(),
        any::<prop::sample::Index>(),
        transforms(),
        kinds_and_limits(),
        prop::option::of(vectors()),
        prop_oneof![Just(0.0), 0.0f64..1.0],
    );
    prop::collection::vec(joint, 1..10)
        .prop_map(|joints| {
            let mut builder = SkeletonBuilder::new("made \"up\"");
            for (i, (name, parent, rest, (kind, limit), tip, stiffness)) in joints.into_iter().enumerate() {
                let mut def =
                    JointDef::new(format!("{name}{i}")).kind(kind).limit(limit).stiffness(stiffness);
                def.parent = (i > 0).then(|| parent.index(i));
                def.rest = rest;
                def.tip = tip;
                let alone = SkeletonBuilder {
                    name: String::new(),
                    joints: vec![JointDef { parent: None, ..def.clone() }],
                };
                if alone.build().is_err() {
                    def.limit = JointLimit::None;
                }
                builder.add(def);
            }
            builder
        })
        .boxed()
}

#[test]
fn the_behaviours_of_a_human_come_back() {
    use sinew_f64::body::reach::Style;
    use sinew_f64::skeleton::humanoid::HumanoidMap;
    let mut asset = Asset::new(sinew_f64::rigs::by_name("humanoid").unwrap());
    let map = HumanoidMap::find(&asset.skeleton);
    for style in Style::ALL {
        for side in Side::BOTH {
            asset.behaviours.push(style.behaviour(&asset.skeleton, &map, side).unwrap());
        }
    }
    // A stance that has a name of its own is written by it.
    asset.postures.push(("slumped".into(), asset.behaviours[2].stance().unwrap().clone()));
    let text = round_trip(&asset);
    assert!(text.contains("stance = \"slumped\"") && text.len() < 600_000, "{}", text.len());
    // As a sidecar of the plain rig, too.
    let base = Asset::new(asset.skeleton.clone());
    let written = rig::write_sidecar(&asset, &base, "human.rig.toml").unwrap();
    let skeleton = rig::write(&base).unwrap().bytes;
    let back = rig::read(&written.bytes, &mut |_| Some(skeleton.clone())).unwrap();
    assert_eq!(back.behaviours, asset.behaviours);
}

/// Everything that an asset can carry besides its skeleton.
fn assets() -> BoxedStrategy<Asset> {
    let target = (0usize..5, vectors(), rotations(), directions());
    let goal = (
        names(),
        any::<prop::sample::Index>(),
        transforms(),
        target,
        prop::array::uniform2(0.1f64..2.0),
        prop::array::uniform2(prop_oneof![Just(Vec3::ONE), Just(Vec3::new(1.0, 0.0, 0.5))]),
        0u32..4,
    );
    let posture = (
        names(),
        prop::collection::vec((any::<prop::sample::Index>(), rotations(), vectors(), angles()), 0..6),
    );
    let numbers =
        prop::collection::vec((any::<prop::sample::Index>(), prop::option::of(0.0f64..9.0), numbers()), 0..4);
    (
        skeletons(),
        prop::collection::vec(goal, 0..4),
        prop::collection::vec(posture, 0..3),
        prop::collection::vec((names(), any::<prop::sample::Index>(), transforms()), 0..4),
        numbers,
    )
        .prop_map(|(builder, goals, postures, aliases, numbers)| {
            let mut asset = Asset::new(builder.build_sorted().unwrap_or_else(|e| panic!("{e}")));
            let skeleton = asset.skeleton.clone();
            let id = |index: &prop::sample::Index| skeleton.id(index.index(skeleton.len())).unwrap();
            for (i, (name, joint, offset, (kind, at, turned, axis), weights, axes, priority)) in
                goals.iter().enumerate()
            {
                let target = match kind {
                    0 => Target::Position(*at),
                    1 => Target::Orientation(*turned),
                    2 => Target::Pose(Transform::new(*at, *turned)),
                    3 => Target::Aim { axis: *axis, at: *at },
                    _ => Target::Contact { axis: *axis, at: *at, normal: *turned * *axis },
                };
                let mut goal = Goal::new(Effector { joint: id(joint), offset: *offset }, target);
                goal = goal.weights(weights[0], weights[1]).priority(*priority);
                (goal.position_axes, goal.orientation_axes) = (axes[0], axes[1]);
                goal.relative_to = (weights[0] > 1.0).then(|| id(joint));
                asset.goals.push((format!("{name}{i}"), goal));
            }
            for (i, (name, motions)) in postures.iter().enumerate() {
                let mut pose = Pose::rest(&skeleton);
                for (joint, rotation, shift, angle) in motions {
                    let joint = id(joint);
                    match skeleton.joint(joint).kind() {
                        JointKind::Hinge { axis } => {
                            pose.set_rotation(joint, sinew_f64::math::rotation::about(axis, *angle));
                        }
                        JointKind::Prismatic { axis } => pose.set_translation(joint, axis * *angle),
                        _ => {
                            pose.set_rotation(joint, *rotation);
                            pose.set_translation(joint, *shift);
                        }
                    }
                }
                asset.postures.push((format!("{name}{i}"), pose));
            }
            // The postures once more, as keys of a behaviour, named and in place.
            let keys = |shift: f64| {
                let swing = |i: usize| Vec2::new(0.3 * i as f64 - 0.7, shift + 0.1 * i as f64);
                let values = KeyValues {
                    swivel: shift,
                    step: 0.1 + shift,
                    start: shift,
                    full: 1.0 + 2.0 * shift,
                    stretch: 1.0 - 0.1 * shift,
                    ..KeyValues::default()
                };
                let rest = (String::new(), Pose::rest(&skeleton));
                let poses = std::iter::repeat_n(&rest, 4).chain(&asset.postures);
                poses
                    .enumerate()
                    .map(|(i, (_, pose))| KeyPosture { swing: swing(i), pose: pose.clone(), values })
                    .collect()
            };
            for (i, (name, _)) in asset.postures.iter().enumerate() {
                let shift = 0.1 + 0.237 * i as f64;
                let behaviour = Behaviour::from_keys(name.clone(), Side::BOTH[i % 2], &skeleton, keys(shift));
                asset.behaviours.push(behaviour.unwrap_or_else(|e| panic!("{e}")));
            }
            for (i, (name, joint, frame)) in aliases.iter().enumerate() {
                asset.aliases.push(Alias {
                    name: format!("link {name}{i}"),
                    joint: id(joint),
                    frame: *frame,
                });
            }
            for (i, bone) in HumanoidBone::all().take(aliases.len()).enumerate() {
                asset.roles.push((bone.name().to_owned(), id(&aliases[i].1)));
            }
            for (joint, velocity, number) in &numbers {
                let joint = id(joint);
                if asset.drives.iter().any(|d| d.joint == joint) {
                    continue;
                }
                asset.drives.push(Drive {
                    joint,
                    velocity: *velocity,
                    effort: velocity.map(|v| v * 3.0),
                    soft_lower: Some(*number),
                    soft_upper: None,
                });
                if skeleton.joint(joint).kind().degrees_of_freedom() == 1 && joint != skeleton.root() {
                    let source = skeleton.root();
                    asset.mimics.push(Mimic { joint, source, multiplier: *number, offset: *number * 0.3 });
                }
            }
            asset
        })
        .boxed()
}

/// The properties above say little if the limits they are about were never made.
#[test]
fn limits_of_every_shape_are_among_them() {
    use proptest::strategy::ValueTree;
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let mut seen = std::collections::BTreeSet::new();
    for _ in 0..300 {
        for def in skeletons().new_tree(&mut runner).unwrap().current().joints {
            seen.insert(def.limit.name());
        }
    }
    let expected = [
        "Euler box",
        "Kusudama",
        "cone",
        "ellipse",
        "hinge",
        "none",
        "polygon",
        "prismatic",
        "spline",
        "twist",
        "universal",
    ];
    let plain = |name: &str| name.to_lowercase().replace(" box", "");
    let seen: Vec<String> = seen.into_iter().map(plain).collect();
    for shape in expected.map(plain) {
        assert!(seen.contains(&shape), "{shape}: {seen:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_rig_comes_back(asset in assets()) {
        round_trip(&asset);
    }

    #[test]
    fn any_sidecar_comes_back(asset in assets()) {
        // The skeleton's own file has the tree and nothing else.
        let mut bare = asset.skeleton.to_builder();
        for def in &mut bare.joints {
            *def = JointDef {
                kind: JointKind::Ball,
                limit: JointLimit::None,
                tip: None,
                stiffness: 0.0,
                ..def.clone()
            };
        }
        let base = Asset::new(bare.build().unwrap());
        let base_file = rig::write(&base).unwrap().bytes;
        let sidecar = rig::write_sidecar(&asset, &base, "bare.rig.toml").unwrap().bytes;
        let text = String::from_utf8_lossy(&sidecar).into_owned();
        let mut asked = Vec::new();
        let back = rig::read(&sidecar, &mut |name| {
            asked.push(name.to_owned());
            Some(base_file.clone())
        });
        prop_assert_eq!(asked, ["bare.rig.toml"]);
        match back {
            Ok(back) => assert_same(&asset, &back),
            Err(error) => panic!("{error}\n{text}"),
        }
    }
}
