//! The body that the page makes around the bones of a rig, as it sends it for an export: the page draws it, and a file
//! should look as the page does.
//!
//! All numbers are little-endian: the count of corners and the count of triangles as `u32`; then, one list after the
//! other, positions, normals and colours (3 `f32` each), weights (4 `f32`), triangles (3 `u32`), joints (4 `u16`).

use sinew_f64::Skeleton;
use sinew_io::Surface;

/// The bytes of a corner and of a triangle.
const CORNER: usize = 3 * 12 + 16 + 8;
const TRIANGLE: usize = 12;

/// Reads a body, or says in words what is wrong with it.
pub fn surface(bytes: &[u8], skeleton: &Skeleton) -> Result<Surface, String> {
    let wrong = || "this is no body of the page".to_string();
    let mut rest = Reader(bytes);
    let (corners, triangles) = (rest.count().ok_or_else(wrong)?, rest.count().ok_or_else(wrong)?);
    let length = corners.checked_mul(CORNER).zip(triangles.checked_mul(TRIANGLE));
    if length.and_then(|(a, b)| a.checked_add(b)) != Some(rest.0.len()) {
        return Err(wrong());
    }
    let surface = Surface {
        positions: rest.list(corners, f32::from_le_bytes),
        normals: rest.list(corners, f32::from_le_bytes),
        colours: rest.list(corners, f32::from_le_bytes),
        weights: rest.list(corners, f32::from_le_bytes),
        triangles: rest.list(triangles, u32::from_le_bytes),
        joints: rest.list(corners, u16::from_le_bytes),
    };
    surface.check(skeleton)?;
    Ok(surface)
}

struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn count(&mut self) -> Option<usize> {
        let (head, rest) = self.0.split_first_chunk::<4>()?;
        self.0 = rest;
        Some(u32::from_le_bytes(*head) as usize)
    }

    /// So many groups of `N` numbers of `B` bytes; the length was looked at before.
    fn list<T, const N: usize, const B: usize>(
        &mut self,
        count: usize,
        number: impl Fn([u8; B]) -> T,
    ) -> Vec<[T; N]> {
        let (own, rest) = self.0.split_at(self.0.len().min(count * N * B));
        self.0 = rest;
        let group = |bytes: &[u8]| {
            let at = |i: usize| std::array::from_fn(|k| bytes.get(i * B + k).copied().unwrap_or_default());
            std::array::from_fn(|i| number(at(i)))
        };
        own.chunks_exact(N * B).map(group).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn body(joint: u16, corner: u32, length: usize) -> Vec<u8> {
        let mut bytes = [3_u32, 1].map(u32::to_le_bytes).concat();
        bytes.extend((0..3 * 9 + 3 * 4).flat_map(|i| (i as f32).to_le_bytes()));
        bytes.extend([0, 1, corner].into_iter().flat_map(u32::to_le_bytes));
        bytes.extend((0..12).flat_map(|_| joint.to_le_bytes()));
        bytes.truncate(length);
        bytes
    }

    #[test]
    fn a_body_is_read_whole_or_refused() {
        let skeleton = sinew_f64::rigs::chain(2, 1.0);
        let whole = body(1, 2, usize::MAX);
        let read = surface(&whole, &skeleton).unwrap();
        assert_eq!(
            (read.normals[0], read.triangles[0], read.joints[2]),
            ([9.0, 10.0, 11.0], [0, 1, 2], [1; 4])
        );
        for length in [0, 3, 8, whole.len() - 1] {
            assert!(surface(&body(1, 2, length), &skeleton).is_err(), "{length}");
        }
        assert!(surface(&body(7, 2, usize::MAX), &skeleton).unwrap_err().contains("joint"));
        assert!(surface(&body(1, 3, usize::MAX), &skeleton).unwrap_err().contains("corner"));
        let endless = [u32::MAX; 2].map(u32::to_le_bytes).concat();
        assert!(surface(&endless, &skeleton).is_err());
    }
}
