//! Limits as an active set: coordinates that a step may not change.
//!
//! A step is computed as if there were no limits. Joints that it would take
//! outside are then held at their edge and the step is computed again for the
//! others: a range holds its one coordinate at the end of the range; any other
//! shape holds the direction in which its projection pushes back, as a given
//! step along that normal, and leaves the directions along the edge free. For
//! that the joint's columns are taken about other axes, of which the first are
//! the held normals. A few rounds settle it, and what is still outside is
//! projected. Where one solve goes on from the last, joints that rest at the edge they were held at begin
//! held there, and are let go if they are pulled inside.

use alloc::vec::Vec;

use super::articulation::{Articulation, Bound, Column, MAX_COLUMNS, Motion};
use super::place::Place;
use crate::limit::beyond::Side;
use crate::math::*;
use crate::skeleton::{JointKind, Skeleton};

/// One column's place in the problem.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Coordinate {
    pub column: Column,
    /// The step, if it is given.
    pub held: Option<Real>,
    /// How willing it is to move: the squared mobility of its joint.
    pub weight: Real,
}

/// The coordinates of a step and which of them are held.
#[derive(Debug, Clone)]
pub(crate) struct ActiveSet {
    pub coordinates: Vec<Coordinate>,
    bases: Vec<Basis>,
    /// The edge that each node was held at last, as its outward normal in the node's plain rotational columns.
    edges: Vec<Option<Vec3>>,
    /// Whether that is where they are looked for first.
    follows: bool,
}

/// The axes that a node's rotational columns are taken about, the first `held`
/// of them normal to its limit's edge.
#[derive(Debug, Clone, Copy)]
struct Basis {
    axes: Mat3,
    held: usize,
}

/// How far out a node at an edge is looked at to find the edge again, and how near it must be to rest
/// there, in radians.
const PROBE: Real = 0.02;
const AT_EDGE: Real = 1.0e-3;

const PLAIN: Basis = Basis { axes: Mat3::IDENTITY, held: 0 };

impl ActiveSet {
    pub(crate) fn new(articulation: &Articulation) -> Self {
        let mut coordinates = Vec::with_capacity(articulation.columns);
        for node in &articulation.nodes {
            let weight = node.mobility * node.mobility;
            coordinates.extend((0..node.count).map(|_| Coordinate {
                column: Column::ZERO,
                held: None,
                weight,
            }));
        }
        let nodes = articulation.nodes.len();
        let (bases, edges) = (alloc::vec![PLAIN; nodes], alloc::vec![None; nodes]);
        Self { coordinates, bases, edges, follows: false }
    }

    /// Lets go of everything.
    pub(crate) fn clear(&mut self) {
        for coordinate in &mut self.coordinates {
            coordinate.held = None;
        }
    }

    /// Says whether the next steps go on from the last ones, or have nothing to do with them.
    pub(crate) fn follow(&mut self, follows: bool) {
        self.follows = follows;
        if !follows {
            self.edges.fill(None);
        }
    }

    /// Takes the columns at a new place. What was held by a shape is let go,
    /// since its normal has changed.
    pub(crate) fn linearise(&mut self, articulation: &Articulation, place: &Place) {
        let reference = place.reference();
        let mut columns = [Column::ZERO; MAX_COLUMNS];
        for (i, node) in articulation.nodes.iter().enumerate() {
            articulation.node_columns(i, &place.motions, &place.frames, reference, &mut columns);
            let own = &mut self.coordinates[node.first..node.first + node.count];
            for (coordinate, column) in own.iter_mut().zip(columns) {
                coordinate.column = column;
                if node.bound == Bound::Shape {
                    coordinate.held = None;
                }
            }
            self.bases[i] = PLAIN;
        }
    }

    /// Lets go of everything but coordinates that rest at the end of their
    /// range, which stay as they are. Nodes that rest at the edge that they were held at last are
    /// held there: they will mostly be again, and every round that finds it out is a step computed.
    pub(crate) fn release(&mut self, articulation: &Articulation, skeleton: &Skeleton, place: &Place) {
        for (i, node) in articulation.nodes.iter().enumerate() {
            let own = &mut self.coordinates[node.first..node.first + node.count];
            match node.bound {
                Bound::Free => {}
                Bound::Range { min, max } => {
                    let at = place.motions[i].scalars[0];
                    if let Some(coordinate) = own.first_mut()
                        && coordinate.held.is_some()
                    {
                        coordinate.held = (at == min || at == max).then_some(0.0);
                    }
                }
                Bound::Shape => {
                    self.let_go(articulation, place, i);
                    self.rest_at_edge(articulation, skeleton, place, i);
                }
            }
        }
    }

