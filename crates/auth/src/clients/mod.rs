//! Client authentication. Each step converts the request to a type that proves more, up to [`AuthenticatedClient`].
//!
//! | Rule | Turns | Into |
//! |---|---|---|
//! | `mechanism` | a request | the one way it authenticates, and whom it claims to be |
//! | `registered` | that claim | the client's registration, or nobody's |
//! | `assertion`, `subject_matches` | the registration and the evidence of the request | whether the client proved its identity |
//! | `admit` | client and certificate | an authenticated client |
//!
//! Until key and certificate are verified, every failure has the same response and takes the same time (AS-030): the evidence of an unknown
//! client is checked against a decoy registration. Later errors state to a verified client what is wrong with its assertion.

mod assertion;
mod error;
mod mechanism;
mod request;

use crate::AuthorisationServer;
use crate::certificates::{ClientCertificate, DistinguishedName};
use crate::endpoints::OAuthEndpoint;
use crate::error::OAuthError;
pub use assertion::ASSERTION_TYPE;
use assertion::AssertionUse;
use error::{ClientAuthenticationError, MissingProof};
use lombard_domain::client::{Client, ClientAuthentication};
use lombard_domain::ids::ClientId;
use lombard_jose::KeySet;
use lombard_ports::store::{GrantStore, ReplayPurpose, StoreError, UsedAssertion};
use mechanism::Mechanism;
pub use request::ClientRequest;
use std::sync::Arc;

/// An authenticated client. Its assertion must still be marked as used, in the transaction that the request makes.
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use = "an assertion that is not claimed could be replayed"]
pub struct AuthenticatedClient {
    client: Arc<Client>,
    certificate: ClientCertificate,
    one_time: Option<AssertionUse>,
}

impl AuthenticatedClient {
    /// Marks the assertion as used. Returns `false` if it was used before; the caller must then refuse with
    /// [`replayed_assertion_error`]. Source: AS-026.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn claim_assertion(&self, grants: &mut dyn GrantStore) -> Result<bool, StoreError> {
        match &self.one_time {
            None => Ok(true),
            Some(AssertionUse { jti, until }) => {
                grants.one_time_value_claim(&self.client.id, ReplayPurpose::ClientAssertion, jti, *until)
            }
        }
    }

    /// As [`Self::claim_assertion`], but the result is an error of the transaction: [`StoreError::Duplicate`] of
    /// [`ReplayPurpose::TABLE`] if the assertion was used before; the caller must then refuse with [`replayed_assertion_error`].
    /// [`StoreError::Corrupt`] of that table if the client's registration has changed since it was read, because the statement
    /// then inserts a NULL client; the caller must then try again with [`authenticate_changed_client`].
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn spend_assertion(&self, grants: &mut dyn GrantStore) -> Result<(), StoreError> {
        match &self.one_time {
            None => Ok(()),
            Some(AssertionUse { jti, until }) => {
                grants.one_time_value_claim_or_fail(&self.client, ReplayPurpose::ClientAssertion, jti, *until)
            }
        }
    }

    /// The record of the assertion, for a direct write that spends it.
    pub(crate) fn used_assertion(&self) -> Option<UsedAssertion> {
        let AssertionUse { jti, until } = self.one_time.as_ref()?;
        Some(UsedAssertion { jti: jti.clone(), remembered_until: *until })
    }

    /// Marks the assertion as used in a transaction of its own, for requests that otherwise only read.
    ///
    /// # Errors
    /// `invalid_client` if it was used before; storage's failure.
    pub async fn claim_assertion_now(self, auth: &AuthorisationServer) -> Result<Arc<Client>, OAuthError> {
        if self.one_time.is_none() {
            return Ok(self.client);
        }
        let claim = self.clone();
        let fresh = auth.context.store.write::<_, StoreError, _>(move |tx| claim.claim_assertion(tx)).await?;
        if fresh { Ok(self.client) } else { Err(replayed_assertion_error()) }
    }

    /// The registration of the client.
    pub fn client(&self) -> &Client {
        &self.client
    }

    /// The registration of the client, shared.
    pub(crate) fn shared_client(&self) -> Arc<Client> {
        Arc::clone(&self.client)
    }

    /// The certificate of the client's connection.
    pub fn certificate(&self) -> &ClientCertificate {
        &self.certificate
    }
}

