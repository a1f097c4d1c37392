//! Verifies the image: loaded by the command that the page prints, and run with a root that cannot be written.

use super::environment::{Environment, Server};
use super::outcome::{Outcome, Subject};
use crate::command::output;
use crate::error::TaskError;
use crate::test::in_path;
use serde_json::Value;
use std::process::Command;

/// The program in the image.
const PROGRAM: &str = "/usr/bin/lombard";

/// Verifies the container image.
pub(super) fn verify(subject: &Subject<'_>, environment: &Environment) -> Result<Vec<Outcome>, TaskError> {
    let version = &subject.contents.source.version;
    let archive = format!("lombard-{version}.oci.tar");
    let mut outcomes = vec![skopeo(environment, &archive)?];
    outcomes.push(docker(environment, &archive)?);
    if in_path("podman").is_none() {
        outcomes.push(Outcome::Skipped("podman is missing, so the image is not run".to_owned()));
        return Ok(outcomes);
    }
    environment.run_section("Containers")?;
    let name = format!("lombard:{version}");
    run(environment, &name)?;
    outcomes
        .push(Outcome::Passed("the tour passes under podman, without root, with a root that is read only".to_owned()));
    output(&mut podman(environment, &["rmi", &name]))?;
    Ok(outcomes)
}

/// Loads the image with docker, where its daemon runs.
fn docker(environment: &Environment, archive: &str) -> Result<Outcome, TaskError> {
    if in_path("docker").is_none() || output(environment.command("docker").arg("info")).is_err() {
        return Ok(Outcome::Skipped("docker is missing or its daemon does not run".to_owned()));
    }
    output(environment.command("docker").args(["load", "--input", archive]))?;
    Ok(Outcome::Passed("docker loads the image".to_owned()))
}

/// Reads the image as a layout of OCI and as an archive of docker.
fn skopeo(environment: &Environment, archive: &str) -> Result<Outcome, TaskError> {
    if in_path("skopeo").is_none() {
        return Ok(Outcome::Skipped("skopeo is missing".to_owned()));
    }
    for format in ["oci-archive", "docker-archive"] {
        let place = format!("{format}:{archive}");
        let said: Value =
            serde_json::from_str(&output(environment.command("skopeo").args(["inspect", "--config", &place]))?)?;
        let user = said.pointer("/config/User").and_then(Value::as_str).unwrap_or_default();
        if user.is_empty() || user.starts_with("0") || user.starts_with("root") {
            return Err(format!("the image runs as {user:?}").into());
        }
    }
    let copied = format!("dir:{}", environment.path("copied").display());
    output(environment.command("skopeo").args([
        "--insecure-policy",
        "copy",
        &format!("oci-archive:{archive}"),
        &copied,
    ]))?;
    Ok(Outcome::Passed("skopeo reads and copies it, as a layout of OCI and as an archive of docker".to_owned()))
}

/// Runs the tour within a container.
fn run(environment: &Environment, image: &str) -> Result<(), TaskError> {
    let container = format!("lombard-verify-{}", std::process::id());
    let options =
        ["run", "--rm", "--name", &container, "--read-only", "--cap-drop", "all", image, "serve", "--ephemeral"];
    let server = Server::start(&mut podman(environment, &options))?;
    let toured = server.tour(|data| podman(environment, &["exec", &container, PROGRAM, "tour", "--data", data]));
    // The server ends with the process of podman; if not, it is ended here.
    let _ = podman(environment, &["rm", "--force", "--ignore", &container]).output();
    toured
}

/// Podman keeps its images and containers in the user's own folders.
fn podman(environment: &Environment, arguments: &[&str]) -> Command {
    let mut podman = environment.command("podman");
    podman.args(arguments);
    podman
}
