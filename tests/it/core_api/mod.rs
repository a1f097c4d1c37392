//! The built-in bank behind the core API: the contract of the bank port over mutual TLS.

pub(crate) mod served_bank;

use crate::harness::Authority;
use jiff::SignedDuration;
use lombard_database::test_on_both_engines;
use lombard_database::testing::TestDatabase;
use lombard_domain::account::{AccountIdentification, AccountSubType};
use lombard_domain::ids::BankAccountId;
use lombard_domain::money::{Amount, Currency};
use lombard_domain::page::ListWindow;
use lombard_domain::payment::exchange::{AgreedRate, CurrencyPair};
use lombard_domain::payment::order::PaymentConsentRequest;
use lombard_domain::payment::transfer::{CreditorDetails, NamedAccount, References, Timing, Transfer};
use lombard_ports::bank::{
    Bank, BankError, CallContext, EntryFilter, ListAnswer, ListKind, Payer, PaymentBank, PaymentOrder, StatementFilter,
    StatementFormat, TimeRange, contract,
};
use served_bank::{NOW, ServedBank};
use std::sync::Arc;

test_on_both_engines! {
    the_bank_keeps_the_contract_of_accounts_over_the_wire,
    the_bank_keeps_the_contract_of_payments_over_the_wire,
    what_is_read_over_the_wire_is_what_the_bank_said,
    a_caller_that_is_not_trusted_is_not_answered,
}

/// Runs a contract suite on this thread: its callbacks are not known to be `Send`.
fn run_here(suite: impl Future<Output = ()>) {
    tokio::task::block_in_place(|| tokio::runtime::Handle::current().block_on(suite));
}

async fn the_bank_keeps_the_contract_of_accounts_over_the_wire(database: Arc<TestDatabase>) {
    run_here(check_accounts(&database));
}

async fn check_accounts(database: &TestDatabase) {
    let served = ServedBank::start(database).await;
    let mut withheld = served.accounts_of("esther").await;
    withheld.push(BankAccountId::from("no such account"));
    for psu in ["amelia", "bashir", "chloe"] {
        let facts = contract::BankFacts { psu: psu.into(), nobody: "esther".into(), withheld: withheld.clone() };
        contract::check_bank_contract(&served.remote, &facts).await.unwrap();
    }
    served.stop().await;
}

async fn the_bank_keeps_the_contract_of_payments_over_the_wire(database: Arc<TestDatabase>) {
    run_here(check_payments(&database));
}

async fn check_payments(database: &TestDatabase) {
    let served = ServedBank::start(database).await;
    let call = CallContext::default();
    let payers = served.remote.list_payers(&call, &"amelia".into()).await.unwrap();
    let is_current =
        |it: &&Payer| it.account.sub_type == AccountSubType::CurrentAccount && it.account.currency == Currency::GBP;
    let payer = payers.iter().find(is_current).unwrap();
    let payees = served.remote.list_payers(&call, &"bashir".into()).await.unwrap();
    let payee = payees.iter().find(is_current).unwrap().account.identifications[0].clone();
    let creditor = NamedAccount::under_name(AccountIdentification { proxy: None, ..payee }, "Bashir".to_owned());
    let references = References { reference: Some("Rent \"März\"".to_owned()), ..References::default() };
    let credit = CreditorDetails { references, ..CreditorDetails::new(creditor) };
    let transfer = Transfer::domestic(credit, Amount::from_minor(100, Currency::GBP), Timing::Immediate);
    let terms = PaymentConsentRequest::new(transfer.clone());
    let conditions = served.remote.quote_conditions(&call, &terms).await.unwrap();
    let order = |id: &str| PaymentOrder {
        id: id.into(),
        product: terms.product(),
        transfer: transfer.clone(),
        debtor: payer.account.id.clone(),
        conditions: conditions.clone(),
        created_at: NOW.parse().unwrap(),
        call: CallContext::default(),
        core_state: None,
    };
    let pair = |transfer: &str| CurrencyPair { unit: Currency::GBP, transfer: transfer.parse().unwrap() };
    let facts = contract::PaymentFacts {
        psu: "amelia".into(),
        withheld: vec![BankAccountId::from("no such account")],
        terms: terms.clone(),
        order: order("core-o"),
        rounds_max: 1,
    };
    let exchange = contract::ExchangeFacts {
        pair: pair("USD"),
        deal: AgreedRate { rate: "1.28".parse().unwrap(), contract: "LSB-FX-0002".to_owned() },
        unknown: pair("NOK"),
    };
    let proceed = async || served.pass(SignedDuration::from_mins(1)).await;
    contract::check_payment_contract(&served.remote, &facts, &exchange, &proceed).await.unwrap();
    served.stop().await;
}

async fn what_is_read_over_the_wire_is_what_the_bank_said(database: Arc<TestDatabase>) {
    let served = ServedBank::start(&database).await;
    let call = CallContext::default();
    let near = &served.bank;
    let far = &served.remote;
    for psu in ["amelia", "bashir", "chloe", "deepak"].map(Into::into) {
        let ids: Vec<_> = near.eligible_accounts(&call, &psu).await.unwrap().into_iter().map(|it| it.id).collect();
        let window = ListWindow::first_page(500);
        macro_rules! same {
            ($($method:ident($($argument:expr),*);)+) => {$(
                let said = near.$method(&call, $($argument),*).await.unwrap();
                assert_eq!(far.$method(&call, $($argument),*).await.unwrap(), said, stringify!($method));
            )+};
        }
        same! {
            eligible_accounts(&psu);
            list_accounts(&ids);
            list_balances(&ids);
            entries_version(&ids);
            find_party(&psu);
            list_payers(&psu);
        }
        for kind in ListKind::ALL {
            same! { list_records(*kind, &ids, &window); }
        }
        // Over the wire a page does not carry its version; it is asked for by itself.
        let all = EntryFilter::for_accounts(ids.clone());
        let said = near.list_transactions(&call, &all, TimeRange::ALWAYS, &window).await.unwrap();
        let heard = far.list_transactions(&call, &all, TimeRange::ALWAYS, &window).await.unwrap();
        assert_eq!(said.version, near.entries_version(&call, &ids).await.unwrap());
        assert_eq!(heard, ListAnswer { version: None, ..said });
        let all = StatementFilter::for_accounts(ids.clone());
        let statements = near.list_statements(&call, &all, TimeRange::ALWAYS, &window).await.unwrap();
        assert_eq!(far.list_statements(&call, &all, TimeRange::ALWAYS, &window).await.unwrap(), statements);
        for statement in statements.page.items.iter().take(2) {
            same! {
                find_statement(&statement.account, &statement.id);
                read_statement_file(&statement.account, &statement.id, StatementFormat::Csv);
            }
        }
        assert_eq!(far.read_statement_file(&call, &ids[0], &"none".into(), StatementFormat::Pdf).await.unwrap(), None);
    }
    served.stop().await;
}

async fn a_caller_that_is_not_trusted_is_not_answered(database: Arc<TestDatabase>) {
    let served = ServedBank::start(&database).await;
    let stranger = served.connect(&Authority::new("stranger"));
    let answer = stranger.list_balances(&CallContext::default(), &[]).await;
    assert!(matches!(answer, Err(BankError::Unavailable(_))), "{answer:?}");
    served.stop().await;
}
