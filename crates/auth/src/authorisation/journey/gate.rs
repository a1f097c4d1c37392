//! Who may touch a journey: the browser that began it, before it went idle, with the page it was shown last.

use super::browser::Browser;
use crate::Auth;
use crate::error::OAuthError;
use crate::submission::{self, Submitted};
use jiff::{SignedDuration, Timestamp};
use lombard_domain::grant::{Digest, Interaction, InteractionStage};
use lombard_domain::ids::InteractionId;
use lombard_ports::store::InteractionStore;

/// Why a page has no journey to show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lost {
    /// There is none with this id in this browser.
    Unknown,
    /// It went idle. Source: AS-090, AS-144.
    Expired,
    /// It ended: decided, replaced by another journey of the same consent, or the consent is gone.
    Ended,
}

/// Why a step was not taken.
pub type Halt = submission::Halt<Lost>;

/// A submitted page of a journey.
#[derive(Debug, Clone)]
pub struct Submission {
    /// The journey it names.
    pub id: InteractionId,
    /// The page.
    pub page: Submitted,
}

/// When a journey that moves now goes idle.
pub(super) fn idle_end(auth: &Auth) -> Result<Timestamp, OAuthError> {
    let idle = SignedDuration::from_secs(auth.settings.journey_secs);
    auth.context.clocks.wall().saturating_add(idle).map_err(OAuthError::broken)
}

/// The journey with this id, if it is this browser's and alive. Locks it in a writing transaction.
pub(super) fn alive<S: InteractionStore + ?Sized>(
    store: &mut S,
    id: &InteractionId,
    browser: &Browser,
    now: Timestamp,
) -> Result<Interaction, Halt> {
    let found = owned(store, id, browser)?;
    if found.stage == InteractionStage::Finished {
        return Err(Halt::Lost(Lost::Ended));
    }
    if found.expires_at <= now {
        return Err(Halt::Lost(Lost::Expired));
    }
    Ok(found)
}

/// The journey with this id, if it is this browser's, whatever became of it.
pub(super) fn owned<S: InteractionStore + ?Sized>(
    store: &mut S,
    id: &InteractionId,
    browser: &Browser,
) -> Result<Interaction, Halt> {
    // Absent and foreign look the same from outside.
    let found = store.interaction_for_update(id)?.filter(|interaction| browser.owns(interaction));
    found.ok_or(Halt::Lost(Lost::Unknown))
}

/// The journey a page was submitted for: alive, at this stage, with the token of the page shown last.
pub(super) fn admit<S: InteractionStore + ?Sized>(
    store: &mut S,
    submission: &Submission,
    stages: &[InteractionStage],
    now: Timestamp,
) -> Result<Interaction, Halt> {
    let interaction = alive(store, &submission.id, &submission.page.browser, now)?;
    if !stages.contains(&interaction.stage) || !holds_token(submission, &interaction) {
        return Err(Halt::Stale);
    }
    Ok(interaction)
}

/// Whether the submission holds the form token of the page shown last.
pub(super) fn holds_token(submission: &Submission, interaction: &Interaction) -> bool {
    submission.page.holds(&interaction.form_token)
}

/// The journey to leave: as [`admit`], at any stage, and also when it went idle.
pub(super) fn admit_to_leave<S: InteractionStore + ?Sized>(
    store: &mut S,
    submission: &Submission,
) -> Result<Interaction, Halt> {
    let interaction = owned(store, &submission.id, &submission.page.browser)?;
    if interaction.stage == InteractionStage::Finished {
        return Err(Halt::Lost(Lost::Ended));
    }
    if !holds_token(submission, &interaction) {
        return Err(Halt::Stale);
    }
    Ok(interaction)
}

/// Marks the page shown last as spent, and the journey as moving.
pub(super) fn turn(interaction: &mut Interaction, next_token: Digest, idle_end: Timestamp) {
    interaction.form_token = next_token;
    interaction.expires_at = idle_end;
}
