//! The way from one allowed rotation to another in a limit's own coordinates.
//!
//! The shortest rotation is the shortest way, but projected onto the limit it may lead back to
//! where it came from: at the pole of an Euler box the nearest allowed rotation is round the
//! corner. In the limit's own coordinates (angles, or swing and twist) the allowed set is a box
//! or nearly convex, and a straight line leads there.

use super::{EulerLimit, JointLimit, LimitShape, SwingTwistLimit};
use crate::math::*;
use crate::skeleton::Joint;

/// How much of a step along the shortest way must bring the limit's coordinates nearer.
const PROGRESS: Real = 0.5;
/// By how much a projection may lengthen a step.
const SLIDE: Real = 1.01;

/// How often the way to a rotation that is not allowed is halved: to a millionth of a turn.
const HALVINGS: u32 = 20;

/// A straight line in the coordinates of a limit.
enum LimitPath<'a> {
    Angles(&'a EulerLimit, [Real; 3], [Real; 3]),
    SwingTwist(&'a SwingTwistLimit, (Vec2, Real), (Vec2, Real)),
    Hinge(Vec3, Quat, Real),
    Free(Quat, Vec3),
}

impl<'a> LimitPath<'a> {
    fn new(limit: &'a JointLimit, from: Quat, to: Quat) -> Self {
        match &limit.shape {
            LimitShape::Euler(limit) => {
                let (a, b) = (limit.angles(from), limit.angles(to));
                Self::Angles(limit, a, [0, 1, 2].map(|i| limit.ranges[i].way(a[i], b[i])))
            }
            LimitShape::SwingTwist(limit) => {
                let [a, b] = [from, to].map(|q| swing_twist::from_quat(limit.to_frame(q)));
                let twist = match limit.twist {
                    Some(range) => range.way(a.1, b.1),
                    None => wrap_angle(b.1 - a.1),
                };
                Self::SwingTwist(limit, a, (b.0 - a.0, twist))
            }
            LimitShape::Hinge(limit) => {
                let [a, b] = [from, to].map(|q| rotation::angle_about(limit.axis, q));
                Self::Hinge(limit.axis, from, limit.range.way(a, b))
            }
            _ => Self::Free(from, rotation::log(from.conjugate() * to)),
        }
    }

    /// No coordinate turns the joint by more than itself, so no part of the path turns it by more
    /// than that part of this.
    fn length(&self) -> Real {
        match self {
            Self::Angles(_, _, ways) => ways.iter().map(|w| w.abs()).sum(),
            Self::SwingTwist(_, _, (swing, twist)) => swing.length() + twist.abs(),
            Self::Hinge(_, _, way) => way.abs(),
            Self::Free(_, way) => way.length(),
        }
    }

    fn at(&self, part: Real) -> Quat {
        match *self {
            Self::Angles(limit, from, ways) => limit.to_quat([0, 1, 2].map(|i| from[i] + ways[i] * part)),
            Self::SwingTwist(limit, from, way) => {
                let there = swing_twist::to_quat(from.0 + way.0 * part, from.1 + way.1 * part);
                limit.from_frame(there).normalize()
            }
            Self::Hinge(axis, from, way) => (from * rotation::about(axis, way * part)).normalize(),
            Self::Free(from, way) => (from * rotation::exp(way * part)).normalize(),
        }
    }
}

impl Joint {
    /// From one rotation towards an allowed one, turned by no more than about `most`; allowed
    /// itself. A rotation that is outside of the limit comes back to it, however far that is:
    /// limits come first. Where an inward corner of the limit leaves no such step, the joint
    /// stays.
    pub(crate) fn step_towards(&self, from: Quat, to: Quat, most: Real) -> Quat {
        if rotation::angle(from.conjugate() * to) <= most {
            return to;
        }
        let outside = from;
        let from = self.project(from);
        let most = most - rotation::angle(outside.conjugate() * from);
        if most <= 0.0 {
            return from;
        }
        let way = rotation::log(from.conjugate() * to);
        let length = way.length();
        if length <= most {
            return to;
        }
        let turned = |q: Quat| rotation::angle(from.conjugate() * q);
        let path = LimitPath::new(self.limit(), from, to);
        let shortest = self.project((from * rotation::exp(way * (most / length))).normalize());
        let left = LimitPath::new(self.limit(), shortest, to).length();
        if left < path.length() - PROGRESS * most && turned(shortest) <= SLIDE * most {
            return shortest;
        }
        let mut part = (most / path.length().max(TINY)).min(1.0);
        let mut there = self.project(path.at(part));
        for _ in 0..3 {
            if turned(there) <= SLIDE * most {
                break;
            }
            part *= 0.5;
            there = self.project(path.at(part));
        }
        for _ in 0..3 {
            // Coordinates that cancel: a longer part of the path has turned no more than this.
            let further = (part * (most / turned(there).max(TINY)).clamp(1.0, 4.0)).min(1.0);
            let next = self.project(path.at(further));
            if turned(next) > SLIDE * most {
                break;
            }
            (part, there) = (further, next);
        }
        if turned(there) <= SLIDE * most { there } else { from }
    }

    /// What the quaternion of one rotation becomes on the limit's own path to another, without a jump:
    /// the other's or its negative. It tells the two ways round apart.
    pub(crate) fn carried_along(&self, from: Quat, to: Quat) -> Quat {
        let path = LimitPath::new(self.limit(), from, to);
        if path.at(0.0).dot(from) < 0.0 { -path.at(1.0) } else { path.at(1.0) }
    }

    /// A part of the limit's own path from one rotation to an allowed one. From outside of the
    /// limit there is none, and the shortest way is taken.
    pub(crate) fn along_the_limit(&self, from: Quat, to: Quat, part: Real) -> Quat {
        if self.limit().violation(from) > super::SLACK {
            let way = rotation::log(from.conjugate() * to);
            return rotation::normalize_or_identity(from * rotation::exp(way * part));
        }
        self.project(LimitPath::new(self.limit(), from, to).at(part))
    }

    /// A part of the way from one rotation to an allowed one: the rotation that is wished for on the
    /// way, or the last one that is allowed on the straight way to it from the limit's own path. Unlike a
    /// projection this does not jump as the wish goes by outside. A rotation given outside of the
    /// limit has no path in it, so that only the wish counts.
    pub(crate) fn part_of_the_way(&self, from: Quat, to: Quat, part: Real, wish: Quat) -> Quat {
        let wish = rotation::normalize_or_identity(wish);
        let held = self.project(from);
        if rotation::angle(held.conjugate() * from) > super::SLACK {
            return wish;
        }
        let on_path = self.project(LimitPath::new(self.limit(), from, to).at(part));
        let way = rotation::log(on_path.conjugate() * wish);
        // A way of half a turn has two senses; before the sense changes nothing of it is gone.
        let most = (PI - way.length()).clamp(0.0, 1.0);
        let at = |part: Real| (on_path * rotation::exp(way * part)).normalize();
        let (mut allowed, mut forbidden) = (0.0, most);
        if self.limit().violation(at(most)) == 0.0 {
            return self.project(at(most));
        }
        for _ in 0..HALVINGS {
            let middle = 0.5 * (allowed + forbidden);
            if self.limit().violation(at(middle)) == 0.0 {
                allowed = middle;
            } else {
                forbidden = middle;
            }
        }
        self.project(at(allowed))
    }
}
