//! Payment orders: one per consent, equal to it, with statuses set by the bank only.

use super::{with, without};
use crate::harness::paying::{DOMESTIC, TRANSFERS, orders};
use crate::harness::{Bank, ExchangeExt, PayingTpp, ValueExt, until};
use jiff::Timestamp;
use lombard_domain::payment::{OrderFamily, PaymentProduct, PaymentTerritory};
use serde_json::{Value, json};

const NOW: PaymentProduct = PaymentProduct::DomesticPayment;

/// Of a consent that was agreed to a while ago, too: the bank is asked again.
#[tokio::test]
async fn pis_104_nothing_is_expected_before_it_was_asked_for() {
    let in_order = |data: &Value, what: &str| {
        let time = |name: &str| data[name].as_str().map(|text| text.parse::<Timestamp>().unwrap());
        let made = time("CreationDateTime").unwrap();
        let expected = ["ExpectedExecutionDateTime", "ExpectedSettlementDateTime"].map(time);
        assert!(expected.iter().flatten().all(|at| *at >= made) && expected[0] <= expected[1], "{what}: {data}");
        expected[0].is_some()
    };
    for bank in Bank::each_engine().await {
        let paying = PayingTpp::robot(&bank).await;
        for product in TRANSFERS.into_iter().chain([PaymentProduct::FilePayment, PaymentProduct::DomesticVrp]) {
            let asked = paying.asking(product);
            in_order(&paying.consent(product, &asked).await["Data"], "asked");
            let agreed = paying.agreed_to(product, asked).await;
            in_order(&paying.consent_now(product, &agreed.consent).await["Data"], "agreed");
            bank.ops_post("/sandbox/clock", &json!({"advance_secs": 90})).await;
            let (id, made) = paying.ordered(&agreed).await;
            let is_told = in_order(&made["Data"], "made");
            assert_eq!(is_told, product.expects_times() && !product.reuses_consents(), "{product:?}");
            let done = async || {
                let now = paying.order_now(product, &id).await;
                in_order(&now["Data"], "on its way");
                bank.ops_post("/sandbox/clock", &json!({"advance_secs": 1})).await;
                (!now["Data"].text("Status").ends_with("Pending")).then_some(())
            };
            until(done).await;
        }
    }
}

#[tokio::test]
async fn pis_042_044_096_097_099_159_an_order_is_shown_with_what_was_ordered() {
    for bank in Bank::each_engine().await {
        let paying = PayingTpp::robot(&bank).await;
        for product in TRANSFERS {
            let asked = with(paying.asking(product), "/Data/ReadRefundAccount", json!("Yes"));
            let agreed = paying.agreed_to(product, asked).await;
            let (id, answer) = paying.ordered(&agreed).await;
            let data = &answer["Data"];
            assert!((1..=40).contains(&id.len()), "PIS-042");
            assert_eq!(data.text("ConsentId"), agreed.consent);
            assert_eq!(data["Initiation"], agreed.asked["Data"]["Initiation"], "PIS-042");
            let created = match product.family() {
                OrderFamily::Immediate => "Pending",
                OrderFamily::Scheduled | OrderFamily::StandingOrder | OrderFamily::File => "InitiationPending",
            };
            assert_eq!(data.text("Status"), created, "PIS-044, SCH-007, SO-016");
            assert_eq!(data["CreationDateTime"], data["StatusUpdateDateTime"]);
            assert_eq!(answer.get("Risk"), None, "PIS-159");
            assert!(data["Charges"].is_array(), "PIS-102");
            assert_eq!(data.get("MultiAuthorisation"), None, "PIS-112");
            let refund = &data["Refund"]["Account"];
            let scheme = match product.territory() {
                PaymentTerritory::Domestic => "UK.OBIE.SortCodeAccountNumber",
                PaymentTerritory::International => "UK.OBIE.IBAN",
            };
            assert_eq!(refund.text("SchemeName"), scheme, "PIS-097, PIS-098");
            assert_eq!(refund.text("Name"), data["Debtor"].text("Name"), "PIS-098, PIS-099");
            let address = paying.tpp.resource_url(&format!("{}/{id}", orders(product)));
            assert_eq!(answer["Links"].text("Self"), address, "PIS-156");
            let read = paying.order_now(product, &id).await;
            for name in ["ConsentId", "CreationDateTime", "Initiation", "Refund", "Debtor", "Charges"] {
                assert_eq!(read["Data"][name], data[name], "{name}");
            }
            assert_eq!(read["Links"], answer["Links"]);

            let plain = paying.agreed(product).await;
            let (_, answer) = paying.ordered(&plain).await;
            assert_eq!(answer["Data"].get("Refund"), None, "PIS-096");
        }
    }
}

