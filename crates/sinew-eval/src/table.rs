//! Tables of results: for people on the terminal, for machines as JSON.

use std::fmt;

use comfy_table::{CellAlignment, presets};
use serde::Serialize;

/// One value of a table.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Cell {
    /// A word.
    Text(String),
    /// A number and how many digits after the point people want to see.
    Number(f64, #[serde(skip)] usize),
}

impl Cell {
    /// A number shown with this many digits after the point.
    pub fn number(value: f64, digits: usize) -> Self {
        Self::Number(value, digits)
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Self::Text(text.into())
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => f.write_str(text),
            Self::Number(value, digits) => write!(f, "{value:.digits$}"),
        }
    }
}

/// A titled table whose columns carry their units.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Table {
    /// What it shows.
    pub title: String,
    /// The heads of the columns, with units.
    pub columns: Vec<String>,
    /// The rows.
    pub rows: Vec<Vec<Cell>>,
    /// What a reader must know to trust the numbers: seeds, counts, conditions.
    pub notes: Vec<String>,
}

impl Table {
    /// An empty table.
    pub fn new(title: impl Into<String>, columns: &[&str]) -> Self {
        Self {
            title: title.into(),
            columns: columns.iter().map(|&c| c.into()).collect(),
            rows: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// Adds a row.
    pub fn row(&mut self, cells: Vec<Cell>) {
        self.rows.push(cells);
    }

    /// Adds a note.
    pub fn note(&mut self, note: impl Into<String>) {
        self.notes.push(note.into());
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut table = comfy_table::Table::new();
        table.load_style(presets::UTF8_HORIZONTAL_ONLY).set_header(&self.columns);
        for row in &self.rows {
            table.add_row(row.iter().map(Cell::to_string));
        }
        for (i, column) in table.column_iter_mut().enumerate() {
            let numeric = self.rows.iter().any(|r| matches!(r.get(i), Some(Cell::Number(..))));
            if numeric {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
        writeln!(f, "{}\n{table}", self.title)?;
        self.notes.iter().try_for_each(|note| writeln!(f, "  {note}"))
    }
}
