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

/// The routes of the customers' pages, of the files that pages load, and of all undefined URLs of the public listener. `controls` are for a
/// sandbox's testers.
pub fn routes(controls: Option<Arc<dyn SandboxControls>>) -> Router<App> {
    Router::new()
        .merge(app_links::routes())
        .merge(apps::routes())
        .merge(lombard_edge::assets::routes())
        .merge(callback::routes())
        .merge(journeys(controls))
        .merge(logo::routes())
        .merge(start::routes())
        .fallback(problem::undefined)
}
