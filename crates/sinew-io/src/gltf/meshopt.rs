//! Buffer views packed by `EXT_meshopt_compression` (and by `KHR_meshopt_compression` in the same
//! stream version), as far as skeletons and motions need them: mode `ATTRIBUTES` and its filters.
//!
//! Elements come in blocks. In a block each byte of the element has a stream of its own: deltas to
//! the byte before, zigzag coded, in groups of sixteen that take 0, 2, 4 or 8 bits each. The first
//! element's predecessor stands at the end of the data. Triangle indices have other modes; meshes
//! are kept and not read, so nobody asks for them here.
//!
//! Our own routine because the crate `meshopt` needs a C++ compiler, which a machine with Rust
//! alone does not have, and `meshopt-rs` has had no release since 2022.

use serde::Deserialize;

/// What a buffer view says about its packed bytes.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Packed {
    pub buffer: usize,
    #[serde(default)]
    pub byte_offset: u64,
    pub byte_length: u64,
    pub byte_stride: u64,
    pub count: u64,
    pub mode: String,
    #[serde(default = "no_filter")]
    pub filter: String,
}

fn no_filter() -> String {
    "NONE".into()
}

/// The first byte of an attribute stream of version 0.
const HEADER: u8 = 0xa0;
/// Elements whose deltas share a width.
const GROUP: usize = 16;
/// The bytes at the end of a stream are at least this many, so that decoders may read ahead.
const SHORTEST_TAIL: usize = 32;

impl Packed {
    /// How many bytes there are when unpacked, where that is sound.
    pub fn unpacked_size(&self) -> Option<usize> {
        usize::try_from(self.count.checked_mul(self.byte_stride)?).ok()
    }

    /// The plain bytes, or what is wrong with the packed ones.
    pub fn unpack(&self, data: &[u8]) -> Result<Vec<u8>, String> {
        if self.mode != "ATTRIBUTES" {
            return Err(format!("mode '{}' where numbers are read", self.mode));
        }
        let stride = self.byte_stride as usize;
        if !(4..=256).contains(&self.byte_stride) || !stride.is_multiple_of(4) {
            return Err(format!("a stride of {} bytes", self.byte_stride));
        }
        let count = self.unpacked_size().ok_or("more bytes than fit")? / stride;
        let mut bytes =
            attributes(data, count, stride).ok_or("packed bytes that end early or are damaged")?;
        let fits = match self.filter.as_str() {
            "NONE" => true,
            "OCTAHEDRAL" => match stride {
                4 => octahedral(&mut bytes, 1, 127.0),
                8 => octahedral(&mut bytes, 2, 32767.0),
                _ => false,
            },
            "QUATERNION" => stride == 8 && quaternions(&mut bytes),
            "EXPONENTIAL" => exponential(&mut bytes),
            other => return Err(format!("the filter '{other}'")),
        };
        if fits { Ok(bytes) } else { Err(format!("the filter '{}' with {stride} bytes", self.filter)) }
    }
}

/// Undoes mode `ATTRIBUTES`; `None` if the data is not such a stream of so many elements.
fn attributes(data: &[u8], count: usize, stride: usize) -> Option<Vec<u8>> {
    let (&HEADER, rest) = data.split_first()? else { return None };
    let (mut rest, tail) = rest.split_at(rest.len().checked_sub(stride.max(SHORTEST_TAIL))?);
    let mut last = tail[tail.len() - stride..].to_vec();
    let block = ((8192 / stride) & !(GROUP - 1)).min(256);
    let mut out = Vec::new();
    while out.len() < count * stride {
        let start = out.len();
        let elements = (count - start / stride).min(block);
        let groups = elements.div_ceil(GROUP);
        // Every stream has its header: a count that the data cannot hold ends here.
        if rest.len() < groups.div_ceil(4) * stride {
            return None;
        }
        out.resize(start + elements * stride, 0);
        for (k, last) in last.iter_mut().enumerate() {
            let widths;
            (widths, rest) = rest.split_at_checked(groups.div_ceil(4))?;
            for group in 0..groups {
                let deltas;
                (deltas, rest) = deltas_of(widths[group / 4] >> (2 * (group % 4)) & 3, rest)?;
                for (i, delta) in (group * GROUP..elements).zip(deltas) {
                    let magnitude = delta >> 1;
                    *last = last.wrapping_add(if delta & 1 == 0 { magnitude } else { !magnitude });
                    out[start + i * stride + k] = *last;
                }
            }
        }
    }
    rest.is_empty().then_some(out)
}

/// The sixteen deltas of a group, and what comes after them.
fn deltas_of(width: u8, data: &[u8]) -> Option<([u8; GROUP], &[u8])> {
    let bits = match width {
        0 => return Some(([0; GROUP], data)),
        3 => {
            let (raw, rest) = data.split_first_chunk()?;
            return Some((*raw, rest));
        }
        narrow => 2 * usize::from(narrow),
    };
    let (packed, mut rest) = data.split_at_checked(GROUP * bits / 8)?;
    let escape = (1 << bits) - 1;
    let per_byte = 8 / bits;
    let mut deltas = [0; GROUP];
    for (i, delta) in deltas.iter_mut().enumerate() {
        *delta = packed[i / per_byte] >> (8 - bits * (1 + i % per_byte)) & escape;
        // All ones: the delta is wider and has a byte of its own after the group.
        if *delta == escape {
            (*delta, rest) = rest.split_first().map(|(&byte, rest)| (byte, rest))?;
        }
    }
    Some((deltas, rest))
}

