//! `lombard config check`: finds all faults of an installation without starting a server.

use super::error::CommandError;
use super::installation::InstallationArguments;
use crate::server::{DatabaseCheck, Preflight};
use clap::Args;

#[derive(Debug, Args)]
pub(super) struct CheckCommand {
    /// Also try what the settings name: the database, its migrations and the key-encryption key, the security module, and the key sets of
    /// directories. Without this the network and the module are not used.
    #[arg(long)]
    online: bool,
    #[command(flatten)]
    installation: InstallationArguments,
}

/// Checks the installation and returns the success message.
pub(super) async fn check(command: CheckCommand) -> Result<String, CommandError> {
    let database = if command.online { DatabaseCheck::Always } else { DatabaseCheck::Never };
    let Preflight { pending_migrations, advice, .. } = command.installation.check(database).await?;
    let state = match pending_migrations.as_deref() {
        None => String::new(),
        Some([]) => "\nThe database is reachable and migrated.".to_owned(),
        Some(pending) => {
            format!("\nThe database is reachable; the sandbox applies {} migrations when it starts.", pending.len())
        }
    };
    let advice: String = advice.iter().map(|it| format!("\nAdvice: {}: {}", it.at, it.message)).collect();
    Ok(format!("The configuration is fine.{state}{advice}"))
}
