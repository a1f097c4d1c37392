//! Creates the objects of a sandbox: its certificates, three TPPs, and customers with their histories.

use super::blocking::blocking;
use super::sandbox_ids::{bank_organisation, derived, usual_client};
use super::{CoreServices, StartError};
use crate::config::{Config, OwnName};
use async_trait::async_trait;
use jiff::Timestamp;
use lombard_domain::backchannel::BackchannelDelivery;
use lombard_domain::client::{Client, ClientStatus};
use lombard_domain::ids::{OrgId, PsuId};
use lombard_domain::scope::TppRole;
use lombard_domain::security_profile::SecurityProfile;
use lombard_files::FileLifetime;
use lombard_jose::SigningKey;
use lombard_oauth::DIRECTORY_PATH;
use lombard_ports::key_source::{KeySource, KeySourceError};
use lombard_ports::store::{ServerTransaction, StoreError};
use lombard_sandbox::trust::{
    SandboxTrust, ServerKeys, ServerNames, TppAuth, TppCertificates, TppRequest, TransportKey, TrustError,
};
use parking_lot::RwLock;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use tokio::task::{JoinHandle, spawn_blocking};
use url::Url;

/// The first redirect URI of a sandbox TPP: a program on the developer's machine.
const CALLBACK: &str = "https://localhost:8445/callback";

/// The TPPs that every sandbox has.
const USUAL_TPPS: [&str; 3] = ["acme", "rival", "robot"];

/// The sandbox of a server. Clones share it.
#[derive(Debug, Clone)]
pub struct Sandbox {
    trust: Arc<RwLock<Arc<SandboxTrust>>>,
    names: Arc<ServerNames>,
    /// The URL of the directory, without a trailing slash.
    directory: String,
    data_dir: PathBuf,
    lifetime: FileLifetime,
    seed: u64,
}

/// A sandbox that is being opened, with the clients to register; `None` in production.
pub(super) type OpeningSandbox = JoinHandle<Result<Option<(Sandbox, Vec<Client>)>, StartError>>;

impl Sandbox {
    /// Opens or creates the sandbox's certificate authorities and its directory, which the public listener at `public` serves. Returns
    /// `None` in production.
    ///
    /// # Errors
    /// [`StartError::Trust`].
    pub async fn open(config: &Config, services: &CoreServices, public: &str) -> Result<Option<Self>, StartError> {
        let config = config.clone();
        let now = services.clocks.wall_now();
        let public = public.to_owned();
        blocking(move || Self::open_files(&config, now, &public, FileLifetime::Durable)).await?
    }

    fn open_files(
        config: &Config,
        now: Timestamp,
        public: &str,
        lifetime: FileLifetime,
    ) -> Result<Option<Self>, StartError> {
        if !config.is_sandbox() {
            return Ok(None);
        }
        let names = Arc::new(server_names(config)?);
        let directory = format!("{public}{DIRECTORY_PATH}");
        let data_dir = config.data_dir.clone();
        let seed = config.sandbox.seed;
        let trust = open_trust(&data_dir, now, &names, &directory, (lifetime, ServerKeys::WithoutRsa))?;
        let trust = Arc::new(RwLock::new(Arc::new(trust)));
        Ok(Some(Self { trust, names, directory, data_dir, lifetime, seed }))
    }

    /// Begins to open a sandbox with its default TPPs, on threads outside the async runtime. The keys of the TPPs and of the authorities
    /// are generated in parallel. Calls `written` when these files are written. Returns the sandbox and the clients to register; `None` in
    /// production. A sandbox that keeps no files has no RSA key of the servers before [`reopen_trust`](Self::reopen_trust).
    pub(super) fn begin(
        config: &Config,
        now: Timestamp,
        public: &str,
        lifetime: FileLifetime,
        written: impl FnOnce() + Send + 'static,
    ) -> OpeningSandbox {
        let config = config.clone();
        let public = public.to_owned();
        spawn_blocking(move || {
            let opened = thread::scope(|scope| {
                let keys = scope.spawn(|| make_usual_keys(&config, lifetime));
                let opened = Self::open_files(&config, now, &public, lifetime);
                keys.join().unwrap_or(Err(StartError::Interrupted)).and(opened)
            })?;
            let Some(sandbox) = opened else { return Ok(None) };
            let clients = sandbox.issue_usual_tpps(now, &public)?;
            written();
            Ok(Some((sandbox, clients)))
        })
    }

