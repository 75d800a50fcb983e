//! Plots of numbers, in the look of the other pictures: lines, points,
//! histograms, on linear or logarithmic axes.
//!
//! ```
//! use sinew_draw::plot::{Axis, Plot};
//! let times = [(10.0, 2.1e-6), (100.0, 2.3e-5), (1000.0, 2.6e-4)];
//! let drawing = Plot::new("time of a solve")
//!     .x(Axis::log("joints"))
//!     .y(Axis::log("time, s"))
//!     .line_with_points("FABRIK", times)
//!     .draw()?;
//! assert!(drawing.svg().contains("FABRIK"));
//! # Ok::<(), sinew_draw::DrawError>(())
//! ```

mod axis;
mod histogram;
mod render;

pub use axis::Axis;
pub use histogram::Histogram;

use crate::color::{self, Color};
use crate::drawing::{DrawError, Drawing};

/// How the numbers of a series are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// A line through the points.
    Line,
    /// A dashed line through the points: a bound or a fit.
    Dashed,
    /// A disc at each point.
    Points,
    /// Both a line and discs.
    LineWithPoints,
    /// Steps with the area under them filled; x is where a step begins, the
    /// last point ends the last step.
    Steps,
}

/// Numbers with a name.
#[derive(Debug, Clone)]
pub struct Series {
    /// What the legend calls it; empty for no line there.
    pub name: String,
    /// The points. What is not finite, or not positive on a logarithmic axis,
    /// leaves a gap.
    pub points: Vec<(f64, f64)>,
    /// How they are shown.
    pub mark: Mark,
    /// In which colour.
    pub color: Color,
}

/// A plot on its way to be drawn.
#[derive(Debug, Clone)]
pub struct Plot {
    /// What it shows; written at the top.
    pub title: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// What is drawn, the first at the back.
    pub series: Vec<Series>,
    /// Horizontal lines with a name: bounds, a paper's figure.
    pub levels: Vec<(String, f64)>,
    /// Width and height in SVG units.
    pub size: (u32, u32),
}

impl Plot {
    /// A plot without series.
    pub fn new(title: impl Into<String>) -> Self {
        Self {
            title: title.into(),
            x: Axis::linear(""),
            y: Axis::linear(""),
            series: Vec::new(),
            levels: Vec::new(),
            size: (800, 480),
        }
    }

    /// With this horizontal axis.
    pub fn x(mut self, axis: Axis) -> Self {
        self.x = axis;
        self
    }

    /// With this vertical axis.
    pub fn y(mut self, axis: Axis) -> Self {
        self.y = axis;
        self
    }

    /// This large, in SVG units.
    pub fn size(mut self, width: u32, height: u32) -> Self {
        self.size = (width, height);
        self
    }

    /// With another series, in the next colour.
    pub fn add(
        mut self,
        name: impl Into<String>,
        mark: Mark,
        points: impl IntoIterator<Item = (f64, f64)>,
    ) -> Self {
        let color = color::SERIES[self.series.len() % color::SERIES.len()];
        self.series.push(Series { name: name.into(), points: points.into_iter().collect(), mark, color });
        self
    }

    /// With a line.
    pub fn line(self, name: impl Into<String>, points: impl IntoIterator<Item = (f64, f64)>) -> Self {
        self.add(name, Mark::Line, points)
    }

    /// With a line and discs on it.
    pub fn line_with_points(
        self,
        name: impl Into<String>,
        points: impl IntoIterator<Item = (f64, f64)>,
    ) -> Self {
        self.add(name, Mark::LineWithPoints, points)
    }

    /// With discs.
    pub fn points(self, name: impl Into<String>, points: impl IntoIterator<Item = (f64, f64)>) -> Self {
        self.add(name, Mark::Points, points)
    }

    /// With a horizontal line.
    pub fn level(mut self, name: impl Into<String>, y: f64) -> Self {
        self.levels.push((name.into(), y));
        self
    }

    /// Draws the plot; refuses if there is nothing that could be shown.
    pub fn draw(&self) -> Result<Drawing, DrawError> {
        render::draw(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_units_and_levels_are_written_and_the_png_decodes() {
        let wave = (0..200).map(|i| (i as f64 * 0.05, (i as f64 * 0.05).sin()));
        let drawing = Plot::new("a & b <wave>")
            .x(Axis::linear("time, s"))
            .y(Axis::linear("angle, rad"))
            .line("sine", wave)
            .level("bound", 0.8)
            .draw()
            .unwrap();
        for words in ["time, s", "angle, rad", "sine", "bound", "a &amp; b &lt;wave&gt;"] {
            assert!(drawing.svg().contains(words), "{words}");
        }
        let png = drawing.png(400).unwrap();
        let pixels = resvg::tiny_skia::Pixmap::decode_png(&png).unwrap();
        assert_eq!((pixels.width(), pixels.height()), (400, 240));
    }

    #[test]
    fn what_cannot_be_shown_leaves_a_gap_and_nothing_at_all_is_refused() {
        let holes = [(1.0, 1.0), (2.0, f64::NAN), (3.0, -1.0), (4.0, 100.0), (f64::INFINITY, 3.0)];
        let plot = Plot::new("holes").y(Axis::log("y")).line("a", holes);
        assert!(plot.draw().is_ok());
        let svg = plot.draw().unwrap();
        assert!(!svg.svg().contains("NaN") && !svg.svg().contains("inf"));
        let empty = Plot::new("empty").line("a", [(f64::NAN, 1.0)]).draw().unwrap_err();
        assert!(empty.to_string().contains("'empty'"), "{empty}");
        assert!(Plot::new("nothing").draw().is_err());
    }

    #[test]
    fn one_point_and_constant_series_have_a_sensible_range() {
        assert!(Plot::new("one").points("p", [(3.0, 7.0)]).draw().is_ok());
        assert!(Plot::new("flat").line("p", [(0.0, 0.0), (1.0, 0.0)]).draw().is_ok());
        assert!(
            Plot::new("log").x(Axis::log("x")).y(Axis::log("y")).points("p", [(3.0, 7.0)]).draw().is_ok()
        );
        let huge = Plot::new("huge").line("p", [(-1e308, 1e308), (1e308, -1e308)]).draw();
        assert!(huge.is_ok() || matches!(huge, Err(DrawError::Plot { .. })));
    }
}
