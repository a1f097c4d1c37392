//! `lombard ready`: asks the running server whether it is ready, for probes that run a command.

use super::error::CommandError;
use crate::ops_client;
use crate::output::print_line;
use crate::server::Endpoints;
use std::path::Path;

pub(super) async fn check_ready(data: &Path) -> Result<(), CommandError> {
    let endpoints = Endpoints::of_running(data).await.ok_or_else(|| CommandError::NotReady(data.to_owned()))?;
    let answer = ops_client::fetch_from_ops(&endpoints.ops, "/readyz").await?;
    print_line(answer.as_str().map_or("ready", str::trim));
    Ok(())
}
