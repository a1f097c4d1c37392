//! Entries, arrangements, parties and funds-confirmation consents.

use super::{V4_0, account, at, names, shown};
use crate::{Parse, v3_1::V3_1};
use jiff::civil::Weekday;
use lombard_domain::account::{
    AccountIdentification, AccountProxy, AccountScheme, AddressType, Aliased, ArrangementStatus, BalanceType,
    BankIdentification, BankTransactionCode, Beneficiary, DirectDebit, DirectDebitFrequency, EntryBalance,
    EntryPayment, EntryStatus, ExtendedCode, Instalment, IntermediaryAgent, IsoCode, MandateTerms, Mutability,
    OtherParty, Party, PostalAddress, ScheduledPayment, ScheduledType, StandingOrder, StatementDelivery, Transaction,
    UltimateParty,
};
use lombard_domain::consent::{ConsentDraft, FundsConsentDraft, SelectedAccount};
use lombard_domain::frequency::Frequency;
use lombard_domain::money::{Amount, Currency, SignedAmount};
use lombard_domain::refusal::{FaultCode, FaultLocation};
use serde_json::{Value, json};

const LEI: &str = "9845LMBD00SANDBX0146";

fn code(text: &str) -> Option<IsoCode> {
    Some(text.parse().unwrap())
}

fn payee() -> AccountIdentification {
    let proxy = AccountProxy { identification: "+44-1".into(), code: "TELE".parse().unwrap(), kind: Some("M".into()) };
    AccountIdentification {
        scheme: AccountScheme::Iban,
        number: "GB33BUKB20201555555555".into(),
        name: Some("Ann".into()),
        secondary: None,
        proxy: Some(Box::new(proxy)),
    }
}

fn bank() -> BankIdentification {
    BankIdentification {
        bic: Some("LOMBGB2L".into()),
        name: Some("Lombard".into()),
        address: Some(PostalAddress {
            kind: Some(AddressType::Business),
            care_of: Some("Desk".into()),
            ..PostalAddress::default()
        }),
        lei: Some(LEI.into()),
    }
}

/// A record of an account, as each of these responses contains it.
fn aliased<T>(record: T) -> [Aliased<T>; 1] {
    [Aliased { alias: "a-1".into(), record }]
}

fn payee_json() -> Value {
    json!({
        "SchemeName": "UK.OBIE.IBAN",
        "Identification": "GB33BUKB20201555555555",
        "Name": "Ann",
        "Proxy": {"Identification": "+44-1", "Code": "TELE", "Type": "M"},
    })
}

fn money(amount: &str) -> Value {
    json!({"Amount": amount, "Currency": "GBP"})
}

#[test]
fn ais_100_statements_are_delivered_somehow_and_the_holder_has_an_lei() {
    let delivery = StatementDelivery { frequency: code("MNTH"), medium: code("POST"), format: None, address: None };
    let record = super::Account { lei: Some(LEI.into()), statement_delivery: vec![delivery], ..account() };
    let body = shown(&aliased(record)[..]);
    let account = &body["Data"]["Account"][0];
    assert_eq!(account["Account"][0]["LEI"], LEI);
    assert_eq!(account["StatementFrequencyAndFormat"], json!([{"Frequency": "MNTH", "CommunicationMethod": "POST"}]));
}

fn entry(direction: i64) -> Transaction {
    let ultimate = UltimateParty { name: Some("Parent".into()), lei: Some(LEI.into()), ..UltimateParty::default() };
    Transaction {
        account: "b-1".into(),
        id: "t-1".into(),
        reference: None,
        statement_references: Vec::new(),
        sum: SignedAmount::from_minor(direction, Currency::GBP),
        status: EntryStatus::Booked,
        mutability: Mutability::Immutable,
        booked_at: at(100),
        value_at: None,
        information: None,
        address_line: None,
        charge: None,
        exchange: None,
        bank_code: Some(BankTransactionCode {
            code: "ReceivedCreditTransfers".into(),
            sub_code: "CrossBorderCreditTransfer".into(),
        }),
        proprietary_code: None,
        balance: Some(EntryBalance {
            kind: BalanceType::InterimBooked,
            sum: SignedAmount::from_minor(100, Currency::GBP),
        }),
        merchant: None,
        other_party: Some(OtherParty { agent: Some(bank()), account: Some(payee()) }),
        card: None,
        payment: Some(Box::new(EntryPayment {
            category_purpose: code("SUPP"),
            purpose: code("CRYP"),
            extended_codes: vec![ExtendedCode { code: "X".into(), issuer: None, description: Some("Y".into()) }],
            ultimate_creditor: None,
            ultimate_debtor: Some(ultimate),
            intermediaries: vec![IntermediaryAgent { agent: bank(), status: code("ACSC") }],
        })),
    }
}

