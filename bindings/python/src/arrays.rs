//! Arrays at the border: shapes, dtypes and numbers are looked at here, and an exception says which argument and
//! which row.

use numpy::{PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn, PyReadwriteArrayDyn, PyUntypedArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// An array of either precision, borrowed from NumPy.
pub enum Numbers<'py> {
    Single(PyReadonlyArrayDyn<'py, f32>),
    Double(PyReadonlyArrayDyn<'py, f64>),
}

/// Which precision an array is in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Precision {
    Single,
    Double,
}

impl<'py> Numbers<'py> {
    /// Takes a float array as it is, and makes one of double precision of anything else that NumPy takes for numbers.
    pub fn of(given: &Bound<'py, PyAny>, name: &str) -> PyResult<Self> {
        if let Ok(array) = given.cast::<PyArrayDyn<f64>>() {
            return Ok(Self::Double(read_only(array, name)?));
        }
        if let Ok(array) = given.cast::<PyArrayDyn<f32>>() {
            return Ok(Self::Single(read_only(array, name)?));
        }
        let py = given.py();
        let made = py.import("numpy")?.getattr("asarray")?;
        let options = PyDict::new(py);
        options.set_item("dtype", "float64")?;
        let wrong =
            |why: String| PyTypeError::new_err(format!("{name}: {why}; expected an array of numbers"));
        // Text would be taken for numbers, and a complex number for its real part.
        let plain = made.call1((given,)).map_err(|e| wrong(e.value(py).to_string()))?;
        let kind: String = plain.getattr("dtype")?.getattr("kind")?.extract()?;
        if !"biuf".contains(&kind) {
            return Err(wrong(format!("found dtype {}", plain.getattr("dtype")?.str()?)));
        }
        let made = made.call((plain,), Some(&options)).map_err(|e| wrong(e.value(py).to_string()))?;
        let array = made.cast::<PyArrayDyn<f64>>().map_err(|e| wrong(e.to_string()))?;
        Ok(Self::Double(read_only(array, name)?))
    }

    pub fn precision(&self) -> Precision {
        match self {
            Self::Single(_) => Precision::Single,
            Self::Double(_) => Precision::Double,
        }
    }

    pub fn shape(&self) -> &[usize] {
        match self {
            Self::Single(array) => array.shape(),
            Self::Double(array) => array.shape(),
        }
    }

    /// The numbers in C order in double precision; borrowed where they lie so.
    pub fn double(&self) -> std::borrow::Cow<'_, [f64]> {
        match self {
            Self::Single(array) => array.as_array().iter().map(|x| f64::from(*x)).collect::<Vec<_>>().into(),
            Self::Double(array) => match array.as_slice() {
                Ok(slice) => slice.into(),
                _ => array.as_array().iter().copied().collect::<Vec<_>>().into(),
            },
        }
    }

    /// The same in single precision.
    pub fn single(&self) -> std::borrow::Cow<'_, [f32]> {
        match self {
            Self::Double(array) => array.as_array().iter().map(|x| *x as f32).collect::<Vec<_>>().into(),
            Self::Single(array) => match array.as_slice() {
                Ok(slice) => slice.into(),
                _ => array.as_array().iter().copied().collect::<Vec<_>>().into(),
            },
        }
    }
}

impl Numbers<'_> {
    /// The numbers in double precision, if all are finite.
    pub fn finite_double(&self, name: &str) -> PyResult<std::borrow::Cow<'_, [f64]>> {
        let numbers = self.double();
        finite(name, &numbers, self.shape())?;
        Ok(numbers)
    }

    /// The same in single precision.
    pub fn finite_single(&self, name: &str) -> PyResult<std::borrow::Cow<'_, [f32]>> {
        let numbers = self.single();
        finite(name, &numbers, self.shape())?;
        Ok(numbers)
    }
}

/// Borrows an array that lies in C order and aligned, or a copy of it that does.
fn read_only<'py, T: numpy::Element>(
    array: &Bound<'py, PyArrayDyn<T>>,
    name: &str,
) -> PyResult<PyReadonlyArrayDyn<'py, T>> {
    let busy = |error: numpy::BorrowError| PyValueError::new_err(format!("{name}: {error}"));
    if array.is_c_contiguous() && array.is_aligned() {
        return array.try_readonly().map_err(busy);
    }
    let require = array.py().import("numpy")?.getattr("require")?;
    let straight = require.call1((array, array.py().None(), ["C", "A"]))?;
    straight.cast::<PyArrayDyn<T>>()?.try_readonly().map_err(busy)
}

