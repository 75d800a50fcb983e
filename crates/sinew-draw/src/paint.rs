//! Paints a scene into a panel, from back to front.

use sinew_f64::{JointKind, LimitComponent, Vec3};

use crate::canvas::{Anchor, Canvas, Paint, Px, number, polyline_path};
use crate::color::{self, Color};
use crate::figure::{Bone, Figure, FigureStyle, JointMark};
use crate::labels::{Area, NAME_SIZE, Placer};
use crate::limits;
use crate::panel::Panel;
use crate::scene::{Cuboid, Marker, Point, Polyline, Scene};
use crate::side::Side;
use crate::text;

/// The share of a picture's size that the thick end of a long bone measures.
const BONE_SHARE: f64 = 0.0095;
/// How much of the paper's colour the furthest part takes on.
const DEPTH_FADE: f64 = 0.55;

/// Past this many bones a figure is a drawing of lines: nobody can tell single ones apart, and
/// shapes for each take many times longer than reading the file.
const MOST_SHAPES: usize = 4096;

/// Which names have been written, so that a later panel gives room to others:
/// one list a figure, one flag a joint.
pub(crate) type NamesDone = Vec<Vec<bool>>;

pub(crate) fn no_names_done(scene: &Scene) -> NamesDone {
    scene.figures.iter().map(|f| vec![false; f.joints.len()]).collect()
}

/// Paints everything in the scene.
pub(crate) fn scene(canvas: &mut Canvas, panel: &Panel, scene: &Scene, done: &mut NamesDone) {
    for line in scene.polylines.iter().filter(|l| l.filled_below) {
        soil(canvas, panel, line);
    }
    for cuboid in &scene.cuboids {
        self::cuboid(canvas, panel, cuboid);
    }
    for figure in scene.figures.iter().filter(|f| f.show_limits && !f.is_ghost() && !is_huge(f)) {
        // The largest first, so that small ones stay visible on them.
        let mut marks: Vec<_> = figure.limits.iter().collect();
        marks.sort_by(|a, b| limits::radius(b, figure.size).total_cmp(&limits::radius(a, figure.size)));
        for mark in marks {
            limits::paint(canvas, panel, mark, figure.size);
        }
    }
    for figure in &scene.figures {
        if is_huge(figure) { lines(canvas, panel, figure) } else { self::figure(canvas, panel, figure) }
    }
    for line in scene.polylines.iter() {
        let points: Vec<Px> = line.points.iter().filter(|p| p.is_finite()).map(|p| panel.px(*p)).collect();
        let paint = Paint::line(line.color, line.width);
        canvas.polyline(&points, false, &if line.dashed { paint.dashed() } else { paint });
    }
    for point in scene.points.iter().filter(|p| p.at.is_finite()) {
        self::point(canvas, panel, point);
    }
    words(canvas, panel, scene, done);
}

fn soil(canvas: &mut Canvas, panel: &Panel, line: &Polyline) {
    if !panel.view.is_level() {
        return;
    }
    let mut points: Vec<Px> = line.points.iter().filter(|p| p.is_finite()).map(|p| panel.px(*p)).collect();
    if let (Some(first), Some(last)) = (points.first().copied(), points.last().copied()) {
        points.extend([(last.0, panel.bottom()), (first.0, panel.bottom())]);
        canvas.polyline(&points, true, &Paint::fill(color::SOIL));
    }
}

fn cuboid(canvas: &mut Canvas, panel: &Panel, cuboid: &Cuboid) {
    let corners = cuboid.corners();
    if !corners.iter().all(|c| c.is_finite()) {
        return;
    }
    let corners = corners.map(|c| panel.px(c));
    canvas.polyline(&convex_hull(&corners), true, &Paint::fill(cuboid.color).opacity(0.28, 1.0));
    let edge = Paint::line(cuboid.color, 1.0).opacity(1.0, 0.8);
    for i in 0..8_usize {
        for bit in [1, 2, 4] {
            if i & bit == 0 {
                canvas.line(corners[i], corners[i | bit], &edge);
            }
        }
    }
}

