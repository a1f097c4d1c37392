//! Faults of consent requests: each with its code and path; nothing is stored.

use super::{with, without};
use crate::harness::paying::{DOMESTIC, consents};
use crate::harness::{Bank, ExchangeExt, PayingTpp, ValueExt};
use jiff::SignedDuration;
use lombard_domain::payment::PaymentProduct;
use serde_json::{Value, json};

const NOW: PaymentProduct = PaymentProduct::DomesticPayment;
const ON_A_DAY: PaymentProduct = PaymentProduct::DomesticScheduledPayment;
const OFTEN: PaymentProduct = PaymentProduct::DomesticStandingOrder;

/// What is wrong, where and with what, and what is answered.
type Case = (&'static str, &'static str, Value, &'static str, &'static str);

/// Posts each of the cases; the first word of each names its rule.
async fn refuse(bank: &Bank, paying: &PayingTpp, product: PaymentProduct, cases: Vec<Case>) {
    let rows = bank.rows();
    for (what, at, value, code, path) in cases {
        let good = paying.asking(product);
        let body = if value == json!("ABSENT") { without(good, at) } else { with(good, at, value) };
        let answer = paying.post(&paying.own, consents(product), &body).await;
        let found = answer.refused(400);
        assert_eq!(found, [(format!("UK.OBIE.{code}"), path.to_owned())], "{product:?} {what}: {}", answer.text());
    }
    assert_eq!(bank.rows(), rows, "PIS-020: nothing is stored");
}

const AMOUNT: &str = "/Data/Initiation/InstructedAmount/Amount";
const CURRENCY: &str = "/Data/Initiation/InstructedAmount/Currency";
const CREDITOR: &str = "/Data/Initiation/CreditorAccount";

#[tokio::test]
async fn pis_120_to_124_amounts_and_currencies() {
    let bank = Bank::start().await;
    let paying = PayingTpp::robot(&bank).await;
    let amount = "Data.Initiation.InstructedAmount.Amount";
    let currency = "Data.Initiation.InstructedAmount.Currency";
    let invalid = |what, value: Value| -> Case { (what, AMOUNT, value, "Field.Invalid", amount) };
    refuse(
        &bank,
        &paying,
        NOW,
        vec![
            ("PIS-120: a number", AMOUNT, json!(1.5), "Resource.InvalidFormat", amount),
            invalid("PIS-120: a sign", json!("-1.00")),
            invalid("PIS-120: an exponent", json!("1e2")),
            invalid("PIS-120: a leading dot", json!(".50")),
            invalid("PIS-120: fourteen digits", json!("10000000000000")),
            invalid("PIS-120: six decimals", json!("1.000000")),
            invalid("PIS-121: zero", json!("0.00")),
            invalid("PIS-121: a tenth of a penny", json!("1.001")),
            invalid("PIS-124: more than is offered", json!("1000000.01")),
            ("PIS-122: no currency", CURRENCY, json!("XQQ"), "Field.Invalid", currency),
            ("PIS-122: letters", CURRENCY, json!("gbp"), "Field.Invalid", currency),
            ("PIS-122, PIS-123: not offered", CURRENCY, json!("USD"), "Unsupported.Currency", currency),
        ],
    )
    .await;
}

