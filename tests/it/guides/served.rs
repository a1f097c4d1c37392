//! The guides as they are served: every link is followed, plain text is the same, the search finds.

use crate::harness::{Bank, ExchangeExt};
use lombard_tpp::{HttpCall, HttpExchange, Protocol, Tpp};
use std::collections::{BTreeMap, BTreeSet};

/// Asks the public listener, as a browser does: without a certificate.
struct Reader {
    anybody: Tpp,
    public: String,
    pages: BTreeMap<String, HttpExchange>,
}

impl Reader {
    fn of(bank: &Bank) -> Self {
        let anybody = bank.tpp("robot").with_certificate(None, Protocol::Any).unwrap();
        Self { anybody, public: bank.endpoints().public, pages: BTreeMap::new() }
    }

    async fn get(&self, path: &str) -> HttpExchange {
        self.anybody.send(HttpCall::get(format!("{}{path}", self.public))).await.unwrap()
    }

    /// The page at this path, asked for once.
    async fn page(&mut self, path: &str) -> &HttpExchange {
        if !self.pages.contains_key(path) {
            let page = self.get(path).await;
            self.pages.insert(path.to_owned(), page);
        }
        &self.pages[path]
    }

    /// That a link of this page leads somewhere.
    async fn follow(&mut self, from: &str, link: &str) {
        let link = link.strip_prefix(&self.public).unwrap_or(link).to_owned();
        let (path, part) = link.split_once('#').map_or((link.as_str(), None), |(path, part)| (path, Some(part)));
        let path = if path.is_empty() { from } else { path };
        let answer = self.page(path).await;
        assert_eq!(answer.status.as_u16(), 200, "{from}: {link}");
        if let Some(part) = part.filter(|_| answer.head("content-type").starts_with("text/html")) {
            assert!(answer.text().contains(&format!("id=\"{part}\"")), "{from}: {link}");
        }
    }
}

/// What stands between these two in a text, each time.
fn between<'t>(text: &'t str, begin: &str, end: &str) -> Vec<&'t str> {
    text.split(begin).skip(1).filter_map(|rest| rest.split_once(end)).map(|(found, _)| found).collect()
}

#[tokio::test]
async fn every_link_of_every_guide_leads_somewhere() {
    let bank = Bank::start().await;
    let mut reader = Reader::of(&bank);
    let list = reader.get("/portal/docs").await;
    list.decent();
    let html = list.text().into_owned();
    let guides: BTreeSet<_> =
        between(&html, "href=\"", "\"").into_iter().filter(|it| it.starts_with("/portal/docs/")).collect();
    assert!(guides.len() >= 24 && guides.contains("/portal/docs/get-started"), "{guides:?}");
    let mut followed = 0;
    for guide in guides {
        let answer = reader.get(guide).await;
        answer.decent();
        assert_eq!((answer.status.as_u16(), answer.head("content-type")), (200, "text/html; charset=utf-8"), "{guide}");
        let html = answer.text().into_owned();
        assert!(!html.contains("<script") && !html.contains("src=\"http"), "{guide}");
        for link in between(&html, "href=\"", "\"").into_iter().filter(|it| !it.starts_with("http")) {
            reader.follow(guide, link).await;
            followed += 1;
        }
        let text = reader.get(&format!("{guide}.md")).await;
        text.decent();
        assert_eq!(
            (text.status.as_u16(), text.head("content-type")),
            (200, "text/markdown; charset=utf-8"),
            "{guide}.md"
        );
        for link in between(&text.text(), "](", ")").into_iter().filter(|it| it.starts_with("/portal")) {
            reader.follow(guide, link).await;
            followed += 1;
        }
    }
    assert!(followed > 300, "{followed}");
    assert_eq!(reader.get("/portal/docs/no-such-guide").await.status.as_u16(), 404);
    for odd in ["..%2fREADME.md", "%FF"] {
        assert_eq!(reader.get(&format!("/portal/docs/{odd}")).await.status.as_u16(), 404, "{odd}");
    }
}

#[tokio::test]
async fn commands_name_the_addresses_of_this_server() {
    let bank = Bank::start().await;
    let reader = Reader::of(&bank);
    let endpoints = bank.endpoints();
    for (guide, own) in [
        ("operating/sandbox", &endpoints.ops),
        ("events", &endpoints.ops),
        ("events", &endpoints.mtls),
        ("portal", &endpoints.mtls),
        ("decoupled", &endpoints.public),
    ] {
        for form in ["", ".md"] {
            let text = reader.get(&format!("/portal/docs/{guide}{form}")).await.text().into_owned();
            assert!(text.contains(own.as_str()), "{guide}{form}: {own}");
            for default in ["https://localhost:8443", "https://localhost:8444", "http://127.0.0.1:9090"] {
                assert!(!text.contains(default), "{guide}{form}: {default}");
            }
        }
    }
}

#[tokio::test]
async fn the_search_finds_by_form_and_escapes_what_was_asked() {
    let bank = Bank::start().await;
    let reader = Reader::of(&bank);
    let found = reader.get("/portal/docs?q=jti+accepted+once").await;
    found.decent();
    assert!(found.text().contains("/portal/docs/faq#"), "{}", found.text());
    let found = reader.get("/portal/docs?q=U008").await.text().into_owned();
    assert!(found.contains("/portal/docs/errors#u008"), "{found}");
    let nasty = reader.get("/portal/docs?q=%3Cscript%3Ealert(1)%3C/script%3E").await.text().into_owned();
    assert!(!nasty.contains("<script") && nasty.contains("Nothing has"), "{nasty}");
    for odd in ["?q=%FF%FE", "?q", "?q=&q=&x=%", "?"] {
        assert!(reader.get(&format!("/portal/docs{odd}")).await.status.as_u16() < 500, "{odd}");
    }
}

#[tokio::test]
async fn programs_that_read_text_find_every_document() {
    let bank = Bank::start().await;
    let mut reader = Reader::of(&bank);
    let list = reader.get("/llms.txt").await;
    list.decent();
    assert_eq!(list.head("content-type"), "text/plain; charset=utf-8");
    let text = list.text().into_owned();
    assert!(text.starts_with("# ") && text.contains("## OpenAPI documents"), "{text}");
    for line in text.lines().skip(3).filter(|line| !line.is_empty()) {
        assert!(
            line.starts_with("## ") || (line.starts_with("- [") && line.len() < 400),
            "an item is one line: {line}"
        );
    }
    let links = between(&text, "](", ")");
    assert!(links.len() > 30, "{links:?}");
    for link in links {
        assert!(link.starts_with(&reader.public), "{link}");
        reader.follow("/llms.txt", link).await;
    }
}

#[tokio::test]
async fn rw_120_the_url_of_an_error_leads_to_its_code() {
    let bank = Bank::start().await;
    let mut reader = Reader::of(&bank);
    let robot = bank.tpp("robot");
    for version in [lombard_domain::version::Version::V3_1, lombard_domain::version::Version::V4_0] {
        let robot = robot.with_version(version);
        let own = robot.client_credentials("accounts").await.unwrap().access_token;
        for path in ["aisp/account-access-consents/unknown", "aisp/nothing-here", "pisp/domestic-payments/unknown"] {
            let refused = robot.get(&own, path).await.unwrap().json().unwrap();
            let url = refused["Errors"][0]["Url"].as_str().unwrap().to_owned();
            assert!(url.starts_with(&format!("{}/portal/docs/errors#", reader.public)), "{url}");
            reader.follow(path, &url).await;
        }
    }
}
