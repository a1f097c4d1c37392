#![doc = include_str!("../README.md")]

mod compact;
mod detached;
mod digest;
mod encoding;
mod entropy;
mod external_key;
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
pub use encoding::{base64, base64url, from_base64, from_base64url};
pub use entropy::SystemEntropy;
pub use external_key::{ExternalKey, KeyError, SecurityModule};
pub use header::{JoseHeader, Malformed, VerifyError};
pub use json::{BadJson, from_json};
pub use key_set::{BadKeySet, KeySet, PUBLISHED_KEYS_MAX};
pub use message::{ArrivingSignature, CheckedSignature, MessageRules, MessageSignature, SignedPayload, message_header};
pub use pool::{PoolError, SigningPool};
pub use public_key::PublicKey;
pub use sealer::{SealError, Sealer};
pub use signing_key::SigningKey;
