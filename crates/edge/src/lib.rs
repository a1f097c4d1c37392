#![doc = include_str!("../README.md")]

pub mod app;
pub mod assets;
pub mod endpoint;
pub mod endpoint_facts;
pub mod error;
pub mod faults;
pub mod guide_links;
pub mod header_names;
pub mod kept_responses;
pub mod layers;
pub mod limits;
pub mod listener;
pub mod logos;
pub mod maintenance;
pub mod rendered_pages;
pub mod request_log;
pub mod routing;
pub mod signing;
pub mod start_barrier;

pub use app::App;
