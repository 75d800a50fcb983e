//! The ground, from Python: nothing, a name, or heights on a grid.

use numpy::{PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use sinew_f64::body::walk::{Ground, Terrain};

/// Heights at whole steps of x and z, with straight lines between them; the middle of the grid is the origin.
pub struct Heights {
    columns: usize,
    rows: usize,
    cell: f64,
    values: Vec<f64>,
}

impl Terrain for Heights {
    fn height(&self, x: f64, z: f64) -> f64 {
        let place = |at: f64, count: usize| {
            let along = (at / self.cell + 0.5 * (count - 1) as f64).clamp(0.0, (count - 1) as f64);
            let first = (along.floor() as usize).min(count - 2);
            (first, along - first as f64)
        };
        if !(x.is_finite() && z.is_finite()) {
            return 0.0;
        }
        let ((i, u), (j, v)) = (place(x, self.columns), place(z, self.rows));
        let at = |i: usize, j: usize| self.values[j * self.columns + i];
        let mix = |a: f64, b: f64, t: f64| a + (b - a) * t;
        mix(mix(at(i, j), at(i + 1, j), u), mix(at(i, j + 1), at(i + 1, j + 1), u), v)
    }
}

/// `None` for flat ground, a name (`"slope"`, `"stairs"`, `"hills"`, `"rubble"`), or `(heights, cell)`: heights in metres as an
/// array (z, x) and the metres between two of them.
pub fn parse(given: Option<&Bound<'_, PyAny>>) -> PyResult<Box<dyn Terrain + Send + Sync>> {
    let Some(given) = given else { return Ok(Box::new(Ground::Flat)) };
    if let Ok(name) = given.extract::<String>() {
        return Ok(Box::new(match name.as_str() {
            "flat" => Ground::Flat,
            "slope" => Ground::Slope { grade: 0.15 },
            "stairs" | "steps" => Ground::STAIRS,
            "hills" => Ground::hills(1, 0.35, 8.0),
            "rubble" => Ground::rubble(1, 0.1, 0.3),
            other => {
                return Err(PyValueError::new_err(format!(
                    "there is no ground '{other}'; there are flat, slope, stairs, hills and rubble, or (heights, cell)"
                )));
            }
        }));
    }
    let (heights, cell): (PyReadonlyArray2<'_, f64>, f64) = given.extract().map_err(|_| {
        PyValueError::new_err(
            "ground: expected a name, or an array of float64 (z, x) and the metres between two heights",
        )
    })?;
    let [rows, columns] = [heights.shape()[0], heights.shape()[1]];
    let values: Vec<f64> = heights.as_array().iter().copied().collect();
    if rows < 2 || columns < 2 || !(cell.is_finite() && cell > 0.0) || values.iter().any(|h| !h.is_finite()) {
        return Err(PyValueError::new_err(
            "ground: expected two rows and columns or more, finite heights and a cell above zero",
        ));
    }
    Ok(Box::new(Heights { columns, rows, cell, values }))
}
