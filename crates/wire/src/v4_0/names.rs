//! The enumerations of v4.0, one exhaustive table each; unchanged ones are re-exported from v3.1.

pub use crate::v3_1::names::{account_scheme, account_status, credit_debit, credit_line_type, switch_status};

/// `AccountCategory`: the values of v3.1 under another member name. Source: AIS-100, `OBInternalAccountType1Code`.
pub use crate::v3_1::names::account_type as account_category;

use lombard_domain::account::{AccountSubType, AddressType, BalanceType};
use lombard_domain::consent::EffectiveConsentStatus;

macro_rules! names {
    ($($(#[$doc:meta])* $table:ident($type:ident) { $($pattern:pat => $name:literal,)* })*) => {$(
        $(#[$doc])*
        pub const fn $table(value: $type) -> &'static str {
            match value { $($pattern => $name,)* }
        }
    )*

    /// The names of each table, for schemas.
    pub(crate) mod listed {$(
        $(#[$doc])*
        pub(crate) fn $table() -> Vec<&'static str> {
            let mut names = vec![$($name),*];
            names.dedup();
            names
        }
    )*
        pub(crate) use crate::v3_1::names::listed::{account_status, account_type as account_category, switch_status};
    }};
}

names! {
    /// The status of an account-access consent, which is never consumed. Source: T8, RW-018, CON-32.
    consent_status(EffectiveConsentStatus) {
        EffectiveConsentStatus::AwaitingAuthorisation => "AWAU",
        EffectiveConsentStatus::Authorised | EffectiveConsentStatus::Consumed => "AUTH",
        EffectiveConsentStatus::Rejected => "RJCT",
        EffectiveConsentStatus::Revoked(_) => "CANC",
        EffectiveConsentStatus::Expired => "EXPD",
    }
    /// Three kinds of card share one code; electronic money is coded as a wallet. Source: AIS-100,
    /// `OBExternalCashAccountType1Code`.
    account_type_code(AccountSubType) {
        AccountSubType::ChargeCard => "CARD",
        AccountSubType::CreditCard => "CARD",
        AccountSubType::CurrentAccount => "CACC",
        AccountSubType::EMoney => "WALT",
        AccountSubType::Loan => "LOAN",
        AccountSubType::Mortgage => "MORT",
        AccountSubType::PrePaidCard => "CARD",
        AccountSubType::Savings => "SVGS",
    }
    /// Source: V4-005, `OBAddressType2Code`.
    address_type(AddressType) {
        AddressType::Business => "BIZZ",
        AddressType::Correspondence => "CORR",
        AddressType::DeliveryTo => "DLVY",
        AddressType::MailTo => "MLTO",
        AddressType::PoBox => "PBOX",
        AddressType::Postal => "ADDR",
        AddressType::Residential => "HOME",
        AddressType::Statement => "STAT",
    }
    /// Source: AIS-111, CON-34, `OBBalanceType1Code`.
    balance_type(BalanceType) {
        BalanceType::ClosingAvailable => "CLAV",
        BalanceType::ClosingBooked => "CLBD",
        BalanceType::Expected => "XPCD",
        BalanceType::ForwardAvailable => "FWAV",
        BalanceType::Information => "INFO",
        BalanceType::InterimAvailable => "ITAV",
        BalanceType::InterimBooked => "ITBD",
        BalanceType::OpeningAvailable => "OPAV",
        BalanceType::OpeningBooked => "OPBD",
        BalanceType::PreviouslyClosedBooked => "PRCD",
    }
}
