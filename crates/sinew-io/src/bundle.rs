//! A file with all that it needs, in one zip: a robot with its meshes, a motion with its skeleton.
//!
//! Everything is in memory. Names are only compared with names: nothing is written and no path is opened, and a name
//! that would lead out of the zip is refused all the same. What a zip says of its sizes is not believed; every file
//! is unpacked up to what is left of the budget and no further.

use std::collections::BTreeMap;
use std::io::{Cursor, Read};

use zip::ZipArchive;

use crate::error::quoted;
use crate::{Budget, Format, Place, ReadError};

/// The most files in a zip, and folders in one another.
const MOST_FILES: usize = 4000;
const MOST_DEPTH: usize = 24;
const LONGEST_NAME: usize = 400;
/// What a file may be larger than packed, beyond a size of which nobody is afraid. Deflate itself ends near 1000.
const MOST_RATIO: u64 = 200;
const HARMLESS: u64 = 1 << 20;

/// The files of a zip by their names.
#[derive(Debug, Clone, Default)]
pub struct Bundle {
    files: BTreeMap<String, Vec<u8>>,
}

/// Whether these bytes begin as a zip does.
pub fn is_bundle(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"PK\x05\x06")
}

impl Bundle {
    /// Unpacks a zip.
    pub fn open(bytes: &[u8], budget: Budget) -> Result<Self, ReadError> {
        let wrong = |found: String, expected: &str| ReadError::new(Place::File, found, expected);
        let broken = |error: &dyn std::fmt::Display| wrong(error.to_string(), "a zip that can be unpacked");
        let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(|error| broken(&error))?;
        if archive.len() > MOST_FILES {
            let found = format!("a zip of {} files", archive.len());
            return Err(wrong(found, &format!("at most {MOST_FILES}")));
        }
        let mut files = BTreeMap::new();
        let mut taken = 0_u64;
        for index in 0..archive.len() {
            let mut file = archive.by_index(index).map_err(|error| broken(&error))?;
            let said = file.name().map_err(|error| broken(&error))?.into_owned();
            let name = inside("", &said).filter(|name| name.len() <= LONGEST_NAME);
            let Some(name) = name.filter(|_| !file.is_symlink()) else {
                let found = format!("the name {}, which leads out of the zip", quoted(&said));
                return Err(wrong(found, "names of files in it"));
            };
            if file.is_dir() || is_clutter(&name) {
                continue;
            }
            let packed = file.compressed_size().min(bytes.len() as u64);
            let most = (packed.saturating_mul(MOST_RATIO)).max(HARMLESS);
            let left = budget.bytes().saturating_sub(taken).min(most);
            let mut content = Vec::new();
            file.by_ref().take(left + 1).read_to_end(&mut content).map_err(|error| broken(&error))?;
            if content.len() as u64 > left {
                let found = format!("{}, which is more than {left} bytes when it is unpacked", quoted(&name));
                return Err(wrong(found, "a zip that fits into the memory budget and is no bomb"));
            }
            taken += content.len() as u64;
            files.insert(name, content);
        }
        Ok(Self { files })
    }

    /// The file that the others belong to: a rig file before a robot before a model before a motion, and of
    /// several the first in the upper folders. With it, how many more there are of its kind.
    pub fn main(&self) -> Result<(&str, usize), ReadError> {
        use Format::*;
        const ORDER: [Format; 9] = [Rig, Urdf, Vrm, Glb, Gltf, Bvh, Amc, Vrma, Asf];
        let depth = |name: &str| name.matches('/').count();
        let rank = |name: &str| {
            // Many kinds of files are XML; only a robot is one.
            let format = Format::from_name(name).or_else(|| {
                Format::from_content(self.files.get(name)?).filter(|found| matches!(found, Urdf))
            })?;
            ORDER.iter().position(|known| *known == format)
        };
        let found = self.files.keys().filter_map(|name| Some((rank(name)?, depth(name), name.as_str())));
        let mut found: Vec<_> = found.collect();
        found.sort_unstable();
        let Some(&(first, _, name)) = found.first() else {
            let expected = "a zip with a BVH, ASF, AMC, glTF, GLB, VRM, URDF or rig file";
            return Err(ReadError::new(
                Place::File,
                format!("{} files of other kinds", self.files.len()),
                expected,
            ));
        };
        Ok((name, found.iter().filter(|(rank, ..)| *rank == first).count() - 1))
    }

    /// The content of a file.
    pub fn get(&self, name: &str) -> Option<&[u8]> {
        self.files.get(name).map(Vec::as_slice)
    }

