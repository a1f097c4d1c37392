//! A core for tests of servers that need no built-in bank.

use super::Core;
use lombard_ports::bank::StubBank;
use lombard_ports::identity::StubIdentity;
use std::sync::Arc;

/// A core without accounts and customers.
pub(crate) fn empty_core() -> Core {
    Core {
        bank: Arc::new(StubBank::default()),
        identity: Arc::new(StubIdentity::default()),
        scheduler: None,
        quarantine: None,
    }
}
