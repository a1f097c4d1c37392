//! Accessibility of every page in every state and view: axe reports no serious fault, and no page scrolls horizontally.
//!
//! Source: WCAG 2.2 AA, AS-144.

use super::funds::{AskedAbout, FUNDS};
use super::payments::{Made, every_detail, in_words};
use super::{Application, Axe, Chromium, views};
use crate::harness::paying::DOMESTIC;
use crate::harness::{Bank, EVERYTHING, PayingTpp, PendingConsent, access};
use jiff::SignedDuration;
use serde_json::json;

/// Looks at pages, and keeps what it found.
pub(super) struct Look<'a> {
    browser: &'a Chromium,
    axe: Option<Axe>,
    found: Vec<String>,
}

impl<'a> Look<'a> {
    /// With nothing found yet; where there is no axe, which is said loudly, with all the rest that can be seen.
    pub(super) fn by(browser: &'a Chromium) -> Self {
        Self { browser, axe: Axe::find(), found: Vec::new() }
    }

    /// Looks at the page as it stands. Leaves it wide and light.
    pub(super) async fn at(&mut self, page: &str) {
        if let Some(axe) = &self.axe {
            axe.enter(self.browser).await;
        }
        for view in views::VIEWS {
            self.browser.look(view).await;
            self.browser.fits(&format!("{page}, {}", view.name)).await;
            if let Some(axe) = &self.axe {
                let found = axe.look(self.browser).await;
                self.found.extend(found.into_iter().map(|it| format!("{page}, {}: {it}", view.name)));
            }
            self.browser.picture(page, view).await;
        }
        self.browser.look(views::VIEWS[0]).await;
    }

    /// Looks at each page that this person sees until they may decide; the page of the decision has this heading.
    pub(super) async fn at_each_step(&mut self, name: &str, url: &str, person: &str, heading: &str) {
        self.browser.open(url).await;
        self.browser.heading("Log in to continue").await;
        self.at(&format!("{name}-login")).await;
        self.browser.give_password(person, person).await;
        self.browser.heading("Confirm that it is you").await;
        self.at(&format!("{name}-code")).await;
        self.browser.give_code().await;
        self.browser.heading(heading).await;
        self.at(&format!("{name}-decision")).await;
    }

    /// Opens what is folded, then looks.
    async fn unfolded(&mut self, page: &str) {
        let script = "document.querySelectorAll('details').forEach((it) => { it.open = true })";
        self.browser.driver.execute(script, Vec::new()).await.unwrap();
        self.at(page).await;
    }

    pub(super) fn nothing(self) {
        assert!(self.found.is_empty(), "axe found:\n{}", self.found.join("\n"));
    }
}

#[tokio::test]
async fn the_pages_of_a_journey_are_accessible_in_every_state() {
    let Some(browser) = Chromium::start().await else { return };
    let mut look = Look::by(&browser);
    let bank = Bank::start().await;
    let mut application = Application::of(&bank).await;

    browser.open(&application.url()).await;
    browser.heading("Log in to continue").await;
    look.at("login").await;
    browser.give_password("amelia", "not it").await;
    browser.see("#notice").await;
    look.at("login-wrong").await;
    browser.give_password("amelia", "amelia").await;
    browser.heading("Confirm that it is you").await;
    look.at("code").await;
    browser.fill("code", "nonsense").await;
    browser.press("Continue").await;
    browser.see("#notice").await;
    look.at("code-wrong").await;
    browser.give_code().await;
    browser.heading("Share your account information?").await;
    look.at("decision").await;
    look.unfolded("decision-unfolded").await;
    browser.press("Agree and share").await;
    browser.see("#notice").await;
    look.at("decision-wrong").await;
    browser.choose_first_account().await;
    browser.press("Agree and share").await;
    browser.answer(&application.callback).await;
    look.at("callback").await;

    application.ask_again().await;
    browser.open(&application.url()).await;
    browser.heading("Log in to continue").await;
    let first = browser.driver.current_url().await.unwrap();
    application.ask_again().await;
    browser.log_in(&application.url(), "amelia").await;
    look.at("decision-again").await;
    browser.open(first.as_str()).await;
    browser.heading("This request is over").await;
    look.at("over").await;
    browser.driver.back().await.unwrap();
    browser.heading("Share your account information?").await;
    bank.clock.advance(SignedDuration::from_mins(11));
    browser.press("Refuse").await;
    browser.heading("This page has expired").await;
    look.at("expired").await;

    let application = Application::of(&bank).await;
    browser.log_in(&application.url(), "esther").await;
    look.at("decision-nothing-to-share").await;
    browser.press("Go back to").await;
    browser.answer(&application.callback).await;
    look.at("callback-refused").await;
    look.nothing();
    browser.close().await;
}

