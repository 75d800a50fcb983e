//! Documents that nobody would write, made from a string of bytes: the right words in any order,
//! joints below each other or all below one, equal names, odd numbers, counts that lie. Whoever
//! fuzzes gets past the first line of a reader with them, and a few bytes make a large document.
//! The fuzz targets include this file too.

use std::fmt::Write as _;

/// Decisions, taken from bytes; when they are used up, the smallest.
pub struct Choices<'a> {
    bytes: &'a [u8],
}

impl<'a> Choices<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes }
    }

    fn byte(&mut self) -> usize {
        let (first, rest) = self.bytes.split_first().map_or((0, self.bytes), |(b, rest)| (*b, rest));
        self.bytes = rest;
        usize::from(first)
    }

    /// Whether all are taken.
    #[allow(dead_code)] // not every program that includes this file asks
    pub fn is_over(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Below `count`.
    pub fn below(&mut self, count: usize) -> usize {
        self.byte() % count.max(1)
    }

    /// One time in so many.
    pub fn once_in(&mut self, times: usize) -> bool {
        self.byte() % times == times - 1
    }

    /// Mostly a few, now and then very many.
    pub fn many(&mut self, most: usize) -> usize {
        match self.below(8) {
            0..=5 => 1 + self.below(6),
            6 => 1 + self.below(40),
            _ => (1usize << self.below(17)).min(most),
        }
    }

    fn number(&mut self) -> &'static str {
        const PLAIN: [&str; 8] = ["0", "1", "-1", "0.5", "90", "-12.25", "3", "180"];
        const ODD: [&str; 12] =
            ["1e9", "-1e9", "1e150", "1e308", "1e-300", "-0", "nan", "inf", "1,5", "65536", "", "x"];
        if self.once_in(24) { ODD[self.below(ODD.len())] } else { PLAIN[self.below(PLAIN.len())] }
    }

    fn vector(&mut self) -> String {
        format!("{} {} {}", self.number(), self.number(), self.number())
    }

    /// Often one that was there before.
    fn name(&mut self, index: usize) -> String {
        const NAMES: [&str; 8] = ["a", "hips", "LeftArm", "a.2", "joint", "x y", "é", "root"];
        if self.once_in(3) { NAMES[self.below(NAMES.len())].into() } else { format!("j{index}") }
    }

    /// A joint above this one: the last, the first, or any.
    fn parent(&mut self, index: usize) -> usize {
        match self.below(4) {
            0 => 0,
            1 => self.below(index),
            _ => index - 1,
        }
    }

    /// What may stand where nothing should.
    fn junk(&mut self, out: &mut String) {
        const JUNK: [&str; 6] = ["\n", " } ", "{", "# note\n", "\u{feff}", "JOINT"];
        if self.once_in(60) {
            out.push_str(JUNK[self.below(JUNK.len())]);
        }
    }
}

/// A hierarchy and a motion.
pub fn bvh(choices: &mut Choices) -> String {
    let mut text = String::from("HIERARCHY\nROOT root\n{\nOFFSET 0 0 0\n");
    let mut width = channels(choices, &mut text);
    let joints = choices.many(2000);
    let mut depth = 1;
    for i in 0..joints {
        choices.junk(&mut text);
        let _ = writeln!(text, "JOINT {}\n{{\nOFFSET {}", choices.name(i), choices.vector());
        width += channels(choices, &mut text);
        depth += 1;
        for _ in 0..choices.below(3) {
            let _ = writeln!(text, "End Site\n{{\nOFFSET {}\n}}", choices.vector());
        }
        for _ in 0..choices.below(depth.min(4)) {
            text.push_str("}\n");
            depth -= 1;
        }
        if depth == 0 {
            break;
        }
    }
    text.push_str(&"}\n".repeat(depth));
    let frames = choices.many(1 << 14);
    let told = if choices.once_in(8) { 1 << choices.below(60) } else { frames };
    let _ = writeln!(text, "MOTION\nFrames: {told}\nFrame Time: {}", choices.number());
    let row: Vec<&str> = (0..width.min(4096)).map(|_| choices.number()).collect();
    let row = row.join(" ") + "\n";
    text + &row.repeat(frames.min(4_000_000 / row.len().max(1)))
}

