//! The certificates of a built-in bank in its own process: an authority for this bank only, the certificate of the bank's server, and the
//! certificate of the connector that calls it.

use super::authority::{AuthorityPurpose, CertificateAuthority};
use super::certificate::CertificateProfile;
use super::files::TrustFolder;
use super::keys::p256_key;
use super::server::leaf;
use super::{ServerIdentity, ServerNames, TrustError};
use jiff::Timestamp;
use lombard_files::FileLifetime;
use std::path::{Path, PathBuf};
use zeroize::Zeroizing;

/// The folder with the files, in the bank's data folder.
const FOLDER: &str = "core";
const CONNECTOR_CERTIFICATE: &str = "connector.pem";
const CONNECTOR_KEY: &str = "connector.key";

/// The authority of a bank's process, and the two certificates that it issued.
#[derive(Debug)]
pub struct BankProcessTrust {
    /// The certificate of the bank's server, with its key.
    pub server: ServerIdentity,
    /// The anchor of both certificates, DER.
    pub anchor_der: Vec<u8>,
    /// The file with the anchor.
    pub anchor_file: PathBuf,
    /// The file with the connector's certificate.
    pub connector_certificate_file: PathBuf,
    /// The file with the connector's key, which only its owner can read.
    pub connector_key_file: PathBuf,
}

impl BankProcessTrust {
    /// Opens the files in the bank's data folder, creates missing ones, and renews certificates. A certificate is renewed if it expires
    /// within 30 days or was issued for other names; its key is kept. This function reads and writes files, so it must not be called on an
    /// async thread.
    ///
    /// # Errors
    /// [`TrustError`], which names the file that cannot be read, written or parsed.
    pub fn open_or_create(data_dir: &Path, now: Timestamp, names: &ServerNames) -> Result<Self, TrustError> {
        let folder = TrustFolder::open(&data_dir.join(FOLDER), &[], FileLifetime::Durable)?;
        let authority = CertificateAuthority::open_or_create(&folder, AuthorityPurpose::Servers(names), now)?;
        let key = p256_key(&folder, "private/server.key")?;
        let server = ServerIdentity {
            chain_der: vec![leaf(&folder, &authority, "private/server.pem", &key, names, now)?],
            key_pkcs8_der: Zeroizing::new(key.serialize_der()),
        };
        let connector = p256_key(&folder, CONNECTOR_KEY)?;
        let profile = CertificateProfile::Connector;
        authority.keep_or_issue(&folder, CONNECTOR_CERTIFICATE, &profile, &connector, now, |_| true)?;
        Ok(Self {
            server,
            anchor_der: authority.certificate_der().to_vec(),
            anchor_file: folder.path("ca.pem"),
            connector_certificate_file: folder.path(CONNECTOR_CERTIFICATE),
            connector_key_file: folder.path(CONNECTOR_KEY),
        })
    }
}
