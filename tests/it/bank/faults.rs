//! Each fault of a call between a server and its core, at each call that changes something: an order is made once on both sides, and
//! the end of an account is told once.

use super::agreement;
use crate::harness::{
    Bank, Engine, ExchangeExt, Fault, FaultPlan, FaultProxy, PayingTpp, TestCore, ValueExt, access, until,
};
use crate::payments::books;
use jiff::SignedDuration;
use lombard_domain::payment::PaymentProduct;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::time::Duration;
use tokio::time::timeout;

/// The calls of a payment that change something at the core, or on which it depends what is changed.
const CALLS: [&str; 4] = ["submit", "status-updates", "acknowledge-status-updates", "consent-change"];
/// What the references of these payments begin with.
const REFERENCE: &str = "FAULT-";
/// In which an order rests that was carried out.
const ENDS: [&str; 2] = ["AcceptedCreditSettlementCompleted", "InitiationCompleted"];
/// Changes of accounts at the core that were not acknowledged.
const CHANGES_LEFT: &str = "SELECT count(*) FROM account_changes";
/// Longer than a payment takes whose calls are repeated.
const PAID_WITHIN: Duration = Duration::from_secs(60);

/// Lets time pass on all clocks until the order rests and the fault has come about.
async fn settle(bank: &Bank, proxy: &FaultProxy, paying: &PayingTpp, product: PaymentProduct, order: &str) {
    let settled = async {
        loop {
            let now = paying.order_now(product, order).await["Data"].text("Status").to_owned();
            if ENDS.contains(&now.as_str()) && proxy.is_calm() {
                return;
            }
            assert_ne!(now, "Rejected");
            // What failed is tried again by the machine's clock, and payments are made by the bank's.
            bank.clock.advance(SignedDuration::from_secs(1));
            tokio::task::yield_now().await;
        }
    };
    timeout(PAID_WITHIN, settled).await.expect("the order comes to its end");
}

#[tokio::test(flavor = "multi_thread")]
async fn pis_041_each_fault_of_each_call_leaves_one_order_on_both_sides() {
    for engine in Engine::at_hand() {
        let mut bank = Bank::unstarted_with(engine, TestCore::Process).await;
        bank.run_core().await;
        let proxy = bank.put_proxy_before_core(1).await;
        bank.restart().await;
        let mut references = Vec::new();
        for call in CALLS {
            for fault in Fault::ALL {
                // More time passes on the test's clock than a token lives.
                let paying = PayingTpp::robot(&bank).await;
                let reference = format!("{REFERENCE}{}", references.len());
                let mut asked = paying.asking(PaymentProduct::DomesticPayment);
                asked["Data"]["Initiation"]["EndToEndIdentification"] = json!(reference);
                asked["Data"]["Initiation"]["InstructedAmount"]["Amount"] = json!("0.01");
                if call == "consent-change" {
                    proxy.plan(FaultPlan::Next(call, fault));
                }
                let agreed = paying.agreed_to(PaymentProduct::DomesticPayment, asked).await;
                if call != "consent-change" {
                    proxy.plan(FaultPlan::Next(call, fault));
                }
                let (order, _) = paying.ordered(&agreed).await;
                settle(&bank, &proxy, &paying, PaymentProduct::DomesticPayment, &order).await;
                references.push(reference);
            }
        }
        for fault in Fault::ALL {
            let paying = PayingTpp::robot(&bank).await;
            let agreed = paying.agreed(PaymentProduct::FilePayment).await;
            proxy.plan(FaultPlan::Next("submit", fault));
            let (order, _) = paying.ordered(&agreed).await;
            settle(&bank, &proxy, &paying, PaymentProduct::FilePayment, &order).await;
        }
        proxy.come_to_rest().await;
        assert_eq!(proxy.counts().values().sum::<usize>(), (CALLS.len() + 1) * Fault::ALL.len());
        agreement::check(&bank).await;
        let entries = books::entries(&bank.tpp("robot"), REFERENCE).await;
        for reference in references {
            let moved = entries.get(&reference).map_or(0, Vec::len);
            assert_eq!(moved, 1, "{reference}: money moves once");
        }
        bank.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn set_032_each_acknowledgement_fault_leaves_one_event_for_an_account_end() {
    for engine in Engine::at_hand() {
        let mut bank = Bank::unstarted_with(engine, TestCore::Process).await;
        bank.run_core().await;
        let proxy = bank.put_proxy_before_core(1).await;
        bank.restart().await;
        let mut left = &Fault::ALL[..];
        while !left.is_empty() {
            let shared = access(&bank.tpp("robot"), &["ReadAccountsBasic"]).await;
            assert_eq!(books::events(&shared.tpp).await.remove(&shared.consent), Some(1), "it is authorised");
            let psus = bank.ops_get("/sandbox/psus").await.ok(200).list("/psus");
            let accounts = psus.iter().find(|psu| psu["login"] == "amelia").unwrap().list("/accounts");
            for account in &accounts {
                let Some((fault, others)) = left.split_first() else { break };
                left = others;
                proxy.plan(FaultPlan::Next("acknowledge-account-changes", *fault));
                let path = format!("/sandbox/accounts/{}/close", account.text("id"));
                let (status, answer) = bank.ops_post(&path, &Value::Null).await;
                assert_eq!(status, 200, "{answer}");
                until(async || proxy.is_calm().then_some(())).await;
                until(async || (books::ledger_count(&bank, CHANGES_LEFT).await == 0).then_some(())).await;
                proxy.come_to_rest().await;
                let told = books::events(&shared.tpp).await;
                assert_eq!(told, BTreeMap::from([(shared.consent.clone(), 1)]), "{engine:?}, {fault:?}");
            }
            let (status, answer) = bank.ops_post("/sandbox/reset", &Value::Null).await;
            assert_eq!(status, 200, "{answer}");
        }
        bank.stop().await;
    }
}
