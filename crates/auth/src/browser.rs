//! The secret that a browser keeps in a cookie for a journey, a session or the portal, and the form tokens made from it.

use lombard_domain::grant::{AuthorisationJourney, Digest};
use lombard_ports::entropy::IdGenerator;

/// The secret by which a browser is recognised. Source: AS-141.
#[derive(Clone, PartialEq, Eq)]
pub struct BrowserSecret([u8; 32]);

impl std::fmt::Debug for BrowserSecret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Browser(…)")
    }
}

impl BrowserSecret {
    /// Makes a new random secret.
    pub(crate) fn fresh(ids: &IdGenerator) -> Self {
        Self(ids.random_secret())
    }

    /// Decodes the value of a cookie; `None` if it is not a secret.
    pub fn from_cookie(value: &str) -> Option<Self> {
        lombard_jose::from_base64url(value)?.try_into().ok().map(Self)
    }

    /// The value of the cookie.
    pub fn cookie(&self) -> String {
        lombard_jose::base64url(&self.0)
    }

    /// The digest of the secret, which is all that the server stores.
    pub(crate) fn digest(&self) -> Digest {
        lombard_jose::sha256(&self.0)
    }

    /// Whether this browser began the journey.
    pub(crate) fn owns(&self, interaction: &AuthorisationJourney) -> bool {
        lombard_jose::secrets_are_equal(&self.digest().0, &interaction.browser.0)
    }

    /// The form token that the journey accepts next.
    pub(crate) fn form_token(&self, interaction: &AuthorisationJourney) -> String {
        self.token(&interaction.form_token)
    }

    /// Makes a form token from the browser's secret and the server's half. A page can therefore be shown again without storing anything,
    /// and a new server half invalidates a submitted page. Source: AS-141, AS-144.
    pub(crate) fn token(&self, server_half: &Digest) -> String {
        let mut material = b"lombard form token".to_vec();
        material.extend_from_slice(&self.0);
        material.extend_from_slice(&server_half.0);
        lombard_jose::base64url(&lombard_jose::sha256(&material).0)
    }

    /// Makes a form token with a salt, so that each page shown has a different token without storing anything. Source: AS-141.
    pub(crate) fn salted_token(&self, server_half: &Digest, salt: &str) -> String {
        let mut material = b"lombard salted form token".to_vec();
        material.extend_from_slice(&self.0);
        material.extend_from_slice(&server_half.0);
        material.extend_from_slice(salt.as_bytes());
        format!("{salt}.{}", lombard_jose::base64url(&lombard_jose::sha256(&material).0))
    }

    /// A secret for one purpose that follows from this one.
    pub(crate) fn derive(&self, purpose: &str) -> String {
        lombard_jose::base64url(&lombard_jose::sha256(&[purpose.as_bytes(), b"\n", &self.0].concat()).0)
    }

    /// The digest by which the server recognises a submitted form. Nobody can find the fields by guessing, because the digest also covers
    /// the secret.
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
