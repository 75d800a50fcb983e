//! Joints, limits and numbers in words, for people.

use sinew_f64::limit::{AngleRange, JointLimit, LimitShape, SwingShape};
use sinew_f64::{JointKind, Vec3};

/// Text from a file, safe to print: control characters, which could move the
/// cursor or recolour a terminal, are spelled out.
pub fn printable(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        // Also what reorders text, which could make a name look like another.
        let reorders =
            matches!(c, '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}');
        if (c.is_control() && c != '\n') || reorders {
            out.extend(c.escape_unicode());
        } else {
            out.push(c);
        }
    }
    out
}

/// A name from a file on one line.
pub fn name(text: &str) -> String {
    printable(text).replace('\n', "\\n")
}

/// A number with at most three places.
pub fn number(value: f64) -> String {
    let text = format!("{value:.3}");
    let short = text.trim_end_matches('0').trim_end_matches('.');
    if short == "-0" { "0".into() } else { short.replace('-', "−") }
}

/// An angle in degrees with at most one place.
pub fn degrees(radians: f64) -> String {
    let text = format!("{:.1}", radians.to_degrees());
    let short = text.strip_suffix(".0").unwrap_or(&text);
    let short = if short == "-0" { "0" } else { short };
    format!("{}°", short.replace('-', "−"))
}

fn range(range: AngleRange) -> String {
    if range.is_whole_turn() {
        "any".into()
    } else if (range.min + range.max).abs() < 1.0e-9 {
        format!("±{}", degrees(range.max))
    } else {
        format!("{} to {}", degrees(range.min), degrees(range.max))
    }
}

/// An axis: its letter if it is one of the three, else its numbers.
pub fn axis(axis: Vec3) -> String {
    let letters = [(Vec3::X, "x"), (Vec3::Y, "y"), (Vec3::Z, "z")];
    for (unit, letter) in letters {
        if (axis - unit).length() < 1.0e-6 {
            return letter.into();
        }
        if (axis + unit).length() < 1.0e-6 {
            return format!("−{letter}");
        }
    }
    format!("({}, {}, {})", number(axis.x), number(axis.y), number(axis.z))
}

/// The kind of a joint with its axes.
pub fn kind(kind: JointKind) -> String {
    match kind {
        JointKind::Hinge { axis: a } | JointKind::Prismatic { axis: a } => {
            format!("{} {}", kind.name(), axis(a))
        }
        JointKind::Universal { first, second } => format!("{} {} {}", kind.name(), axis(first), axis(second)),
        JointKind::Fixed | JointKind::Ball | JointKind::Free => kind.name().into(),
    }
}

/// How far a joint can move; empty if nothing holds it.
pub fn limit(limit: &JointLimit) -> String {
    let mut words = match &limit.shape {
        LimitShape::None => return String::new(),
        LimitShape::Hinge(l) => range(l.range),
        LimitShape::Universal(l) => format!("{} and {}", range(l.ranges[0]), range(l.ranges[1])),
        LimitShape::Euler(l) => {
            let order = format!("{:?}", l.order).to_uppercase();
            format!("Euler {order} {}", l.ranges.map(range).join(", "))
        }
        LimitShape::SwingTwist(l) => {
            let twist = l.twist.map(|t| format!("twist {}", range(t)));
            [swing(&l.swing), twist].into_iter().flatten().collect::<Vec<_>>().join(", ")
        }
        LimitShape::Prismatic(l) => format!("{} to {} m", number(l.min), number(l.max)),
    };
    if limit.soft_zone > 0.0 {
        let zone = match limit.shape {
            LimitShape::Prismatic(_) => format!("{} m", number(limit.soft_zone)),
            _ => degrees(limit.soft_zone),
        };
        words.push_str(&format!(", soft by {zone}"));
    }
    words
}

fn swing(swing: &SwingShape) -> Option<String> {
    Some(match swing {
        SwingShape::Free => return None,
        SwingShape::Cone(c) => format!("cone {}", degrees(c.radius)),
        SwingShape::Ellipse(e) => format!("ellipse {} by {}", degrees(e.x), degrees(e.y)),
        other => match swing_reach(other) {
            Some((least, most)) => format!("{} {} to {}", other.name(), degrees(least), degrees(most)),
            None => other.name().to_string(),
        },
    })
}

/// The least and the greatest angle between the edge of a region and its
/// centre, in radians.
fn swing_reach(swing: &SwingShape) -> Option<(f64, f64)> {
    let edge = swing.outline(180).into_iter().flatten();
    let angles = edge.map(|p| p.angle_between(Vec3::Z));
    angles.map(|a| (a, a)).reduce(|(l, m), (a, b)| (l.min(a), m.max(b)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_f64::limit::{Cone, SwingTwistLimit};

    #[test]
    fn what_could_play_with_a_terminal_is_spelled_out() {
        assert_eq!(printable("\u{1b}[31mred\u{7}"), "\\u{1b}[31mred\\u{7}");
        assert_eq!(name("two\nlines\u{202E}"), "two\\nlines\\u{202e}");
        assert_eq!(name("腕 ok"), "腕 ok");
    }

    #[test]
    fn limits_read_like_a_table_of_anatomy() {
        let right = std::f64::consts::FRAC_PI_2;
        assert_eq!(limit(&JointLimit::hinge(Vec3::X, -right, right)), "±90°");
        assert_eq!(limit(&JointLimit::hinge(Vec3::X, 0.0, 2.5).soft(0.1)), "0° to 143.2°, soft by 5.7°");
        let cone = SwingTwistLimit::along(Vec3::Y, Vec3::X).swing(SwingShape::Cone(Cone { radius: right }));
        assert_eq!(limit(&cone.clone().into()), "cone 90°");
        assert_eq!(limit(&cone.twist(-0.5, 0.25).into()), "cone 90°, twist −28.6° to 14.3°");
        assert_eq!(limit(&JointLimit::prismatic(Vec3::X, -0.1, 0.25)), "−0.1 to 0.25 m");
        assert_eq!(limit(&JointLimit::None), "");
    }

    #[test]
    fn axes_have_letters() {
        assert_eq!(axis(Vec3::NEG_Z), "−z");
        assert_eq!(axis(Vec3::new(0.6, 0.8, 0.0)), "(0.6, 0.8, 0)");
        assert_eq!(kind(JointKind::Hinge { axis: Vec3::X }), "hinge x");
    }
}