fn channels(choices: &mut Choices, text: &mut String) -> usize {
    const CHANNELS: [&str; 6] =
        ["Xposition", "Yposition", "Zposition", "Zrotation", "Xrotation", "Yrotation"];
    let from = choices.below(6);
    let count = choices.below(7 - from);
    let told = if choices.once_in(40) { count + 1 } else { count };
    let _ = writeln!(text, "CHANNELS {told} {}", CHANNELS[from..from + count].join(" "));
    count
}

/// A skeleton of bones, and a motion of it.
pub fn acclaim(choices: &mut Choices) -> (String, String) {
    let mut asf = String::from(":version 1.10\n:name b\n:units\nmass 1\nlength ");
    let _ = writeln!(asf, "{}\nangle deg\n:root\norder TX TY TZ RX RY RZ\naxis XYZ", choices.number());
    let _ = writeln!(asf, "position {}\norientation {}\n:bonedata", choices.vector(), choices.vector());
    let count = choices.many(1500);
    let mut bones: Vec<(String, usize)> = Vec::new();
    for i in 0..count {
        let (name, dof) = (choices.name(i).replace(' ', "_"), choices.below(4));
        let _ = writeln!(asf, "begin\nid {i}\nname {name}\ndirection {}", choices.vector());
        let _ = writeln!(asf, "length {}\naxis {} XYZ", choices.number(), choices.vector());
        if dof > 0 {
            let _ = writeln!(asf, "dof {}", ["rx", "ry", "rz"][..dof].join(" "));
            for k in 0..dof {
                let lead = if k == 0 { "limits " } else { "" };
                let _ = writeln!(asf, "{lead}({} {})", choices.number(), choices.number());
            }
        }
        asf.push_str("end\n");
        bones.push((name, dof));
    }
    asf.push_str(":hierarchy\nbegin\n");
    for (i, (name, _)) in bones.iter().enumerate() {
        let parent = if i == 0 { "root" } else { bones[choices.parent(i)].0.as_str() };
        let _ = writeln!(asf, "{parent} {name}");
    }
    asf.push_str("end\n");
    let mut frame = format!("root {} {}\n", choices.vector(), choices.vector());
    for (name, dof) in bones.iter().filter(|(_, dof)| *dof > 0) {
        let numbers: Vec<&str> = (0..*dof).map(|_| choices.number()).collect();
        let _ = writeln!(frame, "{name} {}", numbers.join(" "));
    }
    let frames = choices.many(4096).min(2_000_000 / frame.len());
    let mut amc = String::from(":FULLY-SPECIFIED\n:DEGREES\n");
    for i in 0..frames {
        let _ = write!(amc, "{}\n{frame}", i + 1);
    }
    (asf, amc)
}

/// A robot.
pub fn urdf(choices: &mut Choices) -> String {
    const TYPES: [&str; 7] = ["revolute", "continuous", "prismatic", "fixed", "floating", "planar", "ball"];
    let mut text = String::from("<robot name=\"r\">");
    let count = choices.many(3000);
    let names: Vec<String> = (0..count).map(|i| choices.name(i)).collect();
    for name in &names {
        let _ = write!(
            text,
            "<link name=\"{name}\"><inertial><mass value=\"{}\"/></inertial></link>",
            choices.number()
        );
        choices.junk(&mut text);
    }
    for i in 1..count {
        let (parent, kind) = (&names[choices.parent(i)], TYPES[choices.below(TYPES.len())]);
        let _ = write!(
            text,
            "<joint name=\"k{i}\" type=\"{kind}\"><parent link=\"{parent}\"/><child link=\"{}\"/>\
             <origin xyz=\"{}\" rpy=\"{}\"/><axis xyz=\"{}\"/>",
            names[i],
            choices.vector(),
            choices.vector(),
            choices.vector()
        );
        let _ = write!(
            text,
            "<limit lower=\"{}\" upper=\"{}\" effort=\"1\" velocity=\"1\"/>",
            choices.number(),
            choices.number()
        );
        if choices.once_in(4) {
            let _ = write!(
                text,
                "<mimic joint=\"k{}\" multiplier=\"{}\"/>",
                choices.below(count),
                choices.number()
            );
        }
        text.push_str("</joint>");
    }
    text + "</robot>"
}

