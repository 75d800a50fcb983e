//! Slumped, with head and shoulders hanging.

use super::design::Design;

/// How a tired character stands.
pub(super) const TIRED_STANCE: Design = Design::at(0.0, -90.0)
    .spine(24.0, 2.0, 0.0)
    .pelvis(-6.0, 0.0)
    .hips(0.02, -0.01, 0.0)
    .head(26.0, 0.0)
    .collarbone(-5.0, 8.0)
    .other_arm(12.0, 3.0, 8.0);

/// The first four are the outer keys, in the order of [`PLAIN`](super::plain::PLAIN).
pub(super) const TIRED: &[Design] = &[
    Design::at(180.0, -45.0).spine(26.0, 2.0, -8.0).head(28.0, 8.0).other_arm(12.0, 3.0, 8.0),
    Design::at(180.0, -45.0)
        .spine(28.0, 8.0, -16.0)
        .pelvis(0.0, -8.0)
        .head(28.0, 16.0)
        .other_arm(14.0, 3.0, 8.0),
    Design::at(180.0, 45.0).spine(18.0, -2.0, -8.0).head(16.0, 8.0).other_arm(10.0, 3.0, 8.0),
    Design::at(180.0, 45.0)
        .spine(18.0, 0.0, -16.0)
        .pelvis(0.0, -8.0)
        .head(16.0, 14.0)
        .other_arm(10.0, 3.0, 8.0),
    Design::at(0.0, 0.0)
        .spine(46.0, 4.0, 14.0)
        .pelvis(8.0, 4.0)
        .hips(0.03, 0.03, 0.0)
        .head(14.0, 0.0)
        .collarbone(-6.0, 14.0)
        .other_arm(38.0, 3.0, 8.0)
        .swivel(-6.0),
    Design::at(-55.0, 0.0)
        .spine(40.0, -4.0, 28.0)
        .pelvis(6.0, 8.0)
        .hips(0.03, 0.02, 0.0)
        .head(18.0, -10.0)
        .collarbone(-5.0, 18.0)
        .other_arm(30.0, 4.0, 8.0)
        .swivel(-6.0),
    Design::at(75.0, 0.0)
        .spine(30.0, 24.0, -8.0)
        .pelvis(0.0, -4.0)
        .hips(0.02, 0.0, 0.05)
        .head(22.0, 16.0)
        .collarbone(-4.0, 2.0)
        .other_arm(26.0, 6.0, 8.0),
    Design::at(125.0, -5.0)
        .spine(30.0, 12.0, -30.0)
        .pelvis(0.0, -14.0)
        .head(24.0, 22.0)
        .collarbone(-4.0, -10.0)
        .other_arm(30.0, 4.0, 8.0),
    Design::at(0.0, -42.0)
        .spine(62.0, 6.0, 10.0)
        .pelvis(26.0, 2.0)
        .hips(0.04, 0.07, 0.0)
        .head(16.0, 0.0)
        .collarbone(-8.0, 12.0)
        .other_arm(66.0, 3.0, 8.0),
    Design::at(-50.0, -42.0)
        .spine(56.0, -2.0, 24.0)
        .pelvis(20.0, 8.0)
        .hips(0.04, 0.06, 0.0)
        .head(18.0, -10.0)
        .collarbone(-6.0, 16.0)
        .other_arm(52.0, 5.0, 8.0),
    Design::at(75.0, -45.0)
        .spine(38.0, 34.0, -4.0)
        .pelvis(10.0, -4.0)
        .hips(0.05, 0.04, 0.05)
        .head(22.0, 14.0)
        .collarbone(-8.0, 2.0)
        .other_arm(36.0, 8.0, 8.0),
    Design::at(0.0, -72.0)
        .spine(74.0, 6.0, 8.0)
        .pelvis(58.0, 2.0)
        .hips(0.10, 0.15, 0.0)
        .head(14.0, 0.0)
        .collarbone(-8.0, 10.0)
        .other_arm(88.0, 4.0, 8.0),
    Design::at(100.0, -72.0)
        .spine(52.0, 32.0, 0.0)
        .pelvis(26.0, -4.0)
        .hips(0.11, 0.09, 0.03)
        .head(18.0, 8.0)
        .collarbone(-8.0, 0.0)
        .other_arm(58.0, 6.0, 8.0),
    Design::at(0.0, -90.0)
        .spine(64.0, 20.0, 4.0)
        .pelvis(44.0, 0.0)
        .hips(0.10, 0.12, 0.02)
        .head(16.0, 4.0)
        .collarbone(-8.0, 4.0)
        .other_arm(76.0, 5.0, 8.0),
    Design::at(5.0, 45.0)
        .spine(22.0, -6.0, 14.0)
        .pelvis(2.0, 4.0)
        .head(4.0, 2.0)
        .collarbone(14.0, 8.0)
        .other_arm(18.0, 3.0, 8.0)
        .swivel(-8.0),
    Design::at(-50.0, 45.0)
        .spine(20.0, -8.0, 26.0)
        .pelvis(2.0, 8.0)
        .head(6.0, -8.0)
        .collarbone(14.0, 12.0)
        .other_arm(16.0, 4.0, 8.0),
    Design::at(85.0, 45.0)
        .spine(16.0, 6.0, -8.0)
        .head(6.0, 14.0)
        .collarbone(14.0, -2.0)
        .other_arm(14.0, 4.0, 8.0),
    Design::at(20.0, 80.0)
        .spine(10.0, -14.0, 6.0)
        .head(0.0, 4.0)
        .collarbone(26.0, 0.0)
        .other_arm(8.0, 4.0, 8.0),
];
