//! The file system operations on which durability depends.

use super::access::FileAccess;
use std::fs::{self, DirBuilder, File, Permissions};
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::Path;
use tempfile::NamedTempFile;

/// A file system. Tests use one whose power can be cut.
pub(crate) trait Disk {
    /// A file under a temporary name, which is removed on drop.
    type Temporary;

    /// Creates a file in this folder, under a temporary name that begins with this name.
    fn create_temporary(&self, folder: &Path, name: &str, access: FileAccess) -> io::Result<Self::Temporary>;
    /// Writes the content of a file.
    fn write(&self, file: &mut Self::Temporary, content: &[u8]) -> io::Result<()>;
    /// Returns when the content of a file is durable.
    fn sync_file(&self, file: &Self::Temporary) -> io::Result<()>;
    /// Gives a temporary file its name, and replaces an existing file of that name.
    fn replace(&self, file: Self::Temporary, path: &Path) -> io::Result<()>;
    /// Gives a temporary file its name, if no file has that name.
    ///
    /// # Errors
    /// [`ErrorKind::AlreadyExists`] if a file has the name.
    fn link(&self, file: Self::Temporary, path: &Path) -> io::Result<()>;
    /// Gives a file another name.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;
    /// Returns when the names in a folder are durable.
    fn sync_folder(&self, folder: &Path) -> io::Result<()>;
    /// Creates a folder whose parent exists.
    fn make_folder(&self, folder: &Path, access: FileAccess) -> io::Result<()>;
    /// Whether a file or folder exists at this path.
    fn exists(&self, path: &Path) -> bool;
    /// Whether a folder exists at this path.
    fn is_folder(&self, path: &Path) -> bool;
}

/// The file system of the machine.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SystemDisk;

impl Disk for SystemDisk {
    type Temporary = NamedTempFile;

    fn create_temporary(&self, folder: &Path, name: &str, access: FileAccess) -> io::Result<NamedTempFile> {
        let prefix = format!("{name}.");
        let permissions = Permissions::from_mode(access.file_mode());
        tempfile::Builder::new().prefix(&prefix).suffix(".new").permissions(permissions).tempfile_in(folder)
    }

    fn write(&self, file: &mut NamedTempFile, content: &[u8]) -> io::Result<()> {
        file.write_all(content)
    }

    fn sync_file(&self, file: &NamedTempFile) -> io::Result<()> {
        file.as_file().sync_all()
    }

    fn replace(&self, file: NamedTempFile, path: &Path) -> io::Result<()> {
        file.persist(path).map(drop).map_err(|error| error.error)
    }

    fn link(&self, file: NamedTempFile, path: &Path) -> io::Result<()> {
        file.persist_noclobber(path).map(drop).map_err(|error| error.error)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    fn sync_folder(&self, folder: &Path) -> io::Result<()> {
        match File::open(folder)?.sync_all() {
            // Some file systems do not support this call; for their folders nothing more can be done.
            Err(error) if [ErrorKind::InvalidInput, ErrorKind::Unsupported].contains(&error.kind()) => Ok(()),
            synced => synced,
        }
    }

    fn make_folder(&self, folder: &Path, access: FileAccess) -> io::Result<()> {
        DirBuilder::new().mode(access.folder_mode()).create(folder)
    }

    fn exists(&self, path: &Path) -> bool {
        path.exists()
    }

    fn is_folder(&self, path: &Path) -> bool {
        path.is_dir()
    }
}