/// The convex hull, counter-clockwise (Andrew's monotone chain).
fn convex_hull(points: &[Px]) -> Vec<Px> {
    let mut sorted = points.to_vec();
    sorted.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    let turn = |o: Px, a: Px, b: Px| (a.0 - o.0) * (b.1 - o.1) - (a.1 - o.1) * (b.0 - o.0);
    let half = |points: &mut dyn Iterator<Item = Px>| {
        let mut hull: Vec<Px> = Vec::new();
        for p in points {
            while hull.len() >= 2 && turn(hull[hull.len() - 2], hull[hull.len() - 1], p) <= 0.0 {
                hull.pop();
            }
            hull.push(p);
        }
        hull.pop();
        hull
    };
    let mut hull = half(&mut sorted.iter().copied());
    hull.extend(half(&mut sorted.iter().rev().copied()));
    hull
}

fn is_huge(figure: &Figure) -> bool {
    figure.bones.len() > MOST_SHAPES
}

/// The bones of a huge figure as one path, each place of the picture once.
fn lines(canvas: &mut Canvas, panel: &Panel, figure: &Figure) {
    let finite = figure.bones.iter().filter(|b| b.from.is_finite() && b.to.is_finite());
    let mut all: Vec<String> =
        finite.map(|b| polyline_path(&[panel.px(b.from), panel.px(b.to)], false)).collect();
    all.sort_unstable();
    all.dedup();
    let opacity = if figure.is_ghost() { 0.35 } else { 1.0 };
    canvas.path(&all.concat(), &Paint::line(figure.color(Side::Middle), 0.8).opacity(1.0, opacity));
}

