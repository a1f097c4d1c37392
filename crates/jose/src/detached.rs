//! Detached JWS, `header..signature`: the value of `x-jws-signature`, its payload the body of the message.
//! Source: RW-201, RW-203; RFC 7515 appendix F.

use crate::compact::{header_part, verify_with};
use crate::signing_input::SigningInput;
use crate::{JoseHeader, KeyError, KeySet, Malformed, SigningKey, VerifyError, base64url, from_base64url};
use aws_lc_rs::digest::Digest;

/// A detached JWS as it came.
#[derive(Debug, Clone)]
pub struct DetachedJws {
    header: JoseHeader,
    header_part: String,
    signature: Vec<u8>,
}

impl DetachedJws {
    /// Reads the value of an `x-jws-signature` header.
    ///
    /// # Errors
    /// [`Malformed`]. Source: RW-216.
    pub fn parse(header_value: &str) -> Result<Self, Malformed> {
        let (header_part, signature) = halves(header_value).ok_or(Malformed::Parts)?;
        Ok(Self {
            header: JoseHeader::parse(header_part)?,
            header_part: header_part.to_owned(),
            signature: from_base64url(signature).ok_or(Malformed::Base64)?,
        })
    }

    /// Its header. What table T5 asks of it beyond `alg` and `crit` is for the caller to check.
    pub fn header(&self) -> &JoseHeader {
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
        verify_with(keys, Some(kid), &signed(&self.header_part, body), &self.signature)
    }
}

/// The header and the signature around the empty middle.
pub(crate) fn halves(header_value: &str) -> Option<(&str, &str)> {
    header_value.split_once("..").filter(|(header, signature)| !header.contains('.') && !signature.contains('.'))
}

/// The digest of what is signed: the header as it came, and the body in base64url. Source: RW-203.
pub(crate) fn signed(header_part: &str, body: &[u8]) -> Digest {
    let mut input = SigningInput::new(header_part);
    input.update(body);
    input.finish()
}

/// Signs the body into a detached JWS.
///
/// # Errors
/// [`KeyError::Algorithm`] if the header does not name PS256; [`KeyError::Signing`].
pub fn sign_detached(key: &SigningKey, header: &JoseHeader, body: &[u8]) -> Result<String, KeyError> {
    let mut input = DetachedSigner::new(header)?;
    input.update(body);
    input.finish().sign(key)
}

/// A body that is to be signed and comes piece by piece; its bytes are digested and not kept. The header is fixed before
/// the first of them, as it is what a signature begins with.
#[derive(Debug, Clone)]
pub struct DetachedSigner {
    header_part: String,
    input: SigningInput,
}

impl DetachedSigner {
    /// Nothing of a body, to be signed under this header.
    ///
    /// # Errors
    /// [`KeyError::Algorithm`] if the header does not name PS256.
    pub fn new(header: &JoseHeader) -> Result<Self, KeyError> {
        let header_part = header_part(header)?;
        Ok(Self { input: SigningInput::new(&header_part), header_part })
    }

    /// Takes the next piece of the body.
    pub fn update(&mut self, piece: &[u8]) {
        self.input.update(piece);
    }

    /// What is left of header and body: enough to sign them.
    pub fn finish(self) -> DetachedDigest {
        DetachedDigest { digest: self.input.finish(), header_part: self.header_part }
    }
}

/// A header and the digest of it and a body: what can be signed when the body is gone. Two are alike if header and body
/// were the same.
#[derive(Debug, Clone)]
pub struct DetachedDigest {
    header_part: String,
    digest: Digest,
}

impl PartialEq for DetachedDigest {
    fn eq(&self, other: &Self) -> bool {
        self.digest.as_ref() == other.digest.as_ref()
    }
}

impl Eq for DetachedDigest {}

impl DetachedDigest {
    /// Signs it into a detached JWS. Takes as long as any signature; a server asks the
    /// [`SigningPool`](crate::SigningPool) instead.
    ///
    /// # Errors
    /// [`KeyError::Signing`].
    pub fn sign(&self, key: &SigningKey) -> Result<String, KeyError> {
        let signature = key.sign_ps256_digest(&self.digest)?;
        Ok(format!("{}..{}", self.header_part, base64url(&signature)))
    }
}
