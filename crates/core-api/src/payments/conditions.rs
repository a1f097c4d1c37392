//! The bank's conditions for a payment: charges, times and the rate.

use crate::form::shape::FormOf;
use crate::objects;
use jiff::Timestamp;
use lombard_domain::money::Amount;
use lombard_domain::payment::exchange::Quote;
use lombard_domain::payment::transfer::{AfterCutOffPolicy, CutOff, PaymentConditions};
use lombard_domain::payment::{Charge, ChargeBearer, ChargeType};

objects! {
    /// The conditions that the bank states for a payment when its consent is created, and updates afterwards.
    PaymentConditions as "PaymentConditions" {
        /// The charges, shown to the PSU before authorisation.
        charges: list(FormOf<Charge>, "Charges");
        /// The cut-off, if there is one.
        cut_off: optional(FormOf<CutOff>, "CutOff");
        /// When the payment is expected to be executed.
        execution_at: optional(FormOf<Timestamp>, "ExpectedExecutionDateTime");
        /// When it is expected to be settled.
        settlement_at: optional(FormOf<Timestamp>, "ExpectedSettlementDateTime");
        /// The exchange rate, if the payment requested one; fixed once it is stated.
        quote: optional(FormOf<Quote>, "ExchangeRateInformation");
    }

    /// A charge for a payment.
    Charge as "Charge" {
        /// Who pays it.
        bearer: required(FormOf<ChargeBearer>, "ChargeBearer");
        /// What it is for.
        kind: required(FormOf<ChargeType>, "Type");
        /// How much it is.
        amount: required(FormOf<Amount>, "Amount");
    }

    /// The cut-off of a payment, as rendered, and what happens after it.
    CutOff as "CutOff" {
        /// The cut-off (bank clock); a payment at this instant is late already.
        at: required(FormOf<Timestamp>, "CutOffDateTime");
        /// What happens to a later payment.
        lateness: required(FormOf<AfterCutOffPolicy>, "After");
    }
}
