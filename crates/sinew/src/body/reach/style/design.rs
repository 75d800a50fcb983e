//! What the behaviours that come with sinew do, as tables: a row for each direction of the goal.

use crate::body::reach::KeyValues;
use crate::math::*;

/// One direction and what the body does there: the fields of [`Design`] in their order, angles in
/// degrees and the hips' way in hundredths of the leg's length.
type Row = [i16; 18];

/// Leans, turns and sinks towards the goal. The first four rows are the outer keys: low across, low
/// outwards, high across, high outwards, all of them behind the body.
pub(super) const PLAIN: [Row; 18] = [
    [180, -45, 4, 4, -22, 4, -8, 0, 0, 0, 5, 25, 0, 0, 0, 4, 12, 0],
    [180, -45, 8, 12, -32, 4, -14, 0, 0, 0, 8, 40, 0, 0, 0, 4, 12, 0],
    [180, 45, -4, -4, -22, 0, -8, 0, 0, 0, -10, 25, 15, -8, 0, 4, 12, 0],
    [180, 45, -6, 0, -32, 0, -14, 0, 0, 0, -12, 40, 15, -10, 0, 4, 12, 0],
    // Level: ahead, across, to the side, behind the side.
    [0, 0, 26, 0, 22, 12, 8, 3, 3, 0, -20, 0, 3, 16, 18, 6, 18, 0],
    [-55, 0, 18, -6, 40, 8, 16, 2, 2, 0, -12, -28, 3, 22, 6, 14, 22, 0],
    [75, 0, 6, 26, -10, 2, -6, 2, 0, 5, -4, 45, 6, 0, 6, 18, 16, 0],
    [125, -5, 4, 12, -42, 2, -18, 2, 0, 2, 2, 60, 3, -16, 24, 6, 26, 0],
    // Low: the hips go back and down, the knees bend.
    [0, -42, 38, 4, 18, 30, 6, 9, 10, 0, -24, 0, -3, 12, 56, 6, 14, 0],
    [-50, -42, 36, -4, 36, 22, 14, 7, 8, 0, -10, -22, -2, 18, 44, 14, 18, 0],
    [75, -45, 16, 34, -6, 10, -4, 7, 4, 5, 4, 38, -4, 2, 22, 24, 18, 0],
    [0, -72, 52, 6, 14, 58, 4, 26, 19, 0, -26, 0, -4, 10, 84, 8, 16, 0],
    [100, -72, 30, 34, 0, 24, -4, 14, 11, 3, 0, 24, -5, 0, 46, 18, 18, 0],
    // Beside the leg, where the hand hangs: nothing until it has to go lower.
    [0, -90, 42, 22, 6, 44, 0, 22, 16, 2, -16, 10, -5, 4, 66, 14, 16, 0],
    // High: the shoulder goes up, the trunk stretches away from it.
    [5, 45, 6, -6, 16, 4, 6, 0, 0, 0, -24, 4, 24, 8, 6, 8, 14, 0],
    [-50, 45, 4, -8, 34, 2, 12, 0, 0, 0, -22, -20, 22, 14, 2, 10, 16, 0],
    [85, 45, -2, 8, -10, 0, -4, 0, 0, 0, -22, 38, 24, -4, 4, 10, 14, 0],
    [20, 80, -6, -14, 6, 0, 0, 0, 0, 0, -30, 8, 34, 0, 0, 8, 10, 0],
];

/// Slumped, with head and shoulders hanging.
pub(super) const TIRED: [Row; 18] = [
    [180, -45, 26, 2, -8, 0, 0, 0, 0, 0, 28, 8, 0, 0, 12, 3, 8, 0],
    [180, -45, 28, 8, -16, 0, -8, 0, 0, 0, 28, 16, 0, 0, 14, 3, 8, 0],
    [180, 45, 18, -2, -8, 0, 0, 0, 0, 0, 16, 8, 0, 0, 10, 3, 8, 0],
    [180, 45, 18, 0, -16, 0, -8, 0, 0, 0, 16, 14, 0, 0, 10, 3, 8, 0],
    [0, 0, 46, 4, 14, 8, 4, 3, 3, 0, 14, 0, -6, 14, 38, 3, 8, -6],
    [-55, 0, 40, -4, 28, 6, 8, 3, 2, 0, 18, -10, -5, 18, 30, 4, 8, -6],
    [75, 0, 30, 24, -8, 0, -4, 2, 0, 5, 22, 16, -4, 2, 26, 6, 8, 0],
    [125, -5, 30, 12, -30, 0, -14, 0, 0, 0, 24, 22, -4, -10, 30, 4, 8, 0],
    [0, -42, 62, 6, 10, 26, 2, 4, 7, 0, 16, 0, -8, 12, 66, 3, 8, 0],
    [-50, -42, 56, -2, 24, 20, 8, 4, 6, 0, 18, -10, -6, 16, 52, 5, 8, 0],
    [75, -45, 38, 34, -4, 10, -4, 5, 4, 5, 22, 14, -8, 2, 36, 8, 8, 0],
    [0, -72, 74, 6, 8, 58, 2, 10, 15, 0, 14, 0, -8, 10, 88, 4, 8, 0],
    [100, -72, 52, 32, 0, 26, -4, 11, 9, 3, 18, 8, -8, 0, 58, 6, 8, 0],
    [0, -90, 64, 20, 4, 44, 0, 10, 12, 2, 16, 4, -8, 4, 76, 5, 8, 0],
    [5, 45, 22, -6, 14, 2, 4, 0, 0, 0, 4, 2, 14, 8, 18, 3, 8, -8],
    [-50, 45, 20, -8, 26, 2, 8, 0, 0, 0, 6, -8, 14, 12, 16, 4, 8, 0],
    [85, 45, 16, 6, -8, 0, 0, 0, 0, 0, 6, 14, 14, -2, 14, 4, 8, 0],
    [20, 80, 10, -14, 6, 0, 0, 0, 0, 0, 0, 4, 26, 0, 8, 4, 8, 0],
];

