//! Payment consents: creation, reading in every state, and the echo of the request.

use super::{LATER, with};
use crate::harness::paying::{TRANSFERS, consents};
use crate::harness::{Bank, ExchangeExt, PayingTpp, ValueExt};
use lombard_domain::payment::PaymentProduct;
use lombard_tpp::HttpCall;
use serde_json::{Value, json};

const NOW: PaymentProduct = PaymentProduct::DomesticPayment;

#[tokio::test]
async fn pis_001_015_016_017_018_a_consent_comes_back_as_it_was_asked_for() {
    for bank in Bank::each_engine().await {
        let paying = PayingTpp::robot(&bank).await;
        for product in TRANSFERS {
            let mut asked = paying.asking(product);
            asked["Data"]["ReadRefundAccount"] = "Yes".into();
            asked["Data"]["Authorisation"] = json!({"AuthorisationType": "Any"});
            asked["Data"]["SCASupportData"] =
                json!({"RequestedSCAExemptionType": "PartyToParty", "AppliedAuthenticationApproach": "SCA"});
            asked["Data"]["Initiation"]["SupplementaryData"] = json!({});
            asked["Risk"] = json!({"PaymentContextCode": "TransferToThirdParty"});
            let answer = paying.consent(product, &asked).await;
            let data = &answer["Data"];
            for (name, value) in asked["Data"].as_object().unwrap() {
                assert_eq!(&data[name], value, "PIS-017, PIS-028: {product:?} {name}");
            }
            assert_eq!(answer["Risk"], asked["Risk"], "PIS-159");
            assert_eq!(data.text("Status"), "AwaitingAuthorisation", "PIS-016");
            assert_eq!(data["CreationDateTime"], data["StatusUpdateDateTime"], "PIS-016");
            let id = data.text("ConsentId");
            assert!((1..=128).contains(&id.len()), "PIS-015");
            assert!(!id.contains("INSTR") && !id.contains("E2E"), "PIS-015");
            assert!(data["Charges"].is_array(), "PIS-102");
            assert_eq!(data.get("Debtor"), None, "PIS-099: nobody has agreed yet");
            assert_eq!(data["Initiation"].get("DebtorAccount"), None, "PIS-018");
            let address = paying.tpp.resource_url(&format!("{}/{id}", consents(product)));
            assert_eq!(answer["Links"].text("Self"), address, "PIS-156, RW-243");
            assert!(answer["Meta"].is_object(), "PIS-156");
            assert_eq!(paying.consent_now(product, id).await, answer, "PIS-024");
        }
    }
}

#[tokio::test]
async fn pis_019_113_153_only_namespaces_and_zones_are_added() {
    let bank = Bank::start().await;
    let paying = PayingTpp::robot(&bank).await;
    let mut asked = paying.asking(NOW);
    asked["Data"]["Initiation"]["LocalInstrument"] = "FPS".into();
    asked["Data"]["Initiation"]["CreditorAccount"]["SchemeName"] = "SortCodeAccountNumber".into();
    asked["Data"]["Initiation"]["InstructedAmount"]["Amount"] = "12.5000".into();
    let shown = paying.consent(NOW, &asked).await;
    let initiation = &shown["Data"]["Initiation"];
    assert_eq!(initiation["LocalInstrument"], "UK.OBIE.FPS");
    assert_eq!(initiation["CreditorAccount"]["SchemeName"], "UK.OBIE.SortCodeAccountNumber");
    assert_eq!(initiation["InstructedAmount"]["Amount"], "12.5000", "PIS-018, PIS-121: trailing zeros");
    for product in LATER {
        let at = match product {
            PaymentProduct::DomesticScheduledPayment => "/Data/Initiation/RequestedExecutionDateTime",
            _ => "/Data/Initiation/FirstPaymentDateTime",
        };
        let day = paying.asking(product).pointer(at).unwrap().as_str().unwrap()[..10].to_owned();
        for (sent, shown) in [
            (format!("{day}T10:40:02"), format!("{day}T10:40:02Z")),
            (format!("{day}T10:40:02+01:00"), format!("{day}T10:40:02+01:00")),
            (format!("{day}T10:40Z"), format!("{day}T10:40:00Z")),
            (format!("{day}T10:40:02.123Z"), format!("{day}T10:40:02.123Z")),
        ] {
            let body = with(paying.asking(product), at, sent.clone().into());
            let answer = paying.consent(product, &body).await;
            let got = answer.pointer(at).unwrap().as_str().unwrap();
            let same = got.parse::<jiff::Timestamp>().ok() == shown.parse().ok();
            assert!(same, "PIS-152, PIS-153: {sent} came back as {got}");
            assert!(got.ends_with('Z') || got.contains('+'), "PIS-153: {got}");
        }
    }
}

