//! The enumerations of payments whose names are specific to v4.0, one exhaustive table each.

pub use crate::payments::names::payment_status_code as payment_status;

use crate::parse::schema::one_of;
use crate::parse::{FaultCollector, FromJson, JsonPath};
use crate::payments::names::{Listed, file_type, read_payment_context};
use crate::payments::values::read_codes;
use crate::v3_1::names::read_frequency;
use crate::v4_0::names::address_type;
use lombard_domain::account::AddressType;
use lombard_domain::consent::{AccessEnd, PaymentConsentStatus, PaymentConsentView};
use lombard_domain::frequency::Frequency;
use lombard_domain::payment::file::FileType;
use lombard_domain::payment::order::{ApprovalStatus, DetailReason, DetailedStatus, PaymentStatus};
use lombard_domain::payment::{PaymentContext, PaymentProduct};
use lombard_domain::refusal::FaultCode;
use serde_json::{Value, json};

/// The status of a payment consent. Source: table 1.5, V4-004, `OBInternalConsentStatus3Code`.
pub const fn consent_status(status: PaymentConsentStatus) -> &'static str {
    match status {
        PaymentConsentStatus::AwaitingUpload => "AWUP",
        PaymentConsentStatus::AwaitingAuthorisation => "AWAU",
        PaymentConsentStatus::Authorised => "AUTH",
        PaymentConsentStatus::Rejected => "RJCT",
        PaymentConsentStatus::Consumed => "COND",
    }
}

/// The status of a payment consent in a view. Source: table 1.5, V4-004, V4-021.
pub const fn viewed_consent_status(view: &PaymentConsentView) -> &'static str {
    match view.ended {
        Some(AccessEnd::Revoked(..)) => CANCELLED,
        Some(AccessEnd::Expired(_)) => EXPIRED,
        None => consent_status(view.status),
    }
}

/// The status of a VRP consent revoked at the bank, and the status of a VRP consent whose last day has passed. Source: table 1.5,
/// V4-021.
pub(crate) const CANCELLED: &str = "CANC";
/// See [`CANCELLED`].
pub(crate) const EXPIRED: &str = "EXPD";

/// A standing order is set up, or a file is processed.
const SET_UP: &str = "INCO";
/// A standing order or file could not be set up, or a payment of a file failed.
const SET_UP_FAILED: &str = "INFA";

/// The list of statuses that the orders of a product have. Source: V4-004.
#[derive(Debug, Clone, Copy)]
enum StatusList {
    /// `ExternalPaymentTransactionStatus3Code`: immediate payments.
    Immediate,
    /// `ExternalPaymentTransactionStatus5Code`: VRP payments, which one PSU authorises.
    Vrp,
    /// `ExternalPaymentTransactionStatus2Code`: scheduled payments, which can be cancelled.
    Scheduled,
    /// `ExternalPaymentTransactionStatus1Code`: standing orders.
    StandingOrder,
    /// `ExternalPaymentTransactionStatus4Code`: files.
    File,
}

const fn list(product: PaymentProduct) -> StatusList {
    match product {
        PaymentProduct::DomesticPayment | PaymentProduct::InternationalPayment => StatusList::Immediate,
        PaymentProduct::DomesticVrp => StatusList::Vrp,
        PaymentProduct::DomesticScheduledPayment | PaymentProduct::InternationalScheduledPayment => {
            StatusList::Scheduled
        }
        PaymentProduct::DomesticStandingOrder | PaymentProduct::InternationalStandingOrder => StatusList::StandingOrder,
        PaymentProduct::FilePayment => StatusList::File,
    }
}

