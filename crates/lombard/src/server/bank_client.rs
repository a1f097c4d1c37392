//! Calls the bank's side of the sandbox's controls at a built-in bank in another process.

use crate::config::CoreConnection;
use async_trait::async_trait;
use http::StatusCode;
use lombard_domain::ids::{BankAccountId, ConsentId, FapiInteractionId, OrderId, PsuId};
use lombard_ops::bank_controls::forms::{ClockForm, ClockMoveForm, DueWorkDoneForm, DueWorkForm, RefusalForm};
use lombard_ports::controls::{
    AccountClosure, AccountEdit, AccountView, AddedEntry, BankControls, ClockMove, ClosedAccount, ControlError,
    CustomerChange, CustomerSource, CustomerView, ImportSummary, NewEntry, OrderOutcome, OrderPlan, ResetContents,
    SandboxCustomer, SnapshotAction, SnapshotName,
};
use lombard_tpp::{Protocol, TlsIdentity, TppError, tls_config};
use reqwest::{Method, RequestBuilder, Response};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::sync::Arc;
use std::time::Duration;
use url::Url;

/// The time limit of a control. The slowest one generates the customers of a reset bank.
const DONE_WITHIN: Duration = Duration::from_secs(60);
/// The time limit for transferring a data file.
const FILE_WITHIN: Duration = Duration::from_secs(600);
/// The time limit for checking whether the process responds.
const ALIVE_WITHIN: Duration = Duration::from_secs(2);
/// The time limit for a connection.
const CONNECTED_WITHIN: Duration = Duration::from_secs(5);

/// Calls the process of a built-in bank over mutual TLS. Clones share connections.
#[derive(Debug, Clone)]
pub(super) struct BankProcessClient {
    client: reqwest::Client,
    base: Url,
}

