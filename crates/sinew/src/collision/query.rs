//! The questions.

use alloc::vec;
use alloc::vec::Vec;

use parry3d::partitioning::BvhNode;
use parry3d::shape::Triangle;

use super::body::{CollisionBody, GIVE, PartId, hull_depth};
use super::distance::{Probe, depth_of, overlap, segment_triangle_squared};
use super::hull::{Bounds, Points};
use super::scene::{CollisionScene, Obstacle, ObstacleId, Solid};
use crate::math::*;
use crate::pose::ModelPose;

/// What a part ran into.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Touched {
    /// Another part of the body.
    Part(PartId),
    /// A thing of the scene.
    Obstacle(ObstacleId),
}

/// Two things in each other.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Contact {
    /// The part that was asked about.
    pub part: PartId,
    /// What it ran into.
    pub with: Touched,
    /// How much deeper than allowed, in metres.
    pub depth: Real,
}

/// Where the parts of one body stand, and the questions about it. One per
/// character and thread; made once, reused every frame.
#[derive(Debug, Clone)]
pub struct CollisionQuery {
    /// The points of all parts in model space, part after part.
    points: Vec<Vec3>,
    ranges: Vec<(u32, u32)>,
    radii: Vec<Real>,
    bounds: Vec<Bounds>,
    all: Vec<PartId>,
    /// Parts that may be this deep in obstacles.
    accepted: Vec<(PartId, ObstacleId, Real)>,
}

impl CollisionQuery {
    /// Room for a body; nothing stands anywhere until it is placed.
    pub fn new(body: &CollisionBody) -> Self {
        let mut ranges = Vec::with_capacity(body.len());
        let mut end = 0;
        for (_, part) in body.parts() {
            let start = end;
            end += part.shape.points.len() as u32;
            ranges.push((start, end));
        }
        Self {
            points: vec![Vec3::ZERO; end as usize],
            radii: body.parts().map(|(_, part)| part.shape.radius).collect(),
            bounds: vec![Bounds::NOTHING; ranges.len()],
            all: body.parts().map(|(id, _)| id).collect(),
            accepted: Vec::new(),
            ranges,
        }
    }

    /// Every part, for questions about the whole body.
    pub fn all_parts(&self) -> &[PartId] {
        &self.all
    }

    /// Puts every part where the pose has it.
    pub fn place(&mut self, body: &CollisionBody, model: &ModelPose) {
        for (id, part) in body.parts() {
            self.place_at(body, id, model.transform(part.joint));
        }
    }

    /// Puts some parts where the pose has them; the others stay.
    pub fn place_some(&mut self, body: &CollisionBody, model: &ModelPose, parts: &[PartId]) {
        for &id in parts {
            self.place_at(body, id, model.transform(body.part(id).joint));
        }
    }

    /// Puts one part where its joint stands.
    pub fn place_at(&mut self, body: &CollisionBody, id: PartId, joint: Transform) {
        let Some(&(start, end)) = self.ranges.get(id.index()) else { return };
        let shape = &body.part(id).shape;
        let points = &mut self.points[start as usize..end as usize];
        for (to, from) in points.iter_mut().zip(&shape.points) {
            *to = joint.transform_point(*from);
        }
        self.bounds[id.index()] =
            if joint.is_finite() { Bounds::around(points, shape.radius) } else { Bounds::NOTHING };
    }

    /// Takes parts out of the way: they touch nothing until they are placed again.
    pub fn lift(&mut self, parts: &[PartId]) {
        for id in parts {
            if let Some(bounds) = self.bounds.get_mut(id.index()) {
                *bounds = Bounds::NOTHING;
            }
        }
    }

    /// From now on whatever touches an obstacle as the body stands may be as deep in
    /// it as it is, such as feet on a floor. Allocates.
    pub fn accept(&mut self, body: &CollisionBody, scene: &CollisionScene) {
        self.accepted.clear();
        for (part, _) in body.parts() {
            for (i, obstacle) in scene.obstacles.iter().enumerate() {
                if let Some(depth) = self.obstacle_depth(part, obstacle, false) {
                    self.accepted.push((part, ObstacleId(i as u32), depth + GIVE));
                }
            }
        }
    }

    /// The first contact of any of the parts with the scene alone.
    pub fn first_scene_contact(
        &self,
        body: &CollisionBody,
        scene: &CollisionScene,
        parts: &[PartId],
    ) -> Option<Contact> {
        debug_assert_eq!(body.len(), self.all.len());
        parts.iter().find_map(|&part| self.scene_contact(scene, part, true))
    }

