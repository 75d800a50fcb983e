//! Points by the names that the page gives them, and what is said of them.

use sinew::Cause;
use sinew::body::six_point::{Point, SixPointReport, Source, Trackers};
use sinew_f64::{ModelPose, Skeleton};

use crate::wire::{Explain, PointState};

/// A point's name on the page: `left-wrist`.
pub fn name(point: Point) -> String {
    point.name().replace('_', "-")
}

/// The point of a name.
pub fn by_name(word: &str) -> Result<Point, String> {
    let wanted = word.replace('-', "_");
    Point::ALL.into_iter().find(|p| p.name() == wanted).ok_or_else(|| {
        let known = Point::ALL.map(name).join(", ");
        format!("'{word}' is no point; there are {known}")
    })
}

/// The points of a list, each once.
pub fn parse(words: &[String]) -> Result<Vec<Point>, String> {
    if words.len() > 4 * Point::COUNT {
        return Err(format!("{} points were named; a body has {}", words.len(), Point::COUNT));
    }
    let mut points = Vec::new();
    for word in words {
        let point = by_name(word)?;
        if !points.contains(&point) {
            points.push(point);
        }
    }
    if points.is_empty() {
        return Err("name at least one point".into());
    }
    Ok(points)
}

/// Where a point's place came from, in a word.
pub const fn word(source: Source) -> &'static str {
    match source {
        Source::Measured => "measured",
        Source::Missing => "filled in",
        Source::NotFinite => "no number",
        Source::Implausible => "not believed",
        Source::CatchingUp => "catching up",
        Source::Frozen => "stands still",
    }
}

/// What the page is told of the points in use.
pub fn states(
    skeleton: &Skeleton,
    model: &ModelPose,
    points: &[(Point, usize)],
    given: &Trackers,
    (narrow, report): (&sinew::Skeleton, Option<&SixPointReport>),
) -> Vec<PointState> {
    let state = |&(point, joint): &(Point, usize)| {
        let reached = model.position(skeleton.id(joint)?);
        let wanted = given.position(point).map_or(reached, |p| p.as_dvec3());
        let source = report.map_or(Source::Measured, |report| report.source(point));
        let cause = report.and_then(|report| limb_cause(report, point));
        Some(PointState {
            point: name(point),
            position: wanted.to_array(),
            reached: reached.to_array(),
            source: word(source).into(),
            typed_cause: cause.map(|cause| cause.typed(narrow, &[name(point)])),
        })
    };
    points.iter().filter_map(state).collect()
}

/// Why a limb's end is not where it should be.
pub fn limb_cause(report: &SixPointReport, point: Point) -> Option<Cause> {
    match point {
        Point::Wrist(side) => report.arm(side).outcome.cause,
        Point::Ankle(side) => report.leg(side).outcome.cause,
        _ => None,
    }
}
