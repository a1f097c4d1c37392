//! The files of a statement: PDF and CSV. Source: AIS-155, AIS-156.
//!
//! Both files are written from a [`StatementListing`], which is checked against the statement's totals, so a file always agrees with
//! its statement. The code reads neither a store nor a clock, so a statement always gives the same bytes. Card numbers are always
//! masked (AIS-052).

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
    /// Renders the statement as a tagged PDF that is accessible (PDF/UA-1) and archivable (PDF/A-2a).
    ///
    /// Rendering takes some milliseconds for hundreds of entries, so this method must not run on an async thread.
    ///
    /// # Errors
    /// [`DocumentError`].
    pub(crate) fn pdf(&self) -> Result<Vec<u8>, DocumentError> {
        pdf::write(&StatementListing::new(*self)?)
    }

    /// Renders the statement's entries as CSV (RFC 4180, UTF-8) with a header row, oldest first.
    ///
    /// # Errors
    /// [`DocumentError`].
    pub(crate) fn csv(&self) -> Result<Vec<u8>, DocumentError> {
        csv::write(&StatementListing::new(*self)?)
    }
}

#[cfg(test)]
mod tests;
