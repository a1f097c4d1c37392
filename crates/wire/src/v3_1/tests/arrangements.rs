//! Arrangements of account holders.

use super::{at, shown};
use lombard_domain::account::{
    AccountIdentification, AccountScheme, AddressType, Aliased, ArrangementStatus, BankIdentification, Beneficiary,
    BeneficiaryType, DirectDebit, DirectDebitFrequency, Instalment, Offer, OfferType, PostalAddress, ScheduledPayment,
    ScheduledType, StandingOrder,
};
use lombard_domain::frequency::Frequency;
use lombard_domain::money::{Amount, Currency};
use serde_json::{Value, json};

fn gbp(minor: u64) -> Amount {
    Amount::from_minor(minor, Currency::GBP)
}

fn one<T>(record: T) -> [Aliased<T>; 1] {
    [Aliased { alias: "a-1".into(), record }]
}

fn payee() -> AccountIdentification {
    AccountIdentification {
        scheme: AccountScheme::SortCodeAccountNumber,
        number: "80200110203345".into(),
        name: Some("Mr Bates".into()),
        secondary: Some("roll 7".into()),
        proxy: None,
    }
}

fn payee_json() -> Value {
    json!({
        "SchemeName": "UK.OBIE.SortCodeAccountNumber", "Identification": "80200110203345", "Name": "Mr Bates",
        "SecondaryIdentification": "roll 7",
    })
}

fn by_bic() -> BankIdentification {
    BankIdentification { bic: Some("LOMBGB2L".into()), ..by_name() }
}

fn by_name() -> BankIdentification {
    let text = |text: &str| Some(text.to_owned());
    BankIdentification {
        bic: None,
        name: text("Sparkasse"),
        address: Some(PostalAddress {
            kind: Some(AddressType::PoBox),
            department: text("Payments"),
            sub_department: text("Abroad"),
            street: text("Hauptstrasse"),
            building: text("12a"),
            post_code: text("10115"),
            town: text("Berlin"),
            county: text("BE"),
            country: text("DE"),
            lines: vec!["c/o Lombard".into()],
            ..PostalAddress::default()
        }),
        lei: None,
    }
}

fn beneficiary(agent: Option<BankIdentification>) -> Beneficiary<Option<AccountIdentification>> {
    Beneficiary {
        id: "b-1".into(),
        account: "bank-1".into(),
        kind: Some(BeneficiaryType::Trusted),
        reference: Some("Towbar Club".into()),
        agent,
        payee: Some(payee()),
    }
}

#[test]
fn ais_160_and_ais_162_a_payee_has_its_bank_by_bic_or_by_name_and_address() {
    let by_bic = shown(one(beneficiary(Some(by_bic()))).as_slice());
    assert_eq!(
        by_bic["Data"],
        json!({ "Beneficiary": [{
            "AccountId": "a-1", "BeneficiaryId": "b-1", "BeneficiaryType": "Trusted", "Reference": "Towbar Club",
            "CreditorAgent": { "SchemeName": "UK.OBIE.BICFI", "Identification": "LOMBGB2L" },
            "CreditorAccount": payee_json(),
        }] })
    );
    let by_name = shown(one(beneficiary(Some(by_name()))).as_slice());
    assert_eq!(
        by_name["Data"]["Beneficiary"][0]["CreditorAgent"],
        json!({
            "Name": "Sparkasse",
            "PostalAddress": {
                "AddressType": "POBox", "Department": "Payments", "SubDepartment": "Abroad",
                "AddressLine": ["c/o Lombard"], "StreetName": "Hauptstrasse", "BuildingNumber": "12a",
                "PostCode": "10115", "TownName": "Berlin", "CountrySubDivision": "BE", "Country": "DE",
            },
        })
    );
    let nameless = shown(one(beneficiary(Some(BankIdentification::default()))).as_slice());
    assert_eq!(nameless["Data"]["Beneficiary"][0].get("CreditorAgent"), None, "RW-245");
}

