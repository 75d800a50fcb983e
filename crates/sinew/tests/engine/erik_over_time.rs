//! ERIK over time: what is followed, and what is free to go where it likes meanwhile.

use sinew::rigs::{self, ErikRobot};
use sinew::solver::erik::{Erik, ErikOptions};
use sinew::{Goal, Pose, Quat, Real, Target};

/// Joints whose part in a look is small twitched where others came to a stop and they took over, since the
/// posture drew them as far as the target left them free to go, within one frame.
#[test]
fn what_the_target_leaves_free_goes_back_to_the_posture_gently() {
    let skeleton = rigs::erik(ErikRobot::G);
    let head = [Goal::orientation(skeleton.find("endpoint").unwrap(), Quat::IDENTITY)];
    let bent = |angles: [Real; 8]| {
        let mut pose = Pose::rest(&skeleton);
        pose.set_coordinates(&skeleton, &angles).unwrap();
        pose
    };
    let posture = bent([0.0, 0.5, 0.3, -0.9, 0.0, -0.4, 0.2, 0.0]);
    let other = bent([0.0, -0.2, 0.3, 0.6, 0.0, 0.5, -0.3, 0.0]);
    let target = [Target::Orientation(Quat::from_rotation_y(0.8) * Quat::from_rotation_x(1.2))];
    let solver =
        |ease: Real| Erik::new(&skeleton, &head, ErikOptions { ease, ..ErikOptions::following() }).unwrap();
    // Looks there in another shape.
    let mut start = Pose::rest(&skeleton);
    solver(0.0).solve_afresh(&skeleton, &other, &target, &mut start);
    let way = |from: &Pose, to: &Pose| {
        let turns = skeleton.ids().map(|id| from.rotation(id).angle_between(to.rotation(id)));
        turns.fold(0.0, Real::max)
    };
    let mut at_once = start.clone();
    solver(0.0).solve(&skeleton, &posture, &target, &mut at_once);
    assert!(way(&start, &at_once) > 0.5, "{}", way(&start, &at_once));
    let mut gently = solver(9.0);
    let (mut pose, mut most) = (start.clone(), 0.0);
    for _ in 0..90 {
        let before = pose.clone();
        let report = gently.solve(&skeleton, &posture, &target, &mut pose);
        assert!(report.errors.orientation < 0.003, "{report}");
        most = way(&before, &pose).max(most);
    }
    assert!(most < 0.3 * way(&start, &at_once), "{most}");
    assert!(way(&pose, &at_once) < 0.05, "{}", way(&pose, &at_once));
    // A posture that moves is kept up with: it is what is led back to that is gentle.
    let moved = bent([0.0, 0.6, 0.3, -0.8, 0.0, -0.4, 0.2, 0.0]);
    solver(0.0).solve(&skeleton, &moved, &target, &mut at_once);
    gently.solve(&skeleton, &moved, &target, &mut pose);
    assert!(way(&pose, &at_once) < 0.08, "{}", way(&pose, &at_once));
}