fn short(bytes: &[u8], at: usize) -> f32 {
    f32::from(i16::from_le_bytes([bytes[2 * at], bytes[2 * at + 1]]))
}

/// Unit vectors from points of an octahedron, as signed integers of `size` bytes. The third number
/// is one in the precision of the first two.
fn octahedral(bytes: &mut [u8], size: usize, most: f32) -> bool {
    for element in bytes.chunks_exact_mut(4 * size) {
        let read = |i: usize| if size == 1 { f32::from(element[i] as i8) } else { short(element, i) };
        let (x, y, one) = (read(0), read(1), read(2));
        let z = one - x.abs() - y.abs();
        // The lower half is folded over the edges.
        let unfolded = |v: f32| if v < 0.0 { v - z.min(0.0) } else { v + z.min(0.0) };
        let (x, y) = (unfolded(x), unfolded(y));
        let length = (x * x + y * y + z * z).sqrt();
        let scale = if length > 0.0 { most / length } else { 0.0 };
        for (i, value) in [x, y, z].into_iter().enumerate() {
            let whole = (value * scale).round() as i16;
            element[i * size..(i + 1) * size].copy_from_slice(&whole.to_le_bytes()[..size]);
        }
    }
    true
}

/// Unit quaternions from their three smaller components. The last number's two low bits say which
/// was the largest, and with these set it is one.
fn quaternions(bytes: &mut [u8]) -> bool {
    for element in bytes.chunks_exact_mut(8) {
        let which = i16::from_le_bytes([element[6], element[7]]);
        let scale = core::f32::consts::FRAC_1_SQRT_2 / f32::from(which | 3);
        let small = [0, 1, 2].map(|i| short(element, i) * scale);
        let largest = (1.0 - small.iter().map(|v| v * v).sum::<f32>()).max(0.0).sqrt();
        let first = (which & 3) as usize;
        for (i, value) in [largest, small[0], small[1], small[2]].into_iter().enumerate() {
            let at = 2 * ((first + i) % 4);
            let whole = (value * 32767.0).round() as i16;
            element[at..at + 2].copy_from_slice(&whole.to_le_bytes());
        }
    }
    true
}

/// Floats from a signed exponent of 8 bits over a signed mantissa of 24.
fn exponential(bytes: &mut [u8]) -> bool {
    for element in bytes.chunks_exact_mut(4) {
        let word = i32::from_le_bytes([element[0], element[1], element[2], element[3]]);
        let value = f64::from(word << 8 >> 8) * f64::from(word >> 24).exp2();
        element.copy_from_slice(&(value as f32).to_le_bytes());
    }
    true
}

#[cfg(test)]
mod tests {
    use base64::Engine;
    use base64::prelude::BASE64_STANDARD;
    use proptest::prelude::*;

    use super::*;

    fn packed(count: u64, byte_stride: u64, filter: &str) -> Packed {
        let (mode, filter) = ("ATTRIBUTES".into(), filter.into());
        Packed { buffer: 0, byte_offset: 0, byte_length: 0, byte_stride, count, mode, filter }
    }

    /// Streams of meshoptimizer's encoder, and what its decoder makes of them: count, stride,
    /// filter, packed, plain.
    const STREAMS: &str = include_str!("meshopt/streams.txt");

    #[test]
    fn streams_of_the_reference_encoder_come_out_as_from_its_decoder() {
        for line in STREAMS.lines() {
            let mut cells = line.split(' ');
            let mut next = || cells.next().unwrap();
            let (count, stride, filter) = (next().parse().unwrap(), next().parse().unwrap(), next());
            let [data, plain] = [next(), next()].map(|text| BASE64_STANDARD.decode(text).unwrap());
            let packed = packed(count, stride, filter);
            assert_eq!(packed.unpack(&data).unwrap(), plain, "{filter}, stride {stride}");
            assert!(packed.unpack(&data[..data.len() - 1]).is_err(), "an end cut off");
            let more = Packed { count: count + 256, ..packed };
            assert!(more.unpack(&data).is_err(), "more elements than there are");
        }
        assert!(STREAMS.lines().count() >= 6);
    }

    #[test]
    fn what_is_not_an_attribute_stream_is_refused_in_words() {
        let odd = |change: fn(&mut Packed)| {
            let mut odd = packed(1, 4, "NONE");
            change(&mut odd);
            odd.unpack(&[HEADER; 64]).unwrap_err()
        };
        assert!(odd(|p| p.mode = "TRIANGLES".into()).contains("TRIANGLES"));
        assert!(odd(|p| p.filter = "COLOR".into()).contains("damaged"));
        assert!(odd(|p| p.byte_stride = 6).contains("6 bytes"));
        assert!(odd(|p| p.count = u64::MAX).contains("more bytes"));
        assert!(odd(|p| p.count = 1 << 40).contains("damaged"), "and quickly");
    }

    proptest! {
        #[test]
        fn any_bytes_are_a_stream_or_an_error(
            data in proptest::collection::vec(any::<u8>(), 0..400), count in 0u64..600, words in 1u64..65,
        ) {
            let mut data = data;
            data.insert(0, HEADER);
            for filter in ["NONE", "OCTAHEDRAL", "QUATERNION", "EXPONENTIAL"] {
                if let Ok(bytes) = packed(count, 4 * words, filter).unpack(&data) {
                    prop_assert_eq!(bytes.len() as u64, count * 4 * words);
                }
            }
        }
    }
}
