//! The bank's payment settings, and the notification that wakes the submission worker.

use super::consent_quota::ConsentQuota;
use super::file_threads::FileThreads;
use jiff::SignedDuration;
use lombard_domain::payment::offer::PaymentLimits;
use lombard_domain::version::Version;
use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Notify;

/// The number of payments of a file that are submitted to the bank at a time.
const FILE_BATCH: u32 = 200;

/// The default time for which a decision page waits for the bank's answer about a payee or balances.
const PAGE_ANSWER_WITHIN: Duration = Duration::from_secs(2);

/// The storage quota of one client for files whose consents are neither authorised nor consumed: uploads in progress, files
/// awaiting authorisation, and files of ended consents that are not purged yet. Source: RW-112.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileQuota {
    /// The largest number of files.
    pub files_max: u64,
    /// The largest total size in bytes.
    pub bytes_max: u64,
}

impl Default for FileQuota {
    fn default() -> Self {
        Self { files_max: 100, bytes_max: 1 << 30 }
    }
}

/// The bank's payment settings.
#[derive(Debug, Clone)]
pub struct PaymentSettings {
    /// The products, amounts and schedules that the bank accepts.
    pub limits: Arc<PaymentLimits>,
    /// Versions that are no longer served; their payment consents, other than VRP consents, cannot be used. Source: RW-010.
    pub retired_versions: HashSet<Version>,
    /// How long an idempotency key identifies the same request (bank clock). Source: PIS-061.
    pub idempotency_window: SignedDuration,
    /// How long a consent may stay undecided (bank clock). Source: PIS-027.
    pub undecided_after: SignedDuration,
    /// The largest number of funds confirmations under one consent per day; `None` means no limit. Source: RW-112.
    pub funds_requests_per_day_max: Option<u32>,
    /// The time for which a decision page waits for the bank's answer about a payee or balances.
    pub page_answer_within: Duration,
    /// Whether customers are warned of payees that they have not paid before. If so, the bank is queried for the known payees.
    pub tells_new_payees: bool,
    /// The quota of each client for undecided consents of every kind.
    pub consent_quota: ConsentQuota,
    /// The storage quota of each client for files that are not authorised.
    pub file_quota: FileQuota,
    /// How long a file is kept after its consent ended without an order (bank clock). Source: FILE-020.
    pub unused_files_after: SignedDuration,
    /// Notified when an order may be ready to be submitted. The notification is a hint: workers also run periodically.
    pub submission_notify: Arc<Notify>,
    /// The number of payments of a file that are submitted to the bank at a time; at least one.
    pub file_batch: u32,
    /// The threads that parse payment files.
    pub file_threads: Arc<FileThreads>,
}

impl Default for PaymentSettings {
    fn default() -> Self {
        Self {
            limits: Arc::default(),
            retired_versions: HashSet::new(),
            idempotency_window: SignedDuration::from_hours(24),
            undecided_after: SignedDuration::from_hours(24),
            funds_requests_per_day_max: None,
            page_answer_within: PAGE_ANSWER_WITHIN,
            tells_new_payees: false,
            consent_quota: ConsentQuota::default(),
            file_quota: FileQuota::default(),
            unused_files_after: SignedDuration::from_hours(24),
            submission_notify: Arc::default(),
            file_batch: FILE_BATCH,
            file_threads: Arc::default(),
        }
    }
}