/// A rig file.
pub fn rig(choices: &mut Choices) -> String {
    const KINDS: [&str; 6] = ["ball", "hinge", "universal", "prismatic", "free", "fixed"];
    const ROLES: [&str; 6] = ["hips", "spine", "head", "leftUpperArm", "leftHand", "tail"];
    let mut text = String::from("sinew_rig = 1\nname = \"r\"\n");
    let count = choices.many(1500);
    let names: Vec<String> = (0..count).map(|i| choices.name(i)).collect();
    for (i, name) in names.iter().enumerate() {
        let _ = writeln!(text, "[[joint]]\nname = \"{name}\"\noffset = {}", list(choices, 3));
        if i > 0 {
            let _ = writeln!(text, "parent = \"{}\"", names[choices.parent(i)]);
        }
        let kind = KINDS[choices.below(2) * choices.below(KINDS.len())];
        let _ = writeln!(text, "kind = \"{kind}\"");
        match kind {
            "hinge" | "prismatic" => {
                let _ = writeln!(text, "axis = {}", axis(choices));
            }
            "universal" => text.push_str("axes = [[1, 0, 0], [0, 1, 0]]\n"),
            _ => {}
        }
        if choices.once_in(3) {
            let _ = writeln!(text, "limit = {{ {} }}", limit(choices, kind));
        }
        if choices.once_in(16) {
            let _ = writeln!(
                text,
                "mimic = {{ joint = \"{}\", multiplier = {} }}",
                names[choices.below(count)],
                choices.number()
            );
        }
        choices.junk(&mut text);
    }
    if choices.once_in(4) {
        text.push_str("[roles]\n");
        for role in &ROLES[..choices.below(ROLES.len() + 1)] {
            let _ = writeln!(text, "{role} = \"{}\"", names[choices.below(count)]);
        }
    }
    for i in 0..choices.below(4) {
        let (joint, target) =
            (&names[choices.below(count)], ["position", "orientation", "pose"][choices.below(3)]);
        let _ = writeln!(
            text,
            "[[goal]]\nname = \"g{i}\"\njoint = \"{joint}\"\ntarget = \"{target}\"\nat = {}",
            list(choices, 3)
        );
    }
    for i in 0..choices.below(3) {
        let _ = writeln!(text, "[[posture]]\nname = \"p{i}\"\n[posture.rotations]");
        let joint = &names[choices.below(count)];
        let _ = writeln!(text, "\"{joint}\" = {{ axis = {}, angle = {} }}", axis(choices), choices.number());
    }
    if choices.once_in(4) {
        text.push_str("[[behaviour]]\nname = \"b\"\nside = \"right\"\n");
        for _ in 0..choices.many(300) {
            let _ = writeln!(text, "[[behaviour.key]]\nswing = {}\nposture = \"p0\"", list(choices, 2));
        }
    }
    text
}

fn list(choices: &mut Choices, count: usize) -> String {
    let numbers: Vec<&str> = (0..count).map(|_| choices.number()).collect();
    format!("[{}]", numbers.join(", "))
}

/// Mostly one that has a direction.
fn axis(choices: &mut Choices) -> String {
    const AXES: [&str; 4] = ["[1, 0, 0]", "[0, 1, 0]", "[0, 0.6, 0.8]", "[-1, 2, 3]"];
    if choices.once_in(8) { list(choices, 3) } else { AXES[choices.below(AXES.len())].into() }
}

/// A limit that a joint of this kind can have.
fn limit(choices: &mut Choices, kind: &str) -> String {
    let range = |choices: &mut Choices| {
        const RANGES: [&str; 3] = ["[-20, 40]", "[0, 0]", "[-180, 180]"];
        if choices.once_in(6) { list(choices, 2) } else { RANGES[choices.below(RANGES.len())].into() }
    };
    match kind {
        "hinge" | "prismatic" => format!("min = {}, max = {}", choices.number(), choices.number()),
        "universal" => format!("first = {}, second = {}", range(choices), range(choices)),
        _ if choices.once_in(4) => {
            format!("euler = \"yxz\", x = {}, y = {}, z = {}", range(choices), range(choices), range(choices))
        }
        _ => {
            let count = choices.many(3000);
            let around = |k: usize| (k as f64 / count as f64 * std::f64::consts::TAU).sin_cos();
            let region = match choices.below(5) {
                0 => format!("swing = \"cone\", radius = {}", choices.number()),
                1 => format!("swing = \"ellipse\", x = {}, y = {}", choices.number(), choices.number()),
                2 => {
                    let corner = |k| format!("[{:.4}, {:.4}, 1]", around(k).1, around(k).0);
                    let corners: Vec<String> = (0..count).map(corner).collect();
                    format!("swing = \"polygon\", vertices = [{}]", corners.join(", "))
                }
                3 => {
                    let lean = choices.number();
                    let knot = |k| {
                        let at = 360.0 * k as f64 / count as f64;
                        format!("{{ circumduction = {at:.4}, amplitude = {lean} }}")
                    };
                    let knots: Vec<String> = (0..count).map(knot).collect();
                    format!("swing = \"spline\", knots = [{}]", knots.join(", "))
                }
                _ => {
                    let radius = choices.number();
                    let cone = |k| {
                        format!("{{ axis = [{:.4}, {:.4}, 1], radius = {radius} }}", around(k).1, around(k).0)
                    };
                    let cones: Vec<String> = (0..count.min(400)).map(cone).collect();
                    format!("swing = \"kusudama\", cones = [{}]", cones.join(", "))
                }
            };
            format!("{region}, bone = [0, 1, 0], right = [1, 0, 0], twist = {}", range(choices))
        }
    }
}

