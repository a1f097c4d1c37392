//! The sandbox's own redirect URI: its page shows a command that works, for every TPP with its own folder and client
//! authentication method.

use super::Chromium;
use crate::harness::{Bank, EVERYTHING};
use std::process::Stdio;
use thirtyfour::By;
use tokio::process::Command;

#[tokio::test]
async fn the_command_shown_exchanges_the_code_of_the_tpp_that_asked() {
    let Some(browser) = Chromium::start().await else { return };
    let bank = Bank::start().await;
    // The command asks the machine for the time.
    bank.clock.advance_to_present();
    let callback = format!("{}/portal/callback", bank.endpoints().public);
    for (name, signs) in [("acme", true), ("rival", false)] {
        let tpp = bank.tpp(name);
        let own = tpp.client_credentials("accounts").await.unwrap().access_token;
        let consent = tpp.consent_create(&own, &EVERYTHING).await.unwrap();
        let request =
            tpp.new_authorisation_request(&consent, "accounts").await.unwrap().claim("redirect_uri", &*callback);
        browser.log_in(&request.url(&tpp.folder.signing).unwrap(), "amelia").await;
        browser.choose_first_account().await;
        browser.press("Agree and share").await;
        browser.see("#next").await;
        let command = browser.driver.find(By::Id("command")).await.unwrap().text().await.unwrap();
        assert!(command.contains(tpp.client_id().as_str()), "{command}");
        assert_eq!(command.contains("client_assertion="), signs, "{command}");
        let script = command.replace("DATA=data", &format!("DATA={}", bank.data_dir().display()));
        let mut shell = Command::new("sh");
        shell.args(["-euc", &script]).stdin(Stdio::null());
        let run = shell.output().await.unwrap();
        let out = String::from_utf8_lossy(&run.stdout);
        let err = String::from_utf8_lossy(&run.stderr);
        let answer: serde_json::Value =
            serde_json::from_str(&out).unwrap_or_else(|error| panic!("{error}: {out}{err}"));
        assert!(answer["access_token"].is_string(), "{name}: {command}\n{out}");
    }
    browser.close().await;
}
