//! Host names in lists. A text that cannot be a host name is refused at the start, because it would match nothing without anybody noticing.

use super::value::ListItem;
use rustls::pki_types::ServerName;
use url::{Host, Url};

/// A host that the server calls: a DNS name, with a port unless the port is 443.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CalledHost(String);

impl CalledHost {
    /// The host that this text names; `None` if it cannot be a host.
    pub fn parse(text: &str) -> Option<Self> {
        let (name, port) = text.rsplit_once(':').map_or((text, None), |(name, port)| (name, Some(port)));
        let is_port = |port: &str| port.bytes().all(|byte| byte.is_ascii_digit()) && port.parse::<u16>().is_ok();
        (is_dns_name(name) && port.is_none_or(is_port)).then(|| Self(text.to_owned()))
    }

    /// The text `name` or `name:port` as it was configured.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether this is the host of an address, with its port.
    pub fn is_host_of(&self, url: &Url) -> bool {
        let Some(Host::Domain(name)) = url.host() else { return false };
        // The `Url` type does not keep the default port.
        let own = self.0.strip_suffix(":443").unwrap_or(&self.0);
        match url.port() {
            None => own.eq_ignore_ascii_case(name),
            Some(port) => own.eq_ignore_ascii_case(&format!("{name}:{port}")),
        }
    }
}

impl ListItem for CalledHost {
    const KIND: &'static str = "a list of host names, such as \"keystore.example\" or \"keystore.example:8443\"";

    fn read(text: &str) -> Option<Self> {
        Self::parse(text)
    }

    fn write(&self) -> String {
        self.0.clone()
    }
}

/// A name by which the server is known: a DNS name or an IP address, without a port.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnName(String);

impl OwnName {
    /// The name as it was configured; an IPv6 address may be in brackets.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl ListItem for OwnName {
    const KIND: &'static str = "a list of host names and IP addresses, such as \"bank.example\" or \"192.0.2.1\"";

    fn read(text: &str) -> Option<Self> {
        let bare = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(text);
        let is_address = matches!(ServerName::try_from(bare), Ok(ServerName::IpAddress(_)));
        (is_address || is_dns_name(text)).then(|| Self(text.to_owned()))
    }

    fn write(&self) -> String {
        self.0.clone()
    }
}

/// Whether a text is a DNS name in ASCII, without a wildcard, and not an IP address.
fn is_dns_name(text: &str) -> bool {
    matches!(ServerName::try_from(text), Ok(ServerName::DnsName(_)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NO_NAMES: [&str; 9] = [
        "",
        "[\"localhost:8443\"]",
        "a b",
        "*.example",
        "https://bank.example",
        "bank.example/",
        "bänk.example",
        "-",
        "u@h",
    ];

    #[test]
    fn as_009_a_called_host_is_a_name_with_or_without_port() {
        for host in ["localhost", "keystore.example", "Keystore.example:8443", "keystore.example:443"] {
            assert_eq!(CalledHost::read(host).map(|it| it.write()).as_deref(), Some(host));
        }
        let further = ["192.0.2.1", "[::1]:8443", "::1", "bank.example:", "bank.example:65536", "bank.example:+1"];
        for host in NO_NAMES.into_iter().chain(further) {
            assert_eq!(CalledHost::read(host), None, "{host}");
        }
    }

    #[test]
    fn an_own_name_is_a_name_or_an_address() {
        for name in ["localhost", "Bank.example", "192.0.2.1", "2001:db8::1", "[2001:db8::1]"] {
            assert_eq!(OwnName::read(name).map(|it| it.write()).as_deref(), Some(name));
        }
        for name in NO_NAMES.into_iter().chain(["bank.example:8443", "192.0.2.1:80", "[192.0.2.1"]) {
            assert_eq!(OwnName::read(name), None, "{name}");
        }
    }
}