/// A glTF document with its buffer inside. Indices mostly fit.
pub fn gltf(choices: &mut Choices) -> String {
    let nodes = choices.many(120);
    let keys = choices.many(1 << 8);
    let step = [0.04f32, 1.0 / 30.0, 2.0, 0.0, 1e9][choices.below(5)];
    let mut buffer: Vec<u8> = (0..keys).flat_map(|k| (k as f32 * step).to_le_bytes()).collect();
    let turn = [[0.0f32, 0.0, 0.0, 1.0], [0.6, 0.0, 0.0, 0.8], [0.0; 4], [f32::NAN; 4]][choices.below(4)];
    for _ in 0..keys {
        turn.iter().for_each(|part| buffer.extend(part.to_le_bytes()));
    }
    let off = |choices: &mut Choices, value: usize| if choices.once_in(40) { value + 1 } else { value };
    let mut children = vec![Vec::new(); nodes];
    for i in 1..nodes {
        children[choices.parent(i)].push(i);
    }
    let mut list = Vec::new();
    for (i, below) in children.iter().enumerate() {
        let mut node = format!("{{\"name\":\"{}\"", choices.name(i));
        if !below.is_empty() {
            let _ = write!(node, ",\"children\":{below:?}");
        }
        if choices.once_in(3) {
            let _ = write!(node, ",\"translation\":[{}]", choices.vector().replace(' ', ","));
        }
        if choices.once_in(9) {
            let _ = write!(node, ",\"scale\":[{}]", choices.vector().replace(' ', ","));
        }
        list.push(node + "}");
    }
    let mut channels = Vec::new();
    for _ in 0..choices.many(100) {
        let path = ["rotation", "translation", "scale", "weights"][choices.below(8) / 4 * choices.below(4)];
        let node = choices.below(nodes);
        channels.push(format!(
            "{{\"sampler\":0,\"target\":{{\"node\":{},\"path\":\"{path}\"}}}}",
            off(choices, node)
        ));
    }
    let skins = match choices.below(3) {
        0 => String::new(),
        1 => format!("\"skins\":[{{\"joints\":{:?}}}],", (0..nodes).collect::<Vec<_>>()),
        _ => format!("\"skins\":[{{\"joints\":[{},0]}}],", choices.below(nodes)),
    };
    let interpolation = ["LINEAR", "STEP", "CUBICSPLINE"][choices.below(12).saturating_sub(9)];
    format!(
        "{{\"asset\":{{\"version\":\"2.0\"}},\"scene\":0,\"scenes\":[{{\"nodes\":[0]}}],\"nodes\":[{}],{skins}\
         \"animations\":[{{\"samplers\":[{{\"input\":0,\"output\":1,\"interpolation\":\"{interpolation}\"}}],\
         \"channels\":[{}]}}],\"buffers\":[{{\"byteLength\":{},\"uri\":\"data:application/octet-stream;base64,{}\"}}],\
         \"bufferViews\":[{{\"buffer\":0,\"byteLength\":{}}},{{\"buffer\":0,\"byteOffset\":{},\"byteLength\":{}}}],\
         \"accessors\":[{{\"bufferView\":0,\"componentType\":5126,\"count\":{},\"type\":\"SCALAR\"}},\
         {{\"bufferView\":1,\"componentType\":5126,\"count\":{keys},\"type\":\"VEC4\"}}]}}",
        list.join(","),
        channels.join(","),
        off(choices, buffer.len()),
        base64(&buffer),
        4 * keys,
        4 * keys,
        16 * keys,
        off(choices, keys),
    )
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len() / 3 * 4 + 4);
    for three in bytes.chunks(3) {
        let at = |i: usize| u32::from(three.get(i).copied().unwrap_or(0));
        let value = at(0) << 16 | at(1) << 8 | at(2);
        for digit in 0..4 {
            let is_there = digit <= three.len();
            let place = (value >> (18 - 6 * digit)) as usize & 63;
            text.push(if is_there { char::from(DIGITS[place]) } else { '=' });
        }
    }
    text
}

