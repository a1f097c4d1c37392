//! The planned end of the key that signs.

use super::*;

fn refusal(outcome: Result<Retirement, KeysError>) -> KeyRefusal {
    match outcome.unwrap_err() {
        KeysError::Refused(refusal) => refusal,
        other => panic!("{other:?}"),
    }
}

fn owned(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

#[tokio::test]
async fn as_008_the_announced_key_takes_over_at_the_planned_moment() {
    let bank = Bank::new().await;
    let ring = bank.node().await;
    ring.add_key(key("old"), vec![], HOUR).await.unwrap();
    ring.add_key(key("new"), vec![], HOUR).await.unwrap();
    let at = bank.now().checked_add(HOUR * 5).unwrap();
    let plan = ring.retire_key(&"old".into(), Some(at)).await.unwrap();
    assert_eq!(plan, Retirement::Planned { successor: "new".into(), at });
    let states: Vec<_> = ring.list_keys().await.unwrap().into_iter().map(|key| key.state).collect();
    assert_eq!(states, [KeyState::Signing { until: Some(at) }, KeyState::Announced { signs_from: at }]);
    let table: [(SignedDuration, &str, &[&str]); 4] = [
        (HOUR * 5 - SignedDuration::from_micros(1), "old", &["old", "new"]),
        (SignedDuration::from_micros(1), "new", &["old", "new"]),
        (DAY * 7 - SignedDuration::from_micros(1), "new", &["old", "new"]),
        (SignedDuration::from_micros(1), "new", &["new"]),
    ];
    for (row, (time, signs, shown)) in table.into_iter().enumerate() {
        bank.pass(time, &[&ring]).await;
        assert_eq!((active(&ring).as_deref(), published(&ring)), (Some(signs), owned(shown)), "row {row}");
    }
}

#[tokio::test]
async fn as_008_nobody_signs_within_an_hour_of_its_publication() {
    let bank = Bank::new().await;
    let ring = bank.node().await;
    ring.add_key(key("old"), vec![], HOUR).await.unwrap();
    let in_an_hour = bank.now().checked_add(HOUR).unwrap();
    assert_eq!(ring.retire_key(&"old".into(), None).await.unwrap(), Retirement::NoSuccessor { at: in_an_hour });
    assert_eq!(refusal(ring.retire_key(&"old".into(), Some(bank.now())).await), KeyRefusal::TooSoon(in_an_hour));

    ring.add_key(key("new"), vec![], HOUR * 9).await.unwrap();
    // Keys count as published one after the other.
    let in_an_hour = in_an_hour.checked_add(SignedDuration::from_micros(1)).unwrap();
    assert_eq!(refusal(ring.retire_key(&"old".into(), Some(bank.now())).await), KeyRefusal::TooSoon(in_an_hour));
    bank.pass(HOUR * 2, &[&ring]).await;
    let plan = ring.retire_key(&"old".into(), None).await.unwrap();
    assert_eq!(plan, Retirement::Planned { successor: "new".into(), at: bank.now() }, "it was published long enough");
    assert_eq!(active(&ring).as_deref(), Some("new"));
}

#[tokio::test]
async fn as_008_only_the_key_that_signs_is_retired() {
    let bank = Bank::new().await;
    let ring = bank.node().await;
    ring.add_key(key("old"), vec![], HOUR).await.unwrap();
    ring.add_key(key("new"), vec![], HOUR).await.unwrap();
    let waiting = ring.add_waiting_key(SigningKey::generate().unwrap()).await.unwrap();
    for kid in ["new", waiting.as_str()] {
        assert_eq!(refusal(ring.retire_key(&kid.into(), None).await), KeyRefusal::NotSigning(kid.into()));
    }
    assert!(matches!(ring.retire_key(&"none".into(), None).await, Err(KeysError::Unknown(_))));
    bank.pass(HOUR, &[&ring]).await;
    assert_eq!(refusal(ring.retire_key(&"old".into(), None).await), KeyRefusal::NotSigning("old".into()));
}

#[tokio::test]
async fn as_008_no_other_announced_key_takes_over_before_the_planned_moment() {
    let bank = Bank::new().await;
    let ring = bank.node().await;
    ring.add_key(key("old"), vec![], HOUR).await.unwrap();
    ring.add_key(key("next"), vec![], HOUR).await.unwrap();
    ring.add_key(key("after"), vec![], HOUR * 2).await.unwrap();
    let at = bank.now().checked_add(HOUR * 5).unwrap();
    let plan = ring.retire_key(&"old".into(), Some(at)).await.unwrap();
    assert_eq!(plan, Retirement::Planned { successor: "after".into(), at });
    bank.pass(HOUR * 5 - MINUTE, &[&ring]).await;
    assert_eq!(active(&ring).as_deref(), Some("old"));
    bank.pass(MINUTE, &[&ring]).await;
    assert_eq!(active(&ring).as_deref(), Some("after"));
}
