//! The identifier of a payment service provider in its authority's register, as qualified certificates hold it. Source: DCR-052,
//! ETSI TS 119 495 section 5.2.1.

use crate::software_statement::AuthorityRegistration;

/// The countries whose authorities register payment service providers, with the codes that certificates and the directory use.
const COUNTRIES: [(&str, &str); 31] = [
    ("AT", "AUT"),
    ("BE", "BEL"),
    ("BG", "BGR"),
    ("CY", "CYP"),
    ("CZ", "CZE"),
    ("DE", "DEU"),
    ("DK", "DNK"),
    ("EE", "EST"),
    ("ES", "ESP"),
    ("FI", "FIN"),
    ("FR", "FRA"),
    ("GB", "GBR"),
    ("GR", "GRC"),
    ("HR", "HRV"),
    ("HU", "HUN"),
    ("IE", "IRL"),
    ("IS", "ISL"),
    ("IT", "ITA"),
    ("LI", "LIE"),
    ("LT", "LTU"),
    ("LU", "LUX"),
    ("LV", "LVA"),
    ("MT", "MLT"),
    ("NL", "NLD"),
    ("NO", "NOR"),
    ("PL", "POL"),
    ("PT", "PRT"),
    ("RO", "ROU"),
    ("SE", "SWE"),
    ("SI", "SVN"),
    ("SK", "SVK"),
];

/// An identifier such as `PSDGB-FCA-123456`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct AuthorityIdentifier {
    country: String,
    authority: String,
    registration_id: String,
}

impl AuthorityIdentifier {
    /// Reads an `organizationIdentifier`; `None` if it has another form, such as `NTRGB-12345678` of a trade register.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let (country, rest) = text.strip_prefix("PSD")?.split_once('-')?;
        let (authority, registration_id) = rest.split_once('-')?;
        let is_country = country.len() == 2 && country.bytes().all(|byte| byte.is_ascii_uppercase());
        let is_authority =
            (2..=8).contains(&authority.len()) && authority.bytes().all(|byte| byte.is_ascii_alphabetic());
        let is_whole = is_country && is_authority && !registration_id.is_empty();
        is_whole.then(|| Self {
            country: country.to_owned(),
            authority: authority.to_owned(),
            registration_id: registration_id.to_owned(),
        })
    }

    /// Whether the identifier names this registration: the same number with the same authority.
    pub(super) fn is(&self, registration: &AuthorityRegistration) -> bool {
        let Some((_, country)) = COUNTRIES.iter().find(|(short, _)| *short == self.country) else { return false };
        let named = &registration.authority_id;
        let is_authority = named.len() == self.authority.len().saturating_add(country.len())
            && named.split_at_checked(self.authority.len()).is_some_and(|(name, of)| {
                name.eq_ignore_ascii_case(&self.authority) && of.eq_ignore_ascii_case(country)
            });
        is_authority && self.registration_id == registration.registration_id
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dcr_052_an_identifier_is_a_registration_with_the_same_authority() {
        let registered = |authority_id: &str, registration_id: &str| AuthorityRegistration {
            authority_id: authority_id.to_owned(),
            registration_id: registration_id.to_owned(),
        };
        for (text, authority_id, registration_id, is) in [
            ("PSDGB-FCA-123456", "FCAGBR", "123456", true),
            ("PSDGB-FCA-123456", "fcagbr", "123456", true),
            ("PSDDE-BAFIN-12-34", "BaFinDEU", "12-34", true),
            ("PSDGB-FCA-123456", "FCAGBR", "1234567", false),
            ("PSDGB-FCA-123456", "FCAIRL", "123456", false),
            ("PSDGB-FCA-123456", "PRAGBR", "123456", false),
            ("PSDGB-FCA-123456", "XFCAGBR", "123456", false),
            ("PSDGB-FCA-123456", "FCA", "123456", false),
            ("PSDIE-FCA-123456", "FCAGBR", "123456", false),
            ("PSDXX-FCA-123456", "FCAXXX", "123456", false),
            ("PSDGB-FCA-", "FCAGBR", "", false),
            ("NTRGB-123456", "FCAGBR", "123456", false),
            ("PSDGB-FCA", "FCAGBR", "", false),
            ("PSDgb-FCA-1", "FCAGBR", "1", false),
            ("", "", "", false),
        ] {
            let found = AuthorityIdentifier::parse(text);
            let registration = registered(authority_id, registration_id);
            assert_eq!(found.is_some_and(|it| it.is(&registration)), is, "{text} {authority_id} {registration_id}");
        }
    }
}
