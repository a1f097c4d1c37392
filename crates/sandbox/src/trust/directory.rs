//! The sandbox's own directory: its signing key, its own key set, and the key sets of the software that it lists.
//!
//! The files under `directory/` (`signing.key`, `kid` and `issuer`) are for TPP developers, who sign their own software statements with
//! them. The key set of a software is also a file, so that developers can test a rotation of its keys.

use super::TrustError;
use super::files::TrustFolder;
use super::keys::signing_key;
use lombard_domain::ids::SoftwareId;
use lombard_jose::{KeySet, PublicKey, SigningKey};

/// The issuer of the sandbox's software statements.
pub(super) const ISSUER: &str = "Lombard sandbox directory";
/// The folder of the directory.
const FOLDER: &str = "directory";
/// The folder of the key sets of software, both in the directory and in URLs.
const SOFTWARE: &str = "software";
/// The name of the directory's own key set.
const KEYS: &str = "keys.jwks";
/// The file in which earlier releases stored the signing key.
const FORMER_KEY: &str = "private/directory.key";

/// The directory.
pub(super) struct SandboxDirectory {
    pub(super) key: SigningKey,
    /// The URL of the directory's key sets, without a trailing slash.
    url: String,
}

impl SandboxDirectory {
    /// Opens the directory and creates missing files. The signing key of an earlier release is kept.
    pub(super) fn open_or_create(folder: &TrustFolder, url: &str) -> Result<Self, TrustError> {
        folder.create(&format!("{FOLDER}/{SOFTWARE}"))?;
        let file = format!("{FOLDER}/signing.key");
        folder.move_secret(FORMER_KEY, &file)?;
        let key = signing_key(folder, &file)?;
        for (name, text) in [("kid", key.id().as_str()), ("issuer", ISSUER)] {
            folder.write(&format!("{FOLDER}/{name}"), text)?;
        }
        Ok(Self { key, url: url.to_owned() })
    }

    /// Publishes the keys of a software, unless its key set exists already. A developer may have changed the existing one.
    pub(super) fn publish(folder: &TrustFolder, software: &SoftwareId, signing: &PublicKey) -> Result<(), TrustError> {
        let file = software_file(software.as_str());
        if folder.read(&file)?.is_some() {
            return Ok(());
        }
        folder.write(&file, &KeySet::from_iter([signing.clone()]).to_json())
    }

    /// The URL of the keys of a software.
    pub(super) fn software_keys_url(&self, software: &SoftwareId) -> String {
        format!("{}/{SOFTWARE}/{software}.jwks", self.url)
    }

    /// The URL of the revoked keys of a software.
    pub(super) fn software_revoked_keys_url(&self, software: &SoftwareId) -> String {
        format!("{}/{SOFTWARE}/{software}.revoked.jwks", self.url)
    }

    /// The key set at a URL of this directory; `None` if there is none.
    pub(super) fn key_set(&self, folder: &TrustFolder, url: &str) -> Result<Option<String>, TrustError> {
        let Some(path) = url.strip_prefix(&self.url).and_then(|rest| rest.strip_prefix('/')) else { return Ok(None) };
        if path == KEYS {
            return Ok(Some(KeySet::from_iter([self.key.public().clone()]).to_json()));
        }
        let name = path.strip_prefix(SOFTWARE).and_then(|rest| rest.strip_prefix('/'));
        let Some(name) = name.and_then(|name| name.strip_suffix(".jwks")) else { return Ok(None) };
        let (software, is_revoked) = name.strip_suffix(".revoked").map_or((name, false), |software| (software, true));
        // The name is used as a file name.
        if software.is_empty() || !software.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            return Ok(None);
        }
        let keys = folder.read(&software_file(software))?;
        if !is_revoked || keys.is_none() {
            return Ok(keys);
        }
        let revoked = folder.read(&format!("{FOLDER}/{SOFTWARE}/{software}.revoked.jwks"))?;
        Ok(Some(revoked.unwrap_or_else(|| KeySet::default().to_json())))
    }
}

fn software_file(software: &str) -> String {
    format!("{FOLDER}/{SOFTWARE}/{software}.jwks")
}
