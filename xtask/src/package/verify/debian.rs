//! Verifies the package for Debian: unpacked, and where this machine can make a root of Debian, installed there.

use super::environment::{Environment, tour};
use super::outcome::{Outcome, Subject};
use super::page::commands;
use crate::command::output;
use crate::error::TaskError;
use crate::package::deb::UNIT;
use crate::test::in_path;
use std::fs;
use std::path::Path;
use std::process::Command;

/// The most exposure of the unit that is accepted, in tenths.
const EXPOSURE_MAX: u32 = 20;
/// The shells that check their completions without running them.
const SHELLS: [(&str, &str); 3] = [
    ("bash", "usr/share/bash-completion/completions/lombard"),
    ("zsh", "usr/share/zsh/vendor-completions/_lombard"),
    ("fish", "usr/share/fish/vendor_completions.d/lombard.fish"),
];

/// Verifies the Debian package.
pub(super) fn verify(subject: &Subject<'_>, environment: &Environment) -> Result<Vec<Outcome>, TaskError> {
    let package = format!("lombard_{}_amd64.deb", subject.contents.source.version);
    let root = environment.path("root");
    output(environment.command("dpkg-deb").args(["--extract", &package, "root"]))?;
    tour(|| environment.command(root.join("usr/bin/lombard")))?;
    let mut outcomes = vec![Outcome::Passed("the tour passes from the unpacked files".to_owned())];
    outcomes.push(unit(environment)?);
    outcomes.extend(documentation(environment, &root)?);
    outcomes.push(configuration(environment, &root)?);
    outcomes.extend(installed(environment, &package)?);
    Ok(outcomes)
}

/// Checks that the file is a valid systemd unit, and that it is hardened.
fn unit(environment: &Environment) -> Result<Outcome, TaskError> {
    if in_path("systemd-analyze").is_none() {
        return Ok(Outcome::Skipped("systemd-analyze is missing".to_owned()));
    }
    let unit = crate::command::workspace().join(UNIT);
    let threshold = format!("--threshold={EXPOSURE_MAX}");
    let said =
        output(environment.command("systemd-analyze").args(["security", "--offline=true", &threshold]).arg(&unit))?;
    let exposure = said.lines().rev().find(|line| line.contains("exposure")).unwrap_or_default();
    Ok(Outcome::Passed(exposure.trim().to_owned()))
}

/// The shells read their completions, and the manual pages are formatted without a warning.
fn documentation(environment: &Environment, root: &Path) -> Result<Vec<Outcome>, TaskError> {
    let mut outcomes = Vec::new();
    for (shell, path) in SHELLS {
        if in_path(shell).is_none() {
            outcomes.push(Outcome::Skipped(format!("{shell} is missing, which reads its completions")));
            continue;
        }
        output(environment.command(shell).arg("-n").arg(root.join(path)))?;
        outcomes.push(Outcome::Passed(format!("{shell} reads its completions")));
    }
    if in_path("man").is_none() {
        outcomes.push(Outcome::Skipped("man is missing, which reads the manual pages".to_owned()));
        return Ok(outcomes);
    }
    let mut count = 0_usize;
    for page in fs::read_dir(root.join("usr/share/man/man1"))? {
        let mut man = environment.command("man");
        man.env("MANWIDTH", "120").args(["--warnings", "--local-file"]).arg(page?.path());
        let read = man.output()?;
        if !read.status.success() || !read.stderr.is_empty() {
            return Err(format!("man says of a page: {}", String::from_utf8_lossy(&read.stderr)).into());
        }
        count = count.saturating_add(1);
    }
    outcomes.push(Outcome::Passed(format!("man reads {count} pages")));
    Ok(outcomes)
}

/// The program takes the configuration that is installed.
fn configuration(environment: &Environment, root: &Path) -> Result<Outcome, TaskError> {
    let mut check = environment.command(root.join("usr/bin/lombard"));
    check.args(["config", "check", "--config"]).arg(root.join("etc/lombard/lombard.toml"));
    output(&mut check)?;
    Ok(Outcome::Passed("the program takes /etc/lombard/lombard.toml".to_owned()))
}

/// Installs the package in a new root of Debian by the command that the page prints, and has systemd run the service there.
fn installed(environment: &Environment, package: &str) -> Result<Vec<Outcome>, TaskError> {
    let is_root = output(Command::new("id").arg("-u"))?.trim() == "0";
    if !is_root || in_path("debootstrap").is_none() {
        let why = "a root of Debian needs debootstrap and the rights of root; the package is only unpacked";
        return Ok(vec![Outcome::Skipped(why.to_owned())]);
    }
    let root = environment.path("debian");
    let debootstrap = ["--variant=minbase", "--include=systemd-sysv", "stable"];
    let made = output(environment.command("debootstrap").args(debootstrap).arg(&root));
    if let Err(error) = made {
        return Ok(vec![Outcome::Skipped(format!("debootstrap makes no root of Debian: {error}"))]);
    }
    fs::copy(environment.path(package), root.join(package))?;
    // Everything is run as root, and nobody answers questions.
    fs::write(root.join("etc/apt/apt.conf.d/90assume-yes"), "APT::Get::Assume-Yes \"true\";\n")?;
    // The root has no machine around it that gives it a name.
    fs::write(root.join("etc/hosts"), "127.0.0.1 localhost\n::1 localhost\n")?;
    let within = |program: &str| {
        let mut command = environment.command("chroot");
        command.env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin").env("HOME", "/root").arg(&root).arg(program);
        command.env("DEBIAN_FRONTEND", "noninteractive");
        command
    };
    let commands = commands("Debian and Ubuntu")?.replace("sudo ", "");
    output(within("sh").args(["-euc", &format!("cd /\n{commands}")]))?;
    if !fs::read_to_string(root.join("etc/passwd"))?.contains("\nlombard:") {
        return Err("the package made no user".into());
    }
    output(within("dpkg").args(["--verify", "lombard"]))?;
    tour(|| within("lombard"))?;
    let service = super::service::verify(environment, &root)?;
    output(within("apt-get").args(["purge", "lombard"]))?;
    if root.join("etc/lombard/lombard.toml").exists() {
        return Err("the configuration is left after a purge".into());
    }
    let installed = "apt installs it in a new root of Debian, the tour passes there, and apt purges it";
    Ok(vec![service, Outcome::Passed(installed.to_owned())])
}
