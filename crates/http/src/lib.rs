//! The edge: listeners, routes, extractors, pages. The only crate that knows axum.
//!
//! Routes are built from data ([`catalogue`]); every request passes the pipeline in [`extract`]; every API error is written by
//! [`error`]. OAuth errors and page errors have responders of their own.

pub mod api;
pub mod app;
pub mod app_links;
pub mod bank_controls;
pub mod catalogue;
pub mod core_api;
mod core_push;
pub mod error;
pub mod extract;
pub mod faults;
mod kept_responses;
pub mod layers;
pub mod listener;
mod logos;
pub mod oauth;
pub mod openapi;
pub mod ops;
pub mod pages;
pub mod payment_warnings;
mod rendered_pages;
pub mod request_log;
pub mod routers;
mod routing;
pub mod signing;
pub mod start_barrier;
#[cfg(test)]
mod test_app;

pub use app::App;
