//! Adds the link from an error to its explanation, the section of its code on the page of all codes. Source: RW-120.

use crate::guide_links::{ERROR_CODES, heading_id};
use lombard_wire::codes::{ALL, code};
use lombard_wire::errors::ErrorEntry;

/// Adds the address of the code's section to an error, unless the error already has an address.
pub(super) fn explained(mut entry: ErrorEntry, namespace: &str, public_url: &str) -> ErrorEntry {
    if entry.url.is_none() {
        entry.url = Some(format!("{public_url}{ERROR_CODES}#{}", section_of(&entry.error_code, namespace)));
    }
    entry
}

/// The id of a code's section: from the code of v4.0, or from the part of the bank's own code after the bank's name.
fn section_of(error_code: &str, namespace: &str) -> String {
    let standard = ALL.iter().map(|fault| code(*fault)).find(|codes| codes.v3_1 == error_code);
    let own = || error_code.strip_prefix("UK.")?.strip_prefix(namespace)?.strip_prefix('.');
    heading_id(standard.map(|codes| codes.v4_0).or_else(own).unwrap_or(error_code))
}

#[cfg(test)]
mod tests {
    use super::*;
    use lombard_auth::error::OAuthErrorCode;
    use lombard_domain::code::Enumerated;
    use lombard_domain::consent::{ConsentStatusReason, EffectiveConsentStatus, RevokedBy};
    use lombard_domain::version::Version;
    use lombard_wire::codes::{consent_status_reasons, known_status_reasons};

    const PAGE: &str = include_str!("../../../../docs/tpps/errors.md");

    fn has_section(id: &str) -> bool {
        PAGE.lines().filter_map(|line| line.strip_prefix("### ")).any(|heading| heading_id(heading) == id)
    }

    #[test]
    fn rw_120_every_code_has_a_section() {
        for fault in ALL {
            let row = code(*fault);
            for version in [Version::V3_1, Version::V4_0] {
                let section = section_of(row.name(version), "Lombard");
                assert_eq!(section, row.v4_0.to_lowercase());
            }
            let stated = format!("### {}\n\n`{}`, {}\n", row.v4_0, row.v3_1, row.status);
            assert!(PAGE.contains(&stated), "{stated}");
        }
        assert_eq!(section_of("UK.Lombard.Forbidden.Scope", "Lombard"), "forbiddenscope");
        assert!(has_section(&section_of("NARR", "Lombard")));
        for oauth in OAuthErrorCode::ALL {
            assert!(has_section(oauth.name()), "{}", oauth.name());
        }
    }

    #[test]
    fn rw_120_every_reason_of_a_consent_has_a_section() {
        use EffectiveConsentStatus as S;
        let ends = [S::Expired, S::Revoked(RevokedBy::Psu), S::Revoked(RevokedBy::Bank)];
        let states = [S::AwaitingAuthorisation, S::Authorised, S::Rejected, S::Consumed].into_iter().chain(ends);
        let of_states = states.flat_map(|status| consent_status_reasons(status, None));
        let known = ConsentStatusReason::VALUES.iter().flat_map(|reason| known_status_reasons(*reason));
        for reason in of_states.chain(known) {
            assert!(has_section(&heading_id(reason.code)), "{}", reason.code);
        }
    }

    #[test]
    fn an_address_of_its_own_stays() {
        let entry = |url: Option<&str>| ErrorEntry {
            error_code: "U029".into(),
            message: "m".into(),
            path: None,
            url: url.map(str::to_owned),
        };
        let url = |it: Option<&str>| explained(entry(it), "Lombard", "https://bank.example").url.unwrap();
        assert_eq!(url(None), "https://bank.example/portal/docs/errors#u029");
        assert_eq!(url(Some("https://bank.example/rules")), "https://bank.example/rules");
    }
}
