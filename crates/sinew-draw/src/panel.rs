//! One view of a scene on the page: its window into the world, grid, axes,
//! ground and scale bar.

use sinew_f64::Vec3;

use crate::canvas::{Anchor, Canvas, Paint, Px};
use crate::color;
use crate::view::View;

/// Room left of a panel for the labels of its vertical axis.
pub(crate) const LEFT_ROOM: f64 = 34.0;
/// Room above a panel for its title.
pub(crate) const TOP_ROOM: f64 = 22.0;
/// Room below a panel for the labels of its horizontal axis.
pub(crate) const BOTTOM_ROOM: f64 = 30.0;
/// Free pixels inside of a panel beside what it shows, so that names fit.
pub(crate) const INSIDE_ROOM: Px = (44.0, 26.0);

/// The range of the world that a view must show, in its own right and up, in metres.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Window {
    pub left: f64,
    pub right: f64,
    pub bottom: f64,
    pub top: f64,
}

impl Window {
    /// The window that holds all points, at least `least` metres either way,
    /// and the ground if it is near.
    pub(crate) fn around(points: &[Vec3], view: View, ground: bool, least: f64) -> Self {
        let mut w = Self {
            left: f64::INFINITY,
            right: f64::NEG_INFINITY,
            bottom: f64::INFINITY,
            top: f64::NEG_INFINITY,
        };
        for &p in points {
            let p = view.project(p);
            w.left = w.left.min(p.x);
            w.right = w.right.max(p.x);
            w.bottom = w.bottom.min(p.y);
            w.top = w.top.max(p.y);
        }
        if points.is_empty() {
            w = Self { left: -0.5, right: 0.5, bottom: 0.0, top: 1.0 };
        }
        if ground && view.is_level() {
            w.bottom = w.bottom.min(0.0);
            w.top = w.top.max(0.0);
        }
        w.widened_to(least)
    }

    fn widened_to(mut self, least: f64) -> Self {
        let lack = (least - (self.right - self.left)).max(0.0);
        self.left -= 0.5 * lack;
        self.right += 0.5 * lack;
        let lack = (least - (self.top - self.bottom)).max(0.0);
        self.bottom -= 0.5 * lack;
        self.top += 0.5 * lack;
        self
    }

    pub(crate) fn union(self, other: Self) -> Self {
        Self {
            left: self.left.min(other.left),
            right: self.right.max(other.right),
            bottom: self.bottom.min(other.bottom),
            top: self.top.max(other.top),
        }
    }

    pub(crate) fn width(self) -> f64 {
        self.right - self.left
    }

    pub(crate) fn height(self) -> f64 {
        self.top - self.bottom
    }
}

/// A view at a place on the page.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Panel {
    pub view: View,
    /// The upper left corner on the page.
    pub corner: Px,
    pub size: Px,
    /// What of the world is in the panel's middle, in the view's right and up.
    pub middle: Px,
    /// Pixels a metre.
    pub scale: f64,
    /// Whether the ground is shown.
    pub ground: bool,
}

impl Panel {
    /// Where a point of the world is on the page.
    pub(crate) fn px(&self, p: Vec3) -> Px {
        let p = self.view.project(p);
        self.plane(p.x, p.y)
    }

    /// Where a place of the view's plane is on the page.
    fn plane(&self, right: f64, up: f64) -> Px {
        (
            self.corner.0 + 0.5 * self.size.0 + (right - self.middle.0) * self.scale,
            self.corner.1 + 0.5 * self.size.1 - (up - self.middle.1) * self.scale,
        )
    }

    /// A direction of the world on the page; shorter where it comes out of it.
    pub(crate) fn direction(&self, d: Vec3) -> Px {
        let d = self.view.project(d);
        (d.x, -d.y)
    }

    /// How near to the eye a point is.
    pub(crate) fn depth(&self, p: Vec3) -> f64 {
        self.view.project(p).z
    }

    pub(crate) fn right(&self) -> f64 {
        self.corner.0 + self.size.0
    }

    pub(crate) fn bottom(&self) -> f64 {
        self.corner.1 + self.size.1
    }

    /// Background, soil, grid and ground: what lies behind everything.
    pub(crate) fn paint_back(&self, canvas: &mut Canvas, grid: bool) {
        canvas.rect(self.corner, self.size, 4.0, &Paint::fill(color::PANEL));
        let level = self.plane(0.0, 0.0).1;
        let shows_ground =
            self.ground && self.view.is_level() && level > self.corner.1 && level < self.bottom();
        if shows_ground {
            canvas.rect(
                (self.corner.0, level),
                (self.size.0, self.bottom() - level),
                0.0,
                &Paint::fill(color::SOIL),
            );
        }
        if grid && self.view.axis_names().is_some() {
            self.paint_grid(canvas);
        }
        if shows_ground {
            canvas.line((self.corner.0, level), (self.right(), level), &Paint::line(color::GROUND, 1.6));
        }
    }

