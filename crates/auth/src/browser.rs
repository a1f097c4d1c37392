//! The browser's half of journeys, sessions and the portal: a secret in a cookie, and the form tokens made from it.

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
    pub(crate) fn owns(&self, interaction: &AuthorisationJourney) -> bool {
        lombard_jose::secrets_are_equal(&self.digest().0, &interaction.browser.0)
    }

    /// The one form token accepted next in a journey.
    pub(crate) fn form_token(&self, interaction: &AuthorisationJourney) -> String {
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

    /// A form token that also holds a salt, so that each page that is shown has another one and nothing is stored of it. Source: AS-141.
    pub(crate) fn salted_token(&self, server_half: &Digest, salt: &str) -> String {
        let mut material = b"lombard salted form token".to_vec();
        material.extend_from_slice(&self.0);
        material.extend_from_slice(&server_half.0);
        material.extend_from_slice(salt.as_bytes());
        format!("{salt}.{}", lombard_jose::base64url(&lombard_jose::sha256(&material).0))
    }

    /// What the server knows a submitted form by. It cannot be found by guessing what was typed, as it is made from the secret too.
    pub(crate) fn digest_form<'a>(&self, path: &str, fields: impl Iterator<Item = (&'a str, &'a str)>) -> Digest {
        let mut material = b"lombard submitted form".to_vec();
        material.extend_from_slice(&self.0);
        for part in std::iter::once(path).chain(fields.flat_map(|(name, value)| [name, value])) {
            material.extend_from_slice(&part.len().to_be_bytes());
            material.extend_from_slice(part.as_bytes());
        }
        lombard_jose::sha256(&material)
    }
}
