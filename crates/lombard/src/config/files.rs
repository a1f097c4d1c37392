//! Checks the files that settings name.
//!
//! `lombard serve` and `lombard config check` share [`check`]. This module neither uses the network nor writes files. Its messages contain
//! the name of a file, never its contents.

use super::core_connection::CoreFiles;
use super::directories::DirectoryKeysSetting;
use super::file_contents::{
    read_certificates, read_database_url, read_key_encryption_key, read_key_set, read_pin, read_private_key,
    read_revocation_lists, read_secret_text, read_signing_key,
};
use super::problem::{Problem, Problems};
use super::rules;
use super::settings::Config;
use super::value::DatabaseUrl;
use access::{FileAccessRights, own_groups};
use jiff::Timestamp;
use rustls::crypto::aws_lc_rs;
use rustls::pki_types::CertificateDer;
use rustls::sign::CertifiedKey;
use rustls::{Error, RootCertStore, SignatureAlgorithm};
use std::fs;
use std::path::{Path, PathBuf};
use x509_parser::certificate::X509Certificate;
use x509_parser::prelude::FromDer;
use x509_parser::time::ASN1Time;

mod access;
#[cfg(test)]
mod tests;

/// The key file that a sandbox creates, unless `signing.key_encryption_key_file` names another.
pub(crate) fn sandbox_key_file(data_dir: &Path) -> PathBuf {
    data_dir.join("private/key-encryption.key")
}

/// Returns all faults of the files that settings name, in the order of the settings. Permissions and expiry dates are checked only in
/// production.
pub(super) fn check(config: &Config, now: Timestamp) -> Vec<Problem> {
    let mut inspection = Inspection { config, now, problems: Vec::new() };
    inspection.listeners();
    inspection.authorities("ops.anchors_file", &config.ops.anchors_file);
    if let Some(file) = &config.ops.client_secret_file {
        inspection.permissions("ops.client_secret_file", file);
        inspection.take("ops.client_secret_file", file, read_secret_text(file));
    }
    inspection.database_url("database.url_file", &config.database.url_file);
    if let Some(url) = &config.database.url {
        inspection.database_files("database.url", url);
    }
    inspection.authorities("auth.jwks_anchors_file", &config.auth.jwks_anchors_file);
    inspection.authorities("auth.notification_anchors_file", &config.auth.notification_anchors_file);
    inspection.authorities("pages.logo_anchors_file", &config.pages.logo_anchors_file);
    let identity = &config.identity;
    inspection.authorities("identity.anchors_file", &identity.anchors_file);
    inspection.signing_key("identity.key_file", &identity.key_file);
    inspection.server_certificate(
        ("identity.certificate_file", &identity.certificate_file),
        ("identity.certificate_key_file", &identity.certificate_key_file),
    );
    inspection.authorities("telemetry.otlp_anchors_file", &config.telemetry.otlp_anchors_file);
    inspection.written_file("audit.anchor_file", &config.audit.anchor_file);
    inspection.core();
    inspection.key_set("bank.push_keys_file", &config.bank.push_keys_file);
    for directory in &config.dcr.directories {
        if let DirectoryKeysSetting::File(file) = &directory.keys {
            inspection.key_set("dcr.directories", &Some(file.clone()));
        }
    }
    inspection.key_encryption_key("signing.key_encryption_key_file", &config.signing.key_encryption_key_file);
    inspection.security_module();
    for file in &config.signing.other_key_encryption_key_files {
        inspection.key_encryption_key("signing.other_key_encryption_key_files", &Some(file.clone()));
    }
    inspection.problems
}

/// Checks the TLS files of the listeners, which a running server reads again.
///
/// # Errors
/// All faults of these files.
pub(crate) fn check_listener_files(config: &Config, now: Timestamp) -> Result<(), Problems> {
    let mut inspection = Inspection { config, now, problems: Vec::new() };
    inspection.listeners();
    if inspection.problems.is_empty() { Ok(()) } else { Err(Problems::new(inspection.problems)) }
}

