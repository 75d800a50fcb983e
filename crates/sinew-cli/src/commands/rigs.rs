//! `sinew rigs`: the rigs that come with sinew.

use serde::Serialize;
use sinew_f64::rigs;

use crate::arguments::RigsArguments;
use crate::output::{FAINT, NAME, Output, say};

#[derive(Serialize)]
struct List {
    schema: &'static str,
    rigs: Vec<Entry>,
}

#[derive(Serialize)]
struct Entry {
    name: &'static str,
    parameters: &'static str,
    description: &'static str,
    joints: usize,
    degrees_of_freedom: usize,
}

pub fn run(arguments: &RigsArguments, output: &mut Output) -> anyhow::Result<()> {
    let rigs: Vec<Entry> = rigs::all()
        .iter()
        .map(|rig| {
            let skeleton = rig.build();
            Entry {
                name: rig.name,
                parameters: rig.parameters,
                description: rig.description,
                joints: skeleton.len(),
                degrees_of_freedom: skeleton.degrees_of_freedom(),
            }
        })
        .collect();
    if arguments.json {
        return output.json(&List { schema: "sinew.rigs/1", rigs });
    }
    let width = rigs.iter().map(|r| r.name.len() + r.parameters.len()).max().unwrap_or(0);
    for rig in rigs {
        let Entry { name, parameters, description, joints, degrees_of_freedom } = rig;
        let gap = " ".repeat(width - name.len() - parameters.len());
        say!(
            output,
            "{NAME}{name}{NAME:#}{FAINT}{parameters}{FAINT:#}{gap}  {FAINT}{joints:>4} joints {degrees_of_freedom:>4} DoF{FAINT:#}  {description}"
        )?;
    }
    Ok(())
}
