//! The shapes of limits: fans for hinges, cones for swings, arcs about the
//! bone for twists, a rail for slides.

use std::f64::consts::TAU;
use std::fmt::Write;

use sinew_f64::{LimitComponent, Vec3};

use crate::canvas::{Canvas, Paint, Px, number, polyline_path};
use crate::color::{self, Color};
use crate::figure::{LimitMark, Region, Rim};
use crate::panel::Panel;

/// A limit is drawn this large, in metres: a share of its bone, and no more
/// than a share of the figure, so that those of long bones do not hide the rest.
pub(crate) fn radius(mark: &LimitMark, size: f64) -> f64 {
    match mark.component {
        LimitComponent::Twist => (0.14 * mark.length).min(0.03 * size),
        _ => (0.4 * mark.length).min(0.085 * size),
    }
}

/// The middle of what is drawn. Twists stand a little way off, so that they do
/// not hide in the joint.
fn middle(mark: &LimitMark, size: f64) -> Vec3 {
    match mark.component {
        LimitComponent::Twist => mark.origin + mark.center * (0.3 * mark.length).min(0.07 * size),
        _ => mark.origin,
    }
}

/// Points that a picture of the limit must hold.
pub(crate) fn reach(mark: &LimitMark, size: f64) -> Vec<Vec3> {
    let scale = if mark.component == LimitComponent::Displacement { 1.0 } else { radius(mark, size) };
    let middle = middle(mark, size);
    let rims = mark.rims.iter().flat_map(|rim| rim.points.iter().copied());
    let ways = [Vec3::X, Vec3::NEG_X, Vec3::Y, Vec3::NEG_Y, Vec3::Z, Vec3::NEG_Z];
    let inside = ways.into_iter().filter(|way| mark.region.as_ref().is_some_and(|r| r.holds(*way)));
    rims.chain(inside).map(|p| middle + p * scale).collect()
}

/// The colour of what a limit bounds.
pub(crate) fn color(component: LimitComponent) -> Color {
    match component {
        LimitComponent::Angle | LimitComponent::Euler(_) => color::ANGLE,
        LimitComponent::Swing => color::SWING,
        LimitComponent::Twist => color::TWIST,
        LimitComponent::Displacement => color::SLIDE,
    }
}

/// What the legend calls it.
pub(crate) fn words(component: LimitComponent) -> &'static str {
    match component {
        LimitComponent::Angle | LimitComponent::Euler(_) => "range of an angle",
        LimitComponent::Swing => "where the bone may point",
        LimitComponent::Twist => "turn about the bone",
        LimitComponent::Displacement => "range of a slide",
    }
}

/// Paints one limit of a figure of this size.
pub(crate) fn paint(canvas: &mut Canvas, panel: &Panel, mark: &LimitMark, size: f64) {
    let ink = color(mark.component);
    if mark.component == LimitComponent::Displacement {
        let ends: Vec<Px> =
            mark.rims.iter().flat_map(|rim| &rim.points).map(|p| panel.px(mark.origin + *p)).collect();
        canvas.polyline(&ends, false, &Paint::line(ink, 5.0).opacity(1.0, 0.35));
        for end in ends {
            canvas.circle(end, 2.6, &Paint::fill(ink));
        }
        return;
    }
    let radius = radius(mark, size);
    let middle = middle(mark, size);
    // Smaller than this it is a smudge.
    if radius * panel.scale < 2.5 || !middle.is_finite() {
        return;
    }
    let center = panel.px(middle);
    let rims: Vec<Vec<Px>> = mark
        .rims
        .iter()
        .map(|rim| rim.points.iter().map(|p| panel.px(middle + *p * radius)).collect())
        .collect();
    let fill =
        Paint::fill(ink).opacity(if mark.component == LimitComponent::Twist { 0.25 } else { 0.15 }, 1.0);
    match &mark.region {
        Some(region) => canvas.path(&sector(panel, center, radius * panel.scale, region, &rims), &fill),
        None => {
            for (rim, shown) in mark.rims.iter().zip(&rims) {
                canvas.path(&fan(center, shown, rim.closed), &fill);
            }
        }
    }
    for (rim, shown) in mark.rims.iter().zip(&rims) {
        paint_rim(canvas, panel, rim, shown, ink);
        if let (false, Some(first), Some(last)) = (rim.closed, shown.first(), shown.last()) {
            let edge = Paint::line(ink, 0.8).opacity(1.0, 0.6);
            canvas.polyline(&[*first, center, *last], false, &edge);
        }
    }
}

