//! The forms of a TPP's certificates.

use serde::{Deserialize, Serialize};

/// The form of a TPP's certificates. Source: DCR-052.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TppCertificates {
    /// Of the directory: OBWAC and OBSeal.
    #[default]
    Obwac,
    /// Qualified certificates: QWAC and QSealC, with the organisation's number at its authority.
    Qwac,
    /// Of the directory as it was before: the transport certificate names organisation and software.
    Legacy,
}

impl TppCertificates {
    /// Whether they are those of a TPP that asks for no others.
    pub(super) fn are_usual(&self) -> bool {
        *self == Self::default()
    }
}
