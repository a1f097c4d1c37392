//! The HTML pages for customers and developers: rendered on the server, accessible, and usable without script. The callback page and
//! those of decisions load one of ours.
//!
//! Every page leaves through [`reply`], which sets its headers; templates escape whatever they are given. Where a browser is
//! redirected is decided in `lombard-auth` from stored values, never by a page's parameters.

mod access;
mod app_links;
mod apps;
mod assets;
mod callback;
mod decision;
mod form;
mod form_answers;
mod frame;
mod interaction;
mod journey;
mod journey_words;
mod lines;
pub(crate) mod logo;
mod money;
mod notice;
mod order_plans;
mod parties;
mod payment;
mod permissions;
mod portal;
mod problem;
mod provider_callback;
mod rate;
mod reply;
mod schedule;
mod start;
mod tester_controls;
mod text;

#[cfg(test)]
mod tests;

pub(crate) use assets::mark;
pub(crate) use form_answers::answer_forms_once;
pub(crate) use interaction::{cookie, path_of};
#[cfg(test)]
pub(crate) use portal::guide_paths;
pub use portal::{
    ApplicationAnswer, ApplicationCall, ApplicationCertificate, ApplicationFolder, CallToken, PortalSandbox,
    PortalServices, Readiness, SandboxApplications, link_address,
};
pub(crate) use portal::{ERROR_CODES, IDEMPOTENCY_RULES, heading_id, mtls_routes};
pub(crate) use problem::{local_problem, too_many_requests, unreadable_form};
pub(crate) use rate::limit_page_rate;
pub(crate) use reply::{redirect_to_client, to_page};

use crate::App;
use axum::{Extension, Router};
use tester_controls::TesterControls;

/// The pages of journeys; in a sandbox with its controls.
fn journeys(portal: &PortalServices) -> Router<App> {
    let routes = interaction::routes().merge(provider_callback::routes());
    match portal.sandbox.as_ref().and_then(|sandbox| sandbox.controls.clone()) {
        Some(controls) => routes.layer(Extension(TesterControls(controls))),
        None => routes,
    }
}

/// Every page, what they load, and what every other address of the public listener gets.
pub(crate) fn routes(portal: PortalServices) -> Router<App> {
    Router::new()
        .merge(app_links::routes())
        .merge(apps::routes())
        .merge(assets::routes())
        .merge(callback::routes())
        .merge(journeys(&portal))
        .merge(logo::routes())
        .merge(portal::routes(portal))
        .merge(start::routes())
        .fallback(problem::undefined)
}