    /// Lets go of a node that a shape holds.
    fn let_go(&mut self, articulation: &Articulation, place: &Place, node: usize) {
        if self.bases[node].held == 0 {
            return;
        }
        self.bases[node] = PLAIN;
        let n = &articulation.nodes[node];
        let mut columns = [Column::ZERO; MAX_COLUMNS];
        articulation.node_columns(node, &place.motions, &place.frames, place.reference(), &mut columns);
        let own = &mut self.coordinates[n.first..n.first + n.count];
        for (coordinate, column) in own.iter_mut().zip(columns) {
            *coordinate = Coordinate { column, held: None, ..*coordinate };
        }
    }

    /// Holds a node at the edge that it was held at last, if it rests there: a small way out along the
    /// normal says where the edge is now.
    fn rest_at_edge(&mut self, articulation: &Articulation, skeleton: &Skeleton, place: &Place, node: usize) {
        let Some(normal) = self.edges[node].take().filter(|_| self.follows) else { return };
        let n = &articulation.nodes[node];
        let turning = rotational(n.kind);
        let out = normal * PROBE;
        let mut moved = [0.0; MAX_COLUMNS];
        moved[n.count - turning..n.count].copy_from_slice(&out.to_array()[..turning]);
        let trial = articulation.stepped(node, &place.motions[node], &moved[..n.count]);
        if let Side::Beyond(normal, excess) = articulation.side(skeleton, node, &trial)
            && (out.dot(normal) - excess).abs() < AT_EDGE
        {
            self.hold_edge(articulation, place, node, (normal, excess), out);
        }
    }

    /// Holds a node at an edge that a step goes beyond by so much. Whether there is a direction left to hold.
    fn hold_edge(
        &mut self,
        articulation: &Articulation,
        place: &Place,
        node: usize,
        (normal, excess): (Vec3, Real),
        step: Vec3,
    ) -> bool {
        let Some((axis_held, part)) =
            self.bases[node].hold(normal, rotational(articulation.nodes[node].kind))
        else {
            return false;
        };
        let n = &articulation.nodes[node];
        let first = n.count - rotational(n.kind);
        let to_inside = step - axis_held * (excess / part);
        let basis = self.bases[node];
        if basis.held == 1 {
            self.edges[node] = Some(normal);
        }
        let mut columns = [Column::ZERO; MAX_COLUMNS];
        articulation.node_columns(node, &place.motions, &place.frames, place.reference(), &mut columns);
        basis.turn_columns(n.kind, &mut columns[..n.count]);
        for (k, coordinate) in self.coordinates[n.first..n.first + n.count].iter_mut().enumerate() {
            coordinate.column = columns[k];
            if k >= first && k - first < basis.held {
                coordinate.held = Some(axis(&basis.axes, k - first).dot(to_inside));
            }
        }
        true
    }

    /// Holds what a step from `place` would take outside. With `pull`, what
    /// still pulls at each held coordinate after the step, it also lets go of
    /// what rests at the end of a range or at an edge and is pulled inside. Whether
    /// anything changed, and the step has to be computed again.
    pub(crate) fn hold(
        &mut self,
        articulation: &Articulation,
        skeleton: &Skeleton,
        place: &Place,
        step: &[Real],
        pull: Option<&[Real]>,
    ) -> bool {
        let mut changed = false;
        for (i, node) in articulation.nodes.iter().enumerate() {
            if node.count == 0 {
                continue;
            }
            match node.bound {
                Bound::Free => {}
                Bound::Range { min, max } => {
                    let at = place.motions[i].scalars[0];
                    let coordinate = &mut self.coordinates[node.first];
                    match (coordinate.held, pull) {
                        (None, _) => {
                            let to = at + step[node.first];
                            let inside = to.max(min).min(max);
                            if inside != to {
                                coordinate.held = Some(inside - at);
                                changed = true;
                            }
                        }
                        (Some(_), Some(pull)) => {
                            let pull = pull[node.first];
                            if (at == min && pull > 0.0 && at < max) || (at == max && pull < 0.0 && at > min)
                            {
                                coordinate.held = None;
                                changed = true;
                            }
                        }
                        (Some(_), None) => {}
                    }
                }
                Bound::Shape => {
                    let held = node.first + node.count - rotational(node.kind);
                    if self.bases[i].held > 0 && pull.is_some_and(|pull| pull[held] < 0.0) {
                        self.let_go(articulation, place, i);
                        self.edges[i] = None;
                        changed = true;
                        continue;
                    }
                    changed |= self.hold_shape(articulation, skeleton, place, i, step);
                }
            }
        }
        changed
    }

