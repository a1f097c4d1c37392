//! Signatures of messages, `x-jws-signature`, in both directions. Source: section 1.10, PIS-070 to PIS-075.
//!
//! Both follow from data: the catalogue row says whether requests are signed, the path whether responses are. Handlers take no
//! part in it.

mod recipient;
mod requests;
mod responses;
mod signer;
mod streams;

pub use recipient::Recipient;
pub use requests::ClaimedSignature;
pub use requests::StreamedSignature;
pub use responses::are_signed;
pub use responses::sign_responses;
pub use responses::signed;
pub use streams::streamed;
