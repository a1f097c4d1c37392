//! AS-141, AS-144: every form of every page acts once, however often it is sent, and each sending is answered the same.
//!
//! The forms are those of the templates, so that a new one has to be added here.

use crate::apps::{Visitor, payments::Joint};
use crate::backchannel::Asking;
use crate::harness::{Bank, Browser, EVERYTHING, Engine, ExchangeExt, Form, Page, PayingTpp, ValueExt, access};
use crate::portal::link;
use jiff::SignedDuration;
use lombard_domain::payment::PaymentProduct;
use lombard_tpp::{AuthorisationRequest, HttpExchange, Tpp};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::Path;

/// The forms whose action a template receives.
const MADE: [&str; 5] = [
    "/portal/consents/*/authorise",
    "/portal/consents/*/decide",
    "/portal/consents/*/revoke",
    "/portal/orders/*/outcome",
    "/portal/try/*",
];

/// The forms of the templates, by their actions with `*` for an id.
fn forms_of_templates() -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let templates = |name: &str| Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../crates/{name}/templates"));
    let mut folders = vec![templates("pages"), templates("portal")];
    let mut made = 0;
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let html = std::fs::read_to_string(&path).unwrap();
            for head in html.split("<form").skip(1).filter(|piece| piece.contains("method=\"post\"")) {
                let action = head.split("action=\"").nth(1).unwrap().split(['"', '#']).next().unwrap();
                let parts: Vec<_> = action.split("{{").map(|part| part.rsplit("}}").next().unwrap()).collect();
                match parts.join("*").as_str() {
                    "*" => made += 1,
                    action => drop(found.insert(action.to_owned())),
                }
            }
        }
    }
    assert_eq!(made, MADE.len(), "a form whose action is made elsewhere belongs to the list above");
    found.extend(MADE.map(str::to_owned));
    found
}

/// Sends forms three times, and knows which were sent.
#[derive(Default)]
struct Sender {
    sent: BTreeSet<String>,
}

fn answer_of(exchange: &HttpExchange) -> (u16, Vec<String>, String) {
    let headers = ["location", "set-cookie", "content-security-policy"].into_iter();
    let headers =
        headers.flat_map(|name| exchange.headers.get_all(name)).map(|value| value.to_str().unwrap().to_owned());
    (exchange.status.as_u16(), headers.collect(), exchange.text().into_owned())
}

impl Sender {
    /// Sends a form twice at once and then again, as a browser that has heard of no answer, and checks that all answers are the same. The
    /// browser goes on with the first.
    async fn send(&mut self, browser: &mut Browser, form: &Form, set: &[(&str, &str)]) -> HttpExchange {
        let path = form.action.path().to_owned();
        let mut beside = browser.clone();
        let mut later = browser.clone();
        let (first, second) = tokio::join!(browser.post(form, set), beside.post(form, set));
        let third = later.post(form, set).await;
        assert_eq!(answer_of(&first), answer_of(&second), "{path}, at once");
        assert_eq!(answer_of(&first), answer_of(&third), "{path}, again");
        self.sent.insert(path);
        first
    }

    /// Sends the form whose action ends so, and follows the answer.
    async fn send_from(&mut self, browser: &mut Browser, page: &Page, ends: &str, set: &[(&str, &str)]) -> Page {
        let form = page.forms.iter().find(|form| form.action.path().ends_with(ends));
        let form = form.unwrap_or_else(|| panic!("no form {ends}: {}", page.exchange.text()));
        let exchange = self.send(browser, form, set).await;
        assert!([200, 303].contains(&exchange.status.as_u16()), "{ends}: {}", exchange.text());
        let Some(location) = exchange.header("location") else { return Page { exchange, forms: Vec::new() } };
        let location = exchange.url.join(location).unwrap();
        if location.path().ends_with("/callback") || location.origin() != exchange.url.origin() {
            return Page { exchange, forms: Vec::new() };
        }
        browser.open(location.as_str()).await
    }

    fn has_sent(&self, action: &str) -> bool {
        let is_like = |path: &String| {
            let (path, action): (Vec<_>, Vec<_>) = (path.split('/').collect(), action.split('/').collect());
            path.len() == action.len() && path.iter().zip(action).all(|(have, want)| want == "*" || *have == want)
        };
        self.sent.iter().any(is_like)
    }
}

