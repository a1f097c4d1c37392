//! Tests of the contents of each certificate.

use super::*;
use x509_parser::extensions::{GeneralName, ParsedExtension};

fn extension<'a>(certificate: &'a X509Certificate<'a>, oid: &str) -> Option<(&'a ParsedExtension<'a>, bool)> {
    let found = certificate.iter_extensions().find(|extension| extension.oid.to_id_string() == oid)?;
    Some((found.parsed_extension(), found.critical))
}

fn subject_key_id(certificate: &X509Certificate<'_>) -> Vec<u8> {
    match extension(certificate, "2.5.29.14") {
        Some((ParsedExtension::SubjectKeyIdentifier(id), false)) => id.0.to_vec(),
        other => panic!("{other:?}"),
    }
}

fn authority_key_id(certificate: &X509Certificate<'_>) -> Vec<u8> {
    match extension(certificate, "2.5.29.35") {
        Some((ParsedExtension::AuthorityKeyIdentifier(id), false)) => id.key_identifier.as_ref().unwrap().0.to_vec(),
        other => panic!("{other:?}"),
    }
}

/// Checks the requirements of RFC 5280 and of browsers for a leaf.
fn is_a_strict_leaf(certificate: &X509Certificate<'_>, issuer: &X509Certificate<'_>, now: Timestamp) {
    assert_eq!(certificate.version().0, 2);
    assert_eq!(certificate.issuer(), issuer.subject());
    assert_eq!(authority_key_id(certificate), subject_key_id(issuer));
    assert_ne!(subject_key_id(certificate), subject_key_id(issuer));
    assert!(!certificate.is_ca());
    let constraints = certificate.basic_constraints().unwrap().unwrap();
    assert!(constraints.critical && !constraints.value.ca);
    let usage = certificate.key_usage().unwrap().unwrap();
    assert!(usage.critical);
    assert_eq!(usage.value.flags, 1, "digitalSignature alone");
    let validity = certificate.validity();
    let length = validity.not_after.timestamp() - validity.not_before.timestamp();
    assert!(length < 398 * 86_400, "{length}");
    assert!(validity.not_before.timestamp() <= now.as_second());
    assert!(validity.not_after.timestamp() > now.as_second() + 390 * 86_400);
    assert!((9..=20).contains(&certificate.raw_serial().len()));
    assert!(certificate.raw_serial()[0] < 0x80);
}

#[test]
fn the_authorities_are_apart_and_constrained() {
    let sandbox = Sandbox::new();
    let trust = sandbox.open(today());
    let servers = sandbox.certificate("ca.pem");
    let tpps = sandbox.certificate("tpp-ca.pem");
    assert_eq!(trust.server_anchor(), servers);
    assert_eq!(trust.tpp_anchors(), std::slice::from_ref(&tpps));
    let servers = parsed(&servers);
    let tpps = parsed(&tpps);
    assert_ne!(servers.subject(), tpps.subject());
    assert_ne!(servers.public_key().raw, tpps.public_key().raw);
    for authority in [&servers, &tpps] {
        let constraints = authority.basic_constraints().unwrap().unwrap();
        assert!(constraints.critical && constraints.value.ca);
        assert_eq!(constraints.value.path_len_constraint, Some(0));
        let usage = authority.key_usage().unwrap().unwrap();
        assert!(usage.critical && usage.value.key_cert_sign() && usage.value.crl_sign());
        assert!(!usage.value.digital_signature());
        assert!(!subject_key_id(authority).is_empty());
    }
    let names = servers.name_constraints().unwrap().unwrap();
    assert!(names.critical);
    let permitted: Vec<_> = names.value.permitted_subtrees.as_ref().unwrap().iter().map(|it| it.base.clone()).collect();
    let ipv6 = [&[0; 15][..], &[1], &[0xff; 16]].concat();
    assert_eq!(
        permitted,
        [
            GeneralName::DNSName("localhost"),
            GeneralName::IPAddress(&[127, 0, 0, 1, 255, 255, 255, 255]),
            GeneralName::IPAddress(&ipv6),
        ]
    );
    assert!(tpps.name_constraints().unwrap().is_none());
}

