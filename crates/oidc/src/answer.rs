//! Checks the parameters with which the browser returns, before the provider is called.

use crate::discovery::ProviderMetadata;
use crate::error::ProviderError;
use lombard_ports::identity::ProviderAnswer;

/// The most bytes of an authorisation code.
const CODE_BYTES_MAX: usize = 4_096;

/// The code of an answer of this issuer. The issuer is checked first, because an answer of another provider must not be used, not even its
/// error (RFC 9207 section 2.4).
pub(crate) fn code<'a>(
    answer: &'a ProviderAnswer,
    issuer: &str,
    metadata: &ProviderMetadata,
) -> Result<&'a str, ProviderError> {
    match &answer.issuer {
        Some(named) if named != issuer => return Err(ProviderError::Refused("the answer is of another issuer")),
        None if metadata.authorization_response_iss_parameter_supported => {
            return Err(ProviderError::Refused("the answer names no issuer"));
        }
        Some(_) | None => {}
    }
    match (answer.error.as_deref(), &answer.code) {
        (Some("access_denied"), _) => Err(ProviderError::Cancelled),
        (Some("server_error" | "temporarily_unavailable"), _) => {
            Err(ProviderError::Unusable("it answered the browser that it cannot now"))
        }
        (Some(_), _) => Err(ProviderError::Refused("the provider did not authenticate the customer")),
        (None, Some(code)) if !code.is_empty() && code.len() <= CODE_BYTES_MAX => Ok(code),
        (None, _) => Err(ProviderError::Refused("the answer has no code")),
    }
}
