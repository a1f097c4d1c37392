//! The services of the portal's pages beside storage and settings.

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

/// What the portal shows and does. Without a sandbox it changes nothing but logins, and has no page for testers.
#[derive(Debug, Clone, Default)]
pub struct PortalServices {
    /// The log of requests of this process, if any are recorded.
    pub requests: Option<Arc<RequestLog>>,
    /// Whether the server is ready; without it the status page does not say so.
    pub readiness: Option<Arc<dyn Readiness>>,
    /// What testers may do. Absent in production.
    pub sandbox: Option<PortalSandbox>,
}

/// What a sandbox lets the developers of a TPP do.
#[derive(Debug, Clone)]
pub struct PortalSandbox {
    /// The controls; none before a core that has none.
    pub controls: Option<Arc<dyn SandboxControls>>,
    /// The faults of this process.
    pub faults: FaultInjection,
    /// The applications.
    pub applications: Arc<dyn SandboxApplications>,
}

/// Whether the server is ready.
pub trait Readiness: Send + Sync + fmt::Debug {
    /// What this node lacks to serve requests; empty when it is ready.
    fn missing(&self) -> Vec<&'static str>;
}

/// The applications of a sandbox, whose certificates it made.
#[async_trait]
pub trait SandboxApplications: Send + Sync + fmt::Debug {
    /// The folder of a client that the sandbox made; `None` of any other.
    ///
    /// # Errors
    /// [`OperationError::Failed`] for a file that cannot be read.
    async fn folder(&self, client: &ClientId) -> Result<Option<ApplicationFolder>, OperationError>;

    /// Changes a client, as an operator does.
    ///
    /// # Errors
    /// [`OperationError::Refused`] with a sentence if the change is not allowed; nothing has changed then.
    async fn change(&self, client: &ClientId, change: TppChange) -> Result<(), OperationError>;

    /// Calls the API as the client does, over the listener of TPPs: with the certificate in the client's folder, a token of this kind
    /// and, if it has to be, signed with the client's key.
    ///
    /// # Errors
    /// [`OperationError::Refused`] with a sentence if the call could not be made: the sandbox has no folder of the client, or there is
    /// no such token.
    async fn call(&self, client: &Client, call: ApplicationCall) -> Result<ApplicationAnswer, OperationError>;

    /// The address on the bank's pages at which a customer decides on a consent of the client, with a request for authorisation that is
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

    /// Makes another application with keys and certificates of its own.
    ///
    /// # Errors
    /// [`OperationError::Refused`] with a sentence if it cannot be made.
    async fn create(&self, order: NewTpp) -> Result<TppCreated, OperationError>;
}

/// The token of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CallToken {
    /// One of the client for itself, with this scope.
    Own(Scope),
    /// One that stands on this consent of the client.
    OfConsent(ConsentId),
    /// One that the developer has.
    Given(String),
}

/// A call of the API.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApplicationCall {
    /// The token.
    pub token: CallToken,
    /// The method.
    pub method: Method,
    /// Path and query on the listener of TPPs.
    pub path: String,
    /// The headers beside those that the call needs anyway.
    pub headers: Vec<(HeaderName, HeaderValue)>,
    /// Media type and body.
    pub body: Option<(String, String)>,
    /// Whether it needs an idempotency key, which is made unless `headers` has one.
    pub has_key: bool,
    /// Whether it needs a signature, which is made unless `headers` has one.
    pub is_signed: bool,
}

/// The answer to a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApplicationAnswer {
    /// The status.
    pub status: StatusCode,
    /// The headers.
    pub headers: HeaderMap,
    /// The body.
    pub body: Bytes,
    /// From the request to the last byte.
    pub duration: Duration,
}

/// The folder of an application.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApplicationFolder {
    /// Its name under `tpps`.
    pub name: String,
    /// Its certificates.
    pub certificates: Vec<ApplicationCertificate>,
}

/// A certificate of an application.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApplicationCertificate {
    /// Its file in the folder.
    pub file: String,
    /// Its subject.
    pub subject: String,
    /// Its serial number, hexadecimal with colons.
    pub serial: String,
    /// The last instant of its validity.
    pub not_after: Timestamp,
}
