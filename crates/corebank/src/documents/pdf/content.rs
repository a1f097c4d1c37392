//! The content of a printed statement, as blocks in reading order.

use crate::documents::listing::StatementListing;
use crate::documents::wording;
use lombard_domain::account::StatementAmountType;
use lombard_domain::money::SignedAmount;

/// The kind of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BlockKind {
    Title,
    Section,
    Paragraph,
    /// The row of column headings.
    Names,
    /// The row of an entry.
    Entry,
    /// The row of the opening or the closing balance.
    Balance,
}

impl BlockKind {
    /// Whether the block is a row of the table.
    pub(super) const fn is_row(self) -> bool {
        matches!(self, Self::Names | Self::Entry | Self::Balance)
    }
}

/// A part of the printed statement: a heading, a paragraph or a row of the table.
#[derive(Debug)]
pub(super) struct Block {
    pub(super) kind: BlockKind,
    /// One text, or the cells of a row: date, description, money out, money in and balance.
    pub(super) cells: Vec<String>,
}

/// Returns the blocks of a statement: the title and the facts, the table of entries, and the further information.
pub(super) fn blocks(listing: &StatementListing<'_>) -> Vec<Block> {
    let (account, statement) = (listing.of.account, listing.of.statement);
    let text = |kind, text| Block { kind, cells: vec![text] };
    let paragraph = |words| text(BlockKind::Paragraph, words);
    let mut blocks = vec![
        paragraph(bank(listing)),
        text(BlockKind::Title, wording::title(account.sub_type, statement.kind)),
        paragraph(period(listing)),
    ];
    let (names, place) = wording::addressed_to(listing.of.parties);
    blocks.extend(names.into_iter().take(NAMES_MAX).chain(place).map(paragraph));
    blocks.push(text(BlockKind::Section, "Your account".to_owned()));
    blocks.extend(facts(listing).into_iter().map(|(label, value)| paragraph(format!("{label}: {value}"))));
    blocks.push(text(BlockKind::Section, "Your transactions".to_owned()));
    blocks.extend(rows(listing));
    for (title, lines) in [("Interest, fees and benefits", costs(listing)), ("Good to know", good_to_know(listing))] {
        if !lines.is_empty() {
            blocks.push(text(BlockKind::Section, title.to_owned()));
            blocks.extend(lines.into_iter().map(paragraph));
        }
    }
    blocks.push(text(BlockKind::Section, "About this statement".to_owned()));
    let remarks = statement.descriptions.iter().map(|text| wording::printable(text));
    blocks.extend(remarks.filter(|text| !text.is_empty()).map(paragraph));
    let made = format!("Made on {}. All days are UTC.", wording::long_date(statement.created_at));
    blocks.push(paragraph(made));
    blocks
}

/// The maximum number of owners' names that are printed.
const NAMES_MAX: usize = 10;

/// The bank's name.
pub(super) fn bank(listing: &StatementListing<'_>) -> String {
    let name = listing.of.account.servicer.as_ref().and_then(|bank| bank.name.as_deref());
    wording::printable(name.unwrap_or("Lombard"))
}

/// `1 October 2026 to 31 October 2026`.
pub(super) fn period(listing: &StatementListing<'_>) -> String {
    let statement = listing.of.statement;
    format!("{} to {}", wording::long_date(statement.starts_at), wording::long_date(statement.ends_at))
}

/// The text that is repeated on every page: the bank, the account and the period.
pub(super) fn subject(listing: &StatementListing<'_>) -> String {
    let parts = [bank(listing), account_name(listing), period(listing)];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ")
}

/// The name that the customer or the bank has given the account.
fn account_name(listing: &StatementListing<'_>) -> String {
    let account = listing.of.account;
    wording::printable(account.nickname.as_deref().or(account.description.as_deref()).unwrap_or_default())
}