#[tokio::test]
async fn pis_114_to_119_accounts() {
    let bank = Bank::start().await;
    let paying = PayingTpp::robot(&bank).await;
    let debtor = |scheme: &str, number: &str| json!({"SchemeName": scheme, "Identification": number});
    let creditor = |scheme: &str, number: &str| json!({"SchemeName": scheme, "Identification": number, "Name": "N"});
    let at = "Data.Initiation.CreditorAccount";
    let identification = "Data.Initiation.CreditorAccount.Identification";
    let wrong = "Unsupported.AccountIdentifier";
    let sort_code = "UK.OBIE.SortCodeAccountNumber";
    let own = super::consents::amelias_number(&bank).await;
    let mut second = debtor("UK.OBIE.PAN", "4012888888881881");
    second["SecondaryIdentification"] = "1".into();
    refuse(
        &bank,
        &paying,
        NOW,
        vec![
            (
                "PIS-114: unknown scheme",
                CREDITOR,
                creditor("UK.OBIE.Nonsense", "1"),
                "Unsupported.Scheme",
                "Data.Initiation.CreditorAccount.SchemeName",
            ),
            (
                "PIS-114: not offered",
                CREDITOR,
                creditor("UK.OBIE.Paym", "07700900000"),
                "Unsupported.Scheme",
                "Data.Initiation.CreditorAccount.SchemeName",
            ),
            ("PIS-114: separators", CREDITOR, creditor(sort_code, "20-00-03-19825731"), wrong, identification),
            ("PIS-114: too short", CREDITOR, creditor(sort_code, "2000031982573"), wrong, identification),
            (
                "PIS-114: IBAN's check digits",
                CREDITOR,
                creditor("UK.OBIE.IBAN", "GB00NWBK60161331926819"),
                wrong,
                identification,
            ),
            (
                "PIS-116: second identification",
                "/Data/Initiation/DebtorAccount",
                second,
                "Unsupported.AccountSecondaryIdentifier",
                "Data.Initiation.DebtorAccount.SecondaryIdentification",
            ),
            (
                "PIS-117: no name",
                "/Data/Initiation/CreditorAccount/Name",
                json!("ABSENT"),
                "Field.Missing",
                "Data.Initiation.CreditorAccount.Name",
            ),
            (
                "PIS-118: to itself",
                "/Data/Initiation/DebtorAccount",
                debtor(sort_code, "20000319825731"),
                "Field.Invalid",
                at,
            ),
            (
                "PIS-114: debtor's scheme",
                "/Data/Initiation/DebtorAccount",
                debtor("UK.OBIE.BBAN", "1"),
                "Unsupported.Scheme",
                "Data.Initiation.DebtorAccount.SchemeName",
            ),
        ],
    )
    .await;
    let named = with(paying.asking(NOW), "/Data/Initiation/DebtorAccount", debtor("SortCodeAccountNumber", &own));
    paying.consent(NOW, &named).await;
}

