//! The listeners' certificates and their trust anchors, from files or from the sandbox.

use super::{Sandbox, StartError};
use crate::config::{Config, read_certificates, read_private_key};
use lombard_http::listener::tls::{ServerCertificate, TlsMaterial};
use lombard_ports::clock::Clocks;
use rustls::ServerConfig;
use std::path::Path;
use std::sync::Arc;
use zeroize::Zeroizing;

/// The server certificates and trust anchors of the TLS configuration.
pub(super) struct Identities {
    servers: Vec<(Chain, Zeroizing<Vec<u8>>)>,
    tpp_anchors: Vec<Vec<u8>>,
}

/// TLS of the public and of the mtls listener.
pub(super) struct ListenerTls {
    pub(super) public: Arc<ServerConfig>,
    pub(super) mtls: Arc<ServerConfig>,
}

/// Certificates, leaf first, DER.
type Chain = Vec<Vec<u8>>;

impl Identities {
    /// The TLS configurations of the public and the mtls listener.
    pub(super) fn tls(&self, session_secs_max: u64, clocks: Clocks) -> Result<ListenerTls, StartError> {
        let material = TlsMaterial::new(&self.borrow(), session_secs_max, clocks).map_err(StartError::Tls)?;
        let mtls = material.mtls(&self.tpp_anchors).map_err(StartError::Tls)?;
        Ok(ListenerTls { public: material.public().map_err(StartError::Tls)?, mtls })
    }

    /// The certificates in the form that the listeners take.
    fn borrow(&self) -> Vec<ServerCertificate<'_>> {
        self.servers.iter().map(|(chain, key)| ServerCertificate { chain, key_pkcs8: key }).collect()
    }
}

/// Loads the files that the settings name; the sandbox's own are used for the others.
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
    let certificates = read_certificates(path).map_err(|reason| StartError::unusable_file(setting, path, reason))?;
    Ok(certificates.into_iter().map(|der| der.to_vec()).collect())
}

fn private_key(setting: &'static str, path: &Path) -> Result<Zeroizing<Vec<u8>>, StartError> {
    let key = read_private_key(path).map_err(|reason| StartError::unusable_file(setting, path, reason))?;
    Ok(Zeroizing::new(key.secret_pkcs8_der().to_vec()))
}
