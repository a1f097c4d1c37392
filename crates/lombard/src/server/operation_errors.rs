//! The errors of operations.

use lombard_ops::OperationError;

/// An operation that is refused, with a sentence that says why.
pub(super) fn refused(text: impl Into<String>) -> OperationError {
    OperationError::Refused(text.into())
}

/// An operation that failed.
pub(super) fn failed(error: impl std::error::Error + Send + Sync + 'static) -> OperationError {
    OperationError::Failed(Box::new(error))
}
