//! The sandbox's certificates: two authorities, the certificates of servers and TPPs, and a directory that signs software
//! statements, all stored as files under the data folder.
//!
//! The authority of the servers is constrained to the sandbox's own names, so that a laptop that trusts it trusts no other host. The
//! authority of the TPPs is separate and represents the directory. Production does not use this module, because its certificates are
//! configured.

mod authority;
mod bank_process;
mod certificate;
mod directory;
mod error;
mod files;
mod keys;
mod psd2;
mod server;
mod server_names;
mod statement;
mod tpp;
mod tpp_certificates;
mod tpp_json;

#[cfg(test)]
mod tests;

pub use bank_process::BankProcessTrust;
pub use certificate::is_near_expiry;
pub use error::TrustError;
pub use keys::TransportKey;
pub use server::ServerIdentity;
pub use server_names::ServerNames;
pub use tpp::{TppAuth, TppRequest, is_redirect_uri, is_sandbox_redirect_uri};
pub use tpp_certificates::TppCertificates;

use async_trait::async_trait;
use authority::{AuthorityPurpose, CertificateAuthority};
use directory::SandboxDirectory;
use files::TrustFolder;
use jiff::Timestamp;
use keys::signing_key;
use lombard_domain::client::Client;
use lombard_domain::ids::{ClientId, OrgId};
use lombard_files::FileLifetime;
use lombard_jose::SigningKey;
use lombard_ports::key_source::{KeySource, KeySourceError};
use std::fmt;
use std::path::Path;
use std::thread;

/// Which keys of the servers are generated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ServerKeys {
    /// The P-256 key and the RSA key.
    All,
    /// Only the P-256 key. Generating an RSA key takes about as long as the rest of a server's start; [`Self::All`] generates it later.
    WithoutRsa,
}

/// The folder of a TPP with its certificates.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TppFolder {
    /// The name of the folder under `tpps`.
    pub name: String,
    /// The names of its certificate files, and the certificates (DER).
    pub certificates: Vec<(&'static str, Vec<u8>)>,
}

/// The sandbox's authorities and their certificates.
pub struct SandboxTrust {
    folder: TrustFolder,
    servers: CertificateAuthority,
    tpps: CertificateAuthority,
    directory: SandboxDirectory,
    identities: Vec<ServerIdentity>,
}

impl fmt::Debug for SandboxTrust {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Trust").field("folder", &self.folder).finish_non_exhaustive()
    }
}

impl SandboxTrust {
    /// The files, under the data folder, with the server certificates, their keys and the trust anchor of the TPPs.
    pub const TLS_FILES: [&str; 6] = [
        "private/server-rsa.key",
        "private/server-rsa.pem",
        "private/server-p256.key",
        "private/server-p256.pem",
        "private/tpp-ca.key",
        "tpp-ca.pem",
    ];

    /// Opens the authorities under the folder, and the directory, whose key sets are published under `directory_url` (without a trailing
    /// slash). Creates missing files, and renews certificates that expire within 30 days or were issued for other names. A renewal keeps
    /// the keys; a changed name also renews the servers' authority. Generating keys takes up to a second of CPU time, so this function must
    /// not be called on an async thread.
    ///
    /// # Errors
    /// [`TrustError`], which names the file that cannot be read, written or parsed.
    pub fn open_or_create(
        dir: &Path,
        now: Timestamp,
        names: &ServerNames,
        directory_url: &str,
    ) -> Result<Self, TrustError> {
        let folder = TrustFolder::open(dir, &["tpps"], FileLifetime::Durable)?;
        Self::open_folder(folder, now, names, directory_url, ServerKeys::All)
    }

    /// Does the same as [`open_or_create`](Self::open_or_create), for files that are needed only while the process runs.
    ///
    /// # Errors
    /// The errors of [`open_or_create`](Self::open_or_create).
    pub fn open_or_create_ephemeral(
        dir: &Path,
        now: Timestamp,
        names: &ServerNames,
        directory_url: &str,
        servers: ServerKeys,
    ) -> Result<Self, TrustError> {
        let folder = TrustFolder::open(dir, &["tpps"], FileLifetime::UntilProcessEnds)?;
        Self::open_folder(folder, now, names, directory_url, servers)
    }

