//! Storage of account changes until they are reported to the server.

use jiff::Timestamp;
use lombard_domain::event::AccountReason;
use lombard_domain::ids::{BankAccountId, FapiInteractionId};
use lombard_ports::bank::AccountChange;
use lombard_ports::store::StoreError;

/// Changes of accounts, numbered over the whole bank and kept until they are acknowledged.
pub trait AccountChangeStore {
    /// Appends a change under the next number, and returns the number. Transactions that append wait for each other. Numbers therefore
    /// become visible in ascending order and without gaps.
    ///
    /// # Errors
    /// [`StoreError`].
    fn account_change_append(
        &mut self,
        account: &BankAccountId,
        at: Timestamp,
        reason: Option<AccountReason>,
        interaction_id: Option<&FapiInteractionId>,
    ) -> Result<u64, StoreError>;

    /// The changes with the lowest numbers.
    ///
    /// # Errors
    /// [`StoreError`].
    fn account_changes(&mut self, limit: u32) -> Result<Vec<AccountChange>, StoreError>;

    /// Removes the changes up to and including this number.
    ///
    /// # Errors
    /// [`StoreError`].
    fn account_changes_drop(&mut self, upto: u64) -> Result<(), StoreError>;
}
