//! The log of requests: every call of a TPP with what was answered and which check refused it, for whoever looks for the cause of
//! an error. Source: RW-050, TLS-018.
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
//! Secrets are masked before a record is made: credentials in headers and forms, tokens in answers. The body of an answer to a
//! read of a resource is kept as it was sent and masked when it is shown: it holds no credential, and reads are too many to mask each. The log is in the memory of one process and nowhere else.

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
pub(crate) use refusal::{AnsweredErrorId, BodyIsKept, PlantedEffect};
pub use settings::{RecordedClients, RequestLogSettings};
