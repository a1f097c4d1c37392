//! A PSU's connected applications: lists the live consents, and revokes one. Source: AS-134.

use super::{SessionError, SubmittedPage, spend_form_token};
use crate::AuthorisationServer;
use crate::error::OAuthError;
use jiff::Timestamp;
use lombard_domain::account::Account;
use lombard_domain::client::Client;
use lombard_domain::consent::{Consent, ConsentState};
use lombard_domain::ids::{ClientId, ConsentId, PsuId};
use lombard_domain::payment::order::Order;
use lombard_domain::payment::vrp::LimitUsage;
use lombard_domain::refusal::RefusalKind;
use lombard_ports::store::{ConnectedConsent, ServerTransaction, StoreError, VrpUsageStore};
use lombard_service::{Failure, consents};
use std::collections::HashMap;

/// The most consents on the page, the newest ones.
const SHOWN_MAX: u32 = 200;

/// A consent with the details that its PSU is shown.
#[derive(Debug)]
pub struct ConnectedApp {
    /// The consent.
    pub consent: Consent,
    /// The client that holds it.
    pub client: Client,
    /// The accounts that the consent gives access to.
    pub accounts: Vec<Account>,
    /// When the consent was last used, with a precision of some minutes (bank clock).
    pub last_used_at: Option<Timestamp>,
    /// Whether the consent gives access now.
    pub live: bool,
    /// The current usage of the limits of a VRP consent, in the order of the limits.
    pub limit_usage: Vec<LimitUsage>,
}

/// Lists every live consent of a PSU, newest first.
///
/// # Errors
/// Storage's and the bank's failures.
pub async fn list_connected_apps(auth: &AuthorisationServer, psu: &PsuId) -> Result<Vec<ConnectedApp>, OAuthError> {
    auth.callers.write_consent_uses().await?;
    let (psu, bank_now) = (psu.clone(), auth.context.clocks.bank_now());
    let found = auth.context.store.read(move |tx| {
        let connections = tx.connected_consents(&psu, bank_now, SHOWN_MAX)?;
        let lasting = connections.into_iter().filter(|it| it.consent.request.kind().is_long_lived());
        let live = lasting.filter(|it| it.consent.check_access(bank_now).is_ok());
        live.map(|connection| readable(known(tx, connection, bank_now))).collect::<Result<Vec<_>, OAuthError>>()
    });
    let mut apps = Vec::new();
    for known in found.await?.into_iter().flatten() {
        apps.push(app(auth, known).await?);
    }
    Ok(apps)
}

/// Finds a long-lived consent that this PSU authorised, whether or not it has ended; `None` if there is none with this id. A consent to a
/// single payment is not a connected application.
///
/// # Errors
/// Storage's and the bank's failures.
pub async fn find_connected_app(
    auth: &AuthorisationServer,
    psu: &PsuId,
    id: &ConsentId,
) -> Result<Option<ConnectedApp>, OAuthError> {
    auth.callers.write_consent_uses().await?;
    let (psu, id, bank_now) = (psu.clone(), id.clone(), auth.context.clocks.bank_now());
    let found = auth.context.store.read(move |tx| match tx.connected_consent(&psu, &id)? {
        Some(connection) if connection.consent.request.kind().is_long_lived() => {
            Ok::<_, OAuthError>(known(tx, connection, bank_now)?)
        }
        Some(_) | None => Ok(None),
    });
    match found.await? {
        Some(known) => app(auth, known).await.map(Some),
        None => Ok(None),
    }
}

/// The most payments on the page, the newest ones.
const PAYMENTS_MAX: u32 = 30;

/// A payment that a PSU approved, and the client that ordered it.
#[derive(Debug)]
pub struct PastPayment {
    /// The payment order.
    pub order: Order,
    /// The client.
    pub client: Client,
}

