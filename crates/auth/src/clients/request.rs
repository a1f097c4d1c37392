//! The request by which a client authenticates.

use crate::certificates::ClientCertificate;
use crate::endpoints::OAuthEndpoint;
use crate::form::Form;

/// A request that a client must authenticate.
#[derive(Debug, Clone, Copy)]
pub struct ClientRequest<'a> {
    /// Where it arrived.
    pub endpoint: OAuthEndpoint,
    /// What was posted.
    pub form: &'a Form,
    /// Whether it tried an `Authorization` header, which no registered method uses.
    pub authorization_header: bool,
    /// The certificate of the connection.
    pub certificate: Option<&'a ClientCertificate>,
}
