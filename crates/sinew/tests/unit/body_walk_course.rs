use super::*;

const PACE: Pace = Pace { speed: 1.0, turn: 1.0, speed_change: 100.0, turn_change: 100.0 };

#[test]
fn a_steady_turn_is_a_circle() {
    let mut course = Course { place: Vec2::ZERO, heading: 0.0, speed: 1.0, turn: 1.0 };
    let input = WalkInput { speed: 1.0, turn: 1.0 };
    let ahead = Vec2::new(0.0, 1.0);
    // Facing +z a left turn goes round a centre at +x.
    for _ in 0..1000 {
        course.advance(input, &PACE, ahead, TAU / 1000.0);
        assert!((course.place.distance(Vec2::X) - 1.0).abs() < 1e-3, "{course:?}");
    }
    assert!(course.place.length() < 1e-2);
}
