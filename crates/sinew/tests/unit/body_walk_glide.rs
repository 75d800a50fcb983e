use super::*;

#[test]
fn a_glide_starts_and_ends_at_rest() {
    let glide = Glide::new([1.0, -2.0], [3.0, -2.5], 0.1, 0.5);
    assert_eq!(glide.at(0.0), [1.0, -2.0]);
    assert_eq!(glide.at(0.6), [3.0, -2.5]);
    let almost = glide.at(0.5 - 1.0e-3);
    assert!((almost[0] - 3.0).abs() < 1.0e-4, "{almost:?}");
    assert!((glide.at(0.3)[0] - 2.0).abs() < 1.0e-4, "half way in half the time");
}

/// What is pushed off is sooner on its way, and never as fast as from rest to rest.
#[test]
fn a_push_takes_the_haste_out_of_the_middle() {
    let glides = [Glide::new([0.0], [1.0], 0.0, 1.0), Glide::pushed([0.0], [1.0], (0.0, 1.0), (4.0, 2.5))];
    let fastest = glides.map(|g| {
        let speed = |k: usize| (g.at((k + 1) as Real / 100.0)[0] - g.at(k as Real / 100.0)[0]) * 100.0;
        assert_eq!((g.at(0.0), g.at(1.0)), ([0.0], [1.0]));
        (0..100).map(speed).fold(0.0, Real::max)
    });
    assert!(fastest[0] > 1.85 && fastest[1] < 1.75, "{fastest:?}");
    assert!(glides[1].at(0.1)[0] > 2.0 * glides[0].at(0.1)[0]);
}

#[test]
fn another_goal_on_the_way_makes_no_jump() {
    let first = Glide::new([0.0], [1.0], 0.0, 1.0);
    let second = first.toward([-0.4], 0.43, 1.2);
    for i in 0..3 {
        let small: Real = 1.0e-3;
        let before = first.at(0.43 - small * i as Real)[0];
        let after = second.at(0.43 + small * i as Real)[0];
        assert!((before - after).abs() < 5.0e-3 * (1 + i) as Real, "{i}: {before} {after}");
    }
    let speed = |g: &Glide<1>, t: Real| (g.at(t + 2.0e-3)[0] - g.at(t)[0]) / 2.0e-3;
    assert!((speed(&first, 0.428) - speed(&second, 0.43)).abs() < 0.05);
    assert_eq!(second.at(2.0), [-0.4]);
    // Without time the goal is taken at once.
    assert_eq!(first.toward([7.0], 0.5, 0.5).at(0.5), [7.0]);
}

#[test]
fn what_follows_comes_near_without_haste() {
    let mut follow = Follow::at(0.0);
    let (mut last, mut most) = (0.0, 0.0);
    let tick = 1.0 / 240.0;
    for i in 0..480 {
        let goal = if i < 200 { 0.3 } else { -0.1 };
        follow.advance(goal, 9.0, tick);
        most = Real::max(most, ((follow.velocity - last) / tick).abs());
        last = follow.velocity;
        assert!(follow.value < 0.33 && follow.value > -0.13, "{i}: {}", follow.value);
    }
    assert!(most < 9.01, "{most}");
    assert!((follow.value + 0.1).abs() < 1.0e-3, "{}", follow.value);
}
