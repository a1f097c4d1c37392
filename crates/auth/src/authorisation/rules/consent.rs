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

/// A request that may be put to the PSU.
#[derive(Debug, Clone)]
pub(crate) struct Authorisable {
    /// The request.
    pub request: CheckedRequest,
    /// The consent it is about, as it stood a moment ago.
    pub consent: Consent,
    /// The scope of the grant it will make.
    pub scopes: Scopes,
    /// Who is expected to come, if the client said so.
    pub expected: Option<PsuId>,
}

/// One sentence for everything that may be wrong with a consent, so that nobody learns about others'. Source: AS-078.
pub(crate) const fn unusable_consent() -> OAuthError {
    invalid("The consent cannot be authorised.")
}

/// What the client learns of a consent that may not be authorised. Source: AS-078, AS-131.
pub(crate) const fn bar_to_error(bar: NotAuthorisable) -> OAuthError {
    match bar {
        NotAuthorisable::Final | NotAuthorisable::Expired => unusable_consent(),
        NotAuthorisable::AfterCutOff => invalid("The last moment for the payment has passed."),
        NotAuthorisable::NoFile => invalid("The file of the consent has not been uploaded."),
        NotAuthorisable::OtherPsu | NotAuthorisable::NoAccount => {
            OAuthError::new(OAuthErrorCode::AccessDenied, "The customer cannot give this consent.")
        }
    }
}

/// What the client learns of a customer who has no account to pay from. Source: AS-089, PIS-033, PIS-111.
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

/// What the client learns of a customer who is not the one it expects. Source: AS-068.
pub(crate) const fn another_customer_error() -> OAuthError {
    OAuthError::new(OAuthErrorCode::LoginRequired, "Another customer is expected.")
}

/// What asking the rules that need the consent found.
pub(super) enum ConsentCheck {
    /// It may be put to the PSU.
    Authorisable(Box<Authorisable>),
    /// Its last moment has passed, which ends the consent. Source: PIS-037.
    Late,
}

/// Asks the rules in order: not answered before, the consent, its scope, its kind of PSU; and last the time.
pub(super) fn authorisable(
    tx: &mut dyn ServerTransaction,
    request: CheckedRequest,
    bank_now: Timestamp,
    settings: &PaymentSettings,
) -> Result<ConsentCheck, RuleRefusal> {
    not_answered(tx, &request)?;
    let (consent, in_time) = usable(tx, &request, bank_now)?;
    permitted(&consent, settings)?;
    let scopes = scope::granted(request.scopes, consent.terms.kind().scope())
        .map_err(|error| RuleRefusal { rule: "AS-051", error })?;
    may_be_asked(&request)?;
    let expected = expected(tx, &request)?;
    if !in_time {
        return Ok(ConsentCheck::Late);
    }
    Ok(ConsentCheck::Authorisable(Box::new(Authorisable { request, consent, scopes, expected })))
}

/// Source: AS-080, AS-152.
fn not_answered(tx: &mut dyn ServerTransaction, request: &CheckedRequest) -> Result<(), RuleRefusal> {
    if !request.request_object_use.is_spent(tx, &request.client.id)? {
        return Ok(());
    }
    Err(match request.arrival {
        RequestSource::ByValue => RuleRefusal { rule: "AS-080", error: already_answered() },
        RequestSource::Pushed { .. } => RuleRefusal { rule: "AS-152", error: pushed::unknown_request_uri_error() },
    })
}

/// The error of a request object that was answered before. Source: AS-080.
pub(crate) const fn already_answered() -> OAuthError {
    invalid_object("The request object was answered before.")
}

/// The consent, and whether it is asked about in time. Source: AS-078, AS-130, RW-307.
fn usable(
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

/// A consent that the client cannot use is not put to the PSU. Source: AS-078, CVRP-008, RW-010.
fn permitted(consent: &Consent, settings: &PaymentSettings) -> Result<(), RuleRefusal> {
    match unusable_by(consent, settings) {
        Some(rule) => Err(RuleRefusal { rule, error: unusable_consent() }),
        None => Ok(()),
    }
}

/// The rule by which the client cannot use the consent, even if the PSU agrees: one to commercial VRP if the client is not a
/// member of the agreement, and one to any payment but VRP if its version is no longer served, as no other version takes its
/// order (PIS-008). Source: CVRP-008, RW-010.
pub(crate) fn unusable_by(consent: &Consent, settings: &PaymentSettings) -> Option<&'static str> {
    let vrp = consent.terms.payment().and_then(|payment| payment.terms.instruction.vrp());
    if vrp.is_some_and(|terms| !settings.limits.vrp.permits_use(&consent.client, &terms.controls)) {
        return Some("CVRP-008");
    }
    let is_retired = settings.retired_versions.contains(&consent.submitted.version);
    (is_retired && !consent.terms.kind().is_long_lived()).then_some("RW-010")
}

/// There are no sessions to be silent with: whoever must not be asked is not logged in. Source: AS-067.
fn may_be_asked(request: &CheckedRequest) -> Result<(), RuleRefusal> {
    if !request.silent {
        return Ok(());
    }
    let error = OAuthError::new(OAuthErrorCode::LoginRequired, "The customer must log in, which prompt none forbids.");
    Err(RuleRefusal { rule: "AS-067", error })
}

/// Who authorised the consent of the hint. Source: AS-068.
fn expected(tx: &mut dyn ServerTransaction, request: &CheckedRequest) -> Result<Option<PsuId>, RuleRefusal> {
    let Some(hint) = &request.hint else { return Ok(None) };
    Ok(tx.consent_any_owner(hint)?.and_then(|consent| consent.psu))
}
