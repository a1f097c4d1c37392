//! Faults that a tester injects in a sandbox: errors, delays and cut connections for the calls of TPPs.
//!
//! [`injection`] stores the faults and wraps the routes of a listener; code that authenticates a client calls [`point`] before any work is
//! done. In production no listener has a [`FaultInjection`]. Each process has its own faults.

mod body;
mod descriptions;
mod effect;
mod form;
mod header;
mod injection;
mod list;
mod operation;
mod own;
mod point;
pub mod rule;

pub use effect::FAULT_HEADER_TEXT;
pub use effect::REFUSED_BY;
pub use effect::RESPONSE_TEXT;
pub(crate) use effect::api_status;
pub use effect::{InjectedCode, InjectedFault};
pub use injection::{ErrorForm, FaultInjection, FaultOperation};
pub use list::list_client_names;
pub use list::read_faults;
pub use list::write_faults;
pub use own::add_client_fault;
pub use own::list_client_faults;
pub use own::list_operation_names;
pub use own::remove_client_faults;
pub use point::apply_fault;
pub use point::has_fault_point;
pub use rule::CLIENT_FAULTS_MAX;