#[tokio::test]
async fn pis_021_022_054_110_138_142_to_150_157_158_members_and_codes() {
    let bank = Bank::start().await;
    let paying = PayingTpp::robot(&bank).await;
    let past = (paying.now() - SignedDuration::from_hours(1)).to_string();
    let delivery = json!({"TownName": "London"});
    refuse(
        &bank,
        &paying,
        NOW,
        vec![
            (
                "PIS-138",
                "/Data/Initiation/LocalInstrument",
                json!("UK.OBIE.Nonsense"),
                "Unsupported.LocalInstrument",
                "Data.Initiation.LocalInstrument",
            ),
            (
                "PIS-139",
                "/Data/Initiation/LocalInstrument",
                json!("UK.OBIE.SWIFT"),
                "Unsupported.LocalInstrument",
                "Data.Initiation.LocalInstrument",
            ),
            (
                "PIS-110: Multiple",
                "/Data/Authorisation",
                json!({"AuthorisationType": "Multiple"}),
                "Field.Invalid",
                "Data.Authorisation.AuthorisationType",
            ),
            (
                "PIS-110: past",
                "/Data/Authorisation",
                json!({"AuthorisationType": "Any", "CompletionDateTime": past}),
                "Field.InvalidDate",
                "Data.Authorisation.CompletionDateTime",
            ),
            ("PIS-096", "/Data/ReadRefundAccount", json!("yes"), "Field.Invalid", "Data.ReadRefundAccount"),
            (
                "PIS-150",
                "/Data/SCASupportData",
                json!({"AppliedAuthenticationApproach": "XX"}),
                "Field.Invalid",
                "Data.SCASupportData.AppliedAuthenticationApproach",
            ),
            (
                "PIS-028: not of this product",
                "/Data/Permission",
                json!("Create"),
                "Field.Unexpected",
                "Data.Permission",
            ),
            ("PIS-142", "/Risk", json!("ABSENT"), "Field.Missing", "Risk"),
            ("PIS-142: closed", "/Risk", json!({"Other": 1}), "Field.Unexpected", "Risk.Other"),
            ("PIS-144", "/Risk", json!({"PaymentContextCode": "Fun"}), "Field.Invalid", "Risk.PaymentContextCode"),
            ("PIS-143", "/Risk", json!({"MerchantCategoryCode": "12"}), "Field.Invalid", "Risk.MerchantCategoryCode"),
            (
                "PIS-146",
                "/Risk",
                json!({"BeneficiaryAccountType": "Secret"}),
                "Field.Invalid",
                "Risk.BeneficiaryAccountType",
            ),
            ("PIS-147", "/Risk", json!({"DeliveryAddress": delivery}), "Field.Missing", "Risk.DeliveryAddress.Country"),
            (
                "PIS-158",
                "/Data/Initiation/SupplementaryData",
                json!({"X": 1}),
                "Field.Unexpected",
                "Data.Initiation.SupplementaryData.X",
            ),
            ("PIS-157", "/Data/Initiation/Other", json!(1), "Field.Unexpected", "Data.Initiation.Other"),
            (
                "PIS-131",
                "/Data/Initiation/RemittanceInformation",
                json!({"Reference": "x".repeat(36)}),
                "Field.Invalid",
                "Data.Initiation.RemittanceInformation.Reference",
            ),
            (
                "PIS-135",
                "/Data/Initiation/RemittanceInformation",
                json!({"Unstructured": "a\u{7}b"}),
                "Field.Invalid",
                "Data.Initiation.RemittanceInformation.Unstructured",
            ),
            (
                "PIS-130",
                "/Data/Initiation/EndToEndIdentification",
                json!("ABSENT"),
                "Field.Missing",
                "Data.Initiation.EndToEndIdentification",
            ),
            ("RW-140", "/Data/Initiation", json!([]), "Resource.InvalidFormat", "Data.Initiation"),
        ],
    )
    .await;
    // PIS-144, PIS-145, PIS-148: what is discouraged or misspelt is taken all the same.
    for risk in [
        json!({"PaymentContextCode": "PartyToParty"}),
        json!({"PaymentContextCode": "EcommerceGoods", "MerchantCustomerIdentification": "c"}),
        json!({"ContractPresentInidicator": true, "BeneficiaryPaymentDetailsPrepopulatedIndicator": false}),
        json!({"DeliveryAddress": {"TownName": "London", "Country": "UK"}}),
    ] {
        let answer = paying.consent(NOW, &with(paying.asking(NOW), "/Risk", risk.clone())).await;
        assert_eq!(answer["Risk"], risk, "PIS-148");
    }
    // PIS-151: an order nobody knows is no reason to refuse.
    let sca = json!({"ReferencePaymentOrderId": "unknown"});
    paying.consent(NOW, &with(paying.asking(NOW), "/Data/SCASupportData", sca)).await;
}

#[tokio::test]
async fn pis_023_every_fault_is_told_at_once() {
    let bank = Bank::start().await;
    let paying = PayingTpp::robot(&bank).await;
    let mut body = paying.asking(NOW);
    body["Data"]["Initiation"]["InstructedAmount"]["Amount"] = "0".into();
    body["Data"]["Initiation"]["CreditorAccount"]["Identification"] = "1".into();
    body["Data"]["Initiation"]["LocalInstrument"] = "UK.OBIE.SWIFT".into();
    let mut found = paying.post(&paying.own, consents(NOW), &body).await.refused(400);
    found.sort();
    let wanted = [
        ("UK.OBIE.Field.Invalid", "Data.Initiation.InstructedAmount.Amount"),
        ("UK.OBIE.Unsupported.AccountIdentifier", "Data.Initiation.CreditorAccount.Identification"),
        ("UK.OBIE.Unsupported.LocalInstrument", "Data.Initiation.LocalInstrument"),
    ];
    assert_eq!(found, wanted.map(|(code, path)| (code.to_owned(), path.to_owned())));
}

