//! Characters that show nothing, or reorder what stands around them, in every text that a foreigner sets, on every page that shows one.
//! Source: AS-142, AS-160.

use crate::apps::Visitor;
use crate::harness::pending_consent::accounts_of;
use crate::harness::{Bank, Browser, EVERYTHING, ExchangeExt, PayingTpp, ValueExt};
use crate::portal::link;
use crate::registration::{statement, unregistered};
use lombard_domain::ids::ClientId;
use lombard_domain::payment::PaymentProduct;
use lombard_jose::base64url;
use lombard_tpp::{Tpp, write_client_id};
use serde_json::{Value, json};
use std::collections::BTreeSet;

const HIDDEN: [char; 5] = ['\u{202e}', '\u{e0080}', '\u{200d}', '\u{200c}', '\u{3000}'];

/// A text with all of them among letters.
const MIXED: &str = "Ac\u{202e}\u{e0080}me\u{200d}\u{200c}\u{3000}x";

/// A text of which nothing can be seen.
const NOTHING: &str = "\u{202e}\u{e0080}\u{200d}\u{200c}\u{3000}";

/// What pages show in its place.
const BLANK: &str = "(blank)";

/// A reader of pages, and what was read.
struct Reader {
    browser: Browser,
    public: String,
    read: BTreeSet<String>,
}

impl Reader {
    fn of(bank: &Bank, tpp: &Tpp) -> Self {
        Self::with(bank, Browser::new(tpp))
    }

    fn with(bank: &Bank, browser: Browser) -> Self {
        Self { browser, public: bank.endpoints().public, read: BTreeSet::new() }
    }

    /// Reads every page under this path that links lead to, and gives how often something is blank.
    async fn crawl(&mut self, under: &str) -> usize {
        let mut paths = vec![under.to_owned()];
        let mut blanks = 0;
        while let Some(path) = paths.pop() {
            if !self.read.insert(path.clone()) {
                continue;
            }
            let page = self.browser.open(&format!("{}{path}", self.public)).await;
            let html = page.exchange.text().into_owned();
            assert_eq!(page.exchange.status, 200, "{path}: {html}");
            assert_legible(&path, &html);
            blanks += html.matches(BLANK).count();
            let links =
                html.split(" href=\"").skip(1).map(|rest| rest.split(['"', '#']).next().unwrap().replace("&#38;", "&"));
            // The guides are the same for everybody, and the log of requests is read by its list.
            let is_read = |link: &String| {
                link.starts_with(under) && !["/docs", "/developers", "?"].iter().any(|it| link.contains(it))
            };
            paths.extend(links.filter(is_read));
        }
        blanks
    }
}

fn assert_legible(place: &str, html: &str) {
    for hidden in HIDDEN {
        let at = html.find(hidden).map(|at| html[..at].chars().rev().take(80).collect::<Vec<_>>());
        let before: Option<String> = at.map(|before| before.into_iter().rev().collect());
        assert_eq!(before, None, "U+{:04X} on {place}", u32::from(hidden));
    }
}

/// Software whose statement has this text wherever it may have one.
async fn software(bank: &Bank, text: &str) -> Tpp {
    let tpp = unregistered(bank, "shop", &json!({})).await;
    let own = statement(bank, &tpp, |claims| {
        for name in [
            "software_client_name",
            "software_client_description",
            "software_on_behalf_of_org",
            "org_name",
            "software_environment",
            "software_version",
            "software_policy_uri",
        ] {
            claims[name] = text.into();
        }
        claims["org_contacts"] = json!([{"name": text, "email": text, "phone": text, "type": text}]);
    });
    let request = tpp.registration_request().await.unwrap().claim("software_statement", own).claim("client_name", text);
    let answer = tpp.register(&request.sign(&tpp.folder.signing).unwrap()).await.unwrap().ok(201);
    let client = ClientId::new(answer.text("client_id"));
    write_client_id(&bank.data_dir().join("tpps/shop"), Some(&client)).unwrap();
    bank.tpp("shop")
}

/// A customer whose names, and those of their accounts, are this text.
async fn customer(bank: &Bank, text: &str) {
    let account = accounts_of(bank, "amelia").await[0].text("id").to_owned();
    let changes = [
        ("/sandbox/psus/amelia/change".to_owned(), json!({"name": text, "about": text})),
        (format!("/sandbox/accounts/{account}/change"), json!({"holder": text})),
    ];
    for (path, change) in changes {
        let (status, answer) = bank.ops_post(&path, &change).await;
        assert!([200, 400].contains(&status), "{path}: {answer}");
    }
}

