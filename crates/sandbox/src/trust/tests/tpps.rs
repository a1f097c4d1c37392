//! Tests of TPP folders and their clients.

use super::*;
use lombard_domain::client::{ClientAuthentication, ClientStatus};
use lombard_jose::{CompactJws, KeySet, VerifyError};
use serde_json::{Value, json};

#[test]
fn the_folder_holds_what_a_tpp_needs_and_nothing_half_written() {
    let sandbox = Sandbox::new();
    let now = today();
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
    let sandbox = Sandbox::new();
    let now = today();
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
            "software_jwks_endpoint": "https://localhost:8443/directory/software/4hAcm3S0ftware1d.jwks",
            "software_jwks_revoked_endpoint": "https://localhost:8443/directory/software/4hAcm3S0ftware1d.revoked.jwks",
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
fn dcr_050_tls_client_auth_registers_the_transport_certificate_subject() {
    let sandbox = Sandbox::new();
    let now = today();
    let client =
        sandbox.open(now).issue_tpp(&TppRequest { auth: TppAuth::TlsClientAuth, ..order("rival") }, now).unwrap();
    let ClientAuthentication::TlsClientAuth { subject_dn } = client.authentication else { panic!("{client:?}") };
    let der = sandbox.certificate("tpps/rival/transport.pem");
    let subject = parsed(&der).subject().to_string().replace("OID(2.5.4.97)", "organizationIdentifier");
    // The RFC 4514 text has the same names, most specific first (RFC 4514 section 2.1).
    let mut reversed: Vec<_> = subject.split(", ").collect();
    reversed.reverse();
    assert_eq!(subject_dn, reversed.join(","));
    let card: Value = serde_json::from_str(&sandbox.text("tpps/rival/tpp.json")).unwrap();
    assert_eq!(card["token_endpoint_auth_method"], "tls_client_auth");
}

#[test]
fn a_transport_key_is_of_the_type_that_was_asked_for_and_stays() {
    let sandbox = Sandbox::new();
    let now = today();
    for (name, kind, algorithm) in
        [("curve", TransportKey::P256, "1.2.840.10045.2.1"), ("rsa", TransportKey::Rsa, "1.2.840.113549.1.1.1")]
    {
        let path = format!("tpps/{name}/transport.pem");
        sandbox.open(now).issue_tpp(&TppRequest { transport_key: kind, ..order(name) }, now).unwrap();
        let der = sandbox.certificate(&path);
        assert_eq!(parsed(&der).public_key().algorithm.algorithm.to_id_string(), algorithm);
        let key = sandbox.text(&format!("tpps/{name}/transport.key"));
        let issued = sandbox.text(&path);
        // Neither a renewal nor another request changes the key.
        sandbox.open(now).issue_tpp(&order(name), now).unwrap();
        assert_eq!((sandbox.text(&format!("tpps/{name}/transport.key")), sandbox.text(&path)), (key, issued));
    }
}

#[test]
fn an_order_for_a_tpp_that_exists_keeps_its_ids_and_keys() {
    let sandbox = Sandbox::new();
    let now = today();
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
    let sandbox = Sandbox::new();
    let now = today();
    let orders = ["acme", "rival", "robot"].map(|name| TppRequest { client_id: ClientId::from(name), ..order(name) });
    let clients = sandbox.open(now).issue_tpps(&orders, now).unwrap();
    let ids: Vec<_> = clients.iter().map(|client| client.id.as_str()).collect();
    assert_eq!(ids, ["acme", "rival", "robot"]);
}

#[test]
fn orders_that_are_not_acceptable_write_nothing() {
    let sandbox = Sandbox::new();
    let now = today();
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
        "http://tpp.test/",
        "http://localhost.tpp.test/",
        "http://127.0.0.1.tpp.test/",
        "http://localhost:x/",
        "http://localhost:80@tpp.test/",
        "http://127.0.0.1/#there",
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
        assert!(matches!(trust.issue_tpp(order, now), Err(TrustError::InvalidRequest(_))), "{order:?}");
    }
    assert_eq!(fs::read_dir(sandbox.path("tpps")).unwrap().count(), 0);
    assert!(trust.has_tpp("../acme").is_err());
}

#[test]
fn programs_on_the_same_machine_need_no_tls() {
    let sandbox = Sandbox::new();
    let now = today();
    let local = ["http://localhost", "http://localhost:3000/callback", "http://127.0.0.1:80/a?b=c"].map(str::to_owned);
    let client =
        sandbox.open(now).issue_tpp(&TppRequest { redirect_uris: local.to_vec(), ..order("acme") }, now).unwrap();
    assert_eq!(client.redirect_uris, local);
}

#[test]
fn an_unregistered_tpp_has_everything_but_a_client_id() {
    let sandbox = Sandbox::new();
    let now = today();
    let trust = sandbox.open(now);
    trust.issue_unregistered_tpp(&order("shop"), now).unwrap();
    let card: Value = serde_json::from_str(&sandbox.text("tpps/shop/tpp.json")).unwrap();
    assert_eq!(card["client_id"], Value::Null);
    assert_eq!(trust.client_of_tpp("shop").unwrap(), None);
    let statement = CompactJws::parse(&sandbox.text("tpps/shop/software_statement.jwt")).unwrap();
    assert_eq!(statement.verify(&KeySet::from_iter([trust.directory_key().clone()])), Ok(()));
    assert!(statement.claims::<Value>().unwrap().get("software_client_id").is_none());
    // The registration of the TPP is written to the folder, whose other files do not change.
    let registered = sandbox.text("tpps/shop/tpp.json").replace("\"client_id\": null", "\"client_id\": \"c-9\"");
    fs::write(sandbox.path("tpps/shop/tpp.json"), &registered).unwrap();
    assert_eq!(sandbox.open(now).client_of_tpp("shop").unwrap(), Some(ClientId::from("c-9")));
    assert_eq!(sandbox.text("tpps/shop/tpp.json"), registered);
}