/// The TLS files of the listeners that settings name.
pub(crate) fn listener_files(config: &Config) -> Vec<PathBuf> {
    let tls = &config.tls;
    let files = [
        &tls.rsa_certificate_file,
        &tls.rsa_key_file,
        &tls.ec_certificate_file,
        &tls.ec_key_file,
        &tls.tpp_anchors_file,
        &config.proxy.anchors_file,
        &config.ops.certificate_file,
        &config.ops.key_file,
        &config.ops.staff_ca_file,
    ];
    let lists = tls.crl_files.iter().chain(&config.ops.staff_crl_files);
    files.into_iter().flatten().chain(lists).cloned().collect()
}

/// The settings that name certificates, and the ends of the certificates in their files. Files that cannot be read are
/// left out.
pub(crate) fn certificate_ends(config: &Config) -> Vec<(&'static str, Vec<Timestamp>)> {
    let core = config.bank.core_file.as_ref().and_then(|file| CoreFiles::read(file).ok());
    let (core_anchors, core_certificate) = core.map(|files| (files.ca, files.certificate)).unzip();
    let named = [
        ("tls.rsa_certificate_file", &config.tls.rsa_certificate_file),
        ("tls.ec_certificate_file", &config.tls.ec_certificate_file),
        ("tls.tpp_anchors_file", &config.tls.tpp_anchors_file),
        ("tls.revocation_anchors_file", &config.tls.revocation_anchors_file),
        ("proxy.anchors_file", &config.proxy.anchors_file),
        ("ops.certificate_file", &config.ops.certificate_file),
        ("ops.staff_ca_file", &config.ops.staff_ca_file),
        ("ops.anchors_file", &config.ops.anchors_file),
        ("auth.jwks_anchors_file", &config.auth.jwks_anchors_file),
        ("auth.notification_anchors_file", &config.auth.notification_anchors_file),
        ("pages.logo_anchors_file", &config.pages.logo_anchors_file),
        ("identity.anchors_file", &config.identity.anchors_file),
        ("identity.certificate_file", &config.identity.certificate_file),
        ("telemetry.otlp_anchors_file", &config.telemetry.otlp_anchors_file),
        ("bank.ca_file", &config.bank.ca_file),
        ("bank.certificate_file", &config.bank.certificate_file),
        ("bank.core_file", &core_anchors),
        ("bank.core_file", &core_certificate),
    ];
    let ends = named.into_iter().filter_map(|(setting, file)| {
        let certificates = read_certificates(file.as_ref()?).ok()?;
        Some((setting, certificates.iter().filter_map(|der| validity(der).ok()).map(|(_, until)| until).collect()))
    });
    ends.collect()
}

/// The end of a certificate in DER, if it can be read.
pub(crate) fn certificate_end(der: &[u8]) -> Option<Timestamp> {
    validity(der).ok().map(|(_, until)| until)
}

/// A setting and the file it names.
type Named<'a> = (&'static str, &'a Option<PathBuf>);

struct Inspection<'a> {
    config: &'a Config,
    now: Timestamp,
    problems: Vec<Problem>,
}

