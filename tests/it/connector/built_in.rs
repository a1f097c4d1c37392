//! The built-in bank as a process of its own keeps every promise that `lombard connector check` checks.

use crate::harness::{Bank, Engine, TestCore, ValueExt};
use crate::payments::books::ledger_texts;
use lombard::entropy::SystemEntropy;
use lombard_connector::check::{CheckOptions, CheckedPromise, PromiseOutcome, check_core};
use lombard_connector::{ConnectorSettings, CoreIdentity};
use lombard_domain::ids::BankAccountId;
use lombard_domain::money::Currency;
use lombard_domain::payment::exchange::{AgreedRate, CurrencyPair};
use lombard_ports::bank::contract::ExchangeFacts;
use lombard_ports::clock::Clocks;
use lombard_tpp::parse_certificates;
use rustls_pki_types::PrivateKeyDer;
use rustls_pki_types::pem::PemObject;
use serde_json::Value;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// The accounts of a customer who can share none.
const WITHHELD: &str = "SELECT bank_account_id FROM bank_account_holders WHERE psu_id = 'esther'";
/// Longer than the built-in bank takes for a payment.
const ORDER_TIME_MAX: Duration = Duration::from_secs(60);

/// How a connector reaches the core that this file names.
fn settings(core_file: &Path) -> ConnectorSettings {
    let core: Value = serde_json::from_slice(&std::fs::read(core_file).unwrap()).unwrap();
    let certificates = |member: &str| parse_certificates(Path::new(core.text(member))).unwrap();
    let key = Arc::new(PrivateKeyDer::from_pem_file(core.text("key")).unwrap());
    let identity = CoreIdentity { chain: certificates("certificate"), key };
    ConnectorSettings::new(core.text("url").parse().unwrap(), certificates("ca"), identity)
}

#[tokio::test]
async fn the_built_in_bank_keeps_every_promise() {
    for engine in Engine::at_hand() {
        let bank = Bank::unstarted_with(engine, TestCore::Process).await;
        bank.run_core_in_real_time().await;
        let pair = |transfer: &str| CurrencyPair { unit: Currency::GBP, transfer: transfer.parse().unwrap() };
        let deal = AgreedRate { rate: "1.28".parse().unwrap(), contract: "LSB-FX-0002".to_owned() };
        let options = CheckOptions {
            customer: "amelia".into(),
            closed: ledger_texts(&bank, WITHHELD).await.into_iter().map(BankAccountId::from).collect(),
            payee: "20304012345678".to_owned(),
            exchange: Some(ExchangeFacts { pair: pair("USD"), deal, unknown: pair("XTS") }),
            writes: true,
            order_time_max: ORDER_TIME_MAX,
        };
        assert!(!options.closed.is_empty());
        let mut kept = 0;
        let mut others = Vec::new();
        let parts = (Clocks::system(), Arc::new(SystemEntropy) as _);
        let report = &mut |promise: CheckedPromise| match promise.outcome {
            PromiseOutcome::Fulfilled => kept += 1,
            PromiseOutcome::Violated { .. } | PromiseOutcome::NotChecked(_) => others.push(promise),
        };
        check_core(settings(&bank.core_file()), &options, parts, report).await.unwrap();
        assert!(others.is_empty(), "{others:#?}");
        assert!(kept > 30, "{kept}");
    }
}
