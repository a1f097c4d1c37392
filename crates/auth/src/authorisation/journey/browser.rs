//! The browser's half of a journey: a secret in a cookie, and the form tokens made from it.

use lombard_domain::grant::{AuthorisationJourney, Digest};
use lombard_ports::entropy::IdGenerator;

/// The secret a browser proves itself with. Source: AS-141.
#[derive(Clone, PartialEq, Eq)]
pub struct BrowserSecret([u8; 32]);

impl std::fmt::Debug for BrowserSecret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Browser(…)")
    }
}

impl BrowserSecret {
    /// A new secret.
    pub(crate) fn fresh(ids: &IdGenerator) -> Self {
        Self(ids.random_secret())
    }

    /// The secret a cookie's value stands for.
    pub fn from_cookie(value: &str) -> Option<Self> {
        lombard_jose::from_base64url(value)?.try_into().ok().map(Self)
    }

    /// The cookie's value.
    pub fn cookie(&self) -> String {
        lombard_jose::base64url(&self.0)
    }

    /// What the server keeps of it.
    pub(crate) fn digest(&self) -> Digest {
        lombard_jose::sha256(&self.0)
    }

    /// Whether this browser began the journey.
    pub(super) fn owns(&self, interaction: &AuthorisationJourney) -> bool {
        lombard_jose::secrets_are_equal(&self.digest().0, &interaction.browser.0)
    }

    /// The one form token accepted next in a journey.
    pub(super) fn form_token(&self, interaction: &AuthorisationJourney) -> String {
        self.token(&interaction.form_token)
    }

    /// A form token, made from what only the browser has and what only the server has, so a page may be shown again
    /// without storing anything, and a page that was submitted is spent. Source: AS-141, AS-144.
    pub(crate) fn token(&self, server_half: &Digest) -> String {
        let mut material = b"lombard form token".to_vec();
        material.extend_from_slice(&self.0);
        material.extend_from_slice(&server_half.0);
        lombard_jose::base64url(&lombard_jose::sha256(&material).0)
    }
}