    fn hull(&self, id: PartId) -> &[Vec3] {
        let (start, end) = self.ranges[id.index()];
        &self.points[start as usize..end as usize]
    }

    /// The first contact of any of the `moved` parts with the rest of the body or
    /// with the scene, in the order of the parts; `None` if they are free. Parts of
    /// `moved` are tested against each other too.
    pub fn first_contact(
        &self,
        body: &CollisionBody,
        scene: &CollisionScene,
        moved: &[PartId],
    ) -> Option<Contact> {
        self.search(body, scene, moved, true)
    }

    /// The deepest contact of any of the `moved` parts; of equals, the first.
    pub fn deepest_contact(
        &self,
        body: &CollisionBody,
        scene: &CollisionScene,
        moved: &[PartId],
    ) -> Option<Contact> {
        self.search(body, scene, moved, false)
    }

    /// Whether none of the `moved` parts is in anything.
    pub fn is_free(&self, body: &CollisionBody, scene: &CollisionScene, moved: &[PartId]) -> bool {
        self.first_contact(body, scene, moved).is_none()
    }

    fn search(
        &self,
        body: &CollisionBody,
        scene: &CollisionScene,
        moved: &[PartId],
        first: bool,
    ) -> Option<Contact> {
        let mut best: Option<Contact> = None;
        for (place, &part) in moved.iter().enumerate() {
            if part.index() >= self.ranges.len() {
                continue;
            }
            for &other in &self.all {
                // Pairs within the moved ones come up twice; the second time is enough.
                if other == part || moved[..place].contains(&other) {
                    continue;
                }
                let allowed = body.allowed(part, other);
                if allowed.is_infinite() || !self.bounds[part.index()].overlaps(&self.bounds[other.index()]) {
                    continue;
                }
                let margin = self.radii[part.index()] + self.radii[other.index()];
                let depth = hull_depth(self.hull(part), self.hull(other), margin);
                if let Some(depth) = depth.map(|depth| depth - allowed).filter(|depth| *depth > 0.0) {
                    let contact = Contact { part, with: Touched::Part(other), depth };
                    if first {
                        return Some(contact);
                    }
                    keep_deeper(&mut best, contact);
                }
            }
            if let Some(contact) = self.scene_contact(scene, part, first) {
                if first {
                    return Some(contact);
                }
                keep_deeper(&mut best, contact);
            }
        }
        best
    }

    /// Whether the two things of a contact are still in each other. While a body turns in front of
    /// something, what touched it a moment ago mostly does so still, and then no other pair has
    /// to be asked.
    pub fn still_touches(
        &self,
        body: &CollisionBody,
        scene: &CollisionScene,
        contact: &Contact,
    ) -> Option<Contact> {
        let part = contact.part;
        let bounds = self.bounds.get(part.index())?;
        let depth = match contact.with {
            Touched::Part(other) => {
                let allowed = body.allowed(part, other);
                if allowed.is_infinite() || !bounds.overlaps(self.bounds.get(other.index())?) {
                    return None;
                }
                let margin = self.radii[part.index()] + self.radii[other.index()];
                hull_depth(self.hull(part), self.hull(other), margin)? - allowed
            }
            Touched::Obstacle(id) => {
                let obstacle = scene.obstacles.get(id.0 as usize)?;
                if !bounds.overlaps(&obstacle.bounds) {
                    return None;
                }
                let accepted = self.accepted_depth(part, id);
                self.obstacle_depth(part, obstacle, accepted == 0.0)? - accepted
            }
        };
        (depth > 0.0).then_some(Contact { depth, ..*contact })
    }

    /// How deep a part may be in an obstacle.
    fn accepted_depth(&self, part: PartId, id: ObstacleId) -> Real {
        self.accepted.iter().find(|(p, o, _)| (*p, *o) == (part, id)).map_or(0.0, |a| a.2)
    }

    /// The first or the deepest contact of one part with the scene.
    fn scene_contact(&self, scene: &CollisionScene, part: PartId, first: bool) -> Option<Contact> {
        let bounds = self.bounds.get(part.index())?;
        let mut best: Option<Contact> = None;
        for (i, obstacle) in scene.obstacles.iter().enumerate() {
            if !bounds.overlaps(&obstacle.bounds) {
                continue;
            }
            let id = ObstacleId(i as u32);
            let accepted = self.accepted_depth(part, id);
            // The first triangle that is met need not be the deepest.
            let depth = self.obstacle_depth(part, obstacle, first && accepted == 0.0);
            if let Some(depth) = depth.map(|d| d - accepted).filter(|d| *d > 0.0) {
                let contact = Contact { part, with: Touched::Obstacle(id), depth };
                if first {
                    return Some(contact);
                }
                keep_deeper(&mut best, contact);
            }
        }
        best
    }

