//! What enumerations are called where they are stored. One row per value; a stored word never changes its meaning.

use crate::account::{
    AccountScheme, AccountStatus, AccountSubType, AccountType, BalanceType, CardAuthorisation, CardScheme, EntryStatus,
    Mutability, SwitchStatus,
};
use crate::client::ClientStatus;
use crate::consent::{Kind, RevokedBy, State};
use crate::event::{AccountReason, EventType};
use crate::grant::{JourneyStage, TokenKind};
use crate::ledger::Layer;
use crate::money::Currency;
use crate::order::Product;
use crate::session::SessionStage;
use crate::version::Version;
use serde::de::{self, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::error::Error;
use std::fmt;
use std::marker::PhantomData;

/// Something that is stored as a word.
pub trait Code: Sized {
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

macro_rules! codes {
    ($($kind:ty { $($value:pat => $word:literal => $made:expr,)+ })+) => {$(
        impl Code for $kind {
            fn code(&self) -> &'static str {
                match self { $($value => $word,)+ }
            }
            fn from_code(word: &str) -> Option<Self> {
                match word { $($word => Some($made),)+ _ => None }
            }
        }
    )+};
}

/// Implements [`Code`] for enumerations without contents: the word of each value.
#[macro_export]
macro_rules! unit_codes {
    ($($kind:ident { $($value:ident = $word:literal,)+ })+) => {$(
        impl $crate::code::Code for $kind {
            fn code(&self) -> &'static str {
                match self { $($kind::$value => $word,)+ }
            }
            fn from_code(word: &str) -> Option<Self> {
                match word { $($word => Some($kind::$value),)+ _ => None }
            }
        }
    )+};
}

mod banking;
mod payments;

crate::unit_codes! {
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
    Layer { Booked = "booked", Pending = "pending", }
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
    State {
        State::AwaitingUpload => "awaiting-upload" => State::AwaitingUpload,
        State::AwaitingAuthorisation => "awaiting-authorisation" => State::AwaitingAuthorisation,
        State::Authorised => "authorised" => State::Authorised,
        State::Rejected => "rejected" => State::Rejected,
        State::Consumed => "consumed" => State::Consumed,
        State::Revoked(RevokedBy::Psu) => "revoked-by-psu" => State::Revoked(RevokedBy::Psu),
        State::Revoked(RevokedBy::Bank) => "revoked-by-bank" => State::Revoked(RevokedBy::Bank),
    }
}

impl Code for Kind {
    fn code(&self) -> &'static str {
        self.name()
    }

    fn from_code(word: &str) -> Option<Self> {
        let payments = Product::ALL.into_iter().map(Self::Payment);
        [Self::AccountAccess, Self::FundsConfirmation].into_iter().chain(payments).find(|kind| kind.name() == word)
    }
}

impl Code for Currency {
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

/// A word inside a JSON document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Word<T>(pub T);

impl<T: Code> Serialize for Word<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.code())
    }
}

impl<'de, T: Code> Deserialize<'de> for Word<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(WordVisitor(PhantomData))
    }
}

/// Looks at a word where it stands: pages of entries hold thousands, and none of them is kept.
struct WordVisitor<T>(PhantomData<T>);

impl<T: Code> Visitor<'_> for WordVisitor<T> {
    type Value = Word<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a word")
    }

    fn visit_str<E: de::Error>(self, word: &str) -> Result<Word<T>, E> {
        T::from_code(word).map(Word).ok_or_else(|| E::custom("a word is not known to this program"))
    }
}
