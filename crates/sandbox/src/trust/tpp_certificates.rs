//! The forms of a TPP's certificates.

use serde::{Deserialize, Serialize};

/// The form of a TPP's certificates. Source: DCR-052.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TppCertificates {
    /// Certificates of the directory: OBWAC and OBSeal.
    #[default]
    Obwac,
    /// Qualified certificates: QWAC and QSealC, with the organisation's number at its authority.
    Qwac,
    /// Certificates of the directory in its former form: the transport certificate names organisation and software.
    Legacy,
}

impl TppCertificates {
    /// Whether this is the form for a TPP that requests no other form.
    pub(super) fn is_default(&self) -> bool {
        *self == Self::default()
    }
}
