//! The types of settings: how each type is parsed from TOML and from an environment variable, and how it is shown.

use ipnet::IpNet;
use lombard_auth::registration::RegistrationPolicy;
use lombard_domain::frequency::ScottishQuarterDays;
use lombard_edge::listener::AddressHeader;
use std::fmt;
use std::net::IpAddr;
use std::path::PathBuf;
use url::Url;

/// The type of a setting.
pub(super) trait SettingValue: Sized {
    /// The expected form, for error messages.
    const KIND: &'static str;
    /// Parses a TOML value.
    fn from_toml(value: &toml::Value) -> Option<Self>;
    /// Parses an environment variable.
    fn from_text(text: &str) -> Option<Self>;
    /// Formats the value as TOML, without secrets; `None` if it is not set.
    fn show(&self) -> Option<String>;
    /// The value as a number, if a range can be set for it.
    fn number(&self) -> Option<u64> {
        None
    }
}

/// The mode of an installation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// The installation creates its own certificates, TPPs and customers, and has controls for testers.
    Sandbox,
    /// The installation has no defaults for security settings, and refuses to start with any object that a sandbox created.
    Production,
}

/// The core that keeps the bank's accounts and executes its payments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BankKind {
    /// The bank that is part of this program, only for sandboxes.
    Builtin,
    /// A core that speaks the core API over HTTP.
    Http,
    /// A core that the program embedding Lombard brings with it.
    Embedded,
}

/// The identity provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IdentityKind {
    /// The logins of the built-in bank's customers, only for sandboxes.
    Builtin,
    /// The bank's OpenID provider.
    Oidc,
    /// An identity provider that the program embedding Lombard brings with it.
    Embedded,
}

/// How the bank's staff log in at the ops listener.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StaffKind {
    /// With the password of a sandbox's operator.
    Password,
    /// With a certificate of the staff authority.
    Mtls,
    /// At the bank's OpenID provider.
    Oidc,
}

/// The format of log lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogFormat {
    /// Text on a terminal, JSON otherwise.
    Auto,
    /// Text.
    Text,
    /// JSON, one object per line.
    Json,
}

/// The decision of a headless TPP's customer. Source: AS-171.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HeadlessDecision {
    /// Approves every request.
    Approve,
    /// Refuses every request.
    Reject,
}

/// A listener that proxies can stand in front of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProxiedListener {
    /// The public listener.
    Public,
    /// The listener that asks for client certificates.
    Mtls,
}

/// How revoked client certificates are treated. Source: TLS-006.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RevocationMode {
    /// Revocation is not checked.
    Off,
    /// Certificates that are known to be revoked are refused.
    Soft,
    /// Revoked certificates and certificates of unknown status are refused.
    Hard,
}

/// The URL of a certificate revocation list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RevocationListUrl(String);

impl RevocationListUrl {
    /// The URL as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether the URL is called over TLS.
    pub(super) fn is_https(&self) -> bool {
        self.0.starts_with("https:")
    }
}

/// How proxies that terminate TLS connect to the listeners.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProxyTransport {
    /// Proxies connect without TLS on this machine.
    Loopback,
    /// Proxies connect without TLS over Unix sockets.
    Unix,
    /// Proxies connect over TLS, with their own certificates.
    Mtls,
}

/// The base of a public URL: scheme, host and port, without a trailing slash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BaseUrl(String);

impl BaseUrl {
    /// The URL as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Parses an `https` URL without a path.
    pub fn parse(text: &str) -> Option<Self> {
        read_base_url(text)
    }
}

/// The URL of a database; a password in it is never shown.
#[derive(Clone, PartialEq, Eq)]
pub struct DatabaseUrl(String);

impl DatabaseUrl {
    /// The URL with its password. Do not log it.
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// Parses the URL of a PostgreSQL or SQLite database.
    pub fn parse(text: &str) -> Option<Self> {
        let known = ["sqlite:", "postgres://", "postgresql://"].iter().any(|scheme| text.starts_with(scheme));
        known.then(|| Self(text.to_owned()))
    }

