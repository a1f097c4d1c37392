//! TPP folders and their clients.

use super::*;
use lombard_domain::client::{ClientAuthentication, ClientStatus};
use lombard_jose::{CompactJws, KeySet, VerifyError};
use serde_json::{Value, json};

#[test]
fn the_folder_holds_what_a_tpp_needs_and_nothing_half_written() {
    let (sandbox, now) = (Sandbox::new(), today());
    let trust = sandbox.open(now);
    assert!(!trust.has_tpp("robot").unwrap());
    let client = trust.issue_tpp(&TppRequest { headless: Some(PsuId::from("amelia")), ..order("robot") }, now).unwrap();
    assert!(trust.has_tpp("robot").unwrap());
    let mut files: Vec<_> = fs::read_dir(sandbox.path("tpps/robot"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    files.sort();
    assert_eq!(
        files,
        ["signing.key", "signing.pem", "software_statement.jwt", "tpp.json", "transport.key", "transport.pem"]
    );

    let card: Value = serde_json::from_str(&sandbox.text("tpps/robot/tpp.json")).unwrap();
    let signing = SigningKey::from_pkcs8_pem(&sandbox.text("tpps/robot/signing.key")).unwrap();
    assert_eq!(
        card,
        json!({
            "client_id": "client-1",
            "org_id": "0015800001041RHAAY",
            "software_id": "4hAcm3S0ftware1d",
            "roles": ["AISP", "PISP"],
            "redirect_uris": ["https://localhost:8445/callback"],
            "token_endpoint_auth_method": "private_key_jwt",
            "signing_kid": signing.id(),
            "headless": "amelia",
        })
    );
    assert_eq!(
        &*parsed(&sandbox.certificate("tpps/robot/signing.pem")).public_key().subject_public_key.data,
        signing.public_der()
    );

    assert_eq!(client.id, ClientId::from("client-1"));
    assert_eq!(client.status, ClientStatus::Active);
    assert_eq!(client.authentication, ClientAuthentication::PrivateKeyJwt);
    assert_eq!((client.org_name.as_str(), client.software_name.as_str()), ("Robot Limited", "Robot"));
    assert_eq!(client.headless, Some(PsuId::from("amelia")));
    assert_eq!(client.software_statement, sandbox.text("tpps/robot/software_statement.jwt"));
    let keys = KeySet::parse(client.jwks.local().unwrap()).unwrap();
    let found: Vec<_> = keys.candidates(Some(signing.id().as_str())).collect();
    assert!(matches!(found[..], [key] if key.verify_ps256(b"m", &signing.sign_ps256(b"m").unwrap())));
}

#[test]
fn dcr_022_the_software_statement_is_the_directorys_word() {
    let (sandbox, now) = (Sandbox::new(), today());
    let trust = sandbox.open(now);
    let client = trust.issue_tpp(&order("acme-pay"), now).unwrap();
    let statement = CompactJws::parse(&client.software_statement).unwrap();
    assert_eq!(statement.header().typ.as_deref(), Some("JWT"));
    assert_eq!(statement.verify(&KeySet::from_iter([trust.directory_key().clone()])), Ok(()));
    assert_eq!(statement.verify(&KeySet::parse(client.jwks.local().unwrap()).unwrap()), Err(VerifyError::KeyUnknown));
    let mut claims: Value = statement.claims().unwrap();
    let jti = claims["jti"].take();
    assert_eq!(jti.as_str().unwrap().len(), 22);
    assert_eq!(
        claims,
        json!({
            "iss": "Lombard sandbox directory",
            "iat": now.as_second(),
            "jti": null,
            "software_id": "4hAcm3S0ftware1d",
            "software_client_id": "client-1",
            "software_client_name": "Acme Pay",
            "software_roles": ["AISP", "PISP"],
            "software_redirect_uris": ["https://localhost:8445/callback"],
            "software_mode": "Test",
            "software_environment": "sandbox",
            "org_id": "0015800001041RHAAY",
            "org_name": "Acme Pay Limited",
            "org_status": "Active",
            "organisation_competent_authority_claims": {
                "authority_id": "OBGBR",
                "registration_id": "Unknown0015800001041RHAAY",
                "status": "Active",
                "authorisations": [{"member_state": "GB", "roles": ["AISP", "PISP"]}],
            },
        })
    );
}

#[test]
fn dcr_050_tls_client_auth_registers_the_subject_of_the_transport_certificate() {
    let (sandbox, now) = (Sandbox::new(), today());
    let client =
        sandbox.open(now).issue_tpp(&TppRequest { auth: TppAuth::TlsClientAuth, ..order("rival") }, now).unwrap();
    let ClientAuthentication::TlsClientAuth { subject_dn } = client.authentication else { panic!("{client:?}") };
    let der = sandbox.certificate("tpps/rival/transport.pem");
    let subject = parsed(&der).subject().to_string().replace("OID(2.5.4.97)", "organizationIdentifier");
    // The same names, most specific first (RFC 4514 section 2.1).
    let mut reversed: Vec<_> = subject.split(", ").collect();
    reversed.reverse();
    assert_eq!(subject_dn, reversed.join(","));
    let card: Value = serde_json::from_str(&sandbox.text("tpps/rival/tpp.json")).unwrap();
    assert_eq!(card["token_endpoint_auth_method"], "tls_client_auth");
}

#[test]
fn an_order_for_a_tpp_that_exists_keeps_its_ids_and_keys() {
    let (sandbox, now) = (Sandbox::new(), today());
    let first = sandbox.open(now).issue_tpp(&order("acme"), now).unwrap();
    let keys = ["tpps/acme/transport.key", "tpps/acme/signing.key"].map(|name| sandbox.text(name));
    let changed = TppRequest {
        client_id: ClientId::from("another"),
        roles: vec![TppRole::Cbpii],
        redirect_uris: vec!["https://localhost:9/other".to_owned()],
        ..order("acme")
    };
    let second = sandbox.open(now).issue_tpp(&changed, now).unwrap();
    assert_eq!((&second.id, &second.org_id, &second.software_id), (&first.id, &first.org_id, &first.software_id));
    assert_eq!(second.jwks, first.jwks);
    assert_eq!((second.roles, second.redirect_uris), (changed.roles, changed.redirect_uris));
    assert_eq!(["tpps/acme/transport.key", "tpps/acme/signing.key"].map(|name| sandbox.text(name)), keys);
}

#[test]
fn several_at_once_come_back_in_their_order() {
    let (sandbox, now) = (Sandbox::new(), today());
    let orders = ["acme", "rival", "robot"].map(|name| TppRequest { client_id: ClientId::from(name), ..order(name) });
    let clients = sandbox.open(now).issue_tpps(&orders, now).unwrap();
    let ids: Vec<_> = clients.iter().map(|client| client.id.as_str()).collect();
    assert_eq!(ids, ["acme", "rival", "robot"]);
}

#[test]
fn orders_that_are_not_acceptable_write_nothing() {
    let (sandbox, now) = (Sandbox::new(), today());
    let trust = sandbox.open(now);
    let long = "a".repeat(41);
    let named = ["", "..", "../acme", "a/b", "Acme", "a.b", "a b", "--", "é", long.as_str()].map(order);
    let others = [
        TppRequest { org_id: OrgId::from("0015800001041RHAA"), ..order("acme") },
        TppRequest { org_id: OrgId::from("0015800001041RHAA,"), ..order("acme") },
        TppRequest { software_id: SoftwareId::from(""), ..order("acme") },
        TppRequest { software_id: SoftwareId::from("01234567890123456789012"), ..order("acme") },
        TppRequest { software_id: SoftwareId::from("a-b"), ..order("acme") },
        TppRequest { roles: vec![], ..order("acme") },
        TppRequest { redirect_uris: vec![], ..order("acme") },
    ];
    let addresses = [
        "http://localhost/",
        "https://",
        "https:///cb",
        "https://tpp.test/cb#there",
        "https://tpp.test/two words",
        "https://tpp.test/cb\n",
        "https://tpp.test\\@evil.test/",
        "https://user@tpp.test/cb",
        "https://tpp.test/é",
        "HTTPS://tpp.test/cb",
    ];
    let addressed = addresses.map(|uri| TppRequest { redirect_uris: vec![uri.to_owned()], ..order("acme") });
    for order in named.iter().chain(&others).chain(&addressed) {
        assert!(matches!(trust.issue_tpp(order, now), Err(TrustError::Order(_))), "{order:?}");
    }
    assert_eq!(fs::read_dir(sandbox.path("tpps")).unwrap().count(), 0);
    assert!(trust.has_tpp("../acme").is_err());
}
