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

/// The shapes of a link; `spoiled` counts those that are none.
pub(super) fn shapes(
    reader: &xml::Reader<'_>,
    robot: Node<'_, '_>,
    link: Node<'_, '_>,
    kind: &str,
    spoiled: &mut usize,
) -> Vec<UrdfShape> {
    let nodes = link.children().filter(|c| c.is_element() && c.tag_name().name() == kind);
    let mut shapes = Vec::new();
    for node in nodes {
        match shape(reader, robot, node) {
            Ok(Some(shape)) => shapes.push(shape),
            _ => *spoiled += 1,
        }
    }
    shapes
}

fn shape(
    reader: &xml::Reader<'_>,
    robot: Node<'_, '_>,
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
    Ok(Some(UrdfShape { origin, form, colour: colour(reader, robot, node) }))
}

/// The colour of a shape: its own, or that of the robot's material of this name.
fn colour(reader: &xml::Reader<'_>, robot: Node<'_, '_>, node: Node<'_, '_>) -> Option<[f64; 3]> {
    let own = reader.child(node, "material").ok()??;
    let of = |material| -> Option<[f64; 3]> {
        let rgba = reader.numbers::<4>(reader.child(material, "color").ok()??, "rgba").ok()??;
        Some([rgba[0], rgba[1], rgba[2]].map(|part| part.clamp(0.0, 1.0)))
    };
    let name = own.attribute("name");
    let named = |other: &Node<'_, '_>| {
        other.tag_name().name() == "material" && name.is_some() && other.attribute("name") == name
    };
    of(own).or_else(|| robot.children().find(named).and_then(of))
}

/// What stands in the way of showing shapes, counted for the notes.
#[derive(Default)]
struct Missing {
    gone: BTreeMap<String, usize>,
    collada: usize,
    broken: Option<String>,
    stand_ins: usize,
}

/// The mesh of a robot that was made into this asset; `None` if it shows nothing. `sibling` gives the files beside it.
pub(super) fn surface(
    document: &UrdfDocument,
    asset: &Asset,
    sibling: &mut dyn FnMut(&str) -> Option<Vec<u8>>,
    budget: Budget,
    notes: &mut Vec<Note>,
) -> Result<Option<Surface>, ReadError> {
    let rest = ModelPose::rest(&asset.skeleton);
    let mut missing = Missing::default();
    let mut files: BTreeMap<&str, Option<TriangleMesh>> = BTreeMap::new();
    let mut surface = Surface::default();
    for link in &document.links {
        let Some(alias) = asset.aliases.iter().find(|alias| alias.name == link.name) else { continue };
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
                surface.add(mesh, scale, frame * shape.origin, alias.joint, colour);
                shown += 1;
                stands_in |= !is_visual;
            }
        }
        missing.stand_ins += usize::from(stands_in);
    }
    missing.tell(notes);
    Ok((!surface.triangles.is_empty()).then_some(surface))
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
        if self.stand_ins > 0 {
            let links = counted(self.stand_ins, "link shows", "links show");
            notes.push(Note::new(format!("{links} what could be bumped into instead")));
        }
        if let Some(words) = &self.broken {
            notes.push(Note::new(format!("a mesh could not be read: {words}")));
        }
    }
}
