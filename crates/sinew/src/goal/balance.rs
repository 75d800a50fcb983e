//! The centre of mass over a support.

use alloc::vec::Vec;

use crate::math::*;
use crate::pose::ModelPose;
use crate::skeleton::{JointId, Skeleton};

/// The mass that moves with one joint.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PointMass {
    /// How much there is, in any unit: only shares of the whole count.
    pub mass: Real,
    /// Its centre, in the joint's frame.
    pub centre: Vec3,
}

/// Keeps the centre of mass over a support polygon: an inequality, which comes before all goals.
/// A goal that would take the body off balance gives way, and the report says so
/// ([`Cause::Balance`](crate::Cause::Balance)).
///
/// ```
/// use sinew::goal::BalanceGoal;
/// use sinew::skeleton::humanoid::{HumanoidMap, masses};
/// use sinew::{Cause, Goal, GoalSet, ModelPose, Pose, SolverSpec, Vec3, rigs};
/// let human = rigs::humanoid(rigs::SwingModel::Ellipse);
/// let rest = ModelPose::rest(&human);
/// let [l, r, hand] = ["l_ankle", "r_ankle", "r_wrist"].map(|name| human.find(name).unwrap());
/// // Soles of 25 cm, the ankle a quarter from the heel.
/// let sole = |foot| [[-0.04, -0.06], [0.04, -0.06], [0.04, 0.19], [-0.04, 0.19]]
///     .map(|[x, z]| rest.position(foot) + Vec3::new(x, 0.0, z));
/// let mut goals = GoalSet::new();
/// for foot in [l, r] {
///     goals.add(Goal::pose(foot, rest.transform(foot)));
/// }
/// goals.add(Goal::position(hand, rest.position(hand) + Vec3::new(0.0, 0.3, 1.5)));
/// goals.set_balance(Some(BalanceGoal {
///     masses: masses(&human, &HumanoidMap::find(&human)),
///     support: [sole(l), sole(r)].concat(),
///     up: Vec3::Y,
///     margin: 0.01,
/// }));
/// let mut pose = Pose::rest(&human);
/// let mut solver = SolverSpec::default().build(&human, &goals)?;
/// // Too far ahead to reach without falling: the body leans as far as it may.
/// let report = solver.solve(&human, &goals, &mut pose);
/// assert!(matches!(report.cause, Some(Cause::Balance { .. })), "{report}");
/// let balance = goals.balance().unwrap();
/// assert!(balance.clearance(&ModelPose::new(&human, &pose)) >= 0.0);
/// # Ok::<(), sinew::error::RigError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct BalanceGoal {
    /// The mass that each joint carries, in the skeleton's order: from a robot's file, or from
    /// anatomy ([`masses`](crate::skeleton::humanoid::masses)).
    pub masses: Vec<PointMass>,
    /// Points that the body stands on, in model space. The support is the convex hull of their
    /// projections along `up`. A solver takes as many in every frame as it was built for, or
    /// fewer.
    pub support: Vec<Vec3>,
    /// Upwards, of any length but zero.
    pub up: Vec3,
    /// How far inside of the support's edges the centre stays, in metres.
    pub margin: Real,
}

impl BalanceGoal {
    /// The centre of mass of a pose, in model space.
    pub fn centre_of_mass(&self, model: &ModelPose) -> Vec3 {
        let (mut sum, mut total) = (Vec3::ZERO, 0.0);
        for (joint, own) in self.masses.iter().enumerate().take(model.positions().len()) {
            sum += model.transform(JointId(joint as u32)).transform_point(own.centre) * own.mass;
            total += own.mass;
        }
        sum / total.max(TINY)
    }

    /// How far inside of the margin the centre of mass of a pose projects; negative outside.
    pub fn clearance(&self, model: &ModelPose) -> Real {
        let mut corners = self.support.clone();
        let mut edges = Vec::with_capacity(corners.len() + 1);
        support_edges(&mut corners, self.up, &mut edges);
        let centre = self.centre_of_mass(model);
        edges.iter().map(|edge| edge.inside(centre)).fold(Real::INFINITY, Real::min) - self.margin
    }

    /// Whether its numbers make sense on the skeleton and the support has an area.
    pub(crate) fn is_valid(&self, skeleton: &Skeleton) -> bool {
        let total: Real = self.masses.iter().map(|m| m.mass).sum();
        self.masses.len() == skeleton.len()
            && self.masses.iter().all(|m| m.mass >= 0.0 && m.centre.is_finite())
            && total.is_finite()
            && total > TINY
            && self.support.len() >= 3
            && self.support.iter().all(|p| p.is_finite())
            && self.up.is_finite()
            && self.up.length() > TINY
            && self.margin.is_finite()
            && self.margin >= 0.0
    }
}

/// An edge of the support: a point of it and the way inside, a horizontal unit vector.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct SupportEdge {
    pub at: Vec3,
    pub inward: Vec3,
}

impl SupportEdge {
    /// How far inside of the edge a point is.
    #[inline]
    pub(crate) fn inside(&self, point: Vec3) -> Real {
        self.inward.dot(point - self.at)
    }
}

/// The edges of the convex hull of points, seen along `up`, by Andrew's monotone chain. Points
/// on one line have none. Sorts the points; allocates nothing if `edges` has room for as many
/// as there are points.
pub(crate) fn support_edges(points: &mut [Vec3], up: Vec3, edges: &mut Vec<SupportEdge>) {
    edges.clear();
    let up = direction_or(up, Vec3::Y);
    let east = any_perpendicular(up);
    let north = up.cross(east);
    let flat = |p: Vec3| [p.dot(east), p.dot(north)];
    points.sort_unstable_by(|a, b| {
        let (a, b) = (flat(*a), flat(*b));
        a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1]))
    });
    // Which way three points turn: above zero for left.
    let turn = |o: Vec3, a: Vec3, b: Vec3| {
        let (o, a, b) = (flat(o), flat(a), flat(b));
        (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0])
    };
    // The lower chain from left to right, then the upper one back. An edge is kept by its start
    // until the next corner is known.
    let chain = |points: &mut dyn Iterator<Item = Vec3>, edges: &mut Vec<SupportEdge>| {
        let first = edges.len();
        for p in points {
            while edges.len() >= first + 2 {
                let [a, b] = [edges[edges.len() - 2].at, edges[edges.len() - 1].at];
                if turn(a, b, p) > 0.0 {
                    break;
                }
                edges.pop();
            }
            if edges.len() < edges.capacity() {
                edges.push(SupportEdge { at: p, inward: Vec3::ZERO });
            }
        }
        // The end of one chain begins the other.
        edges.pop();
    };
    chain(&mut points.iter().copied(), edges);
    chain(&mut points.iter().rev().copied(), edges);
    let count = edges.len();
    for i in 0..count {
        let along = edges[(i + 1) % count].at - edges[i].at;
        edges[i].inward = up.cross(along).normalize_or_zero();
    }
    edges.retain(|edge| edge.inward != Vec3::ZERO);
    if edges.len() < 3 {
        edges.clear();
    }
}
