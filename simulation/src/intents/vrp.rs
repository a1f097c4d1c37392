//! Random VRP consents and payments.

use super::payee::payee;
use crate::random::SeededRandom;
use jiff::{Timestamp, ToSpan};
use lombard_domain::calendar::london_date;
use lombard_domain::money::{Amount, Currency};
use lombard_domain::payment::transfer::{CreditorDetails, NamedAccount, References, Timing, Transfer};
use lombard_domain::payment::vrp::{
    AuthenticationMethod, ControlParameters, InteractionType, LimitPeriod, PeriodAlignment, PeriodCycle, PeriodicLimit,
    PeriodicLimits, VrpConsentRequest, VrpPayment, VrpType,
};

/// Amounts, including some whose endings trigger an outcome.
const AMOUNTS: [u64; 9] = [100, 100, 999, 999, 2_500, 1_391, 1_392, 1_393, 1_395];

/// Control parameters whose limits a few payments can reach.
pub(super) fn terms(chance: &mut SeededRandom, now: Timestamp) -> Option<VrpConsentRequest> {
    let today = london_date(now);
    let days = |chance: &mut SeededRandom, most: usize| i64::try_from(chance.below(most)).unwrap_or(0).days();
    let from = days(chance, 10).checked_sub(3.days()).unwrap_or_default();
    let limits = PeriodicLimits::new((0..=chance.below(3)).filter_map(|_| limit(chance)).collect())?;
    let types = if chance.one_in(3) { VrpType::USUAL.to_vec() } else { vec![VrpType::Sweeping] };
    let methods =
        if chance.one_in(3) { AuthenticationMethod::ALL.to_vec() } else { vec![AuthenticationMethod::NotRequired] };
    Some(VrpConsentRequest {
        controls: ControlParameters {
            valid_from: chance.one_in(3).then(|| today.saturating_add(from)),
            valid_to: chance.one_in(3).then(|| today.saturating_add(days(chance, 60))),
            individual: pounds(if chance.one_in(3) { 2_000 } else { 3_000 }),
            limits,
            types: types.into_iter().collect(),
            methods: methods.into_iter().collect(),
            interactions: chance.one_in(4).then_some(InteractionType::OffSession).into_iter().collect(),
        },
        creditor: if chance.one_in(8) { None } else { Some(payee(chance)) },
        address: None,
        references: References::default(),
    })
}

fn limit(chance: &mut SeededRandom) -> Option<PeriodicLimit> {
    const PERIODS: [LimitPeriod; 6] = [
        LimitPeriod::Day,
        LimitPeriod::Week,
        LimitPeriod::Fortnight,
        LimitPeriod::Month,
        LimitPeriod::HalfYear,
        LimitPeriod::Year,
    ];
    let period = chance.pick(&PERIODS).copied()?;
    let alignment = if chance.one_in(2) { PeriodAlignment::Calendar } else { PeriodAlignment::Consent };
    let amount = chance.pick(&[2_600, 4_000, 6_501, 9_000]).copied()?;
    let cycle = PeriodCycle::new(period, alignment).unwrap_or(PeriodCycle::Consent(period));
    Some(PeriodicLimit { cycle, amount: pounds(amount) })
}

const fn pounds(minor: u64) -> Amount {
    Amount::from_minor(minor, Currency::GBP)
}

/// A payment under a consent with these control parameters. A few payments violate them.
pub(crate) fn payment(chance: &mut SeededRandom, terms: &VrpConsentRequest) -> VrpPayment {
    let other = chance.one_in(25);
    let creditor: NamedAccount = terms.creditor.clone().filter(|_| !other).unwrap_or_else(|| payee(chance));
    let minor = if chance.one_in(40) { 0 } else { chance.pick(&AMOUNTS).copied().unwrap_or(100) };
    let credit = CreditorDetails::new(creditor);
    let agreed = |all: Option<&VrpType>| all.copied().unwrap_or(VrpType::Sweeping);
    VrpPayment {
        transfer: Transfer::domestic(credit, pounds(minor), Timing::Immediate),
        kind: if chance.one_in(20) { VrpType::Other } else { agreed(terms.controls.types.first()) },
        method: AuthenticationMethod::NotRequired,
        interaction: chance.one_in(6).then_some(InteractionType::InSession),
        names_interaction: false,
    }
}
