//! The sandbox's own trust: two authorities, the certificates of servers and TPPs, and a directory that vouches for
//! TPPs with software statements, all kept as files under the data folder.
//!
//! The authority of the servers is constrained to the sandbox's own names, so that whoever trusts it on a laptop trusts
//! it for nothing else; it is apart from the authority of the TPPs, which stands for the directory. Nothing here is
//! used in production, where certificates come from outside.

mod authority;
mod certificate;
mod error;
mod files;
mod keys;
mod psd2;
mod server;
mod server_names;
mod statement;
mod tpp;
mod tpp_json;

#[cfg(test)]
mod tests;

pub use certificate::is_near_expiry;
pub use error::TrustError;
pub use server::ServerIdentity;
pub use server_names::ServerNames;
pub use tpp::{TppAuth, TppRequest};

use authority::{AuthorityPurpose, CertificateAuthority};
use files::TrustFolder;
use jiff::Timestamp;
use keys::signing_key;
use lombard_domain::client::Client;
use lombard_domain::ids::OrgId;
use lombard_jose::SigningKey;
use std::fmt;
use std::path::Path;
use std::thread;

/// The sandbox's authorities and what they have issued.
pub struct SandboxTrust {
    folder: TrustFolder,
    servers: CertificateAuthority,
    tpps: CertificateAuthority,
    directory: SigningKey,
    identities: Vec<ServerIdentity>,
}

impl fmt::Debug for SandboxTrust {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Trust").field("folder", &self.folder).finish_non_exhaustive()
    }
}

impl SandboxTrust {
    /// Opens the trust kept under the folder, makes what is missing, and renews what expires within 30 days or does not
    /// fit these names any more. Keys survive renewal; a new name renews the servers' authority itself. Takes up to a
    /// second of CPU time when keys are made: not to be called on a reactor.
    ///
    /// # Errors
    /// [`TrustError`], which names the file that cannot be read, written or understood.
    pub fn open_or_create(dir: &Path, now: Timestamp, names: &ServerNames) -> Result<Self, TrustError> {
        let folder = TrustFolder::open(dir)?;
        let (directory, server_key) = thread::scope(|scope| {
            let directory = scope.spawn(|| signing_key(&folder, "private/directory.key"));
            let server_key = signing_key(&folder, "private/server-rsa.key");
            (directory.join().unwrap_or(Err(TrustError::Interrupted)), server_key)
        });
        let servers = CertificateAuthority::open_or_create(&folder, AuthorityPurpose::Servers(names), now)?;
        let tpps = CertificateAuthority::open_or_create(&folder, AuthorityPurpose::Tpps, now)?;
        let identities = server::identities(&folder, &servers, &server_key?, names, now)?;
        let trust = Self { folder, servers, tpps, directory: directory?, identities };
        trust.renew_tpps(now)?;
        Ok(trust)
    }

    /// What the servers show: an RSA and a P-256 certificate with their keys. Source: TLS-002.
    pub fn server_identities(&self) -> &[ServerIdentity] {
        &self.identities
    }

    /// The certificate, DER, that clients of the servers are to trust (`ca.pem`).
    pub fn server_anchor(&self) -> &[u8] {
        self.servers.certificate_der()
    }

    /// The certificates, DER, that TPP certificates are to chain to (`tpp-ca.pem`).
    pub fn tpp_anchors(&self) -> Vec<Vec<u8>> {
        vec![self.tpps.certificate_der().to_vec()]
    }

    /// The key the directory signs software statements with.
    pub fn directory_key(&self) -> &lombard_jose::PublicKey {
        self.directory.public()
    }

    /// Issues a seal for a message-signing key of the bank: the chain for `x5c`, leaf first. It is good for signatures
    /// and refused for TLS. Source: AS-007, DCR-053.
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
    /// [`TrustError::Order`] for a name that is none.
    pub fn has_tpp(&self, name: &str) -> Result<bool, TrustError> {
        tpp::exists(&self.folder, name)
    }

    /// Issues everything a TPP needs, writes its folder, and returns it as a client to register. A TPP that has a folder
    /// keeps its ids and keys; all else is as ordered.
    ///
    /// # Errors
    /// [`TrustError`].
    pub fn issue_tpp(&self, order: &TppRequest, now: Timestamp) -> Result<Client, TrustError> {
        tpp::issue(&self.folder, &self.tpps, &self.directory, order, now)
    }

    /// Issues several TPPs at once, their keys made on threads side by side; see [`issue_tpp`](Self::issue_tpp).
    ///
    /// # Errors
    /// [`TrustError`] of the first that failed.
    pub fn issue_tpps(&self, orders: &[TppRequest], now: Timestamp) -> Result<Vec<Client>, TrustError> {
        thread::scope(|scope| {
            let issuing: Vec<_> = orders.iter().map(|order| scope.spawn(move || self.issue_tpp(order, now))).collect();
            issuing.into_iter().map(|one| one.join().unwrap_or(Err(TrustError::Interrupted))).collect()
        })
    }

    /// Renews the certificates of TPPs that are near expiry or were issued by an authority that is no more. A folder
    /// that cannot be read is left as it is: it belongs to a person, who may be in the middle of something.
    fn renew_tpps(&self, now: Timestamp) -> Result<(), TrustError> {
        for name in self.folder.names_in("tpps")? {
            match tpp::renew(&self.folder, &self.tpps, &name, now) {
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
