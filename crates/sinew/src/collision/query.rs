//! The questions.

use alloc::vec;
use alloc::vec::Vec;

use parry3d::partitioning::BvhNode;
use parry3d::shape::Triangle;

use super::body::{CollisionBody, GIVE, hull_depth};
use super::distance::{Apart, Probe, apart, depth_of, overlap, segment_triangle_squared, segments_apart};
use super::hull::{Bounds, Points};
use super::scene::{CollisionScene, Obstacle, Solid};
use crate::math::*;
use crate::pose::ModelPose;

/// What a part ran into.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Touched {
    /// Another part of the body, by its number.
    Part(usize),
    /// A thing of the scene, by its number.
    Obstacle(usize),
}

/// Two things in each other.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Contact {
    /// The number of the part that was asked about.
    pub part: usize,
    /// What it ran into.
    pub with: Touched,
    /// How much deeper than allowed, in metres.
    pub depth: Real,
}

/// The shortest way between two surfaces.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Way {
    /// How far they are apart, more by what they are allowed to be in each other; negative in
    /// contact.
    pub gap: Real,
    /// Where the part is nearest, in model space.
    pub at: Vec3,
    /// The unit vector along which the part leaves the other.
    pub normal: Vec3,
}

/// Where the parts of one body stand, and the questions about it. One per
/// character and thread; made once, reused every frame.
#[derive(Debug, Clone)]
pub struct CollisionQuery {
    /// The points of each part in model space.
    hulls: Vec<Vec<Vec3>>,
    radii: Vec<Real>,
    bounds: Vec<Bounds>,
    all: Vec<usize>,
    /// Parts that may be this deep in obstacles.
    accepted: Vec<(usize, usize, Real)>,
    /// How far from obstacles is still a contact, and how deep parts may be in each other beyond
    /// what is allowed.
    clearance: Real,
    give: Real,
    /// What of the parts that may be in obstacles started outside of them.
    outside: Vec<Outside>,
}

/// The piece of a part that is in an obstacle where it starts which lies outside of it. How deep a part may
/// be says nothing about where: without this, what touches with its flank could go in with its
/// front.
#[derive(Debug, Clone)]
struct Outside {
    part: usize,
    obstacle: usize,
    /// Its points in the frame of the part's joint, and in model space.
    points: Vec<Vec3>,
    placed: Vec<Vec3>,
}

impl CollisionQuery {
    /// Room for a body; nothing stands anywhere until it is placed.
    pub fn new(body: &CollisionBody) -> Self {
        let parts = body.parts();
        Self {
            hulls: parts.iter().map(|part| part.points.clone()).collect(),
            radii: parts.iter().map(|part| part.radius).collect(),
            bounds: vec![Bounds::NOTHING; parts.len()],
            all: (0..parts.len()).collect(),
            accepted: Vec::new(),
            clearance: 0.0,
            give: 0.0,
            outside: Vec::new(),
        }
    }

    /// Every part, for questions about the whole body.
    pub fn all_parts(&self) -> &[usize] {
        &self.all
    }

    /// Puts every part where the pose has it.
    pub fn place(&mut self, body: &CollisionBody, model: &ModelPose) {
        for (i, part) in body.parts().iter().enumerate() {
            self.place_at(body, i, model.transform(part.joint));
        }
    }

    /// Puts some parts where the pose has them; the others stay.
    pub fn place_some(&mut self, body: &CollisionBody, model: &ModelPose, parts: &[usize]) {
        for &i in parts {
            self.place_at(body, i, model.transform(body.parts()[i].joint));
        }
    }

    /// Puts one part where its joint stands.
    pub fn place_at(&mut self, body: &CollisionBody, part: usize, joint: Transform) {
        let Some(points) = self.hulls.get_mut(part) else { return };
        let shape = &body.parts()[part];
        for (to, from) in points.iter_mut().zip(&shape.points) {
            *to = joint.transform_point(*from);
        }
        for piece in self.outside.iter_mut().filter(|piece| piece.part == part) {
            for (to, from) in piece.placed.iter_mut().zip(&piece.points) {
                *to = joint.transform_point(*from);
            }
        }
        self.bounds[part] = if joint.is_finite() {
            Bounds::around(points, shape.radius + self.clearance)
        } else {
            Bounds::NOTHING
        };
    }

    /// Takes parts out of the way: they touch nothing until they are placed again.
    pub fn lift(&mut self, parts: &[usize]) {
        for &part in parts {
            if let Some(bounds) = self.bounds.get_mut(part) {
                *bounds = Bounds::NOTHING;
            }
        }
    }

