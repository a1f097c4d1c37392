//! The signature of an HTTP message, `x-jws-signature`: parsing, checks and signing. Source: section 1.10, table T5,
//! PIS-070.
//!
//! The checks have a fixed order: missing signature, malformed signature, missing claims, invalid claims, unknown key,
//! and last the cryptographic verification. The faults of one step are reported together; none of them quotes the
//! message.

use crate::compact::verify_with;
use crate::detached::{halves, signed};
use crate::header::PS256;
use crate::signing_input::SigningInput;
use crate::{JoseHeader, KeySet, VerifyError, from_base64url, json};
use aws_lc_rs::digest::Digest;
use lombard_domain::ids::KeyId;
use lombard_domain::refusal::{Fault, FaultCode, FaultLocation};
use serde_json::{Map, Value};

const IAT: &str = "http://openbanking.org.uk/iat";
const ISS: &str = "http://openbanking.org.uk/iss";
const TAN: &str = "http://openbanking.org.uk/tan";

/// The header that contains the signature.
const HEADER: &str = "x-jws-signature";

/// The allowed clock skew of a signer, in seconds. Source: RW-219.
const SKEW_SECS: i64 = 60;

/// The media type of the signed payload.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SignedPayload<'a> {
    /// JSON, which `cty` may omit.
    Json,
    /// Another media type, which `cty` must name. Source: PIS-074.
    Other(&'a str),
}

/// The required claims of a message signature.
#[derive(Debug, Clone, Copy)]
pub struct MessageRules<'a> {
    /// The required issuer; for a TPP `{organisation}/{software statement}`. Source: RW-221.
    pub issuer: &'a str,
    /// The trust anchor under which the key is published: `openbanking.org.uk` for the directory.
    pub trust_anchor: &'a str,
    /// The payload's media type.
    pub payload: SignedPayload<'a>,
    /// The time (wall clock), in seconds since 1970.
    pub now: i64,
    /// The maximum age of a signature, in seconds; `None` allows any age. Source: RW-219.
    pub age_secs_max: Option<i64>,
}

/// A parsed signature. Its content must not be trusted before [`CheckedSignature::verify`].
#[derive(Debug, Clone)]
pub struct MessageSignature {
    members: Map<String, Value>,
    header_part: String,
    signature: Vec<u8>,
}

/// A signature with valid claims that is not verified yet.
#[derive(Debug, Clone)]
pub struct CheckedSignature {
    kid: String,
    header_part: String,
    signature: Vec<u8>,
}

impl MessageSignature {
    /// Parses the header value, or reports its absence.
    ///
    /// # Errors
    /// One fault, [`FaultCode::SignatureMissing`] or [`FaultCode::SignatureMalformed`]. Source: RW-215, RW-216.
    pub fn parse_header(header_value: Option<&[u8]>) -> Result<Self, Vec<Fault>> {
        let header = |code, message: &'static str| vec![Fault::at(code, FaultLocation::Header(HEADER), message)];
        let Some(value) = header_value else {
            return Err(header(FaultCode::SignatureMissing, "The body must be signed."));
        };
        let malformed = || header(FaultCode::SignatureMalformed, "This is not a detached JWS.");
        Self::parse(value).ok_or_else(malformed)
    }

    fn parse(value: &[u8]) -> Option<Self> {
        let (header_part, signature) = halves(std::str::from_utf8(value).ok()?)?;
        let members = json::object(&from_base64url(header_part)?).ok()?;
        let signature = from_base64url(signature)?;
        Some(Self { members, header_part: header_part.to_owned(), signature })
    }

