//! The enumerations of payments that the versions share, one table each for parsing and writing.

use lombard_domain::account::AccountScheme;
use lombard_domain::payment::file::FileType;
use lombard_domain::payment::order::{
    AppliedAuthenticationApproach, DetailReason, PaymentStatus, RequestedAuthorisationType, ScaExemption,
};
use lombard_domain::payment::transfer::Instrument;
use lombard_domain::payment::{ChargeBearer, ChargeType, PaymentContext};

/// The names of a table, for schemas.
pub(crate) trait Listed {
    /// Every name; some may occur twice.
    const NAMES: &'static [&'static str];
}

macro_rules! names {
    ($($(#[$doc:meta])* $table:ident($type:ident) { $($variant:ident => $name:literal,)* })*) => {$(
        $(#[$doc])*
        pub const fn $table(value: $type) -> &'static str {
            match value { $($type::$variant => $name,)* }
        }

        impl $crate::payments::names::Listed for $type {
            const NAMES: &'static [&'static str] = &[$($name),*];
        }
    )*};
}

/// Like `names!`, with a parser in addition.
macro_rules! codes {
    ($($(#[$doc:meta])* $table:ident / $reader:ident($type:ident) { $($variant:ident => $name:literal,)* })*) => {$(
        names! { $(#[$doc])* $table($type) { $($variant => $name,)* } }

        pub(crate) fn $reader(name: &str) -> Option<$type> {
            match name { $($name => Some($type::$variant),)* _ => None }
        }
    )*};
}

pub(crate) use {codes, names};

names! {
    /// Source: PIS-101, `OBChargeBearerType1Code`.
    charge_bearer(ChargeBearer) {
        Creditor => "BorneByCreditor",
        Debtor => "BorneByDebtor",
        ServiceLevel => "FollowingServiceLevel",
        Shared => "Shared",
    }
    /// The standard has no charge type for international payments, so `SwiftOut` has a code of the bank's own. Source: PIS-100,
    /// `OBExternalPaymentChargeType1Code`.
    charge_type(ChargeType) {
        ChapsOut => "UK.OBIE.CHAPSOut",
        BalanceTransferOut => "UK.OBIE.BalanceTransferOut",
        MoneyTransferOut => "UK.OBIE.MoneyTransferOut",
        SwiftOut => "UK.Lombard.SWIFTOut",
    }
    /// The names of v3.1, which reports on files use as well. Source: PIS-093.
    detail_reason(DetailReason) {
        Cancelled => "Cancelled",
        PendingFailingSettlement => "PendingFailingSettlement",
        PendingSettlement => "PendingSettlement",
        Proprietary => "Proprietary",
        ProprietaryRejection => "ProprietaryRejection",
        Suspended => "Suspended",
        Unmatched => "Unmatched",
    }
}

codes! {
    /// Source: PIS-138, `OBExternalLocalInstrument1Code`.
    instrument / full_instrument(Instrument) {
        Bacs => "UK.OBIE.BACS",
        Chaps => "UK.OBIE.CHAPS",
        FasterPayments => "UK.OBIE.FPS",
        Swift => "UK.OBIE.SWIFT",
        BalanceTransfer => "UK.OBIE.BalanceTransfer",
        MoneyTransfer => "UK.OBIE.MoneyTransfer",
        Paym => "UK.OBIE.Paym",
        Euro1 => "UK.OBIE.Euro1",
        SepaCreditTransfer => "UK.OBIE.SEPACreditTransfer",
        SepaInstantCreditTransfer => "UK.OBIE.SEPAInstantCreditTransfer",
        Link => "UK.OBIE.Link",
        Target2 => "UK.OBIE.Target2",
    }
    /// The third value of the code list does not apply to this field. Source: PIS-110.
    authorisation_type / read_authorisation_type(RequestedAuthorisationType) {
        Any => "Any",
        Single => "Single",
    }
    /// Source: PIS-150.
    exemption / read_exemption(ScaExemption) {
        BillPayment => "BillPayment",
        ContactlessTravel => "ContactlessTravel",
        EcommerceGoods => "EcommerceGoods",
        EcommerceServices => "EcommerceServices",
        Kiosk => "Kiosk",
        Parking => "Parking",
        PartyToParty => "PartyToParty",
    }
    /// Source: PIS-150.
    applied_approach / read_applied_approach(AppliedAuthenticationApproach) {
        Customer => "CA",
        Strong => "SCA",
    }
    /// Source: PIS-144, `OBRisk1`.
    payment_context / read_payment_context(PaymentContext) {
        BilledInAdvance => "BillingGoodsAndServicesInAdvance",
        BilledInArrears => "BillingGoodsAndServicesInArrears",
        PispPayee => "PispPayee",
        MerchantInitiated => "EcommerceMerchantInitiatedPayment",
        FaceToFace => "FaceToFacePointOfSale",
        TransferToSelf => "TransferToSelf",
        TransferToThirdParty => "TransferToThirdParty",
        BillPayment => "BillPayment",
        EcommerceGoods => "EcommerceGoods",
        EcommerceServices => "EcommerceServices",
        Other => "Other",
        PartyToParty => "PartyToParty",
    }
}

/// The instrument with a code, with or without the namespace.
pub(crate) fn read_instrument(name: &str) -> Option<Instrument> {
    full_instrument(name).or_else(|| full_instrument(&["UK.OBIE.", name].concat()))
}

/// The scheme with a code, with or without the namespace. Source: PIS-113.
pub(crate) fn read_account_scheme(name: &str) -> Option<AccountScheme> {
    let full = |scheme: &AccountScheme| crate::names::account_scheme(*scheme);
    let matches = |scheme: &AccountScheme| full(scheme) == name || full(scheme).strip_prefix("UK.OBIE.") == Some(name);
    AccountScheme::ALL.into_iter().find(matches)
}

/// The ISO 20022 code of a payment's status, which v4.0 has. Source: table 1.5, `ExternalPaymentTransactionStatus1Code`.
pub const fn payment_status_code(status: PaymentStatus) -> &'static str {
    match status {
        PaymentStatus::Received => "RCVD",
        PaymentStatus::PartiallyAuthorised => "PATC",
        PaymentStatus::TechnicallyValid => "ACTC",
        PaymentStatus::Pending => "PDNG",
        PaymentStatus::CustomerAccepted => "ACCP",
        PaymentStatus::FundsChecked => "ACFC",
        PaymentStatus::InProcess => "ACSP",
        PaymentStatus::AcceptedWithChange => "ACWC",
        PaymentStatus::Settled => "ACSC",
        PaymentStatus::WithoutPosting => "ACWP",
        PaymentStatus::Blocked => "BLCK",
        PaymentStatus::Credited => "ACCC",
        PaymentStatus::Rejected => "RJCT",
        PaymentStatus::Cancelled => "CANC",
    }
}

/// The code of a type. Source: FILE-006.
pub(crate) const fn file_type(kind: FileType) -> &'static str {
    match kind {
        FileType::Pain001 => "UK.OBIE.pain.001.001.08",
        FileType::PaymentInitiation31 => "UK.OBIE.PaymentInitiation.3.1",
        FileType::PaymentInitiation40 => "UK.OBIE.PaymentInitiation.4.0",
    }
}
