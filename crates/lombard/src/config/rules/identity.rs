//! Checks the rules between the settings of the bank's OpenID provider.

use super::provider::{self, ProviderSettings};
use crate::config::declaration::dotted;
use crate::config::problem::Problem;
use crate::config::settings::Config;
use crate::config::value::{IdentityKind, Mode};

/// The settings of the OpenID provider must be complete if it is configured, and absent if another provider is configured.
pub(super) fn check(config: &Config, problems: &mut Vec<Problem>) {
    let identity = &config.identity;
    let mut problem = |key: &str, message: &str| problems.push(Problem::new(dotted("identity", key), message));
    if identity.kind != IdentityKind::Oidc {
        // The other settings have defaults, which `lombard config show` prints.
        for (key, is_given) in [
            ("issuer", identity.issuer.is_some()),
            ("client_id", identity.client_id.is_some()),
            ("key_file", identity.key_file.is_some()),
            ("certificate_file", identity.certificate_file.is_some()),
            ("certificate_key_file", identity.certificate_key_file.is_some()),
            ("anchors_file", identity.anchors_file.is_some()),
        ] {
            if is_given {
                problem(key, "is for identity.kind = \"oidc\" alone; remove it");
            }
        }
        return;
    }
    let provider = ProviderSettings {
        section: "identity",
        switch: "identity.kind = \"oidc\"",
        issuer: identity.issuer.as_deref(),
        client_id: identity.client_id.as_deref(),
        credential: ("key_file", identity.key_file.is_some(), "requests to the provider are signed"),
        has_anchors: identity.anchors_file.is_some(),
        scopes: &identity.scopes,
    };
    provider::check(&provider, config.is_sandbox(), problems);
    let mut problem = |key: &str, message: &str| problems.push(Problem::new(dotted("identity", key), message));
    if identity.certificate_file.is_some() != identity.certificate_key_file.is_some() {
        let missing = if identity.certificate_file.is_some() { "certificate_key_file" } else { "certificate_file" };
        problem(missing, "is missing; certificate and key come together");
    }
    if identity.customer_claim.is_empty() {
        problem("customer_claim", "must not be empty");
    }
    if config.mode == Mode::Production && identity.acr_values.is_empty() {
        problem("acr_values", "is required in production: it says which logins are strong customer authentication");
    }
}
