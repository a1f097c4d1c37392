//! The channel of an operator's action.

/// The channel through which an operator's action arrives, for its audit line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OperatorChannel {
    /// The action came through the ops listener of a running server.
    OpsListener,
    /// The action came from a command on the database, while no server runs on this machine.
    Command,
    /// The action came from the pages of the portal, in a sandbox.
    Portal,
}

impl OperatorChannel {
    /// The name of the channel in audit lines.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::OpsListener => "ops-listener",
            Self::Command => "command",
            Self::Portal => "portal",
        }
    }
}
