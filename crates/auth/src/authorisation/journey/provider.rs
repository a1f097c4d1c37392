//! The login step at the bank's identity provider: the browser is sent there, and comes back with an answer.

use super::admission::{
    JourneyError, JourneySubmission, JourneyUnavailable, admit, find_live_journey, idle_end, renew_form_token,
};
use super::end;
use super::progress::{advance, cannot_decide, failed, look_up};
use super::step::{JourneyNotice, JourneyStep};
use super::stored_request::StoredRequest;
use crate::AuthorisationServer;
use crate::authorisation::approval;
use crate::browser::BrowserSecret;
use crate::error::OAuthError;
use crate::provider_login::{self, LoginTarget, NewLogin, PendingProviderLogin};
use lombard_domain::grant::{AuthorisationJourney, JourneyStage};
use lombard_domain::ids::JourneyId;
use lombard_ports::identity::{AuthenticationPurpose, LoginFailure, LoginMethod, ProviderAnswer, RedirectLogin};

/// Sends the browser to the provider, for the purpose of the journey's consent. This invalidates an earlier login of the journey that is
/// still in progress.
pub(super) async fn start(
    auth: &AuthorisationServer,
    provider: &dyn RedirectLogin,
    submission: &JourneySubmission,
) -> Result<JourneyStep, JourneyError> {
    let (submitted, now, idle_end) = (submission.clone(), auth.context.clocks.wall_now(), idle_end(auth)?);
    let seen = submission.clone();
    let shown = auth.context.store.read(move |tx| admit(tx, &seen, &[JourneyStage::Login], now)).await?;
    let (_, consent) = look_up(auth, &shown).await?;
    let expected = StoredRequest::from(&shown)?.expected.or_else(|| consent.psu.clone());
    let new = NewLogin {
        target: LoginTarget::Journey(shown.id.clone()),
        subject: format!("journey/{}", shown.id),
        browser: &submission.page.browser,
        purpose: &AuthenticationPurpose::of_consent(&consent),
        hint: expected.as_ref(),
        expires_at: idle_end,
    };
    let (login, location) = provider_login::start(auth, provider, new).await?;
    let next_token = lombard_jose::sha256(&auth.context.ids.random_secret());
    let sent = auth.context.store.write(move |tx| {
        let mut interaction = admit(tx, &submitted, &[JourneyStage::Login], now)?;
        renew_form_token(&mut interaction, next_token, idle_end);
        tx.journey_update(&interaction)?;
        Ok::<_, JourneyError>(tx.provider_login_insert(&login)?)
    });
    sent.await?;
    Ok(JourneyStep::RedirectToProvider(location))
}

/// Handles the browser's return from the provider. The provider's answer is accepted once, from the browser that was sent, and the journey
/// advances to the decision as it does after the one-time code.
///
/// Source: AS-141, AS-142.
///
/// # Errors
/// [`JourneyError`]
pub async fn finish_provider_login(
    auth: &AuthorisationServer,
    id: &JourneyId,
    browser: &BrowserSecret,
    pending: &PendingProviderLogin,
    answer: &ProviderAnswer,
) -> Result<JourneyStep, JourneyError> {
    let step = finish(auth, id, browser, pending, answer).await;
    end::note_failure(auth, id, step).await
}

async fn finish(
    auth: &AuthorisationServer,
    id: &JourneyId,
    browser: &BrowserSecret,
    pending: &PendingProviderLogin,
    answer: &ProviderAnswer,
) -> Result<JourneyStep, JourneyError> {
    let LoginMethod::Redirect(provider) = auth.identity.login_method() else { return Err(JourneyError::Stale) };
    let (wanted, owner, now) = (id.clone(), browser.clone(), auth.context.clocks.wall_now());
    let taken = pending.clone();
    let found = auth.context.store.write(move |tx| {
        let interaction = find_live_journey(tx, &wanted, &owner, now)?;
        if interaction.stage != JourneyStage::Login || !provider_login::take_in(tx, &taken, &owner, now)? {
            return Err(JourneyError::Unavailable(JourneyUnavailable::Unknown));
        }
        Ok(interaction)
    });
    let interaction = found.await?;
    let (client, consent) = look_up(auth, &interaction).await?;
    let purpose = AuthenticationPurpose::of_consent(&consent);
    let customer = match provider.finish(pending.memory(), &purpose, answer).await {
        Ok(customer) => customer,
        Err(LoginFailure::Cancelled) => {
            let rejected = end::ConsentAfterEnd::Rejected(None);
            return Ok(JourneyStep::Redirect(end::with_error(auth, &interaction, approval::denied(), rejected).await?));
        }
        Err(LoginFailure::Refused(reason)) => {
            provider_login::note_refusal(reason);
            return failed(auth, &counted(auth, id, browser).await?, JourneyNotice::ProviderRefused).await;
        }
        Err(LoginFailure::Unavailable(error)) => return Err(JourneyError::Failed(OAuthError::unavailable(error))),
    };
    let asking = auth.about(&client, &consent, Some(&customer.psu));
    let expected = StoredRequest::from(&interaction)?.expected;
    if let Some((error, what)) = cannot_decide(&asking, expected.as_ref(), &customer.psu, &consent).await? {
        return Ok(JourneyStep::Redirect(end::with_error(auth, &interaction, error, what).await?));
    }
    let authenticated = move |interaction: &mut AuthorisationJourney| {
        interaction.stage = JourneyStage::Decision;
        interaction.psu = Some(customer.psu.clone());
        interaction.psu_name.clone_from(&customer.name);
        interaction.auth_time = Some(customer.at);
        interaction.factors.clone_from(&customer.factors);
    };
    advance(auth, &interaction, None, (browser, None), authenticated).await.map(JourneyStep::NextPage)
}

/// Counts a refused answer of the provider as a failed attempt of the journey.
async fn counted(
    auth: &AuthorisationServer,
    id: &JourneyId,
    browser: &BrowserSecret,
) -> Result<AuthorisationJourney, JourneyError> {
    let (id, browser, now) = (id.clone(), browser.clone(), auth.context.clocks.wall_now());
    let counted = auth.context.store.write(move |tx| {
        let mut interaction = find_live_journey(tx, &id, &browser, now)?;
        interaction.failures = interaction.failures.saturating_add(1);
        tx.journey_update(&interaction)?;
        Ok::<_, JourneyError>(interaction)
    });
    counted.await
}
