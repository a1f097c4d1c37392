//! The access rights of files, and their lifetime.

/// Who has access to a file or a folder. The process' umask may take more away.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileAccess {
    /// Its owner only: 0600, a folder 0700.
    Owner,
    /// Its owner; everyone else reads it: 0644, a folder 0755.
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

/// How long files are needed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileLifetime {
    /// Also after a crash of the machine: each is on the disk before it counts as written.
    Kept,
    /// As long as the process that writes them.
    OfProcess,
}
