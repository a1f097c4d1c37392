//! The changes that operators made to clients.

use super::StoreError;
use lombard_domain::ids::ClientId;
use lombard_domain::operator_changes::OperatorChanges;

/// Operators' changes in storage. A change is stored in the transaction that updates the client.
pub trait OperatorChangeStore {
    /// What operators changed of a client; the default if nothing.
    ///
    /// # Errors
    /// [`StoreError`].
    fn operator_changes(&mut self, client: &ClientId) -> Result<OperatorChanges, StoreError>;

    /// Stores what operators changed of a client, in place of what was stored before.
    ///
    /// # Errors
    /// [`StoreError`].
    fn operator_changes_put(&mut self, client: &ClientId, changes: &OperatorChanges) -> Result<(), StoreError>;
}
