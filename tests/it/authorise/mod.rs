//! The authorisation endpoint and its pages.

mod attacks;
mod headless;
mod interactive;
mod journeys;
mod pushed;
mod refusals;
mod signed;
