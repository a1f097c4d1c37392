//! Reloads the TLS files of the listeners while the server runs: when the files change, on SIGHUP and by command. Certificate revocation
//! lists are fetched at the same time and at an interval.
//!
//! Reloaded files are checked as at the start. If they cannot be used, the former files stay in use. Source: TLS-008.

use super::blocking::blocking;
use super::certificate_expiries::{SERVER, record_first};
use super::identities::{self, TlsConfigurations, TlsIdentities};
use super::ocsp_statuses::OcspStatuses;
use super::revocation::RevocationLists;
use super::{CoreServices, Sandbox, StartError, proxies};
use crate::config::{Config, Problems, ProxiedListener, check_listener_files, listener_files};
use jiff::Timestamp;
use lombard_domain::grant::Digest;
use lombard_edge::listener::{ClientTrust, ListenerTls, ListenerTransport, RevocationStatus};
use lombard_edge::start_barrier::StartBarrier;
use lombard_ops::{ServerCertificateView, TlsReloaded};
use lombard_ports::clock::Clocks;
use rustls::ServerConfig;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Mutex;

const RELOADS: &str = "lombard_tls_reloads_total";

/// Why TLS files were not reloaded.
#[derive(Debug, thiserror::Error)]
pub enum TlsReloadError {
    /// The files have faults; all are listed.
    #[error(transparent)]
    Files(#[from] Problems),
    /// TLS cannot be set up with them.
    #[error(transparent)]
    Start(#[from] StartError),
}

/// Replaces the TLS configurations of the listeners when files have changed. Clones share the state.
#[derive(Debug, Clone)]
pub(super) struct TlsReloader(Arc<Reloader>);

#[derive(Debug)]
struct Reloader {
    config: Config,
    sandbox: Option<Sandbox>,
    clocks: Clocks,
    /// The TLS of the public listener; `None` if the listener has no TLS.
    public: Option<ListenerTls>,
    mtls: Option<ListenerTls>,
    ops: Option<ListenerTls>,
    trust: ClientTrust,
    /// The trust in staff certificates, if staff have certificates.
    staff: Option<ClientTrust>,
    lists: RevocationLists,
    statuses: Option<Arc<OcspStatuses>>,
    files: Vec<PathBuf>,
    /// The progress, which one reload locks at a time.
    progress: Mutex<ReloadProgress>,
}

#[derive(Debug)]
struct ReloadProgress {
    /// The digest of the identities in use.
    digest: Digest,
    /// The versions of the files when they were last read, whether or not they could be used.
    read: Vec<Option<FileVersion>>,
    /// The versions of the files at the last check.
    seen: Vec<Option<FileVersion>>,
}

/// Whether revocation lists are fetched together with the files. A fetch takes as long as the slowest response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ListFetch {
    Now,
    Later,
}

/// The attributes of a file that change when it is written or replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct FileVersion {
    device: u64,
    inode: u64,
    bytes: u64,
    modified: (i64, i64),
}

impl TlsReloader {
    /// Reads the configured files, or the sandbox's own, and fetches the revocation lists. `rsa` is the barrier for handshakes that need an
    /// RSA certificate, if [`add_rsa_certificate`](Self::add_rsa_certificate) will add it.
    pub(super) async fn load(
        config: &Config,
        sandbox: Option<&Sandbox>,
        services: &CoreServices,
        rsa: Option<&StartBarrier>,
    ) -> Result<Self, StartError> {
        let clocks = &services.clocks;
        let mut files = listener_files(config);
        files.extend(sandbox.into_iter().flat_map(Sandbox::tls_files));
        let read = versions(&files);
        let mut identities = identities::load(config, sandbox)?;
        let lists = RevocationLists::open(config)?;
        // The lists are fetched before the first request, so that a certificate revoked while the server was stopped is never accepted.
        lists.fetch(identities.tpp_anchors()).await;
        lists.apply(&mut identities, config, clocks.wall_now())?;
        let statuses = OcspStatuses::open(config, clocks, &services.ids)?.map(Arc::new);
        if let Some(statuses) = &statuses {
            statuses.set_anchors(identities.tpp_anchors());
        }
        let TlsConfigurations { public, mtls, verifier, ops, staff } = identities.tls(config, clocks)?;
        record_expiry(&identities, clocks.wall_now());
        let status = statuses.clone().map(|statuses| statuses as Arc<dyn RevocationStatus>);
        let listener = |config: Arc<ServerConfig>| match rsa {
            Some(barrier) => ListenerTls::from(config).awaiting_rsa(barrier.clone()),
            None => config.into(),
        };
        Ok(Self(Arc::new(Reloader {
            config: config.clone(),
            sandbox: sandbox.cloned(),
            clocks: clocks.clone(),
            public: public.map(listener),
            mtls: mtls.map(listener),
            ops: ops.map(listener),
            staff: staff.map(|verifier| ClientTrust::new(verifier, clocks.clone())),
            trust: ClientTrust::with_status(verifier, clocks.clone(), status),
            lists,
            statuses,
            files,
            progress: Mutex::new(ReloadProgress { digest: identities.digest(), seen: read.clone(), read }),
        })))
    }

