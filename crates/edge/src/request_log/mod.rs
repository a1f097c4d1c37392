//! The request log: every call of a TPP, with its response and the check that refused it, for people who look for the cause of an error.
//! Source: RW-050, TLS-018.
//!
//! | Module | Does |
//! |---|---|
//! | [`refusal`] | names the check that refused a request, and what else is known of an answer, as response extensions |
//! | `holders` | whose certificate came with a request that nothing else attributes |
//! | `text`, `headers`, `json`, `body` | mask what is secret or personal |
//! | `draft` | records a request while it is answered |
//! | `owner` | whose record it is |
//! | `record` | a finished record, and its view |
//! | `query` | which records are asked for |
//! | `queues` | keeps records within bounds of bytes, of age, and of each TPP |
//! | `log` | what all of these share |
//!
//! Secrets are masked before a record is made: credentials in headers and forms, and tokens in responses. The response body of a read is
//! kept as it was sent and masked only when it is shown, because it contains no credential and masking every read would be too slow. The
//! log exists only in the memory of one process.

mod body;
mod draft;
mod headers;
mod holders;
mod json;
mod log;
mod numbers;
mod owner;
mod query;
mod queues;
mod record;
mod refusal;
mod settings;
#[cfg(test)]
mod tests;
mod text;

pub(crate) use body::is_json;
pub(crate) use draft::{FinishedRequest, RecordDraft};
pub use draft::{RecordedRoutes, RequestRecorder};
pub use holders::CertificateHolders;
pub use log::{NumberedRequest, RequestLog, RequestPage};
pub use query::{RequestQuery, StatusFilter};
pub use record::{MessageView, RequestView};
pub use refusal::RefusedBy;
pub(crate) use refusal::{AnsweredErrorId, BodyIsCached, InjectedEffect};
pub use settings::{RecordedClients, RequestLogSettings};
