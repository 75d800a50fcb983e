//! From a [`Plot`] to SVG by way of plotters.

use plotters::chart::SeriesLabelPosition;
use plotters::coord::ranged1d::{AsRangedCoord, ValueFormatter};
use plotters::element::DashedPathElement;
use plotters::prelude::*;

use super::axis::written;
use super::{Mark, Plot, Series};
use crate::color::{self, Color as Ink};
use crate::drawing::{DrawError, Drawing};
use crate::text::PLOT_FAMILY;

/// plotters places everything on whole pixels, which shows as steps in curves.
/// It therefore draws this many times larger, and the SVG's view box shrinks
/// the picture again.
const FINE: u32 = 8;

/// The corner of the plot with the fewest points in it.
fn emptiest_corner(plot: &Plot, x: (f64, f64), y: (f64, f64)) -> SeriesLabelPosition {
    let share = |log: bool, v: f64, (from, to): (f64, f64)| {
        if log { (v / from).ln() / (to / from).ln() } else { (v - from) / (to - from) }
    };
    // Upper right, upper left, lower right, lower left: the earlier the better.
    let mut counts = [0_usize; 4];
    let mut count = |at: (f64, f64)| {
        for (i, (left, low)) in [(0.66, 0.68), (0.0, 0.68), (0.66, 0.0), (0.0, 0.0)].into_iter().enumerate() {
            if (left..=left + 0.34).contains(&at.0) && (low..=low + 0.32).contains(&at.1) {
                counts[i] += 1;
            }
        }
    };
    for (xv, yv) in
        plot.series.iter().flat_map(|s| &s.points).filter(|p| plot.x.shows(p.0) && plot.y.shows(p.1))
    {
        count((share(plot.x.logarithmic, *xv, x), share(plot.y.logarithmic, *yv, y)));
    }
    for (_, level) in plot.levels.iter().filter(|l| plot.y.shows(l.1)) {
        for x in [0.1, 0.9] {
            count((x, share(plot.y.logarithmic, *level, y)));
        }
    }
    let best = (0..4).min_by_key(|i| counts[*i]).unwrap_or(0);
    use SeriesLabelPosition::{LowerLeft, LowerRight, UpperLeft, UpperRight};
    match best {
        0 => UpperRight,
        1 => UpperLeft,
        2 => LowerRight,
        _ => LowerLeft,
    }
}

fn font(size: u32, c: Ink) -> TextStyle<'static> {
    let mut style = TextStyle::from((PLOT_FAMILY, size * FINE).into_font());
    style.color = rgb(c).to_backend_color();
    style
}

fn rgb(c: Ink) -> RGBColor {
    RGBColor(c.r, c.g, c.b)
}

pub(super) fn draw(plot: &Plot) -> Result<Drawing, DrawError> {
    let refuse = |reason: String| DrawError::Plot { plot: plot.title.clone(), reason };
    let shown = |p: &&(f64, f64)| plot.x.shows(p.0) && plot.y.shows(p.1);
    let points = || plot.series.iter().flat_map(|s| s.points.iter()).filter(shown);
    let levels = plot.levels.iter().map(|l| l.1);
    let nothing = || refuse("it has no finite numbers".into());
    if points().next().is_none() {
        return Err(nothing());
    }
    let (x0, x1) = plot.x.fitted(points().map(|p| p.0)).ok_or_else(nothing)?;
    let (y0, y1) = plot.y.fitted(points().map(|p| p.1).chain(levels)).ok_or_else(nothing)?;
    if !(x1 - x0).is_finite() || !(y1 - y0).is_finite() {
        return Err(refuse("its numbers are too far apart".into()));
    }
    let (width, height) = (plot.size.0.clamp(200, 8000), plot.size.1.clamp(150, 8000));
    let legend = emptiest_corner(plot, (x0, x1), (y0, y1));
    let size = (width * FINE, height * FINE);
    let mut svg = String::new();
    let done = match (plot.x.logarithmic, plot.y.logarithmic) {
        (false, false) => draw_on(plot, legend, &mut svg, size, x0..x1, y0..y1),
        (true, false) => draw_on(plot, legend, &mut svg, size, (x0..x1).log_scale(), y0..y1),
        (false, true) => draw_on(plot, legend, &mut svg, size, x0..x1, (y0..y1).log_scale()),
        (true, true) => draw_on(plot, legend, &mut svg, size, (x0..x1).log_scale(), (y0..y1).log_scale()),
    };
    done.map_err(refuse)?;
    let fine = format!("width=\"{}\" height=\"{}\"", size.0, size.1);
    let svg = svg.replacen(&fine, &format!("width=\"{width}\" height=\"{height}\""), 1);
    Ok(Drawing::new(svg, f64::from(width), f64::from(height)))
}

