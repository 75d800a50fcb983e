use super::*;
use alloc::vec::Vec;

fn arc(count: usize, sweep: Real) -> (Vec<Vec3>, Vec3) {
    let length = 1.0 / count as Real;
    let mut points = alloc::vec![Vec3::ZERO];
    for i in 0..count {
        let a = (i as Real + 0.5) / count as Real * sweep;
        let last = points[points.len() - 1];
        points.push(last + Vec3::new(a.cos(), a.sin(), 0.0) * length);
    }
    let end = points.pop().unwrap_or(Vec3::ZERO);
    (points, end)
}

#[test]
fn the_end_comes_to_the_target_and_the_sticks_keep_their_lengths() {
    for count in [2, 3, 10, 100, 1000] {
        for sweep in [0.0, 1.57, 5.0] {
            for distance in [0.05, 0.3, 0.6, 0.9, 0.97] {
                if count < 4 && distance < 0.35 {
                    continue;
                }
                let (mut points, mut end) = arc(count, sweep);
                let mut memory = alloc::vec![[0.0; 2]; count];
                let target = Vec3::new(0.3, -0.8, 0.5).normalize() * distance;
                let found = bend_to(&mut points, &mut end, target, 2e-5, &mut memory);
                assert!(found, "{count} {sweep} {distance}");
                assert!(end.distance(target) < 2e-4, "{count} {sweep} {distance}: {}", end.distance(target));
                let mut places = points.clone();
                places.push(end);
                for pair in places.windows(2) {
                    assert!((pair[0].distance(pair[1]) * count as Real - 1.0).abs() < 1e-2);
                }
            }
        }
    }
}

#[test]
fn a_small_move_of_the_target_is_a_small_change_of_shape() {
    let (mut points, mut end) = arc(30, 1.57);
    let mut memory = alloc::vec![[0.0; 2]; 30];
    let mut target = Vec3::new(0.2, 0.5, 0.1);
    bend_to(&mut points, &mut end, target, 2e-5, &mut memory);
    for _ in 0..500 {
        let before = points.clone();
        target += Vec3::new(0.0004, 0.0005, -0.0007);
        bend_to(&mut points, &mut end, target, 2e-5, &mut memory);
        let most = points.iter().zip(&before).map(|(a, b)| a.distance(*b)).fold(0.0, Real::max);
        assert!(most < 0.02, "{most} at {target}");
    }
}
