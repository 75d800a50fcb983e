//! The joint model: what ERIK knows of each node of the [`Articulation`].
//!
//! Joints, ranges, forward kinematics and Jacobian columns are those of
//! `solver/articulation.rs`. Beside it, indexed by node, stands what is ERIK's
//! own: the direction of the segment that a joint carries, how the joint's angle
//! bends it against the segment before, the latitude table that inverts this,
//! whether the joint is a twister, and what it counts for in the posture error.
//!
//! The paper assumes that all frames are parallel in the zero pose, with every
//! segment along y. Neither is needed: a segment is written in the frame of its
//! own joint, the one before it in the same joint's rest frame, and where a
//! twister looks at another joint's axis, that axis is carried over at rest.
//!
//! Fixed joints fold into the segments. A segment without length, as that of a
//! bend that shares its place with the twist above it, points where the next
//! one with a length points at rest. The last link's segment is the
//! *Superpoint*'s (section 3.8): it points along the end point's own pointing
//! axis.

use alloc::vec::Vec;

use super::super::articulation::{Articulation, Bound, Motion, NO_NODE, Node};
use super::latitude::{Bend, LatitudeTable};
use super::options::ErikOptions;
use crate::error::RigError;
use crate::goal::{Goal, GoalSet, Target};
use crate::math::*;
use crate::skeleton::{JointKind, Skeleton};

/// What ERIK knows of one node.
#[derive(Debug, Clone, Default)]
pub(super) struct Link {
    /// The axis of a hinge or a slide, in the joint's own frame.
    pub axis: Vec3,
    /// Whether it is a hinge; else it slides, or is too stiff to move.
    pub turns: bool,
    /// Whether it turns without an end.
    pub whole_turn: bool,
    /// Turns its segment about itself, or about the segment before it.
    pub twists: bool,
    /// The unit direction of the segment, in the node's frame.
    pub segment: Vec3,
    /// The direction of the segment before it, in the node's rest frame; for
    /// the first node its own at rest.
    pub before: Vec3,
    pub bend: Bend,
    /// The angle at which its segment is most in line with the one before.
    pub peak: Real,
    /// The cosine of the bend at that angle.
    pub top: Real,
    pub table: LatitudeTable,
    /// The share of the posture error (eq. 21 and 22): α^i over the norm, zero
    /// for a twister.
    pub share: Real,
    /// The share where twists count too: those between two bends like a bend,
    /// those at the ends, which turn the shape as a whole, hardly.
    pub stake: Real,
    /// Whether it is a twist between two bends, which people see.
    pub inner: bool,
    /// For a twister the next bend above it in its limb, and the next below.
    pub above: Option<Carried>,
    pub below: Option<Carried>,
}

/// Another link as a twister sees it with all joints between them at rest.
#[derive(Debug, Clone, Copy)]
pub(super) struct Carried {
    pub node: usize,
    /// Its axis and the direction of the segment before it, in the twister's frame.
    pub axis: Vec3,
    pub before: Vec3,
}

/// The nodes that one end point adds to those before it: a part of
/// [`Body::order`].
#[derive(Debug, Clone, Copy)]
pub(super) struct Limb {
    pub start: usize,
    pub end: usize,
    /// The node that carries the end point.
    pub tip: usize,
    /// The end point's place among the articulation's sites.
    pub site: usize,
    /// The end point's pointing axis, in its own frame.
    pub pointing: Vec3,
    /// The end point's orientation at rest, in model space.
    pub rest: Quat,
    /// How much it counts, one for the end point that counts most.
    pub weight: Real,
    /// From the first joint of all to the end point, along the bones.
    pub length: Real,
}

/// Everything about the skeleton that does not change.
#[derive(Debug, Clone)]
pub(super) struct Body {
    pub articulation: Articulation,
    /// By node.
    pub links: Vec<Link>,
    /// The nodes limb by limb, each limb from its base to its tip.
    pub order: Vec<usize>,
    pub limbs: Vec<Limb>,
}

