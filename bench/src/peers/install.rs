//! Other people's servers, installed with npm under `target/peers` at the versions of the lock files in `bench/peers`.

use crate::result::BenchResult;
use serde_json::Value;
use std::path::{Path, PathBuf};
use tokio::process::Command;

/// Where the lock files and our own servers are, from the workspace's folder.
const SOURCES: &str = "bench/peers";
/// Where packages are installed, from the workspace's folder.
const INSTALLED: &str = "target/peers";
const LOCK: &str = "package-lock.json";
/// Is written when everything is installed: the lock file that it was installed by.
const DONE: &str = "installed.json";

/// A folder of `bench/peers`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Package {
    /// The folder's name, and that of its figure.
    pub(super) name: &'static str,
    /// The package whose version is printed.
    pub(super) package: &'static str,
    /// A package that has to be compiled after it was fetched.
    pub(super) native: Option<&'static str>,
    /// Our own server, if the peer is one.
    pub(super) server: Option<&'static str>,
}

impl Package {
    /// Installs it unless that was done by the same lock file before, and returns its folder.
    ///
    /// # Errors
    /// If npm is missing or fails.
    pub(super) async fn install(&self) -> BenchResult<PathBuf> {
        let (source, folder) = (Path::new(SOURCES).join(self.name), std::path::absolute(INSTALLED)?.join(self.name));
        std::fs::create_dir_all(&folder)?;
        for file in ["package.json", LOCK].into_iter().chain(self.server) {
            std::fs::copy(source.join(file), folder.join(file))?;
        }
        let lock = std::fs::read(source.join(LOCK))?;
        if std::fs::read(folder.join(DONE)).ok().as_ref() != Some(&lock) {
            println!("fetching {} with npm", self.package);
            npm(&folder, &["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]).await?;
            if let Some(native) = self.native {
                npm(&folder, &["rebuild", native, "--loglevel=error"]).await?;
            }
            std::fs::write(folder.join(DONE), lock)?;
        }
        Ok(folder)
    }

    /// Its name and version, as its `package.json` pins them.
    pub(super) fn label(&self) -> BenchResult<String> {
        let file = Path::new(SOURCES).join(self.name).join("package.json");
        let manifest: Value = serde_json::from_slice(&std::fs::read(file)?)?;
        let version = manifest.get("dependencies").and_then(|all| all.get(self.package)).and_then(Value::as_str);
        let version = version.ok_or("a peer without a version")?;
        Ok(format!("{} {version}", self.package))
    }
}

async fn npm(folder: &Path, arguments: &[&str]) -> BenchResult<()> {
    let mut command = Command::new("npm");
    command.args(arguments).current_dir(folder);
    run(&mut command).await
}

/// Runs a program to its end, and says what it said if it fails.
pub(super) async fn run(command: &mut Command) -> BenchResult<()> {
    let name = command.as_std().get_program().to_string_lossy().into_owned();
    let output = command.output().await.map_err(|error| format!("{name} cannot be started: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    Err(format!("{name} failed: {}", String::from_utf8_lossy(&output.stderr).trim()).into())
}

#[cfg(test)]
mod tests {
    use super::super::PACKAGES;
    use super::*;

    /// What npm reads of a folder of `bench/peers`.
    fn read(name: &str, file: &str) -> String {
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("peers").join(name).join(file)).unwrap()
    }

    #[test]
    fn versions_are_exact_and_locked_without_addresses() {
        for package in PACKAGES {
            let manifest: Value = serde_json::from_str(&read(package.name, "package.json")).unwrap();
            let lock: Value = serde_json::from_str(&read(package.name, LOCK)).unwrap();
            let dependencies = manifest["dependencies"].as_object().unwrap();
            assert!(dependencies.contains_key(package.package), "{}", package.name);
            for (name, version) in dependencies {
                assert!(version.as_str().unwrap().starts_with(|it: char| it.is_ascii_digit()), "{name}");
                assert_eq!(lock["packages"][format!("node_modules/{name}")]["version"], *version);
            }
            let packages = lock["packages"].as_object().unwrap();
            assert!(packages.values().all(|it| it.get("resolved").is_none()), "{}", package.name);
        }
    }
}
