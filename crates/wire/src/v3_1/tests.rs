//! Compares the bodies that v3.1 parses and writes with the facts of its OpenAPI document.

mod arrangements;
mod funds;
mod parties;
mod statements;

use super::V3_1;
use crate::{Links, Meta, Parse, Render, ResponseEnvelope};
use jiff::Timestamp;
use lombard_domain::account::{
    Account, AccountIdentification, AccountScheme, AccountStatus, AccountSubType, AccountType, Aliased, Balance,
    BalanceType, BankIdentification, BankTransactionCode, CardAuthorisation, CardInstrument, CardScheme, CreditLine,
    CreditLineType, CurrencyExchange, EntryBalance, EntryStatus, ExchangeRate, Merchant, Mutability, OtherParty,
    ProprietaryCode, SwitchStatus, Transaction,
};
use lombard_domain::consent::{Consent, ConsentDraft, ConsentState, ConsentView, RevokedBy, SelectedAccount};
use lombard_domain::ids::PsuId;
use lombard_domain::money::{Amount, Currency, SignedAmount};
use lombard_domain::refusal::{FaultCode, FaultLocation};
use proptest::prelude::*;
use serde_json::{Value, json};

const BODY: &str = r#"{"Data":{"Permissions":["ReadAccountsBasic","ReadAccountsDetail","ReadAccountsBasic"],
    "ExpirationDateTime":"2030-05-02T01:00+01:00","TransactionFromDateTime":"20170503",
    "TransactionToDateTime":"2031-12-03T00:00:00.5Z","Unknown":{"a":1}},"Risk":{}}"#;

fn at(secs: i64) -> Timestamp {
    Timestamp::from_second(secs).unwrap()
}

fn parse(text: &str) -> Result<ConsentDraft, Vec<(FaultCode, String)>> {
    <V3_1 as Parse<ConsentDraft>>::parse(text.as_bytes(), 32).map_err(|faults| {
        let place = |place| match place {
            Some(FaultLocation::Path(path)) => path,
            other => format!("{other:?}"),
        };
        faults.into_iter().map(|fault| (fault.code, place(fault.at))).collect()
    })
}

fn envelope() -> ResponseEnvelope {
    ResponseEnvelope { links: Links::self_only("https://bank/x".into()), meta: Meta::ONE_PAGE }
}

pub(crate) fn shown<T: ?Sized>(view: &T) -> Value
where
    V3_1: Render<T>,
{
    serde_json::from_slice(&V3_1::render(view, &envelope()).unwrap()).unwrap()
}

/// The consent at an arbitrary time, because v3.1 ignores the time.
fn shown_consent(consent: &Consent) -> Value {
    shown(&ConsentView { consent: consent.clone(), at: Timestamp::MAX })
}

fn consent() -> Consent {
    parse(BODY).unwrap().into_consent("c-1".into(), "acme".into(), at(100))
}

#[test]
fn ais_018_and_rw_083_a_consent_is_shown_as_it_was_sent() {
    let consent = consent();
    let access = consent.request.account_access().unwrap();
    assert_eq!(access.permissions.iter().count(), 2);
    assert_eq!(consent.expires_at, Some("2030-05-02T00:00:00Z".parse().unwrap()));
    assert_eq!(
        shown_consent(&consent),
        json!({
            "Data": {
                "ConsentId": "c-1",
                "CreationDateTime": "1970-01-01T00:01:40+00:00",
                "Status": "AwaitingAuthorisation",
                "StatusUpdateDateTime": "1970-01-01T00:01:40+00:00",
                "Permissions": ["ReadAccountsBasic", "ReadAccountsDetail", "ReadAccountsBasic"],
                "ExpirationDateTime": "2030-05-02T01:00:00+01:00",
                "TransactionFromDateTime": "2017-05-03T00:00:00+00:00",
                "TransactionToDateTime": "2031-12-03T00:00:00.500+00:00",
            },
            "Risk": {},
            "Links": { "Self": "https://bank/x" },
            "Meta": { "TotalPages": 1 },
        })
    );
}