/// Why no client can be built from a connection.
#[derive(Debug, thiserror::Error)]
pub(super) enum UnusableConnection {
    /// A certificate or the key cannot be used.
    #[error(transparent)]
    Tls(#[from] TppError),
    /// The HTTP client refuses the configuration.
    #[error(transparent)]
    Client(#[from] reqwest::Error),
    /// The address cannot be used.
    #[error(transparent)]
    Address(#[from] url::ParseError),
}

impl BankProcessClient {
    /// Creates a client for this connection.
    pub(super) fn new(connection: &CoreConnection) -> Result<Self, UnusableConnection> {
        let key = Arc::new(connection.private_key().into());
        let identity = TlsIdentity { chain: connection.chain.clone(), key };
        let client = reqwest::Client::builder()
            .tls_backend_preconfigured(tls_config(&connection.anchors, Some(&identity), Protocol::Any)?)
            .redirect(reqwest::redirect::Policy::none())
            .connect_timeout(CONNECTED_WITHIN)
            .timeout(DONE_WITHIN)
            .build()?;
        Ok(Self { client, base: Url::parse(&connection.url)? })
    }

    /// Whether the process responds.
    pub(super) async fn is_alive(&self) -> bool {
        let asked = self.request(Method::GET, &["healthz"]).timeout(ALIVE_WITHIN);
        asked.send().await.is_ok_and(|response| response.status().is_success())
    }

    /// A request whose path has these segments, which may contain any characters.
    fn request(&self, method: Method, segments: &[&str]) -> RequestBuilder {
        self.client.request(method, self.url(segments))
    }

    fn url(&self, segments: &[&str]) -> Url {
        let mut url = self.base.clone();
        // Only a URL that cannot be a base has no segments; an `https` URL has them.
        if let Ok(mut path) = url.path_segments_mut() {
            path.pop_if_empty().extend(segments);
        }
        url
    }

    async fn get<T: DeserializeOwned>(&self, segments: &[&str]) -> Result<T, ControlError> {
        read(send(self.request(Method::GET, segments)).await?).await
    }

    async fn post<B: Serialize + Sync, T: DeserializeOwned>(
        &self,
        segments: &[&str],
        body: &B,
    ) -> Result<T, ControlError> {
        read(send(self.request(Method::POST, segments).json(body)).await?).await
    }
}

/// Sends a request and returns a successful response.
async fn send(request: RequestBuilder) -> Result<Response, ControlError> {
    let response = request.send().await.map_err(no_answer)?;
    let status = response.status();
    if status.is_success() {
        return Ok(response);
    }
    let text = response.text().await.map_err(no_answer)?;
    match serde_json::from_str::<RefusalForm>(&text) {
        Ok(refusal) => Err(refusal.into_error(status)),
        // A core that is not the built-in bank's process does not have this path.
        Err(_) if status == StatusCode::NOT_FOUND => Err(ControlError::refused(NO_CONTROLS)),
        Err(_) => Err(ControlError::Unavailable(format!("the bank's process answered {status}").into())),
    }
}

const NO_CONTROLS: &str =
    "the configured core has no controls for testers: only the built-in bank has, see `lombard bank serve`";

async fn read<T: DeserializeOwned>(response: Response) -> Result<T, ControlError> {
    response.json().await.map_err(no_answer)
}

fn no_answer(error: reqwest::Error) -> ControlError {
    if error.is_decode() { ControlError::Broken(error.into()) } else { ControlError::Unavailable(error.into()) }
}

#[async_trait]
impl CustomerSource for BankProcessClient {
    async fn find_customer(&self, psu: &PsuId) -> Result<Option<SandboxCustomer>, ControlError> {
        // An empty segment would address another path.
        if psu.as_str().is_empty() {
            return Ok(None);
        }
        match self.get(&["sandbox", "customers", psu.as_str()]).await {
            Ok(found) => Ok(Some(found)),
            Err(ControlError::NotFound(_)) => Ok(None),
            Err(error) => Err(error),
        }
    }

    async fn list_customers(&self) -> Result<Vec<SandboxCustomer>, ControlError> {
        self.get(&["sandbox", "customers"]).await
    }
}

#[async_trait]
impl BankControls for BankProcessClient {
    async fn clock_offset(&self) -> Result<i64, ControlError> {
        Ok(self.get::<ClockForm>(&["sandbox", "clock"]).await?.offset_micros)
    }

    async fn clock_move(&self, to: ClockMove) -> Result<i64, ControlError> {
        let moved: ClockForm = self.post(&["sandbox", "clock"], &ClockMoveForm::from(to)).await?;
        Ok(moved.offset_micros)
    }

    async fn due_work_run(&self) -> Result<u32, ControlError> {
        Ok(self.post::<_, DueWorkDoneForm>(&["sandbox", "due-work"], &()).await?.done)
    }

    async fn due_work_exists(&self) -> Result<bool, ControlError> {
        Ok(self.get::<DueWorkForm>(&["sandbox", "due-work"]).await?.is_due)
    }

    async fn customer_views(&self) -> Result<Vec<CustomerView>, ControlError> {
        self.get(&["sandbox", "psus"]).await
    }

    async fn customer_change(&self, psu: &PsuId, change: &CustomerChange) -> Result<CustomerView, ControlError> {
        // An empty segment would address another path.
        if psu.as_str().is_empty() {
            return Err(ControlError::not_found("there is no customer without an id"));
        }
        self.post(&["sandbox", "psus", psu.as_str(), "change"], change).await
    }

    async fn account_end(
        &self,
        account: &BankAccountId,
        end: AccountClosure,
        interaction_id: Option<&FapiInteractionId>,
    ) -> Result<ClosedAccount, ControlError> {
        let mut asked = self.request(Method::POST, &["sandbox", "accounts", account.as_str(), "end"]);
        if let Some(interaction_id) = interaction_id {
            asked = asked.header("x-fapi-interaction-id", interaction_id.as_str());
        }
        read(send(asked.json(&end)).await?).await
    }

    async fn account_change(&self, account: &BankAccountId, change: &AccountEdit) -> Result<AccountView, ControlError> {
        self.post(&["sandbox", "accounts", account.as_str(), "change"], change).await
    }

    async fn entry_add(&self, account: &BankAccountId, entry: &NewEntry) -> Result<AddedEntry, ControlError> {
        self.post(&["sandbox", "accounts", account.as_str(), "entries"], entry).await
    }

    async fn order_outcome(&self, order: &OrderId, outcome: OrderOutcome) -> Result<(), ControlError> {
        self.post(&["sandbox", "orders", order.as_str(), "outcome"], &outcome).await
    }

    async fn order_plan(&self, consent: &ConsentId, plan: OrderPlan) -> Result<(), ControlError> {
        self.post(&["sandbox", "consents", consent.as_str(), "plan"], &plan).await
    }

    async fn data_export(&self) -> Result<Vec<u8>, ControlError> {
        let asked = self.request(Method::GET, &["sandbox", "seed"]).timeout(FILE_WITHIN);
        Ok(send(asked).await?.bytes().await.map_err(no_answer)?.into())
    }

    async fn data_import(&self, file: Vec<u8>, rebase: bool) -> Result<ImportSummary, ControlError> {
        let mut url = self.url(&["sandbox", "seed"]);
        url.set_query(rebase.then_some("rebase=true"));
        let asked = self.client.post(url).timeout(FILE_WITHIN).header("content-type", "application/json");
        read(send(asked.body(file)).await?).await
    }

    async fn reset(&self, to: ResetContents) -> Result<(), ControlError> {
        let mut url = self.url(&["sandbox", "reset"]);
        url.set_query((to == ResetContents::Empty).then_some("empty=true"));
        read(send(self.client.post(url)).await?).await
    }
    async fn snapshot(&self, action: SnapshotAction, name: &SnapshotName) -> Result<(), ControlError> {
        let path = ["sandbox", "snapshots", name.as_str()];
        let asked = match action {
            SnapshotAction::Save => self.request(Method::PUT, &path),
            SnapshotAction::Load => self.request(Method::POST, &[&path[..], &["load"]].concat()),
            SnapshotAction::Delete => self.request(Method::DELETE, &path),
        };
        read(send(asked.timeout(FILE_WITHIN)).await?).await
    }
}
