//! What payments, consents and tokens weigh in PostgreSQL, and how many signatures they cost: the figures of `docs/operating/sizing.md`.

mod page;

use crate::harness::{Bank, EVERYTHING, Engine, PayingTpp, TestCore, access, until};
use crate::payments::books::count;
use lombard_domain::payment::PaymentProduct;
use std::collections::BTreeMap;
use tokio::task::JoinSet;

/// How many of each are made. Tables and indexes grow by pages of 8 KiB, which must not matter.
const COUNT: usize = 1_000;
/// How many are made at a time.
const AT_ONCE: usize = 8;

/// Tables whose rows are removed some time after their use; those of all others stay.
const REMOVED: [&str; 14] = [
    "address_attempts",
    "attempts",
    "codes",
    "events",
    "form_answers",
    "grants",
    "idempotency_keys",
    "interactions",
    "jobs",
    "provider_logins",
    "pushed_requests",
    "replays",
    "sessions",
    "tokens",
];

/// What the database weighs, by table.
async fn weigh(bank: &Bank) -> BTreeMap<String, i64> {
    let (client, connection) =
        tokio_postgres::connect(bank.database_url().as_str(), tokio_postgres::NoTls).await.unwrap();
    let driver = tokio::spawn(connection);
    client.batch_execute("VACUUM").await.unwrap();
    let sizes = "SELECT relname::text, pg_total_relation_size(oid) FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace";
    let sizes = client.query(sizes, &[]).await.unwrap().iter().map(|row| (row.get(0), row.get(1))).collect();
    drop(client);
    driver.await.unwrap().unwrap();
    sizes
}

/// The signatures that the server has made so far.
async fn signatures(bank: &Bank) -> f64 {
    let metrics = bank.ops_get("/metrics").await.text().into_owned();
    let line = metrics.lines().find(|line| line.starts_with("lombard_signing_duration_seconds_count"));
    line.and_then(|line| line.rsplit(' ').next()).map_or(0.0, |number| number.parse().unwrap())
}

/// Makes many of a kind, and prints what each weighs.
async fn measure<F: Future<Output = ()> + Send + 'static>(bank: &Bank, name: &str, make: impl Fn() -> F) {
    let (before, signed) = (weigh(bank).await, signatures(bank).await);
    let mut running = JoinSet::new();
    for _ in 0..COUNT {
        if running.len() == AT_ONCE {
            running.join_next().await.unwrap().unwrap();
        }
        running.spawn(make());
    }
    running.join_all().await;
    until(async || (count(bank, "SELECT count(*) FROM jobs").await == 0).then_some(())).await;
    let after = weigh(bank).await;
    let each = f64::from(u32::try_from(COUNT).unwrap());
    let grown = after.iter().map(|(table, size)| (size - before.get(table).copied().unwrap_or(0), table));
    let mut grown: Vec<_> = grown.filter(|(size, _)| *size > 0).collect();
    grown.sort_unstable();
    let sum = |keep: &dyn Fn(&str) -> bool| -> f64 {
        let sizes =
            grown.iter().filter(|(_, table)| keep(table)).map(|(size, _)| f64::from(i32::try_from(*size).unwrap()));
        sizes.sum::<f64>() / each / 1_000.0
    };
    let stays = sum(&|table| !REMOVED.contains(&table));
    let removed = sum(&|table| REMOVED.contains(&table));
    let signed = (signatures(bank).await - signed) / each;
    eprintln!("| {name} | {stays:.1} KB | {removed:.1} KB | {signed:.1} |");
    let tables: Vec<_> = grown.iter().rev().map(|(size, table)| format!("{table} {}", size / 1_000)).collect();
    eprintln!("    {}", tables.join(", "));
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "takes minutes; cargo xtask sizes runs it"]
async fn prints_what_rows_weigh() {
    if !Engine::at_hand().contains(&Engine::Postgres) {
        return;
    }
    let mut bank = Bank::unstarted_with(Engine::Postgres, TestCore::Process).await;
    bank.restart_with(&[
        ("rates.accounts_per_s", "0"),
        ("rates.payments_per_s", "0"),
        ("rates.token_per_s", "0"),
        ("rates.authorize_per_s", "0"),
        ("rates.authorize_address_per_s", "0"),
    ])
    .await;
    let tpp = bank.tpp("robot");
    eprintln!("| Of each | stays | is removed later | Signatures |\n|---|---|---|---|");
    let asking = tpp.clone();
    measure(&bank, "token by client credentials", move || {
        let tpp = asking.clone();
        async move { drop(tpp.client_credentials("accounts").await.unwrap()) }
    })
    .await;
    let reading = tpp.clone();
    measure(&bank, "consent to accounts, with the customer's decision and tokens", move || {
        let tpp = reading.clone();
        async move { drop(access(&tpp, &EVERYTHING).await) }
    })
    .await;
    let paying = PayingTpp::robot(&bank).await;
    measure(&bank, "payment: consent, decision, tokens and order", move || {
        let paying = paying.clone();
        async move {
            let agreed = paying.agreed(PaymentProduct::DomesticPayment).await;
            paying.ordered(&agreed).await;
        }
    })
    .await;
    let waiting = count(&bank, "SELECT count(*) FROM events").await;
    let size = weigh(&bank).await["events"];
    eprintln!("{waiting} events wait, of {} bytes each", size / waiting.max(1));
    bank.stop().await;
}
