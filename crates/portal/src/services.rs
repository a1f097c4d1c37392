//! The services that the portal's pages need in addition to storage and settings.

use async_trait::async_trait;
use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use jiff::Timestamp;
use lombard_domain::client::Client;
use lombard_domain::ids::{ClientId, ConsentId};
use lombard_domain::scope::Scope;
use lombard_edge::faults::FaultInjection;
use lombard_edge::request_log::RequestLog;
use lombard_ops::{NewTpp, OperationError, TppChange, TppCreated};
use lombard_ports::controls::SandboxControls;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// The services of the portal. Without a sandbox, the portal changes nothing but logins and has no pages for testers.
#[derive(Debug, Clone, Default)]
pub struct PortalServices {
    /// The request log of this process, if it records requests.
    pub requests: Option<Arc<RequestLog>>,
    /// Reports whether the server is ready. Without this service, the status page omits the readiness.
    pub readiness: Option<Arc<dyn Readiness>>,
    /// The functions for testers. They are absent in production.
    pub sandbox: Option<PortalSandbox>,
}

/// The functions for the developers of a TPP in a sandbox.
#[derive(Debug, Clone)]
pub struct PortalSandbox {
    /// The bank's controls; `None` if the core has no controls.
    pub controls: Option<Arc<dyn SandboxControls>>,
    /// The fault injection of this process.
    pub faults: FaultInjection,
    /// The applications of the sandbox.
    pub applications: Arc<dyn SandboxApplications>,
}

/// Whether the server is ready.
pub trait Readiness: Send + Sync + fmt::Debug {
    /// What this node lacks to serve requests; empty when it is ready.
    fn unmet_readiness_conditions(&self) -> Vec<&'static str>;
}

/// The applications of a sandbox, which issued their certificates.
#[async_trait]
pub trait SandboxApplications: Send + Sync + fmt::Debug {
    /// The folder of a client that the sandbox created; `None` for any other client.
    ///
    /// # Errors
    /// [`OperationError::Failed`] for a file that cannot be read.
    async fn folder(&self, client: &ClientId) -> Result<Option<ApplicationFolder>, OperationError>;

    /// Changes a client, as an operator does.
    ///
    /// # Errors
    /// [`OperationError::Refused`] with a sentence if the change is not allowed; nothing is changed then.
    async fn change(&self, client: &ClientId, change: TppChange) -> Result<(), OperationError>;

    /// Calls the API as the client does, over the mtls listener. The call uses the certificate in the client's folder and a token of this
    /// kind. If a signature is required, the call is signed with the client's key.
    ///
    /// # Errors
    /// [`OperationError::Refused`] with a sentence if the call could not be made: the sandbox has no folder of the client, or the requested
    /// token is not available.
    async fn call(&self, client: &Client, call: ApplicationCall) -> Result<ApplicationAnswer, OperationError>;

    /// The URL on the bank's pages at which a customer decides on a consent of the client. It contains an authorisation request that is
    /// signed with the client's key.
    ///
    /// # Errors
    /// [`OperationError::Refused`] with a sentence if the sandbox has no folder of the client.
    async fn authorisation_url(
        &self,
        client: &ClientId,
        consent: &ConsentId,
        scope: Scope,
    ) -> Result<String, OperationError>;

    /// Creates another application with its own keys and certificates.
    ///
    /// # Errors
    /// [`OperationError::Refused`] with a sentence if the application cannot be created.
    async fn create(&self, order: NewTpp) -> Result<TppCreated, OperationError>;
}

/// The token of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CallToken {
    /// A client credentials token with this scope.
    Own(Scope),
    /// A token for this consent of the client.
    OfConsent(ConsentId),
    /// A token that the developer supplies.
    Supplied(String),
}

/// A call of the API.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApplicationCall {
    /// The token.
    pub token: CallToken,
    /// The method.
    pub method: Method,
    /// The path and query on the mtls listener.
    pub path: String,
    /// The headers in addition to those that every call has.
    pub headers: Vec<(HeaderName, HeaderValue)>,
    /// The media type and the body.
    pub body: Option<(String, String)>,
    /// Whether the call needs an idempotency key. A key is generated unless `headers` has one.
    pub has_key: bool,
    /// Whether the call needs a signature. The call is signed unless `headers` has a signature.
    pub is_signed: bool,
}

/// The response to a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApplicationAnswer {
    /// The status.
    pub status: StatusCode,
    /// The headers.
    pub headers: HeaderMap,
    /// The body.
    pub body: Bytes,
    /// The time from sending the request to the last byte of the response.
    pub duration: Duration,
}

/// The folder of an application.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApplicationFolder {
    /// The name of the folder under `tpps`.
    pub name: String,
    /// The certificates of the application.
    pub certificates: Vec<ApplicationCertificate>,
}

/// A certificate of an application.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApplicationCertificate {
    /// The name of the certificate's file in the folder.
    pub file: String,
    /// The subject of the certificate.
    pub subject: String,
    /// The serial number of the certificate, hexadecimal with colons.
    pub serial: String,
    /// The last instant of the certificate's validity.
    pub not_after: Timestamp,
}
