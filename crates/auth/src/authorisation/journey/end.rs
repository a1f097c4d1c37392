//! A journey ends without an approval.

use super::gate::{Halt, Lost, Submission, admit};
use super::remembered::Remembered;
use super::steps::Step;
use crate::Auth;
use crate::authorisation::answer::Redirect;
use crate::authorisation::{rules, settle};
use crate::error::OAuthError;
use lombard_domain::grant::{Interaction, InteractionStage};

/// What becomes of the consent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Consent {
    /// It is rejected, unless it was authorised before. Source: AS-089.
    Rejected,
    /// It stays as it is: the PSU said nothing about it.
    Kept,
}

/// The PSU refuses or gives up, at whatever step. Source: RW-303, AS-089.
///
/// # Errors
/// [`Halt`]
pub async fn cancel(auth: &Auth, submission: &Submission) -> Result<Step, Halt> {
    const STAGES: &[InteractionStage] =
        &[InteractionStage::Login, InteractionStage::SecondFactor, InteractionStage::Decision];
    let (submitted, now) = (submission.clone(), auth.context.clocks.wall());
    let interaction = auth.context.store.read(move |tx| admit(tx, &submitted, STAGES, now)).await?;
    Ok(Step::Leave(with_error(auth, &interaction, settle::denied(), Consent::Rejected).await?))
}

/// Ends a journey with an error for the client: the consent, the request and the journey in one transaction.
///
/// # Errors
/// [`Halt`]
pub(super) async fn with_error(
    auth: &Auth,
    interaction: &Interaction,
    error: OAuthError,
    consent: Consent,
) -> Result<Redirect, Halt> {
    let remembered = Remembered::from(interaction)?;
    let (once, bank_now) = (remembered.once(), auth.context.clocks.bank());
    let ended = interaction.clone();
    let answered = auth.context.store.write(move |tx| {
        // The consent is locked first; then the journey must not have been replaced by another meanwhile.
        tx.consent_for_update(&ended.client, &ended.consent)?;
        let running = tx.interaction_for_update(&ended.id)?;
        if running.is_none_or(|interaction| interaction.stage == InteractionStage::Finished) {
            return Err(Halt::Lost(Lost::Ended));
        }
        match consent {
            Consent::Rejected => Ok(settle::reject_request_in(tx, &ended.client, &ended.consent, &once, bank_now)?),
            Consent::Kept => {
                tx.interactions_finish_of_consent(&ended.consent, None)?;
                Ok(once.spend(tx, &ended.client)?)
            }
        }
    });
    let error = if answered.await? { error } else { rules::already_answered() };
    tracing::info!(
        client.id = interaction.client.as_str(),
        consent.id = interaction.consent.as_str(),
        error.code = error.code.name(),
        "authorisation journey ended"
    );
    Ok(remembered.error(&error))
}