    fn hold_shape(
        &mut self,
        articulation: &Articulation,
        skeleton: &Skeleton,
        place: &Place,
        node: usize,
        step: &[Real],
    ) -> bool {
        let n = &articulation.nodes[node];
        let turning = rotational(n.kind);
        let own = n.first..n.first + n.count;
        if n.kind == JointKind::Free && self.coordinates[n.first].held.is_none() {
            let at = place.motions[node].translation;
            let to = at + Vec3::from_slice(&step[n.first..n.first + 3]);
            let tied = articulation.tied_shift(node, to);
            if tied != to {
                for (coordinate, value) in self.coordinates[own].iter_mut().zip((tied - at).to_array()) {
                    coordinate.held = Some(value);
                }
                return true;
            }
        }
        if self.bases[node].held >= turning {
            return false;
        }
        let mut moved = [0.0; MAX_COLUMNS];
        let moved = &mut moved[..n.count];
        moved.copy_from_slice(&step[own.clone()]);
        self.bases[node].unturn(n.kind, moved);
        let trial = articulation.stepped(node, &place.motions[node], moved);
        let side = articulation.side(skeleton, node, &trial);
        let limited = match side {
            Side::Unclear => articulation.within_limit(skeleton, node, &trial),
            _ => None,
        };
        let tie = articulation.beyond_tie(node, &trial);
        let first = n.count - turning;
        let mut wanted = [0.0; 3];
        wanted[..turning].copy_from_slice(&moved[first..]);
        let wanted = Vec3::from_array(wanted);
        // Outwards, and how far outside along it.
        let (normal, excess) = match (side, limited, tie) {
            (Side::Beyond(normal, excess), ..) => (normal, excess),
            (_, None, Some(tie)) => tie,
            (_, Some(inside), _) => edge_normal(articulation, skeleton, node, &trial).unwrap_or_else(|| {
                let push = wanted - articulation.difference(node, &place.motions[node], &inside);
                let length = push.length().max(TINY);
                (push / length, length)
            }),
            (_, None, None) => return false,
        };
        self.hold_edge(articulation, place, node, (normal, excess), wanted)
    }

    /// A step of the plain columns as one of the columns as they are taken now.
    pub(crate) fn to_axes(&self, articulation: &Articulation, step: &mut [Real]) {
        for (node, basis) in articulation.nodes.iter().zip(&self.bases) {
            let turning = rotational(node.kind);
            if basis.held > 0 && node.count >= turning {
                let own = &mut step[node.first + node.count - turning..node.first + node.count];
                let mut plain = [0.0; 3];
                plain[..turning].copy_from_slice(own);
                for (k, x) in own.iter_mut().enumerate() {
                    *x = axis(&basis.axes, k).dot(Vec3::from_array(plain));
                }
            }
        }
    }

    /// Makes a step from `motions` to `out`, within the limits.
    pub(crate) fn advance(
        &self,
        articulation: &Articulation,
        skeleton: &Skeleton,
        motions: &[Motion],
        step: &[Real],
        out: &mut [Motion],
    ) {
        for (i, node) in articulation.nodes.iter().enumerate() {
            let step = &step[node.first..node.first + node.count];
            out[i] = match node.bound {
                Bound::Free => articulation.stepped(i, &motions[i], step),
                Bound::Range { min, max } => match step.first() {
                    None => motions[i],
                    Some(step) => {
                        // Lands on the very ends, so that resting there can be seen.
                        let to = (motions[i].scalars[0] + step).max(min).min(max);
                        node.with_value(&motions[i], to)
                    }
                },
                Bound::Shape => {
                    let mut moved = [0.0; MAX_COLUMNS];
                    let moved = &mut moved[..node.count];
                    moved.copy_from_slice(step);
                    self.bases[i].unturn(node.kind, moved);
                    let next = articulation.stepped(i, &motions[i], moved);
                    articulation.held(skeleton, i, &next).unwrap_or(next)
                }
            };
        }
    }
}

