//! A server with an embedded core has no tables or endpoints of the built-in bank.

use crate::harness::{Bank, Engine, PayingTpp, ValueExt, access, until};
use crate::payments::books::count;
use lombard::server::Core;
use lombard_domain::account::{Account, AccountIdentification, AccountScheme};
use lombard_domain::money::{Currency, SignedAmount};
use lombard_domain::payment::PaymentProduct;
use lombard_ports::bank::{StubBank, sample_account};
use lombard_ports::identity::{Person, StubIdentity};
use std::sync::Arc;

/// The bank's one customer, whom the sandbox's robot stands for.
const AMELIA: &str = "amelia";

fn account() -> Account {
    Account {
        nickname: Some("Bills".to_owned()),
        identifications: vec![AccountIdentification {
            name: Some("Amelia".to_owned()),
            ..AccountIdentification::new(AccountScheme::SortCodeAccountNumber, "20000012345678")
        }],
        ..sample_account("one")
    }
}

#[tokio::test]
async fn a_core_of_another_program_serves_a_read_and_takes_a_payment() {
    for engine in Engine::at_hand() {
        let core = Arc::new(StubBank::with_accounts([(AMELIA.into(), account())]));
        core.set_payer("one".into(), SignedAmount::from_minor(100_000, Currency::GBP), vec![AMELIA.into()]);
        let mut bank = Bank::bare(engine).await;
        let people = StubIdentity(vec![Person { psu: AMELIA.into(), name: "Amelia".to_owned() }]);
        let brought =
            Core { bank: Arc::clone(&core) as _, identity: Arc::new(people), scheduler: None, quarantine: None };
        bank.restart_with_core(&[("bank.kind", "embedded"), ("identity.kind", "embedded")], brought).await;

        let access = access(&bank.tpp("robot"), &["ReadAccountsBasic", "ReadBalances"]).await;
        let accounts = access.read("aisp/accounts").await.list("/Data/Account");
        assert_eq!(accounts.len(), 1, "{accounts:?}");
        assert_eq!(accounts[0].text("Nickname"), "Bills");
        let robot = PayingTpp::robot(&bank).await;
        let agreed = robot.agreed(PaymentProduct::DomesticPayment).await;
        let (order, _) = robot.ordered(&agreed).await;
        until(async || (core.payment_script().orders.len() == 1).then_some(())).await;
        assert_eq!(core.payment_script().orders[0].id.as_str(), order);

        let own = match engine {
            Engine::Sqlite => "SELECT count(*) FROM sqlite_master WHERE name = 'ledger_accounts'",
            Engine::Postgres => "SELECT count(*) FROM information_schema.tables WHERE table_name = 'ledger_accounts'",
        };
        assert_eq!(count(&bank, own).await, 0, "no table of the built-in bank");
        assert_eq!(bank.ops_get("/readyz").await.status, 200);
    }
}
