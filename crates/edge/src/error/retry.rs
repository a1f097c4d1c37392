//! The time after which a TPP may try again after a temporary error.

use lombard_ports::bank::BankError;
use std::error::Error;

/// The longest wait that a TPP is asked for, even if the bank's core asks for a longer one.
const RETRY_AFTER_SECS_MAX: u64 = 60;

/// Seconds after which a TPP may try again: the time that a busy core asks for, within bounds. Source: RFC 9110, section 10.2.3.
pub(super) fn retry_after_secs(cause: &(dyn Error + 'static)) -> u64 {
    let wait = BankError::retry_after_in(cause).unwrap_or_default();
    let whole_secs = wait.as_secs().saturating_add(u64::from(wait.subsec_nanos() > 0));
    whole_secs.clamp(1, RETRY_AFTER_SECS_MAX)
}
