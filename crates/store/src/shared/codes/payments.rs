//! What the enumerations of payments are called in the database.

use super::Code;
use lombard_domain::exchange::Priority;
use lombard_domain::file::{FileType, Unpayable};
use lombard_domain::order::{
    AppliedApproach, ApprovalStatus, AuthorisationWishType, ChargeBearer, ChargeType, DetailReason, Exemption,
    Instrument, Lateness, PaymentContext, PaymentStatus, Product, Reason, Stage,
};
use lombard_domain::vrp::{AuthenticationMethod, CalendarPeriod, Cycle, InteractionType, Period, VrpType};

unit_codes! {
    PaymentStatus {
        Received = "received", PartiallyAuthorised = "partially-authorised", TechnicallyValid = "technically-valid",
        Pending = "pending", CustomerAccepted = "customer-accepted", FundsChecked = "funds-checked",
        InProcess = "in-process", AcceptedWithChange = "accepted-with-change", Settled = "settled",
        WithoutPosting = "without-posting", Blocked = "blocked", Credited = "credited", Rejected = "rejected",
        Cancelled = "cancelled",
    }
    Reason {
        InsufficientFunds = "insufficient-funds", DebtorAccountUnusable = "debtor-account-unusable",
        CreditorAccountUnusable = "creditor-account-unusable", RefusedByScheme = "refused-by-scheme",
        SuspectedFraud = "suspected-fraud", RefusedByAuthoriser = "refused-by-authoriser",
        AuthorisationLapsed = "authorisation-lapsed", CancelledByCustomer = "cancelled-by-customer",
        Unstated = "unstated",
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
    Lateness {
        Refused = "refused", Accepted = "accepted",
    }
    AuthorisationWishType {
        Any = "any", Single = "single",
    }
    Exemption {
        BillPayment = "bill-payment", ContactlessTravel = "contactless-travel", EcommerceGoods = "ecommerce-goods",
        EcommerceServices = "ecommerce-services", Kiosk = "kiosk", Parking = "parking",
        PartyToParty = "party-to-party",
    }
    AppliedApproach {
        Customer = "customer", Strong = "strong",
    }
    PaymentContext {
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
    Unpayable {
        NoAccount = "no-account", NoName = "no-name", Account = "account", Instrument = "instrument",
        Exchange = "exchange", Remittance = "remittance",
    }
    VrpType {
        Sweeping = "sweeping", Other = "other",
    }
    AuthenticationMethod {
        Strong = "strong", NotRequired = "not-required",
    }
    InteractionType {
        InSession = "in-session", OffSession = "off-session",
    }
}

codes! {
    Cycle {
        Cycle::Consent(Period::Day) => "consent-day" => Cycle::Consent(Period::Day),
        Cycle::Consent(Period::Week) => "consent-week" => Cycle::Consent(Period::Week),
        Cycle::Consent(Period::Fortnight) => "consent-fortnight" => Cycle::Consent(Period::Fortnight),
        Cycle::Consent(Period::Month) => "consent-month" => Cycle::Consent(Period::Month),
        Cycle::Consent(Period::HalfYear) => "consent-half-year" => Cycle::Consent(Period::HalfYear),
        Cycle::Consent(Period::Year) => "consent-year" => Cycle::Consent(Period::Year),
        Cycle::Calendar(CalendarPeriod::Day) => "calendar-day" => Cycle::Calendar(CalendarPeriod::Day),
        Cycle::Calendar(CalendarPeriod::Week) => "calendar-week" => Cycle::Calendar(CalendarPeriod::Week),
        Cycle::Calendar(CalendarPeriod::Month) => "calendar-month" => Cycle::Calendar(CalendarPeriod::Month),
        Cycle::Calendar(CalendarPeriod::HalfYear) => "calendar-half-year" => Cycle::Calendar(CalendarPeriod::HalfYear),
        Cycle::Calendar(CalendarPeriod::Year) => "calendar-year" => Cycle::Calendar(CalendarPeriod::Year),
    }
}

impl Code for Product {
    fn code(&self) -> &'static str {
        self.name()
    }

    fn from_code(word: &str) -> Option<Self> {
        Self::from_name(word)
    }
}

impl Code for Stage {
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
