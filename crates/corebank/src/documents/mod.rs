//! The files of a statement: a PDF for people, a CSV for spreadsheets. Source: AIS-155, AIS-156.
//!
//! Both are written from one [`StatementListing`], which is checked against the statement's own totals: a file that does not
//! add up to the statement is never made. Nothing here reads a store or a clock, so a statement gives the same
//! bytes for ever. Card numbers are always masked (AIS-052).

mod csv;
mod error;
mod listing;
mod pdf;
mod source;
mod wording;

pub(crate) use error::DocumentError;
pub(crate) use source::StatementDocument;

use listing::StatementListing;

impl StatementDocument<'_> {
    /// The statement as a tagged PDF that can be read aloud (PDF/UA-1) and kept (PDF/A-2a).
    ///
    /// Takes some milliseconds for hundreds of entries: not for a thread that serves requests.
    ///
    /// # Errors
    /// [`DocumentError`].
    pub(crate) fn pdf(&self) -> Result<Vec<u8>, DocumentError> {
        pdf::write(&StatementListing::new(*self)?)
    }

    /// The statement's entries as CSV (RFC 4180, UTF-8) under a row of names, oldest first.
    ///
    /// # Errors
    /// [`DocumentError`].
    pub(crate) fn csv(&self) -> Result<Vec<u8>, DocumentError> {
        csv::write(&StatementListing::new(*self)?)
    }
}

#[cfg(test)]
mod tests;
