//! A node whose role changes no table, by the SQL that operators are given.

use crate::harness::{Bank, Engine, PayingTpp, access, postgres_database, postgres_run, run_at};
use lombard::config::Config;
use lombard::server::migrate_database;
use lombard_domain::payment::PaymentProduct;

/// The page with the SQL.
const PAGE: &str = include_str!("../../../docs/operating/storage.md");

/// The statements of the SQL examples of a section, one by one, as they are printed.
pub(crate) fn statements(section: &str) -> Vec<Vec<String>> {
    let (_, text) = PAGE.split_once(&format!("### {section}\n")).unwrap();
    let text = text.split("\n## ").next().unwrap().split("\n### ").next().unwrap();
    let blocks = text.split("```sql\n").skip(1).map(|rest| rest.split("```").next().unwrap());
    let statements = |block: &str| block.split_inclusive(";\n").map(str::trim).map(str::to_owned).collect();
    blocks.map(statements).collect()
}

#[tokio::test]
async fn a_node_serves_with_a_role_that_changes_no_table() {
    if !Engine::at_hand().contains(&Engine::Postgres) {
        return;
    }
    let two_roles = statements("Two roles");
    let [once, in_database] = &two_roles[..] else { panic!("{two_roles:?}") };
    let [of_a_pooler] = &statements("Behind PgBouncer")[..] else { panic!("one example") };
    // What an earlier run has left on this server.
    let drop_all =
        ["DROP DATABASE IF EXISTS lombard WITH (FORCE)", "DROP ROLE IF EXISTS lombard_node"].map(str::to_owned);
    let drop_owner = "DROP ROLE IF EXISTS lombard_owner".to_owned();
    postgres_run(&drop_all).await;
    postgres_run(std::slice::from_ref(&drop_owner)).await;
    postgres_run(once).await;
    postgres_run(of_a_pooler).await;

    // A new database: the owner migrates, and the node may read what it has made.
    let new = postgres_database("lombard");
    run_at(&new, in_database).await;
    let as_role = |url: &str, role: &str, password: &str| {
        let mut url: url::Url = url.parse().unwrap();
        url.set_username(role).unwrap();
        url.set_password(Some(password)).unwrap();
        url.to_string()
    };
    let owner = as_role(&new, "lombard_owner", "the password of migrations");
    let node = as_role(&new, "lombard_node", "the password of nodes");
    let folder = tempfile::tempdir().unwrap();
    let migrate = async |url: &str| {
        let mut config = Config::from_parts("", &[("LOMBARD__DATABASE__URL".to_owned(), url.to_owned())]).unwrap();
        config.data_dir = folder.path().to_owned();
        migrate_database(&config).await
    };
    assert!(migrate(&node).await.is_err(), "the node's role makes no table");
    assert!(!migrate(&owner).await.unwrap().is_empty());
    assert!(migrate(&node).await.unwrap().is_empty(), "nothing is left to be done");
    run_at(&node, &["DELETE FROM clients".to_owned()]).await;

    // A database that has tables: a bank serves and takes payments.
    let mut bank = Bank::unstarted(Engine::Postgres).await;
    let url = bank.database_url();
    run_at(url.as_str(), in_database).await;
    let node = as_role(url.as_str(), "lombard_node", "the password of nodes");
    bank.restart_with(&[("database.url", &node)]).await;
    let customer = access(&bank.tpp("robot"), &crate::harness::EVERYTHING).await;
    assert!(!customer.account_ids().await.is_empty());
    let tpp = PayingTpp::robot(&bank).await;
    let agreed = tpp.agreed(PaymentProduct::ALL[0]).await;
    let (id, _) = tpp.ordered(&agreed).await;
    assert!(!id.is_empty());
    bank.stop().await;
    let drop_owned = ["DROP OWNED BY lombard_node", "DROP OWNED BY lombard_owner"].map(str::to_owned);
    run_at(url.as_str(), &drop_owned).await;
    postgres_run(&drop_all).await;
    postgres_run(&[drop_owner]).await;
}