impl Body {
    pub(super) fn new(skeleton: &Skeleton, goals: &GoalSet, options: &ErikOptions) -> Result<Self, RigError> {
        goals.check(skeleton)?;
        let goals = goals.as_slice();
        let refused = |goal, what| RigError::NotSupported { goal, solver: "ERIK", what };
        if let Some(goal) = goals.iter().position(|goal| goal.target.position().is_some()) {
            return Err(refused(goal, "a goal that asks for a point"));
        }
        let mut articulation = Articulation::carrying(skeleton, goals.iter().map(|goal| goal.effector));
        articulation.hold_whole_turns(skeleton);
        let mut links = Vec::with_capacity(articulation.nodes.len());
        for node in &articulation.nodes {
            let (axis, turns) = match node.kind {
                JointKind::Hinge { axis } => (axis, true),
                JointKind::Prismatic { axis } => (axis, false),
                JointKind::Fixed => (Vec3::Y, false),
                other => {
                    let joint = skeleton.joints()[node.joint].name().into();
                    let needs = "ERIK takes chains of hinges and slides";
                    return Err(RigError::WrongKind { joint, kind: other.name(), needs });
                }
            };
            let whole_turn = turns && node.range().is_none();
            links.push(Link { axis, turns, whole_turn, ..Link::default() });
        }
        let mut rest = alloc::vec![Transform::IDENTITY; links.len()];
        articulation.forward(&alloc::vec![Motion::REST; links.len()], &mut rest);
        let mut body = Self { articulation, links, order: Vec::new(), limbs: Vec::new() };
        for (number, goal) in goals.iter().enumerate() {
            if !body.add_limb(goal, number, &rest) {
                return Err(refused(number, "a goal that no joint can move"));
            }
        }
        let most = body.limbs.iter().fold(0.0, |most: Real, limb| most.max(limb.weight));
        body.limbs.iter_mut().filter(|_| most > 0.0).for_each(|limb| limb.weight /= most);
        body.set_bends(options, &rest);
        body.set_stakes(&rest);
        Ok(body)
    }

    pub(super) fn node(&self, k: usize) -> &Node {
        &self.articulation.nodes[k]
    }

    /// From the frame of a limb's end point to that of its tip.
    #[inline]
    pub(super) fn offset(&self, limb: &Limb) -> Transform {
        self.articulation.sites[limb.site].offset
    }

    /// The nodes of a limb, base to tip.
    #[inline]
    pub(super) fn path(&self, limb: &Limb) -> &[usize] {
        &self.order[limb.start..limb.end]
    }

    /// Adds what an end point adds, with the directions of its segments;
    /// `false` if nothing can move it.
    fn add_limb(&mut self, goal: &Goal, number: usize, rest: &[Transform]) -> bool {
        let site = self.articulation.sites[number];
        let start = self.order.len();
        let (mut node, mut moves) = (site.node, false);
        let mut length = site.offset.translation.length();
        while node != NO_NODE {
            let k = node as usize;
            moves |= self.node(k).count > 0;
            if !self.order[..start].contains(&k) {
                self.order.push(k);
            }
            node = self.node(k).parent;
            if node != NO_NODE {
                length += self.step_to(k, rest).length();
            }
        }
        if !moves {
            return false;
        }
        self.order[start..].reverse();
        let tip = site.node as usize;
        // A segment that has no length points on as the one below it.
        let reach = site.offset.translation;
        let last = if reach.length() > TINY.sqrt() {
            reach
        } else {
            rest[tip].rotation.conjugate() * self.step_to(tip, rest)
        };
        let own = site.offset.rotation.conjugate();
        let pointing = match goal.target {
            Target::Aim { axis, .. } => axis.normalize(),
            _ => direction_or(own * last, Vec3::Z),
        };
        let limb = Limb {
            start,
            end: self.order.len(),
            tip,
            site: number,
            pointing,
            rest: rest[tip].rotation * site.offset.rotation,
            weight: goal.orientation_weight,
            length,
        };
        // In model axes at rest, tip to base.
        let mut direction = limb.rest * pointing;
        for i in (start..limb.end).rev() {
            let k = self.order[i];
            if let Some(&above) = self.order.get(i + 1) {
                let segment = self.step_to(above, rest);
                if segment.length() > SHORT {
                    direction = segment.normalize();
                }
            }
            self.links[k].segment = rest[k].rotation.conjugate() * direction;
        }
        self.limbs.push(limb);
        true
    }

    /// From the joint of the node below to that of this one, in model axes at rest.
    fn step_to(&self, k: usize, rest: &[Transform]) -> Vec3 {
        let below = rest.get(self.node(k).parent as usize).map_or(Vec3::ZERO, |f| f.translation);
        rest[k].translation - below
    }

