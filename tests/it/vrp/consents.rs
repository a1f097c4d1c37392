//! VRP consents: creation, refusal, authorisation and reading.

use super::{with, without};
use crate::harness::paying::{consents, orders};
use crate::harness::pending_consent::{accounts_of, debtor};
use crate::harness::vrp::{VRP, asking, limit, question, within};
use crate::harness::{Bank, Engine, ExchangeExt, PayingTpp, ValueExt};
use serde_json::{Value, json};

#[tokio::test]
async fn vrp_001_018_and_019_a_consent_is_made_given_and_shown() {
    for bank in Bank::each_engine().await {
        let paying = PayingTpp::robot(&bank).await;
        let asked = with(asking(), "/Data/ReadRefundAccount", json!("Yes"));
        let made = paying.consent(VRP, &asked).await;
        let data = &made["Data"];
        let id = made["Data"].text("ConsentId");
        assert_eq!(data.text("Status"), "AwaitingAuthorisation", "VRP-018");
        assert_eq!(data["StatusUpdateDateTime"], data["CreationDateTime"], "PIS-016");
        for member in ["ControlParameters", "Initiation", "ReadRefundAccount"] {
            assert_eq!(data[member], asked["Data"][member], "PIS-017");
        }
        let mut members: Vec<_> = data.as_object().unwrap().keys().map(String::as_str).collect();
        members.sort_unstable();
        assert_eq!(
            members,
            [
                "ConsentId",
                "ControlParameters",
                "CreationDateTime",
                "Initiation",
                "ReadRefundAccount",
                "Status",
                "StatusUpdateDateTime"
            ],
            "table 1.2"
        );
        assert_eq!((&made["Risk"], made["Links"].text("Self").ends_with(id)), (&json!({}), true));
        let token = paying.token(id).await;
        let given = paying.consent_now(VRP, id).await;
        assert_eq!(given["Data"].text("Status"), "Authorised");
        let account = &given["Data"]["DebtorAccount"];
        let chosen = accounts_of(&bank, "amelia").await.into_iter().find(|it| it["sub_type"] == "CurrentAccount");
        assert_eq!(account.text("Identification"), debtor(&chosen.unwrap()).text("Identification"), "VRP-019");
        assert!(!account.text("Name").is_empty());
        assert!(given["Data"]["Initiation"].get("DebtorAccount").is_none(), "PIS-018");
        let path = format!("{}/{id}", consents(VRP));
        assert_eq!(paying.get(&token, &path).await.ok(200)["Data"], given["Data"], "PIS-004");
    }
}

#[tokio::test]
async fn vrp_003_several_consents_for_one_account_and_payee() {
    let bank = Bank::start().await;
    let paying = PayingTpp::robot(&bank).await;
    let one = paying.agreed(VRP).await;
    let other = paying.agreed(VRP).await;
    assert_ne!(one.consent, other.consent);
    for agreed in [&one, &other] {
        assert_eq!(paying.consent_now(VRP, &agreed.consent).await["Data"].text("Status"), "Authorised");
        paying.pay(agreed, "100.00").await.ok(201);
    }
    // PIS-006: each token for its own consent.
    let crossed = paying.post(&one.token, crate::harness::paying::orders(VRP), &other.payment("1.00")).await;
    crossed.refused_with(403, "UK.Lombard.Forbidden.Owner", "");
}

