//! Rigs by name and from uploaded files.

use sinew_f64::rigs;
use sinew_io::{Asset, ReadOptions, read_with};

use super::Rig;
use crate::server::{Shared, locked};
use crate::wire::RigSource;

/// The most joints that the studio takes: beyond this no solver keeps up.
const MOST_JOINTS: usize = 1024;

/// Loads a rig, or says in words why not.
pub(crate) fn load(source: &RigSource, shared: &Shared) -> Result<Rig, String> {
    let rig = match source {
        RigSource::Rig { name } => {
            // A name may ask for a million bones, which are better not built.
            if name.split([':', ' ']).any(|part| part.parse::<f64>().is_ok_and(|n| n >= MOST_JOINTS as f64)) {
                return Err(format!("'{name}' has too many joints; the studio takes up to {MOST_JOINTS}"));
            }
            let asset = Asset::new(rigs::by_name(name).map_err(|error| error.to_string())?);
            checked(&asset)?;
            Rig::new(asset, source.clone())
        }
        RigSource::Upload { id } => {
            let file = locked(&shared.uploads).get(id);
            let file = file.ok_or("this file is no longer kept; drop it again")?;
            let loaded = shared.loaded.get(id, |budget| {
                // A motion asks for its skeleton, a sidecar for its rig: by name, among the uploads. What
                // lies there under that name may be another file tomorrow, so such a one is not shared.
                let mut alone = true;
                let mut beside = |name: &str| {
                    alone = false;
                    let last = name.rsplit(['/', '\\']).next().unwrap_or_default();
                    locked(&shared.uploads).named(last).map(|f| f.bytes.to_vec())
                };
                let options = ReadOptions { budget, ..ReadOptions::default() };
                let asset = read_with(&file.name, &file.bytes, &mut beside, &options);
                let asset = asset.map_err(|error| error.to_string())?;
                checked(&asset)?;
                Ok((asset, alone))
            })?;
            Rig::sharing(loaded, source.clone())
        }
    };
    Ok(rig)
}

fn checked(asset: &Asset) -> Result<(), String> {
    let joints = asset.skeleton.len();
    if joints > MOST_JOINTS {
        return Err(format!("it has {joints} joints; the studio takes up to {MOST_JOINTS}"));
    }
    Ok(())
}
