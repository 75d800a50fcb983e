//! Meshes from STL files, as robots bring them: binary, or as text.
//!
//! A file of either kind may begin with `solid`. It is binary if its length is exactly what its count of triangles
//! asks for; otherwise it is text if it begins with that word and holds no zero byte, which text never does and the
//! numbers of a binary file nearly always do. What is left is binary if there is enough of it. The reader is our own: a binary file is one list of numbers, and those
//! on the shelf hold the whole mesh before anyone can ask how large it is.

use sinew_f64::Vec3;

use crate::error::quoted;
use crate::obj::TriangleMesh;
use crate::text::lines;
use crate::text::number::any_number;
use crate::{Budget, Place, ReadError};

const HEAD: usize = 84;
const EACH: usize = 50;
/// Bytes of a triangle and its three corners in memory.
const TRIANGLE: usize = 84;

/// Reads the triangles of a file. Every triangle has corners of its own.
///
/// ```
/// let text = b"solid s\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid\n";
/// assert_eq!(sinew_io::stl::read_within(text, sinew_io::Budget::default())?.triangles.len(), 1);
/// # Ok::<(), sinew_io::ReadError>(())
/// ```
pub fn read_within(bytes: &[u8], budget: Budget) -> Result<TriangleMesh, ReadError> {
    let count = bytes.get(80..HEAD).and_then(|count| count.try_into().ok()).map(u32::from_le_bytes);
    let length = |count: u32| HEAD as u64 + EACH as u64 * u64::from(count);
    let is_exact = count.is_some_and(|count| count > 0 && bytes.len() as u64 == length(count));
    let is_text = !is_exact && bytes.trim_ascii_start().starts_with(b"solid") && !bytes.contains(&0);
    let vertices = match count.filter(|count| bytes.len() as u64 >= length(*count)) {
        Some(count) if !is_text => {
            let count = count as usize;
            budget.check(count, TRIANGLE, || format!("{count} triangles"))?;
            let triangles = bytes[HEAD..].chunks_exact(EACH).take(count);
            let number = |b: &[u8]| f64::from(f32::from_le_bytes([b[0], b[1], b[2], b[3]]));
            let corner = |b: &[u8]| Vec3::new(number(b), number(&b[4..]), number(&b[8..]));
            triangles.flat_map(|t| [12, 24, 36].map(|at| corner(&t[at..]))).collect()
        }
        _ if is_text => text(bytes, budget)?,
        _ => {
            let found = format!("{} bytes that are neither", bytes.len());
            return Err(ReadError::new(Place::File, found, "an STL file, binary or text"));
        }
    };
    let wrong = |found: &str| ReadError::new(Place::File, found, "an STL file with triangles");
    if vertices.iter().any(|place| !place.is_finite()) {
        return Err(wrong("a corner that is not finite"));
    }
    if vertices.len() < 3 {
        return Err(wrong("no triangles"));
    }
    let triangles = (0..vertices.len() as u32 / 3).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
    Ok(TriangleMesh { vertices, triangles })
}

/// The corners of a file of text, three for each triangle.
fn text(bytes: &[u8], budget: Budget) -> Result<Vec<Vec3>, ReadError> {
    let corners = || {
        lines(bytes).filter_map(|(number, line)| Some((number, line.trim_ascii().strip_prefix(b"vertex")?)))
    };
    let count = corners().count();
    budget.check(count / 3, TRIANGLE, || format!("{} triangles", count / 3))?;
    let mut places = Vec::with_capacity(count);
    for (number, line) in corners() {
        let mut words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
        let mut place = [0.0; 3];
        for axis in &mut place {
            let word = words.next().unwrap_or_default();
            *axis = any_number(word).ok_or_else(|| {
                let found = quoted(&String::from_utf8_lossy(word));
                ReadError::new(Place::Line(number), found, "a corner: three finite numbers")
            })?;
        }
        places.push(Vec3::from_array(place));
    }
    places.truncate(count / 3 * 3);
    Ok(places)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn binary(corners: &[[f32; 3]]) -> Vec<u8> {
        let mut bytes = b"solid in name only".to_vec();
        bytes.resize(80, 0);
        bytes.extend((corners.len() as u32 / 3).to_le_bytes());
        for triangle in corners.chunks(3) {
            bytes.extend([0; 12]);
            bytes.extend(triangle.iter().flatten().flat_map(|x| x.to_le_bytes()));
            bytes.extend([0; 2]);
        }
        bytes
    }

    #[test]
    fn both_kinds_are_read_and_nonsense_is_refused() {
        let corners = [[0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [0.0, 0.5, 1.0]];
        let mesh = read_within(&binary(&corners), Budget::default()).unwrap();
        assert_eq!(mesh.vertices[2], Vec3::new(0.0, 0.5, 1.0));
        let text = "solid x\n facet normal 0 0 0\n  outer loop\n   vertex 0 0 0\n   vertex 2 0 0\n   vertex 0 .5 1e0\n";
        assert_eq!(read_within(text.as_bytes(), Budget::default()).unwrap(), mesh);
        let many = binary(&corners.repeat(1000));
        let said = |bytes: &[u8]| read_within(bytes, Budget::new(10_000)).unwrap_err().to_string();
        assert!(said(&many).contains("1000 triangles"), "{}", said(&many));
        assert!(said(&many[..many.len() - 1]).contains("neither"));
        assert!(said(b"").contains("neither") && said(b"solid\nendsolid").contains("no triangles"));
        assert!(said(b"solid\nvertex 0 nan 1\n").contains("three finite numbers"));
        assert!(said(&binary(&[[f32::NAN; 3]; 3])).contains("not finite"));
        // A name with an umlaut is no reason to refuse a text; it was.
        let named = text.replacen('x', "Tür", 1);
        assert_eq!(read_within(named.as_bytes(), Budget::default()).unwrap(), mesh);
        // A binary file all of whose bytes could be ASCII was read as text, which had no triangles.
        let plain = binary(&[[2.0, 0.5, 0.0], [8.0, 0.0, 0.0], [0.0, 32.0, 0.0]]);
        assert!(plain.is_ascii());
        assert_eq!(read_within(&plain, Budget::default()).unwrap().triangles.len(), 1);
    }
}
