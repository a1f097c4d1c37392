//! The channel of an operator's action.

/// Where an operator's action comes from, for its audit line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OperatorChannel {
    /// The ops listener of a running server.
    OpsListener,
    /// A command on the database, while no server runs on this machine.
    Command,
    /// The pages of the portal, in a sandbox.
    Portal,
}

impl OperatorChannel {
    /// The name in audit lines.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::OpsListener => "ops-listener",
            Self::Command => "command",
            Self::Portal => "portal",
        }
    }
}
