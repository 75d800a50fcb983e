use super::*;

#[test]
fn smooth_pointed_and_one_sided_minima_are_found() {
    type Case = (fn(Real) -> Real, Real);
    let functions: [Case; 4] =
        [(|x| (x - 0.3) * (x - 0.3), 0.3), (|x| (x + 0.71).abs(), -0.71), (|x| x, -1.0), (|x| -x, 1.0)];
    for (f, least) in functions {
        let bracket = Bracket { low: -1.0, high: 1.0, at: 0.1, value: f(0.1) };
        let (at, value) = golden_section(bracket, |_, width| width < 1e-3, f);
        assert!((at - least).abs() < 2e-3, "{at} for {least}");
        assert_eq!(value, f(at));
    }
}

#[test]
fn it_ends_when_told_and_never_gets_worse() {
    let mut count = 0;
    let bracket = Bracket { low: 0.0, high: 4.0, at: 1.0, value: 1.0 };
    let (_, value) = golden_section(
        bracket,
        |value, _| value < 0.5,
        |x| {
            count += 1;
            (x - 2.0).abs()
        },
    );
    assert!(value < 0.5 && count < 5, "{value} after {count}");
    let nan = golden_section(bracket, |_, width| width < 1e-6, |_| Real::NAN);
    assert_eq!(nan, (1.0, 1.0));
}
