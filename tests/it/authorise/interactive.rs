//! Authorisation by a person in a browser. Source: AS-140 to AS-144, RW-301 to RW-306.

use crate::harness::{Bank, Browser, EVERYTHING, ExchangeExt, Page};
use jiff::SignedDuration;
use lombard_tpp::{AuthorisationRequest, AuthorisationResponse, ExpectedIdToken, IssuedTokens, Tpp};
use serde_json::{Value, json};

/// A customer whom a TPP has sent to the bank.
pub(crate) struct Visit {
    pub(crate) tpp: Tpp,
    pub(crate) own: String,
    pub(crate) consent: String,
    pub(crate) request: AuthorisationRequest,
    pub(crate) browser: Browser,
}

impl Visit {
    pub(crate) async fn new(bank: &Bank) -> Self {
        let tpp = bank.tpp("acme");
        let own = tpp.client_credentials("accounts").await.unwrap().access_token;
        let consent = tpp.consent_create(&own, &EVERYTHING).await.unwrap();
        let request = tpp.new_authorisation_request(&consent, "accounts").await.unwrap();
        Self { browser: Browser::new(&tpp), tpp, own, consent, request }
    }

    /// Another request for the same consent.
    async fn again(&mut self) {
        self.request = self.tpp.new_authorisation_request(&self.consent, "accounts").await.unwrap();
    }

    fn url(&self) -> String {
        self.request.url(&self.tpp.folder.signing).unwrap()
    }

    async fn decision(&mut self, person: &str) -> Page {
        let url = self.url();
        self.browser.log_in(&url, person).await
    }

    fn channel(&self, exchange: &lombard_tpp::HttpExchange) -> AuthorisationResponse {
        assert_eq!(exchange.status, 303, "AS-087: {}", exchange.text());
        AuthorisationResponse::parse_redirect(exchange, self.tpp.redirect_uri().unwrap()).unwrap()
    }

    pub(crate) async fn status(&self) -> Value {
        let path = format!("aisp/account-access-consents/{}", self.consent);
        self.tpp.get(&self.own, &path).await.unwrap().ok(200)["Data"]["Status"].clone()
    }

    async fn tokens(&self, channel: &AuthorisationResponse) -> IssuedTokens {
        let (code, _) = channel.expect_code(&self.request.state).unwrap();
        IssuedTokens::from_exchange(self.tpp.exchange_code(code).await.unwrap()).unwrap()
    }

    async fn accounts(&self, tokens: &IssuedTokens) -> usize {
        let answer = self.tpp.get(&tokens.access_token, "aisp/accounts").await.unwrap().ok(200);
        answer["Data"]["Account"].as_array().unwrap().len()
    }
}

#[tokio::test]
async fn a_person_logs_in_chooses_agrees_and_is_sent_back() {
    for bank in Bank::each_engine().await {
        let mut visit = Visit::new(&bank).await;
        let decision = visit.decision("amelia").await;
        let offered = decision.form_with("decision").values("account");
        assert!(offered.len() >= 2, "{}", decision.exchange.text());
        let one = [("account", offered[0].as_str()), ("decision", "approve")];
        let back = visit.browser.submit(decision.form_with("decision"), &one).await;
        let channel = visit.channel(&back.exchange);
        let (code, id_token) = channel.expect_code(&visit.request.state).unwrap();
        let expected = ExpectedIdToken {
            consent: Some(&visit.consent),
            nonce: Some(&visit.request.nonce),
            code: Some(code),
            state: Some(&visit.request.state),
            access_token: None,
        };
        let keys = visit.tpp.bank_keys().await.unwrap();
        visit.tpp.check_id_token(id_token, &keys, &expected).await.unwrap();
        let tokens = visit.tokens(&channel).await;
        assert_eq!(visit.accounts(&tokens).await, 1, "AIS-080: only the account chosen");
        assert_eq!(visit.status().await, "Authorised");
    }
}

