//! VRP payments: creation, comparison with the consent, reading and execution.

use super::{end_of, stored, told, with, without};
use crate::harness::paying::{AgreedConsent, orders};
use crate::harness::vrp::{VRP, asking, limit, within};
use crate::harness::{Bank, ExchangeExt, PayingTpp, ValueExt};
use lombard_domain::version::Version;
use lombard_tpp::HttpExchange;
use serde_json::{Value, json};

#[tokio::test]
async fn vrp_050_to_060_payments_are_made_shown_and_carried_out() {
    for bank in Bank::each_engine().await {
        let paying = PayingTpp::robot(&bank).await;
        let asked = with(asking(), "/Data/ReadRefundAccount", json!("Yes"));
        let agreed = paying.agreed_to(VRP, with(asked, "/Risk/PaymentContextCode", json!("TransferToSelf"))).await;
        told(&paying).await;
        let body = with(agreed.payment("12.50"), "/Data/Instruction/Foreign", json!(["kept"]));
        let made = paying.post(&agreed.token, orders(VRP), &body).await.ok(201);
        let data = &made["Data"];
        let id = made["Data"].text("DomesticVRPId").to_owned();
        assert_eq!((data.text("Status"), data.text("ConsentId")), ("Pending", agreed.consent.as_str()));
        for member in ["Initiation", "Instruction"] {
            assert_eq!(data[member], body["Data"][member], "VRP-059, PIS-157");
        }
        assert_eq!(made["Risk"], body["Risk"], "X-08");
        let payer = &paying.consent_now(VRP, &agreed.consent).await["Data"]["DebtorAccount"];
        assert_eq!((&data["DebtorAccount"], &data["Refund"]), (payer, payer), "X-06, X-08");
        for absent in ["PSUAuthenticationMethod", "PSUInteractionType", "VRPType", "Debtor", "MultiAuthorisation"] {
            assert!(data.get(absent).is_none(), "VRP-059: {absent}");
        }
        assert_eq!(made["Links"].text("Self").rsplit('/').next().unwrap(), id);
        assert_eq!(end_of(&bank, &paying, &id).await, "AcceptedCreditSettlementCompleted");
        let now = paying.order_now(VRP, &id).await;
        let times =
            ["ExpectedExecutionDateTime", "ExpectedSettlementDateTime"].map(|name| now["Data"].text(name).to_owned());
        assert!(times.iter().all(|time| !time.is_empty()) && times[0] <= times[1], "PIS-104: {times:?}");
        let details = paying.details(VRP, &id).await;
        assert_eq!((details.len(), details[0].text("Status")), (1, "AcceptedCreditSettlementCompleted"));
        let path = format!("{}/{id}", orders(VRP));
        assert_eq!(paying.get(&agreed.token, &path).await.ok(200)["Data"], now["Data"], "PIS-004");
        let events = told(&paying).await;
        assert_eq!(events.len(), 3, "SET-036: {events:?}");
        assert!(events.iter().all(|it| (it.1.as_str(), &it.2) == ("domestic-vrp", &id)));
        // VRP-001: the consent is not used up.
        let (other, _) = paying.ordered(&agreed).await;
        assert_ne!(other, id);
        assert_eq!(paying.consent_now(VRP, &agreed.consent).await["Data"].text("Status"), "Authorised");
    }
}

/// What a payment under the consent that was changed so is refused with.
async fn refused(
    paying: &PayingTpp,
    agreed: &AgreedConsent,
    change: impl FnOnce(Value) -> Value,
) -> Vec<(String, String)> {
    let found = paying.post(&agreed.token, orders(VRP), &change(agreed.payment("12.50"))).await.refused(400);
    found.into_iter().map(|(code, path)| (code.replace("UK.OBIE.", ""), path)).collect()
}

fn mismatch(path: &str) -> Vec<(String, String)> {
    vec![("Resource.ConsentMismatch".to_owned(), path.to_owned())]
}