#[tokio::test]
async fn vrp_002_005_to_012_and_015_invalid_consents_are_refused_and_not_stored() {
    let bank = Bank::start().await;
    let paying = PayingTpp::robot(&bank).await;
    let before = bank.rows();
    const CONTROLS: &str = "/Data/ControlParameters";
    let at = |member: &str, value: Value| with(asking(), &format!("{CONTROLS}/{member}"), value);
    let yesterday = (paying.now() - super::secs(super::DAY)).to_string();
    let zero = json!({"Amount": "0.00", "Currency": "GBP"});
    let long = "n".repeat(351);
    for (rule, body, code, path) in [
        ("VRP-004", without(asking(), CONTROLS), "Field.Missing", "Data.ControlParameters"),
        ("VRP-004", without(asking(), "/Data/Initiation"), "Field.Missing", "Data.Initiation"),
        ("VRP-006", at("PeriodicLimits", json!([])), "Field.Invalid", "Data.ControlParameters.PeriodicLimits"),
        (
            "VRP-007",
            at("VRPType", json!("UK.OBIE.VRPType.Sweeping")),
            "Resource.InvalidFormat",
            "Data.ControlParameters.VRPType",
        ),
        (
            "VRP-008",
            at("PSUAuthenticationMethods", json!(["UK.Bank.Own"])),
            "Field.Invalid",
            "Data.ControlParameters.PSUAuthenticationMethods[0]",
        ),
        (
            "VRP-010",
            at("PeriodicLimits/0", limit("Fortnight", "Calendar", "1.00")),
            "Field.Invalid",
            "Data.ControlParameters.PeriodicLimits[0].PeriodAlignment",
        ),
        (
            "VRP-011",
            at("MaximumIndividualAmount", zero),
            "Field.Invalid",
            "Data.ControlParameters.MaximumIndividualAmount.Amount",
        ),
        (
            "VRP-011",
            at("PeriodicLimits/0/Currency", json!("EUR")),
            "Field.Invalid",
            "Data.ControlParameters.PeriodicLimits[0].Currency",
        ),
        (
            "VRP-012",
            at("ValidToDateTime", json!(yesterday)),
            "Field.InvalidDate",
            "Data.ControlParameters.ValidToDateTime",
        ),
        (
            "VRP-013",
            at("SupplementaryData", json!({"Extra": 1})),
            "Field.Unexpected",
            "Data.ControlParameters.SupplementaryData.Extra",
        ),
        (
            "VRP-015",
            without(asking(), "/Data/Initiation/CreditorAccount"),
            "Field.Expected",
            "Data.Initiation.CreditorAccount",
        ),
        (
            "VRP-016",
            with(asking(), "/Data/Initiation/CreditorAccount/Name", json!(long)),
            "Field.Invalid",
            "Data.Initiation.CreditorAccount.Name",
        ),
        ("VRP-017", without(asking(), "/Risk"), "Field.Missing", "Risk"),
        ("PIS-142", with(asking(), "/Risk/Other", json!(1)), "Field.Unexpected", "Risk.Other"),
    ] {
        let answer = paying.post(&paying.own, consents(VRP), &body).await;
        assert_eq!(answer.status, 400, "{rule}: {}", answer.text());
        answer.refused_with(400, &format!("UK.OBIE.{code}"), path);
    }
    assert_eq!(bank.rows(), before, "VRP-002");
}

#[tokio::test]
async fn vrp_011_012_015_and_016_odd_but_accepted() {
    let bank = Bank::start().await;
    let paying = PayingTpp::robot(&bank).await;
    let controls = |member: &str, value: Value| with(asking(), &format!("/Data/ControlParameters/{member}"), value);
    let limits = json!([limit("Month", "Calendar", "1.00"), limit("Month", "Calendar", "2.00")]);
    let open = without(controls("VRPType", json!(["UK.OBIE.VRPType.Other"])), "/Data/Initiation/CreditorAccount");
    for body in [
        controls("PeriodicLimits", limits),
        controls("ValidFromDateTime", json!("2017-06-05T15:15:13+00:00")),
        controls("PSUInteractionTypes", json!([])),
        controls("Foreign", json!({"any": ["thing"]})),
        with(asking(), "/Data/Initiation/CreditorAccount/Name", json!("n".repeat(350))),
        with(asking(), "/Risk/ContractPresentInidicator", json!(true)),
        open,
    ] {
        let made = paying.consent(VRP, &body).await;
        for member in ["ControlParameters", "Initiation"] {
            assert_eq!(made["Data"][member], body["Data"][member], "PIS-157");
        }
        assert_eq!(made["Risk"], body["Risk"], "X-03");
    }
}

