//! Checks and stores a backchannel request.

use super::hint::RequestedCustomer;
use super::notification::seal;
use super::provider;
use super::request::{self, CheckedBackchannelRequest};
use crate::AuthorisationServer;
use crate::authorisation::headless;
use crate::authorisation::journey::StoredRequest;
use crate::authorisation::locked_consent::reject_late_in;
use crate::authorisation::response::ResponseMode;
use crate::authorisation::rules::{
    self, Authorisable, CheckedRequest, OneTimeUse, RequestSource, RuleRefusal, invalid,
};
use crate::clients::{self, AuthenticatedClient};
use crate::error::{OAuthError, OAuthErrorCode};
use crate::form::Form;
use crate::throttle::DeviceRequests;
use jiff::{SignedDuration, Timestamp};
use lombard_domain::backchannel::{BackchannelRequest, BackchannelState};
use lombard_domain::consent::NotAuthorisable;
use lombard_domain::ids::{BackchannelRequestId, PsuId};
use lombard_domain::job::Job;
use lombard_ports::identity::HintedCustomer;
use lombard_ports::store::{Owned, ServerTransaction};
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt;

/// The shortest time between two polls of a client, seconds. Source: CIBA Core section 7.3.
const INTERVAL_SECS: i64 = 5;
/// The most pending requests of one client.
const LIVE_PER_CLIENT_MAX: i64 = 1_000;

/// The answer to a backchannel request. Source: CIBA Core section 7.3.
#[derive(Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct BackchannelResponse {
    /// What the client polls with: 256 random bits. Source: AS-162.
    pub auth_req_id: String,
    /// Seconds for which the customer is asked.
    pub expires_in: i64,
    /// The least seconds between two polls.
    pub interval: i64,
}

impl fmt::Debug for BackchannelResponse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BackchannelResponse").field("expires_in", &self.expires_in).finish_non_exhaustive()
    }
}

/// Checks and stores a request. As at the token endpoint, a refused request marks the client's assertion as used too. The request
/// of a headless client is decided at once.
///
/// # Errors
/// The rule that the request breaks; a replayed assertion; storage's failure.
pub async fn start_backchannel(
    auth: &AuthorisationServer,
    authenticated: AuthenticatedClient,
    form: &Form,
) -> Result<BackchannelResponse, OAuthError> {
    let prepared = prepare(auth, &authenticated, form).await;
    let row = prepared.as_ref().ok().map(|prepared| (prepared.row.clone(), prepared.object_use.clone()));
    let login = prepared.as_ref().ok().and_then(|it| {
        let Authorisable { request, consent, .. } = &it.authorisable;
        provider::login_job(auth, &request.client, &it.row, consent)
    });
    let context = auth.context.clone();
    let per_customer_max = auth.settings.backchannel_requests_max;
    let stored = auth.context.store.write(move |tx| {
        if !authenticated.claim_assertion(tx)? {
            return Ok(StoreOutcome::Replayed);
        }
        let Some((row, object_use)) = &row else { return Ok(StoreOutcome::Refused(None)) };
        let refused = insert(tx, (row, login.as_ref()), object_use, per_customer_max, &context)?;
        Ok::<_, OAuthError>(refused.map_or(StoreOutcome::Stored, |refused| StoreOutcome::Refused(Some(refused))))
    });
    let refusal = match (stored.await?, prepared) {
        (StoreOutcome::Replayed, _) => return Err(clients::replayed_assertion_error()),
        (StoreOutcome::Refused(Some(refusal)), _) | (_, Err(refusal)) => refusal,
        (StoreOutcome::Refused(None), Ok(_)) => RuleRefusal::from(OAuthError::server_error("a request was not stored")),
        (StoreOutcome::Stored, Ok(prepared)) => {
            let response = prepared.response.clone();
            decide_headless(auth, prepared).await;
            return Ok(response);
        }
    };
    Err(with_listed_code(refusal).count())
}

