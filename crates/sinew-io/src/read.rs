//! The way in: one function for every format.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use crate::asf::{self, AsfOptions};
use crate::bundle::{Bundle, is_bundle};
use crate::bvh::{self, BvhOptions};
use crate::error::quoted;
use crate::urdf::{self, UrdfOptions};
use crate::{Asset, Budget, Format, Note, Place, ReadError, gltf, rig};

/// The largest file that is opened: 1 GiB. Larger ones are refused before they
/// are read.
pub const MAX_FILE_BYTES: u64 = 1 << 30;

/// What files of the various formats leave open.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ReadOptions {
    /// The most memory that what is read may take, of any format. A file may become
    /// [four times](crate::budget::GROWTH) as large as it is in any case.
    pub budget: Budget,
    /// Units and axes of BVH files.
    pub bvh: BvhOptions,
    /// Units and frame rate of ASF and AMC files.
    pub asf: AsfOptions,
    /// Axes and root of URDF files.
    pub urdf: UrdfOptions,
}

/// Reads a file from its bytes. The content decides about the format, and the
/// name's ending where the content does not tell.
///
/// Some files need another one beside them: an AMC motion its ASF skeleton, a
/// glTF file its buffers. They are asked for through `sibling` by name,
/// relative to the file; answering `None` means that there is none. This
/// function opens nothing itself.
///
/// ```
/// # let bytes = b"HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 0\nEnd Site\n{\nOFFSET 0 2 0\n}\n}\n";
/// let asset = sinew_io::read("walk.bvh", bytes, &mut |_| None)?;
/// for note in &asset.notes {
///     eprintln!("walk.bvh: {note}");
/// }
/// # Ok::<(), sinew_io::ReadError>(())
/// ```
pub fn read(
    name: &str,
    bytes: &[u8],
    sibling: &mut dyn FnMut(&str) -> Option<Vec<u8>>,
) -> Result<Asset, ReadError> {
    read_with(name, bytes, sibling, &ReadOptions::default())
}

/// [`read`] with options.
pub fn read_with(
    name: &str,
    bytes: &[u8],
    sibling: &mut dyn FnMut(&str) -> Option<Vec<u8>>,
    options: &ReadOptions,
) -> Result<Asset, ReadError> {
    if is_bundle(bytes) {
        return read_bundle(name, bytes, options);
    }
    let by_name = Format::from_name(name);
    let Some(format) = Format::from_content(bytes).or(by_name) else {
        let expected =
            "a BVH, ASF, AMC, glTF, GLB, VRM, URDF or rig file, or a zip of one with what it needs";
        let found = if bytes.is_empty() { "an empty file" } else { "text or data of no known format" };
        return Err(ReadError::new(Place::File, found, expected).in_file(name));
    };
    let budget = options.budget.for_file(bytes);
    let (mut given, mut failed) = (Given::default(), None);
    let sibling = &mut |wanted: &str| {
        if failed.is_some() {
            return None;
        }
        let content = sibling(wanted)?;
        given.check(wanted, content.len(), budget).map_err(|error| failed = Some(error)).ok()?;
        Some(content)
    };
    let asset = match format {
        Format::Bvh => bvh::parse(bytes)
            .and_then(|document| bvh::to_asset(&document, &BvhOptions { budget, ..options.bvh.clone() })),
        Format::Asf => asf::read(bytes, None, &options.asf),
        Format::Amc => read_motion(name, bytes, sibling, &AsfOptions { budget, ..options.asf.clone() }),
        Format::Gltf | Format::Glb | Format::Vrm | Format::Vrma => gltf::read_within(bytes, sibling, budget),
        Format::Urdf => urdf::read_beside(bytes, &options.urdf, sibling, budget),
        Format::Rig => rig::read_within(bytes, sibling, budget),
    };
    let asset = failed.map_or(asset, Err).map(|mut asset| {
        asset.source.format.get_or_insert(format);
        // BVH and AMC have no names for motions; the file's is what people call them.
        for motion in asset.motions.iter_mut().filter(|motion| motion.name.is_empty()) {
            if matches!(format, Format::Bvh | Format::Amc) {
                motion.name = stem(name).into();
            }
        }
        asset
    });
    // An error in a sibling names that file already.
    asset.map_err(|error| if error.file.is_empty() { error.in_file(name) } else { error })
}

