//! What links look like: from XML to shapes, and from shapes to a mesh that goes with the joints.
//!
//! Looks are no reason to refuse a robot: a shape that cannot be read is left out, and a note says so. Meshes are
//! STL or OBJ; a link of which only Collada (.dae) is there shows what it collides with, where that can be read.

use std::collections::BTreeMap;

use roxmltree::Node;
use sinew_f64::{ModelPose, Transform, Vec3};

use super::document::{UrdfDocument, UrdfForm, UrdfShape};
use super::xml;
use crate::error::quoted;
use crate::obj::TriangleMesh;
use crate::surface::{Surface, ball, cuboid, cylinder};
use crate::{Asset, Budget, Note, ReadError, obj, stl};

/// The colour of what has none.
const GREY: [f64; 3] = [0.72, 0.74, 0.77];

/// The robot's own materials, by name.
pub(super) type Materials<'a, 'input> = BTreeMap<&'a str, Node<'a, 'input>>;

/// Of equal names the first.
pub(super) fn materials<'a, 'input>(robot: Node<'a, 'input>) -> Materials<'a, 'input> {
    let mut materials = Materials::new();
    for node in robot.children().filter(|node| node.tag_name().name() == "material") {
        if let Some(name) = node.attribute("name") {
            materials.entry(name).or_insert(node);
        }
    }
    materials
}

/// The shapes of a link; `spoiled` counts those that are none.
pub(super) fn shapes(
    reader: &xml::Reader<'_>,
    materials: &Materials<'_, '_>,
    link: Node<'_, '_>,
    kind: &str,
    spoiled: &mut usize,
) -> Vec<UrdfShape> {
    let nodes = link.children().filter(|c| c.is_element() && c.tag_name().name() == kind);
    let mut shapes = Vec::new();
    for node in nodes {
        match shape(reader, materials, node) {
            Ok(Some(shape)) => shapes.push(shape),
            _ => *spoiled += 1,
        }
    }
    shapes
}

fn shape(
    reader: &xml::Reader<'_>,
    materials: &Materials<'_, '_>,
    node: Node<'_, '_>,
) -> Result<Option<UrdfShape>, ReadError> {
    let Some(geometry) = reader.child(node, "geometry")? else { return Ok(None) };
    let Some(form) = geometry.children().find(Node::is_element) else { return Ok(None) };
    let number = |name| Ok::<f64, ReadError>(reader.finite_number(form, name)?.unwrap_or(0.0).abs());
    let form = match form.tag_name().name() {
        "box" => UrdfForm::Box(reader.vector(form, "size")?.unwrap_or(Vec3::ZERO).abs()),
        "cylinder" | "capsule" => UrdfForm::Cylinder { radius: number("radius")?, length: number("length")? },
        "sphere" => UrdfForm::Sphere(number("radius")?),
        "mesh" => UrdfForm::Mesh {
            file: reader.name(form, "filename")?.trim().to_owned(),
            scale: reader.vector(form, "scale")?.unwrap_or(Vec3::ONE),
        },
        _ => return Ok(None),
    };
    let origin = match reader.child(node, "origin")? {
        Some(origin) => {
            let place = reader.vector(origin, "xyz")?.unwrap_or(Vec3::ZERO);
            Transform::new(place, reader.rotation(origin)?)
        }
        None => Transform::IDENTITY,
    };
    Ok(Some(UrdfShape { origin, form, colour: colour(reader, materials, node) }))
}

/// The colour of a shape: its own, or that of the robot's material of this name.
fn colour(reader: &xml::Reader<'_>, materials: &Materials<'_, '_>, node: Node<'_, '_>) -> Option<[f64; 3]> {
    let own = reader.child(node, "material").ok()??;
    let of = |material| -> Option<[f64; 3]> {
        let rgba = reader.numbers::<4>(reader.child(material, "color").ok()??, "rgba").ok()??;
        Some([rgba[0], rgba[1], rgba[2]].map(|part| part.clamp(0.0, 1.0)))
    };
    of(own).or_else(|| of(*materials.get(own.attribute("name")?)?))
}

/// What stands in the way of showing shapes, counted for the notes.
#[derive(Default)]
struct Missing {
    gone: BTreeMap<String, usize>,
    collada: usize,
    broken: Option<String>,
    stand_ins: usize,
    /// Links that ought to show something: those that do, and those that cannot.
    shown: usize,
    bare: usize,
    lost: usize,
}

