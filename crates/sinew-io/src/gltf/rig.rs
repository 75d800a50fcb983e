//! Which nodes are joints, and what they are called.
//!
//! In this order of preference:
//!
//! 1. A VRM humanoid: its bones, everything below them that is not a mesh, and
//!    the skins that hang together with them.
//! 2. Skins: the joints of the largest skin and of all that hang together with
//!    it (clothes and hair have skins of their own over the same skeleton).
//! 3. No skin: the trees of the scene that an animation moves, or all of them.
//!
//! Nodes between joints are joints too. Nodes above the topmost joint are not:
//! what they do is part of that joint's rest transform and motion.

use std::collections::{HashMap, HashSet};

use super::document::{Document, Node};
use super::forest::Forest;
use crate::Note;
use crate::error::{Place, ReadError, quoted};

/// The joints of a file.
#[derive(Debug)]
pub(super) struct Rig {
    /// The joints' nodes, parents before children. `None` is a joint of our
    /// own that joins several trees.
    pub nodes: Vec<Option<usize>>,
    /// Each joint's parent, as an index into `nodes`.
    pub parents: Vec<Option<usize>>,
    /// A name for each joint that no other has.
    pub names: Vec<String>,
    /// The name of the whole, if the file has one.
    pub name: Option<String>,
    /// The skins that are part of it.
    pub skins: Vec<usize>,
}

/// Chooses the joints. `humanoid` are the nodes of a VRM humanoid.
pub(super) fn choose(
    document: &Document,
    forest: &Forest,
    humanoid: &[usize],
    notes: &mut Vec<Note>,
) -> Result<Rig, ReadError> {
    check_skins(document)?;
    let scene = chosen_scene(document, notes)?;
    let in_scene = |node: usize| scene.as_ref().is_none_or(|scene| scene.tops.contains(&forest.top(node)));

    let mut rig = if !humanoid.is_empty() {
        from_humanoid(document, forest, humanoid)?
    } else if !document.skins.is_empty() {
        from_skins(document, forest, &in_scene, notes)?
    } else {
        from_trees(document, forest, scene.as_ref(), notes)?
    };
    if rig.name.is_none() {
        rig.name = scene.as_ref().and_then(|scene| scene.name.clone());
    }
    rig.names = names(document, &rig.nodes, notes);
    Ok(rig)
}

fn check_skins(document: &Document) -> Result<(), ReadError> {
    let count = document.nodes.len();
    let expected = || format!("one of the file's {count} nodes");
    for (s, skin) in document.skins.iter().enumerate() {
        if skin.joints.is_empty() {
            let place = Place::Path(format!("skins[{s}].joints"));
            return Err(ReadError::new(place, "an empty list", "at least one joint"));
        }
        if let Some(k) = skin.joints.iter().position(|&joint| joint >= count) {
            let place = Place::Path(format!("skins[{s}].joints[{k}]"));
            return Err(ReadError::new(place, format!("node {}", skin.joints[k]), expected()));
        }
        if let Some(node) = skin.skeleton.filter(|&node| node >= count) {
            let place = Place::Path(format!("skins[{s}].skeleton"));
            return Err(ReadError::new(place, format!("node {node}"), expected()));
        }
    }
    Ok(())
}

/// The scene that is shown.
struct ShownScene {
    name: Option<String>,
    tops: HashSet<usize>,
    in_order: Vec<usize>,
}

