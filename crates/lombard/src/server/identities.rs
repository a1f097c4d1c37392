//! The certificates the listeners show and the authorities they trust: from files, or the sandbox's own.

use super::core_services::file_error;
use super::{Sandbox, StartError};
use crate::config::{Config, read_certificates, read_private_key};
use lombard_http::listener::tls::ServerCertificate;
use std::path::Path;
use zeroize::Zeroizing;

/// What TLS is made from.
pub(super) struct Identities {
    servers: Vec<(Chain, Zeroizing<Vec<u8>>)>,
    pub(super) tpp_anchors: Vec<Vec<u8>>,
}

/// Certificates, leaf first, DER.
type Chain = Vec<Vec<u8>>;

impl Identities {
    /// As the listeners take them.
    pub(super) fn borrow(&self) -> Vec<ServerCertificate<'_>> {
        self.servers.iter().map(|(chain, key)| ServerCertificate { chain, key_pkcs8: key }).collect()
    }
}

/// Loads what the settings name; what they leave out is the sandbox's.
pub(super) fn load(config: &Config, sandbox: Option<&Sandbox>) -> Result<Identities, StartError> {
    let tls = &config.tls;
    let mut servers = Vec::new();
    for (certificate_setting, certificate, key_setting, key) in [
        ("tls.rsa_certificate_file", &tls.rsa_certificate_file, "tls.rsa_key_file", &tls.rsa_key_file),
        ("tls.ec_certificate_file", &tls.ec_certificate_file, "tls.ec_key_file", &tls.ec_key_file),
    ] {
        if let (Some(certificate), Some(key)) = (certificate, key) {
            servers.push((certificates(certificate_setting, certificate)?, private_key(key_setting, key)?));
        }
    }
    let mut tpp_anchors = match &tls.tpp_anchors_file {
        Some(file) => certificates("tls.tpp_anchors_file", file)?,
        None => Vec::new(),
    };
    if let Some(sandbox) = sandbox {
        if servers.is_empty() {
            let own = sandbox.trust().server_identities().iter();
            servers = own.map(|own| (own.chain_der.clone(), own.key_pkcs8_der.clone())).collect();
        }
        tpp_anchors.extend(sandbox.trust().tpp_anchors());
    }
    Ok(Identities { servers, tpp_anchors })
}

/// The certificates of a PEM file that a setting names.
pub(super) fn certificates(setting: &'static str, path: &Path) -> Result<Chain, StartError> {
    let certificates = read_certificates(path).map_err(|reason| file_error(setting, path, reason))?;
    Ok(certificates.into_iter().map(|der| der.to_vec()).collect())
}

fn private_key(setting: &'static str, path: &Path) -> Result<Zeroizing<Vec<u8>>, StartError> {
    let key = read_private_key(path).map_err(|reason| file_error(setting, path, reason))?;
    Ok(Zeroizing::new(key.secret_pkcs8_der().to_vec()))
}