    /// Bends, tables and shares, which need the segments of all links.
    fn set_bends(&mut self, options: &ErikOptions, rest: &[Transform]) {
        let (mut norm, mut power) = (0.0, 1.0);
        for &k in &self.order {
            let below = self.articulation.nodes[k].parent as usize;
            let before = match self.links.get(below) {
                Some(link) => rest[k].rotation.conjugate() * (rest[below].rotation * link.segment),
                None => self.links[k].segment,
            };
            let (min, max) = self.articulation.nodes[k].range().unwrap_or((-PI, PI));
            let link = &mut self.links[k];
            link.before = before;
            link.bend = Bend::new(link.axis, before, link.segment);
            link.peak = link.bend.peak();
            link.top = link.bend_at(rotation::about(link.axis, link.peak));
            link.twists = link.turns && link.bend.amplitude() < TWISTER;
            if link.bends() {
                link.share = power;
                norm += power;
                link.table = LatitudeTable::new(link.bend, min, max, options.latitude_step);
            }
            power *= options.aggravation;
        }
        for link in self.links.iter_mut().filter(|_| norm > 0.0) {
            link.share /= norm;
        }
    }

    /// What twists count for, and the bends next to each twister.
    fn set_stakes(&mut self, rest: &[Transform]) {
        let count = self.links.iter().filter(|l| l.share > 0.0).count().max(1) as Real;
        for limb in &self.limbs {
            let path = &self.order[limb.start..limb.end];
            for (i, &k) in path.iter().enumerate() {
                let carried = |&&m: &&usize| {
                    let turn = rest[k].rotation.conjugate() * rest[m].rotation;
                    let link = &self.links[m];
                    link.bends().then(|| Carried {
                        node: m,
                        axis: turn * link.axis,
                        before: turn * link.before,
                    })
                };
                let above = path[i + 1..].iter().find_map(|m| carried(&m));
                let below = path[..i].iter().rev().find_map(|m| carried(&m));
                let inner = above.is_some() && (below.is_some() || limb.start > 0);
                let link = &mut self.links[k];
                (link.above, link.below) = (above, below);
                link.inner = link.twists && inner;
                link.stake = match () {
                    () if !link.turns => SLIDE,
                    () if !link.twists => link.share.max(LOOSE),
                    () if inner => 1.0 / count,
                    () => LOOSE / count,
                };
            }
        }
    }
}

/// Below this amplitude a joint bends nothing: its axis is along a segment.
const TWISTER: Real = 1.0e-3;
/// A segment below this length, in metres, has no direction of its own.
const SHORT: Real = 1.0e-5;
/// What a twist at the end of a chain counts for, against a bend.
const LOOSE: Real = 0.02;
/// What a metre of a slide counts for.
const SLIDE: Real = 1.0;

impl Link {
    /// Whether its angle changes the shape.
    #[inline]
    pub(super) fn bends(&self) -> bool {
        self.turns && !self.twists
    }

    /// The way from one value to another, the short way round where there is no end.
    #[inline]
    pub(super) fn way(&self, from: Real, to: Real) -> Real {
        if self.whole_turn { wrap_angle(to - from) } else { to - from }
    }

    /// The cosine of the angle between its segment and the one before it, for a
    /// rotation of its joint. A slide bends nothing.
    #[inline]
    pub(super) fn bend_at(&self, rotation: Quat) -> Real {
        let s = self.axis.dot(Vec3::new(rotation.x, rotation.y, rotation.z));
        self.bend.at_half(s, rotation.w)
    }
}

impl Node {
    /// The two ends of a range, or `None` if it has none.
    #[inline]
    pub(super) fn range(&self) -> Option<(Real, Real)> {
        match self.bound {
            Bound::Range { min, max } => Some((min, max)),
            _ => None,
        }
    }

    /// By how much an angle lies outside of the range (SafeAngle of section 7.1).
    #[inline]
    pub(super) fn excess(&self, angle: Real) -> Real {
        self.range().map_or(0.0, |_| wrap_angle(angle - self.nearest_value(angle)).abs())
    }

    /// A little inside of the range if at its edge (AvoidJointEdge).
    #[inline]
    pub(super) fn off_the_edge(&self, angle: Real, by: Real) -> Real {
        match self.bound {
            Bound::Range { min, max } if max - min > 2.0 * by => angle.max(min + by).min(max - by),
            _ => angle,
        }
    }
}