    /// The sandbox's authorities.
    pub fn trust(&self) -> Arc<SandboxTrust> {
        Arc::clone(&self.trust.read())
    }

    /// Reads the files of the authorities again, creates missing ones, and uses them from now on. The method reads and writes files, so it
    /// must not be called on an async thread.
    pub(super) fn reopen_trust(&self, now: Timestamp) -> Result<(), StartError> {
        let made = (self.lifetime, ServerKeys::All);
        let trust = open_trust(&self.data_dir, now, &self.names, &self.directory, made)?;
        *self.trust.write() = Arc::new(trust);
        Ok(())
    }

    /// The files of the authorities on which the listeners' TLS depends.
    pub(super) fn tls_files(&self) -> Vec<PathBuf> {
        SandboxTrust::TLS_FILES.iter().map(|name| self.data_dir.join(name)).collect()
    }

    /// The source of the key sets that the sandbox's directory publishes.
    pub(super) fn directory(&self) -> Arc<dyn KeySource> {
        Arc::new(DirectoryKeySource(Arc::clone(&self.trust)))
    }

    /// The data folder of the installation.
    pub(super) fn data_dir(&self) -> &Path {
        &self.data_dir
    }

    /// The folder of a TPP.
    pub(super) fn tpp_folder(&self, name: &str) -> PathBuf {
        self.data_dir.join("tpps").join(name)
    }

    /// Issues a certificate chain for one of the bank's signing keys.
    pub(super) fn seal(&self, key: &SigningKey, now: Timestamp) -> Result<Vec<Vec<u8>>, StartError> {
        let bank = OrgId::new(self.organisation());
        Ok(self.trust().issue_seal_certificate(key, &bank, now)?)
    }

    /// The bank's organisation id.
    pub(super) fn organisation(&self) -> String {
        bank_organisation(self.seed)
    }

    /// Issues the files of the default TPPs, and returns the clients to register.
    fn issue_usual_tpps(&self, now: Timestamp, public: &str) -> Result<Vec<Client>, StartError> {
        let tpp = |name: &str, auth, backchannel, headless: Option<&str>| TppRequest {
            name: name.to_owned(),
            roles: TppRole::ALL.to_vec(),
            auth,
            backchannel,
            headless: headless.map(PsuId::new),
            profile: SecurityProfile::default(),
            redirect_uris: usual_redirects(public),
            certificates: TppCertificates::Obwac,
            transport_key: TransportKey::default(),
            client_id: usual_client(self.seed, name),
            org_id: self.derived(&format!("organisation {name}"), 18).into(),
            software_id: self.derived(&format!("software {name}"), 22).into(),
        };
        let [acme, rival, robot] = USUAL_TPPS;
        let orders = vec![
            tpp(acme, TppAuth::PrivateKeyJwt, Some(BackchannelDelivery::Poll), None),
            tpp(rival, TppAuth::TlsClientAuth, None, None),
            tpp(robot, TppAuth::PrivateKeyJwt, Some(BackchannelDelivery::Poll), Some("amelia")),
        ];
        Ok(self.trust().issue_tpps(&orders, now)?)
    }

    /// Creates one TPP and registers it.
    pub(super) async fn tpp(&self, services: &CoreServices, order: TppRequest) -> Result<Client, StartError> {
        let trust = self.trust();
        let now = services.clocks.wall_now();
        let client = blocking(move || trust.issue_tpp(&order, now)).await??;
        register(services, vec![client.clone()]).await?;
        Ok(client)
    }

    /// Issues the files of one TPP that will register itself.
    pub(super) async fn unregistered_tpp(&self, services: &CoreServices, order: TppRequest) -> Result<(), StartError> {
        let trust = self.trust();
        let now = services.clocks.wall_now();
        Ok(blocking(move || trust.issue_unregistered_tpp(&order, now)).await??)
    }

    /// Alphanumeric text derived from the seed and a purpose.
    fn derived(&self, purpose: &str, length: usize) -> String {
        derived(self.seed, purpose, length)
    }
}

