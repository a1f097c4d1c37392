//! Authorising a funds confirmation consent in a browser. Source: CBP-008, CBP-012.

use super::Chromium;
use crate::harness::funds::{about, current};
use crate::harness::{Bank, FundsTpp};

/// The question the decision asks.
pub(crate) const FUNDS: &str = "Allow this application to check whether there is enough money?";

/// A consent to ask about amelia's current account that awaits her.
pub(crate) struct AskedAbout {
    pub(crate) asking: FundsTpp,
    pub(crate) consent: String,
    pub(crate) callback: String,
}

impl AskedAbout {
    pub(crate) async fn amelias(bank: &Bank) -> Self {
        let asking = FundsTpp::with(bank.tpp("acme")).await;
        let consent = asking.consent(&about(&current(bank, "amelia").await)).await;
        Self { asking, consent, callback: format!("{}/portal/callback", bank.endpoints().public) }
    }

    /// Where to send her, with a request of its own.
    pub(crate) async fn url(&self) -> String {
        let request = self.asking.request(&self.consent).await.claim("redirect_uri", self.callback.as_str());
        request.url(&self.asking.tpp.folder.signing).unwrap()
    }
}

#[tokio::test]
async fn cbp_012_a_customer_refuses_in_the_browser() {
    let Some(browser) = Chromium::start().await else { return };
    let bank = Bank::start().await;
    let mut asked = AskedAbout::amelias(&bank).await;
    browser.log_in_to(&asked.url().await, "amelia", FUNDS).await;
    browser.press("Refuse").await;
    let channel = browser.answer(&asked.callback).await;
    assert_eq!((channel.error.as_deref(), channel.code.as_deref()), (Some("access_denied"), None));
    assert_eq!(asked.asking.status(&asked.consent).await, "Rejected");
    browser.close().await;
}
