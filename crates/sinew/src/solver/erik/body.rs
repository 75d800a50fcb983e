//! The joint model: the joints that ERIK moves, in the zero frame.
//!
//! The paper assumes that all frames are parallel in the zero pose, with every
//! segment along y. Here the first is made true for any rig by writing axes and
//! segments in *model* axes at rest, so that a joint's basis is its parent's
//! orientation and nothing else (eq. 18b, as a product of exponentials); the
//! second is not needed.
//!
//! Fixed joints fold into the segments. A segment without length, as that of a
//! bend that shares its place with the twist above it, points where the next
//! one with a length points at rest. The last link's segment is the
//! *Superpoint*'s (section 3.8): it points along the end point's own pointing
//! axis.

use alloc::vec::Vec;

use super::latitude::{Bend, LatitudeTable};
use super::options::{Endpoint, ErikError, ErikOptions};
use crate::limit::LimitShape;
use crate::math::*;
use crate::skeleton::{JointId, JointKind, Skeleton};

/// The link below the first one.
pub(super) const NO_LINK: usize = usize::MAX;

/// One joint that turns or slides.
#[derive(Debug, Clone)]
pub(super) struct Link {
    /// Its place in the skeleton.
    pub joint: usize,
    /// The link that carries it, or [`NO_LINK`].
    pub parent: usize,
    /// The axis in model axes at rest.
    pub axis: Vec3,
    /// The axis as the joint's own rest frame has it.
    pub own_axis: Vec3,
    /// The unit direction of the segment, at rest.
    pub segment: Vec3,
    /// From the parent link's origin to this one's, at rest.
    pub offset: Vec3,
    pub min: Real,
    pub max: Real,
    /// Whether it turns without an end.
    pub whole_turn: bool,
    pub slides: bool,
    /// Turns its segment about itself, or about the segment before it.
    pub twists: bool,
    pub bend: Bend,
    /// The angle at which its segment is most in line with the one before.
    pub peak: Real,
    pub table: LatitudeTable,
    /// The share of the posture error (eq. 21 and 22): α^i over the norm, zero
    /// for a twister.
    pub share: Real,
    /// The share where twists count too: those between two bends like a bend,
    /// those at the ends, which turn the shape as a whole, hardly.
    pub stake: Real,
    /// The next bend above a twister, and the next below, in its limb.
    pub bend_above: usize,
    pub bend_below: usize,
}

/// The links that one end point adds to those before it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limb {
    pub start: usize,
    pub end: usize,
    /// The link that carries the end point.
    pub tip: usize,
    /// The end point from the tip link's origin, at rest.
    pub reach: Vec3,
    /// The end point's pointing axis in model axes at rest.
    pub pointing: Vec3,
    /// The end point's orientation at rest.
    pub rest: Quat,
}

/// Everything about the skeleton that does not change.
#[derive(Debug, Clone)]
pub(super) struct Body {
    pub links: Vec<Link>,
    pub limbs: Vec<Limb>,
    /// How many joints the skeleton has.
    pub joints: usize,
}

impl Body {
    pub(super) fn new(
        skeleton: &Skeleton,
        endpoints: &[Endpoint],
        options: &ErikOptions,
    ) -> Result<Self, ErikError> {
        if endpoints.is_empty() {
            return Err(ErikError::NoEndpoint);
        }
        let rest = crate::pose::ModelPose::rest(skeleton);
        let mut of_joint = alloc::vec![NO_LINK; skeleton.len()];
        let mut body = Self { links: Vec::new(), limbs: Vec::new(), joints: skeleton.len() };
        for (number, endpoint) in endpoints.iter().enumerate() {
            let joint = endpoint.effector.joint;
            let forward = endpoint.forward.is_none_or(|f| f.is_finite() && f.length() > ROUNDING)
                && endpoint.weight.is_finite()
                && endpoint.weight >= 0.0;
            if !skeleton.contains(joint) || !endpoint.effector.offset.is_finite() || !forward {
                return Err(ErikError::BadEndpoint { endpoint: number });
            }
            body.add_limb(skeleton, endpoint, &rest, &mut of_joint, number)?;
        }
        body.finish(options);
        Ok(body)
    }

    fn add_limb(
        &mut self,
        skeleton: &Skeleton,
        endpoint: &Endpoint,
        rest: &crate::pose::ModelPose,
        of_joint: &mut [usize],
        number: usize,
    ) -> Result<(), ErikError> {
        let mut path: Vec<JointId> = skeleton.ancestors(endpoint.effector.joint).collect();
        path.reverse();
        let start = self.links.len();
        let mut parent = NO_LINK;
        for id in path {
            let joint = skeleton.joint(id);
            if joint.kind() == JointKind::Fixed || joint.stiffness() >= 1.0 {
                continue;
            }
            if of_joint[id.index()] != NO_LINK {
                parent = of_joint[id.index()];
                continue;
            }
            let (own_axis, slides) = match joint.kind() {
                JointKind::Hinge { axis } => (axis, false),
                JointKind::Prismatic { axis } => (axis, true),
                other => {
                    return Err(ErikError::WrongKind { joint: joint.name().into(), kind: other.name() });
                }
            };
            let (min, max, whole_turn) = range(&joint.limit().shape, slides);
            of_joint[id.index()] = self.links.len();
            let below = if parent == NO_LINK { Vec3::ZERO } else { self.origin(rest, parent) };
            self.links.push(Link {
                joint: id.index(),
                parent,
                axis: (rest.rotation(id) * own_axis).normalize(),
                own_axis,
                segment: Vec3::ZERO,
                offset: rest.position(id) - below,
                min,
                max,
                whole_turn,
                slides,
                twists: false,
                bend: Bend { level: 1.0, cosine: 0.0, sine: 0.0 },
                peak: 0.0,
                table: LatitudeTable::new(Bend { level: 1.0, cosine: 0.0, sine: 0.0 }, 0.0, 0.0, 1.0),
                share: 0.0,
                stake: 0.0,
                bend_above: NO_LINK,
                bend_below: NO_LINK,
            });
            parent = self.links.len() - 1;
        }
        if parent == NO_LINK {
            return Err(ErikError::NoFreedom { endpoint: number });
        }
        let at = endpoint.effector.transform(rest);
        let reach = at.translation - self.origin(rest, parent);
        let last = if reach.length() > TINY.sqrt() { reach } else { self.links[parent].offset };
        let pointing = match endpoint.forward {
            Some(forward) => (at.rotation * forward).normalize(),
            None => direction_or(last, at.rotation * Vec3::Z),
        };
        self.limbs.push(Limb {
            start,
            end: self.links.len(),
            tip: parent,
            reach,
            pointing,
            rest: at.rotation,
        });
        Ok(())
    }

