//! Configuration: one TOML file, whose keys environment variables can override. All faults are reported at once.
//!
//! A setting is declared once, in [`settings`]. Its parsing, its default, `config show` and its entry in
//! `docs/reference/configuration.md` are derived from the declaration.

mod advice;
mod app_links;
mod audit;
mod core_connection;
mod declaration;
mod declare;
mod directories;
mod file_contents;
mod files;
mod hosts;
mod payments;
mod problem;
mod reader;
mod reference;
mod rules;
mod settings;
mod traces;
mod value;
mod warnings;

#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;

pub use audit::{NodeName, SyslogAddress};
pub use directories::{DirectoryKeysSetting, DirectorySetting};
pub use hosts::{CalledHost, OwnName};
pub use payments::{CutOffTime, MiddleRate};
pub use problem::{Problem, Problems};
pub use reference::{limits_markdown as limits_reference, markdown as reference};
pub use settings::*;
pub use traces::{CollectorUrl, SampleRatio};
pub use value::{
    BankKind, BaseUrl, DatabaseUrl, HeadlessDecision, IdentityKind, LogFormat, Mode, ProxiedListener, ProxyTransport,
    RevocationMode, StaffKind,
};
pub use warnings::PaymentWarnings;

pub(crate) use core_connection::{CoreConnection, CoreFile};
pub(crate) use declaration::variable_of;
pub(crate) use file_contents::{
    parse_revocation_lists, read_certificates, read_database_url, read_key_encryption_key, read_key_set, read_pin,
    read_private_key, read_revocation_lists, read_secret_text, read_signing_key,
};
pub(crate) use files::{certificate_end, certificate_ends, check_listener_files, listener_files, sandbox_key_file};

use jiff::Timestamp;
use lombard_domain::version::Version;
use reader::SettingReader;
use std::path::{Path, PathBuf};

/// The sources of a configuration.
#[derive(Debug, Clone, Default)]
pub struct Sources {
    /// The TOML file, if there is one.
    pub file: Option<PathBuf>,
    /// The environment variables; only `LOMBARD__…` variables are used.
    pub environment: Vec<(String, String)>,
}

impl Sources {
    /// Uses this file and the environment of the process.
    pub fn of_process(file: Option<PathBuf>) -> Self {
        Self { file, environment: std::env::vars().collect() }
    }

    fn text(&self) -> Result<String, Problems> {
        self.file.as_deref().map_or_else(|| Ok(String::new()), read_file)
    }
}

impl Config {
    /// The versions that are no longer served. Source: RW-010.
    pub(crate) fn retired_versions(&self) -> impl Iterator<Item = Version> {
        self.endpoints.retired_versions.iter().filter_map(|name| Version::from_segment(name))
    }

    /// The number of connections to each listener that one address may have, computed from its configured share.
    pub(crate) fn address_connections_max(&self) -> usize {
        let share = u64::from(self.server.address_share_max);
        let all = u64::try_from(self.server.connections_max).unwrap_or(u64::MAX);
        usize::try_from(all.saturating_mul(share) / 100).unwrap_or(usize::MAX)
    }

    /// The number of connections to each listener that one client may have. Unless set, it equals the number for one address.
    pub(crate) fn client_connections_max(&self) -> usize {
        self.server.client_connections_max.unwrap_or_else(|| self.address_connections_max())
    }

    /// Reads and checks the configuration without the files that its settings name.
    ///
    /// # Errors
    /// All faults of the configuration.
    pub fn load(sources: &Sources) -> Result<Self, Problems> {
        Self::from_parts(&sources.text()?, &sources.environment)
    }

    /// Reads the mode of an installation, whatever is wrong between its settings.
    ///
    /// # Errors
    /// All faults of single settings.
    pub(crate) fn read_mode(sources: &Sources) -> Result<Mode, Problems> {
        Ok(Self::parse_and_check(&sources.text()?, &sources.environment)?.0.mode)
    }

    /// Reads the configuration of an installation in this folder. The result includes the faults between settings and the faults of the
    /// files that settings name.
    ///
    /// # Errors
    /// All faults of single settings; no other checks are made in this case.
    pub(crate) fn examine(
        sources: &Sources,
        data_dir: PathBuf,
        now: Timestamp,
    ) -> Result<(Self, Vec<Problem>), Problems> {
        let (config, mut problems) = Self::parse_and_check(&sources.text()?, &sources.environment)?;
        let config = Self { data_dir, ..config };
        problems.extend(files::check(&config, now));
        Ok((config, problems))
    }

    /// Reads and checks a configuration given as text and variables.
    ///
    /// # Errors
    /// All faults of the configuration.
    pub fn from_parts(text: &str, environment: &[(String, String)]) -> Result<Self, Problems> {
        let (config, problems) = Self::parse_and_check(text, environment)?;
        if problems.is_empty() { Ok(config) } else { Err(Problems::new(problems)) }
    }

    /// Returns the configuration and the faults between its settings. If a setting cannot be parsed, only this fault is returned, because
    /// the rules between settings would report it again.
    pub(crate) fn parse_and_check(
        text: &str,
        environment: &[(String, String)],
    ) -> Result<(Self, Vec<Problem>), Problems> {
        let mut reader = SettingReader::new(text, environment);
        let config = Self::read(&mut reader);
        let (given, problems) = reader.finish(&reference::all_settings());
        if !problems.is_empty() {
            return Err(Problems::new(problems));
        }
        let problems = rules::check(&config, &given);
        Ok((config, problems))
    }

    /// Whether this listener receives requests without TLS, because proxies on this machine terminate TLS.
    pub(crate) fn is_without_tls(&self, listener: ProxiedListener) -> bool {
        let is_clear = matches!(self.proxy.transport, ProxyTransport::Loopback | ProxyTransport::Unix);
        is_clear && self.proxy.end_tls.contains(&listener)
    }

    /// The Unix socket of this listener with the name of its setting, if proxies connect over a Unix socket.
    pub(crate) fn unix_socket(&self, listener: ProxiedListener) -> Option<(&'static str, &Path)> {
        let (setting, path) = match listener {
            ProxiedListener::Public => ("proxy.public_socket", &self.proxy.public_socket),
            ProxiedListener::Mtls => ("proxy.mtls_socket", &self.proxy.mtls_socket),
        };
        let is_used = self.proxy.transport == ProxyTransport::Unix && self.proxy.end_tls.contains(&listener);
        path.as_deref().filter(|_| is_used).map(|path| (setting, path))
    }

    /// How staff log in; `None` only in production, which is refused without it.
    pub fn staff_kind(&self) -> Option<StaffKind> {
        self.ops.staff.or_else(|| self.is_sandbox().then_some(StaffKind::Password))
    }

    /// Whether the ops listener has TLS.
    pub(crate) fn is_ops_tls(&self) -> bool {
        self.staff_kind() == Some(StaffKind::Mtls) || self.ops.certificate_file.is_some()
    }

    /// Whether the installation is a sandbox.
    pub fn is_sandbox(&self) -> bool {
        self.mode == Mode::Sandbox
    }
}

fn read_file(file: &Path) -> Result<String, Problems> {
    std::fs::read_to_string(file).map_err(|error| {
        let message = format!("the file cannot be read ({error}); give its path with --config");
        Problems::new(vec![Problem::new(file.display().to_string(), message)])
    })
}