/// The labelled facts of a statement: the account's name and numbers, the statement's identification, and the totals.
fn facts(listing: &StatementListing<'_>) -> Vec<(&'static str, String)> {
    let (account, statement) = (listing.of.account, listing.of.statement);
    let first = account.identifications.first();
    let mut facts = vec![
        ("Account", account_name(listing)),
        ("Account name", first.and_then(|number| number.name.clone()).unwrap_or_default()),
    ];
    facts.extend(account.identifications.iter().flat_map(wording::numbers));
    let roll_number = account.identifications.iter().find_map(|number| number.secondary.clone());
    facts.extend([
        ("Roll number", roll_number.unwrap_or_default()),
        ("BIC", account.servicer.as_ref().and_then(|bank| bank.bic.clone()).unwrap_or_default()),
        ("Currency", account.currency.code().to_owned()),
        ("Statement", statement.reference.clone().unwrap_or_default()),
        ("Date", wording::long_date(statement.created_at)),
        ("Opening balance", wording::money(listing.opening)),
        ("Money in", wording::unsigned_money(listing.paid_in)),
        ("Money out", wording::unsigned_money(listing.paid_out)),
        ("Closing balance", wording::money(listing.closing)),
    ]);
    let printable = facts.into_iter().map(|(label, value)| (label, wording::printable(&value)));
    printable.filter(|(_, value)| !value.is_empty()).collect()
}

/// The booked entries with the balance after each, between the opening and the closing balance.
fn rows(listing: &StatementListing<'_>) -> Vec<Block> {
    let statement = listing.of.statement;
    let code = listing.of.account.currency.code();
    let [out, paid_in, balance] = ["Money out", "Money in", "Balance"].map(|name| format!("{name} ({code})"));
    let names = vec!["Date".to_owned(), "Description".to_owned(), out, paid_in, balance];
    let balance = |label: &str, at, [out, paid_in]: [String; 2], balance: SignedAmount| {
        let cells = vec![wording::short_date(at), label.to_owned(), out, paid_in, wording::signed(balance)];
        Block { kind: BlockKind::Balance, cells }
    };
    let entries = listing.lines.iter().map(|line| {
        let entry = line.entry;
        let sum = wording::amount(entry.sum.amount());
        let (out, paid_in) = if entry.sum.minor() < 0 { (sum, String::new()) } else { (String::new(), sum) };
        let what = [vec![wording::what(entry)], wording::notes(entry)].concat().join(" · ");
        let cells = vec![wording::short_date(entry.booked_at), what, out, paid_in, wording::signed(line.balance)];
        Block { kind: BlockKind::Entry, cells }
    });
    let totals = [wording::amount(listing.paid_out), wording::amount(listing.paid_in)];
    let mut rows = vec![
        Block { kind: BlockKind::Names, cells: names },
        balance("Opening balance", statement.starts_at, [const { String::new() }; 2], listing.opening),
    ];
    rows.extend(entries);
    rows.push(balance("Closing balance", statement.ends_at, totals, listing.closing));
    rows
}

/// The lines about interest, fees and benefits.
fn costs(listing: &StatementListing<'_>) -> Vec<String> {
    let statement = listing.of.statement;
    let line = |what: &str, how: String, sum: String| {
        if how.is_empty() { format!("{what}: {sum}") } else { format!("{what}, {how}: {sum}") }
    };
    let interest = statement.interest.iter().map(|interest| {
        line(wording::interest_kind(interest.kind), wording::about_interest(interest), wording::money(interest.sum))
    });
    let fees = statement.fees.iter();
    let fees = fees.map(|fee| line(wording::fee_kind(fee.kind), wording::about_fee(fee), wording::money(fee.sum)));
    let benefits = statement.benefits.iter().map(|benefit| {
        line(wording::benefit_kind(benefit.kind), String::new(), wording::unsigned_money(benefit.amount))
    });
    interest.chain(fees).chain(benefits).collect()
}

/// The lines about the statement's other amounts, dates, rates and counts.
fn good_to_know(listing: &StatementListing<'_>) -> Vec<String> {
    use StatementAmountType::{ClosingBalance, StartingBalance, TotalCredits, TotalDebits};
    let statement = listing.of.statement;
    let is_said = |kind| matches!(kind, ClosingBalance | StartingBalance | TotalCredits | TotalDebits);
    let amounts = statement.amounts.iter().filter(|(kind, _)| !is_said(*kind));
    let amounts = amounts.map(|(kind, sum)| (wording::amount_kind(*kind), wording::money(*sum)));
    let dates = statement.dates.iter().map(|(kind, at)| (wording::date_kind(*kind), wording::long_date(*at)));
    let rates = statement.rates.iter();
    let rates = rates.map(|(kind, rate)| (wording::rate_kind(*kind), format!("{}%", rate.normalize())));
    let values = statement.values.iter().map(|(kind, value)| (wording::value_kind(*kind), wording::printable(value)));
    amounts.chain(dates).chain(rates).chain(values).map(|(what, value)| format!("{what}: {value}")).collect()
}
