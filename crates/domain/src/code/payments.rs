//! The stored codes of the enumerations of payments.

use super::StoredCode;
use crate::payment::exchange::Priority;
use crate::payment::file::{FileType, UnpayableReason};
use crate::payment::order::{
    AfterCutOffPolicy, AppliedAuthenticationApproach, ApprovalStatus, ChargeBearer, ChargeType, DetailReason,
    DetailedStatus, Instrument, PayeeFinding, PaymentProduct, PaymentRisk, PaymentStatus, RejectionReason,
    RequestedAuthorisationType, ScaExemption,
};
use crate::payment::vrp::{AuthenticationMethod, CalendarPeriod, InteractionType, LimitPeriod, PeriodCycle, VrpType};

document_codes! {
    PaymentStatus {
        Received = "received", PartiallyAuthorised = "partially-authorised", TechnicallyValid = "technically-valid",
        Pending = "pending", CustomerAccepted = "customer-accepted", FundsChecked = "funds-checked",
        InProcess = "in-process", AcceptedWithChange = "accepted-with-change", Settled = "settled",
        WithoutPosting = "without-posting", Blocked = "blocked", Credited = "credited", Rejected = "rejected",
        Cancelled = "cancelled",
    }
    RejectionReason {
        InsufficientFunds = "insufficient-funds", DebtorAccountUnusable = "debtor-account-unusable",
        CreditorAccountUnusable = "creditor-account-unusable", RefusedByScheme = "refused-by-scheme",
        SuspectedFraud = "suspected-fraud", RefusedByAuthoriser = "refused-by-authoriser",
        AuthorisationLapsed = "authorisation-lapsed", CancelledByCustomer = "cancelled-by-customer",
        NotGiven = "unstated",
    }
    PayeeFinding {
        Match = "match", CloseMatch = "close-match", NoMatch = "no-match", AccountNotFound = "account-not-found",
        BankNotTakingPart = "bank-not-taking-part", TimedOut = "timed-out", Failed = "failed", NotOffered = "not-offered",
    }
    DetailReason {
        Cancelled = "cancelled", PendingFailingSettlement = "pending-failing-settlement",
        PendingSettlement = "pending-settlement", Proprietary = "proprietary",
        ProprietaryRejection = "proprietary-rejection", Suspended = "suspended", Unmatched = "unmatched",
    }
    ApprovalStatus {
        Awaiting = "awaiting", Authorised = "authorised", Rejected = "rejected",
    }
    Instrument {
        Bacs = "bacs", Chaps = "chaps", FasterPayments = "faster-payments", Swift = "swift",
        BalanceTransfer = "balance-transfer", MoneyTransfer = "money-transfer", Paym = "paym", Euro1 = "euro1",
        SepaCreditTransfer = "sepa-credit-transfer", SepaInstantCreditTransfer = "sepa-instant-credit-transfer",
        Link = "link", Target2 = "target2",
    }
    ChargeBearer {
        Creditor = "creditor", Debtor = "debtor", ServiceLevel = "service-level", Shared = "shared",
    }
    ChargeType {
        ChapsOut = "chaps-out", BalanceTransferOut = "balance-transfer-out", MoneyTransferOut = "money-transfer-out",
        SwiftOut = "swift-out",
    }
    AfterCutOffPolicy {
        Refused = "refused", Accepted = "accepted",
    }
    RequestedAuthorisationType {
        Any = "any", Single = "single",
    }
    ScaExemption {
        BillPayment = "bill-payment", ContactlessTravel = "contactless-travel", EcommerceGoods = "ecommerce-goods",
        EcommerceServices = "ecommerce-services", Kiosk = "kiosk", Parking = "parking",
        PartyToParty = "party-to-party",
    }
    AppliedAuthenticationApproach {
        Customer = "customer", Strong = "strong",
    }
    PaymentRisk {
        BilledInAdvance = "billed-in-advance", BilledInArrears = "billed-in-arrears", PispPayee = "pisp-payee",
        MerchantInitiated = "merchant-initiated", FaceToFace = "face-to-face", TransferToSelf = "transfer-to-self",
        TransferToThirdParty = "transfer-to-third-party", BillPayment = "bill-payment",
        EcommerceGoods = "ecommerce-goods", EcommerceServices = "ecommerce-services", Other = "other",
        PartyToParty = "party-to-party",
    }
    Priority {
        Normal = "normal", Urgent = "urgent",
    }
    FileType {
        Pain001 = "pain-001", PaymentInitiation31 = "payment-initiation-3.1",
        PaymentInitiation40 = "payment-initiation-4.0",
    }
    UnpayableReason {
        NoAccount = "no-account", NoName = "no-name", Account = "account", Instrument = "instrument",
        Exchange = "exchange", Remittance = "remittance",
    }
    VrpType {
        Sweeping = "sweeping", Other = "other", Commercial1 = "commercial-1", Commercial2 = "commercial-2",
        Commercial3 = "commercial-3",
    }
    AuthenticationMethod {
        Strong = "strong", NotRequired = "not-required",
    }
    InteractionType {
        InSession = "in-session", OffSession = "off-session",
    }
}

words_in_documents! { DetailedStatus PeriodCycle }

codes! {
    PeriodCycle {
        PeriodCycle::Consent(LimitPeriod::Day) => "consent-day" => PeriodCycle::Consent(LimitPeriod::Day),
        PeriodCycle::Consent(LimitPeriod::Week) => "consent-week" => PeriodCycle::Consent(LimitPeriod::Week),
        PeriodCycle::Consent(LimitPeriod::Fortnight) => "consent-fortnight" => PeriodCycle::Consent(LimitPeriod::Fortnight),
        PeriodCycle::Consent(LimitPeriod::Month) => "consent-month" => PeriodCycle::Consent(LimitPeriod::Month),
        PeriodCycle::Consent(LimitPeriod::HalfYear) => "consent-half-year" => PeriodCycle::Consent(LimitPeriod::HalfYear),
        PeriodCycle::Consent(LimitPeriod::Year) => "consent-year" => PeriodCycle::Consent(LimitPeriod::Year),
        PeriodCycle::Calendar(CalendarPeriod::Day) => "calendar-day" => PeriodCycle::Calendar(CalendarPeriod::Day),
        PeriodCycle::Calendar(CalendarPeriod::Week) => "calendar-week" => PeriodCycle::Calendar(CalendarPeriod::Week),
        PeriodCycle::Calendar(CalendarPeriod::Month) => "calendar-month" => PeriodCycle::Calendar(CalendarPeriod::Month),
        PeriodCycle::Calendar(CalendarPeriod::HalfYear) => "calendar-half-year" => PeriodCycle::Calendar(CalendarPeriod::HalfYear),
        PeriodCycle::Calendar(CalendarPeriod::Year) => "calendar-year" => PeriodCycle::Calendar(CalendarPeriod::Year),
    }
}

impl StoredCode for PaymentProduct {
    fn code(&self) -> &'static str {
        self.name()
    }

    fn from_code(word: &str) -> Option<Self> {
        Self::from_name(word)
    }
}

impl StoredCode for DetailedStatus {
    fn code(&self) -> &'static str {
        match self {
            Self::Payment(status) => status.code(),
            Self::SetUp => "set-up",
            Self::SetUpFailed => "set-up-failed",
        }
    }

    fn from_code(word: &str) -> Option<Self> {
        match word {
            "set-up" => Some(Self::SetUp),
            "set-up-failed" => Some(Self::SetUpFailed),
            _ => PaymentStatus::from_code(word).map(Self::Payment),
        }
    }
}
