//! How staff are identified: by a certificate, by a session, or by a bearer token.

use super::visit::StaffVisit;
use crate::page::PageFrame;
use http::header::{AUTHORIZATION, COOKIE};
use http::request::Parts;
use http::{HeaderMap, StatusCode};
use lombard_auth::authorisation::journey::BrowserSecret;
use lombard_auth::certificates::ClientCertificate;
use lombard_auth::staff::{OperatorPassword, StaffForms, StaffSessions, staff_member_of_certificate};
use lombard_domain::ids::FapiInteractionId;
use lombard_domain::staff::StaffMember;
use lombard_edge::listener::PeerAddress;
use lombard_ports::identity::LoginFailure;
use lombard_ports::staff::StaffProvider;
use std::error::Error;
use std::fmt;
use std::net::IpAddr;
use std::sync::Arc;

/// The address of a caller that the listener has not named, as in tests of routers.
const NO_ADDRESS: &str = "unknown";

/// How staff log in.
#[derive(Debug, Clone)]
pub enum StaffMethod {
    /// With the password, or the bearer token, of a sandbox's operator.
    Password(OperatorPassword),
    /// With a certificate of the staff authority, which the listener has verified.
    Certificate,
    /// At the bank's OpenID provider, or with one of its access tokens.
    Provider(Arc<dyn StaffProvider>),
}

/// Identifies the callers of the ops listener: the login method, the sessions, and the listener's properties. Clones share them.
#[derive(Clone)]
pub struct StaffDoor(Arc<DoorState>);

struct DoorState {
    method: StaffMethod,
    sessions: StaffSessions,
    /// Whether the listener's transport is TLS, so that cookies are for TLS alone.
    is_secure: bool,
    /// Whether everybody may use the controls of a sandbox, because only this machine reaches the listener.
    is_open_sandbox: bool,
    bank_name: String,
    is_sandbox: bool,
}

impl fmt::Debug for StaffDoor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StaffDoor").field("method", &self.0.method).finish_non_exhaustive()
    }
}

/// The properties of the ops listener: its transport, whether only this machine reaches it, and the texts of its pages.
#[derive(Debug, Clone)]
pub struct StaffListener {
    /// Whether its transport is TLS.
    pub is_secure: bool,
    /// Whether only this machine reaches it.
    pub is_loopback: bool,
    /// Whether the installation is a sandbox.
    pub is_sandbox: bool,
    /// The bank's name.
    pub bank_name: String,
}

/// Why a caller was not identified.
#[derive(Debug)]
pub(super) enum Unidentified {
    /// The caller showed nothing by which staff are identified.
    Nothing,
    /// What the caller showed is refused, for this reason, which may be told and is logged.
    Refused(String),
    /// The caller could not be identified now.
    Failed(Box<dyn Error + Send + Sync>),
}

impl StaffDoor {
    /// The door of a listener.
    pub fn new(method: StaffMethod, sessions: StaffSessions, listener: StaffListener) -> Self {
        let StaffListener { is_secure, is_loopback, is_sandbox, bank_name } = listener;
        let is_open_sandbox = is_sandbox && is_loopback;
        Self(Arc::new(DoorState { method, sessions, is_secure, is_open_sandbox, bank_name, is_sandbox }))
    }

    pub(super) fn method(&self) -> &StaffMethod {
        &self.0.method
    }

    pub(super) fn sessions(&self) -> &StaffSessions {
        &self.0.sessions
    }

    pub(super) fn is_secure(&self) -> bool {
        self.0.is_secure
    }

    pub(super) fn is_open_sandbox(&self) -> bool {
        self.0.is_open_sandbox
    }

