//! What a goal asks of the velocity of its effector: the rows of the Jacobian.
//!
//! A goal's error is a pair of vectors: from the effector to the wanted point,
//! and the rotation vector from the effector's orientation to the wanted one,
//! both multiplied by the goal's weights. Its rows say how fast that error
//! shrinks when the effector moves with velocity `v` and angular velocity `ω`:
//!
//! - position: `Wp · v`, with the weights per model axis on the diagonal;
//! - orientation: `w · ω`. This is the rate of the error at zero error, and its
//!   product with the error, the slope of the squared error, is right at any
//!   error (the rotation vector is an eigenvector of the derivative of the
//!   logarithm). With unequal weights per effector axis that no longer holds,
//!   so there the rows carry the inverse left Jacobian of the rotation group:
//!   `Wo · Jl⁻¹(ε) · Rᵀ · ω`, with `ε` the error in the effector's frame;
//! - contact: `w · (I − l lᵀ) ω` for the direction `l` of the effector's axis: its position is
//!   that of any goal, and turns about the normal are free;
//! - aim: turning towards a point at distance `r` in direction `d`, now looking
//!   along `l`: `w · ((I − l lᵀ) ω + d × v / r)`. Again exact in the slope.
//!
//! An aim at the effector's own origin has no direction and asks for nothing.

use crate::goal::{Goal, Target};
use crate::math::*;
use crate::report::masked;

/// A goal, linearised at a pose.
#[derive(Debug, Clone, Copy)]
pub(crate) struct GoalRows {
    /// The weighted way to go, and the weighted turn to make.
    pub error: [Vec3; 2],
    /// The weights of the position, per model axis.
    pub position: Vec3,
    /// From angular velocity to the orientation's rows.
    pub turn: Mat3,
    /// From velocity to the orientation's rows; only an aim has any.
    pub sight: Option<Mat3>,
    /// Where the effector is, in model space.
    pub at: Vec3,
    /// For a goal relative to another joint, from model space to that joint's axes. The rows are
    /// then of the twist of the effector less that of the joint.
    pub view: Option<Mat3>,
    /// Metres and radians that are missing, unweighted, along the axes that count.
    pub missing: [Real; 2],
}

/// Which rows a goal has, as long as its kind of target stays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RowKinds {
    pub position: bool,
    pub orientation: bool,
}

impl RowKinds {
    pub(crate) fn of(goal: &Goal) -> Self {
        // Whatever the weights are: they may be others in the next frame.
        match goal.target {
            Target::Position(_) => Self { position: true, orientation: false },
            Target::Orientation(_) | Target::Aim { .. } => Self { position: false, orientation: true },
            Target::Pose(_) | Target::Contact { .. } => Self { position: true, orientation: true },
        }
    }

    pub(crate) fn count(self) -> usize {
        3 * (usize::from(self.position) + usize::from(self.orientation))
    }
}

impl GoalRows {
    /// Rows that ask for nothing.
    pub(crate) const NONE: Self = Self {
        error: [Vec3::ZERO; 2],
        position: Vec3::ZERO,
        turn: Mat3::ZERO,
        sight: None,
        at: Vec3::ZERO,
        view: None,
        missing: [0.0; 2],
    };

    /// Linearises a goal whose effector stands at `now`.
    #[inline]
    pub(crate) fn new(goal: &Goal, now: Transform) -> Self {
        let mut rows = Self { at: now.translation, ..Self::NONE };
        if goal.position_weight > 0.0
            && let Some(point) = goal.target.position()
        {
            let way = point - now.translation;
            rows.position = goal.position_axes * goal.position_weight;
            rows.error[0] = way * rows.position;
            rows.missing[0] = (masked(goal.position_axes) * way).length();
        }
        if goal.orientation_weight > 0.0 {
            match goal.target {
                Target::Position(_) => {}
                Target::Orientation(wanted) => rows.set_orientation(goal, now, wanted),
                Target::Pose(wanted) => rows.set_orientation(goal, now, wanted.rotation),
                Target::Aim { axis, at } => rows.set_aim(goal, now, axis, at),
                Target::Contact { axis, normal, .. } => rows.set_direction(goal, now, axis, normal, 0.0),
            }
        }
        rows
    }

    /// Linearises a goal relative to a joint whose frame is `to`, with its effector at `now`,
    /// both in model space. The error `to⁻¹ · now` changes with the difference of both twists,
    /// taken at the effector's place, so that joints above both have no part in it.
    pub(crate) fn relative(goal: &Goal, now: Transform, to: Transform) -> Self {
        Self {
            at: now.translation,
            view: Some(Mat3::from_quat(to.rotation.conjugate())),
            ..Self::new(goal, to.inverse() * now)
        }
    }

