//! Requests, consents, orders and events on the pages of developers: each sees its own application's and no other's.

use super::Developer;
use crate::harness::{Bank, EVERYTHING, ExchangeExt, PayingTpp, ValueExt, access};
use lombard_domain::payment::PaymentProduct;
use lombard_tpp::{HttpCall, Protocol};
use serde_json::json;

const PAGES: [&str; 10] = [
    "/portal/overview",
    "/portal/application",
    "/portal/requests",
    "/portal/consents",
    "/portal/events",
    "/portal/test-data",
    "/portal/controls",
    "/portal/docs",
    "/portal/developers",
    "/portal/status",
];

/// The path of the first link that begins so.
fn linked(html: &str, begin: &str) -> String {
    let at = html.find(&format!("href=\"{begin}")).unwrap_or_else(|| panic!("no link {begin}: {html}"));
    html[at + 6..].split('"').next().unwrap().to_owned()
}

#[tokio::test]
async fn every_page_is_there_without_script_and_leads_to_the_others() {
    let bank = Bank::start().await;
    let mut developer = Developer::of(&bank, "acme").await;
    for path in PAGES {
        let (status, page) = developer.open(path).await;
        page.exchange.decent();
        let html = page.exchange.text().into_owned();
        assert_eq!(status, 200, "{path}: {html}");
        assert!(page.exchange.head("content-security-policy").starts_with("default-src 'none'; style-src 'self'"));
        assert!(!html.contains("<script") && !html.contains(" style="), "{path}");
        assert_eq!((html.matches("<h1").count(), html.matches("aria-current=\"page\"").count()), (1, 1), "{path}");
        assert!(PAGES.iter().all(|other| html.contains(&format!("href=\"{other}\""))), "{path}");
    }
    assert!(developer.read("/portal").await.contains("Overview</h1>"));
    assert!(developer.read("/portal/status").await.contains("Requests are served."));
    assert_eq!(developer.open("/portal/requests/x").await.0, 404);
    for open in ["/openapi", "/openapi/account-info", "/portal/docs/events"] {
        let html = developer.read(open).await;
        assert!(html.contains("href=\"/portal/requests\"") && html.contains("Log out"), "{open}");
        let anybody = HttpCall::get(format!("{}{open}", developer.public));
        let stranger = bank.tpp("acme").with_certificate(None, Protocol::Any).unwrap().send(anybody).await.unwrap();
        let html = stranger.text();
        assert!(!html.contains("href=\"/portal/requests\"") && !html.contains("password on its own"), "{open}");
    }
}

#[tokio::test]
async fn a_refused_request_is_found_explained_and_shown_as_a_command() {
    let bank = Bank::start().await;
    let robot = bank.tpp("robot");
    let access = access(&robot, &["ReadAccountsBasic"]).await;
    let read = HttpCall::get(robot.resource_url("aisp/balances")).with_bearer(access.token());
    let refused = robot.send(read.with_header("x-fapi-interaction-id", "why-403")).await.unwrap();
    assert_eq!(refused.status, 403);

    let mut developer = Developer::of(&bank, "robot").await;
    let list = developer.read("/portal/requests?refused=on").await;
    assert_eq!(list.matches("class=\"pill refused\"").count(), 1, "{list}");
    assert!(developer.read("/portal/overview").await.contains("/aisp/balances"));
    for (filter, count) in [
        ("?id=why-403", 1),
        ("?interaction_id=why-403", 1),
        ("?status=4xx", 1),
        ("?path=/open-banking/v3.1/aisp/b", 1),
        ("?path=/token&status=2xx", 2),
    ] {
        let list = developer.read(&format!("/portal/requests{filter}")).await;
        assert_eq!(list.matches("href=\"/portal/requests/").count(), count, "{filter}: {list}");
    }
    let path = linked(&list, "/portal/requests/");
    let page = developer.read(&path).await;
    for said in ["RW-106", "The rule:", "why-403", "$TOKEN", "tpps/robot/transport.pem", "Bearer [masked]"] {
        assert!(page.contains(said), "{said}: {page}");
    }
    assert!(!page.contains(access.token()), "no token is shown");
    let mut other = Developer::of(&bank, "rival").await;
    assert_eq!(other.open(&path).await.0, 404, "another application's request");
    assert!(!other.read("/portal/requests").await.contains("/aisp/balances"));
}

