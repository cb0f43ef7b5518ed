//! Pages of A4 with diagrams, as for training, and their solutions.

use super::drawing::{Drawing, Group, Line, Outline, Shape};
use super::page::Below;
use super::{BLACK, Diagram, text};
use crate::Language;

/// Width and height of A4 in points, the unit of a sheet.
const WIDTH: u32 = 595;
const HEIGHT: u32 = 842;
const MARGIN: f32 = 40.0;
/// Room between diagrams.
const GAP: f32 = 14.0;
/// Size of the letters of a title, and the room that it takes.
const TITLE: f32 = 16.0;
const TITLE_ROOM: f32 = 32.0;
/// Lines of a caption.
const CAPTION_LINES: usize = 2;
/// From a line to the next, for letters of size 1.
pub(super) const PITCH: f32 = 1.3;
/// Size of the letters of solutions and of page numbers.
const SMALL: f32 = 9.0;
/// Room for the number of a solution.
const INDENT: f32 = 26.0;
/// Most lines of a solution.
const SOLUTION_LINES: usize = 40;

/// Most diagrams on a page of a [`Sheet`].
pub const MOST_PER_PAGE: usize = 30;

/// How pages of diagrams are laid out. Their unit is the point.
#[derive(Clone, PartialEq, Debug)]
pub struct Sheet {
    title: String,
    per_page: usize,
    has_answers: bool,
    language: Language,
}

/// A place for a number of diagrams.
struct Grid {
    columns: usize,
    /// Width and height of what a diagram has for itself.
    cell: (f32, f32),
    /// Side of a board with its border.
    side: f32,
    /// Size of letters below it, and height of all that stands there.
    letters: f32,
    below: f32,
}

impl Sheet {
    /// A sheet with so many diagrams a page, from 1 to [`MOST_PER_PAGE`].
    pub fn new(per_page: usize) -> Sheet {
        Sheet {
            title: String::new(),
            per_page: per_page.clamp(1, MOST_PER_PAGE),
            has_answers: false,
            language: Language::default(),
        }
    }

    /// Sets a title for each page.
    pub fn with_title(self, title: &str) -> Sheet {
        let title = title.to_owned();
        Sheet { title, ..self }
    }

    /// Sets the language of the title of the solutions.
    pub fn with_language(self, language: Language) -> Sheet {
        Sheet { language, ..self }
    }

    /// Sets whether a line below each diagram is left for the answer.
    pub fn with_answers(self, has_answers: bool) -> Sheet {
        Sheet {
            has_answers,
            ..self
        }
    }

    /// Diagrams on each page.
    pub fn per_page(&self) -> usize {
        self.per_page
    }

    /// Where the first diagram begins.
    fn top(&self) -> f32 {
        match self.title.is_empty() {
            true => MARGIN,
            false => MARGIN + TITLE_ROOM,
        }
    }

    /// The grid with the largest boards. `has_captions`: whether two lines for them are needed.
    fn grid(&self, has_captions: bool) -> Grid {
        let (width, height) = (
            WIDTH as f32 - 2.0 * MARGIN,
            HEIGHT as f32 - self.top() - MARGIN,
        );
        let grids = (1..=self.per_page).map(|columns| {
            let rows = self.per_page.div_ceil(columns);
            let share = |all: f32, count: usize| (all - GAP * (count - 1) as f32) / count as f32;
            let cell = (share(width, columns), share(height, rows));
            let letters = match columns {
                1 => 12.0,
                2 => 10.0,
                3 => 8.5,
                _ => 7.0,
            };
            let lines = if has_captions { CAPTION_LINES } else { 0 };
            let answer = if self.has_answers { 2.0 * letters } else { 0.0 };
            let below = 1.7 * letters + lines as f32 * (letters - 1.0) * PITCH + answer;
            Grid {
                columns,
                cell,
                side: cell.0.min(cell.1 - below),
                letters,
                below,
            }
        });
        let best = grids.max_by(|a, b| a.side.total_cmp(&b.side));
        best.unwrap_or_else(|| unreachable!("at least one diagram a page"))
    }

    /// A page, at most [`Sheet::per_page`] of its diagrams. `first`: the number of the first of them; `number`: that of
    /// the page.
    pub fn page(&self, diagrams: &[Diagram], first: usize, number: usize) -> Drawing {
        let grid = self.grid(diagrams.iter().any(|diagram| !diagram.caption.is_empty()));
        let mut lines = self.frame(&self.title, number);
        let mut groups = Vec::new();
        for (index, diagram) in diagrams.iter().take(self.per_page).enumerate() {
            let (row, column) = (index / grid.columns, index % grid.columns);
            let left = MARGIN + column as f32 * (grid.cell.0 + GAP);
            let top = self.top() + row as f32 * (grid.cell.1 + GAP);
            let middle = left + grid.cell.0 / 2.0;
            let scale = grid.side / diagram.width() as f32;
            groups.extend(diagram.groups(middle - grid.side / 2.0, top, scale));
            let letters = grid.letters;
            lines.extend(diagram.below(&Below {
                middle,
                room: grid.cell.0,
                top: top + grid.side + 1.3 * letters,
                letters,
                pitch: PITCH * letters,
                small: letters - 1.0,
                most: CAPTION_LINES,
                number: Some(first + index),
            }));
            if self.has_answers {
                let (x, y) = (middle - grid.side / 2.0, top + grid.side + grid.below);
                let rule = Outline::Path(format!("M{x} {y}h{}", grid.side));
                lines.push(Shape::stroked(rule, BLACK, 0.5));
            }
        }
        groups.push(words(lines));
        drawing(groups)
    }

