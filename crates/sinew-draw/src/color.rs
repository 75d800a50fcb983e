//! Colours and the palette that every picture shares.

use std::fmt;

/// An opaque colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Color {
    /// Red.
    pub r: u8,
    /// Green.
    pub g: u8,
    /// Blue.
    pub b: u8,
}

impl Color {
    /// From `0xRRGGBB`.
    pub const fn hex(rgb: u32) -> Self {
        Self { r: (rgb >> 16) as u8, g: (rgb >> 8) as u8, b: rgb as u8 }
    }

    /// This colour with `share` (0 to 1) of another mixed in.
    pub fn mix(self, other: Self, share: f64) -> Self {
        let share = share.clamp(0.0, 1.0);
        let part = |a: u8, b: u8| (f64::from(a) + (f64::from(b) - f64::from(a)) * share).round() as u8;
        Self { r: part(self.r, other.r), g: part(self.g, other.g), b: part(self.b, other.b) }
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{:02x}{:02x}{:02x}", self.r, self.g, self.b)
    }
}

/// Behind everything.
pub const PAPER: Color = Color::hex(0xFFFFFF);
/// Behind a panel.
pub const PANEL: Color = Color::hex(0xFAFBFC);
/// Around a panel.
pub const BORDER: Color = Color::hex(0xDDE2E8);
/// Grid lines.
pub const GRID: Color = Color::hex(0xE9EDF1);
/// Text that must be read.
pub const INK: Color = Color::hex(0x1F2A37);
/// Text that helps.
pub const MUTED: Color = Color::hex(0x6B7785);
/// The ground's surface.
pub const GROUND: Color = Color::hex(0x9A8F7F);
/// What lies under the ground.
pub const SOIL: Color = Color::hex(0xEFEBE4);

/// Joints and bones of the character's left.
pub const LEFT: Color = Color::hex(0x2878B0);
/// Joints and bones of the character's right.
pub const RIGHT: Color = Color::hex(0xD4622F);
/// Joints and bones in the middle, or of a body without sides.
pub const MIDDLE: Color = Color::hex(0x4A5563);

/// Where the bone may point.
pub const SWING: Color = Color::hex(0xD99A1C);
/// The range of a hinge.
pub const ANGLE: Color = Color::hex(0x3B9A6D);
/// The turn about the bone.
pub const TWIST: Color = Color::hex(0x8A63C2);
/// The way of a slide.
pub const SLIDE: Color = Color::hex(0x2A9DA8);

/// What should be reached.
pub const TARGET: Color = Color::hex(0xC2255C);
/// Things of the scene.
pub const OBSTACLE: Color = Color::hex(0x8792A1);

/// Colours for series of a plot or figures that are compared; told apart in
/// grey and by most colour-blind people (after Okabe and Ito 2008).
pub const SERIES: [Color; 8] = [
    Color::hex(0x2878B0),
    Color::hex(0xD4622F),
    Color::hex(0x2E9E78),
    Color::hex(0x8A63C2),
    Color::hex(0xD99A1C),
    Color::hex(0xC2255C),
    Color::hex(0x4A5563),
    Color::hex(0x49B0D6),
];