    /// Whether the engine is SQLite.
    pub fn is_sqlite(&self) -> bool {
        self.0.starts_with("sqlite:")
    }

    fn redacted(&self) -> String {
        match Url::parse(&self.0) {
            Ok(mut url) if url.password().is_some() => {
                let replaced = url.set_password(Some("REDACTED")).is_ok();
                if replaced { url.to_string() } else { "REDACTED".to_owned() }
            }
            // The query parameters of a PostgreSQL URL may also contain a password.
            Ok(url) if url.query().is_some() => "REDACTED".to_owned(),
            Ok(_) => self.0.clone(),
            Err(_) => "REDACTED".to_owned(),
        }
    }
}

impl fmt::Debug for DatabaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DatabaseUrl({})", self.redacted())
    }
}

macro_rules! whole_number {
    ($($type:ty: $kind:literal),*) => {$(
        impl SettingValue for $type {
            const KIND: &'static str = $kind;
            fn from_toml(value: &toml::Value) -> Option<Self> {
                value.as_integer().and_then(|number| number.try_into().ok())
            }
            fn from_text(text: &str) -> Option<Self> {
                text.parse().ok()
            }
            fn show(&self) -> Option<String> {
                Some(self.to_string())
            }
            fn number(&self) -> Option<u64> {
                u64::try_from(*self).ok()
            }
        }
    )*};
}
whole_number!(
    u16: "a whole number from 0 to 65535",
    u32: "a whole number",
    u64: "a whole number",
    usize: "a whole number"
);

impl SettingValue for bool {
    const KIND: &'static str = "true or false";
    fn from_toml(value: &toml::Value) -> Option<Self> {
        value.as_bool()
    }
    fn from_text(text: &str) -> Option<Self> {
        text.parse().ok()
    }
    fn show(&self) -> Option<String> {
        Some(self.to_string())
    }
}

/// Implements [`SettingValue`] for types whose values are written as one text.
macro_rules! text {
    ($($type:ty, $kind:literal, $read:expr, $show:expr;)*) => {$(
        impl SettingValue for $type {
            const KIND: &'static str = $kind;
            fn from_toml(value: &toml::Value) -> Option<Self> {
                value.as_str().and_then(Self::from_text)
            }
            fn from_text(text: &str) -> Option<Self> {
                let read: fn(&str) -> Option<Self> = $read;
                read(text)
            }
            fn show(&self) -> Option<String> {
                let show: fn(&Self) -> String = $show;
                Some(quoted(&show(self)))
            }
        }
    )*};
}
text! {
    String, "a text", |text| Some(text.to_owned()), Self::clone;
    PathBuf, "a path", |text| (!text.is_empty()).then(|| text.into()), |path| path.display().to_string();
    IpAddr, "an IP address", |text| text.parse().ok(), ToString::to_string;
    Mode, "\"sandbox\" or \"production\"", read_mode, |mode| format!("{mode:?}").to_lowercase();
    BankKind, "\"builtin\", \"http\" or \"embedded\"", read_bank_kind, |kind| format!("{kind:?}").to_lowercase();
    IdentityKind, "\"builtin\", \"oidc\" or \"embedded\"", read_identity_kind, |kind| format!("{kind:?}").to_lowercase();
    StaffKind, "\"password\", \"mtls\" or \"oidc\"", read_staff_kind, |kind| format!("{kind:?}").to_lowercase();
    LogFormat, "\"auto\", \"text\" or \"json\"", read_log_format, |format| format!("{format:?}").to_lowercase();
    ScottishQuarterDays, "\"traditional\" or \"statutory\"", read_scottish_days, show_scottish_days;
    HeadlessDecision, "\"approve\" or \"reject\"", read_headless, |decision| format!("{decision:?}").to_lowercase();
    RevocationMode, "\"off\", \"soft\" or \"hard\"", read_revocation_mode, |mode| format!("{mode:?}").to_lowercase();
    ProxyTransport, "\"loopback\", \"unix\" or \"mtls\"", read_proxy_transport, |kind| format!("{kind:?}").to_lowercase();
    AddressHeader, "\"forwarded\" or \"x-forwarded-for\"", read_address_header, show_address_header;
    RegistrationPolicy, "\"open\", \"allow_list\" or \"approval\"", read_policy, |policy| policy.name().to_owned();
    BaseUrl, "an https address without a path, such as \"https://bank.example\"", read_base_url, |url| url.0.clone();
    DatabaseUrl, "\"sqlite://PATH\" or \"postgres://…\"", Self::parse, Self::redacted;
}

