//! The enumerations of v3.1, one exhaustive table each. What is shown outside the API goes by the same names.

use lombard_domain::account::{
    AccountScheme, AccountStatus, AccountSubType, AccountType, BalanceType, CardAuthorisation, CardScheme,
    CreditLineType, EntryStatus, Mutability, SwitchStatus,
};
use lombard_domain::consent::State;
use lombard_domain::money::CreditDebit;

macro_rules! names {
    ($($(#[$doc:meta])* $table:ident($type:ident) { $($pattern:pat => $name:literal,)* })*) => {$(
        $(#[$doc])*
        pub const fn $table(value: $type) -> &'static str {
            match value { $($pattern => $name,)* }
        }
    )*};
}

names! {
    /// Access that was ended at the bank shows as authorised still. Source: T8, AIS-070 to AIS-072.
    consent_status(State) {
        State::AwaitingAuthorisation => "AwaitingAuthorisation",
        State::Authorised | State::Revoked(_) => "Authorised",
        State::Rejected => "Rejected",
    }
    /// Source: AIS-102, `OBAccountStatus1Code`.
    account_status(AccountStatus) {
        AccountStatus::Enabled => "Enabled",
        AccountStatus::Disabled => "Disabled",
        AccountStatus::Deleted => "Deleted",
        AccountStatus::ProForma => "ProForma",
        AccountStatus::Pending => "Pending",
    }
    /// Source: AIS-102, `OBExternalAccountType1Code`.
    account_type(AccountType) {
        AccountType::Business => "Business",
        AccountType::Personal => "Personal",
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
    /// Source: AIS-085, `OBExternalSwitchStatusCode`.
    switch_status(SwitchStatus) {
        SwitchStatus::NotSwitched => "UK.CASS.NotSwitched",
        SwitchStatus::SwitchCompleted => "UK.CASS.SwitchCompleted",
    }
    /// Source: RW-257, `OBExternalAccountIdentification4Code`.
    account_scheme(AccountScheme) {
        AccountScheme::Bban => "UK.OBIE.BBAN",
        AccountScheme::Iban => "UK.OBIE.IBAN",
        AccountScheme::Pan => "UK.OBIE.PAN",
        AccountScheme::Paym => "UK.OBIE.Paym",
        AccountScheme::SortCodeAccountNumber => "UK.OBIE.SortCodeAccountNumber",
        AccountScheme::Wallet => "UK.OBIE.Wallet",
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
    /// Source: AIS-112, `OBReadBalance1`.
    credit_line_type(CreditLineType) {
        CreditLineType::Available => "Available",
        CreditLineType::Credit => "Credit",
        CreditLineType::Emergency => "Emergency",
        CreditLineType::PreAgreed => "Pre-Agreed",
        CreditLineType::Temporary => "Temporary",
    }
    /// Source: RW-251, `OBCreditDebitCode_1`.
    credit_debit(CreditDebit) {
        CreditDebit::Credit => "Credit",
        CreditDebit::Debit => "Debit",
    }
    /// Source: AIS-121, `OBEntryStatus1Code`.
    entry_status(EntryStatus) {
        EntryStatus::Booked => "Booked",
        EntryStatus::Pending => "Pending",
        EntryStatus::Rejected => "Rejected",
    }
    /// Source: AIS-123, `OBTransactionMutability1Code`.
    mutability(Mutability) {
        Mutability::Mutable => "Mutable",
        Mutability::Immutable => "Immutable",
    }
    /// Source: AIS-129, `OBTransactionCardInstrument1`.
    card_scheme(CardScheme) {
        CardScheme::AmericanExpress => "AmericanExpress",
        CardScheme::Diners => "Diners",
        CardScheme::Discover => "Discover",
        CardScheme::MasterCard => "MasterCard",
        CardScheme::Visa => "VISA",
    }
    /// Source: AIS-129, `OBTransactionCardInstrument1`.
    card_authorisation(CardAuthorisation) {
        CardAuthorisation::ConsumerDevice => "ConsumerDevice",
        CardAuthorisation::Contactless => "Contactless",
        CardAuthorisation::None => "None",
        CardAuthorisation::Pin => "PIN",
    }
}
