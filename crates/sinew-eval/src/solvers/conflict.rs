//! Goals that exclude each other.
//!
//! Both wrists of the humanoid are pulled outwards, further than the arms
//! reach, while pelvis and ankles should stay. The targets stand still for many
//! frames. A calm solver comes to rest and its error never rises on the way
//! (undulation is what EWBIK's section 11 speaks of); a fair one splits what is
//! left of the error as the weights say: to settle, the pulls `weight² × error`
//! of the two hands must balance.

use sinew::math::Real;
use sinew::{Goal, GoalSet, ModelPose, Pose, Skeleton, SolverSpec, Vec3};

use crate::table::{Cell, Table};

/// How many frames the targets stand still.
pub const FRAMES: usize = 120;

/// Runs every solver with equal and with unequal weights. `tick` is called
/// after each solver.
pub fn run(solvers: &[SolverSpec], skeleton: &Skeleton, mut tick: impl FnMut()) -> Table {
    let mut table = Table::new(
        format!("Both wrists pulled apart beyond reach on {}", skeleton.name()),
        &[
            "solver",
            "largest rise of the error %",
            "still moving at the end °",
            "left mm (1:1)",
            "right mm (1:1)",
            "left mm (2:1)",
            "right mm (2:1)",
        ],
    );
    for spec in solvers {
        let (Some(even), Some(uneven)) = (pull(*spec, skeleton, 1.0), pull(*spec, skeleton, 2.0)) else {
            table.row(vec![spec.name().into(), "cannot honour these goals".into()]);
            continue;
        };
        table.row(vec![
            spec.name().into(),
            Cell::number(100.0 * even.rise.max(uneven.rise), 4),
            Cell::number(even.moving.max(uneven.moving).to_degrees(), 4),
            Cell::number(even.errors.0 * 1.0e3, 1),
            Cell::number(even.errors.1 * 1.0e3, 1),
            Cell::number(uneven.errors.0 * 1.0e3, 1),
            Cell::number(uneven.errors.1 * 1.0e3, 1),
        ]);
        tick();
    }
    table.note(format!(
        "{FRAMES} frames with still targets, each from the pose before; weights left:right as in the heads"
    ));
    table.note("rise: of the weighted squared error from one frame to the next, in parts of itself");
    table
}

/// What came of one pull.
#[derive(Debug, Clone, Copy)]
pub struct Pull {
    /// The largest rise of the weighted error between frames, relative.
    pub rise: f64,
    /// The largest turn of any joint over the last ten frames, in radians.
    pub moving: f64,
    /// How far the left and the right wrist stay from their targets, in metres.
    pub errors: (f64, f64),
}

/// Pulls with this weight on the left wrist against one on the right; `None`
/// if the solver refuses the goals or the rig has no such joints.
pub fn pull(spec: SolverSpec, skeleton: &Skeleton, left_weight: Real) -> Option<Pull> {
    let rest = ModelPose::rest(skeleton);
    let find = |name: &str| skeleton.find(name);
    let stay = |name: &str| find(name).map(|j| Goal::pose(j, rest.transform(j)));
    let away = |name: &str, side: Real| {
        find(name).map(|j| {
            let shoulder = rest.position(j);
            Goal::position(j, Vec3::new(side * 1.6, shoulder.y + 0.7, 0.2))
        })
    };
    let mut goals = GoalSet::new();
    let left = goals.add(away("l_wrist", 1.0)?.weights(left_weight, 0.0));
    let right = goals.add(away("r_wrist", -1.0)?);
    for name in ["l_ankle", "r_ankle"] {
        goals.add(stay(name)?);
    }
    // Frame after frame from the pose before: nobody looks elsewhere.
    let mut solver = spec.following().build(skeleton, &goals).ok()?;
    let mut pose = Pose::rest(skeleton);
    let cost = |pose: &Pose| -> f64 {
        let model = ModelPose::new(skeleton, pose);
        goals.as_slice().iter().map(|g| f64::from(g.squared_error(g.effector.transform(&model)))).sum()
    };
    let (mut last, mut rise, mut moving) = (f64::INFINITY, 0.0f64, 0.0f64);
    let mut errors = (0.0, 0.0);
    for frame in 0..FRAMES {
        let before = pose.clone();
        let report = solver.solve(skeleton, &goals, &mut pose);
        errors = (
            f64::from(report.residuals[left.index()].position),
            f64::from(report.residuals[right.index()].position),
        );
        let now = cost(&pose);
        if last.is_finite() {
            rise = rise.max((now - last) / last.max(1.0e-12));
        }
        last = now;
        if frame + 10 >= FRAMES {
            let turn = skeleton
                .ids()
                .map(|j| {
                    f64::from(sinew::math::rotation::angle(before.rotation(j).conjugate() * pose.rotation(j)))
                })
                .fold(0.0, f64::max);
            moving = moving.max(turn);
        }
    }
    Some(Pull { rise, moving, errors })
}
