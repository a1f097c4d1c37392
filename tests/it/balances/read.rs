use crate::harness::{Bank, EVERYTHING, ValueExt, access};

#[tokio::test]
async fn ais_081_110_every_account_has_its_balances_alone_and_in_bulk() {
    for bank in Bank::each_engine().await {
        let access = access(&bank.tpp("robot"), &EVERYTHING).await;
        let mut bulk = access.read("aisp/balances").await.list("/Data/Balance");
        for account in access.account_ids().await {
            let answer = access.read(&format!("aisp/accounts/{account}/balances")).await;
            let own = format!("aisp/accounts/{account}/balances");
            assert_eq!(answer["Links"].text("Self"), access.tpp.resource_url(&own), "RW-241, RW-243");
            assert_eq!(answer["Meta"]["TotalPages"], 1, "RW-244");
            let balances = answer.list("/Data/Balance");
            let kinds: Vec<_> = balances.iter().map(|it| it.text("Type").to_owned()).collect();
            assert_eq!(kinds, ["InterimAvailable", "InterimBooked"], "AIS-110");
            for balance in balances {
                assert_eq!(balance.text("AccountId"), account);
                let at = bulk.iter().position(|it| *it == balance).expect("AIS-081: the bulk list has it too");
                bulk.remove(at);
            }
        }
        assert!(bulk.is_empty(), "AIS-081: nothing else: {bulk:?}");
    }
}

#[tokio::test]
async fn rw_251_amounts_never_carry_a_sign() {
    let bank = Bank::start().await;
    let access = access(&bank.tpp("robot"), &EVERYTHING).await;
    for balance in access.read("aisp/balances").await.list("/Data/Balance") {
        let amount = balance["Amount"].text("Amount");
        let (whole, part) = amount.split_once('.').unwrap_or((amount, "0"));
        let digits =
            |text: &str, max: usize| (1..=max).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
        assert!(digits(whole, 13) && digits(part, 5), "{amount}");
        assert!(["Credit", "Debit"].contains(&balance.text("CreditDebitIndicator")), "{balance}");
    }
}
