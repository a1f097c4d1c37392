//! The responses of errors.

use super::names::own_code;
use super::*;
use crate::endpoint_facts::RequiredGrant;
use crate::guide_links::heading_id;
use lombard_domain::consent::RevokedBy;
use lombard_ports::bank::BankError;

const CODES_PAGE: &str = include_str!("../../../../docs/tpps/errors.md");

const NAMES: ErrorNames<'_> = ErrorNames { namespace: "Lombard", public_url: "https://bank.example" };

const DOWNTIME: Downtime = Downtime { until: None, retry_after_secs: 60, is_planned: true };

fn answer(error: ApiError, version: Version) -> (u16, Vec<String>) {
    let answer = ErrorResponse::of(error, version, NAMES);
    (answer.status.as_u16(), answer.errors.iter().map(|entry| entry.error_code.to_string()).collect())
}

fn refused(kind: RefusalKind) -> ApiError {
    ApiError::Refused(Refusal::from_kind(kind))
}

fn ended(status: EffectiveConsentStatus) -> ApiError {
    ApiError::AccessEnded { challenge: "Bearer", status }
}

#[test]
fn t3_status_and_codes_by_situation_and_version() {
    /// The error, the status, and the codes of v3.1 and v4.0.
    type ErrorRow = (fn() -> ApiError, u16, &'static str, &'static str);
    let situations: &[ErrorRow] = &[
        (|| ApiError::invalid_token(InsufficientToken::OtherGrant(RequiredGrant::Psu)), 401, "", ""),
        (|| ended(EffectiveConsentStatus::Expired), 401, "", "TKXP"),
        (|| ended(EffectiveConsentStatus::Revoked(RevokedBy::Bank)), 401, "", "TKSP U028"),
        (
            || ApiError::ScopeMissing { needed: &[Scope::Accounts], held: Scopes::NONE },
            403,
            "UK.Lombard.Forbidden.Scope",
            "NARR",
        ),
        (|| ApiError::ConsentVersionNewer, 403, "UK.Lombard.Forbidden.Version", "NARR"),
        (|| ApiError::ReauthenticationRequired, 403, "UK.OBIE.Reauthenticate", "U028"),
        (|| ApiError::VersionRetired, 503, "UK.OBIE.UnexpectedError", "U000"),
        (|| ApiError::InMaintenance(DOWNTIME), 503, "UK.OBIE.UnexpectedError", "U000"),
        (|| ApiError::UnknownPath, 404, "UK.Lombard.Path.NotFound", "NARR"),
        (|| ApiError::MethodNotAllowed { allow: "GET".into() }, 405, "UK.Lombard.Method.NotAllowed", "NARR"),
        (|| ApiError::NotAcceptable { offered: &[ResponseMedia::Json] }, 406, "UK.OBIE.Header.Invalid", "U006"),
        (|| ApiError::BodyTooLarge, 413, "UK.Lombard.Body.TooLarge", "NARR"),
        (|| ApiError::UnsupportedMediaType { read: &["text/xml"] }, 415, "UK.OBIE.Header.Invalid", "U006"),
        (|| ApiError::Internal("secret".into()), 500, "UK.OBIE.UnexpectedError", "U000"),
        (|| ApiError::Unavailable("secret".into()), 503, "UK.OBIE.UnexpectedError", "U000"),
        (|| refused(RefusalKind::NotFound), 400, "UK.OBIE.Resource.NotFound", "U011"),
        (|| refused(RefusalKind::ForeignOwner), 403, "UK.Lombard.Forbidden.Owner", "NARR"),
        (|| refused(RefusalKind::PermissionMissing), 403, "UK.Lombard.Forbidden.Permission", "NARR"),
        (|| refused(RefusalKind::AccountNotSelected), 403, "UK.Lombard.Forbidden.Account", "NARR"),
        (|| refused(RefusalKind::OutsidePeriod), 403, "UK.Lombard.Forbidden.Period", "NARR"),
        (|| refused(RefusalKind::AccessEnded), 401, "", ""),
        (|| refused(RefusalKind::LimitReached { retry_after_secs: 9 }), 429, "UK.Lombard.TooManyRequests", "NARR"),
        (|| refused(RefusalKind::ConsentState), 400, "UK.OBIE.Resource.InvalidConsentStatus", "U009"),
    ];
    for (error, status, v3_1, v4_0) in situations {
        for (version, codes) in [(Version::V3_1, v3_1), (Version::V4_0, v4_0)] {
            let codes: Vec<_> = codes.split_whitespace().map(str::to_owned).collect();
            assert_eq!(answer(error(), version), (*status, codes), "{:?} {version:?}", error());
            for entry in ErrorResponse::of(error(), version, NAMES).errors {
                let url = help::explained(entry, NAMES.namespace, NAMES.public_url).url.unwrap();
                let section = url.strip_prefix("https://bank.example/portal/docs/errors#").unwrap();
                assert_ne!(section, "narr", "the name's own section in v4.0 too");
                assert!(
                    CODES_PAGE
                        .lines()
                        .any(|line| line.strip_prefix("### ").is_some_and(|it| heading_id(it) == section)),
                    "RW-120: {url}"
                );
            }
        }
    }
}

