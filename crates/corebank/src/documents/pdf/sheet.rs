//! The layout of a statement.

use super::document::TaggedDocument;
use super::page::{PageCursor, PageHeading, heading};
use super::style::{
    ADDRESS, CELL, FACT, FIGURE, HEAD, LABEL, MARGIN, NOTE, PERIOD, STRONG, TITLE, TextColour, TextStyle, WIDTH,
};
use super::table::{Align, Columns, GAP, TableColumn, TableRow};
use super::typeface::Typeface;
use crate::documents::listing::StatementListing;
use crate::documents::wording;
use krilla::tagging::{TableHeaderScope, Tag};
use lombard_domain::account::StatementAmountType;
use lombard_domain::money::SignedAmount;

/// The horizontal positions of the account facts' labels and values.
const FACTS: (f32, f32) = (312.0, 400.0);
const SANDBOX: &str = "This statement was made by a sandbox. The bank, the people and the money on it are made up: it is \
                       no proof of funds, of an address or of an identity.";

/// A statement being laid out.
pub(super) struct StatementLayout<'a> {
    pen: PageCursor<'a>,
    listing: &'a StatementListing<'a>,
}

impl<'a> StatementLayout<'a> {
    /// Starts with the bank's letterhead on the first page.
    pub(super) fn new(typeface: &'a Typeface, listing: &'a StatementListing<'a>) -> Self {
        let account = listing.of.account;
        let bank = account.servicer.as_ref().and_then(|bank| bank.name.as_deref()).unwrap_or("Lombard");
        let bank = wording::printable(bank);
        let name = account.nickname.as_deref().or(account.description.as_deref()).map(wording::printable);
        let subject = match name {
            Some(name) if !name.is_empty() => format!("{name}, {}", period(listing)),
            _ => period(listing),
        };
        let frame = PageHeading { legal: format!("{bank}. {SANDBOX}"), bank, subject };
        Self { pen: PageCursor::new(typeface, frame), listing }
    }

    /// Lays out the whole statement.
    pub(super) fn compose(mut self) -> TaggedDocument {
        self.head();
        self.summary();
        self.transactions();
        self.costs();
        self.good_to_know();
        self.remarks();
        self.pen.finish()
    }

    /// Lays out the address, the account facts and the title.
    fn head(&mut self) {
        let top = self.pen.y;
        let left = self.address(top);
        let right = self.facts(top);
        self.pen.y = left.max(right).max(top + 96.0) + 26.0;
        let statement = self.listing.of.statement;
        let title = wording::title(self.listing.of.account.sub_type, statement.kind);
        self.pen.paper.announce(&title, self.pen.y);
        self.pen.paragraph(TITLE, &title, heading(1, &title));
        self.pen.paragraph(PERIOD, &period(self.listing), Tag::P);
        self.pen.y += 14.0;
    }

    /// Lays out the owners' address for a window envelope; returns its lower edge.
    fn address(&mut self, top: f32) -> f32 {
        const NAMES_MAX: usize = 10;
        let (names, place) = wording::addressed_to(self.listing.of.parties);
        let typeface = self.pen.typeface;
        let wrap = |line: &String| typeface.wrap(ADDRESS, line, FACTS.0 - MARGIN - 24.0);
        let names = names.iter().flat_map(wrap).take(NAMES_MAX);
        let meaning = self.pen.paper.meaning(Tag::P, None);
        let mut y = top;
        for run in names.chain(place.iter().flat_map(wrap)) {
            y += ADDRESS.leading;
            self.pen.paper.text(run, MARGIN, y - ADDRESS.leading * 0.25, Some(meaning));
        }
        y
    }

    /// Lays out the account's name and numbers on the right; returns the lower edge.
    fn facts(&mut self, top: f32) -> f32 {
        let table = self.pen.paper.meaning(Tag::Table, None);
        let mut y = top;
        for (label, value) in facts(self.listing) {
            let row = self.pen.paper.meaning(Tag::TR, Some(table));
            let name = self.pen.paper.meaning(Tag::TH(TableHeaderScope::Row), Some(row));
            let label = self.pen.typeface.run(LABEL, label);
            self.pen.paper.text(label, FACTS.0, y + LABEL.leading * 0.75, Some(name));
            let cell = self.pen.paper.meaning(Tag::TD, Some(row));
            for line in self.pen.typeface.wrap(FACT, &value, MARGIN + WIDTH - FACTS.1) {
                y += FACT.leading;
                self.pen.paper.text(line, FACTS.1, y - FACT.leading * 0.25, Some(cell));
            }
        }
        y
    }

