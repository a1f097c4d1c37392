//! The enumerations of v4.0, one exhaustive table each; the enumerations that every version has are re-exported.

pub use crate::names::{account_scheme, account_status, credit_debit, credit_line_type, switch_status};

/// `AccountCategory` has the values that `AccountType` has in v3.1. Source: AIS-100, `OBInternalAccountType1Code`.
pub use crate::names::account_type as account_category;

use crate::names::names;
use lombard_domain::account::{
    AccountSubType, AddressType, ArrangementStatus, BalanceType, DirectDebitFrequency, EntryStatus,
};
use lombard_domain::consent::EffectiveConsentStatus;

names! {
    mod listed;

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
    /// Source: AIS-121, AIS-135, `ExternalEntryStatus1Code`.
    entry_status(EntryStatus) {
        EntryStatus::Booked => "BOOK",
        EntryStatus::Pending => "PDNG",
        EntryStatus::Rejected => "RJCT",
        EntryStatus::Future => "FUTR",
        EntryStatus::Information => "INFO",
    }
    /// Source: AIS-170, AIS-171, `ExternalMandateStatus1Code`.
    mandate_status(ArrangementStatus) {
        ArrangementStatus::Active => "ACTV",
        ArrangementStatus::Inactive => "CANC",
        ArrangementStatus::Expired => "EXPI",
        ArrangementStatus::Suspended => "SUSP",
    }
}

/// Source: AIS-175, `OBFrequency6Code`.
pub const fn direct_debit_frequency(value: DirectDebitFrequency) -> &'static str {
    match value {
        DirectDebitFrequency::Annual => "YEAR",
        DirectDebitFrequency::Daily => "DAIL",
        DirectDebitFrequency::Fortnightly => "FRTN",
        DirectDebitFrequency::HalfYearly => "MIAN",
        DirectDebitFrequency::Monthly => "MNTH",
        DirectDebitFrequency::NotKnown => "NONE",
        DirectDebitFrequency::Quarterly => "QURT",
        DirectDebitFrequency::Weekly => "WEEK",
    }
}
