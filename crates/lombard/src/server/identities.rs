//! The certificates the listeners show and the authorities they trust: from files, or the sandbox's own.

use super::foundation::file_error;
use super::{Sandbox, StartError};
use crate::config::Config;
use lombard_http::listener::tls::Identity;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivatePkcs8KeyDer};
use std::path::{Path, PathBuf};
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
    pub(super) fn borrow(&self) -> Vec<Identity<'_>> {
        self.servers.iter().map(|(chain, key)| Identity { chain, key_pkcs8: key }).collect()
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
pub(super) fn certificates(setting: &'static str, path: &PathBuf) -> Result<Chain, StartError> {
    let unreadable = |error| file_error(setting, path, format!("cannot be read as PEM certificates ({error})"));
    let read: Result<Vec<_>, _> = CertificateDer::pem_file_iter(path).map_err(unreadable)?.collect();
    let chain: Chain = read.map_err(unreadable)?.into_iter().map(|der| der.to_vec()).collect();
    if chain.is_empty() {
        return Err(file_error(setting, path, "holds no PEM certificate"));
    }
    Ok(chain)
}

fn private_key(setting: &'static str, path: &Path) -> Result<Zeroizing<Vec<u8>>, StartError> {
    let key = PrivatePkcs8KeyDer::from_pem_file(path)
        .map_err(|error| file_error(setting, path, format!("cannot be read as a PKCS#8 private key ({error})")))?;
    Ok(Zeroizing::new(key.secret_pkcs8_der().to_vec()))
}
