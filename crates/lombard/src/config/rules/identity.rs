//! Checks the rules between the settings of the bank's OpenID provider.

use crate::config::declaration::dotted;
use crate::config::problem::Problem;
use crate::config::settings::Config;
use crate::config::value::{IdentityKind, Mode};
use url::{Host, Url};

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
    let is_plain = match &identity.issuer {
        None => {
            problem("issuer", "is required with identity.kind = \"oidc\": its metadata say where everything else is");
            false
        }
        Some(issuer) => {
            let url = Url::parse(issuer).ok();
            let is_plain = url.as_ref().is_some_and(|url| url.scheme() == "http" && is_loopback(url));
            let is_plain = is_plain && config.mode == Mode::Sandbox;
            let is_issuer =
                |url: &Url| (url.scheme() == "https" || is_plain) && url.query().is_none() && url.fragment().is_none();
            if !url.as_ref().is_some_and(is_issuer) {
                problem(
                    "issuer",
                    "must be an https address without query (a sandbox may have one of this machine without TLS)",
                );
            }
            is_plain
        }
    };
    if identity.client_id.as_ref().is_none_or(String::is_empty) {
        problem("client_id", "is required with identity.kind = \"oidc\"");
    }
    if identity.key_file.is_none() {
        problem("key_file", "is required with identity.kind = \"oidc\": requests to the provider are signed");
    }
    if identity.anchors_file.is_none() && !is_plain {
        problem("anchors_file", "is required with identity.kind = \"oidc\": without it no provider can be recognised");
    }
    if identity.certificate_file.is_some() != identity.certificate_key_file.is_some() {
        let missing = if identity.certificate_file.is_some() { "certificate_key_file" } else { "certificate_file" };
        problem(missing, "is missing; certificate and key come together");
    }
    if !identity.scopes.iter().any(|scope| scope == "openid") {
        problem("scopes", "must name openid; without it there is no ID token");
    }
    if identity.customer_claim.is_empty() {
        problem("customer_claim", "must not be empty");
    }
    if config.mode == Mode::Production && identity.acr_values.is_empty() {
        problem("acr_values", "is required in production: it says which logins are strong customer authentication");
    }
}

fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        Some(Host::Domain(name)) => name == "localhost",
        None => false,
    }
}