/// The error for an assertion that was used before.
pub fn replayed_assertion_error() -> OAuthError {
    ClientAuthenticationError::Replayed.noted()
}

/// The error for a connection without a client certificate. Source: AS-028.
pub fn missing_certificate_error() -> OAuthError {
    ClientAuthenticationError::NoCertificate.noted()
}

/// Authenticates the client of a request.
///
/// At the token endpoint, a client that signs assertions may be authenticated by its cached registration. The registration is
/// compared with storage when the assertion is marked as used ([`AuthenticatedClient::spend_assertion`]), and no client is
/// refused before that comparison.
///
/// # Errors
/// `invalid_client`, or `invalid_request` when the request authenticates in two ways at once (AS-021); storage's failure.
pub async fn authenticate_client(
    auth: &AuthorisationServer,
    request: &ClientRequest<'_>,
) -> Result<AuthenticatedClient, OAuthError> {
    let certificate = request.certificate.ok_or_else(missing_certificate_error)?;
    let mechanism = mechanism::of(request).map_err(ClientAuthenticationError::noted)?;
    let known = auth.callers.known_clients();
    let mut refused = None;
    if request.endpoint == OAuthEndpoint::Token
        && let Mechanism::Assertion(claimed) = &mechanism
        && let Some(client) = known.find(&ClientId::new(claimed.client()))
    {
        let epoch = client.epoch;
        match admit(auth, request, &mechanism, Some(client), certificate).await {
            Ok(authenticated) => return Ok(authenticated),
            Err(rejection) => refused = Some((epoch, rejection)),
        }
    }
    let registered = registered(auth, mechanism.client()).await?.map(Arc::new);
    let admitted = match refused {
        Some((epoch, rejection)) if registered.as_ref().is_some_and(|it| it.epoch == epoch) => Err(rejection),
        refused => {
            if let (Some(_), Some(changed)) = (refused, &registered) {
                known.replace(Arc::clone(changed));
            }
            admit(auth, request, &mechanism, registered, certificate).await
        }
    };
    let mut authenticated = admitted.map_err(Rejection::noted)?;
    authenticated.client = known.keep(authenticated.client);
    Ok(authenticated)
}

/// Authenticates a client again, if its assertion was not marked as used because its registration was changed after it was read.
/// `None` if the registration was not changed.
///
/// # Errors
/// As [`authenticate_client`].
pub async fn authenticate_changed_client(
    auth: &AuthorisationServer,
    request: &ClientRequest<'_>,
    before: &Client,
) -> Result<Option<AuthenticatedClient>, OAuthError> {
    let certificate = request.certificate.ok_or_else(missing_certificate_error)?;
    let mechanism = mechanism::of(request).map_err(ClientAuthenticationError::noted)?;
    match registered(auth, before.id.as_str()).await? {
        Some(changed) if changed.epoch != before.epoch => {
            let changed = auth.callers.known_clients().replace(Arc::new(changed));
            admit(auth, request, &mechanism, Some(changed), certificate).await.map(Some).map_err(Rejection::noted)
        }
        Some(_) | None => Ok(None),
    }
}

/// A failed authentication: the reason, and the client if its certificate proves which one it is.
struct Rejection {
    error: ClientAuthenticationError,
    client: Option<ClientId>,
}

impl Rejection {
    /// Counts the refusal and returns the error.
    fn noted(self) -> OAuthError {
        OAuthError { client: self.client, ..self.error.noted() }
    }
}

/// The keys that may have signed the assertion, if this client authenticates with one.
async fn keys(auth: &AuthorisationServer, mechanism: &Mechanism, registered: Option<&Client>) -> Option<Arc<KeySet>> {
    let Mechanism::Assertion(claimed) = mechanism else { return None };
    let client = registered.filter(|it| it.authentication == ClientAuthentication::PrivateKeyJwt)?;
    auth.client_keys.keys_of_client(client, claimed.kid()).await
}

