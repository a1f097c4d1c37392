//! nginx ends TLS and hands the client's certificate on, in the header of RFC 9440 and as PEM.

use super::super::raw::read_answer;
use super::{Nodes, OVER_SOCKETS, PROXY, ProxyProcess, bank_sockets, printed, program};
use crate::harness::{EVERYTHING, Engine, access};
use crate::tour::pass_every_check;
use lombard_tpp::{HttpCall, Protocol};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpSocket;
use tokio::process::Command;

/// Most lines of Base64 of a certificate.
const LINES_MAX: usize = 60;

/// How nginx hands the certificate on.
#[derive(Debug, Clone, Copy)]
pub(in super::super) enum HandedOn {
    Rfc9440,
    /// The same, over Unix sockets.
    OverSockets,
    Pem,
}

impl HandedOn {
    pub(in super::super) fn settings(self) -> Vec<(&'static str, &'static str)> {
        let header = match self {
            Self::Rfc9440 | Self::OverSockets => "client-cert",
            Self::Pem => "x-ssl-client-cert",
        };
        let mut settings = vec![
            ("proxy.end_tls", "public,mtls"),
            ("proxy.certificate_header", header),
            ("proxy.address_header", "x-forwarded-for"),
        ];
        settings.extend(matches!(self, Self::OverSockets).then_some(OVER_SOCKETS));
        settings
    }
}

/// How the certificate is handed on as RFC 9440 has it.
const RFC_9440: &str = "proxy_set_header Client-Cert $client_cert; proxy_set_header Client-Cert-Chain \"\";";

/// The map that makes one structured byte sequence of the lines of a certificate's PEM.
fn certificate_map() -> String {
    let lines: Vec<_> = (1..=LINES_MAX).map(|n| format!("(?:(?<l{n:02}>[^-\\n]+)\\n)?")).collect();
    let values: String = (1..=LINES_MAX).map(|n| format!("$l{n:02}")).collect();
    format!(
        "map $ssl_client_raw_cert $client_cert {{\n    default \"\";\n    \
         \"~^-----BEGIN CERTIFICATE-----\\n{}-----END CERTIFICATE-----\\n?$\" \":{values}:\";\n}}\n",
        lines.concat()
    )
}

/// The printed example with the addresses, ports and files of the first of these nodes and of its proxy.
fn example(nodes: &Nodes) -> String {
    let data = nodes.folder().display();
    let certificate = format!("{data}/private/server-rsa");
    let replacements = [
        ("listen 8443", format!("listen {PROXY}:{}", nodes.public)),
        ("listen 8444", format!("listen {PROXY}:{}", nodes.mtls)),
        ("127.0.0.1:9443", nodes.address(0, 0).to_string()),
        ("127.0.0.1:9444", nodes.address(0, 1).to_string()),
        ("certificate public.pem", format!("certificate {certificate}.pem")),
        ("certificate_key public.key", format!("certificate_key {certificate}.key")),
        ("certificate api.pem", format!("certificate {certificate}.pem")),
        ("certificate_key api.key", format!("certificate_key {certificate}.key")),
        ("tpp-anchors.pem", format!("{data}/tpp-ca.pem")),
    ];
    replacements.into_iter().fold(printed("nginx").to_owned(), |text, (printed, actual)| {
        assert!(text.contains(printed), "{printed}");
        text.replace(printed, &actual)
    })
}

pub(in super::super) async fn start(nodes: &Nodes, handed_on: HandedOn) -> Option<ProxyProcess> {
    let nginx = program("LOMBARD_TEST_NGINX", "nginx")?;
    let folder = nodes.folder().join("nginx");
    std::fs::create_dir(&folder).unwrap();
    let servers = match handed_on {
        HandedOn::Rfc9440 | HandedOn::OverSockets => constructed(nodes, handed_on),
        HandedOn::Pem => example(nodes),
    };
    let temporary: String =
        ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(|name| format!("{name}_temp_path {name};\n")).concat();
    // One process without workers, so that nothing is left when it is killed.
    let config = format!(
        "daemon off; master_process off; pid nginx.pid; error_log stderr warn;\n{}\
         events {{ worker_connections 256; }}\n\
         http {{ access_log off; {temporary}\n{servers} }}\n",
        // Its workers read and write what the test has made.
        if std::fs::metadata("/proc/self").is_ok_and(|me| std::os::unix::fs::MetadataExt::uid(&me) == 0) {
            "user root;\n"
        } else {
            ""
        },
    );
    std::fs::write(folder.join("nginx.conf"), config).unwrap();
    let mut command = Command::new(nginx);
    command.arg("-e").arg("stderr").arg("-p").arg(&folder).arg("-c").arg(folder.join("nginx.conf"));
    Some(ProxyProcess::start(command, &[nodes.public, nodes.mtls]).await)
}

