//! An empty environment: a folder, with no variables but those that programs cannot do without.

use super::page::commands;
use crate::command::output;
use crate::error::TaskError;
use serde_json::Value;
use std::env;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read, Seek};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use tempfile::TempDir;

/// The variables that are kept: where programs are, and how this machine reaches registries.
const KEPT: [&str; 9] = [
    "PATH",
    "http_proxy",
    "https_proxy",
    "no_proxy",
    "HTTPS_PROXY",
    "SSL_CERT_FILE",
    "REQUESTS_CA_BUNDLE",
    "PIP_CONFIG_FILE",
    "NODE_EXTRA_CA_CERTS",
];

/// An empty folder in which the packages are found by their names.
#[derive(Debug)]
pub(super) struct Environment {
    folder: TempDir,
}

impl Environment {
    /// Creates the environment.
    pub(super) fn new(packages: &Path) -> Result<Self, TaskError> {
        let folder = tempfile::tempdir()?;
        for entry in fs::read_dir(packages)? {
            let entry = entry?;
            if entry.file_type()?.is_file() {
                symlink(entry.path(), folder.path().join(entry.file_name()))?;
            }
        }
        Ok(Self { folder })
    }

    /// A path in the environment.
    pub(super) fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    /// A command that runs in the environment.
    pub(super) fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new(program);
        command.current_dir(self.folder.path()).env_clear().env("HOME", self.folder.path()).stdin(Stdio::null());
        command.envs(KEPT.iter().filter_map(|name| Some((name, env::var_os(name)?))));
        command
    }

    /// Runs the commands of a section of the page, as it prints them.
    pub(super) fn run_section(&self, section: &str) -> Result<String, TaskError> {
        output(self.command("sh").args(["-euc", &commands(section)?]))
    }
}

/// Starts an ephemeral server, runs the tour on it, and ends it. Both are the program with the arguments that are given to `command`.
pub(super) fn tour(command: impl Fn() -> Command) -> Result<(), TaskError> {
    let mut serve = command();
    let server = Server::start(serve.args(["serve", "--ephemeral"]))?;
    server.tour(|data| {
        let mut tour = command();
        tour.args(["tour", "--data", data]);
        tour
    })
}

/// A running server, which is ended when this is dropped.
#[derive(Debug)]
pub(super) struct Server {
    process: Child,
    /// What it logs, which is shown if the tour fails.
    log: File,
}

impl Server {
    /// Starts it.
    pub(super) fn start(command: &mut Command) -> Result<Self, TaskError> {
        let log = tempfile::tempfile()?;
        let process = command.stdout(Stdio::piped()).stderr(log.try_clone()?).spawn()?;
        Ok(Self { process, log })
    }

    /// Waits for the line that an ephemeral server prints, and runs the tour on its folder.
    pub(super) fn tour(mut self, tour: impl Fn(&str) -> Command) -> Result<(), TaskError> {
        let toured = self.ready().and_then(|data| output(&mut tour(&data)));
        toured.map(drop).map_err(|error| format!("{error}\n{}", self.logged()).into())
    }

    /// The folder of the server, as soon as it can be reached.
    fn ready(&mut self) -> Result<String, TaskError> {
        let stdout = self.process.stdout.take().ok_or("the server has no output")?;
        let mut line = String::new();
        BufReader::new(stdout).read_line(&mut line)?;
        let ready: Value =
            serde_json::from_str(&line).map_err(|error| format!("the server printed {line:?}: {error}"))?;
        let data = ready.get("data_dir").and_then(Value::as_str);
        Ok(data.ok_or("the server names no folder")?.to_owned())
    }

    fn logged(&mut self) -> String {
        let mut text = String::new();
        let read = self.log.rewind().and_then(|()| self.log.read_to_string(&mut text));
        read.map_or_else(|error| format!("its log cannot be read: {error}"), |_| text)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended by itself; then nothing is left to do.
        let _ = Command::new("kill").arg(self.process.id().to_string()).stderr(Stdio::null()).status();
        let _ = self.process.wait();
    }
}
