//! Validation of transfers by the bank's offer: the rules that need neither the PSU nor an account of the bank. Source: PIS-020,
//! PIS-021.

use super::{PaymentLimits, ProductLimits};
use crate::account::{AccountFields, AccountScheme, identification_faults};
use crate::calendar::london_date;
use crate::frequency::Frequency;
use crate::money::{Amount, Currency};
use crate::payment::PaymentProduct;
use crate::payment::transfer::{Instrument, Route, Schedule, ScheduleEnd, Timing, Transfer};
use crate::refusal::{Fault, FaultCode, Field};
use jiff::civil::Date;
use jiff::{Timestamp, ToSpan};

pub(in crate::payment) const CREDITOR: AccountFields = AccountFields {
    scheme: Field::CreditorScheme,
    number: Field::CreditorIdentification,
    secondary: Field::CreditorSecondary,
};

impl Transfer {
    /// Validates a payment that is made at once: a line of a file, or a payment under a VRP consent.
    ///
    /// Returns every fault.
    pub fn immediate_payment_faults(
        &self,
        product: PaymentProduct,
        now: Timestamp,
        limits: &PaymentLimits,
    ) -> Vec<Fault> {
        let Some(offered) = limits.products.get(&product) else { return vec![not_offered()] };
        let credit = self.credit();
        let mut faults = Vec::new();
        let (_, creditors) = schemes(credit.instrument, offered);
        identification_faults(&credit.creditor, &creditors, &CREDITOR, &mut faults);
        faults.extend(self.faults(product, now, limits));
        faults
    }

    /// Validates everything except the accounts, which are validated with the consent.
    pub(in crate::payment) fn faults(
        &self,
        product: PaymentProduct,
        now: Timestamp,
        limits: &PaymentLimits,
    ) -> Vec<Fault> {
        let Some(offered) = limits.products.get(&product) else { return vec![not_offered()] };
        let credit = self.credit();
        let amount = self.amount;
        let timing = &self.timing;
        let mut faults = Vec::new();
        instrument_faults(credit.instrument, offered, &mut faults);
        let rail = self.rail();
        if !limits.truncating_instruments.contains(&rail) {
            credit.length_faults(rail, reference(timing), &mut faults);
        }
        // The amount of an international payment need not be in the currency sent; the exchange rules check that.
        let carried = match &self.route {
            Route::Domestic(_) => rail.currency(),
            Route::International(payment) => {
                if !payment.is_in_reach_of(rail) {
                    faults.push(Fault::field(
                        FaultCode::UnsupportedLocalInstrument,
                        Field::LocalInstrument,
                        "This instrument does not reach the payee's bank.",
                    ));
                }
                faults.extend(payment.exchange_faults(amount, rail, &limits.exchange).into_iter().map(Fault::from));
                None
            }
        };
        let today = london_date(now);
        match timing {
            Timing::Immediate => {}
            Timing::Scheduled(day) => day_faults(*day, Field::RequestedExecution, today, limits, &mut faults),
            Timing::StandingOrder(schedule) => {
                schedule_faults(schedule, amount, today, limits, &mut faults);
                let amounts = [
                    (schedule.regular, Field::RecurringAmount, Field::RecurringCurrency),
                    (schedule.last, Field::FinalAmount, Field::FinalCurrency),
                ];
                for (other, at, currency) in amounts {
                    if let Some(other) = other {
                        amount_faults(other, at, currency, carried, limits, &mut faults);
                    }
                }
            }
        }
        let (at, currency) = first_amount(product);
        amount_faults(amount, at, currency, carried, limits, &mut faults);
        faults
    }
}

pub(in crate::payment) fn not_offered() -> Fault {
    Fault::new(FaultCode::FieldInvalid, "This kind of payment is not offered.")
}

/// The schemes of the debtor and of the creditor account. A balance transfer is between cards, a money transfer from a
/// card to a bank account; no other instrument pays to a card. Source: PIS-114, PIS-140.
pub(in crate::payment) fn schemes(
    instrument: Option<Instrument>,
    offered: &ProductLimits,
) -> (Vec<AccountScheme>, Vec<AccountScheme>) {
    const CARD: AccountScheme = AccountScheme::Pan;
    let only_cards = |schemes: &[AccountScheme]| schemes.iter().copied().filter(|it| *it == CARD).collect();
    let no_cards = |schemes: &[AccountScheme]| schemes.iter().copied().filter(|it| *it != CARD).collect();
    match instrument {
        Some(Instrument::BalanceTransfer) => {
            (only_cards(&offered.debtor_schemes), only_cards(&offered.creditor_schemes))
        }
        Some(Instrument::MoneyTransfer) => (only_cards(&offered.debtor_schemes), no_cards(&offered.creditor_schemes)),
        Some(
            Instrument::Bacs
            | Instrument::Chaps
            | Instrument::FasterPayments
            | Instrument::Swift
            | Instrument::Paym
            | Instrument::Euro1
            | Instrument::SepaCreditTransfer
            | Instrument::SepaInstantCreditTransfer
            | Instrument::Link
            | Instrument::Target2,
        )
        | None => (offered.debtor_schemes.clone(), no_cards(&offered.creditor_schemes)),
    }
}

