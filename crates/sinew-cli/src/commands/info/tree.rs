//! The joints as a tree.

use anyhow::Result;
use sinew_f64::skeleton::humanoid::HumanoidMap;
use sinew_f64::{JointId, Skeleton};

use crate::describe;
use crate::output::{FAINT, NAME, Output, say};

/// Deeper than this the indentation stays: a chain of a hundred thousand joints
/// would otherwise fill gigabytes with blanks.
const DEEPEST: usize = 24;
/// Names wider than this push the columns aside for their own line alone.
const WIDEST: usize = 48;

struct Row {
    /// The lines that join the joint to its parent.
    branch: String,
    name: String,
    joint: JointId,
}

pub fn write(skeleton: &Skeleton, map: &HumanoidMap, output: &mut Output) -> Result<()> {
    let rows = rows(skeleton);
    let width = |row: &Row| row.branch.chars().count() + row.name.chars().count();
    let column = rows.iter().map(width).filter(|w| *w <= WIDEST).max().unwrap_or(0);
    let kinds: Vec<String> = skeleton.joints().iter().map(|j| describe::kind(j.kind())).collect();
    let kind_column = kinds.iter().map(|k| k.chars().count()).max().unwrap_or(0);
    let limits: Vec<String> = skeleton.joints().iter().map(|j| describe::limit(j.limit())).collect();
    let limit_column = limits.iter().map(|l| l.chars().count()).filter(|w| *w <= WIDEST).max().unwrap_or(0);
    let mut roles: Vec<Option<&'static str>> = vec![None; skeleton.len()];
    for (bone, joint, _) in map.found() {
        roles[joint.index()] = Some(bone.name());
    }
    for row in &rows {
        let gap = " ".repeat(column.saturating_sub(width(row)));
        let (kind, limit) = (&kinds[row.joint.index()], &limits[row.joint.index()]);
        let mut rest = format!("{kind:kind_column$}  {limit:limit_column$}");
        let role = match roles[row.joint.index()] {
            Some(role) => format!("  [{role}]"),
            None => {
                rest.truncate(rest.trim_end().len());
                String::new()
            }
        };
        say!(output, "  {FAINT}{}{FAINT:#}{}{gap}  {rest}{NAME}{role}{NAME:#}", row.branch, row.name)?;
    }
    Ok(())
}

fn rows(skeleton: &Skeleton) -> Vec<Row> {
    let mut rows = Vec::with_capacity(skeleton.len());
    // The lines that run past a joint's children, for each joint on the way down.
    let mut below: Vec<String> = Vec::with_capacity(skeleton.len());
    let mut depths: Vec<usize> = Vec::with_capacity(skeleton.len());
    for id in skeleton.ids() {
        let joint = skeleton.joint(id);
        let (branch, carried, depth) = match joint.parent() {
            None => (String::new(), String::new(), 0),
            Some(parent) => {
                let last = skeleton.subtree(id).end == skeleton.subtree(parent).end;
                let above = &below[parent.index()];
                let depth = depths[parent.index()] + 1;
                if depth > DEEPEST {
                    (format!("{above}·  "), above.clone(), depth)
                } else {
                    let (here, on) = if last { ("└─ ", "   ") } else { ("├─ ", "│  ") };
                    (format!("{above}{here}"), format!("{above}{on}"), depth)
                }
            }
        };
        rows.push(Row { branch, name: describe::name(joint.name()), joint: id });
        below.push(carried);
        depths.push(depth);
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_f64::{JointDef, SkeletonBuilder};

    #[test]
    fn branches_join_children_to_their_parents() {
        let mut b = SkeletonBuilder::new("t");
        let root = b.add(JointDef::new("root"));
        let a = b.add(JointDef::new("a").under(root));
        b.add(JointDef::new("a1").under(a));
        b.add(JointDef::new("b").under(root));
        let skeleton = b.build().unwrap();
        let shown: Vec<String> = rows(&skeleton).iter().map(|r| format!("{}{}", r.branch, r.name)).collect();
        assert_eq!(shown, ["root", "├─ a", "│  └─ a1", "└─ b"]);
    }

    #[test]
    fn a_deep_chain_stays_narrow() {
        let rows = rows(&sinew_f64::rigs::chain(20_000, 1.0));
        assert!(rows.iter().all(|r| r.branch.chars().count() <= 3 * (DEEPEST + 1)));
    }
}
