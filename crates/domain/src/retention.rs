//! How long records are kept, and customers whose records must be kept longer.

use crate::ids::PsuId;
use crate::operator_changes::ChangeReason;
use crate::staff::StaffName;
use jiff::{SignedDuration, Timestamp};

/// The fewest days for which a bank keeps records of payment transactions: five years. Source: Payment Services Regulations 2017,
/// regulation 31.
pub const PAYMENT_RECORD_DAYS_MIN: u32 = 1827;

/// The default of records that a dispute or a regulator may ask for, in days: six years, within which a claim can be brought.
pub const RECORD_DAYS: u32 = 2192;

/// How long each kind of record is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RetentionRules {
    /// Consents that no customer authorised, since their last change of state (bank clock). Source: PIS-026.
    pub unauthorised_consents: SignedDuration,
    /// Consents that were authorised, since they ended (bank clock).
    pub ended_consents: SignedDuration,
    /// Orders that have ended, since they were created (bank clock).
    pub orders: SignedDuration,
    /// Files of payments of such orders, since they were uploaded (wall clock).
    pub files: SignedDuration,
    /// What customers were shown before decisions, since the decision (bank clock).
    pub evidence: SignedDuration,
    /// Entries of the audit log, since the act (wall clock).
    pub audit: SignedDuration,
    /// Sessions, journeys, tokens, codes and other short-lived records, since they ended (wall clock).
    pub sessions: SignedDuration,
}

impl Default for RetentionRules {
    fn default() -> Self {
        let days = |days: u32| SignedDuration::from_hours(24_i64.saturating_mul(days.into()));
        Self {
            unauthorised_consents: days(1),
            ended_consents: days(RECORD_DAYS),
            orders: days(RECORD_DAYS),
            files: days(RECORD_DAYS),
            evidence: days(RECORD_DAYS),
            audit: days(RECORD_DAYS),
            sessions: days(1),
        }
    }
}

/// A customer whose records are neither purged nor erased.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CustomerHold {
    /// The customer.
    pub psu: PsuId,
    /// Since when (wall clock).
    pub held_at: Timestamp,
    /// The staff member who placed the hold.
    pub held_by: StaffName,
    /// Why.
    pub reason: ChangeReason,
}
