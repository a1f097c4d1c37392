//! The backchannel authentication endpoint (CIBA): a client asks a customer who is not in its browser, and waits for the answer at
//! the token endpoint.
//!
//! [`request`] checks the signed request, [`hint`] finds the customer whom the client names, and [`start`] stores the request. The customer
//! finds it on the bank's pages and decides in a journey like any other (`journey::begin_backchannel`); the answer is stored with the
//! decision. Where the customer has nothing to choose, the bank's identity provider may ask the customer directly ([`provider`]).
//!
//! Source: AS-160 to AS-162, OpenID Connect Client-Initiated Backchannel Authentication Flow Core 1.0.

mod answer;
mod hint;
mod notification;
mod provider;
mod request;
mod sealed;
mod start;

pub use answer::answer_waiting_request_in;
pub use notification::send_notifications;
pub use provider::advance_provider_logins;
pub use start::{BackchannelResponse, start_backchannel};