fn chosen_scene(document: &Document, notes: &mut Vec<Note>) -> Result<Option<ShownScene>, ReadError> {
    let count = document.nodes.len();
    for (s, scene) in document.scenes.iter().enumerate() {
        if let Some(k) = scene.nodes.iter().position(|&node| node >= count) {
            let place = Place::Path(format!("scenes[{s}].nodes[{k}]"));
            let expected = format!("one of the file's {count} nodes");
            return Err(ReadError::new(place, format!("node {}", scene.nodes[k]), expected));
        }
    }
    let index = document.scene.unwrap_or(0);
    let Some(scene) = document.scenes.get(index) else {
        return match document.scene {
            None => Ok(None),
            Some(_) => {
                let expected = format!("one of the file's {} scenes", document.scenes.len());
                Err(ReadError::new(Place::Path("scene".into()), format!("scene {index}"), expected))
            }
        };
    };
    if document.scenes.len() > 1 {
        let more = document.scenes.len() - 1;
        notes.push(Note::new(format!("scene {index} was read and {more} more were left out")));
    }
    let name = scene.name.clone().filter(|name| !name.is_empty());
    Ok(Some(ShownScene { name, tops: scene.nodes.iter().copied().collect(), in_order: scene.nodes.clone() }))
}

fn from_humanoid(document: &Document, forest: &Forest, humanoid: &[usize]) -> Result<Rig, ReadError> {
    let mut seeds = vec![false; document.nodes.len()];
    for &bone in humanoid {
        seeds[bone] = true;
    }
    // What hangs below the bones: hair, skirts, finger tips, but no meshes.
    for &node in &forest.order {
        let below = forest.parents[node].is_some_and(|parent| seeds[parent]);
        let plain = document.nodes[node].mesh.is_none() && document.nodes[node].camera.is_none();
        seeds[node] |= below && plain;
    }
    let apart = |other: usize| {
        let path = "extensions.VRM.humanoid.humanBones";
        let path =
            if document.extensions.vrm1.is_some() { path.replace("VRM", "VRMC_vrm") } else { path.into() };
        let found = format!("bones on nodes {} and {other}, which are in different trees", humanoid[0]);
        ReadError::new(Place::Path(path), found, "one tree of nodes")
    };
    if let Some(&other) = humanoid.iter().find(|&&bone| forest.top(bone) != forest.top(humanoid[0])) {
        return Err(apart(other));
    }
    let skins = add_connected_skins(document, forest, &mut seeds, Vec::new());
    drop_ends(document, forest, &mut seeds);
    Ok(spanned(forest, &seeds, skins))
}

fn from_skins(
    document: &Document,
    forest: &Forest,
    in_scene: &dyn Fn(usize) -> bool,
    notes: &mut Vec<Note>,
) -> Result<Rig, ReadError> {
    for (s, skin) in document.skins.iter().enumerate() {
        let top = forest.top(skin.joints[0]);
        if let Some(other) = skin.joints.iter().find(|&&joint| !forest.is_above(top, joint)) {
            let found = format!("nodes {} and {other}, which are in different trees", skin.joints[0]);
            let place = Place::Path(format!("skins[{s}].joints"));
            return Err(ReadError::new(place, found, "joints that have a common root"));
        }
    }
    let all = 0..document.skins.len();
    let shown: Vec<usize> = all.clone().filter(|&s| in_scene(document.skins[s].joints[0])).collect();
    let candidates = if shown.is_empty() { all.collect() } else { shown };
    // The first of the largest.
    let Some(&first) = candidates.iter().rev().max_by_key(|&&s| document.skins[s].joints.len()) else {
        return Err(ReadError::new(Place::Path("skins".into()), "no skins", "at least one"));
    };
    let mut seeds = vec![false; document.nodes.len()];
    for &joint in &document.skins[first].joints {
        seeds[joint] = true;
    }
    let skins = add_connected_skins(document, forest, &mut seeds, vec![first]);
    let left = document.skins.len() - skins.len();
    if left > 0 {
        notes.push(Note::new(format!(
            "the largest skeleton was read; {left} skins over other skeletons were left out"
        )));
    }
    drop_ends(document, forest, &mut seeds);
    let mut rig = spanned(forest, &seeds, skins);
    rig.name = document.skins[first].name.clone().filter(|name| !name.is_empty());
    Ok(rig)
}

