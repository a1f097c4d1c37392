//! The program of this workspace, and the references that it prints.

use crate::command::{self, cargo};
use crate::error::TaskError;
use cargo_metadata::{Artifact, Message};
use std::path::PathBuf;
use std::process::Command;

/// The program, built.
pub(crate) struct Program(PathBuf);

impl Program {
    /// Builds the program together with all tests. Built by itself, its dependencies would have other features, and all of them would be
    /// built again for the tests.
    pub(crate) fn build() -> Result<Self, TaskError> {
        let mut build = cargo();
        build.args(["build", "--locked", "--workspace", "--tests", "--bin", "lombard"]);
        let messages = command::output(build.arg("--message-format=json-render-diagnostics"))?;
        for message in Message::parse_stream(messages.as_bytes()) {
            if let Message::CompilerArtifact(Artifact { target, profile, executable: Some(program), .. }) = message?
                && target.name == "lombard"
                && !profile.test
            {
                return Ok(Self(program.into()));
            }
        }
        Err("the build names no program lombard".into())
    }

    /// What `lombard reference NAME` prints.
    pub(crate) fn reference(&self, name: &str) -> Result<String, TaskError> {
        command::output(Command::new(&self.0).args(["reference", name]))
    }
}
