//! Domain values as text in the bank's records, for values whose text differs from the domain's stored form: timestamps in RFC 3339, and
//! names of earlier releases.

use super::earlier;
use jiff::Timestamp;
use lombard_domain::account::AccountScheme;
use lombard_domain::code::StoredCode;
use lombard_domain::frequency::Frequency;
use lombard_domain::payment::order::RejectionReason;
use lombard_domain::payment::transfer::Instrument;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::borrow::Cow;

/// A value stored as text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct StoredText<T>(pub(super) T);

/// A type that can be stored as text and parsed again.
pub(super) trait TextForm: Sized {
    /// The value as text.
    fn text(&self) -> Cow<'static, str>;

    /// Parses a stored text; `None` if it is not a value of this type.
    fn from_text(text: &str) -> Option<Self>;
}

impl<T: TextForm> Serialize for StoredText<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0.text())
    }
}

impl<'de, T: TextForm> Deserialize<'de> for StoredText<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = Cow::<str>::deserialize(deserializer)?;
        T::from_text(&text).map(Self).ok_or_else(|| de::Error::custom("not a value of its kind"))
    }
}

impl TextForm for Timestamp {
    fn text(&self) -> Cow<'static, str> {
        self.to_string().into()
    }

    fn from_text(text: &str) -> Option<Self> {
        text.parse().ok()
    }
}

/// Written in the form of [`StoredCode`]. Releases before 0.2 wrote the names of v3.1, which are still parsed.
impl TextForm for AccountScheme {
    fn text(&self) -> Cow<'static, str> {
        self.code().into()
    }

    fn from_text(text: &str) -> Option<Self> {
        Self::from_code(text).or_else(|| earlier::account_scheme(text))
    }
}

/// Written as displayed. Releases before 0.2 wrote the patterns of v3.1, which are still parsed.
impl TextForm for Frequency {
    fn text(&self) -> Cow<'static, str> {
        self.to_string().into()
    }

    fn from_text(text: &str) -> Option<Self> {
        text.parse().ok().or_else(|| earlier::frequency(text))
    }
}

impl TextForm for Instrument {
    fn text(&self) -> Cow<'static, str> {
        instrument_name(*self).into()
    }

    fn from_text(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| instrument_name(*it) == text)
    }
}

/// The name of an instrument in the bank's records and ledger accounts. Three of the names differ from those of the domain.
pub(super) fn instrument_name(instrument: Instrument) -> &'static str {
    match instrument {
        Instrument::FasterPayments => "fps",
        Instrument::SepaCreditTransfer => "sepa",
        Instrument::SepaInstantCreditTransfer => "sepa-instant",
        Instrument::Bacs
        | Instrument::Chaps
        | Instrument::Swift
        | Instrument::BalanceTransfer
        | Instrument::MoneyTransfer
        | Instrument::Paym
        | Instrument::Euro1
        | Instrument::Link
        | Instrument::Target2 => instrument.code(),
    }
}

/// The reason of a rejection as short text for the payer.
pub(super) const fn reason_text(reason: RejectionReason) -> &'static str {
    match reason {
        RejectionReason::InsufficientFunds => "insufficient funds",
        RejectionReason::DebtorAccountUnusable => "this account cannot be used",
        RejectionReason::CreditorAccountUnusable => "the payee's account cannot be used",
        RejectionReason::RefusedByScheme => "the payee's bank refused it",
        RejectionReason::SuspectedFraud => "held back for your security",
        RejectionReason::RefusedByAuthoriser => "not everybody agreed",
        RejectionReason::AuthorisationLapsed => "not everybody agreed in time",
        RejectionReason::CancelledByCustomer => "taken back",
        RejectionReason::NotGiven => "refused",
    }
}