async fn journey(tpp: &Tpp) -> (AuthorisationRequest, String, String) {
    let own = tpp.client_credentials("accounts").await.unwrap().access_token;
    let consent = tpp.consent_create(&own, &EVERYTHING).await.unwrap();
    let request = tpp.new_authorisation_request(&consent, "accounts").await.unwrap();
    let url = request.url(&tpp.folder.signing).unwrap();
    (request, url, consent)
}

async fn journeys(bank: &Bank, sender: &mut Sender) {
    let tpp = bank.tpp("acme");
    let (_, url, _) = journey(&tpp).await;
    let mut browser = Browser::new(&tpp);
    let login = browser.open(&url).await;
    let wrong = [("name", "amelia"), ("password", "guess")];
    let again = sender.send(&mut browser, login.form_with("password"), &wrong).await;
    assert_eq!(again.status, 422);
    let login = browser.open(again.url.as_str().trim_end_matches("/login")).await;
    let second = sender.send_from(&mut browser, &login, "/login", &[("name", "amelia"), ("password", "amelia")]).await;
    let code = second.shown_code();
    let decision = sender.send_from(&mut browser, &second, "/code", &[("code", &code)]).await;
    let accounts = decision.form_with("decision").values("account");
    let mut set: Vec<_> = accounts.iter().map(|account| ("account", account.as_str())).collect();
    set.push(("decision", "approve"));
    let back = sender.send_from(&mut browser, &decision, "/decision", &set).await;
    assert!(back.exchange.head("location").contains("code="), "{}", back.exchange.head("location"));

    let (_, url, _) = journey(&tpp).await;
    let login = browser.open(&url).await;
    let back = sender.send_from(&mut browser, &login, "/cancel", &[]).await;
    assert!(back.exchange.head("location").contains("error=access_denied"));
}

async fn own_pages(bank: &Bank, sender: &mut Sender) {
    let granted = access(&bank.tpp("robot"), &EVERYTHING).await;
    let asking = Asking::new(bank).await;
    asking.ask("chloe").await;
    let joint = Joint::of(bank, PaymentProduct::DomesticPayment, None).await;
    for person in ["amelia", "chloe"] {
        let Visitor { mut browser, .. } = Visitor::new(bank);
        let home = format!("{}/apps", bank.endpoints().public);
        let login = browser.open(&home).await;
        let second = sender.send_from(&mut browser, &login, "/login", &[("name", person), ("password", person)]).await;
        let code = second.shown_code();
        sender.send_from(&mut browser, &second, "/code", &[("code", &code)]).await;
        let page;
        if person == "amelia" {
            let question = browser.open(&format!("{home}/{}/stop", granted.consent)).await;
            page = sender.send_from(&mut browser, &question, "/stop", &[]).await;
            assert!(page.exchange.text().contains("No access any more"));
        } else {
            let waiting = browser.open(&format!("{home}/{}", joint.path())).await;
            let form = waiting.form_with("code").clone();
            let code = waiting.shown_code();
            let answer = sender.send(&mut browser, &form, &[("code", &code), ("decision", "approve")]).await;
            assert_eq!(answer.status, 303, "{}", answer.text());
            let list = browser.open(&format!("{home}/requests")).await;
            let unknown = sender.send(&mut browser, list.form_with("consent"), &[("consent", "none")]).await;
            assert_eq!(unknown.status, 422, "{}", unknown.text());
            let list = browser.open(&format!("{home}/requests")).await;
            let form = list.forms.iter().find(|form| form.action.path().starts_with("/apps/requests/")).unwrap();
            let opened = sender.send(&mut browser, form, &[]).await;
            assert!(opened.head("location").contains("/interaction/"), "{}", opened.text());
            page = browser.open(&home).await;
        }
        sender.send_from(&mut browser, &page, "/logout", &[]).await;
    }
}

/// A developer who sends forms thrice.
struct Developer<'s> {
    browser: Browser,
    public: String,
    sender: &'s mut Sender,
}

impl<'s> Developer<'s> {
    async fn of(bank: &Bank, name: &str, sender: &'s mut Sender) -> Self {
        let mut browser = Browser::new(&bank.tpp(name));
        let page = browser.open(&link(bank, name).await).await;
        let page = sender.send_from(&mut browser, &page, "/portal/login", &[]).await;
        assert_eq!(page.exchange.url.path(), "/portal/overview", "{}", page.exchange.text());
        Self { browser, public: bank.endpoints().public, sender }
    }

    async fn open(&mut self, path: &str) -> Page {
        self.browser.open(&format!("{}{path}", self.public)).await
    }