#[test]
fn rw_116_rw_184_a_reused_idempotency_key_has_a_status_of_its_own_in_v4() {
    let answer = |version| ErrorResponse::of(refused(RefusalKind::IdempotencyKeyReused), version, NAMES);
    let old = answer(Version::V3_1);
    let new = answer(Version::V4_0);
    let told = |answer: &ErrorResponse| (answer.status.as_u16(), answer.errors.clone());
    let entry = |code: &'static str, message: &'static str, path: Option<&'static str>, url: Option<&str>| ErrorEntry {
        error_code: code.into(),
        message: message.into(),
        path: path.map(Into::into),
        url: url.map(str::to_owned),
    };
    let said = "The idempotency key was used before with another body.";
    assert_eq!(told(&old), (400, vec![entry("UK.OBIE.Header.Invalid", said, Some("x-idempotency-key"), None)]));
    let said = "UK.OBIE.Rules.ResourceAlreadyExists: The idempotency key was used before with another body.";
    let page = "https://bank.example/portal/developers#idempotency";
    assert_eq!(told(&new), (422, vec![entry("U029", said, None, Some(page))]), "ERR-010, V4-001");
}

#[test]
fn rw_123_every_fault_is_an_entry_with_its_path() {
    let faults = vec![
        Fault::at(FaultCode::FieldMissing, FaultLocation::Path("Data".into()), "m"),
        Fault::at(FaultCode::HeaderInvalid, FaultLocation::Header("x-fapi-auth-date"), "m"),
    ];
    let answer = ErrorResponse::of(ApiError::Refused(Refusal::invalid(faults)), Version::V3_1, NAMES);
    let found: Vec<_> =
        answer.errors.iter().map(|entry| (&*entry.error_code, entry.path.as_deref().unwrap_or(""))).collect();
    assert_eq!(found, [("UK.OBIE.Field.Missing", "Data"), ("UK.OBIE.Header.Invalid", "x-fapi-auth-date")]);
}

#[test]
fn rw_105_rw_106_what_is_lacking_is_named() {
    let told = |error| ErrorResponse::of(error, Version::V3_1, NAMES).message;
    let held = Scopes::NONE.with_scope(Scope::Payments);
    let scope = told(ApiError::ScopeMissing { needed: &[Scope::Accounts], held });
    assert!(scope.ends_with("it needs accounts and has payments."), "{scope}");
    let lacking = Refusal::lacking_one_of(["ReadAccountsBasic", "ReadAccountsDetail"]);
    let permission = told(ApiError::Refused(lacking));
    assert!(permission.ends_with("it needs ReadAccountsBasic or ReadAccountsDetail."), "{permission}");
    let plain = told(refused(RefusalKind::PermissionMissing));
    assert_eq!(plain, "The consent does not hold the permission for this resource.");
}

#[test]
fn rw_121_the_code_names_the_status() {
    assert_eq!(status_name(StatusCode::BAD_REQUEST), "400 BadRequest");
    assert_eq!(status_name(StatusCode::UNSUPPORTED_MEDIA_TYPE), "415 UnsupportedMediaType");
}

#[test]
fn rw_125_v4_has_four_characters() {
    assert_eq!(own_code(Version::V4_0, "Lombard", "Forbidden.Scope"), "NARR");
}

#[test]
fn a_busy_core_says_for_how_long_and_is_heeded_within_bounds() {
    use std::time::Duration;
    let busy = |wait: Option<Duration>| BankError::Busy { retry_after: wait, source: "busy".into() };
    let said = |error: ApiError| {
        let answer = ErrorResponse::of(error, Version::V3_1, NAMES);
        assert_eq!(answer.status, StatusCode::SERVICE_UNAVAILABLE);
        answer.headers[RETRY_AFTER].to_str().unwrap().to_owned()
    };
    for (wait, secs) in [
        (None, "1"),
        (Some(Duration::ZERO), "1"),
        (Some(Duration::from_secs(7)), "7"),
        (Some(Duration::from_millis(7_001)), "8"),
        (Some(Duration::from_secs(3_600)), "60"),
        (Some(Duration::MAX), "60"),
    ] {
        assert_eq!(said(Failure::from(busy(wait)).into()), secs, "{wait:?}");
    }
    let wrapped = Failure::Unavailable(std::sync::Arc::new(Failure::from(busy(Some(Duration::from_secs(7))))).into());
    assert_eq!(said(wrapped.into()), "7", "a failure that several callers share");
    assert_eq!(said(ApiError::Unavailable("the store is busy".into())), "1");
}