fn read_mode(text: &str) -> Option<Mode> {
    match text {
        "sandbox" => Some(Mode::Sandbox),
        "production" => Some(Mode::Production),
        _ => None,
    }
}

fn read_bank_kind(text: &str) -> Option<BankKind> {
    match text {
        "builtin" => Some(BankKind::Builtin),
        "http" => Some(BankKind::Http),
        "embedded" => Some(BankKind::Embedded),
        _ => None,
    }
}

fn read_identity_kind(text: &str) -> Option<IdentityKind> {
    match text {
        "builtin" => Some(IdentityKind::Builtin),
        "oidc" => Some(IdentityKind::Oidc),
        "embedded" => Some(IdentityKind::Embedded),
        _ => None,
    }
}

fn read_staff_kind(text: &str) -> Option<StaffKind> {
    match text {
        "password" => Some(StaffKind::Password),
        "mtls" => Some(StaffKind::Mtls),
        "oidc" => Some(StaffKind::Oidc),
        _ => None,
    }
}

fn read_policy(text: &str) -> Option<RegistrationPolicy> {
    RegistrationPolicy::ALL.into_iter().find(|policy| policy.name() == text)
}

fn read_log_format(text: &str) -> Option<LogFormat> {
    match text {
        "auto" => Some(LogFormat::Auto),
        "text" => Some(LogFormat::Text),
        "json" => Some(LogFormat::Json),
        _ => None,
    }
}

fn read_headless(text: &str) -> Option<HeadlessDecision> {
    match text {
        "approve" => Some(HeadlessDecision::Approve),
        "reject" => Some(HeadlessDecision::Reject),
        _ => None,
    }
}

fn read_revocation_mode(text: &str) -> Option<RevocationMode> {
    match text {
        "off" => Some(RevocationMode::Off),
        "soft" => Some(RevocationMode::Soft),
        "hard" => Some(RevocationMode::Hard),
        _ => None,
    }
}

fn read_proxy_transport(text: &str) -> Option<ProxyTransport> {
    match text {
        "loopback" => Some(ProxyTransport::Loopback),
        "unix" => Some(ProxyTransport::Unix),
        "mtls" => Some(ProxyTransport::Mtls),
        _ => None,
    }
}

fn read_address_header(text: &str) -> Option<AddressHeader> {
    [AddressHeader::Forwarded, AddressHeader::XForwardedFor].into_iter().find(|it| show_address_header(it) == text)
}

fn show_address_header(header: &AddressHeader) -> String {
    let name = match header {
        AddressHeader::Forwarded => "forwarded",
        AddressHeader::XForwardedFor => "x-forwarded-for",
    };
    name.to_owned()
}

fn read_scottish_days(text: &str) -> Option<ScottishQuarterDays> {
    ScottishQuarterDays::ALL.into_iter().find(|days| show_scottish_days(days) == text)
}

fn show_scottish_days(days: &ScottishQuarterDays) -> String {
    format!("{days:?}").to_lowercase()
}

fn read_base_url(text: &str) -> Option<BaseUrl> {
    let url = Url::parse(text).ok()?;
    let bare = url.scheme() == "https" && url.path() == "/" && url.query().is_none() && url.fragment().is_none();
    let anonymous = url.username().is_empty() && url.password().is_none();
    (bare && anonymous && url.has_host()).then(|| BaseUrl(text.trim_end_matches('/').to_owned()))
}