#[tokio::test]
async fn consents_orders_and_events_are_told_to_their_own_application_alone() {
    for bank in Bank::each_engine().await {
        let paying = PayingTpp::robot(&bank).await;
        let product = PaymentProduct::DomesticPayment;
        let agreed = paying.agreed(product).await;
        let (order, _) = paying.ordered(&agreed).await;
        let vrp = paying.agreed(PaymentProduct::DomesticVrp).await;
        let (vrp_order, _) = paying.ordered(&vrp).await;
        let access = access(&paying.tpp, &EVERYTHING).await;
        let client = paying.tpp.client_id().clone();
        let raised = bank.ops_post("/sandbox/events", &json!({"client_id": client, "count": 1})).await.1;
        let event = raised.list("/jtis")[0].as_str().unwrap().to_owned();

        let mut developer = Developer::of(&bank, "robot").await;
        let list = developer.read("/portal/consents").await;
        for id in [&agreed.consent, &vrp.consent, &access.consent] {
            assert!(list.contains(&format!("href=\"/portal/consents/{id}\"")), "{id}: {list}");
        }
        let told = [
            (
                format!("/portal/consents/{}", agreed.consent),
                vec!["Consumed", "Authorised by the customer", order.as_str()],
            ),
            (format!("/portal/consents/{}", vrp.consent), vec!["domestic-vrp", vrp_order.as_str()]),
            (
                format!("/portal/consents/{}", access.consent),
                vec!["Authorised", "ReadBalances", "Created by the application"],
            ),
            (format!("/portal/orders/{order}"), vec!["Status in v4.0", "What happened", agreed.consent.as_str()]),
            (format!("/portal/orders/{vrp_order}"), vec!["domestic-vrp", vrp.consent.as_str()]),
            (format!("/portal/events/{event}"), vec!["resource-update", "jti"]),
        ];
        let mut other = Developer::of(&bank, "rival").await;
        for (path, words) in told {
            let page = developer.read(&path).await;
            for word in words {
                assert!(page.contains(word), "{path}, {word}: {page}");
            }
            assert_eq!(other.open(&path).await.0, 404, "{path} is not rival's");
        }
        assert!(developer.read("/portal/events").await.contains(&event));
        assert!(!other.read("/portal/events").await.contains(&event));
        assert!(other.read("/portal/consents").await.contains("has made no consent"));
    }
}

#[tokio::test]
async fn a_story_is_ordered_by_cause_and_names_its_clock_after_a_clock_change() {
    let bank = Bank::start().await;
    let acme = bank.tpp("acme");
    let moved = json!({"advance_secs": 7 * 24 * 3_600});
    assert_eq!(bank.ops_post("/sandbox/clock", &moved).await.0, 200);
    let own = acme.client_credentials("accounts").await.unwrap().access_token;
    let consent = acme.consent_create(&own, &["ReadAccountsBasic"]).await.unwrap();
    let decision = json!({"psu": "amelia", "decision": "approve"});
    assert_eq!(bank.ops_post(&format!("/sandbox/consents/{consent}/authorise"), &decision).await.0, 200);

    let mut developer = Developer::of(&bank, "acme").await;
    let page = developer.read(&format!("/portal/consents/{consent}")).await;
    let places = ["Created by the application", "Authorised by the customer", "Event resource-update"]
        .map(|text| page.find(text).unwrap_or_else(|| panic!("no {text}: {page}")));
    assert!(places.is_sorted(), "{page}");
    for said in ["by the wall clock", "The wall clock says", "<dt>Customer</dt><dd>amelia</dd>", "<dd>AUTH</dd>"] {
        assert!(page.contains(said), "{said}: {page}");
    }
    for path in ["/portal/requests", "/portal/events"] {
        assert!(developer.read(path).await.contains("Times on this page are by the wall clock"), "{path}");
    }
    let about = developer.read(&linked(&page, "/portal/requests?about=")).await;
    assert_eq!(about.matches("href=\"/portal/requests/").count(), 1, "the request that made it: {about}");

    let login = format!("{}/portal/login", bank.endpoints().mtls);
    assert_eq!(acme.send(HttpCall::get(login)).await.unwrap().status, 302);
    assert!(!developer.read("/portal/requests").await.contains("/portal/login"), "a developer's login is no call");
    bank.ops_post("/sandbox/clock", &json!({"advance_secs": -7 * 24 * 3_600})).await;
    assert!(!developer.read("/portal/events").await.contains("by the wall clock"), "a hint only if it matters");
}
