//! Round what is in the way: RRT-connect (Kuffner & LaValle 2000) over the part of the straight way,
//! an offset of the hands from it, the elbows' swivel angles and the body's share; then shortcuts and
//! rounded corners.

use alloc::vec::Vec;

use super::planner::{Blocked, JUMP, KNOTS, Place, Planner, Way, largest_turn};
use super::posture::End;
use crate::body::reach::motion::minimum_jerk;
use crate::math::random::Random;
use crate::math::*;
use crate::pose::Pose;

/// How long a branch is, and how far apart tests on it are, in the metres of [`apart`](Planner::apart).
const BRANCH: Real = 0.12;
const STEP: Real = 0.03;
/// What a radian of swivel and the whole of the body's share count as, in metres.
const SWIVEL: Real = 0.12;
const BODY: Real = 0.3;
/// How far from its line a hand is sought, in arm's lengths.
const WIDE: Real = 0.7;
/// Trees that are this near have met.
const MEET: Real = 1.0e-3;
const SHORTCUTS: usize = 160;
/// How often corners are cut (Chaikin 1974).
const CUTS: usize = 4;

/// A point of the search's space.
#[derive(Debug, Clone, Copy)]
struct Point {
    part: Real,
    offset: Vec3,
    swivels: [Real; 2],
    body: Real,
}

impl Point {
    fn towards(&self, other: &Self, t: Real) -> Self {
        let swivel = |i: usize| self.swivels[i] + wrap_angle(other.swivels[i] - self.swivels[i]) * t;
        Self {
            part: self.part + (other.part - self.part) * t,
            offset: self.offset.lerp(other.offset, t),
            swivels: [swivel(0), swivel(1)],
            body: self.body + (other.body - self.body) * t,
        }
    }
}

struct Tree {
    points: Vec<Point>,
    before: Vec<usize>,
}

impl Tree {
    fn way_to(&self, mut at: usize) -> Vec<Point> {
        let mut way = alloc::vec![self.points[at]];
        while self.before[at] != at {
            at = self.before[at];
            way.push(self.points[at]);
        }
        way
    }
}

