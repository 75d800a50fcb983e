//! Numbers out of buffers, with every bound checked before a byte is read.

use std::borrow::Cow;
use std::collections::HashMap;
use std::rc::Rc;

use super::container;
use super::document::{Accessor, Document};
use super::meshopt::Packed;
use crate::Budget;
use crate::error::{Place, ReadError, quoted};

/// Values that a file may make out of nothing (accessors without data are
/// zeros) or read more than once, beyond what its buffers hold.
const SPARE_VALUES: u64 = 1 << 20;

/// The extensions that pack a buffer view, the older one first: files may have both.
const PACKED: [&str; 2] = ["EXT_meshopt_compression", "KHR_meshopt_compression"];

/// How numbers stand in a buffer.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Component {
    I8,
    U8,
    I16,
    U16,
    U32,
    F32,
}

impl Component {
    fn from_code(code: u32) -> Option<Self> {
        Some(match code {
            5120 => Self::I8,
            5121 => Self::U8,
            5122 => Self::I16,
            5123 => Self::U16,
            5125 => Self::U32,
            5126 => Self::F32,
            _ => return None,
        })
    }

    const fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::U32 | Self::F32 => 4,
        }
    }

    /// The number in `bytes`, which has the right size.
    fn read(self, bytes: &[u8], normalized: bool) -> f64 {
        let two = || [bytes[0], bytes[1]];
        let four = || [bytes[0], bytes[1], bytes[2], bytes[3]];
        let (value, most) = match self {
            Self::I8 => (f64::from(bytes[0] as i8), f64::from(i8::MAX)),
            Self::U8 => (f64::from(bytes[0]), f64::from(u8::MAX)),
            Self::I16 => (f64::from(i16::from_le_bytes(two())), f64::from(i16::MAX)),
            Self::U16 => (f64::from(u16::from_le_bytes(two())), f64::from(u16::MAX)),
            Self::U32 => (f64::from(u32::from_le_bytes(four())), f64::from(u32::MAX)),
            Self::F32 => return f64::from(f32::from_le_bytes(four())),
        };
        // The lowest signed value would be a little below −1.
        if normalized { (value / most).max(-1.0) } else { value }
    }
}

/// How many numbers an element of this type has.
fn width_of(shape: &str) -> Option<usize> {
    Some(match shape {
        "SCALAR" => 1,
        "VEC2" => 2,
        "VEC3" => 3,
        "VEC4" | "MAT2" => 4,
        "MAT3" => 9,
        "MAT4" => 16,
        _ => return None,
    })
}

/// The buffers of a file, fetched when first asked for, and what was read out
/// of them.
pub(super) struct Buffers<'a> {
    document: &'a Document,
    binary: Option<&'a [u8]>,
    sibling: &'a mut dyn FnMut(&str) -> Option<Vec<u8>>,
    loaded: HashMap<usize, Rc<Cow<'a, [u8]>>>,
    /// Views that were packed.
    unpacked: HashMap<usize, Rc<Cow<'a, [u8]>>>,
    read: HashMap<usize, Rc<[f64]>>,
    /// How many values may still be read. Without it, many accessors over the
    /// same bytes could ask for any amount of memory.
    budget: u64,
    /// What the values may take, and what they take already: bytes of one are eight bytes each.
    memory: Budget,
    taken: u64,
    /// The bytes of the buffers that were fetched.
    fetched: u64,
}

impl<'a> Buffers<'a> {
    pub fn new(
        document: &'a Document,
        binary: Option<&'a [u8]>,
        sibling: &'a mut dyn FnMut(&str) -> Option<Vec<u8>>,
    ) -> Self {
        let (loaded, unpacked, read) = Default::default();
        let (budget, memory) = (SPARE_VALUES, Budget::default());
        Self { document, binary, sibling, loaded, unpacked, read, budget, memory, taken: 0, fetched: 0 }
    }

    /// The same with another budget of memory.
    pub fn within(self, memory: Budget) -> Self {
        Self { memory, ..self }
    }