    /// The frame of the listener's pages.
    pub(crate) fn page_frame(&self) -> PageFrame<'_> {
        PageFrame { bank_name: &self.0.bank_name, sandbox: self.0.is_sandbox }
    }

    /// Identifies the caller of a request. A certificate counts where staff have certificates, and nothing else counts there.
    pub(super) async fn identify(&self, request: &Parts) -> Result<StaffVisit, Unidentified> {
        let headers = &request.headers;
        match self.method() {
            StaffMethod::Certificate => self.identify_certificate(request),
            method => match bearer(headers)? {
                Some(token) => self.identify_token(method, token).await.map(|member| self.visit(request, member, None)),
                None => self.identify_session(request).await,
            },
        }
    }

    fn identify_certificate(&self, request: &Parts) -> Result<StaffVisit, Unidentified> {
        let certificate = request.extensions.get::<Arc<ClientCertificate>>().ok_or(Unidentified::Nothing)?;
        let now = self.sessions().ids_and_now().1;
        let member = staff_member_of_certificate(certificate, now)
            .map_err(|fault| Unidentified::Refused(format!("the certificate {fault}")))?;
        let known = self.browser(&request.headers);
        let is_new_browser = known.is_none();
        let browser = known.unwrap_or_else(|| self.sessions().new_browser());
        let forms = StaffForms::of_certificate(browser, certificate.thumbprint());
        Ok(StaffVisit { is_new_browser, ..self.visit(request, member, Some(forms)) })
    }

    async fn identify_token(&self, method: &StaffMethod, token: &str) -> Result<StaffMember, Unidentified> {
        match method {
            StaffMethod::Password(operator) => operator.check_token(token).ok_or_else(|| {
                Unidentified::Refused("the bearer token is not that of this sandbox's operator.json".to_owned())
            }),
            StaffMethod::Provider(provider) => provider.verify_access_token(token).await.map_err(unidentified),
            StaffMethod::Certificate => Err(Unidentified::Nothing),
        }
    }

    async fn identify_session(&self, request: &Parts) -> Result<StaffVisit, Unidentified> {
        let browser = self.browser(&request.headers).ok_or(Unidentified::Nothing)?;
        let found = self.sessions().find_session(&browser).await;
        let login = found.map_err(|error| Unidentified::Failed(error.into()))?.ok_or(Unidentified::Nothing)?;
        Ok(StaffVisit { by_cookie: true, ..self.visit(request, login.member, Some(login.forms)) })
    }

    fn visit(&self, request: &Parts, member: StaffMember, forms: Option<StaffForms>) -> StaffVisit {
        let (ids, now) = self.sessions().ids_and_now();
        StaffVisit {
            member,
            from: address(request).map_or_else(|| NO_ADDRESS.to_owned(), |address| address.to_string()),
            interaction_id: request.extensions.get::<FapiInteractionId>().cloned(),
            forms,
            ids: ids.clone(),
            now,
            by_cookie: false,
            is_new_browser: false,
        }
    }

    /// The name of the session's cookie. The prefix makes browsers refuse the cookie from any other host, and without TLS.
    pub(super) const fn session_cookie(is_secure: bool) -> &'static str {
        if is_secure { "__Host-lombard-staff" } else { "lombard-staff" }
    }

    /// The secret of the browser's session.
    pub(super) fn browser(&self, headers: &HeaderMap) -> Option<BrowserSecret> {
        only_cookie(headers, Self::session_cookie(self.is_secure())).and_then(BrowserSecret::from_cookie)
    }
}

/// The network address of the caller.
pub(super) fn address(request: &Parts) -> Option<IpAddr> {
    request.extensions.get::<PeerAddress>().map(|PeerAddress(peer)| peer.ip())
}

/// The bearer token of a request; `None` if there is none.
fn bearer(headers: &HeaderMap) -> Result<Option<&str>, Unidentified> {
    let mut given = headers.get_all(AUTHORIZATION).iter();
    let Some(first) = given.next() else { return Ok(None) };
    let malformed = || Unidentified::Refused("send one header Authorization: Bearer TOKEN".to_owned());
    if given.next().is_some() {
        return Err(malformed());
    }
    let text = first.to_str().map_err(|_| malformed())?;
    let (scheme, token) = text.split_once(' ').ok_or_else(malformed)?;
    if scheme.eq_ignore_ascii_case("bearer") { Ok(Some(token.trim())) } else { Err(malformed()) }
}

/// The value of the cookie of this name. Of several none counts: another program on this host, or on a parent domain, may have set one.
pub(super) fn only_cookie<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    let mut found = headers
        .get_all(COOKIE)
        .iter()
        .filter_map(|header| header.to_str().ok())
        .flat_map(|header| header.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .filter(|(known, _)| *known == name);
    match (found.next(), found.next()) {
        (Some((_, value)), None) => Some(value),
        _ => None,
    }
}

/// Why the provider identified nobody.
fn unidentified(failure: LoginFailure) -> Unidentified {
    match failure {
        LoginFailure::Unavailable(error) => Unidentified::Failed(error.into()),
        LoginFailure::Refused(reason) => Unidentified::Refused(reason.to_owned()),
        LoginFailure::Cancelled => Unidentified::Refused("the login was cancelled".to_owned()),
    }
}

/// The status for a caller that was not identified.
pub(super) const fn status_of(unidentified: &Unidentified) -> StatusCode {
    match unidentified {
        Unidentified::Nothing | Unidentified::Refused(_) => StatusCode::UNAUTHORIZED,
        Unidentified::Failed(_) => StatusCode::SERVICE_UNAVAILABLE,
    }
}
