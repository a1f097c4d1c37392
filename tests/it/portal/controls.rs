//! The controls of a sandbox as forms of the portal: they act for the application alone.

use super::Developer;
use crate::harness::{Bank, ExchangeExt, PayingTpp, ValueExt, access};
use crate::payments::books::count;
use lombard_domain::payment::PaymentProduct;
use lombard_tpp::HttpCall;
use serde_json::json;

#[tokio::test]
async fn an_app_consent_is_decided_and_ended_by_forms_and_others_are_not_found() {
    let bank = Bank::start().await;
    let acme = bank.tpp("acme");
    let own = acme.client_credentials("accounts").await.unwrap().access_token;
    let consent = acme.consent_create(&own, &["ReadAccountsBasic"]).await.unwrap();
    let mut developer = Developer::of(&bank, "acme").await;
    let page = format!("/portal/consents/{consent}");
    let decide = format!("/portal/consents/{consent}/decide");
    let (status, text) = developer.send(&page, &decide, &[("psu", "nobody"), ("decision", "approve")]).await;
    assert_eq!(status, 422, "{text}");
    assert!(text.contains("That was not done"), "{text}");
    let (status, text) = developer.send(&page, &decide, &[("psu", "amelia"), ("decision", "approve")]).await;
    assert!(status == 200 && text.contains("decision is made"), "{text}");
    let (_, text) = developer.send(&page, &format!("/portal/consents/{consent}/revoke"), &[]).await;
    assert!(text.contains("Stopped by the customer"), "{text}");

    let theirs = access(&bank.tpp("robot"), &["ReadAccountsBasic"]).await;
    let (_, status_page) = developer.open("/portal/controls").await;
    let token = status_page.form_with("form_token").values("form_token").remove(0);
    for what in ["decide", "revoke"] {
        let path = format!("{}/portal/consents/{}/{what}", developer.public, theirs.consent);
        let fields = [("form_token", token.as_str()), ("psu", "amelia"), ("decision", "reject")];
        let answer = developer.browser.send(HttpCall::post(path).with_form(fields)).await;
        assert_eq!(answer.status, 404, "{what}");
    }
    theirs.read("aisp/accounts").await;
    let forged = [("form_token", "AAAA"), ("count", "1"), ("unit", "days")];
    let path = format!("{}/portal/controls/clock", developer.public);
    let before = bank.ops_get("/sandbox/clock").await.ok(200).text("now").to_owned();
    assert_eq!(developer.browser.send(HttpCall::post(path).with_form(forged)).await.status, 303);
    assert_eq!(bank.ops_get("/sandbox/clock").await.ok(200).text("now"), before, "a forged form does nothing");
}

#[tokio::test]
async fn the_customers_pages_are_opened_for_consents_of_the_application_alone() {
    for bank in Bank::each_engine().await {
        let robot = bank.tpp("robot");
        let own = robot.client_credentials("accounts").await.unwrap().access_token;
        let consent = robot.consent_create(&own, &["ReadAccountsBasic"]).await.unwrap();
        let page = format!("/portal/consents/{consent}");
        let authorise = format!("{page}/authorise");

        let mut stranger = Developer::of(&bank, "acme").await;
        let (_, controls) = stranger.open("/portal/controls").await;
        let token = controls.form_with("form_token").values("form_token").remove(0);
        let call = HttpCall::post(format!("{}{authorise}", stranger.public));
        let answer = stranger.browser.send(call.with_form([("form_token", token.as_str())])).await;
        assert_eq!((answer.status.as_u16(), answer.header("location")), (404, None), "{}", answer.text());
        assert!(!answer.text().contains(&consent), "{}", answer.text());

        let mut developer = Developer::of(&bank, "robot").await;
        let (_, shown) = developer.open(&page).await;
        assert!(shown.exchange.text().contains("Awaiting authorisation"), "{}", shown.exchange.text());
        let form = shown.forms.iter().find(|form| form.action.path() == authorise).unwrap();
        let answer = developer.browser.post(form, &[]).await;
        assert_eq!(answer.status, 303);
        assert!(answer.head("location").starts_with(&format!("{}/authorize?", developer.public)));
        assert_eq!(count(&bank, "SELECT count(*) FROM interactions").await, 0, "the browser begins the journey");
    }
}

