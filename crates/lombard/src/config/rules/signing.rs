//! Checks the rules between the settings of signing.

use crate::config::problem::Problem;
use crate::config::settings::Config;

/// Records all faults of the settings of signing.
pub(super) fn check(config: &Config, problems: &mut Vec<Problem>) {
    let signing = &config.signing;
    let mut problem = |setting: &str, message: &str| problems.push(Problem::new(setting, message));
    let parts = [
        ("signing.pkcs11_module_file", signing.pkcs11_module_file.is_some()),
        ("signing.pkcs11_token_label", signing.pkcs11_token_label.is_some()),
        ("signing.pkcs11_pin_file", signing.pkcs11_pin_file.is_some()),
    ];
    if parts.iter().any(|(_, is_given)| *is_given) || signing.pkcs11_key_label.is_some() {
        for (setting, _) in parts.iter().filter(|(_, is_given)| !is_given) {
            problem(setting, "is missing; the module, the token and its PIN come together");
        }
    }
    if signing.country.len() != 2 || !signing.country.bytes().all(|byte| byte.is_ascii_uppercase()) {
        problem("signing.country", "must be a country of two capital letters, such as GB");
    }
    if signing.organisation_identifier.as_deref().is_some_and(|text| !is_organisation_identifier(text)) {
        let message = "must name a register, a country, an authority and a number, as PSDGB-FCA-123456 (DCR-052)";
        problem("signing.organisation_identifier", message);
    }
}

/// Whether the text is an organisation identifier. Source: ETSI EN 319 412-1 section 5.1.4; ETSI TS 119 495 section 5.2.1.
fn is_organisation_identifier(text: &str) -> bool {
    let mut parts = text.splitn(3, '-');
    let register = parts.next();
    let authority = parts.next();
    let number = parts.next();
    register.is_some_and(|it| it.len() == 5 && it.bytes().all(|byte| byte.is_ascii_uppercase()))
        && authority.is_some_and(|it| (2..=8).contains(&it.len()) && it.bytes().all(|byte| byte.is_ascii_uppercase()))
        && number.is_some_and(|it| !it.is_empty() && it.bytes().all(|byte| byte.is_ascii_graphic()))
}
