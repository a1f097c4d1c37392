//! The job that submits an order: it is stored in the transaction that makes the order ready.

use lombard_domain::ids::{JobId, OrderId};
use lombard_domain::job::Job;
use lombard_ports::clock::Clocks;

/// The kind of job that submits an order to the bank.
pub(crate) const SUBMISSION_JOB_KIND: &str = "order";

/// The job that submits an order to the bank. The job is due on the wall clock, not on the bank's clock.
pub(super) fn build_submission_job(clocks: &Clocks, order: &OrderId) -> Job {
    Job::new(submission_job_id(order), SUBMISSION_JOB_KIND, order.as_str(), clocks.wall_now())
}

/// The id of the job, which is that of the order: an order never has two jobs, and its job is found by its id.
pub(crate) fn submission_job_id(order: &OrderId) -> JobId {
    JobId::new(order.as_str())
}