    /// Sends a form of a page, gives the text that follows.
    async fn send(&mut self, path: &str, ends: &str, set: &[(&str, &str)]) -> String {
        let page = self.open(path).await;
        self.sender.send_from(&mut self.browser, &page, ends, set).await.exchange.text().into_owned()
    }

    /// Sends a form that no page shows now, with a good token.
    async fn send_hidden(&mut self, path: &str) -> u16 {
        let mut form = self.open("/portal/controls").await.form_with("form_token").clone();
        form.inputs.retain(|input| input.name == "form_token");
        form.action.set_path(path);
        self.sender.send(&mut self.browser, &form, &[]).await.status.as_u16()
    }
}

async fn portal(bank: &Bank, sender: &mut Sender) {
    let mut developer = Developer::of(bank, "acme", sender).await;
    let page = "/portal/application";
    developer.send(page, "/redirect-uris", &[("redirect_uris", "https://acme.example/a")]).await;
    developer.send(page, "/roles", &[("role", "AISP")]).await;
    developer.send(page, "/create", &[("name", "second-app")]).await;
    let page = developer.open("/portal/overview").await;
    let Developer { mut browser, sender, .. } = developer;
    sender.send_from(&mut browser, &page, "/portal/logout", &[]).await;

    let robot = bank.tpp("robot");
    let own = robot.client_credentials("accounts").await.unwrap().access_token;
    let consent = robot.consent_create(&own, &["ReadAccountsBasic"]).await.unwrap();
    let paying = PayingTpp::robot(bank).await;
    let mut held = paying.asking(PaymentProduct::DomesticPayment);
    held["Data"]["Initiation"]["InstructedAmount"]["Amount"] = json!("13.93");
    let agreed = paying.agreed_to(PaymentProduct::DomesticPayment, held).await;
    let (order, _) = paying.ordered(&agreed).await;
    let mut developer = Developer::of(bank, "robot", sender).await;
    let path = format!("/portal/consents/{consent}");
    let page = developer.open(&path).await;
    let form = page.forms.iter().find(|form| form.action.path().ends_with("/authorise")).unwrap();
    assert_eq!(developer.sender.send(&mut developer.browser, form, &[]).await.status, 303);
    developer.send(&path, "/decide", &[("psu", "amelia"), ("decision", "approve")]).await;
    developer.send(&path, "/revoke", &[]).await;
    let path = format!("/portal/orders/{order}");
    developer.send(&path, "/outcome", &[("outcome", "reject"), ("reason", "suspected-fraud")]).await;
    assert_eq!(developer.send_hidden("/portal/events/none").await, 404);
    developer.send("/portal/events", "/events", &[("count", "2")]).await;

    let controls = "/portal/controls";
    let now = bank.ops_get("/sandbox/clock").await.ok(200).text("now").to_owned();
    developer.send(controls, "/clock", &[("count", "2"), ("unit", "days"), ("set", "")]).await;
    let moved = bank.ops_get("/sandbox/clock").await.ok(200).text("now").to_owned();
    let [before, after] = [now, moved].map(|it| it.parse::<jiff::Timestamp>().unwrap());
    assert_eq!(after.duration_since(before).as_hours(), 48, "the clock moves once");
    let account = async || bank.ops_get("/sandbox/psus").await.ok(200).list("/psus")[0].list("/accounts")[0].clone();
    let id = account().await.text("id").to_owned();
    let had = account().await;
    let entry = [("account", id.as_str()), ("amount", "12.50"), ("indicator", "Credit"), ("status", "Booked")];
    developer.send(controls, "/transactions", &entry).await;
    developer.send(controls, "/transactions", &entry).await;
    let pence = |account: &Value| account.text("booked").replace('.', "").parse::<i64>().unwrap();
    assert_eq!(pence(&account().await) - pence(&had), 2_500, "each page of a form acts once");
    let text = developer.send(controls, "/faults", &[("operation", "GetAccounts"), ("status", "503")]).await;
    assert_eq!(text.matches("GetAccounts: answered 503").count(), 1, "one fault is planted");
    developer.send(controls, "/faults/remove", &[]).await;

    let page = "/portal/test-data";
    let customer = [("login", "zoe"), ("name", "Zoe Quill"), ("number", "60837190000017"), ("balance", "250.00")];
    let text = developer.send(page, "/customers", &customer).await;
    assert!(text.contains("added 1 of the 100 customers"), "{text}");
    developer.send(page, "/customers/change", &[("about", "Somebody")]).await;
    developer.send(page, "/unlock", &[]).await;
    developer.send(page, "/test-data/accounts", &[("account", &id), ("holder", "Ann")]).await;
    developer.send(page, "/accounts/end", &[("account", &id), ("end", "bar")]).await;
    let tried = developer.open("/portal/try/GetAccounts").await;
    let form = tried.forms.iter().find(|form| form.action.path() == "/portal/try/GetAccounts").unwrap();
    let set = [("version", "v4.0"), ("token", "given"), ("given_token", "none")];
    let answer = developer.sender.send(&mut developer.browser, form, &set).await;
    assert!(answer.text().contains("401 Unauthorized"), "{}", answer.text());
}

