//! The listeners' certificates and trust anchors, from configured files or from the sandbox.

use super::{Sandbox, StartError};
use crate::config::{Config, ProxiedListener, StaffKind, read_certificates, read_private_key, read_revocation_lists};
use jiff::Timestamp;
use lombard_domain::grant::Digest;
use lombard_edge::listener::tls::{ServerCertificate, TlsError, TlsMaterial};
use lombard_edge::listener::{ClientVerifier, UnknownRevocation};
use lombard_ports::clock::Clocks;
use rustls::ServerConfig;
use std::path::Path;
use std::sync::Arc;
use x509_parser::certificate::X509Certificate;
use x509_parser::prelude::FromDer;
use zeroize::Zeroizing;

/// The server certificates and trust anchors of the TLS configuration.
pub(super) struct TlsIdentities {
    servers: Vec<(Chain, Zeroizing<Vec<u8>>)>,
    tpp_anchors: Vec<Vec<u8>>,
    proxy_anchors: Vec<Vec<u8>>,
    /// The certificate revocation lists in force for TPP certificates.
    revoked: Vec<Vec<u8>>,
    unknown_revocation: UnknownRevocation,
    /// What the ops listener shows and whom it trusts, if it has TLS.
    ops: Option<OpsIdentities>,
}

/// The certificates of the ops listener, and the authorities of staff.
struct OpsIdentities {
    /// The listener's own certificates; those of the other listeners if empty.
    servers: Vec<(Chain, Zeroizing<Vec<u8>>)>,
    /// The authorities of staff; `None` if staff have no certificates.
    staff: Option<StaffAuthorities>,
}

/// The authorities of staff certificates, and their lists of revoked ones.
struct StaffAuthorities {
    anchors: Vec<Vec<u8>>,
    revoked: Vec<Vec<u8>>,
}

/// The TLS configurations of the listeners, and the verifiers of client certificates. A listener without TLS has no configuration.
pub(super) struct TlsConfigurations {
    pub(super) ops: Option<Arc<ServerConfig>>,
    /// The verifier of staff certificates, if staff have certificates.
    pub(super) staff: Option<ClientVerifier>,
    pub(super) public: Option<Arc<ServerConfig>>,
    pub(super) mtls: Option<Arc<ServerConfig>>,
    pub(super) verifier: ClientVerifier,
}

/// The data by which an operator recognises a server certificate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct LeafSummary {
    /// The serial number, hexadecimal.
    pub(super) serial: String,
    /// The last instant of its validity.
    pub(super) not_after: Timestamp,
}

/// A certificate chain in DER, leaf first.
type Chain = Vec<Vec<u8>>;

impl TlsIdentities {
    /// Builds the TLS configurations of the public and the mtls listener.
    pub(super) fn tls(&self, config: &Config, clocks: &Clocks) -> Result<TlsConfigurations, StartError> {
        let verifier = ClientVerifier::with_revocation(&self.tpp_anchors, &self.revoked, self.unknown_revocation)
            .map_err(StartError::Tls)?;
        let of = |listener: ProxiedListener| {
            if config.is_without_tls(listener) {
                return Ok(None);
            }
            let material = TlsMaterial::new(&self.borrow(), config.tls.session_secs_max, clocks.clone())?;
            match listener {
                _ if config.proxy.end_tls.contains(&listener) => material.for_proxies(&self.proxy_anchors),
                ProxiedListener::Public => material.public(),
                ProxiedListener::Mtls => material.mtls(&verifier),
            }
            .map(Some)
        };
        let public = of(ProxiedListener::Public).map_err(StartError::Tls)?;
        let mtls = of(ProxiedListener::Mtls).map_err(StartError::Tls)?;
        let (ops, staff) = self.ops_tls(config, clocks).map_err(StartError::Tls)?;
        Ok(TlsConfigurations { public, mtls, verifier, ops, staff })
    }

    /// Builds the TLS configuration of the ops listener. A handshake without a certificate succeeds, because health and metrics are for
    /// everybody who reaches the listener.
    fn ops_tls(
        &self,
        config: &Config,
        clocks: &Clocks,
    ) -> Result<(Option<Arc<ServerConfig>>, Option<ClientVerifier>), TlsError> {
        let Some(ops) = &self.ops else { return Ok((None, None)) };
        let servers = if ops.servers.is_empty() { &self.servers } else { &ops.servers };
        let material = TlsMaterial::new(&borrow(servers), config.tls.session_secs_max, clocks.clone())?;
        let Some(StaffAuthorities { anchors, revoked }) = &ops.staff else {
            return Ok((Some(material.public()?), None));
        };
        let verifier = ClientVerifier::with_revocation(anchors, revoked, UnknownRevocation::Accepted)?;
        Ok((Some(material.mtls(&verifier)?), Some(verifier)))
    }