    /// Pages of solutions in two columns, each with the number of its diagram. `number`: that of the first page.
    pub fn solutions(&self, solutions: &[(usize, String)], number: usize) -> Vec<Drawing> {
        const COLUMNS: usize = 2;
        let width = (WIDTH as f32 - 2.0 * MARGIN - GAP) / COLUMNS as f32;
        let (top, pitch) = (MARGIN + TITLE_ROOM + SMALL, SMALL * PITCH);
        let rows = ((HEIGHT as f32 - MARGIN - top) / pitch) as usize;
        let lines = solutions.iter().flat_map(|(number, moves)| {
            let lines = text::wrapped(moves, width - INDENT, SMALL, SOLUTION_LINES);
            let label = move |row| (row == 0).then(|| format!("{number}."));
            lines
                .into_iter()
                .enumerate()
                .map(move |(row, line)| (label(row), line))
        });
        let lines: Vec<(Option<String>, String)> = lines.collect();
        let pages = lines
            .chunks(rows * COLUMNS)
            .enumerate()
            .map(|(page, lines)| {
                let mut out = self.frame(self.language.text("solutions"), number + page);
                for (index, (label, line)) in lines.iter().enumerate() {
                    let x = MARGIN + (index / rows) as f32 * (width + GAP);
                    let y = top + (index % rows) as f32 * pitch;
                    out.extend(label.iter().map(|label| line_at(x, y, SMALL, label)));
                    out.push(line_at(x + INDENT, y, SMALL, line));
                }
                drawing(vec![words(out)])
            });
        pages.collect()
    }

    /// The title and the number of a page.
    fn frame(&self, title: &str, number: usize) -> Vec<Shape> {
        let centered = |y, size, text: String| {
            let line = Line {
                x: WIDTH as f32 / 2.0,
                y,
                size,
                centered: true,
                text,
            };
            Shape::filled(Outline::Text(line), BLACK)
        };
        let room = WIDTH as f32 - 2.0 * MARGIN;
        let (title, size) = text::fitted(title, room, TITLE, SMALL);
        let foot = HEIGHT as f32 - MARGIN / 2.0;
        let title = Some(title).filter(|title| !title.is_empty());
        let title = title.map(|title| centered(MARGIN + 0.7 * TITLE, size, title));
        let number = centered(foot, SMALL, number.to_string());
        title.into_iter().chain([number]).collect()
    }
}

fn line_at(x: f32, y: f32, size: f32, text: &str) -> Shape {
    let line = Line {
        x,
        y,
        size,
        centered: false,
        text: text.to_owned(),
    };
    Shape::filled(Outline::Text(line), BLACK)
}

/// Text anywhere on a page.
fn words(shapes: Vec<Shape>) -> Group {
    Group {
        x: 0.0,
        y: 0.0,
        scale: 1.0,
        is_shared: false,
        shapes,
    }
}

fn drawing(groups: Vec<Group>) -> Drawing {
    Drawing {
        width: WIDTH,
        height: HEIGHT,
        groups,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagram::Numbers;
    use damier_rules::Position;

    #[test]
    fn all_diagrams_of_a_page_fit_and_boards_are_as_large_as_they_can_be() {
        for (per_page, columns) in [(1, 1), (2, 1), (6, 2), (9, 3), (12, 3)] {
            let sheet = Sheet::new(per_page).with_title("A sheet");
            let sheet = sheet.with_answers(true);
            let grid = sheet.grid(false);
            assert_eq!(grid.columns, columns, "{per_page}");
            assert!(grid.side > 100.0);
            let one = Diagram {
                numbers: Numbers::Border,
                ..Diagram::new(Position::start())
            };
            let page = sheet.page(&vec![one; per_page + 1], 1, 1);
            let boards = page.groups.iter().filter(|group| group.is_shared);
            let boards: Vec<(f32, f32)> = boards.map(|group| (group.x, group.y)).collect();
            assert_eq!(boards.len(), per_page);
            for (x, y) in boards {
                assert!(x >= MARGIN && x + grid.side <= WIDTH as f32 - MARGIN + 0.1);
                let bottom = y + grid.side + grid.below;
                assert!(bottom <= HEIGHT as f32 - MARGIN + 0.1, "{bottom}");
            }
        }
        for per_page in 1..=MOST_PER_PAGE {
            assert!(Sheet::new(per_page).with_answers(true).grid(true).side > 50.0);
        }
    }

    #[test]
    fn solutions_take_as_many_pages_as_they_need() {
        let sheet = Sheet::new(6);
        assert!(sheet.solutions(&[], 2).is_empty());
        let many: Vec<(usize, String)> = (1..=200)
            .map(|number| (number, "1. 28-23 24x42 2. 23x21 10-14 3. 47x38".to_owned()))
            .collect();
        let pages = sheet.solutions(&many, 5);
        assert_eq!(pages.len(), 2);
        let texts = |page: &Drawing| {
            let shapes = page.groups.iter().flat_map(|group| &group.shapes);
            let texts = shapes.filter_map(|shape| match &shape.outline {
                Outline::Text(line) => Some(line.text.clone()),
                _ => None,
            });
            texts.collect::<Vec<String>>()
        };
        assert_eq!(texts(&pages[1])[..2], ["Solutions", "6"]);
        assert!(texts(&pages[1]).contains(&"200.".to_owned()));
    }
}