    /// The ground as a grid, for views that see it from above at an angle. It
    /// lies under the points and reaches a little further.
    pub(crate) fn paint_floor(&self, canvas: &mut Canvas, points: &[Vec3]) {
        let start = (Vec3::INFINITY, Vec3::NEG_INFINITY);
        let (low, high) = points.iter().fold(start, |(low, high), p| (low.min(*p), high.max(*p)));
        if self.view.axis_names().is_some() || points.is_empty() || !self.ground {
            return;
        }
        let step = nice_step(40.0 / self.scale);
        let (first, last) = ((low / step).floor() - 1.0, (high / step).ceil() + 1.0);
        let count = |from: f64, to: f64| (to - from).clamp(0.0, 100.0) as usize;
        let paint = Paint::line(color::GROUND.mix(color::PANEL, 0.7), 1.0);
        let corner = |x: f64, z: f64| self.px(Vec3::new(x * step, 0.0, z * step));
        let floor = [(first.x, first.z), (last.x, first.z), (last.x, last.z), (first.x, last.z)];
        let floor = floor.map(|(x, z)| corner(x, z));
        canvas.polyline(&floor, true, &Paint::fill(color::SOIL).opacity(0.45, 1.0));
        for i in 0..=count(first.x, last.x) {
            let x = first.x + i as f64;
            canvas.line(corner(x, first.z), corner(x, last.z), &paint);
        }
        for i in 0..=count(first.z, last.z) {
            let z = first.z + i as f64;
            canvas.line(corner(first.x, z), corner(last.x, z), &paint);
        }
    }

    fn paint_grid(&self, canvas: &mut Canvas) {
        let step = nice_step(52.0 / self.scale);
        let lines = |middle: f64, pixels: f64| {
            let half = 0.5 * pixels / self.scale;
            let (first, last) = (((middle - half) / step).ceil(), ((middle + half) / step).floor());
            // The step follows the scale, so that there are a few dozen at most.
            let count = (last - first + 1.0).clamp(0.0, 200.0) as usize;
            (0..count).map(move |i| (first + i as f64) * step)
        };
        let paint = Paint::line(color::GRID, 1.0);
        // Seen from above, z grows downwards.
        let sign = if self.view == View::Top { -1.0 } else { 1.0 };
        for x in lines(self.middle.0, self.size.0) {
            let (px, _) = self.plane(x, 0.0);
            canvas.line((px, self.corner.1), (px, self.bottom()), &paint);
            if px > self.corner.0 + 6.0 && px < self.right() - 34.0 {
                canvas.text((px, self.bottom() + 13.0), 9.5, Anchor::Middle, color::MUTED, &tick(x, step));
            }
        }
        for y in lines(self.middle.1, self.size.1) {
            let (_, py) = self.plane(0.0, y);
            canvas.line((self.corner.0, py), (self.right(), py), &paint);
            if py > self.corner.1 + 18.0 && py < self.bottom() - 4.0 {
                canvas.text(
                    (self.corner.0 - 5.0, py + 3.2),
                    9.5,
                    Anchor::End,
                    color::MUTED,
                    &tick(y * sign, step),
                );
            }
        }
    }

    /// Border, title, names of the axes and the scale bar: what lies on top.
    pub(crate) fn paint_front(&self, canvas: &mut Canvas, title: &str, axes: bool, scale_bar: bool) {
        canvas.rect(self.corner, self.size, 4.0, &Paint::line(color::BORDER, 1.0));
        canvas.text((self.corner.0 + 2.0, self.corner.1 - 7.0), 12.5, Anchor::Start, color::INK, title);
        if let (true, Some((right, up))) = (axes, self.view.axis_names()) {
            let name = format!("{right}, m");
            canvas.text((self.right(), self.bottom() + 13.0), 9.5, Anchor::End, color::INK, &name);
            let name = format!("{up}, m");
            canvas.text((self.corner.0 - 5.0, self.corner.1 + 9.0), 9.5, Anchor::End, color::INK, &name);
        }
        if scale_bar {
            self.paint_scale_bar(canvas);
        }
    }

    /// The length of the scale bar in metres.
    fn scale_bar(&self) -> f64 {
        nice_step(0.14 * self.size.0.max(260.0) / self.scale)
    }

    /// Width and height of the lower right corner that the scale bar takes.
    pub(crate) fn scale_bar_room(&self) -> Px {
        (self.scale_bar() * self.scale + 20.0, 30.0)
    }

