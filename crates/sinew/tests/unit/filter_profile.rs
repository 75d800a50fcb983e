use super::*;

const BOUNDS: Bounds = Bounds { velocity: 2.0, acceleration: 5.0, jerk: 40.0 };

fn states() -> impl Iterator<Item = MotionState> {
    (0..2000).map(|i| {
        let t = i as Real;
        let a = 5.0 * (t * 1.37).sin();
        // A velocity at which that acceleration can still end within bounds.
        let room = 2.0 - 0.5 * a * a / 40.0;
        MotionState { position: 0.0, velocity: (t * 0.71).sin() * room, acceleration: a }
    })
}

#[test]
fn stopping_keeps_within_bounds_and_ends_where_it_says() {
    for state in states() {
        let slack = ROUNDING.sqrt();
        let stop = state.stop(BOUNDS);
        for k in 0..=200 {
            let now = state.braked(BOUNDS, 0.01 * k as Real);
            assert!(now.velocity.abs() <= 2.0 + slack, "{state:?}: {now:?}");
            assert!(now.acceleration.abs() <= 5.0 + slack);
            // The rest of a stop is the stop from there.
            assert!((now.stop(BOUNDS) - stop).abs() < 2.0e-3, "{state:?}: {now:?}");
        }
        let end = state.braked(BOUNDS, 10.0);
        assert!((end.position - stop).abs() < 1.0e-4 && end.velocity == 0.0);
    }
}

#[test]
fn a_piece_that_holds_leaves_a_way_to_end_the_acceleration() {
    for (i, state) in states().enumerate() {
        let jerk = 40.0 * (i as Real * 0.37).cos();
        let next = state.after(jerk, 0.01);
        if BOUNDS.hold(state, next, jerk) {
            let end = change(next.velocity, next.acceleration, next.velocity, BOUNDS);
            let mut now = next;
            for piece in end {
                now = now.after(piece.jerk, piece.time);
                assert!(now.velocity.abs() <= 2.0 + 1.0e-3, "{state:?} {jerk}: {now:?}");
            }
        }
    }
}
