//! Payments through v4.0: a life of each product in its statuses and reasons, and what only this version refuses.

use super::with;
use crate::harness::paying::{TRANSFERS, consents, orders};
use crate::harness::pending_consent::{accounts_of, debtor};
use crate::harness::{Bank, CustomerAccess, Engine, ExchangeExt, PayingTpp, ValueExt, access, until, vrp};
use lombard_domain::payment::PaymentProduct;
use lombard_domain::version::Version;
use serde_json::{Value, json};

const VRP: PaymentProduct = PaymentProduct::DomesticVrp;

async fn robot(bank: &Bank) -> PayingTpp {
    PayingTpp::robot(bank).await.through(Version::V4_0)
}

/// The status, with the codes of its reasons.
fn status(answer: &Value) -> (String, Vec<String>) {
    let reasons = answer.pointer("/Data/StatusReason").and_then(Value::as_array).cloned().unwrap_or_default();
    let codes = reasons.iter().map(|it| it.text("StatusReasonCode").to_owned()).collect();
    (answer["Data"].text("Status").to_owned(), codes)
}

fn is(status_and_reasons: (String, Vec<String>), name: &str, codes: &[&str]) {
    assert_eq!(
        (status_and_reasons.0.as_str(), status_and_reasons.1),
        (name, codes.iter().map(|it| (*it).to_owned()).collect())
    );
}

#[tokio::test]
async fn v4_002_to_004_v4_024_err_001_err_011_each_product_uses_v4_0_codes() {
    for bank in Bank::each_engine().await {
        let paying = robot(&bank).await;
        for product in TRANSFERS.into_iter().chain([PaymentProduct::FilePayment, VRP]) {
            let asked = paying.asking(product);
            let made = paying.consent(product, &asked).await;
            if product.requires_file() {
                is(status(&made), "AWUP", &[]);
            } else {
                is(status(&made), "AWAU", &["U036"]);
            }
            let agreed = paying.agreed_to(product, asked).await;
            is(status(&paying.consent_now(product, &agreed.consent).await), "AUTH", &[]);
            let (id, order) = paying.ordered(&agreed).await;
            is(status(&order), if product.requires_file() { "PDNG" } else { "RCVD" }, &[]);
            let used = status(&paying.consent_now(product, &agreed.consent).await);
            if product.reuses_consents() {
                is(used, "AUTH", &[])
            } else {
                is(used, "COND", &["U038"]);
                let again = paying.post(&agreed.token, orders(product), &agreed.order()).await;
                again.refused_with(400, "U009", "Data.Status");
            }
            let arrived: &[&str] = match product {
                PaymentProduct::DomesticStandingOrder
                | PaymentProduct::InternationalStandingOrder
                | PaymentProduct::FilePayment => &["INCO"],
                PaymentProduct::DomesticScheduledPayment | PaymentProduct::InternationalScheduledPayment => &["PDNG"],
                PaymentProduct::DomesticPayment
                | PaymentProduct::InternationalPayment
                | PaymentProduct::DomesticVrp => &["ACSP", "ACSC", "ACCC"],
            };
            until(async || {
                let now = paying.order_now(product, &id).await;
                bank.ops_post("/sandbox/clock", &json!({"advance_secs": 1})).await;
                arrived.contains(&now["Data"].text("Status")).then_some(())
            })
            .await;
            for entry in paying.details(product, &id).await {
                let codes = [&entry["Status"], &entry["StatusDetail"]["Status"]];
                assert!(codes.iter().all(|it| it.as_str().is_none_or(|code| code.len() == 4)), "PIS-091: {entry}");
            }
            let older = paying.through(Version::V3_1);
            let unseen = older.get(&older.own, &format!("{}/{id}", orders(product))).await;
            assert_eq!(unseen.status, 400, "PIS-161, V4-025: {product:?}");
        }
    }
}

/// Every transaction of the customer, through a version.
async fn transactions(given: &CustomerAccess, version: Version) -> Vec<Value> {
    let mut all = Vec::new();
    let mut url = Some(given.tpp.with_version(version).resource_url("aisp/transactions"));
    while let Some(page) = url {
        let page = given.tpp.read_link(given.token(), &page).await.unwrap().ok(200);
        all.extend(page.list("/Data/Transaction"));
        url = page["Links"]["Next"].as_str().map(str::to_owned);
    }
    all
}

