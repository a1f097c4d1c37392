//! The entries of a statement as CSV (RFC 4180).

use super::listing::{ListedEntry, StatementListing};
use super::{DocumentError, wording};
use csv::{Terminator, WriterBuilder};
use lombard_domain::money::SignedAmount;

const NAMES: [&str; 10] = [
    "Date",
    "Value date",
    "Description",
    "Reference",
    "Other party",
    "Money out",
    "Money in",
    "Balance",
    "Currency",
    "Transaction id",
];

/// # Errors
/// [`DocumentError::Writing`].
pub(super) fn write(listing: &StatementListing<'_>) -> Result<Vec<u8>, DocumentError> {
    let failed = |error: csv::Error| DocumentError::Writing(error.to_string());
    let mut rows = WriterBuilder::new().terminator(Terminator::CRLF).from_writer(Vec::new());
    rows.write_record(NAMES).map_err(failed)?;
    for line in &listing.lines {
        rows.write_record(row(line)).map_err(failed)?;
    }
    rows.into_inner().map_err(|error| DocumentError::Writing(error.to_string()))
}

fn row(line: &ListedEntry<'_>) -> [String; 10] {
    let entry = line.entry;
    let sum = entry.sum.amount().decimal();
    let (out, paid_in) = if entry.sum.minor() < 0 { (sum, String::new()) } else { (String::new(), sum) };
    [
        wording::date(entry.booked_at).to_string(),
        entry.value_at.map(|at| wording::date(at).to_string()).unwrap_or_default(),
        text(&wording::what(entry)),
        text(entry.reference.as_deref().unwrap_or_default()),
        text(wording::other_party(entry).unwrap_or_default()),
        out,
        paid_in,
        number(line.balance),
        entry.sum.currency().code().to_owned(),
        text(entry.id.as_str()),
    ]
}

/// An amount with a sign, as spreadsheets parse it.
fn number(sum: SignedAmount) -> String {
    let sign = if sum.minor() < 0 { "-" } else { "" };
    format!("{sign}{}", sum.amount().decimal())
}

/// Escapes text that a spreadsheet would execute as a formula. The escaping is needed because payers choose the text of entries.
fn text(written: &str) -> String {
    let written = wording::printable(written);
    let is_formula = written.trim_start().starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠', '|', '%']);
    if is_formula { format!("'{written}") } else { written }
}
