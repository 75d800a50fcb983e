//! Pictures of skeletons, limits and measurements.
//!
//! ```text
//! Skeleton, Pose ──► Figure ─┐
//! points, lines, boxes ──────┴► Scene ──► views (front, side, top) ─┐
//!                                    └──► strip (one panel a frame) ┼► Drawing ──► SVG, PNG
//! numbers ──────────────────────────────► plot ─────────────────────┘
//! ```
//!
//! Everything is drawn as SVG and rasterised from that. Text comes from fonts
//! that are part of this crate, so a picture has the same bytes on every
//! machine whatever fonts it has.
//!
//! ```
//! use sinew_draw::{Figure, Scene, ViewsOptions};
//! use sinew_f64::Pose;
//! let skeleton = sinew_f64::rigs::chain(5, 1.0);
//! let scene = Scene::new("a chain").figure(Figure::new(&skeleton, &Pose::rest(&skeleton)));
//! let drawing = sinew_draw::views(&scene, &ViewsOptions::default());
//! assert!(drawing.svg().starts_with("<svg"));
//! let png = drawing.png(400)?;
//! assert_eq!(&png[1..4], b"PNG");
//! # Ok::<(), sinew_draw::DrawError>(())
//! ```

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
