//! Tests of the sandbox's certificates with third-party libraries.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::wildcard_enum_match_arm,
    reason = "a test that overflows or meets another variant fails, as it should"
)]

mod bank_process;
mod certificates;
mod handshake;
mod renewal;
mod tpps;

use super::*;
use jiff::SignedDuration;
use lombard_domain::ids::{ClientId, PsuId, SoftwareId};
use lombard_domain::scope::TppRole;
use lombard_domain::security_profile::SecurityProfile;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use tempfile::TempDir;
use x509_parser::certificate::X509Certificate;
use x509_parser::prelude::FromDer;

const DIRECTORY: &str = "https://localhost:8443/directory";

/// A temporary data folder.
struct Sandbox {
    dir: TempDir,
}

impl Sandbox {
    fn new() -> Self {
        Self { dir: tempfile::tempdir().unwrap() }
    }

    fn open(&self, now: Timestamp) -> SandboxTrust {
        self.open_as(now, &ServerNames::default())
    }

    fn open_as(&self, now: Timestamp, names: &ServerNames) -> SandboxTrust {
        SandboxTrust::open_or_create(self.dir.path(), now, names, DIRECTORY).unwrap()
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    fn text(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// The certificate in a PEM file, as DER.
    fn certificate(&self, name: &str) -> Vec<u8> {
        certificate::from_pem(&self.text(name)).unwrap()
    }

    fn mode(&self, name: &str) -> u32 {
        fs::metadata(self.path(name)).unwrap().permissions().mode() & 0o777
    }
}

/// The real time, because third-party verifiers use it.
fn today() -> Timestamp {
    use lombard_ports::clock::{Clock, SystemClock};
    SystemClock.now()
}

fn days(days: i64) -> SignedDuration {
    SignedDuration::from_hours(24 * days)
}

fn parsed(der: &[u8]) -> X509Certificate<'_> {
    let (rest, certificate) = X509Certificate::from_der(der).unwrap();
    assert!(rest.is_empty());
    certificate
}

fn order(name: &str) -> TppRequest {
    TppRequest {
        name: name.to_owned(),
        roles: vec![TppRole::Aisp, TppRole::Pisp],
        auth: TppAuth::PrivateKeyJwt,
        backchannel: None,
        headless: None,
        profile: SecurityProfile::default(),
        redirect_uris: vec!["https://localhost:8445/callback".to_owned()],
        certificates: TppCertificates::Obwac,
        transport_key: TransportKey::P256,
        client_id: ClientId::from("client-1"),
        org_id: OrgId::from("0015800001041RHAAY"),
        software_id: SoftwareId::from("4hAcm3S0ftware1d"),
    }
}
