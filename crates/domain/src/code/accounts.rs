//! The stored codes of currencies and of the enumerations of accounts and their entries.

use super::{Enumerated, StoredCode};
use crate::account::{
    AccountScheme, AccountStatus, AccountSubType, AccountType, BalanceType, CardAuthorisation, CardScheme, EntryStatus,
    Mutability, SwitchStatus,
};
use crate::ledger::BalanceLayer;
use crate::money::{CreditDebit, Currency};

words_in_documents! { Currency }

document_codes! {
    BalanceLayer { Booked = "booked", Pending = "pending", }
    AccountStatus {
        Enabled = "enabled", Disabled = "disabled", Deleted = "deleted", ProForma = "pro-forma", Pending = "pending",
    }
    AccountType { Business = "business", Personal = "personal", }
    AccountSubType {
        ChargeCard = "charge-card", CreditCard = "credit-card", CurrentAccount = "current-account",
        EMoney = "e-money", Loan = "loan", Mortgage = "mortgage", PrePaidCard = "pre-paid-card", Savings = "savings",
    }
    SwitchStatus { NotSwitched = "not-switched", SwitchCompleted = "switch-completed", }
    AccountScheme {
        Bban = "bban", Iban = "iban", Pan = "pan", Paym = "paym", SortCodeAccountNumber = "sort-code-account-number",
        Wallet = "wallet",
    }
    BalanceType {
        ClosingAvailable = "closing-available", ClosingBooked = "closing-booked", Expected = "expected",
        ForwardAvailable = "forward-available", Information = "information", InterimAvailable = "interim-available",
        InterimBooked = "interim-booked", OpeningAvailable = "opening-available", OpeningBooked = "opening-booked",
        PreviouslyClosedBooked = "previously-closed-booked",
    }
    EntryStatus {
        Booked = "booked", Pending = "pending", Rejected = "rejected", Future = "future", Information = "information",
    }
    Mutability { Mutable = "mutable", Immutable = "immutable", }
    CardScheme {
        AmericanExpress = "american-express", Diners = "diners", Discover = "discover", MasterCard = "master-card",
        Visa = "visa",
    }
    CardAuthorisation {
        ConsumerDevice = "consumer-device", Contactless = "contactless", None = "none", Pin = "pin",
    }
}

impl Enumerated for CreditDebit {
    const VALUES: &'static [Self] = &[Self::Credit, Self::Debit];
}

impl StoredCode for Currency {
    fn code(&self) -> &'static str {
        (*self).code()
    }

    fn from_code(word: &str) -> Option<Self> {
        // The currencies that the bank uses most skip the search through all currencies.
        match word {
            "GBP" => Some(Self::GBP),
            "EUR" => Some(Self::EUR),
            "USD" => Some(Self::USD),
            _ => word.parse().ok(),
        }
    }
}
