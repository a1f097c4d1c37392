//! A bank per test, with its own data and ports, and a clock that advances only on request.

use super::template::{self, BankData};
use super::test_clock::TestClock;
use super::{Engine, FaultProxy, SeededEntropy, TestCore, engine, record};
use jiff::Timestamp;
use lombard::config::Config;
use lombard::operator_file::OperatorFile;
use lombard::server::{Core, Operator, Overrides, Server, open_operator};
use lombard_domain::calendar::{Calendar, common_working_day_from, london_date, london_time};
use lombard_domain::money::Currency;
use lombard_ports::clock::Clocks;
use lombard_ports::entropy::IdGenerator;
use lombard_tpp::{
    Endpoints, ExchangeObserver, HttpCall, HttpExchange, Protocol, TlsIdentity, Tpp, TppError, Transport,
};
use rustls_pki_types::CertificateDer;
use rustls_pki_types::pem::PemObject;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A bank of a test's own.
#[derive(Debug)]
pub(crate) struct Bank {
    /// The wall clock, and with it the bank's.
    pub(crate) clock: TestClock,
    ground: BankData,
    server: Option<Server>,
}

impl Bank {
    /// A bank on SQLite.
    pub(crate) async fn start() -> Self {
        Self::start_on(Engine::Sqlite).await
    }

    /// A bank on each engine at hand.
    pub(crate) async fn each_engine() -> Vec<Self> {
        let mut banks = Vec::new();
        for engine in Engine::at_hand() {
            banks.push(Self::start_on(engine).await);
        }
        banks
    }

    /// A bank on this engine.
    pub(crate) async fn start_on(engine: Engine) -> Self {
        let mut bank = Self::unstarted(engine).await;
        bank.restart().await;
        bank
    }

    /// A bank that was never started on its data: folder and database are there.
    pub(crate) async fn unstarted(engine: Engine) -> Self {
        Self::unstarted_with(engine, TestCore::of_environment()).await
    }

    /// The same, with the built-in bank in this place.
    pub(crate) async fn unstarted_with(engine: Engine, core: TestCore) -> Self {
        let ground = template::ground(engine, core).await;
        Self { clock: TestClock::starting_at(template::now()), ground, server: None }
    }

    /// A bank without any data, not started.
    pub(crate) async fn bare(engine: Engine) -> Self {
        Self {
            clock: TestClock::starting_at(template::now()),
            ground: template::bare(engine, TestCore::of_environment()).await,
            server: None,
        }
    }

    /// Its operator, while it is stopped, as a command on its data has one.
    pub(crate) async fn operator(&self) -> Operator {
        assert!(self.server.is_none(), "the bank is running");
        let seams =
            Overrides { clocks: self.clocks(), entropy: Arc::new(SeededEntropy::of_test("operator")), core: None };
        self.ground.run_core(Some(&self.clock), &[]).await;
        open_operator(&self.config(), seams).await.unwrap_or_else(|error| panic!("{error:?}"))
    }

    /// The nodes of a bank that serve many requests at once: two where the database serves several, otherwise one.
    pub(crate) async fn start_nodes(engine: Engine) -> Vec<Self> {
        let mut nodes = vec![Self::unstarted(engine).await];
        if engine == Engine::Postgres {
            let twin = nodes[0].twin();
            nodes.push(twin);
        }
        for node in &mut nodes {
            node.restart_with(&[("signing.queue_max", "10000"), ("server.connections_max", "4096")]).await;
        }
        nodes
    }

    /// Another server of the same bank, not started: its own folder and ports, the same database and keys.
    pub(crate) fn twin(&self) -> Self {
        assert!(self.server.is_none(), "a twin is made before the bank runs");
        Self { clock: self.clock.clone(), ground: self.ground.twin(), server: None }
    }

    /// Starts it, again if it was stopped.
    pub(crate) async fn restart(&mut self) {
        self.restart_with(&[]).await;
    }

    /// Starts it with these settings, as `limits.page_size`.
    pub(crate) async fn restart_with(&mut self, settings: &[(&str, &str)]) {
        assert!(self.server.is_none(), "the bank is running");
        self.ground.run_core(Some(&self.clock), settings).await;
        self.start_server(settings).await;
    }

    /// Starts it while the built-in bank, which has a process of its own, does not run.
    pub(crate) async fn restart_without_core(&mut self) {
        self.start_server(&[]).await;
    }

