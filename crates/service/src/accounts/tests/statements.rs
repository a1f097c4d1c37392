//! Statements, what is on them, and their files.

use super::*;

/// Two accounts, each with a statement a day; the entries of a day are on its statement.
fn bank() -> SmallBank {
    let entries = (0..3).flat_map(|day| {
        ["b-1", "b-2"].into_iter().flat_map(move |account| {
            [(6, 500), (18, -500)].map(|(hour, minor)| {
                let id = format!("t-{account}-{day}-{hour}");
                let statement_references = vec![format!("{account}-{day}")];
                Transaction { statement_references, ..full_transaction(account, &id, day * 24 + hour, minor) }
            })
        })
    });
    let mut bank = SmallBank::with(&["b-1", "b-2"], entries.collect());
    for day in 0..3 {
        for account in ["b-1", "b-2"] {
            let id = format!("{account}-{day}");
            bank.records.statements.push(full_statement(account, &id, day * 24, day * 24 + 23));
        }
    }
    bank
}

fn alias(consent: &Consent, account: &str) -> AccountId {
    consent.accounts.iter().find(|it| it.account.as_str() == account).unwrap().alias.clone()
}

fn on(consent: &Consent, account: &str, statement: &str) -> ReadTarget {
    ReadTarget::Statement(alias(consent, account), statement.into())
}

fn statement_ids(listing: &ResourcePage<Statement>) -> Vec<&str> {
    listing.items.iter().map(|shown| shown.record.id.as_str()).collect()
}

const BASIC: [Permission; 1] = [Permission::ReadStatementsBasic];

#[tokio::test]
async fn ais_092_ais_095_ais_096_and_ais_143_statements_lie_wholly_inside() {
    let (context, _) = context(bank()).await;
    let covered =
        |from, to| AccountAccess { transactions_from: Some(at(from)), transactions_to: Some(at(to)), ..terms(&BASIC) };
    for (from, to, expected, available) in [
        (0, 71, vec!["b-1-2", "b-1-1", "b-1-0"], Some((at(0), at(71)))),
        (1, 71, vec!["b-1-2", "b-1-1"], Some((at(24), at(71)))),
        (0, 70, vec!["b-1-1", "b-1-0"], Some((at(0), at(47)))),
        (25, 46, vec![], None),
    ] {
        let consent = authorised(&context, "acme", covered(from, to), &["b-1"]).await;
        let listing = across::<Statements>(&context, &consent, &ResourceQuery::first_page(100)).await.unwrap();
        assert_eq!(statement_ids(&listing), expected, "{from} {to}");
        assert_eq!(listing.available, available);
        let query = ResourceQuery { from: Some(at(24)), to: Some(at(48)), ..ResourceQuery::first_page(100) };
        let listing = across::<Statements>(&context, &consent, &query).await.unwrap();
        let middle = if expected.contains(&"b-1-1") { vec!["b-1-1"] } else { vec![] };
        assert_eq!(statement_ids(&listing), middle);
        assert_eq!(listing.available, available, "before filtering");
    }
}

#[tokio::test]
async fn ais_043_ais_050_and_ais_146_one_statement_is_a_list_of_one() {
    let (context, _) = context(bank()).await;
    let query = ResourceQuery { from: Some(at(1_000)), ..ResourceQuery::first_page(1) };
    for (permission, amounts) in [(Permission::ReadStatementsBasic, false), (Permission::ReadStatementsDetail, true)] {
        let consent = authorised(&context, "acme", terms(&[permission]), &["b-1"]).await;
        let within = on(&consent, "b-1", "b-1-1");
        let listing = read_resource::<Statements>(&context, &consent, &within, &query).await.unwrap();
        assert_eq!(statement_ids(&listing), ["b-1-1"]);
        assert_eq!(!listing.items[0].record.amounts.is_empty(), amounts);
        assert_eq!((&listing.prev, &listing.next), (&None, &None));
    }
}