/// Reads the file in a zip that the others belong to; they are what lies beside it.
fn read_bundle(name: &str, bytes: &[u8], options: &ReadOptions) -> Result<Asset, ReadError> {
    let in_zip = |error: ReadError| {
        let file = if error.file.is_empty() { name.to_owned() } else { format!("{name}: {}", error.file) };
        error.in_file(file)
    };
    let mut bundle = Bundle::open(bytes, options.budget.for_file(bytes)).map_err(in_zip)?;
    let (main, others) = bundle.main().map_err(in_zip)?;
    // A zip in a zip is no file of ours: one can hold itself, and a rig file that asks for it would never end.
    let unpack = |bundle: &mut Bundle<'_>, name: &str| {
        let content = bundle.unpack(name)?;
        let found = || ReadError::new(Place::File, format!("{}, a zip in the zip", quoted(name)), "files");
        if is_bundle(&content) { Err(found()) } else { Ok(content) }
    };
    let content = unpack(&mut bundle, &main).map_err(in_zip)?;
    let mut failed = None;
    let mut beside = |wanted: &str| {
        let found = bundle.named(&main, wanted)?.to_owned();
        if failed.is_some() {
            return None;
        }
        unpack(&mut bundle, &found).map_err(|error| failed = Some(error)).ok()
    };
    let asset = read_with(&main, &content, &mut beside, options);
    // What is there and cannot be unpacked is not what is not there.
    let mut asset = failed.map_or(asset, Err).map_err(in_zip)?;
    if others > 0 {
        let text =
            format!("the zip holds {others} more files of this kind; '{main}' is the one that is read");
        asset.notes.insert(0, Note::new(text));
    }
    Ok(asset)
}

/// Counts what a file is given of the files beside it. A few bytes may name the same large one over and over: what
/// is given out again has to fit into the budget, together with everything before it.
#[derive(Default)]
struct Given {
    /// The last parts of the names and the sizes of the files, since one file has many names.
    known: HashSet<(String, usize)>,
    different: u64,
    all: u64,
}

impl Given {
    /// Refuses a file that is asked for too often.
    fn check(&mut self, name: &str, size: usize, budget: Budget) -> Result<(), ReadError> {
        let last = name.rsplit(['/', '\\']).next().unwrap_or_default();
        let bytes = size as u64;
        self.all += bytes;
        if self.known.insert((last.to_owned(), size)) {
            self.different += bytes;
        }
        if self.all <= self.different {
            return Ok(());
        }
        let what = || format!("files beside it over and over, the last {}", quoted(name));
        budget.check(usize::try_from(self.all).unwrap_or(usize::MAX), 1, what)
    }
}

/// A file's name without folder and ending.
fn stem(name: &str) -> &str {
    let file = name.rsplit(['/', '\\']).next().unwrap_or(name);
    file.rsplit_once('.').map_or(file, |(stem, _)| stem)
}

/// Reads an AMC motion with the skeleton that lies beside it.
fn read_motion(
    name: &str,
    bytes: &[u8],
    sibling: &mut dyn FnMut(&str) -> Option<Vec<u8>>,
    options: &AsfOptions,
) -> Result<Asset, ReadError> {
    let names = asf::skeleton_names(name);
    let found = names.iter().find_map(|name| sibling(name).map(|bytes| (name, bytes)));
    let Some((skeleton_name, skeleton)) = found else {
        let expected = format!("its skeleton beside it, as {}", names.join(" or "));
        return Err(ReadError::new(Place::File, "a motion without a skeleton", expected));
    };
    let skeleton = asf::parse_skeleton(&skeleton).map_err(|error| error.in_file(skeleton_name))?;
    let motion = asf::parse_motion(bytes)?;
    asf::to_asset(&skeleton, Some(&motion), options)
}

/// Reads the file at a path, and the files beside it that it asks for.
/// Refuses files larger than [`MAX_FILE_BYTES`].
pub fn read_file(path: impl AsRef<Path>) -> Result<Asset, ReadError> {
    read_file_with(path, &ReadOptions::default())
}

