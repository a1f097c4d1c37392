//! `lombard tls`: reloads the TLS files of a running server.

use super::error::CommandError;
use super::installation::InstallationArguments;
use crate::ops_client::{self, OpsClient};
use crate::output::print_line;
use crate::server::Endpoints;
use clap::Subcommand;
use lombard_ops::{OperationError, TlsReloaded};
use serde_json::Value;

/// The error when no server runs.
const NO_SERVER: &str = "no server runs on this data; a server reads its TLS files when it starts";

#[derive(Debug, Subcommand)]
pub(super) enum TlsCommand {
    /// Have the running server read its certificates, keys, trust anchors and lists of revoked certificates again. No connection is closed. Files that cannot be
    /// used change nothing.
    Reload(InstallationArguments),
}

pub(super) async fn run(command: TlsCommand) -> Result<(), CommandError> {
    let TlsCommand::Reload(place) = command;
    let config = place.load()?;
    let Some(endpoints) = Endpoints::of_running(&config.data_dir).await else {
        return Err(OperationError::Refused(NO_SERVER.to_owned()).into());
    };
    let ops = OpsClient::of_installation(&config, &endpoints.ops)?;
    let answer = ops_client::call_operation(&ops, "/operations/tls/reload", &Value::Null).await?;
    print_line(&summary(&serde_json::from_value(answer)?));
    Ok(())
}

fn summary(reloaded: &TlsReloaded) -> String {
    let what = if reloaded.changed { "The TLS files are in force." } else { "The TLS files have not changed." };
    let certificates =
        reloaded.certificates.iter().map(|it| format!("Certificate {} is valid until {}.", it.serial, it.not_after));
    let anchors = format!(
        "{} trust anchor(s) of TPPs, {} list(s) of revoked certificates.",
        reloaded.tpp_anchors, reloaded.revocation_lists
    );
    [what.to_owned()].into_iter().chain(certificates).chain([anchors]).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use lombard_ops::ServerCertificateView;

    #[test]
    fn a_reload_says_which_certificates_are_shown() {
        let certificate =
            ServerCertificateView { serial: "0a:0b".to_owned(), not_after: "2027-01-01T00:00:00Z".to_owned() };
        let reloaded =
            TlsReloaded { changed: true, certificates: vec![certificate], tpp_anchors: 2, revocation_lists: 1 };
        let text = summary(&reloaded);
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(
            lines,
            [
                "The TLS files are in force.",
                "Certificate 0a:0b is valid until 2027-01-01T00:00:00Z.",
                "2 trust anchor(s) of TPPs, 1 list(s) of revoked certificates."
            ]
        );
        assert!(summary(&TlsReloaded { changed: false, ..reloaded }).starts_with("The TLS files have not changed."));
    }
}
