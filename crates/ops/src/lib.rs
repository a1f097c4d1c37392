#![doc = include_str!("../README.md")]

mod audit;
mod audit_views;
pub mod bank_controls;
mod cases;
mod consents;
pub mod console;
pub mod core_api;
pub mod core_push;
mod customer_views;
mod customers;
mod events;
mod guard;
mod health;
mod index;
mod key_views;
mod keys;
mod maintenance;
mod maintenance_views;
mod operations;
mod page;
mod quarantine;
mod reconciliation;
mod reconciliation_views;
#[cfg(any(test, feature = "testing"))]
pub mod recording_controls;
mod requests;
mod response;
mod routers;
pub mod sandbox;
pub mod staff;
pub mod support;
mod tpp_views;
mod tpps;
pub mod traffic;
mod vrp;

#[cfg(test)]
mod tests;

pub use audit_views::{AuditPageView, AuditSearch};
pub use customer_views::{CustomerChange, CustomerChangeView, CustomerErasureView, CustomerExportView};
pub use guard::AllowedHosts;
pub use health::LIVENESS_PATH;
pub use key_views::{
    KeyCertificateView, KeyImportCommand, KeyListView, KeyRequestCommand, KeyRequestView, KeyRetirementCommand,
    KeyRetirementView, KeyView, SecretsResealed,
};
pub use maintenance_views::{
    AnnounceCommand, BeginCommand, MaintenanceCommand, NoticeCommand, NoticeImpactView, NoticeKindView, NoticeListView,
    NoticeStatusView, NoticeView,
};
pub use operations::{
    CertificateForm, KeyRotated, KeyWithdrawn, NewTpp, OperationError, Operations, ServerCertificateView, TlsReloaded,
    TppAuthentication, TppCreated, TransportKeyType, VrpMigration,
};
pub use quarantine::{QuarantineView, QuarantinedWorkView, RetriedView};
pub use reconciliation_views::{DifferenceView, Instant, PositionView, Reconciliation, ReconciliationView};
pub use routers::{bank_process_router, health_router, ops_router};
pub use sandbox::SandboxTools;
pub use tpp_views::{
    TppCertificateView, TppChange, TppListView, TppLoginView, TppPendingView, TppProfileCommand,
    TppRedirectUrisCommand, TppRolesCommand, TppSignedMessagesCommand, TppStatusCommand, TppSummaryView, TppView,
};
pub use vrp::{FailedMigrationView, VrpMigrationView};

use axum::extract::State;
use axum::response::Response;
use axum::{Json, Router, middleware};
use http::StatusCode;
use index::{IndexedRoutes, OpsRoute};
use lombard_domain::audit::AuditAction;
use lombard_edge::routing::get;
use operations::Ops;
use response::render_result;
use staff::{Access, Act, Staff, StaffDoor};
use std::sync::Arc;

/// The routes of the ops listener; those for testers exist only in a sandbox.
pub fn routes(operations: Ops, sandbox: SandboxTools, door: StaffDoor, hosts: AllowedHosts) -> Router {
    let indexed = indexed_routes(Ops::clone(&operations), sandbox);
    let listed = indexed.entries().to_vec();
    indexed
        .into_routes()
        .merge(staff::routes(door.clone()))
        .merge(console::routes(door.clone(), operations, listed))
        .route("/favicon.ico", get(lombard_edge::assets::icon))
        .route("/assets/lombard.svg", get(lombard_edge::assets::icon))
        .route("/assets/lombard.css", get(lombard_edge::assets::style))
        .layer(middleware::from_fn_with_state(door, staff::admit))
        .layer(middleware::from_fn_with_state(Arc::new(hosts), guard::refuse_foreign))
}

/// An operation, and who may use it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StaffAction {
    /// The method of the request.
    pub method: &'static str,
    /// The path of the request, with its parameters in braces.
    pub path: &'static str,
    /// What the operation does.
    pub purpose: &'static str,
    /// Who may use it.
    pub access: Access,
    /// What the audit log tells of it; `None` if it neither changes anything nor reads data of customers.
    pub audited: Option<AuditAction>,
}

/// All operations of the bank's staff, for the reference.
pub fn list_staff_actions() -> Vec<StaffAction> {
    let operations = operation_routes();
    let listed = operations.entries().iter().filter_map(|route| {
        let row = staff::permission_of(route.verb, route.path)?;
        let OpsRoute { verb: method, path, purpose } = *route;
        Some(StaffAction { method, path, purpose, access: row.access, audited: row.audited })
    });
    listed.collect()
}

/// The routes that the index lists: all but the index itself and its icon.
fn indexed_routes(operations: Ops, sandbox: SandboxTools) -> IndexedRoutes {
    health::routes()
        .merge(operation_routes())
        .merge(sandbox_requests(sandbox.controls.is_some() || sandbox.faults.is_some()))
        .with_state(Ops::clone(&operations))
        .merge(sandbox::routes(operations, sandbox))
}

