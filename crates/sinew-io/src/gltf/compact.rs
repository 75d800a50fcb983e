//! Takes out of a document what only replaced animations used: accessors,
//! buffer views and their bytes.
//!
//! What is left gets other indices, and its bytes move together. An extension
//! that nobody here knows may hold such indices where nobody finds them; a
//! document with one is left as it is.

use std::collections::{BTreeMap, HashSet};
use std::ops::Range;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::draft::{Draft, List};
use super::raw::{RawObject, raw};
use crate::{Note, WriteError};

/// Extensions that hold no index of an accessor or a buffer view, but for the
/// last, whose view [`each_view`] finds.
const KNOWN: [&str; 13] = [
    "EXT_texture_webp",
    "KHR_animation_pointer",
    "KHR_lights_punctual",
    "KHR_materials_",
    "KHR_mesh_quantization",
    "KHR_node_visibility",
    "KHR_texture_basisu",
    "KHR_texture_transform",
    "KHR_xmp",
    "MSFT_texture_dds",
    "VRM",
    "VRMC_",
    DRACO,
];
const DRACO: &str = "KHR_draco_mesh_compression";

/// Bytes move by multiples of this, so that every number stays aligned.
const ALIGNMENT: usize = 4;

/// The accessors that the animations of a document use.
pub(super) fn of_animations(animations: &[Box<RawValue>]) -> Result<HashSet<usize>, WriteError> {
    let mut used = HashSet::new();
    for animation in animations {
        each_sampled(&mut RawObject::parse(animation)?, &mut |index| {
            used.insert(index);
            index
        })?;
    }
    Ok(used)
}

/// Drops those accessors of `candidates` that nothing uses any longer.
pub(super) fn drop_unused(
    draft: &mut Draft,
    candidates: &HashSet<usize>,
    notes: &mut Vec<Note>,
) -> Result<(), WriteError> {
    let sampled = of_animations(draft.list(List::Animations))?;
    let mut dropped: HashSet<usize> = candidates.difference(&sampled).copied().collect();
    // A document that keeps its animations keeps its text.
    if dropped.is_empty() {
        return Ok(());
    }
    each_accessor(draft, &mut |index| {
        dropped.remove(&index);
        index
    })?;
    if dropped.is_empty() {
        return Ok(());
    }
    let used: Vec<String> = draft.top.read("extensionsUsed").unwrap_or_default();
    if let Some(stranger) = used.iter().find(|name| !KNOWN.iter().any(|known| name.starts_with(known))) {
        let count = dropped.len();
        notes.push(Note::new(format!(
            "{count} accessors of animations that were replaced stay in the file: it uses {stranger}, which may refer to them"
        )));
        return Ok(());
    }
    let Some((accessors, views)) =
        parsed::<Accessor>(draft, List::Accessors).zip(parsed(draft, List::BufferViews))
    else {
        return Ok(());
    };
    let gone = cut(draft, &accessors, &views, &dropped)?;
    let accessors = remove(draft, List::Accessors, &dropped);
    each_accessor(draft, &mut |index| accessors.get(index).copied().unwrap_or(index))?;
    let views = remove(draft, List::BufferViews, &gone);
    each_view(draft, &mut |index| views.get(index).copied().unwrap_or(index))
}

/// An accessor, as far as its bytes go.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Accessor {
    buffer_view: Option<usize>,
    #[serde(default)]
    byte_offset: usize,
    component_type: u32,
    count: usize,
    #[serde(rename = "type")]
    shape: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct View {
    buffer: usize,
    #[serde(default)]
    byte_offset: usize,
    byte_length: usize,
    byte_stride: Option<usize>,
}

impl View {
    fn bytes(&self) -> Range<usize> {
        self.byte_offset..self.byte_offset.saturating_add(self.byte_length)
    }
}

impl Accessor {
    /// The bytes it reads, in its buffer; those of the whole view for what no valid file has.
    fn bytes(&self, view: &View) -> Range<usize> {
        self.bytes_within(view).unwrap_or_else(|| view.bytes())
    }

