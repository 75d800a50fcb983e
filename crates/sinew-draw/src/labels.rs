//! Names beside joints, where they fit without covering anything.

use crate::canvas::Px;
use crate::text;

/// A rectangle on the page.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Area {
    pub left: f64,
    pub top: f64,
    pub right: f64,
    pub bottom: f64,
}

impl Area {
    pub(crate) fn around(at: Px, half: Px) -> Self {
        Self { left: at.0 - half.0, right: at.0 + half.0, top: at.1 - half.1, bottom: at.1 + half.1 }
    }

    fn meets(&self, other: &Self) -> bool {
        self.left < other.right
            && other.left < self.right
            && self.top < other.bottom
            && other.top < self.bottom
    }

    fn within(&self, other: &Self) -> bool {
        self.left >= other.left
            && self.right <= other.right
            && self.top >= other.top
            && self.bottom <= other.bottom
    }

    fn middle(&self) -> Px {
        (0.5 * (self.left + self.right), 0.5 * (self.top + self.bottom))
    }

    /// Whether a line from `a` to `b` passes through (Liang and Barsky's clipping).
    fn meets_line(&self, a: Px, b: Px) -> bool {
        let (dx, dy) = (b.0 - a.0, b.1 - a.1);
        let (mut from, mut to) = (0.0_f64, 1.0_f64);
        for (p, q) in
            [(-dx, a.0 - self.left), (dx, self.right - a.0), (-dy, a.1 - self.top), (dy, self.bottom - a.1)]
        {
            if p == 0.0 {
                if q < 0.0 {
                    return false;
                }
            } else if p < 0.0 {
                from = from.max(q / p);
            } else {
                to = to.min(q / p);
            }
        }
        from <= to
    }
}

/// Where a name came to stand.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Placed {
    /// The middle of the text's baseline.
    pub baseline: Px,
    /// A line from the joint to the text, if they are apart.
    pub leader: Option<(Px, Px)>,
}

/// Keeps what is taken on a panel.
#[derive(Debug, Clone)]
pub(crate) struct Placer {
    bounds: Area,
    areas: Vec<Area>,
    lines: Vec<(Px, Px)>,
}

/// The size of names.
pub(crate) const NAME_SIZE: f64 = 10.5;

impl Placer {
    pub(crate) fn new(bounds: Area) -> Self {
        Self { bounds, areas: Vec::new(), lines: Vec::new() }
    }

    /// Nothing may stand here.
    pub(crate) fn block(&mut self, area: Area) {
        self.areas.push(area);
    }

    /// Nothing may cross this line.
    pub(crate) fn block_line(&mut self, a: Px, b: Px) {
        self.lines.push((a, b));
    }

    /// Finds a place near `at`, which keeps `gap` free; `outward` is the side
    /// that is tried first. `None` if there is no room.
    pub(crate) fn place(&mut self, at: Px, gap: f64, name: &str, outward: Px) -> Option<Placed> {
        let half = (0.5 * text::width(name, NAME_SIZE) + 2.0, 0.5 * NAME_SIZE + 1.0);
        for distance in [gap + 3.0, gap + 12.0, gap + 24.0, gap + 38.0] {
            for turn in [0.0_f64, 28.0, -28.0, 60.0, -60.0, 90.0, -90.0, 130.0, -130.0, 180.0] {
                let (s, c) = turn.to_radians().sin_cos();
                let way = (outward.0 * c - outward.1 * s, outward.0 * s + outward.1 * c);
                // The text's box stands this far off, beside the joint or above or below it.
                let beside = (half.0 + distance) / way.0.abs().max(1.0e-9);
                let above = (half.1 + distance) / way.1.abs().max(1.0e-9);
                let reach = beside.min(above);
                let middle = (at.0 + way.0 * reach, at.1 + way.1 * reach);
                let area = Area::around(middle, half);
                let free = area.within(&self.bounds)
                    && !self.areas.iter().any(|a| a.meets(&area))
                    && !self.lines.iter().any(|(a, b)| area.meets_line(*a, *b));
                if !free {
                    continue;
                }
                let leader = (distance > gap + 8.0).then(|| leader(at, gap, &area));
                if let Some((a, b)) = leader {
                    // A leader across another name is worse than no name.
                    if self.areas.iter().any(|other| !around(other, at) && other.meets_line(a, b)) {
                        continue;
                    }
                    self.lines.push((a, b));
                }
                self.areas.push(area);
                return Some(Placed { baseline: (middle.0, middle.1 + 0.34 * NAME_SIZE), leader });
            }
        }
        None
    }
}

fn around(area: &Area, at: Px) -> bool {
    at.0 >= area.left && at.0 <= area.right && at.1 >= area.top && at.1 <= area.bottom
}

/// From just outside of the joint to the nearest point of the text's box.
fn leader(at: Px, gap: f64, area: &Area) -> (Px, Px) {
    let end = (at.0.clamp(area.left, area.right), at.1.clamp(area.top, area.bottom));
    let end = if end == at { area.middle() } else { end };
    let (dx, dy) = (end.0 - at.0, end.1 - at.1);
    let length = dx.hypot(dy).max(1.0e-6);
    ((at.0 + dx / length * gap, at.1 + dy / length * gap), end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_never_overlap_and_stay_inside() {
        let bounds = Area { left: 0.0, top: 0.0, right: 300.0, bottom: 200.0 };
        let mut placer = Placer::new(bounds);
        let spots: Vec<Px> =
            (0..30).map(|i| (150.0 + (i % 6) as f64 * 4.0, 100.0 + (i / 6) as f64 * 4.0)).collect();
        let placed =
            spots.iter().filter(|s| placer.place(**s, 3.0, "some_joint", (1.0, 0.0)).is_some()).count();
        assert!(placed > 3 && placed < 30, "{placed}");
        for (i, a) in placer.areas.iter().enumerate() {
            assert!(a.within(&bounds));
            assert!(placer.areas[i + 1..].iter().all(|b| !a.meets(b)));
        }
    }

    #[test]
    fn a_line_through_a_box_is_seen() {
        let area = Area { left: 0.0, top: 0.0, right: 10.0, bottom: 10.0 };
        assert!(area.meets_line((-5.0, 5.0), (15.0, 5.0)));
        assert!(area.meets_line((2.0, 2.0), (3.0, 3.0)));
        assert!(!area.meets_line((-5.0, 12.0), (15.0, 11.0)));
        assert!(!area.meets_line((11.0, -5.0), (11.0, 20.0)));
        assert!(!area.meets_line((-5.0, 4.0), (-1.0, 5.0)));
    }
}