#[tokio::test]
async fn as_144_every_form_sent_again_acts_once_and_is_answered_the_same() {
    for bank in Bank::each_engine().await {
        let mut sender = Sender::default();
        journeys(&bank, &mut sender).await;
        own_pages(&bank, &mut sender).await;
        portal(&bank, &mut sender).await;
        let missing: Vec<_> = forms_of_templates().into_iter().filter(|action| !sender.has_sent(action)).collect();
        assert_eq!(missing, Vec::<String>::new(), "forms that were not sent");
    }
}

#[tokio::test]
async fn as_143_a_wrong_password_counts_once_however_often_it_is_sent() {
    let bank = Bank::start().await;
    let mut sender = Sender::default();
    let mut visitor = Visitor::new(&bank);
    let wrong = [("name", "amelia"), ("password", "guess")];
    let page = visitor.home().await;
    let form = page.form_with("password");
    for _ in 0..4 {
        let page = visitor.home().await;
        assert_eq!(sender.send(&mut visitor.browser, page.form_with("password"), &wrong).await.status, 422);
    }
    let right = [("name", "amelia"), ("password", "amelia")];
    assert_eq!(visitor.browser.clone().post(form, &right).await.status, 303, "four failures, not twelve");
    let page = visitor.home().await;
    assert_eq!(visitor.browser.post(page.form_with("password"), &wrong).await.status, 422);
    for guess in ["guess", "amelia"] {
        let page = visitor.home().await;
        let set = [("name", "amelia"), ("password", guess)];
        let blocked = sender.send(&mut visitor.browser, page.form_with("password"), &set).await;
        assert_eq!(blocked.status, 429, "{guess}: {}", blocked.text());
    }
}

#[tokio::test]
async fn as_141_an_old_secret_gets_its_page_again_and_nothing_of_the_next() {
    for bank in Bank::each_engine().await {
        let tpp = bank.tpp("acme");
        let (request, url, _) = journey(&tpp).await;
        let mut browser = Browser::new(&tpp);
        let login = browser.open(&url).await;
        let address = login.exchange.url.to_string();
        let before = browser.clone();
        let right = [("name", "amelia"), ("password", "amelia")];
        let second = browser.submit(login.form_with("password"), &right).await;

        let mut old = before.clone();
        let seen = old.open(&address).await;
        assert_eq!(seen.exchange.status, 200, "{}", seen.exchange.text());
        assert_eq!(seen.exchange.header("set-cookie"), None, "the next secret is not given away");
        let other = old.clone().post(seen.form_with("password"), &[("name", "amelia"), ("password", "other")]).await;
        assert_eq!(other.header("set-cookie"), None, "another form with a spent token is not the first");
        let again = old.submit(seen.form_with("password"), &right).await;
        assert!(again.exchange.text().contains("name=\"code\""), "{}", again.exchange.text());

        let half_way = browser.clone();
        let code = second.shown_code();
        let decision = browser.submit(second.form_with("code"), &[("code", &code)]).await;
        assert_eq!(decision.exchange.status, 200);
        let seen = half_way.clone().open(&address).await;
        assert!(seen.exchange.text().contains("name=\"code\"") && seen.exchange.header("set-cookie").is_none());
        let again = half_way.clone().submit(seen.form_with("code"), &[("code", &code)]).await;
        assert!(again.exchange.text().contains("name=\"decision\""), "{}", again.exchange.text());

        bank.clock.advance(SignedDuration::from_secs(31));
        let late = half_way.clone().post(second.form_with("code"), &[("code", &code)]).await;
        assert_eq!((late.status.as_u16(), late.header("set-cookie")), (404, None), "the answer is kept for a while");
        for mut lost in [half_way, Browser::new(&tpp)] {
            let page = lost.open(&address).await;
            let text = page.exchange.text().into_owned();
            assert_eq!(page.exchange.status, 404);
            let href = text.split("class=\"button\" href=\"").nth(1).and_then(|it| it.split('"').next());
            let href = href.unwrap_or_else(|| panic!("no way on: {text}")).replace("&#38;", "&");
            assert!(href.starts_with(tpp.redirect_uri().unwrap()) && href.contains("error=access_denied"), "{href}");
            assert!(href.contains(&request.state), "{href}");
        }
        assert_eq!(browser.open(&address).await.exchange.status, 200, "the journey goes on where it is");
    }
}