/// The mesh of a robot that was made into this asset; `None` if most of its links have nothing to show, since two
/// fingers in the air are no robot and whoever draws it makes a better body from the joints. `sibling` gives the files
/// beside it.
pub(super) fn surface(
    document: &UrdfDocument,
    asset: &Asset,
    sibling: &mut dyn FnMut(&str) -> Option<Vec<u8>>,
    budget: Budget,
    notes: &mut Vec<Note>,
) -> Result<Option<Surface>, ReadError> {
    // Corners name their joints in 16 bits, as glTF does.
    if asset.skeleton.len() > usize::from(u16::MAX) {
        notes.push(Note::new(format!(
            "{} joints are too many for a body that is shown",
            asset.skeleton.len()
        )));
        return Ok(None);
    }
    let rest = ModelPose::rest(&asset.skeleton);
    let mut missing = Missing::default();
    let mut files: BTreeMap<&str, Option<TriangleMesh>> = BTreeMap::new();
    let mut surface = Surface::default();
    // Of equal names the first, as everywhere.
    let mut aliases = BTreeMap::new();
    for alias in &asset.aliases {
        aliases.entry(alias.name.as_str()).or_insert(alias);
    }
    for link in &document.links {
        let Some(alias) = aliases.get(link.name.as_str()) else { continue };
        let frame = rest.transform(alias.joint) * alias.frame;
        let mut shown = 0;
        let mut stands_in = false;
        for (shapes, is_visual) in [(&link.visuals, true), (&link.collisions, false)] {
            // What a link collides with is what it looks like where nothing else is known.
            if shown > 0 || (!is_visual && link.visuals.is_empty()) {
                continue;
            }
            for shape in shapes {
                let (made, scale);
                let mesh = match &shape.form {
                    UrdfForm::Mesh { file, scale: by } => {
                        scale = *by;
                        let found = files
                            .entry(file)
                            .or_insert_with(|| read_mesh(file, sibling, budget, &mut missing));
                        match found {
                            Some(mesh) => &*mesh,
                            None => continue,
                        }
                    }
                    form => {
                        scale = Vec3::ONE;
                        made = primitive(form);
                        &made
                    }
                };
                let count = surface.triangles.len() + mesh.triangles.len();
                budget.check(count, Surface::TRIANGLE, || format!("{count} triangles of meshes"))?;
                let colour = shape.colour.unwrap_or(GREY).map(linear);
                if !surface.add(mesh, scale, frame * shape.origin, alias.joint, colour) {
                    missing.lost += 1;
                    continue;
                }
                shown += 1;
                stands_in |= !is_visual;
            }
        }
        missing.stand_ins += usize::from(stands_in);
        match shown {
            0 if link.visuals.is_empty() => {}
            0 => missing.bare += 1,
            _ => missing.shown += 1,
        }
    }
    let is_whole = missing.bare <= missing.shown && !surface.triangles.is_empty();
    if !is_whole {
        // Nothing stands in for anything, then.
        missing.stand_ins = 0;
    }
    missing.tell(notes);
    Ok(is_whole.then_some(surface))
}

/// A part of a colour as it is shown, as light.
fn linear(part: f64) -> f32 {
    (if part <= 0.040_45 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }) as f32
}

fn primitive(form: &UrdfForm) -> TriangleMesh {
    match form {
        UrdfForm::Box(size) => cuboid(*size),
        UrdfForm::Cylinder { radius, length } => cylinder(*radius, *length),
        UrdfForm::Sphere(radius) => ball(*radius),
        UrdfForm::Mesh { .. } => TriangleMesh::default(),
    }
}

