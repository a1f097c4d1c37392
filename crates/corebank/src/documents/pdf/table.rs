//! Tables over several pages. A row is never split, and the column headings are repeated on each page.

use super::style::{CELL, HEAD, MARGIN, TextColour, TextStyle, WIDTH};
use super::typeface::{TextRun, Typeface};

/// The alignment of text in a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Align {
    Left,
    Right,
}

/// A column.
#[derive(Debug, Clone)]
pub(super) struct TableColumn {
    pub(super) name: String,
    pub(super) align: Align,
    /// In points; nothing is set in the last [`GAP`] of it.
    pub(super) width: f32,
}

/// The gap between columns in points.
pub(super) const GAP: f32 = 10.0;
/// The padding above and below the text of a row, in points.
pub(super) const PAD: f32 = 4.0;

/// A row of cells, each a list of texts.
#[derive(Debug)]
pub(super) struct TableRow {
    pub(super) cells: Vec<Vec<(TextStyle, String)>>,
    /// Whether it is a total of the rows above.
    pub(super) is_total: bool,
    /// The balance carried to the next page if a page break follows this row.
    pub(super) carry: Option<String>,
}

/// A row shaped into lines of glyphs.
#[derive(Debug)]
pub(super) struct ShapedRow {
    pub(super) cells: Vec<Vec<TextRun>>,
    /// In points, its padding included.
    pub(super) height: f32,
}

/// Columns with their left edges.
#[derive(Debug)]
pub(super) struct Columns(pub(super) Vec<(f32, TableColumn)>);

impl Columns {
    /// Places columns side by side. The column without a width gets the remaining space.
    pub(super) fn new(columns: Vec<TableColumn>) -> Self {
        let taken: f32 = columns.iter().map(|column| column.width).sum();
        let mut left = MARGIN;
        let place = |mut column: TableColumn| {
            if column.width <= 0.0 {
                column.width = (WIDTH - taken).max(60.0);
            }
            let start = left;
            left += column.width;
            (start, column)
        };
        Self(columns.into_iter().map(place).collect())
    }

    /// Breaks a row into lines that fit.
    pub(super) fn shape(&self, typeface: &Typeface, cells: &[Vec<(TextStyle, String)>]) -> ShapedRow {
        let fit = |((_, column), cell): (&(f32, TableColumn), &Vec<(TextStyle, String)>)| {
            let room = column.width - GAP;
            // An empty cell is still a cell: without a mark it would be missing from the row when read aloud.
            if cell.iter().all(|(_, text)| text.is_empty()) {
                return vec![typeface.run(CELL, " ")];
            }
            cell.iter().flat_map(|(style, text)| typeface.wrap(*style, text, room)).collect::<Vec<_>>()
        };
        let cells: Vec<Vec<TextRun>> = self.0.iter().zip(cells).map(fit).collect();
        let tallest = cells.iter().map(|lines| leading(lines)).fold(0.0, f32::max);
        ShapedRow { cells, height: tallest + 2.0 * PAD }
    }

    /// The column headings as a row.
    pub(super) fn names(&self) -> Vec<Vec<(TextStyle, String)>> {
        self.0.iter().map(|(_, column)| vec![(HEAD, column.name.clone())]).collect()
    }

    /// Where a run starts in its column.
    pub(super) fn start(&self, index: usize, run: &TextRun) -> f32 {
        let Some((left, column)) = self.0.get(index) else { return MARGIN };
        match column.align {
            Align::Left => *left,
            // The last column ends where the page's content ends.
            Align::Right if index + 1 == self.0.len() => left + column.width - run.width,
            Align::Right => left + column.width - GAP - run.width,
        }
    }
}

fn leading(lines: &[TextRun]) -> f32 {
    lines.iter().map(|line| line.style.leading).sum()
}

/// The line under a row.
pub(super) const fn rule(is_total: bool) -> (f32, TextColour) {
    if is_total { (1.0, TextColour::Brand) } else { (0.5, TextColour::Line) }
}