#[test]
fn ais_070_to_ais_072_v3_1_shows_only_three_statuses() {
    let status = |consent: &Consent| {
        let body = shown_consent(consent);
        (body["Data"]["Status"].clone(), body["Data"]["StatusUpdateDateTime"].clone())
    };
    let account = SelectedAccount { account: "b".into(), alias: "a".into(), core_state: None };
    let mut consent = consent();
    consent.authorise(&PsuId::from("amelia"), vec![account.clone()], at(200)).unwrap();
    let authorised = status(&consent);
    assert_eq!(authorised, (json!("Authorised"), json!("1970-01-01T00:03:20+00:00")));
    for by in [RevokedBy::Psu, RevokedBy::Bank] {
        consent.revoke(by, at(300));
        assert!(matches!(consent.state, ConsentState::Revoked(_)));
        assert_eq!(status(&consent), authorised);
        consent.authorise(&PsuId::from("amelia"), vec![account.clone()], at(400)).unwrap();
        assert_eq!(status(&consent), authorised, "access given again");
    }
    let mut refused = super::tests::consent();
    refused.reject(at(500));
    assert_eq!(status(&refused), (json!("Rejected"), json!("1970-01-01T00:08:20+00:00")));
}

#[test]
fn ais_010_to_ais_033_faults_of_a_consent_request() {
    use FaultCode::{FieldInvalid, FieldInvalidDate, FieldMissing, FieldUnexpected, InvalidFormat};
    let one = |code, path: &str| Err(vec![(code, path.to_owned())]);
    for (text, expected) in [
        (r#"{"Data":{"Permissions":["ReadPAN"]}}"#, one(FieldMissing, "Risk")),
        (r#"{"Data":{"Permissions":["ReadPAN"]},"Risk":{"x":1}}"#, one(FieldUnexpected, "Risk.x")),
        (r#"{"Data":{"Permissions":["ReadPAN"]},"Risk":{},"x":1}"#, one(FieldUnexpected, "x")),
        (r#"{"Risk":{}}"#, one(FieldMissing, "Data")),
        (r#"{"Data":{},"Risk":{}}"#, one(FieldMissing, "Data.Permissions")),
        (r#"{"Data":{"Permissions":[]},"Risk":{}}"#, one(FieldInvalid, "Data.Permissions")),
        (r#"{"Data":{"Permissions":["ReadPAN","Nope"]},"Risk":{}}"#, one(FieldInvalid, "Data.Permissions[1]")),
        (r#"{"Data":{"Permissions":"ReadPAN"},"Risk":{}}"#, one(InvalidFormat, "Data.Permissions")),
        (
            r#"{"Data":{"Permissions":["ReadPAN"],"ExpirationDateTime":"soon"},"Risk":{}}"#,
            one(FieldInvalidDate, "Data.ExpirationDateTime"),
        ),
    ] {
        assert_eq!(parse(text), expected, "{text}");
    }
}

/// Every member of the valid body, with its path.
fn members() -> Vec<(&'static str, &'static str)> {
    vec![
        ("/Data", "Data"),
        ("/Data/Permissions", "Data.Permissions"),
        ("/Data/Permissions/1", "Data.Permissions[1]"),
        ("/Data/ExpirationDateTime", "Data.ExpirationDateTime"),
        ("/Data/TransactionFromDateTime", "Data.TransactionFromDateTime"),
        ("/Data/TransactionToDateTime", "Data.TransactionToDateTime"),
        ("/Risk", "Risk"),
    ]
}

proptest! {
    #[test]
    fn rw_124_a_member_of_the_wrong_type_is_one_fault_at_its_path(
        which in 0_usize..7,
        number in any::<i32>(),
        as_bool in any::<bool>(),
    ) {
        let (pointer, path) = members()[which];
        let mut body: Value = serde_json::from_str(BODY).unwrap();
        *body.pointer_mut(pointer).unwrap() = if as_bool { json!(number > 0) } else { json!(number) };
        prop_assert_eq!(parse(&body.to_string()), Err(vec![(FaultCode::InvalidFormat, path.to_owned())]));
    }

    #[test]
    fn rw_124_two_wrong_members_are_two_faults(first in 1_usize..6, second in 1_usize..6) {
        prop_assume!(first != second && !(first.min(second) == 1 && first.max(second) == 2));
        let mut body: Value = serde_json::from_str(BODY).unwrap();
        for which in [first, second] {
            *body.pointer_mut(members()[which].0).unwrap() = json!(1);
        }
        let mut paths: Vec<_> = parse(&body.to_string()).unwrap_err().into_iter().map(|(_, path)| path).collect();
        let mut expected = vec![members()[first].1.to_owned(), members()[second].1.to_owned()];
        paths.sort();
        expected.sort();
        prop_assert_eq!(paths, expected);
    }
}

fn account() -> Account {
    Account {
        id: "bank-1".into(),
        status: AccountStatus::Enabled,
        status_changed_at: at(0),
        currency: Currency::GBP,
        account_type: AccountType::Personal,
        sub_type: AccountSubType::CurrentAccount,
        description: Some("Everyday".into()),
        nickname: None,
        opened_on: Some("2002-05-01".parse().unwrap()),
        matures_on: None,
        switch_status: Some(SwitchStatus::NotSwitched),
        identifications: vec![AccountIdentification {
            name: Some("Amelia".into()),
            ..AccountIdentification::new(AccountScheme::SortCodeAccountNumber, "80200110203345")
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
fn ais_100_to_ais_104_an_account() {
    let full = [Aliased { alias: "a-1".into(), record: account() }];
    assert_eq!(
        shown(full.as_slice())["Data"],
        json!({ "Account": [{
            "AccountId": "a-1", "Status": "Enabled", "StatusUpdateDateTime": "1970-01-01T00:00:00+00:00",
            "Currency": "GBP", "AccountType": "Personal", "AccountSubType": "CurrentAccount",
            "Description": "Everyday", "OpeningDate": "2002-05-01T00:00:00+00:00",
            "SwitchStatus": "UK.CASS.NotSwitched",
            "Account": [{
                "SchemeName": "UK.OBIE.SortCodeAccountNumber", "Identification": "80200110203345", "Name": "Amelia",
            }],
            "Servicer": { "SchemeName": "UK.OBIE.BICFI", "Identification": "LOMBGB2L" },
        }] })
    );
    let basic = Account { identifications: Vec::new(), servicer: None, ..account() };
    let basic = shown([Aliased { alias: "a-1".into(), record: basic }].as_slice());
    assert_eq!(basic["Data"]["Account"][0].get("Account"), None, "RW-247");
    assert_eq!(basic["Data"]["Account"][0].get("Servicer"), None);
    assert_eq!(shown::<[Aliased<Account>]>(&[])["Data"], json!({ "Account": [] }), "RW-246");
}

#[test]
fn ais_110_to_ais_112_and_rw_251_a_balance() {
    let record = Balance {
        account: "bank-1".into(),
        kind: BalanceType::InterimAvailable,
        at: at(0),
        sum: SignedAmount::from_minor(-1230, Currency::GBP),
        local: None,
        credit_lines: vec![CreditLine {
            included: true,
            kind: CreditLineType::PreAgreed,
            amount: Amount::from_minor(50_000, Currency::GBP),
        }],
    };
    let plain = Balance { sum: SignedAmount::from_minor(0, Currency::GBP), credit_lines: Vec::new(), ..record.clone() };
    let balances = [record, plain].map(|record| Aliased { alias: "a-1".into(), record });
    assert_eq!(
        shown(balances.as_slice())["Data"],
        json!({ "Balance": [
            {
                "AccountId": "a-1", "CreditDebitIndicator": "Debit", "Type": "InterimAvailable",
                "DateTime": "1970-01-01T00:00:00+00:00", "Amount": { "Amount": "12.30", "Currency": "GBP" },
                "CreditLine": [{
                    "Included": true, "Type": "Pre-Agreed", "Amount": { "Amount": "500.00", "Currency": "GBP" },
                }],
            },
            {
                "AccountId": "a-1", "CreditDebitIndicator": "Credit", "Type": "InterimAvailable",
                "DateTime": "1970-01-01T00:00:00+00:00", "Amount": { "Amount": "0.00", "Currency": "GBP" },
                "CreditLine": [],
            },
        ] })
    );
}

#[test]
fn rw_259_a_balance_in_another_currency_has_a_local_amount() {
    let record = Balance {
        account: "bank-1".into(),
        kind: BalanceType::InterimBooked,
        at: at(0),
        sum: SignedAmount::from_minor(1_230, Currency::EUR),
        local: Some(Amount::from_minor(1_057, Currency::GBP)),
        credit_lines: Vec::new(),
    };
    let data = shown(&[Aliased { alias: "a-1".into(), record }][..])["Data"].clone();
    let amount = &data["Balance"][0]["Amount"];
    let local = &data["Balance"][0]["LocalAmount"];
    assert_eq!(*amount, json!({ "Amount": "12.30", "Currency": "EUR", "SubType": "BaseCurrency" }));
    assert_eq!(*local, json!({ "Amount": "10.57", "Currency": "GBP", "SubType": "LocalCurrency" }));
    assert_eq!(data["TotalValue"], json!({ "Amount": "12.30", "Currency": "EUR" }), "AIS-110");
}

#[test]
fn ais_121_ais_135_a_future_entry_is_pending_and_information_is_left_out() {
    let of = |status| shown(&[Aliased { alias: "a-1".into(), record: Transaction { status, ..transaction(-1) } }][..]);
    assert_eq!(of(EntryStatus::Future)["Data"]["Transaction"][0]["Status"], "Pending");
    assert_eq!(of(EntryStatus::Information)["Data"], json!({ "Transaction": [] }));
    assert_eq!(of(EntryStatus::Rejected)["Data"]["Transaction"][0]["Status"], "Rejected");
}

fn transaction(minor: i64) -> Transaction {
    Transaction {
        account: "bank-1".into(),
        id: "t-1".into(),
        reference: Some("REF".into()),
        statement_references: vec!["S1".into()],
        sum: SignedAmount::from_minor(minor, Currency::GBP),
        status: EntryStatus::Booked,
        mutability: Mutability::Immutable,
        booked_at: at(0),
        value_at: Some(at(1)),
        information: Some("Coffee".into()),
        address_line: Some("High Street".into()),
        charge: Some(Amount::from_minor(1, Currency::GBP)),
        exchange: Some(CurrencyExchange {
            source: Currency::USD,
            target: Currency::GBP,
            unit: Currency::GBP,
            rate: ExchangeRate("1.234567890123456789".parse().unwrap()),
            quoted_at: Some(at(2)),
            instructed: Some(Amount::from_minor(100, Currency::USD)),
        }),
        bank_code: Some(BankTransactionCode { code: "CustomerCardTransactions".into(), sub_code: "Other".into() }),
        proprietary_code: Some(ProprietaryCode { code: "CRD".into(), issuer: Some("Lombard".into()) }),
        balance: Some(EntryBalance {
            kind: BalanceType::InterimBooked,
            sum: SignedAmount::from_minor(5, Currency::GBP),
        }),
        merchant: Some(Merchant { name: "Café".into(), category: Some("5812".into()) }),
        other_party: Some(OtherParty {
            agent: Some(BankIdentification { bic: Some("LOMBGB2L".into()), name: None, address: None, lei: None }),
            account: Some(AccountIdentification {
                secondary: Some("roll".into()),
                ..AccountIdentification::new(AccountScheme::Iban, "GB33BUKB20201555555555")
            }),
        }),
        card: Some(CardInstrument {
            scheme: CardScheme::Visa,
            authorisation: Some(CardAuthorisation::Pin),
            name: Some("AMELIA".into()),
            number: Some("************4444".into()),
        }),
        payment: None,
    }
}

#[test]
fn ais_120_to_ais_130_an_entry() {
    let body = shown([Aliased { alias: "a-1".into(), record: transaction(-450) }].as_slice());
    assert_eq!(
        body["Data"]["Transaction"][0],
        json!({
            "AccountId": "a-1", "TransactionId": "t-1", "TransactionReference": "REF", "StatementReference": ["S1"],
            "CreditDebitIndicator": "Debit", "Status": "Booked", "TransactionMutability": "Immutable",
            "BookingDateTime": "1970-01-01T00:00:00+00:00", "ValueDateTime": "1970-01-01T00:00:01+00:00",
            "TransactionInformation": "Coffee", "AddressLine": "High Street",
            "Amount": { "Amount": "4.50", "Currency": "GBP" }, "ChargeAmount": { "Amount": "0.01", "Currency": "GBP" },
            "CurrencyExchange": {
                "SourceCurrency": "USD", "TargetCurrency": "GBP", "UnitCurrency": "GBP",
                "ExchangeRate": 1.234_567_890_123_456_7, "QuotationDate": "1970-01-01T00:00:02+00:00",
                "InstructedAmount": { "Amount": "1.00", "Currency": "USD" },
            },
            "BankTransactionCode": { "Code": "CustomerCardTransactions", "SubCode": "Other" },
            "ProprietaryBankTransactionCode": { "Code": "CRD", "Issuer": "Lombard" },
            "Balance": {
                "Amount": { "Amount": "0.05", "Currency": "GBP" },
                "CreditDebitIndicator": "Credit", "Type": "InterimBooked",
            },
            "MerchantDetails": { "MerchantName": "Café", "MerchantCategoryCode": "5812" },
            "CreditorAgent": { "SchemeName": "UK.OBIE.BICFI", "Identification": "LOMBGB2L" },
            "CreditorAccount": {
                "SchemeName": "UK.OBIE.IBAN", "Identification": "GB33BUKB20201555555555",
                "SecondaryIdentification": "roll",
            },
            "CardInstrument": {
                "CardSchemeName": "VISA", "AuthorisationType": "PIN", "Name": "AMELIA",
                "Identification": "************4444",
            },
        })
    );
    let text = V3_1::render([Aliased { alias: "a".into(), record: transaction(-1) }].as_slice(), &envelope()).unwrap();
    assert!(String::from_utf8(text).unwrap().contains("\"ExchangeRate\":1.234567890123456789,"), "exact");
    let credit = shown([Aliased { alias: "a-1".into(), record: transaction(450) }].as_slice());
    let credit = &credit["Data"]["Transaction"][0];
    assert!(credit.get("DebtorAccount").is_some() && credit.get("CreditorAccount").is_none(), "AIS-130");
}

#[test]
fn rw_245_what_is_not_known_is_left_out() {
    let bare = Transaction {
        reference: None,
        statement_references: Vec::new(),
        value_at: None,
        information: None,
        address_line: None,
        charge: None,
        exchange: None,
        bank_code: None,
        proprietary_code: None,
        balance: None,
        merchant: None,
        other_party: Some(OtherParty { agent: Some(BankIdentification::default()), account: None }),
        card: None,
        ..transaction(1)
    };
    let body = shown([Aliased { alias: "a-1".into(), record: bare }].as_slice());
    let mut names: Vec<_> = body["Data"]["Transaction"][0].as_object().unwrap().keys().cloned().collect();
    names.sort_unstable();
    assert_eq!(
        names,
        [
            "AccountId",
            "Amount",
            "BookingDateTime",
            "CreditDebitIndicator",
            "StatementReference",
            "Status",
            "TransactionId",
            "TransactionMutability"
        ]
    );
}

#[test]
fn rw_241_and_ais_096_links_and_meta() {
    let envelope = ResponseEnvelope {
        links: Links { next: Some("https://bank/x?pg=2".into()), ..Links::self_only("https://bank/x".into()) },
        meta: Meta { total_pages: None, available: Some((at(0), at(1))) },
    };
    let body: Value =
        serde_json::from_slice(&<V3_1 as Render<[Aliased<Account>]>>::render(&[], &envelope).unwrap()).unwrap();
    assert_eq!(body["Links"], json!({ "Self": "https://bank/x", "Next": "https://bank/x?pg=2" }));
    assert_eq!(
        body["Meta"],
        json!({
            "FirstAvailableDateTime": "1970-01-01T00:00:00+00:00",
            "LastAvailableDateTime": "1970-01-01T00:00:01+00:00",
        })
    );
}