/// The status of an order: the nearest one in the product's list. A file counts as failed if one of its payments failed. Source:
/// table 1.5, V4-004, FILE-023.
pub fn order_status(status: DetailedStatus, product: PaymentProduct, lost_payments: bool) -> &'static str {
    use PaymentStatus as S;
    match (list(product), status) {
        (StatusList::File, DetailedStatus::SetUp) => {
            if lost_payments {
                SET_UP_FAILED
            } else {
                SET_UP
            }
        }
        (StatusList::StandingOrder, DetailedStatus::SetUp) => SET_UP,
        (StatusList::StandingOrder | StatusList::File, DetailedStatus::SetUpFailed)
        | (StatusList::File, DetailedStatus::Payment(S::Rejected | S::Cancelled)) => SET_UP_FAILED,
        (
            StatusList::File,
            DetailedStatus::Payment(
                S::Received
                | S::PartiallyAuthorised
                | S::TechnicallyValid
                | S::Pending
                | S::CustomerAccepted
                | S::FundsChecked
                | S::InProcess
                | S::AcceptedWithChange
                | S::Settled
                | S::WithoutPosting
                | S::Blocked
                | S::Credited,
            ),
        ) => payment_status(S::Pending),
        // A single payment is not set up; v3.1 shows these as it shows the statuses here.
        (StatusList::Immediate | StatusList::Vrp, DetailedStatus::SetUp) => payment_status(S::Credited),
        (StatusList::Scheduled, DetailedStatus::SetUp) => payment_status(S::Pending),
        (StatusList::Immediate | StatusList::Vrp | StatusList::Scheduled, DetailedStatus::SetUpFailed)
        | (StatusList::Immediate | StatusList::Vrp, DetailedStatus::Payment(S::Cancelled)) => {
            payment_status(S::Rejected)
        }
        (StatusList::Vrp, DetailedStatus::Payment(S::PartiallyAuthorised)) => payment_status(S::Received),
        (
            StatusList::Immediate | StatusList::Vrp | StatusList::Scheduled | StatusList::StandingOrder,
            DetailedStatus::Payment(status),
        ) => payment_status(status),
    }
}

/// Every status of a product's orders. Source: V4-004.
pub(crate) fn order_statuses(product: PaymentProduct) -> Vec<&'static str> {
    let payments = PaymentStatus::ALL.map(DetailedStatus::Payment);
    let all = payments.into_iter().chain([DetailedStatus::SetUp, DetailedStatus::SetUpFailed]);
    let mut names: Vec<_> = all.map(|status| order_status(status, product, false)).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// Every status in payment details. Source: V4-004, `ExternalPaymentTransactionStatus1Code`.
pub(crate) fn payment_statuses() -> Vec<&'static str> {
    order_statuses(PaymentProduct::DomesticStandingOrder)
}

/// The status of a multi-authorisation. Source: PIS-112.
pub const fn approval_status(status: ApprovalStatus) -> &'static str {
    match status {
        ApprovalStatus::Awaiting => "AWAF",
        ApprovalStatus::Authorised => "AUTH",
        ApprovalStatus::Rejected => "RJCT",
    }
}

/// The reason for a payment's status on its rail. Source: PIS-093, `OBExternalStatusReason1Code`.
pub const fn detail_reason(reason: DetailReason) -> &'static str {
    match reason {
        DetailReason::Cancelled => "CUST",
        DetailReason::PendingFailingSettlement | DetailReason::PendingSettlement => "U031",
        DetailReason::Proprietary | DetailReason::ProprietaryRejection => "NARR",
        DetailReason::Suspended => "AC06",
        DetailReason::Unmatched => "ED05",
    }
}

/// The codes of [`detail_reason`].
pub(crate) fn detail_reasons() -> Vec<&'static str> {
    vec!["AC06", "CUST", "ED05", "NARR", "U031"]
}

/// An address type in a request. Source: V4-005.
#[derive(Debug)]
pub(crate) struct AddressTypeCode(AddressType);

impl From<AddressTypeCode> for AddressType {
    fn from(code: AddressTypeCode) -> Self {
        code.0
    }
}

/// A payment context that new consents may have. Source: PIS-144, V4-028.
#[derive(Debug)]
pub(crate) struct LivePaymentContext(pub(crate) PaymentContext);

impl From<LivePaymentContext> for PaymentContext {
    fn from(context: LivePaymentContext) -> Self {
        context.0
    }
}

/// A file type of v4.0. Source: FILE-006.
#[derive(Debug)]
pub(crate) struct FileKind(FileType);

impl From<FileKind> for FileType {
    fn from(kind: FileKind) -> Self {
        kind.0
    }
}