    /// Generates the RSA key and certificate of a sandbox's servers, and uses them from now on.
    pub(super) async fn add_rsa_certificate(&self) -> Result<(), StartError> {
        let mut progress = self.0.progress.lock().await;
        let this = self.clone();
        let (identities, configurations, files) = blocking(move || {
            let Reloader { config, sandbox, clocks, lists, files, .. } = &*this.0;
            if let Some(sandbox) = sandbox {
                sandbox.reopen_trust(clocks.wall_now())?;
            }
            let files = versions(files);
            let mut identities = identities::load(config, sandbox.as_ref())?;
            lists.apply(&mut identities, config, clocks.wall_now())?;
            let configurations = identities.tls(config, clocks)?;
            Ok::<_, StartError>((identities, configurations, files))
        })
        .await??;
        self.put_in_force(configurations);
        record_expiry(&identities, self.0.clocks.wall_now());
        *progress = ReloadProgress { digest: identities.digest(), seen: files.clone(), read: files };
        Ok(())
    }

    /// How connections reach a listener.
    pub(super) fn transport(&self, listener: ProxiedListener) -> ListenerTransport {
        let Reloader { config, public, mtls, trust, .. } = &*self.0;
        let tls = match listener {
            ProxiedListener::Public => public,
            ProxiedListener::Mtls => mtls,
        };
        let transport = tls.clone().map_or_else(ListenerTransport::plain, ListenerTransport::tls);
        let is_judged = listener == ProxiedListener::Mtls && !config.proxy.end_tls.contains(&listener);
        let transport = if is_judged { transport.with_client_trust(trust.clone()) } else { transport };
        match proxies::in_front_of(listener, config, trust) {
            Some(proxies) => transport.behind(proxies),
            None => transport,
        }
    }

    /// How connections reach the ops listener.
    pub(super) fn ops_transport(&self) -> ListenerTransport {
        let transport = self.0.ops.clone().map_or_else(ListenerTransport::plain, ListenerTransport::tls);
        match &self.0.staff {
            Some(trust) => transport.with_client_trust(trust.clone()),
            None => transport,
        }
    }

    /// Reads the files again, fetches the revocation lists, and uses both from now on.
    pub(super) async fn reload(&self) -> Result<TlsReloaded, TlsReloadError> {
        let mut progress = self.0.progress.lock().await;
        let read = self.look().await?;
        self.read_files(&mut progress, read, ListFetch::Now).await
    }

    /// Asks OCSP responders again about certificates whose responses are due.
    pub(super) async fn refresh_statuses(&self) {
        if let Some(statuses) = &self.0.statuses {
            statuses.refresh(&self.0.trust).await;
        }
    }

    /// The interval at which revocation lists are fetched; `None` if there are none to fetch.
    pub(super) fn refresh_interval(&self) -> Option<Duration> {
        self.0.lists.are_fetched().then(|| Duration::from_secs(self.0.config.tls.revocation_refresh_secs))
    }

    /// Reloads the files if they have changed and were equal at two checks. Two checks are needed because a certificate and its key are two
    /// files, of which one is written first. A failure is logged, and retried when the files change again.
    pub(super) async fn reload_changed_files(&self) {
        let mut progress = self.0.progress.lock().await;
        let Ok(now) = self.look().await else { return };
        let is_settled = now == progress.seen;
        progress.seen.clone_from(&now);
        if is_settled && now != progress.read {
            // The failure was already logged and counted.
            let _ = self.read_files(&mut progress, now, ListFetch::Later).await;
        }
    }