#[tokio::test]
async fn ais_094_ais_145_and_ais_082_statements_that_are_not_to_be_seen() {
    let (mut context, _) = context(bank()).await;
    let permissions = [&EVERY_ENTRY[..], &[Permission::ReadStatementsDetail]].concat();
    let access = AccountAccess { transactions_from: Some(at(20)), ..terms(&permissions) };
    let consent = authorised(&context, "acme", access, &["b-1", "b-2"]).await;
    let narrow = authorised(&context, "acme", terms(&permissions), &["b-2"]).await;
    let unselected = ReadTarget::Statement(alias(&consent, "b-1"), "b-1-1".into());
    for (consent, within, kind) in [
        (&consent, on(&consent, "b-1", "b-1-0"), RefusalKind::OutsidePeriod),
        (&consent, on(&consent, "b-1", "nothing"), RefusalKind::NotFound),
        (&consent, on(&consent, "b-1", "b-2-1"), RefusalKind::NotFound),
        (&narrow, unselected, RefusalKind::AccountNotSelected),
        (&consent, ReadTarget::Statement("unknown".into(), "b-1-1".into()), RefusalKind::NotFound),
    ] {
        refused(&context, consent, &within, kind).await;
    }
    context.bank = Arc::new(SmallBank { accounts: vec![full_account("b-2")], ..bank() });
    refused(&context, &consent, &on(&consent, "b-1", "b-1-1"), RefusalKind::AccountNotSelected).await;
}

/// Checks that a statement, its entries and its file are refused in the same way.
async fn refused(context: &Context, consent: &Consent, within: &ReadTarget, kind: RefusalKind) {
    let query = ResourceQuery::first_page(100);
    assert_eq!(refusal(read_resource::<Statements>(context, consent, within, &query).await), kind, "{within:?}");
    assert_eq!(refusal(read_resource::<Transactions>(context, consent, within, &query).await), kind, "{within:?}");
    let ReadTarget::Statement(account, statement) = within.clone() else { panic!("{within:?}") };
    let file = read_statement_file(context, consent, account, statement, StatementFormat::Pdf).await;
    assert_eq!(refusal(file), kind, "{within:?}");
}

#[tokio::test]
async fn ais_042_ais_044_ais_094_and_ais_147_what_is_on_a_statement() {
    let (context, _) = context(bank()).await;
    // The period covers the statement wholly and contains one of its entries; no permission for statements is needed.
    for (permissions, from, expected) in [
        (EVERY_ENTRY.to_vec(), 24, vec!["t-b-1-1-18", "t-b-1-1-6"]),
        (vec![Permission::ReadTransactionsBasic, Permission::ReadTransactionsDebits], 24, vec!["t-b-1-1-18"]),
        (vec![Permission::ReadTransactionsBasic, Permission::ReadTransactionsCredits], 24, vec!["t-b-1-1-6"]),
    ] {
        let access = AccountAccess { transactions_from: Some(at(from)), ..terms(&permissions) };
        let consent = authorised(&context, "acme", access, &["b-1"]).await;
        let within = on(&consent, "b-1", "b-1-1");
        assert_eq!(within.filter::<Transactions>(), DateFilter::None, "AIS-147");
        let listing =
            read_resource::<Transactions>(&context, &consent, &within, &ResourceQuery::first_page(100)).await.unwrap();
        assert_eq!(ids(&listing), expected);
        let mut pages = Vec::new();
        let mut query = ResourceQuery::first_page(1);
        loop {
            let page = read_resource::<Transactions>(&context, &consent, &within, &query).await.unwrap();
            query.page = page.next.clone();
            pages.push(page);
            if query.page.is_none() {
                break;
            }
        }
        assert_eq!(pages.iter().flat_map(ids).collect::<Vec<_>>(), expected);
    }
    let consent = authorised(&context, "acme", terms(&BASIC), &["b-1"]).await;
    let answer =
        read_resource::<Transactions>(&context, &consent, &on(&consent, "b-1", "b-1-1"), &ResourceQuery::first_page(1))
            .await;
    assert_eq!(refusal(answer), RefusalKind::PermissionMissing);
}

#[tokio::test]
async fn ais_155_and_ais_156_the_file_needs_detail_and_comes_in_two_formats() {
    let (context, _) = context(bank()).await;
    let consent = authorised(&context, "acme", terms(&BASIC), &["b-1"]).await;
    let (account, unknown) = (alias(&consent, "b-1"), AccountId::from("unknown"));
    let file = read_statement_file(&context, &consent, unknown, "b-1-1".into(), StatementFormat::Pdf).await;
    assert_eq!(refusal(file), RefusalKind::PermissionMissing, "before the id (RW-025)");
    let consent = authorised(&context, "acme", terms(&[Permission::ReadStatementsDetail]), &["b-1"]).await;
    for (format, text) in [(StatementFormat::Pdf, "Pdf b-1-1"), (StatementFormat::Csv, "Csv b-1-1")] {
        let file = read_statement_file(&context, &consent, account.clone(), "b-1-1".into(), format).await.unwrap();
        assert_eq!(file, StatementFile { ends_at: at(47), format, bytes: text.into() });
    }
}