    /// Checks every claim except for the existence of the key: first for absence, then for validity.
    ///
    /// # Errors
    /// Faults of one kind, [`FaultCode::SignatureMissingClaim`] or [`FaultCode::SignatureInvalidClaim`], at the claims'
    /// names in the order of table T5.
    pub fn check_claims(self, rules: &MessageRules<'_>) -> Result<CheckedSignature, Vec<Fault>> {
        let mandatory = ["alg", "kid", "cty", IAT, ISS, TAN, "crit"];
        let asked = |name: &&str| *name != "cty" || rules.payload != SignedPayload::Json;
        let absent = mandatory.into_iter().filter(asked).filter(|name| !self.members.contains_key(*name));
        let absent: Vec<_> =
            absent.map(|name| claim(FaultCode::SignatureMissingClaim, name, "This claim is required.")).collect();
        if !absent.is_empty() {
            return Err(absent);
        }
        let wrong = self.wrong_claims(rules);
        match self.members.get("kid").and_then(Value::as_str) {
            Some(kid) if wrong.is_empty() => {
                Ok(CheckedSignature { kid: kid.to_owned(), header_part: self.header_part, signature: self.signature })
            }
            _ => Err(wrong),
        }
    }

    fn wrong_claims(&self, rules: &MessageRules<'_>) -> Vec<Fault> {
        let is = |name: &str, right: &dyn Fn(&Value) -> bool| self.members.get(name).is_none_or(right);
        let text = |want: &'static str| move |it: &Value| it.as_str() == Some(want);
        let claims = [
            ("alg", is("alg", &text(PS256)), "Must be PS256."),
            ("kid", is("kid", &Value::is_string), "Must be a string."),
            ("typ", is("typ", &text("JOSE")), "Must be JOSE."),
            ("cty", is("cty", &|it| names_payload(it, rules.payload)), "Must name the media type of the body."),
            ("b64", !self.members.contains_key("b64"), "The body is signed in base64url; this claim must not occur."),
            (IAT, is(IAT, &|it| is_timely(it, rules)), "Must be a time in the past, in seconds since 1970."),
            (ISS, is(ISS, &|it| it == rules.issuer), "Must be the organisation and the software of the caller."),
            (TAN, is(TAN, &|it| it == rules.trust_anchor), "Must be a trust anchor that is known here."),
            ("crit", is("crit", &lists_the_three), "Must list the claims iat, iss and tan, and nothing else."),
        ];
        let wrong = claims.into_iter().filter(|(_, right, _)| !right);
        let strangers = self.members.keys().filter(|name| !KNOWN.contains(&name.as_str()));
        wrong
            .map(|(name, _, message)| claim(FaultCode::SignatureInvalidClaim, name, message))
            .chain(strangers.map(|name| claim(FaultCode::SignatureInvalidClaim, name, "This claim must not occur.")))
            .collect()
    }
}

/// The claims of table T5.
const KNOWN: [&str; 9] = ["alg", "kid", "typ", "cty", "b64", IAT, ISS, TAN, "crit"];

impl CheckedSignature {
    /// The `kid`; the caller looks it up among the signer's published keys.
    pub fn kid(&self) -> &str {
        &self.kid
    }

    /// Verifies that the named key, one of the signer's, signed exactly these bytes. Source: RW-222, PIS-073.
    ///
    /// # Errors
    /// One fault: [`FaultCode::SignatureInvalidClaim`] at `kid` if no key has that id, else
    /// [`FaultCode::SignatureInvalid`].
    pub fn verify(&self, body: &[u8], keys: &KeySet) -> Result<(), Vec<Fault>> {
        self.verify_digest(&signed(&self.header_part, body), body.len(), keys)
    }

    /// Starts the incremental verification of a body.
    pub fn begin_body(self) -> ArrivingSignature {
        ArrivingSignature { input: SigningInput::new(&self.header_part), body_bytes: 0, checked: self }
    }

    fn verify_digest(&self, signed: &Digest, body_bytes: usize, keys: &KeySet) -> Result<(), Vec<Fault>> {
        match verify_with(keys, Some(&self.kid), signed, &self.signature) {
            Ok(()) => Ok(()),
            Err(VerifyError::KeyUnknown) => {
                let message = "Must be the id of a key that the caller has published.";
                Err(vec![claim(FaultCode::SignatureInvalidClaim, "kid", message)])
            }
            Err(VerifyError::Algorithm | VerifyError::Critical | VerifyError::Signature) => {
                let message = format!(
                    "The signature does not belong to this body and the key of its kid. The signing input has {} characters, and its \
                     SHA-256 begins with {}.",
                    self.input_chars(body_bytes),
                    digest_begin(signed)
                );
                Err(vec![Fault::at(FaultCode::SignatureInvalid, FaultLocation::Header(HEADER), message)])
            }
        }
    }