    /// What a file means by a name: beside it, or from the top, or in whatever folder there is one that ends so.
    pub fn named(&self, from: &str, wanted: &str) -> Option<&[u8]> {
        let folder = from.rfind('/').map_or("", |slash| &from[..slash]);
        let beside = inside(folder, wanted).and_then(|name| self.get(&name));
        let elsewhere = || {
            let top = inside("", wanted).filter(|name| !name.is_empty())?;
            let ending = format!("/{top}");
            let ends_so = || self.files.iter().find(|(name, _)| name.ends_with(&ending));
            self.get(&top).or_else(|| ends_so().map(|(_, content)| content.as_slice()))
        };
        beside.or_else(elsewhere)
    }
}

/// A name from a folder, without `.` and `..`; `None` if it leads out of the top one.
fn inside(folder: &str, name: &str) -> Option<String> {
    let plain = name.replace('\\', "/");
    if plain.starts_with('/') || plain.contains(['\0', ':']) {
        return None;
    }
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in plain.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    (parts.len() <= MOST_DEPTH).then(|| parts.join("/"))
}

/// What systems add to zips on their own.
fn is_clutter(name: &str) -> bool {
    name.split('/').any(|part| part == "__MACOSX" || part == ".DS_Store" || part == "Thumbs.db")
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use zip::write::{SimpleFileOptions, ZipWriter};

    use super::*;

    fn packed(files: &[(&str, &[u8])]) -> Vec<u8> {
        let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
        for (name, content) in files {
            zip.start_file(*name, SimpleFileOptions::default()).unwrap();
            zip.write_all(content).unwrap();
        }
        zip.finish().unwrap().into_inner()
    }

    #[test]
    fn names_are_found_beside_from_the_top_and_anywhere() {
        let zip = packed(&[
            ("robot/urdf/r.urdf", b"<robot/>"),
            ("robot/meshes/a.stl", b"a"),
            ("robot/urdf/b.stl", b"b"),
            ("__MACOSX/robot/urdf/._r.urdf", b"?"),
        ]);
        assert!(is_bundle(&zip));
        let bundle = Bundle::open(&zip, Budget::default()).unwrap();
        assert_eq!(bundle.main().unwrap(), ("robot/urdf/r.urdf", 0));
        let found = |name| bundle.named("robot/urdf/r.urdf", name);
        assert_eq!(found("b.stl"), Some(&b"b"[..]));
        assert_eq!(found("../meshes/a.stl"), Some(&b"a"[..]));
        assert_eq!(found("robot/meshes/a.stl"), Some(&b"a"[..]));
        assert_eq!(found("meshes/a.stl"), Some(&b"a"[..]));
        for nowhere in ["../../../etc/passwd", "/etc/passwd", "es/a.stl", "c:\\a.stl", ""] {
            assert_eq!(found(nowhere), None, "{nowhere}");
        }
    }

    #[test]
    fn what_is_no_robot_or_too_much_is_refused_in_words() {
        let said = |zip: &[u8], budget| Bundle::open(zip, budget).unwrap_err().to_string();
        let plain = Budget::default();
        assert!(said(b"PK\x03\x04 and nothing", plain).contains("a zip that can be unpacked"));
        for name in ["../up.urdf", "/etc/passwd", "a/../../b", "c:\\x"] {
            assert!(said(&packed(&[(name, b"x")]), plain).contains("leads out of the zip"), "{name}");
        }
        let deep = "d/".repeat(60) + "r.urdf";
        assert!(said(&packed(&[(&deep, b"x")]), plain).contains("leads out of the zip"));
        // A bomb: a hundred megabytes of zeros in a hundred kilobytes; and honest files beyond the budget.
        let bomb = packed(&[("r.urdf", &vec![0; 100 << 20])]);
        assert!(said(&bomb, plain).contains("no bomb"), "{}", said(&bomb, plain));
        let small = packed(&[("a.stl", &[7; 60_000]), ("b.stl", &[8; 60_000])]);
        assert!(said(&small, Budget::new(100_000)).contains("memory budget"));
        assert!(
            Bundle::open(&small, plain)
                .unwrap()
                .main()
                .unwrap_err()
                .to_string()
                .contains("2 files of other kinds")
        );
        let names: Vec<String> = (0..=MOST_FILES).map(|i| format!("{i}.stl")).collect();
        let many: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), &b"x"[..])).collect();
        assert!(said(&packed(&many), plain).contains("at most 4000"));
    }
}
