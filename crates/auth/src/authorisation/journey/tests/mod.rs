//! Journeys of the PSU, and attempts of others to take one over.

mod decision;
mod files;
mod headless;
mod payments;
mod reasons;
mod steps;
mod vrp;

use super::*;
use crate::authorisation::AuthorisationReply;
use crate::authorisation::testing::{Answer, World};
use crate::devices::DeviceCookie;
use crate::submission::SubmittedPage;
use lombard_domain::ids::{ConsentId, JourneyId};
use serde_json::Value;
use std::net::{IpAddr, Ipv4Addr};

/// The address of every browser, unless a test sets another one.
const ADDRESS: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

/// A PSU's browser in one journey.
#[derive(Clone)]
struct Tab {
    id: JourneyId,
    browser: BrowserSecret,
}

impl Tab {
    async fn open(world: &World, client: &str, claims: &Value) -> Self {
        match world.ask(client, claims).await {
            AuthorisationReply::Journey(started) => Self { id: started.id, browser: started.browser },
            other => panic!("no journey: {other:?}"),
        }
    }

    async fn start(world: &World, consent: &ConsentId) -> Self {
        Self::open(world, "acme", &world.claims("acme", consent)).await
    }

    /// A browser at the decision on a payment, logged in as this customer.
    async fn at_payment(world: &World, consent: &ConsentId, who: &str) -> Self {
        let mut tab = Self::open(world, "acme", &world.payment_claims("acme", consent)).await;
        tab.log_in(world, who).await;
        tab.enter_code(world).await;
        tab
    }

    /// A browser at the decision, logged in as this customer.
    async fn at_decision(world: &World, consent: &ConsentId, who: &str) -> Self {
        let mut tab = Self::start(world, consent).await;
        tab.log_in(world, who).await;
        tab.enter_code(world).await;
        tab
    }

    async fn view(&self, world: &World) -> Result<JourneyView, JourneyError> {
        view_journey(&world.auth, &self.id, &self.browser).await
    }

    async fn submission(&self, world: &World) -> JourneySubmission {
        let form_token = self.view(world).await.map(|view| view.form_token).unwrap_or_default();
        let page = SubmittedPage {
            browser: self.browser.clone(),
            form_token,
            from: ADDRESS,
            devices: DeviceCookie::default(),
        };
        JourneySubmission { id: self.id.clone(), page }
    }

    /// The page shown now, changed before it is submitted.
    async fn submission_with(&self, world: &World, change: impl FnOnce(&mut SubmittedPage)) -> JourneySubmission {
        let mut submission = self.submission(world).await;
        change(&mut submission.page);
        submission
    }

    fn onward(&mut self, step: Result<JourneyStep, JourneyError>) {
        match step {
            Ok(JourneyStep::NextPage(browser) | JourneyStep::Authenticated(browser, _)) => self.browser = browser,
            other => panic!("did not go on: {other:?}"),
        }
    }

    async fn log_in(&mut self, world: &World, who: &str) {
        let step = submit_login(&world.auth, &self.submission(world).await, who, who).await;
        self.onward(step);
    }

    async fn enter_code(&mut self, world: &World) {
        let step = self.give_code(world).await;
        self.onward(step);
    }

    /// Submits the correct one-time code.
    async fn give_code(&self, world: &World) -> Result<JourneyStep, JourneyError> {
        let code = match self.view(world).await.unwrap().page {
            JourneyPage::SecondFactor { challenge } => challenge.shown_code.unwrap(),
            other => panic!("no code is asked for: {other:?}"),
        };
        submit_second_factor(&world.auth, &self.submission(world).await, &code).await
    }

    async fn offer(&self, world: &World) -> AccountOptions {
        match self.view(world).await.unwrap().page {
            JourneyPage::Decision { offer, .. } => offer,
            other => panic!("not at the decision: {other:?}"),
        }
    }

    async fn offered(&self, world: &World) -> Vec<SelectableAccount> {
        self.offer(world).await.accounts().into_iter().cloned().collect()
    }

    /// The accounts on offer to pay from.
    async fn means(&self, world: &World) -> Vec<PayerOption> {
        match self.offer(world).await {
            AccountOptions::ToPayFrom(means) => means,
            AccountOptions::ToShare(_) | AccountOptions::ToAskAbout(_) => panic!("not a payment"),
        }
    }

    async fn approval(&self, world: &World) -> PsuChoice {
        PsuChoice::Approve(self.offered(world).await.into_iter().map(|offer| offer.handle).collect())
    }

    /// Approves with the first account on offer.
    async fn pay_from_first(&self, world: &World) -> Result<JourneyStep, JourneyError> {
        let choice = PsuChoice::Approve(vec![self.means(world).await[0].offered.handle.clone()]);
        decide_journey(&world.auth, &self.submission(world).await, &choice).await
    }

    async fn approve(&self, world: &World) -> Result<JourneyStep, JourneyError> {
        decide_journey(&world.auth, &self.submission(world).await, &self.approval(world).await).await
    }
}

fn left(step: Result<JourneyStep, JourneyError>) -> Answer {
    match step {
        Ok(JourneyStep::Redirect(redirect) | JourneyStep::Approved(_, redirect)) => Answer::read(&redirect),
        other => panic!("did not leave: {other:?}"),
    }
}

fn lost(step: Result<impl std::fmt::Debug, JourneyError>) -> JourneyUnavailable {
    match step {
        Err(JourneyError::Unavailable(lost)) => lost,
        other => panic!("not lost: {other:?}"),
    }
}
