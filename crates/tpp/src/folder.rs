//! Reads a TPP's folder, and the file `endpoints.json` with the bank's URLs.

use crate::{TlsIdentity, TppError};
use lombard_domain::ids::{ClientId, OrgId, PsuId, SoftwareId};
use lombard_files::{FileAccess, FileLifetime, write_file};
use lombard_jose::SigningKey;
use rustls_pki_types::pem::PemObject;
use rustls_pki_types::{CertificateDer, PrivateKeyDer};
use serde::Deserialize;
use std::fmt;
use std::path::Path;
use std::sync::Arc;

/// The contents of `tpp.json`: the TPP's registration at the bank and in the directory.
#[derive(Debug, Clone, Deserialize)]
pub struct TppDetails {
    /// The client id; empty for a TPP that is not registered, which [`TppFolder::read_folder`] refuses.
    #[serde(deserialize_with = "client_id_or_empty")]
    pub client_id: ClientId,
    /// The organisation's id in the directory.
    pub org_id: OrgId,
    /// The software statement's id in the directory.
    pub software_id: SoftwareId,
    /// The regulated roles, as the directory writes them.
    pub roles: Vec<String>,
    /// The registered redirect URIs, the default one first.
    pub redirect_uris: Vec<String>,
    /// The TPP's client authentication method at the token endpoint.
    pub token_endpoint_auth_method: String,
    /// The subject of the TPP's transport certificate, for the method `tls_client_auth`.
    #[serde(default)]
    pub tls_client_auth_subject_dn: Option<String>,
    /// The id of the TPP's signing key.
    pub signing_kid: String,
    /// How the TPP receives the results of backchannel authentication, if it may use that.
    #[serde(default)]
    pub backchannel_token_delivery_mode: Option<String>,
    /// The URL at which the TPP is notified of these results.
    #[serde(default)]
    pub backchannel_client_notification_endpoint: Option<String>,
    /// The customer for whom the sandbox decides at once, if this TPP is headless.
    pub headless: Option<PsuId>,
}

/// The name of the file with a TPP's registration.
const CARD_FILE: &str = "tpp.json";

/// The contents of `endpoints.json`: the bank's URLs, without trailing slashes.
#[derive(Debug, Clone, Deserialize)]
pub struct Endpoints {
    /// The authorisation server's issuer.
    pub issuer: String,
    /// The listener without client certificates.
    pub public: String,
    /// The listener that asks for client certificates.
    pub mtls: String,
    /// The ops listener.
    pub ops: String,
    /// The base URL of the Read/Write API; it ends in `/open-banking`.
    pub resource_base: String,
    /// The URL of the discovery document.
    pub well_known: String,
}

impl Endpoints {
    /// Reads `endpoints.json` of a data folder.
    ///
    /// # Errors
    /// [`TppError::File`] if the file cannot be read or parsed. It is absent while no server runs on the folder.
    pub fn read_file(data_dir: &Path) -> Result<Self, TppError> {
        json_file(&data_dir.join("endpoints.json"))
    }
}

/// The contents of a TPP's folder.
#[derive(Clone)]
pub struct TppFolder {
    /// The contents of `tpp.json`.
    pub details: TppDetails,
    /// The certificate and key of `transport.pem` and `transport.key`.
    pub identity: TlsIdentity,
    /// The key of `signing.key`.
    pub signing: Arc<SigningKey>,
    /// The text of `software_statement.jwt`.
    pub software_statement: String,
}

impl fmt::Debug for TppFolder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Folder").field("card", &self.details).finish_non_exhaustive()
    }
}

impl TppFolder {
    /// Reads the folder of a registered TPP.
    ///
    /// # Errors
    /// [`TppError::File`] naming the file that cannot be used.
    pub fn read_folder(folder: &Path) -> Result<Self, TppError> {
        let read = Self::read_unregistered(folder)?;
        if read.details.client_id.as_str().is_empty() {
            let reason = "it has no client_id; `lombard tpp register` registers the TPP".to_owned();
            return Err(TppError::File { path: folder.join(CARD_FILE), reason });
        }
        Ok(read)
    }

    /// Reads the folder of a TPP that may not be registered yet.
    ///
    /// # Errors
    /// [`TppError::File`] naming the file that cannot be used.
    pub fn read_unregistered(folder: &Path) -> Result<Self, TppError> {
        let signing_file = folder.join("signing.key");
        let signing = SigningKey::from_pkcs8_pem(&text_file(&signing_file)?)
            .map_err(|error| TppError::File { path: signing_file, reason: error.to_string() })?;
        Ok(Self {
            details: json_file(&folder.join(CARD_FILE))?,
            identity: TlsIdentity {
                chain: parse_certificates(&folder.join("transport.pem"))?,
                key: Arc::new(private_key(&folder.join("transport.key"))?),
            },
            signing: Arc::new(signing),
            software_statement: text_file(&folder.join("software_statement.jwt"))?.trim().to_owned(),
        })
    }
}

/// Writes a TPP's client id to its folder; `None` removes the client id of a TPP that is no longer registered.
///
/// # Errors
/// [`TppError::File`] if the file cannot be read or written.
pub fn write_client_id(folder: &Path, client: Option<&ClientId>) -> Result<(), TppError> {
    let path = folder.join(CARD_FILE);
    let mut card: serde_json::Map<String, serde_json::Value> = json_file(&path)?;
    card.insert("client_id".to_owned(), client.map(ClientId::as_str).into());
    let text = serde_json::to_string_pretty(&card).map_err(|error| bad_file(&path, &error))?;
    let written = write_file(&path, format!("{text}\n").as_bytes(), FileAccess::Everyone, FileLifetime::Durable);
    written.map_err(|error| bad_file(&path, &error))
}

/// Parses a client id; an absent or null value gives an empty id, for a TPP that is not registered.
fn client_id_or_empty<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<ClientId, D::Error> {
    Ok(Option::<ClientId>::deserialize(deserializer)?.unwrap_or_else(|| ClientId::new(String::new())))
}

/// Reads the certificates of a PEM file, of which there must be at least one.
///
/// # Errors
/// [`TppError::File`] if the file cannot be read or contains no certificate.
pub fn parse_certificates(path: &Path) -> Result<Vec<CertificateDer<'static>>, TppError> {
    let read: Result<Vec<_>, _> =
        CertificateDer::pem_file_iter(path).map_err(|error| bad_file(path, &error))?.collect();
    let chain = read.map_err(|error| bad_file(path, &error))?;
    if chain.is_empty() {
        return Err(TppError::File { path: path.to_owned(), reason: "it holds no certificate".to_owned() });
    }
    Ok(chain)
}

fn private_key(path: &Path) -> Result<PrivateKeyDer<'static>, TppError> {
    PrivateKeyDer::from_pem_file(path).map_err(|error| bad_file(path, &error))
}

fn text_file(path: &Path) -> Result<String, TppError> {
    std::fs::read_to_string(path).map_err(|error| bad_file(path, &error))
}

fn json_file<T: serde::de::DeserializeOwned>(path: &Path) -> Result<T, TppError> {
    serde_json::from_str(&text_file(path)?).map_err(|error| bad_file(path, &error))
}

fn bad_file(path: &Path, error: &dyn std::error::Error) -> TppError {
    TppError::File { path: path.to_owned(), reason: error.to_string() }
}
