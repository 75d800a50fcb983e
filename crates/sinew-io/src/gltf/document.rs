//! The part of a glTF document that we read, as the file has it.
//!
//! The crate `gltf` would read it too, but holds transforms in single
//! precision, refuses animation channels without a node (which the format
//! allows), a broken material in a file of which we want the skeleton, and
//! cannot say at which place of the document something is wrong. It serves as
//! the foreign reference in our tests instead.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::Value;
use serde_json::value::RawValue;

use super::extras::{Extras, RecordingExtras};
use crate::error::{Place, ReadError, quoted};
use crate::vrm::{Vrm0, Vrm1, VrmAnimation};

/// The document.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Document {
    pub asset: AssetInfo,
    pub scene: Option<usize>,
    #[serde(default)]
    pub scenes: Vec<Scene>,
    #[serde(default)]
    pub nodes: Vec<Node>,
    #[serde(default)]
    pub skins: Vec<Skin>,
    #[serde(default)]
    pub animations: Vec<Animation>,
    #[serde(default)]
    pub accessors: Vec<Accessor>,
    #[serde(default)]
    pub buffer_views: Vec<BufferView>,
    #[serde(default)]
    pub buffers: Vec<Buffer>,
    #[serde(default)]
    pub images: Lenient<Vec<Image>>,
    #[serde(default)]
    pub extensions: Extensions,
    #[serde(default)]
    pub extras: Lenient<Extras<RecordingExtras>>,
}

/// Something that may be anything in a file that is sound otherwise: `None` if
/// it is not what we look for.
#[derive(Debug)]
pub(super) struct Lenient<T>(pub Option<T>);

impl<T> Default for Lenient<T> {
    fn default() -> Self {
        Self(None)
    }
}

