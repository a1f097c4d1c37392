//! Places the text of a statement on pages. A row is never split between pages, and each page repeats the column headings.

use super::content::{Block, BlockKind};
use super::typeface::{TextStyle, Typeface};

/// The size of a page in points: A4.
pub(super) const PAGE: (f32, f32) = (595.28, 841.89);
const MARGIN: f32 = 48.0;
const WIDTH: f32 = PAGE.0 - 2.0 * MARGIN;
const TOP: f32 = 72.0;
const BOTTOM: f32 = 772.0;
/// The gap between columns.
const GAP: f32 = 10.0;
const DATE_WIDTH: f32 = 56.0;
/// The space that must remain below a heading; otherwise the heading moves to the next page.
const KEPT_BELOW: f32 = 60.0;
const SMALL: TextStyle = TextStyle { size: 7.5, is_bold: false };

impl BlockKind {
    const fn style(self) -> TextStyle {
        match self {
            Self::Title => TextStyle { size: 18.0, is_bold: true },
            Self::Section => TextStyle { size: 12.0, is_bold: true },
            Self::Names | Self::Balance => TextStyle { size: 8.5, is_bold: true },
            Self::Paragraph | Self::Entry => TextStyle { size: 8.5, is_bold: false },
        }
    }
}

/// The block and the cell of that block to which a text belongs.
pub(super) type Part = (usize, usize);

/// A line of text on a page, and the point at which its baseline starts.
pub(super) struct PlacedText {
    pub(super) text: String,
    pub(super) style: TextStyle,
    pub(super) x: f32,
    pub(super) y: f32,
    /// The cell that the text is part of; `None` if the text is repeated on every page.
    pub(super) part: Option<Part>,
}

/// A column of a block.
#[derive(Clone, Copy)]
struct Column {
    left: f32,
    width: f32,
    is_right: bool,
}

const WHOLE_WIDTH: [Column; 1] = [Column { left: MARGIN, width: WIDTH, is_right: false }];

/// The pages of a statement.
pub(super) struct Pages<'a> {
    typeface: &'a Typeface,
    columns: Vec<Column>,
    /// The text that is repeated at the top of every page.
    subject: String,
    pub(super) pages: Vec<Vec<PlacedText>>,
    /// The headings with their page and height.
    pub(super) headings: Vec<(String, usize, f32)>,
    y: f32,
}

impl<'a> Pages<'a> {
    /// Places the blocks, and the subject and the legal text on every page.
    pub(super) fn new(typeface: &'a Typeface, blocks: &[Block], subject: String, legal: &str) -> Self {
        let columns = table_columns(typeface, blocks);
        let subject = typeface.wrap(SMALL, &subject, WIDTH).into_iter().next().unwrap_or_default();
        let mut pages = Self { typeface, columns, subject, pages: Vec::new(), headings: Vec::new(), y: 0.0 };
        pages.turn();
        let (mut names, mut carried) = (None, None);
        for (index, block) in blocks.iter().enumerate() {
            let lines = pages.lines(block);
            let has_turned = pages.need(block.kind, &lines);
            match block.kind {
                BlockKind::Title | BlockKind::Section => {
                    pages.y += 10.0;
                    pages.headings.push((block.cells.concat(), pages.pages.len().saturating_sub(1), pages.y));
                }
                BlockKind::Names => names = Some(block),
                BlockKind::Entry | BlockKind::Balance if has_turned => pages.continue_table(names, carried),
                BlockKind::Paragraph | BlockKind::Entry | BlockKind::Balance => {}
            }
            pages.place(block.kind, &lines, Some(index));
            carried = block.cells.last();
        }
        pages.add_feet(legal);
        pages
    }

    /// Adds texts to the last page cell by cell, so that the text of a cell stays together when a reader copies it.
    fn put_by_cell(&mut self, placed: &mut Vec<(usize, PlacedText)>) {
        placed.sort_by_key(|(cell, _)| *cell);
        if let Some(page) = self.pages.last_mut() {
            page.extend(placed.drain(..).map(|(_, text)| text));
        }
    }

    fn turn(&mut self) {
        let subject = PlacedText { text: self.subject.clone(), style: SMALL, x: MARGIN, y: TOP - 24.0, part: None };
        self.pages.push(vec![subject]);
        self.y = TOP;
    }

