//! Money events, ready to be booked.

pub(super) use lombard_corebank::booking::JournalLine;

use jiff::Timestamp;
use lombard_domain::account::Transaction;

/// A booking, a card purchase, or an entry that moves no money.
#[derive(Debug)]
pub(super) enum MoneyEvent {
    /// Money is moved at this time.
    Booking { at: Timestamp, lines: Vec<JournalLine> },
    /// A card is used at `made_at`, when the amount is reserved. The money moves at `at`.
    Purchase { made_at: Timestamp, at: Timestamp, lines: Vec<JournalLine> },
    /// A card is refused or checked; no money moves.
    Refusal { entry: Box<Transaction> },
}

impl MoneyEvent {
    /// When the event starts; events that start after the bank's present are dropped.
    pub(super) const fn starts_at(&self) -> Timestamp {
        match self {
            Self::Booking { at, .. } => *at,
            Self::Purchase { made_at, .. } => *made_at,
            Self::Refusal { entry } => entry.booked_at,
        }
    }

    /// When the event is booked.
    pub(super) const fn booked_at(&self) -> Timestamp {
        match self {
            Self::Booking { at, .. } | Self::Purchase { at, .. } => *at,
            Self::Refusal { entry } => entry.booked_at,
        }
    }
}
