//! What the caller got wrong, in domain words: no status code, no JSON name. `lombard-http` turns it into an answer.

use crate::exchange::ExchangeField;
use crate::file::FileField;
use std::borrow::Cow;

/// The kinds of refusal the rules tell apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RefusalKind {
    /// The request itself is wrong; its faults say where. Source: RW-101.
    Invalid,
    /// An id in the request names nothing. Source: RW-102.
    NotFound,
    /// The resource belongs to another TPP. Source: RW-104.
    ForeignOwner,
    /// The consent does not hold the permission for the resource. Source: RW-106.
    PermissionMissing,
    /// The account exists but is not (or no longer) part of the consent. Source: RW-107.
    AccountNotSelected,
    /// The statement exists but lies, in part or wholly, outside the period of the consent. Source: AIS-094.
    OutsidePeriod,
    /// The consent the token stands on no longer gives access: deleted, revoked or expired. Source: AIS-066.
    AccessEnded,
    /// The consent's state forbids the operation. Source: T4, U009.
    ConsentState,
    /// A limit on how much may be asked for is reached; time restores it. Source: RW-112.
    LimitReached {
        /// After how many seconds the same request may be granted, at the earliest.
        retry_after_secs: i64,
    },
}

/// One thing that is wrong, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// What kind of fault it is.
    pub code: FaultCode,
    /// Where it is, if it has a place.
    pub at: Option<FaultLocation>,
    /// A sentence that helps. Never echoes a value from the request.
    pub message: Cow<'static, str>,
}

/// Where a fault is. Source: RW-124.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FaultLocation {
    /// A JSON path from the root, as `Data.Permissions[2]`; known to whoever parsed the body.
    Path(String),
    /// A field named by a domain rule; `lombard-wire` knows its path.
    Field(Field),
    /// The same field of a payment under a consent that leaves open what is paid.
    PaymentField(Field),
    /// A request header, by its name.
    Header(&'static str),
    /// A query parameter, by its name.
    Query(&'static str),
}

/// Fields that domain rules speak of; each version of the wire has a path for each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Field {
    /// The permissions of an account-access consent.
    Permissions,
    /// When a consent ends.
    ConsentExpiration,
    /// The first booking time an account-access consent covers.
    TransactionFrom,
    /// The last booking time an account-access consent covers.
    TransactionTo,
    /// Until when everybody must have authorised a payment.
    AuthorisationCompletion,
    /// Who is to authorise a payment.
    AuthorisationType,
    /// The consent a request names.
    ConsentId,
    /// How a consent stands.
    ConsentStatus,
    /// The last moment for a payment, as the bank told it.
    CutOff,
    /// The account to pay from.
    DebtorAccount,
    /// Its scheme.
    DebtorScheme,
    /// Its number.
    DebtorIdentification,
    /// Its roll number.
    DebtorSecondary,
    /// The scheme of the account that may be asked about.
    FundsScheme,
    /// Its number.
    FundsIdentification,
    /// Its roll number.
    FundsSecondary,
    /// What a question about funds is called.
    FundsReference,
    /// The currency it is asked in.
    FundsCurrency,
    /// The account to pay to.
    CreditorAccount,
    /// Its scheme.
    CreditorScheme,
    /// Its number.
    CreditorIdentification,
    /// Its roll number.
    CreditorSecondary,
    /// Its holder's name.
    CreditorName,
    /// The identification of a payment from end to end.
    EndToEnd,
    /// The reference of a payment for the payee's books.
    RemittanceReference,
    /// The message of a payment to the payee.
    RemittanceMessage,
    /// The reference of a standing order.
    StandingOrderReference,
    /// The rail of a payment.
    LocalInstrument,
    /// The amount of a payment.
    InstructedAmount,
    /// Its currency.
    InstructedCurrency,
    /// The day of a scheduled payment.
    RequestedExecution,
    /// How often a standing order pays.
    Frequency,
    /// The day of a standing order's first payment.
    FirstPayment,
    /// The day of its second one.
    RecurringPayment,
    /// The day of its last one.
    FinalPayment,
    /// The amount of its first payment.
    FirstAmount,
    /// The currency of that.
    FirstCurrency,
    /// The amount of the payments between the first and the last.
    RecurringAmount,
    /// The currency of that.
    RecurringCurrency,
    /// What its last payment is, amount and currency.
    FinalMoney,
    /// The amount of its last payment.
    FinalAmount,
    /// The currency of that.
    FinalCurrency,
    /// What a payment is for.
    PaymentContext,
    /// The first day of payments under a VRP consent.
    ValidFrom,
    /// The last day of them.
    ValidTo,
    /// The most one of them may be.
    IndividualAmount,
    /// The currency of that.
    IndividualCurrency,
    /// The limits on periods.
    PeriodicLimits,
    /// The most of one of them, by its number from 0.
    PeriodicAmount(usize),
    /// The currency of that.
    PeriodicCurrency(usize),
    /// The types of payment under a VRP consent.
    VrpTypes,
    /// How the customer may have been authenticated for them.
    AuthenticationMethods,
    /// Whether the customer may be there.
    InteractionTypes,
    /// The account a payment under a VRP consent goes to.
    VrpCreditor,
    /// Its reference for the payee's books.
    VrpReference,
    /// What a question about funds under a VRP consent is called.
    VrpFundsReference,
    /// A field of foreign exchange.
    Exchange(ExchangeField),
    /// Something that is said of a payment file.
    File(FileField),
}

/// The error codes of the standard that any version can say. Source: table T4.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FaultCode {
    /// A field is needed because of another field's value.
    FieldExpected,
    /// A bad value, or one longer than allowed.
    FieldInvalid,
    /// An unreadable date, or one that breaks a rule.
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
    /// The payload cannot be read as what the endpoint takes.
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
    /// A signature came where none is expected.
    SignatureUnexpected,
    /// An account identification its scheme does not allow.
    UnsupportedAccountIdentifier,
    /// A secondary identification that is not supported.
    UnsupportedAccountSecondaryIdentifier,
    /// A valid currency that is not supported here.
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
    /// An unexpected failure on our side.
    UnexpectedError,
}

impl Fault {
    /// A fault without a place.
    pub fn new(code: FaultCode, message: impl Into<Cow<'static, str>>) -> Self {
        Self { code, at: None, message: message.into() }
    }

    /// A fault at a field a domain rule speaks of.
    pub fn field(code: FaultCode, field: Field, message: impl Into<Cow<'static, str>>) -> Self {
        Self { code, at: Some(FaultLocation::Field(field)), message: message.into() }
    }

    /// The same fault of a payment under a consent that leaves open what is paid: its fields are in a block of their own.
    /// Source: VRP-052.
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

    /// A fault at a place.
    pub fn at(code: FaultCode, place: FaultLocation, message: impl Into<Cow<'static, str>>) -> Self {
        Self { code, at: Some(place), message: message.into() }
    }
}

/// A refused request: its kind and every fault found.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("refused: {kind:?}")]
pub struct Refusal {
    /// What kind of refusal it is.
    pub kind: RefusalKind,
    /// Every fault found; may be empty for kinds that speak for themselves.
    pub faults: Vec<Fault>,
}

impl Refusal {
    /// A refusal for these faults of the request.
    pub fn invalid(faults: Vec<Fault>) -> Self {
        Self { kind: RefusalKind::Invalid, faults }
    }

    /// A refusal that its kind explains.
    pub fn from_kind(kind: RefusalKind) -> Self {
        Self { kind, faults: Vec::new() }
    }
}