    fn obstacle_depth(&self, part: PartId, obstacle: &Obstacle, first: bool) -> Option<Real> {
        let (points, radius) = (self.hull(part), self.radii[part.index()]);
        match &obstacle.solid {
            Solid::Hull(hull) => hull_depth(points, &hull.points, radius + hull.radius),
            Solid::Cylinder(cylinder, place) => depth_of(Points(points), cylinder, place, radius),
            Solid::HalfSpace(at, out) => {
                let lowest = points.iter().map(|p| (*p - *at).dot(*out)).fold(Real::INFINITY, Real::min);
                let depth = radius - lowest;
                (depth > 0.0).then_some(depth)
            }
            Solid::Mesh(mesh, at) => {
                let bounds = self.bounds[part.index()];
                let back = at.inverse();
                match points {
                    [p] => mesh_depth(mesh, [back.transform_point(*p); 2], radius, first),
                    [p, q] => {
                        mesh_depth(mesh, [back.transform_point(*p), back.transform_point(*q)], radius, first)
                    }
                    _ => hull_mesh_depth(mesh, *at, points, bounds, radius, first),
                }
            }
        }
    }
}

fn keep_deeper(best: &mut Option<Contact>, contact: Contact) {
    if best.is_none_or(|b| contact.depth > b.depth) {
        *best = Some(contact);
    }
}

/// A capsule in the mesh's own frame. Where the first contact is enough, the triangles nearest to
/// its axis are asked first: if any touches, they do.
fn mesh_depth(mesh: &parry3d::shape::TriMesh, segment: [Vec3; 2], radius: Real, first: bool) -> Option<Real> {
    let (vertices, indices) = (mesh.vertices(), mesh.indices());
    let probe = Probe::new(segment, radius);
    let depth_in = |triangle: u32| {
        let corners = indices[triangle as usize].map(|i| vertices[i as usize]);
        let squared = segment_triangle_squared(segment, corners, radius)?;
        if squared > 0.0 {
            return Some(radius - squared.sqrt());
        }
        let normal = direction_or((corners[1] - corners[0]).cross(corners[2] - corners[0]), Vec3::Y);
        let triangle = Triangle::new(corners[0], corners[1], corners[2]);
        Some(radius + overlap(Points(&segment), &triangle, &parry3d::math::Pose::IDENTITY, &[normal]))
    };
    if first {
        let way = |node: &BvhNode, _| probe.way_to(node.mins(), node.maxs()).unwrap_or(Real::MAX);
        // Nothing is better than the first.
        let found = |triangle, _| Some((Real::NEG_INFINITY, depth_in(triangle)?));
        return mesh.bvh().find_best(Real::MAX, way, found).map(|(_, (_, depth))| depth);
    }
    let near = mesh.bvh().leaves(|node| probe.way_to(node.mins(), node.maxs()).is_some());
    near.filter_map(depth_in).reduce(Real::max)
}

/// A hull of more than two points, in model space, against a mesh at its place.
fn hull_mesh_depth(
    mesh: &parry3d::shape::TriMesh,
    at: Transform,
    points: &[Vec3],
    bounds: Bounds,
    radius: Real,
    first: bool,
) -> Option<Real> {
    let place = parry3d::math::Pose::from_parts(at.translation, at.rotation);
    // The part's box, seen from the mesh: the box about the turned box.
    let back = at.inverse();
    let centre = back.transform_point((bounds.low + bounds.high) * 0.5);
    let half = (bounds.high - bounds.low) * 0.5;
    let turn = Mat3::from_quat(back.rotation);
    let reach = turn.x_axis.abs() * half.x + turn.y_axis.abs() * half.y + turn.z_axis.abs() * half.z;
    let (low, high) = (centre - reach, centre + reach);
    let mut deepest: Option<Real> = None;
    let near = mesh.bvh().leaves(|node| {
        let aabb = node.aabb();
        aabb.mins.cmple(high).all() && low.cmple(aabb.maxs).all()
    });
    for leaf in near {
        let triangle = mesh.triangle(leaf);
        if let Some(depth) = depth_of(Points(points), &triangle, &place, radius) {
            if first {
                return Some(depth);
            }
            deepest = Some(deepest.map_or(depth, |d| d.max(depth)));
        }
    }
    deepest
}
