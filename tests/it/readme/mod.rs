//! What the README and the pages for TPPs tell people.

mod commands;
mod events_page;