    /// The number of signed characters: the header, a full stop, and the body in base64url.
    fn input_chars(&self, body_bytes: usize) -> usize {
        self.header_part.len().saturating_add(1).saturating_add(body_bytes.saturating_mul(4).div_ceil(3))
    }
}

/// The number of bytes of a digest that a message shows: enough to compare digests.
const DIGEST_BYTES_TOLD: usize = 6;

/// The beginning of a digest, in hexadecimal.
fn digest_begin(digest: &Digest) -> String {
    digest.as_ref().iter().take(DIGEST_BYTES_TOLD).map(|byte| format!("{byte:02x}")).collect()
}

/// A signature with valid claims whose body is being received: its bytes are digested and not kept. The body must not
/// be trusted before [`verify`](Self::verify).
#[derive(Debug)]
pub struct ArrivingSignature {
    checked: CheckedSignature,
    input: SigningInput,
    body_bytes: usize,
}

impl ArrivingSignature {
    /// See [`CheckedSignature::kid`].
    pub fn kid(&self) -> &str {
        self.checked.kid()
    }

    /// Adds the next piece of the body.
    pub fn update(&mut self, piece: &[u8]) {
        self.body_bytes = self.body_bytes.saturating_add(piece.len());
        self.input.update(piece);
    }

    /// Verifies that the named key, one of the signer's, signed exactly the bytes received. Source: RW-222, PIS-074.
    ///
    /// # Errors
    /// See [`CheckedSignature::verify`].
    pub fn verify(self, keys: &KeySet) -> Result<(), Vec<Fault>> {
        self.checked.verify_digest(&self.input.finish(), self.body_bytes, keys)
    }
}

/// A fault at a claim. A name chosen by the sender is truncated to the maximum length of a path (RW-120).
fn claim(code: FaultCode, name: &str, message: &'static str) -> Fault {
    Fault::at(code, FaultLocation::Path(name.chars().take(500).collect()), message)
}

fn names_payload(cty: &Value, payload: SignedPayload<'_>) -> bool {
    let Some(cty) = cty.as_str() else { return false };
    match payload {
        SignedPayload::Json => ["json", "application/json"].into_iter().any(|name| cty.eq_ignore_ascii_case(name)),
        SignedPayload::Other(name) => cty.eq_ignore_ascii_case(name),
    }
}

fn is_timely(iat: &Value, rules: &MessageRules<'_>) -> bool {
    let Some(seconds) = whole_seconds(iat) else { return false };
    let oldest = rules.age_secs_max.map_or(i64::MIN, |age| rules.now.saturating_sub(age));
    (oldest..=rules.now.saturating_add(SKEW_SECS)).contains(&seconds)
}

/// The whole seconds of a JSON number, which may have a fraction.
fn whole_seconds(value: &Value) -> Option<i64> {
    let text = value.as_number()?.to_string();
    text.split_once('.').map_or(text.as_str(), |(whole, _)| whole).parse().ok()
}

/// Whether `crit` lists the three claims, in any order, each once. Source: RW-220.
fn lists_the_three(crit: &Value) -> bool {
    let Some(names) = crit.as_array() else { return false };
    names.len() == 3 && [IAT, ISS, TAN].into_iter().all(|name| names.iter().any(|it| it == name))
}

/// The header of the server's own message signatures, with the organisation alone as issuer. `now` is the wall clock,
/// in seconds since 1970. Source: RW-223.
pub fn message_header(
    key: &KeyId,
    organisation: &str,
    trust_anchor: &str,
    payload: SignedPayload<'_>,
    now: i64,
) -> JoseHeader {
    let mut header = JoseHeader::ps256(key).typ("JOSE").critical(IAT, now).critical(ISS, organisation);
    header = header.critical(TAN, trust_anchor);
    header.cty = Some(match payload {
        SignedPayload::Json => "application/json".to_owned(),
        SignedPayload::Other(name) => name.to_owned(),
    });
    header
}
