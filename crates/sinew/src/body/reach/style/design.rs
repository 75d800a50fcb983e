//! What a behaviour asks of a body in one direction, in words of anatomy.

use crate::body::reach::values::{DistanceWeight, KeyValues, SearchValues};
use crate::math::*;

/// What a body does for goals in one direction. Angles in degrees.
#[derive(Debug, Clone, Copy)]
pub(super) struct Design {
    pub outwards: Real,
    pub up: Real,
    /// The spine: forwards, to the arm's side, and the arm's shoulder forwards.
    pub bend: Real,
    pub lean: Real,
    pub turn: Real,
    /// The pelvis: forwards, and the arm's hip forwards.
    pub bow: Real,
    pub pivot: Real,
    /// The hips: down, back and to the arm's side, in shares of the leg's length.
    pub sink: Real,
    pub back: Real,
    pub shift: Real,
    /// Neck and head: forwards (down), and to the arm's side.
    pub nod: Real,
    pub look: Real,
    /// The arm's collarbone: up and forwards.
    pub lift: Real,
    pub reach: Real,
    /// The other arm: forwards, to its side, and the elbow's bend.
    pub swing: Real,
    pub spread: Real,
    pub fold: Real,
    /// The arm's preferred swivel.
    pub swivel: Real,
}

impl Design {
    pub const fn at(outwards: Real, up: Real) -> Self {
        Self {
            outwards,
            up,
            bend: 0.0,
            lean: 0.0,
            turn: 0.0,
            bow: 0.0,
            pivot: 0.0,
            sink: 0.0,
            back: 0.0,
            shift: 0.0,
            nod: 0.0,
            look: 0.0,
            lift: 0.0,
            reach: 0.0,
            swing: 0.0,
            spread: 4.0,
            fold: 12.0,
            swivel: 0.0,
        }
    }

    pub const fn spine(self, bend: Real, lean: Real, turn: Real) -> Self {
        Self { bend, lean, turn, ..self }
    }
    pub const fn pelvis(self, bow: Real, pivot: Real) -> Self {
        Self { bow, pivot, ..self }
    }
    pub const fn hips(self, sink: Real, back: Real, shift: Real) -> Self {
        Self { sink, back, shift, ..self }
    }
    pub const fn head(self, nod: Real, look: Real) -> Self {
        Self { nod, look, ..self }
    }
    pub const fn collarbone(self, lift: Real, reach: Real) -> Self {
        Self { lift, reach, ..self }
    }
    pub const fn other_arm(self, swing: Real, spread: Real, fold: Real) -> Self {
        Self { swing, spread, fold, ..self }
    }
    pub const fn swivel(self, swivel: Real) -> Self {
        Self { swivel, ..self }
    }

    /// What the arm can reach alone should not need a bow, least of all below the
    /// shoulder, where the hand hangs: the lower, the later the body takes part.
    pub fn values(&self) -> KeyValues {
        let low = (-self.up / 70.0).clamp(0.0, 1.0);
        KeyValues {
            search: SearchValues { swivel: self.swivel.to_radians(), ..SearchValues::default() },
            weight: DistanceWeight {
                start: 0.35 + 0.67 * low,
                full: 1.55 + 0.6 * low,
                stretch: 0.96 + 0.04 * low,
            },
        }
    }
}
