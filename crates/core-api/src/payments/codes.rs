//! The enumerations of payments: the standard's names, and names in the same style where the standard has none.

use crate::form::words::words;
use lombard_domain::payment::exchange::ExchangeRateType;
use lombard_domain::payment::file::FileType;
use lombard_domain::payment::order::{
    AppliedAuthenticationApproach, DetailReason, PaymentStatus, RejectionReason, RequestedAuthorisationType,
    ScaExemption,
};
use lombard_domain::payment::transfer::{AfterCutOffPolicy, Instrument, Priority};
use lombard_domain::payment::vrp::{AuthenticationMethod, InteractionType, LimitPeriod, PeriodAlignment, VrpType};
use lombard_domain::payment::{ChargeBearer, ChargeType, PaymentContext, PaymentProduct};
use lombard_wire::payments::names;
use lombard_wire::v4_0::payments::names as names_4_0;
use lombard_wire::vrp::names as names_vrp;

words! {
    AppliedAuthenticationApproach: names::applied_approach;
    AuthenticationMethod: names_vrp::authentication_method;
    ChargeBearer: names::charge_bearer;
    ChargeType: names::charge_type;
    Instrument: names::instrument;
    InteractionType: names_vrp::interaction_type;
    PaymentContext: names::payment_context;
    PaymentStatus: names_4_0::payment_status;
    RequestedAuthorisationType: names::authorisation_type;
    ScaExemption: names::exemption;
    VrpType: names_vrp::vrp_type;
}

words! {
    AfterCutOffPolicy { Refused = "Refused" Accepted = "NextWorkingDay" }
    DetailReason {
        Cancelled = "Cancelled" PendingFailingSettlement = "PendingFailingSettlement"
        PendingSettlement = "PendingSettlement" Proprietary = "Proprietary"
        ProprietaryRejection = "ProprietaryRejection" Suspended = "Suspended" Unmatched = "Unmatched"
    }
    ExchangeRateType { Actual = "Actual" Agreed = "Agreed" Indicative = "Indicative" }
    FileType {
        Pain001 = "UK.OBIE.pain.001.001.08" PaymentInitiation31 = "UK.OBIE.PaymentInitiation.3.1"
        PaymentInitiation40 = "UK.OBIE.PaymentInitiation.4.0"
    }
    LimitPeriod {
        Day = "Day" Week = "Week" Fortnight = "Fortnight" Month = "Month" HalfYear = "Half-year" Year = "Year"
    }
    PaymentProduct {
        DomesticPayment = "DomesticPayment" DomesticScheduledPayment = "DomesticScheduledPayment"
        DomesticStandingOrder = "DomesticStandingOrder" InternationalPayment = "InternationalPayment"
        InternationalScheduledPayment = "InternationalScheduledPayment"
        InternationalStandingOrder = "InternationalStandingOrder" FilePayment = "FilePayment"
        DomesticVrp = "DomesticVRP"
    }
    PeriodAlignment { Consent = "Consent" Calendar = "Calendar" }
    Priority { Normal = "Normal" Urgent = "Urgent" }
    RejectionReason {
        InsufficientFunds = "InsufficientFunds" DebtorAccountUnusable = "DebtorAccountUnusable"
        CreditorAccountUnusable = "CreditorAccountUnusable" RefusedByScheme = "RefusedByScheme"
        SuspectedFraud = "SuspectedFraud" RefusedByAuthoriser = "RefusedByAuthoriser"
        AuthorisationLapsed = "AuthorisationLapsed" CancelledByCustomer = "CancelledByCustomer" NotGiven = "NotGiven"
    }
}