    /// Starts the server alone, with these settings, in front of the built-in bank as it runs.
    pub(crate) async fn restart_server_with(&mut self, settings: &[(&str, &str)]) {
        self.start_server(settings).await;
    }

    async fn start_server(&mut self, settings: &[(&str, &str)]) {
        let purpose = format!("server {}", self.ground.next_number());
        let seams =
            Overrides { clocks: self.clocks(), entropy: Arc::new(SeededEntropy::of_test(&purpose)), core: None };
        let config = self.ground.config(settings);
        self.server = Some(Box::pin(Server::start(config, seams)).await.unwrap_or_else(|error| panic!("{error:?}")));
    }

    /// Starts it with these settings and a core of the test's own.
    pub(crate) async fn restart_with_core(&mut self, settings: &[(&str, &str)], core: Core) {
        assert!(self.server.is_none(), "the bank is running");
        let entropy = Arc::new(SeededEntropy::of_test("server with a core"));
        let overrides = Overrides { clocks: self.clocks(), entropy, core: Some(core) };
        let config = self.ground.config(settings);
        self.server =
            Some(Box::pin(Server::start(config, overrides)).await.unwrap_or_else(|error| panic!("{error:?}")));
    }

    /// Stops it; its data stay.
    pub(crate) async fn stop(&mut self) {
        self.server.take().expect("the bank is stopped").stop_server().await;
    }

    /// Takes the running server out, to stop it while something else happens.
    pub(crate) fn take_server(&mut self) -> Server {
        self.server.take().expect("the bank is stopped")
    }

    /// The TPP with this folder.
    pub(crate) fn tpp(&self, name: &str) -> Tpp {
        Tpp::open(self.data_dir(), name, self.clocks(), self.ids(), record::observer()).unwrap()
    }

    /// The TPP with this folder, all its exchanges shown to this observer.
    pub(crate) fn tpp_watched(&self, name: &str, observer: ExchangeObserver) -> Tpp {
        Tpp::open(self.data_dir(), name, self.clocks(), self.ids(), Some(observer)).unwrap()
    }

    /// Makes a TPP through the ops listener, as `lombard tpp create` does.
    pub(crate) async fn create_tpp(&self, order: &Value) -> Tpp {
        let answer = self.ops_post("/operations/tpps", order).await;
        assert_eq!(answer.0, 201, "{}", answer.1);
        self.tpp(order["name"].as_str().unwrap())
    }

    /// Asks the ops listener.
    pub(crate) async fn ops_get(&self, path: &str) -> HttpExchange {
        self.ops(HttpCall::get(format!("{}{path}", self.endpoints().ops))).await
    }

    /// Tells the ops listener to do something; gives status and body.
    pub(crate) async fn ops_post(&self, path: &str, body: &Value) -> (u16, Value) {
        let answer = self.ops(HttpCall::post(format!("{}{path}", self.endpoints().ops)).with_json(body)).await;
        (answer.status.as_u16(), answer.json().unwrap_or(Value::Null))
    }

    /// Sends a call to the ops listener, with the token of the sandbox's operator if it has one.
    pub(crate) async fn ops(&self, call: HttpCall) -> HttpExchange {
        let operator = OperatorFile::read(self.data_dir()).unwrap();
        let call = operator.iter().fold(call, |call, operator| call.with_bearer(&operator.token));
        self.ops_as(None, call).await.unwrap()
    }

    /// Sends a call to the ops listener as a stranger.
    pub(crate) async fn ops_as_stranger(&self, call: HttpCall) -> HttpExchange {
        self.ops_as(None, call).await.unwrap()
    }

    /// Sends a call to the ops listener with a certificate.
    pub(crate) async fn ops_as(&self, shown: Option<&TlsIdentity>, call: HttpCall) -> Result<HttpExchange, TppError> {
        let anchors = CertificateDer::from_pem_file(self.data_dir().join("ca.pem"));
        let anchors: Vec<_> = anchors.into_iter().collect();
        Transport::new(&anchors, shown, Protocol::Http1, None)?.send(call).await
    }

    /// Where it listens, as its data folder says.
    pub(crate) fn endpoints(&self) -> Endpoints {
        Endpoints::read_file(self.data_dir()).unwrap()
    }