/// A mesh by the name that the robot gives it: `package://` and `model://` name a folder somewhere above, which is
/// looked for among the files beside the robot and nowhere else.
fn read_mesh(
    file: &str,
    sibling: &mut dyn FnMut(&str) -> Option<Vec<u8>>,
    budget: Budget,
    missing: &mut Missing,
) -> Option<TriangleMesh> {
    let lower = file.to_ascii_lowercase();
    if lower.ends_with(".dae") {
        missing.collada += 1;
        return None;
    }
    let plain = ["package://", "model://"].iter().find_map(|scheme| file.strip_prefix(scheme));
    let name = plain.unwrap_or(file);
    let without_package = plain.and_then(|name| name.split_once('/')).map(|(_, rest)| rest);
    // Files that were dropped together have no folders.
    let alone = name.rsplit_once(['/', '\\']).map(|(_, last)| last);
    let found = sibling(name).or_else(|| sibling(without_package?)).or_else(|| sibling(alone?));
    let Some(bytes) = found else {
        *missing.gone.entry(file.to_owned()).or_default() += 1;
        return None;
    };
    let mesh = if lower.ends_with(".obj") {
        obj::read_within(&bytes, budget)
    } else {
        stl::read_within(&bytes, budget)
    };
    match mesh {
        Ok(mesh) => Some(mesh),
        Err(error) => {
            missing.broken.get_or_insert_with(|| error.in_file(file).to_string());
            None
        }
    }
}

fn counted(count: usize, one: &str, more: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { more })
}

