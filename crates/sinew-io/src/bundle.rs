//! A file with all that it needs, in one zip: a robot with its meshes, a motion with its skeleton.
//!
//! Everything is in memory. Names are only compared with names: nothing is written and no path is opened, and a name
//! that would lead out of the zip is refused all the same. A file is unpacked when it is asked for. What a zip says
//! of its sizes is not believed, and all that is ever unpacked of one has to fit together, however often it is asked
//! for: a mesh of 200 MB in a zip of one, named by a robot in a thousand ways, would be unpacked a thousand times.

use std::collections::BTreeMap;
use std::fmt::Display;
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
/// How much of a file is looked at to see what it is.
const HEAD: u64 = 8192;

/// The files of a zip by their names.
#[derive(Debug, Clone)]
pub struct Bundle<'a> {
    archive: ZipArchive<Cursor<&'a [u8]>>,
    /// Their places in the archive.
    files: BTreeMap<String, usize>,
    /// The bytes of the zip itself.
    size: u64,
    /// How many bytes of one file may be unpacked, and of all that are still to come.
    most: u64,
    left: u64,
}

/// Whether these bytes begin as a zip does.
pub fn is_bundle(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"PK\x05\x06")
}

fn wrong(found: String, expected: &str) -> ReadError {
    ReadError::new(Place::File, found, expected)
}

fn broken(error: &dyn Display) -> ReadError {
    wrong(error.to_string(), "a zip that can be unpacked")
}

impl<'a> Bundle<'a> {
    /// Looks at a zip. What is read from its files takes memory besides them: text becomes numbers of four times its
    /// size. So one file gets a quarter of the budget and all together half of it, or four times the zip's own size.
    pub fn open(bytes: &'a [u8], budget: Budget) -> Result<Self, ReadError> {
        let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(|error| broken(&error))?;
        if archive.len() > MOST_FILES {
            let found = format!("a zip of {} files", archive.len());
            return Err(wrong(found, &format!("at most {MOST_FILES}")));
        }
        let mut files = BTreeMap::new();
        for index in 0..archive.len() {
            let file = archive.by_index(index).map_err(|error| broken(&error))?;
            let said = file.name().map_err(|error| broken(&error))?.into_owned();
            let name = inside("", &said).filter(|name| name.len() <= LONGEST_NAME);
            let Some(name) = name.filter(|_| !file.is_symlink()) else {
                let found = format!("the name {}, which leads out of the zip", quoted(&said));
                return Err(wrong(found, "names of files in it"));
            };
            if !file.is_dir() && !is_clutter(&name) {
                files.insert(name, index);
            }
        }
        let part = |of: u64| Budget::new(budget.bytes() / of).for_file(bytes).bytes();
        Ok(Self { archive, files, size: bytes.len() as u64, most: part(4), left: part(2) })
    }

    /// The file that the others belong to: a rig file before a robot before a model before a motion, and of
    /// several the first in the upper folders. With it, how many more there are of its kind.
    pub fn main(&mut self) -> Result<(String, usize), ReadError> {
        use Format::*;
        const ORDER: [Format; 9] = [Rig, Urdf, Vrm, Glb, Gltf, Bvh, Amc, Vrma, Asf];
        let mut found = Vec::new();
        for (name, index) in &self.files {
            // Many kinds of files are XML; only a robot is one.
            let format = match Format::from_name(name) {
                None => {
                    let file = self.archive.by_index(*index).map_err(|error| broken(&error))?;
                    let mut head = Vec::new();
                    file.take(HEAD).read_to_end(&mut head).map_err(|error| broken(&error))?;
                    Format::from_content(&head).filter(|found| matches!(found, Urdf))
                }
                known => known,
            };
            let rank = format.and_then(|format| ORDER.iter().position(|known| *known == format));
            found.extend(rank.map(|rank| (rank, name.matches('/').count(), name)));
        }
        found.sort_unstable();
        let Some(&(first, _, name)) = found.first() else {
            let expected = "a zip with a BVH, ASF, AMC, glTF, GLB, VRM, URDF or rig file";
            return Err(wrong(format!("{} files of other kinds", self.files.len()), expected));
        };
        Ok((name.clone(), found.iter().filter(|(rank, ..)| *rank == first).count() - 1))
    }

