//! A solution: an angle for every link, and the frames that follow from them.

use alloc::vec::Vec;

use super::body::{Body, Limb, NO_LINK};
use super::measure::Wish;
use crate::math::*;
use crate::pose::Pose;

/// Angles (slides: ways) of all links, with what forward kinematics makes of them.
#[derive(Debug, Clone)]
pub(super) struct Solution {
    pub values: Vec<Real>,
    /// Sine and cosine of half of each angle.
    pub halves: Vec<(Real, Real)>,
    /// Whether each joint bends to the side opposite to the posture's. Kept from
    /// frame to frame, so that an animation is followed through straight poses.
    pub mirrored: Vec<bool>,
    /// Each link's orientation after its own turn (eq. 18b).
    pub turned: Vec<Quat>,
}

impl Solution {
    pub(super) fn new(links: usize) -> Self {
        Self {
            values: alloc::vec![0.0; links],
            halves: alloc::vec![(0.0, 1.0); links],
            mirrored: alloc::vec![false; links],
            turned: alloc::vec![Quat::IDENTITY; links],
        }
    }

    pub(super) fn copy_from(&mut self, other: &Self) {
        self.values.copy_from_slice(&other.values);
        self.halves.copy_from_slice(&other.halves);
        self.mirrored.copy_from_slice(&other.mirrored);
        self.turned.copy_from_slice(&other.turned);
    }

    /// Sets one link's value; the frames are stale.
    #[inline]
    pub(super) fn set(&mut self, body: &Body, k: usize, value: Real) {
        self.values[k] = value;
        self.halves[k] = if body.links[k].slides { (0.0, 1.0) } else { (0.5 * value).sin_cos() };
    }

    /// Brings every link within its range, and the frames up to date.
    pub(super) fn hold(&mut self, body: &Body) {
        for k in 0..body.links.len() {
            let safe = body.links[k].safe(self.values[k]);
            if safe != self.values[k] {
                self.set(body, k, safe);
            }
        }
        self.update(body);
    }

    /// The turn of a link about its axis.
    #[inline]
    pub(super) fn turn(&self, body: &Body, k: usize) -> Quat {
        let (s, c) = self.halves[k];
        let axis = body.links[k].axis;
        Quat::from_xyzw(axis.x * s, axis.y * s, axis.z * s, c)
    }

    /// The orientation that a link's own turn starts from (its basis).
    #[inline]
    pub(super) fn basis(&self, body: &Body, k: usize) -> Quat {
        match body.links[k].parent {
            NO_LINK => Quat::IDENTITY,
            parent => self.turned[parent],
        }
    }

    /// Forward kinematics of orientations, from a link on.
    #[inline]
    pub(super) fn update_from(&mut self, body: &Body, start: usize, end: usize) {
        for k in start..end {
            self.turned[k] = self.basis(body, k) * self.turn(body, k);
        }
    }

    /// Forward kinematics of all orientations.
    pub(super) fn update(&mut self, body: &Body) {
        self.update_from(body, 0, body.links.len());
    }

    /// How the end point of a limb is turned from its orientation at rest.
    #[inline]
    pub(super) fn end(&self, limb: &Limb) -> Quat {
        self.turned[limb.tip]
    }

    /// Where the end point of a limb is.
    pub(super) fn end_position(&self, body: &Body, limb: &Limb) -> Vec3 {
        // From the tip down: the sum of the segments, each turned by its link.
        let mut place = self.turned[limb.tip] * limb.reach;
        let mut k = limb.tip;
        loop {
            let link = &body.links[k];
            let basis = self.basis(body, k);
            place += basis * link.offset;
            if link.slides {
                place += basis * (link.axis * self.values[k]);
            }
            if link.parent == NO_LINK {
                return place;
            }
            k = link.parent;
        }
    }

    /// Where the end point of a limb is, if the wish needs to know.
    pub(super) fn end_position_if(&self, body: &Body, limb: &Limb, wish: &Wish) -> Option<Vec3> {
        wish.point.map(|_| self.end_position(body, limb))
    }

    /// Where every link's joint is.
    pub(super) fn places(&self, body: &Body, out: &mut [Vec3]) {
        for (k, link) in body.links.iter().enumerate() {
            let (basis, start) = match link.parent {
                NO_LINK => (Quat::IDENTITY, Vec3::ZERO),
                parent => (self.turned[parent], out[parent]),
            };
            let slide = if link.slides { link.axis * self.values[k] } else { Vec3::ZERO };
            out[k] = start + basis * (link.offset + slide);
        }
    }

    /// Reads the angles of a pose as they are, in limits or not.
    pub(super) fn read(&mut self, body: &Body, pose: &Pose) {
        for k in 0..body.links.len() {
            let link = &body.links[k];
            let value = if link.slides {
                link.own_axis.dot(pose.translations()[link.joint])
            } else {
                let angle = rotation::angle_about(link.own_axis, pose.rotations()[link.joint]);
                if link.whole_turn {
                    angle
                } else {
                    // A range may lie across the cut of the circle.
                    let middle = 0.5 * (link.min + link.max);
                    middle + wrap_angle(angle - middle)
                }
            };
            self.set(body, k, if value.is_finite() { value } else { 0.0 });
        }
        self.update(body);
    }

    /// Writes the angles to a pose; other joints stay.
    pub(super) fn write(&self, body: &Body, pose: &mut Pose) {
        for (link, &value) in body.links.iter().zip(&self.values) {
            if link.slides {
                pose.translations[link.joint] = link.own_axis * value;
            } else {
                pose.rotations[link.joint] = rotation::about(link.own_axis, value);
            }
        }
    }
}