fn draw_on<X, Y>(
    plot: &Plot,
    legend: SeriesLabelPosition,
    svg: &mut String,
    size: (u32, u32),
    x: X,
    y: Y,
) -> Result<(), String>
where
    X: AsRangedCoord<Value = f64>,
    Y: AsRangedCoord<Value = f64>,
    X::CoordDescType: ValueFormatter<f64>,
    Y::CoordDescType: ValueFormatter<f64>,
{
    let words = |error: DrawingAreaErrorKind<std::io::Error>| error.to_string();
    let root = SVGBackend::with_string(svg, size).into_drawing_area();
    root.fill(&rgb(color::PAPER)).map_err(words)?;
    let mut chart = ChartBuilder::on(&root);
    chart.margin(14 * FINE).margin_right(24 * FINE).x_label_area_size(46 * FINE).y_label_area_size(70 * FINE);
    if !plot.title.is_empty() {
        chart.caption(&plot.title, font(21, color::INK));
    }
    let mut chart = chart.build_cartesian_2d(x, y).map_err(words)?;
    let span = |log: bool, range: std::ops::Range<f64>| if log { 0.0 } else { range.end - range.start };
    let spans = (span(plot.x.logarithmic, chart.x_range()), span(plot.y.logarithmic, chart.y_range()));
    chart
        .configure_mesh()
        .bold_line_style(rgb(color::GRID).stroke_width(FINE))
        .light_line_style(TRANSPARENT)
        .set_all_tick_mark_size(5 * FINE)
        .axis_style(rgb(color::MUTED).stroke_width(FINE))
        .x_desc(&plot.x.label)
        .y_desc(&plot.y.label)
        .axis_desc_style(font(16, color::INK))
        .label_style(font(14, color::MUTED))
        .x_label_formatter(&|v| written(*v, spans.0))
        .y_label_formatter(&|v| written(*v, spans.1))
        .draw()
        .map_err(words)?;

    let ends = (chart.x_range().start, chart.x_range().end);
    for (i, (name, level)) in plot.levels.iter().enumerate() {
        // From the end of the palette, away from the colours of the series.
        let ink = rgb(color::SERIES[(color::SERIES.len() + 5 - i % 3) % color::SERIES.len()]);
        let line = [(ends.0, *level), (ends.1, *level)];
        let drawn = DashedLineSeries::new(line, 6 * FINE, 4 * FINE, ink.stroke_width(FINE));
        let drawn = chart.draw_series(drawn).map_err(words)?;
        if !name.is_empty() {
            drawn.label(name).legend(move |(x, y)| {
                DashedPathElement::new(
                    [(x, y), (x + 18 * FINE as i32, y)],
                    5 * FINE,
                    3 * FINE,
                    ink.stroke_width(FINE),
                )
            });
        }
    }
    for series in &plot.series {
        draw_series(&mut chart, plot, series).map_err(words)?;
    }
    let named = plot.series.iter().any(|s| !s.name.is_empty()) || plot.levels.iter().any(|l| !l.0.is_empty());
    if named {
        chart
            .configure_series_labels()
            .position(legend)
            .background_style(rgb(color::PAPER).mix(0.85))
            .border_style(rgb(color::BORDER).stroke_width(FINE))
            .margin(10 * FINE)
            .legend_area_size(26 * FINE)
            .label_font(font(14, color::INK))
            .draw()
            .map_err(words)?;
    }
    drop(chart);
    root.present().map_err(words)
}

type Chart<'a, 'b, X, Y> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<X, Y>>;

fn draw_series<X, Y>(
    chart: &mut Chart<'_, '_, X, Y>,
    plot: &Plot,
    series: &Series,
) -> Result<(), DrawingAreaErrorKind<std::io::Error>>
where
    X: Ranged<ValueType = f64>,
    Y: Ranged<ValueType = f64>,
{
    let ink = rgb(series.color);
    let mut unnamed = Some(series.name.as_str()).filter(|n| !n.is_empty());
    // The line in the legend belongs to the first thing that is drawn.
    macro_rules! draw_named {
        ($element:expr) => {{
            let drawn = chart.draw_series($element)?;
            if let Some(name) = unnamed.take() {
                drawn.label(name).legend(move |(x, y)| {
                    PathElement::new([(x, y), (x + 18 * FINE as i32, y)], ink.stroke_width(3 * FINE))
                });
            }
        }};
    }
    for run in runs(plot, series) {
        match series.mark {
            Mark::Line => draw_named!(LineSeries::new(run, ink.stroke_width(2 * FINE))),
            Mark::Dashed => {
                draw_named!(DashedLineSeries::new(run, 6 * FINE, 4 * FINE, ink.stroke_width(2 * FINE)))
            }
            Mark::Points => {
                draw_named!(run.into_iter().map(|p| Circle::new(p, 3 * FINE, ink.mix(0.8).filled())))
            }
            Mark::LineWithPoints => {
                draw_named!(LineSeries::new(run.iter().copied(), ink.stroke_width(2 * FINE)));
                chart.draw_series(run.into_iter().map(|p| Circle::new(p, 4 * FINE, ink.filled())))?;
            }
            Mark::Steps => {
                let floor = chart.y_range().start;
                let steps: Vec<(f64, f64)> =
                    run.windows(2).flat_map(|w| [(w[0].0, w[0].1), (w[1].0, w[0].1)]).collect();
                let mut area: Vec<(f64, f64)> = steps.clone();
                if let (Some(first), Some(last)) = (steps.first(), steps.last()) {
                    area.extend([(last.0, floor), (first.0, floor)]);
                }
                chart.draw_series([Polygon::new(area, ink.mix(0.25).filled())])?;
                draw_named!(LineSeries::new(steps, ink.stroke_width(2 * FINE)));
            }
        }
    }
    Ok(())
}

/// The series cut where a number has no place on its axis.
fn runs(plot: &Plot, series: &Series) -> Vec<Vec<(f64, f64)>> {
    let shown = |p: &(f64, f64)| plot.x.shows(p.0) && plot.y.shows(p.1);
    series.points.split(|p| !shown(p)).filter(|run| !run.is_empty()).map(<[_]>::to_vec).collect()
}
