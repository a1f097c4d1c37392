//! The search for secrets.

use super::run::{PAYEE, Run};
use super::secret::{AllowedPlace, Secret, of_exchange, of_folder};
use crate::harness::{Bank, ExchangeExt, ServerProcess, ValueExt, unstarted_on_each_engine};
use lombard_tpp::{ExchangeObserver, HttpExchange};
use parking_lot::Mutex;
use serde_json::Value;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Everything our own rooms would ever write, and what libraries write for those who look for faults.
const LEVEL: &str = "debug,lombard=trace,lombard_auth=trace,lombard_http=trace,lombard_service=trace,lombard_store=trace,lombard_database=trace,\
                     lombard_corebank=trace,lombard_sandbox=trace,lombard_jose=trace";

#[tokio::test]
async fn tls_018_no_answer_log_line_or_metric_of_a_full_run_tells_a_secret() {
    for bank in unstarted_on_each_engine().await {
        scan(&bank).await;
    }
}

async fn scan(bank: &Bank) {
    let server = ServerProcess::logging(bank, LEVEL).await;
    let seen: Arc<Mutex<Vec<HttpExchange>>> = Arc::default();
    let kept = Arc::clone(&seen);
    let observer = ExchangeObserver::new(move |exchange| kept.lock().push(exchange.clone()));
    let robot = bank.tpp_watched("robot", observer.clone());
    let acme = bank.tpp_watched("acme", observer);
    let mut run = Run { bank, robot: &robot, acme: &acme, sent: of_folder(bank.data_dir()), logged: Vec::new() };
    run.all().await;
    let sent = run.sent;
    let logged = run.logged;
    let metrics = bank.ops_get("/metrics").await.text().into_owned();
    let requests = all_requests(bank).await;
    let accounts = account_numbers(bank).await;
    let logs = server.kill().await;

    let seen = seen.lock();
    let shown = seen.iter().flat_map(of_exchange);
    // The keys that were made during the run belong too.
    let secrets: BTreeSet<Secret> = shown.chain(sent).chain(of_folder(bank.data_dir())).collect();
    for place in
        [AllowedPlace::Nowhere, AllowedPlace::Json, AllowedPlace::Location, AllowedPlace::Cookie, AllowedPlace::Page]
    {
        assert!(secrets.iter().any(|secret| secret.place == place), "the run has no secret of {place:?}");
    }
    let id = seen.last().unwrap().header("x-fapi-interaction-id").unwrap();
    assert!(logs.contains(id) && logs.contains("token refused"), "the log is not there: {} bytes", logs.len());
    assert!(metrics.contains("lombard_token_refusals_total"), "{metrics}");

    for path in ["/token", "/par", "/introspect", "/authorize", "/open-banking/v3.1/pisp/domestic-payments"] {
        let is_there = requests.iter().any(|request| request["path"].as_str().is_some_and(|it| it.starts_with(path)));
        assert!(is_there, "{path} is not in the log of requests");
    }
    assert!(accounts.len() > 5 && requests.len() > 50, "{} {}", accounts.len(), requests.len());
    let requests: Vec<_> = requests.iter().map(Value::to_string).collect();

    let mut leaks = BTreeSet::new();
    for secret in &logged {
        let lines = requests.iter().map(String::as_str).chain(logs.lines());
        leaks.extend(lines.filter(|line| secret.is_in(line)).map(|line| format!("{} in a log: {line}", secret.what)));
    }
    for number in &accounts {
        let found = requests.iter().filter(|it| it.contains(number.as_str()));
        leaks.extend(found.map(|it| format!("the account {number} in the log of requests: {it}")));
    }
    for secret in &secrets {
        assert!(secret.value.len() >= 6, "{} is too short to look for", secret.what);
        leaks.extend(
            logs.lines().filter(|line| secret.is_in(line)).map(|line| format!("{} in a log line: {line}", secret.what)),
        );
        let found = requests.iter().filter(|request| secret.is_in(request));
        leaks.extend(found.map(|it| format!("{} in the log of requests: {it}", secret.what)));
        leaks.extend(secret.is_in(&metrics).then(|| format!("{} in the metrics", secret.what)));
        let answers = seen.iter().filter(|answer| secret.is_leaked_by(answer));
        leaks.extend(
            answers
                .map(|it| format!("{} in the answer to {} {}: {}", secret.what, it.method, it.url.path(), it.text())),
        );
    }
    assert!(
        leaks.is_empty(),
        "{} leaks of {} secrets:\n{}",
        leaks.len(),
        secrets.len(),
        leaks.into_iter().take(20).collect::<Vec<_>>().join("\n")
    );
}

/// The whole log of requests.
async fn all_requests(bank: &Bank) -> Vec<Value> {
    let mut requests = Vec::new();
    let mut after = Value::from(0);
    loop {
        let page = bank.ops_get(&format!("/sandbox/requests?limit=100&after={after}")).await.ok(200);
        if page.list("/requests").is_empty() {
            return requests;
        }
        requests.extend(page.list("/requests").iter().cloned());
        after = page["next"].clone();
    }
}

/// The numbers of all accounts of the bank's customers, and those that are paid to.
async fn account_numbers(bank: &Bank) -> BTreeSet<String> {
    let psus = bank.ops_get("/sandbox/psus").await.text().into_owned();
    let numbers = psus.split(|it: char| !it.is_ascii_digit()).filter(|digits| digits.len() == 14);
    numbers.map(str::to_owned).chain([PAYEE.to_owned()]).collect()
}
