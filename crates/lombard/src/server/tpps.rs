//! Operator actions on TPPs, on a running server or on the database if no server runs.

use super::Sandbox;
use super::acts::log_record;
use super::blocking::blocking;
use super::operation_errors::{failed, refused};
use super::operations::Operator;
use super::tpp_certificates::read_certificates;
use super::tpp_terms::{roles, security_profile, signed_messages};
use lombard_auth::addresses::{REDIRECT_URI_CHARS_MAX, is_redirect_uri};
use lombard_auth::portal::{LINK_LIFETIME, create_portal_link};
use lombard_auth::software_statement::read_statement_grants;
use lombard_domain::audit::AuditAction;
use lombard_domain::client::Client;
use lombard_domain::ids::ClientId;
use lombard_domain::scope::TppRole;
use lombard_domain::staff::StaffAct;
use lombard_ops::{OperationError, TppChange, TppListView, TppLoginView, TppView};
use lombard_portal::link_address;
use lombard_sandbox::trust::is_sandbox_redirect_uri;
use lombard_service::clients::{
    ClientChange, ClientDetails, ClientError, RegistrationBounds, change_client, find_client, list_clients,
};

/// The maximum number of bytes of an id or name by which a TPP is looked up.
const NAME_BYTES_MAX: usize = 256;

impl Operator {
    /// Lists a page of TPPs.
    ///
    /// # Errors
    /// [`OperationError::Failed`].
    pub async fn list_tpps(&self, after: Option<ClientId>, limit: u32) -> Result<TppListView, OperationError> {
        list_clients(self.store(), after, limit).await.map(TppListView::from).map_err(failed)
    }

    /// Finds the TPP with this client id, software id or name. In a sandbox, the name of its folder is also a name.
    ///
    /// # Errors
    /// [`OperationError::Refused`] if no TPP or several TPPs match.
    pub async fn find_tpp(&self, name: &str) -> Result<TppView, OperationError> {
        let found = self.find_client(name).await?;
        let certificates = read_certificates(self.store(), &found.client).await?;
        Ok(TppView { certificates, ..self.view(found) })
    }

    /// Changes a TPP, which is looked up as by [`Self::find_tpp`], as the audit log tells. Every node uses the changed data from its next
    /// request on. Source: AS-113, AS-116, AS-154, DCR-042, DCR-043.
    ///
    /// # Errors
    /// [`OperationError::Refused`] if there is no such TPP, or the change is not allowed; nothing is changed then.
    pub async fn tpp_change(&self, act: &StaffAct, name: &str, change: TppChange) -> Result<TppView, OperationError> {
        let (change, action) = match change {
            TppChange::Disable => (ClientChange::Disable, AuditAction::TppDisable),
            TppChange::Enable => (ClientChange::Enable, AuditAction::TppEnable),
            TppChange::Approve => (ClientChange::ApproveRegistration, AuditAction::TppApprove),
            TppChange::Refuse => (ClientChange::RefuseRegistration, AuditAction::TppRefuse),
            TppChange::Delete => (ClientChange::Delete, AuditAction::TppDelete),
            TppChange::SetRoles(names) => (ClientChange::SetRoles(roles(&names)?), AuditAction::TppRoles),
            TppChange::SetRedirectUris(uris) => (ClientChange::SetRedirectUris(uris), AuditAction::TppRedirectUris),
            TppChange::SetProfile(name) => {
                (ClientChange::SetProfile(security_profile(&name)?), AuditAction::TppProfile)
            }
            TppChange::SetSignedMessages(names) => {
                (ClientChange::SetSignedMessages(signed_messages(&names)?), AuditAction::TppSignedMessages)
            }
        };
        let id = self.find_client(name).await?.client.id;
        let bounds = StatementBounds { is_sandbox: self.sandbox().is_some() };
        let record = self.audit().record_of(act, action, id.as_str());
        let changed = change_client(self.stored(), &id, change, record.clone(), bounds).await;
        let (details, is_changed) = changed.map_err(not_changed)?;
        if is_changed {
            log_record(&record);
        }
        Ok(self.view(details))
    }

    /// Creates a one-time link by which a developer of a TPP logs in to the portal, as the audit log tells. The TPP is looked up as by
    /// [`Self::find_tpp`].
    ///
    /// # Errors
    /// [`OperationError::Refused`] if there is no such TPP, or it is not active.
    pub async fn tpp_login(&self, act: &StaffAct, name: &str) -> Result<TppLoginView, OperationError> {
        let id = self.find_client(name).await?.client.id;
        let stored = self.stored();
        let expires_at = stored.2.saturating_add(LINK_LIFETIME).map_err(failed)?;
        let record = self.audit().record_of(act, AuditAction::TppLogin, id.as_str());
        let secret = create_portal_link(stored, &id, Some(record.clone())).await.map_err(failed)?;
        let secret =
            secret.ok_or_else(|| refused("This TPP is not active, so nobody can log in to the portal for it."))?;
        log_record(&record);
        Ok(TppLoginView {
            client_id: id,
            url: link_address(self.public(), &secret),
            expires_at: expires_at.to_string(),
        })
    }

    async fn find_client(&self, name: &str) -> Result<ClientDetails, OperationError> {
        if name.len() > NAME_BYTES_MAX {
            return Err(not_changed(ClientError::Unknown));
        }
        let alias = match self.sandbox().cloned() {
            Some(sandbox) => client_of_folder(sandbox, name.to_owned()).await?,
            None => None,
        };
        find_client(self.store(), name, alias).await.map_err(not_changed)
    }

    fn view(&self, details: ClientDetails) -> TppView {
        let allowed = StatementBounds { is_sandbox: self.sandbox().is_some() }.roles(&details.client);
        TppView::new(details, &allowed)
    }
}

/// Finds the client of the sandbox folder with this name.
async fn client_of_folder(sandbox: Sandbox, name: String) -> Result<Option<ClientId>, OperationError> {
    blocking(move || sandbox.trust().client_of_tpp(&name)).await.map_err(failed)?.map_err(failed)
}

/// The values that a software statement allows. Without a readable statement, roles and redirect URIs can only be removed. In a sandbox,
/// any redirect URI is allowed with which a TPP can be created.
#[derive(Debug, Clone, Copy)]
struct StatementBounds {
    is_sandbox: bool,
}

impl RegistrationBounds for StatementBounds {
    fn roles(&self, client: &Client) -> Vec<TppRole> {
        read_statement_grants(client).map_or_else(|| client.roles.clone(), |grants| grants.roles)
    }

    fn redirect_uris(&self, client: &Client) -> Vec<String> {
        read_statement_grants(client).map_or_else(|| client.redirect_uris.clone(), |grants| grants.redirect_uris)
    }

    fn redirect_uri_fault(&self, client: &Client, uri: &str) -> Option<&'static str> {
        let may_be = if self.is_sandbox { is_sandbox_redirect_uri } else { is_redirect_uri };
        if uri.len() > REDIRECT_URI_CHARS_MAX || !may_be(uri) {
            return Some(
                "it is not an https:// URI of another host, of at most 256 characters, without fragment and user name.",
            );
        }
        let is_allowed = self.is_sandbox || self.redirect_uris(client).iter().any(|granted| granted == uri);
        (!is_allowed).then_some("it is not among the redirect URIs of the TPP's software statement.")
    }
}

fn not_changed(error: ClientError) -> OperationError {
    match error {
        ClientError::Store(error) => failed(error),
        refusal => refused(refusal.to_string()),
    }
}
