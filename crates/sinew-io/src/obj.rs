//! Meshes from Wavefront OBJ files: obstacles, and ground to walk on.

use std::path::Path;

use sinew_f64::Vec3;

use crate::error::quoted;
use crate::read::open;
use crate::text::lines;
use crate::text::number::any_number;
use crate::{Budget, Place, ReadError};

/// Triangles that share their corners.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TriangleMesh {
    /// The corners, in the file's units and axes, which OBJ says nothing about.
    pub vertices: Vec<Vec3>,
    /// The corners of each triangle, as indices.
    pub triangles: Vec<[u32; 3]>,
}

impl TriangleMesh {
    /// The corners of each triangle.
    pub fn corners(&self) -> impl Iterator<Item = [Vec3; 3]> + '_ {
        self.triangles.iter().map(|triangle| triangle.map(|i| self.vertices[i as usize]))
    }
}

/// Reads the triangles of all objects of a file; faces with more corners are
/// cut into triangles. Materials, normals and texture coordinates are passed by.
///
/// ```
/// let mesh = sinew_io::obj::read(b"v 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0 1\nf 1 2 3 4\n")?;
/// assert_eq!((mesh.vertices.len(), mesh.triangles.len()), (4, 2));
/// # Ok::<(), sinew_io::ReadError>(())
/// ```
pub fn read(bytes: &[u8]) -> Result<TriangleMesh, ReadError> {
    read_within(bytes, Budget::default())
}

/// Bytes of a corner while it is read: the file's numbers, a table of those that were met, its place.
const CORNER: usize = 128;
/// Bytes of a triangle: its corners as they are named, as indices, and as whoever asked sorts them.
const TRIANGLE: usize = 384;

/// What a file asks for, found without holding any of it. A corner must be three finite numbers also
/// where no face uses it: it says that the file is broken.
fn check(bytes: &[u8], budget: Budget) -> Result<(), ReadError> {
    let (mut corners, mut triangles) = (0usize, 0usize);
    for (number, line) in lines(bytes) {
        let mut words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
        match words.next() {
            Some(b"v") => {
                corners += 1;
                for axis in ["x", "y", "z"] {
                    let word = words.next().unwrap_or_default();
                    if any_number(word).is_none() {
                        let found = quoted(&String::from_utf8_lossy(word));
                        let expected = format!("{axis} of a corner, a finite number");
                        return Err(ReadError::new(Place::Line(number), found, expected));
                    }
                }
            }
            Some(b"f") => triangles += words.count().saturating_sub(2),
            _ => {}
        }
    }
    check_size(corners, triangles, budget)
}

/// Refuses a mesh of so many corners and triangles that does not fit.
pub(crate) fn check_size(corners: usize, triangles: usize, budget: Budget) -> Result<(), ReadError> {
    budget.check(corners, CORNER, || format!("{corners} corners"))?;
    budget.check(triangles, TRIANGLE, || format!("{triangles} triangles"))
}

/// [`read`] with another budget of memory.
pub fn read_within(bytes: &[u8], budget: Budget) -> Result<TriangleMesh, ReadError> {
    check(bytes, budget)?;
    let wrong = |found: String| ReadError::new(Place::File, found, "a Wavefront OBJ file with triangles");
    let options = tobj::LoadOptions { triangulate: true, single_index: true, ..Default::default() };
    let (models, _) = tobj::load_obj_buf(&mut &*bytes, &options, |_| Ok(Default::default()))
        .map_err(|error| wrong(error.to_string()))?;
    let mut mesh = TriangleMesh::default();
    for model in &models {
        let first = mesh.vertices.len() as u32;
        let places = model.mesh.positions.chunks_exact(3);
        mesh.vertices.extend(places.map(|p| Vec3::new(p[0].into(), p[1].into(), p[2].into())));
        let count = mesh.vertices.len() as u32;
        for corners in model.mesh.indices.chunks_exact(3) {
            let triangle = [corners[0], corners[1], corners[2]].map(|i| i.saturating_add(first));
            if triangle.iter().any(|&i| i >= count) {
                return Err(wrong(format!("a face of '{}' with a corner that there is none of", model.name)));
            }
            mesh.triangles.push(triangle);
        }
    }
    if !mesh.vertices.iter().all(|place| place.is_finite()) {
        return Err(wrong("a corner that is not finite".into()));
    }
    if mesh.triangles.is_empty() {
        return Err(wrong("no triangles".into()));
    }
    Ok(mesh)
}

/// [`read_within`] for a file.
pub fn read_file(path: impl AsRef<Path>, budget: Budget) -> Result<TriangleMesh, ReadError> {
    let path = path.as_ref();
    read_within(&open(path)?, budget).map_err(|error| error.in_file(path.display().to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn triangles_beyond_the_budget_are_refused_before_they_are_made() {
        let face: String = (1..=1000).map(|i| format!(" {i}")).collect();
        let text = "v 0 0 0\n".repeat(1000) + "f" + &face + "\n";
        let error = read_within(text.as_bytes(), Budget::new(300_000)).unwrap_err().to_string();
        assert!(error.contains("998 triangles, which would take 383.2 kB"), "{error}");
        assert_eq!(read(text.as_bytes()).unwrap().triangles.len(), 998);
    }

    #[test]
    fn objects_are_one_mesh_and_nonsense_is_refused() {
        let two = b"o a\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\no b\nv 5 0 0\nf 4//1 2 3\n";
        let mesh = read(two).unwrap();
        assert_eq!(mesh.triangles.len(), 2);
        assert!(mesh.corners().flatten().any(|corner| corner.x == 5.0));
        for bad in [
            &b""[..],
            b"v 0 0\n",
            b"f 1 2 3\n",
            b"v 0 0 0\nf 1 2 9\n",
            b"v nan 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n",
            b"\xff\xfe",
            // A corner that no face uses says all the same that the file is broken.
            b"v nan 0 0\nv 1 0 0\nv 0 0 1\nv 0 0 0\nf 2 3 4\n",
        ] {
            assert!(read(bad).is_err(), "{}", String::from_utf8_lossy(bad));
        }
        assert!(read_file("/nowhere/x.obj", Budget::default()).unwrap_err().to_string().contains("x.obj"));
    }
}
