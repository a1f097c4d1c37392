//! Checks the rules between the settings of proxies. Source: TLS-011, TLS-013.

use crate::config::problem::Problem;
use crate::config::settings::Config;
use crate::config::value::{ProxiedListener, ProxyTransport};
use lombard_edge::listener::CertificateHeader;

/// Records all faults of `[proxy]`.
pub(super) fn check(config: &Config, problems: &mut Vec<Problem>) {
    let proxy = &config.proxy;
    let mut problem = |setting: &str, message: &str| problems.push(Problem::new(setting, message));
    let passes = !proxy.pass_tls.is_empty();
    let ends = !proxy.end_tls.is_empty();
    let connects_from_addresses = passes || (ends && proxy.transport != ProxyTransport::Unix);
    if connects_from_addresses && proxy.addresses.is_empty() {
        problem(
            "proxy.addresses",
            "is empty; list the addresses of the proxies, because nobody else is believed (TLS-013)",
        );
    }
    if !(passes || ends || proxy.addresses.is_empty()) {
        problem(
            "proxy.addresses",
            "is read where proxy.pass_tls or proxy.end_tls names a listener alone; name one, or remove it",
        );
    }
    if proxy.addresses.iter().any(|network| network.prefix_len() == 0) {
        problem(
            "proxy.addresses",
            "names every address there is, so anybody would be believed; list the proxies alone",
        );
    }
    if proxy.pass_tls.iter().any(|listener| proxy.end_tls.contains(listener)) {
        problem("proxy.end_tls", "names a listener of proxy.pass_tls too; TLS is either passed on or ended");
    }
    if CertificateHeader::from_name(&proxy.certificate_header).is_none()
        || !proxy.certificate_header.to_ascii_lowercase().contains("cert")
        || proxy.certificate_header.contains('_')
    {
        let message = "must be the name of a header for certificates, with `cert` in it and without an underscore";
        problem("proxy.certificate_header", message);
    }
    if !ends {
        for (setting, is_given) in [
            ("proxy.anchors_file", proxy.anchors_file.is_some()),
            ("proxy.public_socket", proxy.public_socket.is_some()),
            ("proxy.mtls_socket", proxy.mtls_socket.is_some()),
            ("proxy.trust_verification", proxy.trust_verification),
            ("proxy.address_header", proxy.address_header.is_some()),
        ] {
            if is_given {
                problem(setting, "is read where proxy.end_tls names a listener alone; name one, or remove it");
            }
        }
        return;
    }
    match (proxy.transport, &proxy.anchors_file) {
        (ProxyTransport::Mtls, None) => problem(
            "proxy.anchors_file",
            "is required where proxy.transport is `mtls`; it says whose certificates the proxies have",
        ),
        (ProxyTransport::Loopback | ProxyTransport::Unix, Some(_)) => problem(
            "proxy.anchors_file",
            "is read where proxy.transport is `mtls` alone; remove it, or set proxy.transport",
        ),
        (ProxyTransport::Mtls, Some(_)) | (ProxyTransport::Loopback | ProxyTransport::Unix, None) => {}
    }
    sockets(config, &mut problem);
    if proxy.transport == ProxyTransport::Loopback && !config.server.bind.is_loopback() {
        let message = "must be a loopback address where proxies end TLS over `loopback`: the listeners of proxy.end_tls are in the \
                       clear (TLS-013)";
        problem("server.bind", message);
    }
    for (listener, setting, url) in [
        (ProxiedListener::Public, "server.public_url", &config.server.public_url),
        (ProxiedListener::Mtls, "server.mtls_url", &config.server.mtls_url),
    ] {
        if proxy.end_tls.contains(&listener) && url.is_none() {
            problem(setting, "is required where a proxy ends TLS; it is the address of the proxy");
        }
    }
}

/// Each listener that proxies reach over a Unix socket must have its own socket, and no other listener may have one.
fn sockets(config: &Config, problem: &mut impl FnMut(&str, &str)) {
    let proxy = &config.proxy;
    let all = [
        (ProxiedListener::Public, "proxy.public_socket", &proxy.public_socket),
        (ProxiedListener::Mtls, "proxy.mtls_socket", &proxy.mtls_socket),
    ];
    for (listener, setting, path) in all {
        let is_needed = proxy.transport == ProxyTransport::Unix && proxy.end_tls.contains(&listener);
        match (is_needed, path) {
            (true, None) => {
                problem(setting, "is required where proxy.transport is `unix`; it is where proxies connect")
            }
            (false, Some(_)) => problem(
                setting,
                "is read where proxy.transport is `unix` and proxy.end_tls names the listener alone; remove it",
            ),
            (true, Some(_)) | (false, None) => {}
        }
    }
    if proxy.public_socket.is_some() && proxy.public_socket == proxy.mtls_socket {
        problem("proxy.mtls_socket", "is the socket of the public listener; each needs its own");
    }
}