/// Servers that hand the certificate on as RFC 9440 has it, over TCP or Unix sockets.
fn constructed(nodes: &Nodes, handed_on: HandedOn) -> String {
    let data = nodes.folder().display().to_string();
    let server = |port: u16, upstream: &str, more: &str| {
        format!(
            "server {{ listen 127.0.0.1:{port} ssl; {more}\n\
             location / {{ proxy_pass http://{upstream}; proxy_http_version 1.1; proxy_buffering off;\n\
             proxy_request_buffering off; proxy_read_timeout 120s; proxy_set_header Host $http_host;\n\
             proxy_set_header Connection \"\"; proxy_set_header X-Forwarded-For $remote_addr;\n{} }} }}\n",
            if upstream == "mtls" { RFC_9440 } else { "" },
        )
    };
    let upstream = |name: &str, listener| {
        let servers = nodes.servers(listener, |node, address| match handed_on {
            HandedOn::OverSockets => format!("server unix:{}; ", bank_sockets(&nodes.banks[node])[listener]),
            HandedOn::Rfc9440 | HandedOn::Pem => format!("server {address}; "),
        });
        format!("upstream {name} {{ {servers} keepalive 8; }}\n")
    };
    format!(
        "client_max_body_size 70m;\n\
         ssl_certificate {data}/private/server-rsa.pem; ssl_certificate_key {data}/private/server-rsa.key;\n\
         ssl_protocols TLSv1.2 TLSv1.3;\n{}{}{}{}{}",
        certificate_map(),
        upstream("public", 0),
        upstream("mtls", 1),
        server(nodes.public, "public", ""),
        server(
            nodes.mtls,
            "mtls",
            &format!("ssl_client_certificate {data}/tpp-ca.pem; ssl_verify_client optional; ssl_verify_depth 3;")
        ),
    )
}

