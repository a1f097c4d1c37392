//! A server with a core that a program brings: nothing of the built-in bank is there.

use crate::harness::{Bank, Engine, Paying, ValueExt, access, until};
use crate::payments::books::count;
use jiff::Timestamp;
use lombard::server::Core;
use lombard_domain::account::{Account, AccountScheme, AccountStatus, AccountSubType, AccountType, Identification};
use lombard_domain::money::{Currency, Signed};
use lombard_domain::order::Product;
use lombard_ports::bank::StubBank;
use lombard_ports::identity::{Person, StubIdentity};
use std::sync::Arc;

/// The bank's one customer, whom the sandbox's robot stands for.
const AMELIA: &str = "amelia";

fn account() -> Account {
    Account {
        id: "one".into(),
        status: AccountStatus::Enabled,
        status_changed_at: Timestamp::UNIX_EPOCH,
        currency: Currency::GBP,
        account_type: AccountType::Personal,
        sub_type: AccountSubType::CurrentAccount,
        description: None,
        nickname: Some("Bills".to_owned()),
        opened_on: None,
        matures_on: None,
        switch_status: None,
        identifications: vec![Identification {
            scheme: AccountScheme::SortCodeAccountNumber,
            number: "20000012345678".to_owned(),
            name: Some("Amelia".to_owned()),
            secondary: None,
        }],
        servicer: None,
    }
}

#[tokio::test]
async fn a_core_of_another_program_serves_a_read_and_takes_a_payment() {
    for engine in Engine::at_hand() {
        let core = Arc::new(StubBank::with([(AMELIA.into(), account())]));
        core.provide("one".into(), Signed::from_minor(100_000, Currency::GBP), vec![AMELIA.into()]);
        let mut bank = Bank::bare(engine).await;
        let people = StubIdentity(vec![Person { psu: AMELIA.into(), name: "Amelia".to_owned() }]);
        let brought =
            Core { bank: Arc::clone(&core) as _, identity: Arc::new(people), scheduler: None, quarantine: None };
        bank.restart_with_core(&[("bank.kind", "embedded"), ("identity.kind", "embedded")], brought).await;

        let access = access(&bank.tpp("robot"), &["ReadAccountsBasic", "ReadBalances"]).await;
        let accounts = access.read("aisp/accounts").await.list("/Data/Account");
        assert_eq!(accounts.len(), 1, "{accounts:?}");
        assert_eq!(accounts[0].text("Nickname"), "Bills");
        let robot = Paying::robot(&bank).await;
        let agreed = robot.agreed(Product::DomesticPayment).await;
        let (order, _) = robot.ordered(&agreed).await;
        until(async || (core.script().orders.len() == 1).then_some(())).await;
        assert_eq!(core.script().orders[0].id.as_str(), order);

        let own = match engine {
            Engine::Sqlite => "SELECT count(*) FROM sqlite_master WHERE name = 'ledger_accounts'",
            Engine::Postgres => "SELECT count(*) FROM information_schema.tables WHERE table_name = 'ledger_accounts'",
        };
        assert_eq!(count(&bank, own).await, 0, "no table of the built-in bank");
        assert_eq!(bank.ops_get("/readyz").await.status, 200);
    }
}
