//! The example in Python keeps every promise; each fault planted in it is named.

use super::python_core::{PythonCore, has_python, repository};
use futures_util::{StreamExt, stream};
use lombard::entropy::SystemEntropy;
use lombard_connector::check::{CheckOptions, CheckedPromise, PromiseOutcome, check_core};
use lombard_ports::clock::Clocks;
use std::sync::Arc;
use std::time::Duration;

/// Faults of a core, each with the promise that it breaks.
const FAULTS: [(&str, &str); 16] = [
    ("update lost", "an order is reported to its end"),
    ("update numbered twice", "status updates are numbered without gaps"),
    ("updates forgotten when read", "status updates come until they are acknowledged"),
    ("acknowledged updates forgotten", "how an order stands is told by its updates"),
    ("order taken twice", "an order is taken once"),
    ("repeated order answered differently", "a repeated order is answered like the first"),
    ("late consent change applied", "a late consent change is ignored"),
    ("wrong page order", "entries come newest first"),
    ("repeated record", "pages join without gap or repeat"),
    ("endless pages", "pages join without gap or repeat"),
    ("unknown account as empty", "an unknown account is not an empty one"),
    ("balance in wrong sign", "the last running balance is the booked balance"),
    ("money moved without entry", "money moves with an entry"),
    ("payment without funds", "an order without funds is rejected"),
    ("bad error", "a faulty request is answered with its faults"),
    ("caller without certificate", "a caller without a certificate is refused"),
];

/// How many cores are checked at a time.
const AT_ONCE: usize = 5;

async fn check(fault: Option<&str>, writes: bool) -> Vec<CheckedPromise> {
    let core = PythonCore::start(fault).await;
    let options = CheckOptions {
        customer: "alice".into(),
        closed: vec!["alice-old".into()],
        payee: "20010110000004".to_owned(),
        exchange: None,
        writes,
        order_time_max: Duration::from_millis(100),
    };
    let mut checked = Vec::new();
    let parts = (Clocks::system(), Arc::new(SystemEntropy) as _);
    check_core(core.settings(), &options, parts, &mut |promise| checked.push(promise)).await.unwrap();
    core.stop().await;
    checked
}

fn broken(checked: &[CheckedPromise]) -> Vec<&CheckedPromise> {
    checked.iter().filter(|it| matches!(it.outcome, PromiseOutcome::Violated { .. })).collect()
}

fn names_not_checked(checked: &[CheckedPromise]) -> Vec<&'static str> {
    let not_checked = checked.iter().filter(|it| matches!(it.outcome, PromiseOutcome::NotChecked(_)));
    not_checked.map(|it| it.name).collect()
}

#[test]
fn the_example_is_short() {
    let text = std::fs::read_to_string(repository().join("examples/core-python/core.py")).unwrap();
    assert!(text.lines().count() <= 430, "{}", text.lines().count());
}

#[tokio::test]
async fn the_example_keeps_every_promise() {
    if !has_python().await {
        return;
    }
    let checked = check(None, true).await;
    assert!(broken(&checked).is_empty(), "{:#?}", broken(&checked));
    // It exchanges no currencies; everything else is checked.
    assert_eq!(names_not_checked(&checked).len(), 3, "{:?}", names_not_checked(&checked));
    let checked = check(None, false).await;
    assert!(broken(&checked).is_empty(), "{:#?}", broken(&checked));
    assert!(names_not_checked(&checked).contains(&"an order is taken once"), "it only reads");
}

#[tokio::test]
async fn each_planted_fault_is_named() {
    if !has_python().await {
        return;
    }
    let named = stream::iter(FAULTS).map(async |(fault, promise)| {
        let checked = check(Some(fault), true).await;
        let broken = broken(&checked);
        let found = broken.iter().find(|it| it.name == promise);
        let names: Vec<_> = broken.iter().map(|it| it.name).collect();
        assert!(found.is_some(), "{fault}: {names:?}");
    });
    // Each check waits for another core most of the time.
    named.buffer_unordered(AT_ONCE).collect::<()>().await;
}
