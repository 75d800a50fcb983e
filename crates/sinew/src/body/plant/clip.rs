//! A whole clip at once: what is known beforehand need not be caught up with.
//!
//! 1. The soles and the ground of the recording are measured (`plant/foot.rs`), contacts are
//!    found (`plant/contact.rs`) and get their places on the new ground (`plant/stance.rs`).
//! 2. Each foot gets a way: in contact it is where it stands; in the air it goes as recorded, raised
//!    and tilted as the ground under its two plants is, with what it slid by fading out after the
//!    one and in before the other. Where it would touch the ground in between it is lifted.
//! 3. The hips go with the mean of the feet, and under what every planted leg can reach, both
//!    smoothed by looking ahead and back.
//! 4. Every frame is posed: hips, legs, toes.

use alloc::vec::Vec;

use super::contact::{frames, runs, stands};
use super::foot::{FootAt, calibrate};
use super::smooth::{above, below, mean};
use super::stance::{Span, spans};
use super::track::{LAST, STRETCH, Track};
use super::{Contact, FootPart, FootPlanter, PlantSummary};
use crate::body::walk::Terrain;
use crate::body::walk::terrain::Finite;
use crate::math::*;
use crate::pose::Pose;
use crate::skeleton::Skeleton;

/// Over how many seconds the hips look ahead and back, and toes that bend up.
const HIPS: Real = 0.2;
const TOES: Real = 0.1;
/// On the ground as it was recorded the hips go no further down than this for stances that can be put nearer, in
/// leg lengths.
const KEPT: Real = 0.003;
/// How often they are.
const NEARER: usize = 3;
/// A ground within this height of zero, in leg lengths, is the ground at zero: soles are that thick.
const SOLE: Real = 0.045;

