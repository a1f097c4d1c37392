//! The checks of a certificate chain that an operator imports for a signing key. Source: AS-007.

use super::error::KeyRefusal;
use jiff::Timestamp;
use lombard_jose::PublicKey;
use x509_parser::certificate::X509Certificate;
use x509_parser::prelude::FromDer;

/// Checks a chain (DER, leaf first) and returns the public key of its leaf. Each certificate must be valid now and signed by the next one;
/// the leaf must be for signatures and must not be an authority. Trust in the last certificate is left to those who verify signatures.
pub(super) fn check_chain(chain: &[Vec<u8>], now: Timestamp) -> Result<PublicKey, KeyRefusal> {
    let refused = |number, reason: &str| KeyRefusal::Certificate { number, reason: reason.to_owned() };
    let mut certificates = Vec::new();
    for (number, der) in (1..).zip(chain) {
        let parsed = X509Certificate::from_der(der).ok().filter(|(rest, _)| rest.is_empty());
        let (_, certificate) = parsed.ok_or_else(|| refused(number, "it is not an X.509 certificate"))?;
        let (from, until) =
            (certificate.validity().not_before.timestamp(), certificate.validity().not_after.timestamp());
        if until <= now.as_second() {
            return Err(refused(number, "it has expired"));
        }
        if from > now.as_second() {
            return Err(refused(number, "it is not valid yet"));
        }
        certificates.push(certificate);
    }
    for (number, pair) in (1..).zip(certificates.windows(2)) {
        if let [certificate, issuer] = pair
            && certificate.verify_signature(Some(issuer.public_key())).is_err()
        {
            return Err(refused(number, "the next certificate is not that of its issuer"));
        }
    }
    let Some((leaf, der)) = certificates.first().zip(chain.first()) else { return Err(KeyRefusal::Nothing) };
    if leaf.is_ca() {
        return Err(refused(1, "it is that of an authority; the key's own certificate comes first"));
    }
    let usage = leaf.key_usage().map_err(|_| refused(1, "its key usage cannot be read"))?;
    if usage.is_some_and(|it| !it.value.digital_signature() && !it.value.non_repudiation()) {
        return Err(refused(1, "it is not for signatures"));
    }
    PublicKey::of_certificate(der).ok_or_else(|| refused(1, "it is not for an RSA key of 2048 to 8192 bits"))
}
