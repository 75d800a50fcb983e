//! Files that are broken, or made to break us.

use std::time::{Duration, Instant};

use proptest::prelude::*;
use serde_json::{Value, json};
use sinew_f64::math::rotation;
use sinew_f64::{ModelPose, Pose, Vec3};
use sinew_io::gltf::{Container, WriteOptions, read, write};

use sinew_io::{Asset, Motion};

use crate::made::{self, Numbers, glb, glb_of, refused};

/// Reads, within a time; what comes out must be sound.
fn survive(bytes: &[u8]) {
    let start = Instant::now();
    if let Ok(asset) = read(bytes, &mut |_| None) {
        for motion in &asset.motions {
            assert!(motion.frame_time.is_finite() && !motion.frames.is_empty());
            for pose in &motion.frames {
                let model = ModelPose::new(&asset.skeleton, pose);
                assert!(model.positions().iter().all(|place| place.is_finite()));
                assert!(model.rotations().iter().all(|turn| (turn.length() - 1.0).abs() < 1e-6));
            }
        }
        assert!(asset.roles.iter().all(|(_, joint)| asset.skeleton.contains(*joint)));
        rewrite(asset);
    }
    assert!(start.elapsed() < Duration::from_secs(5), "took {:?}", start.elapsed());
}

/// Whatever was read can be written again, with a pose and a motion more, or
/// is refused; what was written can be read.
fn rewrite(mut asset: Asset) {
    let mut pose = Pose::rest(&asset.skeleton);
    for id in asset.skeleton.ids() {
        pose.set_rotation(id, rotation::exp(Vec3::new(0.4, 0.0, 0.1)));
    }
    asset.motions.push(Motion::new("more", 0.1, vec![pose.clone(); 2]));
    asset.pose = Some(pose);
    for container in [Container::Glb, Container::Gltf] {
        let Ok(written) = write(&asset, &WriteOptions { container, ..Default::default() }) else { continue };
        let again = read(&written.bytes, &mut |_| None).unwrap();
        assert_eq!(again.skeleton.len(), asset.skeleton.len());
    }
    let _ = sinew_io::gltf::write_vrm(&asset, &WriteOptions::default());
    let _ = sinew_io::gltf::write_vrma(&asset, &WriteOptions::default());
}

#[test]
fn every_cut_of_a_file_is_an_error() {
    let whole = write(&made::asset(), &WriteOptions::default()).unwrap().bytes;
    for end in (0..whole.len()).step_by(7) {
        assert!(read(&whole[..end], &mut |_| None).is_err(), "cut at {end}");
    }
    let text = WriteOptions { container: Container::Gltf, bones: false, ..Default::default() };
    let whole = write(&made::asset(), &text).unwrap().bytes;
    for end in (0..whole.len()).step_by(101) {
        assert!(read(&whole[..end], &mut |_| None).is_err(), "cut at {end}");
    }
}

#[test]
fn errors_name_their_place() {
    let cases: [(Value, &str); 16] = [
        (json!({"nodes": [{"children": [1]}, {"children": [0]}]}), "nodes[0].children"),
        (json!({"nodes": [{"children": [4]}]}), "nodes[0].children[0]"),
        (json!({"nodes": [{"translation": [0, 1e39, 0]}]}), "nodes[0].translation"),
        (json!({"nodes": []}), "nodes"),
        (json!({"nodes": [{}], "scene": 3}), "scene"),
        (json!({"nodes": [{}], "scenes": [{"nodes": [1]}]}), "scenes[0].nodes[0]"),
        (json!({"nodes": [{}], "skins": [{"joints": []}]}), "skins[0].joints"),
        (json!({"nodes": [{}], "skins": [{"joints": [0, 7]}]}), "skins[0].joints[1]"),
        (json!({"nodes": [{}, {}], "skins": [{"joints": [0, 1]}]}), "skins[0].joints"),
        (json!({"nodes": [{}], "skins": [{"joints": [0], "skeleton": 5}]}), "skins[0].skeleton"),
        (
            json!({"nodes": [{}], "skins": [{"joints": [0], "inverseBindMatrices": 5}]}),
            "skins[0].inverseBindMatrices",
        ),
        (animated(json!({"node": 9, "path": "scale"}), 0), "animations[0].channels[0].target.node"),
        (animated(json!({"node": 0, "path": "colour"}), 0), "animations[0].channels[0].target.path"),
        (animated(json!({"node": 0, "path": "scale"}), 4), "animations[0].channels[0].sampler"),
        (animated(json!({"node": 0, "path": "rotation"}), 0), "accessors[1]"),
        (animated(json!({"node": 0}), 0), "animations[0].channels[0].target"),
    ];
    for (document, place) in cases {
        let said = refused(&glb(document.clone(), &[]));
        assert!(said.starts_with(&format!("at {place}: found ")), "{document}: {said}");
        assert!(said.contains(", expected "), "{said}");
    }
}

