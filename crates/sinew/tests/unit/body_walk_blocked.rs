use super::*;

/// A leg of a metre, looks every five centimetres over two metres.
fn met(height: impl Fn(Real) -> Real) -> Option<(Real, Obstacle)> {
    let options = WalkOptions { climb: 0.4, drop: 0.45, steepest: 0.7, ..WalkOptions::default() };
    let found = first(|i| height(0.05 * i as Real), height(0.0), (40, 0.05), 1.0, &options)?;
    Some((0.05 * found.0 as Real, found.1))
}

#[test]
fn each_kind_of_ground_has_its_name() {
    let from_one = |h: Real| move |z: Real| if z > 1.01 { h } else { 0.0 };
    for (height, by) in [(2.0, Obstacle::Wall), (0.6, Obstacle::Step), (-0.8, Obstacle::Drop)] {
        let (at, what) = met(from_one(height)).unwrap();
        assert!(what == by && (at - 1.0).abs() < 0.01, "{height}: {what:?} at {at}");
    }
    let (at, what) = met(|z| 0.9 * (z - 0.7).max(0.0)).unwrap();
    assert!(what == Obstacle::Slope && (at - 0.7).abs() < 0.06, "{what:?} at {at}");
    assert_eq!(met(|z| -0.9 * (z - 0.7).max(0.0)).unwrap().1, Obstacle::Slope);
}

#[test]
fn what_is_within_the_limits_is_walked_on() {
    assert_eq!(met(|_| 0.3), None);
    assert_eq!(met(|z| 0.5 * z), None);
    // Stairs are steeper than slopes may be.
    assert_eq!(met(|z| 0.25 * (z / 0.3).floor()), None);
    assert_eq!(met(|z| -0.25 * (z / 0.3).floor()), None);
    // A sill, and a ditch that a step is longer than.
    assert_eq!(met(|z| if (0.8..0.9).contains(&z) { 0.3 } else { 0.0 }), None);
    assert_eq!(met(|z| if (0.8..1.0).contains(&z) { -2.0 } else { 0.0 }), None);
    assert!(met(|z| if (0.8..1.4).contains(&z) { -2.0 } else { 0.0 }).is_some());
}
