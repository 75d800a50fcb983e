//! The shapes of limits: fans for hinges, cones for swings, arcs about the
//! bone for twists, a rail for slides.

use std::fmt::Write;

use sinew_f64::{LimitComponent, Vec3};

use crate::canvas::{Canvas, Paint, Px, number};
use crate::color::{self, Color};
use crate::figure::LimitMark;
use crate::panel::Panel;

/// A limit is drawn this large: a share of its bone, and no more than a share
/// of the picture, so that those of long bones do not hide the rest.
pub(crate) fn radius(mark: &LimitMark, extent: f64) -> f64 {
    let share = if mark.component == LimitComponent::Twist { 0.13 } else { 0.42 };
    (share * mark.length).min(if mark.component == LimitComponent::Twist { 0.028 } else { 0.085 } * extent)
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
        LimitComponent::Angle => "range of a hinge",
        LimitComponent::Euler(_) => "range of an Euler angle",
        LimitComponent::Swing => "where the bone may point",
        LimitComponent::Twist => "turn about the bone",
        LimitComponent::Displacement => "range of a slide",
    }
}

/// Paints one limit; `extent` is the size of all that is shown, in metres.
pub(crate) fn paint(canvas: &mut Canvas, panel: &Panel, mark: &LimitMark, extent: f64) {
    let ink = color(mark.component);
    if mark.component == LimitComponent::Displacement {
        let ends: Vec<Px> = mark.points.iter().map(|p| panel.px(mark.origin + *p)).collect();
        canvas.polyline(&ends, false, &Paint::line(ink, 5.0).opacity(1.0, 0.35));
        for end in ends {
            canvas.circle(end, 2.6, &Paint::fill(ink));
        }
        return;
    }
    let radius = radius(mark, extent);
    // Smaller than this it is a smudge.
    if radius * panel.scale < 2.5 {
        return;
    }
    // Twists stand a little way along the bone, so that they do not hide in the joint.
    let twists = mark.component == LimitComponent::Twist;
    let center =
        if twists { mark.origin + mark.bone * (0.3 * mark.length).min(0.07 * extent) } else { mark.origin };
    let rim: Vec<Vec3> = mark.points.iter().map(|p| center + *p * radius).collect();
    if !rim.iter().all(|p| p.is_finite()) || !center.is_finite() {
        return;
    }
    let rim: Vec<Px> = rim.iter().map(|p| panel.px(*p)).collect();
    let fill = if twists { 0.25 } else { 0.16 };
    canvas.path(&fan(panel.px(center), &rim, mark.closed), &Paint::fill(ink).opacity(fill, 1.0));
    canvas.polyline(&rim, mark.closed, &Paint::line(ink, 1.1).opacity(1.0, 0.75));
    if !mark.closed
        && let (Some(first), Some(last)) = (rim.first(), rim.last())
    {
        let edge = Paint::line(ink, 0.8).opacity(1.0, 0.6);
        canvas.polyline(&[*first, panel.px(center), *last], false, &edge);
    }
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