/// Replaces the code of a refusal by one that CIBA allows: a bad request object is an `invalid_request` at this endpoint.
///
/// Source: CIBA Core section 13.
fn with_listed_code(refusal: RuleRefusal) -> RuleRefusal {
    let RuleRefusal { rule, mut error } = refusal;
    if error.code == OAuthErrorCode::InvalidRequestObject {
        error.code = OAuthErrorCode::InvalidRequest;
    }
    RuleRefusal { rule, error }
}

/// The result of the transaction. A refusal commits too, so that the assertion stays marked as used.
enum StoreOutcome {
    Stored,
    Refused(Option<RuleRefusal>),
    Replayed,
}

/// A request that is ready to be stored.
struct PreparedRequest {
    response: BackchannelResponse,
    row: BackchannelRequest,
    object_use: OneTimeUse,
    authorisable: Authorisable,
}

async fn prepare(
    auth: &AuthorisationServer,
    authenticated: &AuthenticatedClient,
    form: &Form,
) -> Result<PreparedRequest, RuleRefusal> {
    let client = authenticated.client();
    let checked = request::check(auth, client, form).await?;
    let ids = &auth.context.ids;
    let auth_req_id = lombard_jose::base64url(&ids.random_secret());
    let hash = lombard_jose::sha256(auth_req_id.as_bytes());
    let id = BackchannelRequestId::new(lombard_jose::base64url(&ids.random_secret()));
    let CheckedBackchannelRequest { customer, binding_message, expiry_secs, notification_token, object_use, .. } =
        checked;
    let hint = match &customer {
        RequestedCustomer::WhoAuthorised(consent) => Some(consent.clone()),
        RequestedCustomer::Unnamed | RequestedCustomer::Hinted(_) => None,
    };
    let request = CheckedRequest {
        client: client.clone(),
        redirect_uri: format!("{}/apps/requests/{id}", auth.settings.public_url),
        state: None,
        mode: ResponseMode::Page,
        nonce: None,
        scopes: checked.scopes,
        intent: checked.intent,
        acr: checked.acr,
        silent: false,
        code_challenge: None,
        hint,
        source: RequestSource::ByValue,
        request_object_use: OneTimeUse::Backchannel(hash),
    };
    let mut authorisable = rules::find_authorisable_request(auth, request).await?;
    authorisable.expected = find_customer(auth, &customer, &authorisable).await?;
    let notification = match notification_token {
        Some(token) => Some(seal(auth, &id, &auth_req_id, &token)?),
        None => None,
    };
    let now = auth.context.clocks.wall_now();
    let after = |secs| now.saturating_add(SignedDuration::from_secs(secs)).map_err(OAuthError::server_error);
    let row = BackchannelRequest {
        hash,
        id,
        client: client.id.clone(),
        consent: authorisable.consent.id.clone(),
        psu: authorisable.expected.clone(),
        state: BackchannelState::Pending,
        request: StoredRequest::of(&authorisable).to_json()?,
        binding_message,
        grant: None,
        interval_secs: INTERVAL_SECS,
        // A client may poll at once; the interval applies from its first poll on.
        next_poll_at: now,
        notification,
        provider_login: None,
        created_at: now,
        expires_at: after(expiry_secs)?,
    };
    let response = BackchannelResponse { auth_req_id, expires_in: expiry_secs, interval: INTERVAL_SECS };
    Ok(PreparedRequest { response, row, object_use, authorisable })
}

