//! The names of headers that several parts of the edge read and write.

use http::HeaderName;

/// The key of requests that are carried out once. Source: RW-181.
pub const IDEMPOTENCY_KEY: &str = "x-idempotency-key";

/// The detached signature over a message, as text. Source: RW-200.
pub const SIGNATURE_TEXT: &str = "x-jws-signature";

/// The detached signature over a message.
pub const SIGNATURE: HeaderName = HeaderName::from_static(SIGNATURE_TEXT);
