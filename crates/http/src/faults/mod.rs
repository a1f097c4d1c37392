//! Faults that a tester plants in a sandbox: errors, delays and cut connections on the calls of TPPs.
//!
//! [`injection`] keeps the faults and stands around the routes of a listener; [`point`] is called by whatever authenticates a client,
//! before any work is done. Nothing here exists in production: no listener is given a [`FaultInjection`] there. The faults are those of
//! one process.

mod body;
mod effect;
mod form;
mod header;
mod injection;
mod list;
mod operation;
mod own;
mod point;
mod rule;
#[cfg(test)]
mod tests;
mod words;

pub(crate) use effect::{FAULT_HEADER_TEXT, REFUSED_BY, RESPONSE_TEXT, api_status};
pub use effect::{InjectedCode, InjectedFault};
pub use injection::FaultInjection;
pub(crate) use list::{list_client_names, read_faults, write_faults};
pub use operation::sandbox_faults;
pub(crate) use own::{add_own_fault, list_operation_names, list_own_faults, remove_own_faults};
pub(crate) use point::{may_be_struck, strike};
pub(crate) use rule::OWN_FAULTS_MAX;