#[test]
fn ais_128_ais_132_ais_135_an_entry_with_all_that_v4_0_adds() {
    let body = shown(&aliased(entry(100))[..]);
    assert_eq!(
        body["Data"]["Transaction"],
        json!([{
            "AccountId": "a-1",
            "TransactionId": "t-1",
            "StatementReference": [],
            "CreditDebitIndicator": "Credit",
            "Status": "BOOK",
            "TransactionMutability": "Immutable",
            "BookingDateTime": "1970-01-01T00:01:40+00:00",
            "Amount": money("1.00"),
            "BankTransactionCode": {"Code": "RCDT", "SubCode": "XBCT"},
            "Balance": {"Amount": money("1.00"), "CreditDebitIndicator": "Credit", "Type": "ITBD"},
            "DebtorAgent": {"SchemeName": "UK.OBIE.BICFI", "Identification": "LOMBGB2L", "LEI": LEI},
            "DebtorAccount": payee_json(),
            "CategoryPurposeCode": "SUPP",
            "PaymentPurposeCode": "CRYP",
            "ExtendedProprietaryBankTransactionCodes": [{"Code": "X", "Description": "Y"}],
            "UltimateDebtor": {"Name": "Parent", "LEI": LEI},
            "IntermediaryAgent1": {
                "SchemeName": "UK.OBIE.BICFI",
                "Identification": "LOMBGB2L",
                "Name": "Lombard",
                "LEI": LEI,
                "PostalAddress": {"AddressType": "BIZZ", "CareOf": "Desk"},
                "ProcessingStatus": "ACSC",
            },
        }])
    );
}

#[test]
fn rw_018_v3_1_shows_nothing_of_what_v4_0_adds_to_an_entry() {
    let with = entry(-100);
    let mut without = with.clone();
    without.payment = None;
    let other = without.other_party.as_mut().unwrap();
    other.agent.as_mut().unwrap().lei = None;
    other.account.as_mut().unwrap().proxy = None;
    let old = |record| crate::v3_1::tests::shown(&aliased::<Transaction>(record)[..]);
    assert_eq!(old(with), old(without));
}

#[test]
fn ais_160_ais_162_a_payees_bank_has_a_bic_or_name_its_account_a_proxy() {
    let beneficiary = |agent| Beneficiary {
        id: "r-1".into(),
        account: "b-1".into(),
        kind: None,
        reference: None,
        agent: Some(agent),
        payee: Some(payee()),
    };
    let shown_agent = |agent| shown(&aliased(beneficiary(agent))[..])["Data"]["Beneficiary"][0]["CreditorAgent"].take();
    assert_eq!(shown_agent(bank()), json!({"SchemeName": "UK.OBIE.BICFI", "Identification": "LOMBGB2L", "LEI": LEI}));
    assert_eq!(
        shown_agent(BankIdentification { bic: None, ..bank() }),
        json!({"Name": "Lombard", "LEI": LEI, "PostalAddress": {"AddressType": "BIZZ", "CareOf": "Desk"}})
    );
    assert_eq!(shown_agent(BankIdentification::default()), Value::Null, "RW-245");
    let body = shown(&aliased(beneficiary(bank()))[..]);
    assert_eq!(body["Data"]["Beneficiary"][0]["CreditorAccount"], payee_json());
}

#[test]
fn ais_173_a_scheduled_payments_bank_has_everything_that_is_known() {
    let payment = |agent| ScheduledPayment {
        id: "r-1".into(),
        account: "b-1".into(),
        at: at(100),
        kind: ScheduledType::Arrival,
        reference: None,
        debtor_reference: None,
        amount: Amount::from_minor(100, Currency::GBP),
        agent: Some(agent),
        payee: Some(payee()),
    };
    let body = shown(&aliased(payment(bank()))[..]);
    assert_eq!(
        body["Data"]["ScheduledPayment"][0]["CreditorAgent"],
        json!({
            "SchemeName": "UK.OBIE.BICFI",
            "Identification": "LOMBGB2L",
            "Name": "Lombard",
            "LEI": LEI,
            "PostalAddress": {"AddressType": "BIZZ", "CareOf": "Desk"},
        })
    );
    let body = shown(&aliased(payment(BankIdentification { bic: None, ..bank() }))[..]);
    assert!(body["Data"]["ScheduledPayment"][0].get("CreditorAgent").is_none(), "its BIC is required");
}

