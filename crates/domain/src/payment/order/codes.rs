//! The stored codes of the enumerations of orders and of their consents' requests.

use super::{
    AppliedAuthenticationApproach, ApprovalStatus, DetailReason, DetailedStatus, PayeeFinding, PaymentStatus,
    RejectionReason, RequestedAuthorisationType, ScaExemption, UnsettledStage,
};
use crate::code::{StoredCode, document_codes, words_in_documents};

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
    UnsettledStage {
        Pending = "pending", InProcess = "in-process", Settled = "settled",
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
}

words_in_documents! { DetailedStatus }

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