/// Adds the skins that share a joint with the seeds, lie below one, or have
/// one below a joint of theirs.
fn add_connected_skins(
    document: &Document,
    forest: &Forest,
    seeds: &mut [bool],
    mut taken: Vec<usize>,
) -> Vec<usize> {
    // Each round may connect more; skeletons in so many pieces are not real.
    let mut is_taken = vec![false; document.skins.len()];
    taken.iter().for_each(|&skin| is_taken[skin] = true);
    for _ in 0..4 {
        let root = common_root(forest, seeds);
        let mut grew = false;
        for (s, skin) in document.skins.iter().enumerate() {
            if is_taken[s] {
                continue;
            }
            let shares = skin.joints.iter().any(|&joint| seeds[joint]);
            let below = skin.joints.iter().all(|&joint| forest.is_above(root, joint));
            let above = skin.joints.iter().any(|&joint| forest.is_above(joint, root));
            if shares || below || above {
                for &joint in &skin.joints {
                    seeds[joint] = true;
                }
                taken.push(s);
                is_taken[s] = true;
                grew = true;
            }
        }
        if !grew {
            break;
        }
    }
    taken
}

fn from_trees(
    document: &Document,
    forest: &Forest,
    scene: Option<&ShownScene>,
    notes: &mut Vec<Note>,
) -> Result<Rig, ReadError> {
    let all: Vec<usize> = match scene {
        Some(scene) => scene.in_order.clone(),
        None => (0..document.nodes.len()).filter(|&node| forest.parents[node].is_none()).collect(),
    };
    let moved: HashSet<usize> = document
        .animations
        .iter()
        .flat_map(|animation| &animation.channels)
        .filter_map(|channel| channel.target.node)
        .filter(|&node| node < document.nodes.len())
        .map(|node| forest.top(node))
        .collect();
    let mut tops: Vec<usize> =
        all.iter().copied().filter(|&node| moved.contains(&forest.top(node))).collect();
    if tops.is_empty() {
        // Cameras and lights stand beside the model, and are no part of it.
        tops =
            all.iter().copied().filter(|&top| !is_stage(document, forest.below(forest.top(top)))).collect();
        if tops.is_empty() {
            tops = all;
        }
    } else if tops.len() < all.len() {
        let left = all.len() - tops.len();
        notes.push(Note::new(format!("{left} trees of nodes that nothing moves were left out")));
    }
    // A scene may name a node and one below it; each belongs to one tree.
    let mut seen = HashSet::new();
    tops.retain(|&top| seen.insert(forest.top(top)));
    if tops.is_empty() {
        return Err(ReadError::new(Place::Path("nodes".into()), "no nodes", "at least one"));
    }
    let mut rig = Rig { nodes: vec![], parents: vec![], names: vec![], name: None, skins: vec![] };
    let joined = tops.len() > 1;
    if joined {
        rig.nodes.push(None);
        rig.parents.push(None);
        notes.push(Note::new(format!("{} trees of nodes were put under one new joint", tops.len())));
    }
    let mut place = HashMap::new();
    for top in tops {
        for &node in forest.below(forest.top(top)) {
            if is_end(document, forest, node) {
                continue;
            }
            place.insert(node, rig.nodes.len());
            let parent = forest.parents[node].and_then(|parent| place.get(&parent).copied());
            rig.parents.push(parent.or(joined.then_some(0)));
            rig.nodes.push(Some(node));
        }
    }
    Ok(rig)
}

/// Whether a node is one of ours that only shows where a bone ends.
fn is_end(document: &Document, forest: &Forest, node: usize) -> bool {
    let is_leaf = document.nodes[node].children.is_empty() && forest.parents[node].is_some();
    let kept = || document.nodes[node].extras.as_ref()?.get("sinew")?.get("end")?.as_bool();
    is_leaf && kept() == Some(true)
}

