//! Certificate and key files for tests.

use rcgen::{
    BasicConstraints, CertificateParams, CertifiedIssuer, DnType, ExtendedKeyUsagePurpose, IsCa, KeyPair, date_time_ymd,
};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// The files of a certificate and its key.
#[derive(Debug, Clone)]
pub(crate) struct Pair {
    /// The certificate, PEM.
    pub(crate) certificate: PathBuf,
    /// The key, PEM.
    pub(crate) key: PathBuf,
}

impl Pair {
    /// Writes a new certificate and key, valid from the beginning of 2020 to the beginning of the year `until`.
    pub(crate) fn write(folder: &Path, name: &str, until: i32) -> Self {
        let key = KeyPair::generate().unwrap();
        let mut params = CertificateParams::new(vec!["bank.example".to_owned()]).unwrap();
        (params.not_before, params.not_after) = (date_time_ymd(2020, 1, 1), date_time_ymd(until, 1, 1));
        let pair = Self { certificate: folder.join(format!("{name}.pem")), key: folder.join(format!("{name}.key")) };
        fs::write(&pair.certificate, params.self_signed(&key).unwrap().pem()).unwrap();
        write_secret(&pair.key, &key.serialize_pem());
        pair
    }
}

/// Writes the settings of staff with certificates: a new authority, and the certificate of an administrator for commands.
pub(crate) fn staff_settings(folder: &Path) -> String {
    let mut params = CertificateParams::default();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    params.distinguished_name.push(DnType::CommonName, "staff authority");
    let authority = CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap();
    let key = KeyPair::generate().unwrap();
    let mut params = CertificateParams::default();
    params.distinguished_name.push(DnType::CommonName, "Ada");
    params.distinguished_name.push(DnType::OrganizationalUnitName, "admin");
    params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ClientAuth];
    let path = |name: &str| folder.join(name);
    fs::write(path("staff-ca.pem"), authority.pem()).unwrap();
    fs::write(path("ada.pem"), params.signed_by(&key, &authority).unwrap().pem()).unwrap();
    write_secret(&path("ada.key"), &key.serialize_pem());
    format!(
        "[ops]\nstaff = \"mtls\"\nstaff_ca_file = \"{}\"\ncommand_certificate_file = \"{}\"\ncommand_key_file = \"{}\"\n",
        path("staff-ca.pem").display(),
        path("ada.pem").display(),
        path("ada.key").display(),
    )
}

/// Writes a file that only the owner may read.
pub(crate) fn write_secret(file: &Path, text: &str) {
    fs::write(file, text).unwrap();
    set_mode(file, 0o600);
}

/// Sets the permissions of a file.
pub(crate) fn set_mode(file: &Path, mode: u32) {
    fs::set_permissions(file, fs::Permissions::from_mode(mode)).unwrap();
}