#[tokio::test]
async fn the_customers_own_pages_and_errors_are_accessible_in_every_state() {
    let Some(browser) = Chromium::start().await else { return };
    let mut look = Look::by(&browser);
    let bank = Bank::start().await;
    let public = bank.endpoints().public;

    browser.open(&public).await;
    look.at("start").await;
    browser.open(&format!("{public}/portal/callback")).await;
    browser.heading("Back at the application").await;
    look.at("callback-empty").await;
    browser.open(&format!("{public}/nowhere")).await;
    look.at("nothing-here").await;
    browser.open(&format!("{public}/interaction/unknown")).await;
    browser.heading("This page is not available").await;
    look.at("not-available").await;
    browser.open(&format!("{public}/authorize?client_id=unknown")).await;
    look.at("error").await;

    access(&bank.tpp("robot"), &EVERYTHING).await;
    access(&bank.tpp("robot"), &["ReadAccountsBasic"]).await;
    let robot = PayingTpp::robot(&bank).await;
    robot.ordered(&robot.agreed(DOMESTIC[0]).await).await;
    browser.open(&format!("{public}/apps")).await;
    look.at("apps-login").await;
    browser.give_password("amelia", "amelia").await;
    browser.heading("Confirm that it is you").await;
    look.at("apps-code").await;
    browser.give_code().await;
    browser.heading("Your connected apps").await;
    look.unfolded("apps").await;
    browser.press("Details").await;
    browser.heading("Connected app").await;
    look.unfolded("apps-one").await;
    browser.press("Stop access").await;
    browser.heading("Stop this access?").await;
    look.at("apps-stop").await;
    browser.press("Stop access").await;
    browser.heading("No access any more").await;
    look.at("apps-ended").await;
    browser.press("Log out").await;

    browser.log_in_to_apps(&public, "bashir").await;
    browser.see(".empty").await;
    look.at("apps-empty").await;
    browser.open(&format!("{public}/apps/payments")).await;
    browser.heading("Payments waiting for you").await;
    look.at("apps-payments-none").await;
    browser.press("Log out").await;
    for _ in 0..5 {
        browser.give_password("chloe", "a guess").await;
        browser.see("#notice").await;
    }
    browser.give_password("chloe", "a guess").await;
    browser.heading("Too many attempts").await;
    look.at("too-many-attempts").await;
    look.nothing();
    browser.close().await;
}

#[tokio::test]
async fn the_pages_of_payments_are_accessible_in_every_state() {
    let Some(browser) = Chromium::start().await else { return };
    let mut look = Look::by(&browser);
    let bank = Bank::start().await;
    bank.set_working_morning().await;
    for product in DOMESTIC {
        let name = product.name();
        let paying = PayingTpp::as_tpp(&bank, "acme").await;
        let body = every_detail(&paying, product);
        let asked = PendingConsent::with(&bank, paying, product, body).await;
        look.at_each_step(name, &asked.url(), "amelia", in_words(product)).await;
        browser.press("Agree to").await;
        browser.see("#notice").await;
        look.at(&format!("{name}-decision-wrong")).await;
        browser.choose_first_account().await;
        look.at(&format!("{name}-decision-chosen")).await;
        browser.press("Refuse").await;
        browser.answer(&asked.callback).await;
    }

    let paying = PayingTpp::as_tpp(&bank, "acme").await;
    let now = DOMESTIC[0];
    let mut body = paying.asking(now);
    body["Data"]["Initiation"]["InstructedAmount"]["Amount"] = json!("12345.67");
    for (person, page) in [("deepak", "not-enough"), ("bashir", "two-people"), ("esther", "nothing-to-pay-from")] {
        let asked = PendingConsent::with(&bank, paying.clone(), now, body.clone()).await;
        browser.log_in_to(&asked.url(), person, in_words(now)).await;
        look.at(&format!("payment-{page}")).await;
    }
    look.nothing();
    browser.close().await;
}