#[test]
fn ais_170_ais_175_a_direct_debit() {
    let terms = MandateTerms { classification: code("VARI"), reason: Some("Gas".into()), ..MandateTerms::default() };
    let record = DirectDebit {
        id: "d-1".into(),
        account: "b-1".into(),
        mandate: "M-1".into(),
        status: ArrangementStatus::Inactive,
        name: "Gas Co".into(),
        frequency: DirectDebitFrequency::HalfYearly,
        previous: None,
        terms: Some(Box::new(terms)),
    };
    assert_eq!(
        shown(&aliased(record)[..])["Data"]["DirectDebit"],
        json!([{
            "AccountId": "a-1",
            "DirectDebitId": "d-1",
            "DirectDebitStatusCode": "CANC",
            "MandateRelatedInformation": {
                "MandateIdentification": "M-1",
                "Classification": "VARI",
                "Frequency": {"Type": "MIAN"},
                "Reason": "Gas",
            },
            "Name": "Gas Co",
        }])
    );
    for (frequency, code) in [
        (DirectDebitFrequency::Annual, "YEAR"),
        (DirectDebitFrequency::Daily, "DAIL"),
        (DirectDebitFrequency::Fortnightly, "FRTN"),
        (DirectDebitFrequency::HalfYearly, "MIAN"),
        (DirectDebitFrequency::Monthly, "MNTH"),
        (DirectDebitFrequency::NotKnown, "NONE"),
        (DirectDebitFrequency::Quarterly, "QURT"),
        (DirectDebitFrequency::Weekly, "WEEK"),
    ] {
        assert_eq!(super::names::direct_debit_frequency(frequency), code);
    }
}

#[test]
fn ais_171_ais_174_v4_010_a_standing_order() {
    let instalment = |second| Some(Instalment { at: at(second), amount: Amount::from_minor(500, Currency::GBP) });
    let record = StandingOrder {
        id: "s-1".into(),
        account: "b-1".into(),
        frequency: Frequency::IntervalWeekDay(1, Weekday::Thursday),
        reference: Some("RENT".into()),
        first: instalment(100),
        next: None,
        last: None,
        end: instalment(200),
        payments: Some(12),
        status: ArrangementStatus::Active,
        terms: Some(Box::new(MandateTerms { identification: Some("SO-1".into()), ..MandateTerms::default() })),
        agent: None,
        payee: Some(payee()),
    };
    assert_eq!(
        shown(&aliased(record)[..])["Data"]["StandingOrder"],
        json!([{
            "AccountId": "a-1",
            "StandingOrderId": "s-1",
            "NumberOfPayments": "12",
            "StandingOrderStatusCode": "ACTV",
            "FirstPaymentAmount": money("5.00"),
            "FinalPaymentAmount": money("5.00"),
            "CreditorAccount": payee_json(),
            "MandateRelatedInformation": {
                "MandateIdentification": "SO-1",
                "FirstPaymentDateTime": "1970-01-01T00:01:40+00:00",
                "FinalPaymentDateTime": "1970-01-01T00:03:20+00:00",
                "Frequency": {"Type": "WEEK", "PointInTime": "4"},
            },
            "RemittanceInformation": {"Structured": [{"CreditorReferenceInformation": {"Reference": "RENT"}}]},
        }])
    );
}

#[test]
fn ais_188_v4_005_a_party_has_an_lei_and_every_member_of_an_address() {
    let text = |text: &str| Some(text.to_owned());
    let address = PostalAddress {
        kind: Some(AddressType::Residential),
        department: text("a"),
        sub_department: text("b"),
        care_of: text("c"),
        street: text("d"),
        building: text("e"),
        building_name: text("f"),
        unit: text("g"),
        floor: text("h"),
        room: text("i"),
        post_box: text("j"),
        post_code: text("k"),
        town_location: text("l"),
        district: text("m"),
        town: text("n"),
        county: text("o"),
        country: None,
        lines: vec!["p".into()],
    };
    let party = Party {
        id: "p-1".into(),
        number: None,
        name: None,
        full_legal_name: None,
        legal_structure: None,
        lei: text(LEI),
        email: None,
        phone: None,
        mobile: None,
        addresses: vec![address],
    };
    assert_eq!(
        shown(&Some(party))["Data"]["Party"],
        json!({
            "PartyId": "p-1",
            "LEI": LEI,
            "Address": [{
                "AddressType": "HOME", "Department": "a", "SubDepartment": "b", "CareOf": "c", "StreetName": "d",
                "BuildingNumber": "e", "BuildingName": "f", "UnitNumber": "g", "Floor": "h", "Room": "i",
                "PostBox": "j", "PostCode": "k", "TownLocationName": "l", "DistrictName": "m", "TownName": "n",
                "CountrySubDivision": "o", "AddressLine": ["p"],
            }],
        })
    );
    for (kind, code) in [
        (AddressType::Business, "BIZZ"),
        (AddressType::Correspondence, "CORR"),
        (AddressType::DeliveryTo, "DLVY"),
        (AddressType::MailTo, "MLTO"),
        (AddressType::PoBox, "PBOX"),
        (AddressType::Postal, "ADDR"),
        (AddressType::Residential, "HOME"),
        (AddressType::Statement, "STAT"),
    ] {
        assert_eq!(super::names::address_type(kind), code);
    }
}

