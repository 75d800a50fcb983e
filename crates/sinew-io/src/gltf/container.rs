//! The outer shell of the files: the chunks of a GLB and the URIs of a .gltf.
//!
//! A GLB is a 12-byte header (`glTF`, version 2, length of the file) and
//! chunks of length, kind and data; the first is `JSON`, the next may be
//! `BIN\0`, further kinds are to be skipped. Everything is little-endian.

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD};

use crate::error::{Place, ReadError, quoted};

const MAGIC: &[u8; 4] = b"glTF";
const JSON: &[u8; 4] = b"JSON";
const BIN: &[u8; 4] = b"BIN\0";
const HEADER: usize = 12;
const CHUNK_HEADER: usize = 8;

/// The two parts of a file, before either is looked at.
#[derive(Debug)]
pub(super) struct Parts<'a> {
    pub json: &'a [u8],
    /// The binary chunk of a GLB.
    pub binary: Option<&'a [u8]>,
}

/// Whether the bytes begin as a GLB does.
pub(super) fn is_glb(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

/// Takes a GLB apart, or passes a .gltf on as it is.
pub(super) fn split(bytes: &[u8]) -> Result<Parts<'_>, ReadError> {
    if bytes.is_empty() {
        return Err(ReadError::new(Place::File, "an empty file", "a GLB header or a JSON document"));
    }
    if !is_glb(bytes) {
        let json = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
        let first = json.iter().copied().find(|b| !b.is_ascii_whitespace());
        if first != Some(b'{') {
            let found = quoted(&String::from_utf8_lossy(&json[..json.len().min(16)]));
            return Err(ReadError::new(Place::Byte(0), found, "'glTF' (a GLB) or '{' (a .gltf)"));
        }
        return Ok(Parts { json, binary: None });
    }
    let version = word(bytes, 4)?;
    if version != 2 {
        return Err(ReadError::new(Place::Byte(4), format!("GLB version {version}"), "version 2"));
    }
    let declared = word(bytes, 8)? as usize;
    if declared < HEADER + CHUNK_HEADER || declared > bytes.len() {
        return Err(ReadError::new(
            Place::Byte(8),
            format!("a length of {declared} bytes in the header"),
            format!("the file's {} bytes", bytes.len()),
        ));
    }
    // What lies behind the declared end is not part of the asset.
    let bytes = &bytes[..declared];

    let (kind, json, mut at) = chunk(bytes, HEADER)?;
    if kind != JSON {
        return Err(ReadError::new(
            Place::Byte(HEADER + 4),
            format!("a first chunk of kind {}", quoted(&String::from_utf8_lossy(kind))),
            "a 'JSON' chunk",
        ));
    }
    let mut binary = None;
    while at < bytes.len() && binary.is_none() {
        let (kind, data, next) = chunk(bytes, at)?;
        if kind == BIN {
            binary = Some(data);
        }
        at = next;
    }
    Ok(Parts { json, binary })
}

/// The little-endian number at a byte.
fn word(bytes: &[u8], at: usize) -> Result<u32, ReadError> {
    match bytes.get(at..at + 4) {
        Some(&[a, b, c, d]) => Ok(u32::from_le_bytes([a, b, c, d])),
        _ => Err(ReadError::new(
            Place::Byte(bytes.len()),
            "the end of the file",
            "four more bytes of a header",
        )),
    }
}

/// The kind and the data of a chunk, and where the next one begins.
fn chunk(bytes: &[u8], at: usize) -> Result<(&[u8], &[u8], usize), ReadError> {
    let length = word(bytes, at)? as usize;
    word(bytes, at + 4)?;
    let start = at + CHUNK_HEADER;
    let data = bytes.get(start..).unwrap_or_default();
    if length > data.len() {
        return Err(ReadError::new(
            Place::Byte(at),
            format!("a chunk of {length} bytes of which the file has {}", data.len()),
            "a chunk that ends within the file",
        ));
    }
    Ok((&bytes[at + 4..start], &data[..length], start + length))
}

/// Puts a GLB together; `None` when it would be longer than the 4 GiB that
/// its header can say.
pub(super) fn join(mut json: Vec<u8>, mut binary: Vec<u8>) -> Option<Vec<u8>> {
    json.resize(json.len().next_multiple_of(4), b' ');
    binary.resize(binary.len().next_multiple_of(4), 0);
    // A document without a buffer of its own has no binary chunk.
    let chunks = if binary.is_empty() { vec![(JSON, &json)] } else { vec![(JSON, &json), (BIN, &binary)] };
    let length = HEADER + chunks.iter().map(|(_, data)| CHUNK_HEADER + data.len()).sum::<usize>();
    let mut glb = Vec::with_capacity(length);
    glb.extend_from_slice(MAGIC);
    glb.extend_from_slice(&2u32.to_le_bytes());
    glb.extend_from_slice(&u32::try_from(length).ok()?.to_le_bytes());
    for (kind, data) in chunks {
        glb.extend_from_slice(&u32::try_from(data.len()).ok()?.to_le_bytes());
        glb.extend_from_slice(kind);
        glb.extend_from_slice(data);
    }
    Some(glb)
}

/// Bytes as a `data:` URI.
pub(super) fn to_data_uri(media_type: &str, bytes: &[u8]) -> String {
    let mut uri = String::new();
    push_data_uri(media_type, bytes, &mut uri);
    uri
}

