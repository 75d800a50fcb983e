//! The workspaces and their messages as the page uses them, without a server. Tests that serve tabs are
//! programs of their own: they look at threads and times of their process.

#![allow(clippy::unwrap_used, clippy::panic)] // a panic is how a test says no

#[path = "../support/workspace.rs"]
mod common;

#[path = "../../../sinew-io/tests/common/documents.rs"]
#[allow(dead_code)] // the documents are for files
mod documents;
#[path = "../../../sinew-io/tests/common/kept.rs"]
mod kept;
#[path = "../support/made.rs"]
mod made_acts;

mod body;
mod causes;
mod look;
mod made;
mod messages;
mod reach;
mod walk;
