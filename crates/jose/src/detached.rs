//! Detached JWS, `header..signature`: the value of `x-jws-signature`, its payload the body of the message.
//! Source: RW-201, RW-203; RFC 7515 appendix F.

use crate::compact::{signing_input, verify_with};
use crate::{Header, KeyError, KeySet, Malformed, SigningKey, VerifyError, base64url, from_base64url};

/// A detached JWS as it came.
#[derive(Debug, Clone)]
pub struct Detached {
    header: Header,
    header_part: String,
    signature: Vec<u8>,
}

impl Detached {
    /// Reads the value of an `x-jws-signature` header.
    ///
    /// # Errors
    /// [`Malformed`]. Source: RW-216.
    pub fn parse(header_value: &str) -> Result<Self, Malformed> {
        let (header_part, signature) = halves(header_value).ok_or(Malformed::Parts)?;
        Ok(Self {
            header: Header::parse(header_part)?,
            header_part: header_part.to_owned(),
            signature: from_base64url(signature).ok_or(Malformed::Base64)?,
        })
    }

    /// Its header. What table T5 asks of it beyond `alg` and `crit` is for the caller to check.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Whether one of these keys signed exactly these bytes. `understood` are the names `crit` may list; the body is
    /// always taken in its base64url form, as no `b64` is ever understood here. Source: RW-203, RW-222.
    ///
    /// # Errors
    /// [`VerifyError`]; without a `kid` it is [`VerifyError::KeyUnknown`]. Source: AS-012.
    pub fn verify(&self, body: &[u8], keys: &KeySet, understood: &[&str]) -> Result<(), VerifyError> {
        self.header.check(understood)?;
        if self.header.extra.contains_key("b64") {
            return Err(VerifyError::Critical);
        }
        let kid = self.header.kid.as_deref().ok_or(VerifyError::KeyUnknown)?;
        verify_with(keys, Some(kid), around(&self.header_part, body).as_bytes(), &self.signature)
    }
}

/// The header and the signature around the empty middle.
pub(crate) fn halves(header_value: &str) -> Option<(&str, &str)> {
    header_value.split_once("..").filter(|(header, signature)| !header.contains('.') && !signature.contains('.'))
}

/// What is signed: the header as it came, and the body in base64url. Source: RW-203.
pub(crate) fn around(header_part: &str, body: &[u8]) -> String {
    [header_part, ".", &base64url(body)].concat()
}

/// Signs the body into a detached JWS.
///
/// # Errors
/// [`KeyError::Algorithm`] if the header does not name PS256; [`KeyError::Signing`].
pub fn sign_detached(key: &SigningKey, header: &Header, body: &[u8]) -> Result<String, KeyError> {
    let input = signing_input(header, body)?;
    let signature = key.sign_ps256(input.as_bytes())?;
    let header_part = input.split('.').next().unwrap_or_default();
    Ok(format!("{header_part}..{}", base64url(&signature)))
}