impl Planner<'_> {
    /// A way round what is in the way to an end posture.
    pub fn detour(&mut self, end: &End) -> Option<Way> {
        let modes: &[bool] = if self.is_oriented() { &[true, false] } else { &[false] };
        modes.iter().find_map(|&oriented| {
            let mut random = Random(self.options.seed);
            let rough = self.search(end, oriented, &mut random)?;
            let short = self.shorten(end, oriented, rough, &mut random);
            let round = rounded(&short);
            self.walk(end, oriented, &round).or_else(|| self.walk(end, oriented, &short))
        })
    }

    fn place_of(&self, point: &Point, oriented: bool) -> Place {
        let mut place = self.on_line(point.part, oriented);
        for hand in &mut place.hands {
            hand.position += point.offset;
        }
        Place { swivels: point.swivels, body: point.body, ..place }
    }

    /// How far two points are apart, in metres of the hands' way.
    fn apart(&self, a: &Point, b: &Point) -> Real {
        let mut most: Real = 0.0;
        for &side in &self.sides {
            let line = self.to[side].position - self.from[side].translation;
            let way = line * (b.part - a.part) + b.offset - a.offset;
            most = most.max(way.length() + SWIVEL * wrap_angle(b.swivels[side] - a.swivels[side]).abs());
        }
        most + BODY * (b.body - a.body).abs()
    }

    /// Whether the whole way between two points is free, the pose of the first being given.
    /// Limits may keep the elbows from the angles asked for; the point that is returned has those
    /// that they stand at.
    fn is_free(
        &mut self,
        end: &End,
        a: &Point,
        from: &Pose,
        b: &Point,
        oriented: bool,
    ) -> Result<(Point, Pose), Blocked> {
        let steps = (self.apart(a, b) / STEP).ceil().max(1.0) as usize;
        let (mut last, mut found) = (from.clone(), *b);
        for i in 1..=steps {
            let point = a.towards(b, i as Real / steps as Real);
            let place = self.place_of(&point, oriented);
            self.place(&end.pose, &place)?;
            if largest_turn(&last, &self.pose) > JUMP {
                return Err(Blocked::Jumps);
            }
            last.copy_from(&self.pose);
            found = Point { swivels: self.swivels(&place), ..point };
        }
        Ok((found, last))
    }

    fn search(&mut self, end: &End, oriented: bool, random: &mut Random) -> Option<Vec<Point>> {
        let start = Point { part: 0.0, offset: Vec3::ZERO, swivels: self.first, body: 0.0 };
        let goal = Point { part: 1.0, offset: Vec3::ZERO, swivels: end.swivels, body: 1.0 };
        let side = *self.sides.first()?;
        // An orientation that is not asked for on the way is right at one angle alone.
        let fixed = self.is_oriented() && !oriented || self.sides.len() > 1;
        let mut goals = alloc::vec![goal];
        if !fixed {
            for &angle in end.free.iter().filter(|angle| **angle != end.swivels[side]) {
                let mut other = goal;
                other.swivels[side] = angle;
                goals.push(other);
            }
        }
        let mut trees = [alloc::vec![start], goals].map(|points| {
            let before = (0..points.len()).collect();
            Tree { points, before }
        });
        let mut poses: [Vec<Pose>; 2] = [Vec::new(), Vec::new()];
        for (tree, poses) in trees.iter_mut().zip(&mut poses) {
            let mut i = 0;
            while i < tree.points.len() {
                let place = self.place_of(&tree.points[i], oriented);
                if self.place(&end.pose, &place).is_ok() {
                    poses.push(self.pose.clone());
                    i += 1;
                } else {
                    tree.points.remove(i);
                    tree.before.pop();
                }
            }
            if tree.points.is_empty() {
                return None;
            }
        }
        let reach = self.arms[side].as_ref()?.reach().1;
        for sample in 0..self.options.samples as usize {
            let part = random.unit();
            let near = random.unit() < 0.5;
            let body = if near { (part + random.between(-0.2, 0.2)).clamp(0.0, 1.0) } else { random.unit() };
            let offset = random.vector(WIDE * reach) * random.unit();
            let around = random.unit() < 0.5;
            let swivels = [0, 1].map(|i| match around {
                true => random.between(-PI, PI),
                false => {
                    let turn = wrap_angle(goal.swivels[i] - start.swivels[i]);
                    start.swivels[i] + turn * part + random.between(-0.6, 0.6)
                }
            });
            let drawn = Point { part, offset, swivels, body };
            let (this, other) = (sample % 2, 1 - sample % 2);
            let Some(new) = self.extend(end, oriented, &mut trees[this], &mut poses[this], &drawn) else {
                continue;
            };
            let aim = trees[this].points[new];
            // The other tree goes on towards it as long as it can.
            let mut left = Real::INFINITY;
            while let Some(at) = self.extend(end, oriented, &mut trees[other], &mut poses[other], &aim) {
                let now = self.apart(&trees[other].points[at], &aim);
                // Limits may keep an elbow from going on.
                if now > left - MEET {
                    break;
                }
                left = now;
                if now < MEET {
                    let turn = largest_turn(&poses[other][at], &poses[this][new]);
                    if turn > JUMP {
                        break;
                    }
                    let (first, second) = if this == 0 { (new, at) } else { (at, new) };
                    let mut way = trees[0].way_to(first);
                    way.reverse();
                    way.extend(trees[1].way_to(second).into_iter().skip(1));
                    return Some(way);
                }
            }
        }
        None
    }

    /// Grows a tree by a branch towards a point; the new point's number.
    fn extend(
        &mut self,
        end: &End,
        oriented: bool,
        tree: &mut Tree,
        poses: &mut Vec<Pose>,
        to: &Point,
    ) -> Option<usize> {
        let (nearest, way) = tree
            .points
            .iter()
            .enumerate()
            .map(|(i, point)| (i, self.apart(point, to)))
            .min_by(|a, b| a.1.total_cmp(&b.1))?;
        if way < 1.0e-6 {
            return None;
        }
        let from = tree.points[nearest];
        let point = if way <= BRANCH { *to } else { from.towards(to, BRANCH / way) };
        let pose = poses[nearest].clone();
        match self.is_free(end, &from, &pose, &point, oriented) {
            Ok((point, pose)) => {
                tree.points.push(point);
                tree.before.push(nearest);
                poses.push(pose);
                Some(tree.points.len() - 1)
            }
            Err(blocked) => {
                self.note(blocked);
                None
            }
        }
    }

    /// Replaces pieces of a way by straight ones where these are free.
    fn shorten(&mut self, end: &End, oriented: bool, mut way: Vec<Point>, random: &mut Random) -> Vec<Point> {
        for _ in 0..SHORTCUTS {
            if way.len() < 3 {
                break;
            }
            let pieces = way.len() - 1;
            let at = |t: Real| {
                let i = (t as usize).min(pieces - 1);
                (i, way[i].towards(&way[i + 1], t - i as Real))
            };
            let (a, b) = (random.unit() * pieces as Real, random.unit() * pieces as Real);
            let ((i, p), (j, q)) = (at(a.min(b)), at(a.max(b)));
            if i == j {
                continue;
            }
            let direct = self.apart(&p, &q);
            let along = self.apart(&p, &way[i + 1])
                + way[i + 1..=j].windows(2).map(|pair| self.apart(&pair[0], &pair[1])).sum::<Real>()
                + self.apart(&way[j], &q);
            if direct > along - 1.0e-3 {
                continue;
            }
            let place = self.place_of(&p, oriented);
            if self.place(&end.pose, &place).is_err() {
                continue;
            }
            let pose = self.pose.clone();
            if self.is_free(end, &p, &pose, &q, oriented).is_ok() {
                way.splice(i + 1..=j, [p, q]);
            }
        }
        way
    }

    /// Goes along a way by the law of least jerk, if every step of it is free.
    fn walk(&mut self, end: &End, oriented: bool, way: &[Point]) -> Option<Way> {
        let mut marks = Vec::with_capacity(way.len());
        let mut total = 0.0;
        marks.push(0.0);
        for pair in way.windows(2) {
            total += self.apart(&pair[0], &pair[1]);
            marks.push(total);
        }
        if total.is_nan() || total <= TINY {
            return None;
        }
        // A knot for every centimetre where it is fastest.
        let count = ((total * 190.0) as usize).clamp(KNOTS, 4 * KNOTS);
        let mut i = 0;
        let places: Vec<Place> = (0..=count)
            .map(|k| {
                let at = total * minimum_jerk(k as Real / count as Real);
                while i + 2 < marks.len() && marks[i + 1] < at {
                    i += 1;
                }
                let length = (marks[i + 1] - marks[i]).max(TINY);
                let point = way[i].towards(&way[i + 1], ((at - marks[i]) / length).clamp(0.0, 1.0));
                self.place_of(&point, oriented)
            })
            .collect();
        let knots = self.follow(&end.pose, &places).map_err(|(_, blocked)| self.note(blocked)).ok()?;
        Some(Way { knots, places, straight: false })
    }
}

/// The way with its corners cut.
fn rounded(way: &[Point]) -> Vec<Point> {
    let mut way = way.to_vec();
    for _ in 0..CUTS {
        let mut next = Vec::with_capacity(2 * way.len());
        next.extend(way.first());
        for (i, pair) in way.windows(2).enumerate() {
            if i > 0 {
                next.push(pair[0].towards(&pair[1], 0.25));
            }
            if i + 2 < way.len() {
                next.push(pair[0].towards(&pair[1], 0.75));
            }
        }
        next.extend(way.last());
        way = next;
    }
    way
}
