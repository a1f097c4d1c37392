//! The page of the registered application, and in a sandbox the forms that change it and create another application.

use super::formatting::moment;
use super::frame::{PortalFrame, PortalNotice, PortalPage, PortalSection, page_frame, respond};
use super::paths::APPLICATION;
use super::services::{ApplicationCertificate, ApplicationFolder, PortalSandbox};
use super::visit::{PortalForm, PortalVisit};
use askama::Template;
use axum::response::Response;
use axum::{Extension, Router};
use http::Method;
use lombard_domain::client::{Client, Jwks};
use lombard_domain::scope::TppRole;
use lombard_edge::App;
use lombard_edge::routing::{get, post};
use lombard_ops::{CertificateForm, NewTpp, OperationError, TppAuthentication, TppChange, TransportKeyType};
use lombard_pages::frame::PageFrame;
use lombard_pages::reply::redirect_to_page;
use lombard_pages::text;
use lombard_service::clients::REDIRECT_URIS_MAX;
use serde_json::Value;

/// The page of the application.
#[derive(Template)]
#[template(path = "portal/application.html")]
pub(crate) struct ApplicationPage<'a> {
    pub frame: PageFrame<'a>,
    pub portal: PortalFrame,
    pub facts: Vec<(&'static str, String)>,
    pub redirect_uris: Vec<String>,
    pub roles: Vec<RoleChoice>,
    pub keys: Vec<PublishedKeyView>,
    pub keys_at: Option<String>,
    /// The folder and certificates of an application that the sandbox created.
    pub folder: Option<ApplicationFolder>,
    /// Whether the page has forms that change the application.
    pub is_sandbox: bool,
}

impl ApplicationPage<'_> {
    #[allow(clippy::unused_self, reason = "templates call methods of the page")]
    fn until(&self, certificate: &ApplicationCertificate) -> String {
        moment(certificate.not_after)
    }
}

/// A role, and whether the application has this role.
#[derive(Debug)]
pub(crate) struct RoleChoice {
    pub name: &'static str,
    pub meaning: &'static str,
    pub is_held: bool,
}

/// A public key of the application.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct PublishedKeyView {
    pub id: String,
    pub usage: String,
    pub kind: String,
}

impl PortalPage for ApplicationPage<'_> {
    fn portal(&self) -> &PortalFrame {
        &self.portal
    }
}

/// The route of the page. Its forms have routes only in a sandbox.
pub(super) fn routes() -> Router<App> {
    Router::new().route(APPLICATION, get(show))
}

/// The routes by which developers change applications in a sandbox.
pub(super) fn sandbox_routes() -> Router<App> {
    Router::new()
        .route(&format!("{APPLICATION}/redirect-uris"), post(set_redirect_uris))
        .route(&format!("{APPLICATION}/roles"), post(set_roles))
        .route(&format!("{APPLICATION}/create"), post(create))
}

/// The client's folder, if this is a sandbox that created the client.
pub(super) async fn folder_of(visit: &PortalVisit) -> Option<ApplicationFolder> {
    let sandbox = visit.services.sandbox.as_ref()?;
    let found = sandbox.applications.folder(&visit.client().id).await;
    let tell = |error: &OperationError| {
        tracing::warn!(error = error as &dyn std::error::Error, "the folder of an application was not read");
    };
    found.inspect_err(tell).ok().flatten()
}

async fn show(visit: PortalVisit) -> Response {
    let notice = match visit.parameter("done").as_deref() {
        Some("redirect-uris") => Some(PortalNotice::done("The redirect URIs are changed.")),
        Some("roles") => Some(PortalNotice::done("The roles are changed.")),
        _ => None,
    };
    page(&visit, notice).await
}

async fn page(visit: &PortalVisit, notice: Option<PortalNotice>) -> Response {
    let client = visit.client();
    let keys_at = client.jwks.address().map(|address| address.url.clone());
    let keys = visit.page.app.auth.client_keys.keys_of_client(client, None).await;
    let document = keys.map(|keys| keys.to_json());
    let template = ApplicationPage {
        frame: page_frame(visit),
        portal: PortalFrame::of(visit, PortalSection::Application, notice),
        facts: facts(client),
        redirect_uris: client.redirect_uris.clone(),
        roles: TppRole::ALL.map(|role| choice(client, role)).into(),
        keys: keys_in(document.as_deref().or(client.jwks.local()).unwrap_or_default()),
        keys_at,
        folder: folder_of(visit).await,
        is_sandbox: visit.services.sandbox.is_some(),
    };
    respond(&visit.page.app, &template)
}