#[test]
fn dcr_052_certificates_have_the_form_that_was_ordered() {
    let sandbox = Sandbox::new();
    let now = today();
    let trust = sandbox.open(now);
    for (name, certificates, subject) in [
        (
            "one",
            TppCertificates::Obwac,
            "C=GB, O=One Limited, OID(2.5.4.97)=PSDGB-OB-Unknown0015800001041RHAAY, CN=0015800001041RHAAY",
        ),
        ("two", TppCertificates::Legacy, "C=GB, O=OpenBanking, OU=0015800001041RHAAY, CN=4hAcm3S0ftware1d"),
    ] {
        trust.issue_unregistered_tpp(&TppRequest { certificates, ..order(name) }, now).unwrap();
        let der = sandbox.certificate(&format!("tpps/{name}/transport.pem"));
        assert_eq!(parsed(&der).subject().to_string(), subject);
    }
    trust.issue_unregistered_tpp(&TppRequest { certificates: TppCertificates::Qwac, ..order("three") }, now).unwrap();
    let statement = CompactJws::parse(&sandbox.text("tpps/three/software_statement.jwt")).unwrap();
    let claims: Value = statement.claims().unwrap();
    let authority = &claims["organisation_competent_authority_claims"];
    assert_eq!(authority["authority_id"], "FCAGBR");
    let number = authority["registration_id"].as_str().unwrap();
    let der = sandbox.certificate("tpps/three/transport.pem");
    let subject = parsed(&der).subject().to_string();
    assert!(subject.contains(&format!("OID(2.5.4.97)=PSDGB-FCA-{number}, CN=three-limited.example")), "{subject}");
    assert!(!subject.contains("0015800001041RHAAY"), "the authority knows no ids of the directory");
}

#[test]
fn the_directory_publishes_its_keys_and_those_of_its_software() {
    let sandbox = Sandbox::new();
    let now = today();
    let trust = sandbox.open(now);
    let client = trust.issue_tpp(&order("acme"), now).unwrap();
    assert_eq!(sandbox.mode("directory/signing.key"), 0o600);
    assert_eq!(sandbox.text("directory/issuer"), "Lombard sandbox directory");
    assert_eq!(sandbox.text("directory/kid"), trust.directory_key().id().unwrap().as_str());
    let key_set = |path: &str| trust.directory.key_set(&trust.folder, &format!("{DIRECTORY}/{path}")).unwrap();
    let kids = |document: Option<String>| -> Option<Vec<String>> {
        let keys = KeySet::parse(&document?).unwrap();
        Some(keys.iter().filter_map(|key| key.id()).map(ToString::to_string).collect())
    };
    assert_eq!(kids(key_set("keys.jwks")), Some(vec![sandbox.text("directory/kid")]));
    assert_eq!(key_set("software/4hAcm3S0ftware1d.jwks").as_deref(), client.jwks.local());
    assert_eq!(kids(key_set("software/4hAcm3S0ftware1d.revoked.jwks")), Some(vec![]));
    fs::copy(
        sandbox.path("directory/software/4hAcm3S0ftware1d.jwks"),
        sandbox.path("directory/software/4hAcm3S0ftware1d.revoked.jwks"),
    )
    .unwrap();
    assert_eq!(key_set("software/4hAcm3S0ftware1d.revoked.jwks").as_deref(), client.jwks.local());
    for absent in
        ["", "keys", "software/other.jwks", "software/other.revoked.jwks", "software/../kid.jwks", "software/.jwks"]
    {
        assert_eq!(key_set(absent), None, "{absent}");
    }
    let elsewhere = trust.directory.key_set(&trust.folder, "https://localhost:8443/directory.evil/keys.jwks").unwrap();
    assert_eq!(elsewhere, None);
}

#[test]
fn the_directory_of_an_earlier_release_keeps_its_key() {
    let sandbox = Sandbox::new();
    let now = today();
    let key = sandbox.open(now).directory_key().id().cloned();
    fs::rename(sandbox.path("directory/signing.key"), sandbox.path("private/directory.key")).unwrap();
    fs::remove_dir_all(sandbox.path("directory")).unwrap();
    assert_eq!(sandbox.open(now).directory_key().id().cloned(), key);
    assert!(!sandbox.path("private/directory.key").exists());
}

#[test]
fn a_statement_names_the_directory_where_it_is_now() {
    let sandbox = Sandbox::new();
    let now = today();
    let trust = sandbox.open(now);
    trust.issue_tpp(&order("acme"), now).unwrap();
    let before = sandbox.text("tpps/acme/software_statement.jwt");
    sandbox.open(now);
    assert_eq!(sandbox.text("tpps/acme/software_statement.jwt"), before);
    let moved = "https://localhost:9443/directory";
    SandboxTrust::open_or_create(sandbox.dir.path(), now, &ServerNames::default(), moved).unwrap();
    let after = CompactJws::parse(&sandbox.text("tpps/acme/software_statement.jwt")).unwrap();
    let claims: Value = after.claims().unwrap();
    assert!(claims["software_jwks_endpoint"].as_str().unwrap().starts_with(moved));
}