#[tokio::test]
async fn as_089_rw_302_a_refusal_is_final() {
    let bank = Bank::start().await;
    for press_cancel in [false, true] {
        let mut visit = Visit::new(&bank).await;
        let back = if press_cancel {
            let url = visit.url();
            let login = visit.browser.open(&url).await;
            let cancel = login.forms.iter().find(|form| form.action.path().ends_with("/cancel")).unwrap();
            visit.browser.submit(cancel, &[]).await
        } else {
            let decision = visit.decision("amelia").await;
            visit.browser.submit(decision.form_with("decision"), &[("decision", "refuse")]).await
        };
        let channel = visit.channel(&back.exchange);
        assert_eq!(channel.error.as_deref(), Some("access_denied"));
        assert_eq!(channel.state.as_deref(), Some(visit.request.state.as_str()));
        assert_eq!(visit.status().await, "Rejected");
        visit.again().await;
        let url = visit.url();
        let answer = visit.tpp.open_authorisation(&url).await.unwrap();
        let channel = AuthorisationResponse::parse_redirect(&answer, visit.tpp.redirect_uri().unwrap()).unwrap();
        assert_eq!(channel.error.as_deref(), Some("invalid_request"), "RW-307");
    }
}

#[tokio::test]
async fn rw_306_a_cancelled_re_authentication_changes_nothing() {
    let bank = Bank::start().await;
    let mut visit = Visit::new(&bank).await;
    let decision = visit.decision("amelia").await;
    let back = visit.browser.agree(&decision).await;
    let channel = visit.channel(&back);
    let tokens = visit.tokens(&channel).await;
    let accounts = visit.accounts(&tokens).await;
    visit.again().await;
    let decision = visit.decision("amelia").await;
    let back = visit.browser.submit(decision.form_with("decision"), &[("decision", "refuse")]).await;
    assert_eq!(visit.channel(&back.exchange).error.as_deref(), Some("access_denied"));
    assert_eq!(visit.status().await, "Authorised");
    assert_eq!(visit.accounts(&tokens).await, accounts, "the old tokens work");
}

#[tokio::test]
async fn as_131_another_person_cannot_take_over_a_consent() {
    let bank = Bank::start().await;
    let mut visit = Visit::new(&bank).await;
    let decision = visit.decision("amelia").await;
    let back = visit.browser.agree(&decision).await;
    let channel = visit.channel(&back);
    let tokens = visit.tokens(&channel).await;
    let before = visit.accounts(&tokens).await;
    visit.again().await;
    let url = visit.url();
    let login = visit.browser.open(&url).await;
    let form = login.form_with("password").clone();
    let mut page = visit.browser.submit(&form, &[("name", "bashir"), ("password", "bashir")]).await;
    if page.exchange.header("location").is_none() {
        let code = page.shown_code();
        page = visit.browser.submit(page.form_with("code"), &[("code", &code)]).await;
    }
    if page.exchange.header("location").is_none() {
        page = Page { exchange: visit.browser.agree(&page).await, forms: Vec::new() };
    }
    assert_eq!(visit.channel(&page.exchange).error.as_deref(), Some("access_denied"));
    assert_eq!(visit.accounts(&tokens).await, before);
}

#[tokio::test]
async fn as_143_wrong_name_and_wrong_password_read_alike_and_five_end_a_journey() {
    let bank = Bank::start().await;
    let mut visit = Visit::new(&bank).await;
    let url = visit.url();
    let mut page = visit.browser.open(&url).await;
    let mut texts = Vec::new();
    for (name, password) in [("nobody", "x"), ("amelia", "x"), ("amelia", "bashir"), ("amelia", "y"), ("amelia", "z")] {
        page = visit.browser.submit(page.form_with("password"), &[("name", name), ("password", password)]).await;
        if page.forms.is_empty() {
            break;
        }
        let token = page.form_with("password").values("form_token").remove(0);
        texts.push(page.exchange.text().replace(&token, "TOKEN"));
    }
    texts.dedup();
    assert_eq!(texts.len(), 1, "unknown user and wrong password read alike");
    let channel = visit.channel(&page.exchange);
    assert_eq!(channel.error.as_deref(), Some("access_denied"), "AS-089: failed authentication");
    assert_eq!(visit.status().await, "Rejected", "RW-303");
}

