//! The services of the server that the portal needs: its readiness and, in a sandbox, the applications that the sandbox created.

use super::Sandbox;
use super::acts::portal_act;
use super::blocking::blocking;
use super::operation_errors::{failed, refused};
use super::operations::{Operator, RunningOperator};
use async_trait::async_trait;
use lombard_auth::AuthorisationServer;
use lombard_auth::certificates::{CertificateDescription, ClientCertificate};
use lombard_auth::tokens::tester::issue_tester_token;
use lombard_domain::client::Client;
use lombard_domain::ids::{ClientId, ConsentId};
use lombard_domain::scope::Scope;
use lombard_edge::faults::FaultInjection;
use lombard_edge::layers::INTERACTION_ID;
use lombard_ops::{NewTpp, OperationError, Operations, TppChange, TppCreated};
use lombard_portal::{
    ApplicationAnswer, ApplicationCall, ApplicationCertificate, ApplicationFolder, CallToken, PortalSandbox,
    PortalServices, Readiness, SandboxApplications,
};
use lombard_ports::controls::SandboxControls;
use lombard_sandbox::trust::TppFolder;
use lombard_tpp::{HttpCall, HttpExchange, SIGNATURE, Tpp};
use std::sync::Arc;

/// The header with the key of an idempotent request. Source: RW-181.
const IDEMPOTENCY_KEY: &str = "x-idempotency-key";

/// The number of TPPs in a sandbox above which the portal creates no further one.
const TPPS_MAX: usize = 200;

/// Builds the services of the portal. Without the faults of a sandbox, the portal has no pages for testers.
pub(super) fn portal_services(
    operator: &RunningOperator,
    auth: &AuthorisationServer,
    controls: Option<Arc<dyn SandboxControls>>,
    faults: Option<FaultInjection>,
) -> PortalServices {
    let sandbox = operator.operator.sandbox().cloned().zip(faults).map(|(sandbox, faults)| {
        let operator = operator.operator.clone();
        PortalSandbox {
            controls,
            faults,
            applications: Arc::new(Applications { operator, sandbox, auth: auth.clone() }),
        }
    });
    let readiness = Arc::new(ServerReadiness(operator.clone()));
    PortalServices { requests: operator.requests.clone(), readiness: Some(readiness), sandbox }
}

/// Reports whether this server is ready.
#[derive(Debug)]
struct ServerReadiness(RunningOperator);

impl Readiness for ServerReadiness {
    fn unmet_readiness_conditions(&self) -> Vec<&'static str> {
        Operations::unready_parts(&self.0)
    }
}

/// The applications that the sandbox created.
#[derive(Debug)]
struct Applications {
    operator: Operator,
    sandbox: Sandbox,
    auth: AuthorisationServer,
}

const NO_FOLDER: &str = "The sandbox has no folder of this application, so it cannot act as it.";
const NO_TOKEN: &str = "No token can be issued on this consent: its customer must have agreed on the bank's pages, and the application \
                        must have exchanged the code.";

impl Applications {
    /// Opens the TPP's client with the files of this folder.
    async fn tpp(&self, name: String) -> Result<Tpp, OperationError> {
        let data_dir = self.sandbox.data_dir().to_owned();
        let context = &self.auth.context;
        let clocks = context.clocks.clone();
        let ids = context.ids.clone();
        blocking(move || Tpp::open(&data_dir, &name, clocks, ids, None)).await.map_err(failed)?.map_err(failed)
    }

    /// Returns the access token for a call.
    async fn token(&self, tpp: &Tpp, client: &Client, token: CallToken) -> Result<String, OperationError> {
        match token {
            CallToken::Supplied(token) => Ok(token),
            CallToken::Own(scope) => {
                let issued = tpp.client_credentials(scope.name()).await;
                issued.map(|tokens| tokens.access_token).map_err(|error| refused(error.to_string()))
            }
            CallToken::OfConsent(consent) => {
                let leaf = tpp.folder.identity.chain.first().ok_or_else(|| refused(NO_FOLDER.to_owned()))?;
                let certificate = ClientCertificate::from_der(leaf).map_err(failed)?;
                let issued = issue_tester_token(&self.auth, client, &certificate, &consent).await.map_err(failed)?;
                issued.ok_or_else(|| refused(NO_TOKEN.to_owned()))
            }
        }
    }
}

