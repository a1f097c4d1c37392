//! A simulated disk whose power can be cut, and the promises of files on it and on the real file system.

use super::disk::Disk;
use super::write::{create_folder_on, create_on, move_on, write_on};
use super::*;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs;
use std::io::{self, ErrorKind};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

const KEPT: FileLifetime = FileLifetime::Durable;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Node {
    Folder,
    /// A file, by the index of its content.
    File(usize),
}

#[derive(Debug, Clone, Default)]
struct Content {
    written: Vec<u8>,
    synced: Option<Vec<u8>>,
}

/// The unsynced changes that survive a power cut.
#[derive(Debug, Clone, Copy)]
struct Survivors {
    names: bool,
    contents: bool,
}

const NOTHING: Survivors = Survivors { names: false, contents: false };
const CUTS: [Survivors; 4] = [
    NOTHING,
    Survivors { names: true, contents: false },
    Survivors { names: false, contents: true },
    Survivors { names: true, contents: true },
];

#[derive(Debug, Clone, Default)]
struct State {
    names: BTreeMap<PathBuf, Node>,
    synced_names: BTreeMap<PathBuf, Node>,
    contents: Vec<Content>,
    operations: Vec<&'static str>,
    /// The number of operations after which the program is stopped.
    operations_max: Option<usize>,
}

/// A disk in memory.
#[derive(Debug, Clone, Default)]
struct ModelDisk(RefCell<State>);

impl ModelDisk {
    /// A disk with a durable folder `/data`.
    fn new() -> Self {
        let disk = Self::default();
        disk.make_folder(Path::new("/data"), FileAccess::Owner).unwrap();
        disk.sync_folder(Path::new("/")).unwrap();
        disk.0.borrow_mut().operations.clear();
        disk
    }

    /// The same disk for a program that is stopped after this many operations.
    fn stopping_after(&self, operations: usize) -> Self {
        let disk = self.clone();
        disk.0.borrow_mut().operations = Vec::new();
        disk.0.borrow_mut().operations_max = Some(operations);
        disk
    }

    /// The same disk after the restart of the program.
    fn restarted(&self) -> Self {
        let disk = self.clone();
        disk.0.borrow_mut().operations_max = None;
        disk
    }

    /// The content of a file after a power cut.
    fn after_cut(&self, path: &str, survivors: Survivors) -> Option<Vec<u8>> {
        let state = self.0.borrow();
        let names = if survivors.names { &state.names } else { &state.synced_names };
        let path = Path::new(path);
        let is_reachable =
            path.ancestors().skip(1).all(|it| it == Path::new("/") || names.get(it) == Some(&Node::Folder));
        let Some(Node::File(number)) = names.get(path).filter(|_| is_reachable) else { return None };
        let content = &state.contents[*number];
        let cut = content.synced.clone().unwrap_or_default();
        Some(if survivors.contents { content.written.clone() } else { cut })
    }

    fn operations(&self) -> Vec<&'static str> {
        self.0.borrow().operations.clone()
    }

    fn operate<T>(&self, name: &'static str, operation: impl FnOnce(&mut State) -> io::Result<T>) -> io::Result<T> {
        let mut state = self.0.borrow_mut();
        if state.operations_max.is_some_and(|most| state.operations.len() >= most) {
            return Err(ErrorKind::Interrupted.into());
        }
        state.operations.push(name);
        operation(&mut state)
    }
}

impl Disk for ModelDisk {
    type Temporary = (PathBuf, usize);

    fn create_temporary(&self, folder: &Path, name: &str, _: FileAccess) -> io::Result<(PathBuf, usize)> {
        self.operate("create", |state| {
            let number = state.contents.len();
            state.contents.push(Content::default());
            let path = folder.join(format!("{name}.{number}.new"));
            state.names.insert(path.clone(), Node::File(number));
            Ok((path, number))
        })
    }

    fn write(&self, file: &mut (PathBuf, usize), content: &[u8]) -> io::Result<()> {
        self.operate("write", |state| {
            state.contents[file.1].written = content.to_vec();
            Ok(())
        })
    }

    fn sync_file(&self, file: &(PathBuf, usize)) -> io::Result<()> {
        self.operate("sync file", |state| {
            let content = &mut state.contents[file.1];
            content.synced = Some(content.written.clone());
            Ok(())
        })
    }

