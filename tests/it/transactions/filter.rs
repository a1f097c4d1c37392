use super::read::all;
use crate::harness::{ALL_TRANSACTIONS, Bank, CustomerAccess, ExchangeExt, ValueExt, access};

#[tokio::test]
async fn ais_124_125_rw_084_085_086_every_way_to_write_a_filter_is_read() {
    let bank = Bank::start().await;
    let access = access(&bank.tpp("robot"), &ALL_TRANSACTIONS).await;
    let day = bank.now() - jiff::SignedDuration::from_hours(24 * 90);
    let date = day.strftime("%Y-%m-%d").to_string();
    let basic = day.strftime("%Y%m%d").to_string();
    let everything = all(&access, "aisp/transactions").await;
    let midnight = format!("{date}T00:00:00");
    let wanted = everything.iter().filter(|entry| entry.text("BookingDateTime") >= midnight.as_str()).count();
    assert!(wanted > 0 && wanted < everything.len());
    for value in [
        date.clone(),
        format!("{date}T00:00:00"),
        format!("{date}T00:00:00Z"),
        format!("{date}T00:00:00%2B01:00"),
        format!("{date}T00:00:00+01:00"),
        format!("{basic}T000000"),
        format!("{basic}T000000.000+01"),
        format!("{date}T00:00"),
    ] {
        let shown = all(&access, &format!("aisp/transactions?fromBookingDateTime={value}")).await.len();
        assert_eq!(shown, wanted, "an offset is ignored: {value}");
    }
    for (from, to) in [("1900-01-01", "2999-01-01"), ("2023-12-25", "2999-12-25")] {
        access.read(&format!("aisp/transactions?fromBookingDateTime={from}&toBookingDateTime={to}")).await;
    }
    let none = access.read("aisp/transactions?toBookingDateTime=1999-12-31T23:59:59").await;
    assert!(none.list("/Data/Transaction").is_empty(), "RW-103: 200 and an empty array");
}

#[tokio::test]
async fn rw_089_ais_126_wrong_filters_are_named() {
    let bank = Bank::start().await;
    let access = access(&bank.tpp("robot"), &ALL_TRANSACTIONS).await;
    let account = access.account_ids().await.remove(0);
    for base in ["aisp/transactions".to_owned(), format!("aisp/accounts/{account}/transactions")] {
        for (query, code, path) in [
            ("fromBookingDateTime=yesterday", "Field.InvalidDate", "fromBookingDateTime"),
            ("toBookingDateTime=2024-13-01", "Field.InvalidDate", "toBookingDateTime"),
            ("fromBookingDateTime=2024-02-02&toBookingDateTime=2024-02-01", "Field.InvalidDate", "toBookingDateTime"),
            ("fromBookingDateTime=2024-02-02&fromBookingDateTime=2024-02-01", "Field.Invalid", "fromBookingDateTime"),
            ("pg=nonsense", "Field.Invalid", "pg"),
        ] {
            let answer = refused(&access, &format!("{base}?{query}")).await;
            answer.refused_with(400, &format!("UK.OBIE.{code}"), path);
        }
        let answer = refused(&access, &format!("{base}?fromBookingDateTime=x&toBookingDateTime=y")).await;
        assert_eq!(answer.refused(400).len(), 2, "RW-123: {}", answer.text());
        access.read(&format!("{base}?colour=blue")).await;
    }
}

async fn refused(access: &CustomerAccess, path: &str) -> lombard_tpp::HttpExchange {
    access.tpp.get(access.token(), path).await.unwrap()
}
