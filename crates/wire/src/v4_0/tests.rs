//! Compares the bodies that v4.0 parses and writes with the facts of its OpenAPI document.

mod resources;
mod upgrade;

use super::{V4_0, names};
use crate::{Links, Meta, Parse, Render, ResponseEnvelope};
use jiff::Timestamp;
use lombard_domain::account::{
    Account, AccountIdentification, AccountScheme, AccountStatus, AccountSubType, AccountType, Aliased, Balance,
    BalanceType, BankIdentification, CreditLine, CreditLineType, SwitchStatus,
};
use lombard_domain::consent::{Consent, ConsentDraft, ConsentView, EffectiveConsentStatus, RevokedBy, SelectedAccount};
use lombard_domain::money::{Amount, CreditDebit, Currency, SignedAmount};
use lombard_domain::refusal::{FaultCode, FaultLocation};
use lombard_domain::version::Version;
use serde_json::{Value, json};

const BODY: &str = r#"{"Data":{"Permissions":["ReadAccountsBasic","ReadAccountsDetail","ReadAccountsBasic"],
    "ExpirationDateTime":"2030-05-02T01:00+01:00"},"Risk":{},"Later":{"a":1}}"#;

fn at(secs: i64) -> Timestamp {
    Timestamp::from_second(secs).unwrap()
}

fn parse(text: &str) -> Result<ConsentDraft, Vec<(FaultCode, String)>> {
    <V4_0 as Parse<ConsentDraft>>::parse(text.as_bytes(), 32).map_err(|faults| {
        let place = |place| match place {
            Some(FaultLocation::Path(path)) => path,
            other => format!("{other:?}"),
        };
        faults.into_iter().map(|fault| (fault.code, place(fault.at))).collect()
    })
}

fn shown<T: ?Sized>(view: &T) -> Value
where
    V4_0: Render<T>,
{
    let envelope = ResponseEnvelope { links: Links::self_only("https://bank/x".into()), meta: Meta::ONE_PAGE };
    serde_json::from_slice(&V4_0::render(view, &envelope).unwrap()).unwrap()
}

fn consent(draft: ConsentDraft) -> Consent {
    draft.into_consent("c-1".into(), "acme".into(), at(100))
}

#[test]
fn ais_012_and_rw_141_a_consent_with_an_open_root_is_shown_as_it_was_sent() {
    let draft = parse(BODY).unwrap();
    assert_eq!(draft.submitted.version, Version::V4_0, "RW-017");
    assert_eq!(
        shown(&ConsentView { consent: consent(draft), at: at(100) }),
        json!({
            "Data": {
                "ConsentId": "c-1",
                "CreationDateTime": "1970-01-01T00:01:40+00:00",
                "Status": "AWAU",
                "StatusReason": [{
                    "StatusReasonCode": "U036",
                    "StatusReasonDescription": "The customer has not decided about the consent yet.",
                }],
                "StatusUpdateDateTime": "1970-01-01T00:01:40+00:00",
                "Permissions": ["ReadAccountsBasic", "ReadAccountsDetail", "ReadAccountsBasic"],
                "ExpirationDateTime": "2030-05-02T01:00:00+01:00",
            },
            "Risk": {},
            "Links": { "Self": "https://bank/x" },
            "Meta": { "TotalPages": 1 },
        })
    );
}