    fn bytes_within(&self, view: &View) -> Option<Range<usize>> {
        let component = match self.component_type {
            5120 | 5121 => 1,
            5122 | 5123 => 2,
            5125 | 5126 => 4,
            _ => return None,
        };
        let element = component
            * match (&*self.shape, component) {
                ("SCALAR", _) => 1,
                ("VEC2", _) => 2,
                ("VEC3", _) => 3,
                ("VEC4", _) => 4,
                // The columns of a matrix begin at multiples of four bytes.
                ("MAT2", 1) => 8,
                ("MAT2", _) => 4,
                ("MAT3", 1 | 2) => 12,
                ("MAT3", _) => 9,
                ("MAT4", _) => 16,
                _ => return None,
            };
        let stride = view.byte_stride.unwrap_or(element);
        let start = view.byte_offset.checked_add(self.byte_offset)?;
        let end = stride.checked_mul(self.count.checked_sub(1)?)?.checked_add(element)?.checked_add(start)?;
        (end <= view.bytes().end).then_some(start..end)
    }
}

fn parsed<T: for<'a> Deserialize<'a>>(draft: &Draft, list: List) -> Option<Vec<T>> {
    draft.list(list).iter().map(|item| serde_json::from_str(item.get()).ok()).collect()
}

/// Cuts the bytes that only dropped accessors read out of their buffers, and
/// returns the views that nothing uses any longer.
fn cut(
    draft: &mut Draft,
    accessors: &[Accessor],
    views: &[View],
    dropped: &HashSet<usize>,
) -> Result<HashSet<usize>, WriteError> {
    let reads = |index: &usize| accessors.get(*index).and_then(|accessor| accessor.buffer_view);
    let mut gone: HashSet<usize> = dropped.iter().filter_map(reads).collect();
    for index in (0..accessors.len()).filter(|index| !dropped.contains(index)) {
        reads(&index).inspect(|view| {
            gone.remove(view);
        });
    }
    let mut whole = HashSet::new();
    each_view_but_of_accessors(draft, &mut |view| {
        gone.remove(&view);
        whole.insert(view);
        view
    })?;

    let mut readers: Vec<Vec<usize>> = vec![Vec::new(); views.len()];
    for (index, accessor) in accessors.iter().enumerate() {
        if let Some(readers) = accessor.buffer_view.and_then(|view| readers.get_mut(view)) {
            readers.push(index);
        }
    }
    let buffer_of = |index: &usize| views.get(reads(index)?).map(|view| view.buffer);
    let touched: HashSet<usize> = dropped.iter().filter_map(buffer_of).collect();
    for buffer in touched {
        let Some(Some(bytes)) = draft.buffers.get_mut(buffer) else { continue };
        let here = |view: &usize| views.get(*view).filter(|v| v.buffer == buffer);
        let of = |index: usize| {
            let accessor = &accessors[index];
            accessor.buffer_view.as_ref().and_then(here).map(|view| accessor.bytes(view))
        };
        let unused = gone.iter().filter_map(here).map(View::bytes);
        let unused = unused.chain(dropped.iter().filter_map(|&index| of(index)));
        let used = whole.iter().filter_map(here).map(View::bytes);
        let used = used.chain((0..accessors.len()).filter(|i| !dropped.contains(i)).filter_map(of));
        let cuts = Cuts::new(bytes.len(), unused, used);
        if cuts.0.is_empty() {
            continue;
        }
        *bytes = cuts.rest_of(bytes);
        draft.cut.insert(buffer);
        for (place, view) in views.iter().enumerate().filter(|(_, v)| v.buffer == buffer) {
            let (old, start) = (view.bytes(), cuts.moved(view.byte_offset));
            draft.lists[List::BufferViews as usize][place] = with_numbers(
                &draft.lists[List::BufferViews as usize][place],
                [
                    ("byteOffset", view.byte_offset, start),
                    ("byteLength", view.byte_length, cuts.moved(old.end) - start),
                ],
            )?;
            for &index in &readers[place] {
                let accessor = &accessors[index];
                let offset = cuts.moved(old.start.saturating_add(accessor.byte_offset)) - start;
                draft.lists[List::Accessors as usize][index] = with_numbers(
                    &draft.lists[List::Accessors as usize][index],
                    [("byteOffset", accessor.byte_offset, offset)],
                )?;
            }
        }
    }
    Ok(gone)
}

