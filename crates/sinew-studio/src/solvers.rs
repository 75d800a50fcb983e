//! The general solvers and their options, as the page lists and sets them.
//!
//! An option is a number, a truth value or a word in what serde makes of the
//! solver's options, found by its path: `tolerance.position`.

use std::collections::BTreeMap;

use serde_json::Value;
use sinew_f64::SolverSpec;
use sinew_f64::error::RigError;

use crate::wire::{SolverChoice, SolverInfo, SolverOption};

/// Every solver with its options.
pub fn infos() -> Vec<SolverInfo> {
    SolverSpec::all()
        .map(|spec| SolverInfo {
            name: spec.name().into(),
            summary: summary(spec.name()).into(),
            options: options(&spec),
        })
        .collect()
}

/// The solver that was chosen, or words about what is wrong with the choice.
pub fn chosen(choice: &SolverChoice) -> Result<SolverSpec, String> {
    let spec = if choice.name.is_empty() {
        SolverSpec::default()
    } else {
        choice.name.parse().map_err(|error: RigError| error.to_string())?
    };
    patched(spec, &choice.options)
}

/// The options of a solver with their values.
fn options(spec: &SolverSpec) -> Vec<SolverOption> {
    let mut found = Vec::new();
    if let Some(body) = serde_json::to_value(spec).ok().as_ref().and_then(body) {
        flatten(body, String::new(), &mut found);
    }
    found
}

/// A solver is written as `{ "Robust": { … } }`; this is what is inside.
fn body(spec: &Value) -> Option<&Value> {
    spec.as_object()?.values().next()
}

fn flatten(value: &Value, path: String, found: &mut Vec<SolverOption>) {
    match value {
        Value::Object(map) => {
            for (key, inner) in map {
                let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
                flatten(inner, path, found);
            }
        }
        Value::Number(_) | Value::Bool(_) | Value::String(_) => {
            found.push(SolverOption { path, value: value.clone() });
        }
        Value::Array(_) | Value::Null => {}
    }
}

fn patched(spec: SolverSpec, options: &BTreeMap<String, Value>) -> Result<SolverSpec, String> {
    if options.is_empty() {
        return Ok(spec);
    }
    let name = spec.name();
    let wrong = |error: serde_json::Error| format!("the options of {name}: {error}");
    let mut value = serde_json::to_value(spec).map_err(wrong)?;
    for (path, wanted) in options {
        let slot = value
            .as_object_mut()
            .and_then(|o| o.values_mut().next())
            .and_then(|body| path.split('.').try_fold(body, |at, key| at.get_mut(key)))
            .filter(|slot| !slot.is_object())
            .ok_or_else(|| {
                let known: Vec<String> = self::options(&spec).into_iter().map(|o| o.path).collect();
                format!("{name} has no option '{}'; it has {}", short(path), known.join(", "))
            })?;
        *slot = fitting(slot, wanted).ok_or_else(|| {
            format!(
                "the option '{path}' of {name} is {slot}, which cannot become {}",
                short(&wanted.to_string())
            )
        })?;
    }
    let patched: SolverSpec = serde_json::from_value(value).map_err(wrong)?;
    if patched.name() != name {
        return Err(format!("these options make it {}, which is a solver of its own", patched.name()));
    }
    Ok(patched)
}

/// The new value of an option, if it is of the same sort as the old: a whole
/// number stays one, also when the page writes it as `3.0`.
fn fitting(old: &Value, new: &Value) -> Option<Value> {
    match (old, new) {
        (Value::Bool(_), Value::Bool(_)) | (Value::String(_), Value::String(_)) => Some(new.clone()),
        (Value::Number(old), Value::Number(number)) => {
            let real = number.as_f64().filter(|n| n.is_finite() && *n >= 0.0)?;
            if !old.is_u64() {
                return Some(new.clone());
            }
            (real.fract() == 0.0 && real <= f64::from(u32::MAX)).then(|| Value::from(real as u64))
        }
        _ => None,
    }
}

fn short(text: &str) -> String {
    text.chars().take(60).flat_map(char::escape_debug).collect()
}

fn summary(name: &str) -> &'static str {
    match name {
        "robust" => "Levenberg-Marquardt with limits and restarts: the one for production",
        "ewbik" => "each joint turned to fit all goals below it at once, after Wahba's problem",
        "ccd" => "cyclic coordinate descent, from the tips to the root",
        "ccd-root-to-tip" => "cyclic coordinate descent, from the root to the tips",
        "fabrik" => "bones laid forward and backward between the ends",
        "half-jacobian" => "the half and the full Jacobian, whichever fits",
        "transpose" => "the Jacobian's transpose: steepest descent",
        "pseudo-inverse" => "the Jacobian's pseudo-inverse: exact, and wild near singular poses",
        "dls" => "damped least squares: the pseudo-inverse, tamed by a constant",
        "dls-svd" => "damped least squares, damped by the singular values",
        "sdls" => "selectively damped least squares: each direction by itself",
        "priority" => "priorities: a later goal may not disturb an earlier one",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn choice(name: &str, options: &[(&str, Value)]) -> SolverChoice {
        let options = options.iter().map(|(k, v)| (k.to_string(), v.clone())).collect();
        SolverChoice { name: name.into(), options }
    }

    #[test]
    fn every_option_can_be_set_to_what_it_is() {
        for info in infos() {
            assert!(!info.summary.is_empty(), "{}", info.name);
            assert!(info.options.iter().any(|o| o.path == "tolerance.position"), "{}", info.name);
            let options = info.options.iter().map(|o| (o.path.clone(), o.value.clone())).collect();
            let chosen = chosen(&SolverChoice { name: info.name.clone(), options }).unwrap();
            assert_eq!(Ok(chosen), info.name.parse());
        }
    }

    #[test]
    fn options_are_patched_or_refused_in_words() {
        let spec =
            chosen(&choice("robust", &[("iterations", json!(7.0)), ("tolerance.position", json!(0.5))]));
        let SolverSpec::Robust(options) = spec.unwrap() else { panic!() };
        assert_eq!((options.iterations, options.tolerance.position), (7, 0.5));
        let said =
            |name: &str, path: &str, value: Value| chosen(&choice(name, &[(path, value)])).unwrap_err();
        assert!(chosen(&choice("magic", &[])).unwrap_err().contains("there is no solver 'magic'"));
        assert!(said("robust", "speed", json!(1)).contains("robust has no option 'speed'"));
        assert!(said("robust", "tolerance", json!(1)).contains("no option 'tolerance'"));
        assert!(said("robust", "iterations", json!(1.5)).contains("cannot become 1.5"));
        assert!(said("robust", "iterations", json!(-1)).contains("cannot become -1"));
        assert!(said("ewbik", "guard", json!(1)).contains("cannot become 1"));
        assert!(said("ccd", "root_first", json!(true)).contains("ccd-root-to-tip"));
        assert!(said("half-jacobian", "size", json!("Sideways")).contains("unknown variant"));
    }
}