    fn replace(&self, file: (PathBuf, usize), path: &Path) -> io::Result<()> {
        self.rename(&file.0, path)
    }

    fn link(&self, file: (PathBuf, usize), path: &Path) -> io::Result<()> {
        if self.exists(path) {
            return Err(ErrorKind::AlreadyExists.into());
        }
        self.rename(&file.0, path)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.operate("rename", |state| {
            let node = state.names.remove(from).ok_or(ErrorKind::NotFound)?;
            state.names.insert(to.to_owned(), node);
            Ok(())
        })
    }

    fn sync_folder(&self, folder: &Path) -> io::Result<()> {
        self.operate("sync folder", |state| {
            let is_in = |path: &Path| path.parent() == Some(folder);
            state.synced_names.retain(|path, _| !is_in(path));
            let names = state.names.iter().filter(|(path, _)| is_in(path));
            state.synced_names.extend(names.map(|(path, node)| (path.clone(), *node)));
            Ok(())
        })
    }

    fn make_folder(&self, folder: &Path, _: FileAccess) -> io::Result<()> {
        self.operate("make folder", |state| {
            state.names.insert(folder.to_owned(), Node::Folder);
            Ok(())
        })
    }

    fn exists(&self, path: &Path) -> bool {
        self.is_folder(path) || self.0.borrow().names.contains_key(path)
    }

    fn is_folder(&self, path: &Path) -> bool {
        path == Path::new("/") || self.0.borrow().names.get(path) == Some(&Node::Folder)
    }
}

fn write(disk: &ModelDisk, path: &str, content: &[u8]) -> io::Result<()> {
    write_on(disk, Path::new(path), content, FileAccess::Owner, KEPT)
}

/// Creates a key file in a new folder, as the first start of a program does.
fn create(disk: &ModelDisk, path: &str, content: &'static [u8]) -> io::Result<bool> {
    create_folder_on(disk, Path::new(path).parent().unwrap(), FileAccess::Owner, KEPT)?;
    create_on(disk, Path::new(path), || content, FileAccess::Owner, KEPT)
}

#[test]
fn a_power_cut_leaves_the_former_file_or_the_new_one() {
    let before = ModelDisk::new();
    write(&before, "/data/a", b"former").unwrap();
    for operations in 0..=5 {
        let disk = before.stopping_after(operations);
        let is_written = write(&disk, "/data/a", b"new").is_ok();
        assert_eq!(is_written, operations == 5);
        for survivors in CUTS {
            let left = disk.after_cut("/data/a", survivors).unwrap();
            assert!(left == b"new" || !is_written && left == b"former", "{operations} {survivors:?}: {left:?}");
        }
    }
    assert_eq!(before.operations(), ["create", "write", "sync file", "rename", "sync folder"]);
}

#[test]
fn what_counts_as_created_is_durable_also_if_an_earlier_start_was_stopped() {
    let path = "/data/x/private/key";
    let mut stops = 0;
    loop {
        let disk = ModelDisk::new().stopping_after(stops);
        let first = create(&disk, path, b"first");
        for survivors in CUTS {
            let left = disk.after_cut(path, survivors);
            assert!(left.as_deref() == Some(b"first") || first.is_err() && left.is_none(), "{stops}: {left:?}");
        }
        let disk = disk.restarted();
        let is_created = create(&disk, path, b"second").unwrap();
        let left = disk.after_cut(path, NOTHING).unwrap();
        assert_eq!(left, if is_created { b"second".as_slice() } else { b"first" }, "stopped after {stops}");
        if first.is_ok() {
            break;
        }
        stops += 1;
    }
    assert_eq!(stops, 10, "two folders and their parents, and a file");
}

#[test]
fn a_moved_file_is_never_lost() {
    let before = ModelDisk::new();
    create_folder_on(&before, Path::new("/data/to"), FileAccess::Owner, KEPT).unwrap();
    write(&before, "/data/a", b"key").unwrap();
    for operations in 0..=3 {
        let disk = before.stopping_after(operations);
        let is_moved = move_on(&disk, Path::new("/data/a"), Path::new("/data/to/a"), KEPT).is_ok();
        let [from, to] = ["/data/a", "/data/to/a"].map(|path| disk.after_cut(path, NOTHING).is_some());
        assert!(if is_moved { !from && to } else { from || to }, "{operations}");
    }
}