#[tokio::test]
async fn vrp_024_consent_maximum_may_exceed_bank_maximum_with_six_limits() {
    for bank in Bank::each_engine().await {
        let paying = PayingTpp::robot(&bank).await;
        let periods = ["Day", "Week", "Fortnight", "Month", "Half-year", "Year"];
        let limits = periods.map(|period| limit(period, "Consent", "9000000.00"));
        let most = json!({"Amount": "9000000.00", "Currency": "GBP"});
        let body = with(within(&limits), "/Data/ControlParameters/MaximumIndividualAmount", most);
        let agreed = paying.agreed_to(VRP, body).await;
        let read = paying.consent_now(VRP, &agreed.consent).await;
        assert_eq!(read.list("/Data/ControlParameters/PeriodicLimits").len(), 6);
        let refused = paying.pay(&agreed, "1000000.01").await;
        refused.refused_with(400, "UK.OBIE.Field.Invalid", "Data.Instruction.InstructedAmount.Amount");
        paying.pay(&agreed, "1000000.00").await.ok(201);
    }
}

#[tokio::test]
async fn pis_005_payments_and_questions_need_a_token_that_a_customer_authorised() {
    let bank = Bank::start().await;
    let paying = PayingTpp::robot(&bank).await;
    let agreed = paying.agreed_within(&[limit("Month", "Consent", "200.00")]).await;
    paying.post(&paying.own, orders(VRP), &agreed.payment("1.00")).await.unauthorised();
    let asked = question(&agreed.consent, "1.00");
    paying.ask_funds(&paying.own, &agreed.consent, &asked).await.unauthorised();
    paying.pay(&agreed, "1.00").await.ok(201);
    paying.ask_funds(&agreed.token, &agreed.consent, &asked).await.ok(201);
}

#[tokio::test]
async fn vrp_015_an_operator_may_let_sweeping_consents_leave_the_payee_open() {
    let mut bank = Bank::unstarted(Engine::Sqlite).await;
    bank.restart_with(&[("payments.sweeps_anywhere", "true")]).await;
    let paying = PayingTpp::robot(&bank).await;
    let agreed = paying.agreed_to(VRP, without(asking(), "/Data/Initiation/CreditorAccount")).await;
    paying.pay(&agreed, "1.00").await.ok(201);
}

#[tokio::test]
async fn vrp_020_accounts_that_need_several_customers_are_refused() {
    for bank in Bank::each_engine().await {
        let studio = accounts_of(&bank, "bashir").await.into_iter().find(|it| it.text("nickname") == "Studio").unwrap();
        let paying = PayingTpp::robot(&bank).await;
        let named = with(debtor(&studio), "/Name", json!("The Studio"));
        let body = with(asking(), "/Data/Initiation/DebtorAccount", named);
        let answer = paying.post(&paying.own, consents(VRP), &body).await;
        answer.refused_with(400, "UK.OBIE.Field.Invalid", "Data.Initiation.DebtorAccount");
        // Whose only accounts are such cannot agree.
        bank.create_tpp(&json!({"name": "partners", "roles": ["pisp"], "headless": "bashir"})).await;
        let partners = PayingTpp::as_tpp(&bank, "partners").await;
        let consent = partners.consent(VRP, &asking()).await["Data"].text("ConsentId").to_owned();
        let request = partners.tpp.new_authorisation_request(&consent, "payments").await.unwrap();
        let channel = partners.tpp.authorise_headless(&request).await.unwrap();
        assert!(channel.error.is_some() && channel.code.is_none());
        assert_eq!(partners.consent_now(VRP, &consent).await["Data"].text("Status"), "Rejected");
    }
}

#[tokio::test]
async fn table_2_4_what_the_customer_decides_is_told() {
    for bank in Bank::each_engine().await {
        let paying = PayingTpp::robot(&bank).await;
        let agreed = paying.agreed(VRP).await;
        let event = super::of_consent("resource-update", &agreed.consent, "");
        assert_eq!(super::told(&paying).await, [event]);
        let consent = paying.consent(VRP, &asking()).await["Data"].text("ConsentId").to_owned();
        let path = format!("/sandbox/consents/{consent}/authorise");
        let (status, answer) = bank.ops_post(&path, &json!({"psu": "amelia", "decision": "reject"})).await;
        assert_eq!(status, 200, "{answer}");
        assert_eq!(super::told(&paying).await, [super::of_consent("resource-update", &consent, "")]);
        assert_eq!(paying.consent_now(VRP, &consent).await["Data"].text("Status"), "Rejected");
    }
}