    fn columns(&self, kind: BlockKind) -> &[Column] {
        if kind.is_row() { &self.columns } else { &WHOLE_WIDTH }
    }

    fn lines(&self, block: &Block) -> Vec<Vec<String>> {
        let cells = self.columns(block.kind).iter().zip(&block.cells);
        cells.map(|(column, cell)| self.typeface.wrap(block.kind.style(), cell, column.width)).collect()
    }

    /// Starts a page if a row, or a heading with the block after it, does not fit on the current page. Returns whether a page was started.
    fn need(&mut self, kind: BlockKind, cells: &[Vec<String>]) -> bool {
        let below = if matches!(kind, BlockKind::Title | BlockKind::Section) { KEPT_BELOW } else { 0.0 };
        let height = kind.style().leading() * count_lines(cells) as f32 + below;
        let turns = kind != BlockKind::Paragraph && self.y + height > BOTTOM;
        if turns {
            self.turn();
        }
        turns
    }

    /// Places the lines of a block's cells. `index` is the block's index, or `None` if the block is repeated on every page.
    fn place(&mut self, kind: BlockKind, cells: &[Vec<String>], index: Option<usize>) {
        let (style, columns) = (kind.style(), self.columns(kind).to_vec());
        let mut placed = Vec::new();
        for line in 0..count_lines(cells) {
            if self.y + style.leading() > BOTTOM {
                self.put_by_cell(&mut placed);
                self.turn();
            }
            self.y += style.leading();
            for (cell, (lines, column)) in cells.iter().zip(&columns).enumerate() {
                let Some(text) = lines.get(line) else { continue };
                // A screen reader would skip an empty cell that has no mark.
                let text = if text.is_empty() { " ".to_owned() } else { text.clone() };
                let indent = if column.is_right { column.width - self.typeface.width(style, &text) } else { 0.0 };
                let (x, y, part) = (column.left + indent, self.y, index.map(|index| (index, cell)));
                placed.push((cell, PlacedText { text, style, x, y, part }));
            }
        }
        self.put_by_cell(&mut placed);
        self.y += 3.0;
    }

    /// Repeats the column headings, and the balance at the end of the previous page.
    fn continue_table(&mut self, names: Option<&Block>, balance: Option<&String>) {
        let label = "Brought forward from the page before".to_owned();
        let cells = [String::new(), label, String::new(), String::new(), balance.cloned().unwrap_or_default()];
        for block in names.into_iter().chain([&Block { kind: BlockKind::Entry, cells: cells.into() }]) {
            self.place(block.kind, &self.lines(block), None);
        }
    }

    /// Writes the legal text and the page number at the foot of each page.
    fn add_feet(&mut self, legal: &str) {
        let count = self.pages.len();
        let legal = self.typeface.wrap(SMALL, legal, WIDTH);
        for (page, number) in self.pages.iter_mut().zip(1..) {
            let mut y = BOTTOM + 16.0;
            for text in legal.iter().cloned().chain([format!("Page {number} of {count}")]) {
                page.push(PlacedText { text, style: SMALL, x: MARGIN, y, part: None });
                y += SMALL.leading();
            }
        }
    }
}

fn count_lines(cells: &[Vec<String>]) -> usize {
    cells.iter().map(Vec::len).max().unwrap_or_default()
}

/// The columns of the table. An amount column is as wide as its widest amount; the description has the remaining width.
fn table_columns(typeface: &Typeface, blocks: &[Block]) -> Vec<Column> {
    let rows = || blocks.iter().filter(|block| block.kind.is_row());
    let widest = |cell: usize| {
        let cells = rows().filter_map(|row| Some(typeface.width(row.kind.style(), row.cells.get(cell)?)));
        cells.fold(0.0, f32::max) + 1.0
    };
    let [out, paid_in, balance] = [2, 3, 4].map(widest);
    let described = (WIDTH - DATE_WIDTH - out - paid_in - balance - 4.0 * GAP).max(60.0);
    let mut left = MARGIN;
    let widths = [(DATE_WIDTH, false), (described, false), (out, true), (paid_in, true), (balance, true)];
    let place = |(width, is_right)| {
        let column = Column { left, width, is_right };
        left += width + GAP;
        column
    };
    widths.map(place).into()
}