/// The outward normal of the edge that a motion is beyond, in the node's
/// rotational columns, and how far beyond it is along that normal: by
/// differences of the distance to the edge. The projection alone would not do:
/// it brings swing and twist back each by itself, and the way it goes is not
/// the way in which the distance falls fastest. `None` where the distance says
/// too little, at corners and outside of its reach.
fn edge_normal(
    articulation: &Articulation,
    skeleton: &Skeleton,
    node: usize,
    motion: &Motion,
) -> Option<(Vec3, Real)> {
    let n = &articulation.nodes[node];
    let limit = skeleton.joints()[n.joint].limit();
    let (component, distance) = limit.nearest_component(motion.rotation)?;
    if distance >= 0.0 {
        return None;
    }
    let turning = rotational(n.kind);
    let first = n.count - turning;
    let step = ROUNDING.sqrt();
    let mut slope = [0.0; 3];
    for k in 0..turning {
        let mut nudge = [0.0; MAX_COLUMNS];
        nudge[first + k] = step;
        let nudged = articulation.stepped(node, motion, &nudge[..n.count]);
        let (same, there) = limit.nearest_component(nudged.rotation)?;
        if same != component {
            return None;
        }
        slope[k] = (there - distance) / step;
    }
    let slope = Vec3::from_array(slope);
    let steepness = slope.length();
    (0.2..5.0).contains(&steepness).then(|| (-slope / steepness, -distance / steepness))
}

/// How many of a kind's columns turn; they are its last ones.
const fn rotational(kind: JointKind) -> usize {
    match kind {
        JointKind::Ball | JointKind::Free => 3,
        JointKind::Universal { .. } => 2,
        JointKind::Hinge { .. } => 1,
        _ => 0,
    }
}

impl Basis {
    /// Holds one direction more, given as a unit vector: the part of it that is
    /// not held already, as a unit vector, and how large that part is.
    fn hold(&mut self, normal: Vec3, turning: usize) -> Option<(Vec3, Real)> {
        let mut rest = normal;
        for k in 0..self.held {
            let held = axis(&self.axes, k);
            rest -= held * held.dot(rest);
        }
        let length = rest.length();
        // Nearly parallel edges: the step to meet both would be a leap.
        if length < 0.05 {
            return None;
        }
        let n = rest / length;
        self.axes = match (self.held, turning) {
            (0, 3) => {
                let side = any_perpendicular(n);
                Mat3::from_cols(n, side, n.cross(side))
            }
            (0, _) => Mat3::from_cols(n, Vec3::new(-n.y, n.x, 0.0), Vec3::Z),
            (1, 3) => {
                let first = self.axes.x_axis;
                Mat3::from_cols(first, n, first.cross(n))
            }
            // The last direction that is left is the last axis already.
            _ => self.axes,
        };
        self.held += 1;
        Some((n, length))
    }

    /// Takes the rotational columns about the axes of the basis.
    fn turn_columns(&self, kind: JointKind, columns: &mut [Column]) {
        let count = rotational(kind);
        let Some(first) = columns.len().checked_sub(count) else { return };
        let own = &mut columns[first..];
        let mut plain = [Column::ZERO; 3];
        plain[..count].copy_from_slice(own);
        for (k, column) in own.iter_mut().enumerate() {
            let a = axis(&self.axes, k).to_array();
            *column = Column::ZERO;
            for j in 0..count {
                column.angular += plain[j].angular * a[j];
                column.linear += plain[j].linear * a[j];
            }
        }
    }

    /// A step about the axes of the basis as a step of the plain columns.
    #[inline]
    fn unturn(&self, kind: JointKind, step: &mut [Real]) {
        let count = rotational(kind);
        let Some(first) = step.len().checked_sub(count) else { return };
        if self.held == 0 {
            return;
        }
        let mut plain = Vec3::ZERO;
        for k in 0..count {
            plain += axis(&self.axes, k) * step[first + k];
        }
        step[first..].copy_from_slice(&plain.to_array()[..count]);
    }
}

#[inline]
fn axis(axes: &Mat3, k: usize) -> Vec3 {
    match k {
        0 => axes.x_axis,
        1 => axes.y_axis,
        _ => axes.z_axis,
    }
}
