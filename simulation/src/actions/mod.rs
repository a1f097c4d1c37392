//! The actions of TPPs, customers and workers. Each action is a future that stops at the gate before every port call.

mod bank;
mod customers;
mod result;
mod tpps;
mod upload;
mod workers;

pub(crate) use bank::{OUTCOMES, bring_about, turn};
pub(crate) use customers::{countersign, decide, look, revoke};
pub(crate) use result::{ActionResult, MadeResource, RunningAction};
pub(crate) use tpps::{delete, funds, migrate, send};
pub(crate) use workers::{WorkerKind, work};
