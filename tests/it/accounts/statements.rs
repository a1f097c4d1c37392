//! Statements: their contents, their files and access to them.

use crate::harness::{Bank, CustomerAccess, ExchangeExt, ValueExt, access};
use lombard_tpp::{HttpCall, HttpExchange};
use serde_json::{Value, json};

const PERMISSIONS: [&str; 5] = [
    "ReadAccountsBasic",
    "ReadStatementsDetail",
    "ReadTransactionsDetail",
    "ReadTransactionsCredits",
    "ReadTransactionsDebits",
];

/// An access, and the statements of one of its accounts, newest first.
async fn statements(bank: &Bank) -> (CustomerAccess, String, Vec<Value>) {
    let access = access(&bank.tpp("robot"), &PERMISSIONS).await;
    for account in access.account_ids().await {
        let found = access.read(&format!("aisp/accounts/{account}/statements")).await.list("/Data/Statement");
        if found.len() >= 3 {
            return (access, account, found);
        }
    }
    panic!("no account has three statements");
}

/// A consent with a period, authorised.
async fn during(of: &CustomerAccess, from: &str, to: &str) -> CustomerAccess {
    let data = json!({"Permissions": PERMISSIONS, "TransactionFromDateTime": from, "TransactionToDateTime": to});
    let body = json!({"Data": data, "Risk": {}});
    let consent = of.tpp.consent_post(&of.own, &body).await.unwrap().ok(201);
    CustomerAccess::of(&of.tpp, &of.own, consent["Data"].text("ConsentId")).await
}

fn ids(statements: &[Value]) -> Vec<&str> {
    statements.iter().map(|it| it.text("StatementId")).collect()
}

async fn file(access: &CustomerAccess, path: &str, accept: Option<&str>) -> HttpExchange {
    let call = HttpCall::get(access.tpp.resource_url(path)).with_bearer(access.token());
    let call = match accept {
        Some(accept) => call.with_header("accept", accept),
        None => call,
    };
    access.tpp.send(call).await.unwrap()
}

#[tokio::test]
async fn ais_140_142_146_statements_of_an_account_and_one_of_them() {
    for bank in Bank::each_engine().await {
        let (access, account, found) = statements(&bank).await;
        let times: Vec<_> = found.iter().map(|it| it.text("EndDateTime")).collect();
        assert!(times.is_sorted_by(|newer, older| newer > older), "RW-277: {times:?}");
        for statement in &found {
            let [starts, ends, created] =
                ["StartDateTime", "EndDateTime", "CreationDateTime"].map(|name| statement.text(name));
            assert!(starts < ends && ends <= created, "AIS-142: {statement}");
            let path = format!("aisp/accounts/{account}/statements/{}", statement.text("StatementId"));
            let one = access.read(&path).await;
            assert_eq!(one.list("/Data/Statement"), std::slice::from_ref(statement), "AIS-146");
            assert_eq!(one["Meta"], json!({"TotalPages": 1}));
        }
        let across = access.read("aisp/statements").await.list("/Data/Statement");
        let mine: Vec<_> = across.iter().filter(|it| it.text("AccountId") == account).cloned().collect();
        assert_eq!(mine, found, "AIS-144");
    }
}

#[tokio::test]
async fn ais_092_094_a_statement_partly_outside_the_period_is_not_there() {
    for bank in Bank::each_engine().await {
        let (access, account, found) = statements(&bank).await;
        let [newest, middle, oldest] = [&found[0], &found[1], &found[2]];
        // From a moment after the oldest began until the newest ends.
        let start =
            oldest.text("StartDateTime").parse::<jiff::Timestamp>().unwrap() + jiff::SignedDuration::from_secs(1);
        let narrow = during(&access, &start.to_string(), newest.text("EndDateTime")).await;
        let list = narrow.read(&format!("aisp/accounts/{account}/statements")).await;
        assert_eq!(ids(&list.list("/Data/Statement")), ids(&[newest.clone(), middle.clone()]));
        assert_eq!(list["Meta"]["FirstAvailableDateTime"], middle["StartDateTime"], "AIS-096");
        assert_eq!(list["Meta"]["LastAvailableDateTime"], newest["EndDateTime"], "AIS-096");
        for below in ["", "/transactions", "/file"] {
            let path = |it: &Value| format!("aisp/accounts/{account}/statements/{}{below}", it.text("StatementId"));
            let outside = file(&narrow, &path(oldest), None).await;
            outside.refused_with(403, "UK.Lombard.Forbidden.Period", "");
            assert_eq!(file(&narrow, &path(middle), None).await.status, 200, "{below}");
        }
    }
}

