//! Files that scenes bring in.

use serde::{Deserialize, Serialize};

use super::V3;

/// A file that scenes may name. The triangles of a mesh are at `/api/mesh/ID`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ThingDescription {
    /// What scenes call it: the upload's id.
    pub id: String,
    /// The file's name.
    pub name: String,
    /// What is in it.
    pub form: ThingForm,
}

/// What is in a file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ThingForm {
    /// Triangles.
    Mesh {
        /// How many.
        triangles: u32,
        /// The lowest corner of the box around them, in the file's units.
        low: V3,
        /// The highest.
        high: V3,
    },
    /// A picture.
    Map {
        /// Pixels along x.
        columns: u32,
        /// Pixels along z.
        rows: u32,
    },
}
