//! The connection to a core over HTTP: its address, and the certificates of both sides.

use super::file_contents::{read_bytes, read_certificates, read_private_key};
use super::settings::Config;
use super::value::BaseUrl;
use rustls::pki_types::{CertificateDer, PrivatePkcs8KeyDer};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The content of a core file, as `lombard bank serve` writes it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct CoreFile {
    /// The address, without a trailing slash.
    pub(crate) url: String,
    /// The file with the trust anchors of the core's certificate.
    pub(crate) ca: PathBuf,
    /// The file with the connector's certificate chain.
    pub(crate) certificate: PathBuf,
    /// The file with the key of that certificate.
    pub(crate) key: PathBuf,
}

/// The address of a core, and the files with the certificates of both sides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct CoreFiles {
    pub(super) url: BaseUrl,
    pub(super) ca: PathBuf,
    pub(super) certificate: PathBuf,
    pub(super) key: PathBuf,
}

impl CoreFiles {
    /// Reads a core file. The error text continues a sentence that begins with the name of the file.
    pub(super) fn read(file: &Path) -> Result<Self, String> {
        let read: CoreFile = serde_json::from_slice(&read_bytes(file)?).map_err(|error| {
            format!("cannot be read as a core file ({error}); it holds JSON with url, ca, certificate and key")
        })?;
        let url = BaseUrl::parse(&read.url)
            .ok_or_else(|| "has a url that is not an https address without a path".to_owned())?;
        let folder = file.parent().unwrap_or(Path::new(""));
        let [ca, certificate, key] = [read.ca, read.certificate, read.key].map(|path| folder.join(path));
        Ok(Self { url, ca, certificate, key })
    }
}

/// The connection to a core.
#[derive(Clone)]
pub(crate) struct CoreConnection {
    /// The address, without a trailing slash.
    pub(crate) url: String,
    /// The trust anchors of the core's certificate.
    pub(crate) anchors: Vec<CertificateDer<'static>>,
    /// The certificate chain that is shown to the core, leaf first.
    pub(crate) chain: Vec<CertificateDer<'static>>,
    key: Arc<PrivatePkcs8KeyDer<'static>>,
}

impl fmt::Debug for CoreConnection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CoreConnection").field("url", &self.url).finish_non_exhaustive()
    }
}

impl CoreConnection {
    /// Reads a core file and the files that it names. The error text continues a sentence that begins with the name of the core file.
    pub(crate) fn from_core_file(file: &Path) -> Result<Self, String> {
        Self::read(CoreFiles::read(file)?)
            .map_err(|(_, path, reason)| format!("names {}, which {reason}", path.display()))
    }

    /// Reads the files of the configured core; `None` if the settings name none. An error consists of the setting, the file, and a text
    /// that continues a sentence beginning with the name of the file.
    pub(crate) fn load(config: &Config) -> Result<Option<Self>, (&'static str, PathBuf, String)> {
        let bank = &config.bank;
        if let Some(file) = &bank.core_file {
            return Self::from_core_file(file).map(Some).map_err(|reason| ("bank.core_file", file.clone(), reason));
        }
        match (&bank.url, &bank.ca_file, &bank.certificate_file, &bank.key_file) {
            (Some(url), Some(ca), Some(certificate), Some(key)) => {
                let (url, [ca, certificate, key]) = (url.clone(), [ca, certificate, key].map(Clone::clone));
                Self::read(CoreFiles { url, ca, certificate, key }).map(Some)
            }
            _ => Ok(None),
        }
    }

    fn read(files: CoreFiles) -> Result<Self, (&'static str, PathBuf, String)> {
        let CoreFiles { url, ca, certificate, key } = files;
        Ok(Self {
            url: url.as_str().to_owned(),
            anchors: read_certificates(&ca).map_err(|reason| ("bank.ca_file", ca, reason))?,
            chain: read_certificates(&certificate).map_err(|reason| ("bank.certificate_file", certificate, reason))?,
            key: read_private_key(&key).map(Arc::new).map_err(|reason| ("bank.key_file", key, reason))?,
        })
    }

    /// The key of the certificate chain.
    pub(crate) fn private_key(&self) -> PrivatePkcs8KeyDer<'static> {
        self.key.clone_key()
    }
}
