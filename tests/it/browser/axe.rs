//! Runs axe-core on a page. It is not part of this repository; `cargo xtask test` fetches it.

use super::Chromium;
use serde_json::{Value, json};

/// What is asked of axe: WCAG up to 2.2 AA, and its own good practice.
const TAGS: [&str; 7] = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa", "best-practice"];

/// The script, as it was fetched.
#[derive(Debug)]
pub(crate) struct Axe(String);

impl Axe {
    /// The script `LOMBARD_TEST_AXE` names; none if it names none, which is said loudly.
    pub(crate) fn find() -> Option<Self> {
        let Some(path) = std::env::var_os("LOMBARD_TEST_AXE") else {
            eprintln!("SKIPPED by axe: LOMBARD_TEST_AXE is not set; cargo xtask test fetches axe-core and sets it");
            return None;
        };
        Some(Self(std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))))
    }

    /// Brings the script into the page that is open. It comes by the driver, which no policy of the page forbids:
    /// nothing of the page is changed for it.
    pub(crate) async fn enter(&self, browser: &Chromium) {
        browser.driver.execute(self.0.as_str(), Vec::new()).await.unwrap();
    }

    /// Everything serious or critical on the page as it is looked at now: rule, what it says, where.
    pub(crate) async fn look(&self, browser: &Chromium) -> Vec<String> {
        let script = "const [options, done] = arguments;
            window.axe.run(document, options).then((found) => done(found.violations), (error) => done(String(error)));";
        let options = json!({"runOnly": TAGS, "resultTypes": ["violations"]});
        let found = browser.driver.execute_async(script, vec![options]).await.unwrap();
        let found = found.json().as_array().unwrap_or_else(|| panic!("axe failed: {}", found.json())).clone();
        found.iter().filter(|it| ["serious", "critical"].contains(&text(it, "impact"))).map(told).collect()
    }
}

fn told(violation: &Value) -> String {
    let nodes = violation["nodes"].as_array().into_iter().flatten();
    let nodes: Vec<_> = nodes.map(|node| format!("{} {}", node["target"], text(node, "failureSummary"))).collect();
    format!(
        "{} ({}): {}\n    {}",
        text(violation, "id"),
        text(violation, "impact"),
        text(violation, "help"),
        nodes.join("\n    ")
    )
}

fn text<'a>(value: &'a Value, member: &str) -> &'a str {
    value[member].as_str().unwrap_or_default()
}