    /// Unpacks the file of this name, which takes room each time.
    pub fn unpack(&mut self, name: &str) -> Result<Vec<u8>, ReadError> {
        let Some(index) = self.files.get(name) else {
            return Err(wrong(format!("no file {} in the zip", quoted(name)), "a file that is there"));
        };
        let mut file = self.archive.by_index(*index).map_err(|error| broken(&error))?;
        let packed = file.compressed_size().min(self.size);
        let most = packed.saturating_mul(MOST_RATIO).max(HARMLESS).min(self.most).min(self.left);
        let mut content = Vec::new();
        file.by_ref().take(most + 1).read_to_end(&mut content).map_err(|error| broken(&error))?;
        if content.len() as u64 > most {
            let found = format!("{}, which is more than {most} bytes when it is unpacked", quoted(name));
            return Err(wrong(found, "a zip that fits into the memory budget and is no bomb"));
        }
        self.left -= content.len() as u64;
        Ok(content)
    }

    /// The name of the file that another one means: beside it, or from the top, or in whatever folder there is one
    /// that ends so.
    pub fn named(&self, from: &str, wanted: &str) -> Option<&str> {
        let known = |name: &str| self.files.get_key_value(name).map(|(name, _)| name.as_str());
        let folder = from.rfind('/').map_or("", |slash| &from[..slash]);
        let beside = inside(folder, wanted).and_then(|name| known(&name));
        let elsewhere = || {
            let top = inside("", wanted).filter(|name| !name.is_empty())?;
            let ending = format!("/{top}");
            let ends_so = || self.files.keys().find(|name| name.ends_with(&ending));
            known(&top).or_else(|| ends_so().map(String::as_str))
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
        let mut bundle = Bundle::open(&zip, Budget::default()).unwrap();
        assert_eq!(bundle.main().unwrap(), ("robot/urdf/r.urdf".to_owned(), 0));
        assert_eq!(bundle.unpack("robot/meshes/a.stl").unwrap(), b"a");
        assert!(bundle.unpack("meshes/a.stl").is_err(), "only whole names are unpacked");
        let found = |name| bundle.named("robot/urdf/r.urdf", name);
        assert_eq!(found("b.stl"), Some("robot/urdf/b.stl"));
        for name in ["../meshes/a.stl", "robot/meshes/a.stl", "meshes/a.stl"] {
            assert_eq!(found(name), Some("robot/meshes/a.stl"));
        }
        for nowhere in ["../../../etc/passwd", "/etc/passwd", "es/a.stl", "c:\\a.stl", ""] {
            assert_eq!(found(nowhere), None, "{nowhere}");
        }
    }

    fn said_of_main(zip: &[u8]) -> String {
        Bundle::open(zip, Budget::default()).unwrap().main().unwrap_err().to_string()
    }

    /// A zip can hold itself. A rig file in it that has its skeleton in that zip was read until the stack was full.
    #[test]
    fn a_zip_in_a_zip_is_refused_wherever_it_is_asked_for() {
        let robot = b"<robot name='r'><link name='a'/></robot>";
        let inner = packed(&[("r.urdf", robot)]);
        let read = |files: &[(&str, &[u8])]| {
            crate::read("robot.zip", &packed(files), &mut |_| None).map_err(|error| error.to_string())
        };
        let rig = b"sinew_rig = 1\nskeleton = \"inner.zip\"\n";
        for files in [&[("r.urdf", &inner[..])][..], &[("r.rig.toml", rig), ("inner.zip", &inner)]] {
            let error = read(files).unwrap_err();
            assert!(error.starts_with("robot.zip") && error.contains("a zip in the zip"), "{error}");
        }
        let rig = b"sinew_rig = 1\nskeleton = \"r.urdf\"\n";
        assert!(read(&[("r.rig.toml", rig), ("r.urdf", robot), ("inner.zip", &inner)]).is_ok());
    }

    /// 1.2 MB took 18 seconds as meshes of a robot, and 8 GB as buffers of a glTF, each by another name of one file.
    #[test]
    fn one_file_by_many_names_is_not_unpacked_many_times() {
        let names: Vec<String> = (1..200).map(|dots| "./".repeat(dots) + "a.bin").collect();
        let links = |name: &String| {
            format!(
                "<link name='{name}'><visual><geometry><mesh filename='{name}'/></geometry></visual></link>"
            )
        };
        let joint = |name: &String| {
            format!("<joint name='{name}' type='fixed'><parent link='top'/><child link='{name}'/></joint>")
        };
        let parts: String = names.iter().map(|name| links(name) + &joint(name)).collect();
        let robot = format!("<robot name='r'><link name='top'/>{parts}</robot>");
        let buffers: Vec<String> =
            names.iter().map(|name| format!("{{\"uri\":\"{name}\",\"byteLength\":100000}}")).collect();
        let gltf = format!(
            "{{\"asset\":{{\"version\":\"2.0\"}},\"scenes\":[{{\"nodes\":[0]}}],\"nodes\":[{{\"name\":\"a\"}}],\"buffers\":[{}]}}",
            buffers.join(",")
        );
        let options = crate::ReadOptions { budget: Budget::new(4 << 20), ..Default::default() };
        let large = vec![b' '; 100_000];
        for (name, text) in [("r.urdf", robot), ("r.gltf", gltf)] {
            let zip = packed(&[(name, text.as_bytes()), ("a.bin", &large)]);
            let error = crate::read_with("r.zip", &zip, &mut |_| None, &options).unwrap_err().to_string();
            assert!(error.contains("a.bin") && error.contains("memory budget"), "{error}");
            let beside = &mut |_: &str| Some(large.clone());
            let error = crate::read_with(name, text.as_bytes(), beside, &options).unwrap_err().to_string();
            assert!(error.starts_with(name) && error.contains("over and over"), "{error}");
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
        // A bomb: a hundred megabytes of zeros in a hundred kilobytes; and honest files beyond half of the budget.
        let unpacked = |zip: &[u8], names: &[&str], budget| -> Result<(), String> {
            let mut bundle = Bundle::open(zip, budget).unwrap();
            for name in names {
                bundle.unpack(name).map_err(|error| error.to_string())?;
            }
            Ok(())
        };
        let bomb = packed(&[("r.urdf", &vec![0; 100 << 20])]);
        let said_so = unpacked(&bomb, &["r.urdf"], plain).unwrap_err();
        assert!(said_so.contains("no bomb"), "{said_so}");
        let small = packed(&[("a.stl", &[7; 60_000]), ("b.stl", &[8; 60_000])]);
        let few = Budget::new(240_000);
        assert!(
            unpacked(&packed(&[("a.stl", &[7; 61_000])]), &["a.stl"], few).is_err(),
            "more than a quarter"
        );
        assert!(unpacked(&small, &["a.stl"], few).is_ok());
        assert!(unpacked(&small, &["a.stl", "b.stl", "a.stl"], few).unwrap_err().contains("memory budget"));
        assert!(unpacked(&small, &["a.stl", "b.stl", "a.stl"], plain).is_ok());
        assert!(said_of_main(&small).contains("2 files of other kinds"));
        let names: Vec<String> = (0..=MOST_FILES).map(|i| format!("{i}.stl")).collect();
        let many: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), &b"x"[..])).collect();
        assert!(said(&packed(&many), plain).contains("at most 4000"));
    }
}
