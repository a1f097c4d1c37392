//! The bank's side of the sandbox's controls over HTTP, in the process of the built-in bank. The only caller is a server process, and the
//! listener requires its certificate.
//!
//! Paths equal those of the ops listener if they have the same meaning; bodies are records of [`lombard_ports::controls`], or [`forms`].

pub mod forms;
#[cfg(test)]
mod tests;

use crate::sandbox::{
    ControlResponder, FILE_BYTES_MAX, ImportOptions, InvalidControlRequest, PostedFile, PostedJson, ResetOptions,
};
use axum::extract::rejection::QueryRejection;
use axum::extract::{DefaultBodyLimit, Path, Query, State};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json, Router};
use forms::{ClockForm, ClockMoveForm, DueWorkDoneForm, DueWorkForm};
use http::{StatusCode, header};
use lombard_domain::ids::{BankAccountId, ConsentId, FapiInteractionId, OrderId, PsuId};
use lombard_edge::routing::{delete, get, post, put};
use lombard_ports::controls::{
    AccountClosure, AccountEdit, BankControls, ControlError, CustomerChange, NewEntry, OrderOutcome, OrderPlan,
    SnapshotAction, SnapshotName,
};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::timeout;

/// The controls as a handler receives them.
type Bank = Arc<dyn BankControls>;

/// How long the bank's database may take to respond to a readiness check.
const READY_WITHIN: Duration = Duration::from_secs(2);

/// The routes of a bank process in addition to those of the core API: health, readiness and controls.
pub fn routes(bank: Bank) -> Router {
    Router::new()
        .route("/sandbox/clock", get(clock).merge(post(clock_move)))
        .route("/sandbox/due-work", get(due_work).merge(post(due_work_run)))
        .route("/sandbox/customers", get(customers))
        .route("/sandbox/customers/{id}", get(customer))
        .route("/sandbox/psus", get(customer_views))
        .route("/sandbox/psus/{id}/change", post(customer_change))
        .route("/sandbox/accounts/{id}/end", post(account_end))
        .route("/sandbox/accounts/{id}/change", post(account_change))
        .route("/sandbox/accounts/{id}/entries", post(entry_add))
        .route("/sandbox/orders/{id}/outcome", post(order_outcome))
        .route("/sandbox/consents/{id}/plan", post(order_plan))
        .route("/sandbox/reset", post(reset))
        .route("/sandbox/snapshots/{name}", put(snapshot_save).merge(delete(snapshot_delete)))
        .route("/sandbox/snapshots/{name}/load", post(snapshot_load))
        .route("/healthz", get(|| async { "alive\n" }))
        .route("/readyz", get(ready))
        .merge(
            Router::new()
                .route("/sandbox/seed", get(export).merge(post(import)))
                .layer(DefaultBodyLimit::max(FILE_BYTES_MAX)),
        )
        .with_state(bank)
}

async fn ready(State(bank): State<Bank>) -> Response {
    match timeout(READY_WITHIN, bank.clock_offset()).await {
        Ok(Ok(_)) => "ready\n".into_response(),
        Ok(Err(_)) | Err(_) => (StatusCode::SERVICE_UNAVAILABLE, "not ready: database\n").into_response(),
    }
}

async fn clock(State(bank): State<Bank>, responder: ControlResponder) -> Response {
    responder.answer(bank.clock_offset().await.map(|offset_micros| ClockForm { offset_micros }))
}

async fn clock_move(
    State(bank): State<Bank>,
    responder: ControlResponder,
    order: PostedJson<ClockMoveForm>,
) -> Response {
    let to = order.and_then(|form| form.read().ok_or_else(|| InvalidControlRequest::new("say by or to")));
    match to {
        Ok(to) => responder.answer(bank.clock_move(to).await.map(|offset_micros| ClockForm { offset_micros })),
        Err(bad) => responder.invalid_command(bad),
    }
}

async fn due_work(State(bank): State<Bank>, responder: ControlResponder) -> Response {
    responder.answer(bank.due_work_exists().await.map(|is_due| DueWorkForm { is_due }))
}

async fn due_work_run(State(bank): State<Bank>, responder: ControlResponder) -> Response {
    responder.answer(bank.due_work_run().await.map(|done| DueWorkDoneForm { done }))
}

async fn customers(State(bank): State<Bank>, responder: ControlResponder) -> Response {
    responder.answer(bank.list_customers().await)
}

async fn customer(State(bank): State<Bank>, Path(id): Path<String>, responder: ControlResponder) -> Response {
    let found = bank.find_customer(&PsuId::new(id)).await;
    responder.answer(found.and_then(|it| it.ok_or(ControlError::not_found("there is no such customer"))))
}

async fn customer_views(State(bank): State<Bank>, responder: ControlResponder) -> Response {
    responder.answer(bank.customer_views().await)
}

