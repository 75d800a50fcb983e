//! The triangles of all nodes of a glTF file, each where its parents put it: obstacles, and ground to walk on.
//!
//! Nothing moves here. A mesh with a skin stands as it was bound, which by the format does not heed its
//! node.

use glam::{DAffine3, DVec3};
use serde::Deserialize;
use serde_json::value::RawValue;
use std::collections::BTreeMap;

use super::accessor::Buffers;
use super::forest::Forest;
use super::{container, document};
use crate::error::{Place, ReadError};
use crate::obj::TriangleMesh;
use crate::{Budget, obj};

const TRIANGLES: u32 = 4;
const STRIP: u32 = 5;
const FAN: u32 = 6;

/// What of the document makes meshes.
#[derive(Deserialize)]
struct Meshes {
    #[serde(default)]
    nodes: Vec<Node>,
    #[serde(default)]
    meshes: Vec<Mesh>,
}

#[derive(Deserialize)]
struct Node {
    mesh: Option<usize>,
    skin: Option<usize>,
}

#[derive(Deserialize)]
struct Mesh {
    #[serde(default)]
    primitives: Vec<Primitive>,
}

#[derive(Deserialize)]
struct Primitive {
    #[serde(default)]
    attributes: BTreeMap<String, usize>,
    indices: Option<usize>,
    mode: Option<u32>,
    #[serde(default)]
    extensions: BTreeMap<String, Box<RawValue>>,
}

/// A primitive that a node shows.
struct Part<'a> {
    primitive: &'a Primitive,
    positions: usize,
    /// Its mesh, and which primitive of it.
    of: [usize; 2],
    place: DAffine3,
}

/// Reads the triangles of all nodes of a .gltf, .glb or .vrm file. Lines and points are passed by.
pub(super) fn read(
    bytes: &[u8],
    sibling: &mut dyn FnMut(&str) -> Option<Vec<u8>>,
    budget: Budget,
) -> Result<TriangleMesh, ReadError> {
    let parts = container::split(bytes)?;
    let document = document::parse(parts.json)?;
    let forest = Forest::new(&document, &mut Vec::new())?;
    let meshes: Meshes = serde_json::from_slice(parts.json).map_err(|error| {
        ReadError::new(Place::Path("meshes".into()), error.to_string(), "meshes with primitives")
    })?;
    // A few hundred kilobytes name a mesh of ten thousand primitives ten thousand times.
    let primitives = |node: &Node| Some(meshes.meshes.get(node.mesh?)?.primitives.len());
    let count = meshes.nodes.iter().filter_map(primitives).fold(0, usize::saturating_add);
    budget.check(count, size_of::<Part>(), || format!("{count} parts of meshes that nodes show"))?;
    let shown = shown(&meshes, &forest)?;
    // The same points and triangles may be shown by many nodes.
    let count = |index: usize| document.accessors.get(index).map_or(0, |accessor| accessor.count as usize);
    let corners = shown.iter().map(|part| count(part.positions)).fold(0, usize::saturating_add);
    let named = |part: &Part| part.primitive.indices.map_or(count(part.positions), count);
    let triangles = shown.iter().map(|part| triangles_of(part.primitive, named(part)));
    obj::check_size(corners, triangles.fold(0, usize::saturating_add), budget)?;

    let mut buffers = Buffers::new(&document, parts.binary, sibling).within(budget);
    let mut mesh = TriangleMesh::default();
    for part in &shown {
        add(part, &mut buffers, &mut mesh)?;
    }
    if mesh.triangles.is_empty() {
        return Err(ReadError::new(Place::Path("meshes".into()), "no triangles", "a mesh with triangles"));
    }
    Ok(mesh)
}

fn triangles_of(primitive: &Primitive, corners: usize) -> usize {
    match primitive.mode.unwrap_or(TRIANGLES) {
        TRIANGLES => corners / 3,
        _ => corners.saturating_sub(2),
    }
}