    fn open_folder(
        folder: TrustFolder,
        now: Timestamp,
        names: &ServerNames,
        directory_url: &str,
        keys: ServerKeys,
    ) -> Result<Self, TrustError> {
        let (directory, rsa) = thread::scope(|scope| {
            let directory = scope.spawn(|| SandboxDirectory::open_or_create(&folder, directory_url));
            let rsa = match keys {
                ServerKeys::All => signing_key(&folder, "private/server-rsa.key").map(Some),
                ServerKeys::WithoutRsa => Ok(None),
            };
            (directory.join().unwrap_or(Err(TrustError::Interrupted)), rsa)
        });
        let servers = CertificateAuthority::open_or_create(&folder, AuthorityPurpose::Servers(names), now)?;
        let tpps = CertificateAuthority::open_or_create(&folder, AuthorityPurpose::Tpps, now)?;
        let identities = server::identities(&folder, &servers, rsa?.as_ref(), names, now)?;
        let trust = Self { folder, servers, tpps, directory: directory?, identities };
        trust.renew_tpps(now)?;
        Ok(trust)
    }

    /// The servers' certificates with their keys, RSA and P-256. The RSA one is missing until its key is generated. Source: TLS-002.
    pub fn server_identities(&self) -> &[ServerIdentity] {
        &self.identities
    }

    /// The trust anchor for the servers' clients, DER (`ca.pem`).
    pub fn server_anchor(&self) -> &[u8] {
        self.servers.certificate_der()
    }

    /// The trust anchors of TPP certificates, DER (`tpp-ca.pem`).
    pub fn tpp_anchors(&self) -> Vec<Vec<u8>> {
        vec![self.tpps.certificate_der().to_vec()]
    }

    /// The directory's public key, which verifies software statements.
    pub fn directory_key(&self) -> &lombard_jose::PublicKey {
        self.directory.key.public()
    }

