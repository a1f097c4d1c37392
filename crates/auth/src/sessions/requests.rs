//! Requests of applications that ask a customer over the backchannel, on the customer's own pages. Source: AS-160, AS-161.
//!
//! Being logged in shows them and opens one. The decision is a journey's, with an authentication of its own.

use super::{LoggedInPsu, SessionError, SubmittedPage, spend_at};
use crate::AuthorisationServer;
use crate::authorisation::journey::{BackchannelChoice, StartedJourney, begin_backchannel};
use crate::error::OAuthError;
use lombard_domain::backchannel::{BackchannelRequest, BackchannelState};
use lombard_domain::client::Client;
use lombard_domain::consent::Consent;
use lombard_domain::ids::BackchannelRequestId;
use lombard_domain::session::SessionStage;
use lombard_ports::store::{Owned, ServerTransaction};

/// Most requests that are shown; the newest.
const SHOWN_MAX: u32 = 50;

/// A request as its customer sees it.
#[derive(Debug)]
pub struct CustomerRequest {
    /// Names it on pages.
    pub id: BackchannelRequestId,
    /// Who asks.
    pub client: Client,
    /// What is asked for.
    pub consent: Consent,
    /// What the application shows too, so that the customer can compare; the application's words.
    pub binding_message: Option<String>,
    /// How it stands.
    pub standing: RequestStanding,
}

/// How a request stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RequestStanding {
    /// The customer may decide.
    Waiting,
    /// The customer approved.
    Approved,
    /// The customer refused, or could not give the consent.
    Refused,
    /// The time ran out.
    Expired,
}

/// The requests that wait for this customer, the newest first.
///
/// # Errors
/// Storage's failure.
pub async fn list_customer_requests(
    auth: &AuthorisationServer,
    customer: &LoggedInPsu,
) -> Result<Vec<CustomerRequest>, OAuthError> {
    let (psu, now) = (customer.psu.clone(), auth.context.clocks.wall_now());
    let listed = auth.context.store.read(move |tx| {
        let mut requests = Vec::new();
        for request in tx.backchannel_live_of_psu(&psu, now, SHOWN_MAX)? {
            requests.extend(as_shown(tx, request, RequestStanding::Waiting)?);
        }
        Ok::<_, OAuthError>(requests)
    });
    listed.await
}

/// One request that is or was this customer's to decide; `None` if there is none.
///
/// # Errors
/// Storage's failure.
pub async fn find_customer_request(
    auth: &AuthorisationServer,
    customer: &LoggedInPsu,
    id: &BackchannelRequestId,
) -> Result<Option<CustomerRequest>, OAuthError> {
    let (psu, id, now) = (customer.psu.clone(), id.clone(), auth.context.clocks.wall_now());
    let found = auth.context.store.read(move |tx| {
        let Some(request) = tx.backchannel_request(&id)?.filter(|request| request.psu.as_ref() == Some(&psu)) else {
            return Ok(None);
        };
        let standing = match request.state {
            BackchannelState::Pending if request.is_live(now) => RequestStanding::Waiting,
            BackchannelState::Pending => RequestStanding::Expired,
            BackchannelState::Denied => RequestStanding::Refused,
            BackchannelState::Authorised | BackchannelState::Redeemed => RequestStanding::Approved,
        };
        as_shown(tx, request, standing)
    });
    found.await
}

/// `None` once the client or the consent is gone, or while the client may not act. Source: AS-113.
fn as_shown(
    tx: &mut dyn ServerTransaction,
    request: BackchannelRequest,
    standing: RequestStanding,
) -> Result<Option<CustomerRequest>, OAuthError> {
    let (Some(client), Owned::Mine(consent)) =
        (tx.client(&request.client)?.filter(Client::may_act), tx.consent(&request.client, &request.consent)?)
    else {
        return Ok(None);
    };
    let BackchannelRequest { id, binding_message, .. } = request;
    Ok(Some(CustomerRequest { id, client, consent, binding_message, standing }))
}

/// The customer opens a request: a journey begins at which the customer authenticates for it and decides. `None` if it is not there, not
/// this customer's, or over.
///
/// # Errors
/// [`SessionError`]
pub async fn open_customer_request(
    auth: &AuthorisationServer,
    submission: &SubmittedPage,
    choice: BackchannelChoice,
) -> Result<Option<StartedJourney>, SessionError> {
    let session = spend_at(auth, submission, SessionStage::Open).await?;
    let name = session.psu_name.unwrap_or_default();
    Ok(begin_backchannel(auth, &session.psu, &name, choice).await?)
}
