use super::*;
use crate::limit::{Cone, Kusudama, SwingEllipse, SwingTwistLimit};

#[test]
fn the_probe_says_what_the_limit_says() {
    let along = SwingTwistLimit::centred(Vec3::new(0.36, 0.48, -0.8), Vec3::new(0.0, 0.6, 0.8), Vec3::X);
    let limits: [JointLimit; 4] = [
        along.clone().swing(SwingEllipse::new(1.9, 0.4)).twist(-0.3, 1.4).into(),
        along.clone().swing(Cone::new(0.9)).twist(-2.6, 0.1).into(),
        along.clone().swing(Kusudama::new([(Vec3::Z, 0.4), (Vec3::X, 0.5)])).twist(0.2, 1.0).into(),
        along.swing(SwingEllipse::new(0.5, 2.4)).into(),
    ];
    for limit in limits {
        let limit = limit.checked(crate::JointKind::Ball).unwrap();
        let probe = LimitProbe::new(&limit).unwrap();
        let mut both = [0, 0];
        for i in 0..20_000 {
            let t = i as Real;
            let q = rotation::exp(Vec3::new((t * 0.7).sin(), (t * 1.3).cos(), (t * 0.31).sin()) * 2.5);
            let margin = probe.margins(probe.to_frame(q)).least();
            if margin.abs() > 1e-4 {
                assert_eq!(margin > 0.0, limit.violation(q) == 0.0, "{limit:?} {q:?} {margin}");
                both[usize::from(margin > 0.0)] += 1;
            }
            assert!(rotation::angle(probe.out_of_frame(probe.to_frame(q)).conjugate() * q) < 2e-3);
        }
        assert!(both[0] > 100 && both[1] > 100, "{both:?}");
    }
    assert!(LimitProbe::new(&JointLimit::hinge(Vec3::X, 0.0, 1.0)).is_none());
}
