//! Files that a scene brings in besides the rig: ground to walk on, obstacles to reach around.
//!
//! A tab brings a file before a scene may name it. It is read by the readers and within the budget of the
//! command line, held once for all tabs, and forgotten with the rig.

use std::sync::Arc;

use sinew_f64::Vec3;
use sinew_f64::body::walk::Ground;
use sinew_io::obj::TriangleMesh;
use sinew_io::picture::Brightness;
use sinew_io::{gltf, obj, picture};

use super::library::Read;
use crate::server::{Shared, locked};
use crate::store::Stored;
use crate::wire::{ThingDescription, ThingForm};

/// A tab holds on to no more of them.
const MOST: usize = 32;
/// Ground of more is not walked on: every tab makes its own of the file, for the sizes that it asks for.
const MOST_TRIANGLES: usize = 500_000;
const MOST_PIXELS: usize = 1 << 22;
/// Corners are further away than that, in the file's own units, in no file that was meant so.
const FARTHEST: f64 = 1.0e6;

/// What is in a file.
#[derive(Debug, Clone)]
pub enum Thing {
    /// Triangles.
    Mesh(Arc<TriangleMesh>),
    /// Heights from 0 to 1, by the brightness of a picture.
    Map(Arc<Brightness>),
}

/// The files of a tab, by their ids.
#[derive(Debug, Clone, Default)]
pub struct Things {
    list: Vec<(String, Thing)>,
}

impl Things {
    /// Reads a file that was uploaded, and keeps it; says in words why it cannot be.
    pub(crate) fn bring(&mut self, id: &str, shared: &Shared) -> Result<ThingDescription, String> {
        let file = locked(&shared.uploads).get(id).ok_or("this file is no longer kept; drop it again")?;
        let thing = read(&file, shared).map_err(|words| format!("{}: {words}", file.name))?;
        let description = described(id, &file.name, &thing);
        if !self.list.iter().any(|(known, _)| known == id) {
            if self.list.len() >= MOST {
                return Err(format!("{MOST} files were brought in already; open the rig again for more"));
            }
            self.list.push((id.into(), thing));
        }
        Ok(description)
    }

    /// The triangles of a file that was brought.
    pub fn mesh(&self, id: &str) -> Result<&Arc<TriangleMesh>, String> {
        match self.find(id)? {
            Thing::Mesh(mesh) => Ok(mesh),
            Thing::Map(_) => Err("a picture has no triangles".into()),
        }
    }

    /// The heights of a file that was brought.
    pub fn map(&self, id: &str) -> Result<&Arc<Brightness>, String> {
        match self.find(id)? {
            Thing::Map(map) => Ok(map),
            Thing::Mesh(_) => Err("a mesh is no picture of heights".into()),
        }
    }

    fn find(&self, id: &str) -> Result<&Thing, String> {
        let found = self.list.iter().find(|(known, _)| known == id);
        found.map(|(_, thing)| thing).ok_or_else(|| "a file of the scene is not here; drop it again".into())
    }
}

/// Reads a file as what it is, by its first bytes.
fn read(file: &Stored, shared: &Shared) -> Result<Thing, String> {
    const PNG: &[u8] = b"\x89PNG";
    let bytes = &file.bytes;
    if bytes.starts_with(PNG) {
        let map = shared.loaded.get(&file.id, |budget| {
            let map = picture::read_within(bytes, budget).map_err(|error| error.to_string())?;
            let size = size_of_val(&map.pixels[..]) as u64;
            Ok(Read { value: map, bytes: size, is_shared: true })
        })?;
        return Ok(Thing::Map(map));
    }
    let mesh = shared.loaded.get(&file.id, |budget| {
        let text = bytes.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'{');
        let mesh = if gltf::is_glb(bytes) || text {
            gltf::read_mesh_within(bytes, &mut |_| None, budget)
        } else {
            obj::read_within(bytes, budget)
        };
        let mesh = mesh.map_err(|error| error.to_string())?;
        if let Some(far) = mesh.vertices.iter().find(|p| p.abs().max_element() > FARTHEST) {
            return Err(format!("a corner at {}, {}, {}, which is nowhere near", far.x, far.y, far.z));
        }
        let size = size_of_val(&mesh.vertices[..]) + size_of_val(&mesh.triangles[..]);
        Ok(Read { value: mesh, bytes: size as u64, is_shared: true })
    })?;
    Ok(Thing::Mesh(mesh))
}

fn described(id: &str, name: &str, thing: &Thing) -> ThingDescription {
    let form = match thing {
        Thing::Mesh(mesh) => {
            let (low, high) = bounds(mesh);
            ThingForm::Mesh {
                triangles: mesh.triangles.len() as u32,
                low: low.to_array(),
                high: high.to_array(),
            }
        }
        Thing::Map(map) => {
            let rows = map.pixels.len() / map.width.max(1);
            ThingForm::Map { columns: map.width as u32, rows: rows as u32 }
        }
    };
    ThingDescription { id: id.into(), name: name.into(), form }
}

/// The lowest and the highest corner of the box around a mesh. Corners without a triangle count for nothing.
pub fn bounds(mesh: &TriangleMesh) -> (Vec3, Vec3) {
    let corners = mesh.corners().flatten();
    corners.fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(low, high), p| (low.min(p), high.max(p)))
}

/// Ground of a mesh, so many metres a unit.
pub fn mesh_ground(mesh: &TriangleMesh, scale: f64) -> Result<Ground, String> {
    few_enough(mesh.triangles.len(), MOST_TRIANGLES, "triangles")?;
    let triangles: Vec<[Vec3; 3]> = mesh.corners().map(|corners| corners.map(|p| p * scale)).collect();
    Ok(Ground::mesh(&triangles, 0.0))
}

fn few_enough(count: usize, most: usize, what: &str) -> Result<(), String> {
    if count > most {
        return Err(format!("the ground has {count} {what}; the studio walks on up to {most}"));
    }
    Ok(())
}

/// Ground of a map: the height of white and the side of a pixel, in metres.
pub fn map_ground(map: &Brightness, height: f64, cell: f64) -> Result<Ground, String> {
    few_enough(map.pixels.len(), MOST_PIXELS, "pixels")?;
    let heights = map.pixels.iter().map(|bright| bright * height).collect();
    Ground::map(map.width, heights, cell).ok_or_else(|| "a picture without pixels".into())
}

/// A mesh as the page draws it: how many corners and triangles there are, then x, y, z of each corner in
/// single precision and three corners of each triangle; all of four bytes, the low one first.
pub fn packed(mesh: &TriangleMesh) -> Vec<u8> {
    let mut out = Vec::with_capacity(8 + 12 * (mesh.vertices.len() + mesh.triangles.len()));
    for count in [mesh.vertices.len(), mesh.triangles.len()] {
        out.extend((count as u32).to_le_bytes());
    }
    out.extend(mesh.vertices.iter().flat_map(|p| p.to_array()).flat_map(|x| (x as f32).to_le_bytes()));
    out.extend(mesh.triangles.iter().flatten().flat_map(|i| i.to_le_bytes()));
    out
}