/// The primitives with triangles, each as often as a node shows it.
fn shown<'a>(meshes: &'a Meshes, forest: &Forest) -> Result<Vec<Part<'a>>, ReadError> {
    let mut world = vec![DAffine3::IDENTITY; forest.locals.len()];
    for &node in &forest.order {
        let local = forest.locals[node].affine();
        world[node] = forest.parents[node].map_or(local, |parent| world[parent] * local);
    }
    let mut shown = Vec::new();
    for (i, node) in meshes.nodes.iter().enumerate() {
        let Some(index) = node.mesh else { continue };
        let Some(mesh) = meshes.meshes.get(index) else {
            let expected = format!("one of the file's {} meshes", meshes.meshes.len());
            let place = Place::Path(format!("nodes[{i}].mesh"));
            return Err(ReadError::new(place, format!("mesh {index}"), expected));
        };
        let place = if node.skin.is_some() { DAffine3::IDENTITY } else { world[i] };
        for (k, primitive) in mesh.primitives.iter().enumerate() {
            if let Some(name) = primitive.extensions.keys().find(|name| name.contains("draco")) {
                let place = Place::Path(path_of([index, k], &format!("extensions.{name}")));
                return Err(ReadError::new(place, "a packed mesh", "a mesh that is not packed by Draco"));
            }
            let Some(&positions) = primitive.attributes.get("POSITION") else { continue };
            if matches!(primitive.mode.unwrap_or(TRIANGLES), TRIANGLES | STRIP | FAN) {
                shown.push(Part { primitive, positions, of: [index, k], place });
            }
        }
    }
    Ok(shown)
}

fn path_of([mesh, primitive]: [usize; 2], what: &str) -> String {
    format!("meshes[{mesh}].primitives[{primitive}].{what}")
}