fn facts(client: &Client) -> Vec<(&'static str, String)> {
    let mut facts = vec![
        ("Software", text::name(&client.software_name)),
        ("Software id", client.software_id.to_string()),
        ("Client id", client.id.to_string()),
        ("Organisation", text::name(&client.org_name)),
        ("Organisation id", client.org_id.to_string()),
        ("Client authentication", client.authentication.name().to_owned()),
        ("Security profile", client.profile.name().to_owned()),
        ("Signed messages", signed_messages(client)),
        ("Registered", moment(client.created_at)),
    ];
    if let Some(headless) = &client.headless {
        facts.push(("Answered at once for", headless.to_string()));
    }
    if let Jwks::Remote(address) = &client.jwks {
        facts.push(("Keys published at", address.url.clone()));
    }
    facts
}

/// The messages that are signed in addition to those that the security profile requires. Source: AS-182.
fn signed_messages(client: &Client) -> String {
    match client.signed_messages.names().as_slice() {
        [] => "as the profile demands".to_owned(),
        names => format!("as the profile demands, and {}", names.join(", ")),
    }
}

fn choice(client: &Client, role: TppRole) -> RoleChoice {
    let meaning = match role {
        TppRole::Aisp => "account information",
        TppRole::Pisp => "payments",
        TppRole::Cbpii => "confirmation of funds",
    };
    RoleChoice { name: role.name(), meaning, is_held: client.roles.contains(&role) }
}

/// The keys of a JWK set, as the page shows them.
fn keys_in(document: &str) -> Vec<PublishedKeyView> {
    let document: Value = serde_json::from_str(document).unwrap_or_default();
    let keys = document.get("keys").and_then(Value::as_array).cloned().unwrap_or_default();
    let text = |key: &Value, name: &str| key.get(name).and_then(Value::as_str).unwrap_or("–").to_owned();
    let words = |key: &Value| PublishedKeyView {
        id: text(key, "kid"),
        usage: text(key, "use"),
        kind: format!("{} {}", text(key, "kty"), text(key, "alg")),
    };
    keys.iter().map(words).collect()
}

async fn set_redirect_uris(Extension(sandbox): Extension<PortalSandbox>, form: PortalForm) -> Response {
    let lines = form.fields.first("redirect_uris").lines().map(str::trim).filter(|line| !line.is_empty());
    // One redirect URI more than allowed is read, so that an excess is refused.
    let uris = lines.take(REDIRECT_URIS_MAX.saturating_add(1)).map(str::to_owned).collect();
    change(&sandbox, form, TppChange::SetRedirectUris(uris), "redirect-uris").await
}

async fn set_roles(Extension(sandbox): Extension<PortalSandbox>, form: PortalForm) -> Response {
    let roles = form.fields.all("role");
    change(&sandbox, form, TppChange::SetRoles(roles), "roles").await
}

async fn change(sandbox: &PortalSandbox, form: PortalForm, change: TppChange, done: &str) -> Response {
    let visit = form.visit;
    match sandbox.applications.change(&visit.client().id, change).await {
        Ok(()) => redirect_to_page(&visit.page.app, &Method::POST, &format!("{APPLICATION}?done={done}"), None),
        Err(error) => page(&visit, Some(refusal(&error))).await,
    }
}

async fn create(Extension(sandbox): Extension<PortalSandbox>, form: PortalForm) -> Response {
    let order = NewTpp {
        name: form.fields.first("name").trim().to_owned(),
        roles: Vec::new(),
        auth: TppAuthentication::default(),
        notification_endpoint: None,
        ciba: false,
        headless: None,
        profile: None,
        redirect_uris: Vec::new(),
        certificates: CertificateForm::default(),
        transport_key: TransportKeyType::default(),
        unregistered: false,
    };
    let name = order.name.clone();
    let visit = form.visit;
    let notice = match sandbox.applications.create(order).await {
        Ok(created) => {
            let client = created.client_id.map(|id| id.to_string()).unwrap_or_default();
            PortalNotice::done(format!(
                "The application has the client id {client}; its keys and certificates are in {}. lombard tpp login {name} logs in \
                 to it.",
                created.folder.display()
            ))
        }
        Err(error) => refusal(&error),
    };
    page(&visit, Some(notice)).await
}

/// Describes an operation that was not executed; a failure is logged here.
pub(super) fn refusal(error: &OperationError) -> PortalNotice {
    if let OperationError::Failed(cause) = error {
        tracing::error!(error = cause.as_ref() as &dyn std::error::Error, "an operation of the portal failed");
    }
    PortalNotice::refused(error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_listed_with_their_id_and_use() {
        let keys = keys_in(r#"{"keys":[{"kty":"RSA","kid":"k1","use":"sig","alg":"PS256","n":"…"},{"kty":"EC"}]}"#);
        let key = |id: &str, usage: &str, kind: &str| PublishedKeyView {
            id: id.into(),
            usage: usage.into(),
            kind: kind.into(),
        };
        assert_eq!(keys, [key("k1", "sig", "RSA PS256"), key("–", "–", "EC –")]);
        assert_eq!(keys_in("not json"), []);
    }
}
