//! What TPPs ask for, drawn by chance: good and bad, new and old.

mod domestic;
pub(crate) mod file;
mod international;
mod vrp;

pub(crate) use file::FileSent;
pub(crate) use vrp::payment;

use crate::random::SeededRandom;
use crate::world::{ACCOUNTS, numbered};
use file::FileIntent;
use jiff::{SignedDuration, Timestamp};
use lombard_domain::grant::Digest;
use lombard_domain::ids::{ClientId, ConsentId};
use lombard_domain::order::{
    Instruction, NamedAccount, PaymentConsentRequest, PaymentProduct, RequestedAuthorisation,
    RequestedAuthorisationType, ScaSupport,
};
use lombard_domain::vrp::VrpPayment;
use lombard_ports::store::IdempotencyKey;
use lombard_service::payments::IdempotentRequest;
use std::sync::Arc;

/// The TPPs.
pub(crate) const CLIENTS: [&str; 3] = ["acme", "rival", "robot"];

/// Endings of amounts that bring something about, and amounts that do not.
const AMOUNTS: [u64; 12] = [1, 100, 999, 2_500, 30_000, 150_000, 1_391, 1_392, 1_393, 11_394, 1_395, 21_396];

/// A request, as it is sent once or again.
#[derive(Debug, Clone)]
pub(crate) struct SentRequest {
    pub(crate) client: ClientId,
    pub(crate) product: PaymentProduct,
    pub(crate) key: String,
    /// What the body digests to: another number is another body.
    pub(crate) body: u64,
    pub(crate) asked: IntendedRequest,
}

/// What is asked for.
#[derive(Debug, Clone)]
pub(crate) enum IntendedRequest {
    /// A consent to this.
    Consent(Box<PaymentConsentRequest>),
    /// The order of a consent.
    Order {
        /// The consent.
        consent: ConsentId,
        /// Whether the order says something else than the consent.
        differing: bool,
        /// What is to be paid, where the consent leaves that open.
        payment: Option<Box<VrpPayment>>,
    },
    /// That a consent takes its file.
    File {
        /// The consent.
        consent: ConsentId,
        /// The file.
        sent: Arc<FileSent>,
    },
}

impl SentRequest {
    /// What makes it the same as another.
    pub(crate) fn once(&self) -> IdempotentRequest {
        IdempotentRequest { key: self.idempotency_key(), body: digest(self.body) }
    }

    /// Its key, in its scope.
    pub(crate) fn idempotency_key(&self) -> IdempotencyKey {
        let operation = match &self.asked {
            IntendedRequest::Consent(_) => format!("POST {}", self.product.consents_path()),
            IntendedRequest::Order { .. } => format!("POST {}", self.product.orders_path()),
            IntendedRequest::File { consent, .. } => format!("POST {}/{consent}/file", self.product.consents_path()),
        };
        IdempotencyKey { client: self.client.clone(), operation, key: self.key.clone() }
    }
}

/// What a number digests to.
pub(crate) fn digest(number: u64) -> Digest {
    let mut digest = [0; 32];
    digest.iter_mut().zip(number.to_be_bytes()).for_each(|(to, from)| *to = from);
    Digest(digest)
}

/// What most of an episode is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EpisodeTheme {
    /// Payments inside the country.
    Domestic,
    /// Payments abroad.
    International,
    /// Files of payments.
    Files,
    /// Payments within limits.
    Limits,
}

impl EpisodeTheme {
    /// All of them.
    pub(crate) const ALL: [Self; 4] = [Self::Domestic, Self::International, Self::Files, Self::Limits];
}

/// Terms of a payment, and the file they are about; `number` is no other's. A few are such as must be refused.
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

/// Somebody here or elsewhere.
fn payee(chance: &mut SeededRandom) -> NamedAccount {
    let here = if chance.one_in(3) { chance.pick(&ACCOUNTS) } else { None };
    let number = here.map_or("08080021325698", |account| account.number);
    NamedAccount::under_name(numbered(number), "Waterworks".to_owned())
}
