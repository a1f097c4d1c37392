//! Funds confirmation consents: creation, reading and deletion.

use crate::harness::funds::{CONSENTS, QUESTIONS, about, current, question};
use crate::harness::paying::asking;
use crate::harness::pending_consent::accounts_of;
use crate::harness::{Bank, EVERYTHING, ExchangeExt, FundsTpp, PayingTpp, ValueExt};
use jiff::SignedDuration;
use lombard_domain::payment::PaymentProduct;
use serde_json::{Value, json};

#[tokio::test]
async fn cbp_001_002_003_a_consent_is_made_as_asked_and_each_call_makes_another() {
    for bank in Bank::each_engine().await {
        let asking = FundsTpp::robot(&bank).await;
        let mut body = about(&current(&bank, "amelia").await);
        body["Data"]["DebtorAccount"]["Name"] = json!("A. Name");
        body["Data"]["ExpirationDateTime"] = json!("2031-01-01T00:00:00+05:00");
        let answer = asking.post(&asking.own, CONSENTS, &body).await.ok(201);
        let data = &answer["Data"];
        assert_eq!(data["DebtorAccount"], body["Data"]["DebtorAccount"], "CBP-002");
        assert_eq!(data.text("ExpirationDateTime"), "2031-01-01T00:00:00+05:00", "RW-083");
        assert_eq!(data.text("Status"), "AwaitingAuthorisation");
        assert_eq!(data["StatusUpdateDateTime"], data["CreationDateTime"]);
        let id = data.text("ConsentId");
        assert_eq!(answer["Links"].text("Self"), asking.tpp.resource_url(&format!("{CONSENTS}/{id}")));
        assert!(answer["Meta"].is_object() && answer.get("Risk").is_none());
        assert_eq!(asking.read(id).await.ok(200)["Data"], *data, "CBP-010");

        let again = asking.consent(&body).await;
        assert_ne!(again, id, "CBP-003");
        let open_ended = asking.post(&asking.own, CONSENTS, &about(&current(&bank, "amelia").await)).await.ok(201);
        assert!(open_ended["Data"].get("ExpirationDateTime").is_none(), "CBP-016");
    }
}

#[tokio::test]
async fn cbp_004_to_007_what_is_wrong_with_a_request_is_told_at_its_place() {
    let bank = Bank::start().await;
    let asking = FundsTpp::robot(&bank).await;
    let good = about(&current(&bank, "amelia").await);
    let account = |name: &str| format!("/Data/DebtorAccount/{name}");
    let past = (asking.tpp.now() - SignedDuration::from_secs(1)).to_string();
    for (pointer, value, code, path) in [
        (account("Identification"), json!("1".repeat(257)), "Field.Invalid", "Data.DebtorAccount.Identification"),
        (account("Name"), json!("n".repeat(351)), "Field.Invalid", "Data.DebtorAccount.Name"),
        (
            account("SecondaryIdentification"),
            json!("s".repeat(35)),
            "Field.Invalid",
            "Data.DebtorAccount.SecondaryIdentification",
        ),
        (account("SchemeName"), json!("UK.OBIE.Nonsense"), "Unsupported.Scheme", "Data.DebtorAccount.SchemeName"),
        (
            account("Identification"),
            json!("2000031982573"),
            "Unsupported.AccountIdentifier",
            "Data.DebtorAccount.Identification",
        ),
        ("/Data/ExpirationDateTime".into(), json!(past), "Field.InvalidDate", "Data.ExpirationDateTime"),
        ("/Data/ExpirationDateTime".into(), json!("tomorrow"), "Field.InvalidDate", "Data.ExpirationDateTime"),
    ] {
        let mut body = good.clone();
        let (around, name) = pointer.rsplit_once('/').unwrap();
        body.pointer_mut(around).unwrap()[name] = value;
        let answer = asking.post(&asking.own, CONSENTS, &body).await;
        answer.refused_with(400, &format!("UK.OBIE.{code}"), path);
    }
    for (scheme, code, path) in [
        ("UK.OBIE.Wallet", "Unsupported.Scheme", "Data.DebtorAccount.SchemeName"),
        ("UK.OBIE.IBAN", "Unsupported.AccountIdentifier", "Data.DebtorAccount.Identification"),
    ] {
        let mut body = good.clone();
        body["Data"]["DebtorAccount"]["SchemeName"] = json!(scheme);
        let answer = asking.post(&asking.own, CONSENTS, &body).await;
        answer.refused_with(400, &format!("UK.OBIE.{code}"), path);
    }
    for (body, path) in [
        (json!({}), "Data"),
        (json!({"Data": {}}), "Data.DebtorAccount"),
        (json!({"Data": {"DebtorAccount": {"SchemeName": "UK.OBIE.IBAN"}}}), "Data.DebtorAccount.Identification"),
    ] {
        let answer = asking.post(&asking.own, CONSENTS, &body).await;
        answer.refused_with(400, "UK.OBIE.Field.Missing", path);
    }
    let mut risky = good.clone();
    risky["Risk"] = json!({});
    asking.post(&asking.own, CONSENTS, &risky).await.refused_with(400, "UK.OBIE.Field.Unexpected", "Risk");
}

