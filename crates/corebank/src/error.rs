//! What a failure of storage means to whoever asked the bank.

use lombard_ports::bank::BankError;
use lombard_ports::store::StoreError;

/// Contended or unavailable storage may answer later; anything else needs an operator.
pub(crate) fn bank_error(error: StoreError) -> BankError {
    match error {
        StoreError::Contended | StoreError::Unavailable(_) => BankError::Unavailable(Box::new(error)),
        StoreError::Duplicate(_) | StoreError::Corrupt { .. } => BankError::Broken(error.to_string()),
    }
}
