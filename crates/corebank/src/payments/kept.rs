//! Domain values as text in the bank's own records.

use super::earlier;
use jiff::Timestamp;
use jiff::civil::Date;
use lombard_domain::account::AccountScheme;
use lombard_domain::code::Code;
use lombard_domain::exchange::Rate;
use lombard_domain::frequency::Frequency;
use lombard_domain::money::Currency;
use lombard_domain::order::{ChargeBearer, Instrument, Reason};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::borrow::Cow;

/// A value that is kept as text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Kept<T>(pub(super) T);

/// What can be kept as text and read again.
pub(super) trait TextForm: Sized {
    /// The value as text.
    fn text(&self) -> Cow<'static, str>;

    /// The value of a text.
    fn of(text: &str) -> Option<Self>;
}

impl<T: TextForm> Serialize for Kept<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0.text())
    }
}

impl<'de, T: TextForm> Deserialize<'de> for Kept<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = Cow::<str>::deserialize(deserializer)?;
        T::of(&text).map(Self).ok_or_else(|| de::Error::custom("not a value of its kind"))
    }
}

macro_rules! displayed {
    ($($type:ty),+) => {$(
        impl TextForm for $type {
            fn text(&self) -> Cow<'static, str> {
                self.to_string().into()
            }

            fn of(text: &str) -> Option<Self> {
                text.parse().ok()
            }
        }
    )+};
}

displayed!(Timestamp, Date, Currency);

/// Written as [`Code`] says. The release before 0.2 wrote the names of v3.1, which are still read.
impl TextForm for AccountScheme {
    fn text(&self) -> Cow<'static, str> {
        self.code().into()
    }

    fn of(text: &str) -> Option<Self> {
        Self::from_code(text).or_else(|| earlier::account_scheme(text))
    }
}

/// Written as it is displayed. The release before 0.2 wrote the patterns of v3.1, which are still read.
impl TextForm for Frequency {
    fn text(&self) -> Cow<'static, str> {
        self.to_string().into()
    }

    fn of(text: &str) -> Option<Self> {
        text.parse().ok().or_else(|| earlier::frequency(text))
    }
}

impl TextForm for Rate {
    fn text(&self) -> Cow<'static, str> {
        self.decimal().to_string().into()
    }

    fn of(text: &str) -> Option<Self> {
        text.parse().ok()
    }
}

impl TextForm for ChargeBearer {
    fn text(&self) -> Cow<'static, str> {
        self.code().into()
    }

    fn of(text: &str) -> Option<Self> {
        Self::from_code(text)
    }
}

impl TextForm for Instrument {
    fn text(&self) -> Cow<'static, str> {
        word(*self).into()
    }

    fn of(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| word(*it) == text)
    }
}

/// What an instrument is called in the bank's own records, and in the names of its ledger accounts.
pub(super) const fn word(instrument: Instrument) -> &'static str {
    match instrument {
        Instrument::Bacs => "bacs",
        Instrument::Chaps => "chaps",
        Instrument::FasterPayments => "fps",
        Instrument::Swift => "swift",
        Instrument::BalanceTransfer => "balance-transfer",
        Instrument::MoneyTransfer => "money-transfer",
        Instrument::Paym => "paym",
        Instrument::Euro1 => "euro1",
        Instrument::SepaCreditTransfer => "sepa",
        Instrument::SepaInstantCreditTransfer => "sepa-instant",
        Instrument::Link => "link",
        Instrument::Target2 => "target2",
    }
}

/// Why a payment was not made, for its payer, in a few words.
pub(super) const fn because(reason: Reason) -> &'static str {
    match reason {
        Reason::InsufficientFunds => "insufficient funds",
        Reason::DebtorAccountUnusable => "this account cannot be used",
        Reason::CreditorAccountUnusable => "the payee's account cannot be used",
        Reason::RefusedByScheme => "the payee's bank refused it",
        Reason::SuspectedFraud => "held back for your security",
        Reason::RefusedByAuthoriser => "not everybody agreed",
        Reason::AuthorisationLapsed => "not everybody agreed in time",
        Reason::CancelledByCustomer => "taken back",
        Reason::Unstated => "refused",
    }
}