/// The rim, fainter where it passes behind the joint.
fn paint_rim(canvas: &mut Canvas, panel: &Panel, rim: &Rim, shown: &[Px], ink: Color) {
    let count = if rim.closed { shown.len() } else { shown.len().saturating_sub(1) };
    let behind = |i: usize| panel.depth(rim.points[i % rim.points.len()]) < -1.0e-9;
    let mut start = 0;
    while start < count {
        let back = behind(start) && behind(start + 1);
        let mut end = start + 1;
        while end < count && (behind(end) && behind(end + 1)) == back {
            end += 1;
        }
        let run: Vec<Px> = (start..=end).map(|i| shown[i % shown.len()]).collect();
        canvas.polyline(&run, false, &Paint::line(ink, 1.1).opacity(1.0, if back { 0.3 } else { 0.85 }));
        start = end;
    }
}

/// The outline of all directions that a region holds, as seen on the page: a
/// ball's slice. Every part of it is seen from the joint along a straight line,
/// so its edge is a distance for every angle: all the way out where the ball's
/// rim belongs to the region, else out to the furthest curve of its edge.
fn sector(panel: &Panel, center: Px, radius: f64, region: &Region, rims: &[Vec<Px>]) -> String {
    const ANGLES: usize = 96;
    let (right, up) = panel.view.right_up();
    let mut outline: Vec<Px> = Vec::with_capacity(ANGLES);
    for i in 0..ANGLES {
        let (s, c) = (TAU * i as f64 / ANGLES as f64).sin_cos();
        let way = (c, -s);
        let distance = if region.holds(right * c + up * s) {
            radius
        } else {
            rims.iter().map(|rim| furthest_along(center, way, rim)).fold(0.0, f64::max)
        };
        let point = (center.0 + way.0 * distance, center.1 + way.1 * distance);
        if outline.last() != Some(&point) {
            outline.push(point);
        }
    }
    if outline.len() < 3 { String::new() } else { polyline_path(&outline, true) }
}

/// How far the ray from `center` along the unit vector `way` meets a closed curve last.
fn furthest_along(center: Px, way: Px, rim: &[Px]) -> f64 {
    let mut furthest: f64 = 0.0;
    for i in 0..rim.len() {
        let (a, b) = (rim[i], rim[(i + 1) % rim.len()]);
        let (a, b) = ((a.0 - center.0, a.1 - center.1), (b.0 - center.0, b.1 - center.1));
        // Across and along the ray.
        let (across_a, across_b) = (a.1 * way.0 - a.0 * way.1, b.1 * way.0 - b.0 * way.1);
        if (across_a > 0.0) == (across_b > 0.0) {
            continue;
        }
        let t = across_a / (across_a - across_b);
        let along = (a.0 + (b.0 - a.0) * t) * way.0 + (a.1 + (b.1 - a.1) * t) * way.1;
        furthest = furthest.max(along);
    }
    furthest
}

/// All that lies between a point and a rim, as one path. The triangles are all
/// turned the same way round: where they overlap they then add up instead of
/// cancelling out, and the whole is filled once.
fn fan(center: Px, rim: &[Px], closed: bool) -> String {
    let mut d = String::new();
    let count = if closed { rim.len() } else { rim.len().saturating_sub(1) };
    for i in 0..count {
        let (mut a, mut b) = (rim[i], rim[(i + 1) % rim.len()]);
        let area = (a.0 - center.0) * (b.1 - center.1) - (b.0 - center.0) * (a.1 - center.1);
        if area.abs() < 0.02 {
            continue;
        }
        if area < 0.0 {
            std::mem::swap(&mut a, &mut b);
        }
        // Relative moves are shorter.
        let _ = write!(
            d,
            "M{} {}l{} {} {} {}z",
            number(center.0),
            number(center.1),
            number(a.0 - center.0),
            number(a.1 - center.1),
            number(b.0 - a.0),
            number(b.1 - a.1)
        );
    }
    d
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ray_finds_the_far_side_of_a_curve() {
        let square = [(1.0, -1.0), (3.0, -1.0), (3.0, 1.0), (1.0, 1.0)];
        assert!((furthest_along((0.0, 0.0), (1.0, 0.0), &square) - 3.0).abs() < 1e-12);
        assert_eq!(furthest_along((0.0, 0.0), (-1.0, 0.0), &square), 0.0);
    }

    #[test]
    fn fans_turn_one_way_and_skip_what_is_seen_edge_on() {
        let rim = [(10.0, 0.0), (0.0, 10.0), (-10.0, 0.0)];
        assert_eq!(fan((0.0, 0.0), &rim, false).matches('M').count(), 2);
        let flat = [(10.0, 0.0), (5.0, 0.0), (-10.0, 0.0)];
        assert_eq!(fan((0.0, 0.0), &flat, true), "");
        let back: Vec<Px> = rim.iter().rev().copied().collect();
        let forward = fan((0.0, 0.0), &rim[..2], false);
        assert_eq!(fan((0.0, 0.0), &back[1..], false), forward);
    }
}
