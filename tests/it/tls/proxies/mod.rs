//! Real proxies in front of real nodes: HAProxy, which passes TLS on, and nginx, which ends it.

mod guesses;
mod haproxy;
pub(super) mod nginx;

use crate::harness::{Bank, Engine, until};
use parking_lot::Mutex;
use std::env;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicU16, Ordering};
use tokio::io::AsyncReadExt;
use tokio::net::TcpStream;
use tokio::process::{Child, Command};

/// The address that the proxies connect from.
const PROXY: &str = "127.0.0.1";

/// The addresses of the nodes, as if each were a machine of its own. All nodes have the same ports.
const NODES: [&str; 2] = ["127.0.0.2", "127.0.0.3"];

/// The page with the examples for operators of proxies.
const PAGE: &str = include_str!("../../../../docs/operating/proxies.md");

/// The example for this proxy, as the page prints it.
pub(crate) fn printed(proxy: &str) -> &'static str {
    let (_, from) = PAGE.split_once(&format!("For {proxy}:\n\n```\n")).unwrap();
    from.split_once("```").unwrap().0
}

/// A proxy's process; it is killed when it is dropped.
pub(crate) struct ProxyProcess {
    #[expect(dead_code, reason = "its drop ends the process")]
    process: Child,
    log: Arc<Mutex<String>>,
}

impl ProxyProcess {
    /// Starts it and waits until it accepts connections on these ports.
    pub(crate) async fn start(mut command: Command, ports: &[u16]) -> Self {
        let started = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).kill_on_drop(true);
        let mut process = started.spawn().unwrap();
        let mut said = process.stderr.take().unwrap();
        let log = Arc::<Mutex<String>>::default();
        let writes = Arc::clone(&log);
        let reading = tokio::spawn(async move {
            let mut bytes = [0; 1024];
            while let Ok(count @ 1..) = said.read(&mut bytes).await {
                writes.lock().push_str(&String::from_utf8_lossy(&bytes[..count]));
            }
        });
        for port in ports {
            let connected = until(async || match process.try_wait().unwrap() {
                Some(status) => Some(Err(status)),
                None => TcpStream::connect((PROXY, *port)).await.ok().map(|_| Ok(())),
            });
            if let Err(status) = connected.await {
                reading.await.unwrap();
                panic!("the proxy ended ({status}): {}", log.lock());
            }
        }
        Self { process, log }
    }

    /// What it has logged so far.
    pub(crate) fn log(&self) -> String {
        self.log.lock().clone()
    }
}

/// The program that this variable names, as `cargo xtask test` sets it, or else of this name on the path; `None` if it is not on this machine, which is said loudly.
pub(crate) fn program(variable: &str, name: &str) -> Option<PathBuf> {
    let folders = env::var_os("PATH").unwrap_or_default();
    let folders = env::split_paths(&folders).chain([PathBuf::from("/usr/sbin")]).collect::<Vec<_>>();
    let found = env::var_os(variable).map(PathBuf::from);
    let found = found.or_else(|| folders.into_iter().map(|folder| folder.join(name)).find(|program| program.is_file()));
    if found.is_none() {
        let missing = format!("there is no {name}; cargo xtask test --install installs it");
        assert!(env::var_os("CI").is_none(), "{missing}");
        eprintln!("SKIPPED with {name}: {missing}");
    }
    found
}

/// A port that nobody listens on. It is below those that the system gives out, so that nobody is given it meanwhile.
pub(crate) fn free_port() -> u16 {
    const FIRST: u16 = 16_384;
    const COUNT: u16 = 16_000;
    static NEXT: AtomicU16 = AtomicU16::new(0);
    let offset = u16::try_from(std::process::id().wrapping_mul(97) % u32::from(COUNT)).unwrap();
    loop {
        let number = NEXT.fetch_add(1, Ordering::Relaxed).wrapping_add(offset);
        let port = FIRST + number % COUNT;
        if std::net::TcpListener::bind((PROXY, port)).is_ok() {
            return port;
        }
    }
}

/// The setting with which nodes listen on Unix sockets, and not on their ports.
pub(super) const OVER_SOCKETS: (&str, &str) = ("proxy.transport", "unix");

/// The Unix sockets of a node: public and mtls.
fn bank_sockets(bank: &Bank) -> [String; 2] {
    ["public.sock", "mtls.sock"].map(|name| bank.data_dir().join(name).display().to_string())
}

/// The nodes of one bank behind a proxy, and the ports of everybody.
pub(super) struct Nodes {
    pub(super) banks: Vec<Bank>,
    /// Of the nodes' listeners: public and mtls.
    ports: [u16; 2],
    /// Of the nodes' health listeners.
    health: u16,
    /// Of the proxy.
    public: u16,
    mtls: u16,
}

impl Nodes {
    /// Two nodes where the database serves several, otherwise one; with these settings.
    pub(super) async fn start(engine: Engine, settings: &[(&str, &str)]) -> Self {
        let mut banks = vec![Bank::unstarted(engine).await];
        if engine == Engine::Postgres {
            let twin = banks[0].twin();
            banks.push(twin);
        }
        Self::start_on(banks, settings).await
    }

    /// These nodes of one bank.
    async fn start_on(mut banks: Vec<Bank>, settings: &[(&str, &str)]) -> Self {
        let [public, mtls] = [free_port(), free_port()];
        let urls = [public, mtls].map(|port| format!("https://localhost:{port}"));
        let ports = [free_port(), free_port()];
        let health = free_port();
        let texts = [ports[0], ports[1], health].map(|port| port.to_string());
        for (bank, address) in banks.iter_mut().zip(NODES) {
            let mut all = vec![
                ("server.public_url", urls[0].as_str()),
                ("server.mtls_url", &urls[1]),
                ("server.bind", address),
                ("server.public_port", &texts[0]),
                ("server.mtls_port", &texts[1]),
                ("server.health_bind", address),
                ("server.health_port", &texts[2]),
                ("proxy.addresses", PROXY),
            ];
            let sockets = bank_sockets(bank);
            if settings.contains(&OVER_SOCKETS) {
                all.extend([("proxy.public_socket", sockets[0].as_str()), ("proxy.mtls_socket", &sockets[1])]);
            }
            all.extend(settings);
            bank.restart_with(&all).await;
        }
        Self { banks, ports, health, public, mtls }
    }

    /// The address of a listener of a node: the first of the two, or the second.
    fn address(&self, node: usize, listener: usize) -> SocketAddr {
        format!("{}:{}", NODES[node], self.ports[listener]).parse().unwrap()
    }

    /// The lines that name the nodes' listeners, one per node: the first of the two, or the second.
    fn servers(&self, listener: usize, line: impl Fn(usize, SocketAddr) -> String) -> String {
        (0..self.banks.len()).map(|node| line(node, self.address(node, listener))).collect()
    }

    fn folder(&self) -> &Path {
        self.banks[0].data_dir()
    }
}
