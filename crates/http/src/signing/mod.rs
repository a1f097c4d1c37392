//! Signatures of messages, `x-jws-signature`, in both directions. Source: section 1.10, PIS-070 to PIS-075.
//!
//! Both follow from data: the catalogue row says whether requests are signed, the path whether responses are. Handlers take no
//! part in it.

mod recipient;
mod requests;
mod responses;
mod signer;
mod streams;

pub(crate) use recipient::Recipient;
pub(crate) use requests::{ClaimedSignature, HEADER, SIGNATURE, StreamedSignature};
pub(crate) use responses::{are_signed, sign_responses, signed};
pub(crate) use streams::streamed;

/// How messages are signed, here and by TPPs.
#[derive(Debug, Clone)]
pub struct SigningSettings {
    /// The bank's organisation id, which its signatures name. Source: RW-223.
    pub organisation: String,
    /// The domain of the trust anchor that publishes the keys of the bank and of TPPs. Source: T5.
    pub trust_anchor: String,
    /// How old the signature of a request may be, in seconds; without it, any age. Source: RW-219.
    pub age_secs_max: Option<i64>,
}