#[tokio::test]
async fn vrp_052_to_054_a_payment_is_the_one_that_was_agreed_to() {
    for bank in Bank::each_engine().await {
        let paying = PayingTpp::robot(&bank).await;
        let remittance = json!({"Reference": "REF", "Unstructured": "savings"});
        let agreed =
            paying.agreed_to(VRP, with(asking(), "/Data/Initiation/RemittanceInformation", remittance.clone())).await;
        const REFERENCE: &str = "Data.Instruction.RemittanceInformation.Reference";
        let before = stored(&bank).await;
        assert_eq!(refused(&paying, &agreed, |it| it).await, mismatch(REFERENCE), "VRP-054");
        let with_reference = |it, reference: &str| {
            with(it, "/Data/Instruction/RemittanceInformation", json!({"Reference": reference, "Unstructured": "May"}))
        };
        assert_eq!(refused(&paying, &agreed, |it| with_reference(it, "ref")).await, mismatch(REFERENCE));
        let right = |it| with_reference(it, "REF");
        let other = |it, at: &str| with(right(it), at, json!("20000319825732"));
        let account =
            refused(&paying, &agreed, |it| other(it, "/Data/Instruction/CreditorAccount/Identification")).await;
        assert_eq!(account, mismatch("Data.Instruction.CreditorAccount"), "VRP-053");
        let initiation = refused(&paying, &agreed, |it| other(it, "/Data/Initiation/CreditorAccount/Identification"));
        assert_eq!(initiation.await, mismatch("Data.Initiation.CreditorAccount.Identification"), "VRP-052");
        let risk = refused(&paying, &agreed, |it| with(right(it), "/Risk/PaymentContextCode", json!("Other"))).await;
        assert_eq!(risk, mismatch("Risk.PaymentContextCode"), "VRP-052");
        let payer =
            json!({"SchemeName": "UK.OBIE.SortCodeAccountNumber", "Identification": "80200110203345", "Name": "A"});
        let named = refused(&paying, &agreed, |it| with(right(it), "/Data/Initiation/DebtorAccount", payer)).await;
        assert_eq!(named, mismatch("Data.Initiation.DebtorAccount"), "PIS-053");
        assert_eq!(stored(&bank).await, before, "PIS-050: nothing is stored");
        paying.post(&agreed.token, orders(VRP), &right(agreed.payment("12.50"))).await.ok(201);
    }
}

#[tokio::test]
async fn vrp_053_a_consent_without_a_payee_lets_any_be_paid() {
    let bank = Bank::start().await;
    let paying = PayingTpp::robot(&bank).await;
    let other = json!(["UK.OBIE.VRPType.Other"]);
    let open = with(without(asking(), "/Data/Initiation/CreditorAccount"), "/Data/ControlParameters/VRPType", other);
    let agreed = paying.agreed_to(VRP, open).await;
    let kind = |it: Value| with(it, "/Data/VRPType", json!("UK.OBIE.VRPType.Other"));
    for number in ["20000319825731", "20000319825732"] {
        let to = |it| with(kind(it), "/Data/Instruction/CreditorAccount/Identification", json!(number));
        paying.post(&agreed.token, orders(VRP), &to(agreed.payment("1.00"))).await.ok(201);
    }
    let bad =
        refused(&paying, &agreed, |it| with(kind(it), "/Data/Instruction/CreditorAccount/Identification", json!("12")));
    let expected =
        ("Unsupported.AccountIdentifier".to_owned(), "Data.Instruction.CreditorAccount.Identification".to_owned());
    assert_eq!(bad.await, [expected]);
}

#[tokio::test]
async fn vrp_053_the_paid_payee_has_the_agreed_account_and_proxy() {
    const PAYEE: &str = "/Data/Instruction/CreditorAccount";
    for bank in Bank::each_engine().await {
        let old = PayingTpp::robot(&bank).await;
        let new = old.through(Version::V4_0);
        let proxy = |number: &str| json!({"Identification": number, "Code": "TELE", "Type": "Mobile"});
        let named = |body: Value, number: &str| with(body, &format!("{PAYEE}/Proxy"), proxy(number));
        let differs = |answer: HttpExchange, code: &str| {
            answer.refused_with(400, code, "Data.Instruction.CreditorAccount");
        };
        let first = "+44-7700900001";
        let second = "+44-7700900002";

        let in_v3 = old.agreed(VRP).await;
        let in_v4 = new.agreed(VRP).await;
        for (paying, agreed, code) in [(&old, &in_v3, "UK.OBIE.Resource.ConsentMismatch"), (&new, &in_v4, "U008")] {
            let number = json!("20000319825732");
            let other = with(agreed.payment("1.00"), &format!("{PAYEE}/Identification"), number);
            differs(paying.post(&agreed.token, orders(VRP), &other).await, code);
        }
        for agreed in [&in_v3, &in_v4] {
            let unagreed = named(agreed.payment("1.00"), first);
            differs(new.post(&agreed.token, orders(VRP), &unagreed).await, "U008");
            new.pay(agreed, "1.00").await.ok(201);
        }
        // v3.1 has no proxies: as any member that it does not know, this one is repeated and has no effect (PIS-157).
        let unknown = named(in_v3.payment("1.00"), first);
        let made = old.post(&in_v3.token, orders(VRP), &unknown).await.ok(201);
        assert_eq!(made["Data"]["Instruction"], unknown["Data"]["Instruction"]);

        let asked = with(asking(), "/Data/Initiation/CreditorAccount/Proxy", proxy(first));
        let agreed = new.agreed_to(VRP, asked).await;
        for unlike in [agreed.payment("1.00"), named(agreed.payment("1.00"), second)] {
            differs(new.post(&agreed.token, orders(VRP), &unlike).await, "U008");
        }
        let made = new.post(&agreed.token, orders(VRP), &named(agreed.payment("1.00"), first)).await.ok(201);
        assert_eq!(made["Data"]["Instruction"]["CreditorAccount"]["Proxy"], proxy(first));

        let other = json!(["UK.OBIE.VRPType.Other"]);
        let open =
            with(without(asking(), "/Data/Initiation/CreditorAccount"), "/Data/ControlParameters/VRPType", other);
        let agreed = new.agreed_to(VRP, open).await;
        for number in [first, second] {
            let body = with(agreed.payment("1.00"), "/Data/VRPType", json!("UK.OBIE.VRPType.Other"));
            new.post(&agreed.token, orders(VRP), &named(body, number)).await.ok(201);
        }
    }
}

