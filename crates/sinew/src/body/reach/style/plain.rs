//! Leans, turns and sinks towards the goal.

use super::design::Design;

/// The first four are the outer keys: low across, low outwards, high across, high
/// outwards, all of them behind the body.
pub(super) const PLAIN: &[Design] = &[
    Design::at(180.0, -45.0).spine(4.0, 4.0, -22.0).pelvis(4.0, -8.0).head(5.0, 25.0),
    Design::at(180.0, -45.0).spine(8.0, 12.0, -32.0).pelvis(4.0, -14.0).head(8.0, 40.0),
    Design::at(180.0, 45.0)
        .spine(-4.0, -4.0, -22.0)
        .pelvis(0.0, -8.0)
        .head(-10.0, 25.0)
        .collarbone(15.0, -8.0),
    Design::at(180.0, 45.0)
        .spine(-6.0, 0.0, -32.0)
        .pelvis(0.0, -14.0)
        .head(-12.0, 40.0)
        .collarbone(15.0, -10.0),
    // Level: ahead, across, to the side, behind the side.
    Design::at(0.0, 0.0)
        .spine(26.0, 0.0, 22.0)
        .pelvis(12.0, 8.0)
        .hips(0.03, 0.03, 0.0)
        .head(-20.0, 0.0)
        .collarbone(3.0, 16.0)
        .other_arm(18.0, 6.0, 18.0),
    Design::at(-55.0, 0.0)
        .spine(18.0, -6.0, 40.0)
        .pelvis(8.0, 16.0)
        .hips(0.02, 0.02, 0.0)
        .head(-12.0, -28.0)
        .collarbone(3.0, 22.0)
        .other_arm(6.0, 14.0, 22.0),
    Design::at(75.0, 0.0)
        .spine(6.0, 26.0, -10.0)
        .pelvis(2.0, -6.0)
        .hips(0.02, 0.0, 0.05)
        .head(-4.0, 45.0)
        .collarbone(6.0, 0.0)
        .other_arm(6.0, 18.0, 16.0),
    Design::at(125.0, -5.0)
        .spine(4.0, 12.0, -42.0)
        .pelvis(2.0, -18.0)
        .hips(0.02, 0.0, 0.02)
        .head(2.0, 60.0)
        .collarbone(3.0, -16.0)
        .other_arm(24.0, 6.0, 26.0),
    // Low: the hips go back and down, the knees bend.
    Design::at(0.0, -42.0)
        .spine(38.0, 4.0, 18.0)
        .pelvis(30.0, 6.0)
        .hips(0.09, 0.10, 0.0)
        .head(-24.0, 0.0)
        .collarbone(-3.0, 12.0)
        .other_arm(56.0, 6.0, 14.0),
    Design::at(-50.0, -42.0)
        .spine(36.0, -4.0, 36.0)
        .pelvis(22.0, 14.0)
        .hips(0.07, 0.08, 0.0)
        .head(-10.0, -22.0)
        .collarbone(-2.0, 18.0)
        .other_arm(44.0, 14.0, 18.0),
    Design::at(75.0, -45.0)
        .spine(16.0, 34.0, -6.0)
        .pelvis(10.0, -4.0)
        .hips(0.07, 0.04, 0.05)
        .head(4.0, 38.0)
        .collarbone(-4.0, 2.0)
        .other_arm(22.0, 24.0, 18.0),
    Design::at(0.0, -72.0)
        .spine(52.0, 6.0, 14.0)
        .pelvis(58.0, 4.0)
        .hips(0.26, 0.19, 0.0)
        .head(-26.0, 0.0)
        .collarbone(-4.0, 10.0)
        .other_arm(84.0, 8.0, 16.0),
    Design::at(100.0, -72.0)
        .spine(30.0, 34.0, 0.0)
        .pelvis(24.0, -4.0)
        .hips(0.14, 0.11, 0.03)
        .head(0.0, 24.0)
        .collarbone(-5.0, 0.0)
        .other_arm(46.0, 18.0, 18.0),
    // Beside the leg, where the hand hangs: nothing until it has to go lower.
    Design::at(0.0, -90.0)
        .spine(42.0, 22.0, 6.0)
        .pelvis(44.0, 0.0)
        .hips(0.22, 0.16, 0.02)
        .head(-16.0, 10.0)
        .collarbone(-5.0, 4.0)
        .other_arm(66.0, 14.0, 16.0),
    // High: the shoulder goes up, the trunk stretches away from it.
    Design::at(5.0, 45.0)
        .spine(6.0, -6.0, 16.0)
        .pelvis(4.0, 6.0)
        .head(-24.0, 4.0)
        .collarbone(24.0, 8.0)
        .other_arm(6.0, 8.0, 14.0),
    Design::at(-50.0, 45.0)
        .spine(4.0, -8.0, 34.0)
        .pelvis(2.0, 12.0)
        .head(-22.0, -20.0)
        .collarbone(22.0, 14.0)
        .other_arm(2.0, 10.0, 16.0),
    Design::at(85.0, 45.0)
        .spine(-2.0, 8.0, -10.0)
        .pelvis(0.0, -4.0)
        .head(-22.0, 38.0)
        .collarbone(24.0, -4.0)
        .other_arm(4.0, 10.0, 14.0),
    Design::at(20.0, 80.0)
        .spine(-6.0, -14.0, 6.0)
        .head(-30.0, 8.0)
        .collarbone(34.0, 0.0)
        .other_arm(0.0, 8.0, 10.0),
];
