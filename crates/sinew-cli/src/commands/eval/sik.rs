//! `sinew eval sik`: the whole body from six points, ten methods.

use std::path::Path;

use anyhow::Result;
use sinew_draw::plot::{Axis, Plot};
use sinew_eval::sik::{Comparison, compare, noise, variants};
use sinew_motion::{Method, Sequence, made};

use super::Results;
use crate::arguments::EvalSikArguments;
use crate::failure::usage;
use crate::files;
use crate::output::{Output, say};
use crate::progress::Progress;

pub fn run(arguments: &EvalSikArguments, output: &mut Output) -> Result<()> {
    let methods: Vec<Method> = match arguments.methods.is_empty() {
        true => Method::ALL.to_vec(),
        false => arguments.methods.iter().map(|name| method(name)).collect::<Result<_>>()?,
    };
    if arguments.stride == 0 {
        return Err(usage("--stride 0: expected one or more"));
    }
    let sequences = match &arguments.data {
        Some(folder) => Sequence::folder(folder, arguments.everything)?,
        None => made::sequences()?,
    };
    let (comparison, gains, noisy) = {
        let _progress = Progress::after_a_second("reconstructing");
        let comparison = compare(&sequences, &methods, arguments.stride, |_| {})?;
        let gains = variants::run(&sequences, arguments.stride, |_| {})?;
        (comparison, gains, noise::run(&sequences, arguments.stride, |_| {})?)
    };
    let tables = vec![comparison.errors(), comparison.times(), comparison.motion(), gains, noisy];
    let stride = arguments.stride;
    let results = Results { schema: "sinew.eval.sik/1", seed: None, stride: Some(stride), tables };
    results.tell(&arguments.to, output, |folder| plots(folder, &comparison, stride))?;
    if arguments.data.is_none() && !arguments.to.json {
        say!(output, "on motions that sinew makes itself; --data FOLDER takes recorded ones")?;
    }
    Ok(())
}

/// The method of this name, or which there are.
pub fn method(name: &str) -> Result<Method> {
    Method::by_name(name).ok_or_else(|| {
        let known: Vec<&str> = Method::ALL.iter().map(|m| m.name()).collect();
        usage(format!("there is no method '{name}'; there are {}", known.join(", ")))
    })
}

/// The error curves: as the paper's Fig. 14 and 15 the transpose and CCD alone, as its Fig. 16 to
/// 18 the others.
fn plots(folder: &Path, comparison: &Comparison, stride: usize) -> Result<()> {
    let groups: [(&str, &[Method]); 4] = [
        ("transpose", &[Method::Transpose, Method::Sik]),
        ("ccd", &[Method::Ccd, Method::Sik]),
        ("analytic", &[Method::Kma, Method::Tgbsik, Method::SikPaper, Method::Sik, Method::SikPlus]),
        (
            "jacobian",
            &[Method::PseudoInverse, Method::Dls, Method::DlsSvd, Method::Sdls, Method::Pik, Method::Sik],
        ),
    ];
    for (i, (name, _)) in comparison.names.iter().enumerate() {
        for (group, methods) in groups {
            let mut position = Plot::new(format!("{name}: position error"))
                .x(Axis::linear("frame"))
                .y(Axis::linear("mean distance of a joint / height"))
                .size(1000, 420);
            let mut orientation = Plot::new(format!("{name}: orientation error"))
                .x(Axis::linear("frame"))
                .y(Axis::linear("mean angle of a joint, rad"))
                .size(1000, 420);
            let mut any = false;
            for run in comparison.runs[i].iter().filter(|run| methods.contains(&run.method)) {
                any = true;
                let frames = || (0..run.errors.len()).map(|f| (f * stride) as f64);
                let errors = &run.errors;
                position = position.line(run.method.name(), frames().zip(errors.iter().map(|e| e.position)));
                orientation =
                    orientation.line(run.method.name(), frames().zip(errors.iter().map(|e| e.orientation)));
            }
            if any {
                let stem = name.replace(' ', "-");
                for (name, plot) in [("position", position), ("orientation", orientation)] {
                    let file = folder.join(format!("{stem}-{group}-{name}.png"));
                    files::write_picture(&file, &plot.draw()?, 1400)?;
                }
            }
        }
    }
    Ok(())
}
