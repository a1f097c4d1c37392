//! The entries of a statement in the order in which they are printed, each with the balance after it. Source: AIS-140 to AIS-147.

use super::{DocumentError, StatementDocument};
use lombard_domain::account::{EntryStatus, Statement, StatementAmountType, Transaction};
use lombard_domain::money::{Amount, SignedAmount};

/// An entry and the balance after it.
#[derive(Debug)]
pub(super) struct ListedEntry<'a> {
    pub(super) entry: &'a Transaction,
    pub(super) balance: SignedAmount,
}

/// A statement whose entries add up to its totals.
#[derive(Debug)]
pub(super) struct StatementListing<'a> {
    pub(super) of: StatementDocument<'a>,
    /// The entries, oldest first, then by id.
    pub(super) lines: Vec<ListedEntry<'a>>,
    pub(super) opening: SignedAmount,
    pub(super) closing: SignedAmount,
    pub(super) paid_in: Amount,
    pub(super) paid_out: Amount,
}

impl<'a> StatementListing<'a> {
    /// Sorts the entries, computes the running balances and compares them with the statement's amounts.
    ///
    /// # Errors
    /// Any [`DocumentError`] except [`DocumentError::Writing`].
    pub(super) fn new(of: StatementDocument<'a>) -> Result<Self, DocumentError> {
        let opening = opening(of.statement).ok_or(DocumentError::NoOpeningBalance)?;
        let currency = of.account.currency;
        let mut entries: Vec<_> = of.entries.iter().filter(|entry| entry.status == EntryStatus::Booked).collect();
        entries.sort_by(|one, other| (one.booked_at, &one.id).cmp(&(other.booked_at, &other.id)));
        let foreign = |entry: &&Transaction| entry.sum.currency() != currency;
        if opening.currency() != currency || entries.iter().any(foreign) {
            return Err(DocumentError::Currency);
        }
        let (mut balance, mut paid_in, mut paid_out) = (opening.minor(), 0_u64, 0_u64);
        let mut lines = Vec::with_capacity(entries.len());
        for entry in entries {
            let minor = entry.sum.minor();
            balance = balance.checked_add(minor).ok_or(DocumentError::SumOutOfRange)?;
            let total = if minor < 0 { &mut paid_out } else { &mut paid_in };
            *total = total.checked_add(minor.unsigned_abs()).ok_or(DocumentError::SumOutOfRange)?;
            lines.push(ListedEntry { entry, balance: SignedAmount::from_minor(balance, currency) });
        }
        let listing = Self {
            of,
            lines,
            opening,
            closing: SignedAmount::from_minor(balance, currency),
            paid_in: Amount::from_minor(paid_in, currency),
            paid_out: Amount::from_minor(paid_out, currency),
        };
        listing.agrees_with_the_statement().map(|()| listing)
    }

    fn agrees_with_the_statement(&self) -> Result<(), DocumentError> {
        let stated = |wanted| self.of.statement.amounts.iter().filter(move |(kind, _)| *kind == wanted);
        let mut kinds = [
            (StatementAmountType::ClosingBalance, self.closing.amount(), Some(self.closing.direction())),
            (StatementAmountType::TotalCredits, self.paid_in, None),
            (StatementAmountType::TotalDebits, self.paid_out, None),
        ]
        .into_iter();
        let wrong = kinds.find(|(kind, sum, way)| {
            stated(*kind).any(|(_, stated)| stated.amount() != *sum || way.is_some_and(|way| way != stated.direction()))
        });
        wrong.map_or(Ok(()), |(kind, ..)| Err(DocumentError::DoesNotAddUp(kind)))
    }
}

fn opening(statement: &Statement) -> Option<SignedAmount> {
    let amount = |wanted| statement.amounts.iter().find(|(kind, _)| *kind == wanted).map(|(_, sum)| *sum);
    amount(StatementAmountType::StartingBalance).or_else(|| amount(StatementAmountType::PreviousClosingBalance))
}
