//! Test clients whose requests are decided without a person. Every check has run before; production has none of this.

use super::answer::Redirect;
use super::rules::{Authorisable, Checked, Refused};
use super::settle::{self, Approved};
use crate::Auth;
use crate::error::{OAuthError, OAuthErrorCode};
use lombard_domain::ids::{BankAccountId, ConsentId, PsuId};

/// Approves as this PSU with every account that may be shared.
///
/// Source: AS-170, AS-171.
///
/// # Errors
/// [`Refused`] when another PSU is expected, there is nothing to share, the consent changed meanwhile, or on our side.
pub(super) async fn decide(auth: &Auth, request: Authorisable, psu: &PsuId) -> Result<Redirect, Refused> {
    let Authorisable { request, consent, scopes, expected } = request;
    tracing::info!(client.id = request.client.id.as_str(), consent.id = consent.id.as_str(), "headless authorisation");
    if expected.is_some_and(|expected| expected != *psu) {
        return Err(Refused { rule: "AS-068", error: another_customer() });
    }
    let eligible = auth.context.bank.eligible_accounts(psu).await.map_err(lombard_service::Failure::from)?;
    let accounts: Vec<BankAccountId> = eligible.into_iter().map(|account| account.id).collect();
    if accounts.is_empty() {
        return Err(no_account(auth, &request, &consent.id).await);
    }
    let approved = Approved {
        to: request.return_to(),
        consent: &consent.id,
        psu,
        accounts,
        scopes,
        auth_time: auth.context.clocks.wall(),
        acr: request.acr.name(),
        nonce: &request.nonce,
        code_challenge: request.code_challenge.as_deref(),
        once: request.once.clone(),
    };
    let (approval, redirect) = settle::prepare(auth, approved).await?;
    let (alias_key, bank_now) = (auth.context.alias_key.clone(), auth.context.clocks.bank());
    let settled = auth.context.store.write(move |tx| {
        let settled = settle::approve_in(tx, &approval, &alias_key, bank_now)?;
        Ok::<_, OAuthError>(settled)
    });
    settled.await?.map_err(|error| Refused { rule: "AS-132", error })?;
    Ok(redirect.announced_headless())
}

/// A PSU with nothing to share cannot complete the flow. Source: AS-089, RW-302.
async fn no_account(auth: &Auth, request: &Checked, consent: &ConsentId) -> Refused {
    let (client, consent, once) = (request.client.id.clone(), consent.clone(), request.once.clone());
    let bank_now = auth.context.clocks.bank();
    let rejected = auth
        .context
        .store
        .write(move |tx| Ok::<_, OAuthError>(settle::reject_request_in(tx, &client, &consent, &once, bank_now)?));
    match rejected.await {
        Ok(_) => Refused { rule: "AS-133", error: settle::denied() },
        Err(error) => Refused::from(error),
    }
}

/// Source: AS-068.
pub(super) const fn another_customer() -> OAuthError {
    OAuthError::new(OAuthErrorCode::LoginRequired, "Another customer is expected.")
}
