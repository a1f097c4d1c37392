//! The job that submits an order: it is stored in the transaction that makes the order ready.

use crate::Context;
use lombard_domain::ids::OrderId;
use lombard_domain::job::Job;

/// The kind of job that submits an order to the bank.
pub(crate) const SUBMISSION_JOB_KIND: &str = "order";

/// The job that submits an order to the bank. The job is due on the wall clock, not on the bank's clock.
pub(super) fn build_submission_job(context: &Context, order: &OrderId) -> Job {
    Job::new(context.ids.ordered(), SUBMISSION_JOB_KIND, order.as_str(), context.clocks.wall_now())
}
