//! The files of a package, and the archives that are made of them.
//!
//! Every archive is the same for the same files: entries are sorted, belong to `root`, and bear the time of the commit.

use super::source::Source;
use crate::error::TaskError;
use flate2::{Compression, GzBuilder};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{Seek, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};
use tar::{Builder, EntryType, Header, HeaderMode};

/// The modes of folders, of files, and of programs.
const FOLDER: u32 = 0o755;
const FILE: u32 = 0o644;
const PROGRAM: u32 = 0o755;
/// The most bytes that this program compresses itself. It is built without optimisation, and would take minutes for a larger file.
const OWN_BYTES_MAX: usize = 1 << 20;

/// The files of a package by their paths, which are relative and have no slash at the end.
#[derive(Debug, Clone, Default)]
pub(super) struct FileTree(BTreeMap<String, Entry>);

#[derive(Debug, Clone)]
enum Entry {
    Folder { mode: u32, owner: u64 },
    File { mode: u32, bytes: Arc<[u8]> },
}

impl FileTree {
    /// Adds a file that everybody may read.
    pub(super) fn add(&mut self, path: &str, bytes: impl Into<Arc<[u8]>>) {
        self.insert(path, Entry::File { mode: FILE, bytes: bytes.into() });
    }

    /// Adds a program.
    pub(super) fn add_program(&mut self, path: &str, bytes: impl Into<Arc<[u8]>>) {
        self.insert(path, Entry::File { mode: PROGRAM, bytes: bytes.into() });
    }

    /// Adds a folder with this mode, which belongs to this user and the group of the same number.
    pub(super) fn add_folder(&mut self, path: &str, mode: u32, owner: u64) {
        self.insert(path, Entry::Folder { mode, owner });
    }

    /// Adds the files of another tree below a folder.
    pub(super) fn add_tree(&mut self, folder: &str, tree: &Self) {
        for (path, entry) in &tree.0 {
            self.insert(&format!("{folder}/{path}"), entry.clone());
        }
    }

    /// Adds an entry, and the folders above it.
    fn insert(&mut self, path: &str, entry: Entry) {
        for (end, _) in path.match_indices('/') {
            let folder = path.get(..end).unwrap_or_default();
            self.0.entry(folder.to_owned()).or_insert(Entry::Folder { mode: FOLDER, owner: 0 });
        }
        self.0.insert(path.to_owned(), entry);
    }

    /// The paths of the files, without folders, with their bytes and whether they are programs.
    pub(super) fn files(&self) -> impl Iterator<Item = (&str, &[u8], bool)> {
        self.0.iter().filter_map(|(path, entry)| match entry {
            Entry::File { mode, bytes } => Some((path.as_str(), &**bytes, *mode == PROGRAM)),
            Entry::Folder { .. } => None,
        })
    }

    /// The archive of the tree in the format of tar.
    pub(super) fn tar(&self, source: &Source) -> Result<Vec<u8>, TaskError> {
        let mut archive = Builder::new(Vec::new());
        archive.mode(HeaderMode::Deterministic);
        for (path, entry) in &self.0 {
            let mut header = Header::new_gnu();
            header.set_mtime(source.epoch);
            header.set_uid(0);
            header.set_gid(0);
            match entry {
                Entry::Folder { mode, owner } => {
                    header.set_entry_type(EntryType::Directory);
                    header.set_mode(*mode);
                    header.set_uid(*owner);
                    header.set_gid(*owner);
                    header.set_size(0);
                    archive.append_data(&mut header, format!("{path}/"), &[][..])?;
                }
                Entry::File { mode, bytes } => {
                    header.set_entry_type(EntryType::Regular);
                    header.set_mode(*mode);
                    header.set_size(u64::try_from(bytes.len())?);
                    archive.append_data(&mut header, path, &**bytes)?;
                }
            }
        }
        Ok(archive.into_inner()?)
    }

    /// The same, compressed.
    pub(super) fn tar_gz(&self, source: &Source) -> Result<Vec<u8>, TaskError> {
        gzip(&self.tar(source)?)
    }

    /// Writes the tree below a folder that exists.
    pub(super) fn write_to(&self, folder: &Path) -> Result<(), TaskError> {
        for (path, entry) in &self.0 {
            let at = folder.join(path);
            match entry {
                Entry::Folder { mode, .. } => {
                    fs::create_dir_all(&at)?;
                    fs::set_permissions(&at, fs::Permissions::from_mode(*mode))?;
                }
                Entry::File { mode, bytes } => {
                    fs::write(&at, bytes)?;
                    fs::set_permissions(&at, fs::Permissions::from_mode(*mode))?;
                }
            }
        }
        Ok(())
    }

    /// Gives the tree that was written below a folder, and the folder, the time of the commit.
    pub(super) fn set_times(&self, folder: &Path, source: &Source) -> Result<(), TaskError> {
        let time = UNIX_EPOCH + Duration::from_secs(source.epoch);
        for path in self.0.keys() {
            File::open(folder.join(path))?.set_modified(time)?;
        }
        Ok(File::open(folder)?.set_modified(time)?)
    }
}

/// Compresses bytes; the result bears neither a name nor a time.
pub(super) fn gzip(bytes: &[u8]) -> Result<Vec<u8>, TaskError> {
    if bytes.len() > OWN_BYTES_MAX {
        return gzip_of_system(bytes);
    }
    let mut gzip = GzBuilder::new().mtime(0).write(Vec::new(), Compression::default());
    gzip.write_all(bytes)?;
    Ok(gzip.finish()?)
}

fn gzip_of_system(bytes: &[u8]) -> Result<Vec<u8>, TaskError> {
    let mut plain = tempfile::tempfile()?;
    plain.write_all(bytes)?;
    plain.rewind()?;
    let compressed = Command::new("gzip").args(["--no-name", "--stdout"]).stdin(plain).output();
    let compressed = compressed.map_err(|error| format!("gzip cannot be started: {error}"))?;
    if compressed.status.success() { Ok(compressed.stdout) } else { Err("gzip failed".into()) }
}
