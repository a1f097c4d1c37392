//! The login of staff in a real browser, which decides by itself which origin and which cookies it sends.

use super::Chromium;
use super::accessibility::Look;
use crate::harness::Bank;
use lombard::operator_file::OperatorFile;

#[tokio::test]
async fn the_operator_of_a_sandbox_logs_in_and_out_with_a_browser() {
    let Some(browser) = Chromium::start().await else { return };
    let mut look = Look::by(&browser);
    let bank = Bank::start().await;
    let operator = OperatorFile::read(bank.data_dir()).unwrap().unwrap();
    browser.open(&bank.endpoints().ops).await;
    browser.heading("Staff login").await;
    look.at("staff-login").await;
    browser.fill("user", &operator.user).await;
    browser.fill("password", "wrong").await;
    browser.press("Log in").await;
    browser.see("[role=alert]").await;
    look.at("staff-login-refused").await;
    browser.fill("user", &operator.user).await;
    browser.fill("password", &operator.password).await;
    browser.press("Log in").await;
    browser.heading("Operations").await;
    look.at("staff-landing").await;
    browser.press("Log out").await;
    browser.heading("Staff login").await;
    browser.open(&bank.endpoints().ops).await;
    browser.heading("Staff login").await;
    look.nothing();
    browser.close().await;
}
