//! A document on its way out: its JSON with lists that grow, and its buffers.

use std::collections::HashSet;

use serde::Serialize;
use serde_json::json;
use serde_json::value::RawValue;

use super::raw::{RawObject, failed, raw};
use super::{Container, container};
use crate::WriteError;

/// The lists of a document that we add to or change.
const LISTS: [&str; 8] =
    ["nodes", "skins", "meshes", "materials", "animations", "accessors", "bufferViews", "buffers"];

/// The JSON document and its buffers.
#[derive(Debug, Default)]
pub(super) struct Draft {
    /// Everything beside the lists.
    pub top: RawObject,
    pub(super) lists: [Vec<Box<RawValue>>; LISTS.len()],
    /// The bytes of each buffer that the file has or that we found beside it;
    /// `None` for one that was not there.
    pub(super) buffers: Vec<Option<Vec<u8>>>,
    /// The buffer that takes what is added.
    growing: Option<usize>,
    /// The buffers that lost bytes.
    pub(super) cut: HashSet<usize>,
}

/// A list of the document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum List {
    Nodes,
    Skins,
    Meshes,
    Materials,
    Animations,
    Accessors,
    BufferViews,
    Buffers,
}

/// Numbers on their way into an accessor.
pub(super) enum Data<'a> {
    F32(&'a [f32]),
    U8(&'a [u8]),
    U16(&'a [u16]),
    U32(&'a [u32]),
}

impl Draft {
    /// A document that was read, with the bytes of its buffers.
    pub fn parse(json: &[u8], buffers: Vec<Option<Vec<u8>>>) -> Result<Self, WriteError> {
        let mut top: RawObject = serde_json::from_slice(json).map_err(failed)?;
        let mut draft = Self { buffers, ..Self::default() };
        for (key, list) in LISTS.into_iter().zip(&mut draft.lists) {
            if let Some(json) = top.get(key) {
                *list = serde_json::from_str(json.get()).map_err(failed)?;
            }
        }
        // The text of long lists need not be held twice.
        for key in LISTS {
            if top.get(key).is_some() {
                top.set(key, &())?;
            }
        }
        draft.top = top;
        Ok(draft)
    }

    pub fn list(&self, list: List) -> &[Box<RawValue>] {
        &self.lists[list as usize]
    }

    /// Puts another list in the place of one.
    pub fn set_list(&mut self, list: List, items: Vec<Box<RawValue>>) {
        self.lists[list as usize] = items;
    }

    /// Adds to a list and returns the index.
    pub fn push(&mut self, list: List, item: &impl Serialize) -> Result<usize, WriteError> {
        let list = &mut self.lists[list as usize];
        list.push(raw(item)?);
        Ok(list.len() - 1)
    }

    /// An item of a list, to be changed and put back with [`replace`](Self::replace).
    pub fn item(&self, list: List, index: usize) -> Result<RawObject, WriteError> {
        match self.lists[list as usize].get(index) {
            Some(json) => RawObject::parse(json),
            None => Err(WriteError::new(LISTS[list as usize], format!("there is no item {index}"))),
        }
    }

    pub fn replace(&mut self, list: List, index: usize, item: &RawObject) -> Result<(), WriteError> {
        if let Some(place) = self.lists[list as usize].get_mut(index) {
            *place = raw(item)?;
        }
        Ok(())
    }

    /// Adds an accessor with a buffer view of its own; `target` is that of the
    /// view, for the attributes of vertices. The bounds are set for those that
    /// the format wants them for, and harm nowhere.
    pub fn push_accessor(
        &mut self,
        shape: &str,
        width: usize,
        data: Data<'_>,
        target: Option<u32>,
    ) -> Result<usize, WriteError> {
        let buffer = self.growing_buffer()?;
        let bytes = self.buffers[buffer].get_or_insert_default();
        bytes.resize(bytes.len().next_multiple_of(4), 0);
        let start = bytes.len();
        let (component, size, count) = match data {
            Data::F32(values) => {
                bytes.extend(values.iter().flat_map(|value| value.to_le_bytes()));
                (5126, 4, values.len())
            }
            Data::U8(values) => {
                bytes.extend_from_slice(values);
                (5121, 1, values.len())
            }
            Data::U16(values) => {
                bytes.extend(values.iter().flat_map(|value| value.to_le_bytes()));
                (5123, 2, values.len())
            }
            Data::U32(values) => {
                bytes.extend(values.iter().flat_map(|value| value.to_le_bytes()));
                (5125, 4, values.len())
            }
        };
        let mut view = json!({"buffer": buffer, "byteOffset": start, "byteLength": bytes.len() - start});
        if let Some(target) = target {
            view["target"] = target.into();
            // Only attributes of vertices have one.
            if width > 1 {
                view["byteStride"] = (width * size).into();
            }
        }
        let view = self.push(List::BufferViews, &view)?;
        let mut accessor = json!({
            "bufferView": view, "componentType": component, "count": count / width, "type": shape
        });
        if let Data::F32(values) = data
            && width <= 3
        {
            let over = |pick: fn(f32, f32) -> f32, from: f32| -> Vec<f32> {
                let column = |k: usize| values.iter().skip(k).step_by(width).copied().fold(from, pick);
                (0..width).map(column).collect()
            };
            // As numbers of single precision: in double they would be other digits.
            accessor["min"] = bounds(&over(f32::min, f32::INFINITY))?;
            accessor["max"] = bounds(&over(f32::max, f32::NEG_INFINITY))?;
        }
        self.push(List::Accessors, &accessor)
    }

    /// The buffer that takes what is added: the first, which is the binary
    /// chunk of a GLB, or a new one if its bytes are not there.
    fn growing_buffer(&mut self) -> Result<usize, WriteError> {
        if let Some(buffer) = self.growing {
            return Ok(buffer);
        }
        let buffer = if matches!(self.buffers.first(), Some(Some(_))) {
            0
        } else {
            self.buffers.push(Some(Vec::new()));
            self.push(List::Buffers, &json!({"byteLength": 0}))?
        };
        self.growing = Some(buffer);
        Ok(buffer)
    }

    /// The document's extension of this name.
    pub fn extension(&self, name: &str) -> Option<RawObject> {
        self.top.read::<RawObject>("extensions")?.read(name)
    }

    /// Sets an extension of the document, and says that it is used.
    pub fn set_extension(&mut self, name: &str, value: &impl Serialize) -> Result<(), WriteError> {
        let mut extensions: RawObject = self.top.read("extensions").unwrap_or_default();
        extensions.set(name, value)?;
        self.top.set("extensions", &extensions)?;
        let mut used: Vec<String> = self.top.read("extensionsUsed").unwrap_or_default();
        if !used.iter().any(|known| known == name) {
            used.push(name.into());
            self.top.set("extensionsUsed", &used)?;
        }
        Ok(())
    }

    /// The file.
    pub fn finish(mut self, container: Container) -> Result<Vec<u8>, WriteError> {
        // A GLB takes the first buffer out of the document; all others, and
        // those of a .gltf, are inside of it, so that one file is the whole.
        let mut chunk = Vec::new();
        let mut inside = Vec::new();
        let word = self.unused_word();
        let buffers = std::mem::take(&mut self.buffers);
        for (i, bytes) in buffers.into_iter().enumerate() {
            let Some(bytes) = bytes else { continue };
            let mut buffer = self.item(List::Buffers, i)?;
            if container == Container::Glb && i == 0 {
                buffer.remove("uri");
                buffer.set("byteLength", &bytes.len())?;
                chunk = bytes;
            } else if self.growing == Some(i) || self.cut.contains(&i) || !is_inside(&buffer) {
                let place = format!("{word}{i}.");
                buffer.set("byteLength", &bytes.len())?;
                buffer.set("uri", &place)?;
                inside.push((place, bytes));
            }
            self.replace(List::Buffers, i, &buffer)?;
        }
        for (key, list) in LISTS.into_iter().zip(&mut self.lists) {
            let list = std::mem::take(list);
            // The format forbids empty lists.
            if !list.is_empty() {
                self.top.set(key, &list)?;
            } else {
                self.top.remove(key);
            }
        }
        match container {
            Container::Glb => {
                let json = serde_json::to_string(&self.top).map_err(failed)?;
                drop(self);
                container::join(with_data(json, inside)?, chunk)
                    .ok_or_else(|| WriteError::new("the file", "more than the 4 GiB that a GLB can have"))
            }
            Container::Gltf => {
                let json = serde_json::to_string_pretty(&self.top).map_err(failed)?;
                drop(self);
                with_data(json, inside)
            }
        }
    }

    /// A word that the document says nowhere, to stand for what is put into it last.
    fn unused_word(&self) -> String {
        let is_used = |word: &str| {
            let lists = self.lists.iter().flatten().any(|item| item.get().contains(word));
            lists || self.top.members().any(|(key, value)| key.contains(word) || value.get().contains(word))
        };
        let mut word = String::from("buffer-");
        while is_used(&word) {
            word.push('-');
        }
        word
    }
}

/// Puts bytes into a document where it names them, in their order: base64 is made where it stays,
/// since a motion that fills the budget must not be held as text several times.
fn with_data(json: String, inside: Vec<(String, Vec<u8>)>) -> Result<Vec<u8>, WriteError> {
    let room: usize = inside.iter().map(|(_, bytes)| bytes.len().div_ceil(3) * 4 + 64).sum();
    if room == 0 {
        return Ok(json.into_bytes());
    }
    let mut file = String::with_capacity(json.len() + room);
    let mut rest = &json[..];
    for (place, bytes) in inside {
        let (before, after) = rest
            .split_once(&place)
            .ok_or_else(|| WriteError::new("the JSON document", format!("no place for '{place}'")))?;
        file.push_str(before);
        container::push_data_uri("application/octet-stream", &bytes, &mut file);
        rest = after;
    }
    file.push_str(rest);
    Ok(file.into_bytes())
}

/// Whether a buffer's bytes are part of the document.
fn is_inside(buffer: &RawObject) -> bool {
    buffer.read::<std::borrow::Cow<'_, str>>("uri").is_some_and(|uri| uri.starts_with("data:"))
}

fn bounds(values: &[f32]) -> Result<serde_json::Value, WriteError> {
    let text = serde_json::to_string(values).map_err(failed)?;
    serde_json::from_str(&text).map_err(failed)
}
