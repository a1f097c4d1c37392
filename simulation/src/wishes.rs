//! What TPPs ask for, drawn by chance: good and bad, new and old.

use crate::chance::Chance;
use crate::world::{ACCOUNTS, numbered};
use jiff::civil::{Date, Weekday};
use jiff::{SignedDuration, Timestamp, ToSpan};
use lombard_domain::calendar::london_date;
use lombard_domain::frequency::Frequency;
use lombard_domain::grant::Digest;
use lombard_domain::ids::{ClientId, ConsentId};
use lombard_domain::money::{Amount, Currency};
use lombard_domain::order::{
    AuthorisationWish, AuthorisationWishType, Credit, End, Instrument, NamedAccount, PaymentTerms, Product, References,
    ScaSupport, Schedule, Timing, Transfer,
};
use lombard_ports::store::IdempotencyKey;
use lombard_service::payments::Once;
use std::num::NonZeroU16;

/// The TPPs.
pub(crate) const CLIENTS: [&str; 3] = ["acme", "rival", "robot"];

/// Endings of amounts that bring something about, and amounts that do not.
const AMOUNTS: [u64; 12] = [1, 100, 999, 2_500, 30_000, 150_000, 1_391, 1_392, 1_393, 11_394, 1_395, 21_396];

/// A request, as it is sent once or again.
#[derive(Debug, Clone)]
pub(crate) struct Request {
    pub(crate) client: ClientId,
    pub(crate) product: Product,
    pub(crate) key: String,
    /// What the body digests to: another number is another body.
    pub(crate) body: u64,
    pub(crate) asked: Asked,
}

/// What is asked for.
#[derive(Debug, Clone)]
pub(crate) enum Asked {
    /// A consent to this.
    Consent(Box<PaymentTerms>),
    /// The order of a consent.
    Order {
        /// The consent.
        consent: ConsentId,
        /// Whether the order says something else than the consent.
        differing: bool,
    },
}

impl Request {
    /// What makes it the same as another.
    pub(crate) fn once(&self) -> Once {
        let mut digest = [0; 32];
        digest.iter_mut().zip(self.body.to_be_bytes()).for_each(|(to, from)| *to = from);
        Once { key: self.idempotency_key(), body: Digest(digest) }
    }

    /// Its key, in its scope.
    pub(crate) fn idempotency_key(&self) -> IdempotencyKey {
        let path = match &self.asked {
            Asked::Consent(_) => self.product.consents_path(),
            Asked::Order { .. } => self.product.orders_path(),
        };
        IdempotencyKey { client: self.client.clone(), operation: format!("POST {path}"), key: self.key.clone() }
    }
}

/// Terms of a payment. A few are such as must be refused.
pub(crate) fn terms(chance: &mut Chance, now: Timestamp) -> PaymentTerms {
    let timing = timing(chance, london_date(now));
    let rail = match &timing {
        Timing::Recurring(_) => None,
        Timing::Immediate | Timing::On(_) => {
            let rails = [None, None, Some(Instrument::FasterPayments), Some(Instrument::Chaps), Some(Instrument::Bacs)];
            chance.pick(&rails).copied().flatten()
        }
    };
    let currency = if chance.one_in(40) { Currency::USD } else { Currency::GBP };
    let amount = chance.pick(&AMOUNTS).copied().unwrap_or(1);
    let kind = if chance.one_in(4) { AuthorisationWishType::Single } else { AuthorisationWishType::Any };
    let hours = i64::try_from(chance.below(100)).unwrap_or(1);
    let end = now.saturating_add(SignedDuration::from_hours(hours)).unwrap_or(now);
    let complete_by = chance.one_in(3).then_some(end);
    PaymentTerms {
        instruction: Transfer::domestic(
            Credit { instrument: rail, creditor: payee(chance), address: None, references: References::default() },
            Amount::from_minor(amount, currency),
            timing,
        )
        .into(),
        debtor: if chance.one_in(4) { chance.pick(&ACCOUNTS).map(|account| numbered(account.number)) } else { None },
        refund: chance.one_in(2),
        authorisation: AuthorisationWish { kind, complete_by },
        sca: ScaSupport::default(),
        context: None,
    }
}

/// Somebody here or elsewhere.
fn payee(chance: &mut Chance) -> NamedAccount {
    let here = if chance.one_in(3) { chance.pick(&ACCOUNTS) } else { None };
    let number = here.map_or("08080021325698", |account| account.number);
    NamedAccount::named(numbered(number), "Waterworks".to_owned())
}

fn timing(chance: &mut Chance, today: Date) -> Timing {
    let days = i64::try_from(chance.below(30)).unwrap_or(1);
    let day = today.saturating_add(days.days());
    match chance.below(10) {
        0..5 => Timing::Immediate,
        5..8 => Timing::On(day),
        _ => Timing::Recurring(schedule(chance, day)),
    }
}

fn schedule(chance: &mut Chance, first_on: Date) -> Schedule {
    let frequencies = [
        Frequency::EveryWorkingDay,
        Frequency::IntervalDay(10),
        Frequency::IntervalWeekDay(1, Weekday::Friday),
        Frequency::IntervalMonthDay(1, -1),
        Frequency::IntervalMonthDay(1, 31),
    ];
    let frequency = chance.pick(&frequencies).copied().unwrap_or(Frequency::EveryWorkingDay);
    let count = u16::try_from(chance.below(6)).unwrap_or(0);
    let end = match (chance.below(3), NonZeroU16::new(count)) {
        (0, Some(count)) => End::After(count),
        (1, _) => End::On(first_on.saturating_add(50.days())),
        _ => End::Open,
    };
    let regular = chance.one_in(3).then_some(Amount::from_minor(777, Currency::GBP));
    let last = (end != End::Open && chance.one_in(3)).then_some(Amount::from_minor(55, Currency::GBP));
    Schedule { frequency, first_on, recurring_from: None, end, regular, last }
}