#[test]
fn ais_050_and_rw_245_a_payee_of_which_little_is_shown() {
    let basic = Beneficiary { kind: None, reference: None, agent: None, payee: None, ..beneficiary(None) };
    assert_eq!(
        shown(one(basic).as_slice())["Data"]["Beneficiary"][0],
        json!({ "AccountId": "a-1", "BeneficiaryId": "b-1" })
    );
    assert_eq!(
        shown::<[Aliased<Beneficiary<Option<AccountIdentification>>>]>(&[])["Data"],
        json!({ "Beneficiary": [] })
    );
}

#[test]
fn ais_170_a_direct_debit() {
    let full = DirectDebit {
        id: "d-1".into(),
        account: "bank-1".into(),
        mandate: "Caravanners".into(),
        status: ArrangementStatus::Active,
        name: "Towbar Club 3 - We Love Towbars".into(),
        frequency: DirectDebitFrequency::HalfYearly,
        previous: Some((at(0), gbp(57))),
        terms: None,
    };
    assert_eq!(
        shown(one(full.clone()).as_slice())["Data"],
        json!({ "DirectDebit": [{
            "AccountId": "a-1", "DirectDebitId": "d-1", "MandateIdentification": "Caravanners",
            "DirectDebitStatusCode": "Active", "Name": "Towbar Club 3 - We Love Towbars",
            "Frequency": "UK.OBIE.HalfYearly", "PreviousPaymentDateTime": "1970-01-01T00:00:00+00:00",
            "PreviousPaymentAmount": { "Amount": "0.57", "Currency": "GBP" },
        }] })
    );
    let fresh = DirectDebit { status: ArrangementStatus::Inactive, previous: None, ..full };
    assert_eq!(
        shown(one(fresh).as_slice())["Data"]["DirectDebit"][0],
        json!({
            "AccountId": "a-1", "DirectDebitId": "d-1", "MandateIdentification": "Caravanners",
            "DirectDebitStatusCode": "Inactive", "Name": "Towbar Club 3 - We Love Towbars",
            "Frequency": "UK.OBIE.HalfYearly",
        })
    );
}

fn standing_order() -> StandingOrder<Option<AccountIdentification>> {
    let instalment = |secs, minor| Some(Instalment { at: at(secs), amount: gbp(minor) });
    StandingOrder {
        id: "s-1".into(),
        account: "bank-1".into(),
        frequency: Frequency::IntervalMonthDay(1, -1),
        reference: Some("Rent".into()),
        first: instalment(1, 100),
        next: instalment(3, 300),
        last: instalment(2, 200),
        end: instalment(4, 400),
        payments: Some(12),
        status: ArrangementStatus::Active,
        agent: Some(by_bic()),
        payee: Some(payee()),
        terms: None,
    }
}

#[test]
fn ais_171_and_ais_172_a_standing_order() {
    assert_eq!(
        shown(one(standing_order()).as_slice())["Data"],
        json!({ "StandingOrder": [{
            "AccountId": "a-1", "StandingOrderId": "s-1", "Frequency": "IntrvlMnthDay:01:-01", "Reference": "Rent",
            "FirstPaymentDateTime": "1970-01-01T00:00:01+00:00", "NextPaymentDateTime": "1970-01-01T00:00:03+00:00",
            "LastPaymentDateTime": "1970-01-01T00:00:02+00:00", "FinalPaymentDateTime": "1970-01-01T00:00:04+00:00",
            "NumberOfPayments": "12", "StandingOrderStatusCode": "Active",
            "FirstPaymentAmount": { "Amount": "1.00", "Currency": "GBP" },
            "NextPaymentAmount": { "Amount": "3.00", "Currency": "GBP" },
            "LastPaymentAmount": { "Amount": "2.00", "Currency": "GBP" },
            "FinalPaymentAmount": { "Amount": "4.00", "Currency": "GBP" },
            "CreditorAgent": { "SchemeName": "UK.OBIE.BICFI", "Identification": "LOMBGB2L" },
            "CreditorAccount": payee_json(),
        }] })
    );
    let bare = StandingOrder {
        reference: None,
        first: None,
        next: None,
        last: None,
        end: None,
        payments: None,
        status: ArrangementStatus::Inactive,
        // There is room for a BIC only.
        agent: Some(by_name()),
        payee: None,
        ..standing_order()
    };
    assert_eq!(
        shown(one(bare).as_slice())["Data"]["StandingOrder"][0],
        json!({
            "AccountId": "a-1", "StandingOrderId": "s-1", "Frequency": "IntrvlMnthDay:01:-01",
            "StandingOrderStatusCode": "Inactive",
        })
    );
}

