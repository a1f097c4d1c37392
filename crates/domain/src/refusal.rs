//! Refusals: why a request is not allowed, in domain terms without status codes and JSON names. `lombard-edge` makes
//! responses from them.

mod field;

pub use field::{ExchangeField, Field, FileField, RiskField};

use std::borrow::Cow;

/// The kinds of refusal that the rules distinguish.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RefusalKind {
    /// The request is invalid; the faults say where. Source: RW-101.
    Invalid,
    /// An id in the request is unknown. Source: RW-102.
    NotFound,
    /// The resource belongs to another TPP. Source: RW-104.
    ForeignOwner,
    /// The consent lacks the permission for the resource. Source: RW-106.
    PermissionMissing,
    /// The account exists but is not (or no longer) part of the consent. Source: RW-107.
    AccountNotSelected,
    /// The statement exists but is partly or wholly outside the period of the consent. Source: AIS-094.
    OutsidePeriod,
    /// The consent of the access token gives no access any more: deleted, revoked or expired. Source: AIS-066.
    AccessEnded,
    /// The consent's state forbids the operation. Source: T4, U009.
    ConsentState,
    /// The idempotency key was used before with another body. Source: RW-184.
    IdempotencyKeyReused,
    /// A rate limit is reached; the request may be repeated later. Source: RW-112.
    LimitReached {
        /// The number of seconds after which the same request may be allowed at the earliest.
        retry_after_secs: i64,
    },
}

/// A fault of a request, with its location.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The error code.
    pub code: FaultCode,
    /// The location, if there is one.
    pub at: Option<FaultLocation>,
    /// The message. It never echoes a value of the request.
    pub message: Cow<'static, str>,
}

/// The location of a fault. Source: RW-124.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FaultLocation {
    /// A JSON path from the root, such as `Data.Permissions[2]`; set by the parser of the body.
    Path(String),
    /// A field named by a domain rule; `lombard-wire` maps it to a path.
    Field(Field),
    /// A field named by a domain rule, in the instruction of a VRP payment.
    PaymentField(Field),
    /// A request header, by its name.
    Header(&'static str),
    /// A query parameter, by its name.
    Query(&'static str),
}

/// The error codes of the standard, across all versions. Source: table T4.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FaultCode {
    /// A field is needed because of another field's value.
    FieldExpected,
    /// A value is invalid or too long.
    FieldInvalid,
    /// An unreadable or invalid date.
    FieldInvalidDate,
    /// A mandatory field is absent.
    FieldMissing,
    /// A field is not allowed here.
    FieldUnexpected,
    /// A header value is bad.
    HeaderInvalid,
    /// A required header is absent.
    HeaderMissing,
    /// A resource differs from its consent.
    ConsentMismatch,
    /// The consent's status forbids the operation.
    InvalidConsentStatus,
    /// The payload does not have the format that the endpoint accepts.
    InvalidFormat,
    /// The id does not exist.
    NotFound,
    /// A payment came after the cut-off.
    AfterCutOff,
    /// A reference was used before.
    DuplicateReference,
    /// A limit of a VRP consent is breached.
    FailsControlParameters,
    /// The signature does not verify.
    SignatureInvalid,
    /// A claim of the signature header has a bad value.
    SignatureInvalidClaim,
    /// A claim of the signature header is absent.
    SignatureMissingClaim,
    /// The signature header cannot be read as a detached JWS.
    SignatureMalformed,
    /// A required signature is absent.
    SignatureMissing,
    /// A signature is present where none is expected.
    SignatureUnexpected,
    /// The scheme of an account does not allow the identification.
    UnsupportedAccountIdentifier,
    /// The secondary identification is not supported.
    UnsupportedAccountSecondaryIdentifier,
    /// The currency is valid, but not supported here.
    UnsupportedCurrency,
    /// An event type that is not supported.
    UnsupportedEventType,
    /// A frequency that is not supported.
    UnsupportedFrequency,
    /// A local instrument that is not supported.
    UnsupportedLocalInstrument,
    /// An identification scheme that is not supported.
    UnsupportedScheme,
    /// The PSU must authenticate again.
    Reauthenticate,
    /// The same resource exists, or its state forbids the change.
    ResourceAlreadyExists,
    /// An unexpected failure of the server.
    UnexpectedError,
}

impl Fault {
    /// A fault without a location.
    pub fn new(code: FaultCode, message: impl Into<Cow<'static, str>>) -> Self {
        Self { code, at: None, message: message.into() }
    }

    /// A fault at a field of a domain rule.
    pub fn field(code: FaultCode, field: Field, message: impl Into<Cow<'static, str>>) -> Self {
        Self { code, at: Some(FaultLocation::Field(field)), message: message.into() }
    }

    /// This fault, moved to the instruction of a VRP payment, whose fields have paths of their own. Source: VRP-052.
    #[must_use]
    pub fn for_vrp_payment(self) -> Self {
        let at = self.at.map(|place| match place {
            FaultLocation::Field(field) => FaultLocation::PaymentField(field),
            other @ (FaultLocation::PaymentField(_)
            | FaultLocation::Path(_)
            | FaultLocation::Header(_)
            | FaultLocation::Query(_)) => other,
        });
        Self { at, ..self }
    }

    /// A fault at a location.
    pub fn at(code: FaultCode, place: FaultLocation, message: impl Into<Cow<'static, str>>) -> Self {
        Self { code, at: Some(place), message: message.into() }
    }
}

/// A refused request: the kind of refusal and every fault.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("refused: {kind:?}")]
pub struct Refusal {
    /// The kind of refusal.
    pub kind: RefusalKind,
    /// Every fault; may be empty for kinds that need no explanation.
    pub faults: Vec<Fault>,
    /// The names of the permissions of which the consent would need at least one, if the consent holds none of them. Source:
    /// RW-106.
    pub lacking: Vec<&'static str>,
}

impl Refusal {
    /// A refusal of a request with these faults.
    pub fn invalid(faults: Vec<Fault>) -> Self {
        Self { kind: RefusalKind::Invalid, faults, lacking: Vec::new() }
    }

    /// A refusal without faults.
    pub fn from_kind(kind: RefusalKind) -> Self {
        Self { kind, faults: Vec::new(), lacking: Vec::new() }
    }

    /// The refusal of a consent that holds none of the permissions with these names. Source: RW-106.
    pub fn lacking_one_of(permissions: impl IntoIterator<Item = &'static str>) -> Self {
        Self { lacking: permissions.into_iter().collect(), ..Self::from_kind(RefusalKind::PermissionMissing) }
    }
}