#[tokio::test]
async fn clock_money_outcomes_events_and_faults_are_forms() {
    let bank = Bank::start().await;
    let paying = PayingTpp::robot(&bank).await;
    let mut developer = Developer::of(&bank, "robot").await;
    let controls = "/portal/controls";
    let (status, text) =
        developer.send(controls, "/portal/controls/clock", &[("count", "2"), ("unit", "hours"), ("set", "")]).await;
    assert!(status == 200 && text.contains("The clock is moved"), "{text}");

    let psus = bank.ops_get("/sandbox/psus").await.ok(200);
    let account = psus.list("/psus")[0].list("/accounts")[0].text("id").to_owned();
    assert!(developer.read("/portal/test-data").await.contains(&account));
    let entry = [("account", account.as_str()), ("amount", "12.50"), ("indicator", "Credit"), ("status", "Booked")];
    let (status, text) = developer.send(controls, "/portal/controls/transactions", &entry).await;
    assert!(status == 200 && text.contains("The entry is added"), "{text}");
    let (status, text) = developer.send(controls, "/portal/controls/transactions", &[("account", "x")]).await;
    assert!(status == 422 && text.contains("Account: choose one"), "{text}");
    let typed =
        [("account", account.as_str()), ("amount", "12,50"), ("counterparty", "Ann & Bo"), ("indicator", "Debit")];
    let (status, text) = developer.send(controls, "/portal/controls/transactions", &typed).await;
    assert!(status == 422 && text.contains("a point before the pence"), "{text}");
    let chosen = format!("<option value=\"{account}\" selected>Amelia");
    for kept in ["value=\"12,50\"", "value=\"Ann &#38; Bo\"", "<option value=\"Debit\" selected>", chosen.as_str()] {
        assert!(text.contains(kept), "{kept}: {text}");
    }

    let mut held = paying.asking(PaymentProduct::DomesticPayment);
    held["Data"]["Initiation"]["InstructedAmount"]["Amount"] = json!("13.93");
    let agreed = paying.agreed_to(PaymentProduct::DomesticPayment, held).await;
    let (order, _) = paying.ordered(&agreed).await;
    let path = format!("/portal/orders/{order}");
    let outcome = [("outcome", "reject"), ("reason", "suspected-fraud")];
    let (status, text) = developer.send(&path, &format!("{path}/outcome"), &outcome).await;
    assert!(status == 200 && text.contains("the bank suspects fraud") && text.contains("Rejected"), "{text}");

    assert!(!text.contains("Let it come to an outcome"), "nothing is left to decide: {text}");

    let (_, text) = developer.send("/portal/events", "/portal/controls/events", &[("count", "2")]).await;
    assert!(text.contains("The events are raised"), "{text}");

    let fault = [("operation", "GetAccounts"), ("status", "503")];
    let (_, text) = developer.send(controls, "/portal/controls/faults", &fault).await;
    assert!(text.contains("The fault is planted") && text.contains("GetAccounts: answered 503"), "{text}");
    let (status, text) =
        developer.send(controls, "/portal/controls/faults", &[("status", "200"), ("count", "3")]).await;
    assert!(status == 422 && text.contains("Status: Must be the status of an error, 400 to 599."), "{text}");
    assert!(text.contains("name=\"status\" value=\"200\"") && text.contains("value=\"3\""), "{text}");
    let (status, text) = developer.send(controls, "/portal/controls/faults", &[("operation", "GetAccounts")]).await;
    assert!(status == 422 && text.contains("Say what happens to the calls: Status, Error code"), "{text}");
    let unknown = [("operation", "GetNothing"), ("status", "503")];
    let (_, text) = developer.send(controls, "/portal/controls/faults", &unknown).await;
    assert!(text.contains("Operation: there is none of this name") && !text.contains("[0]"), "{text}");
    let robot = access(&bank.tpp("robot"), &["ReadAccountsBasic"]).await;
    let other = bank.tpp("rival");
    assert_eq!(robot.tpp.get(robot.token(), "aisp/accounts").await.unwrap().status, 503);
    let listed = bank.ops_get("/sandbox/faults").await.ok(200);
    assert_eq!(listed[0].text("client_id"), robot.tpp.client_id().as_str());
    let mut stranger = Developer::of(&bank, "rival").await;
    assert!(stranger.read(controls).await.contains("No fault is planted"), "{}", other.client_id());
    let (_, text) = developer.send(controls, "/portal/controls/faults/remove", &[]).await;
    assert!(text.contains("No fault is planted"), "{text}");
    robot.read("aisp/accounts").await;
}

