//! The program in the packages: how it is built, and what it needs of the system that runs it.

use super::source::{PROGRAM, Source};
use crate::command::{cargo, output, run, workspace};
use crate::error::TaskError;
use crate::output;
use goblin::elf::Elf;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

/// The profile and the features of what is shipped.
const BUILD: [&str; 7] = ["build", "--locked", "--profile", "dist", "--features", "jemalloc", "--package"];
/// The symbols of glibc are named with the version that brought them.
const GLIBC: &str = "GLIBC_";
/// The libraries that every Linux with glibc has, as the platform tags of Python's wheels count them.
const SYSTEM_LIBRARIES: [&str; 5] =
    ["libc.so.6", "libm.so.6", "libgcc_s.so.1", "libpthread.so.0", "ld-linux-x86-64.so.2"];

/// The program.
#[derive(Debug)]
pub(super) struct Program {
    /// Its file.
    pub(super) path: PathBuf,
    /// The content of the file.
    pub(super) bytes: Arc<[u8]>,
    /// The oldest glibc that it runs with: 2 and 35.
    pub(super) glibc: (u32, u32),
}

impl Program {
    /// Reads the program of a file.
    pub(super) fn read(path: PathBuf) -> Result<Self, TaskError> {
        let bytes = fs::read(&path).map_err(|error| format!("{} cannot be read: {error}", path.display()))?;
        let glibc = oldest_glibc(&bytes).map_err(|reason| format!("{} {reason}", path.display()))?;
        Ok(Self { path, bytes: bytes.into(), glibc })
    }

    /// Builds it as it is shipped. The paths of this machine are left out, so that the result does not depend on them.
    pub(super) fn build(source: &Source) -> Result<Self, TaskError> {
        output::step("building the program as it is shipped");
        let mut build = cargo();
        build.args(BUILD).arg(PROGRAM);
        let prefixes = prefixes()?;
        build.env("CARGO_ENCODED_RUSTFLAGS", flags(&prefixes, "--remap-path-prefix").join("\x1f"));
        // Compilers of C read the same from the environment.
        build.env("CFLAGS", flags(&prefixes, "-ffile-prefix-map").join(" "));
        build.env("SOURCE_DATE_EPOCH", source.epoch.to_string());
        build.env("LOMBARD_COMMIT", &source.commit).env("LOMBARD_COMMIT_DATE", &source.date);
        run(&mut build)?;
        Self::read(target_folder()?.join("dist").join(PROGRAM))
    }

    /// The files of the libraries that it needs, the loader among them, as the loader of this machine finds them.
    pub(super) fn libraries(&self) -> Result<Vec<PathBuf>, TaskError> {
        let found = output(Command::new("ldd").arg(&self.path))?;
        let lines = found.lines().filter(|line| !line.contains("linux-vdso"));
        let libraries =
            lines.map(|line| library(line).ok_or_else(|| format!("ldd does not find {}", line.trim()).into()));
        libraries.collect()
    }

    /// The standard output of the program with these arguments.
    pub(super) fn output(&self, arguments: &[&str]) -> Result<String, TaskError> {
        output(Command::new(&self.path).args(arguments))
    }
}

/// The file in a line of `ldd`: `libc.so.6 => /lib/libc.so.6 (0x00)`, or `/lib64/ld-linux-x86-64.so.2 (0x00)`.
fn library(line: &str) -> Option<PathBuf> {
    let found = line.split_once("=>").map_or(line, |(_, file)| file);
    let file = found.split_whitespace().next()?;
    file.starts_with('/').then(|| PathBuf::from(file))
}

/// The folder with what cargo builds.
fn target_folder() -> Result<PathBuf, TaskError> {
    let named = env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    Ok(std::path::absolute(named.unwrap_or_else(|| workspace().join("target")))?)
}

/// The folders of this machine that would stand in the program, and what stands there instead. The last one that fits a path counts.
fn prefixes() -> Result<[(String, &'static str); 4], TaskError> {
    let home = env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(Path::new(&env::var_os("HOME")?).join(".cargo")));
    let home = home.ok_or("neither CARGO_HOME nor HOME is set")?;
    let sysroot = output(Command::new("rustc").args(["--print", "sysroot"]).current_dir(workspace()))?;
    let text = |path: PathBuf| path.into_os_string().into_string().map_err(|path| format!("{path:?} is not UTF-8"));
    Ok([
        (text(workspace())?, "/lombard"),
        (text(home)?, "/cargo"),
        (sysroot.trim().to_owned(), "/rust"),
        (text(target_folder()?)?, "/lombard/target"),
    ])
}

/// A flag of a compiler for each of them.
fn flags(prefixes: &[(String, &str)], flag: &str) -> Vec<String> {
    prefixes.iter().map(|(from, to)| format!("{flag}={from}={to}")).collect()
}

/// The oldest glibc that has all symbols which a program needs.
///
/// # Errors
/// A sentence that continues after the name of the program.
fn oldest_glibc(program: &[u8]) -> Result<(u32, u32), String> {
    let elf = Elf::parse(program).map_err(|error| format!("is not a program for Linux: {error}"))?;
    let foreign: Vec<_> = elf.libraries.iter().filter(|library| !SYSTEM_LIBRARIES.contains(library)).collect();
    if !foreign.is_empty() {
        return Err(format!("needs {foreign:?}, which the packages do not bring"));
    }
    let mut versions = Vec::new();
    for library in elf.verneed.iter().flat_map(|needed| needed.iter()) {
        let names = library.iter().filter_map(|aux| elf.dynstrtab.get_at(aux.vna_name));
        versions.extend(names.filter_map(glibc_version));
    }
    versions.into_iter().max().ok_or_else(|| "names no version of glibc".to_owned())
}

/// The version in `GLIBC_2.35`, or in `GLIBC_2.2.5`, of which the last part does not matter.
fn glibc_version(symbol: &str) -> Option<(u32, u32)> {
    let mut parts = symbol.strip_prefix(GLIBC)?.split('.').map(str::parse);
    Some((parts.next()?.ok()?, parts.next()?.ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_libraries_are_read_from_what_ldd_prints() {
        let found = library("\tlibc.so.6 => /lib/x86_64-linux-gnu/libc.so.6 (0x00007f)").unwrap();
        assert_eq!(found, Path::new("/lib/x86_64-linux-gnu/libc.so.6"));
        let loader = library("\t/lib64/ld-linux-x86-64.so.2 (0x00007f)").unwrap();
        assert_eq!(loader, Path::new("/lib64/ld-linux-x86-64.so.2"));
        assert_eq!(library("\tlibgone.so.1 => not found"), None);
    }

    #[test]
    fn the_oldest_glibc_is_that_of_the_newest_symbol() {
        assert_eq!(glibc_version("GLIBC_2.35"), Some((2, 35)));
        assert!(glibc_version("GLIBC_2.2.5") < glibc_version("GLIBC_2.17"));
        assert_eq!(glibc_version("GLIBC_PRIVATE"), None);
        // This test itself is a program of that kind.
        let own = fs::read(env::current_exe().unwrap()).unwrap();
        assert!(oldest_glibc(&own).unwrap() >= (2, 17));
        assert!(oldest_glibc(b"#!/bin/sh").unwrap_err().contains("is not a program for Linux"));
    }
}
