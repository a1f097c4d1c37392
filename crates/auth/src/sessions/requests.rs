//! Shows a customer the backchannel requests of applications. Source: AS-160, AS-161.
//!
//! A logged-in customer can list and open requests. The decision takes place in a journey, with its own authentication.

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

/// The most requests on the page, the newest ones.
const SHOWN_MAX: u32 = 50;

/// A backchannel request as its customer sees it.
#[derive(Debug)]
pub struct CustomerRequest {
    /// The id of the request on pages.
    pub id: BackchannelRequestId,
    /// The client that asks.
    pub client: Client,
    /// The consent to decide on.
    pub consent: Consent,
    /// The binding message of the application, which shows it too, so that the customer can compare.
    pub binding_message: Option<String>,
    /// The state of the request.
    pub standing: CustomerRequestState,
}

/// The state of a backchannel request, for its customer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CustomerRequestState {
    /// The customer may decide.
    Waiting,
    /// The customer approved.
    Approved,
    /// The customer refused, or could not give the consent.
    Refused,
    /// The request has expired.
    Expired,
}

/// Lists the requests that wait for this customer, the newest first.
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
            requests.extend(as_shown(tx, request, CustomerRequestState::Waiting)?);
        }
        Ok::<_, OAuthError>(requests)
    });
    listed.await
}

/// Finds a request that this customer may decide on or could have decided on; `None` if there is none.
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
            BackchannelState::Pending if request.is_live(now) => CustomerRequestState::Waiting,
            BackchannelState::Pending => CustomerRequestState::Expired,
            BackchannelState::Denied => CustomerRequestState::Refused,
            BackchannelState::Authorised | BackchannelState::Redeemed => CustomerRequestState::Approved,
        };
        as_shown(tx, request, standing)
    });
    found.await
}

/// Reads the data to show for a request. `None` if the client or the consent was deleted, or the client is disabled. Source: AS-113.
fn as_shown(
    tx: &mut dyn ServerTransaction,
    request: BackchannelRequest,
    standing: CustomerRequestState,
) -> Result<Option<CustomerRequest>, OAuthError> {
    let (Some(client), Owned::Mine(consent)) =
        (tx.client(&request.client)?.filter(Client::may_act), tx.consent(&request.client, &request.consent)?)
    else {
        return Ok(None);
    };
    let BackchannelRequest { id, binding_message, .. } = request;
    Ok(Some(CustomerRequest { id, client, consent, binding_message, standing }))
}

/// Opens a request for a customer: begins a journey in which the customer authenticates and decides. `None` if the request does not exist,
/// is another customer's, or has ended.
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
