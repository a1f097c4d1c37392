//! The name of the header that carries an idempotency key.

/// The key of requests that are carried out once. Source: RW-181.
pub(crate) const IDEMPOTENCY_KEY: &str = "x-idempotency-key";
