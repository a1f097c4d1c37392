//! App to app: the bank's app opens a TPP's request, authenticates the customer, and goes on with the same journey.

use super::refusals::is_unknown;
use super::{ProviderBank, Visit};
use crate::harness::{Bank, Browser, Engine, ExchangeExt};
use lombard_tpp::{HttpCall, HttpExchange};
use serde_json::json;
use url::Url;

const IOS: &str = "ABCDE12345.example.bank";
const FILES: [&str; 2] = ["/.well-known/apple-app-site-association", "/.well-known/assetlinks.json"];

fn fingerprint() -> String {
    ["0A"; 32].join(":")
}

/// A bank with an app for each kind of phone.
async fn bank_with_apps(engine: Engine) -> ProviderBank {
    let android = format!("example.bank={}", fingerprint());
    ProviderBank::start_with(engine, &[("app_links.ios_apps", IOS), ("app_links.android_apps", &android)]).await
}

/// What a phone finds at the bank.
async fn file(bank: &Bank, path: &str) -> HttpExchange {
    let mut phone = Browser::new(&bank.tpp("acme"));
    phone.send(HttpCall::get(format!("{}{path}", bank.endpoints().public))).await
}

#[tokio::test]
async fn phones_find_the_banks_apps_and_none_where_there_is_none() {
    let at = bank_with_apps(Engine::Sqlite).await;
    let [apple, android] = [file(&at.bank, FILES[0]).await, file(&at.bank, FILES[1]).await];
    for found in [&apple, &android] {
        assert_eq!(found.header("content-type"), Some("application/json"));
    }
    let details = json!([{"appIDs": [IOS], "components": [{"/": "/authorize"}]}]);
    assert_eq!(apple.ok(200), json!({"applinks": {"details": details}}));
    let target = json!({
        "namespace": "android_app", "package_name": "example.bank", "sha256_cert_fingerprints": [fingerprint()],
    });
    let relation = json!(["delegate_permission/common.handle_all_urls"]);
    assert_eq!(android.ok(200), json!([{"relation": relation, "target": target}]));

    let without = Bank::start().await;
    for path in FILES {
        assert_eq!(file(&without, path).await.status, 404);
    }
}

#[tokio::test]
async fn the_banks_app_goes_on_with_the_journey_that_it_began() {
    for engine in Engine::at_hand() {
        let at = bank_with_apps(engine).await;
        let found = file(&at.bank, FILES[0]).await.ok(200);
        let mut visit = Visit::new(&at.bank).await;
        let link = visit.request.url(&visit.tpp.folder.signing).unwrap();
        let claimed = found.pointer("/applinks/details/0/components/0/~1").unwrap();
        assert_eq!(Url::parse(&link).unwrap().path(), claimed, "the phone opens the link in the app");

        // The app opens the link in its web view, and takes the link to the provider itself.
        let location = visit.reach_provider().await;
        let back = at.provider.log_in(&location, "amelia").url();
        assert!(
            !Url::parse(&back).unwrap().path().starts_with(claimed.as_str().unwrap()),
            "no app takes the answer away"
        );
        let mut default_browser = Browser::new(&visit.tpp);
        is_unknown(&default_browser.open(&back).await);
        let page = visit.browser.open(&back).await;
        let agreed = visit.browser.agree(&page).await;
        visit.told(&agreed).expect_code(&visit.request.state).unwrap();
        assert_eq!(visit.status().await, "Authorised");
    }
}
