//! What a glTF file held, kept beside the asset so that writing it again
//! changes only what was changed.

use std::hash::{DefaultHasher, Hash, Hasher};

use glam::{DAffine3, DMat3};
use sinew_f64::{JointId, ModelPose, Pose, Skeleton};

use super::accessor::Buffers;
use super::container;
use super::document::Document;
use super::draft::{Draft, List};
use super::extras::{JointExtras, RecordingExtras};
use super::forest::Local;
use super::raw::RawObject;
use super::stage::Stage;
use crate::{Motion, Note, WriteError};

/// A file as it was read: its document, its buffers, and which of its nodes are
/// the joints of the skeleton.
///
/// Meshes, skins, materials, textures, cameras, extensions and the order of the
/// nodes are in here, untouched. An asset that came from such a file carries it
/// as [`Source::gltf`](crate::Source::gltf).
#[derive(Debug)]
pub struct Kept {
    json: Vec<u8>,
    buffers: Vec<Option<Vec<u8>>>,
    /// The images that lay beside the file, by index.
    images: Vec<(usize, String)>,
    /// The files that it names and that were not there.
    missing: Vec<String>,
    pub(super) base: Base,
}

/// What a document says of a rig before an asset changes it.
#[derive(Debug)]
pub(super) struct Base {
    pub stage: Stage,
    /// For each joint, what makes a vector at its node's scale one in metres.
    pub unscaled: Vec<DMat3>,
    /// The skeleton and the roles as they were read.
    pub skeleton: Skeleton,
    pub roles: Vec<(String, JointId)>,
    /// What the document's nodes keep of their joints.
    pub extras: Vec<JointExtras>,
    /// The animations that are motions of the asset: their indices and what
    /// tells a motion that was changed.
    pub motions: Vec<(usize, u64)>,
    pub recording: RecordingExtras,
}

/// A node's transform to its parent node: scale first, then turn, then shift.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NodeTransform {
    /// The index of the node in the file.
    pub node: usize,
    /// The shift, in the parent node's frame.
    pub translation: glam::DVec3,
    /// The turn.
    pub rotation: glam::DQuat,
    /// The scale along the node's own axes, as in the file.
    pub scale: glam::DVec3,
}

impl Kept {
    pub(super) fn new(json: &[u8], document: &Document, buffers: &mut Buffers<'_>, base: Base) -> Self {
        let mut missing = Vec::new();
        let kept = (0..document.buffers.len())
            .map(|i| {
                let bytes = buffers.bytes(i);
                if bytes.is_none() {
                    // A buffer without a URI, as the one that views of packed data name, is no file.
                    missing.extend(document.buffers[i].uri.clone());
                }
                bytes
            })
            .collect();
        let mut images = Vec::new();
        for (i, image) in document.images.0.iter().flatten().enumerate() {
            let Some(uri) = image.uri.as_deref().filter(|uri| !uri.starts_with("data:")) else { continue };
            match buffers.file(uri) {
                Some(bytes) => {
                    let media_type = image.mime_type.as_deref().unwrap_or_else(|| media_type(&bytes));
                    images.push((i, container::to_data_uri(media_type, &bytes)));
                }
                None => missing.push(uri.to_string()),
            }
        }
        // Some writers fill a GLB's JSON chunk with zeros.
        let end = json.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
        Self { json: json[..end].to_vec(), buffers: kept, images, missing, base }
    }

