//! Tests of TLS handshakes by rustls with these certificates, on the real clock.

use super::*;
use rustls::client::danger::ServerCertVerifier;
use rustls::client::{ClientConnection, WebPkiServerVerifier};
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use rustls::server::{ServerConnection, WebPkiClientVerifier};
use rustls::{CertificateError, ClientConfig, Error, RootCertStore, ServerConfig};
use rustls_pki_types::pem::PemObject;
use rustls_pki_types::{PrivatePkcs8KeyDer, UnixTime};
use std::sync::Arc;

fn provider() -> Arc<rustls::crypto::CryptoProvider> {
    Arc::new(rustls::crypto::aws_lc_rs::default_provider())
}

fn anchors(der: &[u8]) -> Arc<RootCertStore> {
    let mut store = RootCertStore::empty();
    store.add(CertificateDer::from(der.to_vec())).unwrap();
    Arc::new(store)
}

/// A server with one of the identities, which requires client certificates of the TPPs' authority.
fn server(trust: &SandboxTrust, identity: &ServerIdentity) -> ServerConnection {
    let clients = WebPkiClientVerifier::builder_with_provider(anchors(&trust.tpp_anchors()[0]), provider());
    let chain = identity.chain_der.iter().map(|der| CertificateDer::from(der.clone())).collect();
    let key = PrivatePkcs8KeyDer::from(identity.key_pkcs8_der.to_vec()).into();
    let config = ServerConfig::builder_with_provider(provider())
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_client_cert_verifier(clients.build().unwrap())
        .with_single_cert(chain, key)
        .unwrap();
    ServerConnection::new(Arc::new(config)).unwrap()
}

/// A client that trusts the servers' authority and presents a certificate from a TPP's folder.
fn client(sandbox: &Sandbox, tpp: &str, pair: &str, host: &str) -> ClientConnection {
    let certificate = CertificateDer::from(sandbox.certificate(&format!("tpps/{tpp}/{pair}.pem")));
    let key = PrivateKeyDer::from_pem_file(sandbox.path(&format!("tpps/{tpp}/{pair}.key"))).unwrap();
    let config = ClientConfig::builder_with_provider(provider())
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(anchors(&sandbox.certificate("ca.pem")))
        .with_client_auth_cert(vec![certificate], key)
        .unwrap();
    ClientConnection::new(Arc::new(config), ServerName::try_from(host.to_owned()).unwrap()).unwrap()
}

/// Passes bytes between both sides until the handshake is complete or fails.
fn shake(client: &mut ClientConnection, server: &mut ServerConnection) -> Result<(), Error> {
    while client.is_handshaking() || server.is_handshaking() {
        let mut wire = Vec::new();
        while client.wants_write() {
            client.write_tls(&mut wire).unwrap();
        }
        let mut unread = &wire[..];
        while !unread.is_empty() {
            server.read_tls(&mut unread).unwrap();
            server.process_new_packets()?;
        }
        let mut wire = Vec::new();
        while server.wants_write() {
            server.write_tls(&mut wire).unwrap();
        }
        let mut unread = &wire[..];
        while !unread.is_empty() {
            client.read_tls(&mut unread).unwrap();
            client.process_new_packets()?;
        }
    }
    Ok(())
}

#[test]
fn a_tpp_and_both_server_certificates_believe_each_other() {
    let sandbox = Sandbox::new();
    let now = today();
    let trust = sandbox.open(now);
    trust.issue_tpp(&order("acme"), now).unwrap();
    for identity in trust.server_identities() {
        for host in ["localhost", "127.0.0.1", "::1"] {
            let mut client = client(&sandbox, "acme", "transport", host);
            let mut server = server(&trust, identity);
            shake(&mut client, &mut server).unwrap();
            let shown = server.peer_certificates().unwrap();
            assert_eq!(shown[0].as_ref(), sandbox.certificate("tpps/acme/transport.pem"));
        }
    }
}

#[test]
fn a_server_is_not_believed_under_another_name() {
    let sandbox = Sandbox::new();
    let now = today();
    let trust = sandbox.open(now);
    trust.issue_tpp(&order("acme"), now).unwrap();
    let mut client = client(&sandbox, "acme", "transport", "bank.example");
    let error = shake(&mut client, &mut server(&trust, &trust.server_identities()[1])).unwrap_err();
    assert!(matches!(error, Error::InvalidCertificate(CertificateError::NotValidForNameContext { .. })), "{error}");
}

#[test]
fn a_tpp_of_another_sandbox_is_not_believed() {
    let ours = Sandbox::new();
    let theirs = Sandbox::new();
    let now = today();
    let trust = ours.open(now);
    theirs.open(now).issue_tpp(&order("acme"), now).unwrap();
    // The client of the other sandbox trusts these servers, so that only its own certificate can be refused.
    fs::copy(ours.path("ca.pem"), theirs.path("ca.pem")).unwrap();
    let mut client = client(&theirs, "acme", "transport", "localhost");
    let error = shake(&mut client, &mut server(&trust, &trust.server_identities()[0])).unwrap_err();
    assert!(matches!(error, Error::InvalidCertificate(_)), "{error}");
}

/// The result of verifying a server certificate by a client that trusts the servers' authority.
fn verdict(anchor: &[u8], leaf: Vec<u8>, host: &str) -> Result<(), Error> {
    let verifier = WebPkiServerVerifier::builder_with_provider(anchors(anchor), provider()).build().unwrap();
    let name = ServerName::try_from(host.to_owned()).unwrap();
    let now = UnixTime::since_unix_epoch(std::time::Duration::from_secs(u64::try_from(today().as_second()).unwrap()));
    verifier.verify_server_cert(&CertificateDer::from(leaf), &[], &name, &[], now).map(|_| ())
}

#[test]
fn whoever_steals_the_servers_authority_gains_nothing_beyond_its_names() {
    let sandbox = Sandbox::new();
    let now = today();
    let trust = sandbox.open(now);
    let key = rcgen::KeyPair::generate().unwrap();
    let forged = |hosts: &[&str]| {
        let names = ServerNames::with_hosts(hosts.iter().copied()).unwrap();
        let profile = certificate::CertificateProfile::Server(&names);
        trust.servers.issue(&profile, &key, now).unwrap().der().to_vec()
    };
    assert_eq!(verdict(trust.server_anchor(), forged(&[]), "localhost"), Ok(()));
    for host in ["bank.example", "192.0.2.7", "2001:db8::1"] {
        let verdict = verdict(trust.server_anchor(), forged(&[host]), host);
        assert!(matches!(verdict, Err(Error::InvalidCertificate(_))), "{host}: {verdict:?}");
    }
}

#[test]
fn a_tpp_certificate_is_no_server_certificate() {
    let sandbox = Sandbox::new();
    let now = today();
    let trust = sandbox.open(now);
    trust.issue_tpp(&order("acme"), now).unwrap();
    let transport = sandbox.certificate("tpps/acme/transport.pem");
    assert!(verdict(&trust.tpp_anchors()[0], transport, "localhost").is_err());
}