/// The faults of the local instrument. Source: PIS-138.
pub(in crate::payment) fn instrument_faults(
    asked: Option<Instrument>,
    offered: &ProductLimits,
    faults: &mut Vec<Fault>,
) {
    if asked.is_some_and(|asked| !offered.instruments.contains(&asked)) {
        faults.push(Fault::field(
            FaultCode::UnsupportedLocalInstrument,
            Field::LocalInstrument,
            "This instrument is not offered for this kind of payment.",
        ));
    }
}

/// The faults of an amount. Source: PIS-121, PIS-123, PIS-124.
fn amount_faults(
    amount: Amount,
    at: Field,
    currency: Field,
    carried: Option<Currency>,
    limits: &PaymentLimits,
    faults: &mut Vec<Fault>,
) {
    if amount.minor() == 0 {
        faults.push(Fault::field(FaultCode::FieldInvalid, at, "The amount must be more than zero."));
    }
    if carried.is_some_and(|carried| carried != amount.currency()) {
        faults.push(Fault::field(
            FaultCode::UnsupportedCurrency,
            currency,
            "Payments of this kind cannot be made in this currency.",
        ));
    } else if limits.is_above_ceiling(amount) {
        faults.push(PaymentLimits::above_ceiling(at));
    }
}

/// The fields of the first payment's amount and currency.
const fn first_amount(product: PaymentProduct) -> (Field, Field) {
    match product {
        PaymentProduct::DomesticStandingOrder => (Field::FirstAmount, Field::FirstCurrency),
        PaymentProduct::DomesticPayment
        | PaymentProduct::DomesticScheduledPayment
        | PaymentProduct::InternationalPayment
        | PaymentProduct::InternationalScheduledPayment
        | PaymentProduct::InternationalStandingOrder
        | PaymentProduct::FilePayment
        | PaymentProduct::DomesticVrp => (Field::InstructedAmount, Field::InstructedCurrency),
    }
}

/// The field of the remittance reference. Source: PIS-131.
const fn reference(timing: &Timing) -> Field {
    match timing {
        Timing::Immediate | Timing::Scheduled(_) => Field::RemittanceReference,
        Timing::StandingOrder(_) => Field::StandingOrderReference,
    }
}

/// The faults of a day. Source: SCH-002, SCH-003, SO-007.
pub(in crate::payment) fn day_faults(
    day: Date,
    at: Field,
    today: Date,
    limits: &PaymentLimits,
    faults: &mut Vec<Fault>,
) {
    if day <= today {
        faults.push(Fault::field(FaultCode::FieldInvalidDate, at, "The date must be later than today."));
    } else if day > today.saturating_add(limits.horizon_days.days()) {
        faults.push(Fault::field(FaultCode::FieldInvalidDate, at, "The date lies too far ahead."));
    }
}

/// The faults of a schedule. Source: SO-005, SO-007 to SO-009, SO-012, SO-013.
fn schedule_faults(schedule: &Schedule, first: Amount, today: Date, limits: &PaymentLimits, faults: &mut Vec<Fault>) {
    // `NotKnown` exists in account information and v4.0 only; no payment can be made by it (SO-003, SO-005, V4-011).
    if schedule.frequency == Frequency::NotKnown {
        faults.push(Fault::field(
            FaultCode::UnsupportedFrequency,
            Field::Frequency,
            "Standing orders cannot be made with this frequency.",
        ));
    }
    day_faults(schedule.first_on, Field::FirstPayment, today, limits, faults);
    if schedule.recurring_from.is_some_and(|day| day < schedule.first_on) {
        faults.push(Fault::field(
            FaultCode::FieldInvalidDate,
            Field::RecurringPayment,
            "The second payment must not come before the first.",
        ));
    }
    if let ScheduleEnd::On(day) = schedule.end
        && day < schedule.anchor().max(schedule.first_on)
    {
        faults.push(Fault::field(
            FaultCode::FieldInvalidDate,
            Field::FinalPayment,
            "The last payment must not come before the others.",
        ));
    }
    if schedule.end == ScheduleEnd::Open && schedule.last.is_some() {
        faults.push(Fault::field(
            FaultCode::FieldUnexpected,
            Field::FinalMoney,
            "A last payment needs an end: a number of payments or a final date.",
        ));
    }
    for (other, at) in [(schedule.regular, Field::RecurringCurrency), (schedule.last, Field::FinalCurrency)] {
        if other.is_some_and(|other| other.currency() != first.currency()) {
            faults.push(Fault::field(
                FaultCode::FieldInvalid,
                at,
                "All payments of a standing order have the first one's currency.",
            ));
        }
    }
}