#[test]
fn tls_002_the_servers_have_an_rsa_and_a_p256_certificate() {
    let sandbox = Sandbox::new();
    let now = today();
    let names = ServerNames::with_hosts(["bank.example", "192.0.2.7", "[2001:db8::1]", "localhost"]).unwrap();
    let trust = sandbox.open_as(now, &names);
    let algorithms: Vec<_> = trust
        .server_identities()
        .iter()
        .map(|identity| {
            assert_eq!(identity.chain_der.len(), 1);
            let certificate = parsed(&identity.chain_der[0]);
            is_a_strict_leaf(&certificate, &parsed(trust.server_anchor()), now);
            let usage = certificate.extended_key_usage().unwrap().unwrap().value;
            assert!(usage.server_auth && !usage.client_auth && !usage.any && usage.other.is_empty());
            let alternative = certificate.subject_alternative_name().unwrap().unwrap().value;
            assert_eq!(
                alternative.general_names,
                [
                    GeneralName::DNSName("localhost"),
                    GeneralName::DNSName("bank.example"),
                    GeneralName::IPAddress(&[127, 0, 0, 1]),
                    GeneralName::IPAddress(&[&[0; 15][..], &[1]].concat()),
                    GeneralName::IPAddress(&[192, 0, 2, 7]),
                    GeneralName::IPAddress(&[&[0x20, 0x01, 0x0d, 0xb8][..], &[0; 11], &[1]].concat()),
                ]
            );
            let key = certificate.public_key();
            (key.algorithm.algorithm.to_id_string(), key.parsed().unwrap().key_size())
        })
        .collect();
    assert_eq!(algorithms, [("1.2.840.113549.1.1.1".to_owned(), 2048), ("1.2.840.10045.2.1".to_owned(), 256)]);
}

#[test]
fn hosts_that_are_no_names_are_refused() {
    for host in ["", "bank example", "-bank", "bank..example", "[::1", "bänk.example", "a/b", "*.example"] {
        assert!(matches!(ServerNames::with_hosts([host]), Err(TrustError::InvalidRequest(_))), "{host}");
    }
}

#[test]
fn as_007_a_seal_certifies_the_key_and_is_for_signatures_alone() {
    let sandbox = Sandbox::new();
    let now = today();
    let trust = sandbox.open(now);
    let key = SigningKey::generate().unwrap();
    let chain = trust.issue_seal_certificate(&key, &OrgId::from("0015800000jfQ9aAAE"), now).unwrap();
    assert_eq!(chain[1..], trust.tpp_anchors());
    let leaf = parsed(&chain[0]);
    is_a_strict_leaf(&leaf, &parsed(&chain[1]), now);
    assert!(leaf.extended_key_usage().unwrap().is_none());
    assert_eq!(&*leaf.public_key().subject_public_key.data, key.public_der());
    assert_eq!(
        leaf.subject().to_string(),
        "C=GB, O=Lombard sandbox bank, OID(2.5.4.97)=PSDGB-OB-Unknown0015800000jfQ9aAAE, CN=0015800000jfQ9aAAE"
    );
    assert!(!is_near_expiry(&chain[0], now));
    assert!(is_near_expiry(&chain[0], now + days(370)));
    assert!(is_near_expiry(b"no certificate", now));
}

#[test]
fn dcr_052_053_tpp_certificates_name_the_organisation_and_its_roles() {
    let sandbox = Sandbox::new();
    let now = today();
    let trust = sandbox.open(now);
    trust.issue_tpp(&order("acme"), now).unwrap();
    let anchor = sandbox.certificate("tpp-ca.pem");
    for (file, for_tls) in [("tpps/acme/transport.pem", true), ("tpps/acme/signing.pem", false)] {
        let der = sandbox.certificate(file);
        let certificate = parsed(&der);
        is_a_strict_leaf(&certificate, &parsed(&anchor), now);
        assert_eq!(
            certificate.subject().to_string(),
            "C=GB, O=Acme Limited, OID(2.5.4.97)=PSDGB-OB-Unknown0015800001041RHAAY, CN=0015800001041RHAAY"
        );
        let usage = certificate.extended_key_usage().unwrap().map(|it| it.value);
        assert_eq!(usage.map(|it| (it.client_auth, it.server_auth)), for_tls.then_some((true, false)), "{file}");
        let statements = certificate.iter_extensions().find(|it| it.oid.to_id_string() == "1.3.6.1.5.5.7.1.3").unwrap();
        assert!(!statements.critical);
        assert_eq!(statements.value, psd2::statements(&[TppRole::Aisp, TppRole::Pisp], None).content());
    }
}

#[test]
fn tls_002_the_rsa_certificate_of_an_ephemeral_sandbox_is_made_later() {
    let sandbox = Sandbox::new();
    let names = ServerNames::default();
    let key = "private/server-rsa.key";
    let open =
        |keys| SandboxTrust::open_or_create_ephemeral(sandbox.dir.path(), today(), &names, DIRECTORY, keys).unwrap();
    let early = open(ServerKeys::WithoutRsa);
    let [p256] = early.server_identities() else { panic!("one identity") };
    assert!(!sandbox.path(key).exists());
    let complete = open(ServerKeys::All);
    let [rsa, same] = complete.server_identities() else { panic!("two identities") };
    assert_eq!(same.chain_der, p256.chain_der);
    assert_eq!(parsed(&rsa.chain_der[0]).issuer(), parsed(complete.server_anchor()).subject());
    assert_eq!(sandbox.mode(key), 0o600);
}
