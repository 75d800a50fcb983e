//! Reading ahead of a computation.
//!
//! A crowd does not fit into a processor's cache. Each character's numbers then come from memory, a line of the
//! cache at a time, and a computation that reads one line, thinks, and reads the next waits for every one of them: a
//! hundred nanoseconds, some seventy times. Lines that are asked for at once come at once. So a solve begins by
//! reading one number of each line that it will need. Where they are in the cache already that costs nearly nothing.
//!
//! The instruction for it, a prefetch, is unsafe in Rust, of which there is none here; a plain read does as well.

use core::mem::size_of;

use super::Real;

/// The bytes of a line on nearly all processors.
const LINE: usize = 64;

/// Reads one item of each line of a slice, or every item if they are longer. Returns the sum of a number of each, which
/// the caller adds to others and hands to [`black_box`](core::hint::black_box), once: so the reads stand close together.
#[inline(always)]
pub(crate) fn read<T>(slice: &[T], number: impl Fn(&T) -> Real) -> Real {
    let items = (LINE / size_of::<T>().max(1)).max(1);
    slice.iter().step_by(items).chain(slice.last()).map(number).sum()
}
