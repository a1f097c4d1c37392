//! Files under the data folder, written atomically. Secret files are accessible to their owner only.

use super::TrustError;
use lombard_jose::{SystemEntropy, base64url};
use std::fs::{self, DirBuilder, File, OpenOptions, Permissions};
use std::io::{ErrorKind, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use zeroize::Zeroizing;

const SECRET_FILE: u32 = 0o600;
const SECRET_FOLDER: u32 = 0o700;
const PUBLIC_FILE: u32 = 0o644;

/// How long files are needed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileLifetime {
    /// Also after a crash of the machine: each is on the disk before it counts as written.
    Kept,
    /// As long as the process that writes them.
    OfProcess,
}

/// The data folder.
#[derive(Debug)]
pub(super) struct TrustFolder {
    path: PathBuf,
    lifetime: FileLifetime,
}

impl TrustFolder {
    /// Opens or creates the folder, in it `private` with owner-only access, and these further folders.
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
        let mode = if name == "private" { SECRET_FOLDER } else { 0o755 };
        DirBuilder::new().recursive(true).mode(mode).create(&path).map_err(at(&path))
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

    /// The text of a secret file; `None` if there is none. The permissions are restricted to the owner first.
    pub(super) fn read_secret(&self, name: &str) -> Result<Option<Zeroizing<String>>, TrustError> {
        let path = self.path(name);
        match fs::set_permissions(&path, Permissions::from_mode(SECRET_FILE)) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(source) => Err(TrustError::Io { path, source }),
            Ok(()) => Ok(self.read(name)?.map(Zeroizing::new)),
        }
    }

    /// Moves a secret file, if it is there and none is at its new place.
    pub(super) fn move_secret(&self, from: &str, to: &str) -> Result<(), TrustError> {
        let (from, to) = (self.path(from), self.path(to));
        if to.exists() || !from.exists() {
            return Ok(());
        }
        fs::rename(&from, &to).map_err(at(&from))
    }

    /// Writes a file that everyone may read.
    pub(super) fn write(&self, name: &str, text: &str) -> Result<(), TrustError> {
        self.replace(name, text, PUBLIC_FILE)
    }

    /// Writes a file that only the owner may read.
    pub(super) fn write_secret(&self, name: &str, text: &str) -> Result<(), TrustError> {
        self.replace(name, text, SECRET_FILE)
    }

    /// Writes a temporary file and renames it, so that no reader sees a partial file.
    fn replace(&self, name: &str, text: &str, mode: u32) -> Result<(), TrustError> {
        let path = self.path(name);
        let mut random = [0; 9];
        SystemEntropy.fill(&mut random);
        let beside = self.path(&format!("{name}.{}.new", base64url(&random)));
        let write = |mut file: File| {
            file.write_all(text.as_bytes())?;
            match self.lifetime {
                FileLifetime::Kept => file.sync_all(),
                FileLifetime::OfProcess => Ok(()),
            }
        };
        let written = create(&beside, mode).and_then(write).and_then(|()| fs::rename(&beside, &path));
        written.map_err(|source| {
            // A temporary file that cannot be removed is left.
            let _left_over = fs::remove_file(&beside);
            TrustError::Io { path, source }
        })
    }

    /// The error for a file with invalid contents.
    pub(super) fn bad(&self, name: &str, reason: impl ToString) -> TrustError {
        TrustError::File { path: self.path(name), reason: reason.to_string() }
    }
}

fn create(path: &Path, mode: u32) -> std::io::Result<File> {
    OpenOptions::new().write(true).create_new(true).mode(mode).open(path)
}

fn at(path: &Path) -> impl FnOnce(std::io::Error) -> TrustError {
    let path = path.to_owned();
    |source| TrustError::Io { path, source }
}
