//! Square to the goal, the other hand comes along.

use super::design::Design;

/// The first four are the outer keys, in the order of [`PLAIN`](super::plain::PLAIN).
pub(super) const TWO_HANDED: &[Design] = &[
    Design::at(180.0, -45.0)
        .spine(6.0, 0.0, -30.0)
        .pelvis(4.0, -16.0)
        .head(6.0, 30.0)
        .other_arm(45.0, 4.0, 45.0),
    Design::at(180.0, -45.0)
        .spine(8.0, 0.0, -40.0)
        .pelvis(4.0, -22.0)
        .head(8.0, 45.0)
        .other_arm(45.0, 4.0, 45.0),
    Design::at(180.0, 45.0)
        .spine(-4.0, 0.0, -30.0)
        .pelvis(0.0, -16.0)
        .head(-8.0, 30.0)
        .other_arm(60.0, 4.0, 45.0),
    Design::at(180.0, 45.0)
        .spine(-4.0, 0.0, -40.0)
        .pelvis(0.0, -22.0)
        .head(-8.0, 45.0)
        .other_arm(60.0, 4.0, 45.0),
    Design::at(-8.0, 0.0)
        .spine(34.0, 0.0, 0.0)
        .pelvis(18.0, 0.0)
        .hips(0.04, 0.06, 0.0)
        .head(-26.0, 0.0)
        .collarbone(2.0, 18.0)
        .other_arm(110.0, 2.0, 10.0),
    Design::at(-60.0, 0.0)
        .spine(26.0, 0.0, 34.0)
        .pelvis(12.0, 18.0)
        .hips(0.03, 0.04, 0.0)
        .head(-18.0, -22.0)
        .collarbone(2.0, 18.0)
        .other_arm(90.0, 6.0, 20.0),
    Design::at(55.0, 0.0)
        .spine(22.0, 0.0, -36.0)
        .pelvis(10.0, -20.0)
        .hips(0.03, 0.03, 0.0)
        .head(-14.0, 26.0)
        .collarbone(3.0, 6.0)
        .other_arm(95.0, -20.0, 20.0),
    Design::at(120.0, 0.0)
        .spine(10.0, 0.0, -50.0)
        .pelvis(4.0, -30.0)
        .hips(0.02, 0.02, 0.0)
        .head(-4.0, 45.0)
        .collarbone(3.0, -6.0)
        .other_arm(80.0, -25.0, 30.0),
    Design::at(-8.0, -42.0)
        .spine(42.0, 0.0, 0.0)
        .pelvis(34.0, 0.0)
        .hips(0.11, 0.12, 0.0)
        .head(-22.0, 0.0)
        .collarbone(-3.0, 14.0)
        .other_arm(80.0, 2.0, 10.0),
    Design::at(-55.0, -42.0)
        .spine(38.0, 0.0, 30.0)
        .pelvis(26.0, 16.0)
        .hips(0.09, 0.10, 0.0)
        .head(-16.0, -18.0)
        .collarbone(-2.0, 14.0)
        .other_arm(70.0, 6.0, 16.0),
    Design::at(55.0, -42.0)
        .spine(36.0, 0.0, -30.0)
        .pelvis(24.0, -16.0)
        .hips(0.09, 0.09, 0.0)
        .head(-12.0, 20.0)
        .collarbone(-2.0, 6.0)
        .other_arm(72.0, -14.0, 16.0),
    Design::at(0.0, -72.0)
        .spine(54.0, 0.0, 0.0)
        .pelvis(60.0, 0.0)
        .hips(0.26, 0.19, 0.0)
        .head(-20.0, 0.0)
        .collarbone(-4.0, 12.0)
        .other_arm(75.0, 2.0, 10.0),
    Design::at(100.0, -72.0)
        .spine(36.0, 0.0, -26.0)
        .pelvis(34.0, -16.0)
        .hips(0.15, 0.13, 0.0)
        .head(-8.0, 18.0)
        .collarbone(-4.0, 2.0)
        .other_arm(60.0, -12.0, 18.0),
    Design::at(0.0, -90.0)
        .spine(46.0, 0.0, -12.0)
        .pelvis(48.0, -8.0)
        .hips(0.22, 0.16, 0.0)
        .head(-14.0, 9.0)
        .collarbone(-4.0, 6.0)
        .other_arm(68.0, -4.0, 14.0),
    Design::at(-8.0, 45.0)
        .spine(6.0, 0.0, 0.0)
        .pelvis(6.0, 0.0)
        .head(-26.0, 0.0)
        .collarbone(24.0, 8.0)
        .other_arm(140.0, 4.0, 14.0),
    Design::at(-55.0, 45.0)
        .spine(4.0, 0.0, 30.0)
        .pelvis(4.0, 14.0)
        .head(-22.0, -18.0)
        .collarbone(22.0, 8.0)
        .other_arm(125.0, 6.0, 18.0),
    Design::at(60.0, 45.0)
        .spine(2.0, 0.0, -30.0)
        .pelvis(2.0, -16.0)
        .head(-22.0, 22.0)
        .collarbone(24.0, 0.0)
        .other_arm(125.0, -14.0, 18.0),
    Design::at(10.0, 80.0)
        .spine(-8.0, 0.0, 0.0)
        .head(-32.0, 0.0)
        .collarbone(32.0, 0.0)
        .other_arm(150.0, 6.0, 16.0),
];
