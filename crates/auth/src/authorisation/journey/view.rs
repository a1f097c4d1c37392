//! What a page shows of a journey.

use super::browser::Browser;
use super::gate::{Halt, Lost, alive, idle_end};
use super::offer::{Offer, name, offer};
use super::remembered::StoredRequest;
use crate::AuthorisationServer;
use crate::error::OAuthError;
use crate::lines::{self, Line, Lines};
use lombard_domain::client::Client;
use lombard_domain::consent::{Consent, PaymentConsent, Terms};
use lombard_domain::grant::{Interaction, JourneyStage};
use lombard_domain::ids::JourneyId;
use lombard_ports::identity::{Challenge, Purpose};
use lombard_ports::store::Owned;
use lombard_service::payments::consents::current_conditions;

/// A journey as its present page shows it.
#[derive(Debug)]
pub struct View {
    /// The journey.
    pub id: JourneyId,
    /// Goes into the page's forms.
    pub form_token: String,
    /// Who asks.
    pub client: Client,
    /// Where the answer will go; the page's forms may be redirected to its origin. Source: AS-140.
    pub redirect_uri: String,
    /// What is asked for.
    pub consent: Box<Consent>,
    /// Where the PSU stands.
    pub stage: Stage,
}

/// Where the PSU stands, with what that page needs.
#[derive(Debug)]
pub enum Stage {
    /// Name and password.
    Login {
        /// Sandbox only: logins to offer, each with what the customer is good for.
        shown: Vec<(String, String)>,
    },
    /// The one-time code.
    SecondFactor {
        /// What was sent where.
        challenge: Challenge,
    },
    /// The decision.
    Decision {
        /// The PSU's name.
        name: String,
        /// The accounts on offer.
        offer: Offer,
        /// The first payments, of a file.
        lines: Vec<Line>,
    },
}

/// The present page of a journey. Shows, changes nothing.
///
/// # Errors
/// [`Halt::Lost`] if there is no such journey in this browser, [`Halt::Failed`] on our side.
pub async fn view(auth: &AuthorisationServer, id: &JourneyId, browser: &Browser) -> Result<View, Halt> {
    let (wanted, shown_to, now) = (id.clone(), browser.clone(), auth.context.clocks.wall());
    let (interaction, client, mut consent) = auth
        .context
        .store
        .read(move |tx| {
            let interaction = alive(tx, &wanted, &shown_to, now)?;
            let client = tx.client(&interaction.client)?.ok_or(Halt::Lost(Lost::Ended))?;
            match tx.consent(&interaction.client, &interaction.consent)? {
                Owned::Mine(consent) => Ok((interaction, client, consent)),
                Owned::Foreign | Owned::Absent => Err(Halt::Lost(Lost::Ended)),
            }
        })
        .await?;
    let redirect_uri = StoredRequest::from(&interaction)?.redirect_uri;
    let form_token = browser.form_token(&interaction);
    if let (JourneyStage::Decision, Terms::Payment(payment)) = (interaction.stage, &mut consent.terms) {
        // It may have been made hours ago: what is agreed to is what is true now (PIS-104).
        payment.conditions = current_conditions(&auth.context, payment).await.map_err(OAuthError::from)?;
    }
    let stage = stage(auth, &interaction, &consent).await?;
    Ok(View { id: interaction.id, form_token, client, redirect_uri, consent: Box::new(consent), stage })
}

/// A page of the payments of the file that a customer is asked to agree to; `None` where there is no such page. Only who
/// has come to the decision sees it, and looking keeps the journey from going idle. Source: AS-142, AS-144.
///
/// # Errors
/// [`Halt::Lost`] if there is no such journey in this browser, [`Halt::Stale`] before the decision, [`Halt::Failed`] on our
/// side.
pub async fn lines(
    auth: &AuthorisationServer,
    id: &JourneyId,
    browser: &Browser,
    page: u32,
) -> Result<Option<(Box<PaymentConsent>, Lines)>, Halt> {
    let (wanted, shown_to) = (id.clone(), browser.clone());
    let (now, idle_end) = (auth.context.clocks.wall(), idle_end(auth)?);
    let found = auth.context.store.write(move |tx| {
        let mut interaction = alive(tx, &wanted, &shown_to, now)?;
        if interaction.stage != JourneyStage::Decision {
            return Err(Halt::Stale);
        }
        interaction.expires_at = idle_end;
        tx.journey_update(&interaction)?;
        match tx.consent(&interaction.client, &interaction.consent)? {
            Owned::Mine(consent) => Ok(consent),
            Owned::Foreign | Owned::Absent => Err(Halt::Lost(Lost::Ended)),
        }
    });
    let Terms::Payment(payment) = found.await?.terms else { return Ok(None) };
    let lines = lines::page(auth, &payment, page).await?;
    Ok(lines.map(|lines| (payment, lines)))
}

async fn stage(auth: &AuthorisationServer, interaction: &Interaction, consent: &Consent) -> Result<Stage, Halt> {
    let unavailable = OAuthError::unavailable;
    match (interaction.stage, &interaction.psu) {
        (JourneyStage::Login, _) => {
            Ok(Stage::Login { shown: auth.identity.shown_logins().await.map_err(unavailable)? })
        }
        (JourneyStage::SecondFactor, Some(psu)) => {
            let purpose = purpose(consent);
            let challenge = auth.identity.challenge(psu, &interaction.id, &purpose).await.map_err(unavailable)?;
            Ok(Stage::SecondFactor { challenge })
        }
        (JourneyStage::Decision, Some(psu)) => {
            let name = name(auth, psu).await?.unwrap_or_default();
            let lines = match &consent.terms {
                Terms::Payment(payment) => lines::first(auth, payment).await?,
                Terms::AccountAccess(_) | Terms::FundsConfirmation(_) => Vec::new(),
            };
            Ok(Stage::Decision { name, offer: offer(auth, &interaction.id, psu, consent).await?, lines })
        }
        (JourneyStage::SecondFactor | JourneyStage::Decision, None) => {
            Err(Halt::Failed(OAuthError::broken("a journey passed its login without a PSU")))
        }
        (JourneyStage::Finished, _) => Err(Halt::Lost(Lost::Ended)),
    }
}

/// What the journey's one-time code is for: it is linked to the amount and the payee of a payment. Source: AS-142.
pub(super) fn purpose(consent: &Consent) -> Purpose {
    match &consent.terms {
        Terms::AccountAccess(_) | Terms::FundsConfirmation(_) => Purpose::Entry,
        Terms::Payment(payment) => Purpose::payment(payment),
    }
}
