//! Several scenes from one side, one panel each, at one scale: the frames of a
//! motion, or a thing before and after.

use sinew_f64::Vec3;

use crate::canvas::Canvas;
use crate::color;
use crate::drawing::Drawing;
use crate::legend::Legend;
use crate::paint;
use crate::panel::{INSIDE_ROOM, Panel, TOP_ROOM, Window, ground_is_near};
use crate::scene::Scene;
use crate::view::View;
use crate::views::{MARGIN, least_window, paint_title, title_room};

/// How [`strip`] lays out its picture.
#[derive(Debug, Clone, PartialEq)]
pub struct StripOptions {
    /// Where all scenes are looked at from.
    pub view: View,
    /// What stands at the top of the whole.
    pub title: String,
    /// A few more words, smaller.
    pub note: String,
    /// The width of the whole in SVG units.
    pub width: f64,
    /// The most that all rows together are high.
    pub most_height: f64,
    /// Whether each panel is centred on what it shows, or all show the same
    /// piece of the world.
    pub follow: bool,
    /// Whether signs and colours are explained.
    pub legend: bool,
}

impl Default for StripOptions {
    fn default() -> Self {
        Self {
            view: View::Front,
            title: String::new(),
            note: String::new(),
            width: 1200.0,
            most_height: 700.0,
            follow: true,
            legend: false,
        }
    }
}

const BETWEEN: f64 = 8.0;

/// Draws scenes beside each other, in rows if that makes them larger. A
/// scene's title stands above its panel. No scenes make an empty picture.
pub fn strip(scenes: &[Scene], options: &StripOptions) -> Drawing {
    let width = options.width.clamp(300.0, 10_000.0);
    let all: Vec<Vec<Vec3>> = scenes.iter().map(Scene::extent).collect();
    let least = all.iter().map(|points| least_window(points)).fold(0.0, f64::max).max(1.0e-6);
    // One ground for all, or none: a jump does not take it away.
    let ground = scenes.iter().all(|scene| scene.ground) && all.iter().any(|points| ground_is_near(points));
    let windows: Vec<Window> =
        all.iter().map(|points| Window::around(points, options.view, ground, least)).collect();
    let middles: Vec<f64> = windows.iter().map(|w| 0.5 * (w.left + w.right)).collect();
    // The window that holds every scene, moved by its own middle if it follows.
    let common = windows
        .iter()
        .zip(&middles)
        .map(|(w, m)| {
            let shift = if options.follow { *m } else { 0.0 };
            Window { left: w.left - shift, right: w.right - shift, ..*w }
        })
        .reduce(Window::union)
        .unwrap_or(Window { left: -0.5, right: 0.5, bottom: 0.0, top: 1.0 });

    let inside = (0.4 * INSIDE_ROOM.0, 0.6 * INSIDE_ROOM.1);
    let (columns, scale) =
        best_grid(scenes.len().max(1), common, width, options.most_height.max(100.0), inside);
    let panel_width = (width - 2.0 * MARGIN - (columns as f64 - 1.0) * BETWEEN) / columns as f64;
    let panel_height = common.height() * scale + 2.0 * inside.1;
    let head = Scene { title: options.title.clone(), note: options.note.clone(), ..Scene::default() };
    let top = MARGIN + title_room(&head);

    let mut canvas = Canvas::new();
    paint_title(&mut canvas, &head, width);
    for (i, scene) in scenes.iter().enumerate() {
        let (column, row) = (i % columns, i / columns);
        let corner = (
            MARGIN + column as f64 * (panel_width + BETWEEN),
            top + TOP_ROOM + row as f64 * (panel_height + TOP_ROOM),
        );
        let shift = if options.follow { middles[i] } else { 0.0 };
        let middle = (0.5 * (common.left + common.right) + shift, 0.5 * (common.bottom + common.top));
        let panel =
            Panel { view: options.view, corner, size: (panel_width, panel_height), middle, scale, ground };
        panel.paint_back(&mut canvas, false);
        canvas.clip_begin(i, panel.corner, panel.size);
        let mut done = paint::no_names_done(scene);
        panel.paint_floor(&mut canvas, &all[i]);
        paint::scene(&mut canvas, &panel, scene, &mut done);
        canvas.clip_end();
        panel.paint_front(&mut canvas, &scene.title, false, i == 0);
    }
    let rows = scenes.len().max(1).div_ceil(columns);
    let mut height = top + rows as f64 * (panel_height + TOP_ROOM) + MARGIN;
    if options.legend
        && let Some(scene) = scenes.first()
    {
        let legend = Legend::of(scene);
        let room = width - 2.0 * MARGIN;
        legend.paint_rows(&mut canvas, (MARGIN, height - 6.0), room);
        height += legend.rows_height(room);
    }
    Drawing::new(canvas.document(width, height.round(), color::PAPER), width, height.round())
}

/// How many columns make the panels' contents largest, and at what scale.
fn best_grid(count: usize, window: Window, width: f64, most_height: f64, inside: (f64, f64)) -> (usize, f64) {
    let mut best = (1, 0.0);
    for columns in 1..=count {
        let rows = count.div_ceil(columns) as f64;
        let panel_width = (width - 2.0 * MARGIN - (columns as f64 - 1.0) * BETWEEN) / columns as f64;
        let panel_height = most_height / rows - TOP_ROOM;
        let scale = ((panel_width - 2.0 * inside.0) / window.width())
            .min((panel_height - 2.0 * inside.1) / window.height());
        // One row where it costs little: frames are read from left to right.
        if scale > best.1 * if columns == count { 0.8 } else { 1.0 } {
            best = (columns, scale);
        }
    }
    // So many panels that none has room: rows of twenty, as small as they get.
    if best.1 > 0.0 { best } else { (count.min(20), 1.0 / window.height().max(1.0e-9)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tall_figures_stand_in_one_row_and_wide_ones_in_several() {
        let tall = Window { left: 0.0, right: 0.5, bottom: 0.0, top: 1.8 };
        assert_eq!(best_grid(6, tall, 1200.0, 700.0, (10.0, 10.0)).0, 6);
        let wide = Window { left: 0.0, right: 4.0, bottom: 0.0, top: 1.0 };
        assert!(best_grid(6, wide, 1200.0, 700.0, (10.0, 10.0)).0 < 6);
        let (columns, scale) = best_grid(10_000, tall, 1200.0, 700.0, (10.0, 10.0));
        assert!(columns >= 1 && scale > 0.0 && scale.is_finite());
    }
}
