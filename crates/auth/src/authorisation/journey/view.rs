//! The data of a journey that a page shows.

use super::account_options::AccountOptions;
use super::admission::{JourneyError, JourneyUnavailable, alive, alive_or_submitted, client_and_consent, idle_end};
use super::end;
use super::findings::{PaymentFindings, offer_and_findings};
use super::stored_request::StoredRequest;
use crate::AuthorisationServer;
use crate::browser::BrowserSecret;
use crate::error::OAuthError;
use crate::file_lines::{self, FileLinesPage, ListedFileLine};
use lombard_domain::client::Client;
use lombard_domain::consent::{Consent, ConsentRequest, DecisionEvidence, PaymentConsent};
use lombard_domain::grant::{AuthorisationJourney, JourneyStage};
use lombard_domain::ids::JourneyId;
use lombard_ports::identity::{AuthenticationPurpose, Challenge, LoginMethod};
use lombard_ports::store::Owned;
use lombard_service::payments::consents::current_conditions;

/// A journey as its present page shows it.
#[derive(Debug)]
pub struct JourneyView {
    /// The journey.
    pub id: JourneyId,
    /// Goes into the page's forms.
    pub form_token: String,
    /// Who asks.
    pub client: Client,
    /// Where the answer will go; the page's forms may be redirected to its origin. Source: AS-140.
    pub redirect_uri: String,
    /// Whether the PSU was asked over the backchannel, so that no application waits in this browser. Source: AS-160.
    pub is_decoupled: bool,
    /// What is asked for.
    pub consent: Box<Consent>,
    /// Where the PSU stands.
    pub stage: JourneyPage,
    /// What the page of the decision showed before.
    pub shown: DecisionEvidence,
}

/// Where the PSU stands, with what that page needs.
#[derive(Debug)]
pub enum JourneyPage {
    /// The login.
    Login {
        /// How it is begun.
        form: LoginForm,
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
        offer: AccountOptions,
        /// The first payments, of a file.
        lines: Vec<ListedFileLine>,
        /// What is known of a payment beside its consent.
        known: Box<PaymentFindings>,
    },
}

/// How a login begins.
#[derive(Debug)]
pub enum LoginForm {
    /// With name and password.
    Password {
        /// Sandbox only: logins to offer, each with what the customer is good for.
        shown: Vec<(String, String)>,
    },
    /// At the bank's identity provider.
    AtProvider {
        /// The origin the form leads to. Source: AS-140.
        origin: String,
    },
}

impl LoginForm {
    /// The form of this server's customers.
    ///
    /// # Errors
    /// When the identity provider cannot say.
    pub(crate) async fn of(auth: &AuthorisationServer) -> Result<Self, OAuthError> {
        let form = match auth.identity.login_method() {
            LoginMethod::Pages(pages) => pages.shown_logins().await.map(|shown| Self::Password { shown }),
            LoginMethod::Redirect(provider) => provider.origin().await.map(|origin| Self::AtProvider { origin }),
        };
        form.map_err(OAuthError::unavailable)
    }
}

/// The present page of a journey. Shows it and changes nothing, but notes a failure on our side with the consent.
///
/// # Errors
/// [`JourneyError::Unavailable`] if there is no such journey in this browser, [`JourneyError::Failed`] on our side.
pub async fn view_journey(
    auth: &AuthorisationServer,
    id: &JourneyId,
    browser: &BrowserSecret,
) -> Result<JourneyView, JourneyError> {
    let view = present_page(auth, id, browser).await;
    end::note_failure(auth, id, view).await
}

async fn present_page(
    auth: &AuthorisationServer,
    id: &JourneyId,
    browser: &BrowserSecret,
) -> Result<JourneyView, JourneyError> {
    let (wanted, shown_to, now) = (id.clone(), browser.clone(), auth.context.clocks.wall_now());
    let (interaction, client, mut consent) = auth
        .context
        .store
        .read(move |tx| {
            let interaction = alive_or_submitted(tx, &wanted, &shown_to, now)?;
            let (client, consent) = client_and_consent(tx, &interaction)?;
            Ok::<_, JourneyError>((interaction, client, consent))
        })
        .await?;
    let auth = &auth.about(&client, &consent, interaction.psu.as_ref());
    let stored = StoredRequest::from(&interaction)?;
    let (redirect_uri, is_decoupled) = (stored.redirect_uri.clone(), stored.is_decoupled());
    let form_token = browser.form_token(&interaction);
    if let (JourneyStage::Decision, ConsentRequest::Payment(payment)) = (interaction.stage, &mut consent.terms) {
        // It may have been made hours ago: what is agreed to is what is true now (PIS-104).
        payment.conditions = current_conditions(&auth.context, payment).await.map_err(OAuthError::from)?;
    }
    let stage = stage(auth, &interaction, &consent).await?;
    let (id, consent) = (interaction.id, Box::new(consent));
    Ok(JourneyView { id, form_token, client, redirect_uri, is_decoupled, consent, stage, shown: stored.shown })
}

