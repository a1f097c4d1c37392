//! Parses certificates in percent-encoded PEM.

use super::fault::{ForwardingFault, MALFORMED_CERTIFICATE};
use percent_encoding::percent_decode;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;

/// Parses the certificates of a percent-encoded text, in their order.
///
/// # Errors
/// [`ForwardingFault`] if the text is not PEM.
pub(super) fn chain_of_pem(encoded: &[u8]) -> Result<Vec<CertificateDer<'static>>, ForwardingFault> {
    let pem: Vec<u8> = percent_decode(encoded).collect();
    CertificateDer::pem_slice_iter(&pem).collect::<Result<_, _>>().map_err(|_| MALFORMED_CERTIFICATE)
}
