//! Arrangements of account holders. Source: `OBBeneficiary5`, `OBReadDirectDebit2`, `OBStandingOrder6`,
//! `OBScheduledPayment3`, `OBReadOffer1`.

use crate::form::iso::{CategoryPurposes, CodeIn, MandateClassifications};
use crate::form::shape::{Boxed, FormOf};
use crate::form::values::{AsciiKey, BoundedText, ExactDecimal};
use crate::objects;
use jiff::Timestamp;
use lombard_domain::account::{
    AccountIdentification, ArrangementStatus, BankIdentification, Beneficiary, BeneficiaryType, DirectDebit,
    DirectDebitFrequency, MandateTerms, Offer, OfferType, ScheduledPayment, ScheduledType, StandingOrder,
};
use lombard_domain::frequency::Frequency;
use lombard_domain::money::Amount;

objects! {
    /// A beneficiary of an account.
    Beneficiary as "Beneficiary" {
        /// The account.
        account: required(AsciiKey<40>, "AccountId");
        /// Its id.
        id: required(AsciiKey<40>, "BeneficiaryId");
        /// Whether the beneficiary is trusted.
        kind: optional(FormOf<BeneficiaryType>, "BeneficiaryType");
        /// The reference for payments to the beneficiary, at most 35 characters.
        reference: optional(BoundedText<35>, "Reference");
        /// The servicing bank of the payee's account.
        agent: optional(FormOf<BankIdentification>, "CreditorAgent");
        /// The payee's account. Shown only with the Detail permission, and then always present.
        payee: required(FormOf<AccountIdentification>, "CreditorAccount");
    }

    /// A direct debit mandate on an account.
    DirectDebit as "DirectDebit" {
        /// The account debited.
        account: required(AsciiKey<40>, "AccountId");
        /// Its id.
        id: required(AsciiKey<40>, "DirectDebitId");
        /// The mandate identification, at most 35 characters.
        mandate: required(BoundedText<35>, "MandateIdentification");
        /// The status.
        status: required(FormOf<ArrangementStatus>, "DirectDebitStatusCode");
        /// The name of the service user who collects, at most 70 characters.
        name: required(BoundedText<70>, "Name");
        /// The frequency.
        frequency: required(FormOf<DirectDebitFrequency>, "Frequency");
        /// The time and amount of the previous collection.
        previous: both(FormOf<Timestamp>, "PreviousPaymentDateTime", FormOf<Amount>, "PreviousPaymentAmount");
        /// What is agreed with the mandate.
        terms: optional(Boxed<FormOf<MandateTerms>>, "Mandate");
    }

    /// What is agreed with a mandate, beside its payments.
    MandateTerms as "Mandate" {
        /// The identification of a standing order's mandate, at most 35 characters; a direct debit has its own.
        identification: optional(BoundedText<35>, "MandateIdentification");
        /// Whether the amount is fixed, variable or by usage.
        classification: optional(CodeIn<MandateClassifications>, "Classification");
        /// The category of its purpose (`ExternalCategoryPurpose1Code`).
        category_purpose: optional(CodeIn<CategoryPurposes>, "CategoryPurposeCode");
        /// The reason for it, at most 256 characters.
        reason: optional(BoundedText<256>, "Reason");
    }

    /// A standing order.
    StandingOrder as "StandingOrder" {
        /// The account debited.
        account: required(AsciiKey<40>, "AccountId");
        /// Its id.
        id: required(AsciiKey<40>, "StandingOrderId");
        /// The frequency.
        frequency: required(FormOf<Frequency>, "Frequency");
        /// The reference for the payee, at most 35 characters.
        reference: optional(BoundedText<35>, "Reference");
        /// The first payment.
        first: both(FormOf<Timestamp>, "FirstPaymentDateTime", FormOf<Amount>, "FirstPaymentAmount");
        /// The next payment; none once the standing order is inactive.
        next: both(FormOf<Timestamp>, "NextPaymentDateTime", FormOf<Amount>, "NextPaymentAmount");
        /// The last payment made.
        last: both(FormOf<Timestamp>, "LastPaymentDateTime", FormOf<Amount>, "LastPaymentAmount");
        /// The final payment, if an end is set.
        end: both(FormOf<Timestamp>, "FinalPaymentDateTime", FormOf<Amount>, "FinalPaymentAmount");
        /// The number of payments, if it is limited.
        payments: optional(FormOf<u32>, "NumberOfPayments");
        /// The status.
        status: required(FormOf<ArrangementStatus>, "StandingOrderStatusCode");
        /// What is agreed with the mandate.
        terms: optional(Boxed<FormOf<MandateTerms>>, "Mandate");
        /// The servicing bank of the payee's account.
        agent: optional(FormOf<BankIdentification>, "CreditorAgent");
        /// The payee's account. Shown only with the Detail permission, and then always present.
        payee: required(FormOf<AccountIdentification>, "CreditorAccount");
    }

    /// A scheduled payment.
    ScheduledPayment as "ScheduledPayment" {
        /// The account debited.
        account: required(AsciiKey<40>, "AccountId");
        /// Its id.
        id: required(AsciiKey<40>, "ScheduledPaymentId");
        /// The scheduled time (bank clock).
        at: required(FormOf<Timestamp>, "ScheduledPaymentDateTime");
        /// The meaning of that time.
        kind: required(FormOf<ScheduledType>, "ScheduledType");
        /// The reference for the payee, at most 35 characters.
        reference: optional(BoundedText<35>, "Reference");
        /// The reference for the payer, at most 35 characters.
        debtor_reference: optional(BoundedText<35>, "DebtorReference");
        /// The amount.
        amount: required(FormOf<Amount>, "InstructedAmount");
        /// The servicing bank of the payee's account.
        agent: optional(FormOf<BankIdentification>, "CreditorAgent");
        /// The payee's account. Shown only with the Detail permission, and then always present.
        payee: required(FormOf<AccountIdentification>, "CreditorAccount");
    }

    /// An offer of the bank to an account holder.
    Offer as "Offer" {
        /// The account.
        account: required(AsciiKey<40>, "AccountId");
        /// Its id.
        id: required(AsciiKey<40>, "OfferId");
        /// Its type.
        kind: required(FormOf<OfferType>, "OfferType");
        /// Its description, at most 500 characters.
        description: optional(BoundedText<500>, "Description");
        /// The start of its validity.
        from: optional(FormOf<Timestamp>, "StartDateTime");
        /// The end of its validity.
        until: optional(FormOf<Timestamp>, "EndDateTime");
        /// The rate in per cent, at most 3 digits and 4 decimals.
        rate: optional(ExactDecimal<3, 4>, "Rate");
        /// A value associated with the offer, such as a number of months.
        value: optional(FormOf<i64>, "Value");
        /// The term of the offer, at most 500 characters.
        term: optional(BoundedText<500>, "Term");
        /// The address of further information, at most 256 characters.
        url: optional(BoundedText<256>, "URL");
        /// The amount offered.
        amount: optional(FormOf<Amount>, "Amount");
        /// The fee of the offer.
        fee: optional(FormOf<Amount>, "Fee");
    }
}