impl<'de, T: DeserializeOwned> Deserialize<'de> for Lenient<T> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // As text first: it is passed by without recursion, whatever it holds.
        let text = Box::<RawValue>::deserialize(deserializer)?;
        Ok(Self(serde_json::from_str(text.get()).ok()))
    }
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Image {
    pub uri: Option<String>,
    pub mime_type: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(super) struct AssetInfo {
    pub version: String,
}

#[derive(Debug, Default, Deserialize)]
pub(super) struct Extensions {
    #[serde(rename = "VRM")]
    pub vrm0: Option<Vrm0>,
    #[serde(rename = "VRMC_vrm")]
    pub vrm1: Option<Vrm1>,
    #[serde(rename = "VRMC_vrm_animation")]
    pub vrm_animation: Option<VrmAnimation>,
    #[serde(rename = "VRMC_springBone")]
    pub spring_bones: Option<IgnoredAny>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Scene {
    pub name: Option<String>,
    #[serde(default)]
    pub nodes: Vec<usize>,
}

#[derive(Debug, Default, Deserialize)]
pub(super) struct Node {
    pub name: Option<String>,
    #[serde(default)]
    pub children: Vec<usize>,
    pub matrix: Option<[f64; 16]>,
    pub translation: Option<[f64; 3]>,
    pub rotation: Option<[f64; 4]>,
    pub scale: Option<[f64; 3]>,
    pub mesh: Option<usize>,
    pub camera: Option<usize>,
    pub extras: Option<Value>,
    #[serde(default)]
    pub extensions: BTreeMap<String, IgnoredAny>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Skin {
    pub name: Option<String>,
    pub joints: Vec<usize>,
    pub inverse_bind_matrices: Option<usize>,
    pub skeleton: Option<usize>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Animation {
    pub name: Option<String>,
    pub channels: Vec<Channel>,
    pub samplers: Vec<Sampler>,
    pub extras: Option<Value>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Channel {
    pub sampler: usize,
    pub target: Target,
}

#[derive(Debug, Deserialize)]
pub(super) struct Target {
    /// A channel without a node is to be passed by.
    pub node: Option<usize>,
    pub path: String,
}

#[derive(Debug, Deserialize)]
pub(super) struct Sampler {
    pub input: usize,
    pub output: usize,
    #[serde(default)]
    pub interpolation: Interpolation,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub(super) enum Interpolation {
    #[default]
    Linear,
    Step,
    CubicSpline,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Accessor {
    pub buffer_view: Option<usize>,
    #[serde(default)]
    pub byte_offset: u64,
    pub component_type: u32,
    #[serde(default)]
    pub normalized: bool,
    pub count: u64,
    #[serde(rename = "type")]
    pub shape: String,
    pub sparse: Option<Sparse>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Sparse {
    pub count: u64,
    pub indices: SparseIndices,
    pub values: SparseValues,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SparseIndices {
    pub buffer_view: usize,
    #[serde(default)]
    pub byte_offset: u64,
    pub component_type: u32,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SparseValues {
    pub buffer_view: usize,
    #[serde(default)]
    pub byte_offset: u64,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct BufferView {
    pub buffer: usize,
    #[serde(default)]
    pub byte_offset: u64,
    pub byte_length: u64,
    pub byte_stride: Option<u64>,
    /// As text: only what packs the view is looked into, and only if it is read.
    #[serde(default)]
    pub extensions: BTreeMap<String, Box<RawValue>>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Buffer {
    pub uri: Option<String>,
    pub byte_length: u64,
}

/// Reads the JSON. serde_json stops at 128 levels of nesting by itself.
pub(super) fn parse(json: &[u8]) -> Result<Document, ReadError> {
    // Some writers fill a GLB's JSON chunk with zeros instead of spaces.
    let end = json.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
    let mut deserializer = serde_json::Deserializer::from_slice(&json[..end]);
    let document: Document =
        serde_path_to_error::deserialize(&mut deserializer).map_err(|error| told(error, json))?;
    deserializer.end().map_err(|error| {
        let place = Place::LineColumn(error.line(), error.column());
        ReadError::new(place, "more text behind the document", "the end of the file")
    })?;
    if !document.asset.version.starts_with("2.") {
        return Err(ReadError::new(
            Place::Path("asset.version".into()),
            quoted(&document.asset.version),
            "'2.0' (glTF 1.0 is another format)",
        ));
    }
    Ok(document)
}

/// Text that may hold whatever the file holds, on one line and short.
fn tame(text: &str) -> String {
    const MOST: usize = 160;
    let mut tamed: String = text.chars().take(MOST).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if text.chars().count() > MOST {
        tamed.push('…');
    }
    tamed
}

/// serde's message, taken apart into place, found and expected.
fn told(error: serde_path_to_error::Error<serde_json::Error>, json: &[u8]) -> ReadError {
    let path = tame(&error.path().to_string());
    let inner = error.inner();
    let (line, column) = (inner.line(), inner.column());
    let mut message = inner.to_string();
    if let Some(at) = message.rfind(" at line ") {
        message.truncate(at);
    }
    let message = tame(&message);
    let out_of_range = message == "number out of range";
    if inner.classify() != serde_json::error::Category::Data && !out_of_range {
        if inner.classify() == serde_json::error::Category::Eof && json.is_empty() {
            return ReadError::new(Place::File, "an empty JSON chunk", "a glTF document");
        }
        let inside = if path == "." { String::new() } else { format!(" (in {path})") };
        return ReadError::new(Place::LineColumn(line, column), format!("{message}{inside}"), "valid JSON");
    }
    let place = if path == "." { Place::LineColumn(line, column) } else { Place::Path(path) };
    if out_of_range {
        return ReadError::new(place, "a number beyond what can be held", "a finite number");
    }
    if let Some(field) = message.strip_prefix("missing field ") {
        return ReadError::new(place, format!("no {field}"), format!("an object that has {field}"));
    }
    match message.rsplit_once(", expected ") {
        Some((found, expected)) => ReadError::new(place, found, expected),
        None => ReadError::new(place, message, "what the glTF format says"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(json: &str) -> String {
        parse(json.as_bytes()).unwrap_err().to_string()
    }

    #[test]
    fn errors_name_the_place_in_the_document() {
        let asset = r#""asset":{"version":"2.0"}"#;
        let cases = [
            (r#""nodes":[{},{"rotation":[0,0,1]}]"#, "at nodes[1].rotation", "array of length 4"),
            (r#""nodes":[{"translation":[1e309,0,0]}]"#, "at nodes[0].translation[0]", "finite"),
            (r#""nodes":[{"children":[-1]}]"#, "at nodes[0].children[0]", "usize"),
            (r#""nodes":[{"name":3}]"#, "at nodes[0].name", "string"),
            (r#""skins":[{}]"#, "at skins[0]", "`joints`"),
            (r#""scene":"a""#, "at scene", "usize"),
        ];
        for (json, place, expected) in cases {
            let said = error(&format!("{{{asset},{json}}}"));
            assert!(said.contains(place) && said.contains(expected), "{json}: {said}");
        }
        assert!(error("{}").contains("`asset`"));
        assert!(error(r#"{"asset":{"version":"1.0"}}"#).contains("asset.version"));
        assert!(error(r#"{"asset":{"version":"2.0"}} x"#).contains("line 1"));
        assert!(error(r#"{"asset":{"vers"#).contains("EOF"));
        let long = format!(
            r#"{{{asset},"animations":[{{"channels":[],"samplers":[
            {{"input":0,"output":0,"interpolation":"a\n{}"}}]}}]}}"#,
            "b".repeat(9999)
        );
        let said = error(&long);
        assert!(said.len() < 600 && !said.contains('\n') && said.contains("interpolation"), "{said}");
    }

    #[test]
    fn deep_nesting_ends_in_an_error() {
        let deep = format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000));
        let asset = r#""asset":{"version":"2.0"}"#;
        let read = format!(r#"{{{asset},"nodes":[{{"extras":{deep}}}]}}"#);
        assert!(error(&read).contains("recursion limit"));
        // What is not read is passed by without recursion.
        assert!(parse(format!(r#"{{{asset},"extras":{deep}}}"#).as_bytes()).is_ok());
    }
}
