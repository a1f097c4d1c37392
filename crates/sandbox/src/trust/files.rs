//! Files under the data folder. Only their owner can access secret files.

use super::TrustError;
use lombard_files::{FileAccess, FileLifetime, create_folder, move_file, write_file};
use std::fs::{self, Permissions};
use std::io::ErrorKind;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use zeroize::Zeroizing;

const SECRET_FILE: u32 = 0o600;
const SECRET_FOLDER: u32 = 0o700;

/// The data folder.
#[derive(Debug)]
pub(super) struct TrustFolder {
    path: PathBuf,
    lifetime: FileLifetime,
}

impl TrustFolder {
    /// Opens or creates the folder, its subfolder `private` with owner-only access, and these further folders.
    pub(super) fn open(dir: &Path, further: &[&str], lifetime: FileLifetime) -> Result<Self, TrustError> {
        let folder = Self { path: dir.to_owned(), lifetime };
        for name in further.iter().chain(&["private"]) {
            folder.create(name)?;
        }
        let private = folder.path("private");
        fs::set_permissions(&private, Permissions::from_mode(SECRET_FOLDER)).map_err(at(&private))?;
        Ok(folder)
    }

    /// Creates a subfolder.
    pub(super) fn create(&self, name: &str) -> Result<(), TrustError> {
        let path = self.path(name);
        let access = if name == "private" { FileAccess::Owner } else { FileAccess::Everyone };
        create_folder(&path, access, self.lifetime).map_err(at(&path))
    }

    /// The path of a file.
    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// The names of the folders in a subfolder, sorted.
    pub(super) fn names_in(&self, name: &str) -> Result<Vec<String>, TrustError> {
        let path = self.path(name);
        let mut names = Vec::new();
        for entry in fs::read_dir(&path).map_err(at(&path))? {
            let entry = entry.map_err(at(&path))?;
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                names.extend(entry.file_name().into_string());
            }
        }
        names.sort();
        Ok(names)
    }

    /// The text of a file; `None` if there is none.
    pub(super) fn read(&self, name: &str) -> Result<Option<String>, TrustError> {
        let path = self.path(name);
        match fs::read_to_string(&path) {
            Ok(text) => Ok(Some(text)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(source) => Err(TrustError::Io { path, source }),
        }
    }

    /// The text of a secret file; `None` if there is none. The permissions are restricted to the owner before it is read.
    pub(super) fn read_secret(&self, name: &str) -> Result<Option<Zeroizing<String>>, TrustError> {
        let path = self.path(name);
        match fs::set_permissions(&path, Permissions::from_mode(SECRET_FILE)) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(source) => Err(TrustError::Io { path, source }),
            Ok(()) => Ok(self.read(name)?.map(Zeroizing::new)),
        }
    }

    /// Moves a secret file, if it exists and its new path is free.
    pub(super) fn move_secret(&self, from: &str, to: &str) -> Result<(), TrustError> {
        let from = self.path(from);
        let to = self.path(to);
        if to.exists() || !from.exists() {
            return Ok(());
        }
        move_file(&from, &to, self.lifetime).map_err(at(&from))
    }

    /// Writes a file that everyone may read.
    pub(super) fn write(&self, name: &str, text: &str) -> Result<(), TrustError> {
        self.replace(name, text, FileAccess::Everyone)
    }

    /// Writes a file that only the owner may read.
    pub(super) fn write_secret(&self, name: &str, text: &str) -> Result<(), TrustError> {
        self.replace(name, text, FileAccess::Owner)
    }

    fn replace(&self, name: &str, text: &str, access: FileAccess) -> Result<(), TrustError> {
        let path = self.path(name);
        write_file(&path, text.as_bytes(), access, self.lifetime).map_err(at(&path))
    }

    /// The error for a file with invalid contents.
    pub(super) fn bad(&self, name: &str, reason: impl ToString) -> TrustError {
        TrustError::File { path: self.path(name), reason: reason.to_string() }
    }
}

fn at(path: &Path) -> impl FnOnce(std::io::Error) -> TrustError {
    let path = path.to_owned();
    |source| TrustError::Io { path, source }
}
