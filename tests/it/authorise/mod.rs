//! The authorisation endpoint and its pages.

mod attacks;
mod headless;
pub(crate) mod interactive;
mod journeys;
pub(crate) mod payees;
mod payments;
pub(crate) mod pushed;
mod reasons;
mod refusals;
mod signed;
mod suite;