    /// What it takes in memory, in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        let buffers: usize = self.buffers.iter().flatten().map(Vec::len).sum();
        let images: usize = self.images.iter().map(|(_, image)| image.len()).sum();
        (self.json.len() + buffers + images) as u64
    }

    /// The document.
    pub(super) fn json(&self) -> &[u8] {
        &self.json
    }

    /// The bytes of a buffer, if they were there.
    pub(super) fn buffer(&self, index: usize) -> Option<&[u8]> {
        self.buffers.get(index)?.as_deref()
    }

    /// The index of a joint's node in the file; `None` for a joint of our own
    /// that joins several trees.
    pub fn node_of(&self, joint: JointId) -> Option<usize> {
        self.base.stage.node_of(joint.index())
    }

    /// What stands above the root joint: from the frame of the root node's
    /// parent to model space, with the scale that the file has there. The
    /// identity if there is nothing above.
    pub fn above_root(&self) -> DAffine3 {
        self.base.stage.above_root()
    }

    /// The nodes' transforms that show a pose of this skeleton, for those whose
    /// transform in the file differs: what a program that has the file loaded
    /// sets on its nodes.
    ///
    /// A node whose matrix has shear is left out: it has no such parts.
    pub fn node_transforms(&self, skeleton: &Skeleton, pose: &Pose) -> Vec<NodeTransform> {
        if !self.base.fits(skeleton) || pose.len() != skeleton.len() {
            return Vec::new();
        }
        let before = self.base.stage.shown();
        let locals = self.base.locals_for(skeleton, pose, before);
        let changed = (0..locals.len()).filter(|&i| locals[i] != before[i]);
        changed
            .filter_map(|i| {
                let parts = locals[i].parts()?;
                Some(NodeTransform {
                    node: self.base.stage.node_at(i),
                    translation: parts.translation,
                    rotation: parts.rotation,
                    scale: parts.scale,
                })
            })
            .collect()
    }

    /// The document again, ready to be changed.
    pub(super) fn draft(&self, notes: &mut Vec<Note>) -> Result<Draft, WriteError> {
        let mut draft = Draft::parse(&self.json, self.buffers.clone())?;
        if !self.images.is_empty() {
            let mut images: Vec<RawObject> = draft.top.read("images").unwrap_or_default();
            for (i, uri) in &self.images {
                if let Some(image) = images.get_mut(*i) {
                    image.set("uri", uri)?;
                }
            }
            draft.top.set("images", &images)?;
        }
        if let Some(first) = self.missing.first() {
            let count = self.missing.len();
            notes.push(Note::new(format!(
                "{count} files that the document names were not there to be kept (first '{first}'); they have to lie beside it"
            )));
        }
        debug_assert!(draft.list(List::Nodes).len() >= self.base.stage.shown().len());
        Ok(draft)
    }
}

impl Base {
    pub fn locals_for(&self, skeleton: &Skeleton, pose: &Pose, from: &[Local]) -> Vec<Local> {
        let model = ModelPose::new(skeleton, pose);
        let wanted: Vec<_> = skeleton.ids().map(|id| model.transform(id)).collect();
        self.stage.locals_for(&wanted, from)
    }

    /// Whether a skeleton still has the joints of the file, in the same order.
    pub fn fits(&self, skeleton: &Skeleton) -> bool {
        let parents = |s: &Skeleton| s.ids().map(|id| s.parent(id).map(JointId::index)).collect::<Vec<_>>();
        parents(skeleton) == parents(&self.skeleton)
    }
}

/// The media type of an image, from its first bytes.
fn media_type(bytes: &[u8]) -> &'static str {
    if bytes.starts_with(b"\xff\xd8\xff") {
        "image/jpeg"
    } else if bytes.starts_with(b"\x89PNG") {
        "image/png"
    } else if bytes.get(8..12) == Some(b"WEBP") {
        "image/webp"
    } else if bytes.starts_with(b"\xabKTX 20\xbb") {
        "image/ktx2"
    } else {
        "application/octet-stream"
    }
}

const OFF_THE_EDGE: f64 = 1.234_567_890_123;

/// Tells whether a motion is still the one that was read. Its name is not part
/// of it: an animation keeps its keys when it is renamed. Shifts count as glTF holds them, in single precision: at
/// another size and back they differ in the last bit of a double.
pub(super) fn fingerprint(motion: &Motion) -> u64 {
    let mut hasher = DefaultHasher::new();
    (motion.frame_time.to_bits(), motion.start.to_bits(), motion.frames.len()).hash(&mut hasher);
    for pose in &motion.frames {
        for rotation in pose.rotations() {
            rotation.to_array().map(f64::to_bits).hash(&mut hasher);
        }
        for translation in pose.translations() {
            // The factor keeps values that lie just between two singles, as differences of two do, off the edge.
            translation.to_array().map(|x| ((x * OFF_THE_EDGE) as f32).to_bits()).hash(&mut hasher);
        }
    }
    hasher.finish()
}
