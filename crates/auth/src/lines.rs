//! The payments of a file, a page at a time, for customers who are asked to agree to it.

use crate::Auth;
use crate::error::OAuthError;
use lombard_domain::consent::PaymentConsent;
use lombard_domain::file::FileLine;
use lombard_ports::store::StoreError;

/// Payments on a page.
pub const PAGE_LINES: u32 = 50;

/// Payments that are shown before somebody turns to the pages.
pub(crate) const FIRST_LINES: u32 = 5;

/// A page of a file's payments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lines {
    /// Which page it is, from 1.
    pub page: u32,
    /// How many pages there are.
    pub pages: u32,
    /// The payments, in the order of the file.
    pub lines: Vec<FileLine>,
}

/// A page of the payments of a consent's file, from 1; `None` where there is no such page, or no file.
///
/// # Errors
/// Storage's failure.
pub(crate) async fn page(auth: &Auth, payment: &PaymentConsent, page: u32) -> Result<Option<Lines>, OAuthError> {
    let Some(file) = &payment.file else { return Ok(None) };
    let pages = file.totals.count.div_ceil(PAGE_LINES).max(1);
    if page == 0 || page > pages {
        return Ok(None);
    }
    let after = page.saturating_sub(1).saturating_mul(PAGE_LINES);
    let lines = some(auth, payment, after, PAGE_LINES).await?;
    Ok(Some(Lines { page, pages, lines }))
}

/// The first payments of a consent's file; none without one.
///
/// # Errors
/// Storage's failure.
pub(crate) async fn first(auth: &Auth, payment: &PaymentConsent) -> Result<Vec<FileLine>, OAuthError> {
    some(auth, payment, 0, FIRST_LINES).await
}

async fn some(auth: &Auth, payment: &PaymentConsent, after: u32, limit: u32) -> Result<Vec<FileLine>, OAuthError> {
    let Some(upload) = payment.file.as_ref().map(|file| file.id.clone()) else { return Ok(Vec::new()) };
    let lines = auth.context.store.read::<_, StoreError, _>(move |tx| tx.file_lines(&upload, after, limit));
    Ok(lines.await?)
}
