//! The hostile files, each made from nothing.

use std::fmt::Write as _;
use std::io::Write as _;

use flate2::write::{DeflateEncoder, ZlibEncoder};
use flate2::{Compression, Crc};

/// Names and contents.
type Files = Vec<(&'static str, Vec<u8>)>;

/// A hostile input.
pub(super) struct Case {
    /// What it is, for the table.
    pub what: &'static str,
    /// What makes it.
    pub files: fn() -> Files,
    /// What the command is told, in the folder of the files.
    pub arguments: &'static str,
    /// What it took when it was first found, where that was measured.
    pub before: &'static str,
}

const fn case(
    what: &'static str,
    files: fn() -> Files,
    arguments: &'static str,
    before: &'static str,
) -> Case {
    Case { what, files, arguments, before }
}

/// All of them.
pub(super) const CASES: &[Case] = &[
    case("BVH: 1000 joints without channels, 100 000 frames", still_bvh, "info a.bvh", "over 4 GB"),
    case("BVH: a count of frames that is not there", lying_bvh, "info a.bvh", ""),
    case("BVH: 50 000 joints below one another", deep_bvh, "info a.bvh", ""),
    case("BVH: 20 000 joints of one name", equal_bvh, "info a.bvh --json", "31 s"),
    case("AMC: 1000 bones that do not move, 100 000 frames", still_amc, "info a.amc", "over 4 GB"),
    case(
        "PNG: terrain of 144 million pixels",
        picture,
        "walk humanoid --terrain map:a.png --seconds 1 -o o.bvh",
        "1.3 GB",
    ),
    case("glTF: 64 frames for each key", keys, "info a.gltf", "3.6 GB"),
    case("glTF: brackets in brackets", || vec![("a.gltf", b"[".repeat(1_000_000))], "info a.gltf", ""),
    case("glTF: one file beside it as 2000 buffers", buffers, "info a.gltf", ""),
    case(
        "OBJ: one face of 200 000 corners",
        polygon,
        "walk humanoid --terrain mesh:a.obj --seconds 0.2 -o o.bvh",
        "3.4 GB",
    ),
    case(
        "OBJ: a corner that is no number",
        nan_obj,
        "walk humanoid --terrain mesh:a.obj --seconds 0.2 -o o.bvh",
        "taken",
    ),
    case("CSV: a million rows", rows, "reconstruct a.csv --rig humanoid -o o.bvh", "3.4 GB"),
    case("CSV: a day of looking", day, "look erik-g --posture wave --follow a.csv -o o.csv", "aborts"),
    case("Target of 1e150", Vec::new, "solve humanoid --goal r_wrist=1e150,0,0", "no words"),
    case("Rig file: 12 000 postures of 6000 joints", postures, "info a.rig.toml", "8 GB"),
    case("URDF: 20 000 links of one name", equal_urdf, "info a.urdf", ""),
    case("URDF: links in a circle", circle, "info a.urdf", ""),
    case("URDF: elements in elements", nested_xml, "info a.urdf", ""),
    case("URDF: entities of entities", entities, "info a.urdf", ""),
    case("URDF: STL files whose counts lie", lying_stl, "info a.urdf", ""),
    case("URDF: one mesh of 20 MB by 2000 names", same_mesh, "info a.urdf", ""),
    case("URDF: meshes by names that lead away", led_away, "info a.urdf", ""),
    case("URDF: an OBJ of one face in a package", package, "info a.urdf", ""),
    case("Zip: a bomb of 400 MB", || bomb(400 << 20, false), "info a.zip", ""),
    case("Zip: a mesh of 200 MB in a robot, by 180 names", zipped_mesh, "info a.zip", "19 s"),
    case(
        "Zip: a buffer of 200 MB in a glTF, 20 times",
        || zipped_gltf("buffers", 200 << 20),
        "info a.zip",
        "8.4 GB",
    ),
    case(
        "Zip: an image of 200 MB in a glTF, 20 times",
        || zipped_gltf("images", 200 << 20),
        "info a.zip",
        "5.9 GB",
    ),
    case("Zip: a buffer that just fits", || zipped_gltf("buffers", 6 << 20), "info a.zip", ""),
    case("Zip: a motion that unpacks to 60 MB", || bomb(60 << 20, true), "info a.zip", ""),
    case("Zip: 3900 files of the same bytes", overlapping, "info a.zip", "255 MB"),
    case("Zip: 60 000 meshes looked for among 3900 files", looked_for, "info a.zip", ""),
    case("Zip: 300 000 files", crowded, "info a.zip", ""),
    case("Zip: zips in one another that ask for the next", russian, "info a.zip", "read to the last"),
    case("Zip: names that lead out", || slip("../../a.urdf"), "info a.zip", ""),
    case("Zip: absolute names", || slip("/etc/a.urdf"), "info a.zip", ""),
    case("Zip: backslashes that lead out", || slip("b\\..\\..\\a.urdf"), "info a.zip", ""),
    case("Zip: links", link, "info a.zip", ""),
];

fn still_bvh() -> Files {
    let mut text = String::from("HIERARCHY\nROOT r\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n");
    for i in 0..999 {
        let _ =
            writeln!(text, "JOINT j{i}\n{{\nOFFSET 0 1 0\nCHANNELS 0\nEnd Site\n{{\nOFFSET 0 1 0\n}}\n}}");
    }
    text += "}\nMOTION\nFrames: 100000\nFrame Time: 0.01\n";
    vec![("a.bvh", (text + &"0\n".repeat(100_000)).into_bytes())]
}

fn lying_bvh() -> Files {
    let text = "HIERARCHY\nROOT r\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\nEnd Site\n{\nOFFSET 0 1 0\n}\n}\n";
    vec![("a.bvh", format!("{text}MOTION\nFrames: 99999999999999\nFrame Time: 0.01\n0\n").into_bytes())]
}

fn deep_bvh() -> Files {
    let head = "HIERARCHY\nROOT a\n{\n OFFSET 0 0 0\n CHANNELS 0\n".to_owned();
    vec![("a.bvh", (head + &" JOINT b {\n".repeat(50_000)).into_bytes())]
}

fn equal_bvh() -> Files {
    let joint = "JOINT a\n{\nOFFSET 0 1 0\nCHANNELS 0\nEnd Site\n{\nOFFSET 0 1 0\n}\n}\n".repeat(20_000);
    vec![("a.bvh", format!("HIERARCHY\nROOT a\n{{\nOFFSET 0 0 0\nCHANNELS 0\n{joint}}}\n").into_bytes())]
}

fn still_amc() -> Files {
    let mut asf = String::from(
        ":units\nlength 1\nangle deg\n:root\norder TX TY TZ RX RY RZ\naxis XYZ\nposition 0 0 0\norientation 0 0 0\n:bonedata\n",
    );
    for i in 0..1000 {
        let _ = writeln!(asf, "begin\nid {i}\nname b{i}\ndirection 0 1 0\nlength 1\naxis 0 0 0 XYZ\nend");
    }
    asf += ":hierarchy\nbegin\n";
    for i in 0..1000 {
        let _ = writeln!(asf, "root b{i}");
    }
    let mut amc = String::from(":FULLY-SPECIFIED\n:DEGREES\n");
    for i in 1..=100_000 {
        let _ = writeln!(amc, "{i}\nroot 0 0 0 0 0 0");
    }
    vec![("a.asf", (asf + "end\n").into_bytes()), ("a.amc", amc.into_bytes())]
}

/// One bit for each pixel, all of them zero.
fn picture() -> Files {
    let (width, height) = (12_000_u32, 12_000_u32);
    let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
    let mut chunk = |kind: &[u8; 4], data: &[u8]| {
        let mut crc = Crc::new();
        crc.update(kind);
        crc.update(data);
        file.extend((data.len() as u32).to_be_bytes());
        file.extend(kind);
        file.extend(data);
        file.extend(crc.sum().to_be_bytes());
    };
    let mut head = [width.to_be_bytes(), height.to_be_bytes()].concat();
    head.extend([1, 0, 0, 0, 0]);
    chunk(b"IHDR", &head);
    let mut packed = ZlibEncoder::new(Vec::new(), Compression::best());
    // Writing to memory does not fail.
    let _ = packed.write_all(&vec![0; (width as usize / 8 + 1) * height as usize]);
    chunk(b"IDAT", &packed.finish().unwrap_or_default());
    chunk(b"IEND", &[]);
    vec![("a.png", file)]
}

/// Ten megabytes of a document whose keys want 64 frames each.
fn keys() -> Files {
    let (nodes, keys) = (1000, 4000);
    let mut data: Vec<u8> = Vec::new();
    for k in 0..keys {
        // Keys at no steady rate, so that they are sampled in between.
        data.extend((k as f32 * 2.0 + (k % 7) as f32 * 0.031).to_le_bytes());
    }
    for _ in 0..keys {
        data.extend([0.0_f32, 0.0, 0.0, 1.0].iter().flat_map(|part| part.to_le_bytes()));
    }
    let list =
        |count: usize, one: &dyn Fn(usize) -> String| (0..count).map(one).collect::<Vec<_>>().join(",");
    let below = list(nodes - 1, &|i| (i + 1).to_string());
    let node = |i: usize| if i == 0 { format!("{{\"children\":[{below}]}}") } else { "{}".to_owned() };
    let channel = |i: usize| format!("{{\"sampler\":0,\"target\":{{\"node\":{i},\"path\":\"rotation\"}}}}");
    let text = format!(
        "{{\"asset\":{{\"version\":\"2.0\"}},\"scenes\":[{{\"nodes\":[0]}}],\"nodes\":[{}],\"animations\":[{{\"samplers\":\
         [{{\"input\":0,\"output\":1}}],\"channels\":[{}]}}],\"buffers\":[{{\"uri\":\"a.bin\",\"byteLength\":{}}}],\
         \"bufferViews\":[{{\"buffer\":0,\"byteLength\":{}}},{{\"buffer\":0,\"byteOffset\":{},\"byteLength\":{}}}],\
         \"accessors\":[{{\"bufferView\":0,\"componentType\":5126,\"count\":{keys},\"type\":\"SCALAR\"}},\
         {{\"bufferView\":1,\"componentType\":5126,\"count\":{keys},\"type\":\"VEC4\"}}]}}",
        list(nodes, &node),
        list(nodes, &channel),
        data.len(),
        4 * keys,
        4 * keys,
        16 * keys,
    );
    let padding = " ".repeat(10_000_000_usize.saturating_sub(text.len()));
    vec![("a.gltf", (text + &padding).into_bytes()), ("a.bin", data)]
}

fn buffers() -> Files {
    let data = vec![0; 4_000_000];
    vec![("a.gltf", gltf("buffers", 2000, data.len()).into_bytes()), ("a.bin", data)]
}

/// A document of one node that names one file over and over.
fn gltf(list: &str, count: usize, length: usize) -> String {
    let one = format!("{{\"uri\":\"a.bin\",\"byteLength\":{length}}}");
    format!(
        "{{\"asset\":{{\"version\":\"2.0\"}},\"scenes\":[{{\"nodes\":[0]}}],\"nodes\":[{{\"name\":\"a\"}}],\"{list}\":[{}]}}",
        vec![one; count].join(",")
    )
}

fn polygon() -> Files {
    vec![("a.obj", gon(200_000))]
}

fn gon(count: u32) -> Vec<u8> {
    let mut text = String::new();
    for i in 0..count {
        let (sin, cos) = (f64::from(i) / f64::from(count) * std::f64::consts::TAU).sin_cos();
        let _ = writeln!(text, "v {:.5} 0 {:.5}", 3.0 * cos, 3.0 * sin);
    }
    text.push('f');
    for i in 1..=count {
        let _ = write!(text, " {i}");
    }
    (text + "\n").into_bytes()
}

fn nan_obj() -> Files {
    vec![("a.obj", b"v nan 0 0\nv 1 0 0\nv 0 0 1\nv 0 0 0\nf 2 3 4\n".to_vec())]
}

fn rows() -> Files {
    let text = "pelvis.x,pelvis.y,pelvis.z\n".to_owned() + &"0,1,0\n".repeat(1_000_000);
    vec![("a.csv", text.into_bytes())]
}

fn day() -> Files {
    vec![("a.csv", b"time,x,y,z\n0,1,1,2\n86400,1,1,2\n".to_vec())]
}

fn postures() -> Files {
    let mut text = String::from("sinew_rig = 1\n[[joint]]\nname = \"j0\"\n");
    for i in 1..6000 {
        let _ = writeln!(text, "[[joint]]\nname = \"j{i}\"\nparent = \"j{}\"", i - 1);
    }
    for i in 0..12_000 {
        let _ = writeln!(text, "[[posture]]\nname = \"p{i}\"");
    }
    vec![("a.rig.toml", text.into_bytes())]
}

fn equal_urdf() -> Files {
    let link =
        "<link name='a'/><joint name='k' type='continuous'><parent link='b'/><child link='a'/></joint>";
    vec![("a.urdf", format!("<robot name='r'><link name='b'/>{}</robot>", link.repeat(20_000)).into_bytes())]
}

fn circle() -> Files {
    let mut text = String::from("<robot name='r'>");
    for i in 0..20_000 {
        let next = (i + 1) % 20_000;
        let _ = write!(
            text,
            "<link name='l{i}'/><joint name='j{i}' type='fixed'><parent link='l{i}'/><child link='l{next}'/></joint>"
        );
    }
    vec![("a.urdf", (text + "</robot>").into_bytes())]
}

fn nested_xml() -> Files {
    vec![("a.urdf", ("<robot name='r'>".to_owned() + &"<a>".repeat(300_000)).into_bytes())]
}

fn entities() -> Files {
    let mut text = String::from("<!DOCTYPE r [<!ENTITY a0 \"aaaaaaaaaa\">");
    for i in 1..20 {
        let _ = write!(text, "<!ENTITY a{i} \"{}\">", format!("&a{};", i - 1).repeat(10));
    }
    vec![("a.urdf", (text + "]><robot name='&a19;'/>").into_bytes())]
}

/// A robot whose links look like these files.
fn robot(meshes: &[String]) -> String {
    let mut text = String::from("<robot name='r'><link name='top'/>");
    for (i, mesh) in meshes.iter().enumerate() {
        let _ = write!(
            text,
            "<link name='l{i}'><visual><geometry><mesh filename='{mesh}'/></geometry></visual></link>\
             <joint name='j{i}' type='fixed'><parent link='top'/><child link='l{i}'/></joint>"
        );
    }
    text + "</robot>"
}

/// Names of one file.
fn names(count: usize, file: &str) -> Vec<String> {
    // Two letters in place of thousands of dots: which of the first steps are made twice.
    (0..count)
        .map(|i| (0..11).map(|bit| if i >> bit & 1 == 1 { ".//" } else { "./" }).collect::<String>() + file)
        .collect()
}

fn stl(count: u32, length: usize) -> Vec<u8> {
    let mut bytes = vec![0; 80];
    bytes.extend(count.to_le_bytes());
    bytes.resize(length, 0);
    bytes
}

fn lying_stl() -> Files {
    let meshes = ["a.stl", "b.stl", "c.stl"].map(String::from);
    vec![
        ("a.urdf", robot(&meshes).into_bytes()),
        ("a.stl", stl(u32::MAX, 1000)),
        ("b.stl", stl(0, 1000)),
        ("c.stl", b"solid\nvertex 1 1 1\nvertex 1e999 0 0\nvertex 0 0 1\n".to_vec()),
    ]
}

fn same_mesh() -> Files {
    vec![("a.urdf", robot(&names(2000, "a.stl")).into_bytes()), ("a.stl", stl(0, 20_000_000))]
}

fn led_away() -> Files {
    let away =
        ["package://../../../etc/passwd", "file:///etc/passwd", "model://..", "/etc/passwd", "../../a.stl"];
    vec![("a.urdf", robot(&away.map(String::from)).into_bytes())]
}

fn package() -> Files {
    let text =
        robot(&names(50, "a.obj").iter().map(|name| format!("package://p/{name}")).collect::<Vec<_>>());
    vec![("a.urdf", text.into_bytes()), ("a.obj", gon(200_000))]
}

/// As well packed as nobody doubts.
fn well_packed(length: usize) -> Vec<u8> {
    let (mut bytes, mut state) = (Vec::with_capacity(length), 1_u32);
    while bytes.len() < length {
        for _ in 0..800 {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            bytes.push((state >> 24) as u8);
        }
        bytes.resize(bytes.len() + 160_000, 0);
    }
    bytes
}

fn bomb(length: usize, is_motion: bool) -> Files {
    if !is_motion {
        let text = robot(&["a.stl".to_owned()]);
        return vec![("a.zip", zip(&[("a.urdf", text.as_bytes()), ("a.stl", &vec![0; length])], 1))];
    }
    let head = "HIERARCHY\nROOT r\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\nEnd Site\n{\nOFFSET 0 1 0\n}\n}\n";
    let mut text = format!("{head}MOTION\nFrames: {}\nFrame Time: 0.01\n", length / 2);
    let mut state = 1_u32;
    while text.len() < length {
        // Digits now and then, so that it packs as a motion could.
        for _ in 0..400 {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let _ = writeln!(text, "{}", state >> 24);
        }
        text += &"0\n".repeat(60_000);
    }
    vec![("a.zip", zip(&[("a.bvh", text.as_bytes())], 1))]
}

fn zipped_mesh() -> Files {
    let text = robot(&names(180, "a.stl"));
    vec![("a.zip", zip(&[("a.urdf", text.as_bytes()), ("a.stl", &well_packed(200 << 20))], 1))]
}

fn zipped_gltf(list: &str, length: usize) -> Files {
    let text = gltf(list, 20, length);
    vec![("a.zip", zip(&[("a.gltf", text.as_bytes()), ("a.bin", &well_packed(length))], 1))]
}

fn overlapping() -> Files {
    let text = "<robot name='r'><link name='a'/></robot>".to_owned() + &" ".repeat(60_000);
    vec![("a.zip", zip(&[("r.urdf", text.as_bytes())], 3900))]
}

fn looked_for() -> Files {
    let meshes: Vec<String> = (0..60_000).map(|i| format!("package://x/{i}.stl")).collect();
    let names: Vec<String> = (0..3900).map(|i| format!("d/{i}")).collect();
    let text = robot(&meshes);
    let mut files = vec![("a.urdf", text.as_bytes())];
    files.extend(names.iter().map(|name| (name.as_str(), &b""[..])));
    vec![("a.zip", zip(&files, 1))]
}

fn crowded() -> Files {
    vec![("a.zip", zip(&[("a.urdf", b"<robot/>")], 300_000))]
}

fn russian() -> Files {
    let rig = b"sinew_rig = 1\nskeleton = \"a.zip\"\n";
    let mut inner = zip(&[("a.urdf", b"<robot name='r'><link name='a'/></robot>")], 1);
    for _ in 0..400 {
        inner = zip(&[("a.rig.toml", rig), ("a.zip", &inner)], 1);
    }
    vec![("a.zip", inner)]
}

fn slip(name: &str) -> Files {
    vec![("a.zip", zip(&[(name, b"<robot name='r'><link name='a'/></robot>")], 1))]
}

/// A link is a file whose mode says so.
fn link() -> Files {
    let mut bytes = zip(&[("a.urdf", b"/etc/passwd")], 1);
    if let Some(at) = bytes.windows(4).rposition(|four| four == b"PK\x01\x02") {
        // Made by a Unix; the mode of a link.
        bytes[at + 5] = 3;
        bytes[at + 38..at + 42].copy_from_slice(&(0o120_777_u32 << 16).to_le_bytes());
    }
    vec![("a.zip", bytes)]
}

/// A zip. Its list names every file so many times, with the same bytes.
fn zip(files: &[(&str, &[u8])], times: usize) -> Vec<u8> {
    let (mut out, mut list) = (Vec::new(), Vec::new());
    let mut count = 0_u64;
    for (name, content) in files {
        let mut crc = Crc::new();
        crc.update(content);
        let mut packed = DeflateEncoder::new(Vec::new(), Compression::best());
        let _ = packed.write_all(content);
        let packed = packed.finish().unwrap_or_default();
        let sizes = [crc.sum(), packed.len() as u32, content.len() as u32].map(u32::to_le_bytes).concat();
        let start = out.len() as u32;
        let head = [20_u16, 0, 8, 0, 0].map(u16::to_le_bytes).concat();
        out.extend(b"PK\x03\x04");
        out.extend([&head, &sizes].into_iter().flatten());
        out.extend([name.len() as u16, 0].map(u16::to_le_bytes).concat());
        out.extend(name.bytes());
        out.extend(packed);
        for k in 0..times {
            let name = if k == 0 { (*name).to_owned() } else { format!("{k}{name}") };
            list.extend(b"PK\x01\x02\x14\0");
            list.extend([&head, &sizes].into_iter().flatten());
            list.extend([name.len() as u16, 0, 0, 0, 0].map(u16::to_le_bytes).concat());
            list.extend([0, start].map(u32::to_le_bytes).concat());
            list.extend(name.bytes());
            count += 1;
        }
    }
    let (start, length) = (out.len() as u64, list.len() as u64);
    out.extend(list);
    let few = u16::try_from(count).unwrap_or(u16::MAX);
    if few == u16::MAX {
        // More than the old list can count.
        let at = out.len() as u64;
        out.extend(b"PK\x06\x06");
        out.extend(44_u64.to_le_bytes());
        out.extend([45_u16, 45].map(u16::to_le_bytes).concat());
        out.extend([0; 8]);
        out.extend([count, count, length, start].map(u64::to_le_bytes).concat());
        out.extend(b"PK\x06\x07\0\0\0\0");
        out.extend(at.to_le_bytes());
        out.extend(1_u32.to_le_bytes());
    }
    out.extend(b"PK\x05\x06\0\0\0\0");
    out.extend([few, few].map(u16::to_le_bytes).concat());
    out.extend([length as u32, start as u32].map(u32::to_le_bytes).concat());
    out.extend([0; 2]);
    out
}
