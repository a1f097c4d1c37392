//! What fails: two nodes behind HAProxy, as processes of their own, on a PostgreSQL and a core of their own.

use super::balanced::{BALANCER, NODES, Ports, variable};
use super::load::CallKind;
use crate::harness::paying::orders;
use crate::harness::program::start_program;
use crate::harness::{EVERYTHING, PausableConnection, PayingTpp, access, run_at, until};
use crate::own_server::{OwnServer, Programs};
use crate::tls::{ProxyProcess, free_port, program};
use lombard::entropy::SystemEntropy;
use lombard_domain::payment::PaymentProduct;
use lombard_domain::version::Version;
use lombard_ports::clock::Clocks;
use lombard_ports::entropy::IdGenerator;
use lombard_tpp::Tpp;
use std::path::Path;
use std::sync::Arc;
use tempfile::TempDir;
use tokio::process::{Child, Command};

/// What a world is made of.
pub(super) struct WorldOptions<'a> {
    /// Further settings of the nodes.
    pub(super) settings: &'a [(&'a str, &'a str)],
    /// Whether the database has a standby.
    pub(super) has_standby: bool,
    /// The folder of the tablespace that the database is in.
    pub(super) tablespace: Option<&'a Path>,
}

pub(super) struct World {
    folder: TempDir,
    ports: Ports,
    settings: Vec<(String, String)>,
    pub(super) postgres: OwnServer,
    pub(super) standby: Option<OwnServer>,
    /// Between the nodes and PostgreSQL.
    pub(super) line: PausableConnection,
    _standby_line: Option<PausableConnection>,
    core: Child,
    nodes: [Option<Child>; 2],
    _balancer: ProxyProcess,
    pub(super) tpp: Tpp,
    pub(super) kinds: Vec<CallKind>,
}

/// The name of the nodes' database.
const DATABASE: &str = "lombard";

impl World {
    /// Everything runs and is warm; `None`, said loudly, if a program is missing.
    pub(super) async fn start(options: &WorldOptions<'_>) -> Option<Self> {
        let programs = Programs::find().await?;
        let haproxy = program("LOMBARD_TEST_HAPROXY", "haproxy")?;
        let postgres = OwnServer::start(&programs, "max_connections = 200").await;
        let mut made = vec![format!("CREATE DATABASE {DATABASE}")];
        if let Some(folder) = options.tablespace {
            made.insert(0, format!("CREATE TABLESPACE small LOCATION '{}'", folder.display()));
            made[1].push_str(" TABLESPACE small");
        }
        run_at(&administrator(&postgres, "postgres"), &made).await;
        let standby = if options.has_standby { postgres.standby().await } else { None };
        let line_to = async |server: &OwnServer| PausableConnection::to(format!("127.0.0.1:{}", server.port())).await;
        let line = line_to(&postgres).await;
        let standby_line = match &standby {
            Some(standby) => Some(line_to(standby).await),
            None => None,
        };
        let hosts: Vec<_> =
            [Some(&line), standby_line.as_ref()].into_iter().flatten().map(|it| it.address().to_string()).collect();
        let url = format!("postgres://lombard@{}/{DATABASE}", hosts.join(","));

        let folder = tempfile::tempdir().unwrap();
        let ports = Ports::free();
        let core_port = free_port();
        let core = start_core(folder.path(), core_port);
        let core_file = folder.path().join("core/core.json");
        until(async || core_file.is_file().then_some(())).await;
        let own = [
            ("database.url", url.as_str()),
            ("bank.kind", "http"),
            ("bank.core_file", core_file.to_str().unwrap()),
            ("proxy.pass_tls", "public,mtls"),
            ("proxy.addresses", BALANCER),
        ];
        let settings: Vec<_> = own.iter().chain(options.settings).map(|(name, value)| variable(name, value)).collect();

        // The first node makes what the second one gets a copy of.
        let mut first = start_node(folder.path(), &ports, &settings, 0);
        ports.until_ready(0).await;
        stop(&mut first).await;
        copy(&folder.path().join("node-0"), &folder.path().join("node-1"));
        let nodes = [0, 1].map(|node| Some(start_node(folder.path(), &ports, &settings, node)));
        for node in 0..NODES.len() {
            ports.until_ready(node).await;
        }
        let balancer = ports.start_balancer(folder.path(), &haproxy).await;

        let ids = IdGenerator::new(Arc::new(SystemEntropy), Clocks::system());
        let tpp = Tpp::open(&folder.path().join("node-0"), "robot", Clocks::system(), ids, None).unwrap();
        let kinds = kinds(&tpp).await;
        Some(Self {
            folder,
            ports,
            settings,
            postgres,
            standby,
            line,
            _standby_line: standby_line,
            core,
            nodes,
            _balancer: balancer,
            tpp,
            kinds,
        })
    }

