//! The statement of a TPP's PSD2 roles in a qualified certificate. Source: DCR-053; ETSI TS 119 495 section 5.1.

use lombard_domain::scope::TppRole;
use rcgen::CustomExtension;

/// `id-pe-qcStatements`. Source: RFC 3739 section 3.2.6.
pub(super) const QC_STATEMENTS: [u64; 9] = [1, 3, 6, 1, 5, 5, 7, 1, 3];

const SEQUENCE: u8 = 0x30;
const OBJECT_IDENTIFIER: u8 = 0x06;
const UTF8_STRING: u8 = 0x0c;

/// 0.4.0.19495.2, `etsi-psd2-qcStatement`.
const PSD2_STATEMENT: [u8; 6] = [0x04, 0x00, 0x81, 0x98, 0x27, 0x02];

/// `id-etsi-qcs-QcType`, 0.4.0.1862.1.6. Source: ETSI EN 319 412-5 section 4.2.3.
const TYPE_STATEMENT: [u8; 6] = [0x04, 0x00, 0x8e, 0x46, 0x01, 0x06];

/// The type of a qualified certificate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CertificateType {
    /// A certificate for electronic seals.
    Seal,
    /// A certificate for website authentication.
    Web,
}

impl CertificateType {
    /// The last number of the type's object identifier below [`TYPE_STATEMENT`].
    const fn number(self) -> u8 {
        match self {
            Self::Seal => 2,
            Self::Web => 3,
        }
    }
}

/// The extension that states roles granted by the United Kingdom's authority, and the certificate's type if it is qualified.
pub(super) fn statements(roles: &[TppRole], kind: Option<CertificateType>) -> CustomExtension {
    let stated: Vec<u8> = roles.iter().flat_map(|role| role_of_psp(*role)).collect();
    let authority = [der(UTF8_STRING, b"Financial Conduct Authority"), der(UTF8_STRING, b"GB-FCA")].concat();
    let content = der(SEQUENCE, &[der(SEQUENCE, &stated), authority].concat());
    let statement = der(SEQUENCE, &[der(OBJECT_IDENTIFIER, &PSD2_STATEMENT), content].concat());
    let stated_type = kind.map(|kind| {
        let id = [&TYPE_STATEMENT[..], &[kind.number()]].concat();
        let types = der(SEQUENCE, &der(OBJECT_IDENTIFIER, &id));
        der(SEQUENCE, &[der(OBJECT_IDENTIFIER, &TYPE_STATEMENT), types].concat())
    });
    let all = [statement, stated_type.unwrap_or_default()].concat();
    CustomExtension::from_oid_content(&QC_STATEMENTS, der(SEQUENCE, &all))
}

fn role_of_psp(role: TppRole) -> Vec<u8> {
    let (last, name): (u8, &[u8]) = match role {
        TppRole::Pisp => (2, b"PSP_PI"),
        TppRole::Aisp => (3, b"PSP_AI"),
        TppRole::Cbpii => (4, b"PSP_IC"),
    };
    // 0.4.0.19495.1.n
    let id = der(OBJECT_IDENTIFIER, &[0x04, 0x00, 0x81, 0x98, 0x27, 0x01, last]);
    der(SEQUENCE, &[id, der(UTF8_STRING, name)].concat())
}

/// Encodes one DER value of at most 65,535 bytes.
fn der(tag: u8, content: &[u8]) -> Vec<u8> {
    let length = u16::try_from(content.len()).unwrap_or(u16::MAX);
    let [high, low] = length.to_be_bytes();
    let mut value = match (high, low) {
        (0, 0..=0x7f) => vec![tag, low],
        (0, _) => vec![tag, 0x81, low],
        _ => vec![tag, 0x82, high, low],
    };
    value.extend_from_slice(content);
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dcr_053_the_statement_is_the_bytes_of_the_standard() {
        let extension = statements(&[TppRole::Aisp], None);
        let expected = [
            &[0x30, 0x46, 0x30, 0x44, 0x06, 0x06, 0x04, 0x00, 0x81, 0x98, 0x27, 0x02][..],
            &[0x30, 0x3a, 0x30, 0x13, 0x30, 0x11, 0x06, 0x07, 0x04, 0x00, 0x81, 0x98, 0x27, 0x01, 0x03, 0x0c, 0x06],
            b"PSP_AI\x0c\x1bFinancial Conduct Authority\x0c\x06GB-FCA",
        ]
        .concat();
        assert_eq!(extension.content(), expected);
        assert!(!extension.criticality());
    }

    #[test]
    fn lengths_are_in_the_shortest_form() {
        assert_eq!(der(4, &[7; 127])[..2], [4, 127]);
        assert_eq!(der(4, &[7; 128])[..3], [4, 0x81, 128]);
        assert_eq!(der(4, &[7; 256])[..4], [4, 0x82, 1, 0]);
    }
}
