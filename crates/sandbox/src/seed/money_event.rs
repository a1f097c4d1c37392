//! Something that happens to money, ready for the books.

pub(super) use lombard_corebank::booking::JournalLine;

use jiff::Timestamp;
use lombard_domain::account::Transaction;

/// A booking, card purchase or refusal to be written.
#[derive(Debug)]
pub(super) enum MoneyEvent {
    /// Money moves at this time.
    Booking { at: Timestamp, lines: Vec<JournalLine> },
    /// A card is used at one time; the money is reserved then and moves later.
    Purchase { made_at: Timestamp, at: Timestamp, lines: Vec<JournalLine> },
    /// A card is refused; no money moves.
    Refusal { entry: Box<Transaction> },
}

impl MoneyEvent {
    /// When it starts: a deed that starts after the bank's present never happens.
    pub(super) const fn starts_at(&self) -> Timestamp {
        match self {
            Self::Booking { at, .. } => *at,
            Self::Purchase { made_at, .. } => *made_at,
            Self::Refusal { entry } => entry.booked_at,
        }
    }

    /// When it is entered in the books.
    pub(super) const fn booked_at(&self) -> Timestamp {
        match self {
            Self::Booking { at, .. } | Self::Purchase { at, .. } => *at,
            Self::Refusal { entry } => entry.booked_at,
        }
    }
}