#[tokio::test]
async fn rw_132_rw_252_ais_128_t7_payer_and_payee_read_v4_0_payment_members() {
    const PRODUCT: PaymentProduct = PaymentProduct::DomesticPayment;
    const READ: [&str; 2] = ["ReadTransactionsCredits", "ReadTransactionsDebits"];
    for bank in Bank::each_engine().await {
        let paying = robot(&bank).await;
        let savings = accounts_of(&bank, "amelia").await.into_iter().find(|it| it["sub_type"] == "Savings").unwrap();
        let proxy = json!({"Identification": "+44-7700900001", "Code": "TELE", "Type": "Mobile"});
        let creditor = with(with(debtor(&savings), "/Name", json!("Amelia")), "/Proxy", proxy.clone());
        let ultimate = |name: &str| {
            json!({"Name": name, "LEI": "IZ9Q00LZEVUKWCQY6X15", "SchemeName": "UK.OBIE.BBAN", "Identification": "1",
                "PostalAddress": {"CareOf": "Somebody", "Country": "GB"}})
        };
        let payer = ultimate("Whose Money");
        let payee = ultimate("Whose Rent");
        let remittance = json!({"Structured": [{"Invoicer": "Landlord"}], "Unstructured": ["May", "June"]});
        let report = json!([{"Authority": {"Name": "HMRC", "CountryCode": "GB"}, "Details": [{"Type": "Rent"}]}]);
        // The account is here, whatever the TPP says of its bank (AIS-130).
        let other_bank = json!({"SchemeName": "UK.OBIE.BICFI", "Identification": "BARCGB22"});
        let asked = [
            ("/Data/Initiation/CreditorAccount", creditor),
            ("/Data/Initiation/CreditorAgent", other_bank),
            ("/Data/Initiation/UltimateDebtor", payer.clone()),
            ("/Data/Initiation/UltimateCreditor", payee.clone()),
            ("/Data/Initiation/RemittanceInformation", remittance),
            ("/Data/Initiation/RegulatoryReporting", report),
            ("/Risk/PaymentPurposeCode", json!("RENT")),
            ("/Risk/CategoryPurposeCode", json!("WHLD")),
        ];
        let asked = asked.into_iter().fold(paying.asking(PRODUCT), |body, (at, value)| with(body, at, value));
        let (id, _) = paying.ordered(&paying.agreed_to(PRODUCT, asked).await).await;
        until(async || {
            bank.ops_post("/sandbox/clock", &json!({"advance_secs": 1})).await;
            (paying.order_now(PRODUCT, &id).await["Data"].text("Status") == "ACCC").then_some(())
        })
        .await;

        let detail = [&READ[..], &["ReadAccountsBasic", "ReadTransactionsDetail"]].concat();
        let given = access(&bank.tpp("robot"), &detail).await;
        let is_rent = |entry: &Value| entry["PaymentPurposeCode"] == "RENT";
        let newer: Vec<_> = transactions(&given, Version::V4_0).await.into_iter().filter(is_rent).collect();
        let sides: Vec<_> = newer.iter().map(|entry| entry.text("CreditDebitIndicator")).collect();
        assert!(sides.len() == 2 && sides.contains(&"Credit") && sides.contains(&"Debit"), "{newer:?}");
        for entry in &newer {
            assert_eq!((&entry["UltimateDebtor"], &entry["UltimateCreditor"]), (&payer, &payee));
            assert_eq!(entry["CategoryPurposeCode"], "WHLD");
            if entry["CreditDebitIndicator"] == "Debit" {
                assert_eq!(entry["CreditorAccount"]["Proxy"], proxy, "CBP-001");
                assert!(entry.get("CreditorAgent").is_none(), "{entry}");
            }
        }
        for entry in transactions(&given, Version::V3_1).await {
            for member in ["PaymentPurposeCode", "CategoryPurposeCode", "UltimateDebtor", "UltimateCreditor"] {
                assert!(entry.get(member).is_none(), "{entry}");
            }
            assert!(entry.pointer("/CreditorAccount/Proxy").is_none(), "{entry}");
        }
        let basic = [&READ[..], &["ReadAccountsBasic", "ReadTransactionsBasic"]].concat();
        let given = access(&bank.tpp("robot"), &basic).await;
        let rent: Vec<_> = transactions(&given, Version::V4_0).await.into_iter().filter(is_rent).collect();
        let shows = |entry: &Value| entry.get("UltimateDebtor").or_else(|| entry.get("CreditorAccount")).is_some();
        assert!(rent.len() == 2 && !rent.iter().any(shows), "T7: {rent:?}");
    }
}

