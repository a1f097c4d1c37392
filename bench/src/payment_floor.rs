//! The floor of payments. It verifies one signature, makes the rows of one order durable as the server does, and signs one response.
//!
//! It knows the consents that were prepared for the server and checks nothing else: no token, no certificate, only two headers, no rule,
//! and no comparison with the consent.
#![allow(clippy::disallowed_methods, reason = "no bank is informed of the consents of this benchmark")]

use crate::database::Stores;
use crate::postgres_floor::{ORDERS_FILE, OrderRows};
use crate::result::BenchResult;
use crate::robot::random_ids;
use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use http::header::CONTENT_TYPE;
use http::{HeaderMap, StatusCode};
use jiff::{SignedDuration, Timestamp};
use lombard_domain::ids::{ConsentId, OrderId};
use lombard_domain::job::Job;
use lombard_jose::{DetachedJws, KeySet};
use lombard_ports::clock::Clocks;
use lombard_ports::entropy::IdGenerator;
use lombard_ports::store::{IdempotencyClaim, IdempotencyKey, KeyClaim, Owned, ServerTransaction, Store};
use lombard_tpp::{MessageJws, SIGNATURE, TppFolder};
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;

/// The header members of a signature that must be understood.
const CRITICAL: [&str; 3] =
    ["http://openbanking.org.uk/iat", "http://openbanking.org.uk/iss", "http://openbanking.org.uk/tan"];
/// The time for which an idempotency key identifies the same request.
const WINDOW: SignedDuration = SignedDuration::from_hours(24);

/// The state of the floor. It signs its responses with the TPP's key, because all keys have the same cost.
#[derive(Debug, Clone)]
struct PaymentFloor {
    folder: Arc<TppFolder>,
    keys: Arc<KeySet>,
    rows: PaymentRows,
    clocks: Clocks,
    ids: IdGenerator,
}

/// Where the floor stores its rows.
#[derive(Debug, Clone)]
enum PaymentRows {
    /// In a copy of the server's SQLite file.
    Sqlite(Store),
    /// In its own PostgreSQL tables.
    Postgres(OrderRows),
}

/// Accepts orders for the consents in `lombard.db` of its folder, or in a PostgreSQL database.
pub(crate) async fn router(data: &Path, work: &Path, database: Option<&str>) -> BenchResult<Router> {
    let folder = TppFolder::read_folder(&data.join("tpps/robot"))?;
    let keys = KeySet::parse(&json!({"keys": [folder.signing.public().to_jwk(&[])]}).to_string())?;
    let rows = match database {
        Some(url) => PaymentRows::Postgres(
            OrderRows::open(url, folder.details.client_id.as_str(), &work.join(ORDERS_FILE)).await?,
        ),
        None => {
            let url = format!("sqlite://{}", work.join("lombard.db").display());
            PaymentRows::Sqlite(Stores::open(url).await?.server)
        }
    };
    let till = PaymentFloor {
        folder: Arc::new(folder),
        keys: Arc::new(keys),
        rows,
        clocks: Clocks::system(),
        ids: random_ids(),
    };
    Ok(Router::new().route("/{*path}", post(ordered)).with_state(till))
}

async fn ordered(State(till): State<PaymentFloor>, headers: HeaderMap, body: Bytes) -> Response {
    match till.order(&headers, &body).await {
        Ok((signature, answer)) => {
            (StatusCode::CREATED, [(CONTENT_TYPE.as_str(), "application/json"), (SIGNATURE, &signature)], answer)
                .into_response()
        }
        Err(_) => StatusCode::BAD_REQUEST.into_response(),
    }
}

impl PaymentFloor {
    async fn order(&self, headers: &HeaderMap, body: &[u8]) -> BenchResult<(String, String)> {
        let header = |name: &str| headers.get(name).ok_or("a header is missing").map(|value| value.to_str());
        DetachedJws::parse(header(SIGNATURE)??)?.verify(body, &self.keys, &CRITICAL)?;
        let mut shown: Value = serde_json::from_slice(body)?;
        let data = shown.get_mut("Data").and_then(Value::as_object_mut).ok_or("no data")?;
        let consent = data.get("ConsentId").and_then(Value::as_str).ok_or("no consent")?;
        let key = IdempotencyKey {
            client: self.folder.details.client_id.clone(),
            operation: "POST /open-banking/v3.1/pisp/domestic-payments".to_owned(),
            key: header("x-idempotency-key")??.to_owned(),
        };
        let id: OrderId = self.ids.ordered();
        self.keep(ConsentId::new(consent), key, body, id.clone()).await?;
        data.insert("DomesticPaymentId".to_owned(), id.as_str().into());
        data.insert("Status".to_owned(), "Pending".into());
        let answer = shown.to_string();
        let card = &self.folder.details;
        let message =
            MessageJws::new(&card.signing_kid, card.org_id.as_str(), "openbanking.org.uk", self.clocks.wall_now());
        Ok((message.sign(&self.folder.signing, answer.as_bytes())?, answer))
    }

    /// Stores the idempotency key, the consent, the order and the submission job in one transaction.
    async fn keep(&self, consent: ConsentId, key: IdempotencyKey, body: &[u8], order: OrderId) -> BenchResult<()> {
        let now = self.clocks.wall_now();
        let digest = lombard_jose::sha256(body);
        let since = now.saturating_sub(WINDOW).unwrap_or(Timestamp::MIN);
        let job = Job::new(self.ids.ordered(), "order", order.as_str(), now);
        let store = match &self.rows {
            PaymentRows::Sqlite(store) => store,
            PaymentRows::Postgres(rows) => {
                return rows.insert(&key, &consent, &order, job.id.as_str(), now.as_microsecond(), body).await;
            }
        };
        let insert = move |tx: &mut dyn ServerTransaction| -> BenchResult<()> {
            let resource = order.as_str();
            let window_start = since;
            let claim = KeyClaim { key: &key, body: &digest, resource, now, window_start, other_operation: None };
            if tx.idempotency_claim(&claim)? != IdempotencyClaim::New {
                return Err("the key was used".into());
            }
            let Owned::Mine(mut consent) = tx.consent_for_update(&key.client, &consent)? else {
                return Err("no such consent".into());
            };
            let order = consent.consume(order.clone(), now).map_err(|_| "the consent cannot be used")?;
            tx.consent_update(&consent)?;
            tx.order_insert(&order)?;
            Ok(tx.job_enqueue(&job)?)
        };
        store.write(insert).await
    }
}