async fn customer_change(
    State(bank): State<Bank>,
    Path(id): Path<String>,
    responder: ControlResponder,
    order: PostedJson<CustomerChange>,
) -> Response {
    match order.and_then(Ok) {
        Ok(change) => responder.answer(bank.customer_change(&PsuId::new(id), &change).await),
        Err(bad) => responder.invalid_command(bad),
    }
}

async fn account_end(
    State(bank): State<Bank>,
    Path(id): Path<String>,
    interaction_id: Option<Extension<FapiInteractionId>>,
    responder: ControlResponder,
    order: PostedJson<AccountClosure>,
) -> Response {
    match order.and_then(Ok) {
        Ok(end) => {
            let interaction_id = interaction_id.as_ref().map(|Extension(interaction_id)| interaction_id);
            responder.answer(bank.account_end(&BankAccountId::new(id), end, interaction_id).await)
        }
        Err(bad) => responder.invalid_command(bad),
    }
}

async fn account_change(
    State(bank): State<Bank>,
    Path(id): Path<String>,
    responder: ControlResponder,
    order: PostedJson<AccountEdit>,
) -> Response {
    match order.and_then(Ok) {
        Ok(change) => responder.answer(bank.account_change(&BankAccountId::new(id), &change).await),
        Err(bad) => responder.invalid_command(bad),
    }
}

async fn entry_add(
    State(bank): State<Bank>,
    Path(id): Path<String>,
    responder: ControlResponder,
    order: PostedJson<NewEntry>,
) -> Response {
    match order.and_then(Ok) {
        Ok(entry) => responder.answer(bank.entry_add(&BankAccountId::new(id), &entry).await),
        Err(bad) => responder.invalid_command(bad),
    }
}

async fn order_outcome(
    State(bank): State<Bank>,
    Path(id): Path<String>,
    responder: ControlResponder,
    order: PostedJson<OrderOutcome>,
) -> Response {
    match order.and_then(Ok) {
        Ok(outcome) => responder.answer(bank.order_outcome(&OrderId::new(id), outcome).await),
        Err(bad) => responder.invalid_command(bad),
    }
}

async fn order_plan(
    State(bank): State<Bank>,
    Path(id): Path<String>,
    responder: ControlResponder,
    order: PostedJson<OrderPlan>,
) -> Response {
    match order.and_then(Ok) {
        Ok(plan) => responder.answer(bank.order_plan(&ConsentId::new(id), plan).await),
        Err(bad) => responder.invalid_command(bad),
    }
}

async fn reset(
    State(bank): State<Bank>,
    responder: ControlResponder,
    options: Result<Query<ResetOptions>, QueryRejection>,
) -> Response {
    match options {
        Ok(Query(options)) => responder.answer(bank.reset(options.to()).await),
        Err(_) => responder.invalid_command(InvalidControlRequest::new("say ?empty=true or nothing")),
    }
}

async fn snapshot_save(State(bank): State<Bank>, Path(name): Path<String>, responder: ControlResponder) -> Response {
    snapshot(&bank, SnapshotAction::Save, &name, responder).await
}

async fn snapshot_load(State(bank): State<Bank>, Path(name): Path<String>, responder: ControlResponder) -> Response {
    snapshot(&bank, SnapshotAction::Load, &name, responder).await
}

async fn snapshot_delete(State(bank): State<Bank>, Path(name): Path<String>, responder: ControlResponder) -> Response {
    snapshot(&bank, SnapshotAction::Delete, &name, responder).await
}

async fn snapshot(bank: &Bank, action: SnapshotAction, name: &str, responder: ControlResponder) -> Response {
    match SnapshotName::parse(name) {
        Some(name) => responder.answer(bank.snapshot(action, &name).await),
        None => responder.invalid_command(InvalidControlRequest::new(SnapshotName::RULE)),
    }
}

async fn export(State(bank): State<Bank>, responder: ControlResponder) -> Response {
    match bank.data_export().await {
        Ok(file) => ([(header::CONTENT_TYPE, "application/json")], file).into_response(),
        Err(error) => responder.answer::<()>(Err(error)),
    }
}

async fn import(
    State(bank): State<Bank>,
    responder: ControlResponder,
    options: Result<Query<ImportOptions>, QueryRejection>,
    PostedFile(file): PostedFile,
) -> Response {
    let Ok(Query(options)) = options else {
        return responder.invalid_command(InvalidControlRequest::new("say ?rebase=true or nothing"));
    };
    match file {
        Ok(file) => match bank.data_import(file.into(), options.rebase).await {
            Ok(summary) => Json(summary).into_response(),
            Err(error) => responder.answer::<()>(Err(error)),
        },
        Err(bad) => responder.invalid_command(bad),
    }
}