#[test]
fn the_working_directory_is_never_created() {
    // The model has no working directory, as a process whose own was removed or cannot be searched.
    let disk = ModelDisk::new();
    create_folder_on(&disk, Path::new("x/y"), FileAccess::Owner, KEPT).unwrap();
    let made = disk.operations().iter().filter(|it| it.starts_with("make folder")).count();
    assert_eq!(made, 2, "{:?}", disk.operations());
}

#[test]
fn files_of_a_process_are_not_synced() {
    let disk = ModelDisk::new();
    let path = Path::new("/data/x/a");
    let lifetime = FileLifetime::UntilProcessEnds;
    create_folder_on(&disk, path.parent().unwrap(), FileAccess::Owner, lifetime).unwrap();
    assert!(create_on(&disk, path, || b"a", FileAccess::Owner, lifetime).unwrap());
    write_on(&disk, path, b"b", FileAccess::Owner, lifetime).unwrap();
    assert!(disk.operations().iter().all(|it| !it.starts_with("sync")), "{:?}", disk.operations());
}

fn names_in(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<_> = names.collect();
    names.sort();
    names
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[test]
fn a_file_has_its_permissions_and_no_temporary_file_is_left() {
    let base = tempfile::tempdir().unwrap();
    let folder = base.path().join("a/private");
    create_folder(&folder, FileAccess::Owner, KEPT).unwrap();
    create_folder(&folder, FileAccess::Everyone, KEPT).unwrap();
    let [secret, public] = ["a.key", "a.pem"].map(|name| folder.join(name));
    fs::write(&secret, "former").unwrap();
    write_file(&secret, b"key", FileAccess::Owner, KEPT).unwrap();
    assert!(create_file(&public, || "certificate", FileAccess::Everyone, KEPT).unwrap());
    assert!(!create_file(&public, || -> &str { panic!("not asked for") }, FileAccess::Owner, KEPT).unwrap());
    assert_eq!((mode(&folder), mode(&secret), mode(&public)), (0o700, 0o600, 0o644));
    move_file(&secret, &folder.join("b.key"), KEPT).unwrap();
    assert_eq!(names_in(&folder), ["a.pem", "b.key"]);
    assert_eq!(fs::read(folder.join("b.key")).unwrap(), b"key");
}

#[test]
fn a_write_that_fails_leaves_what_was_there() {
    let base = tempfile::tempdir().unwrap();
    let taken = base.path().join("taken");
    fs::create_dir(&taken).unwrap();
    fs::write(taken.join("a"), "kept").unwrap();
    write_file(&taken, b"new", FileAccess::Owner, KEPT).unwrap_err();
    assert_eq!((names_in(base.path()), names_in(&taken)), (vec!["taken".to_owned()], vec!["a".to_owned()]));
    assert_eq!(write_file(Path::new("/"), b"", FileAccess::Owner, KEPT).unwrap_err().kind(), ErrorKind::InvalidInput);
    let absent = write_file(&base.path().join("absent/a"), b"", FileAccess::Owner, KEPT).unwrap_err();
    assert_eq!(absent.kind(), ErrorKind::NotFound);
    let below_file = create_folder(&taken.join("a/b"), FileAccess::Owner, KEPT).unwrap_err();
    assert_eq!(below_file.kind(), ErrorKind::AlreadyExists);
}

#[test]
fn of_programs_that_create_a_file_at_once_one_does() {
    let base = tempfile::tempdir().unwrap();
    let path = base.path().join("private/key");
    let start = std::sync::Barrier::new(8);
    let created = std::thread::scope(|scope| {
        let program = |number: usize| {
            let path = &path;
            let start = &start;
            scope.spawn(move || {
                start.wait();
                create_folder(path.parent().unwrap(), FileAccess::Owner, KEPT).unwrap();
                let is_created = create_file(path, || number.to_string(), FileAccess::Owner, KEPT).unwrap();
                is_created.then_some(number.to_string())
            })
        };
        let programs: Vec<_> = (0..8).map(program).collect();
        programs.into_iter().filter_map(|it| it.join().unwrap()).collect::<Vec<_>>()
    });
    assert_eq!(created, [fs::read_to_string(&path).unwrap()]);
    assert_eq!(names_in(path.parent().unwrap()), ["key"]);
}