    /// Lays out the four main figures side by side, or one below the other if they are too wide.
    fn summary(&mut self) {
        const HEIGHT: f32 = 56.0;
        let listing = self.listing;
        let figures = [
            ("Opening balance", wording::money(listing.opening)),
            ("Money in", wording::unsigned_money(listing.paid_in)),
            ("Money out", wording::unsigned_money(listing.paid_out)),
            ("Closing balance", wording::money(listing.closing)),
        ]
        .map(|(label, figure)| (self.pen.typeface.run(LABEL, label), self.pen.typeface.run(FIGURE, &figure)));
        let widest = figures.iter().map(|(_, figure)| figure.width).fold(0.0, f32::max);
        let across: usize = if widest + 20.0 <= WIDTH / 4.0 { 4 } else { 2 };
        let height = if across == 4 { HEIGHT } else { 2.0 * HEIGHT - 12.0 };
        let top = self.pen.y;
        self.pen.paper.area((MARGIN, top), (WIDTH, height), TextColour::Tint);
        self.pen.paper.area((MARGIN, top), (3.0, height), TextColour::Brand);
        for (index, (label, figure)) in figures.into_iter().enumerate() {
            let meaning = self.pen.paper.meaning(Tag::P, None);
            let (column, line) = ((index % across) as f32, (index / across) as f32);
            let x = MARGIN + 16.0 + column * (WIDTH - 16.0) / across as f32;
            let y = top + line * (HEIGHT - 12.0);
            self.pen.paper.text(label, x, y + 20.0, Some(meaning));
            self.pen.paper.text(figure, x, y + 40.0, Some(meaning));
        }
        self.pen.y = top + height;
    }

    /// Lays out the booked entries with running balances, between the opening and the closing balance.
    fn transactions(&mut self) {
        let listing = self.listing;
        self.pen.section("Your transactions", 60.0);
        let mut rows = vec![balance_row("Opening balance", listing.opening, listing.of.statement.starts_at)];
        rows.extend(listing.lines.iter().map(|line| {
            let (entry, balance) = (line.entry, wording::signed(line.balance));
            let sum = wording::amount(entry.sum.amount());
            let (out, paid_in) = if entry.sum.minor() < 0 { (sum, String::new()) } else { (String::new(), sum) };
            let mut text = vec![(CELL, wording::what(entry))];
            text.push((NOTE, wording::notes(entry).join(" · ")));
            let date = vec![(CELL, wording::short_date(entry.booked_at))];
            let cells = vec![date, text, vec![(CELL, out)], vec![(CELL, paid_in)], vec![(CELL, balance.clone())]];
            TableRow { cells, is_total: false, carry: Some(balance) }
        }));
        let mut totals = balance_row("Closing balance", listing.closing, listing.of.statement.ends_at);
        let sums = [wording::amount(listing.paid_out), wording::amount(listing.paid_in)];
        for (cell, sum) in totals.cells.iter_mut().skip(2).zip(sums) {
            *cell = vec![(STRONG, sum)];
        }
        totals.is_total = true;
        rows.push(totals);
        let code = listing.of.account.currency.code();
        let names = [format!("Money out ({code})"), format!("Money in ({code})"), format!("Balance ({code})")];
        let [out, paid_in, balance] = self.money_columns(&rows, names);
        let dates = column("Date", Align::Left, 66.0);
        self.pen
            .table(&Columns::new(vec![dates, column("Description", Align::Left, 0.0), out, paid_in, balance]), &rows);
    }

    /// The three amount columns, each as wide as its widest amount.
    fn money_columns(&self, rows: &[TableRow], names: [String; 3]) -> [TableColumn; 3] {
        let mut index = 2;
        names.map(|name| {
            let cells = rows.iter().filter_map(|row| row.cells.get(index)).flatten();
            let width = |(style, text): &(TextStyle, String)| self.pen.typeface.width(*style, text);
            let widest = cells.map(width).fold(self.pen.typeface.width(HEAD, &name), f32::max);
            index += 1;
            column(&name, Align::Right, widest + 1.0 + GAP)
        })
    }

