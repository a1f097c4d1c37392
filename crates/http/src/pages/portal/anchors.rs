//! Places of the portal's pages that other parts of the server link to.

/// Where the developers' page states the rules of idempotency keys; errors link to it. Source: RW-184.
pub(crate) const IDEMPOTENCY_RULES: &str = "/portal/developers#idempotency";