/// Corners and faces.
pub fn obj(choices: &mut Choices) -> String {
    let mut text = String::new();
    let corners = choices.many(1 << 14);
    for _ in 0..corners {
        let _ = writeln!(text, "v {}", choices.vector());
    }
    for _ in 0..choices.many(2000) {
        let face: Vec<String> = (0..choices.many(4000))
            .map(|k| (1 + (k + choices.below(3)) % (corners + 1)).to_string())
            .collect();
        let _ = writeln!(text, "f {}", face.join(" "));
        if text.len() > 2_000_000 {
            break;
        }
    }
    text
}

/// Triangles, as STL of either kind, whose count may lie.
pub fn stl(choices: &mut Choices) -> Vec<u8> {
    let count = choices.many(3000);
    if choices.once_in(2) {
        let corner = |choices: &mut Choices| format!("vertex {}\n", choices.vector());
        let corners: String = (0..count).map(|_| corner(choices)).collect();
        return format!("solid s\nouter loop\n{corners}endloop\n").into_bytes();
    }
    const NUMBERS: [f32; 6] = [0.0, 1.0, -0.5, 1e30, f32::NAN, f32::INFINITY];
    let number = NUMBERS[if choices.once_in(6) { choices.below(6) } else { choices.below(3) }];
    let mut bytes = vec![b's'; 80];
    let told = if choices.once_in(6) { 1 << choices.below(32) } else { count as u32 };
    bytes.extend(told.to_le_bytes());
    for k in 0..12 * count {
        let part = if k % 5 == 0 { number } else { (k % 7) as f32 * 0.1 };
        bytes.extend(part.to_le_bytes());
        if k % 12 == 11 {
            bytes.extend([0; 2]);
        }
    }
    bytes
}

/// A zip of a robot, a rig or a model with what it asks for; or with what it should not hold.
pub fn zip(choices: &mut Choices) -> Vec<u8> {
    const NAMES: [&str; 16] = [
        "r.urdf",
        "r.rig.toml",
        "m.gltf",
        "w.bvh",
        "w.amc",
        "w.asf",
        "meshes/a.stl",
        "meshes/b.obj",
        "a.bin",
        "d/",
        "in.zip",
        "robot.xml",
        "../up.urdf",
        "/etc/r.urdf",
        "d\\..\\r.urdf",
        "é/\u{202e}.urdf",
    ];
    let mut files: Vec<(&str, Vec<u8>)> = Vec::new();
    for _ in 0..choices.many(40) {
        let which = if choices.once_in(12) { choices.below(16) } else { choices.below(12) };
        let name = NAMES[which];
        let content = match which {
            0 | 11 => looks(choices),
            1 if choices.once_in(2) => {
                let of = NAMES[choices.below(12)];
                format!("sinew_rig = 1\nskeleton = \"{of}\"\n").into_bytes()
            }
            1 => rig(choices).into_bytes(),
            2 => {
                let (list, one) = [
                    ("buffers", "{\"uri\":\"a.bin\",\"byteLength\":4}"),
                    ("images", "{\"uri\":\"./a.bin\"}"),
                ][choices.below(2)];
                let all = vec![one; choices.many(300)].join(",");
                format!("{{\"asset\":{{\"version\":\"2.0\"}},\"nodes\":[{{}}],\"{list}\":[{all}]}}")
                    .into_bytes()
            }
            3 => bvh(choices).into_bytes(),
            4 => acclaim(choices).1.into_bytes(),
            5 => acclaim(choices).0.into_bytes(),
            6 => stl(choices),
            7 => obj(choices).into_bytes(),
            10 if files.len() < 4 => packed(&files, choices),
            _ => vec![b' '; choices.many(1 << 15)],
        };
        files.push((name, content));
        if files.iter().map(|(_, content)| content.len()).sum::<usize>() > 2_000_000 {
            break;
        }
    }
    let mut bytes = packed(&files, choices);
    while choices.once_in(5) && !bytes.is_empty() {
        let at = (choices.below(256) << 8 | choices.below(256)) % bytes.len();
        // Near the end is the list of the files, which says what lies where.
        let at = if choices.once_in(2) { bytes.len() - 1 - at % bytes.len().min(256) } else { at };
        bytes[at] = choices.below(256) as u8;
    }
    bytes
}

