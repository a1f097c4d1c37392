//! Distinguished names: decoded from a certificate, or read from the RFC 4514 text a client registered.
//!
//! Names are compared attribute by attribute, never as text, because tools write the same subject in many ways. Source: DCR-050, DCR-051.

use super::attribute::{Attribute, AttributeValue, BadName, RelativeName, sorted};
use super::rfc4514;
use x509_parser::x509::X509Name;

/// A distinguished name: its relative names in the order of the certificate or of the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DistinguishedName(pub(super) Vec<RelativeName>);

impl DistinguishedName {
    /// Parses RFC 4514 text.
    ///
    /// # Errors
    /// [`BadName`] when the text is not a distinguished name, or is empty.
    pub fn parse(text: &str) -> Result<Self, BadName> {
        rfc4514::parse(text).map(Self)
    }

    pub(super) fn of_certificate(name: &X509Name<'_>) -> Self {
        let relative = name.iter_rdn().map(|rdn| {
            let attributes = rdn.iter().map(|attribute| Attribute {
                kind: attribute.attr_type().to_id_string(),
                value: AttributeValue::decode(attribute.attr_value().tag().0, attribute.as_slice()),
            });
            sorted(attributes.collect())
        });
        Self(relative.collect())
    }

    /// Whether both names are the same, with the relative names in the same or in the opposite order.
    ///
    /// Names with different numbers of relative names differ. Source: DCR-051.
    pub fn is_same(&self, other: &Self) -> bool {
        self.0 == other.0 || (self.0.len() == other.0.len() && self.0.iter().eq(other.0.iter().rev()))
    }

    /// The text of an attribute type, if the name has exactly one attribute of that type; of several, none can be trusted.
    pub fn text(&self, kind: &str) -> Option<&str> {
        let mut found = self.0.iter().flatten().filter(|attribute| attribute.kind == kind);
        match (found.next(), found.next()) {
            (Some(Attribute { value: AttributeValue::Text(text), .. }), None) => Some(text),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(text: &str) -> DistinguishedName {
        DistinguishedName::parse(text).unwrap_or_else(|_| panic!("{text}"))
    }

    #[test]
    fn dcr_050_the_same_name_in_other_words() {
        let registered = "CN=0015800001041RHAAY,2.5.4.97=PSDGB-FCA-123456,O=Acme\\, Ltd,C=GB";
        for same in [
            registered,
            "C=GB,O=Acme\\, Ltd,organizationIdentifier=PSDGB-FCA-123456,CN=0015800001041RHAAY",
            "c=GB,o=Acme\\2C Ltd,ORGANIZATIONIDENTIFIER=PSDGB-FCA-123456,cn=0015800001041RHAAY",
            "CN=0015800001041RHAAY, OID.2.5.4.97=PSDGB-FCA-123456, O=Acme\\, Ltd, C=GB",
            "CN = 0015800001041RHAAY , oid.2.5.4.97 = PSDGB-FCA-123456 , O = Acme\\, Ltd , C = GB",
            // Go's form, with the value as DER: PrintableString, UTF8String, BMPString.
            "CN=0015800001041RHAAY,2.5.4.97=#13105053444742\
             2d4643412d313233343536,O=Acme\\, Ltd,C=GB",
            "CN=0015800001041RHAAY,2.5.4.97=#0c10505344474\
             22d4643412d313233343536,O=Acme\\, Ltd,C=GB",
            "CN=0015800001041RHAAY,2.5.4.97=PSDGB-FCA-123456,O=Acme\\, Ltd,C=#1E0400470042",
            "CN=0015800001041RHAAY,2.5.4.97=\\  PSDGB-FCA-123456\\ ,O=Acme\\, Ltd,C=GB",
        ] {
            assert!(name(registered).is_same(&name(same)), "{same}");
        }
    }

    #[test]
    fn dcr_050_051_other_names() {
        let registered = name("CN=a,OU=b,O=OpenBanking,C=GB");
        for other in [
            "CN=a,OU=b,O=OpenBanking",
            "OU=b,O=OpenBanking,C=GB",
            "CN=a",
            "CN=A,OU=b,O=OpenBanking,C=GB",
            "CN=a,O=OpenBanking,OU=b,C=GB",
            "CN=a+OU=b,O=OpenBanking,C=GB",
            "CN=a,OU=b,O=OpenBanking,C=GB,C=GB",
            "CN=b,OU=a,O=OpenBanking,C=GB",
            "CN=a,OU=b,O=OpenBanking,L=GB",
            "CN=a,OU=#0202c3a9,O=OpenBanking,C=GB",
        ] {
            assert!(!registered.is_same(&name(other)) && !name(other).is_same(&registered), "{other}");
        }
    }

    #[test]
    fn dcr_051_several_attributes_are_a_set() {
        assert!(name("CN=a+UID=b,O=c").is_same(&name("uid=b+cn=a,o=c")));
        assert!(name("CN=a+UID=b,O=c").is_same(&name("O=c,UID=b+CN=a")));
        assert!(!name("CN=a+UID=b,O=c").is_same(&name("CN=a+UID=c,O=b")));
        assert!(!name("CN=a+CN=a").is_same(&name("CN=a")));
    }

    #[test]
    fn an_attribute_that_occurs_twice_has_no_text() {
        assert_eq!(name("CN=a,O=b").text("2.5.4.3"), Some("a"));
        assert_eq!(name("CN=a,CN=b").text("2.5.4.3"), None);
        assert_eq!(name("CN=#0201ff").text("2.5.4.3"), None, "an INTEGER is no text");
    }

    #[test]
    fn string_types_are_read_in_their_own_encoding() {
        assert_eq!(AttributeValue::decode(20, b"caf\xe9"), AttributeValue::text("café"));
        assert_eq!(AttributeValue::decode(12, "café".as_bytes()), AttributeValue::text("café"));
        assert_eq!(AttributeValue::decode(30, b"\0c\0a\0f\0\xe9"), AttributeValue::text("café"));
        assert_eq!(AttributeValue::decode(28, b"\0\0\0\xe9"), AttributeValue::text("é"));
        for (tag, content) in [(12, &b"\xff"[..]), (30, b"\0"), (30, b"\xd8\0"), (28, b"\0\0\xd8\0"), (2, b"a")] {
            assert_eq!(AttributeValue::decode(tag, content), AttributeValue::Other(tag, content.to_vec()));
        }
    }
}
