use super::*;

#[test]
fn a_five_pointed_star_has_five_reflex_corners() {
    let star = SphericalPolygon::new((0..10).map(|i| {
        let (s, c) = (TAU * i as Real / 10.0).sin_cos();
        let r = if i % 2 == 0 { 1.0 } else { 0.45 };
        Vec3::new(r * c, r * s, 1.0)
    }));
    assert_eq!(star.edges.iter().filter(|e| e.reflex).count(), 5);
}
