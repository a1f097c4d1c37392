//! What the portal asks of the server: whether it is ready and, in a sandbox, the applications that it made.

use super::Sandbox;
use super::blocking::blocking;
use super::operations::{Operator, RunningOperator, failed, refused};
use super::operator_channel::OperatorChannel;
use async_trait::async_trait;
use lombard_auth::certificates::CertificateDescription;
use lombard_domain::ids::ClientId;
use lombard_http::faults::FaultInjection;
use lombard_http::ops::{NewTpp, OperationError, Operations, TppChange, TppCreated};
use lombard_http::pages::{
    ApplicationCertificate, ApplicationFolder, PortalSandbox, PortalServices, Readiness, SandboxApplications,
};
use lombard_ports::controls::SandboxControls;
use lombard_sandbox::trust::TppFolder;
use std::sync::Arc;

/// The most TPPs of a sandbox in which the portal still makes another one.
const TPPS_MAX: usize = 200;

/// What the portal is made from. Without the faults of a sandbox there is no part for testers.
pub(super) fn portal_services(
    operator: &RunningOperator,
    controls: Option<Arc<dyn SandboxControls>>,
    faults: Option<FaultInjection>,
) -> PortalServices {
    let sandbox = operator.operator.sandbox().cloned().zip(faults).map(|(sandbox, faults)| {
        let operator = operator.operator.clone();
        PortalSandbox { controls, faults, applications: Arc::new(Applications { operator, sandbox }) }
    });
    let readiness = Arc::new(ServerReadiness(operator.clone()));
    PortalServices { requests: operator.requests.clone(), readiness: Some(readiness), sandbox }
}

/// Whether this server is ready.
#[derive(Debug)]
struct ServerReadiness(RunningOperator);

#[async_trait]
impl Readiness for ServerReadiness {
    async fn missing(&self) -> Vec<&'static str> {
        Operations::missing(&self.0).await
    }
}

/// The applications of a sandbox.
#[derive(Debug)]
struct Applications {
    operator: Operator,
    sandbox: Sandbox,
}

#[async_trait]
impl SandboxApplications for Applications {
    async fn folder(&self, client: &ClientId) -> Result<Option<ApplicationFolder>, OperationError> {
        let (trust, client) = (self.sandbox.trust(), client.clone());
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
        self.operator.tpp_change(client.as_str(), change, None, OperatorChannel::Portal).await.map(drop)
    }

    async fn create(&self, order: NewTpp) -> Result<TppCreated, OperationError> {
        let trust = self.sandbox.trust();
        let count = blocking(move || trust.tpp_count()).await.map_err(failed)?.map_err(failed)?;
        if count >= TPPS_MAX {
            return Err(refused(format!("This sandbox has {count} applications, and the portal makes no more.")));
        }
        self.operator.tpp_create(order).await
    }
}
