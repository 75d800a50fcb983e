use super::*;

fn agree(arcs: &Arcs, inside: impl Fn(Real) -> bool, margin: impl Fn(Real) -> Real) {
    for i in 0..7200 {
        let a = wrap_angle(i as Real * TAU / 7200.0);
        if margin(a).abs() > 1e-4 {
            assert_eq!(arcs.contains(a), inside(a), "{a} {arcs:?}");
        }
    }
}

#[test]
fn a_scan_finds_what_is_wider_and_what_is_narrower_than_its_step() {
    for (offset, frequency) in [(0.3, 1.0), (-0.9, 1.0), (-0.999, 2.0), (0.9995, 3.0), (-0.99999, 1.0)] {
        for shift in [0.0, 0.4, 1.7, 3.1] {
            let margin = |a: Real| ((a - shift) * frequency).cos() + offset;
            let arcs = Arcs::scan(&Arcs::ALL, 24, margin);
            agree(&arcs, |a| margin(a) >= 0.0, margin);
        }
    }
}

#[test]
fn the_lowest_angle_is_found_with_and_without_a_bound_of_the_slope() {
    let f = |a: Real| (1.3 * (a - 2.0).cos()).min(2.0 * wrap_angle(a + 0.4).abs() - 1.35);
    let enough = |_: Real, width: Real| width < 1e-3;
    for slope in [2.0, Real::INFINITY] {
        let (at, value) = Arcs::ALL.lowest(0.05, slope, enough, f).unwrap();
        assert!((at + 0.4).abs() < 2e-3 && (value + 1.35).abs() < 4e-3, "{at} {value}");
        let (at, _) = Arcs::one(-0.2, 4.0).lowest(0.05, slope, enough, f).unwrap();
        assert!((at + 0.2).abs() < 2e-3, "{at}");
    }
    assert_eq!(Arcs::NONE.lowest(0.1, 1.0, enough, f), None);
}

#[test]
fn the_nearest_is_found_from_everywhere_with_few_samples() {
    for (top, width) in [(0.3, 0.4), (-2.9, 0.02), (1.0, 1.5)] {
        for from in (-31..32).map(|i| 0.1 * i as Real) {
            let mut count = 0;
            let found = Arcs::ALL.nearest_by_scan(from, 180, |a| {
                count += 1;
                width - wrap_angle(a - top).abs()
            });
            let nearest = Arcs::one(top - width, 2.0 * width).nearest(from).unwrap();
            assert!(
                wrap_angle(found.unwrap() - nearest).abs() < 1e-4,
                "{top} {from}: {found:?}, not {nearest}"
            );
            assert!(count < 150, "{count}");
        }
    }
    assert_eq!(Arcs::one(1.0, 0.5).nearest_by_scan(0.0, 180, |_| -1.0), None);
    assert_eq!(Arcs::one(1.0, 0.5).nearest_by_scan(0.0, 180, |_| 1.0), Some(1.0));
}

#[test]
fn arcs_shorter_than_a_rounding_end() {
    for start in [-3.0, 0.1, 2.0] {
        for length in [0.0, Real::EPSILON, 3.0 * Real::EPSILON, 20.0 * Real::EPSILON] {
            let arc = Arcs::one(start, length);
            assert_eq!(Arcs::scan(&arc, 180, |_| 1.0).as_slice().len(), 1);
            assert!(arc.nearest_by_scan(0.0, 180, |_| -1.0).is_none());
            assert!(arc.lowest(0.1, 1.0, |_, width| width <= 0.0, |a| a).is_some());
        }
    }
}

#[test]
fn a_margin_that_is_flat_inside_has_exact_edges() {
    for edge in [0.3, 1.2345, -2.0] {
        let margin = |a: Real| if a < edge { -2.0 * (edge - a) } else { HAIR };
        let arcs = Arcs::scan(&Arcs::one(edge - 0.5, 1.0), 24, margin);
        let [arc] = arcs.as_slice() else { panic!("{arcs:?}") };
        assert!((arc.start - edge).abs() < 4.0 * ROUNDING, "{arc:?} {edge}");
    }
}

#[test]
fn intersections_hold_what_both_hold() {
    let sets = [
        Arcs::one(0.5, 2.0),
        Arcs::one(3.0, 1.5),
        Arcs::one(-3.0, 6.0),
        Arcs::scan(&Arcs::ALL, 24, |a| (2.0 * a).cos() - 0.2),
        Arcs::ALL,
        Arcs::NONE,
    ];
    for a in &sets {
        for b in &sets {
            let both = a.intersection(b);
            for i in 0..3600 {
                let x = wrap_angle(i as Real * TAU / 3600.0 + 1e-4);
                assert_eq!(both.contains(x), a.contains(x) && b.contains(x), "{x} {a:?} {b:?}");
            }
        }
    }
}

#[test]
fn the_nearest_angle_goes_the_short_way() {
    let arcs = Arcs::one(3.0, 0.5);
    assert!((arcs.nearest(2.0).unwrap() - 3.0).abs() < 1e-6);
    assert!((arcs.nearest(-2.5).unwrap() - wrap_angle(3.5)).abs() < 1e-6);
    assert_eq!(arcs.nearest(3.1), Some(3.1));
    assert_eq!(Arcs::NONE.nearest(0.0), None);
}
