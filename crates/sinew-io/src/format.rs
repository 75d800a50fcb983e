//! The formats, and how to tell them apart.

use std::fmt;

/// A kind of file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Format {
    /// Biovision hierarchy: a skeleton and one motion, as text.
    Bvh,
    /// Acclaim skeleton, as text.
    Asf,
    /// Acclaim motion, as text; its skeleton is in an `.asf` file beside it.
    Amc,
    /// glTF 2.0 as JSON, with its buffers inside or beside it.
    Gltf,
    /// glTF 2.0 in one binary file.
    Glb,
    /// A binary glTF with VRM's humanoid extension.
    Vrm,
    /// A motion for VRM models: a binary glTF with VRM's animation extension.
    Vrma,
    /// A robot as XML.
    Urdf,
    /// sinew's own rig file.
    Rig,
}

impl Format {
    /// Every format.
    pub const ALL: [Self; 9] = [
        Self::Bvh,
        Self::Asf,
        Self::Amc,
        Self::Gltf,
        Self::Glb,
        Self::Vrm,
        Self::Vrma,
        Self::Urdf,
        Self::Rig,
    ];

    /// The usual ending of a file's name, without the dot.
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Bvh => "bvh",
            Self::Asf => "asf",
            Self::Amc => "amc",
            Self::Gltf => "gltf",
            Self::Glb => "glb",
            Self::Vrm => "vrm",
            Self::Vrma => "vrma",
            Self::Urdf => "urdf",
            Self::Rig => "rig.toml",
        }
    }

    /// The format that a file's name says, by its ending. A rig file may also
    /// end in `.rig` alone.
    pub fn from_name(name: &str) -> Option<Self> {
        let name = name.to_ascii_lowercase();
        let ends_with = |ending: &str| name.strip_suffix(ending).is_some_and(|stem| stem.ends_with('.'));
        let by_ending = Self::ALL.into_iter().find(|format| ends_with(format.extension()));
        by_ending.or(ends_with("rig").then_some(Self::Rig))
    }

    /// Whether it can be written; the others can only be read.
    pub const fn is_written(self) -> bool {
        !matches!(self, Self::Asf | Self::Amc | Self::Urdf)
    }

    /// The format that the first bytes show, whatever the name says.
    pub fn from_content(bytes: &[u8]) -> Option<Self> {
        /// Enough for a licence comment ahead of the first element.
        const LOOK_AT: usize = 8192;
        if bytes.starts_with(b"glTF") {
            return Some(Self::Glb);
        }
        let head = &bytes[..bytes.len().min(LOOK_AT)];
        let text = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head).trim_ascii_start();
        let holds = |word: &str| contains_ignoring_case(text, word.as_bytes());
        if text.split(|b| *b == b'\n').any(|line| line.trim_ascii_start().starts_with(b"sinew_rig")) {
            return Some(Self::Rig);
        }
        match text.first()? {
            b'{' => Some(Self::Gltf),
            b'<' => holds("<robot").then_some(Self::Urdf),
            b'#' | b':' => {
                if holds(":bonedata") || holds(":units") || holds(":root") {
                    Some(Self::Asf)
                } else if holds(":fully-specified") || holds(":degrees") || holds(":radians") {
                    Some(Self::Amc)
                } else {
                    None
                }
            }
            _ => text
                .get(..b"HIERARCHY".len())
                .is_some_and(|word| word.eq_ignore_ascii_case(b"HIERARCHY"))
                .then_some(Self::Bvh),
        }
    }
}

fn contains_ignoring_case(text: &[u8], word: &[u8]) -> bool {
    text.windows(word.len()).any(|window| window.eq_ignore_ascii_case(word))
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Bvh => "BVH",
            Self::Asf => "ASF",
            Self::Amc => "AMC",
            Self::Gltf => "glTF",
            Self::Glb => "GLB",
            Self::Vrm => "VRM",
            Self::Vrma => "VRM animation",
            Self::Urdf => "URDF",
            Self::Rig => "rig",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_contents_tell_the_format() {
        assert_eq!(Format::from_name("a/b.c/walk.BVH"), Some(Format::Bvh));
        assert_eq!(Format::from_name("walk"), None);
        assert_eq!(Format::from_name("robot.rig"), Some(Format::Rig));
        for format in Format::ALL {
            assert_eq!(Format::from_name(&format!("x.{}", format.extension())), Some(format));
        }
        let content = |text: &str| Format::from_content(text.as_bytes());
        assert_eq!(content("\u{feff}\r\n hierarchy\nROOT a"), Some(Format::Bvh));
        assert_eq!(content("# made by hand\n:version 1.10\n:units\n"), Some(Format::Asf));
        assert_eq!(content("#!OML:ASF x.ASF\n:FULLY-SPECIFIED\n:DEGREES\n1\n"), Some(Format::Amc));
        assert_eq!(content("<?xml version=\"1.0\"?>\n<!-- c --><robot name='r'/>"), Some(Format::Urdf));
        assert_eq!(content("<html></html>"), None);
        assert_eq!(content("{ \"asset\": {} }"), Some(Format::Gltf));
        assert_eq!(content("glTF\u{2}\0\0\0"), Some(Format::Glb));
        assert_eq!(content("# by hand\nname = \"x\"\nsinew_rig = 1\n"), Some(Format::Rig));
        assert_eq!(content(""), None);
        assert_eq!(content("HIERA"), None);
    }
}
