//! A statement as a PDF: A4 pages with text, tagged for screen readers.
//!
//! `krilla` writes the PDF; these modules define the layout. [`typeface`] shapes and measures text, [`document`] collects marks
//! and the structure tree, [`table`] breaks tables over pages, [`page`] is the frame of each page, and [`sheet`] lays out a
//! statement.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::float_arithmetic,
    reason = "lengths on paper, in points; money gets here as text"
)]

mod document;
mod page;
mod sheet;
mod style;
mod table;
mod typeface;

use super::listing::StatementListing;
use super::{DocumentError, wording};
use jiff::tz::TimeZone;
use krilla::metadata::{DateTime, Metadata};
use sheet::StatementLayout;
use typeface::Typeface;

/// # Errors
/// [`DocumentError::Writing`].
pub(super) fn write(listing: &StatementListing<'_>) -> Result<Vec<u8>, DocumentError> {
    let typeface = Typeface::load().ok_or_else(|| DocumentError::Writing("the typeface cannot be read".to_owned()))?;
    let paper = StatementLayout::new(&typeface, listing).compose();
    paper.write(metadata(listing))
}

/// The metadata of the PDF. Its time is that of the statement.
fn metadata(listing: &StatementListing<'_>) -> Metadata {
    let (statement, account) = (listing.of.statement, listing.of.account);
    let period = format!("{} to {}", wording::long_date(statement.starts_at), wording::long_date(statement.ends_at));
    let title = format!("{}, {period}", wording::title(account.sub_type, statement.kind));
    let bank = account.servicer.as_ref().and_then(|bank| bank.name.clone());
    Metadata::new()
        .title(title)
        .language("en-GB".to_owned())
        .authors(bank.into_iter().collect())
        .producer("Lombard".to_owned())
        .document_id(statement.id.as_str().to_owned())
        .creation_date(made_at(statement.created_at))
}

fn made_at(at: jiff::Timestamp) -> DateTime {
    let at = at.to_zoned(TimeZone::UTC);
    let small = |number: i8| number.unsigned_abs();
    DateTime::new(at.year().unsigned_abs())
        .month(small(at.month()))
        .day(small(at.day()))
        .hour(small(at.hour()))
        .minute(small(at.minute()))
        .second(small(at.second()))
        .utc_offset_hour(0)
        .utc_offset_minute(0)
}