    /// The numbers of an accessor, element after element; `shape` is the type
    /// it must have, `path` the place that refers to it.
    pub fn values(&mut self, index: usize, shape: &str, path: &str) -> Result<Rc<[f64]>, ReadError> {
        let here = Place::Path(format!("accessors[{index}]"));
        let Some(accessor) = self.document.accessors.get(index) else {
            let expected = format!("one of the file's {} accessors", self.document.accessors.len());
            return Err(ReadError::new(Place::Path(path.into()), format!("accessor {index}"), expected));
        };
        if accessor.shape != shape {
            let found = format!("the type {}", quoted(&accessor.shape));
            return Err(ReadError::new(here, found, format!("'{shape}', as {path} wants")));
        }
        if let Some(values) = self.read.get(&index) {
            return Ok(values.clone());
        }
        let values: Rc<[f64]> = self.read_accessor(index, accessor, here.clone())?.into();
        if let Some(at) = values.iter().position(|value| !value.is_finite()) {
            let element = at / width_of(shape).unwrap_or(1);
            let found = format!("the number {} in element {element}", values[at]);
            return Err(ReadError::new(here, found, "finite numbers"));
        }
        self.read.insert(index, values.clone());
        Ok(values)
    }

    fn read_accessor(
        &mut self,
        index: usize,
        accessor: &Accessor,
        here: Place,
    ) -> Result<Vec<f64>, ReadError> {
        let error = |found: String, expected: &str| ReadError::new(here.clone(), found, expected);
        let component = Component::from_code(accessor.component_type).ok_or_else(|| {
            error(format!("component type {}", accessor.component_type), "5120 to 5123, 5125 or 5126")
        })?;
        let width = width_of(&accessor.shape).ok_or_else(|| {
            error(format!("the type {}", quoted(&accessor.shape)), "SCALAR, VEC2, … or MAT4")
        })?;
        if accessor.count == 0 {
            return Err(error("a count of zero".into(), "at least one element"));
        }
        let mut values = match accessor.buffer_view {
            None => {
                self.spend(accessor.count, width, &here)?;
                vec![0.0; accessor.count as usize * width]
            }
            Some(view) => {
                let run = Run { view, offset: accessor.byte_offset, count: accessor.count, component, width };
                self.read_run(run, accessor.normalized, &here, &format!("accessors[{index}].bufferView"))?
            }
        };
        if let Some(sparse) = &accessor.sparse {
            let at = |what: &str| format!("accessors[{index}].sparse.{what}");
            let places = &sparse.indices;
            let place_type = Component::from_code(places.component_type)
                .filter(|component| matches!(component, Component::U8 | Component::U16 | Component::U32))
                .ok_or_else(|| {
                    error(
                        format!("sparse indices of component type {}", places.component_type),
                        "5121, 5123 or 5125",
                    )
                })?;
            let run = Run {
                view: places.buffer_view,
                offset: places.byte_offset,
                count: sparse.count,
                component: place_type,
                width: 1,
            };
            let indices = self.read_run(run, false, &here, &at("indices.bufferView"))?;
            let run = Run {
                view: sparse.values.buffer_view,
                offset: sparse.values.byte_offset,
                count: sparse.count,
                component,
                width,
            };
            let replacements = self.read_run(run, accessor.normalized, &here, &at("values.bufferView"))?;
            for (k, element) in indices.into_iter().enumerate() {
                let element = element as u64;
                if element >= accessor.count {
                    let place = Place::Path(at("indices"));
                    let expected = format!("one of {} elements", accessor.count);
                    return Err(ReadError::new(place, format!("element {element}"), expected));
                }
                let to = element as usize * width;
                values[to..to + width].copy_from_slice(&replacements[k * width..(k + 1) * width]);
            }
        }
        Ok(values)
    }

    fn spend(&mut self, count: u64, width: usize, here: &Place) -> Result<(), ReadError> {
        match count.checked_mul(width as u64).and_then(|values| self.budget.checked_sub(values)) {
            Some(left) => {
                self.taken += self.budget - left;
                self.budget = left;
                // Numbers of single precision become twice as large, whatever their count.
                let memory = Budget::new(self.memory.bytes().max(self.fetched.saturating_mul(2)));
                let numbers = usize::try_from(self.taken).unwrap_or(usize::MAX);
                memory
                    .check(numbers, size_of::<f64>(), || format!("{numbers} numbers"))
                    .map_err(|error| ReadError { place: here.clone(), ..error })
            }
            None => Err(ReadError::new(
                here.clone(),
                format!("{count} elements on top of those read already"),
                "about as many numbers as the file's buffers hold",
            )),
        }
    }