#[tokio::test]
async fn err_003_the_notice_of_an_account_without_enough_is_accessible() {
    let Some(browser) = Chromium::start().await else { return };
    let mut look = Look::by(&browser);
    let bank = Bank::start().await;
    let paying = PayingTpp::as_tpp(&bank, "acme").await;
    let now = DOMESTIC[0];
    let mut body = paying.asking(now);
    body["Data"]["Initiation"]["InstructedAmount"]["Amount"] = json!("12345.67");
    for person in ["amelia", "deepak"] {
        let asked = PendingConsent::with(&bank, paying.clone(), now, body.clone()).await;
        browser.log_in_to(&asked.url(), person, in_words(now)).await;
        browser.choose_first_account().await;
        browser.press("Agree to").await;
        browser.see("#notice").await;
        look.at(&format!("payment-not-enough-told-{person}")).await;
    }
    look.nothing();
    browser.close().await;
}

#[tokio::test]
async fn the_pages_about_funds_are_accessible_in_every_state() {
    let Some(browser) = Chromium::start().await else { return };
    let mut look = Look::by(&browser);
    let bank = Bank::start().await;
    let public = bank.endpoints().public;
    let mut asked = AskedAbout::amelias(&bank).await;
    look.at_each_step("funds", &asked.url().await, "amelia", FUNDS).await;
    browser.press("Agree").await;
    browser.answer(&asked.callback).await;
    assert_eq!(asked.asking.status(&asked.consent).await, "Authorised");

    browser.log_in_to(&asked.url().await, "amelia", FUNDS).await;
    look.at("funds-decision-again").await;
    browser.press("Refuse").await;
    browser.answer(&asked.callback).await;
    assert_eq!(asked.asking.status(&asked.consent).await, "Authorised", "RW-306");

    browser.log_in_to_apps(&public, "amelia").await;
    look.at("apps-funds").await;
    browser.press("Details").await;
    browser.heading("Connected app").await;
    look.at("apps-funds-one").await;
    browser.press("Stop access").await;
    browser.heading("Stop this access?").await;
    look.at("apps-funds-stop").await;
    browser.press("Stop access").await;
    browser.heading("No access any more").await;
    look.at("apps-funds-ended").await;
    assert_eq!(asked.asking.status(&asked.consent).await, "Revoked", "CBP-012");
    look.nothing();
    browser.close().await;
}

#[tokio::test]
async fn the_pages_of_payments_that_wait_are_accessible_in_every_state() {
    let Some(browser) = Chromium::start().await else { return };
    let mut look = Look::by(&browser);
    let bank = Bank::start().await;
    let public = bank.endpoints().public;
    let mut paths = Vec::new();
    for product in DOMESTIC {
        paths.push((product, Made::by_bashir(&bank, &browser, product).await.path()));
    }
    browser.log_in_to_apps(&public, "chloe").await;
    browser.open(&format!("{public}/apps/payments")).await;
    browser.heading("Payments waiting for you").await;
    look.at("apps-payments").await;
    browser.open(&format!("{public}/apps")).await;
    browser.heading("Your connected apps").await;
    look.at("apps-waiting").await;
    for (product, path) in paths {
        browser.open(&format!("{public}{path}")).await;
        browser.heading(in_words(product)).await;
        let name = product.name();
        look.at(&format!("apps-waiting-{name}")).await;
        browser.fill("code", "nonsense").await;
        browser.press("Agree to").await;
        browser.see("#notice").await;
        look.at(&format!("apps-waiting-{name}-wrong")).await;
        if product == DOMESTIC[0] {
            browser.press("Decline").await;
            browser.heading("This was declined").await;
            look.at("apps-declined").await;
        } else {
            let code = browser.shown_code().await;
            browser.fill("code", &code).await;
            browser.press("Agree to").await;
            browser.heading("Everybody has agreed").await;
            look.at(&format!("apps-agreed-{name}")).await;
        }
    }
    look.nothing();
    browser.close().await;
}
