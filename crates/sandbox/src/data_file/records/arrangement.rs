//! What account holders have arranged. Source: `OBBeneficiary5`, `OBReadDirectDebit2`, `OBStandingOrder6`,
//! `OBScheduledPayment3`, `OBReadOffer1`.

use super::super::shape::{The, objects};
use super::super::values::{Exact, Key, Text};
use jiff::Timestamp;
use lombard_domain::account::{
    Agent, ArrangementStatus, Beneficiary, BeneficiaryType, DirectDebit, DirectDebitFrequency, Identification, Offer,
    OfferType, ScheduledPayment, ScheduledType, StandingOrder,
};
use lombard_domain::frequency::Frequency;
use lombard_domain::money::Amount;

objects! {
    Beneficiary as "Beneficiary" {
        account: needed(Key<40>, "AccountId");
        id: needed(Key<40>, "BeneficiaryId");
        kind: maybe(The<BeneficiaryType>, "BeneficiaryType");
        reference: maybe(Text<35>, "Reference");
        agent: maybe(The<Agent>, "CreditorAgent");
        payee: needed(The<Identification>, "CreditorAccount");
    }

    DirectDebit as "DirectDebit" {
        account: needed(Key<40>, "AccountId");
        id: needed(Key<40>, "DirectDebitId");
        mandate: needed(Text<35>, "MandateIdentification");
        status: needed(The<ArrangementStatus>, "DirectDebitStatusCode");
        name: needed(Text<70>, "Name");
        frequency: needed(The<DirectDebitFrequency>, "Frequency");
        previous: both(The<Timestamp>, "PreviousPaymentDateTime", The<Amount>, "PreviousPaymentAmount");
    }

    StandingOrder as "StandingOrder" {
        account: needed(Key<40>, "AccountId");
        id: needed(Key<40>, "StandingOrderId");
        frequency: needed(The<Frequency>, "Frequency");
        reference: maybe(Text<35>, "Reference");
        first: both(The<Timestamp>, "FirstPaymentDateTime", The<Amount>, "FirstPaymentAmount");
        next: both(The<Timestamp>, "NextPaymentDateTime", The<Amount>, "NextPaymentAmount");
        last: both(The<Timestamp>, "LastPaymentDateTime", The<Amount>, "LastPaymentAmount");
        end: both(The<Timestamp>, "FinalPaymentDateTime", The<Amount>, "FinalPaymentAmount");
        payments: maybe(The<u32>, "NumberOfPayments");
        status: needed(The<ArrangementStatus>, "StandingOrderStatusCode");
        agent: maybe(The<Agent>, "CreditorAgent");
        payee: needed(The<Identification>, "CreditorAccount");
    }

    ScheduledPayment as "ScheduledPayment" {
        account: needed(Key<40>, "AccountId");
        id: needed(Key<40>, "ScheduledPaymentId");
        at: needed(The<Timestamp>, "ScheduledPaymentDateTime");
        kind: needed(The<ScheduledType>, "ScheduledType");
        reference: maybe(Text<35>, "Reference");
        debtor_reference: maybe(Text<35>, "DebtorReference");
        amount: needed(The<Amount>, "InstructedAmount");
        agent: maybe(The<Agent>, "CreditorAgent");
        payee: needed(The<Identification>, "CreditorAccount");
    }

    Offer as "Offer" {
        account: needed(Key<40>, "AccountId");
        id: needed(Key<40>, "OfferId");
        kind: needed(The<OfferType>, "OfferType");
        description: maybe(Text<500>, "Description");
        from: maybe(The<Timestamp>, "StartDateTime");
        until: maybe(The<Timestamp>, "EndDateTime");
        rate: maybe(Exact<3, 4>, "Rate");
        value: maybe(The<i64>, "Value");
        term: maybe(Text<500>, "Term");
        url: maybe(Text<256>, "URL");
        amount: maybe(The<Amount>, "Amount");
        fee: maybe(The<Amount>, "Fee");
    }
}
