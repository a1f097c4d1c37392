//! Requests to OCSP responders about certificates, and the validation of their responses. Source: RFC 6960, TLS-006.
//!
//! A response is accepted under four conditions. It is about the requested certificate. It is signed by the certificate's issuer, or by a
//! delegate of the issuer. It is current. It does not contain the nonce of another request.

use aws_lc_rs::digest::{SHA1_FOR_LEGACY_USE_ONLY, digest};
use jiff::{SignedDuration, Timestamp};
use x509_cert::der::asn1::{Any, ObjectIdentifier, OctetString};
use x509_cert::der::{Decode, Encode};
use x509_cert::ext::Extension;
use x509_cert::serial_number::SerialNumber;
use x509_cert::spki::AlgorithmIdentifierOwned;
use x509_ocsp::ext::Nonce;
use x509_ocsp::{
    BasicOcspResponse, CertId, CertStatus, OcspGeneralizedTime, OcspRequest, OcspResponse, OcspResponseStatus, Request,
    SingleResponse, TbsRequest, Version,
};
use x509_parser::asn1_rs::BitString;
use x509_parser::certificate::X509Certificate;
use x509_parser::extensions::{GeneralName, ParsedExtension};
use x509_parser::prelude::FromDer;
use x509_parser::verify::verify_signature;
use x509_parser::x509::AlgorithmIdentifier;

const SHA_1: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.3.14.3.2.26");
const BASIC_RESPONSE: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.3.6.1.5.5.7.48.1.1");
const NONCE: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.3.6.1.5.5.7.48.1.2");
/// The access method OCSP, in the extension that names a certificate's responder.
const OCSP_ACCESS: &str = "1.3.6.1.5.5.7.48.1";
/// The signature algorithms with SHA-1, which are refused in responses.
const SHA_1_SIGNATURES: [&str; 3] = ["1.2.840.113549.1.1.5", "1.3.14.3.2.29", "1.2.840.10045.4.1"];

/// The largest accepted difference between the clocks of a responder and of this machine.
const CLOCK_SKEW: SignedDuration = SignedDuration::from_mins(5);
/// The largest accepted age of a response without a next update.
const AGE_MAX: SignedDuration = SignedDuration::from_hours(1);
/// The maximum number of certificates in a response among which its signer is searched.
const SIGNERS_MAX: usize = 4;

/// The status of a certificate that a responder reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OcspStatus {
    /// The certificate is not revoked.
    Good,
    /// The certificate is revoked.
    Revoked,
    /// The responder does not know the certificate.
    Unknown,
}

/// An accepted response of a responder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct OcspAnswer {
    pub(super) status: OcspStatus,
    /// The time for which the status was stated.
    pub(super) issued_at: Timestamp,
    /// The time until which the response may be used, if the responder states it.
    pub(super) next_update: Option<Timestamp>,
}

/// A request about one certificate.
#[derive(Debug)]
pub(super) struct OcspQuestion {
    /// The request, DER.
    pub(super) der: Vec<u8>,
    id: CertId,
    /// The certificate of the issuer, DER.
    issuer: Vec<u8>,
    nonce: Nonce,
}

/// The URLs of the responders that a certificate names.
pub(super) fn responders_named_by(certificate: &[u8]) -> Vec<String> {
    let Ok((_, certificate)) = X509Certificate::from_der(certificate) else { return Vec::new() };
    let mut named = Vec::new();
    for extension in certificate.extensions() {
        let ParsedExtension::AuthorityInfoAccess(access) = extension.parsed_extension() else { continue };
        for description in &access.accessdescs {
            if let GeneralName::URI(uri) = description.access_location
                && description.access_method.to_id_string() == OCSP_ACCESS
            {
                named.push(uri.to_owned());
            }
        }
    }
    named
}

impl OcspQuestion {
    /// Creates a request about the first certificate of a chain, whose issuer is in the chain or among the anchors (DER).
    pub(super) fn new(chain: &[Vec<u8>], anchors: &[Vec<u8>], nonce: &[u8]) -> Result<Self, String> {
        let (leaf, others) = chain.split_first().ok_or("there is no certificate")?;
        let (_, certificate) = X509Certificate::from_der(leaf).map_err(|_| "the certificate cannot be read")?;
        let issuer = others.iter().chain(anchors).find(|candidate| has_issued(candidate, &certificate));
        let issuer = issuer.ok_or("the issuer of the certificate is not known")?;
        let (_, parsed) = X509Certificate::from_der(issuer).map_err(|_| "the issuer's certificate cannot be read")?;
        let failed = |error: x509_cert::der::Error| format!("the question cannot be encoded ({error})");

        let sha_1 = |bytes: &[u8]| OctetString::new(digest(&SHA1_FOR_LEGACY_USE_ONLY, bytes).as_ref()).map_err(failed);
        let id = CertId {
            // SHA-1 only identifies a certificate here and protects nothing; many responders support no other digest.
            hash_algorithm: AlgorithmIdentifierOwned { oid: SHA_1, parameters: Some(Any::null()) },
            issuer_name_hash: sha_1(certificate.issuer().as_raw())?,
            issuer_key_hash: sha_1(&parsed.public_key().subject_public_key.data)?,
            serial_number: serial_number(certificate.raw_serial()).map_err(failed)?,
        };
        let nonce = Nonce::new(nonce).map_err(failed)?;
        let extension = Extension {
            extn_id: NONCE,
            critical: false,
            extn_value: OctetString::new(nonce.to_der().map_err(failed)?).map_err(failed)?,
        };
        let tbs_request = TbsRequest {
            version: Version::default(),
            requestor_name: None,
            request_list: vec![Request { req_cert: id.clone(), single_request_extensions: None }],
            request_extensions: Some(vec![extension]),
        };
        let der = OcspRequest { tbs_request, optional_signature: None }.to_der().map_err(failed)?;
        Ok(Self { der, id, issuer: issuer.clone(), nonce })
    }