/// An array to write to: the one that is given, or a new one.
pub fn output<'py, T: numpy::Element>(
    py: Python<'py>,
    given: Option<&Bound<'py, PyAny>>,
    name: &str,
    shape: &[usize],
) -> PyResult<Bound<'py, PyArrayDyn<T>>> {
    let Some(given) = given else { return Ok(PyArrayDyn::zeros(py, shape, false)) };
    let array = given.cast::<PyArrayDyn<T>>().map_err(|_| {
        let found = given.getattr("dtype").and_then(|dtype| dtype.str()).or_else(|_| given.get_type().str());
        let found = found.map_or_else(|_| String::from("something else"), |word| word.to_string());
        PyTypeError::new_err(format!("{name}: found {found}; expected an array of {}", T::get_dtype(py)))
    })?;
    if array.shape() != shape {
        return Err(PyValueError::new_err(format!(
            "{name}: found shape {}; expected {}",
            told(array.shape()),
            told(shape)
        )));
    }
    if !(array.is_c_contiguous() && array.is_aligned()) {
        return Err(PyValueError::new_err(format!("{name}: its rows do not lie one behind the other")));
    }
    Ok(array.clone())
}

/// An array's numbers, to be written.
pub fn writable<'py, T: numpy::Element>(
    array: &Bound<'py, PyArrayDyn<T>>,
    name: &str,
) -> PyResult<PyReadwriteArrayDyn<'py, T>> {
    array.try_readwrite().map_err(|error| PyValueError::new_err(format!("{name}: {error}")))
}

/// A shape as people write it.
pub fn told(shape: &[usize]) -> String {
    let words: Vec<String> = shape.iter().map(usize::to_string).collect();
    if words.len() == 1 { format!("({},)", words[0]) } else { format!("({})", words.join(", ")) }
}

/// How many rows an array has if each is of this shape: `None` for a single one.
pub fn rows(name: &str, shape: &[usize], row: &[usize]) -> PyResult<Option<usize>> {
    match shape {
        shape if shape == row => Ok(None),
        [n, rest @ ..] if rest == row => Ok(Some(*n)),
        _ => {
            let many: Vec<String> =
                std::iter::once("n".into()).chain(row.iter().map(usize::to_string)).collect();
            Err(PyValueError::new_err(format!(
                "{name}: found shape {}; expected {} or ({}) for a batch",
                told(shape),
                told(row),
                many.join(", ")
            )))
        }
    }
}

/// The number of rows that several arguments agree on. A single row goes with any batch.
pub fn agree(counts: &[(&str, Option<usize>)]) -> PyResult<Option<usize>> {
    let mut agreed: Option<(&str, usize)> = None;
    for (name, count) in counts {
        match (*count, agreed) {
            (Some(n), Some((other, m))) if n != m => {
                return Err(PyValueError::new_err(format!("{name} has {n} rows and {other} has {m}")));
            }
            (Some(n), None) => agreed = Some((name, n)),
            _ => {}
        }
    }
    Ok(agreed.map(|(_, n)| n))
}

/// Refuses what is not finite, and says where it is.
pub fn finite<T: Copy + Into<f64>>(name: &str, numbers: &[T], shape: &[usize]) -> PyResult<()> {
    let Some(at) = numbers.iter().position(|x| !(*x).into().is_finite()) else { return Ok(()) };
    let mut rest = at;
    let mut index: Vec<usize> = shape
        .iter()
        .rev()
        .map(|size| {
            let here = rest % size.max(&1);
            rest /= size.max(&1);
            here
        })
        .collect();
    index.reverse();
    let value: f64 = numbers[at].into();
    Err(PyValueError::new_err(format!("{name}: {value} at {}; expected finite numbers", told(&index))))
}

/// Refuses quaternions that are none, and says which.
pub fn rotations<T: Copy + Into<f64>>(name: &str, numbers: &[T]) -> PyResult<()> {
    for (i, q) in numbers.chunks_exact(4).enumerate() {
        let square: f64 = q.iter().map(|x| (*x).into() * (*x).into()).sum();
        if !(0.81..=1.21).contains(&square) {
            let length = square.sqrt();
            return Err(PyValueError::new_err(format!(
                "{name}: quaternion {i} has length {length:.3}; expected a unit quaternion x, y, z, w"
            )));
        }
    }
    Ok(())
}
