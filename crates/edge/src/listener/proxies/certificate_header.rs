//! Reads the header in which a proxy forwards a client's certificate. Source: TLS-010, TLS-012, RFC 9440.

use super::envoy_header;
use super::fault::{
    ForwardingFault, MALFORMED_CERTIFICATE as MALFORMED, SEVERAL_CERTIFICATES as SEVERAL, is_same_name,
};
use super::pem::chain_of_pem;
use http::{HeaderMap, HeaderName, HeaderValue};
use rustls::pki_types::CertificateDer;

const CLIENT_CERT: HeaderName = HeaderName::from_static("client-cert");
const CLIENT_CERT_CHAIN: HeaderName = HeaderName::from_static("client-cert-chain");
const X_FORWARDED_CLIENT_CERT: HeaderName = HeaderName::from_static("x-forwarded-client-cert");

/// The most certificates of a chain, including the leaf.
const CHAIN_MAX: usize = 10;

/// The header with the client's certificate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CertificateHeader {
    /// `Client-Cert`, the certificate as a structured byte sequence, and `Client-Cert-Chain`. Source: RFC 9440.
    ClientCert,
    /// `X-Forwarded-Client-Cert` of Envoy: one element with the certificate or its chain as PEM, percent-encoded.
    Envoy,
    /// A header of this name, the certificate as PEM, percent-encoded; more certificates of its chain may follow.
    Pem([HeaderName; 1]),
}

static CLIENT_CERT_NAMES: [HeaderName; 2] = [CLIENT_CERT, CLIENT_CERT_CHAIN];
static ENVOY_NAMES: [HeaderName; 1] = [X_FORWARDED_CLIENT_CERT];

impl CertificateHeader {
    /// The format that belongs to the name of a header; `None` if the text is not a header name.
    pub fn from_name(name: &str) -> Option<Self> {
        let name = HeaderName::from_bytes(name.as_bytes()).ok()?;
        Some(match name {
            _ if name == CLIENT_CERT => Self::ClientCert,
            _ if name == X_FORWARDED_CLIENT_CERT => Self::Envoy,
            _ => Self::Pem([name]),
        })
    }

    /// The names of the headers that are read.
    pub(super) fn names(&self) -> &[HeaderName] {
        match self {
            Self::ClientCert => &CLIENT_CERT_NAMES,
            Self::Envoy => &ENVOY_NAMES,
            Self::Pem(name) => name,
        }
    }

    /// Whether this is the name of one of the headers; hyphens and underscores count as the same.
    pub(super) fn is_like(&self, name: &HeaderName) -> bool {
        self.names().iter().any(|known| is_same_name(known.as_str(), name.as_str()))
    }

    /// Reads the chain, leaf first.
    ///
    /// # Errors
    /// [`ForwardingFault`] for several values, a malformed one, or a chain without its leaf.
    pub(super) fn read_chain(&self, headers: &HeaderMap) -> Result<Vec<CertificateDer<'static>>, ForwardingFault> {
        let chain = match self {
            Self::ClientCert => {
                let leaf = byte_sequence(single(headers, &CLIENT_CERT)?.ok_or(MALFORMED)?)?;
                let mut chain = vec![leaf];
                for line in headers.get_all(CLIENT_CERT_CHAIN) {
                    let text = line.to_str().map_err(|_| MALFORMED)?;
                    for member in text.split(',') {
                        chain.push(byte_sequence_of(member)?);
                    }
                }
                chain
            }
            Self::Envoy => {
                let value = single(headers, &X_FORWARDED_CLIENT_CERT)?.ok_or(MALFORMED)?;
                envoy_header::read_chain(value.to_str().map_err(|_| MALFORMED)?)?
            }
            Self::Pem([name]) => chain_of_pem(single(headers, name)?.ok_or(MALFORMED)?.as_bytes())?,
        };
        if (1..=CHAIN_MAX).contains(&chain.len()) { Ok(chain) } else { Err(MALFORMED) }
    }
}

/// The value of a header that must occur at most once; several values are an error.
fn single<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Result<Option<&'a HeaderValue>, ForwardingFault> {
    let mut values = headers.get_all(name).iter();
    let value = values.next();
    if values.next().is_some() { Err(SEVERAL) } else { Ok(value) }
}

fn byte_sequence(value: &HeaderValue) -> Result<CertificateDer<'static>, ForwardingFault> {
    byte_sequence_of(value.to_str().map_err(|_| MALFORMED)?)
}

/// A byte sequence of a structured field, without parameters. Source: RFC 9651 section 3.3.5.
fn byte_sequence_of(text: &str) -> Result<CertificateDer<'static>, ForwardingFault> {
    let text = text.trim_matches([' ', '\t']);
    let base64 = text.strip_prefix(':').and_then(|rest| rest.strip_suffix(':')).ok_or(MALFORMED)?;
    let der = lombard_jose::from_base64(base64).filter(|der| !der.is_empty()).ok_or(MALFORMED)?;
    Ok(CertificateDer::from(der))
}
