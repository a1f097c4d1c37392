//! The package for Debian and Ubuntu, put together by `dpkg-deb`.

use super::artefact::Artefact;
use super::contents::Contents;
use super::repository::{repository_file, repository_text};
use super::tree::{FileTree, gzip};
use crate::command::output;
use crate::error::TaskError;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;
use std::sync::Arc;

/// The configuration that is installed, and kept when an operator has changed it.
pub(super) const CONFIGURATION: &str = "deploy/lombard.toml";
/// The example of a configuration of a real bank.
pub(super) const PRODUCTION: &str = "deploy/lombard-production.toml";
/// The unit of systemd.
pub(super) const UNIT: &str = "deploy/systemd/lombard.service";
/// The user of the unit.
pub(super) const SYSTEM_USER: &str = "deploy/systemd/lombard.sysusers.conf";
/// The scripts that `dpkg` runs, by what it calls them.
const SCRIPTS: [&str; 3] = ["postinst", "prerm", "postrm"];
const CONFIGURATION_PATH: &str = "etc/lombard/lombard.toml";

/// Makes `lombard_VERSION_amd64.deb`.
pub(super) fn package(contents: &Contents) -> Result<Artefact, TaskError> {
    let name = format!("lombard_{}_amd64.deb", contents.source.version);
    let files = files(contents)?;
    let mut tree = files.clone();
    tree.add("DEBIAN/control", control(contents, &files).into_bytes());
    tree.add("DEBIAN/conffiles", format!("/{CONFIGURATION_PATH}\n").into_bytes());
    tree.add("DEBIAN/md5sums", Vec::new());
    for script in SCRIPTS {
        tree.add_program(&format!("DEBIAN/{script}"), repository_file(&format!("deploy/debian/{script}"))?);
    }
    let folder = tempfile::tempdir()?;
    let root = folder.path().join("root");
    fs::create_dir(&root)?;
    fs::set_permissions(&root, fs::Permissions::from_mode(0o755))?;
    tree.write_to(&root)?;
    // `dpkg --verify` compares with these sums.
    let paths: Vec<_> = files.files().map(|(path, ..)| path).filter(|path| *path != CONFIGURATION_PATH).collect();
    fs::write(root.join("DEBIAN/md5sums"), output(Command::new("md5sum").arg("--").args(paths).current_dir(&root))?)?;
    // `dpkg-deb` keeps the modification time of files that are older than the commit, which can occur if the machine's clock is
    // slow.
    tree.set_times(&root, &contents.source)?;
    let package = folder.path().join(&name);
    // One thread writes one block, whatever the machine.
    let mut build = Command::new("dpkg-deb");
    build.args(["--build", "--root-owner-group", "-Zxz", "--threads-max=1"]).arg(&root).arg(&package);
    output(build.env("SOURCE_DATE_EPOCH", contents.source.epoch.to_string()))?;
    Ok(Artefact { name, bytes: fs::read(package)? })
}

/// The files as they are installed.
fn files(contents: &Contents) -> Result<FileTree, TaskError> {
    const DOCUMENTS: &str = "usr/share/doc/lombard";
    let mut tree = FileTree::default();
    tree.add(&format!("{DOCUMENTS}/examples/lombard-production.toml"), repository_file(PRODUCTION)?);
    tree.add_tree(DOCUMENTS, &Contents::monitoring()?);
    tree.add_program("usr/bin/lombard", Arc::clone(&contents.program.bytes));
    tree.add(CONFIGURATION_PATH, repository_file(CONFIGURATION)?);
    tree.add("usr/lib/systemd/system/lombard.service", repository_file(UNIT)?);
    tree.add("usr/lib/sysusers.d/lombard.conf", repository_file(SYSTEM_USER)?);
    for (name, page) in &contents.man_pages {
        tree.add(&format!("usr/share/man/man1/{name}.gz"), gzip(page)?);
    }
    for (shell, name, script) in &contents.completions {
        let folder = match *shell {
            "bash" => "bash-completion/completions",
            "zsh" => "zsh/vendor-completions",
            _ => "fish/vendor_completions.d",
        };
        tree.add(&format!("usr/share/{folder}/{name}"), Arc::clone(script));
    }
    tree.add(&format!("{DOCUMENTS}/copyright"), copyright(contents)?.into_bytes());
    tree.add(&format!("{DOCUMENTS}/changelog.gz"), gzip(&repository_file("CHANGELOG.md")?)?);
    for (name, document, _) in contents.documents()?.files() {
        if !matches!(name, "LICENSE" | "CHANGELOG.md") {
            tree.add(&format!("{DOCUMENTS}/{name}.gz"), gzip(document)?);
        }
    }
    Ok(tree)
}

/// What `dpkg` knows of the package.
fn control(contents: &Contents, files: &FileTree) -> String {
    let (major, minor) = contents.program.glibc;
    let bytes: usize = files.files().map(|(_, bytes, _)| bytes.len()).sum();
    format!(
        "Package: lombard\nVersion: {version}\nArchitecture: amd64\nSection: net\nPriority: optional\n\
         Maintainer: The Lombard contributors <lombard-bank@users.noreply.github.com>\nHomepage: {home}\n\
         Installed-Size: {size}\nDepends: libc6 (>= {major}.{minor}), libgcc-s1, systemd | systemd-standalone-sysusers | adduser\n\
         Recommends: ca-certificates\nSuggests: postgresql\n\
         Description: UK Open Banking account provider\n \
         The account-provider side of the UK Open Banking Read/Write API in one\n \
         program, with its own FAPI authorisation server, consent pages and a\n \
         built-in bank with made-up customers for development.\n",
        version = contents.source.version,
        home = contents.source.repository,
        size = bytes.div_ceil(1024),
    )
}

/// The licence of the package, in the form of Debian.
fn copyright(contents: &Contents) -> Result<String, TaskError> {
    let licence = repository_text("LICENSE")?;
    let indented =
        licence.lines().map(|line| if line.trim().is_empty() { " .".to_owned() } else { format!(" {line}") });
    Ok(format!(
        "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\nUpstream-Name: lombard\n\
         Source: {}\nComment: {} lists the software of others in the program, with its licences.\n\n\
         Files: *\nCopyright: The Lombard contributors\nLicense: Apache-2.0\n\nLicense: Apache-2.0\n{}\n",
        contents.source.repository,
        super::licences::NAME,
        indented.collect::<Vec<_>>().join("\n"),
    ))
}