    /// From now on whatever touches an obstacle as the body stands may be as deep in
    /// it as it is, such as feet on a floor. Allocates.
    pub fn accept(&mut self, scene: &CollisionScene) {
        self.accepted.clear();
        for part in 0..self.all.len() {
            for (i, obstacle) in scene.obstacles.iter().enumerate() {
                if let Some(depth) = self.obstacle_depth(part, obstacle, false) {
                    self.accepted.push((part, i, depth + GIVE));
                }
            }
        }
    }

    /// Lets whatever parts of a body are in each other as it stands be as deep in each other as they
    /// are.
    pub(crate) fn accept_own(&self, body: &mut CollisionBody) {
        for a in 0..self.all.len() {
            for b in a + 1..self.all.len() {
                if let Some(contact) = self.part_contact(body, a, b) {
                    body.allow(a, b, body.allowed(a, b) + contact.depth + GIVE);
                }
            }
        }
    }

    /// What touches an obstacle as deep as it may: part, obstacle and depth.
    pub(crate) fn accepted(&self) -> &[(usize, usize, Real)] {
        &self.accepted
    }

    /// Counts as contact with the scene what is nearer than `clearance`, but for what is so as the
    /// body stands, which may stay as near; and lets parts of the body be deeper in each other by
    /// `give`. What was accepted before is returned, for [`restore`](Self::restore). Allocates.
    pub(crate) fn keep_away(
        &mut self,
        clearance: Real,
        give: Real,
        scene: &CollisionScene,
        joint_of: impl Fn(usize) -> Transform,
    ) -> Vec<(usize, usize, Real)> {
        self.give = give;
        for bounds in &mut self.bounds {
            *bounds = bounds.widened(clearance);
        }
        self.clearance = clearance;
        let before = core::mem::take(&mut self.accepted);
        self.accept(scene);
        for &(part, obstacle, depth) in &before {
            let depth = depth + clearance;
            match self.accepted.iter_mut().find(|(p, o, _)| (*p, *o) == (part, obstacle)) {
                Some(known) => known.2 = known.2.max(depth),
                None => self.accepted.push((part, obstacle, depth)),
            }
        }
        self.outside = self
            .accepted
            .iter()
            .filter_map(|&(part, obstacle, _)| self.piece_outside(scene, part, obstacle, joint_of(part)))
            .collect();
        before
    }

    /// The piece of a part that is in an obstacle which lies outside of it, if there is one.
    fn piece_outside(
        &self,
        scene: &CollisionScene,
        part: usize,
        obstacle: usize,
        joint: Transform,
    ) -> Option<Outside> {
        let (hull, radius) = (&self.hulls[part], self.radii[part]);
        // A capsule is as deep along all of it as at its end, and a shank leans over an ankle that is in the floor.
        if hull.len() < 3 {
            return None;
        }
        let way = self.way_to_obstacle(scene, part, obstacle, 0.0)?;
        let along = |p: &Vec3| p.dot(way.normal);
        let lowest = hull.iter().map(along).fold(Real::INFINITY, Real::min);
        // The obstacle ends at its support along the way out, and the piece stays a radius from that.
        let surface = lowest - (way.gap - scene.allowed(part, obstacle));
        let (out, within): (Vec<Vec3>, Vec<Vec3>) = hull.iter().partition(|p| along(p) >= surface);
        if within.is_empty() {
            return None;
        }
        let cut = |p: &Vec3, q: &Vec3| p.lerp(*q, (along(p) - surface) / (along(p) - along(q)).max(TINY));
        let edges = out.iter().flat_map(|p| within.iter().map(move |q| (p, q)));
        let mut placed: Vec<Vec3> = edges.map(|(p, q)| cut(p, q)).collect();
        placed.extend(&out);
        let obstacle_there = scene.obstacles.get(obstacle)?;
        // Of an obstacle that is not convex it may still touch another side.
        let touches = self.depth_in(obstacle_there, &placed, radius, self.bounds[part], false);
        if placed.is_empty() || touches.is_some_and(|depth| depth > GIVE) {
            return None;
        }
        let back = joint.inverse();
        let points = placed.iter().map(|p| back.transform_point(*p)).collect();
        Some(Outside { part, obstacle, points, placed })
    }