/// A robot whose links look like something.
fn looks(choices: &mut Choices) -> Vec<u8> {
    const FORMS: [&str; 8] = [
        "<box size='1 2 3'/>",
        "<cylinder radius='1' length='2'/>",
        "<sphere radius='1e150'/>",
        "<mesh filename='package://r/meshes/a.stl'/>",
        "<mesh filename='meshes/b.obj' scale='-1 1 1e30'/>",
        "<mesh filename='../meshes/../a.stl'/>",
        "<mesh filename='a.stl' scale='0 0 0'/>",
        "<mesh filename='x.dae'/>",
    ];
    let count = choices.many(1000);
    let mut text = String::from("<robot name='r'>");
    for i in 0..count {
        let kind = ["visual", "collision"][choices.below(2)];
        let _ = write!(
            text,
            "<link name='l{i}'><{kind}><origin xyz='{}'/><geometry>{}</geometry></{kind}></link>",
            choices.vector(),
            FORMS[choices.below(FORMS.len())]
        );
        if i > 0 {
            let _ = write!(
                text,
                "<joint name='j{i}' type='fixed'><parent link='l{}'/><child link='l{i}'/></joint>",
                choices.parent(i)
            );
        }
    }
    (text + "</robot>").into_bytes()
}

/// Files in a zip: as they are or as deflate, in honesty or not.
fn packed(files: &[(&str, Vec<u8>)], choices: &mut Choices) -> Vec<u8> {
    let (mut out, mut list) = (Vec::new(), Vec::new());
    let mut last = 0;
    for (name, content) in files {
        let deflate = choices.once_in(2) && content.len() < 1 << 16;
        let length = content.len() as u16;
        let block: Vec<u8> = if deflate {
            [&[1][..], &length.to_le_bytes(), &(!length).to_le_bytes(), content].concat()
        } else {
            content.clone()
        };
        let flags: u16 =
            if choices.once_in(20) { [1, 8, 1 << 11, 1 << 6][choices.below(4)] } else { 1 << 11 };
        let told = if choices.once_in(20) { 1 << choices.below(32) } else { content.len() as u32 };
        let crc = if choices.once_in(30) { 7 } else { crc32(content) };
        let mut head = [20, flags, if deflate { 8 } else { 0 }, 0, 0].map(u16::to_le_bytes).concat();
        head.extend([crc, block.len() as u32, told].map(u32::to_le_bytes).concat());
        // Now and then the bytes of the file before.
        let start = if choices.once_in(20) { last } else { out.len() as u32 };
        last = out.len() as u32;
        let lengths = [name.len() as u16, 0].map(u16::to_le_bytes).concat();
        out.extend([b"PK\x03\x04", &head[..], &lengths, name.as_bytes(), &block].concat());
        let mode: u32 = if choices.once_in(30) { 0o120_777 } else { 0o100_644 };
        let rest = [[0u8; 6].to_vec(), [mode << 16, start].map(u32::to_le_bytes).concat()].concat();
        list.extend([b"PK\x01\x02\x14\x03", &head[..], &lengths, &rest, name.as_bytes()].concat());
    }
    let (count, start, length) = (files.len() as u16, out.len() as u32, list.len() as u32);
    let count = if choices.once_in(30) { u16::MAX } else { count };
    let counts = [0, 0, count, count].map(u16::to_le_bytes).concat();
    let places = [length, start].map(u32::to_le_bytes).concat();
    [out, list, b"PK\x05\x06".to_vec(), counts, places, vec![0; 2]].concat()
}

/// The checksum of zips, bit by bit.
fn crc32(bytes: &[u8]) -> u32 {
    let step = |crc: u32, _| if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 };
    !bytes.iter().fold(u32::MAX, |crc, byte| (0..8).fold(crc ^ u32::from(*byte), step))
}

/// A table of numbers.
pub fn table(choices: &mut Choices) -> String {
    let width = 1 + choices.below(8);
    let mut text = String::new();
    for _ in 0..choices.many(1 << 14) {
        let row: Vec<&str> = (0..width).map(|_| choices.number()).collect();
        let _ = writeln!(text, "{}", row.join(","));
        choices.junk(&mut text);
    }
    text
}