impl FootPlanter {
    /// Plants the feet of a whole clip, in place. With no `terrain` it stays on the ground on which it was
    /// recorded, and only what slides is put right.
    ///
    /// ```
    /// use sinew::body::plant::{FootPlanter, PlantOptions};
    /// use sinew::body::walk::{Ground, WalkInput, WalkOptions, Walker};
    /// let human = sinew::rigs::by_name("humanoid")?;
    /// let mut walker = Walker::new(&human, WalkOptions::default(), &Ground::Flat)?;
    /// let mut pose = sinew::Pose::rest(&human);
    /// let mut clip = Vec::new();
    /// for _ in 0..120 {
    ///     walker.step(&human, &Ground::Flat, WalkInput { speed: 1.0, turn: 0.0 }, 1.0 / 60.0, &mut pose);
    ///     clip.push(pose.clone());
    /// }
    /// let mut planter = FootPlanter::new(&human, PlantOptions::default())?;
    /// let planted = planter.plant_clip(&human, Some(&Ground::Slope { grade: 0.1 }), 1.0 / 60.0, &mut clip);
    /// assert!(planted.drift < 1e-3 && planted.contacts.len() > 4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn plant_clip(
        &mut self,
        skeleton: &Skeleton,
        terrain: Option<&dyn Terrain>,
        seconds: Real,
        clip: &mut [Pose],
    ) -> PlantSummary {
        let fits =
            skeleton.fingerprint() == self.fingerprint && clip.iter().all(|p| p.len() == skeleton.len());
        if clip.is_empty() || !fits || !(seconds > 0.0 && seconds.is_finite()) {
            return PlantSummary::default();
        }
        for pose in clip.iter_mut() {
            pose.mend();
        }
        let level = self.measured(skeleton, clip, seconds);
        let leg = self.leg_length();
        let finite = terrain.map(Finite);
        let given: Option<&dyn Terrain> = finite.as_ref().map(|terrain| terrain as &dyn Terrain);
        let mut tracks = self.tracks(skeleton, clip, given, (level, seconds));
        // What was recorded stands on the lowest of its floors.
        let overs = tracks.iter().flat_map(|track| &track.spans).map(|span| span.over);
        let lowest = level + overs.fold(0.0, Real::min);
        let flat = move |_: Real, _: Real| lowest;
        let terrain = given.unwrap_or(&flat);
        let ground = given.map(|terrain| (terrain, level));
        for (track, foot) in tracks.iter_mut().zip(&self.feet) {
            track.go(foot, ground, self.options.fade, seconds);
        }
        let wanted = wanted_hips(&tracks, seconds);
        for (track, foot) in tracks.iter_mut().zip(&self.feet) {
            track.give_way(&wanted);
            track.go(foot, ground, self.options.fade, seconds);
            track.let_go(foot, &wanted);
            track.go(foot, ground, self.options.fade, seconds);
            for _ in 0..if given.is_none() { NEARER } else { 0 } {
                track.come_nearer(foot, &wanted, KEPT * leg);
                track.go(foot, ground, self.options.fade, seconds);
            }
        }
        let mut hips = self.hips(&tracks, &wanted, seconds, given.is_some());
        for (track, foot) in tracks.iter_mut().zip(&self.feet) {
            track.raise_heels(foot, &hips, seconds);
            track.go(foot, ground, self.options.fade, seconds);
            track.leave_in_time(foot, terrain, seconds);
            track.go(foot, ground, self.options.fade, seconds);
            track.lift(foot, terrain, seconds);
        }
        let part = self.options.influence.clamp(0.0, 1.0);
        if part < 1.0 {
            hips.iter_mut().for_each(|up| *up *= part);
        }
        self.pose_clip(skeleton, terrain, &tracks, (&hips, seconds), clip);
        self.summary(skeleton, &tracks, clip, &hips, level, terrain)
    }

    /// Measures soles and ground on an animation, for [`plant`](Self::plant): a rest pose often does not stand.
    /// Returns how high its ground is.
    pub fn measure(&mut self, skeleton: &Skeleton, seconds: Real, clip: &[Pose]) -> Real {
        let fits = skeleton.fingerprint() == self.fingerprint
            && clip.iter().all(|p| p.len() == skeleton.len() && p.is_finite());
        if fits && !clip.is_empty() && seconds > 0.0 && seconds.is_finite() {
            self.measured(skeleton, clip, seconds);
        }
        self.level
    }

    fn measured(&mut self, skeleton: &Skeleton, clip: &[Pose], seconds: Real) -> Real {
        let found = calibrate(skeleton, &mut self.feet, clip, seconds, self.options.speed);
        let leg = self.leg_length();
        // Under thin soles the ground is at zero; under feet that are in it, where they are.
        let level =
            self.options.level.unwrap_or(if (0.0..SOLE * leg).contains(&found) { 0.0 } else { found });
        for foot in &mut self.feet {
            foot.sole.ankle.y += found - level;
            if foot.has_sole() {
                foot.ball.y = (foot.ball.y + found - level).max(0.0);
            }
        }
        self.level = level;
        level
    }

    /// Where the feet of the recording are, and where they stand.
    fn tracks(
        &mut self,
        skeleton: &Skeleton,
        clip: &[Pose],
        terrain: Option<&dyn Terrain>,
        (level, seconds): (Real, Real),
    ) -> Vec<Track> {
        let mut tracks: Vec<Track> = Vec::with_capacity(self.feet.len());
        for _ in &self.feet {
            let empty = || Vec::with_capacity(clip.len());
            tracks.push(Track {
                recorded: empty(),
                goals: Vec::new(),
                points: Vec::with_capacity(clip.len()),
                bases: Vec::with_capacity(clip.len()),
                spans: Vec::new(),
                stretch: if terrain.is_some() { STRETCH.1 } else { STRETCH.0 },
                span_of: Vec::new(),
                rise: Vec::new(),
                heels: Vec::new(),
            });
        }
        for pose in clip {
            self.model.update(skeleton, pose);
            for (track, foot) in tracks.iter_mut().zip(&self.feet) {
                let at = foot.at(&self.model);
                let back = at.turn.conjugate();
                let seen =
                    |&(j, p): &(_, Vec3)| back * (self.model.transform(j).transform_point(p) - at.place);
                let rigid = foot.points.iter().filter(|(j, _)| !foot.is_toe(skeleton, *j));
                track.points.push(rigid.map(seen).collect());
                track.recorded.push(at);
                let base = self.model.position(foot.leg.base());
                track.bases.push((base, foot.leg.length(&self.model)));
            }
        }
        for (track, foot) in tracks.iter_mut().zip(&self.feet) {
            let stands = |point: Vec3, over: Real| {
                let points: Vec<Vec3> = track.recorded.iter().map(|at| at.point(&foot.sole, point)).collect();
                stands(&points, level + over, foot.length, seconds, &self.options)
            };
            let heel = stands(foot.sole.heel, 0.0);
            let toe = if foot.has_sole() { stands(foot.ball, foot.ball.y) } else { heel.clone() };
            track.spans = spans(foot, &track.recorded, &heel, &toe, level, terrain);
            track.heels = alloc::vec![0.0; clip.len()];
            track.span_of = alloc::vec![None; clip.len()];
            for (i, span) in track.spans.iter().enumerate() {
                track.span_of[span.frames.clone()].fill(Some(i));
            }
        }
        tracks
    }

    /// How far the hips are moved up in every frame, so that every leg gets to what stands.
    fn hips(&self, tracks: &[Track], wanted: &[Real], seconds: Real, on_other_ground: bool) -> Vec<Real> {
        let count = wanted.len();
        let least = self.options.lower * self.leg_length();
        let allowed: Vec<Real> = (0..count)
            .map(|i| {
                let legs = tracks.iter().zip(&self.feet).filter_map(|(track, foot)| {
                    match track.span_of[i] {
                        Some(s) => Some(track.highest_with(foot, &track.spans[s], i)),
                        // On other ground a leg in the air is not stretched out either.
                        None => on_other_ground.then(|| track.highest(i, track.goals[i].place)),
                    }
                });
                legs.fold(wanted[i], Real::min).max(wanted[i] - least)
            })
            .collect();
        below(&allowed, frames(HIPS, seconds))
    }

    /// Writes the poses.
    fn pose_clip(
        &mut self,
        skeleton: &Skeleton,
        terrain: &dyn Terrain,
        tracks: &[Track],
        (hips, seconds): (&[Real], Real),
        clip: &mut [Pose],
    ) {
        let part = self.options.influence.clamp(0.0, 1.0);
        if part <= 0.0 {
            return;
        }
        let mut bends = alloc::vec![alloc::vec![0.0; clip.len()]; tracks.len()];
        for (i, pose) in clip.iter_mut().enumerate() {
            self.move_root(skeleton, hips[i], pose);
            self.model.update(skeleton, pose);
            for (k, (track, foot)) in tracks.iter().zip(&mut self.feet).enumerate() {
                let mut goal = track.goals[i];
                let (base, length) = track.bases[i];
                let base = base + Vec3::Y * hips[i];
                let reach = track.reach(i).max(LAST * length);
                if track.span_of[i].is_none() {
                    let to_base = base - goal.place;
                    let away = to_base.length();
                    goal.place += to_base * ((away - reach).max(0.0) / away.max(TINY));
                }
                if part < 1.0 {
                    goal = FootAt::between(track.recorded[i], goal, part);
                }
                foot.leg.solve(skeleton, &mut self.model, goal.place, foot.rotation(goal.turn), pose);
                bends[k][i] = foot.toes_under(skeleton, &self.model, terrain);
            }
        }
        let bends: Vec<Vec<Real>> =
            bends.iter().map(|list| above(list, frames(TOES, seconds).max(1))).collect();
        let mut under = alloc::vec![alloc::vec![0.0; clip.len()]; tracks.len()];
        for (i, pose) in clip.iter_mut().enumerate() {
            if bends.iter().all(|list| list[i] <= 0.0) {
                continue;
            }
            self.model.update(skeleton, pose);
            for (k, foot) in self.feet.iter().enumerate() {
                foot.bend_toes(skeleton, &mut self.model, bends[k][i], pose);
                if tracks[k].span_of[i].is_none() {
                    under[k][i] = foot.depth(&self.model, terrain).max(0.0);
                }
            }
        }
        // What bending does not clear in the air is lifted.
        for (k, track) in tracks.iter().enumerate() {
            let lift = track.in_the_air(&under[k], seconds);
            for (i, pose) in clip.iter_mut().enumerate().filter(|(i, _)| lift[*i] > 0.0) {
                self.model.update(skeleton, pose);
                let foot = &mut self.feet[k];
                let at = foot.at(&self.model);
                let place = at.place + Vec3::Y * lift[i];
                foot.leg.solve(skeleton, &mut self.model, place, foot.rotation(at.turn), pose);
            }
        }
    }

    /// What came of it, measured on the poses.
    fn summary(
        &mut self,
        skeleton: &Skeleton,
        tracks: &[Track],
        clip: &[Pose],
        hips: &[Real],
        level: Real,
        terrain: &dyn Terrain,
    ) -> PlantSummary {
        let mut summary = PlantSummary { level, ..PlantSummary::default() };
        for (index, (track, foot)) in tracks.iter().zip(&self.feet).enumerate() {
            for part in [FootPart::Heel, FootPart::Toe] {
                if part == FootPart::Heel && !foot.has_sole() {
                    continue;
                }
                let of = |span: &Span| if part == FootPart::Heel { span.heel } else { span.toe };
                let on: Vec<bool> =
                    track.span_of.iter().map(|s| s.is_some_and(|s| of(&track.spans[s]))).collect();
                for run in runs(&on, true) {
                    let point = if part == FootPart::Heel { foot.sole.heel } else { foot.ball };
                    let Some(span) = track.span_of[run.start].map(|s| &track.spans[s]) else { continue };
                    let place = span.point(foot, point);
                    let joint = match part {
                        FootPart::Toe => foot.toes.unwrap_or(foot.effector.joint),
                        FootPart::Heel => foot.effector.joint,
                    };
                    summary.contacts.push(Contact {
                        foot: index,
                        joint,
                        part,
                        frames: run,
                        place,
                        drift: 0.0,
                    });
                }
            }
        }
        for (i, pose) in clip.iter().enumerate() {
            self.model.update(skeleton, pose);
            for contact in &mut summary.contacts {
                if contact.frames.contains(&i) {
                    let foot = &self.feet[contact.foot];
                    let point = if contact.part == FootPart::Heel { foot.sole.heel } else { foot.ball };
                    let at = foot.at(&self.model).point(&foot.sole, point);
                    contact.drift = contact.drift.max(at.distance(contact.place));
                }
            }
            for foot in &self.feet {
                summary.depth = summary.depth.max(foot.depth(&self.model, terrain));
            }
            summary.lowered = summary.lowered.max(-hips[i]);
        }
        summary.contacts.sort_by_key(|c| (c.frames.start, c.foot));
        summary.drift = summary.contacts.iter().map(|c| c.drift).fold(0.0, Real::max);
        summary
    }
}

/// Where the hips would go by the ground alone: up and down with the feet.
fn wanted_hips(tracks: &[Track], seconds: Real) -> Vec<Real> {
    let count = tracks.first().map_or(0, |t| t.recorded.len());
    let share = 1.0 / tracks.len().max(1) as Real;
    let wanted: Vec<Real> =
        (0..count).map(|i| tracks.iter().map(|t| t.rise[i]).sum::<Real>() * share).collect();
    let reach = frames(HIPS, seconds);
    mean(&mean(&wanted, reach / 2), reach / 2)
}
