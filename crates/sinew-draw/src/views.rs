//! One scene from several sides, side by side at one scale.

use sinew_f64::Vec3;

use crate::canvas::{Anchor, Canvas};
use crate::color;
use crate::drawing::Drawing;
use crate::legend::Legend;
use crate::paint;
use crate::panel::{BOTTOM_ROOM, INSIDE_ROOM, LEFT_ROOM, Panel, TOP_ROOM, Window, ground_is_near};
use crate::scene::Scene;
use crate::text;
use crate::view::View;

/// How [`views`] lays out its picture.
#[derive(Debug, Clone, PartialEq)]
pub struct ViewsOptions {
    /// The views, from left to right.
    pub views: Vec<View>,
    /// The width of the whole in SVG units. 1200 gives names that can be read
    /// when the picture is shown at half its size.
    pub width: f64,
    /// The most that a panel is high; a tall chain would fill pages otherwise.
    pub most_height: f64,
    /// Whether signs and colours are explained.
    pub legend: bool,
}

impl Default for ViewsOptions {
    fn default() -> Self {
        Self { views: View::THREE.to_vec(), width: 1200.0, most_height: 620.0, legend: true }
    }
}

pub(crate) const MARGIN: f64 = 16.0;
const BETWEEN: f64 = 12.0;
/// No panel is narrower: a straight chain from above is a dot.
const LEAST_PANEL: f64 = 150.0;

/// The height that the title takes.
pub(crate) fn title_room(scene: &Scene) -> f64 {
    if scene.title.is_empty() { 0.0 } else { 30.0 }
}

pub(crate) fn paint_title(canvas: &mut Canvas, scene: &Scene, width: f64) {
    if scene.title.is_empty() {
        return;
    }
    let title = text::fitted(&scene.title, 18.0, 0.6 * width);
    canvas.text((MARGIN, MARGIN + 15.0), 18.0, Anchor::Start, color::INK, &title);
    let used = MARGIN + text::width(&title, 18.0) + 14.0;
    let note = text::fitted(&scene.note, 12.0, width - MARGIN - used);
    canvas.text((used, MARGIN + 15.0), 12.0, Anchor::Start, color::MUTED, &note);
}

/// The least that a window shows, in metres: a point has no size of its own.
pub(crate) fn least_window(points: &[Vec3]) -> f64 {
    let largest = View::THREE
        .iter()
        .map(|v| Window::around(points, *v, false, 0.0))
        .map(|w| w.width().max(w.height()))
        .fold(0.0, f64::max);
    if largest > 0.0 { 0.02 * largest } else { 0.2 }
}