#[tokio::test]
async fn pis_044_045_047_094_a_payment_runs_to_its_end_and_its_details_agree() {
    for bank in Bank::each_engine().await {
        let paying = PayingTpp::robot(&bank).await;
        let (id, made) = paying.ordered(&paying.agreed(NOW).await).await;
        let done = async |wanted: &[&str]| {
            let now = paying.order_now(NOW, &id).await;
            wanted.contains(&now["Data"].text("Status")).then_some(now)
        };
        let moved = async || {
            bank.ops_post("/sandbox/clock", &json!({"advance_secs": 5})).await;
            done(&["AcceptedCreditSettlementCompleted"]).await
        };
        let now = until(moved).await;
        assert_ne!(now["Data"]["StatusUpdateDateTime"], made["Data"]["StatusUpdateDateTime"], "PIS-047");
        let details = paying.details(NOW, &id).await;
        assert_eq!(details.len(), 1, "PIS-094");
        assert_eq!(details[0].text("Status"), "AcceptedCreditSettlementCompleted", "PIS-094");
        assert_eq!(details[0].get("PaymentTransactionId").map(|it| it.as_str().unwrap().is_empty()), Some(false));
        assert_eq!(details, paying.details(NOW, &id).await, "PIS-045, PIS-091");
    }
}

#[tokio::test]
async fn pis_040_041_046_165_a_consent_yields_one_order_and_survives_a_failure() {
    for bank in Bank::each_engine().await {
        let paying = PayingTpp::robot(&bank).await;
        for product in TRANSFERS {
            let agreed = paying.agreed(product).await;
            let status = async || paying.consent_now(product, &agreed.consent).await["Data"].text("Status").to_owned();
            let wrong = with(agreed.order(), "/Data/Initiation/CreditorAccount/Name", json!("Another"));
            let answer = paying.post(&agreed.token, orders(product), &wrong).await;
            let path = "Data.Initiation.CreditorAccount.Name";
            answer.refused_with(400, "UK.OBIE.Resource.ConsentMismatch", path);
            assert_eq!(status().await, "Authorised", "PIS-046");
            paying.ordered(&agreed).await;
            assert_eq!(status().await, "Consumed", "PIS-041");
            let again = paying.post(&agreed.token, orders(product), &agreed.order()).await;
            again.refused_with(400, "UK.OBIE.Resource.InvalidConsentStatus", "Data.Status");
        }
    }
}