    /// Its data folder.
    pub(crate) fn data_dir(&self) -> &Path {
        self.ground.data_dir()
    }

    /// Its database. PostgreSQL only.
    pub(crate) fn database_url(&self) -> url::Url {
        self.ground.database_url()
    }

    /// Has the bank run on the machine's clock, if it runs in a process of its own.
    pub(crate) async fn run_core_in_real_time(&self) {
        self.run_core_in_real_time_with(&[]).await;
    }

    /// The same, with those of a server's settings that are about telemetry.
    pub(crate) async fn run_core_in_real_time_with(&self, settings: &[(&str, &str)]) {
        let of_telemetry: Vec<_> = settings.iter().filter(|(key, _)| key.starts_with("telemetry.")).copied().collect();
        self.ground.run_core(None, &of_telemetry).await;
    }

    /// Has the built-in bank run again in its own process.
    pub(crate) async fn run_core(&self) {
        self.ground.run_core(Some(&self.clock), &[]).await;
    }

    /// Ends the process of the built-in bank, which the test runs apart.
    pub(crate) async fn kill_core(&self) {
        self.ground.kill_core().await;
    }

    /// The file that tells a server how to connect to the bank in a process of its own.
    pub(crate) fn core_file(&self) -> PathBuf {
        self.ground.core_file()
    }

    /// Puts a proxy between its servers, from their next start on, and the built-in bank in a process of its own.
    pub(crate) async fn put_proxy_before_core(&self, seed: u64) -> FaultProxy {
        let proxy = FaultProxy::start(&self.core_file(), seed).await;
        self.ground.put_before_core(proxy.core_file());
        proxy
    }

    /// The SQLite file with the ledger.
    pub(crate) fn ledger_file(&self) -> PathBuf {
        self.ground.ledger_file()
    }

    /// The URL of the database with the ledger. PostgreSQL only.
    pub(crate) fn ledger_url(&self) -> Option<&str> {
        self.ground.ledger_url()
    }

    /// What it was configured with, as environment variables of another process.
    pub(crate) fn environment(&self) -> Vec<(String, String)> {
        self.environment_with(&[])
    }

    /// The same with these settings.
    pub(crate) fn environment_with(&self, settings: &[(&str, &str)]) -> Vec<(String, String)> {
        self.ground.environment(settings)
    }

    /// Its configuration.
    pub(crate) fn config(&self) -> Config {
        self.ground.config(&[])
    }

    /// How many rows each of its tables has, those of the ledger included, but neither its jobs before a core outside nor
    /// the audit log.
    /// SQLite only.
    pub(crate) fn rows(&self) -> BTreeMap<String, i64> {
        let mut rows = engine::sqlite_rows(&self.ledger_file());
        rows.extend(engine::sqlite_rows(&self.data_dir().join("lombard.db")));
        if self.ground.has_core_outside() {
            // It is told of changes of consents by jobs, which end by themselves: none is counted.
            rows.insert("jobs".to_owned(), 0);
        }
        // A worker seals the audit log whenever it likes.
        rows.retain(|table, _| !table.starts_with("audit_"));
        rows
    }

    /// Sets the bank's clock to the morning of the next day on which banks work everywhere: before every cut-off.
    pub(crate) async fn set_working_morning(&self) {
        let tomorrow = london_date(self.now()).tomorrow().unwrap();
        let calendars = [Currency::GBP, Currency::EUR, Currency::USD].map(Calendar::for_currency);
        let morning = london_time(common_working_day_from(tomorrow, &calendars), 9, 0).to_string();
        assert_eq!(self.ops_post("/sandbox/clock", &json!({"set": morning})).await.0, 200);
    }

    /// The time at the bank.
    pub(crate) fn now(&self) -> Timestamp {
        self.clocks().wall_now()
    }

    /// The same, in seconds since 1970.
    pub(crate) fn clock_second(&self) -> i64 {
        self.now().as_second()
    }

    /// Its clocks, for those who play along.
    pub(crate) fn clocks(&self) -> Clocks {
        Clocks::new(Arc::new(self.clock.clone()))
    }

    /// Ids that repeat from run to run, for those who play along.
    pub(crate) fn ids(&self) -> IdGenerator {
        let number = self.ground.next_number();
        IdGenerator::new(Arc::new(SeededEntropy::of_test(&format!("tpp {number}"))), self.clocks())
    }
}