/// Reads the client with this id. A text that is not a valid id is not sent to the database.
async fn registered(auth: &AuthorisationServer, id: &str) -> Result<Option<Client>, StoreError> {
    if id.len() > ID_CHARS_MAX || !id.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Ok(None);
    }
    let id = ClientId::new(id);
    auth.context.store.read_by_one_query(move |tx| tx.client(&id)).await
}

/// Evaluates all evidence before it returns, so that every failure takes equally long.
async fn admit(
    auth: &AuthorisationServer,
    request: &ClientRequest<'_>,
    mechanism: &Mechanism,
    registered: Option<Arc<Client>>,
    certificate: &ClientCertificate,
) -> Result<AuthenticatedClient, Rejection> {
    let keys = keys(auth, mechanism, registered.as_deref()).await;
    let now = auth.context.clocks.wall_now();
    let (signed, own_certificate) = match mechanism {
        Mechanism::Assertion(claimed) => {
            let is_listed = keys.as_ref().is_some_and(|keys| keys.lists_certificate(&certificate.thumbprint()));
            let own = registered.as_deref().is_some_and(|client| is_listed || certificate.belongs_to(client)); // AS-029
            (claimed.verify(&auth.client_keys, keys).await, own)
        }
        Mechanism::Certificate { .. } => (Ok(()), subject_matches(registered.as_deref(), certificate)),
    };
    let Some(client) = registered else {
        let error = ClientAuthenticationError::Unproven(MissingProof::UnknownClient);
        return Err(Rejection { error, client: None });
    };
    let rejected = |error| Rejection { error, client: own_certificate.then(|| client.id.clone()) };
    let is_revoked = auth.client_keys.is_revoked(&client, certificate);
    let is_withdrawn = auth.client_keys.is_withdrawn(&client);
    let proofs = [
        (mechanism.is_registered_by(&client), MissingProof::OtherMethod),
        (signed.is_ok(), signed.err().unwrap_or(MissingProof::Signature)),
        (own_certificate, MissingProof::OtherCertificate),
        (client.may_act(), MissingProof::Disabled),
        (!is_withdrawn, MissingProof::Withdrawn),
        (!is_revoked, MissingProof::RevokedCertificate),
    ];
    if let Some((_, missing)) = proofs.into_iter().find(|(shown, _)| !shown) {
        return Err(rejected(ClientAuthenticationError::Unproven(missing)));
    }
    if !certificate.is_usable(now) {
        return Err(rejected(ClientAuthenticationError::CertificateUnusable));
    }
    let one_time = match mechanism {
        Mechanism::Assertion(claimed) => {
            Some(claimed.check(&auth.settings, request.endpoint, client.profile, now).map_err(rejected)?)
        }
        Mechanism::Certificate { .. } => None,
    };
    Ok(AuthenticatedClient { client, certificate: certificate.clone(), one_time })
}

/// Whether the certificate's subject is the registered one. A client without a registered subject is compared with a decoy. Source: AS-022.
fn subject_matches(registered: Option<&Client>, certificate: &ClientCertificate) -> bool {
    let subject_dn = registered.and_then(|client| match &client.authentication {
        ClientAuthentication::TlsClientAuth { subject_dn } => Some(subject_dn.as_str()),
        ClientAuthentication::PrivateKeyJwt => None,
    });
    let name = DistinguishedName::parse(subject_dn.unwrap_or(DECOY_SUBJECT));
    name.is_ok_and(|name| name.is_same(certificate.subject())) && subject_dn.is_some()
}

/// The most characters of an id that is looked up; longer than any id that this server assigns.
const ID_CHARS_MAX: usize = 128;

const DECOY_SUBJECT: &str = "CN=0000000000000000AA,2.5.4.97=PSDGB-OB-Unknown0000000000000000AA,O=Nobody Limited,C=GB";

#[cfg(test)]
mod tests;
