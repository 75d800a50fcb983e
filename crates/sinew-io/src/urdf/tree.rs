//! Links and joints by number, once it is certain that they are a tree.

use std::collections::HashMap;

use super::document::*;
use crate::ReadError;
use crate::error::{Place, quoted};

/// Which joint is above and which are below every link.
pub struct Tree {
    /// The root link.
    pub root: usize,
    /// The joint above each link; none above the root.
    pub joint_above: Vec<Option<usize>>,
    /// The joints below each link, in the file's order.
    pub joints_below: Vec<Vec<usize>>,
    /// The parent link of each joint.
    pub parent: Vec<usize>,
    /// The child link of each joint.
    pub child: Vec<usize>,
    /// The joint that each joint follows.
    pub mimicked: Vec<Option<usize>>,
}

impl Tree {
    /// Resolves every name, or says on which line what is wrong.
    pub fn new(document: &UrdfDocument) -> Result<Self, ReadError> {
        let links = names("link", document.links.iter().map(|l| (l.name.as_str(), l.line)))?;
        let joints = names("joint", document.joints.iter().map(|j| (j.name.as_str(), j.line)))?;
        if document.links.is_empty() {
            return Err(ReadError::new(Place::File, "no <link>", "a robot with at least one link"));
        }

        let mut tree = Self {
            root: 0,
            joint_above: vec![None; document.links.len()],
            joints_below: vec![Vec::new(); document.links.len()],
            parent: Vec::with_capacity(document.joints.len()),
            child: Vec::with_capacity(document.joints.len()),
            mimicked: vec![None; document.joints.len()],
        };
        for (j, joint) in document.joints.iter().enumerate() {
            let place = Place::Line(joint.line);
            let find = |link: &str, as_what: &str| {
                links.get(link).copied().ok_or_else(|| {
                    let found = format!("joint '{}' with {as_what} {}", joint.name, quoted(link));
                    ReadError::new(
                        place.clone(),
                        found,
                        format!("a <link> of this name{}", nearest(link, &links)),
                    )
                })
            };
            let (parent, child) = (find(&joint.parent, "parent")?, find(&joint.child, "child")?);
            if let Some(other) = tree.joint_above[child] {
                let other = &document.joints[other];
                let found = format!(
                    "joints '{}' (line {}) and '{}' with the same child '{}'",
                    other.name, other.line, joint.name, joint.child
                );
                return Err(ReadError::new(
                    place,
                    found,
                    "one joint above each link: the links must be a tree",
                ));
            }
            tree.joint_above[child] = Some(j);
            tree.joints_below[parent].push(j);
            tree.parent.push(parent);
            tree.child.push(child);
            if let Some(mimic) = &joint.mimic {
                tree.mimicked[j] = Some(*joints.get(mimic.joint.as_str()).ok_or_else(|| {
                    let found = format!("joint '{}' that mimics {}", joint.name, quoted(&mimic.joint));
                    let expected = format!("a <joint> of this name{}", nearest(&mimic.joint, &joints));
                    ReadError::new(place, found, expected)
                })?);
            }
        }
        tree.root = tree.find_root(document)?;
        tree.check_connected(document)?;
        Ok(tree)
    }

    fn find_root(&self, document: &UrdfDocument) -> Result<usize, ReadError> {
        let mut roots = (0..document.links.len()).filter(|l| self.joint_above[*l].is_none());
        match (roots.next(), roots.next()) {
            (Some(root), None) => Ok(root),
            (Some(first), Some(second)) => {
                let (first, second) = (&document.links[first], &document.links[second]);
                let found = format!(
                    "links '{}' (line {}) and '{}' without a joint above them",
                    first.name, first.line, second.name
                );
                Err(ReadError::new(Place::Line(second.line), found, "one root link"))
            }
            (None, _) => {
                let link = &document.links[0];
                let found = format!("link '{}' below itself", link.name);
                Err(ReadError::new(Place::Line(link.line), found, "a tree of links, which has a root"))
            }
        }
    }

    /// With one root and one joint above every other link, what cannot be
    /// reached from the root runs in a circle.
    fn check_connected(&self, document: &UrdfDocument) -> Result<(), ReadError> {
        let mut seen = vec![false; document.links.len()];
        let mut open = vec![self.root];
        while let Some(link) = open.pop() {
            seen[link] = true;
            open.extend(self.joints_below[link].iter().map(|j| self.child[*j]));
        }
        match seen.iter().position(|s| !s) {
            None => Ok(()),
            Some(lost) => {
                let link = &document.links[lost];
                let found = format!("link '{}' below itself", link.name);
                Err(ReadError::new(Place::Line(link.line), found, "a tree of links"))
            }
        }
    }

    /// The joints that follow others, sources first; those that follow each
    /// other in a circle are an error.
    pub fn mimic_order(&self, document: &UrdfDocument) -> Result<Vec<usize>, ReadError> {
        crate::asset::follow_order(&self.mimicked).map_err(|j| {
            let joint = &document.joints[j];
            let found = format!("joint '{}' that follows itself by way of mimics", joint.name);
            let expected = "mimics that lead to a joint that follows none";
            ReadError::new(Place::Line(joint.line), found, expected)
        })
    }
}

/// Numbers by name; a name that comes twice is an error.
fn names<'a>(
    what: &str,
    all: impl Iterator<Item = (&'a str, usize)>,
) -> Result<HashMap<&'a str, usize>, ReadError> {
    let mut places = HashMap::new();
    let mut lines = Vec::new();
    for (index, (name, line)) in all.enumerate() {
        lines.push(line);
        if let Some(first) = places.insert(name, index) {
            let found = format!("a second {what} '{name}' (the first is on line {})", lines[first]);
            return Err(ReadError::new(Place::Line(line), found, format!("a name that no other {what} has")));
        }
    }
    Ok(places)
}

fn nearest(wanted: &str, names: &HashMap<&str, usize>) -> String {
    // Sorted, so that the same file always gives the same message.
    let mut candidates: Vec<&str> = names.keys().copied().collect();
    candidates.sort_unstable();
    crate::suggest::did_you_mean(wanted, candidates.into_iter())
}