#[tokio::test]
async fn pis_121_139_and_vrp_057_unsupported_members_are_reported_by_path() {
    let bank = Bank::start().await;
    let paying = PayingTpp::robot(&bank).await;
    let agreed = paying.agreed(VRP).await;
    const INSTRUCTION: &str = "/Data/Instruction";
    for (member, value, code, path) in [
        ("LocalInstrument", json!("UK.OBIE.BACS"), "Unsupported.LocalInstrument", "LocalInstrument"),
        ("LocalInstrument", json!("UK.OBIE.None"), "Unsupported.LocalInstrument", "LocalInstrument"),
        ("InstructedAmount/Amount", json!("0.00"), "Field.Invalid", "InstructedAmount.Amount"),
        ("InstructedAmount/Amount", json!("1.001"), "Field.Invalid", "InstructedAmount.Amount"),
        ("SupplementaryData", json!({"a": 1}), "Field.Unexpected", "SupplementaryData.a"),
    ] {
        let found = refused(&paying, &agreed, |it| with(it, &format!("{INSTRUCTION}/{member}"), value)).await;
        assert_eq!(found, [(code.to_owned(), format!("Data.Instruction.{path}"))]);
    }
    let missing = refused(&paying, &agreed, |it| without(it, INSTRUCTION)).await;
    assert_eq!(missing, [("Field.Missing".to_owned(), "Data.Instruction".to_owned())], "VRP-051");
    let unknown = refused(&paying, &agreed, |it| with(it, "/Data/ConsentId", json!("none"))).await;
    assert_eq!(unknown, [("Resource.NotFound".to_owned(), "Data.ConsentId".to_owned())], "PIS-055");
}

#[tokio::test]
async fn vrp_041_and_061_each_key_is_a_payment_and_each_repetition_is_none() {
    for bank in Bank::each_engine().await {
        let paying = PayingTpp::robot(&bank).await;
        let agreed = paying.agreed_within(&[limit("Month", "Consent", "100.00")]).await;
        let key = paying.tpp.new_idempotency_key();
        let body = agreed.payment("50.00");
        let mut ids = std::collections::BTreeSet::new();
        for _ in 0..3 {
            let answer = paying.post_as(&agreed.token, orders(VRP), &key, &body).await.ok(201);
            ids.insert(answer["Data"].text("DomesticVRPId").to_owned());
        }
        assert_eq!(ids.len(), 1, "VRP-041");
        let again = paying.post(&agreed.token, orders(VRP), &body).await.ok(201);
        assert!(ids.insert(again["Data"].text("DomesticVRPId").to_owned()), "VRP-061");
        paying.post(&agreed.token, orders(VRP), &body).await.refused(400);
        // PIS-064: what was made is answered before any limit is asked.
        paying.post_as(&agreed.token, orders(VRP), &key, &body).await.ok(201);
        let changed = agreed.payment("1.00");
        let clash = paying.post_as(&agreed.token, orders(VRP), &key, &changed).await;
        clash.refused_with(400, "UK.OBIE.Header.Invalid", "x-idempotency-key");
    }
}

#[tokio::test]
async fn vrp_052_the_same_consent_says_the_same_however_it_is_written() {
    let bank = Bank::start().await;
    let paying = PayingTpp::robot(&bank).await;
    let asked = with(within(&[limit("Week", "Calendar", "100.00")]), "/Risk/ContractPresentInidicator", json!(false));
    let agreed = paying.agreed_to(VRP, asked).await;
    let spelt = without(agreed.payment("1.00"), "/Risk/ContractPresentInidicator");
    let spelt = with(spelt, "/Risk/ContractPresentIndicator", json!(false));
    let bare = with(spelt, "/Data/Initiation/CreditorAccount/SchemeName", json!("SortCodeAccountNumber"));
    paying.post(&agreed.token, orders(VRP), &bare).await.ok(201);
}