/// Draws a scene from several sides.
///
/// ```
/// use sinew_draw::{Figure, Scene, View, ViewsOptions};
/// let arm = sinew_f64::rigs::chain(4, 0.8);
/// let rest = sinew_f64::Pose::rest(&arm);
/// let scene = Scene::new("arm").figure(Figure::new(&arm, &rest)).target(sinew_f64::Vec3::X, "cup");
/// let options = ViewsOptions { views: vec![View::Front, View::Turned], ..ViewsOptions::default() };
/// assert!(sinew_draw::views(&scene, &options).svg().contains("cup"));
/// ```
pub fn views(scene: &Scene, options: &ViewsOptions) -> Drawing {
    let points = scene.extent();
    let least = least_window(&points);
    let ground = scene.ground && ground_is_near(&points);
    let chosen = if options.views.is_empty() { &View::THREE[..] } else { &options.views[..] };
    let windows: Vec<Window> = chosen
        .iter()
        .map(|view| {
            let window = Window::around(&points, *view, ground, least);
            // Seen at an angle, the ground is wider than what stands on it.
            if ground && view.axis_names().is_none() {
                let shadow: Vec<Vec3> = points.iter().map(|p| Vec3::new(p.x, 0.0, p.z)).collect();
                window.union(Window::around(&shadow, *view, false, least))
            } else {
                window
            }
        })
        .collect();
    let width = options.width.clamp(300.0, 10_000.0);
    let scale = fitting_scale(&windows, width, options.most_height.max(100.0));

    let heights: Vec<f64> = windows.iter().map(|w| w.height() * scale + 2.0 * INSIDE_ROOM.1).collect();
    let row_height = heights.iter().copied().fold(0.0, f64::max);
    let mut widths: Vec<f64> =
        windows.iter().map(|w| (w.width() * scale + 2.0 * INSIDE_ROOM.0).max(LEAST_PANEL)).collect();
    // What is left of the width goes to all panels alike, so that names have room.
    let spare = (panels_width(width, windows.len()) - widths.iter().sum::<f64>()).max(0.0);
    let each = spare / widths.len() as f64;
    widths.iter_mut().for_each(|w| *w += each);

    let legend = Legend::of(scene);
    let show_legend = options.legend && !legend.is_empty();
    let column = legend.column_size();
    let top = MARGIN + title_room(scene) + TOP_ROOM;
    // The panel with the most free room takes the legend, if it fits there.
    let host = (0..windows.len())
        .filter(|i| row_height - heights[*i] >= column.1 + 24.0 && widths[*i] >= column.0)
        .max_by(|a, b| (row_height - heights[*a]).total_cmp(&(row_height - heights[*b])))
        .filter(|_| show_legend);

    let mut canvas = Canvas::new();
    paint_title(&mut canvas, scene, width);
    let mut done = paint::no_names_done(scene);
    let mut x = MARGIN;
    for (i, &view) in chosen.iter().enumerate() {
        let window = windows[i];
        x += LEFT_ROOM;
        // Views in which y is up stand on one line; the view from above hangs
        // from the top.
        let y = if view.is_level() { top + row_height - heights[i] } else { top };
        let middle = (0.5 * (window.left + window.right), 0.5 * (window.bottom + window.top));
        let panel = Panel { view, corner: (x, y), size: (widths[i], heights[i]), middle, scale, ground };
        panel.paint_back(&mut canvas, true);
        canvas.clip_begin(i, panel.corner, panel.size);
        panel.paint_floor(&mut canvas, &points);
        paint::scene(&mut canvas, &panel, scene, &mut done);
        canvas.clip_end();
        panel.paint_front(&mut canvas, view.title(), true, i == 0);
        if host == Some(i) {
            let y = if view.is_level() { top } else { panel.bottom() + BOTTOM_ROOM + 6.0 };
            legend.paint_column(&mut canvas, (x + 2.0, y));
        }
        x += widths[i] + BETWEEN;
    }
    let mut height = top + row_height + BOTTOM_ROOM;
    if show_legend && host.is_none() {
        let room = width - 2.0 * MARGIN - LEFT_ROOM;
        legend.paint_rows(&mut canvas, (MARGIN + LEFT_ROOM, height), room);
        height += legend.rows_height(room) + 10.0;
    }
    Drawing::new(canvas.document(width, height.round(), color::PAPER), width, height.round())
}

/// The width that is left for panels.
fn panels_width(width: f64, count: usize) -> f64 {
    width - 2.0 * MARGIN - count as f64 * LEFT_ROOM - (count as f64 - 1.0) * BETWEEN
}

/// Pixels a metre, so that all windows fit beside each other and none is too high.
fn fitting_scale(windows: &[Window], width: f64, most_height: f64) -> f64 {
    let tallest = windows.iter().map(|w| w.height()).fold(0.0, f64::max);
    let by_height = (most_height - 2.0 * INSIDE_ROOM.1) / tallest;
    let all = panels_width(width, windows.len());
    let fits = |scale: f64| {
        let needs = |w: &Window| (w.width() * scale + 2.0 * INSIDE_ROOM.0).max(LEAST_PANEL);
        windows.iter().map(needs).sum::<f64>() <= all
    };
    if fits(by_height) {
        return by_height;
    }
    // Panels of least width make this piecewise linear; halving finds it well enough.
    let (mut low, mut high) = (0.0, by_height);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if fits(middle) { low = middle } else { high = middle }
    }
    // Too many panels for the width: then they overlap the margin, but show something.
    if low > 0.0 { low } else { by_height * 0.05 }
}
