//! Signed JSON, and nothing the rules do not name: PS256 signatures in compact and detached form, the keys that make
//! and check them, and the small cryptography beside them.
//!
//! Every call of the cryptographic library (aws-lc-rs, the only provider) that is about messages is made here. This
//! crate has no clock and no store: it says whether a signature holds, its callers say what that is worth. The only
//! claims it knows are those of a signed HTTP message ([`MessageSignature`]), which stand in the header of the JWS itself.

mod compact;
mod detached;
mod digest;
mod encoding;
mod entropy;
mod header;
mod json;
mod key_set;
mod message;
mod pool;
mod public_key;
mod sealer;
mod signing_input;
mod signing_key;

#[cfg(test)]
pub(crate) mod tests;

pub use compact::{CompactJws, sign_compact};
pub use detached::{DetachedDigest, DetachedJws, DetachedSigner, sign_detached};
pub use digest::{Sha256, half_hash, secrets_are_equal, sha256};
pub use encoding::{base64, base64url, from_base64url};
pub use entropy::SystemEntropy;
pub use header::{JoseHeader, Malformed, VerifyError};
pub use json::{BadJson, from_json};
pub use key_set::{BadKeySet, KeySet};
pub use message::{ArrivingSignature, CheckedSignature, MessageRules, MessageSignature, SignedPayload, message_header};
pub use pool::{PoolError, SigningPool};
pub use public_key::PublicKey;
pub use sealer::{SealError, Sealer};
pub use signing_key::{KeyError, SigningKey};
