//! Validation of payment consent requests by the rules that need neither the PSU nor an account of the bank. Source:
//! PIS-020, PIS-021.
//!
//! These faults refuse the creation of the consent, all at once (PIS-023). Faults that depend on the PSU's account are
//! found at authorisation.

use super::{Instruction, PaymentConsentRequest};
use crate::account::{AccountFields, identification_faults};
use crate::calendar::london_date;
use crate::payment::offer::{
    CREDITOR, PaymentLimits, ProductLimits, day_faults, instrument_faults, not_offered, schemes,
};
use crate::payment::transfer::Timing;
use crate::payment::vrp::{VrpConsentRequest, VrpType};
use crate::refusal::{Fault, FaultCode, Field};
use jiff::Timestamp;

const DEBTOR: AccountFields = AccountFields {
    scheme: Field::DebtorScheme,
    number: Field::DebtorIdentification,
    secondary: Field::DebtorSecondary,
};

impl PaymentConsentRequest {
    /// Validates the content by the rules that do not need the PSU; `now` is the bank's clock.
    ///
    /// Returns every fault; an empty list means that the consent may be created.
    pub fn faults(&self, now: Timestamp, limits: &PaymentLimits) -> Vec<Fault> {
        let product = self.product();
        let Some(offered) = limits.products.get(&product) else {
            return vec![not_offered()];
        };
        let mut faults = Vec::new();
        self.authorisation_faults(now, &mut faults);
        if limits.context_required && product.has_risk() && self.context.is_none() {
            faults.push(Fault::field(FaultCode::FieldMissing, Field::PaymentRisk, "This member is required."));
        }
        self.account_faults(offered, &mut faults);
        match &self.instruction {
            Instruction::Transfer(transfer) => faults.extend(transfer.faults(product, now, limits)),
            Instruction::File(terms) => {
                instrument_faults(terms.instrument, offered, &mut faults);
                // A day that is not in the future means immediate execution (FILE-016).
                if let Timing::Scheduled(day) = terms.timing(london_date(now)) {
                    day_faults(day, Field::RequestedExecution, london_date(now), limits, &mut faults);
                }
            }
            Instruction::Vrp(terms) => {
                faults.extend(terms.controls.faults(now, &limits.vrp));
                terms.creditor_faults(limits, &mut faults);
            }
        }
        faults
    }

    /// The faults of the authorisation block. Source: PIS-110.
    fn authorisation_faults(&self, now: Timestamp, faults: &mut Vec<Fault>) {
        if self.authorisation.complete_by.is_some_and(|end| end <= now) {
            faults.push(Fault::field(
                FaultCode::FieldInvalidDate,
                Field::AuthorisationCompletion,
                "The authorisation must be complete at a time in the future.",
            ));
        }
    }

    /// The faults of the debtor and creditor accounts. Source: PIS-114, PIS-116, PIS-118, PIS-140.
    fn account_faults(&self, offered: &ProductLimits, faults: &mut Vec<Fault>) {
        let creditor = self.instruction.creditor();
        let (debtors, creditors) = schemes(self.instruction.instrument(), offered);
        if let Some(debtor) = &self.debtor {
            identification_faults(debtor, &debtors, &DEBTOR, faults);
            if creditor.is_some_and(|creditor| debtor.is_same_account(creditor)) {
                faults.push(Fault::field(
                    FaultCode::FieldInvalid,
                    Field::CreditorAccount,
                    "The account to pay to is the account to pay from.",
                ));
            }
        }
        if let Some(creditor) = creditor {
            identification_faults(creditor, &creditors, &CREDITOR, faults);
        }
    }
}

impl VrpConsentRequest {
    /// A sweeping consent names its creditor account. Source: VRP-015.
    fn creditor_faults(&self, limits: &PaymentLimits, faults: &mut Vec<Fault>) {
        let sweeps = self.controls.types.contains(&VrpType::Sweeping);
        if self.creditor.is_none() && sweeps && !limits.allows_sweeping_without_creditor {
            faults.push(Fault::field(
                FaultCode::FieldExpected,
                Field::CreditorAccount,
                "Payments between a customer's own accounts need the account to pay to.",
            ));
        }
    }
}
