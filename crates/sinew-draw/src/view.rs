//! From where a scene is looked at. All views are orthographic.

use sinew_f64::Vec3;

/// A direction to look from. A character faces +Z with its left at +X.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum View {
    /// From +Z: x to the right, y up.
    Front,
    /// From −X, the character's right: z to the right, y up.
    Side,
    /// From +Y: x to the right, z down.
    Top,
    /// From ahead, to one side and a little above.
    Turned,
}

impl View {
    /// The three views of a technical drawing.
    pub const THREE: [Self; 3] = [Self::Front, Self::Side, Self::Top];

    /// The word that people type for it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Front => "front",
            Self::Side => "side",
            Self::Top => "top",
            Self::Turned => "turned",
        }
    }

    /// What is written above the panel.
    pub(crate) const fn title(self) -> &'static str {
        match self {
            Self::Front => "front, from +z",
            Self::Side => "side, from −x",
            Self::Top => "top, from +y",
            Self::Turned => "turned, from ahead and above",
        }
    }

    /// The unit vectors that go right and up in the picture, in model space.
    pub(crate) fn right_up(self) -> (Vec3, Vec3) {
        match self {
            Self::Front => (Vec3::X, Vec3::Y),
            Self::Side => (Vec3::Z, Vec3::Y),
            Self::Top => (Vec3::X, -Vec3::Z),
            Self::Turned => {
                let (turn, tilt) = (-35.0_f64.to_radians(), 18.0_f64.to_radians());
                let right = Vec3::new(turn.cos(), 0.0, -turn.sin());
                let ahead = Vec3::new(turn.sin(), 0.0, turn.cos());
                (right, Vec3::Y * tilt.cos() - ahead * tilt.sin())
            }
        }
    }

    /// A point as the view sees it: right, up, and towards the eye.
    pub(crate) fn project(self, p: Vec3) -> Vec3 {
        let (right, up) = self.right_up();
        Vec3::new(p.dot(right), p.dot(up), p.dot(right.cross(up)))
    }

    /// The names of the axes that run right and up, with their signs, if they
    /// lie in the picture.
    pub(crate) const fn axis_names(self) -> Option<(&'static str, &'static str)> {
        match self {
            Self::Front => Some(("x", "y")),
            Self::Side => Some(("z", "y")),
            Self::Top => Some(("x", "z")),
            Self::Turned => None,
        }
    }

    /// Whether y runs straight up, so that the ground is a line.
    pub(crate) const fn is_level(self) -> bool {
        matches!(self, Self::Front | Self::Side)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn views_are_right_handed_and_look_from_where_they_say() {
        let eye = |v: View| {
            let (r, u) = v.right_up();
            assert!(
                r.dot(u).abs() < 1e-12
                    && (r.length() - 1.0).abs() < 1e-12
                    && (u.length() - 1.0).abs() < 1e-12
            );
            r.cross(u)
        };
        assert!((eye(View::Front) - Vec3::Z).length() < 1e-12);
        assert!((eye(View::Side) + Vec3::X).length() < 1e-12);
        assert!((eye(View::Top) - Vec3::Y).length() < 1e-12);
        let turned = eye(View::Turned);
        assert!(turned.z > 0.5 && turned.y > 0.2);
    }
}
