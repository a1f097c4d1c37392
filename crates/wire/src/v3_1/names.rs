//! The enumerations of v3.1, one exhaustive table each. The other interfaces of this program use the same names.

pub use super::frequency::{frequency, parse_frequency as read_frequency};
pub use crate::names::*;

use crate::names::names;
use lombard_domain::account::{
    AccountSubType, AddressType, ArrangementStatus, BalanceType, DirectDebitFrequency, EntryStatus,
};
use lombard_domain::consent::{ConsentState, RevokedBy};

/// The status of an entry; `None` for a status that v3.1 does not show. Source: AIS-121, AIS-135, `OBEntryStatus1Code`.
pub const fn entry_status(value: EntryStatus) -> Option<&'static str> {
    match value {
        EntryStatus::Booked => Some("Booked"),
        EntryStatus::Pending | EntryStatus::Future => Some("Pending"),
        EntryStatus::Rejected => Some("Rejected"),
        EntryStatus::Information => None,
    }
}

/// Every status of an entry, for schemas.
pub(crate) const ENTRY_STATUSES: [&str; 3] = ["Booked", "Pending", "Rejected"];

names! {
    mod listed;

    /// The status of an account-access consent, which is never consumed. A revoked consent is still shown as
    /// authorised. Source: T8, AIS-070 to AIS-072.
    consent_status(ConsentState) {
        ConsentState::AwaitingUpload | ConsentState::AwaitingAuthorisation => "AwaitingAuthorisation",
        ConsentState::Authorised | ConsentState::Consumed | ConsentState::Revoked(_) => "Authorised",
        ConsentState::Rejected => "Rejected",
    }
    /// The status of a funds-confirmation consent, which is never consumed. A consent revoked by the bank is still
    /// shown as authorised. Source: T8, CBP-012, CBP-016.
    funds_consent_status(ConsentState) {
        ConsentState::AwaitingUpload | ConsentState::AwaitingAuthorisation => "AwaitingAuthorisation",
        ConsentState::Authorised | ConsentState::Consumed | ConsentState::Revoked(RevokedBy::Bank) => "Authorised",
        ConsentState::Rejected => "Rejected",
        ConsentState::Revoked(RevokedBy::Psu) => "Revoked",
    }
    /// Source: AIS-102, `OBExternalAccountSubType1Code`.
    account_sub_type(AccountSubType) {
        AccountSubType::ChargeCard => "ChargeCard",
        AccountSubType::CreditCard => "CreditCard",
        AccountSubType::CurrentAccount => "CurrentAccount",
        AccountSubType::EMoney => "EMoney",
        AccountSubType::Loan => "Loan",
        AccountSubType::Mortgage => "Mortgage",
        AccountSubType::PrePaidCard => "PrePaidCard",
        AccountSubType::Savings => "Savings",
    }
    /// Source: AIS-111, `OBBalanceType1Code`.
    balance_type(BalanceType) {
        BalanceType::ClosingAvailable => "ClosingAvailable",
        BalanceType::ClosingBooked => "ClosingBooked",
        BalanceType::Expected => "Expected",
        BalanceType::ForwardAvailable => "ForwardAvailable",
        BalanceType::Information => "Information",
        BalanceType::InterimAvailable => "InterimAvailable",
        BalanceType::InterimBooked => "InterimBooked",
        BalanceType::OpeningAvailable => "OpeningAvailable",
        BalanceType::OpeningBooked => "OpeningBooked",
        BalanceType::PreviouslyClosedBooked => "PreviouslyClosedBooked",
    }
    /// Source: `OBAddressTypeCode`.
    address_type(AddressType) {
        AddressType::Business => "Business",
        AddressType::Correspondence => "Correspondence",
        AddressType::DeliveryTo => "DeliveryTo",
        AddressType::MailTo => "MailTo",
        AddressType::PoBox => "POBox",
        AddressType::Postal => "Postal",
        AddressType::Residential => "Residential",
        AddressType::Statement => "Statement",
    }
    /// Source: AIS-170, AIS-171, `OBExternalDirectDebitStatus1Code`, `OBExternalStandingOrderStatus1Code`.
    arrangement_status(ArrangementStatus) {
        ArrangementStatus::Active => "Active",
        ArrangementStatus::Inactive | ArrangementStatus::Suspended | ArrangementStatus::Expired => "Inactive",
    }
    /// Source: AIS-170, `OBReadDirectDebit2`.
    direct_debit_frequency(DirectDebitFrequency) {
        DirectDebitFrequency::Annual => "UK.OBIE.Annual",
        DirectDebitFrequency::Daily => "UK.OBIE.Daily",
        DirectDebitFrequency::Fortnightly => "UK.OBIE.Fortnightly",
        DirectDebitFrequency::HalfYearly => "UK.OBIE.HalfYearly",
        DirectDebitFrequency::Monthly => "UK.OBIE.Monthly",
        DirectDebitFrequency::NotKnown => "UK.OBIE.NotKnown",
        DirectDebitFrequency::Quarterly => "UK.OBIE.Quarterly",
        DirectDebitFrequency::Weekly => "UK.OBIE.Weekly",
    }
}
