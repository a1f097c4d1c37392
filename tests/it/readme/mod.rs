//! Tests of the README and of the documentation pages for TPPs.

mod commands;
mod endpoints;
mod events_page;
mod funds_page;
