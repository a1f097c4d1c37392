//! Refusals: why a request is not allowed, in domain terms without status codes and JSON names. `lombard-edge` makes
//! responses from them.

use crate::payment::exchange::ExchangeField;
use crate::payment::file::FileField;
use std::borrow::Cow;

/// The kinds of refusal the rules tell apart.
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
    /// A rate limit is reached; it is lifted by time. Source: RW-112.
    LimitReached {
        /// After how many seconds the same request may be allowed, at the earliest.
        retry_after_secs: i64,
    },
}

/// One fault of a request, and its location.
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
    /// The same field in the instruction of a VRP payment.
    PaymentField(Field),
    /// A request header, by its name.
    Header(&'static str),
    /// A query parameter, by its name.
    Query(&'static str),
}

/// The fields to which domain rules refer; each wire version has a path for each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Field {
    /// The permissions of an account-access consent.
    Permissions,
    /// The expiration of a consent.
    ConsentExpiration,
    /// The first booking time an account-access consent covers.
    TransactionFrom,
    /// The last booking time an account-access consent covers.
    TransactionTo,
    /// The deadline for the authorisation of a payment.
    AuthorisationCompletion,
    /// The requested authorisation type of a payment.
    AuthorisationType,
    /// The consent a request names.
    ConsentId,
    /// The status of a consent.
    ConsentStatus,
    /// The cut-off of a payment.
    CutOff,
    /// The debtor account.
    DebtorAccount,
    /// The debtor account's scheme.
    DebtorScheme,
    /// The debtor account's number.
    DebtorIdentification,
    /// The debtor account's roll number.
    DebtorSecondary,
    /// The scheme of the account of a funds confirmation.
    FundsScheme,
    /// The number of that account.
    FundsIdentification,
    /// The roll number of that account.
    FundsSecondary,
    /// The reference of a funds confirmation request.
    FundsReference,
    /// The currency of a funds confirmation request.
    FundsCurrency,
    /// The creditor account.
    CreditorAccount,
    /// The creditor account's scheme.
    CreditorScheme,
    /// The creditor account's number.
    CreditorIdentification,
    /// The creditor account's roll number.
    CreditorSecondary,
    /// The creditor's name.
    CreditorName,
    /// The creditor's postal address.
    CreditorAddress,
    /// Whether orders show the account for refunds.
    ReadRefundAccount,
    /// The end-to-end identification of a payment.
    EndToEnd,
    /// The remittance reference of a payment.
    RemittanceReference,
    /// The unstructured remittance message of a payment.
    RemittanceMessage,
    /// The reference of a standing order.
    StandingOrderReference,
    /// The local instrument of a payment.
    LocalInstrument,
    /// The amount of a payment.
    InstructedAmount,
    /// The currency of that amount.
    InstructedCurrency,
    /// The requested execution day of a payment.
    RequestedExecution,
    /// The frequency of a standing order.
    Frequency,
    /// The day of a standing order's first payment.
    FirstPayment,
    /// The day of a standing order's second payment.
    RecurringPayment,
    /// The day of a standing order's last payment.
    FinalPayment,
    /// The amount of a standing order's first payment.
    FirstAmount,
    /// The currency of the first payment.
    FirstCurrency,
    /// The amount of the payments between the first and the last.
    RecurringAmount,
    /// The currency of those payments.
    RecurringCurrency,
    /// The amount and currency of a standing order's last payment.
    FinalMoney,
    /// The amount of the last payment.
    FinalAmount,
    /// The currency of the last payment.
    FinalCurrency,
    /// The payment context code.
    PaymentRisk,
    /// Another member of the risk block.
    Risk(RiskField),
    /// The first day of payments under a VRP consent.
    ValidFrom,
    /// The last day of payments under a VRP consent.
    ValidTo,
    /// The maximum individual amount of a VRP consent.
    IndividualAmount,
    /// The currency of the maximum individual amount.
    IndividualCurrency,
    /// The periodic limits of a VRP consent.
    PeriodicLimits,
    /// The amount of a periodic limit, by its index from 0.
    PeriodicAmount(usize),
    /// The currency of a periodic limit, by its index from 0.
    PeriodicCurrency(usize),
    /// The VRP types of a VRP consent.
    VrpTypes,
    /// The PSU authentication methods of a VRP consent.
    AuthenticationMethods,
    /// The PSU interaction types of a VRP consent.
    InteractionTypes,
    /// The PSU interaction type of a VRP payment.
    VrpInteraction,
    /// The creditor account of a VRP payment.
    VrpCreditor,
    /// The remittance reference of a VRP payment.
    VrpReference,
    /// The reference of a VRP funds confirmation request.
    VrpFundsReference,
    /// A field of foreign exchange.
    Exchange(ExchangeField),
    /// A member of a payment file's announcement.
    File(FileField),
}

/// The members of the risk block that commercial VRP may require. Source: CVRP-005.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RiskField {
    /// The merchant category code.
    MerchantCategory,
    /// The merchant's id of its customer.
    MerchantCustomer,
    /// Whether there is a contract.
    ContractPresent,
    /// Whether the payee's details were filled in for the customer.
    Prepopulated,
    /// The payment purpose code.
    Purpose,
    /// The category purpose code.
    CategoryPurpose,
}

/// The error codes of the standard, across all versions. Source: table T4.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FaultCode {
    /// A field is needed because of another field's value.
    FieldExpected,
    /// A bad value, or one longer than allowed.
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

    /// The same fault in a VRP payment, whose instruction has fields of its own. Source: VRP-052.
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
    /// The names of the permissions any one of which the consent would have to hold, if it lacks one. Source: RW-106.
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
