//! The bank's diary: what is due on the bank's clock is carried out, in the order of time, each thing once.
//!
//! An activation takes no input, does a bounded batch in one transaction and is safe to run twice and on two nodes: the
//! first thing it writes is a row that others wait for, every journal has a cause of its own, and what was done is due
//! later, or never, when the transaction ends. Nothing here knows how far the clock was moved.

mod closing;
mod payments;
mod routines;
#[cfg(test)]
mod tests;

use super::booking;
use jiff::Timestamp;
use lombard_domain::account::{AccountStatus, Transaction};
use lombard_domain::ids::BankAccountId;
use lombard_ports::clock::Clocks;
use lombard_ports::store::{Arrangement, BankAccountRecord, Store, StoreError, Transaction as Tables};

/// Most things one activation does: the writer must not be held long.
const BATCH: u32 = 64;

/// The row that two nodes at work wait for each other at, and when something was last done (bank clock).
const LAST_TURN: &str = "bank.diary_turned_at";

/// The diary of the built-in bank. Cloning shares the store.
#[derive(Debug, Clone)]
pub struct Diary {
    store: Store,
    clocks: Clocks,
}

/// Something that is due.
#[derive(Debug)]
enum Due {
    /// A pending entry is booked.
    Pending(Box<Transaction>),
    /// An arrangement is carried out.
    Arranged(Timestamp, Box<Arrangement>),
}

impl Due {
    fn at(&self) -> Timestamp {
        match self {
            Self::Pending(entry) => entry.booked_at,
            Self::Arranged(at, _) => *at,
        }
    }
}

impl Diary {
    /// The diary of the bank that keeps its ledger in this store and lives by the bank's clock.
    pub const fn new(store: Store, clocks: Clocks) -> Self {
        Self { store, clocks }
    }

    /// Carries out a batch of what is due now. Returns how much that was; none means nothing is left.
    ///
    /// # Errors
    /// [`StoreError`]; nothing of the batch happened then, and the next activation finds the same.
    pub async fn turn(&self) -> Result<u32, StoreError> {
        let now = self.clocks.bank();
        // Most of the time nothing is due, and looking needs no writer.
        if self.store.read(move |tx| next(tx, now)).await?.is_none() {
            return Ok(0);
        }
        self.store
            .write(move |tx| {
                tx.setting_put(LAST_TURN, &now.to_string())?;
                let mut done = 0_u32;
                while done < BATCH
                    && let Some(due) = next(tx, now)?
                {
                    carry_out(tx, due)?;
                    done = done.saturating_add(1);
                }
                Ok(done)
            })
            .await
    }
}

/// The earliest thing due; of two at the same time, what was arranged comes first.
fn next(tx: &mut dyn Tables, now: Timestamp) -> Result<Option<Due>, StoreError> {
    let arranged = tx.arrangements_due(now, 1)?.pop();
    let arranged = arranged.and_then(|it| it.due_at().map(|at| Due::Arranged(at, Box::new(it))));
    let pending = tx.entries_pending(now, 1)?.pop().map(|entry| Due::Pending(Box::new(entry)));
    Ok(match (arranged, pending) {
        (Some(arranged), Some(pending)) if pending.at() < arranged.at() => Some(pending),
        (Some(first), _) | (None, Some(first)) => Some(first),
        (None, None) => None,
    })
}

fn carry_out(tx: &mut dyn Tables, due: Due) -> Result<(), StoreError> {
    match due {
        Due::Pending(entry) => booking::settle(tx, *entry),
        Due::Arranged(at, arrangement) => match *arrangement {
            Arrangement::StandingOrder(order) => payments::standing_order(tx, order, at),
            Arrangement::ScheduledPayment(payment) => payments::scheduled(tx, &payment),
            Arrangement::Routine(routine) => routines::routine(tx, routine, at),
            // These have no time and are never due.
            Arrangement::Beneficiary(_)
            | Arrangement::DirectDebit(_)
            | Arrangement::Product(_)
            | Arrangement::Offer(_)
            | Arrangement::Party(_) => Ok(()),
        },
    }
}

/// The account if it is in use; what was arranged on any other ends.
fn account_in_use(tx: &mut dyn Tables, id: &BankAccountId) -> Result<Option<BankAccountRecord>, StoreError> {
    let found = tx.bank_accounts(std::slice::from_ref(id))?.pop();
    Ok(found.filter(|record| record.account.status == AccountStatus::Enabled))
}
