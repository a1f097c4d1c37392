//! Detached JWS, `header..signature`: the value of `x-jws-signature`, whose payload is the body of the message. Source: RW-201, RW-203; RFC
//! 7515 appendix F.

use crate::compact::{header_part, verify_with};
use crate::signing_input::SigningInput;
use crate::{JoseHeader, KeyError, KeySet, Malformed, SigningKey, VerifyError, base64url, from_base64url};
use aws_lc_rs::digest::Digest;

/// A parsed detached JWS.
#[derive(Debug, Clone)]
pub struct DetachedJws {
    header: JoseHeader,
    header_part: String,
    signature: Vec<u8>,
}

impl DetachedJws {
    /// Parses the value of an `x-jws-signature` header.
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

    /// The header of the message. The caller must check the requirements of table T5, except for `alg` and `crit`.
    pub fn header(&self) -> &JoseHeader {
        &self.header
    }

    /// Verifies that one of these keys signed exactly these bytes. `understood` are the names allowed in `crit`. The
    /// body is always signed in base64url, as `b64` is not supported. Source: RW-203, RW-222.
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

/// The header and signature parts, around the empty payload part.
pub(crate) fn halves(header_value: &str) -> Option<(&str, &str)> {
    header_value.split_once("..").filter(|(header, signature)| !header.contains('.') && !signature.contains('.'))
}

/// The digest of the signing input: the encoded header as received, and the body in base64url. Source: RW-203.
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

/// An incremental signer: the body is digested piece by piece and not kept. The header is fixed at the start, because
/// the signing input begins with it.
#[derive(Debug, Clone)]
pub struct DetachedSigner {
    header_part: String,
    input: SigningInput,
}

impl DetachedSigner {
    /// A signer with this header and an empty body.
    ///
    /// # Errors
    /// [`KeyError::Algorithm`] if the header does not name PS256.
    pub fn new(header: &JoseHeader) -> Result<Self, KeyError> {
        let header_part = header_part(header)?;
        Ok(Self { input: SigningInput::new(&header_part), header_part })
    }

    /// Adds the next piece of the body.
    pub fn update(&mut self, piece: &[u8]) {
        self.input.update(piece);
    }

    /// The header and the digest, from which the signature can be made.
    pub fn finish(self) -> DetachedDigest {
        DetachedDigest { digest: self.input.finish(), header_part: self.header_part }
    }
}

/// A header and the digest of header and body, which can be signed without the body. Equal values come from equal headers and bodies.
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
    /// Makes the detached JWS. It takes the CPU time of a signature; a server uses the
    /// [`SigningPool`](crate::SigningPool) instead.
    ///
    /// # Errors
    /// [`KeyError::Signing`].
    pub fn sign(&self, key: &SigningKey) -> Result<String, KeyError> {
        let signature = key.sign_ps256_digest(&self.digest)?;
        Ok(format!("{}..{}", self.header_part, base64url(&signature)))
    }
}
