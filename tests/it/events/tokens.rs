//! The contents of security event tokens. Source: part 2 of the rules.

use super::{CRITICAL, Polled, Queue, checked, claims, raise};
use crate::harness::paying::{TRANSFERS, orders};
use crate::harness::{Bank, EVERYTHING, ExchangeExt, PayingTpp, ValueExt, until};
use jiff::SignedDuration;
use lombard_domain::payment::PaymentProduct;
use lombard_domain::version::Version;
use lombard_jose::CompactJws;
use serde_json::{Value, json};
use uuid::Uuid;

const UPDATE: &str = "urn:uk:org:openbanking:events:resource-update";

#[tokio::test]
async fn set_001_to_024_a_token_is_signed_and_says_what_the_standard_wants() {
    for bank in Bank::each_engine().await {
        let queue = Queue::of(&bank, "robot").await;
        let consent = queue.tpp.consent_create(&queue.token, &EVERYTHING).await.unwrap();
        let jti = raise(&bank, &queue.tpp, 1).await.remove(0);
        // It is signed when it is first delivered, which is later.
        let recorded = bank.now().as_second();
        bank.clock.advance(SignedDuration::from_secs(7));
        let polled = queue.now().await;
        let token = &polled.sets[&jti];
        let keys = queue.tpp.bank_keys().await.unwrap();
        let said = checked(token, &keys);

        let parsed = CompactJws::parse(token).unwrap();
        let header = parsed.header();
        assert_eq!((header.alg.as_str(), header.typ.as_ref()), ("PS256", None), "SET-001, SET-003");
        assert_eq!(header.crit.as_deref(), Some(&CRITICAL.map(str::to_owned)[..]), "SET-002");
        assert_eq!(header.extra.len(), 3, "SET-002: no others");
        assert_eq!(header.extra["http://openbanking.org.uk/iat"], recorded + 7, "SET-002: the time of the signature");
        assert_eq!(header.extra["http://openbanking.org.uk/tan"], "openbanking.org.uk");
        let organisation = header.extra["http://openbanking.org.uk/iss"].as_str().unwrap();
        assert!(organisation.len() == 18 && organisation.bytes().all(|byte| byte.is_ascii_alphanumeric()));
        assert_eq!(organisation, signer_of_payments(&bank).await, "SET-002: the bank's organisation, as elsewhere");
        assert_eq!(header.kid.as_deref(), keys.iter().next().and_then(|key| key.id()).map(|id| id.as_str()), "SET-005");

        let mut names: Vec<_> = said.as_object().unwrap().keys().map(String::as_str).collect();
        names.sort_unstable();
        assert_eq!(names, ["aud", "events", "iat", "iss", "jti", "sub", "toe", "txn"], "SET-010");
        assert_eq!(said["iss"], bank.endpoints().issuer.as_str(), "SET-011");
        assert_eq!((&said["iat"], &said["toe"]), (&json!(recorded), &json!(recorded)), "SET-012: not of the signature");
        assert_eq!(Uuid::parse_str(&jti).unwrap().get_version_num(), 7, "SET-013");
        assert_eq!(said.text("jti"), jti);
        assert!(said.text("txn") != jti && Uuid::parse_str(said.text("txn")).is_ok(), "SET-016: see `txn`");
        assert_eq!(said["aud"], queue.tpp.client_id().as_str(), "SET-014");
        let address = |version: &str| {
            format!("{}/{version}/aisp/account-access-consents/{consent}", bank.endpoints().resource_base)
        };
        assert_eq!(said["sub"], address("v3.1").as_str(), "SET-015");
        let subject = &said["events"][UPDATE]["subject"];
        assert_eq!(
            *subject,
            json!({
                "subject_type": "http://openbanking.org.uk/rid_http://openbanking.org.uk/rty",
                "http://openbanking.org.uk/rid": consent,
                "http://openbanking.org.uk/rty": "account-access-consent",
                "http://openbanking.org.uk/rlk": [
                    {"version": "v3.1", "link": address("v3.1")},
                    {"version": "v4.0", "link": address("v4.0")},
                ],
            }),
            "SET-020 to SET-024"
        );
        for link in subject.list("/http:~1~1openbanking.org.uk~1rlk") {
            let read = queue.tpp.read_link(&queue.token, link.text("link")).await.unwrap();
            assert_eq!(read.status, 200, "SET-024: every link can be read");
        }
    }
}

/// Who signs payment answers.
async fn signer_of_payments(bank: &Bank) -> String {
    let paying = PayingTpp::robot(bank).await;
    let body = paying.asking(PaymentProduct::DomesticPayment);
    let made = paying.post(&paying.own, "pisp/domestic-payment-consents", &body).await;
    let header = made.head("x-jws-signature").split('.').next().unwrap();
    let header: Value = serde_json::from_slice(&lombard_jose::from_base64url(header).unwrap()).unwrap();
    header["http://openbanking.org.uk/iss"].as_str().unwrap().to_owned()
}

