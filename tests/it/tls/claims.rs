//! Headers that make claims about the connection are ignored. Source: TLS-011, TLS-012, TLS-014.

use crate::harness::{Bank, Browser, EVERYTHING, Engine, ExchangeExt, ValueExt, access};
use lombard_tpp::{HttpCall, Protocol};

#[tokio::test]
async fn tls_011_012_a_certificate_in_a_header_opens_nothing() {
    let bank = Bank::start().await;
    let access = access(&bank.tpp("robot"), &EVERYTHING).await;
    let pem = std::fs::read_to_string(bank.data_dir().join("tpps/robot/transport.pem")).unwrap();
    let base64: String = pem.lines().skip(1).take_while(|line| !line.starts_with('-')).collect();
    let naked = access.tpp.with_certificate(None, Protocol::Any).unwrap();
    for (name, value) in [
        ("client-cert", format!(":{base64}:")),
        ("client_cert", format!(":{base64}:")),
        ("x-forwarded-client-cert", format!("Cert=\"{base64}\"")),
        ("x-ssl-client-cert", base64.clone()),
    ] {
        for tpp in [&naked, &access.tpp] {
            let url = tpp.resource_url("aisp/accounts");
            let answer =
                tpp.send(HttpCall::get(url).with_bearer(access.token()).with_header(name, &value)).await.unwrap();
            answer.decent();
            assert_eq!(answer.status, 400, "{name}");
            let url = tpp.discovery().await.unwrap().token_endpoint.clone();
            let answer =
                tpp.send(HttpCall::post(url).with_header(name, &value).with_form([("client_id", "x")])).await.unwrap();
            assert_eq!(answer.status, 400, "{name}");
        }
    }
}

#[tokio::test]
async fn tls_014_public_addresses_come_from_configuration_whatever_headers_say() {
    let bank = Bank::start().await;
    let access = access(&bank.tpp("robot"), &EVERYTHING).await;
    let tpp = access.tpp.with_certificate(Some(&access.tpp.folder.identity), Protocol::Http1).unwrap();
    let disguised = |url: &str| {
        let call =
            HttpCall::get(url).with_header("host", "evil.example").with_header("x-forwarded-host", "evil.example");
        call.with_header("forwarded", "host=evil.example;proto=http").with_header("x-forwarded-proto", "http")
    };
    let accounts = tpp.resource_url("aisp/accounts");
    let answer = tpp.send(disguised(&accounts).with_bearer(access.token())).await.unwrap().ok(200);
    assert_eq!(answer["Links"].text("Self"), accounts);
    let document = tpp.send(disguised(&tpp.endpoints.well_known)).await.unwrap().ok(200);
    assert_eq!(document.text("issuer"), tpp.endpoints.issuer);
    for url in [&tpp.endpoints.public, &format!("{}/portal/callback", tpp.endpoints.public)] {
        let page = tpp.send(disguised(url)).await.unwrap();
        assert!(page.status.is_success() && !page.text().contains("evil.example"), "{url}: {}", page.text());
    }
}

#[tokio::test]
async fn tls_008_what_is_meant_for_the_other_listener_is_misdirected() {
    let bank = Bank::start().await;
    let tpp = bank.tpp("robot");
    let tpp = tpp.with_certificate(Some(&tpp.folder.identity), Protocol::Http1).unwrap();
    let [public, mtls] = [&tpp.endpoints.public, &tpp.endpoints.mtls].map(|url| url.replace("https://", ""));
    let status = async |url: &str, host: &str| {
        let answer = tpp.send(HttpCall::get(url).with_header("host", host)).await.unwrap();
        answer.decent();
        answer.status.as_u16()
    };
    let page = tpp.endpoints.well_known.clone();
    let resource = tpp.resource_url("aisp/accounts");
    for (url, host, expected) in [
        (&page, public.as_str(), 200),
        (&page, mtls.as_str(), 421),
        (&resource, mtls.as_str(), 401),
        (&resource, public.as_str(), 421),
        // A host of neither may be that of a health check or a proxy.
        (&page, "10.0.1.1", 200),
    ] {
        assert_eq!(status(url, host).await, expected, "{url} for {host}");
    }
}

#[tokio::test]
async fn tls_014_as_143_a_claimed_address_does_not_hide_who_is_guessing() {
    let mut bank = Bank::unstarted(Engine::Sqlite).await;
    bank.restart_with(&[("auth.address_users_max", "20")]).await;
    let tpp = bank.tpp("acme");
    let home = format!("{}/apps", tpp.endpoints.public);
    let mut last = 0;
    for guess in 0..=20 {
        let mut browser = Browser::new(&tpp);
        let login = browser.open(&home).await;
        let form = login.form_with("password");
        let name = format!("user-{guess}");
        let token = form.values("form_token").remove(0);
        let fields = [("name", name.as_str()), ("password", "guess"), ("form_token", &token)];
        let address = format!("203.0.113.{guess}");
        let call = HttpCall::post(form.action.as_str()).with_form(fields).with_header("x-forwarded-for", &address);
        last = browser.send(call.with_header("forwarded", format!("for={address}"))).await.status.as_u16();
    }
    assert_eq!(last, 429);
}
