//! Reads the rows that the next steps will need, many at a time.

use super::BatchTransaction;
use crate::storage::{StepRows, StepRowsRead};
use lombard_domain::account::AccountIdentification;
use lombard_domain::code::StoredCode;
use lombard_domain::ids::{BankAccountId, TransactionId};
use lombard_ports::store::StoreError;
use std::collections::BTreeSet;

/// The rows that the next steps will need. A step reads any other row when it needs the row.
#[derive(Debug, Default)]
pub(crate) struct StepNeeds {
    /// Accounts whose data is needed.
    pub(crate) records: BTreeSet<BankAccountId>,
    /// Accounts on which money is reserved or moved.
    pub(crate) moved: BTreeSet<BankAccountId>,
    /// Account numbers whose accounts are needed, and whether a step moves money on that account.
    pub(crate) numbers: Vec<(AccountIdentification, bool)>,
    /// Entries whose reservations are needed.
    pub(crate) reserved: BTreeSet<TransactionId>,
}

impl BatchTransaction<'_, '_> {
    /// Reads the rows, in two round trips on an engine that is reached over a network. Accounts on which money is moved are locked in the
    /// order of their ids.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(crate) fn read_ahead(&mut self, needs: StepNeeds) -> Result<(), StoreError> {
        let StepNeeds { mut records, mut moved, numbers, reserved } = needs;
        let unknown = numbers.iter().filter(|(number, _)| !self.known.numbers.contains_key(&name(number)));
        let unknown: Vec<_> = unknown.map(|(number, _)| number.clone()).collect();
        if !unknown.is_empty() {
            let found = self.tx.bank_accounts_by_numbers(&unknown)?;
            self.known.numbers.extend(unknown.iter().map(name).zip(found));
        }
        for (number, is_moved) in &numbers {
            if let Some(Some(account)) = self.known.numbers.get(&name(number)) {
                records.insert(account.clone());
                if *is_moved {
                    moved.insert(account.clone());
                }
            }
        }
        records.retain(|account| !self.known.records.contains_key(account));
        moved.retain(|account| !self.known.sums.contains_key(account));
        if moved.iter().any(|account| !self.pending.is_untouched(account)) {
            self.write_pending()?;
        }
        let wanted = StepRows {
            records: records.into_iter().collect(),
            moved: moved.into_iter().collect(),
            reserved: reserved.into_iter().filter(|entry| !self.known.reserved.contains_key(entry)).collect(),
        };
        if wanted.is_empty() {
            return Ok(());
        }
        let StepRowsRead { records, moved, reserved } = self.tx.step_rows(&wanted)?;
        self.known.records.extend(wanted.records.into_iter().map(|id| (id, None)));
        self.known.records.extend(records.into_iter().map(|it| (it.account.id.clone(), Some(it))));
        for (sums, latest) in moved {
            self.known.latest.insert(sums.id.clone(), latest);
            self.known.sums.insert(sums.id.clone(), sums);
        }
        // Reservations of this transaction are known already; others are written.
        let reserved = wanted.reserved.into_iter().zip(reserved).filter(|(_, postings)| !postings.is_empty());
        self.known.reserved.extend(reserved);
        Ok(())
    }
}

/// The scheme and the number by which an account number is stored.
pub(super) fn name(number: &AccountIdentification) -> (&'static str, String) {
    (number.scheme.code(), number.number.clone())
}
