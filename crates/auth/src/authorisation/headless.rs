//! Test clients whose requests are decided without a person. Every check has run before; production has none of this.

use super::answer::Redirect;
use super::rules::{Authorisable, Checked, Refused};
use super::settle::{self, Approved};
use crate::error::{OAuthError, OAuthErrorCode};
use crate::{Auth, Headless};
use lombard_domain::ids::{BankAccountId, ConsentId, PsuId};
use lombard_service::consents::Chosen;

/// Approves as this PSU with every account that may be shared, unless the settings say that nobody agrees; after the
/// time the settings give it.
///
/// Source: AS-170, AS-171.
///
/// # Errors
/// [`Refused`] when another PSU is expected, nobody agrees, there is nothing to share, the consent changed meanwhile, or
/// on our side.
pub(super) async fn decide(
    auth: &Auth,
    request: Authorisable,
    psu: &PsuId,
    headless: &Headless,
) -> Result<Redirect, Refused> {
    let Authorisable { request, consent, scopes, expected } = request;
    tracing::info!(client.id = request.client.id.as_str(), consent.id = consent.id.as_str(), "headless authorisation");
    if expected.is_some_and(|expected| expected != *psu) {
        return Err(Refused { rule: "AS-068", error: another_customer() });
    }
    // At once is at once, without a turn of the timer.
    if !headless.takes.is_zero() {
        tokio::time::sleep(headless.takes).await;
    }
    if headless.refuses {
        return Err(rejected(auth, &request, &consent.id, "AS-171").await);
    }
    let eligible = auth.context.bank.eligible_accounts(psu).await.map_err(lombard_service::Failure::from)?;
    let accounts: Vec<BankAccountId> = eligible.into_iter().map(|account| account.id).collect();
    if accounts.is_empty() {
        return Err(rejected(auth, &request, &consent.id, "AS-133").await);
    }
    let approved = Approved {
        to: request.return_to(),
        consent: &consent.id,
        psu,
        chosen: Chosen::Shared(accounts),
        scopes,
        auth_time: auth.context.clocks.wall(),
        acr: request.acr.name(),
        nonce: &request.nonce,
        code_challenge: request.code_challenge.as_deref(),
        once: request.once.clone(),
    };
    let (approval, redirect) = settle::prepare(auth, approved).await?;
    let context = auth.context.clone();
    let settled = auth.context.store.write(move |tx| {
        let settled = settle::approve_in(tx, &approval, &context)?;
        Ok::<_, OAuthError>(settled)
    });
    settled.await?.map_err(|error| Refused { rule: "AS-132", error })?;
    Ok(redirect.announced_headless())
}

/// Nobody agreed, or a PSU with nothing to share cannot complete the flow. Source: AS-089, RW-302.
async fn rejected(auth: &Auth, request: &Checked, consent: &ConsentId, rule: &'static str) -> Refused {
    let (client, consent, once) = (request.client.id.clone(), consent.clone(), request.once.clone());
    let context = auth.context.clone();
    let rejected = auth
        .context
        .store
        .write(move |tx| Ok::<_, OAuthError>(settle::reject_request_in(tx, &client, &consent, &once, &context)?));
    match rejected.await {
        Ok(_) => Refused { rule, error: settle::denied() },
        Err(error) => Refused::from(error),
    }
}

/// Source: AS-068.
pub(super) const fn another_customer() -> OAuthError {
    OAuthError::new(OAuthErrorCode::LoginRequired, "Another customer is expected.")
}