/// The type of a list's items.
pub(super) trait ListItem: Sized {
    /// The expected form, for error messages.
    const KIND: &'static str;
    /// Parses an item.
    fn read(text: &str) -> Option<Self>;
    /// Formats an item so that it can be parsed again.
    fn write(&self) -> String;
}

impl ListItem for String {
    const KIND: &'static str = "a list of texts";

    fn read(text: &str) -> Option<Self> {
        Some(text.to_owned())
    }

    fn write(&self) -> String {
        self.clone()
    }
}

impl ListItem for PathBuf {
    const KIND: &'static str = "a list of paths";

    fn read(text: &str) -> Option<Self> {
        (!text.is_empty()).then(|| text.into())
    }

    fn write(&self) -> String {
        self.display().to_string()
    }
}

impl ListItem for IpNet {
    const KIND: &'static str = "a list of IP addresses and networks, such as \"192.0.2.1\" or \"10.0.0.0/24\"";

    fn read(text: &str) -> Option<Self> {
        text.parse().ok().or_else(|| text.parse::<IpAddr>().ok().map(Self::from))
    }

    fn write(&self) -> String {
        if self.prefix_len() == self.max_prefix_len() { self.addr().to_string() } else { self.to_string() }
    }
}

impl ListItem for RevocationListUrl {
    const KIND: &'static str = "a list of http or https addresses";

    fn read(text: &str) -> Option<Self> {
        let url = Url::parse(text).ok()?;
        let is_plain = url.username().is_empty() && url.password().is_none() && url.fragment().is_none();
        (matches!(url.scheme(), "http" | "https") && url.has_host() && is_plain).then(|| Self(url.into()))
    }

    fn write(&self) -> String {
        self.0.clone()
    }
}

impl ListItem for ProxiedListener {
    const KIND: &'static str = "a list of \"public\" and \"mtls\"";

    fn read(text: &str) -> Option<Self> {
        [Self::Public, Self::Mtls].into_iter().find(|listener| listener.write() == text)
    }

    fn write(&self) -> String {
        format!("{self:?}").to_lowercase()
    }
}

impl<T: ListItem> SettingValue for Vec<T> {
    const KIND: &'static str = T::KIND;

    fn from_toml(value: &toml::Value) -> Option<Self> {
        value.as_array()?.iter().map(|item| item.as_str().and_then(T::read)).collect()
    }

    /// Items are separated by commas, or given as a JSON array of texts.
    fn from_text(text: &str) -> Option<Self> {
        let inner = text.trim().strip_prefix('[').map(str::trim_start);
        // An IPv6 address in brackets is not an array.
        if inner.is_some_and(|inner| inner.starts_with(['"', ']'])) {
            let items: Vec<String> = serde_json::from_str(text).ok()?;
            return items.iter().map(|item| T::read(item)).collect();
        }
        text.split(',').map(str::trim).filter(|item| !item.is_empty()).map(T::read).collect()
    }

    fn show(&self) -> Option<String> {
        let items: Vec<_> = self.iter().map(|item| quoted(&item.write())).collect();
        Some(format!("[{}]", items.join(", ")))
    }
}

impl<V: SettingValue> SettingValue for Option<V> {
    const KIND: &'static str = V::KIND;

    fn from_toml(value: &toml::Value) -> Option<Self> {
        V::from_toml(value).map(Some)
    }

    fn from_text(text: &str) -> Option<Self> {
        V::from_text(text).map(Some)
    }

    fn show(&self) -> Option<String> {
        self.as_ref().and_then(SettingValue::show)
    }

    fn number(&self) -> Option<u64> {
        self.as_ref().and_then(SettingValue::number)
    }
}

/// Quotes a text for TOML.
pub(super) fn quoted(text: &str) -> String {
    toml::Value::from(text).to_string()
}
