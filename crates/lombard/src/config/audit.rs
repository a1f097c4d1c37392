//! The values of the section `audit`.

use super::value::{SettingValue, quoted};
use lombard_domain::audit::is_node_name;
use std::path::PathBuf;

/// The name of a node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NodeName(String);

impl NodeName {
    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether a name may contain this character.
    pub fn allows(character: char) -> bool {
        is_node_name(character.encode_utf8(&mut [0; 4]))
    }
}

impl SettingValue for NodeName {
    const KIND: &'static str = "a name of 1 to 64 letters, digits, dots, hyphens and underscores, other than \"joint\"";

    fn from_toml(value: &toml::Value) -> Option<Self> {
        value.as_str().and_then(Self::from_text)
    }

    fn from_text(text: &str) -> Option<Self> {
        is_node_name(text).then(|| Self(text.to_owned()))
    }

    fn show(&self) -> Option<String> {
        Some(quoted(&self.0))
    }
}

/// Where messages to syslog are sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SyslogAddress {
    /// The datagram socket of the machine's syslog.
    Socket(PathBuf),
    /// A host and its UDP port.
    Host(String),
}

impl SettingValue for SyslogAddress {
    const KIND: &'static str =
        "the path of a socket, such as \"/dev/log\", or a host with a UDP port, such as \"syslog.example:514\"";

    fn from_toml(value: &toml::Value) -> Option<Self> {
        value.as_str().and_then(Self::from_text)
    }

    fn from_text(text: &str) -> Option<Self> {
        if text.starts_with('/') {
            return Some(Self::Socket(text.into()));
        }
        let (host, port) = text.rsplit_once(':')?;
        let is_host =
            !host.is_empty() && !host.contains(|character: char| character.is_whitespace() || character == '/');
        (is_host && port.parse::<u16>().is_ok()).then(|| Self::Host(text.to_owned()))
    }

    fn show(&self) -> Option<String> {
        Some(quoted(&match self {
            Self::Socket(path) => path.display().to_string(),
            Self::Host(host) => host.clone(),
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn syslog_is_a_socket_or_a_host_with_a_port() {
        for (text, is_address) in [
            ("/dev/log", true),
            ("syslog.example:514", true),
            ("[::1]:514", true),
            ("syslog.example", false),
            ("udp://syslog.example:514", false),
            (":514", false),
            ("", false),
        ] {
            let read = SyslogAddress::from_text(text);
            assert_eq!(read.is_some(), is_address, "{text:?}");
            assert!(read.is_none_or(|read| read.show() == Some(format!("\"{text}\""))), "{text:?}");
        }
    }
}
