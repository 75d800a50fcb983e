//! Anderson acceleration of a sweep (Anderson 1965; Walker & Ni 2011).
//!
//! A sweep is a map g from poses to poses whose fixed point is the answer;
//! repeating it is a linear, often slow, approach. Anderson's method keeps the
//! last few residuals f = g(x) − x, finds the combination of them that is
//! smallest, and takes the same combination of the poses: for a nearly linear
//! map that is a Krylov method, and dozens of sweeps become a few.
//!
//! Poses are not vectors. The differences that the method works with are
//! rotation vectors of the joints' turns from one pose to the next; close to
//! the answer, where acceleration matters, they add up like vectors. Further
//! away the combination may be worse than the sweep itself, and is then dropped
//! by the caller, who compares the errors.

use alloc::vec::Vec;

use crate::linalg;
use crate::math::*;
use crate::pose::Pose;
use crate::skeleton::{JointId, Skeleton};

/// How many differences are kept: more finds better combinations and costs
/// more; past five or so the oldest are stale.
const DEPTH: usize = 5;

/// The history of sweeps.
#[derive(Debug, Clone)]
pub(super) struct Momentum {
    joints: Vec<JointId>,
    /// Differences of residuals and of swept poses, a row each, newest last.
    residual_steps: Vec<Vec<Vec3>>,
    swept_steps: Vec<Vec<Vec3>>,
    residual: Vec<Vec3>,
    last_residual: Vec<Vec3>,
    last_swept: Pose,
    /// Rows in use, and whether there is a last sweep at all.
    rows: usize,
    started: bool,
}

impl Momentum {
    pub(super) fn new(skeleton: &Skeleton, joints: impl Iterator<Item = JointId>) -> Self {
        let joints: Vec<JointId> = joints.collect();
        // A turn and a shift for each joint.
        let zero = alloc::vec![Vec3::ZERO; 2 * joints.len()];
        Self {
            joints,
            residual_steps: alloc::vec![zero.clone(); DEPTH],
            swept_steps: alloc::vec![zero.clone(); DEPTH],
            residual: zero.clone(),
            last_residual: zero,
            last_swept: Pose::rest(skeleton),
            rows: 0,
            started: false,
        }
    }

    /// Forgets everything; the next sweep starts a new history.
    pub(super) fn reset(&mut self) {
        self.rows = 0;
        self.started = false;
    }

    /// Takes in a sweep from `before` to `swept`, and writes the pose to go on
    /// from into `next`, within limits. `false` as long as there is no history.
    pub(super) fn advance(
        &mut self,
        skeleton: &Skeleton,
        before: &Pose,
        swept: &Pose,
        next: &mut Pose,
    ) -> bool {
        difference(&self.joints, before, swept, &mut self.residual);
        if self.started {
            let row = if self.rows < DEPTH {
                self.rows += 1;
                self.rows - 1
            } else {
                self.residual_steps.rotate_left(1);
                self.swept_steps.rotate_left(1);
                DEPTH - 1
            };
            for (step, (now, last)) in
                self.residual_steps[row].iter_mut().zip(self.residual.iter().zip(&self.last_residual))
            {
                *step = *now - *last;
            }
            difference(&self.joints, &self.last_swept, swept, &mut self.swept_steps[row]);
        }
        self.last_residual.copy_from_slice(&self.residual);
        self.last_swept.copy_from(swept);
        self.started = true;
        if self.rows == 0 {
            return false;
        }
        let share = self.best_combination();
        next.copy_from(swept);
        for (k, &id) in self.joints.iter().enumerate() {
            let (mut turn, mut shift) = (Vec3::ZERO, Vec3::ZERO);
            for (row, &amount) in self.swept_steps[..self.rows].iter().zip(&share) {
                turn -= row[2 * k] * amount;
                shift -= row[2 * k + 1] * amount;
            }
            if turn == Vec3::ZERO && shift == Vec3::ZERO {
                continue;
            }
            let joint = skeleton.joint(id);
            // A step of more than a radian has left where poses are like vectors.
            let turn = turn * (1.0 / turn.length().max(1.0));
            let moved = (swept.rotation(id) * rotation::exp(turn)).normalize();
            next.set_rotation(id, joint.project(moved));
            next.set_translation(id, joint.project_translation(swept.translation(id) + shift));
        }
        true
    }

    /// The amounts γ that make ‖f − Σ γᵢ Δfᵢ‖ least.
    fn best_combination(&self) -> [Real; DEPTH] {
        let mut normal = [[0.0; DEPTH]; DEPTH];
        let mut right = [0.0; DEPTH];
        let dot = |a: &[Vec3], b: &[Vec3]| a.iter().zip(b).map(|(x, y)| x.dot(*y)).sum::<Real>();
        for i in 0..self.rows {
            for j in 0..=i {
                let value = dot(&self.residual_steps[i], &self.residual_steps[j]);
                normal[i][j] = value;
                normal[j][i] = value;
            }
            right[i] = dot(&self.residual_steps[i], &self.residual);
            // Nearly parallel rows would cancel each other with huge amounts.
            normal[i][i] *= 1.0 + 1.0e-4;
            normal[i][i] += TINY;
        }
        for i in self.rows..DEPTH {
            normal[i][i] = 1.0;
        }
        linalg::solve_positive(&mut normal, &mut right);
        right
    }
}

/// The turn and the shift of every joint from one pose to another.
fn difference(joints: &[JointId], from: &Pose, to: &Pose, out: &mut [Vec3]) {
    for (k, &id) in joints.iter().enumerate() {
        out[2 * k] = rotation::log(from.rotation(id).conjugate() * to.rotation(id));
        out[2 * k + 1] = to.translation(id) - from.translation(id);
    }
}
