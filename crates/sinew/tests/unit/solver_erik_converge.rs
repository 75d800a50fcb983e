use super::*;

#[test]
fn settling_and_cycling_are_noticed_and_progress_is_not() {
    let stuck_at = |errors: &[Real]| {
        let mut convergence = Convergence::default();
        errors.iter().position(|e| convergence.stuck(*e, 1e-4))
    };
    assert_eq!(stuck_at(&[0.5, 0.3, 0.2, 0.15, 0.12]), None);
    assert_eq!(stuck_at(&[0.5, 0.3, 0.30005]), Some(2));
    assert_eq!(stuck_at(&[0.5, 0.3, 0.4, 0.30004]), Some(3));
    assert_eq!(stuck_at(&[0.1, 0.2, 0.3, 0.4, 0.1]), Some(4));
}
