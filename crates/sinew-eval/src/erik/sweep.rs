//! Postures and orientations.
//!
//! The paper sweeps the range of every joint but the twists at both ends, and
//! yaw, pitch and roll over [−π, π], and combines them; its grids are not
//! given. Here both come from the same lattice, steps of five degrees with the
//! ends included, so that the angles where things go wrong (0, ±90°, ±180°) are
//! met; of all combinations a random part is taken, from a seed.
//!
//! The text leaves two readings of the third angle, see [`Reading`]; both are run.

use rand::{Rng, RngExt};
use serde::{Deserialize, Serialize};
use sinew::math::{Quat, Real};
use sinew::rigs::ErikRobot;
use sinew::{Pose, Skeleton};

use crate::sample::generator;

/// What the third angle of an orientation turns about, after yaw about y and pitch about x.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reading {
    /// About z: the "Yaw-Pitch-Roll composition" of the text.
    #[default]
    Roll,
    /// About the axis that the end point points along, which Fig. 9 suggests: variously twisted
    /// orientations in the same direction. Targets crowd at the poles; the weighted posture error
    /// alone is then at least 0.0210 on robot C by a search from many starts.
    Twist,
}

/// Degrees between neighbours of the lattice.
const STEP: f64 = 5.0;

/// The orientations of a run, and its postures.
#[derive(Debug, Clone)]
pub struct Sweep {
    seed: u64,
    /// The same for every posture.
    pub orientations: Vec<Quat>,
}

/// An angle of the lattice in [−half, half].
fn lattice(random: &mut impl Rng, half: f64) -> Real {
    let steps = (2.0 * half.to_degrees() / STEP).round().max(1.0) as u32;
    let step = random.random_range(0..=steps);
    (half * (2.0 * f64::from(step) / f64::from(steps) - 1.0)) as Real
}

impl Sweep {
    /// Draws the orientations.
    pub fn new(seed: u64, orientations: usize, reading: Reading) -> Self {
        let mut random = generator(mix(seed, u64::MAX));
        let half = std::f64::consts::PI;
        let orientations = (0..orientations)
            .map(|_| {
                let [yaw, pitch, roll] = [(); 3].map(|()| lattice(&mut random, half));
                let last = match reading {
                    Reading::Roll => Quat::from_rotation_z(roll),
                    // The robots point along y.
                    Reading::Twist => Quat::from_rotation_y(roll),
                };
                Quat::from_rotation_y(yaw) * Quat::from_rotation_x(pitch) * last
            })
            .collect();
        Self { seed, orientations }
    }

    /// A posture of a robot, the same whatever else is run.
    pub fn posture(&self, robot: ErikRobot, skeleton: &Skeleton, index: usize) -> Pose {
        let mut random = generator(mix(self.seed, (robot as u64) << 32 | index as u64));
        let count = robot.axes().len();
        let mut angles = vec![0.0; count];
        for (i, angle) in angles.iter_mut().enumerate() {
            // The twists at the root and at the end point do not change the shape.
            if i > 0 && i + 1 < count {
                *angle = lattice(&mut random, f64::from(robot.range()));
            }
        }
        let mut pose = Pose::rest(skeleton);
        // The robots are chains of hinges, so there are as many angles as joints that turn.
        let _ = pose.set_coordinates(skeleton, &angles);
        pose
    }
}

/// One seed from two numbers.
fn mix(seed: u64, other: u64) -> u64 {
    let mut z = seed ^ other.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_posture_does_not_depend_on_what_else_is_run_and_holds_the_ends() {
        let robot = ErikRobot::C;
        let skeleton = sinew::rigs::erik(robot);
        let (one, other) = (Sweep::new(3, 10, Reading::Roll), Sweep::new(3, 500, Reading::Roll));
        assert_eq!(one.posture(robot, &skeleton, 17), other.posture(robot, &skeleton, 17));
        assert_eq!(one.orientations[..], other.orientations[..10]);
        assert_ne!(
            one.posture(robot, &skeleton, 17),
            Sweep::new(4, 10, Reading::Roll).posture(robot, &skeleton, 17)
        );
        let (mut least, mut most) = (0.0, 0.0);
        for i in 0..400 {
            let mut angles = [0.0; 5];
            one.posture(robot, &skeleton, i).to_coordinates(&skeleton, &mut angles).unwrap();
            assert_eq!((angles[0], angles[4]), (0.0, 0.0));
            least = angles[2].min(least);
            most = angles[2].max(most);
        }
        assert!((most - robot.range()).abs() < 1e-5 && (least + robot.range()).abs() < 1e-5);
    }
}
