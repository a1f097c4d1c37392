//! The actions of TPPs, customers and workers. Each action is a future that yields to the scheduler before every port call
//! ([`FaultGate`](crate::fault_injection::FaultGate)).

mod bank;
mod customers;
mod result;
mod tpps;
mod upload;
mod workers;

pub(crate) use bank::{OUTCOMES, force_order_outcome, toggle_account};
pub(crate) use customers::{approve_first, countersign, decide, revoke};
pub(crate) use result::{ActionResult, MadeResource, RunningAction};
pub(crate) use tpps::{delete, funds, migrate, send};
pub(crate) use workers::{WorkerKind, work};