/// An object with other numbers, where they are others.
fn with_numbers<const N: usize>(
    item: &RawValue,
    numbers: [(&str, usize, usize); N],
) -> Result<Box<RawValue>, WriteError> {
    if numbers.iter().all(|(_, old, new)| old == new) {
        return Ok(item.to_owned());
    }
    let mut object = RawObject::parse(item)?;
    for (key, _, new) in numbers.into_iter().filter(|(_, old, new)| old != new) {
        object.set(key, &new)?;
    }
    raw(&object)
}

/// Ranges of a buffer that are taken out, in ascending order and apart, each
/// with the number of bytes that those before it take out.
struct Cuts(Vec<(Range<usize>, usize)>);

impl Cuts {
    /// What is unused and not used as well, as far as whole groups of
    /// [`ALIGNMENT`] bytes go.
    fn new(
        length: usize,
        unused: impl Iterator<Item = Range<usize>>,
        used: impl Iterator<Item = Range<usize>>,
    ) -> Self {
        // Ranges begin and end at these; between two of them all is alike.
        let mut counts: BTreeMap<usize, (isize, isize)> = BTreeMap::new();
        let mut count = |range: Range<usize>, unused: isize, used: isize| {
            let range = range.start.min(length)..range.end.min(length);
            for (place, sign) in [(range.start, 1), (range.end, -1)] {
                let count = counts.entry(place).or_default();
                *count = (count.0 + sign * unused, count.1 + sign * used);
            }
        };
        unused.for_each(|range| count(range, 1, 0));
        used.for_each(|range| count(range, 0, 1));
        let mut cuts: Vec<Range<usize>> = Vec::new();
        let (mut level, mut from) = ((0, 0), 0);
        for (place, change) in counts {
            if level.0 > 0 && level.1 == 0 {
                match cuts.last_mut().filter(|last| last.end == from) {
                    Some(last) => last.end = place,
                    None => cuts.push(from..place),
                }
            }
            level = (level.0 + change.0, level.1 + change.1);
            from = place;
        }
        for cut in &mut cuts {
            *cut = cut.start.next_multiple_of(ALIGNMENT)..cut.end / ALIGNMENT * ALIGNMENT;
        }
        cuts.retain(|cut| cut.start < cut.end);
        let mut before = 0;
        let counted = cuts.into_iter().map(|cut| {
            let length = cut.len();
            before += length;
            (cut, before - length)
        });
        Self(counted.collect())
    }

    /// Where a byte is after the cuts, or what follows it if it was taken out.
    fn moved(&self, offset: usize) -> usize {
        let after = self.0.partition_point(|(cut, _)| cut.start < offset);
        let last = after.checked_sub(1).map(|last| &self.0[last]);
        offset - last.map_or(0, |(cut, before)| before + offset.min(cut.end) - cut.start)
    }

    fn rest_of(&self, bytes: &[u8]) -> Vec<u8> {
        let mut rest = Vec::with_capacity(bytes.len());
        let mut from = 0;
        for (cut, _) in &self.0 {
            rest.extend_from_slice(&bytes[from..cut.start]);
            from = cut.end;
        }
        rest.extend_from_slice(&bytes[from..]);
        rest
    }
}

/// Takes items out of a list, and returns the new indices of the others.
fn remove(draft: &mut Draft, list: List, indices: &HashSet<usize>) -> Vec<usize> {
    let mut left = Vec::new();
    let mut places = Vec::new();
    for (index, item) in draft.list(list).iter().enumerate() {
        places.push(left.len());
        if !indices.contains(&index) {
            left.push(item.clone());
        }
    }
    draft.set_list(list, left);
    places
}