/// The operations of the bank's staff.
fn operation_routes() -> IndexedRoutes<Ops> {
    IndexedRoutes::new()
        .get("/operations/events", "held polls, reported and parked events", events::show)
        .post("/operations/events/{jti}/requeue", "offer a parked event again", events::requeue)
        .get("/operations/quarantine", "work that cannot be done, with its cause", quarantine::show)
        .post("/operations/quarantine/retry", "try all work in quarantine again", quarantine::retry_all)
        .post("/operations/quarantine/{id}/retry", "try one piece of that work again", quarantine::retry_one)
        .post("/operations/search", "find consents, orders, customers and TPPs by any id", cases::search)
        .get("/operations/orders/{id}", "an order, by any id: what happened to it", cases::order)
        .get("/operations/consents/{id}", "a consent, by any id: what happened to it", cases::consent)
        .get("/operations/customers/{id}", "what a customer has agreed to", cases::customer)
        .post(
            "/operations/customers/{id}/revoke",
            "end access to all that a customer has agreed to",
            cases::revoke_customer,
        )
        .post("/operations/consents/{id}/revoke", "end access to what a consent opens", consents::revoke)
        .get("/operations/consents/{id}/evidence", "what was shown before a payment was approved", consents::evidence)
        .get("/operations/customers/{id}/export", "everything that is held about a customer", customers::export)
        .post("/operations/customers/{id}/hold", "keep all records of a customer", customers::hold)
        .post("/operations/customers/{id}/release", "end the hold on records of a customer", customers::release)
        .post("/operations/customers/{id}/erase", "erase a customer", customers::erase)
        .get("/operations/keys", "the signing keys", keys::list)
        .post("/operations/keys/rotate", "add a signing key", keys::rotate)
        .post("/operations/keys/csr", "make a request for a key's certificate", keys::request)
        .post("/operations/keys/import", "publish a key with its certificate", keys::import)
        .post("/operations/keys/reseal", "seal all secrets with the current key", keys::reseal)
        .post("/operations/keys/login", "log in to the security module again", keys::login)
        .post("/operations/keys/{kid}/retire", "plan when a signing key stops", keys::retire)
        .post("/operations/keys/{kid}/withdraw", "take back a signing key at once", keys::withdraw)
        .get("/operations/maintenance", "notices of maintenance and of changes", maintenance::list)
        .post(
            "/operations/maintenance/announce",
            "announce maintenance or a change, or move a notice",
            maintenance::announce,
        )
        .post("/operations/maintenance/begin", "begin maintenance now", maintenance::begin)
        .post("/operations/maintenance/end", "end maintenance now", maintenance::end)
        .post("/operations/maintenance/withdraw", "withdraw a notice", maintenance::withdraw)
        .post("/operations/tls/reload", "read certificates and trust anchors again", tls_reload)
        .get("/operations/tpps", "registered TPPs, a page at a time", tpps::list)
        .post("/operations/tpps", "make a TPP (sandbox only)", tpp_create)
        .get("/operations/tpps/{id}", "a TPP, by its client id or name", tpps::show)
        .delete("/operations/tpps/{id}", "delete a TPP for good", tpps::delete)
        .post("/operations/tpps/{id}/disable", "refuse all requests of a TPP", tpps::disable)
        .post("/operations/tpps/{id}/enable", "serve a disabled TPP again", tpps::enable)
        .post("/operations/tpps/{id}/approve", "approve a changed registration of a TPP", tpps::approve)
        .post("/operations/tpps/{id}/refuse", "refuse a changed registration of a TPP", tpps::refuse)
        .post("/operations/tpps/{id}/login", "make a link to log in to the portal", tpps::login)
        .put("/operations/tpps/{id}/roles", "set the roles of a TPP", tpps::set_roles)
        .put("/operations/tpps/{id}/redirect-uris", "set the redirect URIs of a TPP", tpps::set_redirect_uris)
        .put("/operations/tpps/{id}/profile", "set the security profile of a TPP", tpps::set_profile)
        .put("/operations/tpps/{id}/signed-messages", "set what is signed for a TPP", tpps::set_signed_messages)
        .get("/operations/audit", "entries of the audit log", audit::list)
        .get("/operations/requests", "requests of TPPs, and what refused them", requests::list)
        .post("/operations/vrp/migrate", "migrate a batch of VRP consents to v4.0", vrp::migrate)
        .post("/operations/reconcile", "compare a batch of orders with the core's", reconciliation::reconcile)
        .post(
            "/operations/orders/{id}/resubmit",
            "submit an order again that the core has lost",
            reconciliation::resubmit,
        )
}

/// The route of recorded requests among the controls of a sandbox.
fn sandbox_requests(is_sandbox: bool) -> IndexedRoutes<Ops> {
    let routes = IndexedRoutes::new();
    if !is_sandbox {
        return routes;
    }
    routes.get("/sandbox/requests", "requests of TPPs, and what refused them", requests::list_for_testers)
}

async fn tls_reload(State(operations): State<Ops>, Act(act): Act) -> Response {
    render_result(StatusCode::OK, operations.tls_reload(&act).await)
}

async fn tpp_create(State(operations): State<Ops>, Staff(act): Staff, Json(order): Json<NewTpp>) -> Response {
    render_result(StatusCode::CREATED, operations.tpp_create(&act, order).await)
}