    /// A digest of all certificates, keys, anchors and lists.
    pub(super) fn digest(&self) -> Digest {
        let mut parts = Zeroizing::new(Vec::new());
        let mut add = |bytes: &[u8]| {
            parts.extend_from_slice(&bytes.len().to_be_bytes());
            parts.extend_from_slice(bytes);
        };
        let own = self.ops.iter().flat_map(|ops| &ops.servers);
        for (chain, key) in self.servers.iter().chain(own) {
            add(&chain.len().to_be_bytes());
            chain.iter().for_each(|certificate| add(certificate));
            add(key);
        }
        let staff = self.ops.iter().filter_map(|ops| ops.staff.as_ref());
        let staff = staff.flat_map(|staff| [&staff.anchors, &staff.revoked]);
        for documents in [&self.tpp_anchors, &self.proxy_anchors, &self.revoked].into_iter().chain(staff) {
            add(&documents.len().to_be_bytes());
            documents.iter().for_each(|document| add(document));
        }
        lombard_jose::sha256(&parts)
    }

    /// The trust anchors of TPPs.
    pub(super) fn tpp_anchors(&self) -> &[Vec<u8>] {
        &self.tpp_anchors
    }

    /// The number of revocation lists in force.
    pub(super) fn revocation_lists(&self) -> usize {
        self.revoked.len()
    }

    /// Refuses certificates that these lists revoke; `unknown` decides about certificates of unknown status.
    pub(super) fn refuse_revoked(&mut self, lists: Vec<Vec<u8>>, unknown: UnknownRevocation) {
        self.revoked = lists;
        self.unknown_revocation = unknown;
    }

    /// The data of each server certificate.
    pub(super) fn leaves(&self) -> Vec<LeafSummary> {
        let own = self.ops.iter().flat_map(|ops| &ops.servers);
        let leaves = self.servers.iter().chain(own).filter_map(|(chain, _)| chain.first());
        leaves.filter_map(|der| summary(der)).collect()
    }

    /// The certificates in the form that the TLS configuration needs.
    fn borrow(&self) -> Vec<ServerCertificate<'_>> {
        borrow(&self.servers)
    }
}

fn borrow(servers: &[(Chain, Zeroizing<Vec<u8>>)]) -> Vec<ServerCertificate<'_>> {
    servers.iter().map(|(chain, key)| ServerCertificate { chain, key_pkcs8: key }).collect()
}

fn summary(der: &[u8]) -> Option<LeafSummary> {
    let (_, certificate) = X509Certificate::from_der(der).ok()?;
    let not_after = Timestamp::from_second(certificate.validity().not_after.timestamp()).unwrap_or(Timestamp::MAX);
    Some(LeafSummary { serial: certificate.raw_serial_as_string(), not_after })
}

/// Loads the files that the settings name. The sandbox's own files are used for settings without a value.
pub(super) fn load(config: &Config, sandbox: Option<&Sandbox>) -> Result<TlsIdentities, StartError> {
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
    let proxy_anchors = match &config.proxy.anchors_file {
        Some(file) => certificates("proxy.anchors_file", file)?,
        None => Vec::new(),
    };
    if let Some(trust) = sandbox.map(Sandbox::trust) {
        if servers.is_empty() {
            let own = trust.server_identities().iter();
            servers = own.map(|own| (own.chain_der.clone(), own.key_pkcs8_der.clone())).collect();
        }
        tpp_anchors.extend(trust.tpp_anchors());
    }
    let revoked = Vec::new();
    let unknown_revocation = UnknownRevocation::Accepted;
    let ops = if config.is_ops_tls() { Some(load_ops(config)?) } else { None };
    Ok(TlsIdentities { servers, tpp_anchors, proxy_anchors, revoked, unknown_revocation, ops })
}

/// Loads the files of the ops listener's TLS.
fn load_ops(config: &Config) -> Result<OpsIdentities, StartError> {
    let ops = &config.ops;
    let servers = match (&ops.certificate_file, &ops.key_file) {
        (Some(certificate), Some(key)) => {
            vec![(certificates("ops.certificate_file", certificate)?, private_key("ops.key_file", key)?)]
        }
        _ => Vec::new(),
    };
    let staff = match (config.staff_kind(), &ops.staff_ca_file) {
        (Some(StaffKind::Mtls), Some(file)) => {
            let mut revoked = Vec::new();
            for file in &ops.staff_crl_files {
                let lists = read_revocation_lists(file)
                    .map_err(|reason| StartError::unusable_file("ops.staff_crl_files", file, reason))?;
                revoked.extend(lists);
            }
            Some(StaffAuthorities { anchors: certificates("ops.staff_ca_file", file)?, revoked })
        }
        _ => None,
    };
    Ok(OpsIdentities { servers, staff })
}

/// Reads the certificates of a PEM file that a setting names.
pub(super) fn certificates(setting: &'static str, path: &Path) -> Result<Chain, StartError> {
    let certificates = read_certificates(path).map_err(|reason| StartError::unusable_file(setting, path, reason))?;
    Ok(certificates.into_iter().map(|der| der.to_vec()).collect())
}

fn private_key(setting: &'static str, path: &Path) -> Result<Zeroizing<Vec<u8>>, StartError> {
    let key = read_private_key(path).map_err(|reason| StartError::unusable_file(setting, path, reason))?;
    Ok(Zeroizing::new(key.secret_pkcs8_der().to_vec()))
}