#[tokio::test(flavor = "multi_thread")]
async fn tls_010_the_tour_passes_through_nginx_to_the_nodes() {
    for (engine, handed_on) in Engine::at_hand().into_iter().zip([HandedOn::Pem, HandedOn::Rfc9440]) {
        let nodes = Nodes::start(engine, &handed_on.settings()).await;
        let Some(_nginx) = start(&nodes, handed_on).await else { return };
        pass_every_check(&nodes.banks[0]).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn tls_011_the_tour_passes_through_nginx_over_unix_sockets() {
    let mut nodes = Nodes::start(Engine::Sqlite, &HandedOn::OverSockets.settings()).await;
    let Some(_nginx) = start(&nodes, HandedOn::OverSockets).await else { return };
    pass_every_check(&nodes.banks[0]).await;
    let sockets = bank_sockets(&nodes.banks[0]);
    for (listener, socket) in sockets.iter().enumerate() {
        assert!(std::fs::exists(socket).unwrap());
        let address = nodes.address(0, listener);
        assert!(std::net::TcpStream::connect(address).is_err(), "there is no other way in");
    }
    nodes.banks[0].stop().await;
    assert!(sockets.iter().all(|socket| !std::fs::exists(socket).unwrap()), "the files are removed");
}

#[tokio::test(flavor = "multi_thread")]
async fn tls_011_012_what_a_client_of_nginx_or_a_stranger_forges_is_refused() {
    for handed_on in [HandedOn::Rfc9440, HandedOn::Pem] {
        let nodes = Nodes::start(Engine::Sqlite, &handed_on.settings()).await;
        let Some(_nginx) = start(&nodes, handed_on).await else { return };
        let bank = &nodes.banks[0];
        let access = access(&bank.tpp("robot"), &EVERYTHING).await;
        let accounts = access.tpp.resource_url("aisp/accounts");
        let pem = std::fs::read_to_string(bank.data_dir().join("tpps/robot/transport.pem")).unwrap();
        let base64: String = pem.lines().skip(1).take_while(|line| !line.starts_with('-')).collect();
        let sequence = format!(":{base64}:");
        let escaped = pem.replace('\n', "%0A").replace(' ', "%20");
        let call = |headers: &[(&str, &str)]| {
            let call = HttpCall::get(accounts.as_str()).with_bearer(access.token());
            headers.iter().fold(call, |call, (name, value)| call.with_header(name, value))
        };
        let status = async |tpp: &lombard_tpp::Tpp, headers: &[(&str, &str)]| {
            tpp.send(call(headers)).await.unwrap().status.as_u16()
        };
        assert_eq!(status(&access.tpp, &[]).await, 200);
        // nginx replaces the header by what it has seen itself; one of another name reaches the node.
        let naked = access.tpp.with_certificate(None, Protocol::Http1).unwrap();
        let own = match handed_on {
            HandedOn::Rfc9440 | HandedOn::OverSockets => ("client-cert", sequence.as_str()),
            HandedOn::Pem => ("x-ssl-client-cert", escaped.as_str()),
        };
        assert_eq!((status(&naked, &[]).await, status(&naked, &[own]).await), (401, 401));
        for tpp in [&naked, &access.tpp] {
            assert_eq!(status(tpp, &[("x-forwarded-client-cert", "Cert=x")]).await, 400);
        }
        // From anywhere but the proxy.
        let node = nodes.address(0, 1);
        for (headers, expected) in [
            (vec![own], "HTTP/1.1 400"),
            (vec![("client-cert", sequence.as_str())], "HTTP/1.1 400"),
            (vec![("client_cert", sequence.as_str())], "HTTP/1.1 400"),
            (vec![], "HTTP/1.1 401"),
        ] {
            let socket = TcpSocket::new_v4().unwrap();
            socket.bind("127.0.0.2:0".parse().unwrap()).unwrap();
            let mut stream = socket.connect(node).await.unwrap();
            let lines: String = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
            let request = format!(
                "GET /open-banking/v3.1/aisp/accounts HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {}\r\n{lines}\r\n",
                access.token()
            );
            stream.write_all(request.as_bytes()).await.unwrap();
            let answer = read_answer(&mut stream).await.unwrap();
            assert!(answer.starts_with(expected), "{headers:?}: {answer}");
        }
    }
}

/// The test speaks as the proxy would.
#[tokio::test(flavor = "multi_thread")]
async fn tls_014_as_143_rates_go_by_the_address_that_the_proxy_names() {
    let mut settings = HandedOn::Rfc9440.settings();
    settings.extend([("rates.authorize_address_per_s", "1"), ("rates.burst_secs", "3")]);
    let nodes = Nodes::start(Engine::Sqlite, &settings).await;
    let public = nodes.address(0, 0);
    let ask = async |own: &str, forwarded: &str| {
        let socket = TcpSocket::new_v4().unwrap();
        socket.bind(format!("{own}:0").parse().unwrap()).unwrap();
        let mut stream = socket.connect(public).await.unwrap();
        let request =
            format!("GET /authorize?client_id=x HTTP/1.1\r\nhost: localhost\r\nx-forwarded-for: {forwarded}\r\n\r\n");
        stream.write_all(request.as_bytes()).await.unwrap();
        read_answer(&mut stream).await.unwrap().starts_with("HTTP/1.1 429")
    };
    // The clock of the test stands still: three are let through, however the client extends the header itself.
    for (claimed, is_refused) in
        [("198.51.100.1", false), ("198.51.100.2", false), ("198.51.100.3", false), ("x", true)]
    {
        assert_eq!(ask("127.0.0.1", &format!("{claimed}, 192.0.2.7")).await, is_refused, "{claimed}");
    }
    assert!(!ask("127.0.0.1", "192.0.2.8").await, "another client of the same proxy");
    for number in 0..4 {
        // Whoever is no proxy counts by himself, whatever he claims.
        assert_eq!(ask("127.0.0.2", &format!("192.0.2.1{number}")).await, number == 3, "{number}");
    }
}