/// Opens or creates the authorities. If their files are kept, they have all keys of the servers from the start.
fn open_trust(
    data_dir: &Path,
    now: Timestamp,
    names: &ServerNames,
    directory: &str,
    (lifetime, keys): (FileLifetime, ServerKeys),
) -> Result<SandboxTrust, TrustError> {
    match lifetime {
        FileLifetime::Durable => SandboxTrust::open_or_create(data_dir, now, names, directory),
        FileLifetime::UntilProcessEnds => SandboxTrust::open_or_create_ephemeral(data_dir, now, names, directory, keys),
    }
}

/// Generates the missing keys of the default TPPs.
fn make_usual_keys(config: &Config, lifetime: FileLifetime) -> Result<(), StartError> {
    if config.is_sandbox() {
        SandboxTrust::make_tpp_keys(&config.data_dir, &USUAL_TPPS, lifetime)?;
    }
    Ok(())
}

/// The source of the directory's key sets, which follows a reload of the files.
#[derive(Debug)]
struct DirectoryKeySource(Arc<RwLock<Arc<SandboxTrust>>>);

#[async_trait]
impl KeySource for DirectoryKeySource {
    async fn fetch_key_set(&self, url: &str) -> Result<String, KeySourceError> {
        let trust = Arc::clone(&self.0.read());
        trust.fetch_key_set(url).await
    }
}

/// The default redirect URIs of a sandbox TPP.
pub(super) fn usual_redirects(public: &str) -> Vec<String> {
    vec![CALLBACK.to_owned(), format!("{public}/portal/callback")]
}

/// Stores clients: new ones unchanged, and changed ones with a higher epoch, so that cached callers are invalidated (AS-116). If the row
/// of a client cannot be read, it is left unchanged, and the client is refused until the row is repaired. Values that an operator has set
/// are kept: the status, the security profile, the roles and the redirect URIs.
pub(super) async fn register(services: &CoreServices, clients: Vec<Client>) -> Result<(), StoreError> {
    for client in clients {
        let id = client.id.clone();
        match services.store.write(move |tx| register_one(tx, &client)).await {
            Err(error @ StoreError::Corrupt { .. }) => {
                let error = &error as &dyn std::error::Error;
                tracing::error!(error, client.id = %id, "a client cannot be read and is left as it is");
            }
            done => done?,
        }
    }
    Ok(())
}

fn register_one(tx: &mut dyn ServerTransaction, client: &Client) -> Result<(), StoreError> {
    let Some(kept) = tx.client(&client.id)? else { return tx.client_insert(client) };
    if kept.status == ClientStatus::Deleted {
        return Ok(());
    }
    let Client { created_at, epoch, status, profile, .. } = kept;
    let mut changed = Client { created_at, epoch, status, profile, ..client.clone() };
    let set_by_operator = tx.operator_changes(&client.id)?;
    if set_by_operator.roles_changed_at.is_some() {
        changed.roles.clone_from(&kept.roles);
    }
    if set_by_operator.redirect_uris_changed_at.is_some() {
        changed.redirect_uris.clone_from(&kept.redirect_uris);
    }
    if changed != kept {
        tx.client_update(&Client { epoch: kept.epoch.saturating_add(1), ..changed })?;
    }
    Ok(())
}

/// The host names of the servers.
pub(super) fn server_names(config: &Config) -> Result<ServerNames, StartError> {
    let urls = [&config.server.public_url, &config.server.mtls_url];
    let hosts =
        urls.into_iter().flatten().filter_map(|url| Url::parse(url.as_str()).ok()?.host_str().map(str::to_owned));
    let hosts: Vec<String> = hosts.collect();
    let further = config.sandbox.server_names.iter().map(OwnName::as_str);
    Ok(ServerNames::with_hosts(hosts.iter().map(String::as_str).chain(further))?)
}

/// The configured URL of the public listener, for commands that run without a server.
pub(super) fn configured_public_url(config: &Config) -> String {
    let given = config.server.public_url.as_ref().map(|url| url.as_str().to_owned());
    given.unwrap_or_else(|| format!("https://localhost:{}", config.server.public_port))
}
