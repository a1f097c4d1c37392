//! The data of a journey that a page shows.

use super::account_options::AccountOptions;
use super::admission::{
    JourneyError, JourneyUnavailable, client_and_consent, find_live_journey, find_live_or_submitted_journey, idle_end,
};
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

/// The data of a journey for its current page.
#[derive(Debug)]
pub struct JourneyView {
    /// The id of the journey.
    pub id: JourneyId,
    /// The form token for the page's forms.
    pub form_token: String,
    /// The client that asks.
    pub client: Client,
    /// The redirect URI of the response; the page's forms may be redirected to its origin. Source: AS-140.
    pub redirect_uri: String,
    /// Whether the PSU was asked over the backchannel, so that no application waits in this browser. Source: AS-160.
    pub is_decoupled: bool,
    /// The consent to decide on.
    pub consent: Box<Consent>,
    /// The page that the PSU has reached.
    pub page: JourneyPage,
    /// What the decision page showed before.
    pub shown: DecisionEvidence,
}

/// The page that the PSU has reached, with its data.
#[derive(Debug)]
pub enum JourneyPage {
    /// The login page.
    Login {
        /// The form that begins the login.
        form: LoginForm,
    },
    /// The page that asks for the one-time code.
    SecondFactor {
        /// The challenge: which code was sent to which device.
        challenge: Challenge,
    },
    /// The decision page.
    Decision {
        /// The PSU's name.
        name: String,
        /// The accounts on offer.
        offer: AccountOptions,
        /// The first payments of a file; empty for other consents.
        lines: Vec<ListedFileLine>,
        /// Additional information about a payment, from the bank.
        findings: Box<PaymentFindings>,
    },
}

/// The form that begins a login.
#[derive(Debug)]
pub enum LoginForm {
    /// A form for name and password.
    Password {
        /// Sandbox only: the logins to offer, each with what the customer is useful for in tests.
        shown: Vec<(String, String)>,
    },
    /// A form that leads to the bank's identity provider.
    AtProvider {
        /// The origin the form leads to. Source: AS-140.
        origin: String,
    },
}

impl LoginForm {
    /// The form with which this server's customers log in.
    ///
    /// # Errors
    /// The identity provider failed.
    pub(crate) async fn of(auth: &AuthorisationServer) -> Result<Self, OAuthError> {
        let form = match auth.identity.login_method() {
            LoginMethod::Pages(pages) => pages.shown_logins().await.map(|shown| Self::Password { shown }),
            LoginMethod::Redirect(provider) => provider.origin().await.map(|origin| Self::AtProvider { origin }),
        };
        form.map_err(OAuthError::unavailable)
    }
}

/// Reads the current page of a journey. The journey does not change; a failure of the server is stored with the consent.
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
            let interaction = find_live_or_submitted_journey(tx, &wanted, &shown_to, now)?;
            let (client, consent) = client_and_consent(tx, &interaction)?;
            Ok::<_, JourneyError>((interaction, client, consent))
        })
        .await?;
    let auth = &auth.about(&client, &consent, interaction.psu.as_ref());
    let stored = StoredRequest::from(&interaction)?;
    let (redirect_uri, is_decoupled) = (stored.redirect_uri.clone(), stored.is_decoupled());
    let form_token = browser.form_token(&interaction);
    if let (JourneyStage::Decision, ConsentRequest::Payment(payment)) = (interaction.stage, &mut consent.request) {
        // The consent may have been created hours ago; the PSU approves the conditions that apply now (PIS-104).
        payment.conditions = current_conditions(&auth.context, payment).await.map_err(OAuthError::from)?;
    }
    let stage = stage(auth, &interaction, &consent).await?;
    let (id, consent) = (interaction.id, Box::new(consent));
    Ok(JourneyView { id, form_token, client, redirect_uri, is_decoupled, consent, page: stage, shown: stored.shown })
}

/// Stores what the decision page shows now, so that it can be kept with an approval. The page must not be sent before this returns.
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
            let mut interaction = find_live_journey(tx, &wanted, &shown_to, now)?;
            let mut stored = StoredRequest::from(&interaction)?;
            stored.shown.clone_from(&shown);
            interaction.request = stored.to_json()?;
            Ok::<_, JourneyError>(tx.journey_update(&interaction)?)
        })
        .await
}

/// Reads one page of the payments of the file that a customer is asked to approve; `None` where there is no such page. Only a PSU who has
/// reached the decision can read it, and reading postpones the end for idleness. Source: AS-142, AS-144.
///
/// # Errors
/// [`JourneyError::Unavailable`] if there is no such journey in this browser, [`JourneyError::Stale`] before the decision,
/// [`JourneyError::Failed`] on our side.
pub async fn list_file_lines(
    auth: &AuthorisationServer,
    id: &JourneyId,
    browser: &BrowserSecret,
    page: u32,
) -> Result<Option<(Box<PaymentConsent>, FileLinesPage)>, JourneyError> {
    let (wanted, shown_to) = (id.clone(), browser.clone());
    let (now, idle_end) = (auth.context.clocks.wall_now(), idle_end(auth)?);
    let found = auth.context.store.write(move |tx| {
        let mut interaction = find_live_journey(tx, &wanted, &shown_to, now)?;
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
    let ConsentRequest::Payment(payment) = found.await?.request else { return Ok(None) };
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
            let lines = match &consent.request {
                ConsentRequest::Payment(payment) => file_lines::first(auth, payment).await?,
                ConsentRequest::AccountAccess(_) | ConsentRequest::FundsConfirmation(_) => Vec::new(),
            };
            let (offer, known) = offer_and_findings(auth, &interaction.id, psu, consent).await?;
            Ok(JourneyPage::Decision { name, offer, lines, findings: Box::new(known) })
        }
        (JourneyStage::SecondFactor | JourneyStage::Decision, None) => {
            Err(JourneyError::Failed(OAuthError::server_error("a journey passed its login without a PSU")))
        }
        (JourneyStage::Finished, _) => Err(JourneyError::Unavailable(JourneyUnavailable::Ended)),
    }
}