/// What asks for a consent to a payment, with this text in every member that takes one.
fn payment(paying: &PayingTpp, product: PaymentProduct, text: &str) -> Value {
    let mut body = paying.asking(product);
    let initiation = &mut body["Data"]["Initiation"];
    if product == PaymentProduct::FilePayment {
        initiation["FileReference"] = text.into();
        initiation["RemittanceInformation"] = json!({"Unstructured": text, "Reference": text});
        return body;
    }
    initiation["CreditorAccount"]["Name"] = text.into();
    initiation["CreditorAccount"]["SecondaryIdentification"] = text.into();
    if product == PaymentProduct::DomesticStandingOrder {
        initiation["Reference"] = text.into();
        return body;
    }
    initiation["RemittanceInformation"] = json!({"Unstructured": text, "Reference": text});
    match product {
        PaymentProduct::DomesticPayment => {
            initiation["InstructionIdentification"] = text.into();
            initiation["EndToEndIdentification"] = text.into();
            initiation["CreditorPostalAddress"] = json!({"TownName": text, "AddressLine": [text]});
            body["Risk"] = json!({"MerchantCustomerIdentification": text});
        }
        PaymentProduct::InternationalPayment => {
            initiation["Purpose"] = text.chars().take(4).collect::<String>().into();
            initiation["ExtendedPurpose"] = text.into();
            let address = json!({"TownName": text, "StreetName": text, "AddressLine": [text]});
            initiation["Creditor"] = json!({"Name": text, "PostalAddress": address});
            initiation["CreditorAgent"] = json!({"Name": text, "PostalAddress": address});
        }
        _ => {}
    }
    body
}

/// Goes through the journey of a consent, and agrees; gives how often something is blank.
async fn journey(tpp: &Tpp, consent: &str, scope: &str) -> usize {
    let url = tpp.new_authorisation_request(consent, scope).await.unwrap().url(&tpp.folder.signing).unwrap();
    let mut browser = Browser::new(tpp);
    let login = browser.open(&url).await;
    let second = browser.submit(login.form_with("password"), &[("name", "amelia"), ("password", "amelia")]).await;
    let code = second.shown_code();
    let decision = browser.submit(second.form_with("code"), &[("code", &code)]).await;
    let pages = [("login", &login), ("code", &second), ("decision", &decision)];
    let mut blanks = 0;
    for (name, page) in pages {
        let html = page.exchange.text();
        assert_eq!(page.exchange.status, 200, "{name} of {scope}: {html}");
        assert_legible(name, &html);
        blanks += html.matches(BLANK).count();
    }
    let back = match scope {
        "payments" => {
            let form = decision.form_with("decision");
            let account = form.values("account").first().cloned();
            let mut set = vec![("decision", "approve")];
            set.extend(account.as_deref().map(|account| ("account", account)));
            browser.submit(form, &set).await.exchange
        }
        _ => browser.agree(&decision).await,
    };
    assert_legible("the answer", &back.text());
    blanks
}

/// All pages of a bank in which everything has this text; gives how often something is blank on those of journeys, customers and
/// developers.
async fn read_all(text: &str) -> [usize; 3] {
    let bank = Bank::start().await;
    let tpp = software(&bank, text).await;
    customer(&bank, text).await;
    let own = tpp.client_credentials("accounts").await.unwrap().access_token;
    let consent = tpp.consent_create(&own, &EVERYTHING).await.unwrap();
    let mut journeys = journey(&tpp, &consent, "accounts").await;
    let paying = PayingTpp::as_tpp(&bank, "shop").await;
    for product in [
        PaymentProduct::DomesticPayment,
        PaymentProduct::DomesticStandingOrder,
        PaymentProduct::InternationalPayment,
        PaymentProduct::DomesticVrp,
    ] {
        let consent =
            paying.consent(product, &payment(&paying, product, text)).await["Data"].text("ConsentId").to_owned();
        journeys += journey(&tpp, &consent, "payments").await;
    }
    let product = PaymentProduct::FilePayment;
    paying.consent(product, &payment(&paying, product, text)).await;

    let mut visitor = Visitor::new(&bank);
    visitor.log_in("amelia").await;
    let apps = Reader::with(&bank, visitor.browser).crawl("/apps").await;

    let mut reader = Reader::of(&bank, &tpp);
    let page = reader.browser.open(&link(&bank, "shop").await).await;
    assert_legible("the developer's login", &page.exchange.text());
    reader.browser.submit(page.form_with("link"), &[]).await;
    let portal = reader.crawl("/portal").await;
    assert!(reader.read.len() > 12, "{:?}", reader.read);
    [journeys, apps, portal]
}

#[tokio::test]
async fn as_142_no_page_has_a_hidden_character() {
    assert_eq!(read_all(MIXED).await, [0, 0, 0]);
}

#[tokio::test]
async fn as_142_what_shows_nothing_is_called_blank_everywhere() {
    let [journeys, apps, portal] = read_all(NOTHING).await;
    assert!(journeys >= 20 && apps >= 6 && portal >= 4, "{journeys} {apps} {portal}");
}

#[tokio::test]
async fn as_160_a_binding_message_is_seen_as_it_stands() {
    let bank = Bank::start().await;
    let tpp = bank.tpp("acme");
    let own = tpp.client_credentials("accounts").await.unwrap().access_token;
    let consent = tpp.consent_create(&own, &EVERYTHING).await.unwrap();
    let hint = format!("{}.{}.", base64url(br#"{"alg":"none"}"#), base64url(br#"{"sub":"amelia"}"#));
    let mut messages: Vec<String> = HIDDEN.iter().map(char::to_string).collect();
    messages.extend([NOTHING, MIXED].map(str::to_owned));
    for message in messages {
        let request = tpp.backchannel_request(&consent, "accounts").await.unwrap();
        let request = request.claim("login_hint_token", hint.clone()).claim("binding_message", message);
        let signed = request.sign(&tpp.folder.signing).unwrap();
        tpp.send_backchannel_request(&signed).await.unwrap().oauth(400, "invalid_binding_message");
    }
}