    /// Undoes [`keep_away`](Self::keep_away). Parts have to be placed again.
    pub(crate) fn restore(&mut self, accepted: Vec<(usize, usize, Real)>) {
        self.accepted = accepted;
        self.outside.clear();
        (self.clearance, self.give) = (0.0, 0.0);
    }

    /// The first contact of any of the parts with the scene alone.
    pub fn first_scene_contact(&self, scene: &CollisionScene, parts: &[usize]) -> Option<Contact> {
        parts.iter().find_map(|&part| self.scene_contacts(scene, part, true).next())
    }

    /// The first contact of any of the `moved` parts with the rest of the body or
    /// with the scene, in the order of the parts; `None` if they are free. Parts of
    /// `moved` are tested against each other too.
    pub fn first_contact(
        &self,
        body: &CollisionBody,
        scene: &CollisionScene,
        moved: &[usize],
    ) -> Option<Contact> {
        self.contacts(body, scene, moved, true).next()
    }

    /// The deepest contact of any of the `moved` parts; of equals, the first.
    pub fn deepest_contact(
        &self,
        body: &CollisionBody,
        scene: &CollisionScene,
        moved: &[usize],
    ) -> Option<Contact> {
        let deeper = |a: Contact, b: Contact| if b.depth > a.depth { b } else { a };
        self.contacts(body, scene, moved, false).reduce(deeper)
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
        match contact.with {
            Touched::Part(other) => self.part_contact(body, contact.part, other),
            Touched::Obstacle(i) => self.obstacle_contact(scene, contact.part, i, true),
        }
    }

    /// The way between two parts, if they are nearer than `reach`.
    #[inline]
    pub(crate) fn way_between(
        &self,
        body: &CollisionBody,
        part: usize,
        other: usize,
        reach: Real,
    ) -> Option<Way> {
        let (bounds, others) = (self.bounds.get(part)?, self.bounds.get(other)?);
        let allowed = body.allowed(part, other);
        let reach = reach - allowed;
        if !bounds.overlaps(&others.widened(reach.max(0.0))) {
            return None;
        }
        let margin = self.radii[part] + self.radii[other];
        let found = hulls_apart(&self.hulls[part], &self.hulls[other], margin + reach)?;
        Some(Way { gap: found.distance - margin + allowed, at: found.at, normal: found.normal })
    }

    /// The way from a part to an obstacle, if it is nearer than `reach`.
    pub(crate) fn way_to_obstacle(
        &self,
        scene: &CollisionScene,
        part: usize,
        i: usize,
        reach: Real,
    ) -> Option<Way> {
        let obstacle = scene.obstacles.get(i)?;
        let bounds = self.bounds.get(part)?.widened(reach);
        if !bounds.overlaps(&obstacle.bounds) {
            return None;
        }
        let (points, radius) = (self.hulls[part].as_slice(), self.radii[part]);
        let (found, margin) = match &obstacle.solid {
            Solid::Hull(hull, skin) => (hulls_apart(points, hull, radius + skin + reach)?, radius + skin),
            Solid::Cylinder(cylinder, place) => {
                (apart(Points(points), cylinder, place, radius + reach)?, radius)
            }
            Solid::HalfSpace(at, out) => {
                let height = |p: &Vec3| (*p - *at).dot(*out);
                let lowest = *points.iter().min_by(|a, b| height(a).total_cmp(&height(b)))?;
                let found = Apart { distance: height(&lowest), at: lowest, normal: *out };
                (Some(found).filter(|found| found.distance < radius + reach)?, radius)
            }
            Solid::Mesh(mesh, at) => {
                let place = parry3d::math::Pose::from_parts(at.translation, at.rotation);
                let (low, high) = bounds.seen_from(*at);
                let near = mesh.bvh().leaves(|node| {
                    let aabb = node.aabb();
                    aabb.mins.cmple(high).all() && low.cmple(aabb.maxs).all()
                });
                let ways = near
                    .filter_map(|leaf| apart(Points(points), &mesh.triangle(leaf), &place, radius + reach));
                (ways.min_by(|a, b| a.distance.total_cmp(&b.distance))?, radius)
            }
        };
        let allowed = scene.allowed(part, i);
        Some(Way { gap: found.distance - margin + allowed, at: found.at, normal: found.normal })
    }

