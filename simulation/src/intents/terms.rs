//! Random consent requests of each product, by the theme of the episode.

use super::file::{self, FileIntent, FileSent};
use super::{domestic, international, vrp};
use crate::random::SeededRandom;
use crate::world::{ACCOUNTS, numbered};
use jiff::{SignedDuration, Timestamp};
use lombard_domain::payment::order::{
    Instruction, PaymentConsentRequest, RequestedAuthorisation, RequestedAuthorisationType, ScaSupport,
};
use std::sync::Arc;

/// The product that most requests of an episode use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EpisodeTheme {
    /// Domestic payments.
    Domestic,
    /// International payments.
    International,
    /// File payments.
    Files,
    /// Variable recurring payments.
    Limits,
}

impl EpisodeTheme {
    /// All themes.
    pub(crate) const ALL: [Self; 4] = [Self::Domestic, Self::International, Self::Files, Self::Limits];
}

/// A random consent request with its file, if any. `number` is unique. A few requests are invalid.
pub(crate) fn terms(
    chance: &mut SeededRandom,
    theme: EpisodeTheme,
    now: Timestamp,
    number: u64,
) -> (PaymentConsentRequest, Option<Arc<FileSent>>) {
    let debtor = if chance.one_in(4) { chance.pick(&ACCOUNTS).map(|account| numbered(account.number)) } else { None };
    let theme = if chance.one_in(2) { theme } else { chance.pick(&EpisodeTheme::ALL).copied().unwrap_or(theme) };
    let (instruction, file): (Instruction, _) = match theme {
        EpisodeTheme::Domestic => (domestic::transfer(chance, now).into(), None),
        EpisodeTheme::International => (international::transfer(chance, now).into(), None),
        EpisodeTheme::Files => {
            let FileIntent { terms, sent } = file::file_intent(chance, number, debtor.clone());
            (Instruction::File(Box::new(terms)), Some(sent))
        }
        EpisodeTheme::Limits => match vrp::terms(chance, now) {
            Some(terms) => (Instruction::Vrp(Box::new(terms)), None),
            None => (domestic::transfer(chance, now).into(), None),
        },
    };
    let kind = if chance.one_in(4) { RequestedAuthorisationType::Single } else { RequestedAuthorisationType::Any };
    let hours = i64::try_from(chance.below(100)).unwrap_or(1);
    let end = now.saturating_add(SignedDuration::from_hours(hours)).unwrap_or(now);
    let complete_by = chance.one_in(3).then_some(end).filter(|_| instruction.vrp().is_none());
    let terms = PaymentConsentRequest {
        debtor,
        refund: instruction.file().is_none() && chance.one_in(2),
        instruction,
        authorisation: RequestedAuthorisation { kind, complete_by },
        sca: ScaSupport::default(),
        context: None,
    };
    (terms, file)
}