    /// Lays out interest, fees and benefits.
    fn costs(&mut self) {
        let statement = self.listing.of.statement;
        let row = |what: &str, how: String, sum: String| TableRow {
            cells: vec![vec![(CELL, what.to_owned())], vec![(CELL, how)], vec![(CELL, sum)]],
            is_total: false,
            carry: None,
        };
        let mut rows = Vec::new();
        for interest in &statement.interest {
            let how = wording::about_interest(interest);
            rows.push(row(wording::interest_kind(interest.kind), how, wording::money(interest.sum)));
        }
        for fee in &statement.fees {
            rows.push(row(wording::fee_kind(fee.kind), wording::about_fee(fee), wording::money(fee.sum)));
        }
        for benefit in &statement.benefits {
            let sum = wording::unsigned_money(benefit.amount);
            rows.push(row(wording::benefit_kind(benefit.kind), String::new(), sum));
        }
        if rows.is_empty() {
            return;
        }
        self.pen.section("Interest, fees and benefits", 60.0);
        let columns = vec![
            column("What", Align::Left, 170.0),
            column("How", Align::Left, 0.0),
            column("Amount", Align::Right, 100.0),
        ];
        self.pen.table(&Columns::new(columns), &rows);
    }

    /// Lays out the statement's other amounts, dates, rates and counts.
    fn good_to_know(&mut self) {
        let statement = self.listing.of.statement;
        let is_shown = |kind| {
            use StatementAmountType::{ClosingBalance, StartingBalance, TotalCredits, TotalDebits};
            matches!(kind, ClosingBalance | StartingBalance | TotalCredits | TotalDebits)
        };
        let amounts = statement.amounts.iter().filter(|(kind, _)| !is_shown(*kind));
        let amounts = amounts.map(|(kind, sum)| (wording::amount_kind(*kind), wording::money(*sum)));
        let dates = statement.dates.iter().map(|(kind, at)| (wording::date_kind(*kind), wording::long_date(*at)));
        let rates =
            statement.rates.iter().map(|(kind, rate)| (wording::rate_kind(*kind), format!("{}%", rate.normalize())));
        let values =
            statement.values.iter().map(|(kind, value)| (wording::value_kind(*kind), wording::printable(value)));
        let cells = |(what, value): (&str, String)| vec![vec![(CELL, what.to_owned())], vec![(CELL, value)]];
        let all = amounts.chain(dates).chain(rates).chain(values).map(cells);
        let rows: Vec<TableRow> = all.map(|cells| TableRow { cells, is_total: false, carry: None }).collect();
        if rows.is_empty() {
            return;
        }
        self.pen.section("Good to know", 60.0);
        let columns = vec![column("What", Align::Left, 0.0), column("Value", Align::Right, 180.0)];
        self.pen.table(&Columns::new(columns), &rows);
    }

    /// Lays out the bank's remarks and the disclaimer.
    fn remarks(&mut self) {
        let statement = self.listing.of.statement;
        self.pen.section("About this statement", 30.0);
        for text in statement.descriptions.iter().map(|text| wording::printable(text)).filter(|text| !text.is_empty()) {
            self.pen.paragraph(CELL, &text, Tag::P);
            self.pen.y += 3.0;
        }
        let made = format!("Made on {}. All days are UTC.", wording::long_date(statement.created_at));
        self.pen.paragraph(CELL, &made, Tag::P);
    }
}

fn period(listing: &StatementListing<'_>) -> String {
    let statement = listing.of.statement;
    format!("{} to {}", wording::long_date(statement.starts_at), wording::long_date(statement.ends_at))
}

fn column(name: &str, align: Align, width: f32) -> TableColumn {
    TableColumn { name: name.to_owned(), align, width }
}

fn balance_row(label: &str, balance: SignedAmount, at: jiff::Timestamp) -> TableRow {
    let balance = wording::signed(balance);
    let date = vec![(STRONG, wording::short_date(at))];
    let cells = vec![date, vec![(STRONG, label.to_owned())], Vec::new(), Vec::new(), vec![(STRONG, balance.clone())]];
    TableRow { cells, is_total: false, carry: Some(balance) }
}

/// The labels and values that identify the account and the statement.
fn facts(listing: &StatementListing<'_>) -> Vec<(&'static str, String)> {
    let (account, statement) = (listing.of.account, listing.of.statement);
    let mut facts = Vec::new();
    let mut add = |label, value: Option<&str>| {
        let value = wording::printable(value.unwrap_or_default());
        if !value.is_empty() {
            facts.push((label, value));
        }
    };
    add("Account", account.nickname.as_deref().or(account.description.as_deref()));
    add("Account name", account.identifications.first().and_then(|number| number.name.as_deref()));
    for (label, number) in account.identifications.iter().flat_map(wording::numbers) {
        add(label, Some(&number));
    }
    add("Roll number", account.identifications.iter().find_map(|number| number.secondary.as_deref()));
    add("BIC", account.servicer.as_ref().and_then(|bank| bank.bic.as_deref()));
    add("Currency", Some(account.currency.code()));
    add("Statement", statement.reference.as_deref());
    add("Date", Some(&wording::long_date(statement.created_at)));
    facts
}
