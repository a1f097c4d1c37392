//! The Read/Write API: its catalogue of endpoints, the pipeline in front of every handler, and the handlers.
//!
//! Routes are built from data ([`catalogue`]); every request passes the pipeline in [`extract`].

pub mod catalogue;
pub mod extract;
pub mod handlers;
