//! Shared code of background workers: claimed jobs, time limits of calls, and the quarantine. An activation of a worker
//! takes no input, processes a bounded batch, and is safe to run twice and on two nodes.

mod bank;
mod each;
mod jobs;
mod quarantine;

pub(crate) use bank::{call_bank_within_limit, release_failed_job};
pub(crate) use each::end_each;
pub use jobs::{ClaimedJobs, claim_jobs};
pub(crate) use quarantine::is_permanent;
pub use quarantine::{QuarantineContents, Quarantines, quarantine_work};