    fn paint_scale_bar(&self, canvas: &mut Canvas) {
        let length = self.scale_bar();
        let (x1, y) = (self.right() - 12.0, self.bottom() - 11.0);
        let x0 = x1 - length * self.scale;
        let paint = Paint::line(color::INK, 1.6);
        canvas.line((x0, y), (x1, y), &paint);
        for x in [x0, x1] {
            canvas.line((x, y - 3.5), (x, y + 3.5), &paint);
        }
        let words = length_in_words(length);
        canvas.haloed_text((0.5 * (x0 + x1), y - 6.0), 10.5, Anchor::Middle, color::INK, &words);
    }
}

/// Whether the plane y = 0 is the ground to these points: they stand on it or
/// hover just above. What hangs through it, or floats far off, has none.
pub(crate) fn ground_is_near(points: &[Vec3]) -> bool {
    let start = (f64::INFINITY, f64::NEG_INFINITY);
    let (low, high) = points.iter().fold(start, |(low, high), p| (low.min(p.y), high.max(p.y)));
    let height = high - low;
    points.is_empty() || (low > -0.15 * height - 1.0e-9 && low < 0.3 * height + 1.0e-9)
}

/// The smallest of 1, 2, 5 times a power of ten that is at least `least`.
pub(crate) fn nice_step(least: f64) -> f64 {
    if !least.is_finite() || least <= 0.0 {
        return 1.0;
    }
    let power = 10.0_f64.powf(least.log10().floor());
    let digit = least / power;
    power
        * if digit <= 1.0 + 1e-9 {
            1.0
        } else if digit <= 2.0 {
            2.0
        } else if digit <= 5.0 {
            5.0
        } else {
            10.0
        }
}

/// The label of a tick, with as many places as the step has.
fn tick(value: f64, step: f64) -> String {
    let places = (-step.log10()).ceil().clamp(0.0, 6.0) as usize;
    let text = format!("{value:.places$}");
    let zero = text.trim_start_matches('-').chars().all(|c| c == '0' || c == '.');
    if zero { "0".into() } else { text.replace('-', "−") }
}

fn length_in_words(metres: f64) -> String {
    let (value, unit) = match metres {
        m if m >= 1000.0 => (m / 1000.0, "km"),
        m if m >= 0.5 => (m, "m"),
        m if m >= 0.01 => (m * 100.0, "cm"),
        m => (m * 1000.0, "mm"),
    };
    // Steps are 1, 2 or 5 of some power of ten; six digits show them whole.
    let text = format!("{value:.6}");
    format!("{} {unit}", text.trim_end_matches('0').trim_end_matches('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_one_two_or_five() {
        for (least, step) in [(0.013, 0.02), (0.5, 0.5), (0.51, 1.0), (3.0, 5.0), (10.0, 10.0), (60.0, 100.0)]
        {
            assert!((nice_step(least) - step).abs() < 1e-9 * step, "{least}");
        }
        assert_eq!(nice_step(f64::NAN), 1.0);
    }

    #[test]
    fn ticks_and_lengths_read_well() {
        assert_eq!(tick(-0.30000000000000004, 0.1), "−0.3");
        assert_eq!(tick(-1e-17, 0.5), "0");
        assert_eq!(tick(20.0, 10.0), "20");
        assert_eq!(length_in_words(0.2), "20 cm");
        assert_eq!(length_in_words(0.5), "0.5 m");
        assert_eq!(length_in_words(0.002), "2 mm");
    }

    #[test]
    fn the_ground_is_shown_when_it_is_near() {
        let between = |low: f64, high: f64| [Vec3::new(0.0, low, 0.0), Vec3::new(0.0, high, 0.0)];
        assert!(ground_is_near(&between(0.0, 1.8)) && ground_is_near(&between(0.1, 1.8)));
        assert!(ground_is_near(&between(-0.05, 1.8)), "a foot in the ground");
        assert!(!ground_is_near(&between(10.0, 11.0)) && !ground_is_near(&between(-1.0, 0.8)));
        assert!(ground_is_near(&[]) && ground_is_near(&[Vec3::ZERO]) && !ground_is_near(&[Vec3::ONE]));
        let near = between(0.1, 1.8);
        assert_eq!(Window::around(&near, View::Front, true, 0.1).bottom, 0.0);
        assert!(Window::around(&near, View::Front, false, 0.1).bottom > 0.0);
        let one = Window::around(&[Vec3::ONE], View::Top, false, 0.1);
        assert!((one.width() - 0.1).abs() < 1e-12 && (one.height() - 0.1).abs() < 1e-12);
    }
}
