#![doc = include_str!("../README.md")]

mod canvas;
pub mod color;
mod drawing;
mod figure;
mod labels;
mod legend;
mod limits;
mod paint;
mod panel;
pub mod plot;
mod scene;
mod side;
mod strip;
mod swing_plane;
mod text;
mod view;
mod views;

pub use color::Color;
pub use drawing::{DrawError, Drawing};
pub use figure::{Figure, FigureStyle};
pub use scene::{Cuboid, Label, Marker, Point, Polyline, Scene};
pub use side::Side;
pub use strip::{StripOptions, strip};
pub use swing_plane::{SwingPlaneOptions, swing_plane};
pub use view::View;
pub use views::{ViewsOptions, views};
