//! Addresses of the portal's pages to which other parts of the server link.

/// The address of the rules of idempotency keys on the developers' page; errors link to it. Source: RW-184.
pub(crate) const IDEMPOTENCY_RULES: &str = "/portal/developers#idempotency";

/// The address of the page that explains every error code; errors link to it. Source: RW-120.
pub(crate) const ERROR_CODES: &str = "/portal/docs/errors";

/// The id of a heading in a document, as code hosts make it.
pub fn heading_id(heading: &str) -> String {
    let lower = heading.to_lowercase();
    let kept = lower.chars().filter(|letter| letter.is_alphanumeric() || matches!(letter, ' ' | '-' | '_'));
    kept.map(|letter| if letter == ' ' { '-' } else { letter }).collect()
}
