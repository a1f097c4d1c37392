//! One PSU in one browser, from login to decision.
//!
//! Everything lives in the stored interaction: who asks, where the answer goes, how far the PSU has come. The browser
//! holds a secret that proves it is the same browser; a page holds a form token that works once. No parameter of any
//! page decides where the browser is sent.

mod begin;
mod browser;
mod decision;
mod end;
mod gate;
mod offer;
mod remembered;
mod steps;
mod view;

#[cfg(test)]
mod tests;

pub use begin::StartedJourney;
pub use browser::Browser;
pub use decision::{Choice, decide};
pub use end::{ReturnForm, cancel, find_return_form};
pub use gate::{Halt, JourneySubmission, Lost};
pub use offer::{Means, Offer, Offered};
pub use steps::{Notice, Step, login, second_factor};
pub use view::{Stage, View, lines, view};

pub(super) use begin::begin;
pub(crate) use offer::price;

/// Failed attempts at one stage that end the journey. Source: AS-143.
const FAILURES_MAX: i64 = 5;
