//! Verifies the service: a root of Debian with the package is booted in a container, where systemd runs the unit.

use super::environment::Environment;
use super::outcome::Outcome;
use crate::command::output;
use crate::error::TaskError;
use crate::test::in_path;
use std::path::Path;
use std::process::Command;

/// The first process. With its argument, systemd also boots on a machine whose control groups are of version 1.
const BOOT: [&str; 2] = ["/sbin/init", "SYSTEMD_CGROUP_ENABLE_LEGACY_FORCE=1"];

/// What an administrator does with the service. A container lacks parts of a machine, so a few units of the system may fail.
const ADMINISTRATION: &str = "
tour() {
  until test -e /var/lib/lombard/endpoints.json; do
    systemctl is-active --quiet lombard
    sleep 0.2
  done
  runuser --user lombard -- lombard tour --data /var/lib/lombard
}
until systemctl is-system-running --wait | grep --quiet --line-regexp -e running -e degraded; do sleep 0.2; done
systemctl enable --now lombard
tour
systemctl reload lombard
systemctl is-active --quiet lombard
systemctl restart lombard
tour
systemctl stop lombard
test \"$(systemctl show --property Result --value lombard)\" = success
test \"$(systemctl show --property ExecMainStatus --value lombard)\" = 0
";

/// The longest that it may take, in seconds.
const LIMIT_SECS: &str = "300";

/// Starts, reloads, restarts and stops the service in this root, in which the package is installed.
pub(super) fn verify(environment: &Environment, root: &Path) -> Result<Outcome, TaskError> {
    if in_path("podman").is_none() {
        return Ok(Outcome::Skipped("podman is missing, so systemd does not run the service".to_owned()));
    }
    let machine = Machine::boot(environment, root)?;
    let administered = output(&mut machine.command(&["timeout", LIMIT_SECS, "sh", "-euc", ADMINISTRATION]));
    administered.map_err(|error| format!("{error}\n{}", machine.journal()))?;
    Ok(Outcome::Passed(
        "systemd starts, reloads, restarts and stops the service, and the tour passes after each start".to_owned(),
    ))
}

/// A container that is a machine with systemd. It is removed when this is dropped.
struct Machine<'a> {
    environment: &'a Environment,
    name: String,
}

impl<'a> Machine<'a> {
    fn boot(environment: &'a Environment, root: &Path) -> Result<Self, TaskError> {
        let machine = Self { environment, name: format!("lombard-service-{}", std::process::id()) };
        let mut run = environment.command("podman");
        run.args(["run", "--detach", "--privileged", "--systemd=always", "--network=none", "--name", &machine.name]);
        output(run.arg("--rootfs").arg(root).args(BOOT))?;
        Ok(machine)
    }

    /// A program that runs in it.
    fn command(&self, arguments: &[&str]) -> Command {
        let mut podman = self.environment.command("podman");
        podman.args(["exec", &self.name]).args(arguments);
        podman
    }

    /// What systemd and the service have logged.
    fn journal(&self) -> String {
        let read = output(&mut self.command(&["journalctl", "--no-pager", "--lines=100", "--unit=lombard"]));
        read.unwrap_or_else(|error| format!("its journal cannot be read: {error}"))
    }
}

impl Drop for Machine<'_> {
    fn drop(&mut self) {
        // One that did not boot has nothing to remove.
        let _ = self.environment.command("podman").args(["rm", "--force", "--ignore", &self.name]).output();
    }
}