#[test]
fn ais_011_and_rw_141_risk_is_required_and_closed_all_the_same() {
    let one = |code, path: &str| Err(vec![(code, path.to_owned())]);
    for (text, expected) in [
        (r#"{"Data":{"Permissions":["ReadPAN"]}}"#, one(FaultCode::FieldMissing, "Risk")),
        (r#"{"Data":{"Permissions":["ReadPAN"]},"Risk":{"x":1}}"#, one(FaultCode::FieldUnexpected, "Risk.x")),
        (r#"{"Risk":{}}"#, one(FaultCode::FieldMissing, "Data")),
        (r#"{"Data":{"Permissions":["Nope"]},"Risk":{}}"#, one(FaultCode::FieldInvalid, "Data.Permissions[0]")),
        (r#"{"x":1,"x":2,"Data":{"Permissions":["ReadPAN"]},"Risk":{}}"#, one(FaultCode::InvalidFormat, "x")),
    ] {
        assert_eq!(parse(text), expected, "{text}");
    }
}

#[test]
fn rw_018_a_consent_of_v3_1_is_shown_in_the_words_of_v4_0_at_every_stage() {
    let draft = <crate::v3_1::V3_1 as Parse<ConsentDraft>>::parse(
        br#"{"Data":{"Permissions":["ReadPAN"],"ExpirationDateTime":"1970-01-01T00:10:00Z"},"Risk":{}}"#,
        32,
    );
    let mut consent = consent(draft.unwrap());
    let account = SelectedAccount { account: "b".into(), alias: "a".into(), core_state: None };
    let status = |consent: &Consent, now| {
        let body = shown(&ConsentView { consent: consent.clone(), at: at(now) });
        assert_eq!(body["Data"]["Permissions"], json!(["ReadPAN"]));
        assert_eq!(body["Data"]["ExpirationDateTime"], "1970-01-01T00:10:00+00:00");
        let reasons = body["Data"]["StatusReason"].as_array().cloned().unwrap_or_default();
        let codes: Vec<_> = reasons.iter().map(|reason| reason["StatusReasonCode"].as_str().unwrap()).collect();
        let text = |name: &str| body["Data"][name].as_str().unwrap().to_owned();
        (text("Status"), codes.join(" "), text("StatusUpdateDateTime"))
    };
    let expected = |status: &str, codes: &str, since: &str| {
        (status.to_owned(), codes.to_owned(), format!("1970-01-01T00:{since}+00:00"))
    };
    assert_eq!(status(&consent, 150), expected("AWAU", "U036", "01:40"));
    let mut refused = consent.clone();
    refused.reject(at(200));
    assert_eq!(status(&refused, 201), expected("RJCT", "U033", "03:20"));
    consent.authorise(&"amelia".into(), vec![account.clone()], at(200)).unwrap();
    assert_eq!(status(&consent, 250), expected("AUTH", "", "03:20"));
    consent.revoke(RevokedBy::Psu, at(300));
    assert_eq!(status(&consent, 350), expected("CANC", "CUST", "05:00"), "AIS-071");
    consent.authorise(&"amelia".into(), vec![account], at(400)).unwrap();
    assert_eq!(status(&consent, 450), expected("AUTH", "", "06:40"));
    consent.revoke(RevokedBy::Bank, at(500));
    assert_eq!(status(&consent, 550), expected("CANC", "TKSP U028", "08:20"));
    assert_eq!(status(&consent, 600), expected("EXPD", "TKXP", "10:00"));
}

fn account() -> Account {
    Account {
        id: "b-1".into(),
        status: AccountStatus::Enabled,
        status_changed_at: at(100),
        currency: Currency::GBP,
        account_type: AccountType::Personal,
        sub_type: AccountSubType::CurrentAccount,
        description: Some("Everyday".into()),
        nickname: Some("Bills".into()),
        opened_on: Some(jiff::civil::date(2002, 5, 1)),
        matures_on: None,
        switch_status: Some(SwitchStatus::NotSwitched),
        identifications: vec![AccountIdentification {
            scheme: AccountScheme::SortCodeAccountNumber,
            number: "80200110203345".into(),
            name: Some("Mr Kevin".into()),
            secondary: Some("00021".into()),
            proxy: None,
        }],
        servicer: Some(BankIdentification {
            bic: Some("LOMBGB2L".into()),
            name: Some("Lombard".into()),
            address: None,
            lei: None,
        }),
        lei: None,
        statement_delivery: Vec::new(),
        core_state: None,
    }
}

#[test]
fn ais_100_an_account_has_a_category_a_type_code_and_a_named_servicer() {
    let body = shown(&[Aliased { alias: "a-1".into(), record: account() }][..]);
    assert_eq!(
        body["Data"]["Account"],
        json!([{
            "AccountId": "a-1",
            "Status": "Enabled",
            "StatusUpdateDateTime": "1970-01-01T00:01:40+00:00",
            "Currency": "GBP",
            "AccountCategory": "Personal",
            "AccountTypeCode": "CACC",
            "Description": "Everyday",
            "Nickname": "Bills",
            "OpeningDate": "2002-05-01T00:00:00+00:00",
            "SwitchStatus": "UK.CASS.NotSwitched",
            "Account": [{
                "SchemeName": "UK.OBIE.SortCodeAccountNumber",
                "Identification": "80200110203345",
                "Name": "Mr Kevin",
                "SecondaryIdentification": "00021",
            }],
            "Servicer": { "SchemeName": "UK.OBIE.BICFI", "Identification": "LOMBGB2L", "Name": "Lombard" },
        }])
    );
}

#[test]
fn ais_105_what_basic_does_not_open_and_what_is_not_known_is_left_out() {
    let bare = Account {
        description: None,
        nickname: None,
        opened_on: None,
        switch_status: None,
        identifications: Vec::new(),
        servicer: Some(BankIdentification { bic: None, name: Some("Lombard".into()), address: None, lei: None }),
        ..account()
    };
    let body = shown(&[Aliased { alias: "a-1".into(), record: bare }][..]);
    let mut members: Vec<_> = body["Data"]["Account"][0].as_object().unwrap().keys().map(String::as_str).collect();
    members.sort_unstable();
    assert_eq!(
        members,
        ["AccountCategory", "AccountId", "AccountTypeCode", "Currency", "Status", "StatusUpdateDateTime"]
    );
}

#[test]
fn ais_110_to_ais_112_a_balance() {
    let balance = Balance {
        account: "b-1".into(),
        kind: BalanceType::InterimAvailable,
        at: at(100),
        sum: SignedAmount::from_minor(-12_345, Currency::GBP),
        local: None,
        credit_lines: vec![CreditLine {
            included: true,
            kind: CreditLineType::PreAgreed,
            amount: Amount::from_minor(50_000, Currency::GBP),
        }],
    };
    let body = shown(&[Aliased { alias: "a-1".into(), record: balance }][..]);
    assert_eq!(
        body["Data"]["Balance"],
        json!([{
            "AccountId": "a-1",
            "CreditDebitIndicator": "Debit",
            "Type": "ITAV",
            "DateTime": "1970-01-01T00:01:40+00:00",
            "Amount": { "Amount": "123.45", "Currency": "GBP" },
            "CreditLine": [
                { "Included": true, "Type": "Pre-Agreed", "Amount": { "Amount": "500.00", "Currency": "GBP" } },
            ],
        }])
    );
}

#[test]
fn t8_the_words_for_a_status() {
    for (status, name) in [
        (EffectiveConsentStatus::AwaitingAuthorisation, "AWAU"),
        (EffectiveConsentStatus::Authorised, "AUTH"),
        (EffectiveConsentStatus::Rejected, "RJCT"),
        (EffectiveConsentStatus::Revoked(RevokedBy::Psu), "CANC"),
        (EffectiveConsentStatus::Revoked(RevokedBy::Bank), "CANC"),
        (EffectiveConsentStatus::Expired, "EXPD"),
    ] {
        assert_eq!(names::consent_status(status), name);
    }
}

#[test]
fn ais_100_the_words_for_an_account() {
    for (sub_type, name) in [
        (AccountSubType::ChargeCard, "CARD"),
        (AccountSubType::CreditCard, "CARD"),
        (AccountSubType::CurrentAccount, "CACC"),
        (AccountSubType::EMoney, "WALT"),
        (AccountSubType::Loan, "LOAN"),
        (AccountSubType::Mortgage, "MORT"),
        (AccountSubType::PrePaidCard, "CARD"),
        (AccountSubType::Savings, "SVGS"),
    ] {
        assert_eq!(names::account_type_code(sub_type), name);
    }
    for (category, name) in [(AccountType::Business, "Business"), (AccountType::Personal, "Personal")] {
        assert_eq!(names::account_category(category), name);
    }
    for (status, name) in [
        (AccountStatus::Enabled, "Enabled"),
        (AccountStatus::Disabled, "Disabled"),
        (AccountStatus::Deleted, "Deleted"),
        (AccountStatus::ProForma, "ProForma"),
        (AccountStatus::Pending, "Pending"),
    ] {
        assert_eq!(names::account_status(status), name, "CON-34");
    }
    for (status, name) in
        [(SwitchStatus::NotSwitched, "UK.CASS.NotSwitched"), (SwitchStatus::SwitchCompleted, "UK.CASS.SwitchCompleted")]
    {
        assert_eq!(names::switch_status(status), name);
    }
    for (scheme, name) in [
        (AccountScheme::Bban, "UK.OBIE.BBAN"),
        (AccountScheme::Iban, "UK.OBIE.IBAN"),
        (AccountScheme::Pan, "UK.OBIE.PAN"),
        (AccountScheme::Paym, "UK.OBIE.Paym"),
        (AccountScheme::SortCodeAccountNumber, "UK.OBIE.SortCodeAccountNumber"),
        (AccountScheme::Wallet, "UK.OBIE.Wallet"),
    ] {
        assert_eq!(names::account_scheme(scheme), name, "RW-257");
    }
}

#[test]
fn rw_259_ais_110_a_balance_in_another_currency_and_the_total_of_all() {
    let booked = |minor, currency, local: Option<u64>| Balance {
        account: "b-1".into(),
        kind: BalanceType::InterimBooked,
        at: at(100),
        sum: SignedAmount::from_minor(minor, currency),
        local: local.map(|minor| Amount::from_minor(minor, Currency::GBP)),
        credit_lines: Vec::new(),
    };
    let data = |balances: &[Balance]| {
        let balances: Vec<_> = balances.iter().map(|it| Aliased { alias: "a-1".into(), record: it.clone() }).collect();
        shown(&balances[..])["Data"].clone()
    };
    let dollars = booked(-1_000, Currency::USD, Some(785));
    let one = data(std::slice::from_ref(&dollars));
    assert_eq!(one["Balance"][0]["Amount"], json!({ "Amount": "10.00", "Currency": "USD", "SubType": "BCUR" }));
    assert_eq!(one["Balance"][0]["LocalAmount"], json!({ "Amount": "7.85", "Currency": "GBP", "SubType": "LCUR" }));
    assert!(one.get("TotalValue").is_none(), "below zero");
    let more = booked(5_000, Currency::GBP, None);
    let less = booked(-1_500, Currency::GBP, None);
    let available = Balance { kind: BalanceType::InterimAvailable, ..more.clone() };
    let all = data(&[available, more.clone(), less]);
    assert_eq!(all["TotalValue"], json!({ "Amount": "35.00", "Currency": "GBP" }), "of what is booked");
    assert!(all["Balance"][1]["Amount"].get("SubType").is_none(), "the account's own currency is what is meant");
    assert!(data(&[more, dollars]).get("TotalValue").is_none(), "several currencies");
    assert!(data(&[]).get("TotalValue").is_none());
}

#[test]
fn ais_111_and_ais_112_the_words_for_a_balance() {
    for (kind, name) in [
        (BalanceType::ClosingAvailable, "CLAV"),
        (BalanceType::ClosingBooked, "CLBD"),
        (BalanceType::Expected, "XPCD"),
        (BalanceType::ForwardAvailable, "FWAV"),
        (BalanceType::Information, "INFO"),
        (BalanceType::InterimAvailable, "ITAV"),
        (BalanceType::InterimBooked, "ITBD"),
        (BalanceType::OpeningAvailable, "OPAV"),
        (BalanceType::OpeningBooked, "OPBD"),
        (BalanceType::PreviouslyClosedBooked, "PRCD"),
    ] {
        assert_eq!(names::balance_type(kind), name, "CON-34");
    }
    for (kind, name) in [
        (CreditLineType::Available, "Available"),
        (CreditLineType::Credit, "Credit"),
        (CreditLineType::Emergency, "Emergency"),
        (CreditLineType::PreAgreed, "Pre-Agreed"),
        (CreditLineType::Temporary, "Temporary"),
    ] {
        assert_eq!(names::credit_line_type(kind), name);
    }
    for (direction, name) in [(CreditDebit::Credit, "Credit"), (CreditDebit::Debit, "Debit")] {
        assert_eq!(names::credit_debit(direction), name);
    }
}