/// Notes what the page of the decision shows now: with an approval it is kept. Whoever shows it waits for this.
///
/// # Errors
/// As [`view_journey`].
pub async fn note_shown(
    auth: &AuthorisationServer,
    id: &JourneyId,
    browser: &BrowserSecret,
    shown: DecisionEvidence,
) -> Result<(), JourneyError> {
    let (wanted, shown_to, now) = (id.clone(), browser.clone(), auth.context.clocks.wall_now());
    auth.context
        .store
        .write(move |tx| {
            let mut interaction = alive(tx, &wanted, &shown_to, now)?;
            let mut stored = StoredRequest::from(&interaction)?;
            stored.shown.clone_from(&shown);
            interaction.request = stored.to_json()?;
            Ok::<_, JourneyError>(tx.journey_update(&interaction)?)
        })
        .await
}

/// A page of the payments of the file that a customer is asked to agree to; `None` where there is no such page. Only who
/// has come to the decision sees it, and looking keeps the journey from going idle. Source: AS-142, AS-144.
///
/// # Errors
/// [`JourneyError::Unavailable`] if there is no such journey in this browser, [`JourneyError::Stale`] before the decision, [`JourneyError::Failed`] on our
/// side.
pub async fn list_file_lines(
    auth: &AuthorisationServer,
    id: &JourneyId,
    browser: &BrowserSecret,
    page: u32,
) -> Result<Option<(Box<PaymentConsent>, FileLinesPage)>, JourneyError> {
    let (wanted, shown_to) = (id.clone(), browser.clone());
    let (now, idle_end) = (auth.context.clocks.wall_now(), idle_end(auth)?);
    let found = auth.context.store.write(move |tx| {
        let mut interaction = alive(tx, &wanted, &shown_to, now)?;
        if interaction.stage != JourneyStage::Decision {
            return Err(JourneyError::Stale);
        }
        interaction.expires_at = idle_end;
        tx.journey_update(&interaction)?;
        match tx.consent(&interaction.client, &interaction.consent)? {
            Owned::Mine(consent) => Ok(consent),
            Owned::Foreign | Owned::Absent => Err(JourneyError::Unavailable(JourneyUnavailable::Ended)),
        }
    });
    let ConsentRequest::Payment(payment) = found.await?.terms else { return Ok(None) };
    let lines = file_lines::page(auth, &payment, page).await?;
    Ok(lines.map(|lines| (payment, lines)))
}

async fn stage(
    auth: &AuthorisationServer,
    interaction: &AuthorisationJourney,
    consent: &Consent,
) -> Result<JourneyPage, JourneyError> {
    match (interaction.stage, &interaction.psu) {
        (JourneyStage::Login, _) => Ok(JourneyPage::Login { form: LoginForm::of(auth).await? }),
        (JourneyStage::SecondFactor, Some(psu)) => {
            let LoginMethod::Pages(pages) = auth.identity.login_method() else { return Err(JourneyError::Stale) };
            let purpose = AuthenticationPurpose::of_consent(consent);
            let challenge =
                pages.request_code(psu, &interaction.id, &purpose).await.map_err(OAuthError::unavailable)?;
            Ok(JourneyPage::SecondFactor { challenge })
        }
        (JourneyStage::Decision, Some(psu)) => {
            let name = interaction.psu_name.clone().unwrap_or_default();
            let lines = match &consent.terms {
                ConsentRequest::Payment(payment) => file_lines::first(auth, payment).await?,
                ConsentRequest::AccountAccess(_) | ConsentRequest::FundsConfirmation(_) => Vec::new(),
            };
            let (offer, known) = offer_and_findings(auth, &interaction.id, psu, consent).await?;
            Ok(JourneyPage::Decision { name, offer, lines, known: Box::new(known) })
        }
        (JourneyStage::SecondFactor | JourneyStage::Decision, None) => {
            Err(JourneyError::Failed(OAuthError::server_error("a journey passed its login without a PSU")))
        }
        (JourneyStage::Finished, _) => Err(JourneyError::Unavailable(JourneyUnavailable::Ended)),
    }
}
