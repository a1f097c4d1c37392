//! Certificates, directory ids and keys that operators import.

use super::certified::Authority;
use super::*;
use rcgen::KeyUsagePurpose;

/// Makes a key that waits and gives it back with a certificate for it.
async fn waiting_key(bank: &Bank, ring: &Keyring, authority: &Authority) -> (KeyId, Vec<Vec<u8>>) {
    let key = SigningKey::generate().unwrap();
    let leaf = authority.issue(&key, bank.now(), [-1, 300], &[KeyUsagePurpose::DigitalSignature]);
    let kid = ring.add_waiting_key(key).await.unwrap();
    (kid, vec![leaf, authority.der()])
}

fn import(kid: Option<&str>, chain: &[Vec<u8>]) -> KeyImport {
    KeyImport { kid: kid.map(KeyId::from), chain: chain.to_vec(), key: None }
}

fn refusal(outcome: Result<KeyId, KeysError>) -> KeyRefusal {
    match outcome.unwrap_err() {
        KeysError::Refused(refusal) => refusal,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn as_007_as_008_a_key_is_published_with_certificate_and_signs_in_an_hour() {
    let bank = Bank::new().await;
    let (ring, authority) = (bank.node().await, Authority::new("directory"));
    ring.add_key(key("old"), vec![], HOUR).await.unwrap();
    let (kid, chain) = waiting_key(&bank, &ring, &authority).await;
    bank.pass(DAY * 30, &[&ring]).await;
    assert_eq!((published(&ring), active(&ring)), (vec!["old".to_owned()], Some("old".into())));
    assert_eq!(ring.find_key(&kid).unwrap().key.id(), &kid, "a request for its certificate can be signed");

    let imported = ring.import_key(import(Some("from-the-directory"), &chain)).await.unwrap();
    assert_eq!(imported.as_str(), "from-the-directory");
    assert_eq!(
        (published(&ring), active(&ring)),
        (vec!["old".into(), "from-the-directory".into()], Some("old".into()))
    );
    let document: Value = serde_json::from_str(&ring.jwks()).unwrap();
    assert_eq!(document["keys"][1]["x5c"].as_array().unwrap().len(), 2);
    assert!(ring.find_key(&kid).is_err(), "its former id was never published and is gone");

    let other = bank.node().await;
    bank.pass(HOUR, &[&ring, &other]).await;
    for node in [&ring, &other] {
        assert_eq!(active(node).as_deref(), Some("from-the-directory"));
        assert_eq!(node.active_key().unwrap().chain, chain);
    }
}

#[tokio::test]
async fn as_008_a_key_that_signs_gets_the_directorys_id_without_a_gap() {
    let bank = Bank::new().await;
    let (ring, authority) = (bank.node().await, Authority::new("directory"));
    let made = SigningKey::generate().unwrap();
    let leaf = authority.issue(&made, bank.now(), [-1, 300], &[]);
    let old = ring.add_key(made, vec![], HOUR).await.unwrap();
    ring.import_key(import(Some("certified"), &[leaf])).await.unwrap();
    assert_eq!((published(&ring).len(), active(&ring)), (2, Some(old.to_string())));
    assert_eq!(ring.ids_of_key(&old).len(), 2);
    bank.pass(HOUR, &[&ring]).await;
    assert_eq!((published(&ring).len(), active(&ring).as_deref()), (2, Some("certified")));
    // A stolen key is compromised under both ids.
    ring.add_key(key("spare"), vec![], SignedDuration::ZERO).await.unwrap();
    ring.withdraw_key(&old).await.unwrap();
    assert_eq!(published(&ring), ["spare"]);
}

#[tokio::test]
async fn as_007_a_renewed_certificate_replaces_the_former_one_at_once() {
    let bank = Bank::new().await;
    let (ring, authority) = (bank.node().await, Authority::new("directory"));
    let (_, chain) = waiting_key(&bank, &ring, &authority).await;
    let kid = ring.import_key(import(None, &chain)).await.unwrap();
    assert_eq!(active(&ring), Some(kid.to_string()), "without another key it signs at once");
    let other = bank.node().await;
    let again = authority.issue(&ring.find_key(&kid).unwrap().key, bank.now(), [-1, 90], &[]);
    ring.import_key(import(Some(kid.as_str()), std::slice::from_ref(&again))).await.unwrap();
    bank.pass(MINUTE, &[&other]).await;
    for node in [&ring, &other] {
        assert_eq!(
            (node.active_key().unwrap().chain.as_slice(), published(node)),
            ([again.clone()].as_slice(), vec![kid.to_string()])
        );
    }
}

#[tokio::test]
async fn a_key_from_a_file_is_announced_and_listed_as_such() {
    let bank = Bank::new().await;
    let (ring, authority) = (bank.node().await, Authority::new("directory"));
    ring.add_key(key("old"), vec![], HOUR).await.unwrap();
    let given = SigningKey::generate().unwrap();
    let chain = vec![authority.issue(&given, bank.now(), [-1, 300], &[]), authority.der()];
    let kid = ring.import_key(KeyImport { kid: None, chain, key: Some(given) }).await.unwrap();
    let listed = ring.list_keys().await.unwrap();
    let signs_from = bank.now().checked_add(HOUR).unwrap();
    assert_eq!(listed[0].state, KeyState::Signing { until: Some(signs_from) });
    assert_eq!((&listed[1].kid, listed[1].origin), (&kid, KeyOrigin::File));
    assert_eq!((listed[1].state, listed[1].chain.len()), (KeyState::Announced { signs_from }, 2));
    bank.pass(HOUR, &[&ring]).await;
    assert_eq!(active(&ring), Some(kid.to_string()));
    let states: Vec<_> = ring.list_keys().await.unwrap().into_iter().map(|key| key.state).collect();
    let until = bank.now().checked_add(PUBLISHED_AFTER_USE).unwrap();
    assert_eq!(states, [KeyState::Verifying { until }, KeyState::Signing { until: None }]);
}

#[tokio::test]
async fn as_007_what_does_not_belong_together_is_refused_and_changes_nothing() {
    let bank = Bank::new().await;
    let (ring, authority, stranger) = (bank.node().await, Authority::new("directory"), Authority::new("stranger"));
    ring.add_key(key("old"), vec![], HOUR).await.unwrap();
    let (kid, chain) = waiting_key(&bank, &ring, &authority).await;
    let waiting = ring.find_key(&kid).unwrap();
    let issue = |days, usages: &[_]| vec![authority.issue(&waiting.key, bank.now(), days, usages)];
    let foreign = SigningKey::generate().unwrap();
    let of_foreign = vec![authority.issue(&foreign, bank.now(), [-1, 300], &[])];
    let reason = |number, text: &str| KeyRefusal::Certificate { number, reason: text.to_owned() };
    let refused = async |kid, chain: &[Vec<u8>]| refusal(ring.import_key(import(kid, chain)).await);

    assert_eq!(refused(None, &of_foreign).await, KeyRefusal::ForNoKey);
    assert_eq!(refused(None, &[]).await, KeyRefusal::Nothing);
    assert_eq!(refused(None, &issue([-300, -1], &[])).await, reason(1, "it has expired"));
    assert_eq!(refused(None, &issue([1, 300], &[])).await, reason(1, "it is not valid yet"));
    let for_tls = issue([-1, 300], &[KeyUsagePurpose::KeyEncipherment]);
    assert_eq!(refused(None, &for_tls).await, reason(1, "it is not for signatures"));
    assert_eq!(refused(None, &[b"leaf".to_vec()]).await, reason(1, "it is not an X.509 certificate"));
    let of_stranger = [chain[0].clone(), stranger.der()];
    assert_eq!(refused(None, &of_stranger).await, reason(1, "the next certificate is not that of its issuer"));
    let authoritys = refused(None, &[authority.der()]).await;
    assert!(matches!(authoritys, KeyRefusal::Certificate { number: 1, .. }), "{authoritys:?}");
    assert_eq!(refused(Some("old"), &chain).await, KeyRefusal::KidTaken("old".into()));
    for malformed in ["", "with space", "a/b", &"k".repeat(129)] {
        assert_eq!(refused(Some(malformed), &chain).await, KeyRefusal::KidForm, "{malformed}");
    }
    let both = KeyImport { key: Some(foreign), ..import(None, &chain) };
    assert_eq!(refusal(ring.import_key(both).await), KeyRefusal::OtherKey);
    assert_eq!((published(&ring), ring.list_keys().await.unwrap().len()), (vec!["old".to_owned()], 2));
    ring.import_key(import(None, &chain)).await.unwrap();
}

#[tokio::test]
async fn as_008_a_key_that_has_stopped_signing_gets_no_other_id() {
    let bank = Bank::new().await;
    let (ring, authority) = (bank.node().await, Authority::new("directory"));
    let made = SigningKey::generate().unwrap();
    let chain = [authority.issue(&made, bank.now(), [-1, 300], &[])];
    let old = ring.add_key(made, vec![], HOUR).await.unwrap();
    ring.add_key(key("new"), vec![], SignedDuration::ZERO).await.unwrap();
    assert_eq!(refusal(ring.import_key(import(Some("again"), &chain)).await), KeyRefusal::Ended(old.clone()));
    ring.import_key(import(None, &chain)).await.unwrap();
    assert_eq!(active(&ring).as_deref(), Some("new"), "its certificate is published all the same");
}
