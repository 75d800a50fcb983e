// What the static library without std runs (xtask/no-std), and the test no_std.rs with it.
// Included where `sinew` names the engine at one precision.

use sinew::analytic::{Limb, Swivel};
use sinew::body::reach::{ReachOptions, ReachSolver, Style};
use sinew::body::six_point::{Point, SixPoint, SixPointOptions};
use sinew::skeleton::humanoid::{HumanoidMap, Side};
use sinew::{Goal, GoalSet, JointDef, ModelPose, Pose, SkeletonBuilder, SolverSpec, Target, Vec3, rigs};

/// Builds a skeleton and solves with every family of solvers; the error is the number of
/// the step that failed.
pub fn story() -> Result<(), i32> {
    let mut builder = SkeletonBuilder::new("arm");
    let shoulder = builder.add(JointDef::new("shoulder"));
    let elbow =
        builder.add(JointDef::new("elbow").under(shoulder).at(Vec3::X * 0.3).hinge_range(Vec3::Y, -2.5, 0.0));
    builder.add(JointDef::new("hand").under(elbow).at(Vec3::X * 0.3));
    let arm = builder.build().map_err(|_| 1)?;
    let hand = arm.find("hand").ok_or(2)?;
    let goals = GoalSet::from_iter([Goal::position(hand, Vec3::new(0.2, 0.3, 0.1))]);
    for spec in SolverSpec::all() {
        let mut pose = Pose::rest(&arm);
        let Ok(mut solver) = spec.build(&arm, &goals) else { return Err(3) };
        let report = solver.solve(&arm, &goals, &mut pose);
        if !pose.is_finite() || spec.name() == "robust" && !report.reached() {
            return Err(4);
        }
    }

    let human = rigs::humanoid(rigs::SwingModel::Ellipse);
    let map = HumanoidMap::find(&human);
    let mut pose = Pose::rest(&human);
    let model = ModelPose::rest(&human);
    let limb = Limb::arm(&human, &map, Side::Right).map_err(|_| 5)?;
    let goal = Target::Position(Vec3::new(-0.3, 1.2, 0.35));
    if !limb.solve(&human, &model, &goal, Swivel::default(), &mut pose).reached() {
        return Err(6);
    }

    let mut body = SixPoint::new(&human, &map, SixPointOptions::default()).map_err(|_| 7)?;
    let wrist = body.joint(Point::Wrist(Side::Left)).ok_or(8)?;
    let raised = model.position(wrist) + Vec3::new(-0.1, 0.4, 0.3);
    let points = body.points_of(&model).with(Point::Wrist(Side::Left), raised);
    if !body.solve(&human, &points, 1.0 / 60.0, &mut pose).arm(Side::Left).reached() {
        return Err(9);
    }

    let rest = Pose::rest(&human);
    let mut solver = ReachSolver::new(&human, &map, &rest, ReachOptions::default()).map_err(|_| 10)?;
    let style = Style::Plain.behaviour(&human, &map, Side::Right).ok_or(11)?;
    solver.set_behaviour(style).map_err(|_| 12)?;
    let targets = [(Side::Right, Target::Position(Vec3::new(-0.2, 0.7, 0.6)))];
    if solver.solve(&human, &targets, 1.0 / 60.0, &mut pose).reached() { Ok(()) } else { Err(13) }
}
