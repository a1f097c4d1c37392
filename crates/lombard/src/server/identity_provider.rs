//! Builds the client of the bank's OpenID provider, if one is configured.

use super::{CoreServices, StartError};
use crate::config::{Config, IdentityKind, read_certificates, read_private_key, read_signing_key};
use lombard_oidc::{ClientTls, OidcProvider, OidcSettings};
use lombard_ports::identity::IdentityProvider;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// The configured OpenID provider, which replaces the core's own logins; `None` if none is configured.
pub(super) fn open(
    config: &Config,
    services: &CoreServices,
    public: &str,
) -> Result<Option<Arc<dyn IdentityProvider>>, StartError> {
    if config.identity.kind != IdentityKind::Oidc {
        return Ok(None);
    }
    let identity = &config.identity;
    let key = of_file("identity.key_file", identity.key_file.as_deref(), read_signing_key)?;
    // `config::rules` ensures that the issuer, the client id and the key are set.
    let key = key.ok_or_else(|| StartError::unusable_file("identity.key_file", Path::new(""), "is missing"))?;
    let anchors = of_file("identity.anchors_file", identity.anchors_file.as_deref(), read_certificates)?;
    let chain = of_file("identity.certificate_file", identity.certificate_file.as_deref(), read_certificates)?;
    let certificate_key =
        of_file("identity.certificate_key_file", identity.certificate_key_file.as_deref(), read_private_key)?;
    let tls = ClientTls {
        anchors: anchors.unwrap_or_default(),
        identity: chain.zip(certificate_key).map(|(chain, key)| (chain, key.into())),
    };
    let settings = OidcSettings {
        issuer: identity.issuer.clone().unwrap_or_default(),
        client_id: identity.client_id.clone().unwrap_or_default(),
        redirect_uri: format!("{public}/identity/callback"),
        scopes: identity.scopes.clone(),
        acr_values: identity.acr_values.clone(),
        max_age_secs: identity.max_age_secs,
        customer_claim: identity.customer_claim.clone(),
        details_type: identity.authorization_details_type.clone(),
        decoupled: identity.decoupled,
        timeout: Duration::from_secs(identity.call_secs),
        plain_loopback: config.is_sandbox(),
    };
    let provider = OidcProvider::new(settings, key, tls, services.clocks.clone(), services.ids.clone());
    let provider = provider.map_err(|error| {
        let file = identity.anchors_file.clone().unwrap_or_default();
        StartError::unusable_file("identity.anchors_file", &file, error.to_string())
    })?;
    Ok(Some(Arc::new(provider)))
}

/// Reads the contents of the file that a setting names; `None` if the setting has no value.
fn of_file<T>(
    setting: &'static str,
    file: Option<&Path>,
    read: impl Fn(&Path) -> Result<T, String>,
) -> Result<Option<T>, StartError> {
    let Some(file) = file else { return Ok(None) };
    read(file).map(Some).map_err(|reason| StartError::unusable_file(setting, file, reason))
}
