#![doc = include_str!("../README.md")]

mod access;
mod app_links;
mod apps;
mod authorize;
mod callback;
mod decision;
pub mod form;
mod form_answers;
pub mod frame;
mod interaction;
mod journey;
mod journey_view;
mod lines;
pub mod logo;
mod maintenance;
pub mod money;
mod notice;
mod order_plans;
mod parties;
mod payment;
mod permissions;
pub mod problem;
mod provider_callback;
mod rate;
pub mod reply;
mod schedule;
mod start;
mod tester_controls;
pub mod text;
mod times;

#[cfg(test)]
mod tests;

pub use authorize::routes as authorize_routes;
pub use form_answers::answer_forms_once;
pub use maintenance::refuse_in_maintenance;
pub use rate::limit_page_rate;

use axum::{Extension, Router};
use lombard_edge::App;
use lombard_ports::controls::SandboxControls;
use std::sync::Arc;
use tester_controls::TesterControls;

/// The routes of the journeys' pages; a sandbox passes its controls.
fn journeys(controls: Option<Arc<dyn SandboxControls>>) -> Router<App> {
    let routes = interaction::routes().merge(provider_callback::routes());
    match controls {
        Some(controls) => routes.layer(Extension(TesterControls(controls))),
        None => routes,
    }
}

/// The routes of the pages on which customers decide and see what they have decided. `controls` are for a sandbox's testers.
pub fn customer_routes(controls: Option<Arc<dyn SandboxControls>>) -> Router<App> {
    apps::routes().merge(journeys(controls))
}

/// The routes of the pages that are served in maintenance too: the start page, the files that pages load, and all undefined URLs of the
/// public listener.
pub fn routes() -> Router<App> {
    Router::new()
        .merge(app_links::routes())
        .merge(lombard_edge::assets::routes())
        .merge(callback::routes())
        .merge(logo::routes())
        .merge(start::routes())
        .fallback(problem::undefined)
}