#[tokio::test]
async fn as_144_the_portal_reports_a_repeated_form_whose_answer_has_expired() {
    let bank = Bank::start().await;
    let mut sender = Sender::default();
    let mut developer = Developer::of(&bank, "robot", &mut sender).await;
    let page = developer.open("/portal/controls").await;
    let form = page.forms.iter().find(|form| form.action.path().ends_with("/faults")).unwrap();
    let set = [("operation", "GetAccounts"), ("status", "503")];
    let mut browser = developer.browser.clone();
    assert_eq!(browser.post(form, &set).await.status, 303);
    bank.clock.advance(SignedDuration::from_secs(31));
    let late = browser.post(form, &set).await;
    assert!(late.status == 409 && late.text().contains("was sent already"), "{}", late.text());
    assert_eq!(bank.ops_get("/sandbox/faults").await.ok(200).as_array().unwrap().len(), 1);
    bank.clock.advance(SignedDuration::from_mins(50));
    browser.open(&format!("{}/portal/controls", developer.public)).await;
    bank.clock.advance(SignedDuration::from_mins(20));
    assert_eq!(browser.post(form, &set).await.status, 303, "the page is too old: another is shown");
    assert_eq!(bank.ops_get("/sandbox/faults").await.ok(200).as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn as_144_a_form_sent_to_another_node_is_answered_as_by_the_first() {
    for engine in Engine::at_hand() {
        let nodes = Bank::start_nodes(engine).await;
        let here = &nodes[0];
        let there = &nodes[nodes.len() - 1];
        let tpp = here.tpp("acme");
        let (_, url, _) = journey(&tpp).await;
        let mut browser = Browser::new(&tpp);
        let login = browser.open(&url).await;
        let form = login.form_with("password");
        let name = format!("__Host-journey-{}", login.exchange.url.path().rsplit('/').next().unwrap());
        let mut elsewhere = Browser::new(&there.tpp("acme"));
        elsewhere.keep(&name, &browser.cookie(&name).unwrap());
        let public: url::Url = there.endpoints().public.parse().unwrap();
        let mut action = form.action.clone();
        action.set_port(public.port()).unwrap();
        let moved = Form { action, inputs: form.inputs.clone() };
        let right = [("name", "amelia"), ("password", "amelia")];
        let (one, other) = tokio::join!(browser.post(form, &right), elsewhere.post(&moved, &right));
        assert_eq!(answer_of(&one), answer_of(&other));
        assert_eq!(one.status, 303);
        assert!(browser.cookie(&name) == elsewhere.cookie(&name), "both have the next secret");
    }
}

/// RW-112: what one application may take of a sandbox, and how fast.
#[tokio::test]
async fn rw_112_a_developer_leaves_others_room_and_meets_a_rate() {
    let mut bank = Bank::unstarted(Engine::Sqlite).await;
    bank.restart_with(&[("rates.portal_form_per_s", "3")]).await;
    let mut sender = Sender::default();
    let mut greedy = Developer::of(&bank, "acme", &mut sender).await;
    let page = greedy.open("/portal/test-data").await;
    let form = page.forms.iter().find(|form| form.action.path().ends_with("/unlock")).unwrap().clone();
    let mut last = greedy.browser.post(&form, &[]).await;
    for _ in 0..40 {
        last = greedy.browser.post(&form, &[]).await;
    }
    assert_eq!(last.status, 429);
    assert!(last.head("retry-after").parse::<u32>().unwrap() >= 1 && last.text().contains("wait some seconds"));
    let mut sender = Sender::default();
    let mut other = Developer::of(&bank, "rival", &mut sender).await;
    other.send("/portal/test-data", "/unlock", &[]).await;
}
