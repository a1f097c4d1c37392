//! The payments of a file, in pages, for customers who are asked to approve it.

use crate::AuthorisationServer;
use crate::error::OAuthError;
use lombard_domain::consent::PaymentConsent;
use lombard_domain::payment::file::{FileLine, UnexecutedReason};
use lombard_service::payments::files::read_stored_lines;

/// The number of payments on a page.
pub const PAGE_LINES: u32 = 50;

/// The number of payments on the decision page itself.
pub(crate) const FIRST_LINES: u32 = 5;

/// A page of a file's payments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileLinesPage {
    /// The number of the page, from 1.
    pub page: u32,
    /// The number of pages.
    pub pages: u32,
    /// The payments, in the order of the file.
    pub lines: Vec<ListedFileLine>,
}

/// A payment of a file, and whether it would be made now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedFileLine {
    /// The payment.
    pub line: FileLine,
    /// Why the payment would not be made; `None` if it would. Source: FILE-023.
    pub unmade: Option<UnexecutedReason>,
}

/// Reads a page of the payments of a consent's file; pages count from 1. `None` if there is no such page, or no file.
///
/// # Errors
/// Storage's failure.
pub(crate) async fn page(
    auth: &AuthorisationServer,
    payment: &PaymentConsent,
    page: u32,
) -> Result<Option<FileLinesPage>, OAuthError> {
    let Some(file) = &payment.file else { return Ok(None) };
    let pages = file.totals.count.div_ceil(PAGE_LINES).max(1);
    if page == 0 || page > pages {
        return Ok(None);
    }
    let after = page.saturating_sub(1).saturating_mul(PAGE_LINES);
    let lines = some(auth, payment, after, PAGE_LINES).await?;
    Ok(Some(FileLinesPage { page, pages, lines }))
}

/// Reads the first payments of a consent's file; empty without a file.
///
/// # Errors
/// Storage's failure.
pub(crate) async fn first(
    auth: &AuthorisationServer,
    payment: &PaymentConsent,
) -> Result<Vec<ListedFileLine>, OAuthError> {
    some(auth, payment, 0, FIRST_LINES).await
}

async fn some(
    auth: &AuthorisationServer,
    payment: &PaymentConsent,
    after: u32,
    limit: u32,
) -> Result<Vec<ListedFileLine>, OAuthError> {
    let (Some(file), Some(terms)) = (&payment.file, payment.terms.instruction.file()) else { return Ok(Vec::new()) };
    let (now, limits) = (auth.context.clocks.bank_now(), &auth.context.payments.limits);
    let lines = read_stored_lines(&auth.context, file, after, limit).await?;
    let judged =
        lines.into_iter().map(|line| ListedFileLine { unmade: line.unexecuted_reason(terms, now, limits), line });
    Ok(judged.collect())
}