/// Lists the latest orders that a PSU approved, newest first.
///
/// # Errors
/// Storage's failure.
pub async fn list_past_payments(auth: &AuthorisationServer, psu: &PsuId) -> Result<Vec<PastPayment>, OAuthError> {
    let psu = psu.clone();
    let found = auth.context.store.read(move |tx| {
        let mut clients: HashMap<ClientId, Client> = HashMap::new();
        let mut payments = Vec::new();
        for id in tx.orders_of_psu(&psu, PAYMENTS_MAX)? {
            let Some(order) = readable(tx.order_for_update(&id))? else { continue };
            let client = match clients.get(&order.client) {
                Some(client) => Some(client.clone()),
                None => tx.client(&order.client)?,
            };
            let Some(client) = client else { continue };
            clients.insert(order.client.clone(), client.clone());
            payments.push(PastPayment { order, client });
        }
        Ok::<_, OAuthError>(payments)
    });
    found.await
}

/// Ends a consent and thereby its tokens. Returns `false` if the consent is not this PSU's. A consent that has already ended does not
/// change.
///
/// # Errors
/// [`SessionError`]
pub async fn end_connected_app(
    auth: &AuthorisationServer,
    submission: &SubmittedPage,
    id: &ConsentId,
) -> Result<bool, SessionError> {
    let psu = spend_form_token(auth, submission).await?;
    match consents::revoke_consent(&auth.context, &psu, id).await {
        Ok(consent) => {
            let client = consent.client.as_str();
            tracing::info!(client.id = client, consent.id = consent.id.as_str(), "consent revoked by its PSU");
            Ok(true)
        }
        Err(Failure::Refused(refusal)) => Ok(refusal.kind == RefusalKind::ConsentState),
        Err(failure) => Err(SessionError::Failed(failure.into())),
    }
}

/// The stored data of a connected application.
struct StoredConnection {
    connection: ConnectedConsent,
    client: Client,
    limit_usage: Vec<LimitUsage>,
}

/// Turns corrupt rows into `None`, so that one unreadable consent does not stop the customer from ending others.
fn readable<T>(known: Result<Option<T>, StoreError>) -> Result<Option<T>, OAuthError> {
    match known {
        Err(error @ StoreError::Corrupt { .. }) => {
            tracing::error!(error = &error as &dyn std::error::Error, "a part of a customer's page cannot be shown");
            Ok(None)
        }
        other => Ok(other?),
    }
}

fn known(
    tx: &mut dyn ServerTransaction,
    connection: ConnectedConsent,
    now: Timestamp,
) -> Result<Option<StoredConnection>, StoreError> {
    let Some(client) = tx.client(&connection.consent.client)? else { return Ok(None) };
    let limit_usage = read_limit_usage(tx, &connection.consent, now)?;
    Ok(Some(StoredConnection { connection, client, limit_usage }))
}

/// The usage of a consent's limits at a time. Source: VRP-030.
fn read_limit_usage<S: VrpUsageStore + ?Sized>(
    store: &mut S,
    consent: &Consent,
    now: Timestamp,
) -> Result<Vec<LimitUsage>, StoreError> {
    let payment = consent.request.payment();
    let Some(terms) = payment.and_then(|payment| payment.terms.instruction.vrp()) else { return Ok(Vec::new()) };
    let vrp_limits = terms.controls.limits_from(consent.created_at);
    let usage = store.vrp_usage(&consent.id, &vrp_limits.counters(now))?;
    Ok(vrp_limits.limit_usages(now, &usage))
}

async fn app(auth: &AuthorisationServer, known: StoredConnection) -> Result<ConnectedApp, OAuthError> {
    let StoredConnection { connection, client, limit_usage } = known;
    let ConnectedConsent { consent, last_used_at } = connection;
    let ids: Vec<_> = consent.accounts.iter().map(|selected| selected.account.clone()).collect();
    let context = &auth.about(&client, &consent, None).context;
    let accounts = context.bank.list_accounts(&context.call, &ids).await.map_err(Failure::from)?;
    let live =
        consent.state == ConsentState::Authorised && consent.check_access(auth.context.clocks.bank_now()).is_ok();
    Ok(ConnectedApp { consent, client, accounts, last_used_at, live, limit_usage })
}
