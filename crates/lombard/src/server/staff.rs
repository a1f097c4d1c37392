//! The door of the ops listener: how the bank's staff are identified, as `[ops]` says.

use super::{CoreServices, Endpoints, StartError};
use crate::config::{Config, StaffKind, read_certificates, read_secret_text};
use crate::operator_file::OperatorFile;
use jiff::SignedDuration;
use lombard_auth::staff::{OperatorPassword, StaffSessionLimits, StaffSessions};
use lombard_domain::staff::StaffName;
use lombard_files::FileLifetime;
use lombard_oidc::{StaffOidc, StaffOidcSettings};
use lombard_ops::staff::{CALLBACK_PATH, StaffDoor, StaffListener, StaffMethod};
use lombard_ports::entropy::Entropy;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use url::Url;

/// Makes the file of a sandbox's operator if there is none, and reads it; `None` where staff do not log in with a password. The file is there
/// before anybody is told that the server can be reached.
pub(super) fn open_operator(
    config: &Config,
    entropy: &dyn Entropy,
    lifetime: FileLifetime,
) -> Result<Option<OperatorPassword>, StartError> {
    if config.staff_kind() != Some(StaffKind::Password) {
        return Ok(None);
    }
    let unusable =
        |reason: String| StartError::unusable_file("ops.staff", &OperatorFile::path(&config.data_dir), reason);
    let file = OperatorFile::open_or_create(&config.data_dir, entropy, lifetime).map_err(unusable)?;
    let user = StaffName::parse(&file.user).ok_or_else(|| unusable("has a user name that is too long".to_owned()))?;
    Ok(Some(OperatorPassword::new(user, &file.password, &file.token)))
}

/// The door of the ops listener at its address.
pub(super) fn open_door(
    config: &Config,
    services: &CoreServices,
    endpoints: &Endpoints,
    operator: Option<OperatorPassword>,
) -> Result<StaffDoor, StartError> {
    let method = match (config.staff_kind(), operator) {
        (Some(StaffKind::Oidc), _) => StaffMethod::Provider(Arc::new(open_provider(config, services, endpoints)?)),
        (Some(StaffKind::Password), Some(operator)) => StaffMethod::Password(operator),
        // `config::rules` ensures that production has one of the others.
        (Some(StaffKind::Password | StaffKind::Mtls) | None, _) => StaffMethod::Certificate,
    };
    let ops = &config.ops;
    let limits = StaffSessionLimits {
        idle: SignedDuration::from_secs(ops.session_idle_secs.into()),
        lifetime: SignedDuration::from_secs(ops.session_secs.into()),
    };
    let sessions = StaffSessions::new(services.store.clone(), services.ids.clone(), services.clocks.clone(), limits);
    let listener = StaffListener {
        is_secure: config.is_ops_tls(),
        is_loopback: config.server.ops_bind.is_loopback(),
        is_sandbox: config.is_sandbox(),
        bank_name: config.bank.name.clone(),
    };
    Ok(StaffDoor::new(method, sessions, listener))
}

/// The host of the ops listener's address for browsers, if it is configured.
pub(super) fn public_host(config: &Config) -> Option<String> {
    let url = config.ops.public_url.as_ref().and_then(|url| Url::parse(url.as_str()).ok())?;
    url.host_str().map(str::to_owned)
}

fn open_provider(config: &Config, services: &CoreServices, endpoints: &Endpoints) -> Result<StaffOidc, StartError> {
    const SECRET: &str = "ops.client_secret_file";
    const ANCHORS: &str = "ops.anchors_file";
    let ops = &config.ops;
    let empty = PathBuf::new();
    let secret_file = ops.client_secret_file.as_ref().unwrap_or(&empty);
    let secret =
        read_secret_text(secret_file).map_err(|reason| StartError::unusable_file(SECRET, secret_file, reason))?;
    let anchors = match &ops.anchors_file {
        Some(file) => read_certificates(file).map_err(|reason| StartError::unusable_file(ANCHORS, file, reason))?,
        None => Vec::new(),
    };
    let address = match &ops.public_url {
        Some(url) => url.as_str().to_owned(),
        // Browsers and providers treat loopback names alike; the name does not depend on the bound address.
        None => local_address(&endpoints.ops),
    };
    let client_id = ops.client_id.clone().unwrap_or_default();
    let settings = StaffOidcSettings {
        issuer: ops.issuer.clone().unwrap_or_default(),
        audience: ops.audience.clone().unwrap_or_else(|| client_id.clone()),
        client_id,
        client_secret: secret,
        redirect_uri: format!("{address}{CALLBACK_PATH}"),
        scopes: ops.scopes.clone(),
        role_claim: ops.role_claim.clone(),
        name_claim: ops.name_claim.clone(),
        timeout: Duration::from_secs(ops.call_secs),
        plain_loopback: config.is_sandbox(),
        anchors,
    };
    StaffOidc::new(settings, services.clocks.clone())
        .map_err(|error| StartError::unusable_file(ANCHORS, anchors_path(config), error.to_string()))
}

fn anchors_path(config: &Config) -> &Path {
    config.ops.anchors_file.as_deref().unwrap_or_else(|| Path::new(""))
}

/// The address with the name `localhost` in place of the bound address.
fn local_address(url: &str) -> String {
    match Url::parse(url) {
        Ok(parsed) => {
            let port = parsed.port().map(|port| format!(":{port}")).unwrap_or_default();
            format!("{}://localhost{port}", parsed.scheme())
        }
        Err(_) => url.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_provider_sends_browsers_back_to_a_name() {
        for (url, expected) in [
            ("http://127.0.0.1:9090", "http://localhost:9090"),
            ("https://[::1]:9090", "https://localhost:9090"),
            ("http://127.0.0.1", "http://localhost"),
        ] {
            assert_eq!(local_address(url), expected);
        }
    }
}
