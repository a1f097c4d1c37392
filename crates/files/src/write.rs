//! Writing files and folders, in the order that a power cut demands.

use super::access::{FileAccess, FileLifetime};
use super::disk::{Disk, SystemDisk};
use std::io::{self, ErrorKind};
use std::path::Path;

/// Writes a file, in place of the one that is there. Readers see the former file or the new one, also after a power cut; once this has
/// returned, the new one.
///
/// # Errors
/// The first operation that failed. The former file is still there, unless only the sync of its folder failed.
pub fn write_file(path: &Path, content: &[u8], access: FileAccess, lifetime: FileLifetime) -> io::Result<()> {
    write_on(&SystemDisk, path, content, access, lifetime)
}

/// Writes a file if there is none; returns whether it did. A file that is there counts as written from then on: whoever wrote it may have
/// been stopped before its folder was synced. Of several programs that create one file, one does.
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

/// Creates a folder, and its parents, if it is not there.
///
/// # Errors
/// The first operation that failed.
pub fn create_folder(folder: &Path, access: FileAccess, lifetime: FileLifetime) -> io::Result<()> {
    create_folder_on(&SystemDisk, folder, access, lifetime)
}

/// Moves a file, in place of the one that is there.
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
            // Another program was faster.
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
        if let Some(parent) = parent(folder) {
            create_folder_on(disk, parent, access, lifetime)?;
        }
        match disk.make_folder(folder, access) {
            // Another program was faster.
            Err(error) if error.kind() == ErrorKind::AlreadyExists && disk.is_folder(folder) => {}
            made => made?,
        }
    }
    match sync_parent(disk, folder, lifetime) {
        // A folder is synced again, as whoever made it may have been stopped before that. If this program may not read the parent, it
        // is an administrator's.
        Err(error) if is_there && error.kind() == ErrorKind::PermissionDenied => Ok(()),
        synced => synced,
    }
}

pub(crate) fn move_on<D: Disk>(disk: &D, from: &Path, to: &Path, lifetime: FileLifetime) -> io::Result<()> {
    disk.rename(from, to)?;
    // The new name first: between the two the file has both.
    sync_parent(disk, to, lifetime)?;
    sync_parent(disk, from, lifetime)
}

/// The content under a temporary name, durable if it is to be kept.
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
    if lifetime == FileLifetime::Kept {
        // Without this, the name may reach the disk before the content: the file would be empty.
        disk.sync_file(&file)?;
    }
    Ok(file)
}

fn sync_parent<D: Disk>(disk: &D, path: &Path, lifetime: FileLifetime) -> io::Result<()> {
    match (lifetime, parent(path)) {
        (FileLifetime::Kept, Some(folder)) => disk.sync_folder(folder),
        _ => Ok(()),
    }
}

/// The folder of a path; `None` for the root.
fn parent(path: &Path) -> Option<&Path> {
    let folder = path.parent()?;
    Some(if folder.as_os_str().is_empty() { Path::new(".") } else { folder })
}
