//! How the walker is steered.

use sinew::body::walk::WalkInput;
use sinew::math::Real;

use crate::sample;

/// The time at the end in which the walker may come to a stand.
const STOPPING: f64 = 2.5;

/// A kind of input: the walks in it are measured together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Full speed ahead.
    Straight,
    /// On an arc to either side.
    Arcs,
    /// Full speed and nothing in turns.
    StopAndGo,
    /// Speed and turn change at random, every 0.1 to 0.8 s, from nothing to full.
    Random,
}

impl Kind {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Straight, Self::Arcs, Self::StopAndGo, Self::Random];

    /// Its name in tables.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Straight => "straight",
            Self::Arcs => "arcs",
            Self::StopAndGo => "stop and go",
            Self::Random => "random sticks",
        }
    }

    /// The walks of this kind: frame by frame, so many seconds at this rate.
    pub fn walks(self, (seconds, rate): (f64, f64), (sticks, seed): (u64, u64)) -> Vec<Vec<WalkInput>> {
        let frames = |steer: &mut dyn FnMut(f64) -> (Real, Real)| -> Vec<WalkInput> {
            let count = (seconds * rate).round() as usize;
            (0..count)
                .map(|frame| {
                    let time = frame as f64 / rate;
                    let (speed, turn) = steer(time);
                    if time < seconds - STOPPING { stick(speed, turn) } else { WalkInput::default() }
                })
                .collect()
        };
        match self {
            Self::Straight => vec![frames(&mut |_| (1.0, 0.0))],
            Self::Arcs => [0.4, -0.4].map(|turn| frames(&mut |_| (1.0, turn))).into(),
            Self::StopAndGo => {
                vec![frames(&mut |time| {
                    (if ((time / 1.5) as u64).is_multiple_of(2) { 1.0 } else { 0.0 }, 0.0)
                })]
            }
            Self::Random => {
                (seed..seed.saturating_add(sticks)).map(|seed| frames(&mut wiggle(seed))).collect()
            }
        }
    }
}

/// A stick that stands so.
pub fn stick(speed: Real, turn: Real) -> WalkInput {
    let mut input = WalkInput::default();
    (input.speed, input.turn) = (speed, turn);
    input
}

/// A hand that wiggles the stick: asked at times that grow.
fn wiggle(seed: u64) -> impl FnMut(f64) -> (Real, Real) {
    let mut random = sample::generator(seed);
    let (mut until, mut held) = (0.0, (0.0, 0.0));
    move |time| {
        while time >= until {
            let mut one_of = |choices: [Option<Real>; 5], low: f64| {
                let chosen = choices[(sample::between(&mut random, 0.0, 5.0) as usize).min(4)];
                chosen.unwrap_or_else(|| sample::between(&mut random, low, 1.0))
            };
            held = (
                one_of([Some(0.0), Some(0.3), Some(0.7), Some(1.0), None], 0.0),
                one_of([Some(0.0), Some(0.0), Some(-1.0), Some(1.0), None], -1.0),
            );
            until += f64::from(sample::between(&mut random, 0.1, 0.8));
        }
        held
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_random_stick_is_the_same_for_a_seed_and_lets_go_at_the_end() {
        let walks = Kind::Random.walks((8.0, 60.0), (2, 3));
        assert_eq!(walks, Kind::Random.walks((8.0, 60.0), (2, 3)));
        assert_ne!(walks[0], walks[1]);
        for walk in walks {
            let (driven, left) = walk.split_at(((8.0 - STOPPING) * 60.0) as usize);
            assert!(left.iter().all(|input| *input == WalkInput::default()));
            let changes = driven.windows(2).filter(|w| w[0] != w[1]).count();
            assert!((4..60).contains(&changes), "{changes}");
        }
    }
}
