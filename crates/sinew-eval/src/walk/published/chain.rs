//! A leg of the paper's character and the solver that moves it, as they are written.
//!
//! A joint is up to three angles about axes of its own, each cropped at its bounds (step 6) and weighted by
//! how much of a step it takes ("Weights on the IK chain"). There is no damping, no bound on a step and no
//! way round singular matrices: what the error test (Eq. 1.7) and the ceilings do not catch stays. A step that
//! is no number is not taken, and ends the solve.

use sinew::math::{Quat, Real, Vec3, rotation};

use super::arithmetic::{fault, halved, inverse3, inverse6, pseudo, square, stepped, times};

/// The ceilings of the paper for outer and inner loops.
pub const OUTER: u32 = 200;
const INNER: u32 = 20;
/// What the paper leaves open: the error of the pseudo-inverse that is let pass, and how near is near enough,
/// in metres and radians.
const FAULT: Real = 1.0e-3;
pub const NEAR: (Real, Real) = (1.0e-3, 1.0e-2);
/// The most angles of a chain.
const MOST: usize = 8;

/// An angle of a joint.
#[derive(Debug, Clone, Copy)]
pub struct Angle {
    axis: Vec3,
    bounds: (Real, Real),
    /// How much of a step it takes: 1 all of it, 0 nothing.
    pub weight: Real,
    pub value: Real,
}

impl Angle {
    /// Between two angles in degrees.
    pub fn new(axis: Vec3, low: Real, high: Real) -> Self {
        Self { axis, bounds: (low.to_radians(), high.to_radians()), weight: 1.0, value: 0.0 }
    }

    /// Sets it, cropped at its bounds.
    pub fn set(&mut self, value: Real) {
        self.value = value.max(self.bounds.0).min(self.bounds.1);
    }
}

/// A joint: where it is from the one before at rest, and which angles it has.
#[derive(Debug, Clone)]
pub struct Link {
    pub offset: Vec3,
    pub angles: std::ops::Range<usize>,
}

/// Joints from the body to the toes. At rest no frame is turned.
#[derive(Debug, Clone)]
pub struct Chain {
    pub links: Vec<Link>,
    pub angles: Vec<Angle>,
}

/// What is brought where: a point of a link to a place, with six rows also turned so.
#[derive(Debug, Clone, Copy)]
pub struct Task {
    pub link: usize,
    pub point: Vec3,
    pub place: Vec3,
    /// `None` is the half Jacobian.
    pub turn: Option<Quat>,
}

/// What a solve took.
#[derive(Debug, Clone, Copy, Default)]
pub struct Effort {
    pub iterations: u32,
    pub halvings: u32,
}

/// Where the links are.
struct Frames {
    turns: [Quat; MOST],
    places: [Vec3; MOST],
    /// The axes of the angles in model space, and where they are.
    axes: [(Vec3, Vec3); MOST],
}

impl Chain {
    /// The local turn of a link.
    pub fn turn(&self, link: usize) -> Quat {
        let own = &self.angles[self.links[link].angles.clone()];
        own.iter().fold(Quat::IDENTITY, |turn, a| turn * rotation::about(a.axis, a.value))
    }

    fn frames(&self, base: (Vec3, Quat)) -> Frames {
        let mut frames = Frames {
            turns: [Quat::IDENTITY; MOST],
            places: [Vec3::ZERO; MOST],
            axes: [(Vec3::ZERO, Vec3::ZERO); MOST],
        };
        let (mut place, mut turn) = base;
        for (i, link) in self.links.iter().enumerate() {
            place += turn * link.offset;
            for k in link.angles.clone() {
                let angle = &self.angles[k];
                frames.axes[k] = (turn * angle.axis, place);
                turn = (turn * rotation::about(angle.axis, angle.value)).normalize();
            }
            (frames.places[i], frames.turns[i]) = (place, turn);
        }
        frames
    }

    /// Where a point of a link is, and how the link is turned.
    pub fn point(&self, base: (Vec3, Quat), link: usize, point: Vec3) -> (Vec3, Quat) {
        let frames = self.frames(base);
        (frames.places[link] + frames.turns[link] * point, frames.turns[link])
    }

    /// The seven steps, until it is near enough or the ceiling is reached; the nearest that was seen stays.
    pub fn solve(&mut self, base: (Vec3, Quat), task: Task) -> Effort {
        let mut effort = Effort::default();
        let mut best = (Real::INFINITY, [0.0; MOST]);
        let count = self.links[task.link].angles.end;
        loop {
            let frames = self.frames(base);
            let turn = frames.turns[task.link];
            let at = frames.places[task.link] + turn * task.point;
            let missing = task.place - at;
            let turned = task.turn.map_or(Vec3::ZERO, |wanted| rotation::log(wanted * turn.conjugate()));
            let error = missing.length() + turned.length();
            if error < best.0 {
                best.0 = error;
                for (kept, angle) in best.1.iter_mut().zip(&self.angles) {
                    *kept = angle.value;
                }
            }
            let near = missing.length() <= NEAR.0 && turned.length() <= NEAR.1;
            if near || effort.iterations >= OUTER || !error.is_finite() {
                break;
            }
            effort.iterations += 1;
            let linear = |k: usize| frames.axes[k].0.cross(at - frames.axes[k].1) * self.angles[k].weight;
            let done = match task.turn {
                None => {
                    let mut columns = [[0.0; 3]; MOST];
                    (0..count).for_each(|k| columns[k] = linear(k).to_array());
                    self.step(&columns[..count], missing.to_array(), inverse3, &mut effort)
                }
                Some(_) => {
                    let mut columns = [[0.0; 6]; MOST];
                    for (k, column) in columns[..count].iter_mut().enumerate() {
                        *column = six(linear(k), frames.axes[k].0 * self.angles[k].weight);
                    }
                    self.step(&columns[..count], six(missing, turned), inverse6, &mut effort)
                }
            };
            if !done {
                break;
            }
        }
        if best.0.is_finite() {
            for (angle, kept) in self.angles.iter_mut().zip(best.1) {
                angle.value = kept;
            }
        }
        effort
    }

    /// Steps 3 to 6; whether there was a step.
    fn step<const M: usize>(
        &mut self,
        jacobian: &[[Real; M]],
        mut missing: [Real; M],
        invert: fn(&[[Real; M]; M]) -> [[Real; M]; M],
        effort: &mut Effort,
    ) -> bool {
        let mut plus = [[0.0; M]; MOST];
        pseudo(jacobian, &invert(&square(jacobian)), &mut plus[..jacobian.len()]);
        let wrong = fault(jacobian, &plus[..jacobian.len()]);
        for _ in 0..INNER {
            let error: Real = times(&wrong, &missing).iter().map(|x| x * x).sum();
            if error <= FAULT * FAULT {
                break;
            }
            missing = halved(&missing);
            effort.halvings += 1;
        }
        let step =
            |(angle, plus): (&Angle, &[Real; M])| angle.value + angle.weight * stepped(0.0, plus, &missing);
        if !self.angles.iter().zip(&plus[..jacobian.len()]).map(step).all(Real::is_finite) {
            return false;
        }
        for (angle, plus) in self.angles.iter_mut().zip(&plus[..jacobian.len()]) {
            let value = step((&*angle, plus));
            angle.set(value);
        }
        true
    }
}

fn six(a: Vec3, b: Vec3) -> [Real; 6] {
    [a.x, a.y, a.z, b.x, b.y, b.z]
}
