//! Checks which code writes files. Files that must be durable are written by `lombard-files`, which syncs a file before its write is
//! reported.

use super::dependencies::is_of_tests;

/// The crate that writes files.
const WRITER: &str = "crates/files/";
const CRATE_NAME: &str = "lombard_files";

/// The functions of this crate that write files.
const WRITING: [&str; 3] = ["write_file(", "create_file(", "move_file("];

/// The files of the program that call these functions, each with what it writes.
const CALLERS: [(&str, &str); 7] = [
    ("crates/lombard/src/cli/seed.rs", "exported customers and histories"),
    ("crates/lombard/src/operator_file.rs", "the password and the token of a sandbox's operator"),
    ("crates/lombard/src/server/run_file.rs", "addresses of a running process; no promise"),
    ("crates/lombard/src/server/secrets.rs", "the key-encryption key"),
    ("crates/lombard/src/tour/statements.rs", "the statement that the tour saves"),
    ("crates/sandbox/src/trust/files.rs", "keys, certificates and the folders of TPPs"),
    ("crates/tpp/src/folder.rs", "the client id of a TPP that registered"),
];

/// Files that write in another way, each with the reason.
const OTHERS: [(&str, &str); 3] = [
    ("crates/database/src/sqlite/connection.rs", "SQLite writes and syncs its file, and the folder with its log"),
    ("crates/lombard/src/server/audit.rs", "lines are appended to the file of anchors, and synced"),
    ("crates/edge/src/listener/socket.rs", "a socket, which ends with its process"),
];

/// The functions of the standard library and of other crates that write files.
const RAW: [&str; 16] = [
    "fs::write",
    "fs::copy",
    "fs::rename",
    "fs::hard_link",
    "fs::symlink",
    "fs::soft_link",
    "fs::create_dir",
    "fs::OpenOptions",
    "fs::DirBuilder",
    "File::create",
    "File::options",
    "OpenOptions::new",
    "DirBuilder::new",
    "NamedTempFile",
    ".persist(",
    ".persist_noclobber(",
];

/// Returns the faults of the sources, which are paths within the workspace with their texts.
pub(super) fn check(sources: &[(String, String)]) -> Vec<String> {
    let mut found = Vec::new();
    for (path, text) in sources.iter().filter(|(path, _)| is_of_program(path)) {
        let code = code(text);
        let raw = RAW.into_iter().find(|word| code.contains(word)).or_else(|| imported(&code));
        if let Some(word) = raw.filter(|_| !is_listed(&OTHERS, path)) {
            found.push(format!("{path}: names {word}; files are written by lombard-files, which syncs them"));
        }
        let calls = code.contains(CRATE_NAME) && WRITING.iter().any(|word| code.contains(word));
        if calls != is_listed(&CALLERS, path) {
            found.push(format!("{path}: keep the list of callers in xtask/src/check/writers.rs"));
        }
    }
    let listed = CALLERS.iter().chain(&OTHERS).map(|(path, _)| *path);
    let gone = listed.filter(|listed| sources.iter().all(|(path, _)| path != listed));
    found.extend(gone.map(|path| format!("xtask/src/check/writers.rs: lists {path}, which does not exist")));
    found
}

fn is_listed(list: &[(&str, &str)], path: &str) -> bool {
    list.iter().any(|(listed, _)| *listed == path)
}

/// Whether a source is part of the program, and not of tests or of their preparation.
fn is_of_program(path: &str) -> bool {
    let prepares_tests = |part: &str| part == "testing" || part == "testing.rs" || part == "contract";
    let is_ours = path.starts_with("crates/") && path.ends_with(".rs") && !path.starts_with(WRITER);
    is_ours && !is_of_tests(path) && !path.split('/').any(prepares_tests)
}

/// The code before the tests at the end of a file, without comments.
fn code(text: &str) -> String {
    let before_tests = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let lines = before_tests.lines().map(|line| line.split("//").next().unwrap_or_default());
    lines.collect::<Vec<_>>().join("\n")
}

/// A function for writing that a file imports from `std::fs` or `tokio::fs` in braces or under another name.
fn imported(code: &str) -> Option<&'static str> {
    let statements = code.split("use ").skip(1).filter_map(|rest| rest.split(';').next());
    let of_files =
        statements.filter(|it| ["std::", "tokio::"].iter().any(|root| it.starts_with(root)) && it.contains("fs::{"));
    let words = of_files.flat_map(|it| it.split(|it: char| !(it.is_alphanumeric() || it == '_')));
    let writing = RAW.into_iter().filter_map(|word| Some((word, word.strip_prefix("fs::")?)));
    let writing: Vec<_> = writing.collect();
    words.into_iter().find_map(|word| writing.iter().find(|(_, name)| word.starts_with(name)).map(|(whole, _)| *whole))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The listed files in a correct form, and one more file.
    fn sources(path: &str, text: &str) -> Vec<(String, String)> {
        let own = |(path, text): (&str, &str)| (path.to_owned(), text.to_owned());
        let callers = CALLERS.map(|(path, _)| own((path, "lombard_files::write_file(path)")));
        let others = OTHERS.map(|(path, _)| own((path, "use std::fs::OpenOptions;")));
        callers.into_iter().chain(others).chain([own((path, text))]).collect()
    }

    #[test]
    fn files_are_written_by_one_crate() {
        let found = |text: &str| check(&sources("crates/a/src/a.rs", text)).len();
        assert_eq!(check(&sources("crates/a/src/a.rs", "fs::read(path)?")), [""; 0]);
        for text in [
            "std::fs::write(path, text)",
            "use std::fs::{self, write};",
            "use std::{fs::{copy, self}, io};",
            "tokio::fs::rename(a, b).await",
            "use std::fs::{self, OpenOptions};",
            "File::create(path)?",
            "fs::create_dir_all(path)?",
            "lombard_files::write_file(path)",
        ] {
            assert_eq!(found(text), 1, "{text}");
        }
        assert_eq!(
            found("// As fs::write, but synced.\nfs::read(path)?;\n#[cfg(test)]\nmod tests { fs::write(path) }"),
            0
        );
        for path in ["crates/files/src/a.rs", "crates/a/src/a/tests.rs", "crates/a/src/testing.rs", "tests/it/a.rs"] {
            assert_eq!(check(&sources(path, "fs::write(path, text)")), [""; 0], "{path}");
        }
    }

    #[test]
    fn the_list_of_callers_is_kept() {
        let mut sources = sources("crates/a/src/a.rs", "");
        sources[0].1.clear();
        sources.remove(1);
        let found = check(&sources);
        assert_eq!(found.len(), 2, "{found:?}");
    }
}
