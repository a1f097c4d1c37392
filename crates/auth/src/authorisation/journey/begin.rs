//! A journey begins, and every other journey of the same consent ends.

use super::admission::idle_end;
use super::browser::BrowserSecret;
use super::stored_request::StoredRequest;
use crate::AuthorisationServer;
use crate::authorisation::approval;
use crate::authorisation::rules::{self, Authorisable, RuleRefusal};
use crate::error::OAuthError;
use lombard_domain::consent::ConsentState;
use lombard_domain::grant::{AuthorisationJourney, JourneyStage};
use lombard_domain::ids::JourneyId;
use lombard_ports::store::Owned;
use lombard_service::consents::store_status_reason;

/// A journey that began: which page to show, and the secret for the browser's cookie.
#[derive(Debug)]
pub struct StartedJourney {
    /// The journey.
    pub id: JourneyId,
    /// The browser's secret.
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
        // Locked first, so that a deletion either is seen here or sees this journey (AIS-064).
        match tx.consent_for_update(&interaction.client, &interaction.consent)? {
            Owned::Mine(mut consent) => {
                if let Err(bar) = consent.check_authorisable(context.clocks.read_bank_time(tx)?) {
                    approval::reject_late_in(tx, &consent.client, &consent.id, &context)?;
                    return Ok(Err(rules::bar_to_error(bar)));
                }
                // What hindered the attempt before this one is over.
                if consent.state == ConsentState::AwaitingAuthorisation && consent.clear_status_reason() {
                    store_status_reason(tx, &consent)?;
                }
            }
            Owned::Foreign | Owned::Absent => return Ok(Err(rules::unusable_consent())),
        }
        // The journey before this one stays, so that its browser learns what became of it.
        tx.journeys_forget_unused(&interaction.consent)?;
        tx.journeys_finish_of_consent(&interaction.consent, None)?;
        tx.journey_insert(&interaction)?;
        Ok::<_, OAuthError>(Ok(()))
    });
    inserted.await?.map_err(|error| RuleRefusal { rule: "AS-078", error })?;
    Ok(StartedJourney { id, browser })
}