#[tokio::test]
async fn customers_are_added_and_unlocked_and_accounts_changed_by_forms() {
    let bank = Bank::start().await;
    let mut developer = Developer::of(&bank, "robot").await;
    let page = "/portal/test-data";
    let customer = [("login", "zoe"), ("name", "Zoe Quill"), ("number", "60837190000017"), ("balance", "250.00")];
    let (status, text) = developer.send(page, "/portal/test-data/customers", &customer).await;
    assert!(status == 200 && text.contains("The customer is added") && text.contains("60837190000017"), "{text}");
    let (status, text) = developer.send(page, "/portal/test-data/customers", &customer).await;
    assert!(status == 422 && text.contains("User name: The bank has a customer of this login."), "{text}");
    assert!(!text.contains("[0]"), "{text}");
    let zoe = async || {
        let psus = bank.ops_get("/sandbox/psus").await.ok(200).list("/psus");
        psus.into_iter().find(|psu| psu["psu"] == "zoe").unwrap().list("/accounts").remove(0)
    };
    let account = zoe().await;
    assert_eq!((account.text("booked"), account.text("credit_limit")), ("250.00", "0.00"));

    let id = account.text("id");
    let change = [("account", id), ("holder", "Quill Ltd"), ("credit_limit", "99.50")];
    let (status, text) = developer.send(page, "/portal/test-data/accounts", &change).await;
    assert!(status == 200 && text.contains("The account is changed"), "{text}");
    let changed = zoe().await;
    assert_eq!((changed.text("holder"), changed.text("credit_limit")), ("Quill Ltd", "99.50"));
    let nothing = [("account", id), ("holder", ""), ("credit_limit", "")];
    let (status, text) = developer.send(page, "/portal/test-data/accounts", &nothing).await;
    assert!(status == 422 && text.contains("Fill in at least one field"), "{text}");

    let renamed = [("psu", "zoe"), ("name", "Zoe Mill"), ("about", ""), ("email", "")];
    let (status, text) = developer.send(page, "/portal/test-data/customers/change", &renamed).await;
    assert!(status == 200 && text.contains("The customer is changed") && text.contains("Zoe Mill"), "{text}");
    let nothing = [("psu", "zoe"), ("name", "")];
    let (status, text) = developer.send(page, "/portal/test-data/customers/change", &nothing).await;
    assert!(status == 422 && text.contains("Fill in at least one field"), "{text}");

    let moved = [
        ("psu", "amelia"),
        ("mobile", "+44-7700900999"),
        ("address.TownName", "Leeds"),
        ("address.PostCode", "LS1 4AP"),
        ("address.Country", "GB"),
    ];
    let (status, text) = developer.send(page, "/portal/test-data/customers/change", &moved).await;
    assert!(status == 200 && text.contains("The customer is changed"), "{text}");
    let party = bank.ops_get("/sandbox/seed").await.ok(200)["Customer"][0]["Party"].clone();
    assert_eq!((party.text("Name"), party.text("Mobile")), ("Amelia Hart", "+44-7700900999"));
    assert_eq!(party["Address"], json!([{"TownName": "Leeds", "PostCode": "LS1 4AP", "Country": "GB"}]));
    let without = [("psu", "zoe"), ("phone", "+44-1132960000")];
    let (status, text) = developer.send(page, "/portal/test-data/customers/change", &without).await;
    assert!(status == 422 && text.contains("New telephone number: the customer has no personal data"), "{text}");

    let (status, text) = developer.send(page, "/portal/test-data/unlock", &[("psu", "zoe")]).await;
    assert!(status == 200 && text.contains("failed logins"), "{text}");
    let (status, text) =
        developer.send(page, "/portal/test-data/accounts/end", &[("account", id), ("end", "bar")]).await;
    assert!(status == 200 && text.contains("has ended"), "{text}");
    assert_eq!(zoe().await["shareable"], false);
}

