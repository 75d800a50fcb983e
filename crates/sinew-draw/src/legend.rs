//! What colours and symbols mean.

use sinew_f64::{JointKind, LimitComponent};

use crate::canvas::{Anchor, Canvas, Paint, Px};
use crate::color::{self, Color};
use crate::figure::FigureStyle;
use crate::limits;
use crate::paint;
use crate::scene::{Marker, Scene};
use crate::side::Side;
use crate::text;

#[derive(Debug, Clone, Copy)]
enum Sign {
    Bone(Color),
    Ghost(Color),
    Joint(JointKind),
    Limit(LimitComponent),
    Target,
    Obstacle,
}

#[derive(Debug, Clone)]
struct Entry {
    sign: Sign,
    words: String,
}

/// The legend of a scene.
#[derive(Debug, Clone)]
pub(crate) struct Legend {
    entries: Vec<Entry>,
}

const SIZE: f64 = 11.0;
const LINE: f64 = 19.0;
const SIGN_WIDTH: f64 = 26.0;
const BETWEEN: f64 = 18.0;

impl Legend {
    pub(crate) fn of(scene: &Scene) -> Self {
        let mut entries: Vec<Entry> = Vec::new();
        let mut add = |sign, words: &str| entries.push(Entry { sign, words: words.into() });
        for figure in &scene.figures {
            match figure.style {
                FigureStyle::Sides if figure.bones.iter().any(|b| b.side != Side::Middle) => {
                    add(Sign::Bone(color::LEFT), "left");
                    add(Sign::Bone(color::RIGHT), "right");
                    if figure.bones.iter().any(|b| b.side == Side::Middle) {
                        add(Sign::Bone(color::MIDDLE), "middle");
                    }
                }
                FigureStyle::Tint(c) if !figure.caption.is_empty() => add(Sign::Bone(c), &figure.caption),
                FigureStyle::Ghost(c) if !figure.caption.is_empty() => add(Sign::Ghost(c), &figure.caption),
                _ => {}
            }
        }
        let (kinds, components) = paint::kinds_shown(scene);
        for kind in kinds {
            let words = match kind {
                JointKind::Free => "free joint (moves and turns)".to_string(),
                JointKind::Fixed => "fixed joint".to_string(),
                JointKind::Prismatic { .. } => "prismatic joint (slides)".to_string(),
                kind => format!("{} joint", kind.name()),
            };
            add(Sign::Joint(kind), &words);
        }
        for component in components {
            add(Sign::Limit(component), limits::words(component));
        }
        if scene.points.iter().any(|p| p.marker != Marker::Dot) {
            add(Sign::Target, "target");
        }
        if !scene.cuboids.is_empty() {
            add(Sign::Obstacle, "obstacle");
        }
        // Figures that look alike share their lines.
        let mut seen = std::collections::HashSet::new();
        entries.retain(|e| seen.insert(e.words.clone()));
        Self { entries }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The size of the legend written as one column.
    pub(crate) fn column_size(&self) -> Px {
        let widest = self.entries.iter().map(|e| text::width(&e.words, SIZE)).fold(0.0, f64::max);
        (SIGN_WIDTH + 6.0 + widest, LINE * self.entries.len() as f64)
    }

    /// The height of the legend written in rows of this width.
    pub(crate) fn rows_height(&self, width: f64) -> f64 {
        LINE * self.rows(width).last().map_or(0.0, |(row, _)| *row as f64 + 1.0)
    }

    /// The row and the start of each entry when lines are filled.
    fn rows(&self, width: f64) -> Vec<(usize, f64)> {
        let (mut row, mut x) = (0, 0.0);
        self.entries
            .iter()
            .map(|entry| {
                let needs = SIGN_WIDTH + 6.0 + text::width(&entry.words, SIZE);
                if x > 0.0 && x + needs > width {
                    row += 1;
                    x = 0.0;
                }
                let at = (row, x);
                x += needs + BETWEEN;
                at
            })
            .collect()
    }

    pub(crate) fn paint_column(&self, canvas: &mut Canvas, corner: Px) {
        for (i, entry) in self.entries.iter().enumerate() {
            paint_entry(canvas, (corner.0, corner.1 + LINE * (i as f64 + 0.5)), entry);
        }
    }

    pub(crate) fn paint_rows(&self, canvas: &mut Canvas, corner: Px, width: f64) {
        for (entry, (row, x)) in self.entries.iter().zip(self.rows(width)) {
            paint_entry(canvas, (corner.0 + x, corner.1 + LINE * (row as f64 + 0.5)), entry);
        }
    }
}

/// One line; `at` is its left end at half height.
fn paint_entry(canvas: &mut Canvas, at: Px, entry: &Entry) {
    let middle = (at.0 + 0.5 * SIGN_WIDTH, at.1);
    match entry.sign {
        Sign::Bone(c) | Sign::Ghost(c) => {
            let ghost = matches!(entry.sign, Sign::Ghost(_));
            let fade = if ghost { 0.6 } else { 0.0 };
            let ink = c.mix(color::PAPER, fade);
            let paint = Paint::fill(ink.mix(color::PAPER, 0.32)).stroke(ink, 1.0);
            paint::tapered(canvas, (at.0 + 4.0, at.1), 4.0, (at.0 + SIGN_WIDTH - 2.0, at.1), 1.6, &paint);
        }
        Sign::Joint(kind) => {
            paint::joint(canvas, middle, 5.2, kind, [(1.0, 0.0), (0.0, 1.0)], color::MIDDLE);
        }
        Sign::Limit(LimitComponent::Displacement) => {
            let ink = limits::color(LimitComponent::Displacement);
            let ends = [(at.0 + 3.0, at.1), (at.0 + SIGN_WIDTH - 3.0, at.1)];
            canvas.polyline(&ends, false, &Paint::line(ink, 5.0).opacity(1.0, 0.35));
            for end in ends {
                canvas.circle(end, 2.6, &Paint::fill(ink));
            }
        }
        Sign::Limit(component) => {
            let ink = limits::color(component);
            let (x, y) = middle;
            let d =
                format!("M{} {}L{} {}A12 12 0 0 1 {} {}Z", x - 9.0, y, x + 1.5, y - 6.0, x + 1.5, y + 6.0);
            canvas.path(&d, &Paint::fill(ink).opacity(0.25, 0.8).stroke(ink, 1.1));
        }
        Sign::Target => paint::marker(canvas, middle, Marker::Target, color::TARGET),
        Sign::Obstacle => {
            let paint = Paint::fill(color::OBSTACLE).opacity(0.28, 0.8).stroke(color::OBSTACLE, 1.0);
            canvas.rect((middle.0 - 8.0, middle.1 - 5.5), (16.0, 11.0), 0.0, &paint);
        }
    }
    canvas.text((at.0 + SIGN_WIDTH + 6.0, at.1 + 0.35 * SIZE), SIZE, Anchor::Start, color::INK, &entry.words);
}