/// [`read_file`] with options.
pub fn read_file_with(path: impl AsRef<Path>, options: &ReadOptions) -> Result<Asset, ReadError> {
    let path = path.as_ref();
    let name = path.display().to_string();
    let bytes = open(path)?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let mut sibling = |wanted: &str| beside(folder, wanted).and_then(|path| open(&path).ok());
    read_with(&name, &bytes, &mut sibling, options)
}

/// Whether a name that a file gives leads nowhere but to the file's own folder
/// and those below it.
fn is_beside(name: &str) -> bool {
    use std::path::Component;
    let path = Path::new(name);
    !name.is_empty() && path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir))
}

/// Where a file that another one names lies, if it is a plain file of the folder or of those below
/// it. A link may lead anywhere, and a pipe may never end: neither is what a file means by a name.
fn beside(folder: &Path, wanted: &str) -> Option<PathBuf> {
    if !is_beside(wanted) {
        return None;
    }
    let mut path = if folder.as_os_str().is_empty() { PathBuf::from(".") } else { folder.to_path_buf() };
    let mut kind = None;
    for part in Path::new(wanted).components() {
        path.push(part);
        kind = Some(std::fs::symlink_metadata(&path).ok()?.file_type());
        if kind.is_some_and(|kind| kind.is_symlink()) {
            return None;
        }
    }
    kind.is_some_and(|kind| kind.is_file()).then_some(path)
}

/// The bytes of a file, unless it is missing, no file, or too large.
pub(crate) fn open(path: &Path) -> Result<Vec<u8>, ReadError> {
    use std::io::Read;
    let error = |found: String, expected: &str| {
        ReadError::new(Place::File, found, expected).in_file(path.display().to_string())
    };
    let refuse = |e: std::io::Error| error(e.to_string(), "a file that can be read");
    let too_large = || error(format!("more than {MAX_FILE_BYTES} bytes"), "a file of at most 1 GiB");
    let file = std::fs::File::open(path).map_err(refuse)?;
    let metadata = file.metadata().map_err(refuse)?;
    if metadata.is_dir() {
        return Err(error("a folder".into(), "a file"));
    }
    if metadata.len() > MAX_FILE_BYTES {
        return Err(too_large());
    }
    let mut bytes = Vec::with_capacity(metadata.len() as usize);
    // A pipe or device states no size, so the cap is held while reading too.
    file.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes).map_err(refuse)?;
    if bytes.len() as u64 > MAX_FILE_BYTES {
        return Err(too_large());
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_lead_elsewhere_are_not_beside() {
        assert!(is_beside("walk.asf") && is_beside("buffers/walk.bin") && is_beside("./walk.bin"));
        assert!(!is_beside("../walk.bin") && !is_beside("/etc/passwd") && !is_beside("a/../../b"));
        assert!(!is_beside(""));
    }

    #[cfg(unix)]
    #[test]
    fn links_and_pipes_beside_a_file_are_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::write(at("plain.bin"), b"x").unwrap();
        std::fs::create_dir(at("deeper")).unwrap();
        std::fs::write(at("deeper/plain.bin"), b"x").unwrap();
        std::os::unix::fs::symlink(at("plain.bin"), at("link.bin")).unwrap();
        std::os::unix::fs::symlink(at("deeper"), at("elsewhere")).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(at("pipe.bin")).status().unwrap().success());
        for plain in ["plain.bin", "./plain.bin", "deeper/plain.bin"] {
            assert!(beside(folder.path(), plain).is_some(), "{plain}");
        }
        for other in ["link.bin", "elsewhere/plain.bin", "pipe.bin", "deeper", "none.bin", "../x", "."] {
            assert!(beside(folder.path(), other).is_none(), "{other}");
        }
    }

    #[test]
    fn what_is_no_file_of_ours_is_refused_with_its_name() {
        let error = read("notes.txt", b"hello", &mut |_| None).unwrap_err();
        assert!(error.to_string().starts_with("notes.txt: the file: found "), "{error}");
        let error = read("empty.bvh", b"", &mut |_| None).unwrap_err();
        assert_eq!(error.to_string(), "empty.bvh: line 1: found the end of the file, expected 'HIERARCHY'");
        let missing = read_file("no/such/file.bvh").unwrap_err();
        assert_eq!(missing.file, "no/such/file.bvh");
        assert!(read_file(".").is_err());
    }
}
