//! Fetches external programs with which the tests run. They are JOSE libraries and OAuth clients from npm and PyPI, an OpenID provider from
//! npm, and tools for OpenAPI documents. The JOSE libraries verify our signatures, the OAuth clients act as TPPs, and customers log in at
//! the provider. All programs are stored under `target` and are not part of the repository.

use super::programs::in_path;
use crate::command::{run, workspace};
use crate::error::TaskError;
use crate::output;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A library and how it is installed.
struct Library {
    /// The name and version, in the form of the package manager.
    package: &'static str,
    /// Additional packages that the library needs but does not install, in the same form.
    beside: &'static [&'static str],
    /// The folder of the library within the workspace. Its name contains the version, so that another version is fetched again.
    folder: &'static str,
    /// A path that exists once the library is installed.
    proof: &'static str,
    /// The program with which the tests run the library, and the program that installs it.
    programs: [&'static str; 2],
    install: fn(&Path, &str) -> Command,
    /// The environment variable by which the tests find the library.
    variable: &'static str,
    /// The purpose of the library: what is not tested without it.
    purpose: &'static str,
}

const LIBRARIES: [Library; 13] = [
    Library {
        package: "jose@6.2.17",
        beside: &[],
        folder: "target/interop/jose-6.2.17",
        proof: "node_modules/jose/package.json",
        programs: ["node", "npm"],
        install: npm,
        variable: "LOMBARD_TEST_JOSE_NPM",
        purpose: "SIGNATURES",
    },
    Library {
        package: "joserfc==1.8.0",
        beside: &[],
        folder: "target/interop/joserfc-1.8.0",
        proof: "joserfc/__init__.py",
        programs: ["python3", "pip3"],
        install: pip,
        variable: "LOMBARD_TEST_JOSE_PYPI",
        purpose: "SIGNATURES",
    },
    // No supported distribution has a Node.js that runs the newest major version.
    Library {
        package: "oidc-provider@8.8.1",
        beside: &[],
        folder: "target/interop/oidc-provider-8.8.1",
        proof: "node_modules/oidc-provider/package.json",
        programs: ["node", "npm"],
        install: npm,
        variable: "LOMBARD_TEST_OIDC_PROVIDER",
        purpose: "LOGINS AT A BANK'S PROVIDER",
    },
    Library {
        package: "openid-client@6.9.0",
        beside: &["jose@6.2.17", "undici@7.30.2"],
        folder: "target/interop/openid-client-6.9.0",
        proof: "node_modules/undici/package.json",
        programs: ["node", "npm"],
        install: npm,
        variable: "LOMBARD_TEST_OPENID_CLIENT",
        purpose: "TPPS",
    },
    Library {
        package: "oauth4webapi@3.8.8",
        beside: &[],
        folder: "target/interop/oauth4webapi-3.8.8",
        proof: "node_modules/oauth4webapi/package.json",
        programs: ["node", "npm"],
        install: npm,
        variable: "LOMBARD_TEST_OAUTH4WEBAPI",
        purpose: "TPPS",
    },
    Library {
        package: "authlib==1.9.10",
        beside: &["httpx2==2.16.2"],
        folder: "target/interop/authlib-1.9.10",
        proof: "authlib/__init__.py",
        programs: ["python3", "pip3"],
        install: pip,
        variable: "LOMBARD_TEST_AUTHLIB",
        purpose: "TPPS",
    },
    Library {
        package: "@redocly/cli@2.77.0",
        beside: &[],
        folder: "target/interop/redocly-cli-2.77.0",
        proof: "node_modules/@redocly/cli/package.json",
        programs: ["node", "npm"],
        install: npm,
        variable: "LOMBARD_TEST_REDOCLY",
        purpose: "OPENAPI DOCUMENTS",
    },
    Library {
        package: "@stoplight/spectral-cli@6.16.3",
        beside: &[],
        folder: "target/interop/spectral-cli-6.16.3",
        proof: "node_modules/@stoplight/spectral-cli/package.json",
        programs: ["node", "npm"],
        install: npm,
        variable: "LOMBARD_TEST_SPECTRAL",
        purpose: "OPENAPI DOCUMENTS",
    },
    Library {
        package: "openapi-typescript@7.13.0",
        beside: &["typescript@5.9.3", "openapi-fetch@0.17.0", "undici@7.30.2", "@types/node@20.19.0"],
        folder: "target/interop/openapi-typescript-7.13.0",
        proof: "node_modules/undici/package.json",
        programs: ["node", "npm"],
        install: npm,
        variable: "LOMBARD_TEST_OPENAPI_TYPESCRIPT",
        purpose: "OPENAPI DOCUMENTS",
    },
    // Later versions need a later Node.js.
    Library {
        package: "@hey-api/openapi-ts@0.95.0",
        beside: &["typescript@5.9.3", "undici@7.30.2", "@types/node@20.19.0"],
        folder: "target/interop/openapi-ts-0.95.0",
        proof: "node_modules/undici/package.json",
        programs: ["node", "npm"],
        install: npm,
        variable: "LOMBARD_TEST_HEY_API",
        purpose: "OPENAPI DOCUMENTS",
    },
    Library {
        package: "@usebruno/cli@4.1.0",
        beside: &[],
        folder: "target/interop/usebruno-cli-4.1.0",
        proof: "node_modules/@usebruno/cli/package.json",
        programs: ["node", "npm"],
        install: npm,
        variable: "LOMBARD_TEST_BRUNO",
        purpose: "OPENAPI DOCUMENTS",
    },
    Library {
        package: "openapi-python-client==0.29.1",
        beside: &[],
        folder: "target/interop/openapi-python-client-0.29.1",
        proof: "openapi_python_client/__init__.py",
        programs: ["python3", "pip3"],
        install: pip,
        variable: "LOMBARD_TEST_OPENAPI_PYTHON",
        purpose: "OPENAPI DOCUMENTS",
    },
    Library {
        package: "schemathesis==4.32.5",
        beside: &[],
        folder: "target/interop/schemathesis-4.32.5",
        proof: "schemathesis/__init__.py",
        programs: ["python3", "pip3"],
        install: pip,
        variable: "LOMBARD_TEST_SCHEMATHESIS",
        purpose: "OPENAPI DOCUMENTS",
    },
];

