use super::*;

const BOUNDS: Bounds = Bounds { velocity: 2.0, acceleration: 5.0, jerk: 40.0 };

fn states() -> impl Iterator<Item = (MotionState, Real)> {
    (0..2000).map(|i| {
        let t = i as Real;
        let a = 5.0 * (t * 1.37).sin();
        // A velocity at which that acceleration can still end within bounds.
        let room = 2.0 - 0.5 * a * a / 40.0;
        let v = (t * 0.71).sin() * room;
        (MotionState { position: 0.0, velocity: v, acceleration: a }, 3.0 * (t * 0.33).sin())
    })
}

#[test]
fn a_plan_leads_to_its_goal_within_bounds() {
    for (state, goal) in states() {
        let plan = Plan::new(state, goal, BOUNDS.velocity, BOUNDS);
        let time = plan.duration();
        assert!(time.is_finite() && time < 10.0);
        let slack = ROUNDING.sqrt();
        for k in 0..=200 {
            let now = plan.follow(state, goal, time * k as Real / 200.0 * 0.999);
            assert!(now.velocity.abs() <= 2.0 + slack, "{state:?} {goal}: {now:?}");
            assert!(now.acceleration.abs() <= 5.0 + slack);
        }
        let end = run(state, &plan.pieces);
        assert!((end.position - goal).abs() < 2.0e-3, "{state:?} {goal}: {end:?}");
        assert!(end.velocity.abs() < 5e-3 && end.acceleration.abs() < 5e-2, "{end:?}");
    }
}

#[test]
fn the_rest_of_a_plan_is_the_plan_from_there() {
    for (state, goal) in states().step_by(7) {
        let plan = Plan::new(state, goal, BOUNDS.velocity, BOUNDS);
        let later = plan.follow(state, goal, 0.1);
        let again = Plan::new(later, goal, BOUNDS.velocity, BOUNDS);
        let left = (plan.duration() - 0.1).max(0.0);
        assert!(again.duration() <= left + 0.05, "{state:?} {goal}: {} {left}", again.duration());
    }
}