    fn origin(&self, rest: &crate::pose::ModelPose, link: usize) -> Vec3 {
        rest.positions()[self.links[link].joint]
    }

    /// What needs all links of a limb: directions, bends, tables, shares.
    fn finish(&mut self, options: &ErikOptions) {
        for l in 0..self.limbs.len() {
            let Limb { start, end, tip, pointing, .. } = self.limbs[l];
            let mut direction = pointing;
            for k in (start..end).rev() {
                if k != tip || start == end {
                    // The offset of the link above it in this limb.
                    let above = self.links[k + 1].offset;
                    // A slide's own segment may have no length, and no length
                    // means the direction of what comes next.
                    direction = direction_or_short(above, direction);
                }
                self.links[k].segment = direction;
            }
        }
        let mut norm = 0.0;
        let mut power = 1.0;
        for k in 0..self.links.len() {
            let link = &self.links[k];
            let before = self.links.get(link.parent).map_or(link.segment, |p| p.segment);
            let bend = Bend::new(link.axis, before, link.segment);
            let twists = !link.slides && bend.amplitude() < TWISTER;
            let share = if twists || link.slides { 0.0 } else { power };
            power *= options.aggravation;
            norm += share;
            let link = &mut self.links[k];
            link.bend = bend;
            link.peak = bend.peak();
            link.twists = twists;
            link.share = share;
            if !twists && !link.slides {
                link.table = LatitudeTable::new(bend, link.min, link.max, options.latitude_step);
            }
        }
        for link in &mut self.links {
            link.share /= if norm > 0.0 { norm } else { 1.0 };
        }
        let count = self.links.iter().filter(|l| l.share > 0.0).count().max(1) as Real;
        for limb in &self.limbs {
            let bends = |l: &Link| !l.twists && !l.slides;
            for k in limb.start..limb.end {
                let above = (k + 1..limb.end).find(|&j| bends(&self.links[j]));
                let below = (limb.start..k).rev().find(|&j| bends(&self.links[j]));
                let inner = above.is_some() && (below.is_some() || limb.start > 0);
                let link = &mut self.links[k];
                link.stake = match () {
                    () if link.slides => SLIDE,
                    () if !link.twists => link.share.max(LOOSE),
                    () if inner => 1.0 / count,
                    () => LOOSE / count,
                };
                self.links[k].bend_above = above.unwrap_or(NO_LINK);
                self.links[k].bend_below = below.unwrap_or(NO_LINK);
            }
        }
    }
}

/// Below this amplitude a joint bends nothing: its axis is along a segment.
const TWISTER: Real = 1.0e-3;

/// What a twist at the end of a chain counts for, against a bend.
const LOOSE: Real = 0.02;
/// What a metre of a slide counts for.
const SLIDE: Real = 1.0;

/// The direction of a segment, or that of the next one if it has no length.
fn direction_or_short(segment: Vec3, next: Vec3) -> Vec3 {
    if segment.length() > 1.0e-5 { segment.normalize() } else { next }
}

/// The joint's range: what it may turn or slide, and whether it turns without an end.
fn range(shape: &LimitShape, slides: bool) -> (Real, Real, bool) {
    match shape {
        LimitShape::Hinge(limit) if !limit.range.is_whole_turn() => (limit.range.min, limit.range.max, false),
        LimitShape::Prismatic(limit) => (limit.min, limit.max, false),
        _ if slides => (Real::NEG_INFINITY, Real::INFINITY, false),
        _ => (-PI, PI, true),
    }
}

impl Link {
    /// The nearest value that the joint can take; angles on the circle
    /// (SafeAngle of section 7.1).
    #[inline]
    pub(super) fn safe(&self, value: Real) -> Real {
        if self.whole_turn {
            return wrap_angle(value);
        }
        if self.slides {
            return value.max(self.min).min(self.max);
        }
        let middle = 0.5 * (self.min + self.max);
        (middle + wrap_angle(value - middle)).max(self.min).min(self.max)
    }

    /// By how much an angle lies outside of the range.
    #[inline]
    pub(super) fn excess(&self, angle: Real) -> Real {
        if self.whole_turn { 0.0 } else { wrap_angle(angle - self.safe(angle)).abs() }
    }

    /// A little inside of the range if at its edge (AvoidJointEdge).
    #[inline]
    pub(super) fn off_the_edge(&self, angle: Real, by: Real) -> Real {
        if self.whole_turn || self.slides || self.max - self.min <= 2.0 * by {
            return angle;
        }
        angle.max(self.min + by).min(self.max - by)
    }
}