    /// The contacts of the `moved` parts. With `first`, depths need not be the greatest of an
    /// obstacle.
    fn contacts<'a>(
        &'a self,
        body: &'a CollisionBody,
        scene: &'a CollisionScene,
        moved: &'a [usize],
        first: bool,
    ) -> impl Iterator<Item = Contact> + 'a {
        moved.iter().enumerate().flat_map(move |(place, &part)| {
            // Pairs within the moved ones come up twice; the second time is enough.
            let others =
                self.all.iter().filter(move |&&other| other != part && !moved[..place].contains(&other));
            let of_body = others.filter_map(move |&other| self.part_contact(body, part, other));
            of_body.chain(self.scene_contacts(scene, part, first))
        })
    }

    fn scene_contacts<'a>(
        &'a self,
        scene: &'a CollisionScene,
        part: usize,
        first: bool,
    ) -> impl Iterator<Item = Contact> + 'a {
        (0..scene.obstacles.len()).filter_map(move |i| self.obstacle_contact(scene, part, i, first))
    }

    #[inline]
    fn part_contact(&self, body: &CollisionBody, part: usize, other: usize) -> Option<Contact> {
        let (bounds, others) = (self.bounds.get(part)?, self.bounds.get(other)?);
        let allowed = body.allowed(part, other);
        if allowed.is_infinite() || !bounds.overlaps(others) {
            return None;
        }
        let margin = self.radii[part] + self.radii[other];
        let depth = hull_depth(&self.hulls[part], &self.hulls[other], margin)? - allowed - self.give;
        (depth > 0.0).then_some(Contact { part, with: Touched::Part(other), depth })
    }

    #[inline]
    fn obstacle_contact(
        &self,
        scene: &CollisionScene,
        part: usize,
        i: usize,
        first: bool,
    ) -> Option<Contact> {
        let obstacle = scene.obstacles.get(i)?;
        if !self.bounds.get(part)?.overlaps(&obstacle.bounds) {
            return None;
        }
        let accepted = self.accepted.iter().find(|(p, o, _)| (*p, *o) == (part, i)).map_or(0.0, |a| a.2);
        // The first triangle that is met need not be the deepest.
        let mut depth = self.obstacle_depth(part, obstacle, first && accepted == 0.0)? - accepted;
        if depth <= 0.0
            && let Some(piece) = self.outside.iter().find(|piece| (piece.part, piece.obstacle) == (part, i))
        {
            let (radius, bounds) = (self.radii[part], self.bounds[part]);
            depth = self.depth_in(obstacle, &piece.placed, radius, bounds, false)? - GIVE;
        }
        (depth > 0.0).then_some(Contact { part, with: Touched::Obstacle(i), depth })
    }

    fn obstacle_depth(&self, part: usize, obstacle: &Obstacle, first: bool) -> Option<Real> {
        let radius = self.radii[part] + self.clearance;
        self.depth_in(obstacle, &self.hulls[part], radius, self.bounds[part], first)
    }

    /// How deep a hull with this radius is in an obstacle.
    fn depth_in(
        &self,
        obstacle: &Obstacle,
        points: &[Vec3],
        radius: Real,
        bounds: Bounds,
        first: bool,
    ) -> Option<Real> {
        match &obstacle.solid {
            Solid::Hull(hull, skin) => hull_depth(points, hull, radius + skin),
            Solid::Cylinder(cylinder, place) => depth_of(Points(points), cylinder, place, radius),
            Solid::HalfSpace(at, out) => {
                let lowest = points.iter().map(|p| (*p - *at).dot(*out)).fold(Real::INFINITY, Real::min);
                let depth = radius - lowest;
                (depth > 0.0).then_some(depth)
            }
            Solid::Mesh(mesh, at) => {
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

/// How far two hulls are apart, if that is less than `reach`.
#[inline]
fn hulls_apart(a: &[Vec3], b: &[Vec3], reach: Real) -> Option<Apart> {
    match (a, b) {
        (&[p], &[q]) => segments_apart([p, p], [q, q], reach),
        (&[p, q], &[r, s]) => segments_apart([p, q], [r, s], reach),
        (&[p], &[r, s]) => segments_apart([p, p], [r, s], reach),
        (&[r, s], &[p]) => segments_apart([r, s], [p, p], reach),
        _ => apart(Points(a), &Points(b), &parry3d::math::Pose::IDENTITY, reach),
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
    let (low, high) = bounds.seen_from(at);
    let near = mesh.bvh().leaves(|node| {
        let aabb = node.aabb();
        aabb.mins.cmple(high).all() && low.cmple(aabb.maxs).all()
    });
    let mut depths = near.filter_map(|leaf| depth_of(Points(points), &mesh.triangle(leaf), &place, radius));
    if first { depths.next() } else { depths.reduce(Real::max) }
}