#[tokio::test]
async fn pis_050_to_055_so_006_an_order_is_what_its_consent_was_given_for() {
    let bank = Bank::start().await;
    let paying = PayingTpp::robot(&bank).await;
    let mut asked = paying.asking(NOW);
    asked["Data"]["Initiation"]["LocalInstrument"] = "UK.OBIE.FPS".into();
    asked["Data"]["Initiation"]["RemittanceInformation"] = json!({"Reference": "rent", "Unstructured": "May"});
    asked["Risk"] = json!({"PaymentContextCode": "TransferToThirdParty", "DeliveryAddress":
        {"TownName": "London", "Country": "GB", "AddressLine": ["a", "b"]}});
    let agreed = paying.agreed_to(NOW, asked).await;
    let order = || agreed.order();
    let post = async |body: &Value| paying.post(&agreed.token, orders(NOW), body).await;
    let debtor = json!({"SchemeName": "UK.OBIE.SortCodeAccountNumber", "Identification": "20000319825731"});
    for (body, paths) in [
        (
            with(order(), "/Data/Initiation/InstructedAmount/Amount", json!("12.51")),
            &["Data.Initiation.InstructedAmount.Amount"][..],
        ),
        (
            with(order(), "/Data/Initiation/EndToEndIdentification", json!("e2e-1")),
            &["Data.Initiation.EndToEndIdentification"],
        ),
        (without(order(), "/Data/Initiation/RemittanceInformation"), &["Data.Initiation.RemittanceInformation"]),
        (with(order(), "/Data/Initiation/DebtorAccount", debtor), &["Data.Initiation.DebtorAccount"]),
        (
            with(order(), "/Risk/DeliveryAddress/AddressLine", json!(["b", "a"])),
            &["Risk.DeliveryAddress.AddressLine[0]", "Risk.DeliveryAddress.AddressLine[1]"],
        ),
        (
            without(
                with(order(), "/Data/Initiation/InstructionIdentification", json!("X")),
                "/Risk/PaymentContextCode",
            ),
            &["Data.Initiation.InstructionIdentification", "Risk.PaymentContextCode"],
        ),
    ] {
        let mut found = post(&body).await.refused(400);
        found.sort();
        let wanted: Vec<_> =
            paths.iter().map(|path| ("UK.OBIE.Resource.ConsentMismatch".to_owned(), (*path).to_owned())).collect();
        assert_eq!(found, wanted, "PIS-050, PIS-053");
    }
    for name in ["Authorisation", "SCASupportData", "ReadRefundAccount", "Permission"] {
        let found = post(&with(order(), &format!("/Data/{name}"), json!("Yes"))).await.refused(400);
        assert_eq!(found[0].1, format!("Data.{name}"), "PIS-054");
    }
    let unknown = post(&with(order(), "/Data/ConsentId", json!("unknown"))).await;
    unknown.refused_with(400, "UK.OBIE.Resource.NotFound", "Data.ConsentId");
    // The same in other words: PIS-052.
    let mut same = order();
    same["Data"]["Initiation"]["LocalInstrument"] = "FPS".into();
    same["Data"]["Initiation"]["InstructedAmount"]["Amount"] = "12.5".into();
    same["Data"]["Initiation"]["SupplementaryData"] = Value::Null;
    post(&same).await.ok(201);
}

#[tokio::test]
async fn pis_006_007_008_160_a_token_orders_for_its_own_consent_alone() {
    for bank in Bank::each_engine().await {
        let paying = PayingTpp::robot(&bank).await;
        let mine = paying.agreed(NOW).await;
        let other = paying.agreed(NOW).await;
        let crossed = paying.post(&mine.token, orders(NOW), &other.order()).await;
        crossed.refused_with(403, "UK.Lombard.Forbidden.Owner", "");
        let rival = PayingTpp::as_tpp(&bank, "rival").await;
        let foreign = rival.consent(NOW, &rival.asking(NOW)).await["Data"].text("ConsentId").to_owned();
        let body = with(mine.order(), "/Data/ConsentId", json!(foreign));
        paying.post(&mine.token, orders(NOW), &body).await.refused_with(403, "UK.Lombard.Forbidden.Owner", "");
        // The path of another product knows no such consent.
        let later = paying.asking(DOMESTIC[1]);
        let body = json!({"Data": {"ConsentId": mine.consent, "Initiation": later["Data"]["Initiation"]}, "Risk": {}});
        let answer = paying.post(&mine.token, orders(DOMESTIC[1]), &body).await;
        answer.refused_with(400, "UK.OBIE.Resource.NotFound", "Data.ConsentId");
        paying.ordered(&mine).await;
    }
}

#[tokio::test]
async fn sch_007_so_016_orders_for_later_are_kept_by_the_bank() {
    for bank in Bank::each_engine().await {
        let paying = PayingTpp::robot(&bank).await;
        for product in super::LATER {
            let (id, _) = paying.ordered(&paying.agreed(product).await).await;
            let kept = async || {
                let now = paying.order_now(product, &id).await;
                (now["Data"].text("Status") == "InitiationCompleted").then_some(())
            };
            until(kept).await;
        }
    }
}
