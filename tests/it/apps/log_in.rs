//! Logging in and out.

use super::{Visitor, is_open};
use crate::harness::{Bank, Browser, EVERYTHING, Engine, ExchangeExt, Form};
use jiff::SignedDuration;

#[tokio::test]
async fn as_143_a_session_needs_both_factors_and_its_secret_changes_with_each() {
    for bank in Bank::each_engine().await {
        let mut visitor = Visitor::new(&bank);
        let mut secrets = Vec::new();
        let mut seen = |cookie: &str| {
            assert!(
                cookie.starts_with("__Host-session=") && cookie.ends_with("Secure; HttpOnly; SameSite=Lax"),
                "AS-141"
            );
            assert!(cookie.contains("; Path=/;") && !cookie.contains("Domain"), "{cookie}");
            secrets.push(cookie.split(';').next().unwrap().to_owned());
        };
        let login = visitor.home().await;
        seen(login.exchange.head("set-cookie"));
        let form = login.form_with("password").clone();
        let answer = visitor.browser.post(&form, &[("name", "amelia"), ("password", "amelia")]).await;
        assert_eq!(answer.status, 303, "AS-144");
        seen(answer.head("set-cookie"));
        let second = visitor.home().await;
        assert!(!is_open(&second), "half the way opens nothing");
        let form = second.form_with("code").clone();
        let code = second.shown_code();
        let answer = visitor.browser.post(&form, &[("code", code.as_str())]).await;
        seen(answer.head("set-cookie"));
        assert!(is_open(&visitor.home().await));
        secrets.sort();
        secrets.dedup();
        assert_eq!(secrets.len(), 3, "AS-143: a planted secret is worth nothing");
    }
}

/// After each factor, and after a wrong one.
#[tokio::test]
async fn whoever_logs_in_comes_to_the_page_they_wanted() {
    let bank = Bank::start().await;
    let access = crate::harness::access(&bank.tpp("robot"), &EVERYTHING).await;
    let pages = ["payments".to_owned(), access.consent.clone(), format!("{}/stop", access.consent)];
    for (at, path) in pages.iter().enumerate() {
        let mut visitor = Visitor::new(&bank);
        let given = [("name", "amelia"), ("password", "amelia")];
        let mut login = visitor.at(path).await;
        if at == 0 {
            login = visitor.browser.submit(login.form_with("password"), &[given[0], ("password", "x")]).await;
            assert_eq!(login.exchange.status, 422);
        }
        let mut second = visitor.browser.submit(login.form_with("password"), &given).await;
        let code = second.shown_code();
        if at == 0 {
            second = visitor.browser.submit(second.form_with("code"), &[("code", "000000x")]).await;
        }
        let page = visitor.browser.submit(second.form_with("code"), &[("code", &code)]).await;
        assert!(is_open(&page), "{}", page.exchange.text());
        assert_eq!(page.exchange.url.path(), format!("/apps/{path}"));
    }
    for elsewhere in
        ["https://evil.example/apps", "//evil.example", "/portal", "/apps/../portal", "/apps//evil.example"]
    {
        let mut visitor = Visitor::new(&bank);
        let login = visitor.at("payments").await;
        let given = [("name", "amelia"), ("password", "amelia"), ("to", elsewhere)];
        let answer = visitor.browser.post(login.form_with("password"), &given).await;
        assert_eq!(answer.head("location"), "/apps", "{elsewhere}");
    }
}

#[tokio::test]
async fn as_144_a_session_ends_idle_and_at_its_end_however_busy() {
    let bank = Bank::start().await;
    let mut visitor = Visitor::new(&bank);
    visitor.log_in("amelia").await;
    bank.clock.advance(SignedDuration::from_secs(599));
    assert!(is_open(&visitor.home().await));
    bank.clock.advance(SignedDuration::from_secs(600));
    assert!(!is_open(&visitor.home().await), "ten idle minutes");

    visitor.log_in("amelia").await;
    for _ in 0..6 {
        bank.clock.advance(SignedDuration::from_secs(598));
        assert!(is_open(&visitor.home().await));
    }
    bank.clock.advance(SignedDuration::from_secs(12));
    assert!(!is_open(&visitor.home().await), "an hour, however busy");
}

#[tokio::test]
async fn leaving_ends_the_session_also_for_who_kept_the_cookie() {
    let bank = Bank::start().await;
    let mut visitor = Visitor::new(&bank);
    let list = visitor.log_in("amelia").await;
    let form = list.forms.iter().find(|form| form.action.path() == "/apps/logout").unwrap().clone();
    let forged = visitor.browser.post(&form, &[("form_token", "forged")]).await;
    assert_eq!(forged.status, 303);
    assert!(is_open(&visitor.home().await), "AS-141: a forged form does nothing");
    let mut copy = Visitor::new(&bank);
    copy.browser = visitor.browser.clone();
    assert!(is_open(&copy.home().await));
    visitor.browser.submit(&form, &[]).await;
    assert!(!is_open(&copy.home().await));
}

