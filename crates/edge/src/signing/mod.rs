//! Signatures of messages, `x-jws-signature`, in both directions. Source: section 1.10, PIS-070 to PIS-075.
//!
//! The row of the catalogue determines whether requests are signed, and the path determines whether responses are. Handlers contain no code
//! for signatures.

mod recipient;
mod requests;
mod responses;
mod signer;
mod streams;

pub use recipient::Recipient;
pub use requests::ClaimedSignature;
pub use requests::StreamedSignature;
pub use responses::is_signed_path;
pub use responses::sign_response;
pub use responses::sign_responses;
pub use streams::signed_stream_response;