/// What a SET says of an order: identifiers and links, nothing of the payment. Source: SET-015, SET-020 to SET-024, EVT-091.
#[tokio::test]
async fn set_015_and_evt_091_an_order_event_has_only_identifiers_and_links() {
    for bank in Bank::each_engine().await {
        let paying = PayingTpp::robot(&bank).await;
        let queue = Queue::with(&paying.tpp).await;
        for product in TRANSFERS.into_iter().chain([PaymentProduct::FilePayment, PaymentProduct::DomesticVrp]) {
            let agreed = paying.agreed(product).await;
            let (order, _) = paying.ordered(&agreed).await;
            let mut seen = Vec::new();
            let told = async || {
                bank.ops_post("/sandbox/clock", &json!({"advance_secs": 5})).await;
                let polled = queue.now().await;
                queue.poll(json!({"maxEvents": 0, "ack": polled.ids()})).await;
                seen.extend(polled.sets.into_values().map(|token| claims(&token)));
                seen.iter().find(|said| said.text("sub").ends_with(&order)).cloned()
            };
            let said = until(told).await;
            let address = paying.tpp.resource_url(&format!("{}/{order}", orders(product)));
            // An order of v3.1 is read through either version (RW-018).
            let newer = paying.through(Version::V4_0).tpp.resource_url(&format!("{}/{order}", orders(product)));
            assert_eq!(said["sub"], address.as_str(), "SET-015");
            let subject = json!({
                "subject_type": "http://openbanking.org.uk/rid_http://openbanking.org.uk/rty",
                "http://openbanking.org.uk/rid": order,
                "http://openbanking.org.uk/rty": product.order_resource_type().name(),
                "http://openbanking.org.uk/rlk": [
                    {"version": "v3.1", "link": address},
                    {"version": "v4.0", "link": newer},
                ],
            });
            assert_eq!(said["events"], json!({UPDATE: {"subject": subject}}), "SET-017, SET-020 to SET-024");
            let consent = seen.iter().find(|said| said.text("sub").ends_with(&agreed.consent)).unwrap();
            let named = &consent["events"][UPDATE]["subject"];
            assert_eq!(named["http://openbanking.org.uk/rid"], agreed.consent.as_str(), "SET-022");
            assert_eq!(named["http://openbanking.org.uk/rty"], product.consent_resource_type().name(), "SET-023");
            for said in [consent, &said] {
                assert_linked_where_readable(&paying, said).await;
            }
            for said in &seen {
                let text = said.to_string();
                for secret in ["12.50", "Somebody", "Jemand", "20000319825731", "DE8937", "INSTR-1", "E2E-1", "GBP"] {
                    assert!(!text.contains(secret), "EVT-091: {secret} in {text}");
                }
            }
        }
    }
}

/// The links of a SET are those of the versions in which a GET of its resource succeeds, and no others. Source: SET-024.
async fn assert_linked_where_readable(paying: &PayingTpp, said: &Value) {
    let address = said.text("sub");
    assert!(address.contains("/v3.1/"), "SET-015: {address}");
    let mut readable = Vec::new();
    for version in Version::ALL {
        let link = address.replace("/v3.1/", &format!("/{}/", version.segment()));
        if paying.tpp.read_link(&paying.own, &link).await.unwrap().status == 200 {
            readable.push(json!({"version": version.segment(), "link": link}));
        }
    }
    assert_eq!(said["events"][UPDATE]["subject"]["http://openbanking.org.uk/rlk"], json!(readable), "SET-024");
}

#[tokio::test]
async fn set_003_004_and_032_what_the_header_says_can_be_set() {
    let mut bank = Bank::unstarted(crate::harness::Engine::Sqlite).await;
    bank.restart_with(&[("set.typ", "secevent+jwt"), ("set.ob_headers", "false")]).await;
    let queue = Queue::of(&bank, "robot").await;
    raise(&bank, &queue.tpp, 1).await;
    let polled = queue.now().await;
    let token = CompactJws::parse(polled.sets.values().next().unwrap()).unwrap();
    assert_eq!((token.header().typ.as_deref(), &token.header().crit), (Some("secevent+jwt"), &None));
    assert!(token.header().extra.is_empty());
    token.verify(&queue.tpp.bank_keys().await.unwrap()).unwrap();
    let said: Value = token.claims().unwrap();
    assert_eq!(said["aud"], queue.tpp.client_id().as_str());
}

/// The version that is polled decides the `typ`, also of an event that was delivered through the other version before; a configured
/// one is that of both. Source: SET-003, SET-005.
#[tokio::test]
async fn set_003_the_typ_is_that_of_the_version_polled_unless_one_is_set() {
    const POLLS: [(&str, Option<&str>); 6] = [
        ("v3.1", None),
        ("v4.0", Some("secevent+jwt")),
        ("v4.0", Some("secevent+jwt")),
        ("v3.1", None),
        ("v3.1", None),
        ("v4.0", Some("secevent+jwt")),
    ];
    for mut bank in Bank::each_engine().await {
        let mut queue = Queue::of(&bank, "robot").await;
        let jti = raise(&bank, &queue.tpp, 1).await.remove(0);
        for settings in [&[][..], &[("set.typ", "JOSE")], &[]] {
            bank.stop().await;
            bank.restart_with(settings).await;
            queue = Queue::of(&bank, "robot").await;
            let keys = queue.tpp.bank_keys().await.unwrap();
            let set_typ = settings.first().map(|(_, typ)| *typ);
            let mut last = None;
            let mut told = Vec::new();
            for (version, typ) in POLLS {
                let polled = queue.tpp.send(queue.call(version, &json!({"returnImmediately": true}))).await.unwrap();
                let token = Polled::read(&polled).sets.remove(&jti).unwrap();
                let expected = set_typ.or(typ);
                assert_eq!(CompactJws::parse(&token).unwrap().header().typ.as_deref(), expected, "{version}");
                told.push(checked(&token, &keys));
                if let Some((before, kept)) = last.replace((expected, token.clone())) {
                    assert_eq!(kept == token, before == expected, "SET-005: a signature of the same form is kept");
                }
            }
            assert!(told.windows(2).all(|pair| pair[0] == pair[1]), "each says the same");
        }
    }
}
