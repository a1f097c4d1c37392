//! The rules of an authorisation request, each moving it to a narrower type.
//!
//! [`RawRequest`] → [`IdentifiedRequest`] (a client, its own signature, one of its redirect URIs: from here on an error may be sent there)
//! → [`CheckedRequest`] (it passed every row of [`table`]) → [`Authorisable`] (with the consent that it is about). A failure before
//! [`IdentifiedRequest`] is a [`UnverifiedRequestError`], which a page of this server shows; a later failure is a [`RuleRefusal`], which goes to the
//! client.

mod acr;
mod authentication_class;
mod claims;
mod client;
mod consent;
mod context;
mod echoes;
mod faults;
mod findings;
mod forms;
mod hint;
mod intent;
mod object;
mod parameters;
mod pkce;
mod plain;
mod prompt;
mod pushed;
mod redirect_uri;
mod replay;
mod request;
mod response;
mod scope;
mod signature;
mod table;
mod unsupported;

#[cfg(test)]
mod tests;

pub use request::{RawRequest, UnverifiedRequestError};

pub(crate) use authentication_class::Acr;
pub(crate) use claims::{RequestObjectClaims, wrong_claim};
pub(crate) use consent::{
    Authorisable, already_answered, another_customer_error, bar_to_error, no_payer_to_error, unusable_by,
    unusable_consent,
};
pub(crate) use context::RuleContext;
pub(crate) use faults::{invalid, invalid_object};
pub(crate) use findings::CheckedRequest;
pub(crate) use forms::REFERENCE_PREFIX;
pub(crate) use hint::hinted_consent;
pub(crate) use object::check_signed_request;
pub(crate) use replay::{NOTIFICATION_JOB_KIND, OneTimeUse, deny_backchannel_in};
pub(crate) use request::{IdentifiedRequest, RequestSource, RuleRefusal, VerifiedRequest, count_refusal};
pub(crate) use scope::requested;
pub(crate) use unsupported::check_unsupported;

use super::locked_consent::reject_late_in;
use crate::AuthorisationServer;
use crate::form::Form;
use consent::ConsentCheck;
use forms::{PushedForm, RequestForm};
use lombard_domain::client::Client;
use lombard_domain::consent::NotAuthorisable;
use signature::RequestObjectError;

/// Determines the client of a request and the verified address for its response. Source: AS-064.
///
/// # Errors
/// [`UnverifiedRequestError`], which must never be redirected.
pub(crate) async fn identify_request(
    auth: &AuthorisationServer,
    raw: &RawRequest,
) -> Result<IdentifiedRequest, UnverifiedRequestError> {
    let parameters = parameters::read(raw)?;
    let shape = forms::find_request_object(&parameters)?;
    let client = client::find_client(auth, &parameters).await?;
    match shape {
        RequestForm::Object(object) => {
            signature::fits(object).map_err(RequestObjectError::unidentified)?;
            let client = client.ok_or_else(|| UnverifiedRequestError::unidentified("AS-064"))?;
            let opened = signature::open(auth, &client, object).await.map_err(RequestObjectError::unidentified)?;
            redirect_uri::find_redirect_uri(client, opened, RequestSource::ByValue, parameters)
        }
        RequestForm::Reference(reference) => {
            let client = client.ok_or_else(pushed::not_found)?;
            let (opened, arrival) = pushed::find_pushed_request(auth, &client, reference).await?;
            redirect_uri::find_redirect_uri(client, opened, arrival, parameters)
        }
    }
}

/// Applies every rule to a request that its client pushes, so that it is refused here and not in the browser.
///
/// # Errors
/// The first rule that refuses, or storage's failure.
pub(crate) async fn check_pushed_request(
    auth: &AuthorisationServer,
    client: &Client,
    form: &Form,
    arrival: RequestSource,
) -> Result<VerifiedRequest, RuleRefusal> {
    let opened = match forms::pushed(form, client)? {
        PushedForm::Object(object) => open_signed_request(auth, client, object).await?,
        PushedForm::Parameters => plain::read(form, client)?,
    };
    opened.claims.text("redirect_uri").map_err(|error| RuleRefusal { rule: "AS-064", error })?;
    let located = redirect_uri::find_redirect_uri(client.clone(), opened.clone(), arrival, form.clone())
        .map_err(|problem| RuleRefusal { rule: problem.rule, error: request::UNREGISTERED_ADDRESS })?;
    let checked = check(auth, &located)?;
    find_authorisable_request(auth, checked).await?;
    Ok(opened)
}

/// Verifies the request object of a client that has proven who it is. Source: AS-010, AS-070.
///
/// # Errors
/// [`RuleRefusal`] if no registered key of the client signed it with PS256, or it is not one JSON object.
pub(crate) async fn open_signed_request(
    auth: &AuthorisationServer,
    client: &Client,
    object: &str,
) -> Result<VerifiedRequest, RuleRefusal> {
    signature::open(auth, client, object).await.map_err(RequestObjectError::signature_error)
}

/// Applies every row of the table.
///
/// # Errors
/// The first row that refuses.
pub(crate) fn check(auth: &AuthorisationServer, located: &IdentifiedRequest) -> Result<CheckedRequest, RuleRefusal> {
    let keys = auth.keys.verification_keys();
    let setting =
        RuleContext { issuer: &auth.settings.issuer, now: auth.context.clocks.wall_now(), our_keys: keys.as_ref() };
    table::check(located, &setting)
}

/// Finds the consent and applies the rules that need it. A consent whose deadline has passed is rejected in the same transaction.
///
/// # Errors
/// The first rule that refuses, or storage's failure.
pub(crate) async fn find_authorisable_request(
    auth: &AuthorisationServer,
    checked: CheckedRequest,
) -> Result<Authorisable, RuleRefusal> {
    let bank_now = auth.context.clocks.bank_now();
    let (client, intent) = (checked.client.id.clone(), checked.intent.clone());
    let settings = auth.context.payments.clone();
    let asked =
        auth.context.store.read(move |tx| consent::find_authorisable_consent(tx, checked.clone(), bank_now, &settings));
    let asked = asked.await?;
    match asked {
        ConsentCheck::Authorisable(authorisable) => Ok(*authorisable),
        ConsentCheck::Late => {
            let context = auth.context.clone();
            let rejected = auth.context.store.write(move |tx| reject_late_in(tx, &client, &intent, &context));
            rejected.await?;
            Err(RuleRefusal { rule: "PIS-037", error: bar_to_error(NotAuthorisable::AfterCutOff) })
        }
    }
}

/// Marks the request object as answered. Source: AS-080.
pub(crate) async fn mark_request_object_used(auth: &AuthorisationServer, located: &IdentifiedRequest) {
    let Some(request_use) = located.one_time(auth.context.clocks.wall_now()) else { return };
    let (client, context) = (located.client.id.clone(), auth.context.clone());
    let spent = auth.context.store.write(move |tx| request_use.spend(tx, &client, &context)).await;
    if let Err(error) = spent {
        // If this fails, the client still gets its response; the object can then be answered twice, each time with an error.
        tracing::warn!(error = &error as &dyn std::error::Error, "an answered request object was not recorded");
    }
}
