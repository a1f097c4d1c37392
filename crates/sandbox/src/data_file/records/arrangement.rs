//! Arrangements of account holders. Source: `OBBeneficiary5`, `OBReadDirectDebit2`, `OBStandingOrder6`,
//! `OBScheduledPayment3`, `OBReadOffer1`.

use super::super::iso::{CategoryPurposes, CodeIn, MandateClassifications};
use super::super::shape::{Boxed, FormOf, objects};
use super::super::values::{AsciiKey, BoundedText, ExactDecimal};
use jiff::Timestamp;
use lombard_domain::account::{
    AccountIdentification, ArrangementStatus, BankIdentification, Beneficiary, BeneficiaryType, DirectDebit,
    DirectDebitFrequency, MandateTerms, Offer, OfferType, ScheduledPayment, ScheduledType, StandingOrder,
};
use lombard_domain::frequency::Frequency;
use lombard_domain::money::Amount;

objects! {
    Beneficiary as "Beneficiary" {
        account: needed(AsciiKey<40>, "AccountId");
        id: needed(AsciiKey<40>, "BeneficiaryId");
        kind: maybe(FormOf<BeneficiaryType>, "BeneficiaryType");
        reference: maybe(BoundedText<35>, "Reference");
        agent: maybe(FormOf<BankIdentification>, "CreditorAgent");
        payee: needed(FormOf<AccountIdentification>, "CreditorAccount");
    }

    DirectDebit as "DirectDebit" {
        account: needed(AsciiKey<40>, "AccountId");
        id: needed(AsciiKey<40>, "DirectDebitId");
        mandate: needed(BoundedText<35>, "MandateIdentification");
        status: needed(FormOf<ArrangementStatus>, "DirectDebitStatusCode");
        name: needed(BoundedText<70>, "Name");
        frequency: needed(FormOf<DirectDebitFrequency>, "Frequency");
        previous: both(FormOf<Timestamp>, "PreviousPaymentDateTime", FormOf<Amount>, "PreviousPaymentAmount");
        terms: maybe(Boxed<FormOf<MandateTerms>>, "Mandate");
    }

    MandateTerms as "Mandate" {
        identification: maybe(BoundedText<35>, "MandateIdentification");
        classification: maybe(CodeIn<MandateClassifications>, "Classification");
        category_purpose: maybe(CodeIn<CategoryPurposes>, "CategoryPurposeCode");
        reason: maybe(BoundedText<256>, "Reason");
    }

    StandingOrder as "StandingOrder" {
        account: needed(AsciiKey<40>, "AccountId");
        id: needed(AsciiKey<40>, "StandingOrderId");
        frequency: needed(FormOf<Frequency>, "Frequency");
        reference: maybe(BoundedText<35>, "Reference");
        first: both(FormOf<Timestamp>, "FirstPaymentDateTime", FormOf<Amount>, "FirstPaymentAmount");
        next: both(FormOf<Timestamp>, "NextPaymentDateTime", FormOf<Amount>, "NextPaymentAmount");
        last: both(FormOf<Timestamp>, "LastPaymentDateTime", FormOf<Amount>, "LastPaymentAmount");
        end: both(FormOf<Timestamp>, "FinalPaymentDateTime", FormOf<Amount>, "FinalPaymentAmount");
        payments: maybe(FormOf<u32>, "NumberOfPayments");
        status: needed(FormOf<ArrangementStatus>, "StandingOrderStatusCode");
        terms: maybe(Boxed<FormOf<MandateTerms>>, "Mandate");
        agent: maybe(FormOf<BankIdentification>, "CreditorAgent");
        payee: needed(FormOf<AccountIdentification>, "CreditorAccount");
    }

    ScheduledPayment as "ScheduledPayment" {
        account: needed(AsciiKey<40>, "AccountId");
        id: needed(AsciiKey<40>, "ScheduledPaymentId");
        at: needed(FormOf<Timestamp>, "ScheduledPaymentDateTime");
        kind: needed(FormOf<ScheduledType>, "ScheduledType");
        reference: maybe(BoundedText<35>, "Reference");
        debtor_reference: maybe(BoundedText<35>, "DebtorReference");
        amount: needed(FormOf<Amount>, "InstructedAmount");
        agent: maybe(FormOf<BankIdentification>, "CreditorAgent");
        payee: needed(FormOf<AccountIdentification>, "CreditorAccount");
    }

    Offer as "Offer" {
        account: needed(AsciiKey<40>, "AccountId");
        id: needed(AsciiKey<40>, "OfferId");
        kind: needed(FormOf<OfferType>, "OfferType");
        description: maybe(BoundedText<500>, "Description");
        from: maybe(FormOf<Timestamp>, "StartDateTime");
        until: maybe(FormOf<Timestamp>, "EndDateTime");
        rate: maybe(ExactDecimal<3, 4>, "Rate");
        value: maybe(FormOf<i64>, "Value");
        term: maybe(BoundedText<500>, "Term");
        url: maybe(BoundedText<256>, "URL");
        amount: maybe(FormOf<Amount>, "Amount");
        fee: maybe(FormOf<Amount>, "Fee");
    }
}