#[test]
fn cbp_001_cbp_002_cbp_012_a_funds_confirmation_consent_keeps_its_proxy() {
    let text = r#"{"Data":{"DebtorAccount":{"SchemeName":"IBAN","Identification":"GB33BUKB20201555555555","Name":"Ann",
        "Proxy":{"Identification":"+44-1","Code":"TELE","Type":"M"}},"ExpirationDateTime":"1970-01-01T01:01+01:00"}}"#;
    let draft = <V4_0 as Parse<FundsConsentDraft>>::parse(text.as_bytes(), 32).unwrap();
    assert_eq!(draft.account, payee());
    let mut consent = ConsentDraft::from(draft).into_consent("c-1".into(), "t-1".into(), at(0));
    assert_eq!(
        shown(&consent.funds_view(at(10)).unwrap())["Data"],
        json!({
            "ConsentId": "c-1",
            "CreationDateTime": "1970-01-01T00:00:00+00:00",
            "Status": "AWAU",
            "StatusReason": [{
                "StatusReasonCode": "U036",
                "StatusReasonDescription": "The customer has not decided about the consent yet.",
            }],
            "StatusUpdateDateTime": "1970-01-01T00:00:00+00:00",
            "ExpirationDateTime": "1970-01-01T01:01:00+01:00",
            "DebtorAccount": payee_json(),
        })
    );
    consent
        .authorise(
            &"p".into(),
            vec![SelectedAccount { account: "b".into(), alias: "a".into(), core_state: None }],
            at(20),
        )
        .unwrap();
    for (now, status, since) in [(30, "AUTH", "20"), (60, "EXPD", "60")] {
        let data = shown(&consent.funds_view(at(now)).unwrap())["Data"].take();
        let expected = if since == "20" { "1970-01-01T00:00:20+00:00" } else { "1970-01-01T00:01:00+00:00" };
        assert_eq!((&data["Status"], &data["StatusUpdateDateTime"]), (&json!(status), &json!(expected)));
    }
    let wrong = text.replace("TELE", "PHONE");
    let faults = <V4_0 as Parse<FundsConsentDraft>>::parse(wrong.as_bytes(), 32).unwrap_err();
    let found: Vec<_> = faults.into_iter().map(|fault| (fault.code, fault.at)).collect();
    let path = FaultLocation::Path("Data.DebtorAccount.Proxy.Code".into());
    assert_eq!(found, [(FaultCode::FieldInvalid, Some(path))]);
    let older = <V3_1 as Parse<FundsConsentDraft>>::parse(text.as_bytes(), 32).unwrap();
    assert_eq!(older.account.proxy, None, "v3.1 knows no proxies; the object is open");
}

#[test]
fn ais_121_ais_135_ais_170_statuses_that_only_v4_0_has() {
    use crate::v3_1::names as older;
    for (status, newer, in_v3_1) in [
        (EntryStatus::Booked, "BOOK", Some("Booked")),
        (EntryStatus::Pending, "PDNG", Some("Pending")),
        (EntryStatus::Rejected, "RJCT", Some("Rejected")),
        (EntryStatus::Future, "FUTR", Some("Pending")),
        (EntryStatus::Information, "INFO", None),
    ] {
        assert_eq!((names::entry_status(status), older::entry_status(status)), (newer, in_v3_1));
    }
    for (status, newer, in_v3_1) in [
        (ArrangementStatus::Active, "ACTV", "Active"),
        (ArrangementStatus::Inactive, "CANC", "Inactive"),
        (ArrangementStatus::Expired, "EXPI", "Inactive"),
        (ArrangementStatus::Suspended, "SUSP", "Inactive"),
    ] {
        assert_eq!((names::mandate_status(status), older::arrangement_status(status)), (newer, in_v3_1));
    }
}
