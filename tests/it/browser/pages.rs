//! Actions on a page: read its heading, fill fields, press buttons. Each waits until its element is present.

use super::Chromium;
use lombard_tpp::AuthorisationResponse;
use thirtyfour::prelude::{ElementQueryable, ElementWaitable};
use thirtyfour::{By, WebElement};

impl Chromium {
    /// Opens an address.
    pub(crate) async fn open(&self, url: &str) {
        self.driver.goto(url).await.unwrap();
    }

    /// The element with this selector, once it is there and can be seen.
    pub(crate) async fn see(&self, selector: &str) -> WebElement {
        let found = self.driver.query(By::Css(selector)).ignore_errors(true).and_displayed().first().await;
        match found {
            Ok(element) => element,
            Err(_) => panic!("no {selector} on this page: {}", self.text().await),
        }
    }

    /// Waits until the page has this heading.
    pub(crate) async fn heading(&self, words: &str) {
        let heading = format!("//h1[normalize-space()=\"{words}\"]");
        if self.driver.query(By::XPath(heading)).first().await.is_err() {
            panic!("the page is not \"{words}\": {}", self.text().await);
        }
    }

    /// Types into the field with this id, in place of what is there.
    pub(crate) async fn fill(&self, id: &str, text: &str) {
        let field = self.see(&format!("#{id}")).await;
        field.clear().await.unwrap();
        field.send_keys(text).await.unwrap();
    }

    /// Presses the button, or follows the link, that says this, and waits until this page is left: its successor may
    /// look the same.
    pub(crate) async fn press(&self, words: &str) {
        let page = self.driver.find(By::Tag("html")).await.unwrap();
        self.press_here(words).await;
        page.wait_until().stale().await.unwrap();
    }

    /// Presses what says this and leads nowhere else.
    pub(crate) async fn press_here(&self, words: &str) {
        let says = format!("[starts-with(normalize-space(), \"{words}\")]");
        let found = self.driver.query(By::XPath(format!("//button{says} | //a{says} | //summary{says}"))).first().await;
        let Ok(element) = found else { panic!("nothing says \"{words}\": {}", self.text().await) };
        element.wait_until().clickable().await.unwrap();
        element.click().await.unwrap();
    }

    /// Gives name and password on a page that asks for them.
    pub(crate) async fn give_password(&self, name: &str, password: &str) {
        self.fill("name", name).await;
        self.fill("password", password).await;
        self.press("Log in").await;
    }

    /// Gives the one-time code that the sandbox shows.
    pub(crate) async fn give_code(&self) {
        let code = self.shown_code().await;
        self.fill("code", &code).await;
        self.press("Continue").await;
    }

    /// The one-time code that the sandbox shows.
    pub(crate) async fn shown_code(&self) -> String {
        self.see(".shown-code code").await.text().await.unwrap()
    }

    /// Opens an authorisation address and goes through both factors; ends at the decision.
    pub(crate) async fn log_in(&self, url: &str, person: &str) {
        self.log_in_to(url, person, "Share your account information?").await;
    }

    /// The same, to the decision that has this heading.
    pub(crate) async fn log_in_to(&self, url: &str, person: &str, decision: &str) {
        self.open(url).await;
        self.heading("Log in to continue").await;
        self.give_password(person, person).await;
        self.heading("Confirm that it is you").await;
        self.give_code().await;
        self.heading(decision).await;
    }

    /// Opens the customer's own pages and goes through both factors; ends at the list.
    pub(crate) async fn log_in_to_apps(&self, public: &str, person: &str) {
        self.open(&format!("{public}/apps")).await;
        self.heading("Log in").await;
        self.give_password(person, person).await;
        self.heading("Confirm that it is you").await;
        self.give_code().await;
        self.heading("Your connected apps").await;
    }

    /// Ticks the first account on offer.
    pub(crate) async fn choose_first_account(&self) {
        let choice = self.see("input[name=account]").await;
        if !choice.is_selected().await.unwrap() {
            choice.click().await.unwrap();
        }
    }

    /// What came back to the sandbox's callback page, which must show it.
    pub(crate) async fn answer(&self, redirect_uri: &str) -> AuthorisationResponse {
        self.heading("Back at the application").await;
        let shown = self.see("#parameters").await.text().await.unwrap();
        let url = self.driver.current_url().await.unwrap();
        let channel = AuthorisationResponse::read_location(url.as_str(), redirect_uri).unwrap();
        for value in [&channel.code, &channel.error, &channel.state].into_iter().flatten() {
            assert!(shown.contains(value.as_str()), "the page does not show what came back: {shown}");
        }
        channel
    }

    /// The text that is alive on the page, for a failing test.
    pub(crate) async fn text(&self) -> String {
        let url = self.driver.current_url().await.map(String::from).unwrap_or_default();
        match self.driver.find(By::Tag("body")).await {
            Ok(body) => format!("{url}\n{}", body.text().await.unwrap_or_default()),
            Err(error) => format!("{url}\n{error}"),
        }
    }

    /// The id of the element that has the focus.
    pub(crate) async fn focus(&self) -> String {
        let element = self.driver.active_element().await.unwrap();
        element.attr("id").await.unwrap().unwrap_or_default()
    }
}