#[tokio::test]
async fn v4_023_funds_of_payments_and_of_vrp() {
    for bank in Bank::each_engine().await {
        let paying = robot(&bank).await;
        let agreed = paying.agreed(PaymentProduct::DomesticPayment).await;
        let path = format!("{}/{}/funds-confirmation", consents(agreed.product), agreed.consent);
        let answer = paying.get(&agreed.token, &path).await.ok(200);
        assert_eq!(answer["Data"]["FundsAvailableResult"]["FundsAvailable"], true);
        let agreed = paying.agreed(VRP).await;
        let question = vrp::question(&agreed.consent, "1.00");
        let answer = paying.ask_funds(&agreed.token, &agreed.consent, &question).await.ok(201);
        assert_eq!(answer["Data"]["FundsAvailableResult"]["FundsAvailable"], "Available");
    }
}

#[tokio::test]
async fn v4_021_vrp_009_x_06_a_vrp_consent_of_v4_0_ends_in_a_status_of_its_own() {
    for bank in Bank::each_engine().await {
        let paying = robot(&bank).await;
        let asked = with(paying.asking(VRP), "/Data/ReadRefundAccount", json!("Yes"));
        let agreed = paying.agreed_to(VRP, asked).await;
        let (_, order) = paying.ordered(&agreed).await;
        assert!(order["Data"]["Refund"]["Account"]["Identification"].is_string(), "X-06");
        bank.ops_post(&format!("/sandbox/consents/{}/revoke", agreed.consent), &Value::Null).await;
        let ended = paying.consent_now(VRP, &agreed.consent).await;
        assert_eq!(ended["Data"].text("Status"), "CANC");
        assert!(!status(&ended).1.is_empty(), "V4-002");

        let today = paying.now();
        let last = with(paying.asking(VRP), "/Data/ControlParameters/ValidToDateTime", json!(today.to_string()));
        let agreed = paying.agreed_to(VRP, last).await;
        bank.ops_post("/sandbox/clock", &json!({"advance_secs": 2 * 86_400})).await;
        is(status(&paying.consent_now(VRP, &agreed.consent).await), "EXPD", &["TKXP"]);
        // Absence means that the customer is not there (VRP-009).
        let agreed = paying.agreed(VRP).await;
        let present = with(agreed.payment("1.00"), "/Data/PSUInteractionType", json!("InSession"));
        let answer = paying.post(&agreed.token, orders(VRP), &present).await;
        answer.refused_with(400, "U014", "Data.ControlParameters.PSUInteractionTypes");
    }
}

#[tokio::test]
async fn err_007_a_token_of_a_vrp_consent_past_its_end_gets_the_reason() {
    for bank in Bank::each_engine().await {
        let paying = robot(&bank).await;
        let today = paying.now();
        let last = with(paying.asking(VRP), "/Data/ControlParameters/ValidToDateTime", json!(today.to_string()));
        let agreed = paying.agreed_to(VRP, last).await;
        bank.clock.advance(jiff::SignedDuration::from_hours(48));
        paying.post(&agreed.token, orders(VRP), &agreed.payment("1.00")).await.refused_with(401, "TKXP", "");
        let own = robot(&bank).await;
        is(status(&own.consent_now(VRP, &agreed.consent).await), "EXPD", &["TKXP"]);
    }
}

#[tokio::test]
async fn v4_011_v4_017_frequencies_that_new_standing_orders_may_not_have() {
    const PRODUCT: PaymentProduct = PaymentProduct::DomesticStandingOrder;
    const TYPE: &str = "/Data/Initiation/MandateRelatedInformation/Frequency/Type";
    let mut bank = Bank::unstarted(Engine::Sqlite).await;
    bank.restart_with(&[]).await;
    let paying = robot(&bank).await;
    for kind in ["EvryDay", "QtrDay:ENGLISH", "NotKnown", "ADHO", "INDA", "NONE"] {
        let body = with(paying.asking(PRODUCT), TYPE, json!(kind));
        let answer = paying.post(&paying.own, consents(PRODUCT), &body).await;
        answer.refused_with(400, "U025", "Data.Initiation.MandateRelatedInformation.Frequency.Type");
    }
    bank.stop().await;
    bank.restart_with(&[("payments.legacy_frequency", "true")]).await;
    let paying = robot(&bank).await;
    paying.consent(PRODUCT, &with(paying.asking(PRODUCT), TYPE, json!("QtrDay:ENGLISH"))).await;
}

