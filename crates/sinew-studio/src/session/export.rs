//! Files of what a tab shows: a pose, a take, the rig.

use std::sync::Arc;

use axum::body::Bytes;
use sinew_f64::Pose;
use sinew_io::{Format, Motion, WriteOptions};

use super::Session;
use crate::rig::body::surface;
use crate::rig::motions::frame_time;
use crate::server::locked;
use crate::store::file_name;
use crate::wire::{Clip, ExportFormat, ExportWhat};

/// A pose alone is a motion of one frame, for which every rate is right.
const ONE_FRAME: f64 = 1.0 / 60.0;

impl Session<'_> {
    /// Makes a file and keeps it to be fetched: its address, name and what it could not hold.
    pub(super) fn export(
        &self,
        what: ExportWhat,
        format: ExportFormat,
        clip: Option<&Clip>,
        body: Option<&str>,
    ) -> Result<(String, String, Vec<String>), String> {
        let rig = self.rig.as_ref().ok_or("choose a rig first")?;
        let mut asset = if what == ExportWhat::Rig { rig.asset.clone() } else { rig.without_anatomy()? };
        let format = match (what, format) {
            (ExportWhat::Rig, ExportFormat::Rig) => Format::Rig,
            (ExportWhat::Rig, _) => return Err("a rig with its limits is saved as a rig file".into()),
            (_, ExportFormat::Rig) => return Err("a rig file holds no motion; take GLB or BVH".into()),
            (_, ExportFormat::Glb) => Format::Glb,
            (_, ExportFormat::Vrm) => Format::Vrm,
            (_, ExportFormat::Bvh) => Format::Bvh,
        };
        let ending = match what {
            ExportWhat::Pose => "-pose",
            ExportWhat::Take => "-take",
            ExportWhat::Rig => "",
        };
        match what {
            ExportWhat::Pose => {
                let shown = || self.shown.as_ref().map(|shown| shown.pose().clone());
                let played = || self.player.as_ref().and_then(|player| player.pose(rig));
                let pose = played().or_else(|| self.held.clone()).or_else(shown);
                let pose = pose.unwrap_or_else(|| Pose::rest(&asset.skeleton));
                asset.pose = Some(pose.clone());
                // As a motion too: players show motions, and BVH holds nothing else.
                asset.motions = vec![Motion::new("pose", ONE_FRAME, vec![pose])];
            }
            ExportWhat::Take => {
                let own = || self.shown.as_ref().and_then(|shown| shown.take());
                asset.motions = vec![match clip {
                    Some(clip) => self.clipped(clip)?,
                    None => own().map_or_else(|| self.recorded(), Ok)?,
                }];
            }
            // The motions stay in the file that they came from.
            ExportWhat::Rig => asset.motions.clear(),
        }
        if let Some(id) = body.filter(|_| asset.surface.is_none() && asset.source.gltf.is_none()) {
            let file = locked(&self.shared.uploads).get(id);
            let file = file.ok_or("the body is no longer kept; export it again")?;
            asset.surface = Some(Arc::new(surface(&file.bytes, &asset.skeleton)?));
        }
        let written =
            sinew_io::write(format, &asset, &WriteOptions::default()).map_err(|error| error.to_string())?;
        let stem = file_name(&rig.name().replace(':', "-"));
        let name = match clip.map(|clip| file_name(&clip.name)).filter(|name| !name.trim().is_empty()) {
            Some(called) => format!("{stem}-{}.{}", called.replace(' ', "-"), format.extension()),
            None => format!("{stem}{ending}.{}", format.extension()),
        };
        let notes = written.notes.iter().map(ToString::to_string).collect();
        let file = locked(&self.shared.exports).add(&name, Bytes::from(written.bytes));
        Ok((format!("/api/export/{}", file.id), file.name.clone(), notes))
    }

    /// A part of a motion, on the floor as it was shown.
    fn clipped(&self, clip: &Clip) -> Result<Motion, String> {
        let rig = self.rig.as_ref().ok_or("choose a rig first")?;
        let motion = rig.asset.motions.get(clip.motion as usize);
        let motion = motion.filter(|m| !m.frames.is_empty()).ok_or("there is no such motion")?;
        let last = motion.frames.len() - 1;
        let [from, to] = clip.trim.map_or([0, last], |trim| trim.map(|frame| (frame as usize).min(last)));
        let lift = rig.lift_of(clip.motion as usize);
        let frames = motion.frames[from.min(to)..=to].iter().map(|pose| rig.lifted(pose, lift)).collect();
        let name: String = clip.name.trim().chars().filter(|c| !c.is_control()).take(80).collect();
        let name = if name.is_empty() { motion.name.clone() } else { name };
        Ok(Motion::new(name, frame_time(motion), frames))
    }

    /// The frames that were kept, at the rate at which they were.
    pub(super) fn recorded(&self) -> Result<Motion, String> {
        let (Some(first), Some(last)) = (self.take_times.first(), self.take_times.last()) else {
            return Err("nothing was recorded yet".into());
        };
        let pieces = self.take.len().saturating_sub(1).max(1) as f64;
        let mean = (last - first) / pieces;
        // The steady rate, unless the machine could not keep up with it.
        let frame_time = if mean > 1.2 * ONE_FRAME { mean } else { ONE_FRAME };
        Ok(Motion::new("take", frame_time, self.take.clone()))
    }
}
