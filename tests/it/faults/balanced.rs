//! Two nodes behind HAProxy: their addresses and ports, and the balancer with the configuration of the page about proxies.

use crate::harness::until;
use crate::tls::{ProxyProcess, free_port, printed};
use lombard_tpp::{HttpCall, Protocol, Transport};
use std::path::Path;
use tokio::process::Command;

/// The addresses of the nodes, as if each were a machine of its own.
pub(crate) const NODES: [&str; 2] = ["127.0.0.2", "127.0.0.3"];
/// The address of HAProxy.
pub(crate) const BALANCER: &str = "127.0.0.1";

/// Where everybody listens. Both nodes have the same ports.
pub(crate) struct Ports {
    pub(crate) public: u16,
    pub(crate) mtls: u16,
    pub(crate) node_public: u16,
    pub(crate) node_mtls: u16,
    pub(crate) health: u16,
}

impl Ports {
    /// Ports that nobody uses.
    pub(crate) fn free() -> Self {
        let [public, mtls, node_public, node_mtls, health] = [(); 5].map(|()| free_port());
        Self { public, mtls, node_public, node_mtls, health }
    }

    /// The settings of a node that listens there.
    pub(crate) fn of_node(&self, node: usize) -> Vec<(String, String)> {
        let own = [
            ("server.bind", NODES[node].to_owned()),
            ("server.health_bind", NODES[node].to_owned()),
            ("server.health_port", self.health.to_string()),
            ("server.public_port", self.node_public.to_string()),
            ("server.mtls_port", self.node_mtls.to_string()),
            ("server.ops_port", "0".to_owned()),
        ];
        own.iter().map(|(name, value)| variable(name, value)).collect()
    }

    /// Waits until a node says that it is ready.
    pub(crate) async fn until_ready(&self, node: usize) {
        let transport = Transport::new(&[], None, Protocol::Http1, None).unwrap();
        let url = format!("http://{}:{}/readyz", NODES[node], self.health);
        until(async || transport.send(HttpCall::get(&url)).await.ok().filter(|answer| answer.status == 200)).await;
    }

    /// HAProxy with the printed configuration, which is written to this folder.
    pub(crate) async fn start_balancer(&self, folder: &Path, haproxy: &Path) -> ProxyProcess {
        let mut text = printed("HAProxy").to_owned();
        for (printed, actual) in [
            ("10.0.0.5:443", format!("{BALANCER}:{}", self.public)),
            ("10.0.0.6:443", format!("{BALANCER}:{}", self.mtls)),
            ("10.0.1.1:8443", format!("{}:{}", NODES[0], self.node_public)),
            ("10.0.1.2:8443", format!("{}:{}", NODES[1], self.node_public)),
            ("10.0.1.1:8444", format!("{}:{}", NODES[0], self.node_mtls)),
            ("10.0.1.2:8444", format!("{}:{}", NODES[1], self.node_mtls)),
            ("port 9091", format!("port {}", self.health)),
        ] {
            assert!(text.contains(printed), "{printed}");
            text = text.replace(printed, &actual);
        }
        let file = folder.join("haproxy.cfg");
        std::fs::write(&file, text).unwrap();
        let mut command = Command::new(haproxy);
        command.arg("-db").arg("-f").arg(file);
        ProxyProcess::start(command, &[self.public, self.mtls]).await
    }
}

/// A setting as a variable of the environment.
pub(crate) fn variable(name: &str, value: &str) -> (String, String) {
    (format!("LOMBARD__{}", name.replace('.', "__").to_uppercase()), value.to_owned())
}
