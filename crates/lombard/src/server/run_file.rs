//! A file that a running process writes for others on the same machine, and removes when it ends.

use super::StartError;
use serde::Serialize;
use std::fs;
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

/// Creates the data directory, accessible to its owner only.
pub(super) fn folder(data_dir: &Path) -> Result<(), StartError> {
    let made = fs::DirBuilder::new().recursive(true).mode(0o700).create(data_dir);
    made.map_err(|source| StartError::Folder { path: data_dir.to_owned(), source })
}

/// The file of one process, accessible to its owner only. It is removed on drop, however the process ends.
#[derive(Debug)]
pub(super) struct RunFile {
    path: PathBuf,
    is_written: bool,
}

impl RunFile {
    /// Creates the data directory and removes the file of a dead process in it. The caller has checked that none is running.
    pub(super) fn claim(data_dir: &Path, name: &str) -> Result<Self, StartError> {
        folder(data_dir)?;
        let path = data_dir.join(name);
        match fs::remove_file(&path) {
            Err(source) if source.kind() != io::ErrorKind::NotFound => Err(StartError::Folder { path, source }),
            _ => Ok(Self { path, is_written: false }),
        }
    }

    /// Writes the file by rename, so that a reader never sees a part of it.
    pub(super) fn write<T: Serialize>(&mut self, content: &T) -> Result<(), StartError> {
        let failed = |source| StartError::Folder { path: self.path.clone(), source };
        let text = serde_json::to_string_pretty(content).map_err(|error| failed(error.into()))?;
        let fresh = self.path.with_extension("json.new");
        let write = || {
            let mut file = fs::OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&fresh)?;
            writeln!(file, "{text}")?;
            fs::rename(&fresh, &self.path)
        };
        write().map_err(failed)?;
        self.is_written = true;
        Ok(())
    }
}

impl Drop for RunFile {
    /// If this fails, the next start removes the file.
    fn drop(&mut self) {
        if self.is_written
            && let Err(error) = fs::remove_file(&self.path)
        {
            tracing::warn!(%error, file = %self.path.display(), "a file of this process cannot be removed");
        }
    }
}
