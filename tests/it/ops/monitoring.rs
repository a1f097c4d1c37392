//! The alerts and the dashboard in `deploy/monitoring`: every metric and label of their queries exists, and promtool accepts the rules.

use lombard::telemetry::{METRICS, Metric, MetricKind};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use yaml_rust2::{Yaml, YamlLoader};

/// Metrics and labels of Prometheus itself.
const OF_PROMETHEUS: [&str; 3] = ["job", "instance", "le"];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../deploy/monitoring")
}

fn read(name: &str) -> String {
    std::fs::read_to_string(folder().join(name)).unwrap()
}

/// The rules, each with its name and its query.
fn alerts() -> Vec<(String, String)> {
    let file = YamlLoader::load_from_str(&read("lombard-alerts.yaml")).unwrap().remove(0);
    let rules = file["groups"].as_vec().unwrap().iter().flat_map(|group| group["rules"].as_vec().unwrap().clone());
    let text = |rule: &Yaml, member: &str| rule[member].as_str().unwrap().to_owned();
    rules.map(|rule| (text(&rule, "alert"), text(&rule, "expr"))).collect()
}

/// The queries of the dashboard, each with the title of its panel.
fn panels() -> Vec<(String, String)> {
    let dashboard: Value = serde_json::from_str(&read("lombard-dashboard.json")).unwrap();
    let panels = dashboard["panels"].as_array().unwrap();
    let targets = panels.iter().flat_map(|panel| {
        let title = panel["title"].as_str().unwrap();
        let targets = panel["targets"].as_array().cloned().unwrap_or_default();
        targets.into_iter().map(move |it| (title.to_owned(), it["expr"].as_str().unwrap().to_owned()))
    });
    targets.collect()
}

/// The words of a query, without quoted texts.
fn words(query: &str) -> Vec<&str> {
    let unquoted = query.split('"').step_by(2);
    let is_word = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    unquoted.flat_map(|part| part.split(move |letter| !is_word(letter))).filter(|word| !word.is_empty()).collect()
}

/// The metric that this word of a query names.
fn metric(word: &str) -> Option<&'static Metric> {
    METRICS.iter().find(|metric| match word.strip_prefix(metric.name) {
        Some("") => true,
        Some("_bucket" | "_sum" | "_count") => metric.kind == MetricKind::Histogram,
        _ => false,
    })
}

/// The labels of the selectors and groups of a query: the words before an operator within braces, and those after `by`.
fn labels(query: &str) -> BTreeSet<&str> {
    let selectors = query.split('{').skip(1).filter_map(|rest| rest.split('}').next());
    let selected = selectors.flat_map(|selector| selector.split(',')).filter_map(|it| it.split(['=', '!']).next());
    let groups = query.split("by (").skip(1).filter_map(|rest| rest.split(')').next());
    selected.chain(groups.flat_map(|group| group.split(','))).map(str::trim).collect()
}

fn exists(of: &str, query: &str) {
    let mut known: BTreeSet<_> = OF_PROMETHEUS.into_iter().collect();
    let mut named = 0;
    for word in words(query) {
        if word.starts_with("lombard_") || word.starts_with("process_") {
            let metric = metric(word).unwrap_or_else(|| panic!("{of}: there is no metric {word}"));
            known.extend(metric.labels);
            named += 1;
        }
    }
    assert!(named > 0 || words(query).contains(&"up"), "{of}: {query}");
    for label in labels(query) {
        assert!(known.contains(label), "{of}: none of its metrics has a label {label}: {query}");
    }
}

#[test]
fn every_metric_and_label_of_the_alerts_and_the_dashboard_exists() {
    let (alerts, panels) = (alerts(), panels());
    assert!(alerts.len() >= 20 && panels.len() >= 30, "{} alerts, {} queries", alerts.len(), panels.len());
    for (name, query) in alerts.iter().chain(&panels) {
        exists(name, query);
    }
}

#[test]
fn a_query_of_an_unknown_metric_or_label_is_found() {
    let found = |query: &str| std::panic::catch_unwind(|| exists("test", query)).is_err();
    assert!(!found("sum by (status) (rate(lombard_http_requests_total{listener=\"mtls\"}[5m]))"));
    assert!(found("rate(lombard_http_request_total[5m])"));
    assert!(found("lombard_node_ready_bucket"));
    assert!(found("lombard_http_requests_total{path=\"/\"}"));
    assert!(found("sum by (path) (lombard_http_requests_total)"));
}

#[test]
fn the_page_about_monitoring_lists_every_alert() {
    let page = std::fs::read_to_string(folder().join("../../docs/operating/watching.md")).unwrap();
    for (name, _) in alerts() {
        assert!(page.contains(&format!("`{name}`")), "{name}");
    }
    let listed = page.split("| `Lombard").skip(1).filter_map(|rest| rest.split('`').next());
    let known: BTreeSet<_> = alerts().into_iter().map(|(name, _)| name).collect();
    for name in listed {
        assert!(known.contains(&format!("Lombard{name}")), "Lombard{name}");
    }
}

#[test]
fn promtool_accepts_the_rules_and_their_tests() {
    let Some(promtool) = std::env::var_os("LOMBARD_TEST_PROMTOOL") else {
        return eprintln!("ALERTS ARE NOT TESTED: LOMBARD_TEST_PROMTOOL names no promtool");
    };
    for arguments in [["check", "rules", "lombard-alerts.yaml"], ["test", "rules", "lombard-alerts.test.yaml"]] {
        let run = Command::new(&promtool).args(arguments).current_dir(folder()).output().unwrap();
        let said = format!("{}{}", String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr));
        assert!(run.status.success(), "{arguments:?}\n{said}");
    }
}
