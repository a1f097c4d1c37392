use crate::harness::{ALL_TRANSACTIONS, Bank, ExchangeExt, ValueExt, access};
use serde_json::{Value, json};

/// Members that only Detail shows. Source: T7.
const DETAIL: [&str; 7] = [
    "TransactionInformation",
    "Balance",
    "MerchantDetails",
    "CreditorAgent",
    "CreditorAccount",
    "DebtorAgent",
    "DebtorAccount",
];

#[tokio::test]
async fn ais_041_credits_and_debits_show_their_own_side() {
    for bank in Bank::each_engine().await {
        let tpp = bank.tpp("robot");
        for (permission, side) in [("ReadTransactionsCredits", "Credit"), ("ReadTransactionsDebits", "Debit")] {
            let access = access(&tpp, &["ReadAccountsBasic", "ReadTransactionsBasic", permission]).await;
            let mut paths = vec!["aisp/transactions".to_owned()];
            paths.extend(access.account_ids().await.iter().map(|id| format!("aisp/accounts/{id}/transactions")));
            let mut shown = 0;
            for path in paths {
                let entries = access.read(&path).await.list("/Data/Transaction");
                shown += entries.len();
                assert!(entries.iter().all(|entry| entry.text("CreditDebitIndicator") == side), "{path}");
            }
            assert!(shown > 0, "{side}");
        }
    }
}

#[tokio::test]
async fn ais_050_basic_shows_no_detail_and_nothing_else_differs() {
    let bank = Bank::start().await;
    let tpp = bank.tpp("robot");
    let sides = ["ReadAccountsBasic", "ReadTransactionsCredits", "ReadTransactionsDebits"];
    let basic = access(&tpp, &[&sides[..], &["ReadTransactionsBasic"]].concat()).await;
    let detail = access(&tpp, &[&sides[..], &["ReadTransactionsBasic", "ReadTransactionsDetail"]].concat()).await;
    let basic = basic.read("aisp/transactions").await.list("/Data/Transaction");
    let detail = detail.read("aisp/transactions").await.list("/Data/Transaction");
    assert_eq!(basic.len(), detail.len());
    let mut seen = std::collections::HashSet::new();
    for (plain, mut detailed) in basic.into_iter().zip(detail) {
        for name in DETAIL {
            assert!(plain.get(name).is_none(), "AIS-050: {plain}");
            if detailed.as_object_mut().unwrap().remove(name).is_some() {
                seen.insert(name);
            }
        }
        assert_eq!(plain, detailed, "AIS-037");
    }
    assert!(seen.contains("Balance") && seen.contains("TransactionInformation"), "{seen:?}");
}

#[tokio::test]
async fn ais_120_to_130_ais_133_ais_134_every_entry_has_all_required_members() {
    let bank = Bank::start().await;
    let access = access(&bank.tpp("robot"), &ALL_TRANSACTIONS).await;
    let mut over_bacs = 0;
    for entry in all(&access, "aisp/transactions").await {
        if ["BAC", "DD"].map(Value::from).contains(&entry["ProprietaryBankTransactionCode"]["Code"]) {
            over_bacs += 1;
            assert!(!entry.text("TransactionInformation").is_empty(), "AIS-133: {entry}");
        }
        for name in ["AccountId", "TransactionId", "CreditDebitIndicator", "Status", "BookingDateTime"] {
            assert!(!entry.text(name).is_empty(), "{name}: {entry}");
        }
        assert!(["Booked", "Pending", "Rejected"].contains(&entry.text("Status")), "AIS-121");
        assert!(
            entry.get("BankTransactionCode").is_some() || entry.get("ProprietaryBankTransactionCode").is_some(),
            "AIS-128"
        );
        let debtor = entry.get("DebtorAccount").is_some();
        let creditor = entry.get("CreditorAccount").is_some();
        match entry.text("CreditDebitIndicator") {
            "Debit" => assert!(!debtor, "AIS-130: {entry}"),
            _ => assert!(!creditor, "AIS-130: {entry}"),
        }
        assert!(!entry.to_string().contains(":null") && !entry.to_string().contains(":\"\""), "RW-245: {entry}");
    }
    assert!(over_bacs > 0, "AIS-134");
}

#[tokio::test]
async fn ais_052_card_numbers_of_entries_are_masked_without_read_pan() {
    let bank = Bank::start().await;
    let tpp = bank.tpp("robot");
    let masked = access(&tpp, &ALL_TRANSACTIONS).await;
    let clear = access(&tpp, &[&ALL_TRANSACTIONS[..], &["ReadPAN"]].concat()).await;
    let number =
        |entry: &Value| entry.pointer("/CardInstrument/Identification").and_then(Value::as_str).map(str::to_owned);
    let masked: Vec<_> =
        masked.read("aisp/transactions").await.list("/Data/Transaction").iter().filter_map(number).collect();
    let clear: Vec<_> =
        clear.read("aisp/transactions").await.list("/Data/Transaction").iter().filter_map(number).collect();
    assert!(!clear.is_empty() && masked.len() == clear.len(), "amelia pays by card");
    assert!(masked.iter().all(|it| it.starts_with('*')), "{masked:?}");
    assert!(clear.iter().all(|it| it.bytes().all(|byte| byte.is_ascii_digit())), "{clear:?}");
}

#[tokio::test]
async fn ais_090_091_095_only_the_consented_period_is_shown() {
    for bank in Bank::each_engine().await {
        let tpp = bank.tpp("robot");
        let own = tpp.client_credentials("accounts").await.unwrap().access_token;
        let everything = access(&tpp, &ALL_TRANSACTIONS).await;
        let entries = everything.read("aisp/transactions").await.list("/Data/Transaction");
        let to = entries[5].text("BookingDateTime");
        let from = entries[20].text("BookingDateTime");
        let data =
            json!({"Permissions": ALL_TRANSACTIONS, "TransactionFromDateTime": from, "TransactionToDateTime": to});
        let consent = tpp.consent_post(&own, &json!({"Data": data, "Risk": {}})).await.unwrap();
        let consent = consent.text_at("/Data/ConsentId").unwrap();
        let limited = crate::harness::CustomerAccess::of(&tpp, &own, &consent).await;
        let answer = limited.read("aisp/transactions").await;
        let shown: Vec<_> =
            answer.list("/Data/Transaction").iter().map(|it| it.text("BookingDateTime").to_owned()).collect();
        assert_eq!(shown.first().map(String::as_str), Some(to), "inclusive");
        assert_eq!(shown.last().map(String::as_str), Some(from), "inclusive");
        assert_eq!(answer["Meta"].text("FirstAvailableDateTime"), from, "AIS-096");
        assert_eq!(answer["Meta"].text("LastAvailableDateTime"), to, "AIS-096");
        let outside = limited.read("aisp/transactions?toBookingDateTime=2001-01-01").await;
        assert!(outside.list("/Data/Transaction").is_empty(), "AIS-095");
        assert_eq!(outside["Meta"].text("LastAvailableDateTime"), to, "AIS-096: before filtering");
    }
}

/// All entries of a list, page by page.
pub(super) async fn all(access: &crate::harness::CustomerAccess, path: &str) -> Vec<Value> {
    let mut url = Some(access.tpp.resource_url(path));
    let mut entries = Vec::new();
    while let Some(address) = url {
        let page = access.tpp.read_link(access.token(), &address).await.unwrap().ok(200);
        entries.extend(page.list("/Data/Transaction"));
        url = page.pointer("/Links/Next").and_then(Value::as_str).map(str::to_owned);
    }
    entries
}
