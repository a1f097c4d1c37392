//! Mapping of storage failures to errors of the bank port.

use lombard_ports::bank::BankError;
use lombard_ports::store::StoreError;

/// Maps a storage error. Contention and unavailable storage are temporary; any other failure needs an operator.
pub(crate) fn bank_error(error: StoreError) -> BankError {
    match error {
        StoreError::Contended | StoreError::Unavailable(_) => BankError::Unavailable(Box::new(error)),
        StoreError::Duplicate(_) | StoreError::Corrupt { .. } => BankError::Broken(error.to_string()),
    }
}
