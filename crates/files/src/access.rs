//! The access rights of files, and their lifetime.

/// Who has access to a file or a folder. The umask of the process may restrict the access further.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileAccess {
    /// Only the owner has access: mode 0600, or 0700 for a folder.
    Owner,
    /// The owner may write, everyone may read: mode 0644, or 0755 for a folder.
    Everyone,
}

impl FileAccess {
    pub(crate) const fn file_mode(self) -> u32 {
        match self {
            Self::Owner => 0o600,
            Self::Everyone => 0o644,
        }
    }

    pub(crate) const fn folder_mode(self) -> u32 {
        match self {
            Self::Owner => 0o700,
            Self::Everyone => 0o755,
        }
    }
}

/// The time for which a file is needed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileLifetime {
    /// The file is needed even after a crash of the machine: its content is synced before the write counts as done.
    Durable,
    /// The file is needed only during the life of the process that writes it.
    UntilProcessEnds,
}
