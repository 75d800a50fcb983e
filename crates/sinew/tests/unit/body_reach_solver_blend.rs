use super::*;
use crate::rigs;

#[test]
fn what_is_surely_allowed_is_allowed() {
    let mut random = crate::math::random::Random(1);
    let human = rigs::humanoid(rigs::SwingModel::Ellipse);
    let (mut known, mut sure) = (0, 0);
    for joint in human.joints() {
        let (middle, cosine) = surely_allowed(joint);
        known += usize::from(cosine < 1.0);
        for _ in 0..200 {
            let turn = random.vector(1.0);
            let q = middle * rotation::exp(turn * 1.5);
            if q.dot(middle).abs() > cosine {
                sure += 1;
                assert_eq!(joint.limit().violation(q), 0.0, "{} {turn}", joint.name());
            }
        }
    }
    assert!(known > 10 && sure > 300, "{known} {sure}");
}