#[tokio::test]
async fn pis_155_157_what_has_no_value_is_left_out() {
    let bank = Bank::start().await;
    let paying = PayingTpp::robot(&bank).await;
    for product in TRANSFERS {
        let mut asked = paying.asking(product);
        asked["Data"]["ReadRefundAccount"] = Value::Null;
        asked["Data"]["SCASupportData"] = json!({"Other": 1});
        let answer = paying.consent(product, &asked).await;
        assert_eq!(answer["Data"].get("ReadRefundAccount"), None, "RW-142");
        fn no_nulls(value: &Value) -> bool {
            match value {
                Value::Null => false,
                Value::Object(members) => members.values().all(no_nulls),
                Value::Array(items) => items.iter().all(no_nulls),
                _ => true,
            }
        }
        assert!(no_nulls(&answer), "PIS-155: {answer}");
    }
}

#[tokio::test]
async fn pis_024_025_030_034_035_a_consent_is_always_readable_never_deleted() {
    for bank in Bank::each_engine().await {
        let paying = PayingTpp::robot(&bank).await;
        for product in TRANSFERS {
            let agreed = paying.agreed(product).await;
            let authorised = paying.consent_now(product, &agreed.consent).await;
            assert_eq!(authorised["Data"].text("Status"), "Authorised", "PIS-035");
            assert!(!authorised["Data"]["Debtor"].text("Name").is_empty(), "PIS-099");
            assert_eq!(authorised["Data"]["Debtor"].get("Identification"), None, "PIS-099");
            assert_eq!(authorised["Data"]["Initiation"], agreed.asked["Data"]["Initiation"], "PIS-018");
            paying.ordered(&agreed).await;
            assert_eq!(
                paying.consent_now(product, &agreed.consent).await["Data"].text("Status"),
                "Consumed",
                "PIS-041"
            );

            let rejected = paying.consent(product, &agreed.asked).await["Data"].text("ConsentId").to_owned();
            let no = json!({"psu": "amelia", "decision": "reject"});
            assert_eq!(bank.ops_post(&format!("/sandbox/consents/{rejected}/authorise"), &no).await.0, 200);
            assert_eq!(paying.consent_now(product, &rejected).await["Data"].text("Status"), "Rejected", "PIS-034");
            let path = paying.tpp.resource_url(&format!("{}/{rejected}", consents(product)));
            let delete = HttpCall::new(http::Method::DELETE, path).with_bearer(&paying.own);
            paying.send(delete).await.refused_with(405, "UK.Lombard.Method.NotAllowed", "");
        }
    }
}

#[tokio::test]
async fn pis_027_a_consent_that_nobody_decides_is_rejected_after_a_day() {
    for bank in Bank::each_engine().await {
        let paying = PayingTpp::robot(&bank).await;
        let made = paying.consent(NOW, &paying.asking(NOW)).await["Data"].text("ConsentId").to_owned();
        bank.ops_post("/sandbox/clock", &json!({"advance_secs": 24 * 3_600 + 1})).await;
        let status = async || paying.consent_now(NOW, &made).await["Data"].text("Status").to_owned();
        crate::harness::until(async || (status().await == "Rejected").then_some(())).await;
    }
}

#[tokio::test]
async fn pis_099_a_debtor_that_was_named_is_told_again_with_its_number() {
    let bank = Bank::start().await;
    let paying = PayingTpp::robot(&bank).await;
    let number = amelias_number(&bank).await;
    let debtor = json!({"SchemeName": "UK.OBIE.SortCodeAccountNumber", "Identification": number});
    let asked = with(paying.asking(NOW), "/Data/Initiation/DebtorAccount", debtor);
    let agreed = paying.agreed_to(NOW, asked).await;
    let shown = paying.consent_now(NOW, &agreed.consent).await;
    assert_eq!(shown["Data"]["Debtor"].text("Identification"), number, "PIS-032");
    assert_eq!(shown["Data"]["Debtor"].text("SchemeName"), "UK.OBIE.SortCodeAccountNumber");
}

#[tokio::test]
async fn pis_167_a_reference_may_come_again() {
    let bank = Bank::start().await;
    let paying = PayingTpp::robot(&bank).await;
    let asked = paying.asking(NOW);
    let first = paying.consent(NOW, &asked).await;
    let second = paying.consent(NOW, &asked).await;
    assert_ne!(first["Data"]["ConsentId"], second["Data"]["ConsentId"]);
}

/// The number of an account that amelia pays from.
pub(in crate::payments) async fn amelias_number(bank: &Bank) -> String {
    let access = crate::harness::access(&bank.tpp("robot"), &["ReadAccountsDetail"]).await;
    let accounts = access.read("aisp/accounts").await.list("/Data/Account");
    let is_usual = |it: &&Value| it.text("AccountSubType") == "CurrentAccount" && it.text("Currency") == "GBP";
    let usual = accounts.iter().find(is_usual).expect("amelia has a current account");
    let numbers = usual.list("/Account");
    let local = numbers.iter().find(|it| it.text("SchemeName") == "UK.OBIE.SortCodeAccountNumber");
    local.expect("it has a number").text("Identification").to_owned()
}