/// The date for npm: indirect dependencies are resolved as of this day, so that every installation is the same.
const NPM_DAY: &str = "2026-11-20";

/// How hard the installation is tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum InstallPolicy {
    /// The libraries are required: without them the tests fail.
    Needed,
    /// The libraries are fetched. If that fails, a warning is printed.
    Tried,
    /// The libraries are used only if they are already installed.
    Found,
}

/// Finds or installs the libraries, and returns the environment variables for the tests.
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

pub(super) fn npm(folder: &Path, package: &str) -> Command {
    let mut command = Command::new("npm");
    command.args(["install", "--ignore-scripts", "--no-save", "--no-audit", "--no-fund", "--loglevel=error"]);
    command.args(["--before", NPM_DAY, "--prefix"]).arg(folder).arg(package);
    command
}

/// Installs only wheels, because their installation runs no code of the package.
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
            let (name, version) = library.package.split_once("==").or(library.package.rsplit_once('@')).unwrap();
            // The folder of a scoped package has no scope, unless the name alone is ambiguous.
            let name = name.rsplit_once('/').map_or(name, |(scope, name)| if name == "cli" { scope } else { name });
            let name = name.trim_start_matches('@');
            assert!(library.folder.starts_with(&format!("target/interop/{name}-")), "{}", library.folder);
            assert!(library.folder.ends_with(&format!("-{version}")), "{}", library.folder);
        }
    }

    #[test]
    fn the_examples_are_tested_with_the_versions_that_they_ask_for() {
        let read = |path: &str| fs::read_to_string(workspace().join(path)).unwrap();
        let installed: Vec<_> = LIBRARIES.iter().flat_map(|it| it.beside.iter().chain([&it.package])).collect();
        let package = |path: &str| serde_json::from_str::<serde_json::Value>(&read(path)).unwrap();
        let packages = ["examples/tpp-javascript/package.json", "examples/bruno/package.json"].map(package);
        let javascript = packages.iter().flat_map(|package| package["dependencies"].as_object().unwrap());
        let javascript = javascript.map(|(name, version)| format!("{name}@{}", version.as_str().unwrap()));
        let python = read("examples/tpp-python/requirements.txt");
        for asked in javascript.chain(python.lines().map(str::to_owned)) {
            assert!(installed.iter().any(|it| **it == asked), "{asked} is not what is tested");
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
