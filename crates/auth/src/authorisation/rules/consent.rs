//! The rules that need the consent: it belongs to the client, may be authorised, and is of the kind that the scope
//! requests.

use super::faults::{invalid, invalid_object};
use super::findings::CheckedRequest;
use super::request::{RequestSource, RuleRefusal};
use super::{pushed, scope};
use crate::error::{OAuthError, OAuthErrorCode};
use jiff::Timestamp;
use lombard_domain::consent::{Consent, NotAuthorisable};
use lombard_domain::ids::PsuId;
use lombard_domain::scope::Scopes;
use lombard_ports::store::{Owned, ServerTransaction};
use lombard_service::payments::PaymentSettings;
use lombard_service::payments::consents::NoPayerAccount;

/// A request that may be presented to the PSU.
#[derive(Debug, Clone)]
pub(crate) struct Authorisable {
    /// The checked request.
    pub request: CheckedRequest,
    /// The consent that the request is about, as it was read.
    pub consent: Consent,
    /// The scope of the grant that an approval makes.
    pub scopes: Scopes,
    /// The PSU whom the client expects, if it named one.
    pub expected: Option<PsuId>,
}

/// The one error for every unusable consent, so that no client learns about the consents of others. Source: AS-078.
pub(crate) const fn unusable_consent() -> OAuthError {
    invalid("The consent cannot be authorised.")
}

/// The error for a consent that may not be authorised. Source: AS-078, AS-131.
pub(crate) const fn bar_to_error(bar: NotAuthorisable) -> OAuthError {
    match bar {
        NotAuthorisable::NotAwaitingAuthorisation | NotAuthorisable::Expired => unusable_consent(),
        NotAuthorisable::AfterCutOff => invalid("The last moment for the payment has passed."),
        NotAuthorisable::NoFile => invalid("The file of the consent has not been uploaded."),
        NotAuthorisable::OtherPsu | NotAuthorisable::NoAccount => {
            OAuthError::new(OAuthErrorCode::AccessDenied, "The customer cannot give this consent.")
        }
    }
}

/// The error for a customer who has no account to pay from. Source: AS-089, PIS-033, PIS-111.
pub(crate) const fn no_payer_to_error(none: NoPayerAccount) -> OAuthError {
    match none {
        NoPayerAccount::NamedAccountUnusable | NoPayerAccount::NoneEligible => {
            OAuthError::new(OAuthErrorCode::AccessDenied, "The customer cannot make this payment.")
        }
        NoPayerAccount::TooManyAuthorisers => invalid(
            "The accounts of the customer need more than one customer to agree, which the consent does not allow.",
        ),
    }
}

/// The error for a customer who is not the one that the client expects. Source: AS-068.
pub(crate) const fn another_customer_error() -> OAuthError {
    OAuthError::new(OAuthErrorCode::LoginRequired, "Another customer is expected.")
}

/// The result of the rules that need the consent.
pub(super) enum ConsentCheck {
    /// The request may be presented to the PSU.
    Authorisable(Box<Authorisable>),
    /// The deadline of the consent has passed, which ends the consent. Source: PIS-037.
    Late,
}

/// Applies the rules in order: the request was not answered before, the consent, its scope, whether the PSU may be asked, the expected PSU,
/// and last the deadline.
pub(super) fn find_authorisable_consent(
    tx: &mut dyn ServerTransaction,
    request: CheckedRequest,
    bank_now: Timestamp,
    settings: &PaymentSettings,
) -> Result<ConsentCheck, RuleRefusal> {
    check_unanswered(tx, &request)?;
    let (consent, in_time) = find_usable_consent(tx, &request, bank_now)?;
    check_permitted(&consent, settings)?;
    let scopes = scope::granted(request.scopes, consent.request.kind().scope())
        .map_err(|error| RuleRefusal { rule: "AS-051", error })?;
    check_prompt(&request)?;
    let expected = expected(tx, &request)?;
    if !in_time {
        return Ok(ConsentCheck::Late);
    }
    Ok(ConsentCheck::Authorisable(Box::new(Authorisable { request, consent, scopes, expected })))
}

/// Checks that the request was not answered before. Source: AS-080, AS-152.
fn check_unanswered(tx: &mut dyn ServerTransaction, request: &CheckedRequest) -> Result<(), RuleRefusal> {
    if !request.request_object_use.is_spent(tx, &request.client.id)? {
        return Ok(());
    }
    Err(match request.source {
        RequestSource::ByValue => RuleRefusal { rule: "AS-080", error: already_answered() },
        RequestSource::Pushed { .. } => RuleRefusal { rule: "AS-152", error: pushed::unknown_request_uri_error() },
    })
}

/// The error of a request object that was answered before. Source: AS-080.
pub(crate) const fn already_answered() -> OAuthError {
    invalid_object("The request object was answered before.")
}

/// Finds the consent, and whether its deadline has passed. Source: AS-078, AS-130, RW-307.
fn find_usable_consent(
    tx: &mut dyn ServerTransaction,
    request: &CheckedRequest,
    bank_now: Timestamp,
) -> Result<(Consent, bool), RuleRefusal> {
    let refused = |error| RuleRefusal { rule: "AS-078", error };
    match tx.consent(&request.client.id, &request.intent)? {
        Owned::Mine(consent) => match consent.check_authorisable(bank_now) {
            Ok(()) => Ok((consent, true)),
            Err(NotAuthorisable::AfterCutOff) => Ok((consent, false)),
            Err(bar) => Err(refused(bar_to_error(bar))),
        },
        Owned::Foreign | Owned::Absent => Err(refused(unusable_consent())),
    }
}

/// Refuses a consent that the client could not use, before the PSU sees it. Source: AS-078, CVRP-008, RW-010.
fn check_permitted(consent: &Consent, settings: &PaymentSettings) -> Result<(), RuleRefusal> {
    match unusable_by(consent, settings) {
        Some(rule) => Err(RuleRefusal { rule, error: unusable_consent() }),
        None => Ok(()),
    }
}

/// The rule by which the client could not use the consent even if the PSU approved it; `None` if it could. A client outside the agreement
/// cannot use a consent to commercial VRP. A consent to a single payment is unusable once its version is no longer served, because no other
/// version accepts its order (PIS-008). Source: CVRP-008, RW-010.
pub(crate) fn unusable_by(consent: &Consent, settings: &PaymentSettings) -> Option<&'static str> {
    let vrp = consent.request.payment().and_then(|payment| payment.terms.instruction.vrp());
    if vrp.is_some_and(|terms| !settings.limits.vrp.permits_use(&consent.client, &terms.controls)) {
        return Some("CVRP-008");
    }
    let is_retired = settings.retired_versions.contains(&consent.submitted.version);
    (is_retired && !consent.request.kind().is_long_lived()).then_some("RW-010")
}

/// Refuses `prompt=none`: there are no sessions at this endpoint, so a PSU who must not be asked is not logged in. Source: AS-067.
fn check_prompt(request: &CheckedRequest) -> Result<(), RuleRefusal> {
    if !request.silent {
        return Ok(());
    }
    let error = OAuthError::new(OAuthErrorCode::LoginRequired, "The customer must log in, which prompt none forbids.");
    Err(RuleRefusal { rule: "AS-067", error })
}

/// The PSU who authorised the consent of the hint. Source: AS-068.
fn expected(tx: &mut dyn ServerTransaction, request: &CheckedRequest) -> Result<Option<PsuId>, RuleRefusal> {
    let Some(hint) = &request.hint else { return Ok(None) };
    Ok(tx.consent_any_owner(hint)?.and_then(|consent| consent.psu))
}
