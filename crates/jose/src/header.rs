//! The JOSE header, and the errors of signed messages.

use crate::{from_base64url, json};
use lombard_domain::ids::KeyId;
use serde_json::{Map, Value};

/// The only supported algorithm. Source: RW-202, AS-005.
pub(crate) const PS256: &str = "PS256";
/// The second algorithm, which is accepted only from the bank's identity provider. Source: FAPI 1.0 Advanced section 8.6.
pub(crate) const ES256: &str = "ES256";

/// A message that is not a well-formed JWS.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Malformed {
    /// The message does not have three parts, or the payload part is present in a detached JWS or empty in a compact one.
    #[error("it does not have the parts of a JWS")]
    Parts,
    /// A part is not strict base64url.
    #[error("a part is not base64url without padding")]
    Base64,
    /// The header is not one JSON object with distinct member names.
    #[error("the header is not one JSON object with distinct member names")]
    Header,
    /// The header has no `alg`.
    #[error("the header has no alg")]
    AlgorithmMissing,
    /// A registered member of the header has the wrong type.
    #[error("the header's {0} has the wrong type")]
    Member(&'static str),
    /// The payload is not one JSON object with distinct member names and the expected claims.
    #[error("the payload is {0}")]
    Claims(#[from] json::BadJson),
}

/// A well-formed message that cannot be verified.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum VerifyError {
    /// `alg` is not PS256.
    #[error("the algorithm is not PS256")]
    Algorithm,
    /// `crit` names a member that is not understood or not in the header, or is empty. Source: RFC 7515 section 4.1.11.
    #[error("crit names a member that is not understood")]
    Critical,
    /// The set has no candidate key: the `kid` is unknown, or is required and missing.
    #[error("no suitable key has this kid")]
    KeyUnknown,
    /// The signature was made by another key or for another message.
    #[error("the signature is invalid")]
    Signature,
}

/// A JOSE header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JoseHeader {
    /// The name of the algorithm, as received.
    pub alg: String,
    /// The id of the key.
    pub kid: Option<String>,
    /// The type of the complete object.
    pub typ: Option<String>,
    /// The type of the payload.
    pub cty: Option<String>,
    /// The members that the recipient must understand.
    pub crit: Option<Vec<String>>,
    /// Every other member.
    pub extra: Map<String, Value>,
}

impl JoseHeader {
    /// A header for PS256 signatures by this key.
    pub fn ps256(kid: &KeyId) -> Self {
        Self {
            alg: PS256.to_owned(),
            kid: Some(kid.as_str().to_owned()),
            typ: None,
            cty: None,
            crit: None,
            extra: Map::new(),
        }
    }

    /// Sets `typ`.
    #[must_use]
    pub fn typ(mut self, typ: &str) -> Self {
        self.typ = Some(typ.to_owned());
        self
    }

    /// Adds a member that the recipient must understand, and lists it in `crit`.
    #[must_use]
    pub fn critical(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.extra.insert(name.to_owned(), value.into());
        self.crit.get_or_insert_default().push(name.to_owned());
        self
    }

    /// Parses the header part of a message.
    pub(crate) fn parse(part: &str) -> Result<Self, Malformed> {
        let bytes = from_base64url(part).ok_or(Malformed::Base64)?;
        let mut members = json::object(&bytes).map_err(|_| Malformed::Header)?;
        let header = Self {
            alg: take_text(&mut members, "alg")?.ok_or(Malformed::AlgorithmMissing)?,
            kid: take_text(&mut members, "kid")?,
            typ: take_text(&mut members, "typ")?,
            cty: take_text(&mut members, "cty")?,
            crit: take_texts(&mut members, "crit")?,
            extra: members,
        };
        Ok(header)
    }

    /// The header as JSON.
    pub(crate) fn to_json(&self) -> String {
        let mut members = self.extra.clone();
        let texts = [
            ("alg", Some(&self.alg)),
            ("kid", self.kid.as_ref()),
            ("typ", self.typ.as_ref()),
            ("cty", self.cty.as_ref()),
        ];
        for (name, text) in texts {
            if let Some(text) = text {
                members.insert(name.to_owned(), text.as_str().into());
            }
        }
        if let Some(names) = &self.crit {
            members.insert("crit".to_owned(), names.as_slice().into());
        }
        Value::Object(members).to_string()
    }

