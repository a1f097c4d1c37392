//! Begins a journey, and ends every other journey of the same consent.

use super::admission::idle_end;
use super::stored_request::StoredRequest;
use crate::AuthorisationServer;
use crate::authorisation::locked_consent::reject_late_in;
use crate::authorisation::rules::{self, Authorisable, OneTimeUse, RuleRefusal};
use crate::browser::BrowserSecret;
use crate::error::OAuthError;
use lombard_domain::consent::ConsentState;
use lombard_domain::grant::{AuthorisationJourney, JourneyStage};
use lombard_domain::ids::{BackchannelRequestId, ConsentId, JourneyId, PsuId};
use lombard_ports::identity::LoginMethod;
use lombard_ports::store::Owned;
use lombard_service::consents::store_status_reason;

/// A journey that has begun: its id, and the secret for the browser's cookie.
#[derive(Debug)]
pub struct StartedJourney {
    /// The id of the journey.
    pub id: JourneyId,
    /// The secret for the browser's cookie.
    pub browser: BrowserSecret,
}

/// Begins a journey.
///
/// Source: AS-090, AS-141.
///
/// # Errors
/// [`RuleRefusal`] when the consent changed since it was read, or storage failed.
pub(in crate::authorisation) async fn begin(
    auth: &AuthorisationServer,
    request: Authorisable,
) -> Result<StartedJourney, RuleRefusal> {
    let ids = &auth.context.ids;
    let id = JourneyId::new(lombard_jose::base64url(&ids.random_secret()));
    let browser = BrowserSecret::fresh(ids);
    let interaction = AuthorisationJourney {
        id: id.clone(),
        client: request.request.client.id.clone(),
        consent: request.consent.id.clone(),
        request: StoredRequest::of(&request).to_json()?,
        stage: JourneyStage::Login,
        browser: browser.digest(),
        psu: None,
        psu_name: None,
        auth_time: None,
        factors: Vec::new(),
        form_token: lombard_jose::sha256(&ids.random_secret()),
        failures: 0,
        expires_at: idle_end(auth)?,
    };
    let context = auth.context.clone();
    let inserted = auth.context.store.write(move |tx| {
        // The consent is locked first, so that either this transaction sees its deletion or the deletion sees this journey (AIS-064).
        match tx.consent_for_update(&interaction.client, &interaction.consent)? {
            Owned::Mine(mut consent) => {
                if let Err(bar) = consent.check_authorisable(context.clocks.read_bank_time(tx)?) {
                    reject_late_in(tx, &consent.client, &consent.id, &context)?;
                    return Ok(Err(rules::bar_to_error(bar)));
                }
                // The status reason of the previous attempt no longer applies.
                if consent.state == ConsentState::AwaitingAuthorisation && consent.clear_status_reason() {
                    store_status_reason(tx, &consent)?;
                }
            }
            Owned::Foreign | Owned::Absent => return Ok(Err(rules::unusable_consent())),
        }
        // The previous journey stays stored, so that its browser can show how it ended.
        tx.journeys_remove_without_login(&interaction.consent)?;
        tx.journeys_finish_of_consent(&interaction.consent, None)?;
        // A request over the backchannel ends too. Its client, which began this journey itself, is informed at its next poll
        // (AS-090, AS-160).
        let now = context.clocks.wall_now();
        if let Some(other) = tx.backchannel_live_of_consent(&interaction.consent, now)? {
            rules::deny_backchannel_in(tx, &other.hash, &other.client, now)?;
        }
        tx.journey_insert(&interaction)?;
        Ok::<_, OAuthError>(Ok(()))
    });
    inserted.await?.map_err(|error| RuleRefusal { rule: "AS-078", error })?;
    Ok(StartedJourney { id, browser })
}

/// The backchannel request that a customer opens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BackchannelChoice {
    /// A request that is listed for the customer.
    Listed(BackchannelRequestId),
    /// The request of the consent whose id the application showed to the customer. Source: AS-161.
    Consent(ConsentId),
}

/// Begins the journey of a logged-in customer who opens a backchannel request. From then on only this customer can decide the request.
/// `None` if the request does not exist, is another customer's, or has ended.
///
/// The journey starts at the authentication for its purpose, because the login to the bank's pages is not enough for a payment (AS-142).
///
/// Source: AS-160, AS-161.
///
/// # Errors
/// Storage's failure.
pub(crate) async fn begin_backchannel(
    auth: &AuthorisationServer,
    psu: &PsuId,
    name: &str,
    choice: BackchannelChoice,
) -> Result<Option<StartedJourney>, OAuthError> {
    let ids = &auth.context.ids;
    let id = JourneyId::new(lombard_jose::base64url(&ids.random_secret()));
    let browser = BrowserSecret::fresh(ids);
    let (form_token, expires_at) = (lombard_jose::sha256(&ids.random_secret()), idle_end(auth)?);
    let (is_known, stage) = match auth.identity.login_method() {
        LoginMethod::Pages(_) => (true, JourneyStage::SecondFactor),
        LoginMethod::Redirect(_) => (false, JourneyStage::Login),
    };
    let (psu, name, digest, context) = (psu.clone(), name.to_owned(), browser.digest(), auth.context.clone());
    let journey = id.clone();
    let begun = auth.context.store.write(move |tx| {
        let now = context.clocks.wall_now();
        let found = match &choice {
            BackchannelChoice::Listed(id) => tx.backchannel_request(id)?,
            BackchannelChoice::Consent(consent) => tx.backchannel_live_of_consent(consent, now)?,
        };
        let Some(found) = found else { return Ok(false) };
        // The consent is locked first, as in every transaction.
        let locked = tx.consent_for_update(&found.client, &found.consent)?;
        let Some(mut request) = tx.backchannel_for_update(&found.hash)? else { return Ok(false) };
        let is_theirs = request.psu.as_ref().is_none_or(|asked| *asked == psu);
        let Owned::Mine(mut consent) = locked else { return Ok(false) };
        if !is_theirs || !request.is_live(now) || !tx.client_may_act(&request.client)? {
            return Ok(false);
        }
        if consent.check_authorisable(context.clocks.read_bank_time(tx)?).is_err() {
            OneTimeUse::Backchannel(request.hash).spend(tx, &request.client, &context)?;
            reject_late_in(tx, &consent.client, &consent.id, &context)?;
            return Ok(false);
        }
        if consent.state == ConsentState::AwaitingAuthorisation && consent.clear_status_reason() {
            store_status_reason(tx, &consent)?;
        }
        let mut stored = StoredRequest::read(&request.request)?;
        stored.expected = Some(psu.clone());
        request.psu = Some(psu.clone());
        tx.backchannel_update(&request)?;
        tx.journeys_remove_without_login(&consent.id)?;
        tx.journeys_finish_of_consent(&consent.id, None)?;
        tx.journey_insert(&AuthorisationJourney {
            id: journey.clone(),
            client: request.client,
            consent: request.consent,
            request: stored.to_json()?,
            stage,
            browser: digest,
            psu: is_known.then(|| psu.clone()),
            psu_name: is_known.then(|| name.clone()),
            auth_time: None,
            factors: Vec::new(),
            form_token,
            failures: 0,
            expires_at,
        })?;
        Ok::<_, OAuthError>(true)
    });
    Ok(begun.await?.then_some(StartedJourney { id, browser }))
}