/// Takes an index and gives the one to be in its place.
type Renumber<'a> = &'a mut dyn FnMut(usize) -> usize;

/// Renumbers a member that is an index.
fn index(object: &mut RawObject, key: &str, renumber: Renumber<'_>) -> Result<(), WriteError> {
    match object.read::<usize>(key) {
        Some(old) => {
            let new = renumber(old);
            if new == old { Ok(()) } else { object.set(key, &new) }
        }
        None => Ok(()),
    }
}

/// Changes a member that is an object.
fn within(
    object: &mut RawObject,
    key: &str,
    change: &mut dyn FnMut(&mut RawObject) -> Result<(), WriteError>,
) -> Result<(), WriteError> {
    let Some(mut member) = object.read::<RawObject>(key) else { return Ok(()) };
    change(&mut member)?;
    object.set(key, &member)
}

/// Changes the objects of a member that is a list.
fn within_each(
    object: &mut RawObject,
    key: &str,
    change: &mut dyn FnMut(&mut RawObject) -> Result<(), WriteError>,
) -> Result<(), WriteError> {
    let Some(mut members) = object.read::<Vec<RawObject>>(key) else { return Ok(()) };
    members.iter_mut().try_for_each(change)?;
    object.set(key, &members)
}

/// Changes the items of a list of the document.
fn items(
    draft: &mut Draft,
    list: List,
    change: &mut dyn FnMut(&mut RawObject) -> Result<(), WriteError>,
) -> Result<(), WriteError> {
    for place in 0..draft.list(list).len() {
        let mut object = draft.item(list, place)?;
        change(&mut object)?;
        draft.replace(list, place, &object)?;
    }
    Ok(())
}

/// The accessors of an animation.
fn each_sampled(animation: &mut RawObject, renumber: Renumber<'_>) -> Result<(), WriteError> {
    within_each(animation, "samplers", &mut |sampler| {
        index(sampler, "input", renumber)?;
        index(sampler, "output", renumber)
    })
}

/// Every place of a document that names an accessor.
fn each_accessor(draft: &mut Draft, renumber: Renumber<'_>) -> Result<(), WriteError> {
    items(draft, List::Animations, &mut |animation| each_sampled(animation, renumber))?;
    items(draft, List::Skins, &mut |skin| index(skin, "inverseBindMatrices", renumber))?;
    items(draft, List::Meshes, &mut |mesh| {
        within_each(mesh, "primitives", &mut |primitive| {
            index(primitive, "indices", renumber)?;
            within(primitive, "attributes", &mut |attributes| attributes.renumber(renumber))?;
            within_each(primitive, "targets", &mut |target| target.renumber(renumber))
        })
    })
}

/// Every place of a document that names a buffer view.
fn each_view(draft: &mut Draft, renumber: Renumber<'_>) -> Result<(), WriteError> {
    items(draft, List::Accessors, &mut |accessor| index(accessor, "bufferView", renumber))?;
    each_view_but_of_accessors(draft, renumber)
}

/// Every place of a document that names a buffer view, but for accessors
/// without their sparse values.
fn each_view_but_of_accessors(draft: &mut Draft, renumber: Renumber<'_>) -> Result<(), WriteError> {
    items(draft, List::Accessors, &mut |accessor| {
        within(accessor, "sparse", &mut |sparse| {
            within(sparse, "indices", &mut |indices| index(indices, "bufferView", renumber))?;
            within(sparse, "values", &mut |values| index(values, "bufferView", renumber))
        })
    })?;
    items(draft, List::Meshes, &mut |mesh| {
        within_each(mesh, "primitives", &mut |primitive| {
            within(primitive, "extensions", &mut |extensions| {
                within(extensions, DRACO, &mut |draco| index(draco, "bufferView", renumber))
            })
        })
    })?;
    within_each(&mut draft.top, "images", &mut |image| index(image, "bufferView", renumber))
}
