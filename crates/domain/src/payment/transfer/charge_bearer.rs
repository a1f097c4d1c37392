//! The charge bearers of the rails. Source: PIS-103.

use super::Instrument;
use crate::payment::ChargeBearer;

/// The charge bearers that a rail supports; the first is the default. SEPA has the service level, by which charges are
/// shared. SWIFT, TARGET2 and EURO1 have the three values of field 71A of MT 103. On domestic rails the debtor pays all
/// charges. Source: PIS-103.
pub const fn charge_bearers_on(rail: Instrument) -> &'static [ChargeBearer] {
    match rail {
        Instrument::SepaCreditTransfer | Instrument::SepaInstantCreditTransfer => {
            &[ChargeBearer::ServiceLevel, ChargeBearer::Shared]
        }
        Instrument::Swift | Instrument::Target2 | Instrument::Euro1 => {
            &[ChargeBearer::Shared, ChargeBearer::Debtor, ChargeBearer::Creditor]
        }
        Instrument::Bacs
        | Instrument::Chaps
        | Instrument::FasterPayments
        | Instrument::BalanceTransfer
        | Instrument::MoneyTransfer
        | Instrument::Paym
        | Instrument::Link => &[ChargeBearer::Debtor],
    }
}

/// The charge bearer on a rail: the requested one if the rail supports it, the default if none is requested.
pub fn default_charge_bearer(rail: Instrument, asked: Option<ChargeBearer>) -> Option<ChargeBearer> {
    match asked {
        None => charge_bearers_on(rail).first().copied(),
        Some(asked) => charge_bearers_on(rail).contains(&asked).then_some(asked),
    }
}