#[test]
fn ais_173_a_scheduled_payment() {
    let full = ScheduledPayment {
        id: "p-1".into(),
        account: "bank-1".into(),
        at: at(0),
        kind: ScheduledType::Arrival,
        reference: Some("Deposit".into()),
        debtor_reference: Some("Flat".into()),
        amount: gbp(50_000),
        agent: Some(by_bic()),
        payee: Some(payee()),
    };
    assert_eq!(
        shown(one(full.clone()).as_slice())["Data"],
        json!({ "ScheduledPayment": [{
            "AccountId": "a-1", "ScheduledPaymentId": "p-1",
            "ScheduledPaymentDateTime": "1970-01-01T00:00:00+00:00", "ScheduledType": "Arrival",
            "Reference": "Deposit", "DebtorReference": "Flat",
            "InstructedAmount": { "Amount": "500.00", "Currency": "GBP" },
            "CreditorAgent": { "SchemeName": "UK.OBIE.BICFI", "Identification": "LOMBGB2L" },
            "CreditorAccount": payee_json(),
        }] })
    );
    let kind = ScheduledType::Execution;
    let basic = ScheduledPayment { kind, reference: None, debtor_reference: None, agent: None, payee: None, ..full };
    assert_eq!(
        shown(one(basic).as_slice())["Data"]["ScheduledPayment"][0],
        json!({
            "AccountId": "a-1", "ScheduledPaymentId": "p-1",
            "ScheduledPaymentDateTime": "1970-01-01T00:00:00+00:00", "ScheduledType": "Execution",
            "InstructedAmount": { "Amount": "500.00", "Currency": "GBP" },
        })
    );
}

#[test]
fn ais_182_an_offer() {
    let full = Offer {
        id: "o-1".into(),
        account: "bank-1".into(),
        kind: OfferType::BalanceTransfer,
        description: Some("Nought per cent".into()),
        from: Some(at(0)),
        until: Some(at(1)),
        rate: Some("-1.2500".parse().unwrap()),
        value: Some(24),
        term: Some("24 months".into()),
        url: Some("https://bank.example/offer".into()),
        amount: Some(gbp(100_000)),
        fee: Some(gbp(2_900)),
    };
    assert_eq!(
        shown(one(full.clone()).as_slice())["Data"],
        json!({ "Offer": [{
            "AccountId": "a-1", "OfferId": "o-1", "OfferType": "BalanceTransfer", "Description": "Nought per cent",
            "StartDateTime": "1970-01-01T00:00:00+00:00", "EndDateTime": "1970-01-01T00:00:01+00:00",
            "Rate": "-1.25", "Value": 24, "Term": "24 months", "URL": "https://bank.example/offer",
            "Amount": { "Amount": "1000.00", "Currency": "GBP" }, "Fee": { "Amount": "29.00", "Currency": "GBP" },
        }] })
    );
    let bare = Offer {
        description: None,
        from: None,
        until: None,
        rate: None,
        value: None,
        term: None,
        url: None,
        amount: None,
        fee: None,
        ..full
    };
    assert_eq!(
        shown(one(bare).as_slice())["Data"]["Offer"][0],
        json!({ "AccountId": "a-1", "OfferId": "o-1", "OfferType": "BalanceTransfer" })
    );
}