fn add(part: &Part, buffers: &mut Buffers<'_>, mesh: &mut TriangleMesh) -> Result<(), ReadError> {
    let path = |what: &str| path_of(part.of, what);
    let places = buffers.values(part.positions, "VEC3", &path("attributes.POSITION"))?;
    let count = places.len() / 3;
    let named = match part.primitive.indices {
        Some(accessor) => Some(buffers.values(accessor, "SCALAR", &path("indices"))?),
        None => None,
    };
    if let Some(bad) = named.iter().flat_map(|named| named.iter()).find(|i| !(0.0..count as f64).contains(*i))
    {
        let expected = format!("one of {count} corners");
        return Err(ReadError::new(Place::Path(path("indices")), format!("corner {bad}"), expected));
    }
    let first = mesh.vertices.len();
    let corner = |p: &[f64]| part.place.transform_point3(DVec3::new(p[0], p[1], p[2]));
    mesh.vertices.extend(places.chunks_exact(3).map(corner));
    if !mesh.vertices[first..].iter().all(|place| place.is_finite()) {
        let place = Place::Path(path("attributes.POSITION"));
        return Err(ReadError::new(place, "corners too far away for numbers", "corners near the origin"));
    }
    let total = named.as_ref().map_or(count, |named| named.len());
    let at = |i: usize| (first + named.as_ref().map_or(i, |named| named[i] as usize)) as u32;
    match part.primitive.mode.unwrap_or(TRIANGLES) {
        TRIANGLES => mesh.triangles.extend((0..total / 3).map(|i| [at(3 * i), at(3 * i + 1), at(3 * i + 2)])),
        // Every other triangle of a strip turns the other way.
        STRIP => mesh.triangles.extend((2..total).map(|i| [at(i - 2 + i % 2), at(i - 1 - i % 2), at(i)])),
        _ => mesh.triangles.extend((2..total).map(|i| [at(0), at(i - 1), at(i)])),
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// Four corners of a square of side one in the ground, and the two triangles over it.
    fn square(mode: u32, indices: &[u16], node: serde_json::Value) -> Vec<u8> {
        let mut bin: Vec<u8> = [[0.0f32, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 0.0, 1.0], [0.0, 0.0, 1.0]]
            .iter()
            .flatten()
            .flat_map(|x| x.to_le_bytes())
            .collect();
        bin.extend(indices.iter().flat_map(|i| i.to_le_bytes()));
        let mut uri = "data:application/octet-stream;base64,".to_string();
        use base64::Engine;
        uri += &base64::engine::general_purpose::STANDARD.encode(&bin);
        let document = json!({
            "asset": {"version": "2.0"},
            "nodes": [node, {"scale": [2, 2, 2], "children": [0]}],
            "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1, "mode": mode}]}],
            "accessors": [
                {"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3"},
                {"bufferView": 1, "componentType": 5123, "count": indices.len(), "type": "SCALAR"},
            ],
            "bufferViews": [
                {"buffer": 0, "byteLength": 48},
                {"buffer": 0, "byteOffset": 48, "byteLength": 2 * indices.len()},
            ],
            "buffers": [{"byteLength": bin.len(), "uri": uri}],
        });
        serde_json::to_vec(&document).unwrap()
    }

    fn mesh(bytes: &[u8]) -> Result<TriangleMesh, ReadError> {
        read(bytes, &mut |_| None, Budget::default())
    }

    #[test]
    fn triangles_stand_where_their_nodes_put_them() {
        let node = json!({"mesh": 0, "translation": [0, 3, 0]});
        for (mode, indices) in [(4, &[0, 1, 2, 0, 2, 3][..]), (5, &[0, 1, 3, 2]), (6, &[0, 1, 2, 3])] {
            let read = mesh(&square(mode, indices, node.clone())).unwrap();
            assert_eq!(read.triangles.len(), 2, "{mode}");
            let corners: Vec<_> = read.corners().collect();
            assert!(corners.iter().flatten().all(|p| p.y == 6.0 && (p.x == 0.0 || p.x == 2.0)), "{mode}");
            // Both face the same way, or one of them would be seen from behind.
            let ups = corners.iter().map(|[a, b, c]| (*b - *a).cross(*c - *a).y);
            assert!(ups.clone().all(|up| up < 0.0) || ups.clone().all(|up| up > 0.0), "{mode}");
            assert!((ups.map(f64::abs).sum::<f64>() - 8.0).abs() < 1e-9, "they cover the square: {mode}");
        }
        let skinned = json!({"mesh": 0, "skin": 0, "translation": [0, 3, 0]});
        let read = mesh(&square(4, &[0, 1, 2], skinned)).unwrap();
        assert!(read.vertices.iter().all(|p| p.y == 0.0), "a skin does not heed its node");
    }

    #[test]
    fn what_is_no_mesh_is_refused_with_its_place() {
        let node = json!({"mesh": 0});
        let words = |bytes: &[u8]| mesh(bytes).unwrap_err().to_string();
        assert!(words(&square(4, &[0, 1, 9], node.clone())).contains("corner 9"));
        assert!(words(&square(1, &[0, 1], node.clone())).contains("no triangles"));
        assert!(words(&square(4, &[0, 1, 2], json!({"mesh": 7}))).contains("nodes[0].mesh"));
        assert!(words(&square(4, &[0, 1, 2], json!({}))).contains("no triangles"));
        let sound = String::from_utf8(square(4, &[0, 1, 2], node.clone())).unwrap();
        // The first corner's first number, as base64, becomes NaN.
        let broken = sound.replacen("base64,AAAAAA", "base64,AADAfw", 1);
        assert_ne!(sound, broken);
        assert!(words(broken.as_bytes()).contains("the number NaN"), "{}", words(broken.as_bytes()));
        let packed = sound.replace("\"mode\"", "\"extensions\":{\"KHR_draco_mesh_compression\":{}},\"mode\"");
        assert!(words(packed.as_bytes()).contains("Draco"));
        let error = read(&square(4, &[0, 1, 2], node), &mut |_| None, Budget::new(100)).unwrap_err();
        assert!(error.to_string().contains("memory budget"), "{error}");
    }

    /// Nodes times primitives were listed before anything was counted: 10⁸ of them from 400 kB, whose corners were none.
    #[test]
    fn nodes_times_primitives_are_counted_before_they_are_listed() {
        let nodes = vec![json!({"mesh": 0}); 3000];
        let primitives = vec![json!({"attributes": {"POSITION": 0}}); 3000];
        let document = json!({
            "asset": {"version": "2.0"},
            "nodes": nodes,
            "meshes": [{"primitives": primitives}],
            "accessors": [{"componentType": 5126, "count": 0, "type": "VEC3"}],
        });
        let error = mesh(&serde_json::to_vec(&document).unwrap()).unwrap_err().to_string();
        assert!(error.contains("9000000 parts of meshes") && error.contains("memory budget"), "{error}");
    }
}