impl Missing {
    fn tell(&self, notes: &mut Vec<Note>) {
        if let Some(first) = self.gone.keys().next() {
            let count = self.gone.len();
            notes.push(Note::new(format!(
                "{} not there (first {}): a zip or folder with the robot and its meshes shows them",
                counted(count, "mesh is", "meshes are"),
                quoted(first)
            )));
        }
        if self.collada > 0 {
            notes.push(Note::new(format!(
                "{} Collada (.dae), which is not read; as STL or OBJ they would show",
                counted(self.collada, "mesh is", "meshes are")
            )));
        }
        if self.lost > 0 {
            let shapes = counted(self.lost, "shape is", "shapes are");
            notes.push(Note::new(format!("{shapes} too large or too far away to be shown")));
        }
        if self.stand_ins > 0 {
            let links = counted(self.stand_ins, "link shows", "links show");
            notes.push(Note::new(format!("{links} what could be bumped into instead")));
        }
        if let Some(words) = &self.broken {
            notes.push(Note::new(format!("a mesh could not be read: {words}")));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::urdf::{UrdfOptions, read_beside};

    const ROBOT: &str = "<robot name='r'><material name='red'><color rgba='1 0 0 1'/></material>
        <link name='base'><visual><geometry><box size='2 1 1'/></geometry><material name='red'/></visual></link>
        <link name='arm'><visual><origin xyz='0 0 1'/><geometry>
            <mesh filename='package://r/meshes/part.stl' scale='1 1 2'/></geometry></visual></link>
        <link name='hand'><visual><geometry><mesh filename='package://r/meshes/hand.dae'/></geometry></visual>
            <collision><geometry><sphere radius='0.1'/></geometry></collision></link>
        <link name='odd'><visual><geometry><torus/></geometry></visual></link>
        <joint name='a' type='continuous'><parent link='base'/><child link='arm'/><origin xyz='0 0 3'/></joint>
        <joint name='b' type='continuous'><parent link='arm'/><child link='hand'/><origin xyz='0 0 3'/></joint>
        <joint name='c' type='fixed'><parent link='hand'/><child link='odd'/></joint></robot>";
    const PART: &[u8] = b"solid\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 0 1\n";

    fn robot(file: &str, options: &UrdfOptions) -> Asset {
        let mut asked = Vec::new();
        let mut beside = |name: &str| {
            asked.push(name.to_string());
            (name == file).then(|| PART.to_vec())
        };
        let asset = read_beside(ROBOT.as_bytes(), options, &mut beside, Budget::default()).unwrap();
        assert!(asked.iter().all(|name| !name.contains("package:")), "{asked:?}");
        asset
    }

    /// Places are those of the links, in model space, whatever link the robot hangs on.
    #[test]
    fn links_look_as_the_file_says_wherever_the_meshes_are() {
        for file in ["r/meshes/part.stl", "meshes/part.stl", "part.stl"] {
            let asset = robot(file, &UrdfOptions::default());
            let surface = asset.surface.as_ref().unwrap();
            surface.check(&asset.skeleton).unwrap();
            let ball = ball(0.1).triangles.len();
            assert_eq!(surface.triangles.len(), 12 + 1 + ball, "{file}");
            // z is up in the file and y here: the part's far corner stands at 3 + 1 + 2.
            let highest = surface.positions[36..39].iter().map(|p| p[1]).fold(0.0, f32::max);
            assert!((highest - 6.0).abs() < 1.0e-5, "{highest}");
            assert_eq!(surface.colours[0], [1.0, 0.0, 0.0]);
            let said: Vec<String> = asset.notes.iter().map(ToString::to_string).collect();
            let said = said.join("; ");
            assert!(said.contains("1 mesh is Collada") && said.contains("1 link shows"), "{said}");
            assert!(said.contains("1 shapes of links have no form"), "{said}");
        }
        let up = robot("part.stl", &UrdfOptions::default()).surface.unwrap();
        let hung = robot("part.stl", &UrdfOptions { root: Some("hand".into()), ..Default::default() });
        let down = hung.surface.unwrap();
        let size = |surface: &Surface| {
            let ys = || surface.positions.iter().map(|p| p[1]);
            ys().fold(f32::MIN, f32::max) - ys().fold(f32::MAX, f32::min)
        };
        assert!((size(&up) - size(&down)).abs() < 1.0e-5, "hung up by its hand it is the same robot");
    }

    /// A manipulator whose fingers alone have shapes of their own was two boxes in the air.
    #[test]
    fn a_few_parts_of_a_robot_are_no_robot() {
        let mut finger = String::from("<robot name='r'>");
        for (link, collision) in [("a", ""), ("b", ""), ("c", "<geometry><box size='1 1 1'/></geometry>")] {
            finger += &format!(
                "<link name='{link}'><visual><geometry><mesh filename='{link}.dae'/></geometry></visual>\
                 <collision>{collision}</collision></link>"
            );
        }
        finger += "<joint name='x' type='continuous'><parent link='a'/><child link='b'/></joint>\
                   <joint name='y' type='continuous'><parent link='b'/><child link='c'/></joint></robot>";
        let read = |text: &str| {
            read_beside(text.as_bytes(), &UrdfOptions::default(), &mut |_| None, Budget::default()).unwrap()
        };
        let asset = read(&finger);
        assert!(asset.surface.is_none());
        let said = asset.notes.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ");
        assert!(said.contains("3 meshes are Collada") && !said.contains("stead"), "{said}");
        let most = read(&finger.replace("<mesh filename='b.dae'/>", "<sphere radius='1'/>"));
        assert!(most.surface.is_some(), "two links of three are a robot");
    }

    /// A corner at 3e38 m, a thousand times as large, was a mesh with infinities: it could not be written, and the
    /// studio, which writes it for its page, did not show the robot at all.
    #[test]
    fn shapes_beyond_single_precision_are_left_out_with_a_note() {
        let text = "<robot name='r'><link name='a'><visual><geometry><mesh filename='a.stl' scale='1000 1 1'/></geometry>
            </visual><visual><geometry><box size='1 1 1'/></geometry></visual></link></robot>";
        let corners = [0.0_f32, 0.0, 0.0, 3.0e38, 0.0, 0.0, 0.0, 1.0, 0.0];
        let mut part = vec![0; 80];
        part.extend(1_u32.to_le_bytes());
        part.extend([0; 12]);
        part.extend(corners.iter().flat_map(|number| number.to_le_bytes()));
        part.extend([0; 2]);
        let mut beside = |_: &str| Some(part.clone());
        let asset = crate::read("a.urdf", text.as_bytes(), &mut beside).unwrap();
        let surface = asset.surface.as_ref().unwrap();
        surface.check(&asset.skeleton).unwrap();
        assert_eq!(surface.triangles.len(), 12);
        assert!(asset.notes.iter().any(|note| note.0.contains("1 shape is too large")), "{:?}", asset.notes);
    }

    #[test]
    fn what_is_missing_is_said_and_nothing_is_a_reason_to_refuse() {
        let asset = robot("elsewhere", &UrdfOptions::default());
        let said = asset.notes.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ");
        assert!(said.contains("1 mesh is not there (first 'package://r/meshes/part.stl')"), "{said}");
        let mut broken = |_: &str| Some(b"no mesh".to_vec());
        let asset =
            read_beside(ROBOT.as_bytes(), &UrdfOptions::default(), &mut broken, Budget::default()).unwrap();
        assert!(
            asset.notes.iter().any(|note| note.0.contains("a mesh could not be read")),
            "{:?}",
            asset.notes
        );
        let mut part = |_: &str| Some(PART.to_vec());
        let few = read_beside(ROBOT.as_bytes(), &UrdfOptions::default(), &mut part, Budget::new(2000));
        assert!(few.unwrap_err().to_string().contains("triangles of meshes"));
    }
}