/// Builds the HTTP call that the TPP's client sends.
fn http_call(tpp: &Tpp, token: &str, call: ApplicationCall) -> Result<HttpCall, OperationError> {
    let ApplicationCall { method, path, headers, body, has_key, is_signed, .. } = call;
    let has = |name: &str| headers.iter().any(|(known, _)| known.as_str() == name);
    let mut sent = HttpCall::new(method, format!("{}{path}", tpp.endpoints.mtls)).with_bearer(token);
    if !has(INTERACTION_ID.as_str()) {
        sent = sent.with_header(INTERACTION_ID.as_str(), tpp.new_interaction_id());
    }
    if has_key && !has(IDEMPOTENCY_KEY) {
        sent = sent.with_header(IDEMPOTENCY_KEY, tpp.new_idempotency_key());
    }
    if let Some((media_type, body)) = body {
        if is_signed && !has(SIGNATURE) {
            let message = tpp.new_message_signature().claim("cty", media_type.as_str());
            sent = sent.with_header(SIGNATURE, message.sign(&tpp.folder.signing, body.as_bytes()).map_err(failed)?);
        }
        sent = sent.with_header("content-type", media_type).with_body(body);
    }
    Ok(headers.iter().fold(sent, |sent, (name, value)| sent.with_header(name.as_str(), value.as_bytes())))
}

#[async_trait]
impl SandboxApplications for Applications {
    async fn folder(&self, client: &ClientId) -> Result<Option<ApplicationFolder>, OperationError> {
        let trust = self.sandbox.trust();
        let client = client.clone();
        let found = blocking(move || trust.folder_of_client(&client)).await.map_err(failed)?.map_err(failed)?;
        let certificate = |(file, der): (&'static str, Vec<u8>)| {
            let description = CertificateDescription::from_der(&der).ok()?;
            let CertificateDescription { subject, serial, not_after, .. } = description;
            Some(ApplicationCertificate { file: file.to_owned(), subject, serial, not_after })
        };
        Ok(found.map(|TppFolder { name, certificates }| ApplicationFolder {
            name,
            certificates: certificates.into_iter().filter_map(certificate).collect(),
        }))
    }

    async fn change(&self, client: &ClientId, change: TppChange) -> Result<(), OperationError> {
        self.operator.tpp_change(&portal_act(), client.as_str(), change).await.map(drop)
    }

    async fn call(&self, client: &Client, call: ApplicationCall) -> Result<ApplicationAnswer, OperationError> {
        let folder = self.folder(&client.id).await?.ok_or_else(|| refused(NO_FOLDER.to_owned()))?;
        let tpp = self.tpp(folder.name).await?;
        let token = self.token(&tpp, client, call.token.clone()).await?;
        let HttpExchange { status, headers, body, duration, .. } =
            tpp.send(http_call(&tpp, &token, call)?).await.map_err(failed)?;
        Ok(ApplicationAnswer { status, headers, body, duration })
    }

    async fn authorisation_url(
        &self,
        client: &ClientId,
        consent: &ConsentId,
        scope: Scope,
    ) -> Result<String, OperationError> {
        let folder = self.folder(client).await?.ok_or_else(|| refused(NO_FOLDER.to_owned()))?;
        let tpp = self.tpp(folder.name).await?;
        let request = tpp.new_authorisation_request(consent.as_str(), scope.name()).await.map_err(failed)?;
        request.url(&tpp.folder.signing).map_err(failed)
    }

    async fn create(&self, order: NewTpp) -> Result<TppCreated, OperationError> {
        let trust = self.sandbox.trust();
        let count = blocking(move || trust.tpp_count()).await.map_err(failed)?.map_err(failed)?;
        if count >= TPPS_MAX {
            return Err(refused(format!("This sandbox has {count} applications, and the portal makes no more.")));
        }
        self.operator.tpp_create(&portal_act(), order).await
    }
}