#[tokio::test]
async fn as_141_144_a_form_works_once_and_only_in_its_browser() {
    let bank = Bank::start().await;
    let mut visit = Visit::new(&bank).await;
    let decision = visit.decision("amelia").await;
    let form = decision.form_with("decision").clone();

    let account = form.values("account").remove(0);
    let agree = [("account", account.as_str()), ("decision", "approve")];
    let forged = [agree[0], agree[1], ("form_token", "forged")];
    let page = visit.browser.submit(&form, &forged).await;
    assert!(page.exchange.header("location").is_none(), "a forged form token decides nothing");
    assert_eq!(visit.status().await, "AwaitingAuthorisation");

    let mut stranger = Browser::new(&visit.tpp);
    let page = stranger.submit(&form, &agree).await;
    assert!(page.exchange.header("location").is_none(), "another browser decides nothing");
    assert_eq!(visit.status().await, "AwaitingAuthorisation");

    let page = visit.browser.open(form.action.join("./").unwrap().as_str().trim_end_matches('/')).await;
    let fresh = page.form_with("decision").clone();
    let back = visit.browser.submit(&fresh, &agree).await;
    let location = back.exchange.head("location").to_owned();
    assert!(location.contains("code="), "{location}");
    let again = visit.browser.submit(&fresh, &agree).await;
    assert_eq!(again.exchange.header("location"), None, "going back never submits again");
}

#[tokio::test]
async fn as_133_only_accounts_offered_can_be_chosen() {
    let bank = Bank::start().await;
    let mut other = Visit::new(&bank).await;
    let bashirs = other.decision("bashir").await.form_with("decision").values("account").remove(0);
    for choice in [bashirs.as_str(), "nonsense", ""] {
        let mut visit = Visit::new(&bank).await;
        let decision = visit.decision("amelia").await;
        let set = [("account", choice), ("decision", "approve")];
        let page = visit.browser.submit(decision.form_with("decision"), &set).await;
        assert!(!page.exchange.head("location").contains("code="), "{choice}");
        assert_ne!(visit.status().await, "Authorised", "{choice}");
    }
    let mut visit = Visit::new(&bank).await;
    let decision = visit.decision("amelia").await;
    let form = decision.form_with("decision").clone();
    let none: Vec<_> = form.inputs.iter().filter(|it| it.name != "account").cloned().collect();
    let form = crate::harness::Form { inputs: none, ..form };
    let page = visit.browser.submit(&form, &[("decision", "approve")]).await;
    assert!(page.forms.iter().any(|form| !form.values("account").is_empty()), "AIS-080: asked again");
    assert_eq!(visit.status().await, "AwaitingAuthorisation");
}

#[tokio::test]
async fn as_090_a_journey_dies_after_ten_idle_minutes_and_by_a_second_one() {
    let bank = Bank::start().await;
    let mut visit = Visit::new(&bank).await;
    let decision = visit.decision("amelia").await;
    bank.clock.advance(SignedDuration::from_mins(10) + SignedDuration::from_secs(1));
    let late = visit.browser.agree(&decision).await;
    assert!(late.header("location").is_none(), "{:?}", late.header("location"));
    assert_eq!(visit.status_later(&bank).await, "AwaitingAuthorisation", "RW-303");

    visit.again().await;
    let first = visit.decision("amelia").await;
    visit.again().await;
    let mut elsewhere = Browser::new(&visit.tpp);
    let url = visit.url();
    let second = elsewhere.log_in(&url, "amelia").await;
    let back = visit.browser.agree(&first).await;
    assert!(!back.head("location").contains("code="), "the first journey died");
    let back = elsewhere.agree(&second).await;
    assert!(back.head("location").contains("code="), "{}", back.text());
}

#[tokio::test]
async fn ais_064_a_deletion_under_way_wins() {
    let bank = Bank::start().await;
    let mut visit = Visit::new(&bank).await;
    let decision = visit.decision("amelia").await;
    let path = format!("aisp/account-access-consents/{}", visit.consent);
    visit.tpp.delete(&visit.own, &path).await.unwrap().ok(204);
    let back = visit.browser.agree(&decision).await;
    assert!(!back.head("location").contains("code="), "{:?}", back.header("location"));
    visit.tpp.get(&visit.own, &path).await.unwrap().refused_with(400, "UK.OBIE.Resource.NotFound", "");
}

#[tokio::test]
async fn a_person_without_eligible_accounts_can_only_refuse() {
    let bank = Bank::start().await;
    let mut visit = Visit::new(&bank).await;
    let page = visit.decision("esther").await;
    let back = match page.exchange.header("location") {
        Some(_) => page,
        None => visit.browser.submit(page.form_with("decision"), &[("decision", "approve")]).await,
    };
    assert!(!back.exchange.head("location").contains("code="), "AIS-080");
    assert_ne!(visit.status().await, "Authorised");
}

