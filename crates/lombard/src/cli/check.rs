//! `lombard config check`: everything that is wrong with an installation, before a server starts on it.

use super::error::CommandError;
use super::installation::InstallationArguments;
use crate::server::{DatabaseCheck, Preflight};
use clap::Args;

#[derive(Debug, Args)]
pub(super) struct CheckCommand {
    /// Connect to the database too, and say whether it is migrated. Otherwise nothing uses the network.
    #[arg(long)]
    online: bool,
    #[command(flatten)]
    installation: InstallationArguments,
}

/// Looks, and says that nothing is wrong.
pub(super) async fn check(command: CheckCommand) -> Result<String, CommandError> {
    let database = if command.online { DatabaseCheck::Always } else { DatabaseCheck::Never };
    let Preflight { pending_migrations, .. } = command.installation.check(database).await?;
    let state = match pending_migrations.as_deref() {
        None => String::new(),
        Some([]) => "\nThe database is reachable and migrated.".to_owned(),
        Some(pending) => {
            format!("\nThe database is reachable; the sandbox applies {} migrations when it starts.", pending.len())
        }
    };
    Ok(format!("The configuration is fine.{state}"))
}
