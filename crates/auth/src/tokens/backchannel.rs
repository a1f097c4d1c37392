//! `urn:openid:params:grant-type:ciba`: a client polls for the answer of its backchannel request, and fetches the tokens once.
//!
//! Source: AS-162, CIBA Core sections 10.1 and 11.

use super::TokenResponse;
use super::issue::{GrantRefusal, GrantResult, TokenRequest};
use super::psu_grant::{self, NOT_PREPARED, PreparedTokens, RedeemableGrant};
use crate::AuthorisationServer;
use crate::error::{OAuthError, OAuthErrorCode};
use crate::form::Form;
use jiff::SignedDuration;
use lombard_domain::backchannel::{BackchannelRequest, BackchannelState};
use lombard_domain::grant::Digest;
use lombard_ports::store::{Owned, ServerTransaction, StoreError};

/// The name of the grant type.
pub(super) const GRANT_TYPE: &str = "urn:openid:params:grant-type:ciba";

/// The seconds by which the interval grows with each early poll. Source: CIBA Core section 11.
const SLOWER_BY_SECS: i64 = 5;
/// The longest interval between polls that is demanded of a client, seconds.
const INTERVAL_SECS_MAX: i64 = 60;

/// A token request that polls for the answer of a backchannel request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct BackchannelPoll {
    hash: Digest,
}

impl BackchannelPoll {
    pub(super) fn read(form: &Form) -> Result<Self, GrantRefusal> {
        let missing = GrantRefusal(OAuthErrorCode::InvalidRequest, "auth_req_id is missing.");
        Ok(Self { hash: lombard_jose::sha256(form.value("auth_req_id").ok_or(missing)?.as_bytes()) })
    }
}

/// The result of checking a backchannel request.
enum PollCheck {
    /// The tokens may be fetched.
    Redeemable(Box<(BackchannelRequest, RedeemableGrant)>),
    /// The customer has not decided.
    Pending(Box<BackchannelRequest>),
    /// The consent ended before the customer decided.
    Ended(Box<BackchannelRequest>),
    /// The poll is refused.
    Refused(GrantRefusal),
}

/// Checks the request and, if it was approved, signs the identity token.
///
/// # Errors
/// Storage's and the signing pool's failures.
pub(super) async fn prepare(
    auth: &AuthorisationServer,
    exchange: &TokenRequest,
    poll: &BackchannelPoll,
) -> Result<Option<PreparedTokens>, OAuthError> {
    let (look, asked) = (exchange.clone(), poll.clone());
    let judged = auth.context.store.read::<_, StoreError, _>(move |tx| check_poll(tx, &look, &asked)).await?;
    let PollCheck::Redeemable(found) = judged else { return Ok(None) };
    psu_grant::prepare(auth, exchange, &found.1).await.map(Some)
}

/// Answers the poll: once with the tokens, otherwise with the error for the state of the request.
pub(super) fn redeem(
    tx: &mut dyn ServerTransaction,
    exchange: &TokenRequest,
    poll: &BackchannelPoll,
    prepared: Option<&PreparedTokens>,
) -> GrantResult<TokenResponse> {
    match check_poll(tx, exchange, poll)? {
        PollCheck::Refused(refusal) => Ok(Err(refusal)),
        PollCheck::Pending(request) => still_pending(tx, exchange, *request).map(Err),
        PollCheck::Ended(mut request) => {
            request.state = BackchannelState::Denied;
            tx.backchannel_update(&request)?;
            Ok(Err(DENIED))
        }
        PollCheck::Redeemable(found) => {
            let (mut request, grant) = *found;
            let Some(prepared) = prepared else { return Ok(Err(NOT_PREPARED)) };
            request.state = BackchannelState::Redeemed;
            tx.backchannel_update(&request)?;
            psu_grant::issue(tx, exchange, &grant, prepared).map(Ok)
        }
    }
}

const UNKNOWN: GrantRefusal = GrantRefusal(OAuthErrorCode::InvalidGrant, "The auth_req_id is unknown.");
const USED: GrantRefusal = GrantRefusal(OAuthErrorCode::InvalidGrant, "The auth_req_id was used before.");
const EXPIRED: GrantRefusal = GrantRefusal(OAuthErrorCode::ExpiredToken, "The auth_req_id has expired.");
const DENIED: GrantRefusal =
    GrantRefusal(OAuthErrorCode::AccessDenied, "The customer did not give this consent, or could not give it.");

/// Schedules the next poll after the interval, which grows if this poll came too early.
fn still_pending(
    tx: &mut dyn ServerTransaction,
    exchange: &TokenRequest,
    mut request: BackchannelRequest,
) -> Result<GrantRefusal, StoreError> {
    let is_early = exchange.wall < request.next_poll_at;
    if is_early {
        request.interval_secs = request.interval_secs.saturating_add(SLOWER_BY_SECS).min(INTERVAL_SECS_MAX);
    }
    let next = exchange.wall.saturating_add(SignedDuration::from_secs(request.interval_secs));
    request.next_poll_at = next.unwrap_or(request.next_poll_at);
    tx.backchannel_update(&request)?;
    Ok(if is_early {
        GrantRefusal(
            OAuthErrorCode::SlowDown,
            "Poll less often: the interval is five seconds longer from now on, up to a minute.",
        )
    } else {
        GrantRefusal(OAuthErrorCode::AuthorizationPending, "The customer has not decided yet.")
    })
}

/// Checks the request of a poll. Another client's request counts as unknown and does not change.
fn check_poll(
    tx: &mut dyn ServerTransaction,
    exchange: &TokenRequest,
    poll: &BackchannelPoll,
) -> Result<PollCheck, StoreError> {
    if exchange.client.backchannel.is_none() {
        let description = "The client is not registered for backchannel authentication.";
        return Ok(PollCheck::Refused(GrantRefusal(OAuthErrorCode::UnauthorizedClient, description)));
    }
    let found = tx.backchannel_for_update(&poll.hash)?.filter(|request| request.client == exchange.client.id);
    let Some(request) = found else { return Ok(PollCheck::Refused(UNKNOWN)) };
    match request.state {
        BackchannelState::Redeemed => Ok(PollCheck::Refused(USED)),
        BackchannelState::Denied => Ok(PollCheck::Refused(DENIED)),
        _ if request.expires_at <= exchange.wall => Ok(PollCheck::Refused(EXPIRED)),
        BackchannelState::Pending => {
            let can_be_given = match tx.consent(&request.client, &request.consent)? {
                Owned::Mine(consent) => consent.check_authorisable(exchange.bank).is_ok(),
                Owned::Foreign | Owned::Absent => false,
            };
            let request = Box::new(request);
            Ok(if can_be_given { PollCheck::Pending(request) } else { PollCheck::Ended(request) })
        }
        BackchannelState::Authorised => {
            let grant = match &request.grant {
                Some(id) => tx.grant(id)?,
                None => None,
            };
            let Some(grant) = grant.filter(|grant| exchange.opens(grant.scopes)) else {
                return Ok(PollCheck::Refused(DENIED));
            };
            let Some(consent) = exchange.find_live_consent(tx, &grant)? else { return Ok(PollCheck::Refused(DENIED)) };
            Ok(PollCheck::Redeemable(Box::new((request, RedeemableGrant { grant, consent }))))
        }
    }
}
