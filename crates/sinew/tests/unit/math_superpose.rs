use super::*;

fn some_vector(i: usize) -> Vec3 {
    let t = i as Real;
    Vec3::new((t * 1.7).sin(), (t * 0.9 + 1.0).cos(), (t * 2.3).sin())
}

#[test]
fn the_jacobi_way_agrees_with_the_polynomial_way() {
    for i in 0..100 {
        let mut sums = Superposition::EMPTY;
        for k in 0..4 {
            sums.add(some_vector(i + k), some_vector(2 * i + 3 * k), 0.25);
        }
        let scale = sums.bound;
        sums.sum *= 1.0 / scale;
        let k = sums.davenport();
        let slow = dominant_by_jacobi(k);
        if let Some(fast) = dominant_by_polynomial(&k, 1.0, DEGENERATE) {
            // Compared by what they achieve: near ties both are right.
            let gain = |q: Quat| {
                let v = [q.x, q.y, q.z, q.w];
                (0..4).map(|r| (0..4).map(|c| v[r] * k[r][c] * v[c]).sum::<Real>()).sum::<Real>()
            };
            assert!((gain(fast) - gain(slow)).abs() < ROUNDING * 200.0, "{i}");
        }
    }
}

fn some_rotation(i: usize) -> Quat {
    let t = i as Real;
    rotation::exp(Vec3::new((t * 0.7).sin(), (t * 1.3).cos(), (t * 0.31).sin()) * 2.2)
}

#[test]
fn exact_pairs_give_the_exact_rotation() {
    for i in 0..300 {
        let r = some_rotation(i);
        let mut sums = Superposition::EMPTY;
        for k in 0..3 {
            let v = some_vector(i * 3 + k);
            sums.add(v, r * v, 1.0 + k as Real);
        }
        let error = rotation::angle(sums.best_rotation().conjugate() * r);
        assert!(error < ROUNDING * 3000.0, "{i}: {error}");
    }
}

#[test]
fn frames_give_the_exact_rotation_also_half_a_turn_away() {
    for i in 0..100 {
        for r in [some_rotation(i), rotation::exp(direction_or(some_vector(i), Vec3::X) * PI)] {
            let from = some_rotation(i + 7);
            let mut sums = Superposition::EMPTY;
            sums.add_frames(from, r * from, Vec3::ONE);
            let error = rotation::angle(sums.best_rotation().conjugate() * r);
            assert!(error < ROUNDING * 3000.0, "{i}: {error}");
        }
    }
}

#[test]
fn one_pair_turns_by_the_shortest_arc() {
    for i in 0..100 {
        let (a, b) = (some_vector(i).normalize(), some_vector(i + 50).normalize());
        let mut sums = Superposition::EMPTY;
        sums.add(a, b, 1.0);
        let q = sums.best_rotation();
        let arc = rotation::angle_between(a, b);
        assert!((rotation::angle(q) - arc).abs() < 2e-2, "{i}: {} {arc}", rotation::angle(q));
        assert!((q * a).distance(b) < 1e-2, "{i}");
    }
}

#[test]
fn a_hinge_s_best_angle_is_that_of_the_planar_problem() {
    for i in 0..50 {
        let axis = direction_or(some_vector(i), Vec3::Z);
        let angle = wrap_angle(i as Real * 0.37);
        let mut sums = Superposition::EMPTY;
        for k in 0..3 {
            let v = some_vector(i + 11 * k);
            sums.add(v, rotation::about(axis, angle) * v, 1.0);
        }
        assert!(wrap_angle(sums.best_angle(axis) - angle).abs() < 1e-4);
    }
}

#[test]
fn nothing_and_nonsense_give_the_identity() {
    assert_eq!(Superposition::EMPTY.best_rotation(), Quat::IDENTITY);
    let mut sums = Superposition::EMPTY;
    sums.add(Vec3::splat(Real::NAN), Vec3::X, 1.0);
    assert_eq!(sums.best_rotation(), Quat::IDENTITY);
    let mut opposite = Superposition::EMPTY;
    opposite.add(Vec3::X, -Vec3::X, 1.0);
    assert!(opposite.best_rotation().is_finite());
}