#[tokio::test]
async fn as_140_142_every_page_is_framed_by_strict_headers_and_names_who_asks() {
    let bank = Bank::start().await;
    let mut visit = Visit::new(&bank).await;
    let url = visit.url();
    let login = visit.browser.open(&url).await;
    let second = visit.browser.submit(login.form_with("password"), &[("name", "amelia"), ("password", "amelia")]).await;
    let code = second.shown_code();
    let decision = visit.browser.submit(second.form_with("code"), &[("code", &code)]).await;
    for page in [&login, &second, &decision] {
        let answer = &page.exchange;
        let policy = answer.head("content-security-policy");
        assert!(policy.contains("frame-ancestors 'none'") && !policy.contains("unsafe-inline"), "{policy}");
        assert_eq!(answer.head("x-frame-options"), "DENY");
        assert_eq!(answer.head("referrer-policy"), "no-referrer");
        assert_eq!(answer.head("x-content-type-options"), "nosniff");
        assert!(answer.head("cache-control").contains("no-store"));
        let scripts = answer.text().matches("<script").count();
        assert_eq!(scripts, answer.text().matches("<script src=\"/assets/decision.js\" defer></script>").count());
    }
    assert!(decision.exchange.head("content-security-policy").contains("https://localhost:8445"), "form-action");
    assert!(decision.exchange.text().to_lowercase().contains("acme"), "AS-142");
}

impl Visit {
    /// The consent's status, with a new token of the TPP's own: the first may have expired with the clock.
    async fn status_later(&mut self, bank: &Bank) -> Value {
        assert!(bank.now() > jiff::Timestamp::UNIX_EPOCH);
        self.own = self.tpp.client_credentials("accounts").await.unwrap().access_token;
        self.status().await
    }
}

#[tokio::test]
async fn as_079_an_unattainable_essential_acr_is_access_denied() {
    let bank = Bank::start().await;
    let mut visit = Visit::new(&bank).await;
    let intent = json!({"essential": true, "value": visit.consent});
    let acr = json!({"essential": true, "value": "urn:example:impossible"});
    visit.request =
        visit.request.clone().claim("claims", json!({"id_token": {"openbanking_intent_id": intent, "acr": acr}}));
    let answer = visit.tpp.open_authorisation(&visit.url()).await.unwrap();
    let channel = AuthorisationResponse::parse_redirect(&answer, visit.tpp.redirect_uri().unwrap()).unwrap();
    assert_eq!(channel.error.as_deref(), Some("access_denied"));
}

#[tokio::test]
async fn as_067_max_age_is_honoured_by_a_fresh_login_and_told_by_auth_time() {
    let bank = Bank::start().await;
    for max_age in [0, 60, 86_400] {
        let mut visit = Visit::new(&bank).await;
        // A session at the bank's own pages, however fresh, is no login for an application.
        let mut visitor = crate::apps::Visitor::beside(&visit.tpp);
        visitor.log_in("amelia").await;
        visit.browser = visitor.browser;
        visit.request = visit.request.clone().claim("max_age", max_age);
        bank.clock.advance(SignedDuration::from_secs(30));
        let asked_at = bank.now().as_second();
        let decision = visit.decision("amelia").await;
        let back = visit.browser.agree(&decision).await;
        let channel = visit.channel(&back);
        let (_, id_token) = channel.expect_code(&visit.request.state).unwrap();
        let keys = visit.tpp.bank_keys().await.unwrap();
        let token = visit.tpp.check_id_token(id_token, &keys, &ExpectedIdToken::default()).await.unwrap();
        assert_eq!(token.0["auth_time"], asked_at, "max_age {max_age}");
    }
    let visit = Visit::new(&bank).await;
    let request = visit.request.clone().claim("max_age", "soon");
    let answer = visit.tpp.open_authorisation(&request.url(&visit.tpp.folder.signing).unwrap()).await.unwrap();
    let channel = AuthorisationResponse::parse_redirect(&answer, visit.tpp.redirect_uri().unwrap()).unwrap();
    assert_eq!(channel.error.as_deref(), Some("invalid_request"));
}
