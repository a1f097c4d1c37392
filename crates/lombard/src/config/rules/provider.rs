//! The rules that the settings of each OpenID provider have in common: that of the customers, and that of the staff.

use crate::config::declaration::dotted;
use crate::config::problem::Problem;
use url::{Host, Url};

/// The settings of a provider that is configured.
pub(super) struct ProviderSettings<'a> {
    /// The section of the settings.
    pub section: &'static str,
    /// The setting that makes the others necessary, as a configuration file has it.
    pub switch: &'static str,
    /// The issuer.
    pub issuer: Option<&'a str>,
    /// The server's id at the provider.
    pub client_id: Option<&'a str>,
    /// The key of the server's credential, whether it is given, and what it is for.
    pub credential: (&'static str, bool, &'static str),
    /// Whether trust anchors are given.
    pub has_anchors: bool,
    /// The requested scopes.
    pub scopes: &'a [String],
}

/// Checks that nothing is missing. A sandbox may have a provider of this machine without TLS, which needs no trust anchors.
pub(super) fn check(settings: &ProviderSettings<'_>, is_sandbox: bool, problems: &mut Vec<Problem>) {
    let ProviderSettings { section, switch, issuer, client_id, credential, has_anchors, scopes } = settings;
    let mut problem = |key: &str, message: &str| problems.push(Problem::new(dotted(section, key), message));
    let required = |reason: &str| format!("is required with {switch}{reason}");
    let is_plain = match issuer.map(Url::parse) {
        None => {
            problem("issuer", &required(": its metadata say where everything else is"));
            false
        }
        Some(url) => {
            let is_plain = is_sandbox && url.as_ref().is_ok_and(|url| url.scheme() == "http" && is_loopback(url));
            let is_issuer =
                |url: &Url| (url.scheme() == "https" || is_plain) && url.query().is_none() && url.fragment().is_none();
            if !url.as_ref().is_ok_and(is_issuer) {
                let message =
                    "must be an https address without query (a sandbox may have one of this machine without TLS)";
                problem("issuer", message);
            }
            is_plain
        }
    };
    if client_id.is_none_or(str::is_empty) {
        problem("client_id", &required(""));
    }
    let (key, is_given, purpose) = credential;
    if !is_given {
        problem(key, &required(&format!(": {purpose}")));
    }
    if !has_anchors && !is_plain {
        problem("anchors_file", &required(": without it no provider can be recognised"));
    }
    if !scopes.iter().any(|scope| scope == "openid") {
        problem("scopes", "must name openid; without it there is no ID token");
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
