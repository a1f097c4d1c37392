//! The tour of `lombard tour`, against a real server.

use crate::harness::{Bank, Browser};
use lombard::tour::{Ending, Options, run_with};

fn options(bank: &Bank, browser: bool, code: Option<String>) -> Options {
    Options { data_dir: bank.data_dir().to_owned(), browser, code }
}

#[tokio::test]
async fn the_robots_tour_passes_every_check() {
    for bank in Bank::each_engine().await {
        let mut report = Vec::new();
        let ending = run_with(&options(&bank, false, None), bank.clocks(), bank.ids(), &mut report, false).await;
        let report = String::from_utf8(report).unwrap();
        assert_eq!(ending.ok(), Some(Ending::Complete), "{report}");
        assert!(report.contains(", 0 failed"), "{report}");
        let steps = ["Discovery", "consent", "Authorisation", "Accounts", "Balances", "Transactions", "Statements"];
        for step in steps.into_iter().chain(["Events", "held, then woken", "Farewell"]) {
            assert!(report.contains(step), "{step}: {report}");
        }
        let saved = std::fs::read(bank.data_dir().join("tpps/robot/statement.pdf")).unwrap();
        assert!(saved.starts_with(b"%PDF-") && report.contains("statement.pdf"), "{report}");
        assert!(!report.contains('\u{1b}'), "no colours where no terminal is");
    }
}

#[tokio::test]
async fn a_persons_tour_goes_on_with_the_code_from_the_browser() {
    let bank = Bank::start().await;
    let mut report = Vec::new();
    let ending = run_with(&options(&bank, true, None), bank.clocks(), bank.ids(), &mut report, false).await;
    let report = String::from_utf8(report).unwrap();
    assert_eq!(ending.ok(), Some(Ending::InBrowser), "{report}");
    let url = report.lines().find(|line| line.starts_with(&bank.endpoints().public)).expect("an address to open");

    let mut browser = Browser::new(&bank.tpp("acme"));
    let decision = browser.log_in(url, "amelia").await;
    let back = browser.agree(&decision).await;
    let fragment = back.header("location").unwrap().split_once('#').unwrap().1;
    let (_, code) = url::form_urlencoded::parse(fragment.as_bytes()).find(|(name, _)| name == "code").unwrap();

    let mut report = Vec::new();
    let ending =
        run_with(&options(&bank, true, Some(code.into())), bank.clocks(), bank.ids(), &mut report, false).await;
    let report = String::from_utf8(report).unwrap();
    assert_eq!(ending.ok(), Some(Ending::Complete), "{report}");
}
