//! The console: the pages on which the bank's staff look up cases, TPPs, work, keys and this node, and act with a reason.
//!
//! | Module | Does |
//! |---|---|
//! | `frame` | what all pages have: who is logged in, the menu, and what was done |
//! | `form` | reads forms: their token, their reason, and the operation's refusal |
//! | `home`, `cases`, `tpps`, `work`, `keys`, `node` | the pages |
//! | `sequence`, `charts` | drawings as SVG |
//! | `state` | what the pages work with |
//!
//! The pages need no script. Each act is the operation that a command calls. What a role may do is in the table of permissions alone.

mod cases;
mod charts;
mod form;
mod frame;
mod home;
mod keys;
mod node;
mod sequence;
mod state;
#[cfg(test)]
mod tests;
mod tpps;
mod work;

use crate::index::OpsRoute;
use crate::operations::Ops;
use crate::staff::StaffDoor;
use axum::Router;
use axum::extract::DefaultBodyLimit;
use lombard_edge::routing::{get, post};
use state::Console;

/// The most bytes of a form.
const FORM_BYTES_MAX: usize = 8 * 1024;

/// The routes of the pages.
pub(crate) fn routes(door: StaffDoor, operations: Ops, listed: Vec<OpsRoute>) -> Router {
    Router::new()
        .route("/", get(home::show))
        .route("/role", get(home::show_role))
        .route("/search", post(home::search))
        .route("/orders/{id}", get(cases::show_order))
        .route("/consents/{id}", get(cases::show_consent))
        .route("/consents/{id}/revoke", post(cases::revoke_consent))
        .route("/customers/{id}", get(cases::show_customer))
        .route("/customers/{id}/revoke", post(cases::revoke_customer))
        .route("/tpps", get(tpps::list))
        .route("/tpps/{id}", get(tpps::show))
        .route("/tpps/{id}/disable", post(tpps::disable))
        .route("/tpps/{id}/enable", post(tpps::enable))
        .route("/work", get(work::show))
        .route("/work/quarantine/{id}/retry", post(work::retry))
        .route("/work/events/{jti}/requeue", post(work::requeue))
        .route("/keys", get(keys::show))
        .route("/keys/rotate", post(keys::rotate))
        .route("/node", get(node::show))
        .layer(DefaultBodyLimit::max(FORM_BYTES_MAX))
        .with_state(Console { door, operations, listed: listed.into() })
}
