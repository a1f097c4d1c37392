//! Writes files and folders in the order that durability requires.

use super::access::{FileAccess, FileLifetime};
use super::disk::{Disk, SystemDisk};
use std::io::{self, ErrorKind};
use std::path::Path;

/// Writes a file and replaces an existing file. Readers see the former file or the new one, also after a power cut. Once the call
/// has returned, they see the new file.
///
/// # Errors
/// The first operation that failed. The former file is unchanged, unless only the sync of its folder failed.
pub fn write_file(path: &Path, content: &[u8], access: FileAccess, lifetime: FileLifetime) -> io::Result<()> {
    write_on(&SystemDisk, path, content, access, lifetime)
}

/// Writes a file if it does not exist; returns whether it was written. An existing file is made durable, because its writer may
/// have been stopped before the folder was synced. Of several programs that create the same file, one succeeds.
///
/// # Errors
/// The first operation that failed.
pub fn create_file<C: AsRef<[u8]>>(
    path: &Path,
    content: impl FnOnce() -> C,
    access: FileAccess,
    lifetime: FileLifetime,
) -> io::Result<bool> {
    create_on(&SystemDisk, path, content, access, lifetime)
}

/// Creates a folder and its parents, if they do not exist.
///
/// # Errors
/// The first operation that failed.
pub fn create_folder(folder: &Path, access: FileAccess, lifetime: FileLifetime) -> io::Result<()> {
    create_folder_on(&SystemDisk, folder, access, lifetime)
}

/// Moves a file and replaces an existing file at the new path.
///
/// # Errors
/// The first operation that failed.
pub fn move_file(from: &Path, to: &Path, lifetime: FileLifetime) -> io::Result<()> {
    move_on(&SystemDisk, from, to, lifetime)
}

pub(crate) fn write_on<D: Disk>(
    disk: &D,
    path: &Path,
    content: &[u8],
    access: FileAccess,
    lifetime: FileLifetime,
) -> io::Result<()> {
    let file = write_temporary(disk, path, content, access, lifetime)?;
    disk.replace(file, path)?;
    sync_parent(disk, path, lifetime)
}

pub(crate) fn create_on<D: Disk, C: AsRef<[u8]>>(
    disk: &D,
    path: &Path,
    content: impl FnOnce() -> C,
    access: FileAccess,
    lifetime: FileLifetime,
) -> io::Result<bool> {
    let is_created = if disk.exists(path) {
        false
    } else {
        let file = write_temporary(disk, path, content().as_ref(), access, lifetime)?;
        match disk.link(file, path) {
            // Another program created it first.
            Err(error) if error.kind() == ErrorKind::AlreadyExists => false,
            linked => linked.map(|()| true)?,
        }
    };
    sync_parent(disk, path, lifetime)?;
    Ok(is_created)
}

pub(crate) fn create_folder_on<D: Disk>(
    disk: &D,
    folder: &Path,
    access: FileAccess,
    lifetime: FileLifetime,
) -> io::Result<()> {
    let is_there = disk.is_folder(folder);
    if !is_there {
        // A working directory that cannot be searched, or was removed, is not created: creating the folder in it fails with the reason.
        if let Some(parent) = parent(folder).filter(|parent| *parent != Path::new(".")) {
            create_folder_on(disk, parent, access, lifetime)?;
        }
        match disk.make_folder(folder, access) {
            // Another program created it first.
            Err(error) if error.kind() == ErrorKind::AlreadyExists && disk.is_folder(folder) => {}
            made => made?,
        }
    }
    match sync_parent(disk, folder, lifetime) {
        // A folder is synced again, because its creator may have been stopped before the sync. If this program may not read the
        // parent, the parent belongs to an administrator.
        Err(error) if is_there && error.kind() == ErrorKind::PermissionDenied => Ok(()),
        synced => synced,
    }
}

pub(crate) fn move_on<D: Disk>(disk: &D, from: &Path, to: &Path, lifetime: FileLifetime) -> io::Result<()> {
    disk.rename(from, to)?;
    // The folder of the new name is synced first, so that the file has at least one name at any time.
    sync_parent(disk, to, lifetime)?;
    sync_parent(disk, from, lifetime)
}

/// Writes the content under a temporary name, and syncs it if the file is to be kept.
fn write_temporary<D: Disk>(
    disk: &D,
    path: &Path,
    content: &[u8],
    access: FileAccess,
    lifetime: FileLifetime,
) -> io::Result<D::Temporary> {
    let name = path.file_name().ok_or(ErrorKind::InvalidInput)?.to_string_lossy();
    let mut file = disk.create_temporary(parent(path).unwrap_or(Path::new(".")), &name, access)?;
    disk.write(&mut file, content)?;
    if lifetime == FileLifetime::Durable {
        // Without this sync the name may reach the disk before the content, and the file would be empty after a power cut.
        disk.sync_file(&file)?;
    }
    Ok(file)
}

fn sync_parent<D: Disk>(disk: &D, path: &Path, lifetime: FileLifetime) -> io::Result<()> {
    match (lifetime, parent(path)) {
        (FileLifetime::Durable, Some(folder)) => disk.sync_folder(folder),
        _ => Ok(()),
    }
}

/// The folder of a path; `None` for the root.
fn parent(path: &Path) -> Option<&Path> {
    let folder = path.parent()?;
    Some(if folder.as_os_str().is_empty() { Path::new(".") } else { folder })
}
