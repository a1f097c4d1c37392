//! An authorisation journey: one PSU in one browser, from login to decision.
//!
//! The stored journey holds all state: the client, the redirect URI and the stage that the PSU has reached. The browser holds a secret that
//! proves it is the same browser; a page holds a form token that works once. No parameter of a page decides where the browser is sent.

mod account_options;
mod admission;
mod begin;
mod decision;
mod end;
mod findings;
mod progress;
mod provider;
mod step;
mod steps;
mod stored_request;
mod view;

#[cfg(test)]
mod tests;

pub use crate::browser::BrowserSecret;
pub use account_options::{AccountOptions, PayerOption, SelectableAccount};
pub use admission::{JourneyError, JourneySubmission, JourneyUnavailable};
pub use begin::{BackchannelChoice, StartedJourney};
pub use decision::{PsuChoice, decide_journey};
pub use end::{ApplicationLink, ReturnForm, cancel_journey, find_application_link, find_return_form};
pub use findings::PaymentFindings;
pub use provider::finish_provider_login;
pub use step::{ApprovedConsent, JourneyNotice, JourneyStep};
pub use steps::{submit_login, submit_second_factor};
pub use view::{JourneyPage, JourneyView, LoginForm, list_file_lines, note_shown, view_journey};

pub(crate) use account_options::price;
pub(super) use begin::begin;
pub(crate) use begin::begin_backchannel;
pub(super) use end::{ConsentAfterEnd, is_storage_unavailable, note_unknown_reason};
pub(super) use progress::cannot_decide;
pub(super) use stored_request::StoredRequest;

/// The number of failed attempts at one stage that ends the journey. Source: AS-143.
const FAILURES_MAX: i64 = 5;