/// The type of a frequency. Source: `OBFrequency6Code`, V4-017.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FrequencyType {
    AdHoc,
    Yearly,
    Daily,
    Fortnightly,
    Intraday,
    Monthly,
    Quarterly,
    HalfYearly,
    Weekly,
    WorkingDays,
    FourWeekly,
    TwoMonthly,
    FourMonthly,
    FiveMonthly,
    AlternateMonths,
    None,
    LastWorkingDay,
    LastWeekday,
    TwoYearly,
    /// A pattern of v3.1.
    Pattern(Frequency),
}

/// The codes of frequencies. Source: `OBFrequency6Code`, V4-010.
const FREQUENCY_CODES: [(&str, FrequencyType); 19] = [
    ("ADHO", FrequencyType::AdHoc),
    ("YEAR", FrequencyType::Yearly),
    ("DAIL", FrequencyType::Daily),
    ("FRTN", FrequencyType::Fortnightly),
    ("INDA", FrequencyType::Intraday),
    ("MNTH", FrequencyType::Monthly),
    ("QURT", FrequencyType::Quarterly),
    ("MIAN", FrequencyType::HalfYearly),
    ("WEEK", FrequencyType::Weekly),
    ("WODL", FrequencyType::WorkingDays),
    ("FOWK", FrequencyType::FourWeekly),
    ("TWMH", FrequencyType::TwoMonthly),
    ("FOMH", FrequencyType::FourMonthly),
    ("FIMH", FrequencyType::FiveMonthly),
    ("ALMH", FrequencyType::AlternateMonths),
    ("NONE", FrequencyType::None),
    ("LWMH", FrequencyType::LastWorkingDay),
    ("LXMH", FrequencyType::LastWeekday),
    ("TWYR", FrequencyType::TwoYearly),
];

fn read_frequency_type(text: &str) -> Option<FrequencyType> {
    let code = FREQUENCY_CODES.iter().find(|(code, _)| *code == text).map(|(_, kind)| *kind);
    let pattern = || if text == "NotKnown" { Some(Frequency::NotKnown) } else { read_frequency(text) };
    code.or_else(|| pattern().map(FrequencyType::Pattern))
}

fn frequency_type_schema() -> Value {
    json!({ "anyOf": [
        one_of(FREQUENCY_CODES.map(|(code, _)| code)),
        { "type": "string", "pattern": "^(NotKnown|EvryDay|EvryWorkgDay|IntrvlDay:.*|IntrvlWkDay:.*|WkInMnthDay:.*|IntrvlMnthDay:.*|QtrDay:.*)$" }
    ] })
}

const ADDRESS_TYPES: [AddressType; 8] = [
    AddressType::Business,
    AddressType::Correspondence,
    AddressType::DeliveryTo,
    AddressType::MailTo,
    AddressType::PoBox,
    AddressType::Postal,
    AddressType::Residential,
    AddressType::Statement,
];

fn read_address_type(text: &str) -> Option<AddressTypeCode> {
    ADDRESS_TYPES.into_iter().find(|kind| address_type(*kind) == text).map(AddressTypeCode)
}

fn read_context(text: &str) -> Option<LivePaymentContext> {
    read_payment_context(text).filter(|context| !context.is_deprecated()).map(LivePaymentContext)
}

fn live_contexts() -> Vec<&'static str> {
    let names = <PaymentContext as Listed>::NAMES.iter().copied();
    names.filter(|name| read_context(name).is_some()).collect()
}

const FILE_TYPES: [FileType; 2] = [FileType::Pain001, FileType::PaymentInitiation40];

fn read_file_kind(text: &str) -> Option<FileKind> {
    FILE_TYPES.into_iter().find(|kind| file_type(*kind) == text).map(FileKind)
}

read_codes! {
    FrequencyType: read_frequency_type, FieldInvalid, "Must be a frequency of the standard.", frequency_type_schema();
    AddressTypeCode: read_address_type, FieldInvalid, "Must be an address type of the standard.",
        one_of(ADDRESS_TYPES.map(address_type));
    LivePaymentContext: read_context, FieldInvalid, "Must be a payment context that new consents may have.",
        one_of(live_contexts());
    FileKind: read_file_kind, FieldInvalid, "Files of this type are not taken.", one_of(FILE_TYPES.map(file_type));
}
