//! The faults of one body, and the limit on its nesting.

use super::{JsonPath, Stopped};
use lombard_domain::refusal::{Fault, FaultCode, FaultLocation};
use std::borrow::Cow;
use std::cell::{Cell, RefCell};

/// The largest number of faults in one response.
pub(super) const FAULTS_MAX: usize = 100;

/// Collects the faults of one body.
pub(crate) struct FaultCollector {
    faults: RefCell<Vec<Fault>>,
    depth_max: usize,
    mistyped: FaultCode,
    too_deep: Cell<bool>,
}

impl FaultCollector {
    /// A collector for a document nested at most `depth_max` deep; `mistyped` is the fault of a value of the wrong
    /// type.
    pub(crate) fn new(depth_max: usize, mistyped: FaultCode) -> Self {
        Self { faults: RefCell::default(), depth_max, mistyped, too_deep: Cell::new(false) }
    }

    /// The number of reported faults, and whether a further one would be recorded.
    pub(crate) fn reported(&self) -> (usize, bool) {
        let count = self.faults.borrow().len();
        (count, count < FAULTS_MAX)
    }

    /// The reported faults.
    pub(crate) fn into_faults(self) -> Vec<Fault> {
        self.faults.into_inner()
    }

    /// Reports a fault. The message must not contain a value of the request.
    pub(crate) fn fault(&self, code: FaultCode, at: &JsonPath<'_>, message: impl Into<Cow<'static, str>>) {
        let mut faults = self.faults.borrow_mut();
        if faults.len() < FAULTS_MAX {
            faults.push(Fault { code, at: at.path().map(FaultLocation::Path), message: message.into() });
        }
    }

    /// Reports a value of the wrong type; the message names the wanted and the found kind. If the body itself has the wrong type,
    /// the fault is always an invalid format.
    pub(crate) fn wrong_type(&self, at: &JsonPath<'_>, wanted: &str, found: &str) {
        let code = if at.depth() == 0 { FaultCode::InvalidFormat } else { self.mistyped };
        self.fault(code, at, format!("Must be {wanted}, not {found}."));
    }

    /// Stops the parser if an object or array here is nested too deeply.
    pub(super) fn enter(&self, at: &JsonPath<'_>) -> Result<(), Stopped> {
        if at.depth() < self.depth_max {
            return Ok(());
        }
        self.too_deep.set(true);
        Err(Stopped)
    }

    /// Reports a member name that is repeated in an object. Source: RW-140.
    pub(crate) fn duplicate(&self, at: &JsonPath<'_>) {
        self.fault(FaultCode::InvalidFormat, at, "This member occurs twice.");
    }

    /// Whether [`enter`](Self::enter) stopped the parser.
    pub(super) const fn is_too_deep(&self) -> bool {
        self.too_deep.get()
    }
}
