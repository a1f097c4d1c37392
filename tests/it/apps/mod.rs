//! The bank's pages with a customer's connected TPPs. Source: AS-134, AS-140 to AS-144.

mod cards;
mod log_in;
pub(crate) mod payments;
mod stop;

use crate::harness::{Bank, Browser, Page};
use lombard_tpp::Tpp;

/// A customer in a browser at `/apps`.
pub(crate) struct Visitor {
    pub(crate) browser: Browser,
    home: String,
}

impl Visitor {
    pub(crate) fn new(bank: &Bank) -> Self {
        Self::beside(&bank.tpp("acme"))
    }

    /// A customer whose browser uses this TPP's connections.
    pub(crate) fn beside(tpp: &Tpp) -> Self {
        Self::of(Browser::new(tpp), &tpp.endpoints.public)
    }

    /// A customer with this browser, at this address of the bank.
    pub(crate) fn of(browser: Browser, base: &str) -> Self {
        Self { browser, home: format!("{base}/apps") }
    }

    /// What `/apps` shows now.
    pub(crate) async fn home(&mut self) -> Page {
        let home = self.home.clone();
        self.browser.open(&home).await
    }

    /// The page at this path under `/apps`.
    pub(crate) async fn at(&mut self, path: &str) -> Page {
        let url = format!("{}/{path}", self.home);
        self.browser.open(&url).await
    }

    /// Tries a name and a password.
    pub(crate) async fn try_password(&mut self, name: &str, password: &str) -> Page {
        let login = self.home().await;
        self.browser.submit(login.form_with("password"), &[("name", name), ("password", password)]).await
    }

    /// Logs in with both factors; ends at the list.
    pub(crate) async fn log_in(&mut self, person: &str) -> Page {
        let second = self.try_password(person, person).await;
        let code = second.shown_code();
        let list = self.browser.submit(second.form_with("code"), &[("code", &code)]).await;
        assert!(is_open(&list), "{}", list.exchange.text());
        list
    }
}

/// Whether a page belongs to somebody who is logged in.
pub(crate) fn is_open(page: &Page) -> bool {
    page.exchange.text().contains("action=\"/apps/logout\"")
}
