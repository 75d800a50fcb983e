//! How much memory what is read may take.
//!
//! A file of a few hundred kilobytes can ask for gigabytes: a thousand joints in a hundred
//! thousand frames of one number each, a picture of one colour, a key every two seconds that is
//! sampled in between. Every reader says what it is about to need before it allocates, and one
//! place decides.
//!
//! An honest file becomes a few times its own size: text takes some nine bytes for a number that
//! takes eight in memory, and a joint's pose 56 bytes for three such numbers. So a file may always
//! become [`GROWTH`] times as large as it is, however large that is, and a small one may fill the
//! budget.

use sinew_f64::{Quat, Skeleton, Vec3};

use crate::{Place, ReadError};

/// How many times its own size a file may become in memory, even beyond the budget.
pub const GROWTH: u64 = 4;

/// The most bytes that one file may become in memory. 256 MiB unless it is given: ten minutes of
/// sixty joints at 120 frames a second.
///
/// ```
/// use sinew_io::Budget;
/// let small = Budget::new(1 << 20);
/// assert!(small.check(1000, 8, || "1000 numbers".into()).is_ok());
/// let error = small.check(1 << 20, 8, || "a million numbers".into()).unwrap_err();
/// assert_eq!(error.found, "a million numbers, which would take 8.4 MB of memory");
/// assert_eq!(error.expected, "at most 1.0 MB, the memory budget; it can be raised");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    bytes: u64,
}

impl Default for Budget {
    fn default() -> Self {
        Self { bytes: 256 << 20 }
    }
}

impl Budget {
    /// Room for so many bytes.
    pub const fn new(bytes: u64) -> Self {
        Self { bytes }
    }

    /// How many bytes there is room for.
    pub const fn bytes(self) -> u64 {
        self.bytes
    }

    /// The same for a file of this size, which may become [`GROWTH`] times as large in any case.
    pub fn for_file(self, file: &[u8]) -> Self {
        Self { bytes: self.bytes.max(GROWTH.saturating_mul(file.len() as u64)) }
    }

    /// Refuses `count` things of `each` bytes that do not fit. `what` says what they are.
    pub fn check(self, count: usize, each: usize, what: impl FnOnce() -> String) -> Result<(), ReadError> {
        let needed = (count as u64).saturating_mul(each as u64);
        if needed <= self.bytes {
            return Ok(());
        }
        let found = format!("{}, which would take {} of memory", what(), size(needed));
        let expected = format!("at most {}, the memory budget; it can be raised", size(self.bytes));
        Err(ReadError::new(Place::File, found, expected))
    }

    /// Refuses so many poses of so many joints that do not fit.
    pub fn check_poses(self, joints: usize, frames: usize) -> Result<(), ReadError> {
        self.check(frames, pose_bytes(joints), || format!("{joints} joints in {frames} frames"))
    }

    /// How many poses of a skeleton fit.
    pub fn poses(self, skeleton: &Skeleton) -> usize {
        usize::try_from(self.bytes / pose_bytes(skeleton.len()) as u64).unwrap_or(usize::MAX)
    }
}

/// The bytes of one pose: a turn and a shift for each joint, and two lists that hold them.
pub const fn pose_bytes(joints: usize) -> usize {
    /// A list's own fields, and what an allocator takes beside what it hands out.
    const LIST: usize = size_of::<Vec<u8>>() + 16;
    joints.saturating_mul(size_of::<Quat>() + size_of::<Vec3>()).saturating_add(2 * LIST)
}

/// Bytes as people say them, in powers of a thousand.
pub fn size(bytes: u64) -> String {
    let bytes = bytes as f64;
    match bytes {
        b if b < 1e3 => format!("{b} bytes"),
        b if b < 1e6 => format!("{:.1} kB", b / 1e3),
        b if b < 1e9 => format!("{:.1} MB", b / 1e6),
        b => format!("{:.1} GB", b / 1e9),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_fit_is_refused_with_what_it_would_take() {
        let budget = Budget::default();
        assert!(budget.check_poses(60, 72_000).is_ok());
        let error = budget.check_poses(1000, 100_000).unwrap_err();
        assert_eq!(error.found, "1000 joints in 100000 frames, which would take 5.6 GB of memory");
        assert!(error.expected.contains("268.4 MB"), "{error}");
        assert!(Budget::new(6_000_000_000).check_poses(1000, 100_000).is_ok());
        assert!(budget.check(usize::MAX, usize::MAX, || "all".into()).is_err());
    }

    #[test]
    fn an_honest_file_is_never_refused_for_its_size() {
        let large = vec![0; 1000];
        assert_eq!(Budget::new(100).for_file(&large).bytes(), 4000);
        assert_eq!(Budget::new(10_000).for_file(&large).bytes(), 10_000);
    }

    #[test]
    fn sizes_are_said_shortly() {
        let said = [999, 1500, 140_000, 268_435_456, 5_600_000_000].map(size);
        assert_eq!(said, ["999 bytes", "1.5 kB", "140.0 kB", "268.4 MB", "5.6 GB"]);
    }
}
