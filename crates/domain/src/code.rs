//! What enumerations are called where they are stored. One row per value; a stored word never changes its meaning.

use crate::account::{
    AccountScheme, AccountStatus, AccountSubType, AccountType, BalanceType, CardAuthorisation, CardScheme, EntryStatus,
    Mutability, SwitchStatus,
};
use crate::client::ClientStatus;
use crate::consent::{ConsentKind, ConsentState, RevokedBy};
use crate::event::{AccountReason, EventType};
use crate::grant::{JourneyStage, TokenKind};
use crate::ledger::BalanceLayer;
use crate::money::{CreditDebit, Currency};
use crate::order::PaymentProduct;
use crate::session::SessionStage;
use crate::version::Version;
use serde::Deserializer;
use serde::de::{self, Visitor};
use std::error::Error;
use std::fmt;
use std::marker::PhantomData;

/// Something that is stored as a word.
pub trait StoredCode: Sized {
    /// The word.
    fn code(&self) -> &'static str;

    /// What the word means.
    fn from_code(word: &str) -> Option<Self>;

    /// What the word means.
    ///
    /// # Errors
    /// When it means nothing to this program: what holds it cannot be read.
    fn decode(word: &str) -> Result<Self, Box<dyn Error + Send + Sync>> {
        Self::from_code(word).ok_or_else(|| "a word in the row is not known to this program".into())
    }
}

/// An enumeration whose values can be listed, in the order of its table.
pub trait Enumerated: Sized + 'static {
    /// Every value.
    const VALUES: &'static [Self];
}

impl Enumerated for CreditDebit {
    const VALUES: &'static [Self] = &[Self::Credit, Self::Debit];
}

macro_rules! codes {
    ($($kind:ty { $($value:pat => $word:literal => $made:expr,)+ })+) => {$(
        impl StoredCode for $kind {
            fn code(&self) -> &'static str {
                match self { $($value => $word,)+ }
            }
            fn from_code(word: &str) -> Option<Self> {
                match word { $($word => Some($made),)+ _ => None }
            }
        }
    )+};
}

/// Stores values in JSON documents as their words.
macro_rules! words_in_documents {
    ($($kind:ty)+) => {$(
        impl serde::Serialize for $kind {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(<Self as $crate::code::StoredCode>::code(self))
            }
        }

        impl<'de> serde::Deserialize<'de> for $kind {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                $crate::code::read_word(deserializer)
            }
        }

        $crate::stored::plain_values! { $kind }
    )+};
}

/// Implements [`StoredCode`] for enumerations without contents: the word of each value.
#[macro_export]
macro_rules! unit_codes {
    ($($kind:ident { $($value:ident = $word:literal,)+ })+) => {$(
        impl $crate::code::StoredCode for $kind {
            fn code(&self) -> &'static str {
                match self { $($kind::$value => $word,)+ }
            }
            fn from_code(word: &str) -> Option<Self> {
                match word { $($word => Some($kind::$value),)+ _ => None }
            }
        }
    )+};
}

/// [`unit_codes!`] for enumerations that stand in documents too, and can be listed.
macro_rules! document_codes {
    ($($kind:ident { $($value:ident = $word:literal,)+ })+) => {
        $crate::unit_codes! { $($kind { $($value = $word,)+ })+ }
        words_in_documents! { $($kind)+ }
        $(
            impl $crate::code::Enumerated for $kind {
                const VALUES: &'static [Self] = &[$($kind::$value),+];
            }
        )+
    };
}

mod banking;
mod payments;

words_in_documents! { Currency }

document_codes! {
    ClientStatus { Active = "active", Disabled = "disabled", }
    Version { V3_1 = "v3.1", V4_0 = "v4.0", }
    TokenKind { Access = "access", Refresh = "refresh", }
    JourneyStage {
        Login = "login", SecondFactor = "second-factor", Decision = "decision", Finished = "finished",
    }
    SessionStage { SecondFactor = "second-factor", Open = "open", }
    EventType {
        ResourceUpdate = "resource-update", ConsentAuthorizationRevoked = "consent-authorization-revoked",
        LinkedAccountUpdate = "linked-account-update", VrpLinkedAccountUpdate = "vrp-linked-account-update",
    }
    AccountReason { Closure = "closure", Cass = "cass", }
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
    EntryStatus { Booked = "booked", Pending = "pending", Rejected = "rejected", }
    Mutability { Mutable = "mutable", Immutable = "immutable", }
    CardScheme {
        AmericanExpress = "american-express", Diners = "diners", Discover = "discover", MasterCard = "master-card",
        Visa = "visa",
    }
    CardAuthorisation {
        ConsumerDevice = "consumer-device", Contactless = "contactless", None = "none", Pin = "pin",
    }
}

codes! {
    ConsentState {
        ConsentState::AwaitingUpload => "awaiting-upload" => ConsentState::AwaitingUpload,
        ConsentState::AwaitingAuthorisation => "awaiting-authorisation" => ConsentState::AwaitingAuthorisation,
        ConsentState::Authorised => "authorised" => ConsentState::Authorised,
        ConsentState::Rejected => "rejected" => ConsentState::Rejected,
        ConsentState::Consumed => "consumed" => ConsentState::Consumed,
        ConsentState::Revoked(RevokedBy::Psu) => "revoked-by-psu" => ConsentState::Revoked(RevokedBy::Psu),
        ConsentState::Revoked(RevokedBy::Bank) => "revoked-by-bank" => ConsentState::Revoked(RevokedBy::Bank),
    }
}

impl StoredCode for ConsentKind {
    fn code(&self) -> &'static str {
        self.name()
    }

    fn from_code(word: &str) -> Option<Self> {
        let payments = PaymentProduct::ALL.into_iter().map(Self::Payment);
        [Self::AccountAccess, Self::FundsConfirmation].into_iter().chain(payments).find(|kind| kind.name() == word)
    }
}

impl StoredCode for Currency {
    fn code(&self) -> &'static str {
        (*self).code()
    }

    fn from_code(word: &str) -> Option<Self> {
        // The bank's own currencies are not looked for among all.
        match word {
            "GBP" => Some(Self::GBP),
            "EUR" => Some(Self::EUR),
            "USD" => Some(Self::USD),
            _ => word.parse().ok(),
        }
    }
}

/// Reads a word where it stands: pages of entries hold thousands, and none of them is copied.
struct WordVisitor<T>(PhantomData<T>);

impl<T: StoredCode> Visitor<'_> for WordVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a word")
    }

    fn visit_str<E: de::Error>(self, word: &str) -> Result<T, E> {
        T::from_code(word).ok_or_else(|| E::custom("a word is not known to this program"))
    }
}

/// Reads a word of a JSON document.
///
/// # Errors
/// When it means nothing to this program.
pub(crate) fn read_word<'de, T: StoredCode, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    deserializer.deserialize_str(WordVisitor(PhantomData))
}
