//! `--ephemeral`: a sandbox on free ports that keeps no data, for programs that start one for a test.

use super::error::CommandError;
use crate::config::Sources;
use tempfile::TempDir;

/// The settings that make a sandbox ephemeral: free ports, and a database that is removed with the process.
const SETTINGS: [(&str, &str); 4] = [
    ("LOMBARD__SERVER__PUBLIC_PORT", "0"),
    ("LOMBARD__SERVER__MTLS_PORT", "0"),
    ("LOMBARD__SERVER__OPS_PORT", "0"),
    ("LOMBARD__DATABASE__URL", "sqlite::memory:"),
];

/// Creates a temporary folder for all files of a sandbox. Dropping the value removes the folder.
pub(super) fn temporary_folder() -> Result<TempDir, CommandError> {
    tempfile::Builder::new().prefix("lombard-").tempdir().map_err(CommandError::TemporaryFolder)
}

/// Replaces the settings that make a sandbox ephemeral in these sources.
pub(super) fn ephemeral_sources(mut sources: Sources) -> Sources {
    sources.environment.retain(|(name, _)| !SETTINGS.iter().any(|(setting, _)| setting == name));
    sources.environment.extend(SETTINGS.map(|(name, value)| (name.to_owned(), value.to_owned())));
    sources
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;

    #[test]
    fn an_ephemeral_sandbox_has_free_ports_and_no_database_file_in_all_cases() {
        let environment = vec![
            ("LOMBARD__SERVER__PUBLIC_PORT".to_owned(), "8443".to_owned()),
            ("LOMBARD__BANK__NAME".to_owned(), "Test Bank".to_owned()),
        ];
        let config = Config::load(&ephemeral_sources(Sources { file: None, environment })).unwrap();
        let server = &config.server;
        assert_eq!((server.public_port, server.mtls_port, server.ops_port), (0, 0, 0));
        assert_eq!(config.database.url.unwrap().expose(), "sqlite::memory:");
        assert_eq!(config.bank.name, "Test Bank", "other settings stay");
    }
}
