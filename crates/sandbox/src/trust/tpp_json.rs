//! The file `tpp.json` in a TPP's folder.

use super::tpp_certificates::TppCertificates;
use lombard_domain::ids::{ClientId, KeyId, OrgId, PsuId, SoftwareId};
use lombard_domain::scope::TppRole;
use serde::{Deserialize, Serialize};

/// The contents of the file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct TppJson {
    /// The client id; `None` until the TPP has registered.
    pub(super) client_id: Option<ClientId>,
    pub(super) org_id: OrgId,
    pub(super) software_id: SoftwareId,
    pub(super) roles: Vec<String>,
    pub(super) redirect_uris: Vec<String>,
    pub(super) token_endpoint_auth_method: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) tls_client_auth_subject_dn: Option<String>,
    pub(super) signing_kid: KeyId,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) backchannel_token_delivery_mode: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) backchannel_client_notification_endpoint: Option<String>,
    pub(super) headless: Option<PsuId>,
    #[serde(default, skip_serializing_if = "TppCertificates::is_default")]
    pub(super) certificates: TppCertificates,
    /// The folder's name, which the file does not contain.
    #[serde(skip)]
    pub(super) name: String,
}

impl TppJson {
    /// The software's display name: `My App` for `my-app`.
    pub(super) fn software_name(&self) -> String {
        let words = self.name.split('-').filter(|word| !word.is_empty());
        let capital = |word: &str| {
            let mut letters = word.chars();
            letters.next().map(|first| first.to_ascii_uppercase().to_string() + letters.as_str()).unwrap_or_default()
        };
        words.map(capital).collect::<Vec<_>>().join(" ")
    }

    /// The organisation's display name.
    pub(super) fn org_name(&self) -> String {
        format!("{} Limited", self.software_name())
    }

    /// The TPP's roles; `None` if one of them is unknown.
    pub(super) fn roles(&self) -> Option<Vec<TppRole>> {
        self.roles.iter().map(|name| TppRole::from_name(name)).collect()
    }
}
