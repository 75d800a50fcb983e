//! A solver of one's own: implement `GoalSolver` and it stands beside the built-in ones, with the
//! same limits, the same report and the same way to be called.
//!
//! cargo run -p sinew --example own_solver

#![allow(clippy::print_stdout, clippy::unwrap_used)] // an example may do both

use sinew::error::RigError;
use sinew::math::rotation;
use sinew::report::Tolerance;
use sinew::{
    Cause, Goal, GoalSet, GoalSolver, JointId, ModelPose, Pose, Skeleton, SolveReport, Status, Vec3, rigs,
};

/// Turns one joint at a time by ever smaller angles and keeps what helps (pattern search).
struct PatternSearch {
    joints: Vec<JointId>,
    /// Everything is allocated here, so that `solve` need not.
    model: ModelPose,
    report: SolveReport,
}

impl PatternSearch {
    fn new(skeleton: &Skeleton, goals: &GoalSet) -> Result<Self, RigError> {
        goals.check(skeleton)?;
        let moves = |id: &JointId| {
            let above_a_goal = |goal: &Goal| skeleton.is_ancestor(*id, goal.effector.joint);
            skeleton.joint(*id).kind().turns() && goals.as_slice().iter().any(above_a_goal)
        };
        let joints = skeleton.ids().filter(moves).collect();
        Ok(Self { joints, model: ModelPose::rest(skeleton), report: SolveReport::for_goals(goals.len()) })
    }

    /// Measures the goals by forward kinematics and gives back their error.
    fn error(&mut self, skeleton: &Skeleton, goals: &GoalSet, pose: &Pose) -> f32 {
        self.model.update(skeleton, pose);
        let worst = self.report.measure(goals, &self.model, Tolerance::default());
        self.report.status = if worst.is_none() { Status::Reached } else { Status::NotReached };
        self.report.cause = worst.map(|goal| Cause::Stalled { goal });
        self.report.position_error() + self.report.orientation_error()
    }
}

impl GoalSolver for PatternSearch {
    fn solve_until(
        &mut self,
        skeleton: &Skeleton,
        goals: &GoalSet,
        pose: &mut Pose,
        expired: &mut dyn FnMut() -> bool,
    ) -> &SolveReport {
        let mut step = 0.5;
        let mut best = self.error(skeleton, goals, pose);
        self.report.iterations = 0;
        while step > 1e-6 && self.report.status != Status::Reached && !expired() {
            self.report.iterations += 1;
            let before = best;
            for i in 0..self.joints.len() {
                let joint = self.joints[i];
                for axis in [Vec3::X, Vec3::Y, Vec3::Z, -Vec3::X, -Vec3::Y, -Vec3::Z] {
                    let was = pose.rotation(joint);
                    // Limits are the joint's business: `project` is the nearest allowed rotation.
                    let turned = (was * rotation::about(axis, step)).normalize();
                    pose.set_rotation(joint, skeleton.joint(joint).project(turned));
                    let now = self.error(skeleton, goals, pose);
                    if now < best {
                        best = now;
                    } else {
                        pose.set_rotation(joint, was);
                    }
                }
            }
            if best == before {
                step *= 0.5;
            }
        }
        self.error(skeleton, goals, pose);
        &self.report
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let human = rigs::humanoid(Default::default());
    let wrist = human.find("r_wrist").expect("the rig has a wrist");
    let goals = GoalSet::from_iter([Goal::position(wrist, Vec3::new(-0.35, 1.1, 0.4))]);
    let mut pose = Pose::rest(&human);
    let mut solver = PatternSearch::new(&human, &goals)?;
    let report = solver.solve(&human, &goals, &mut pose);
    println!("{} after {} rounds, {:.6} m off", report.status, report.iterations, report.position_error());
    assert!(report.reached());
    assert!(pose.worst_violation(&human).is_none(), "within every limit");
    Ok(())
}