/// How a tired character stands.
pub(super) const TIRED_STANCE: Row = [0, -90, 24, 2, 0, -6, 0, 2, -1, 0, 26, 0, -5, 8, 12, 3, 8, 0];

/// How arms hang beside a character that stands.
pub(super) const STANDING: Row = [0, -90, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 10, 10, 0];

/// Square to the goal, the other hand comes along.
pub(super) const TWO_HANDED: [Row; 18] = [
    [180, -45, 6, 0, -30, 4, -16, 0, 0, 0, 6, 30, 0, 0, 45, 4, 45, 0],
    [180, -45, 8, 0, -40, 4, -22, 0, 0, 0, 8, 45, 0, 0, 45, 4, 45, 0],
    [180, 45, -4, 0, -30, 0, -16, 0, 0, 0, -8, 30, 0, 0, 60, 4, 45, 0],
    [180, 45, -4, 0, -40, 0, -22, 0, 0, 0, -8, 45, 0, 0, 60, 4, 45, 0],
    [-8, 0, 34, 0, 0, 18, 0, 4, 6, 0, -26, 0, 2, 18, 110, 2, 10, 0],
    [-60, 0, 26, 0, 34, 12, 18, 3, 4, 0, -18, -22, 2, 18, 90, 6, 20, 0],
    [55, 0, 22, 0, -36, 10, -20, 3, 3, 0, -14, 26, 3, 6, 95, -20, 20, 0],
    [120, 0, 10, 0, -50, 4, -30, 2, 2, 0, -4, 45, 3, -6, 80, -25, 30, 0],
    [-8, -42, 42, 0, 0, 34, 0, 11, 12, 0, -22, 0, -3, 14, 80, 2, 10, 0],
    [-55, -42, 38, 0, 30, 26, 16, 9, 10, 0, -16, -18, -2, 14, 70, 6, 16, 0],
    [55, -42, 36, 0, -30, 24, -16, 9, 9, 0, -12, 20, -2, 6, 72, -14, 16, 0],
    [0, -72, 54, 0, 0, 60, 0, 26, 19, 0, -20, 0, -4, 12, 75, 2, 10, 0],
    [100, -72, 36, 0, -26, 34, -16, 15, 13, 0, -8, 18, -4, 2, 60, -12, 18, 0],
    [0, -90, 46, 0, -12, 48, -8, 22, 16, 0, -14, 9, -4, 6, 68, -4, 14, 0],
    [-8, 45, 6, 0, 0, 6, 0, 0, 0, 0, -26, 0, 24, 8, 140, 4, 14, 0],
    [-55, 45, 4, 0, 30, 4, 14, 0, 0, 0, -22, -18, 22, 8, 125, 6, 18, 0],
    [60, 45, 2, 0, -30, 2, -16, 0, 0, 0, -22, 22, 24, 0, 125, -14, 18, 0],
    [10, 80, -8, 0, 0, 0, 0, 0, 0, 0, -32, 0, 32, 0, 150, 6, 16, 0],
];

/// What a body does for goals in one direction. Angles in degrees.
#[derive(Debug, Clone, Copy)]
pub(super) struct Design {
    /// The direction: to the arm's own side of straight ahead, and up.
    pub direction: [Real; 2],
    /// Forwards, to the arm's side, and the arm's shoulder forwards.
    pub spine: [Real; 3],
    /// Forwards, and the arm's hip forwards.
    pub pelvis: [Real; 2],
    /// Down, back and to the arm's side, in shares of the leg's length.
    pub hips: [Real; 3],
    /// Neck and head: forwards (down), and to the arm's side.
    pub head: [Real; 2],
    /// The arm's own: up and forwards.
    pub collarbone: [Real; 2],
    /// Forwards, to its side, and the elbow's bend.
    pub other_arm: [Real; 3],
    /// The arm's preferred swivel.
    pub swivel: Real,
}

impl Design {
    pub fn new(row: &Row) -> Self {
        let [o, u, s0, s1, s2, p0, p1, h0, h1, h2, n0, n1, c0, c1, a0, a1, a2, swivel] = row.map(Real::from);
        Self {
            direction: [o, u],
            spine: [s0, s1, s2],
            pelvis: [p0, p1],
            hips: [h0, h1, h2].map(|way| way / 100.0),
            head: [n0, n1],
            collarbone: [c0, c1],
            other_arm: [a0, a1, a2],
            swivel,
        }
    }

    /// What the arm can reach alone should not need a bow, least of all below the
    /// shoulder, where the hand hangs: the lower, the later the body takes part.
    pub fn values(&self) -> KeyValues {
        let low = (-self.direction[1] / 70.0).clamp(0.0, 1.0);
        KeyValues {
            swivel: self.swivel.to_radians(),
            start: 0.35 + 0.67 * low,
            full: 1.55 + 0.6 * low,
            stretch: 0.96 + 0.04 * low,
            ..KeyValues::default()
        }
    }
}
