//! The changes that operators made to clients.

use super::StoreError;
use lombard_domain::ids::ClientId;
use lombard_domain::operator_changes::OperatorChanges;

/// Operators' changes in storage. A change is stored in the transaction that updates the client.
pub trait OperatorChangeStore {
    /// The changes of a client by operators; the default if there are none.
    ///
    /// # Errors
    /// [`StoreError`].
    fn operator_changes(&mut self, client: &ClientId) -> Result<OperatorChanges, StoreError>;

    /// Stores the changes of a client by operators, and replaces the stored ones.
    ///
    /// # Errors
    /// [`StoreError`].
    fn operator_changes_put(&mut self, client: &ClientId, changes: &OperatorChanges) -> Result<(), StoreError>;
}