    /// The URL of the nodes' database for an administrator, who does not go through the line.
    pub(super) fn administrator(&self) -> String {
        administrator(&self.postgres, DATABASE)
    }

    /// Kills a node.
    pub(super) async fn kill_node(&mut self, node: usize) {
        self.nodes[node].take().unwrap().kill().await.unwrap();
    }

    /// Starts a node again.
    pub(super) async fn start_node(&mut self, node: usize) {
        self.nodes[node] = Some(start_node(self.folder.path(), &self.ports, &self.settings, node));
        self.ports.until_ready(node).await;
    }

    /// Sends a signal to the core, such as `-STOP`.
    pub(super) async fn signal_core(&self, signal: &str) {
        send(&self.core, signal).await;
    }

    /// Ends both nodes in order, so that nothing is left of them.
    pub(super) async fn end(mut self) {
        for node in self.nodes.iter_mut().flatten() {
            stop(node).await;
        }
    }
}

fn administrator(server: &OwnServer, database: &str) -> String {
    format!("postgres://lombard@127.0.0.1:{}/{database}", server.port())
}

fn start_core(folder: &Path, port: u16) -> Child {
    let data = folder.join("core").display().to_string();
    let arguments = ["bank", "serve", "--data", &data, "--port", &port.to_string()];
    start_program(&arguments, &[], &folder.join("core.log"))
}

fn start_node(folder: &Path, ports: &Ports, settings: &[(String, String)], node: usize) -> Child {
    let urls = [("server.public_url", ports.public), ("server.mtls_url", ports.mtls)];
    let urls = urls.map(|(name, port)| variable(name, &format!("https://localhost:{port}")));
    let mut variables = ports.of_node(node);
    variables.extend(urls);
    variables.extend(settings.iter().cloned());
    let data = folder.join(format!("node-{node}")).display().to_string();
    start_program(&["serve", "--data", &data], &variables, &folder.join(format!("node-{node}.log")))
}

async fn send(process: &Child, signal: &str) {
    let pid = process.id().unwrap().to_string();
    assert!(Command::new("kill").args([signal, &pid]).status().await.unwrap().success());
}

async fn stop(process: &mut Child) {
    send(process, "-TERM").await;
    process.wait().await.unwrap();
}

/// What a TPP calls: reads that ask the core, reads that do not, tokens and consents.
async fn kinds(tpp: &Tpp) -> Vec<CallKind> {
    let access = access(tpp, &EVERYTHING).await;
    let account = access.account_ids().await.remove(0);
    let own = tpp.client_credentials("payments").await.unwrap().access_token;
    let paying = PayingTpp { tpp: tpp.clone(), own: own.clone(), version: Version::V3_1 };
    let body = paying.asking(PaymentProduct::DomesticPayment);
    let (order, _) = paying.ordered(&paying.agreed(PaymentProduct::DomesticPayment).await).await;
    let of_order =
        CallKind::Read { token: own.clone(), path: format!("{}/{order}", orders(PaymentProduct::DomesticPayment)) };
    let read = |path: String| CallKind::Read { token: access.token().to_owned(), path };
    let of_consent = CallKind::Read { token: access.own.clone(), path: access.consent_path() };
    vec![
        read("aisp/accounts".to_owned()),
        read(format!("aisp/accounts/{account}/balances")),
        of_consent,
        of_order,
        CallKind::Token { scope: "accounts" },
        CallKind::PaymentConsent { own, body },
    ]
}

/// Copies a folder with everything in it.
fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap().map(Result::unwrap) {
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).unwrap();
        }
    }
}