    /// Checks that the header names the supported algorithm and no critical member that is not understood.
    pub(crate) fn check(&self, understood: &[&str]) -> Result<(), VerifyError> {
        self.check_algorithm(&[PS256], understood)
    }

    /// As [`check`](Self::check), for a caller that accepts these algorithms.
    pub(crate) fn check_algorithm(&self, algorithms: &[&str], understood: &[&str]) -> Result<(), VerifyError> {
        if !algorithms.contains(&self.alg.as_str()) {
            return Err(VerifyError::Algorithm);
        }
        let Some(names) = &self.crit else { return Ok(()) };
        let known = |name: &String| understood.contains(&name.as_str()) && self.extra.contains_key(name);
        let repeated = names.iter().enumerate().any(|(at, name)| names.iter().skip(at + 1).any(|other| other == name));
        if names.is_empty() || repeated || !names.iter().all(known) {
            return Err(VerifyError::Critical);
        }
        Ok(())
    }
}

fn take_text(members: &mut Map<String, Value>, name: &'static str) -> Result<Option<String>, Malformed> {
    match members.remove(name) {
        None => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(_) => Err(Malformed::Member(name)),
    }
}

fn take_texts(members: &mut Map<String, Value>, name: &'static str) -> Result<Option<Vec<String>>, Malformed> {
    let Some(value) = members.remove(name) else { return Ok(None) };
    serde_json::from_value(value).map(Some).map_err(|_| Malformed::Member(name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base64url;

    fn parsed(json: &str) -> Result<JoseHeader, Malformed> {
        JoseHeader::parse(&base64url(json.as_bytes()))
    }

    #[test]
    fn a_header_is_read_as_it_was_written() {
        let header = JoseHeader::ps256(&KeyId::from("k1")).typ("JWT").critical("http://openbanking.org.uk/iat", 1);
        assert_eq!(JoseHeader::parse(&base64url(header.to_json().as_bytes())), Ok(header));
    }

    #[test]
    fn rw_216_a_header_that_is_not_an_object_is_malformed() {
        let table = [
            ("[]", Malformed::Header),
            (r#"{"alg":"PS256","alg":"none"}"#, Malformed::Header),
            (r#"{"kid":"k"}"#, Malformed::AlgorithmMissing),
            (r#"{"alg":256}"#, Malformed::Member("alg")),
            (r#"{"alg":null}"#, Malformed::Member("alg")),
            (r#"{"alg":"PS256","kid":7}"#, Malformed::Member("kid")),
            (r#"{"alg":"PS256","typ":[]}"#, Malformed::Member("typ")),
            (r#"{"alg":"PS256","crit":"exp"}"#, Malformed::Member("crit")),
            (r#"{"alg":"PS256","crit":[1]}"#, Malformed::Member("crit")),
        ];
        for (json, malformed) in table {
            assert_eq!(parsed(json), Err(malformed), "{json}");
        }
        assert_eq!(JoseHeader::parse("e30="), Err(Malformed::Base64));
    }

    #[test]
    fn only_ps256_and_only_what_is_understood() {
        let table: [(&str, Result<(), VerifyError>); 12] = [
            (r#"{"alg":"PS256"}"#, Ok(())),
            (r#"{"alg":"PS256","iat":1,"crit":["iat"]}"#, Ok(())),
            (r#"{"alg":"none"}"#, Err(VerifyError::Algorithm)),
            (r#"{"alg":"RS256"}"#, Err(VerifyError::Algorithm)),
            (r#"{"alg":"ES256"}"#, Err(VerifyError::Algorithm)),
            (r#"{"alg":"HS256"}"#, Err(VerifyError::Algorithm)),
            (r#"{"alg":"ps256"}"#, Err(VerifyError::Algorithm)),
            (r#"{"alg":"PS384"}"#, Err(VerifyError::Algorithm)),
            (r#"{"alg":"PS256","crit":[]}"#, Err(VerifyError::Critical)),
            (r#"{"alg":"PS256","crit":["iat"]}"#, Err(VerifyError::Critical)), // not in the header
            (r#"{"alg":"PS256","b64":false,"crit":["b64"]}"#, Err(VerifyError::Critical)),
            (r#"{"alg":"PS256","iat":1,"crit":["iat","iat"]}"#, Err(VerifyError::Critical)),
        ];
        for (json, verdict) in table {
            assert_eq!(parsed(json).unwrap().check(&["iat"]), verdict, "{json}");
        }
    }
}