#[tokio::test]
async fn sch_001_to_003_011_days_of_scheduled_payments() {
    let bank = Bank::start().await;
    let paying = PayingTpp::robot(&bank).await;
    let at = "/Data/Initiation/RequestedExecutionDateTime";
    let path = "Data.Initiation.RequestedExecutionDateTime";
    let on = |days: i64| json!((paying.now() + SignedDuration::from_hours(24 * days)).to_string());
    let late = |what, value| -> Case { (what, at, value, "Field.InvalidDate", path) };
    refuse(
        &bank,
        &paying,
        ON_A_DAY,
        vec![
            ("SCH-001", at, json!("ABSENT"), "Field.Missing", path),
            late("SCH-002: today", on(0)),
            late("SCH-002: yesterday", on(-1)),
            late("SCH-003: in two years", on(731)),
            late("PIS-152: no date", json!("soon")),
            late("PIS-152: 30 February", json!("2999-02-30T00:00:00Z")),
            ("PIS-028", "/Data/Permission", json!("ABSENT"), "Field.Missing", "Data.Permission"),
            ("PIS-028", "/Data/Permission", json!("create"), "Field.Invalid", "Data.Permission"),
            (
                "SCH-011",
                "/Data/Initiation/RequestedExecutionDate",
                json!("2999-01-01"),
                "Field.Unexpected",
                "Data.Initiation.RequestedExecutionDate",
            ),
        ],
    )
    .await;
    // SCH-005, SCH-009: any time of the day, and no reference from end to end.
    let tomorrow = &(paying.now() + SignedDuration::from_hours(48)).to_string()[..10];
    for time in ["00:00:00Z", "12:00:00+01:00"] {
        let value = json!(format!("{tomorrow}T{time}"));
        let answer = paying.consent(ON_A_DAY, &with(paying.asking(ON_A_DAY), at, value.clone())).await;
        assert_eq!(answer.pointer(at), Some(&value));
        assert!(!answer["Data"].text("CutOffDateTime").is_empty(), "SCH-006");
    }
}

