//! `lombard tour` against a running server.

use crate::harness::{Bank, Browser, until};
use lombard::tour::{TourEnding, TourOptions, run_with};
use lombard_domain::version::Version;
use lombard_ports::clock::Clocks;
use serde_json::json;
use std::io::Write;
use std::sync::{Arc, Mutex};

/// A report that can be read while it is written.
#[derive(Debug, Clone, Default)]
struct Shared(Arc<Mutex<Vec<u8>>>);

impl Shared {
    fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }
}

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Lets the bank's time pass once a payment is on its way: the clock of a test stands still.
async fn time_passes(bank: &Bank, report: Shared) {
    until(async || report.text().contains("on its way").then_some(())).await;
    loop {
        bank.ops_post("/sandbox/clock", &json!({"advance_secs": 1})).await;
        tokio::task::yield_now().await;
    }
}

fn options(bank: &Bank, browser: bool, code: Option<String>) -> TourOptions {
    TourOptions { data_dir: bank.data_dir().to_owned(), version: Version::V3_1, browser, code }
}

/// Has the robot go through the tour of v3.1, which must pass every check; gives its report.
pub(crate) async fn pass_every_check(bank: &Bank) -> String {
    pass_every_check_at(bank, bank.clocks()).await
}

/// The same on these clocks: those of a server in a process of its own are the machine's.
pub(crate) async fn pass_every_check_at(bank: &Bank, clocks: Clocks) -> String {
    let options = options(bank, false, None);
    let mut report = Shared::default();
    let passing = time_passes(bank, report.clone());
    let ending = tokio::select! {
        ending = run_with(&options, clocks, bank.ids(), &mut report, false) => ending,
        () = passing => unreachable!("time passes for ever"),
    };
    let report = report.text();
    assert_eq!(ending.ok(), Some(TourEnding::Complete), "{report}");
    assert!(report.contains(", 0 failed"), "{report}");
    let steps = ["Discovery", "consent", "Authorisation", "Accounts", "Balances", "Transactions", "Statements"];
    for step in steps.into_iter().chain([
        "Events",
        "held, then woken",
        "one key, one payment",
        "AcceptedCreditSettlementCompleted",
    ]) {
        assert!(report.contains(step), "{step}: {report}");
    }
    for step in ["Tea and Scones TOUR-", "the bank keeps it", "no money moved", "Consent deletion"] {
        assert!(report.contains(step), "{step}: {report}");
    }
    for step in
        ["bank has the euros", "2 payments made, 1 refused", "0.00 GBP is left of this limit", "9999999.00 GBP: no"]
    {
        assert!(report.contains(step), "{step}: {report}");
    }
    report
}

#[tokio::test]
async fn the_robots_tour_passes_every_check() {
    for bank in Bank::each_engine().await {
        let report = pass_every_check(&bank).await;
        let saved = std::fs::read(bank.data_dir().join("tpps/robot/statement.pdf")).unwrap();
        assert!(saved.starts_with(b"%PDF-") && report.contains("statement.pdf"), "{report}");
        assert!(!report.contains('\u{1b}'), "no colours where no terminal is");
    }
}

#[tokio::test]
async fn the_robots_tour_through_v4_0_passes_every_check() {
    for bank in Bank::each_engine().await {
        let options = TourOptions { version: Version::V4_0, ..options(&bank, false, None) };
        let mut report = Shared::default();
        let passing = time_passes(&bank, report.clone());
        let ending = tokio::select! {
            ending = run_with(&options, bank.clocks(), bank.ids(), &mut report, false) => ending,
            () = passing => unreachable!("time passes for ever"),
        };
        let report = report.text();
        assert_eq!(ending.ok(), Some(TourEnding::Complete), "{report}");
        assert!(report.contains(", 0 failed"), "{report}");
        for step in ["through v4.0", "held, then woken", "ACCC", "no money moved", "2 payments made, 1 refused"] {
            assert!(report.contains(step), "{step}: {report}");
        }
        for step in ["5.00 of the month\u{2019}s 8.00 are used", "3.01 is refused, 3.00 is paid", "Consent deletion"] {
            assert!(report.contains(step), "{step}: {report}");
        }
    }
}

#[tokio::test]
async fn a_persons_tour_goes_on_with_the_code_from_the_browser() {
    let bank = Bank::start().await;
    let tour = async |code: Option<String>| {
        let options = options(&bank, true, code);
        let mut report = Shared::default();
        let passing = time_passes(&bank, report.clone());
        let ending = tokio::select! {
            ending = run_with(&options, bank.clocks(), bank.ids(), &mut report, false) => ending,
            () = passing => unreachable!("time passes for ever"),
        };
        (ending.ok(), report.text())
    };
    // The address that was printed last, opened; the code that came back.
    let agree = async |report: &str| {
        let url = report.lines().rfind(|line| line.starts_with(&bank.endpoints().public)).expect("an address to open");
        let mut browser = Browser::new(&bank.tpp("acme"));
        let decision = browser.log_in(url, "amelia").await;
        let form = decision.form_with("decision");
        let account = form.values("account").remove(0);
        let back = browser.submit(form, &[("account", &account), ("decision", "approve")]).await.exchange;
        let fragment = back.header("location").unwrap().split_once('#').unwrap().1;
        let (_, code) = url::form_urlencoded::parse(fragment.as_bytes()).find(|(name, _)| name == "code").unwrap();
        code.into_owned()
    };
    let (ending, report) = tour(None).await;
    assert_eq!(ending, Some(TourEnding::InBrowser), "{report}");
    let code = agree(&report).await;

    let (ending, report) = tour(Some(code)).await;
    assert_eq!(ending, Some(TourEnding::InBrowser), "the payment waits for the customer: {report}");
    assert!(report.contains("choose the account to pay from") && report.contains("Consent deletion"), "{report}");
    let code = agree(&report).await;

    let (ending, report) = tour(Some(code)).await;
    assert_eq!(ending, Some(TourEnding::Complete), "{report}");
    assert!(report.contains("1.25 GBP to Tea and Scones") && report.contains(", 0 failed"), "{report}");
    assert!(report.contains("AcceptedCreditSettlementCompleted"), "{report}");
}