fn animated(target: Value, sampler: usize) -> Value {
    json!({
        "nodes": [{}],
        "accessors": [{"componentType": 5126, "count": 1, "type": "SCALAR"},
            {"componentType": 5126, "count": 1, "type": "VEC3"}],
        "animations": [{"channels": [{"sampler": sampler, "target": target}],
            "samplers": [{"input": 0, "output": 1}]}]
    })
}

#[test]
fn bad_keys_are_refused_with_their_place() {
    let moved = |times: &[f32], values: &[f32]| {
        let mut numbers = Numbers::default();
        numbers.add("SCALAR", 1, times.iter().copied());
        numbers.add("VEC4", 4, values.iter().copied());
        refused(&numbers.glb(json!({
            "nodes": [{}],
            "animations": [{"channels": [{"sampler": 0, "target": {"node": 0, "path": "rotation"}}],
                "samplers": [{"input": 0, "output": 1}]}]
        })))
    };
    let unit = [0.0, 0.0, 0.0, 1.0];
    assert!(moved(&[0.0, f32::NAN], &[unit, unit].concat()).contains("accessors[0]"));
    assert!(moved(&[0.0, 1.0], &[unit, [0.0, f32::INFINITY, 0.0, 1.0]].concat()).contains("element 1"));
    assert!(moved(&[1.0, 0.0], &[unit, unit].concat()).contains("samplers[0].input"));
    assert!(moved(&[0.0, 1.0], &unit).contains("samplers[0].output"));
    assert!(moved(&[0.0, 1.0], &[unit, [0.0; 4]].concat()).contains("length zero at key 1"));
}

#[test]
fn small_files_cannot_ask_for_much() {
    // A second and a thousand years; many joints; many animations of them.
    let mut numbers = Numbers::default();
    numbers.add("SCALAR", 1, [0.0, 0.001, 3.0e10]);
    numbers.add("VEC3", 3, [0.0; 9]);
    let animation = json!({"channels": [{"sampler": 0, "target": {"node": 0, "path": "translation"}}],
        "samplers": [{"input": 0, "output": 1}]});
    let joints = 20_000;
    let mut nodes: Vec<Value> = (1..joints).map(|i| json!({"children": [i]})).collect();
    nodes.push(json!({}));
    survive(&numbers.glb(json!({"nodes": nodes, "animations": vec![animation; 2000]})));

    // Elements out of nothing.
    for count in [1u64 << 19, 1 << 40, u64::MAX] {
        let document = json!({
            "nodes": [{}],
            "accessors": [{"componentType": 5126, "count": count, "type": "SCALAR"},
                {"componentType": 5126, "count": count, "type": "VEC3"}],
            "animations": [{"channels": [{"sampler": 0, "target": {"node": 0, "path": "scale"}}],
                "samplers": [{"input": 0, "output": 1}]}]
        });
        let said = refused(&glb(document, &[]));
        assert!(said.contains("elements on top") || said.contains("keys together"), "{said}");
    }
}