/// What is typed into the fields of a form.
type TypedFields<'a> = &'a [(&'a str, &'a str)];

#[tokio::test]
async fn what_was_typed_into_a_form_of_the_test_data_stays_when_it_is_refused() {
    let bank = Bank::start().await;
    let mut developer = Developer::of(&bank, "robot").await;
    let psus = bank.ops_get("/sandbox/psus").await.ok(200);
    let account = psus.list("/psus")[1].list("/accounts")[1].text("id").to_owned();
    let refused: [(&str, TypedFields<'_>, &str, &[&str]); 7] = [
        (
            "customers",
            &[("login", "zoe"), ("name", "Zoe & Co"), ("number", "60837190000017"), ("balance", "12,50")],
            "Balance in pounds: Must be an amount",
            &["value=\"zoe\"", "value=\"Zoe &#38; Co\"", "value=\"60837190000017\"", "value=\"12,50\""],
        ),
        (
            "accounts",
            &[("psu", "bashir"), ("account", &account), ("holder", "Kite & Co"), ("credit_limit", "12,50")],
            "New overdraft or credit limit: ",
            &["value=\"Kite &#38; Co\"", "value=\"12,50\"", &format!("value=\"{account}\" selected")],
        ),
        (
            "accounts/end",
            &[("psu", "bashir"), ("account", "x"), ("end", "switch")],
            "no account with this id",
            &["<option value=\"switch\" selected>"],
        ),
        (
            "customers/change",
            &[("psu", "bashir"), ("name", "Bashir & Co"), ("email", "b@kite.example"), ("about", "a\u{7}b")],
            "New description: 1 to 350 characters",
            &["value=\"Bashir &#38; Co\"", "value=\"b@kite.example\""],
        ),
        (
            "customers/change",
            &[("psu", "bashir"), ("phone", "0117 496 0177"), ("mobile", "+44-7700900311")],
            "New telephone number: Must be a telephone number",
            &["value=\"0117 496 0177\"", "value=\"+44-7700900311\""],
        ),
        (
            "customers/change",
            &[("psu", "bashir"), ("address.StreetName", "Mill & Yard"), ("address.PostCode", "LS1 4AP")],
            "Country: Every address of a party has a country.",
            &["value=\"Mill &#38; Yard\"", "value=\"LS1 4AP\""],
        ),
        ("customers/change", &[("psu", "nobody"), ("name", "N")], "no customer with this id", &[]),
    ];
    for (form, fields, why, kept) in refused {
        let (status, text) = developer.send("/portal/test-data", &format!("/portal/test-data/{form}"), fields).await;
        assert!(status == 422 && text.contains(why) && text.contains("That was not done"), "{form}, {why}: {text}");
        for kept in kept {
            assert_eq!(text.matches(kept).count(), 1, "{form}, {kept}: in its own form alone: {text}");
        }
        let opened = usize::from(!kept.is_empty() && form != "customers");
        assert_eq!(text.matches("<details open>").count(), opened, "{form}: {text}");
    }
    let after = bank.ops_get("/sandbox/psus").await.ok(200);
    assert_eq!(after, psus, "nothing has changed");
}
