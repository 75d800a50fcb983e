//! Rigs by name and from uploaded files.

use axum::body::Bytes;
use sinew_f64::{Quat, rigs};
use sinew_io::asset::Placing;
use sinew_io::bundle::is_bundle;
use sinew_io::{Asset, Format, ReadOptions, WriteOptions, read_with};

use super::Rig;
use super::library::Read;
use crate::server::{Shared, locked};
use crate::wire::{Fitting, MeshDescription, RigSource};

/// The most joints that the studio takes: beyond this no solver keeps up.
const MOST_JOINTS: usize = 1024;

/// Loads a rig with what the page draws of it, or says in words why not.
pub(crate) fn load(source: &RigSource, fitting: Option<Fitting>, shared: &Shared) -> Result<Rig, String> {
    let mut rig = read(source, fitting, shared)?;
    if let (RigSource::Upload { id }, Some(file)) = (source, rig.held.clone()) {
        let mesh = mesh(id, &file, shared)?;
        // The file's own, whatever the limits say to it.
        let pose = file.pose.as_ref().map(|pose| rig.placed(pose));
        rig.mesh = mesh.map(|mesh| MeshDescription { pose, ..mesh });
    }
    Ok(rig)
}

/// The same without the mesh, for those who want its motions only.
pub(crate) fn read(source: &RigSource, fitting: Option<Fitting>, shared: &Shared) -> Result<Rig, String> {
    let fitting = fitting.unwrap_or_default();
    let placing = fitting.placing()?;
    let placed = |asset: Asset| asset.placed(placing).map_err(|error| error.to_string());
    let rig = match source {
        RigSource::Rig { name } => {
            // A name may ask for a million bones, which are better not built.
            if name.split([':', ' ']).any(|part| part.parse::<f64>().is_ok_and(|n| n >= MOST_JOINTS as f64)) {
                return Err(format!("'{name}' has too many joints; the studio takes up to {MOST_JOINTS}"));
            }
            let asset = Asset::new(rigs::by_name(name).map_err(|error| error.to_string())?);
            checked(&asset)?;
            Rig::new(placed(asset)?, source.clone())
        }
        RigSource::Upload { id } => {
            let file = locked(&shared.uploads).get(id);
            let file = file.ok_or("this file is no longer kept; drop it again")?;
            // At another size its motions are others, and take memory of their own.
            let key = if placing == Placing::AS_READ { id.clone() } else { format!("{id} {placing:?}") };
            let loaded = shared.loaded.get(&key, |budget| -> Result<Read<Asset>, String> {
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
                let asset = placed(asset)?;
                Ok(Read { bytes: asset.bytes(), value: asset, is_shared: alone })
            })?;
            Rig::sharing(loaded, source.clone())
        }
    };
    rig.fitted(fitting)
}

/// What the page can draw: the file itself where it is a glTF, and otherwise one that is made of it: of a robot's
/// parts, or of a glTF that came in a zip.
fn mesh(id: &str, asset: &Asset, shared: &Shared) -> Result<Option<MeshDescription>, String> {
    let own = asset.source.mesh_turn;
    let in_zip = || locked(&shared.uploads).get(id).is_some_and(|file| is_bundle(&file.bytes));
    if let Some(turn) = own.filter(|_| !in_zip()) {
        let (url, scale) = (format!("/api/upload/{id}"), asset.source.placing.scale);
        return Ok(Some(MeshDescription { url, turn: turn.to_array(), scale, pose: None }));
    }
    if own.is_none() && asset.surface.is_none() {
        return Ok(None);
    }
    let alone = Asset { motions: Vec::new(), ..asset.clone() };
    let written = sinew_io::write(Format::Glb, &alone, &WriteOptions::default());
    let written = written.map_err(|error| error.to_string())?;
    // A glTF keeps its own size and axes; what is made anew has ours.
    let (turn, scale) = own.map_or((Quat::IDENTITY, 1.0), |turn| (turn, asset.source.placing.scale));
    let made = locked(&shared.shapes).add("mesh.glb", Bytes::from(written.bytes));
    let url = format!("/api/export/{}", made.id);
    Ok(Some(MeshDescription { url, turn: turn.to_array(), scale, pose: None }))
}

fn checked(asset: &Asset) -> Result<(), String> {
    let joints = asset.skeleton.len();
    if joints > MOST_JOINTS {
        return Err(format!("it has {joints} joints; the studio takes up to {MOST_JOINTS}"));
    }
    Ok(())
}
