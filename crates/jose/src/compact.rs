//! Compact JWS: `header.payload.signature`. Source: RFC 7515 section 7.1.

use crate::header::{ES256, PS256};
use crate::signing_input::digest_of;
use crate::{
    JoseHeader, KeyError, KeySet, Malformed, PublicKey, SigningKey, VerifyError, base64url, from_base64url, json,
};
use aws_lc_rs::digest::Digest;
use serde::de::DeserializeOwned;

/// A parsed compact JWS. Its content must not be trusted before [`verify`](Self::verify).
#[derive(Debug, Clone)]
pub struct CompactJws {
    header: JoseHeader,
    payload: Vec<u8>,
    signature: Vec<u8>,
    signing_input: String,
}

impl CompactJws {
    /// Parses a compact JWS.
    ///
    /// # Errors
    /// [`Malformed`].
    pub fn parse(text: &str) -> Result<Self, Malformed> {
        let (signing_input, signature) = text.rsplit_once('.').ok_or(Malformed::Parts)?;
        let (header, payload) = signing_input.split_once('.').ok_or(Malformed::Parts)?;
        if payload.contains('.') {
            return Err(Malformed::Parts);
        }
        Ok(Self {
            header: JoseHeader::parse(header)?,
            payload: from_base64url(payload).ok_or(Malformed::Base64)?,
            signature: from_base64url(signature).ok_or(Malformed::Base64)?,
            signing_input: signing_input.to_owned(),
        })
    }

    /// The header of the message.
    pub fn header(&self) -> &JoseHeader {
        &self.header
    }

    /// The payload of the message.
    pub fn payload(&self) -> &[u8] {
        &self.payload
    }

    /// Verifies that one of these keys made the signature. Only the caller supplies keys: `jwk`, `jku`, `x5u` and `x5c`
    /// in the header are ignored. Source: AS-010, AS-011.
    ///
    /// # Errors
    /// [`VerifyError`]; any `crit` counts as not understood.
    pub fn verify(&self, keys: &KeySet) -> Result<(), VerifyError> {
        self.verify_understanding(keys, &[])
    }

    /// Like [`verify`](Self::verify), for a caller that understands these header members and accepts them in `crit`. The caller must check
    /// their values.
    ///
    /// # Errors
    /// [`VerifyError`]; also if `crit` names another member, or one that is absent.
    pub fn verify_understanding(&self, keys: &KeySet, understood: &[&str]) -> Result<(), VerifyError> {
        self.header.check(understood)?;
        verify_with(keys, self.header.kid.as_deref(), &digest_of(self.signing_input.as_bytes()), &self.signature)
    }

    /// Verifies that this key made the signature; the `kid` of the header is ignored. Source: AS-010.
    ///
    /// # Errors
    /// As [`verify`](Self::verify).
    pub fn verify_key(&self, key: &PublicKey) -> Result<(), VerifyError> {
        self.header.check(&[])?;
        let verified = key.verify_ps256(self.signing_input.as_bytes(), &self.signature);
        if verified { Ok(()) } else { Err(VerifyError::Signature) }
    }

    /// As [`verify`](Self::verify), for a signer that may also use ES256. A key verifies only the algorithm of its type.
    ///
    /// # Errors
    /// [`VerifyError`]; any `crit` counts as not understood.
    pub fn verify_ps256_or_es256(&self, keys: &KeySet) -> Result<(), VerifyError> {
        self.header.check_algorithm(&[PS256, ES256], &[])?;
        if self.header.alg == PS256 {
            return self.verify(keys);
        }
        let mut candidates = keys.es256_candidates(self.header.kid.as_deref()).peekable();
        if candidates.peek().is_none() {
            return Err(VerifyError::KeyUnknown);
        }
        let verified = candidates.any(|key| key.verify_es256(self.signing_input.as_bytes(), &self.signature));
        if verified { Ok(()) } else { Err(VerifyError::Signature) }
    }

    /// Parses the payload as claims: one JSON object without repeated member names. Source: AS-081.
    ///
    /// # Errors
    /// [`Malformed::Claims`].
    pub fn claims<T: DeserializeOwned>(&self) -> Result<T, Malformed> {
        Ok(json::from_json(&self.payload)?)
    }
}

/// Verifies a signature with each candidate key until one fits.
pub(crate) fn verify_with(
    keys: &KeySet,
    kid: Option<&str>,
    signing_input: &Digest,
    signature: &[u8],
) -> Result<(), VerifyError> {
    let mut candidates = keys.candidates(kid).peekable();
    if candidates.peek().is_none() {
        return Err(VerifyError::KeyUnknown);
    }
    let verified = candidates.any(|key| key.verify_ps256_digest(signing_input, signature));
    if verified { Ok(()) } else { Err(VerifyError::Signature) }
}

/// Signs the payload into a compact JWS.
///
/// # Errors
/// [`KeyError::Algorithm`] if the header does not name PS256; [`KeyError::Signing`].
pub fn sign_compact(key: &SigningKey, header: &JoseHeader, payload: &[u8]) -> Result<String, KeyError> {
    let mut jws = header_part(header)?;
    jws.push('.');
    jws.push_str(&base64url(payload));
    let signature = key.sign_ps256(jws.as_bytes())?;
    jws.push('.');
    jws.push_str(&base64url(&signature));
    Ok(jws)
}

/// The header in base64url, if it names a permitted algorithm.
pub(crate) fn header_part(header: &JoseHeader) -> Result<String, KeyError> {
    if header.alg != PS256 {
        return Err(KeyError::Algorithm);
    }
    Ok(base64url(header.to_json().as_bytes()))
}