#[tokio::test]
async fn so_001_to_015_standing_orders() {
    let bank = Bank::start().await;
    let paying = PayingTpp::robot(&bank).await;
    let on = |days: i64| json!((paying.now() + SignedDuration::from_hours(24 * days)).to_string());
    let initiation = |name: &str| format!("Data.Initiation.{name}");
    let frequency = |text: &str| -> Case {
        (
            "SO-001, SO-002, SO-003",
            "/Data/Initiation/Frequency",
            json!(text),
            "Field.Invalid",
            "Data.Initiation.Frequency",
        )
    };
    let first = "/Data/Initiation/FirstPaymentDateTime";
    let count = |value: Value| -> Case {
        ("SO-011", "/Data/Initiation/NumberOfPayments", value, "Field.Invalid", "Data.Initiation.NumberOfPayments")
    };
    let mut cases = vec![
        ("SO-007", first, json!("ABSENT"), "Field.Missing", "Data.Initiation.FirstPaymentDateTime"),
        ("SO-007: today", first, on(0), "Field.InvalidDate", "Data.Initiation.FirstPaymentDateTime"),
        (
            "SO-008",
            "/Data/Initiation/RecurringPaymentDateTime",
            on(9),
            "Field.InvalidDate",
            "Data.Initiation.RecurringPaymentDateTime",
        ),
        (
            "SO-009",
            "/Data/Initiation/FinalPaymentDateTime",
            on(9),
            "Field.InvalidDate",
            "Data.Initiation.FinalPaymentDateTime",
        ),
        (
            "SO-011: a number",
            "/Data/Initiation/NumberOfPayments",
            json!(3),
            "Resource.InvalidFormat",
            "Data.Initiation.NumberOfPayments",
        ),
        (
            "SO-012",
            "/Data/Initiation/FinalPaymentAmount",
            json!({"Amount": "1.00", "Currency": "GBP"}),
            "Field.Unexpected",
            "Data.Initiation.FinalPaymentAmount",
        ),
        (
            "SO-015",
            "/Data/Initiation/InstructionIdentification",
            json!("x"),
            "Field.Unexpected",
            "Data.Initiation.InstructionIdentification",
        ),
        (
            "SO-015",
            "/Data/Initiation/LocalInstrument",
            json!("UK.OBIE.FPS"),
            "Field.Unexpected",
            "Data.Initiation.LocalInstrument",
        ),
        (
            "SO-015",
            "/Data/Initiation/RemittanceInformation",
            json!({}),
            "Field.Unexpected",
            "Data.Initiation.RemittanceInformation",
        ),
    ];
    cases.extend(["NotKnown", "evryday", "IntrvlDay:01", "IntrvlMnthDay:07:01", "QtrDay:WELSH", ""].map(frequency));
    cases.extend(["0", "01", "10000", "x"].map(|text| count(json!(text))));
    refuse(&bank, &paying, OFTEN, cases).await;

    let mut both = with(paying.asking(OFTEN), "/Data/Initiation/NumberOfPayments", json!("3"));
    both["Data"]["Initiation"]["FinalPaymentDateTime"] = on(20);
    let answer = paying.post(&paying.own, consents(OFTEN), &both).await;
    answer.refused_with(400, "UK.OBIE.Field.Unexpected", &initiation("FinalPaymentDateTime"));
    let euros = json!({"Amount": "1.00", "Currency": "EUR"});
    let mixed = with(paying.asking(OFTEN), "/Data/Initiation/RecurringPaymentAmount", euros);
    let found = paying.post(&paying.own, consents(OFTEN), &mixed).await.refused(400);
    assert!(
        found.iter().any(|(_, path)| path.starts_with("Data.Initiation.RecurringPaymentAmount")),
        "SO-013: {found:?}"
    );

    // SO-005, SO-008, SO-010, SO-013: what is offered.
    for text in [
        "EvryDay",
        "EvryWorkgDay",
        "IntrvlDay:15",
        "IntrvlWkDay:02:03",
        "WkInMnthDay:05:07",
        "IntrvlMnthDay:24:-01",
        "QtrDay:SCOTTISH",
    ] {
        paying.consent(OFTEN, &with(paying.asking(OFTEN), "/Data/Initiation/Frequency", json!(text))).await;
    }
    let mut whole = with(paying.asking(OFTEN), "/Data/Initiation/NumberOfPayments", json!("3"));
    whole["Data"]["Initiation"]["RecurringPaymentDateTime"] =
        whole["Data"]["Initiation"]["FirstPaymentDateTime"].clone();
    whole["Data"]["Initiation"]["RecurringPaymentAmount"] = whole["Data"]["Initiation"]["FirstPaymentAmount"].clone();
    whole["Data"]["Initiation"]["FinalPaymentAmount"] = json!({"Amount": "1.00", "Currency": "GBP"});
    whole["Data"]["Initiation"]["Reference"] = "rent".into();
    paying.consent(OFTEN, &whole).await;
}

#[tokio::test]
async fn pis_106_108_109_sch_006_a_cut_off_is_published_where_there_is_one() {
    let bank = Bank::start().await;
    let paying = PayingTpp::robot(&bank).await;
    for product in DOMESTIC {
        let shown = paying.consent(product, &paying.asking(product)).await;
        let has = shown["Data"].get("CutOffDateTime").is_some();
        assert_eq!(has, product != NOW, "{product:?}: {shown}");
    }
    let day = "/Data/Initiation/RequestedExecutionDateTime";
    let asked = paying.asking(ON_A_DAY);
    let agreed = paying.agreed_to(ON_A_DAY, asked.clone()).await;
    bank.ops_post("/sandbox/clock", &json!({"advance_secs": 11 * 24 * 3_600})).await;
    let path = crate::harness::paying::orders(ON_A_DAY);
    let late = paying.post(&agreed.token, path, &agreed.order()).await;
    late.refused_with(400, "UK.OBIE.Rules.AfterCutOffDateTime", "Data.CutOffDateTime");
    assert_eq!(paying.consent_now(ON_A_DAY, &agreed.consent).await["Data"].text("Status"), "Authorised", "PIS-046");
    assert_eq!(asked.pointer(day), agreed.asked.pointer(day));
}