    #[inline]
    fn set_orientation(&mut self, goal: &Goal, now: Transform, wanted: Quat) {
        let axes = goal.orientation_axes;
        let weight = goal.orientation_weight;
        if axes.x == axes.y && axes.y == axes.z {
            let turn = rotation::log(wanted * now.rotation.conjugate());
            self.error[1] = turn * (weight * axes.x);
            self.turn = Mat3::from_diagonal(Vec3::splat(weight * axes.x));
            self.missing[1] = if axes.x > 0.0 { turn.length() } else { 0.0 };
        } else {
            let local = rotation::log(now.rotation.conjugate() * wanted);
            let weights = Mat3::from_diagonal(axes * weight);
            self.error[1] = weights * local;
            self.turn = weights * inverse_left_jacobian(local) * Mat3::from_quat(now.rotation.conjugate());
            self.missing[1] = (masked(axes) * local).length();
        }
    }

    fn set_aim(&mut self, goal: &Goal, now: Transform, axis: Vec3, at: Vec3) {
        let way = at - now.translation;
        let distance = way.length();
        if distance > ROUNDING {
            self.set_direction(goal, now, axis, way / distance, 1.0 / distance);
        }
    }

    /// The effector's `axis` along `wanted`, of any length. `nearness` is one over the way to the
    /// point that gives the direction, zero for a direction that is the same everywhere.
    fn set_direction(&mut self, goal: &Goal, now: Transform, axis: Vec3, wanted: Vec3, nearness: Real) {
        let own = direction_or(axis, Vec3::Z);
        let looks = now.rotation * own;
        let wanted = direction_or(wanted, looks);
        let hint = now.rotation * any_perpendicular(own);
        let turn = rotation::log(rotation::between(looks, wanted, hint));
        let along = Mat3::from_cols(looks * looks.x, looks * looks.y, looks * looks.z);
        let mut weights = Mat3::from_diagonal(goal.orientation_axes * goal.orientation_weight);
        let axes = goal.orientation_axes;
        if axes.x != axes.y || axes.y != axes.z {
            // The weights are per axis of the effector.
            weights *= Mat3::from_quat(now.rotation.conjugate());
            self.missing[1] = (masked(axes) * (now.rotation.conjugate() * turn)).length();
        } else {
            self.missing[1] = turn.length();
        }
        self.error[1] = weights * turn;
        self.turn = weights * (Mat3::IDENTITY - along);
        if nearness > 0.0 {
            self.sight = Some(weights * cross_matrix(wanted) * nearness);
        }
    }

    /// The rows applied to a twist of the effector: `velocity` of its origin
    /// and `angular` velocity, in model space.
    #[inline(always)]
    pub(crate) fn apply(&self, velocity: Vec3, angular: Vec3) -> [Vec3; 2] {
        match &self.view {
            None => self.apply_here(velocity, angular),
            Some(view) => self.apply_seen(view, velocity, angular),
        }
    }

    // Apart, so that the loops over columns stay short.
    #[inline(never)]
    fn apply_seen(&self, view: &Mat3, velocity: Vec3, angular: Vec3) -> [Vec3; 2] {
        self.apply_here(*view * velocity, *view * angular)
    }

    #[inline(always)]
    fn apply_here(&self, velocity: Vec3, angular: Vec3) -> [Vec3; 2] {
        let mut turned = self.turn * angular;
        if let Some(sight) = self.sight {
            turned += sight * velocity;
        }
        [self.position * velocity, turned]
    }

    /// The squared, weighted error.
    #[inline]
    pub(crate) fn squared(&self) -> Real {
        self.error[0].length_squared() + self.error[1].length_squared()
    }
}

/// The matrix of `v ×`.
#[inline]
pub(crate) fn cross_matrix(v: Vec3) -> Mat3 {
    Mat3::from_cols(Vec3::new(0.0, v.z, -v.y), Vec3::new(-v.z, 0.0, v.x), Vec3::new(v.y, -v.x, 0.0))
}

/// The derivative of the logarithm: `log(exp(δ) · exp(v)) ≈ v + Jl⁻¹(v) δ`.
pub(crate) fn inverse_left_jacobian(v: Vec3) -> Mat3 {
    let angle_squared = v.length_squared();
    let cross = cross_matrix(v);
    let factor = if angle_squared < 1.0e-4 {
        // 1/θ² − (1 + cos θ) / (2 θ sin θ) as a series.
        1.0 / 12.0 + angle_squared / 720.0
    } else {
        let angle = angle_squared.sqrt();
        let half = 0.5 * angle;
        let (s, c) = half.sin_cos();
        (1.0 - half * c / s.max(TINY)) / angle_squared
    };
    Mat3::IDENTITY - cross * 0.5 + cross * cross * factor
}
