//! `/metrics`: empty before use, and of bounded size after all endpoints were called.

use crate::harness::{Bank, Engine, ServerProcess};
use lombard::telemetry::{METRICS, MetricKind};
use lombard_api::catalogue::list_operations;
use lombard_tpp::{HttpCall, Tpp};
use std::collections::BTreeSet;

/// Most bytes of `/metrics`, as docs/operating/watching.md promises.
const BYTES_MAX: usize = 1024 * 1024;

/// Classes of a status beside the one that the walk below meets.
const OTHER_CLASSES: usize = 5;

#[tokio::test]
async fn metric_series_appear_on_first_use_and_stay_bounded_for_any_requests() {
    let bank = Bank::unstarted(Engine::Sqlite).await;
    // A process of its own: the recorder of this one has seen other tests.
    let server = ServerProcess::start(&bank).await;
    let idle = bank.ops_get("/metrics").await.text().into_owned();
    assert!(idle.lines().count() < 200 && !idle.contains("/open-banking/"), "{idle}");

    let robot = bank.tpp("robot");
    let mut pairs = BTreeSet::new();
    for operation in list_operations() {
        let path = operation.path().replace(['{', '}'], "");
        let url = format!("{}{path}", bank.endpoints().mtls);
        for (method, target) in [(operation.endpoint.method.name(), url.clone()), ("PROPFIND", url.clone() + "/")] {
            walk(&robot, method, &target).await;
        }
        walk(&robot, "BREW", &format!("{url}?{}", pairs.len())).await;
        pairs.insert((operation.endpoint.method.name(), operation.path()));
    }
    for number in 0..100 {
        walk(&robot, "GET", &format!("{}/nothing/{number}", bank.endpoints().mtls)).await;
        walk(&robot, "GET", &format!("{}/nothing/{number}", bank.endpoints().public)).await;
    }
    let text = bank.ops_get("/metrics").await.text().into_owned();
    drop(server);

    let of_family =
        |name: &str| text.lines().filter(|line| line.starts_with(name)).map(str::to_owned).collect::<Vec<_>>();
    let counted = of_family("lombard_http_requests_total{");
    let paths: BTreeSet<_> = pairs.iter().map(|(_, path)| path).collect();
    // Each operation, one more method for each path, what no route has, and what was asked of the other listeners.
    assert!(counted.len() <= pairs.len() + paths.len() + 10, "{} series", counted.len());
    let timed = of_family("lombard_http_request_duration_seconds_count{");
    assert!(timed.len() <= pairs.len() + 10, "{} histograms", timed.len());
    assert!(timed.iter().all(|line| !line.contains("\"other\"") && !line.contains("PROPFIND")), "{timed:?}");
    let every_class = counted.iter().map(|line| line.len() + 1).sum::<usize>() * OTHER_CLASSES;
    assert!(text.len() + every_class < BYTES_MAX, "{} bytes and {every_class} for other classes", text.len());
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/operating/watching.md")).unwrap();
    assert!(page.contains("never more than 1 MiB"), "the bound is documented");

    for line in text.lines().filter(|line| line.starts_with("# TYPE")) {
        let name = line.split(' ').nth(2).unwrap();
        let metric =
            METRICS.iter().find(|metric| metric.name == name).unwrap_or_else(|| panic!("{name} is not listed"));
        assert!(line.ends_with(metric.kind.name()), "{line}");
        let help = format!("# HELP {name} {} Unit: {}.", metric.help, metric.unit);
        assert!(text.contains(&help), "{help}");
    }
    assert!(METRICS.iter().any(|metric| metric.kind == MetricKind::Histogram));
}

async fn walk(tpp: &Tpp, method: &str, url: &str) {
    let call = HttpCall::new(method.parse().unwrap(), url).with_bearer("nobody-knows-this-token");
    let answer = tpp.send(call).await.unwrap();
    assert!(answer.status.is_client_error(), "{method} {url}: {}", answer.status);
}