#[test]
fn many_channels_over_the_same_keys_end_in_an_error_soon() {
    let keys = 50_000;
    let mut numbers = Numbers::default();
    numbers.add("SCALAR", 1, (0..keys).map(|i| i as f32 / 30.0));
    numbers.add("VEC3", 3, (0..keys * 3).map(|i| i as f32));
    let count = 3000;
    let nodes: Vec<Value> = (0..count).map(|_| json!({})).collect();
    let channels: Vec<Value> =
        (0..count).map(|i| json!({"sampler": 0, "target": {"node": i, "path": "translation"}})).collect();
    let file = numbers.glb(json!({
        "nodes": nodes,
        "animations": [{"channels": channels, "samplers": [{"input": 0, "output": 1}]}]
    }));
    survive(&file);
    assert!(refused(&file).contains("keys together with those before"));
}

#[test]
fn what_is_kept_in_extras_is_not_trusted() {
    let kept =
        |sinew: Value| made::read(&glb(json!({"nodes": [{"name": "a", "extras": {"sinew": sinew}}]}), &[]));
    for bad in [
        json!(3),
        json!({"kind": "Wheel"}),
        json!({"tip": [1, 2]}),
        json!({"stiffness": 7}),
        json!({"kind": {"Hinge": {"axis": [0, 0, 0]}}}),
        json!({"tip": [1e308, 1e308, 1e308], "stiffness": -1}),
    ] {
        let asset = kept(bad.clone());
        assert!(made::notes(&asset).contains("extras.sinew"), "{bad}: {}", made::notes(&asset));
        assert_eq!(asset.skeleton.joints()[0].tip(), None);
    }
    let asset = kept(json!({"tip": [1, 2, 3], "something new": 1}));
    assert_eq!(asset.skeleton.joints()[0].tip(), Some(glam::DVec3::new(1.0, 2.0, 3.0)));
    let other = made::read(&glb(json!({"nodes": [{"name": "a", "extras": [1, "x"]}]}), &[]));
    assert!(!made::notes(&other).contains("extras"));
}

/// Changes one value somewhere in a document.
fn disturb(value: &mut Value, at: usize, with: &Value) -> Result<(), usize> {
    if at == 0 {
        *value = with.clone();
        return Ok(());
    }
    let mut left = at - 1;
    let children: Vec<&mut Value> = match value {
        Value::Array(items) => items.iter_mut().collect(),
        Value::Object(fields) => fields.values_mut().collect(),
        _ => Vec::new(),
    };
    for child in children {
        match disturb(child, left, with) {
            Ok(()) => return Ok(()),
            Err(rest) => left = rest,
        }
    }
    Err(left)
}

/// The two chunks of a GLB of ours.
pub fn chunks(file: &[u8]) -> (Value, Vec<u8>) {
    let length = u32::from_le_bytes([file[12], file[13], file[14], file[15]]) as usize;
    (serde_json::from_slice(&file[20..20 + length]).unwrap(), file[28 + length..].to_vec())
}

fn strange() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(json!(null)),
        Just(json!(-1)),
        Just(json!(0)),
        Just(json!(1)),
        Just(json!(5)),
        Just(json!(1e308)),
        Just(json!(u64::MAX)),
        Just(json!([])),
        Just(json!({})),
        Just(json!("VEC3")),
        Just(json!("CUBICSPLINE")),
        Just(json!([0, 0, 0, 0])),
        Just(json!([1e38, -1e38, 1e38])),
        (0u64..200).prop_map(|n| json!(n)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn garbage_is_survived(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        survive(&bytes);
        survive(&glb_of(&bytes, &bytes));
        let mut braced = b"{".to_vec();
        braced.extend(&bytes);
        survive(&braced);
    }

    #[test]
    fn changed_bytes_are_survived(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..12)
    ) {
        let mut file = write(&made::asset(), &WriteOptions { bones: false, ..Default::default() }).unwrap().bytes;
        for (at, byte) in changes {
            let at = at.index(file.len());
            file[at] = byte;
        }
        survive(&file);
    }

    #[test]
    fn changed_documents_are_survived(
        changes in prop::collection::vec((0usize..700, strange()), 1..4)
    ) {
        let (mut document, binary) =
            chunks(&write(&made::asset(), &WriteOptions { bones: false, ..Default::default() }).unwrap().bytes);
        for (at, with) in changes {
            let _ = disturb(&mut document, at, &with);
        }
        survive(&glb_of(document.to_string().as_bytes(), &binary));
    }
}
