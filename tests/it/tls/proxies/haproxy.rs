//! HAProxy passes TLS on and speaks version 2 of the PROXY protocol.

use super::super::raw::{begin_tls, read_line};
use super::{Nodes, ProxyProcess, program};
use crate::harness::Engine;
use crate::tour::pass_every_check;
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpSocket, TcpStream};
use tokio::process::Command;

async fn start(nodes: &Nodes) -> Option<ProxyProcess> {
    let haproxy = program("LOMBARD_TEST_HAPROXY", "haproxy")?;
    let servers =
        |listener| nodes.servers(listener, |n, port| format!("    server node{n} 127.0.0.1:{port} send-proxy-v2\n"));
    let public = nodes.public;
    let mtls = nodes.mtls;
    let config = format!(
        "global\n    maxconn 500\n\
         defaults\n    mode tcp\n    timeout connect 5s\n    timeout client 120s\n    timeout server 120s\n\
         frontend public\n    bind 127.0.0.1:{public}\n    default_backend public\n\
         backend public\n{}\
         frontend mtls\n    bind 127.0.0.1:{mtls}\n    default_backend mtls\n\
         backend mtls\n{}",
        servers(0),
        servers(1),
    );
    let file = nodes.folder().join("haproxy.cfg");
    std::fs::write(&file, config).unwrap();
    let mut command = Command::new(haproxy);
    command.arg("-db").arg("-f").arg(file);
    Some(ProxyProcess::start(command, &[public, mtls]).await)
}

#[tokio::test(flavor = "multi_thread")]
async fn tls_014_the_tour_passes_through_haproxy_to_the_nodes() {
    for engine in Engine::at_hand() {
        let nodes = Nodes::start(engine, &[("proxy.pass_tls", "public,mtls")]).await;
        let Some(_haproxy) = start(&nodes).await else { return };
        pass_every_check(&nodes.banks[0]).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn tls_011_a_node_behind_haproxy_serves_nobody_who_comes_by_himself() {
    let nodes = Nodes::start(Engine::Sqlite, &[("proxy.pass_tls", "public,mtls")]).await;
    let bank = &nodes.banks[0];
    for port in nodes.ports[0] {
        let direct = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
        assert!(begin_tls(bank, direct, None).await.is_err(), "from the proxy's address, and without its header");
        let socket = TcpSocket::new_v4().unwrap();
        socket.bind("127.0.0.2:0".parse().unwrap()).unwrap();
        let mut stranger = socket.connect(format!("127.0.0.1:{port}").parse().unwrap()).await.unwrap();
        stranger.write_all(b"PROXY TCP4 192.0.2.7 127.0.0.1 4711 443\r\n").await.unwrap();
        assert!(begin_tls(bank, stranger, None).await.is_err(), "with a header, and not from the proxy");
    }
    // What the proxy's own header says goes by: the client's address, which failed logins are counted for.
    let mut proxied = TcpStream::connect(("127.0.0.1", nodes.ports[0][0])).await.unwrap();
    proxied.write_all(b"PROXY TCP4 192.0.2.7 127.0.0.1 4711 443\r\n").await.unwrap();
    let mut stream = begin_tls(bank, proxied, None).await.unwrap();
    stream.write_all(b"GET /.well-known/openid-configuration HTTP/1.1\r\nhost: localhost\r\n\r\n").await.unwrap();
    assert_eq!(read_line(&mut stream).await.unwrap(), "HTTP/1.1 200 OK\r\n");
}