    async fn look(&self) -> Result<Vec<Option<FileVersion>>, StartError> {
        let files = self.0.files.clone();
        blocking(move || versions(&files)).await
    }

    async fn read_files(
        &self,
        progress: &mut ReloadProgress,
        read: Vec<Option<FileVersion>>,
        fetch: ListFetch,
    ) -> Result<TlsReloaded, TlsReloadError> {
        progress.read = read;
        let (identities, configurations) = self.load_again(fetch).await.inspect_err(|error| {
            metrics::counter!(RELOADS, "outcome" => "failed").increment(1);
            let cause = error as &dyn std::error::Error;
            tracing::error!(error = cause, "TLS files were not reloaded; the former ones stay in force");
        })?;
        let digest = identities.digest();
        let changed = digest != progress.digest;
        if changed {
            if let Some(statuses) = &self.0.statuses {
                statuses.set_anchors(identities.tpp_anchors());
            }
            self.put_in_force(configurations);
            progress.digest = digest;
            record_expiry(&identities, self.0.clocks.wall_now());
        }
        let outcome = if changed { "replaced" } else { "unchanged" };
        metrics::counter!(RELOADS, "outcome" => outcome).increment(1);
        let reloaded = summary(&identities, changed);
        let serials: Vec<_> = reloaded.certificates.iter().map(|it| it.serial.as_str()).collect();
        tracing::info!(
            tls.changed = changed,
            tls.serials = serials.join(" "),
            tls.tpp_anchors = reloaded.tpp_anchors,
            tls.revocation_lists = reloaded.revocation_lists,
            "TLS files reloaded"
        );
        Ok(reloaded)
    }

    async fn load_again(&self, fetch: ListFetch) -> Result<(TlsIdentities, TlsConfigurations), TlsReloadError> {
        let this = self.clone();
        let mut identities = blocking(move || {
            let Reloader { config, sandbox, clocks, .. } = &*this.0;
            check_listener_files(config, clocks.wall_now())?;
            if let Some(sandbox) = sandbox {
                sandbox.reopen_trust(clocks.wall_now())?;
            }
            Ok::<_, TlsReloadError>(identities::load(config, sandbox.as_ref())?)
        })
        .await??;
        if fetch == ListFetch::Now {
            self.0.lists.fetch(identities.tpp_anchors()).await;
        }
        let this = self.clone();
        blocking(move || {
            let Reloader { config, clocks, lists, .. } = &*this.0;
            lists.apply(&mut identities, config, clocks.wall_now())?;
            let configurations = identities.tls(config, clocks)?;
            Ok((identities, configurations))
        })
        .await?
    }

    fn put_in_force(&self, configurations: TlsConfigurations) {
        let TlsConfigurations { public, mtls, verifier, ops, staff } = configurations;
        for (listener, config) in [(&self.0.public, public), (&self.0.mtls, mtls), (&self.0.ops, ops)] {
            if let (Some(listener), Some(config)) = (listener, config) {
                listener.replace(config);
            }
        }
        // The trust is replaced after the configuration: see `ClientTrust::replace`.
        self.0.trust.replace(verifier);
        if let (Some(trust), Some(verifier)) = (&self.0.staff, staff) {
            trust.replace(verifier);
        }
    }
}

fn versions(files: &[PathBuf]) -> Vec<Option<FileVersion>> {
    let version = |metadata: fs::Metadata| FileVersion {
        device: metadata.dev(),
        inode: metadata.ino(),
        bytes: metadata.len(),
        modified: (metadata.mtime(), metadata.mtime_nsec()),
    };
    files.iter().map(|file| fs::metadata(file).ok().map(version)).collect()
}

fn summary(identities: &TlsIdentities, changed: bool) -> TlsReloaded {
    let leaves = identities.leaves().into_iter();
    let certificates =
        leaves.map(|leaf| ServerCertificateView { serial: leaf.serial, not_after: leaf.not_after.to_string() });
    TlsReloaded {
        changed,
        certificates: certificates.collect(),
        tpp_anchors: identities.tpp_anchors().len(),
        revocation_lists: identities.revocation_lists(),
    }
}

/// Records when the first of the server certificates expires.
fn record_expiry(identities: &TlsIdentities, now: Timestamp) {
    record_first(SERVER, identities.leaves().into_iter().map(|leaf| leaf.not_after), now);
}
