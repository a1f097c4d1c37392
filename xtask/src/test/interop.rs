//! What others wrote and the tests run against: two JOSE libraries that verify our signatures and three OAuth clients that are TPPs, of
//! npm and of PyPI, and an OpenID provider from npm at which customers log in. They are fetched and stored under `target`; they are not part of the
//! repository.

use super::programs::in_path;
use crate::command::{run, workspace};
use crate::error::TaskError;
use crate::output;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A library, and how it is had.
struct Library {
    /// Name and version, as its installer takes them.
    package: &'static str,
    /// A package that it needs beside it and that its own does not bring, in the same form.
    beside: Option<&'static str>,
    /// Where it is kept, from the workspace's folder; the version is part of it, so that another one is fetched anew.
    folder: &'static str,
    /// What is there once it is installed.
    proof: &'static str,
    /// What the tests run it with, and what installs it.
    programs: [&'static str; 2],
    install: fn(&Path, &str) -> Command,
    /// How the tests are told where it is.
    variable: &'static str,
    /// What is not tested without it.
    purpose: &'static str,
}

const LIBRARIES: [Library; 6] = [
    Library {
        package: "jose@6.2.17",
        beside: None,
        folder: "target/interop/jose-6.2.17",
        proof: "node_modules/jose/package.json",
        programs: ["node", "npm"],
        install: npm,
        variable: "LOMBARD_TEST_JOSE_NPM",
        purpose: "SIGNATURES",
    },
    Library {
        package: "joserfc==1.8.0",
        beside: None,
        folder: "target/interop/joserfc-1.8.0",
        proof: "joserfc/__init__.py",
        programs: ["python3", "pip3"],
        install: pip,
        variable: "LOMBARD_TEST_JOSE_PYPI",
        purpose: "SIGNATURES",
    },
    // The newest major version runs on no Node.js that the supported distributions have.
    Library {
        package: "oidc-provider@8.8.1",
        beside: None,
        folder: "target/interop/oidc-provider-8.8.1",
        proof: "node_modules/oidc-provider/package.json",
        programs: ["node", "npm"],
        install: npm,
        variable: "LOMBARD_TEST_OIDC_PROVIDER",
        purpose: "LOGINS AT A BANK'S PROVIDER",
    },
    Library {
        package: "openid-client@6.9.0",
        beside: None,
        folder: "target/interop/openid-client-6.9.0",
        proof: "node_modules/openid-client/package.json",
        programs: ["node", "npm"],
        install: npm,
        variable: "LOMBARD_TEST_OPENID_CLIENT",
        purpose: "TPPS",
    },
    Library {
        package: "oauth4webapi@3.8.8",
        beside: None,
        folder: "target/interop/oauth4webapi-3.8.8",
        proof: "node_modules/oauth4webapi/package.json",
        programs: ["node", "npm"],
        install: npm,
        variable: "LOMBARD_TEST_OAUTH4WEBAPI",
        purpose: "TPPS",
    },
    Library {
        package: "authlib==1.9.10",
        beside: Some("httpx2==2.16.2"),
        folder: "target/interop/authlib-1.9.10",
        proof: "authlib/__init__.py",
        programs: ["python3", "pip3"],
        install: pip,
        variable: "LOMBARD_TEST_AUTHLIB",
        purpose: "TPPS",
    },
];

/// Packages of npm that others depend on are those of this day, so that every installation is the same.
const NPM_DAY: &str = "2026-11-20";

/// How much is done for them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum InstallPolicy {
    /// They were asked for: without them there is no test.
    Needed,
    /// They are fetched; if that cannot be done it is said loudly.
    Tried,
    /// They are used if they are there.
    Found,
}

/// The variables that tell the tests where the libraries are.
pub(super) fn find(wanted: InstallPolicy) -> Result<Vec<(&'static str, PathBuf)>, TaskError> {
    let mut found = Vec::new();
    for library in &LIBRARIES {
        let folder = workspace().join(library.folder);
        match ready(library, &folder, wanted) {
            Ok(()) => {
                output::note(&format!("{}: {}", library.package, folder.display()));
                found.push((library.variable, folder));
            }
            Err(failure) if wanted == InstallPolicy::Needed => return Err(failure),
            Err(failure) => {
                output::note(&format!("{} ARE NOT TESTED WITH {}: {failure}", library.purpose, library.package))
            }
        }
    }
    Ok(found)
}

fn ready(library: &Library, folder: &Path, wanted: InstallPolicy) -> Result<(), TaskError> {
    let missing = library.programs.iter().find(|program| in_path(program).is_none());
    if let Some(program) = missing {
        return Err(format!("there is no {program}").into());
    }
    if folder.join(library.proof).exists() {
        return Ok(());
    }
    if wanted == InstallPolicy::Found {
        return Err("it is not installed; cargo xtask test --interop does that".into());
    }
    fs::create_dir_all(folder)?;
    output::step(&format!("fetching {} with {}", library.package, library.programs[1]));
    run((library.install)(folder, library.package).args(library.beside).current_dir(folder))
}

fn npm(folder: &Path, package: &str) -> Command {
    let mut command = Command::new("npm");
    command.args(["install", "--ignore-scripts", "--no-save", "--no-audit", "--no-fund", "--loglevel=error"]);
    command.args(["--before", NPM_DAY, "--prefix"]).arg(folder).arg(package);
    command
}

/// Wheels alone: nothing that is fetched runs a program of its own here.
fn pip(folder: &Path, package: &str) -> Command {
    let mut command = Command::new("pip3");
    command.args(["install", "--quiet", "--disable-pip-version-check", "--only-binary=:all:", "--upgrade"]);
    command.env("PIP_ROOT_USER_ACTION", "ignore").arg("--target").arg(folder).arg(package);
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_pinned_and_part_of_the_folder() {
        for library in &LIBRARIES {
            let (name, version) = library.package.split_once("==").or(library.package.split_once('@')).unwrap();
            assert_eq!(library.folder, format!("target/interop/{name}-{version}"));
        }
    }

    #[test]
    fn what_is_neither_there_nor_to_be_fetched_is_said_to_be_missing() {
        let folder = tempfile::tempdir().unwrap();
        let library = Library { programs: ["sh", "sh"], ..LIBRARIES[0] };
        let failure = ready(&library, folder.path(), InstallPolicy::Found).unwrap_err();
        assert!(failure.to_string().contains("--interop"));
        let library = Library { programs: ["sh", "no-such-program-here"], ..LIBRARIES[0] };
        assert!(
            ready(&library, folder.path(), InstallPolicy::Needed)
                .unwrap_err()
                .to_string()
                .contains("no-such-program-here")
        );
    }
}
