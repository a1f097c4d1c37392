//! The names of headers that several parts of the edge read and write.

use http::HeaderName;

/// The header with the key of idempotent requests. Source: RW-181.
pub const IDEMPOTENCY_KEY: &str = "x-idempotency-key";

/// The name of the header with the detached signature of a message. Source: RW-200.
pub const SIGNATURE_TEXT: &str = "x-jws-signature";

/// The header with the detached signature of a message.
pub const SIGNATURE: HeaderName = HeaderName::from_static(SIGNATURE_TEXT);