#[tokio::test]
async fn as_143_five_failures_of_a_user_block_unknown_browsers_in_all_journeys() {
    for bank in Bank::each_engine().await {
        let mut texts = Vec::new();
        for name in ["amelia", "nobody"] {
            for _ in 0..5 {
                let page = Visitor::new(&bank).try_password(name, "guess").await;
                assert_eq!(page.exchange.status, 422);
                let token = page.form_with("password").values("form_token").remove(0);
                texts.push(page.exchange.text().replace(&token, "TOKEN"));
            }
            let stopped = Visitor::new(&bank).try_password(name, name).await.exchange;
            assert_eq!(stopped.status, 429);
            assert_eq!(stopped.head("retry-after"), "600");
            texts.push(stopped.text().into_owned());
        }
        texts.sort();
        texts.dedup();
        assert_eq!(texts.len(), 2, "unknown user and wrong password read alike");

        let tpp = bank.tpp("acme");
        let own = tpp.client_credentials("accounts").await.unwrap().access_token;
        let consent = tpp.consent_create(&own, &EVERYTHING).await.unwrap();
        let request = tpp.new_authorisation_request(&consent, "accounts").await.unwrap();
        let mut browser = Browser::new(&tpp);
        let login = browser.open(&request.url(&tpp.folder.signing).unwrap()).await;
        let form: Form = login.form_with("password").clone();
        let right = [("name", "amelia"), ("password", "amelia")];
        let stopped = browser.submit(&form, &right).await;
        assert_eq!(stopped.exchange.status, 429, "across journeys");
        assert!(stopped.forms.iter().any(|form| form.action.path().ends_with("/cancel")), "the way back");
        bank.clock.advance(SignedDuration::from_secs(600));
        assert_eq!(
            Visitor::new(&bank).try_password("amelia", "amelia").await.exchange.status,
            200,
            "ten minutes later"
        );
    }
}

#[tokio::test]
async fn as_143_twenty_failures_from_an_address_stop_nobody_else() {
    let mut bank = Bank::unstarted(Engine::Sqlite).await;
    bank.restart_with(&[("auth.address_users_max", "21")]).await;
    for number in 0..20 {
        let page = Visitor::new(&bank).try_password(&format!("user-{number}"), "guess").await;
        assert_eq!(page.exchange.status, 422);
    }
    assert_eq!(Visitor::new(&bank).try_password("amelia", "amelia").await.exchange.status, 200);
    let guess = async |name: &str| Visitor::new(&bank).try_password(name, "guess").await.exchange;
    assert_eq!(guess("user-20").await.status, 422, "who got in after all does not count");
    let stopped = guess("user-21").await;
    assert_eq!((stopped.status.as_u16(), stopped.head("retry-after")), (429, "600"));
    bank.clock.advance(SignedDuration::from_secs(600));
    assert_eq!(guess("user-21").await.status, 422);
}

#[tokio::test]
async fn as_143_a_known_browser_can_log_in_while_others_guess_on_all_nodes() {
    for engine in Engine::at_hand() {
        let mut nodes = vec![Bank::unstarted(engine).await];
        if engine == Engine::Postgres {
            let twin = nodes[0].twin();
            nodes.push(twin);
        }
        for node in &mut nodes {
            node.restart().await;
        }
        let mut own = Visitor::new(&nodes[0]);
        own.log_in("amelia").await;
        let kept = own.browser.cookie("__Host-devices").expect("a browser that was logged in with is remembered");
        for (number, node) in (0..5).zip(nodes.iter().cycle()) {
            let page = Visitor::new(node).try_password("amelia", "guess").await;
            assert_eq!(page.exchange.status, 422, "{number}");
        }
        for node in &nodes {
            assert_eq!(Visitor::new(node).try_password("amelia", "amelia").await.exchange.status, 429);
            let mut again = Visitor::new(node);
            again.browser.keep("__Host-devices", &kept);
            again.log_in("amelia").await;
            let mut forged = Visitor::new(node);
            let swapped = if kept.starts_with('A') { "B" } else { "A" };
            forged.browser.keep("__Host-devices", &format!("{swapped}{}", &kept[1..]));
            assert_eq!(forged.try_password("amelia", "amelia").await.exchange.status, 429);
            let mut others = Visitor::new(node);
            others.log_in("bashir").await;
            others.browser.keep("__Host-session", "");
            assert_eq!(others.try_password("amelia", "amelia").await.exchange.status, 429, "bashir's browser");
        }
        let tpp = nodes[0].tpp("acme");
        let token = tpp.client_credentials("accounts").await.unwrap().access_token;
        let consent = tpp.consent_create(&token, &EVERYTHING).await.unwrap();
        let request = tpp.new_authorisation_request(&consent, "accounts").await.unwrap();
        let mut browser = Browser::new(&tpp);
        browser.keep("__Host-devices", &kept);
        let login = browser.open(&request.url(&tpp.folder.signing).unwrap()).await;
        let right = [("name", "amelia"), ("password", "amelia")];
        let second = browser.submit(login.form_with("password"), &right).await;
        assert_eq!(second.exchange.status, 200, "in a journey as well");
        let form = second.form_with("code").clone();
        let code = second.shown_code();
        let answer = browser.post(&form, &[("code", &code)]).await;
        let cookies: Vec<_> = answer.headers.get_all("set-cookie").iter().map(|it| it.to_str().unwrap()).collect();
        let device = cookies.iter().find(|it| it.starts_with("__Host-devices=")).unwrap();
        assert!(device.ends_with("; Path=/; Max-Age=34560000; Secure; HttpOnly; SameSite=Lax"), "{device}");
        assert_eq!(cookies.len(), 2, "beside the journey's own");
    }
}