impl Inspection<'_> {
    /// Records a fault of a file.
    fn note(&mut self, setting: &'static str, file: &Path, reason: impl AsRef<str>) {
        self.problems.push(Problem::new(setting, format!("{} {}", file.display(), reason.as_ref())));
    }

    /// Returns the value that was read, or records the fault.
    fn take<T>(&mut self, setting: &'static str, file: &Path, read: Result<T, String>) -> Option<T> {
        read.map_err(|reason| self.note(setting, file, reason)).ok()
    }

    /// Checks that the folder of a file that the server writes exists.
    fn written_file(&mut self, setting: &'static str, file: &Option<PathBuf>) {
        let Some(file) = file else { return };
        if !file.parent().is_some_and(|folder| folder.as_os_str().is_empty() || folder.is_dir()) {
            self.note(setting, file, "cannot be written: its folder does not exist");
        }
    }

    /// Checks the files of the listeners' TLS.
    fn listeners(&mut self) {
        let tls = &self.config.tls;
        for (certificate, key) in [
            (("tls.rsa_certificate_file", &tls.rsa_certificate_file), ("tls.rsa_key_file", &tls.rsa_key_file)),
            (("tls.ec_certificate_file", &tls.ec_certificate_file), ("tls.ec_key_file", &tls.ec_key_file)),
        ] {
            self.server_certificate(certificate, key);
        }
        self.authorities("tls.tpp_anchors_file", &tls.tpp_anchors_file);
        self.authorities("proxy.anchors_file", &self.config.proxy.anchors_file);
        self.authorities("tls.revocation_anchors_file", &tls.revocation_anchors_file);
        for file in &tls.crl_files {
            self.take("tls.crl_files", file, read_revocation_lists(file));
        }
        let ops = &self.config.ops;
        self.server_certificate(("ops.certificate_file", &ops.certificate_file), ("ops.key_file", &ops.key_file));
        self.authorities("ops.staff_ca_file", &ops.staff_ca_file);
        for file in &ops.staff_crl_files {
            self.take("ops.staff_crl_files", file, read_revocation_lists(file));
        }
    }

    /// Checks a certificate chain that the server presents, and the key of its first certificate.
    fn server_certificate(&mut self, (setting, file): Named<'_>, (key_setting, key_file): Named<'_>) {
        let chain = file.as_ref().and_then(|file| {
            let chain = self.take(setting, file, read_certificates(file))?;
            self.dates(setting, file, &chain).then_some(chain)
        });
        let key = key_file.as_ref().and_then(|file| {
            self.permissions(key_setting, file);
            self.take(key_setting, file, read_private_key(file))
        });
        let (Some(chain), Some(key), Some(file), Some(key_file)) = (chain, key, file, key_file) else { return };
        match CertifiedKey::from_der(chain, key.into(), &aws_lc_rs::default_provider()) {
            Ok(pair) if matches!(pair.key.algorithm(), SignatureAlgorithm::RSA | SignatureAlgorithm::ECDSA) => {}
            Ok(_) => self.note(key_setting, key_file, "is neither an RSA nor a P-256 key (TLS-002); give one of these"),
            Err(Error::InconsistentKeys(_)) => {
                let reason = format!(
                    "is not the key of the first certificate in {}; give a certificate and a key that belong together, \
                     the server's own certificate before those of its authorities",
                    file.display()
                );
                self.note(key_setting, key_file, reason);
            }
            Err(Error::InvalidCertificate(error)) => {
                self.note(
                    setting,
                    file,
                    format!("has a first certificate that cannot be used ({error}); have it issued again"),
                );
            }
            Err(error) => {
                self.note(key_setting, key_file, format!("cannot be used ({error}); give an RSA or P-256 key"))
            }
        }
    }

    /// Checks a file of trust anchors. A handshake does not check the dates of trust anchors, so a file is refused only if no anchor in it
    /// is currently valid.
    fn authorities(&mut self, setting: &'static str, file: &Option<PathBuf>) {
        let Some(file) = file else { return };
        let Some(certificates) = self.take(setting, file, read_certificates(file)) else { return };
        let mut roots = RootCertStore::empty();
        for (number, certificate) in (1..).zip(&certificates) {
            if let Err(error) = roots.add(certificate.clone()) {
                self.note(
                    setting,
                    file,
                    format!("has a certificate (number {number}) that cannot be used ({error}); remove it"),
                );
            }
        }
        let is_over = |it: &CertificateDer<'_>| validity(it).is_ok_and(|(_, until)| until < self.now);
        if !self.config.is_sandbox() && certificates.iter().all(is_over) {
            self.note(setting, file, "holds only certificates that have expired; give those of current authorities");
        }
    }

    /// Records certificates that are not valid now. Returns whether all of them can be parsed.
    fn dates(&mut self, setting: &'static str, file: &Path, chain: &[CertificateDer<'_>]) -> bool {
        let mut are_readable = true;
        for (number, certificate) in (1..).zip(chain) {
            match validity(certificate) {
                Err(reason) => {
                    self.note(setting, file, format!("has a certificate (number {number}) that {reason}"));
                    are_readable = false;
                }
                Ok(_) if self.config.is_sandbox() => {}
                Ok((_, until)) if until < self.now => {
                    let reason = format!("has a certificate (number {number}) that expired at {until}; renew it");
                    self.note(setting, file, reason);
                }
                Ok((from, _)) if self.now < from => {
                    let reason = format!(
                        "has a certificate (number {number}) that is not valid before {from}; give one that is, or correct \
                         this machine's clock"
                    );
                    self.note(setting, file, reason);
                }
                Ok(_) => {}
            }
        }
        are_readable
    }

    /// Checks a set of public keys.
    fn key_set(&mut self, setting: &'static str, file: &Option<PathBuf>) {
        let Some(file) = file else { return };
        self.take(setting, file, read_key_set(file));
    }

    /// Checks that no other user can access a secret file.
    fn permissions(&mut self, setting: &'static str, file: &Path) {
        // Reading a missing file reports the fault.
        let Ok(metadata) = fs::metadata(file) else { return };
        if self.config.is_sandbox() {
            return;
        }
        if let Some(reason) = FileAccessRights::of(&metadata).fault(&own_groups()) {
            self.note(setting, file, reason);
        }
    }

    fn database_url(&mut self, setting: &'static str, file: &Option<PathBuf>) {
        let Some(file) = file else { return };
        self.permissions(setting, file);
        if let Some(url) = self.take(setting, file, read_database_url(file)) {
            self.problems.extend(rules::engine(self.config, setting, &url));
            self.problems.extend(rules::database::url(setting, &url));
            self.database_files(setting, &url);
        }
    }

    /// Checks the files that the URL of a PostgreSQL names.
    fn database_files(&mut self, setting: &'static str, url: &DatabaseUrl) {
        // The faults of the URL itself are reported already.
        let Some(url) = rules::database::postgres(url) else { return };
        if let Some(key) = url.key_file() {
            self.permissions(setting, key);
        }
        let faults = url.check_files().err().unwrap_or_default();
        self.problems.extend(faults.into_iter().map(|fault| Problem::new(setting, fault.to_string())));
    }

    fn signing_key(&mut self, setting: &'static str, file: &Option<PathBuf>) {
        let Some(file) = file else { return };
        self.permissions(setting, file);
        self.take(setting, file, read_signing_key(file));
    }

    /// Checks the files of the security module without calling the module.
    fn security_module(&mut self) {
        let signing = &self.config.signing;
        if let Some(file) = signing.pkcs11_module_file.as_ref().filter(|file| !file.is_file()) {
            let reason = "is no file; give the path of the module's shared library";
            self.note("signing.pkcs11_module_file", file, reason);
        }
        if let Some(file) = &signing.pkcs11_pin_file {
            self.permissions("signing.pkcs11_pin_file", file);
            self.take("signing.pkcs11_pin_file", file, read_pin(file));
        }
    }

    /// Checks the files of the connection to a core.
    fn core(&mut self) {
        let bank = &self.config.bank;
        if let Some(file) = &bank.core_file {
            const SETTING: &str = "bank.core_file";
            if let Some(CoreFiles { ca, certificate, key, .. }) = self.take(SETTING, file, CoreFiles::read(file)) {
                self.authorities(SETTING, &Some(ca));
                self.server_certificate((SETTING, &Some(certificate)), (SETTING, &Some(key)));
            }
        }
        self.authorities("bank.ca_file", &bank.ca_file);
        let certificate = ("bank.certificate_file", &bank.certificate_file);
        self.server_certificate(certificate, ("bank.key_file", &bank.key_file));
    }

    fn key_encryption_key(&mut self, setting: &'static str, file: &Option<PathBuf>) {
        let Some(file) = file else { return };
        let is_made = self.config.is_sandbox() && *file == sandbox_key_file(&self.config.data_dir);
        if is_made && !file.exists() {
            return;
        }
        self.permissions(setting, file);
        self.take(setting, file, read_key_encryption_key(file));
    }
}

/// The validity period of a certificate.
fn validity(certificate: &[u8]) -> Result<(Timestamp, Timestamp), String> {
    let (_, certificate) = X509Certificate::from_der(certificate)
        .map_err(|_| "cannot be read as an X.509 certificate; have it issued again".to_owned())?;
    // A certificate may expire after the last instant that a timestamp can represent.
    let at = |time: &ASN1Time| Timestamp::from_second(time.timestamp()).unwrap_or(Timestamp::MAX);
    let validity = certificate.validity();
    Ok((at(&validity.not_before), at(&validity.not_after)))
}