/// Finds the customer to ask: the one whom the client names, or the one who authorised the consent before. `None` if neither is known.
///
/// Source: AS-161, AS-131.
async fn find_customer(
    auth: &AuthorisationServer,
    requested: &RequestedCustomer,
    authorisable: &Authorisable,
) -> Result<Option<PsuId>, RuleRefusal> {
    let refused = |error| Err(RuleRefusal { rule: "AS-161", error });
    let nobody = OAuthError::new(OAuthErrorCode::UnknownUserId, "The hint names no customer of the bank.");
    let owner = authorisable.consent.psu.as_ref();
    let named = match requested {
        RequestedCustomer::Unnamed => return Ok(owner.cloned()),
        RequestedCustomer::WhoAuthorised(_) => authorisable.expected.clone(),
        RequestedCustomer::Hinted(hint) => {
            match auth.identity.find_hinted(hint).await.map_err(OAuthError::unavailable)? {
                HintedCustomer::Known(psu) => Some(psu),
                HintedCustomer::Unknown => None,
                HintedCustomer::Unsupported => {
                    return refused(invalid("The bank does not find customers by this kind of login_hint_token."));
                }
            }
        }
    };
    match named {
        None => refused(nobody),
        Some(named) if owner.is_some_and(|owner| *owner != named) => {
            refused(rules::bar_to_error(NotAuthorisable::OtherPsu))
        }
        Some(named) => Ok(Some(named)),
    }
}

/// Stores the request if the consent still allows it and has no other request, and if neither client nor customer has too many: a customer
/// who is asked too often approves requests unread. Journeys of the consent in browsers end, as they do when a new journey begins (AS-090).
fn insert(
    tx: &mut dyn ServerTransaction,
    (row, login): (&BackchannelRequest, Option<&Job>),
    object_use: &OneTimeUse,
    per_customer_max: i64,
    context: &lombard_service::Context,
) -> Result<Option<RuleRefusal>, OAuthError> {
    let refused = |rule, error| Ok(Some(RuleRefusal { rule, error }));
    // The rows are locked first, so that of two concurrent requests one sees the other.
    let Owned::Mine(consent) = tx.consent_for_update(&row.client, &row.consent)? else {
        return refused("AS-078", rules::unusable_consent());
    };
    if let Err(bar) = consent.check_authorisable(context.clocks.read_bank_time(tx)?) {
        reject_late_in(tx, &consent.client, &consent.id, context)?;
        return refused("AS-078", rules::bar_to_error(bar));
    }
    let now: Timestamp = row.created_at;
    if tx.backchannel_live_of_consent(&row.consent, now)?.is_some() {
        return refused("AS-160", invalid("A backchannel request for this consent is under way."));
    }
    if let Some(psu) = &row.psu {
        DeviceRequests::new(&row.client, psu).lock_in(tx)?;
    }
    let (of_client, of_customer) = tx.backchannel_live_counts(&row.client, row.psu.as_ref(), now)?;
    if of_client >= LIVE_PER_CLIENT_MAX || of_customer >= per_customer_max {
        let description = "Too many backchannel requests await an answer.";
        return refused("AS-160", OAuthError::new(OAuthErrorCode::AccessDenied, description));
    }
    if !object_use.spend(tx, &row.client, context)? {
        return refused("AS-080", rules::already_answered());
    }
    tx.journeys_remove_without_login(&row.consent)?;
    tx.journeys_finish_of_consent(&row.consent, None)?;
    tx.backchannel_insert(row)?;
    if let Some(job) = login {
        tx.job_enqueue(job)?;
    }
    Ok(None)
}

/// Decides the request of a headless test client and stores the decision in its row. A temporary failure leaves the request pending.
///
/// Source: AS-170, AS-171.
async fn decide_headless(auth: &AuthorisationServer, prepared: PreparedRequest) {
    let PreparedRequest { row, authorisable, .. } = prepared;
    let (Some(psu), Some(settings)) = (authorisable.request.client.headless.clone(), auth.settings.headless) else {
        return;
    };
    let Err(refused) = headless::decide(auth, authorisable, &psu, &settings).await else { return };
    tracing::info!(client.id = row.client.as_str(), rule = refused.rule, "a headless backchannel request was refused");
    if refused.error.cause.is_some() {
        return;
    }
    let (context, request_use) = (auth.context.clone(), OneTimeUse::Backchannel(row.hash));
    let closed =
        auth.context.store.write(move |tx| Ok::<_, OAuthError>(request_use.spend(tx, &row.client, &context)?));
    if let Err(error) = closed.await {
        tracing::warn!(error = &error as &dyn std::error::Error, "a refused backchannel request was not closed");
    }
}
