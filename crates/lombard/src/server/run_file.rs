//! A file that a running process writes for other programs on the same machine, and removes when it ends.

use super::StartError;
use lombard_files::{FileAccess, FileLifetime, create_folder, write_file};
use serde::Serialize;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Creates the data directory, which only its owner can access.
pub(super) fn folder(data_dir: &Path, lifetime: FileLifetime) -> Result<(), StartError> {
    let made = create_folder(data_dir, FileAccess::Owner, lifetime);
    made.map_err(|source| StartError::Folder { path: data_dir.to_owned(), source })
}

/// The file of a running process, which only its owner can access. Dropping the value removes the file.
#[derive(Debug)]
pub(super) struct RunFile {
    path: PathBuf,
    is_written: bool,
}

impl RunFile {
    /// Creates the data directory, and removes the file of a dead process in it. The caller has checked that no process is running.
    /// `lifetime` tells how long the other files in the directory are needed.
    pub(super) fn claim(data_dir: &Path, name: &str, lifetime: FileLifetime) -> Result<Self, StartError> {
        folder(data_dir, lifetime)?;
        let path = data_dir.join(name);
        match fs::remove_file(&path) {
            Err(source) if source.kind() != io::ErrorKind::NotFound => Err(StartError::Folder { path, source }),
            _ => Ok(Self { path, is_written: false }),
        }
    }

    /// Writes the file. The write need not survive a power cut, which ends the process too.
    pub(super) fn write<T: Serialize>(&mut self, content: &T) -> Result<(), StartError> {
        let failed = |source| StartError::Folder { path: self.path.clone(), source };
        let text = serde_json::to_string_pretty(content).map_err(|error| failed(error.into()))?;
        let written =
            write_file(&self.path, format!("{text}\n").as_bytes(), FileAccess::Owner, FileLifetime::UntilProcessEnds);
        written.map_err(failed)?;
        self.is_written = true;
        Ok(())
    }
}

impl Drop for RunFile {
    /// If the removal fails, the next start removes the file.
    fn drop(&mut self) {
        if self.is_written
            && let Err(error) = fs::remove_file(&self.path)
        {
            tracing::warn!(%error, file = %self.path.display(), "a file of this process cannot be removed");
        }
    }
}
