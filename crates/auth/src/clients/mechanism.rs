//! Determines the one method by which a request authenticates its client. Source: AS-020, AS-021, AS-023.

use super::ClientRequest;
use super::assertion::{ASSERTION_TYPE, ParsedAssertion};
use super::error::ClientAuthenticationError;
use lombard_domain::client::{Client, ClientAuthentication};

/// The method by which a request authenticates its client.
pub(super) enum Mechanism {
    /// `private_key_jwt`: an assertion, parsed but not verified.
    Assertion(Box<ParsedAssertion>),
    /// `tls_client_auth`: the certificate authenticates this client.
    Certificate {
        /// The `client_id` of the form.
        client: String,
    },
}

impl Mechanism {
    /// The id of the client that the request names.
    pub(super) fn client(&self) -> &str {
        match self {
            Self::Assertion(claimed) => claimed.client(),
            Self::Certificate { client } => client,
        }
    }

    /// Whether this is the method that the client registered. Source: AS-020.
    pub(super) const fn is_registered_by(&self, client: &Client) -> bool {
        match self {
            Self::Assertion(_) => matches!(client.authentication, ClientAuthentication::PrivateKeyJwt),
            Self::Certificate { .. } => matches!(client.authentication, ClientAuthentication::TlsClientAuth { .. }),
        }
    }
}

/// Determines the method of a request, which must be exactly one.
pub(super) fn of(request: &ClientRequest<'_>) -> Result<Mechanism, ClientAuthenticationError> {
    let form = request.form;
    let assertion = form.value("client_assertion");
    let secrets = usize::from(request.authorization_header) + usize::from(form.value("client_secret").is_some());
    match (assertion, secrets) {
        (Some(_), 1..) | (None, 2..) => Err(ClientAuthenticationError::TwoMechanisms),
        (None, 1) => Err(ClientAuthenticationError::Secret),
        (Some(assertion), 0) => {
            if form.value("client_assertion_type") != Some(ASSERTION_TYPE) {
                return Err(ClientAuthenticationError::AssertionType);
            }
            let claimed = ParsedAssertion::read(assertion)?;
            match form.value("client_id") {
                Some(id) if id != claimed.client() => Err(ClientAuthenticationError::IdsDiffer),
                _ => Ok(Mechanism::Assertion(Box::new(claimed))),
            }
        }
        // An assertion type without an assertion is a malformed private_key_jwt, not a tls_client_auth.
        (None, 0) => match (form.value("client_id"), form.value("client_assertion_type")) {
            (Some(id), None) => Ok(Mechanism::Certificate { client: id.to_owned() }),
            (_, Some(_)) => Err(ClientAuthenticationError::AssertionMalformed),
            (None, None) => Err(ClientAuthenticationError::NoMechanism),
        },
    }
}