    fn read_run(
        &mut self,
        run: Run,
        normalized: bool,
        here: &Place,
        path: &str,
    ) -> Result<Vec<f64>, ReadError> {
        let (bytes, stride) = self.view(run.view, path)?;
        let size = run.component.size() * run.width;
        let stride = stride.unwrap_or(size as u64);
        if stride < size as u64 {
            return Err(ReadError::new(
                Place::Path(format!("bufferViews[{}].byteStride", run.view)),
                format!("{stride} bytes"),
                format!("at least the {size} bytes of an element"),
            ));
        }
        let last = run.count.checked_sub(1).and_then(|steps| steps.checked_mul(stride));
        let end = last.and_then(|last| last.checked_add(run.offset)?.checked_add(size as u64));
        if run.count == 0 || end.is_none_or(|end| end > bytes.data().len() as u64) {
            return Err(ReadError::new(
                here.clone(),
                format!("{} elements of {size} bytes from byte {} on", run.count, run.offset),
                format!("elements within the {} bytes of bufferViews[{}]", bytes.data().len(), run.view),
            ));
        }
        self.spend(run.count, run.width, here)?;
        let data = bytes.data();
        let mut values = Vec::with_capacity(run.count as usize * run.width);
        for element in 0..run.count as usize {
            let start = run.offset as usize + element * stride as usize;
            let element = &data[start..start + size];
            values.extend(
                element.chunks_exact(run.component.size()).map(|b| run.component.read(b, normalized)),
            );
        }
        Ok(values)
    }

    /// The bytes of a buffer view and its stride.
    fn view(&mut self, index: usize, path: &str) -> Result<(ViewBytes<'a>, Option<u64>), ReadError> {
        let document = self.document;
        let Some(view) = document.buffer_views.get(index) else {
            let expected = format!("one of the file's {} buffer views", document.buffer_views.len());
            return Err(ReadError::new(Place::Path(path.into()), format!("buffer view {index}"), expected));
        };
        let here = format!("bufferViews[{index}]");
        let extension = view.extensions.iter().find(|(name, _)| PACKED.contains(&name.as_str()));
        let bytes = match extension {
            Some((name, packed)) => {
                self.unpacked(index, packed.get(), &format!("{here}.extensions.{name}"))?
            }
            None => self.range(view.buffer, view.byte_offset, view.byte_length, &here)?,
        };
        Ok((bytes, view.byte_stride))
    }

    /// Part of a buffer, for what stands at the path.
    fn range(
        &mut self,
        buffer: usize,
        offset: u64,
        length: u64,
        path: &str,
    ) -> Result<ViewBytes<'a>, ReadError> {
        let bytes = self.buffer(buffer, &format!("{path}.buffer"))?;
        match offset.checked_add(length) {
            Some(end) if end <= bytes.len() as u64 => {
                Ok(ViewBytes { buffer: bytes, range: offset as usize..end as usize })
            }
            _ => Err(ReadError::new(
                Place::Path(path.into()),
                format!("{length} bytes from byte {offset} on"),
                format!("a range within the {} bytes of buffers[{buffer}]", bytes.len()),
            )),
        }
    }

    /// The bytes of a view that the extension at the path packs.
    fn unpacked(&mut self, index: usize, extension: &str, path: &str) -> Result<ViewBytes<'a>, ReadError> {
        let buffer = match self.unpacked.get(&index) {
            Some(bytes) => bytes.clone(),
            None => {
                let here = Place::Path(path.into());
                let error =
                    |found: String| ReadError::new(here.clone(), found, "attributes packed by meshoptimizer");
                let packed: Packed = serde_json::from_str(extension).map_err(|why| error(why.to_string()))?;
                let data = self.range(packed.buffer, packed.byte_offset, packed.byte_length, path)?;
                // The budget counts numbers of eight bytes.
                let size = packed.unpacked_size().map_or(u64::MAX, |size| size as u64);
                self.spend(size.div_ceil(8), 1, &here)?;
                let bytes: Rc<Cow<'a, [u8]>> = Rc::new(packed.unpack(data.data()).map_err(error)?.into());
                self.unpacked.insert(index, bytes.clone());
                bytes
            }
        };
        let range = 0..buffer.len();
        Ok(ViewBytes { buffer, range })
    }

    /// The whole of a buffer, or `None` if it is not there: what nobody has
    /// asked for may be missing. It is handed over, not copied.
    pub fn bytes(&mut self, index: usize) -> Option<Vec<u8>> {
        let data = self.buffer(index, "").ok()?;
        self.loaded.remove(&index);
        let length = usize::try_from(self.document.buffers.get(index)?.byte_length).ok()?;
        // A chunk is filled up to whole words. More than that behind the stated
        // end is data that views of a careless file reach for.
        let padding = data.len().saturating_sub(length) < 4;
        let kept = if padding { length } else { data.len() };
        let mut data = Rc::try_unwrap(data).map_or_else(|shared| shared.to_vec(), Cow::into_owned);
        data.truncate(kept);
        Some(data)
    }

    /// A file beside the document.
    pub fn file(&mut self, uri: &str) -> Option<Vec<u8>> {
        container::resolve_uri(uri, "", self.sibling).ok()
    }

    fn buffer(&mut self, index: usize, path: &str) -> Result<Rc<Cow<'a, [u8]>>, ReadError> {
        if let Some(buffer) = self.loaded.get(&index) {
            return Ok(buffer.clone());
        }
        let Some(buffer) = self.document.buffers.get(index) else {
            let expected = format!("one of the file's {} buffers", self.document.buffers.len());
            return Err(ReadError::new(Place::Path(path.into()), format!("buffer {index}"), expected));
        };
        let here = |field: &str| format!("buffers[{index}]{field}");
        let data: Cow<'a, [u8]> = match (&buffer.uri, self.binary) {
            (Some(uri), _) => container::resolve_uri(uri, &here(".uri"), self.sibling)?.into(),
            (None, Some(binary)) if index == 0 => binary.into(),
            (None, _) => {
                let expected = "a URI, or the binary chunk of a GLB for the first buffer";
                return Err(ReadError::new(Place::Path(here("")), "neither a URI nor data", expected));
            }
        };
        if (data.len() as u64) < buffer.byte_length {
            return Err(ReadError::new(
                Place::Path(here(".byteLength")),
                format!("{} bytes", buffer.byte_length),
                format!("at most the {} bytes that there are", data.len()),
            ));
        }
        self.budget = self.budget.saturating_add(data.len() as u64);
        self.fetched = self.fetched.saturating_add(data.len() as u64);
        let data = Rc::new(data);
        self.loaded.insert(index, data.clone());
        Ok(data)
    }
}