    /// Parses and checks a response. The error text says why the response is not accepted.
    pub(super) fn read_answer(&self, bytes: &[u8], now: Timestamp) -> Result<OcspAnswer, String> {
        let unreadable = |_| "the answer cannot be read".to_owned();
        let response = OcspResponse::from_der(bytes).map_err(unreadable)?;
        if response.response_status != OcspResponseStatus::Successful {
            return Err(format!("the responder answers {:?}", response.response_status));
        }
        let body = response.response_bytes.filter(|body| body.response_type == BASIC_RESPONSE);
        let body = body.ok_or("the answer is not a basic one")?;
        let basic = BasicOcspResponse::from_der(body.response.as_bytes()).map_err(unreadable)?;
        if basic.nonce().is_some_and(|nonce| nonce.0 != self.nonce.0) {
            return Err("the answer is to another question".to_owned());
        }
        self.check_signature(&basic, now)?;
        let is_asked = |one: &&SingleResponse| {
            one.cert_id.hash_algorithm.oid == self.id.hash_algorithm.oid
                && one.cert_id.issuer_name_hash == self.id.issuer_name_hash
                && one.cert_id.issuer_key_hash == self.id.issuer_key_hash
                && one.cert_id.serial_number == self.id.serial_number
        };
        let mut asked = basic.tbs_response_data.responses.iter().filter(is_asked);
        let one = asked.next().ok_or("the answer is about another certificate")?;
        if asked.next().is_some() {
            return Err("the answer says two things of the certificate".to_owned());
        }
        let issued_at = instant(&one.this_update)?;
        let next_update = one.next_update.as_ref().map(instant).transpose()?;
        let is_early = issued_at.duration_since(now) > CLOCK_SKEW;
        let is_late = match next_update {
            Some(next) => now.duration_since(next) > CLOCK_SKEW,
            None => now.duration_since(issued_at) > AGE_MAX,
        };
        if is_early || is_late {
            return Err("the answer is not of now".to_owned());
        }
        let status = match one.cert_status {
            CertStatus::Good(_) => OcspStatus::Good,
            CertStatus::Revoked(_) => OcspStatus::Revoked,
            CertStatus::Unknown(_) => OcspStatus::Unknown,
        };
        Ok(OcspAnswer { status, issued_at, next_update })
    }

    /// Checks that the issuer has signed a response, or a delegate with a certificate of the issuer for OCSP signing. Source: RFC 6960
    /// section 4.2.2.2.
    fn check_signature(&self, basic: &BasicOcspResponse, now: Timestamp) -> Result<(), String> {
        let unreadable = "the signature of the answer cannot be read";
        let signed = basic.tbs_response_data.to_der().map_err(|_| unreadable)?;
        let algorithm = basic.signature_algorithm.to_der().map_err(|_| unreadable)?;
        let (_, algorithm) = AlgorithmIdentifier::from_der(&algorithm).map_err(|_| unreadable)?;
        if SHA_1_SIGNATURES.contains(&algorithm.algorithm.to_id_string().as_str()) {
            return Err("the answer is signed with SHA-1".to_owned());
        }
        let signature = BitString::new(0, basic.signature.raw_bytes());
        let is_signed_by = |signer: &X509Certificate<'_>| {
            verify_signature(signer.public_key(), &algorithm, &signature, &signed).is_ok()
        };
        let (_, issuer) = X509Certificate::from_der(&self.issuer).map_err(|_| unreadable)?;
        if is_signed_by(&issuer) {
            return Ok(());
        }
        for certificate in basic.certs.iter().flatten().take(SIGNERS_MAX) {
            let Ok(der) = certificate.to_der() else { continue };
            let Ok((_, delegate)) = X509Certificate::from_der(&der) else { continue };
            if has_issued(&self.issuer, &delegate) && may_answer(&delegate, now) && is_signed_by(&delegate) {
                return Ok(());
            }
        }
        Err("the answer is signed neither by the issuer nor by somebody who answers for it".to_owned())
    }
}

/// Whether the candidate (DER) is the certificate of the issuer.
fn has_issued(candidate: &[u8], certificate: &X509Certificate<'_>) -> bool {
    X509Certificate::from_der(candidate).is_ok_and(|(_, issuer)| {
        issuer.subject().as_raw() == certificate.issuer().as_raw()
            && certificate.verify_signature(Some(issuer.public_key())).is_ok()
    })
}

/// Whether the certificate is valid and is for signing OCSP responses.
fn may_answer(delegate: &X509Certificate<'_>, now: Timestamp) -> bool {
    let usage = delegate.extended_key_usage().ok().flatten();
    let validity = delegate.validity();
    let is_valid = (validity.not_before.timestamp()..=validity.not_after.timestamp()).contains(&now.as_second());
    is_valid && usage.is_some_and(|usage| usage.value.ocsp_signing)
}

/// Builds a serial number from the bytes of its integer.
fn serial_number(bytes: &[u8]) -> Result<SerialNumber, x509_cert::der::Error> {
    const INTEGER: u8 = 2;
    let length = u8::try_from(bytes.len()).unwrap_or(u8::MAX);
    SerialNumber::from_der(&[&[INTEGER, length], bytes].concat())
}

fn instant(time: &OcspGeneralizedTime) -> Result<Timestamp, String> {
    let secs = i64::try_from(time.0.to_unix_duration().as_secs()).unwrap_or(i64::MAX);
    Timestamp::from_second(secs).map_err(|_| "the answer has a time that there is not".to_owned())
}

#[cfg(test)]
mod tests;