/// Bones and joints, the furthest first.
fn figure(canvas: &mut Canvas, panel: &Panel, figure: &Figure) {
    let size = figure.size;
    enum Part<'a> {
        Bone(&'a Bone),
        Joint(&'a JointMark),
    }
    let mut parts: Vec<(f64, Part)> = Vec::new();
    // A joint lies on the bones that meet in it: a touch nearer than they are.
    let nearer = 1.2 * BONE_SHARE * figure.size;
    let mut depths: Vec<f64> = figure.joints.iter().map(|j| panel.depth(j.at)).collect();
    for bone in figure.bones.iter().filter(|b| b.from.is_finite() && b.to.is_finite()) {
        let depth = panel.depth(0.5 * (bone.from + bone.to));
        for joint in [bone.start, bone.of] {
            depths[joint] = depths[joint].max(depth);
        }
        parts.push((depth, Part::Bone(bone)));
    }
    if !figure.is_ghost() {
        let marks = figure.joints.iter().zip(depths).filter(|(j, _)| j.at.is_finite());
        parts.extend(marks.map(|(j, depth)| (depth + nearer, Part::Joint(j))));
    }
    parts.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (far, near) = (parts.first().map_or(0.0, |p| p.0), parts.last().map_or(0.0, |p| p.0));
    // A flat figure has no depth to show, and one arm held out does not make
    // the rest pale.
    let range = (near - far).max(0.5 * figure.size).max(1.0e-12);
    if figure.is_ghost() {
        canvas.group_begin(0.35);
    }
    for (depth, part) in &parts {
        let fade = DEPTH_FADE * (near - depth) / range;
        match part {
            Part::Bone(b) => bone(canvas, panel, b, figure.color(b.side).mix(color::PAPER, fade), size),
            Part::Joint(j) => {
                let ink = figure.color(j.side).mix(color::PAPER, fade * 0.8);
                let axes = j.axes.map(|a| panel.direction(a));
                joint(canvas, panel.px(j.at), joint_radius(j, panel, size), j.kind, axes, ink);
            }
        }
    }
    if figure.is_ghost() {
        canvas.group_end();
    }
}

fn bone_radius(length: f64, panel: &Panel, size: f64) -> f64 {
    (BONE_SHARE * size).min(0.13 * length) * panel.scale
}

fn joint_radius(mark: &JointMark, panel: &Panel, size: f64) -> f64 {
    (1.05 * BONE_SHARE * size * panel.scale).min(0.24 * mark.room * panel.scale).clamp(1.3, 6.5)
}

fn bone(canvas: &mut Canvas, panel: &Panel, bone: &Bone, ink: Color, size: f64) {
    let (a, b) = (panel.px(bone.from), panel.px(bone.to));
    if bone.thin {
        canvas.line(a, b, &Paint::line(ink, 1.0).opacity(1.0, 0.7).dashed());
        return;
    }
    let thick = bone_radius(bone.from.distance(bone.to), panel, size).max(0.8);
    let paint = Paint::fill(ink.mix(color::PAPER, 0.32)).stroke(ink, (0.2 * thick).clamp(0.5, 1.1));
    tapered(canvas, a, thick, b, 0.38 * thick, &paint);
}

/// The hull of two circles, the first at least as large as the second.
pub(crate) fn tapered(canvas: &mut Canvas, a: Px, thick: f64, b: Px, thin: f64, paint: &Paint) {
    let (dx, dy) = (b.0 - a.0, b.1 - a.1);
    let length = dx.hypot(dy);
    if length <= (thick - thin).max(1.0e-6) {
        canvas.circle(a, thick, paint);
        return;
    }
    let way = dy.atan2(dx);
    let lean = ((thick - thin) / length).acos();
    let on = |center: Px, radius: f64, angle: f64| {
        (center.0 + radius * angle.cos(), center.1 + radius * angle.sin())
    };
    let (a1, b1) = (on(a, thick, way + lean), on(b, thin, way + lean));
    let (a2, b2) = (on(a, thick, way - lean), on(b, thin, way - lean));
    let d = format!(
        "M{} {}L{} {}A{t} {t} 0 0 0 {} {}L{} {}A{T} {T} 0 1 0 {} {}Z",
        number(a1.0),
        number(a1.1),
        number(b1.0),
        number(b1.1),
        number(b2.0),
        number(b2.1),
        number(a2.0),
        number(a2.1),
        number(a1.0),
        number(a1.1),
        t = number(thin),
        T = number(thick),
    );
    canvas.path(&d, paint);
}

/// The symbol of a joint. `axes` are its axes on the page, shorter where they
/// come out of it.
pub(crate) fn joint(canvas: &mut Canvas, at: Px, radius: f64, kind: JointKind, axes: [Px; 2], ink: Color) {
    let rim = (0.28 * radius).clamp(0.5, 1.4);
    let open = Paint::fill(color::PAPER).stroke(ink, rim);
    let solid = Paint::fill(ink).stroke(color::PAPER, 0.6 * rim);
    match kind {
        JointKind::Ball => canvas.circle(at, 0.95 * radius, &open),
        JointKind::Fixed => {
            let half = 0.62 * radius;
            canvas.rect((at.0 - half, at.1 - half), (2.0 * half, 2.0 * half), 0.0, &solid);
        }
        JointKind::Hinge { .. } => roller(canvas, at, radius, axes[0], 1.35, 0.72, &solid),
        JointKind::Universal { .. } => {
            roller(canvas, at, radius, axes[0], 1.45, 0.46, &solid);
            roller(canvas, at, radius, axes[1], 1.45, 0.46, &solid);
        }
        JointKind::Prismatic { .. } => {
            roller(canvas, at, radius, axes[0], 1.9, 0.8, &open);
            let (x, y) = (axes[0].0 * 1.2 * radius, axes[0].1 * 1.2 * radius);
            canvas.line((at.0 - x, at.1 - y), (at.0 + x, at.1 + y), &Paint::line(ink, rim));
        }
        JointKind::Free => {
            let r = 1.4 * radius;
            let diamond = [(at.0, at.1 - r), (at.0 + r, at.1), (at.0, at.1 + r), (at.0 - r, at.1)];
            canvas.polyline(&diamond, true, &open);
            canvas.circle(at, 0.4 * radius, &Paint::fill(ink));
        }
    }
}

/// A cylinder along an axis: a bar from the side, a disc with a dot from its end.
fn roller(canvas: &mut Canvas, at: Px, radius: f64, axis: Px, long: f64, wide: f64, paint: &Paint) {
    let shown = axis.0.hypot(axis.1);
    if shown * long < wide * 0.8 {
        canvas.circle(at, wide * 1.15 * radius, paint);
        if let Some(rim) = paint.stroke {
            canvas.circle(at, 0.3 * wide * radius, &Paint::fill(rim));
        }
        return;
    }
    let (ux, uy) = (axis.0 / shown, axis.1 / shown);
    let (lx, ly) = (ux * shown * long * radius, uy * shown * long * radius);
    let (wx, wy) = (-uy * wide * radius, ux * wide * radius);
    let corners = [
        (at.0 - lx - wx, at.1 - ly - wy),
        (at.0 + lx - wx, at.1 + ly - wy),
        (at.0 + lx + wx, at.1 + ly + wy),
        (at.0 - lx + wx, at.1 - ly + wy),
    ];
    canvas.polyline(&corners, true, paint);
}

fn point(canvas: &mut Canvas, panel: &Panel, point: &Point) {
    let at = panel.px(point.at);
    if let Marker::Frame(q) = point.marker {
        for (axis, ink) in [(Vec3::X, 0xC0392B), (Vec3::Y, 0x2E8B57), (Vec3::Z, 0x2C6FBB)] {
            let d = panel.direction(q * axis);
            canvas.line(at, (at.0 + 18.0 * d.0, at.1 + 18.0 * d.1), &Paint::line(Color::hex(ink), 1.8));
        }
    }
    marker(canvas, at, point.marker, point.color);
}

pub(crate) fn marker(canvas: &mut Canvas, at: Px, marker: Marker, ink: Color) {
    if marker == Marker::Dot {
        canvas.circle(at, 3.2, &Paint::fill(ink).stroke(color::PAPER, 0.8));
        return;
    }
    let ring = Paint::line(ink, 1.7);
    canvas.circle(at, 6.0, &ring);
    for (dx, dy) in [(1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0)] {
        canvas.line((at.0 + 3.0 * dx, at.1 + 3.0 * dy), (at.0 + 9.0 * dx, at.1 + 9.0 * dy), &ring);
    }
}

/// Labels, the words beside points and, where there is room, names of joints.
fn words(canvas: &mut Canvas, panel: &Panel, scene: &Scene, done: &mut NamesDone) {
    let inside = Area {
        left: panel.corner.0 + 2.0,
        top: panel.corner.1 + 2.0,
        right: panel.right() - 2.0,
        bottom: panel.bottom() - 2.0,
    };
    let mut placer = Placer::new(inside);
    for figure in scene.figures.iter().filter(|f| !f.is_ghost()) {
        for bone in figure.bones.iter().filter(|b| b.from.is_finite() && b.to.is_finite()) {
            placer.block_line(panel.px(bone.from), panel.px(bone.to));
        }
        for j in figure.joints.iter().filter(|j| j.at.is_finite()) {
            let r = joint_radius(j, panel, figure.size) + 0.5;
            placer.block(Area::around(panel.px(j.at), (r, r)));
        }
    }
    if panel.ground && panel.view.is_level() {
        let level = panel.px(Vec3::ZERO).1;
        placer.block_line((panel.corner.0, level), (panel.right(), level));
    }
    let bar = panel.scale_bar_room();
    let corner = (panel.right() - 0.5 * bar.0, panel.bottom() - 0.5 * bar.1);
    placer.block(Area::around(corner, (0.5 * bar.0, 0.5 * bar.1)));
    for label in scene.labels.iter().filter(|l| l.at.is_finite()) {
        let at = panel.px(label.at);
        canvas.haloed_text(at, 11.5, Anchor::Middle, color::INK, &label.text);
        placer.block(Area::around((at.0, at.1 - 4.0), (0.5 * text::width(&label.text, 11.5), 7.0)));
    }
    for point in scene.points.iter().filter(|p| p.at.is_finite()) {
        let at = panel.px(point.at);
        placer.block(Area::around(at, (7.0, 7.0)));
        if !point.label.is_empty()
            && let Some(placed) = placer.place(at, 9.0, &point.label, (1.0, 0.0))
        {
            canvas.haloed_text(placed.baseline, NAME_SIZE, Anchor::Middle, point.color, &point.label);
        }
    }
    for (figure, done) in scene.figures.iter().zip(done) {
        if figure.show_names && !figure.is_ghost() {
            names(canvas, panel, figure, &mut placer, done);
        }
    }
}

/// Past this many joints names are noise.
const MOST_NAMES: usize = 150;

fn names(canvas: &mut Canvas, panel: &Panel, figure: &Figure, placer: &mut Placer, done: &mut [bool]) {
    if figure.joints.len() > MOST_NAMES {
        return;
    }
    let middle = panel.corner.0 + 0.5 * panel.size.0;
    let mut order: Vec<usize> = (0..figure.joints.len()).filter(|i| !done[*i]).collect();
    order.sort_by(|a, b| figure.joints[*b].weight.total_cmp(&figure.joints[*a].weight));
    for i in order {
        let mark = &figure.joints[i];
        let at = panel.px(mark.at);
        if !mark.at.is_finite() {
            continue;
        }
        let outward = if at.0 >= middle - 1.0 { (1.0, 0.0) } else { (-1.0, 0.0) };
        let name = text::fitted(&mark.name, NAME_SIZE, 130.0);
        let Some(placed) = placer.place(at, joint_radius(mark, panel, figure.size) + 1.0, &name, outward)
        else {
            continue;
        };
        done[i] = true;
        if let Some((a, b)) = placed.leader {
            canvas.line(a, b, &Paint::line(color::MUTED, 0.6).opacity(1.0, 0.7));
        }
        let ink = match figure.style {
            FigureStyle::Sides => figure.color(mark.side).mix(color::INK, 0.35),
            _ => color::INK,
        };
        canvas.haloed_text(placed.baseline, NAME_SIZE, Anchor::Middle, ink, &name);
    }
}

/// The limit components and joint kinds that a scene shows, for the legend.
pub(crate) fn kinds_shown(scene: &Scene) -> (Vec<JointKind>, Vec<LimitComponent>) {
    let mut kinds: Vec<JointKind> = Vec::new();
    let mut components: Vec<LimitComponent> = Vec::new();
    for figure in scene.figures.iter().filter(|f| !f.is_ghost()) {
        for joint in &figure.joints {
            if !kinds.iter().any(|k| std::mem::discriminant(k) == std::mem::discriminant(&joint.kind)) {
                kinds.push(joint.kind);
            }
        }
        for limit in figure.limits.iter().filter(|_| figure.show_limits) {
            if !components.iter().any(|c| limits::words(*c) == limits::words(limit.component)) {
                components.push(limit.component);
            }
        }
    }
    (kinds, components)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hull_of_a_square_with_its_middle_is_the_square() {
        let hull = convex_hull(&[(0.0, 0.0), (1.0, 0.0), (0.5, 0.5), (1.0, 1.0), (0.0, 1.0)]);
        assert_eq!(hull.len(), 4);
        assert!(!hull.contains(&(0.5, 0.5)));
    }
}
