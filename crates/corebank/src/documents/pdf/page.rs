//! The frame of every page: the current position, and the repeated header and footer.

use super::document::{StructureTag, TaggedDocument};
use super::style::{BANK, BOTTOM, FOOT, MARGIN, NOTE, PAGE, SECTION, STRONG, TOP, TextColour, TextStyle, WIDTH};
use super::table::{Columns, PAD, ShapedRow, TableRow, rule};
use super::typeface::Typeface;
use krilla::tagging::{TableHeaderScope, Tag, TagKind};
use std::num::NonZeroU16;

/// The text repeated on every page.
#[derive(Debug)]
pub(super) struct PageHeading {
    pub(super) bank: String,
    /// Account and period.
    pub(super) subject: String,
    /// The legal text of the footer.
    pub(super) legal: String,
}

/// The current position on the last page.
pub(super) struct PageCursor<'a> {
    pub(super) typeface: &'a Typeface,
    pub(super) paper: TaggedDocument,
    pub(super) y: f32,
    frame: PageHeading,
}

impl<'a> PageCursor<'a> {
    /// Starts below the header of an empty first page.
    pub(super) fn new(typeface: &'a Typeface, frame: PageHeading) -> Self {
        let mut pen = Self { typeface, paper: TaggedDocument::default(), y: 0.0, frame };
        pen.paper.turn();
        pen.mark(MARGIN, 40.0, 26.0);
        let (name, meaning) = (pen.typeface.run(BANK, &pen.frame.bank), pen.paper.meaning(Tag::P, None));
        pen.paper.text(name, MARGIN + 36.0, 58.5, Some(meaning));
        pen.paper.area((MARGIN, 80.0), (WIDTH, 1.5), TextColour::Brand);
        pen.y = 112.0;
        pen
    }

    /// Draws the bank's logo.
    fn mark(&mut self, x: f32, y: f32, size: f32) {
        self.paper.area((x, y), (size, size), TextColour::Brand);
        self.paper.area((x + size * 0.30, y + size * 0.20), (size * 0.14, size * 0.60), TextColour::White);
        self.paper.area((x + size * 0.30, y + size * 0.66), (size * 0.42, size * 0.14), TextColour::White);
    }

    fn turn(&mut self) {
        self.paper.turn();
        self.mark(MARGIN, 40.0, 16.0);
        let bank = self.typeface.run(STRONG, &self.frame.bank);
        self.paper.text(bank, MARGIN + 24.0, 51.0, None);
        let subject = self.typeface.wrap(NOTE, &self.frame.subject, WIDTH * 0.6).into_iter().next();
        if let Some(subject) = subject {
            self.paper.text_to(subject, MARGIN + WIDTH, 51.0, None);
        }
        self.paper.area((MARGIN, 64.0), (WIDTH, 0.75), TextColour::Brand);
        self.y = TOP;
    }

    /// Starts a new page unless this height fits on the current one.
    pub(super) fn need(&mut self, height: f32) -> bool {
        let turns = self.y + height > BOTTOM;
        if turns {
            self.turn();
        }
        turns
    }

    /// Writes a paragraph, which may continue on the next page.
    pub(super) fn paragraph(&mut self, style: TextStyle, text: &str, tag: impl Into<TagKind>) {
        let meaning = self.paper.meaning(tag, None);
        for line in self.typeface.wrap(style, text, WIDTH) {
            self.need(style.leading);
            self.y += style.leading;
            self.paper.text(line, MARGIN, self.y - style.leading * 0.25, Some(meaning));
        }
    }

    /// Writes a heading that is kept on one page with this height of the following content.
    pub(super) fn section(&mut self, title: &str, following: f32) {
        self.y += 18.0;
        self.need(SECTION.leading + following);
        self.paper.announce(title, self.y);
        self.paragraph(SECTION, title, heading(2, title));
        self.y += 4.0;
    }

    /// Writes a table.
    pub(super) fn table(&mut self, columns: &Columns, rows: &[TableRow]) {
        let table = self.paper.meaning(Tag::Table, None);
        let head = self.paper.meaning(Tag::THead, Some(table));
        let names = columns.shape(self.typeface, &columns.names());
        self.names(columns, &names, Some(head));
        let body = self.paper.meaning(Tag::TBody, Some(table));
        let mut carry = None;
        for row in rows {
            let shaped = columns.shape(self.typeface, &row.cells);
            if self.need(shaped.height) {
                self.names(columns, &names, None);
                self.carried(carry);
            }
            let meaning = self.paper.meaning(Tag::TR, Some(body));
            self.row(columns, shaped, row.is_total, |paper| Some(paper.meaning(Tag::TD, Some(meaning))));
            carry = row.carry.as_deref();
        }
    }

    /// Writes the column headings: tagged on the first page, repeated visually on the others.
    fn names(&mut self, columns: &Columns, names: &ShapedRow, head: Option<StructureTag>) {
        let row = head.map(|head| self.paper.meaning(Tag::TR, Some(head)));
        let names = ShapedRow { cells: names.cells.clone(), height: names.height };
        self.row(columns, names, true, |paper| {
            row.map(|row| paper.meaning(Tag::TH(TableHeaderScope::Column), Some(row)))
        });
    }

    /// Writes the balance carried to the page.
    fn carried(&mut self, balance: Option<&str>) {
        let Some(balance) = balance else { return };
        let baseline = self.y + PAD + NOTE.leading * 0.75;
        let label = self.typeface.run(NOTE, "Brought forward from the page before");
        self.paper.text(label, MARGIN, baseline, None);
        self.paper.text_to(self.typeface.run(NOTE, balance), MARGIN + WIDTH, baseline, None);
        self.y += NOTE.leading + 2.0 * PAD;
        self.paper.area((MARGIN, self.y - 0.5), (WIDTH, 0.5), TextColour::Line);
    }

    fn row(
        &mut self,
        columns: &Columns,
        shaped: ShapedRow,
        is_total: bool,
        mut cell: impl FnMut(&mut TaggedDocument) -> Option<StructureTag>,
    ) {
        for (index, lines) in shaped.cells.into_iter().enumerate() {
            let meaning = cell(&mut self.paper);
            let mut y = self.y + PAD;
            for line in lines {
                y += line.style.leading;
                let (x, baseline) = (columns.start(index, &line), y - line.style.leading * 0.25);
                self.paper.text(line, x, baseline, meaning);
            }
        }
        self.y += shaped.height;
        let (thickness, ink) = rule(is_total);
        self.paper.area((MARGIN, self.y - thickness), (WIDTH, thickness), ink);
    }

    /// Writes the footers, with the number of pages.
    pub(super) fn finish(mut self) -> TaggedDocument {
        let count = self.paper.pages();
        let legal = self.typeface.wrap(FOOT, &self.frame.legal, WIDTH * 0.78);
        for page in 0..count {
            let mut y = BOTTOM + 24.0;
            for line in legal.iter().cloned() {
                self.paper.repeated(page, line, MARGIN, y);
                y += FOOT.leading;
            }
            let number = self.typeface.run(FOOT, &format!("Page {} of {count}", page + 1));
            let x = PAGE.0 - MARGIN - number.width;
            self.paper.repeated(page, number, x, BOTTOM + 24.0);
        }
        self.paper
    }
}

/// The structure tag of a heading.
pub(super) fn heading(level: u16, title: &str) -> TagKind {
    Tag::Hn(NonZeroU16::new(level).unwrap_or(NonZeroU16::MIN), Some(title.to_owned())).into()
}
