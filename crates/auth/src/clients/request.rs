//! The parts of a request by which a client authenticates.

use crate::certificates::ClientCertificate;
use crate::endpoints::OAuthEndpoint;
use crate::form::Form;

/// A request that a client must authenticate.
#[derive(Debug, Clone, Copy)]
pub struct ClientRequest<'a> {
    /// The endpoint at which the request arrived.
    pub endpoint: OAuthEndpoint,
    /// The posted form.
    pub form: &'a Form,
    /// Whether the request has an `Authorization` header, which no supported method uses.
    pub authorization_header: bool,
    /// The certificate of the connection.
    pub certificate: Option<&'a ClientCertificate>,
}
