//! What the README and the pages for TPPs tell people.

mod commands;
mod endpoints;
mod events_page;
mod funds_page;