/// The same at the end of a text, in whose room it is made.
pub(super) fn push_data_uri(media_type: &str, bytes: &[u8], text: &mut String) {
    text.push_str("data:");
    text.push_str(media_type);
    text.push_str(";base64,");
    STANDARD.encode_string(bytes, text);
}

/// The bytes of a buffer that a .gltf holds itself or keeps in a file beside it.
pub(super) fn resolve_uri(
    uri: &str,
    path: &str,
    sibling: &mut dyn FnMut(&str) -> Option<Vec<u8>>,
) -> Result<Vec<u8>, ReadError> {
    let error = |found: String, expected: &str| ReadError::new(Place::Path(path.into()), found, expected);
    if let Some(data) = uri.strip_prefix("data:") {
        let Some((media, payload)) = data.split_once(',') else {
            return Err(error(format!("the data URI {}", quoted(uri)), "a comma before the data"));
        };
        if !media.ends_with(";base64") {
            return Err(error(format!("a data URI of type {}", quoted(media)), "base64 data"));
        }
        return STANDARD
            .decode(payload)
            .or_else(|_| STANDARD_NO_PAD.decode(payload))
            .map_err(|e| error(format!("bad base64 ({e})"), "base64 data"));
    }
    let name = percent_decoded(uri);
    // Only files in the folder of the .gltf or below: a model must not be able
    // to ask for anything else on the reader's disk.
    let outside = name.is_empty()
        || name.starts_with(['/', '\\'])
        || name.contains([':', '\0'])
        || name.split(['/', '\\']).any(|part| part == "..");
    if outside {
        return Err(error(
            format!("the URI {}", quoted(uri)),
            "a data URI or a file in the folder of the .gltf or below it",
        ));
    }
    sibling(&name).ok_or_else(|| {
        error(format!("the URI {}, and no such file beside this one", quoted(uri)), "a file that can be read")
    })
}

fn percent_decoded(uri: &str) -> String {
    let bytes = uri.as_bytes();
    let mut plain = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let digits = uri.get(at + 1..at + 3).filter(|_| bytes[at] == b'%');
        match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                plain.push(byte);
                at += 3;
            }
            None => {
                plain.push(bytes[at]);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&plain).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_joined_comes_apart_again() {
        let glb = join(b"{\"a\":1}".to_vec(), vec![1, 2, 3]).unwrap();
        assert_eq!(glb.len() % 4, 0);
        let parts = split(&glb).unwrap();
        assert_eq!(parts.json, b"{\"a\":1} ");
        assert_eq!(parts.binary, Some(&[1, 2, 3, 0][..]));
    }

    #[test]
    fn every_cut_of_a_glb_is_an_error_and_not_a_panic() {
        let glb = join(b"{\"a\":1}".to_vec(), vec![1, 2, 3, 4]).unwrap();
        for end in 0..glb.len() {
            assert!(split(&glb[..end]).is_err(), "cut at {end}");
        }
        for length in 0..glb.len() as u32 {
            let mut short = glb.clone();
            short[8..12].copy_from_slice(&length.to_le_bytes());
            // A length that ends exactly after the JSON chunk is a whole file.
            assert_eq!(split(&short).is_ok(), length == 28, "declared {length}");
        }
    }

    #[test]
    fn unknown_chunks_are_skipped() {
        let mut glb = join(b"{}".to_vec(), vec![7; 4]).unwrap();
        let extra = [4, 0, 0, 0, b'X', b'T', b'R', b'A', 9, 9, 9, 9];
        glb.splice(24..24, extra);
        let length = glb.len() as u32;
        glb[8..12].copy_from_slice(&length.to_le_bytes());
        assert_eq!(split(&glb).unwrap().binary, Some(&[7, 7, 7, 7][..]));
    }

    #[test]
    fn uris_stay_in_the_folder() {
        let mut asked = Vec::new();
        let mut sibling = |name: &str| {
            asked.push(name.to_string());
            Some(vec![1])
        };
        for bad in
            ["../x.bin", "a/../../x", "/etc/x", "\\x", "C:\\x", "file:///x", "https://x/y", "%2e%2e/x", ""]
        {
            let error = resolve_uri(bad, "buffers[0].uri", &mut sibling).unwrap_err();
            assert_eq!(error.place, Place::Path("buffers[0].uri".into()), "{bad}");
        }
        assert!(resolve_uri("my%20rig.bin", "", &mut sibling).is_ok());
        assert!(resolve_uri("sub/rig%.bin", "", &mut sibling).is_ok());
        assert_eq!(asked, ["my rig.bin", "sub/rig%.bin"]);
    }

    #[test]
    fn data_uris_hold_bytes_with_or_without_padding() {
        let none = &mut |_: &str| None;
        assert_eq!(
            resolve_uri(&to_data_uri("image/png", &[1, 2, 3, 255]), "", none).unwrap(),
            [1, 2, 3, 255]
        );
        assert_eq!(resolve_uri("data:;base64,AQID/w", "", none).unwrap(), [1, 2, 3, 255]);
        assert!(resolve_uri("data:;base64,A*", "", none).is_err());
        assert!(resolve_uri("data:text/plain,abc", "", none).is_err());
        assert!(resolve_uri("data:", "", none).is_err());
    }
}
