//! HAProxy passes TLS on and speaks version 2 of the PROXY protocol.

use super::super::raw::{begin_tls, read_line};
use super::{NODES, Nodes, PROXY, ProxyProcess, printed, program};
use crate::harness::{Bank, EVERYTHING, Engine, PausableConnection, access, until};
use crate::tour::pass_every_check;
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpSocket, TcpStream};
use tokio::process::Command;

/// Each read waits for a second or two, and HAProxy takes a node out after two checks of one second.
const READS_WHILE_SILENT: usize = 5;

/// The printed example with the addresses and ports of these nodes and of their proxy.
fn example(nodes: &Nodes) -> String {
    let lines = printed("HAProxy").lines().filter(|line| nodes.banks.len() > 1 || !line.contains("server two"));
    let mut text = lines.map(|line| format!("{line}\n")).collect::<String>();
    for (printed, actual) in [
        ("bind 10.0.0.5:443", format!("bind {PROXY}:{}", nodes.public)),
        ("bind 10.0.0.6:443", format!("bind {PROXY}:{}", nodes.mtls)),
        ("10.0.1.1:", format!("{}:", NODES[0])),
        ("10.0.1.2:", format!("{}:", NODES[1])),
        (":8443", format!(":{}", nodes.ports[0])),
        (":8444", format!(":{}", nodes.ports[1])),
        ("port 9091", format!("port {}", nodes.health)),
    ] {
        assert!(text.contains(printed) || printed.contains("1.2:"), "{printed}");
        text = text.replace(printed, &actual);
    }
    text
}

async fn start(nodes: &Nodes) -> Option<ProxyProcess> {
    let haproxy = program("LOMBARD_TEST_HAPROXY", "haproxy")?;
    let file = nodes.folder().join("haproxy.cfg");
    std::fs::write(&file, example(nodes)).unwrap();
    let mut command = Command::new(haproxy);
    command.arg("-db").arg("-f").arg(file);
    Some(ProxyProcess::start(command, &[nodes.public, nodes.mtls]).await)
}

#[tokio::test(flavor = "multi_thread")]
async fn tls_014_the_tour_passes_through_haproxy_to_the_nodes() {
    for engine in Engine::at_hand() {
        let nodes = Nodes::start(engine, &[("proxy.pass_tls", "public,mtls")]).await;
        let Some(haproxy) = start(&nodes).await else { return };
        pass_every_check(&nodes.banks[0]).await;
        assert!(!haproxy.log().contains("DOWN"), "HAProxy's checks pass: {}", haproxy.log());
    }
}

/// A balancer that took all nodes out would close the connections instead.
#[tokio::test(flavor = "multi_thread")]
async fn rw_112_a_silent_database_is_answered_503_behind_a_balancer() {
    if !Engine::at_hand().contains(&Engine::Postgres) {
        return;
    }
    let bank = Bank::unstarted(Engine::Postgres).await;
    let (line, url) = PausableConnection::to_database_of(&bank).await;
    let settings = [
        ("proxy.pass_tls", "public,mtls"),
        ("database.url", url.as_str()),
        ("database.wait_secs", "1"),
        ("database.statement_secs", "1"),
        ("database.lock_secs", "1"),
    ];
    let nodes = Nodes::start_on(vec![bank.twin(), bank], &settings).await;
    let Some(haproxy) = start(&nodes).await else { return };
    let access = access(&nodes.banks[0].tpp("robot"), &EVERYTHING).await;
    let read = async || access.tpp.get(access.token(), "aisp/accounts").await.unwrap();
    assert_eq!(read().await.status, 200);

    line.fall_silent();
    // HAProxy has asked often enough to take out every node that says that it is not ready.
    for _ in 0..READS_WHILE_SILENT {
        let answer = read().await;
        assert_eq!(answer.status, 503, "{}", answer.text());
        assert!(answer.header("retry-after").is_some(), "{:?}", answer.headers);
    }
    assert_eq!(nodes.banks[0].ops_get("/health/database").await.status, 503);
    assert!(!haproxy.log().contains("DOWN"), "the nodes themselves are ready: {}", haproxy.log());
    line.go_on();
    until(async || (read().await.status == 200).then_some(())).await;
    until(async || (nodes.banks[0].ops_get("/health/database").await.status == 200).then_some(())).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn tls_011_a_node_behind_haproxy_serves_nobody_who_comes_by_himself() {
    let nodes = Nodes::start(Engine::Sqlite, &[("proxy.pass_tls", "public,mtls")]).await;
    let bank = &nodes.banks[0];
    for node in [nodes.address(0, 0), nodes.address(0, 1)] {
        let direct = TcpStream::connect(node).await.unwrap();
        assert!(begin_tls(bank, direct, None).await.is_err(), "from the proxy's address, and without its header");
        let socket = TcpSocket::new_v4().unwrap();
        socket.bind("127.0.0.9:0".parse().unwrap()).unwrap();
        let mut stranger = socket.connect(node).await.unwrap();
        stranger.write_all(b"PROXY TCP4 192.0.2.7 127.0.0.1 4711 443\r\n").await.unwrap();
        assert!(begin_tls(bank, stranger, None).await.is_err(), "with a header, and not from the proxy");
    }
    // What the proxy's own header says goes by: the client's address, which failed logins are counted for.
    let mut proxied = TcpStream::connect(nodes.address(0, 0)).await.unwrap();
    proxied.write_all(b"PROXY TCP4 192.0.2.7 127.0.0.1 4711 443\r\n").await.unwrap();
    let mut stream = begin_tls(bank, proxied, None).await.unwrap();
    stream.write_all(b"GET /.well-known/openid-configuration HTTP/1.1\r\nhost: localhost\r\n\r\n").await.unwrap();
    assert_eq!(read_line(&mut stream).await.unwrap(), "HTTP/1.1 200 OK\r\n");
}