#[tokio::test]
async fn ais_095_143_rw_084_to_086_filters_in_every_legal_form() {
    let bank = Bank::start().await;
    let (access, account, found) = statements(&bank).await;
    let middle = &found[1];
    let day = |name: &str| middle.text(name)[..10].to_owned();
    let from = day("StartDateTime");
    let basic = day("StartDateTime").replace('-', "");
    let to = format!("{}T23:59:59.999999", day("EndDateTime"));
    for base in [format!("aisp/accounts/{account}/statements"), "aisp/statements".to_owned()] {
        let all = access.read(&base).await;
        for from in [
            from.clone(),
            format!("{from}T00:00:00"),
            format!("{from}T00:00:00Z"),
            format!("{from}T00:00:00%2B01:00"),
            format!("{from}T00:00:00+01"),
            format!("{basic}T000000"),
            format!("{basic}T000000.000+01"),
        ] {
            let page = access.read(&format!("{base}?fromStatementDateTime={from}&toStatementDateTime={to}")).await;
            let inside: Vec<_> =
                page.list("/Data/Statement").into_iter().filter(|it| it.text("AccountId") == account).collect();
            assert_eq!(ids(&inside), [middle.text("StatementId")], "wholly inside, an offset ignored: {from}");
            assert_eq!(page["Meta"]["FirstAvailableDateTime"], all["Meta"]["FirstAvailableDateTime"], "AIS-096");
        }
        let none = access.read(&format!("{base}?toStatementDateTime=1999-12-31")).await;
        assert!(none.list("/Data/Statement").is_empty(), "RW-103");
        access.read(&format!("{base}?fromStatementDateTime=1900-01-01&toStatementDateTime=2999-01-01")).await;
        for (query, code, path) in [
            ("fromStatementDateTime=yesterday", "Field.InvalidDate", "fromStatementDateTime"),
            (
                "fromStatementDateTime=2024-02-02&toStatementDateTime=2024-02-01",
                "Field.InvalidDate",
                "toStatementDateTime",
            ),
            ("toStatementDateTime=2024-02-02&toStatementDateTime=2024-02-02", "Field.Invalid", "toStatementDateTime"),
        ] {
            let answer = file(&access, &format!("{base}?{query}"), None).await;
            answer.refused_with(400, &format!("UK.OBIE.{code}"), path);
        }
    }
}

#[tokio::test]
async fn ais_147_what_is_on_a_statement_is_what_refers_to_it() {
    for bank in Bank::each_engine().await {
        let (access, account, found) = statements(&bank).await;
        let statement = &found[1];
        let path = format!("aisp/accounts/{account}/statements/{}/transactions", statement.text("StatementId"));
        let on_it = walk(&access, &path, "Transaction").await;
        let all = walk(&access, &format!("aisp/accounts/{account}/transactions"), "Transaction").await;
        let reference = &statement["StatementReference"];
        let refer = |it: &&Value| it.list("/StatementReference").contains(reference);
        let expected: Vec<_> = all.iter().filter(refer).cloned().collect();
        assert!(!expected.is_empty(), "a statement with entries");
        assert_eq!(on_it, expected, "the same entries in the same order");
        let ignored = format!("{path}?fromBookingDateTime=nonsense&toBookingDateTime=1999-01-01");
        assert_eq!(access.read(&ignored).await.list("/Data/Transaction").len().min(1), 1, "filters are ignored");

        // AIS-042, AIS-044: by sides, with transaction permissions alone.
        for (permission, side) in [("ReadTransactionsCredits", "Credit"), ("ReadTransactionsDebits", "Debit")] {
            let access =
                crate::harness::access(&access.tpp, &["ReadAccountsBasic", "ReadTransactionsBasic", permission]).await;
            for path in [path.clone(), format!("aisp/accounts/{account}/transactions"), "aisp/transactions".into()] {
                let rows = walk(&access, &path, "Transaction").await;
                assert!(rows.iter().all(|it| it.text("CreditDebitIndicator") == side), "AIS-041: {path}");
            }
            let sided = expected.iter().filter(|it| it.text("CreditDebitIndicator") == side).count();
            assert_eq!(walk(&access, &path, "Transaction").await.len(), sided);
        }
    }
}

#[tokio::test]
async fn ais_155_156_the_file_by_accept() {
    for bank in Bank::each_engine().await {
        let (access, account, found) = statements(&bank).await;
        let path = format!("aisp/accounts/{account}/statements/{}/file", found[0].text("StatementId"));
        for (accept, content_type) in [
            (None, "application/pdf"),
            (Some("*/*"), "application/pdf"),
            (Some("application/json"), "application/pdf"),
            (Some("application/pdf"), "application/pdf"),
            (Some("application/json, application/pdf;q=0.5"), "application/pdf"),
            (Some("text/csv"), "text/csv; charset=utf-8"),
            (Some("application/pdf;q=0.5, text/csv"), "text/csv; charset=utf-8"),
        ] {
            let answer = file(&access, &path, accept).await;
            answer.decent();
            assert_eq!((answer.status.as_u16(), answer.head("content-type")), (200, content_type), "{accept:?}");
            let ending = if content_type.starts_with("text") { "csv" } else { "pdf" };
            let day = &found[0].text("EndDateTime")[..10];
            let disposition = format!("attachment; filename=\"statement-{day}.{ending}\"");
            assert_eq!(answer.head("content-disposition"), disposition);
            assert_eq!(answer.body.starts_with(b"%PDF-"), ending == "pdf");
        }
        for accept in ["application/json;q=0", "text/html", "application/pdf;q=0"] {
            file(&access, &path, Some(accept)).await.refused_with(406, "UK.OBIE.Header.Invalid", "Accept");
        }
        // Errors are JSON, whatever Accept says.
        let unknown = path.replace(found[0].text("StatementId"), "unknown");
        let refused = file(&access, &unknown, Some("application/pdf")).await;
        refused.refused_with(400, "UK.OBIE.Resource.NotFound", "");
        assert_eq!(refused.head("content-type"), "application/json; charset=utf-8");
        let basic = crate::harness::access(&access.tpp, &["ReadAccountsBasic", "ReadStatementsBasic"]).await;
        file(&basic, &path, None).await.refused_with(403, "UK.Lombard.Forbidden.Permission", "");
    }
}

/// Every record of a list, page by page.
async fn walk(access: &CustomerAccess, path: &str, member: &str) -> Vec<Value> {
    super::paging::walk(access, path).await.iter().flat_map(|page| page.list(&format!("/Data/{member}"))).collect()
}
