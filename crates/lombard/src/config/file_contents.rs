//! Reads the files that settings name. The checks before a start and the server share these functions, so their results are the same.

use super::value::DatabaseUrl;
use lombard_jose::{KeySet, SigningKey};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, CertificateRevocationListDer, PrivatePkcs8KeyDer};
use std::fs;
use std::path::Path;
use x509_parser::prelude::FromDer;
use x509_parser::revocation_list::CertificateRevocationList;
use zeroize::Zeroizing;

/// Certificates in DER.
pub(super) type Certificates = Vec<CertificateDer<'static>>;

/// Reads the certificates of a PEM file. The error text continues a sentence that begins with the name of the file.
pub(crate) fn read_certificates(file: &Path) -> Result<Certificates, String> {
    let text = read_bytes(file)?;
    let read: Result<Certificates, _> = CertificateDer::pem_slice_iter(&text).collect();
    let certificates =
        read.map_err(|error| format!("cannot be read as PEM certificates ({error}); convert it to PEM"))?;
    if certificates.is_empty() {
        return Err("holds no PEM certificate; convert it to PEM, or name another file".to_owned());
    }
    Ok(certificates)
}

/// Reads the certificate revocation lists of a PEM or DER file. The error text continues a sentence that begins with the file's name.
pub(crate) fn read_revocation_lists(file: &Path) -> Result<Vec<Vec<u8>>, String> {
    parse_revocation_lists(&read_bytes(file)?)
}

/// Parses certificate revocation lists: several in PEM or one in DER. The error text continues a sentence that begins with their origin.
pub(crate) fn parse_revocation_lists(bytes: &[u8]) -> Result<Vec<Vec<u8>>, String> {
    let read: Result<Vec<_>, _> = CertificateRevocationListDer::pem_slice_iter(bytes).collect();
    let mut lists: Vec<Vec<u8>> = read.unwrap_or_default().into_iter().map(|list| list.to_vec()).collect();
    if lists.is_empty() {
        lists.push(bytes.to_vec());
    }
    let is_list = |der: &Vec<u8>| CertificateRevocationList::from_der(der).is_ok_and(|(rest, _)| rest.is_empty());
    if lists.iter().all(is_list) {
        return Ok(lists);
    }
    Err("cannot be read as certificate revocation lists; give them in PEM or DER".to_owned())
}

/// Reads the private key of a PEM file. The error text continues a sentence that begins with the file's name.
pub(crate) fn read_private_key(file: &Path) -> Result<PrivatePkcs8KeyDer<'static>, String> {
    PrivatePkcs8KeyDer::from_pem_slice(&read_bytes(file)?).map_err(|error| {
        format!(
            "cannot be read as a PKCS#8 private key in PEM ({error}); openssl pkcs8 -topk8 -nocrypt converts others"
        )
    })
}

/// Reads an RSA signing key from a PEM file. The error text continues a sentence that begins with the name of the file.
pub(crate) fn read_signing_key(file: &Path) -> Result<SigningKey, String> {
    let key = read_private_key(file)?;
    SigningKey::from_pkcs8_der(key.secret_pkcs8_der()).map_err(|error| format!("is {error}; give an RSA key"))
}

/// Reads a JWK Set of public keys. The error text continues a sentence that begins with the file's name.
pub(crate) fn read_key_set(file: &Path) -> Result<KeySet, String> {
    let bytes = read_bytes(file)?;
    let text = std::str::from_utf8(&bytes).map_err(|_| "is not a text; give a JWK Set".to_owned())?;
    let keys =
        KeySet::parse(text).map_err(|error| format!("cannot be used ({error}); give a JWK Set of public keys"))?;
    if keys.iter().next().is_none() {
        return Err("holds no RSA key of 2048 bits or more and no P-256 key; add one".to_owned());
    }
    Ok(keys)
}

/// Reads the key that encrypts private keys. The error text continues a sentence that begins with the file's name.
pub(crate) fn read_key_encryption_key(file: &Path) -> Result<Zeroizing<[u8; 32]>, String> {
    from_hex(read_bytes(file)?.trim_ascii())
        .ok_or_else(|| "must hold 64 hexadecimal digits and nothing else; openssl rand -hex 32 makes them".to_owned())
}

/// Reads the PIN of a security module. The error text continues a sentence that begins with the file's name.
pub(crate) fn read_pin(file: &Path) -> Result<Zeroizing<String>, String> {
    let bytes = read_bytes(file)?;
    let text = std::str::from_utf8(bytes.trim_ascii()).ok().filter(|text| !text.is_empty());
    text.map(|text| Zeroizing::new(text.to_owned())).ok_or_else(|| "must hold the PIN and nothing else".to_owned())
}

/// Reads a secret text, such as a client's secret or an access token. The error text continues a sentence that begins with the file's name.
pub(crate) fn read_secret_text(file: &Path) -> Result<Zeroizing<String>, String> {
    let bytes = read_bytes(file)?;
    let text = std::str::from_utf8(bytes.trim_ascii()).ok();
    let is_line = |text: &&str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic());
    text.filter(is_line)
        .map(|text| Zeroizing::new(text.to_owned()))
        .ok_or_else(|| "must hold the secret in one line and nothing else".to_owned())
}

/// Reads the database's URL. The error text continues a sentence that begins with the file's name.
pub(crate) fn read_database_url(file: &Path) -> Result<DatabaseUrl, String> {
    let bytes = read_bytes(file)?;
    let text = std::str::from_utf8(&bytes).ok().map(str::trim);
    text.and_then(DatabaseUrl::parse)
        .ok_or_else(|| "must hold sqlite://PATH or postgres://… and nothing else".to_owned())
}

/// Reads the bytes of a file, which may be secret.
pub(super) fn read_bytes(file: &Path) -> Result<Zeroizing<Vec<u8>>, String> {
    let bytes = fs::read(file);
    bytes
        .map(Zeroizing::new)
        .map_err(|error| format!("cannot be read ({error}); give the path of a file that the server's user may read"))
}

fn from_hex(digits: &[u8]) -> Option<Zeroizing<[u8; 32]>> {
    let mut key = Zeroizing::new([0; 32]);
    if digits.len() != 64 || !digits.iter().all(u8::is_ascii_hexdigit) {
        return None;
    }
    for (byte, digits) in key.iter_mut().zip(digits.chunks_exact(2)) {
        *byte = u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?;
    }
    Some(key)
}
