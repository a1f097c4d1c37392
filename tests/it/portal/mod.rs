//! The developer portal: what everybody may read, and the pages of developers who are logged in.

mod applications;
mod controls;
mod login;
mod own_records;
mod read;
mod try_out;

use crate::harness::{Bank, Browser, Page, ValueExt};
use serde_json::Value;

/// The one-time link that an operator makes for a TPP.
pub(crate) async fn link(bank: &Bank, name: &str) -> String {
    let (status, made) = bank.ops_post(&format!("/operations/tpps/{name}/login"), &Value::Null).await;
    assert_eq!(status, 201, "{made}");
    made.text("url").to_owned()
}

/// A developer of a TPP, logged in by a link.
#[derive(Debug)]
struct Developer {
    browser: Browser,
    public: String,
}

impl Developer {
    async fn of(bank: &Bank, name: &str) -> Self {
        let mut browser = Browser::new(&bank.tpp(name));
        let page = browser.open(&link(bank, name).await).await;
        let page = browser.submit(page.form_with("link"), &[]).await;
        assert_eq!(page.exchange.url.path(), "/portal/overview", "{}", page.exchange.text());
        Self { browser, public: bank.endpoints().public }
    }

    /// Opens a page; gives its status with it.
    async fn open(&mut self, path: &str) -> (u16, Page) {
        let page = self.browser.open(&format!("{}{path}", self.public)).await;
        (page.exchange.status.as_u16(), page)
    }

    /// The text of a page that must be there.
    async fn read(&mut self, path: &str) -> String {
        let (status, page) = self.open(path).await;
        assert_eq!(status, 200, "{path}: {}", page.exchange.text());
        page.exchange.text().into_owned()
    }

    /// Fills the form with this action on a page, and sends it; gives the page that follows.
    async fn send(&mut self, path: &str, action: &str, fields: &[(&str, &str)]) -> (u16, String) {
        let (_, page) = self.open(path).await;
        let form = page.forms.iter().find(|form| form.action.path() == action);
        let form = form.unwrap_or_else(|| panic!("no form {action} on {path}: {}", page.exchange.text()));
        let after = self.browser.submit(form, fields).await;
        (after.exchange.status.as_u16(), after.exchange.text().into_owned())
    }
}
