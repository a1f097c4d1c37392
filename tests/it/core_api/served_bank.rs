//! A seeded bank that is served by the core API on a free port, and a connector to it.

use crate::harness::Authority;
use jiff::{SignedDuration, Timestamp};
use lombard_connector::{ConnectorSettings, CoreIdentity, HeldInMemory, HttpBank};
use lombard_corebank::storage::BankStore;
use lombard_corebank::{BankScheduler, BuiltInBank};
use lombard_database::testing::TestDatabase;
use lombard_domain::ids::{BankAccountId, PsuId};
use lombard_edge::layers::{HeaderLimits, LayerContext};
use lombard_edge::listener::tls::{ServerCertificate, TlsMaterial};
use lombard_edge::listener::{Listener, ListenerLimits, RunningListener};
use lombard_ops::core_api::{CoreApi, core_api_router, serve_core_api};
use lombard_ports::bank::Bank;
use lombard_ports::clock::{Clocks, ManualClock};
use lombard_ports::entropy::{CountingEntropy, IdGenerator};
use lombard_sandbox::seed::{self, NoSeedProgress};
use rcgen::ExtendedKeyUsagePurpose;
use std::net::Ipv4Addr;
use std::sync::Arc;
use std::time::Duration;

/// The bank's time when it is seeded.
pub(super) const NOW: &str = "2026-02-27T11:45:10Z";

const SECOND: Duration = Duration::from_secs(1);

const LIMITS: ListenerLimits = ListenerLimits {
    connections_max: 64,
    address_connections_max: 64,
    anonymous_connections_max: 16,
    client_connections_max: 64,
    handshake: Duration::from_secs(10),
    header_bytes_max: 16_384,
    header_fields_max: 64,
    header_read: Duration::from_secs(10),
    body_idle: Duration::from_secs(10),
    body_total: Duration::from_secs(30),
    bytes_per_sec_min: 0,
    write_idle: Duration::from_secs(10),
    client_requests_max: 256,
    unread_bytes_max: 64 * 1024 * 1024,
    gathered_bytes_max: 64 * 1024 * 1024,
    keep_alive: Duration::from_secs(30),
    streams_max: 128,
};

pub(super) struct ServedBank {
    /// The bank in this process.
    pub(super) bank: Arc<BuiltInBank>,
    /// The same bank over the wire.
    pub(super) remote: HttpBank,
    store: BankStore,
    clock: ManualClock,
    scheduler: BankScheduler,
    core: ServedCore,
}

impl ServedBank {
    pub(super) async fn start(database: &TestDatabase) -> Self {
        let schemas = [&lombard_corebank::SCHEMA];
        lombard_database::migrate_store(&database.options, &schemas).await.unwrap();
        let opened = lombard_database::Database::open(&database.options, &schemas).await.unwrap();
        let store = lombard_corebank::open_bank_store(opened);
        let now: Timestamp = NOW.parse().unwrap();
        seed::seed_sandbox(&store, now, 42, &NoSeedProgress).await.unwrap();
        let clock = ManualClock::starting_at(now);
        let bank_clocks = Clocks::new(Arc::new(clock.clone()));
        let bank = Arc::new(BuiltInBank::new(store.clone(), bank_clocks.clone()));
        let scheduler = BankScheduler::new(store.clone(), bank_clocks);

        let core = ServedCore::start(bank.clone());
        let remote = connect(core.settings(&core.authority));
        Self { bank, remote, store, clock, scheduler, core }
    }

    /// A connector whose certificate is of this authority.
    pub(super) fn connect(&self, of: &Authority) -> HttpBank {
        connect(self.core.settings(of))
    }

    pub(super) async fn accounts_of(&self, login: &'static str) -> Vec<BankAccountId> {
        let records = self.store.read(move |tx| tx.bank_accounts_of(&PsuId::from(login))).await.unwrap();
        records.into_iter().map(|record| record.account.id).collect()
    }

    /// Moves the bank's clock, and does what is due.
    pub(super) async fn pass(&self, time: SignedDuration) {
        self.clock.advance(time);
        while self.scheduler.run_due().await.unwrap() > 0 {}
    }

    pub(super) async fn stop(self) {
        self.core.stop().await;
    }
}

/// A connector with these settings.
pub(crate) fn connect(settings: ConnectorSettings) -> HttpBank {
    let held = Arc::<HeldInMemory>::default();
    HttpBank::new(settings, held, Arc::new(CountingEntropy::default())).unwrap()
}

/// Any bank, served by the core API over mutual TLS.
pub(crate) struct ServedCore {
    /// Whose certificates it trusts.
    pub(crate) authority: Authority,
    url: String,
    listener: RunningListener,
}

impl ServedCore {
    pub(crate) fn start(bank: Arc<dyn Bank>) -> Self {
        let authority = Authority::new("core");
        let own = authority.issue("localhost", &[ExtendedKeyUsagePurpose::ServerAuth]);
        let chain = [own.der().to_vec()];
        let key = own.key_der();
        let identity = ServerCertificate { chain: &chain, key_pkcs8: key.secret_der() };
        let tls = TlsMaterial::new(&[identity], 60, Clocks::system()).unwrap();
        let around = LayerContext::new(
            "core",
            IdGenerator::new(Arc::new(CountingEntropy::default()), Clocks::system()),
            HeaderLimits { bytes_max: 16_384, fields_max: 64 },
        );
        let router = core_api_router(CoreApi { bank, body_bytes_max: 1024 * 1024 }, around);
        let socket = Listener::bind((Ipv4Addr::LOCALHOST, 0).into()).unwrap();
        let url = format!("https://localhost:{}", socket.address().unwrap().port());
        let listener = serve_core_api(socket, &tls, &[authority.der().to_vec()], router, LIMITS).unwrap();
        Self { authority, url, listener }
    }

    /// The settings of a connector whose certificate is of this authority.
    pub(crate) fn settings(&self, of: &Authority) -> ConnectorSettings {
        let own = of.issue("connector", &[ExtendedKeyUsagePurpose::ClientAuth]);
        let identity = CoreIdentity { chain: vec![own.der()], key: Arc::new(own.key_der()) };
        ConnectorSettings::new(self.url.parse().unwrap(), vec![self.authority.der()], identity)
    }

    pub(crate) async fn stop(self) {
        self.listener.stop_listener(SECOND).await;
    }
}