    /// The issuer of the directory's software statements.
    pub const fn directory_issuer(&self) -> &'static str {
        directory::ISSUER
    }

    /// Issues a seal for a message-signing key of the bank, and returns the chain for `x5c`, leaf first. The seal is valid for signatures
    /// only, not for TLS. Source: AS-007, DCR-053.
    ///
    /// # Errors
    /// [`TrustError::Certificate`].
    pub fn issue_seal_certificate(
        &self,
        key: &SigningKey,
        org_id: &OrgId,
        now: Timestamp,
    ) -> Result<Vec<Vec<u8>>, TrustError> {
        let profile = certificate::CertificateProfile::BankSeal { org_id };
        let leaf = self.tpps.issue(&profile, &certificate::RsaPublic(key), now)?;
        Ok(vec![leaf.der().to_vec(), self.tpps.certificate_der().to_vec()])
    }

    /// Whether a TPP of this name has a folder.
    ///
    /// # Errors
    /// [`TrustError::InvalidRequest`] for an invalid name.
    pub fn has_tpp(&self, name: &str) -> Result<bool, TrustError> {
        tpp::exists(&self.folder, name)
    }

    /// The client id in the folder of a TPP; `None` if there is no folder of this name.
    ///
    /// # Errors
    /// [`TrustError`] for a file that cannot be read.
    pub fn client_of_tpp(&self, name: &str) -> Result<Option<ClientId>, TrustError> {
        tpp::client_of(&self.folder, name)
    }

    /// The folder of a client among the folders of all TPPs; `None` if the sandbox has no folder for it. A folder that cannot be read is
    /// skipped, because a developer may be editing it.
    ///
    /// # Errors
    /// [`TrustError`] if the folders cannot be listed.
    pub fn folder_of_client(&self, client: &ClientId) -> Result<Option<TppFolder>, TrustError> {
        let names = self.folder.names_in("tpps")?;
        let is_own = |name: &String| matches!(tpp::client_of(&self.folder, name), Ok(Some(id)) if id == *client);
        let Some(name) = names.into_iter().find(is_own) else { return Ok(None) };
        let certificates = tpp::certificates(&self.folder, &name)?;
        Ok(Some(TppFolder { name, certificates }))
    }

    /// The number of TPPs that have a folder.
    ///
    /// # Errors
    /// [`TrustError`] if the folders cannot be listed.
    pub fn tpp_count(&self) -> Result<usize, TrustError> {
        Ok(self.folder.names_in("tpps")?.len())
    }

    /// Issues the files of a TPP, writes its folder, and returns the client to register. If the folder exists, it keeps its ids and keys;
    /// all other contents follow the request.
    ///
    /// # Errors
    /// [`TrustError`].
    pub fn issue_tpp(&self, order: &TppRequest, now: Timestamp) -> Result<Client, TrustError> {
        tpp::issue(&self.folder, &self.tpps, &self.directory, order, now)
    }

    /// Issues the files of a TPP that is not registered; the client id of the request is not used. The TPP registers itself with its
    /// software statement. Source: DCR-001.
    ///
    /// # Errors
    /// [`TrustError`].
    pub fn issue_unregistered_tpp(&self, order: &TppRequest, now: Timestamp) -> Result<(), TrustError> {
        tpp::issue_unregistered(&self.folder, &self.tpps, &self.directory, order, now)
    }

    /// Generates the keys of those of these TPPs that have no finished folder, on parallel threads. [`issue_tpps`](Self::issue_tpps) then
    /// finds the keys. The method may run at the same time as [`open_or_create`](Self::open_or_create).
    ///
    /// # Errors
    /// The [`TrustError`] of the first failure.
    pub fn make_tpp_keys(dir: &Path, names: &[&str], lifetime: FileLifetime) -> Result<(), TrustError> {
        let folder = TrustFolder::open(dir, &["tpps"], lifetime)?;
        thread::scope(|scope| {
            let making: Vec<_> = names
                .iter()
                .map(|name| scope.spawn(|| tpp::make_keys(&folder, name, TransportKey::default())))
                .collect();
            making.into_iter().try_for_each(|one| one.join().unwrap_or(Err(TrustError::Interrupted)))
        })
    }

    /// Issues several TPPs, generating their keys on parallel threads; see [`issue_tpp`](Self::issue_tpp).
    ///
    /// # Errors
    /// The [`TrustError`] of the first failure.
    pub fn issue_tpps(&self, orders: &[TppRequest], now: Timestamp) -> Result<Vec<Client>, TrustError> {
        thread::scope(|scope| {
            let issuing: Vec<_> = orders.iter().map(|order| scope.spawn(move || self.issue_tpp(order, now))).collect();
            issuing.into_iter().map(|one| one.join().unwrap_or(Err(TrustError::Interrupted))).collect()
        })
    }

    /// Renews certificates of TPPs that are near expiry or were issued by a former authority. A folder that cannot be read is
    /// skipped, because a developer may be editing it.
    fn renew_tpps(&self, now: Timestamp) -> Result<(), TrustError> {
        for name in self.folder.names_in("tpps")? {
            match tpp::renew(&self.folder, &self.tpps, &self.directory, &name, now) {
                Ok(true) => tracing::info!(tpp.name = %name, "certificates of a sandbox TPP renewed"),
                Ok(false) => {}
                Err(error) => {
                    let error = &error as &dyn std::error::Error;
                    tracing::warn!(tpp.name = %name, error, "a sandbox TPP's folder cannot be used");
                }
            }
        }
        Ok(())
    }
}

/// Answers the key sets that the directory publishes, by their URLs, without an HTTP request to this server itself.
#[async_trait]
impl KeySource for SandboxTrust {
    async fn fetch_key_set(&self, url: &str) -> Result<String, KeySourceError> {
        // The file is small and on a developer's machine, so a blocking read is acceptable.
        let found = self.directory.key_set(&self.folder, url);
        found.map_err(|error| KeySourceError::Unavailable(error.into()))?.ok_or(KeySourceError::Absent)
    }
}
