//! What a bank decides about payments, and how workers hear that there is something to do.

use super::files::FileThreads;
use jiff::SignedDuration;
use lombard_domain::order::PaymentLimits;
use std::sync::Arc;
use tokio::sync::Notify;

/// How many payments of a file are given to the bank at a time.
const FILE_BATCH: u32 = 200;

/// What the files of one client may take whose consents are neither authorised nor used: those that are under way, those
/// that wait for a customer, and those of consents that ended and are not removed yet. Source: RW-112.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileQuota {
    /// Most files.
    pub files_max: u64,
    /// Most bytes of all of them.
    pub bytes_max: u64,
}

impl Default for FileQuota {
    fn default() -> Self {
        Self { files_max: 100, bytes_max: 1 << 30 }
    }
}

/// What a bank decides about payments.
#[derive(Debug, Clone)]
pub struct PaymentSettings {
    /// What is offered.
    pub limits: Arc<PaymentLimits>,
    /// How long a key means the same request (bank clock). Source: PIS-061.
    pub idempotency_window: SignedDuration,
    /// How long a consent may stay undecided (bank clock). Source: PIS-027.
    pub undecided_after: SignedDuration,
    /// Questions about funds that are answered under one consent on a day; none sets no limit. Source: RW-112.
    pub questions_per_day: Option<u32>,
    /// What files may take that nobody has authorised, for each client.
    pub file_quota: FileQuota,
    /// How long the file of a consent is kept that ended without an order (bank clock). Source: FILE-020.
    pub unused_files_after: SignedDuration,
    /// Notified when an order is ready to be submitted. A hint: workers also run periodically.
    pub order_notify: Arc<Notify>,
    /// How many payments of a file are given to the bank at a time; at least one.
    pub file_batch: u32,
    /// Where files are read.
    pub file_threads: Arc<FileThreads>,
}

impl Default for PaymentSettings {
    fn default() -> Self {
        Self {
            limits: Arc::default(),
            idempotency_window: SignedDuration::from_hours(24),
            undecided_after: SignedDuration::from_hours(24),
            questions_per_day: None,
            file_quota: FileQuota::default(),
            unused_files_after: SignedDuration::from_hours(24),
            order_notify: Arc::default(),
            file_batch: FILE_BATCH,
            file_threads: Arc::default(),
        }
    }
}