#[tokio::test]
async fn cbp_006_whether_an_account_exists_is_not_told() {
    let bank = Bank::start().await;
    let asking = FundsTpp::robot(&bank).await;
    let mut of_nobody = about(&current(&bank, "amelia").await);
    of_nobody["Data"]["DebtorAccount"]["Identification"] = json!("99999999999999");
    for body in [of_nobody, about(&current(&bank, "bashir").await)] {
        asking.post(&asking.own, CONSENTS, &body).await.ok(201);
    }
}

#[tokio::test]
async fn cbp_011_017_card_numbers_are_masked_and_schemes_have_their_full_names() {
    let bank = Bank::start().await;
    let asking = FundsTpp::robot(&bank).await;
    let cards = accounts_of(&bank, "amelia").await;
    let numbers = cards.iter().flat_map(|card| card.list("/identifications"));
    let number = numbers.into_iter().find(|it| it.text("scheme") == "UK.OBIE.PAN").unwrap();
    let number = number.text("identification");
    let body = json!({"Data": {"DebtorAccount": {"SchemeName": "PAN", "Identification": number}}});
    let made = asking.post(&asking.own, CONSENTS, &body).await;
    let shown = made.ok(201)["Data"]["DebtorAccount"].clone();
    let stars = "*".repeat(number.len() - 8);
    let last = &number[number.len() - 4..];
    assert_eq!(shown.text("Identification"), format!("{}{stars}{last}", &number[..4]), "CBP-011");
    assert_eq!(shown.text("SchemeName"), "UK.OBIE.PAN", "CBP-017");
    let read = asking.read(made.ok(201)["Data"].text("ConsentId")).await;
    assert_eq!(read.ok(200)["Data"]["DebtorAccount"], shown);
    assert!(!made.text().contains(number) && !read.text().contains(number));
}

#[tokio::test]
async fn cbp_010_014_a_consent_is_its_tpps_own_until_it_is_deleted() {
    for bank in Bank::each_engine().await {
        let asking = FundsTpp::robot(&bank).await;
        let rival = FundsTpp::with(bank.tpp("rival")).await;
        let (consent, token) = asking.agreed(&current(&bank, "amelia").await).await;
        rival.read(&consent).await.refused_with(403, "UK.Lombard.Forbidden.Owner", "");
        asking.read("unknown").await.refused_with(400, "UK.OBIE.Resource.NotFound", "");
        let path = format!("{CONSENTS}/{consent}");
        let delete = async |who: &FundsTpp| who.tpp.delete(&who.own, &path).await.unwrap();
        delete(&rival).await.refused_with(403, "UK.Lombard.Forbidden.Owner", "");
        assert_eq!(delete(&asking).await.ok(204), Value::Null);
        asking.read(&consent).await.refused_with(400, "UK.OBIE.Resource.NotFound", "");
        delete(&asking).await.refused_with(400, "UK.OBIE.Resource.NotFound", "");
        let late = question(&consent, "r", "1.00", "GBP");
        asking.post(&token, QUESTIONS, &late).await.unauthorised();
    }
}

#[tokio::test]
async fn cbp_010_a_consent_of_another_kind_is_none_here() {
    let bank = Bank::start().await;
    let ours = FundsTpp::robot(&bank).await;
    let accounts = ours.tpp.client_credentials("accounts").await.unwrap().access_token;
    let access = ours.tpp.consent_create(&accounts, &EVERYTHING).await.unwrap();
    let paying = PayingTpp::robot(&bank).await;
    let product = PaymentProduct::DomesticPayment;
    let payment = paying.consent(product, &asking(product, paying.now())).await["Data"].text("ConsentId").to_owned();
    for id in [&access, &payment] {
        ours.read(id).await.refused_with(400, "UK.OBIE.Resource.NotFound", "");
        let deleted = ours.tpp.delete(&ours.own, &format!("{CONSENTS}/{id}")).await.unwrap();
        deleted.refused_with(400, "UK.OBIE.Resource.NotFound", "");
    }
    let consent = ours.consent(&about(&current(&bank, "amelia").await)).await;
    for (token, path) in [(&accounts, "aisp/account-access-consents"), (&paying.own, "pisp/domestic-payment-consents")]
    {
        let answer = ours.tpp.get(token, &format!("{path}/{consent}")).await.unwrap();
        answer.refused_with(400, "UK.OBIE.Resource.NotFound", "");
    }
}
