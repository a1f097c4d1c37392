//! Validation of control parameters by the rules that need neither the PSU nor an account of the bank. Source: VRP-002.

use super::{ControlParameters, VrpCapabilities};
use crate::calendar::london_date;
use crate::money::Amount;
use crate::refusal::{Fault, FaultCode, Field};
use jiff::Timestamp;

impl ControlParameters {
    /// Validates the parameters; `now` is the bank's clock.
    ///
    /// Returns every fault; an empty list means that the consent may be created.
    pub fn faults(&self, now: Timestamp, offer: &VrpCapabilities) -> Vec<Fault> {
        let mut faults = Vec::new();
        self.validity_faults(now, &mut faults);
        zero_fault(self.individual, Field::IndividualAmount, &mut faults);
        if !offer.currencies.contains(&self.currency()) {
            faults.push(unsupported_currency(Field::IndividualCurrency));
        }
        self.limit_faults(offer, &mut faults);
        if !self.types.is_subset(&offer.types) {
            faults.push(Fault::field(FaultCode::FieldInvalid, Field::VrpTypes, "A type is not offered."));
        }
        if !self.methods.is_subset(&offer.methods) {
            faults.push(Fault::field(
                FaultCode::FieldInvalid,
                Field::AuthenticationMethods,
                "A method is not offered.",
            ));
        }
        faults
    }

    /// The faults of the validity. A first day in the past is accepted. Source: VRP-012, VRP-031.
    fn validity_faults(&self, now: Timestamp, faults: &mut Vec<Fault>) {
        let message = match (self.valid_from, self.valid_to) {
            (_, Some(last)) if last < london_date(now) => "The last day must not have passed.",
            (Some(first), Some(last)) if last < first => "The last day must not come before the first.",
            (_, Some(_) | None) => return,
        };
        faults.push(Fault::field(FaultCode::FieldInvalidDate, Field::ValidTo, message));
    }

    /// The faults of the periodic limits. A limit below the individual amount, and several with the same periods, are
    /// accepted. Source: VRP-011, PIS-122.
    fn limit_faults(&self, offer: &VrpCapabilities, faults: &mut Vec<Fault>) {
        if self.limits.len() > offer.periodic_limits_max {
            faults.push(Fault::field(FaultCode::FieldInvalid, Field::PeriodicLimits, "There are too many limits."));
            return;
        }
        for (index, limit) in self.limits.iter().enumerate() {
            zero_fault(limit.amount, Field::PeriodicAmount(index), faults);
            let at = Field::PeriodicCurrency(index);
            let currency = limit.amount.currency();
            if currency != self.currency() {
                faults.push(Fault::field(FaultCode::FieldInvalid, at, "All limits must be in one currency."));
            } else if !offer.currencies.contains(&currency) {
                faults.push(unsupported_currency(at));
            }
        }
    }
}

/// The fault of a zero amount. Source: VRP-011, PIS-121.
fn zero_fault(amount: Amount, at: Field, faults: &mut Vec<Fault>) {
    if amount.minor() == 0 {
        faults.push(Fault::field(FaultCode::FieldInvalid, at, "The amount must be more than zero."));
    }
}

/// The fault of a currency that is not offered. Source: PIS-122.
fn unsupported_currency(at: Field) -> Fault {
    Fault::field(FaultCode::UnsupportedCurrency, at, "Payments of this kind cannot be made in this currency.")
}
