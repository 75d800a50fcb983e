//! The swing plane of a body behaviour: its keys and the triangles between them.
//!
//! Drawn as the character sees it: goals to its right are right, higher goals
//! higher. So the horizontal axis is the turn about y and the vertical one the turn
//! about x, both reversed (Kallmann 2007, figures 5 and 8).

use sinew_f64::body::reach::{Behaviour, OUTER, swing_at};
use sinew_f64::math::{Vec2, swing_twist};
use sinew_f64::skeleton::humanoid::Side;

use crate::canvas::{Anchor, Canvas, Paint, Px};
use crate::color;
use crate::drawing::Drawing;

const SIZE: f64 = 760.0;
const MARGIN: f64 = 46.0;
const TOP: f64 = 70.0;

/// What a swing-plane picture shows besides the keys.
#[derive(Debug, Clone, Default)]
pub struct SwingPlaneOptions {
    /// What stands at the top; the behaviour's name by default.
    pub title: String,
    /// The way of a goal over the plane.
    pub path: Vec<Vec2>,
}

/// Draws the swing plane of a behaviour.
///
/// ```
/// use sinew_draw::{SwingPlaneOptions, swing_plane};
/// use sinew_f64::body::reach::Style;
/// use sinew_f64::skeleton::humanoid::{HumanoidMap, Side};
/// let human = sinew_f64::rigs::humanoid(sinew_f64::rigs::SwingModel::Ellipse);
/// let plain = Style::Plain.behaviour(&human, &HumanoidMap::find(&human), Side::Right).unwrap();
/// assert!(swing_plane(&plain, &SwingPlaneOptions::default()).svg().contains("plain"));
/// ```
pub fn swing_plane(behaviour: &Behaviour, options: &SwingPlaneOptions) -> Drawing {
    let mut canvas = Canvas::new();
    let half = 0.5 * SIZE;
    let middle = (MARGIN + half, TOP + half);
    let scale = half / std::f64::consts::PI;
    let px = |s: Vec2| -> Px { (middle.0 - s.y * scale, middle.1 + s.x * scale) };

    let side = match behaviour.side() {
        Side::Left => "left",
        Side::Right => "right",
    };
    let title = match options.title.as_str() {
        "" => format!("Swing plane of '{}', {side} arm", behaviour.name()),
        title => title.to_owned(),
    };
    canvas.text((MARGIN, 26.0), 18.0, Anchor::Start, color::INK, &title);
    let inner = behaviour.keys().len() - OUTER.len();
    let words = format!(
        "{inner} key postures and 4 outer ones, {} triangles; seen by the character",
        behaviour.triangles().len()
    );
    canvas.text((MARGIN, 44.0), 12.0, Anchor::Start, color::MUTED, &words);

    let corner = (MARGIN, TOP);
    canvas.rect(corner, (SIZE, SIZE), 4.0, &Paint::fill(color::PANEL).stroke(color::BORDER, 1.0));
    canvas.circle(middle, half, &Paint::fill(color::PAPER).stroke(color::BORDER, 1.2));
    let rings = [45.0, 90.0, 135.0].map(|degrees| (degrees, half * degrees / 180.0));
    for (_, radius) in rings {
        canvas.circle(middle, radius, &Paint::line(color::GRID, 1.2));
    }
    // The level of the shoulder is a straight line through the middle.
    let ends = [-1.0, 1.0].map(|x| px(swing_twist::swing_of(sinew_f64::Vec3::new(x, 0.0, -1.0e-3))));
    canvas.line(ends[0], ends[1], &Paint::line(color::GRID, 1.2));

    let points: Vec<Vec2> = behaviour.keys().iter().map(|key| key.swing).collect();
    let ink = if behaviour.side() == Side::Left { color::LEFT } else { color::RIGHT };
    let mut edges: Vec<[u32; 2]> = behaviour
        .triangles()
        .iter()
        .flat_map(|[a, b, c]| [[*a, *b], [*b, *c], [*c, *a]])
        .map(|[a, b]| [a.min(b), a.max(b)])
        .collect();
    edges.sort_unstable();
    edges.dedup();
    for [a, b] in edges {
        let outer = (a as usize) < OUTER.len();
        let paint = match outer {
            true => Paint::line(color::MUTED, 0.8).opacity(1.0, 0.5).dashed(),
            false => Paint::line(ink, 1.5),
        };
        canvas.line(px(points[a as usize]), px(points[b as usize]), &paint);
    }
    // Words over the edges, or those would strike them out.
    for (degrees, radius) in rings {
        let at = (middle.0 + 4.0, middle.1 - radius - 3.0);
        canvas.haloed_text(at, 10.0, Anchor::Start, color::MUTED, &format!("{degrees:.0}°"));
    }
    directions(&mut canvas, behaviour.side(), &px);
    if options.path.len() > 1 {
        let way: Vec<Px> = options.path.iter().map(|s| px(*s)).collect();
        canvas.polyline(&way, false, &Paint::line(color::TARGET, 2.2));
    }
    if let Some(last) = options.path.last() {
        canvas.circle(px(*last), 6.0, &Paint::line(color::TARGET, 2.2));
    }
    for (i, p) in points.iter().enumerate() {
        let at = px(*p);
        let outer = i < OUTER.len();
        let fill = if outer { color::MUTED } else { ink };
        canvas.circle(at, if outer { 4.0 } else { 5.0 }, &Paint::fill(fill).stroke(color::PAPER, 1.5));
        let left = at.0 > middle.0 + half - 10.0;
        let (dx, anchor) = if left { (-9.0, Anchor::End) } else { (9.0, Anchor::Start) };
        let dy = if at.1 < TOP + 8.0 { 14.0 } else { -6.0 };
        canvas.haloed_text((at.0 + dx, at.1 + dy), 12.0, anchor, color::INK, &i.to_string());
    }
    let ends = [
        ((middle.0, TOP + SIZE + 18.0), "down"),
        ((middle.0, TOP - 6.0), "up"),
        ((MARGIN - 24.0, middle.1), "left"),
        ((MARGIN + SIZE + 24.0, middle.1), "right"),
    ];
    for (at, word) in ends {
        canvas.text(at, 12.0, Anchor::Middle, color::MUTED, word);
    }
    let (width, height) = (SIZE + 2.0 * MARGIN, SIZE + TOP + 34.0);
    Drawing::new(canvas.document(width, height, color::PAPER), width, height)
}

/// Named directions, so that a reader knows where the body is: straight ahead, to the
/// arm's side, across the body.
fn directions(canvas: &mut Canvas, side: Side, px: &impl Fn(Vec2) -> Px) {
    let quarter = std::f64::consts::FRAC_PI_2;
    let marks = [(0.0, 0.0, "ahead"), (quarter, 0.0, "beside"), (-quarter, 0.0, "across")];
    for (outwards, up, word) in marks {
        let at = px(swing_at(side, outwards, up));
        canvas.circle(at, 2.0, &Paint::fill(color::MUTED));
        canvas.haloed_text((at.0, at.1 + 14.0), 11.0, Anchor::Middle, color::MUTED, word);
    }
}
