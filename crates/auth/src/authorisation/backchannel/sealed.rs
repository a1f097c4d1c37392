//! Encrypts columns of a request's row: each ciphertext can be decrypted only for its own column and row.

use crate::AuthorisationServer;
use crate::error::OAuthError;
use lombard_domain::ids::BackchannelRequestId;
use serde::Serialize;
use serde::de::DeserializeOwned;

fn context_of(column: &str, id: &BackchannelRequestId) -> Vec<u8> {
    format!("backchannel_requests {column} {id}").into_bytes()
}

/// Encrypts a value for a column and row; returns text.
///
/// # Errors
/// The cryptographic library's failure.
pub(super) fn seal<T: Serialize>(
    auth: &AuthorisationServer,
    column: &str,
    id: &BackchannelRequestId,
    value: &T,
) -> Result<String, OAuthError> {
    let plain = serde_json::to_vec(value).map_err(OAuthError::server_error)?;
    let sealed = auth.sealer.seal_secret(&plain, &context_of(column, id)).map_err(OAuthError::server_error)?;
    Ok(lombard_jose::base64url(&sealed))
}

/// Decrypts a text of [`seal`]; `None` if it was not encrypted for this column and row with the keys of this installation.
pub(super) fn open<T: DeserializeOwned>(
    auth: &AuthorisationServer,
    column: &str,
    id: &BackchannelRequestId,
    sealed: &str,
) -> Option<T> {
    let sealed = lombard_jose::from_base64url(sealed)?;
    let plain = auth.sealer.open_secret(&sealed, &context_of(column, id)).ok()?;
    serde_json::from_slice(&plain).ok()
}
