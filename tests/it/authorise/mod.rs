//! The authorisation endpoint and its pages.

mod attacks;
mod headless;
mod interactive;
mod journeys;
mod refusals;