/// Numbers in a buffer view.
#[derive(Clone, Copy)]
struct Run {
    view: usize,
    offset: u64,
    count: u64,
    component: Component,
    width: usize,
}

/// A range of a buffer that has been checked to be one.
struct ViewBytes<'a> {
    buffer: Rc<Cow<'a, [u8]>>,
    range: std::ops::Range<usize>,
}

impl ViewBytes<'_> {
    fn data(&self) -> &[u8] {
        &self.buffer[self.range.clone()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gltf::document::parse;

    /// Sixteen bytes: four floats, 1 to 4.
    fn read(rest: &str, shape: &str) -> Result<Vec<f64>, ReadError> {
        let bytes: Vec<u8> = [1.0f32, 2.0, 3.0, 4.0].iter().flat_map(|f| f.to_le_bytes()).collect();
        let json = format!(
            r#"{{"asset":{{"version":"2.0"}},"buffers":[{{"byteLength":16}}],"bufferViews":[
            {{"buffer":0,"byteLength":16}},{{"buffer":0,"byteOffset":4,"byteLength":8,"byteStride":4}},
            {{"buffer":0,"byteLength":17}},{{"buffer":9,"byteLength":1}},
            {{"buffer":0,"byteLength":8,"extensions":{{"EXT_meshopt_compression":{{}}}}}}],
            "accessors":[{{{rest}}}]}}"#
        );
        let document = parse(json.as_bytes()).unwrap();
        let mut none = |_: &str| None;
        let values = Buffers::new(&document, Some(&bytes), &mut none).values(0, shape, "test");
        values.map(|values| values.to_vec())
    }

    #[test]
    fn floats_and_normalised_integers() {
        let float = r#""bufferView":0,"componentType":5126,"count":4,"type":"SCALAR""#;
        assert_eq!(read(float, "SCALAR").unwrap(), [1.0, 2.0, 3.0, 4.0]);
        let strided = r#""bufferView":1,"componentType":5126,"count":2,"type":"SCALAR""#;
        assert_eq!(read(strided, "SCALAR").unwrap(), [2.0, 3.0]);
        let bytes = r#""bufferView":0,"componentType":5121,"normalized":true,"count":1,"type":"VEC4""#;
        assert_eq!(read(bytes, "VEC4").unwrap(), [0.0, 0.0, 128.0 / 255.0, 63.0 / 255.0]);
        let zeros = r#""componentType":5126,"count":2,"type":"VEC3""#;
        assert_eq!(read(zeros, "VEC3").unwrap(), [0.0; 6]);
    }

    #[test]
    fn sparse_values_replace_zeros() {
        // The byte at 2 is 0x80 and the one at 3 is 0x3f: elements 128 and 63.
        let sparse = r#""componentType":5126,"count":200,"type":"SCALAR","sparse":{"count":2,
            "indices":{"bufferView":0,"byteOffset":2,"componentType":5121},
            "values":{"bufferView":0,"byteOffset":8}}"#;
        let values = read(sparse, "SCALAR").unwrap();
        assert_eq!((values[128], values[63], values[0]), (3.0, 4.0, 0.0));
        let error = read(&sparse.replace("200", "100"), "SCALAR").unwrap_err();
        assert_eq!(error.place, Place::Path("accessors[0].sparse.indices".into()));
    }

    #[test]
    fn a_packed_view_is_unpacked_once_for_all_its_accessors() {
        use base64::Engine;
        let data = "oAE//8AAeoqf1ySMQtwBP/zAAA8ICRoDBBkBP//AAFBqhlUan/rNAgEEi8pwAAAAAT//wADUOFX3tXVfDQE/X8AACAQTEAUEARhjwAADBAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAB2Ai77XwD/Bw==";
        let bytes = base64::prelude::BASE64_STANDARD.decode(data).unwrap();
        // The second buffer is the one that decoders fill: it has no data.
        let json = format!(
            r#"{{"asset":{{"version":"2.0"}},"buffers":[{{"byteLength":{0}}},{{"byteLength":72}}],"bufferViews":[
            {{"buffer":1,"byteLength":72,"extensions":{{"EXT_meshopt_compression":{{"buffer":0,"byteLength":{0},
            "byteStride":8,"count":9,"mode":"ATTRIBUTES","filter":"QUATERNION"}}}}}}],"accessors":[
            {{"bufferView":0,"componentType":5122,"normalized":true,"count":9,"type":"VEC4"}},
            {{"bufferView":0,"byteOffset":64,"componentType":5122,"normalized":true,"count":1,"type":"VEC4"}}]}}"#,
            bytes.len()
        );
        let document = parse(json.as_bytes()).unwrap();
        let mut none = |_: &str| None;
        let mut buffers = Buffers::new(&document, Some(&bytes), &mut none);
        let all = buffers.values(0, "VEC4", "test").unwrap();
        for quaternion in all.chunks(4) {
            let length = quaternion.iter().map(|v| v * v).sum::<f64>();
            assert!((length - 1.0).abs() < 1.0e-3, "{quaternion:?}");
        }
        let last = buffers.values(1, "VEC4", "test").unwrap();
        assert_eq!(last[..], all[32..]);
        assert_eq!(buffers.unpacked.len(), 1);
    }

    #[test]
    fn nothing_outside_of_the_buffer_is_read() {
        for (bad, place) in [
            (r#""bufferView":0,"componentType":5126,"count":5,"type":"SCALAR""#, "accessors[0]"),
            (
                r#""bufferView":0,"byteOffset":13,"componentType":5126,"count":1,"type":"SCALAR""#,
                "accessors[0]",
            ),
            (
                r#""bufferView":0,"byteOffset":18446744073709551615,"componentType":5126,"count":1,"type":"SCALAR""#,
                "accessors[0]",
            ),
            (
                r#""bufferView":0,"componentType":5126,"count":18446744073709551615,"type":"SCALAR""#,
                "accessors[0]",
            ),
            (r#""componentType":5126,"count":18446744073709551615,"type":"SCALAR""#, "accessors[0]"),
            (r#""bufferView":0,"componentType":5126,"count":0,"type":"SCALAR""#, "accessors[0]"),
            (r#""bufferView":0,"componentType":1,"count":1,"type":"SCALAR""#, "accessors[0]"),
            (r#""bufferView":0,"componentType":5126,"count":1,"type":"VEC3""#, "accessors[0]"),
            (r#""bufferView":1,"componentType":5126,"normalized":true,"count":1,"type":"SCALAR""#, ""),
            (r#""bufferView":2,"componentType":5126,"count":1,"type":"SCALAR""#, "bufferViews[2]"),
            (r#""bufferView":3,"componentType":5126,"count":1,"type":"SCALAR""#, "bufferViews[3].buffer"),
            (
                r#""bufferView":4,"componentType":5126,"count":1,"type":"SCALAR""#,
                "bufferViews[4].extensions.EXT_meshopt_compression",
            ),
            (r#""bufferView":7,"componentType":5126,"count":1,"type":"SCALAR""#, "accessors[0].bufferView"),
        ] {
            match read(bad, "SCALAR") {
                Ok(_) => assert_eq!(place, "", "{bad} was read"),
                Err(error) => assert_eq!(error.place, Place::Path(place.into()), "{bad}: {error}"),
            }
        }
    }
}