/// Every period with every alignment that it has: fortnights begin with the consent alone (VRP-010).
const PERIODS: [(&str, &str); 11] = [
    ("Day", "Calendar"),
    ("Day", "Consent"),
    ("Week", "Calendar"),
    ("Week", "Consent"),
    ("Fortnight", "Consent"),
    ("Month", "Calendar"),
    ("Month", "Consent"),
    ("Half-year", "Calendar"),
    ("Half-year", "Consent"),
    ("Year", "Calendar"),
    ("Year", "Consent"),
];

#[tokio::test]
async fn cvrp_001_004_006_v4_024_a_commercial_consent_pays_within_all_limits() {
    for engine in Engine::at_hand() {
        let mut bank = Bank::unstarted(engine).await;
        bank.restart_with(&[("vrp.commercial", "true")]).await;
        let paying = robot(&bank).await;
        // The first period of the calendar has the limit's share of the days that are left of it (VRP-036): enough on any day.
        let amount = |alignment| if alignment == "Consent" { "20.00" } else { "20000.00" };
        let limits = PERIODS.map(|(period, alignment)| vrp::limit(period, alignment, amount(alignment)));
        let asked = with(paying.asking(VRP), "/Data/ControlParameters/VRPType", json!(["UK.OBIE.VRPType.CVRP1"]));
        let asked = with(asked, "/Data/ControlParameters/PeriodicLimits", json!(limits));
        is(status(&paying.consent(VRP, &asked).await), "AWAU", &["U036"]);
        let agreed = paying.agreed_to(VRP, asked).await;
        is(status(&paying.consent_now(VRP, &agreed.consent).await), "AUTH", &[]);
        let payment = |amount| with(agreed.payment(amount), "/Data/VRPType", json!("UK.OBIE.VRPType.CVRP1"));
        let made = paying.post(&agreed.token, orders(VRP), &payment("15.00")).await;
        is(status(&made.ok(201)), "RCVD", &[]);
        let more = paying.post(&agreed.token, orders(VRP), &payment("5.01")).await.refused(400);
        let of_the_consent = PERIODS.iter().filter(|(_, alignment)| *alignment == "Consent").count();
        assert_eq!(more.len(), of_the_consent, "each limit that does not hold is named: {more:?}");
        assert!(more.iter().all(|(code, _)| code == "U014"), "{more:?}");
    }
}

#[tokio::test]
async fn cvrp_002_to_008_commercial_types_require_membership_and_agreed_terms() {
    const TYPES: &str = "/Data/ControlParameters/VRPType";
    let mut bank = Bank::unstarted(Engine::Sqlite).await;
    bank.restart_with(&[]).await;
    let paying = robot(&bank).await;
    let asked = with(paying.asking(VRP), TYPES, json!(["UK.OBIE.VRPType.CVRP1", "UK.OBIE.VRPType.Sweeping"]));
    let off = paying.post(&paying.own, consents(VRP), &asked).await;
    off.refused_with(400, "U002", "Data.ControlParameters.VRPType");

    bank.stop().await;
    bank.restart_with(&[("vrp.commercial", "true")]).await;
    let paying = robot(&bank).await;
    paying.consent(VRP, &asked).await;
    let elsewhere = with(asked.clone(), "/Risk/PaymentContextCode", json!("BillingGoodsAndServicesInAdvance"));
    let refused = paying.post(&paying.own, consents(VRP), &elsewhere).await;
    refused.refused_with(400, "U002", "Risk.PaymentContextCode");
    let stranger = PayingTpp::as_tpp(&bank, "rival").await.through(Version::V4_0);
    let answer = stranger.post(&stranger.own, consents(VRP), &asked).await;
    assert_eq!(answer.status, 403, "CVRP-008");

    bank.stop().await;
    bank.restart_with(&[("vrp.commercial", "true"), ("vrp.commercial_strict", "true")]).await;
    let paying = robot(&bank).await;
    let silent = paying.post(&paying.own, consents(VRP), &asked).await;
    let faults = silent.refused(400);
    assert_eq!(faults.len(), 8, "CVRP-005");
    assert!(faults.iter().all(|(code, _)| code == "U004"));
}
