//! Checks the rules between the settings of certificate revocation. Source: TLS-006.

use crate::config::problem::Problem;
use crate::config::settings::Config;
use crate::config::value::{ProxiedListener, RevocationMode};

/// Records all faults of the settings of certificate revocation.
pub(super) fn check(config: &Config, problems: &mut Vec<Problem>) {
    let tls = &config.tls;
    let mut problem = |setting: &str, message: &str| problems.push(Problem::new(setting, message));
    let sources = [
        ("tls.crl_files", !tls.crl_files.is_empty()),
        ("tls.crl_urls", !tls.crl_urls.is_empty()),
        ("tls.ocsp_urls", !tls.ocsp_urls.is_empty()),
    ];
    if tls.revocation == RevocationMode::Off {
        for (setting, _) in sources.into_iter().filter(|(_, is_given)| *is_given) {
            problem(
                setting,
                "is read where tls.revocation is `soft` or `hard` alone; remove it, or set tls.revocation",
            );
        }
    } else if sources.iter().all(|(_, is_given)| !is_given) {
        problem(
            "tls.revocation",
            "needs lists of revoked certificates, or responders; name them in tls.crl_files, tls.crl_urls or tls.ocsp_urls",
        );
    }
    let proxy = &config.proxy;
    let is_proxys = proxy.end_tls.contains(&ProxiedListener::Mtls) && proxy.trust_verification;
    if is_proxys && tls.revocation != RevocationMode::Off {
        let message = "is not looked at where proxy.trust_verification takes the proxy's word; have the proxy look at it and set `off` here, \
                       or remove proxy.trust_verification";
        problem("tls.revocation", message);
    }
    let is_https = tls.crl_urls.iter().chain(&tls.ocsp_urls).any(|url| url.is_https());
    if is_https != tls.revocation_anchors_file.is_some() {
        let message = "goes with https addresses in tls.crl_urls or tls.ocsp_urls; give both, or neither";
        problem("tls.revocation_anchors_file", message);
    }
}
