//! Something that happens to money, ready for the books.

use jiff::Timestamp;
use lombard_domain::account::Transaction;
use lombard_domain::ids::BankAccountId;
use lombard_domain::money::Currency;

/// One side of a deed: so much in or out of one ledger account, and the entry its holder sees.
#[derive(Debug)]
pub(super) struct Line {
    pub(super) account: BankAccountId,
    pub(super) currency: Currency,
    /// Minor units, positive in the account's favour.
    pub(super) minor: i64,
    pub(super) entry: Option<Box<Transaction>>,
}

impl Line {
    /// A side that a customer sees.
    pub(super) fn seen(entry: Transaction) -> Self {
        Self {
            account: entry.account.clone(),
            currency: entry.sum.currency(),
            minor: entry.sum.minor(),
            entry: Some(Box::new(entry)),
        }
    }

    /// The side of somebody outside, in one currency. Never visible to TPPs.
    pub(super) fn outside(party: &str, minor: i64, currency: Currency) -> Self {
        let account = BankAccountId::new(format!("outside:{party}:{}", currency.code()));
        Self { account, currency, minor, entry: None }
    }
}

/// Something that happens to money.
#[derive(Debug)]
pub(super) enum Deed {
    /// Money moves at this time.
    Booking { at: Timestamp, lines: Vec<Line> },
    /// A card is used at one time; the money is reserved then and moves later.
    Purchase { made_at: Timestamp, at: Timestamp, lines: Vec<Line> },
    /// A card is refused; no money moves.
    Refusal { entry: Box<Transaction> },
}

impl Deed {
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