/// Takes the ends of bones out of the joints, unless there would be none left.
fn drop_ends(document: &Document, forest: &Forest, seeds: &mut [bool]) {
    let ends: Vec<usize> =
        (0..seeds.len()).filter(|&node| seeds[node] && is_end(document, forest, node)).collect();
    if ends.len() < seeds.iter().filter(|seed| **seed).count() {
        ends.into_iter().for_each(|node| seeds[node] = false);
    }
}

/// Whether a tree holds cameras or lights and nothing to see.
fn is_stage(document: &Document, tree: &[usize]) -> bool {
    let nodes = || tree.iter().map(|&node| &document.nodes[node]);
    let stage = |node: &Node| node.camera.is_some() || node.extensions.contains_key("KHR_lights_punctual");
    nodes().any(stage) && nodes().all(|node| node.mesh.is_none())
}

/// The lowest node that has all seeds at or below it. Some node is a seed and
/// all are in one tree.
fn common_root(forest: &Forest, seeds: &[bool]) -> usize {
    let counts = seeds_below(forest, seeds);
    let total = seeds.iter().filter(|seed| **seed).count();
    // Parents come first in the order, so the last with all is the lowest.
    forest.order.iter().copied().rfind(|&node| counts[node] == total).unwrap_or(0)
}

fn seeds_below(forest: &Forest, seeds: &[bool]) -> Vec<usize> {
    let mut counts: Vec<usize> = seeds.iter().map(|&seed| usize::from(seed)).collect();
    for &node in forest.order.iter().rev() {
        if let Some(parent) = forest.parents[node] {
            counts[parent] += counts[node];
        }
    }
    counts
}

/// The seeds, their common root and every node between.
fn spanned(forest: &Forest, seeds: &[bool], skins: Vec<usize>) -> Rig {
    let root = common_root(forest, seeds);
    let counts = seeds_below(forest, seeds);
    let mut rig = Rig { nodes: vec![], parents: vec![], names: vec![], name: None, skins };
    let mut place = HashMap::new();
    for &node in forest.below(root) {
        if counts[node] > 0 {
            place.insert(node, rig.nodes.len());
            rig.parents.push(forest.parents[node].and_then(|parent| place.get(&parent).copied()));
            rig.nodes.push(Some(node));
        }
    }
    rig
}

/// A name for every joint: the node's, with a number behind it where another
/// joint has that name already.
fn names(document: &Document, nodes: &[Option<usize>], notes: &mut Vec<Note>) -> Vec<String> {
    let own = |node: usize| document.nodes[node].name.as_deref().filter(|name| !name.is_empty());
    let given: HashSet<&str> = nodes.iter().flatten().filter_map(|&node| own(node)).collect();
    let mut used: HashSet<String> = HashSet::new();
    let mut next: HashMap<String, usize> = HashMap::new();
    let (mut nameless, mut doubled) = (0, Vec::new());
    let mut names = Vec::with_capacity(nodes.len());
    for &node in nodes {
        let wanted = match node {
            None => "root".to_string(),
            Some(node) => own(node).map_or_else(
                || {
                    nameless += 1;
                    format!("node{node}")
                },
                String::from,
            ),
        };
        let is_own = node.and_then(own).is_some();
        let mut name = wanted.clone();
        // A name that we make up must not take one that the file gives later.
        while used.contains(&name) || (given.contains(name.as_str()) && !(is_own && name == wanted)) {
            let number = next.entry(wanted.clone()).or_insert(1);
            *number += 1;
            name = format!("{wanted}.{number}");
        }
        if is_own && name != wanted {
            doubled.push(name.clone());
        }
        used.insert(name.clone());
        names.push(name);
    }
    if nameless > 0 {
        notes.push(Note::new(format!("{nameless} nodes without a name got one")));
    }
    if let Some(first) = doubled.first() {
        let count = doubled.len();
        notes.push(Note::new(format!(
            "{count} nodes shared a name and were renamed, first {}",
            quoted(first)
        )));
    }
    names
}
