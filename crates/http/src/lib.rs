//! The edge: listeners, routes, extractors, pages. The only crate that knows axum.
//!
//! Routes are built from data ([`catalogue`]); extractors are the only way in; [`error`] is the only way out for
//! anything refused on the API. OAuth's errors and the pages' errors are siblings with responders of their own.

pub mod api;
pub mod app;
pub mod catalogue;
pub mod error;
pub mod extract;
pub mod layers;
pub mod listener;
pub mod oauth;
pub mod openapi;
pub mod ops;
pub mod pages;
pub mod routers;
pub mod signing;

pub use app::App;
