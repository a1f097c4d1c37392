use crate::harness::{Bank, ExchangeExt, ValueExt, access};

#[tokio::test]
async fn ais_050_051_100_basic_hides_numbers_and_detail_shows_them() {
    for bank in Bank::each_engine().await {
        let tpp = bank.tpp("robot");
        let basic = access(&tpp, &["ReadAccountsBasic"]).await.read("aisp/accounts").await;
        let detail = access(&tpp, &["ReadAccountsBasic", "ReadAccountsDetail"]).await.read("aisp/accounts").await;
        let basic = basic.list("/Data/Account");
        let detail = detail.list("/Data/Account");
        assert_eq!(basic.len(), detail.len());
        for (mut detailed, plain) in detail.into_iter().zip(basic) {
            assert!(!detailed.list("/Account").is_empty(), "AIS-051: {detailed}");
            assert!(plain.get("Account").is_none() && plain.get("Servicer").is_none(), "AIS-050: {plain}");
            detailed.as_object_mut().unwrap().retain(|name, _| name != "Account" && name != "Servicer");
            assert_eq!(detailed, plain, "AIS-037: nothing else differs");
            assert!(["Business", "Personal"].contains(&plain.text("AccountType")), "AIS-102");
            assert!(plain.text("AccountId").len() <= 40, "RW-249");
        }
    }
}

#[tokio::test]
async fn ais_052_053_054_card_numbers_are_masked_without_read_pan() {
    let bank = Bank::start().await;
    let tpp = bank.tpp("robot");
    let masked = pans(&access(&tpp, &["ReadAccountsDetail"]).await.read("aisp/accounts").await);
    let clear = pans(&access(&tpp, &["ReadAccountsDetail", "ReadPAN"]).await.read("aisp/accounts").await);
    assert!(!clear.is_empty(), "amelia has a credit card");
    for (masked, clear) in masked.iter().zip(&clear) {
        assert!(clear.len() == 16 && clear.bytes().all(|byte| byte.is_ascii_digit()), "{clear}");
        assert_eq!(*masked, format!("************{}", &clear[12..]));
    }
}

#[tokio::test]
async fn ais_103_numbers_have_the_form_of_their_scheme() {
    let bank = Bank::start().await;
    let answer = access(&bank.tpp("robot"), &["ReadAccountsDetail"]).await.read("aisp/accounts").await;
    for account in answer.list("/Data/Account") {
        for number in account.list("/Account") {
            let scheme = number.text("SchemeName");
            let text = number.text("Identification");
            assert!(scheme.starts_with("UK.OBIE."), "RW-255: {scheme}");
            match scheme {
                "UK.OBIE.SortCodeAccountNumber" => {
                    assert!(text.len() == 14 && text.bytes().all(|byte| byte.is_ascii_digit()), "RW-258: {text}");
                }
                "UK.OBIE.IBAN" => assert!(iban(text), "{text}"),
                _ => {}
            }
        }
    }
}

#[tokio::test]
async fn ais_088_rw_102_rw_008_unknown_ids_and_paths() {
    let bank = Bank::start().await;
    let access = access(&bank.tpp("robot"), &crate::harness::EVERYTHING).await;
    let account = access.account_ids().await.remove(0);
    for below in ["", "/balances", "/transactions"] {
        let answer = access.tpp.get(access.token(), &format!("aisp/accounts/unknown{below}")).await.unwrap();
        answer.refused_with(400, "UK.OBIE.Resource.NotFound", "");
    }
    for path in ["foobar", "aisp/foobar", "aisp/Accounts", "aisp/accounts//x", "pisp/accounts"] {
        access.tpp.get(access.token(), path).await.unwrap().refused(404);
    }
    for below in ["foobar", "balances/foobar", "transactions/foobar", "Balances"] {
        let answer = access.tpp.get(access.token(), &format!("aisp/accounts/{account}/{below}")).await.unwrap();
        answer.refused(404);
    }
}

#[tokio::test]
async fn ais_040_an_endpoint_without_its_permission_is_403() {
    let bank = Bank::start().await;
    let access = access(&bank.tpp("robot"), &["ReadAccountsBasic"]).await;
    let account = access.account_ids().await.remove(0);
    for path in ["aisp/balances", "aisp/transactions"] {
        access.tpp.get(access.token(), path).await.unwrap().refused(403);
    }
    for below in ["balances", "transactions"] {
        let answer = access.tpp.get(access.token(), &format!("aisp/accounts/{account}/{below}")).await.unwrap();
        assert!(answer.refused(403)[0].0.ends_with("Forbidden.Permission"), "RW-130: {}", answer.text());
        // Step 12 of RW-025 comes before step 13: the id is not looked at.
        let unknown = access.tpp.get(access.token(), &format!("aisp/accounts/unknown/{below}")).await.unwrap();
        unknown.refused(403);
    }
}

fn pans(answer: &serde_json::Value) -> Vec<String> {
    let numbers = answer.list("/Data/Account").into_iter().flat_map(|account| account.list("/Account"));
    let pans = numbers.filter(|number| number.text("SchemeName") == "UK.OBIE.PAN");
    pans.map(|number| number.text("Identification").to_owned()).collect()
}

/// Whether the check digits of an IBAN fit (ISO 13616, modulus 97).
fn iban(text: &str) -> bool {
    let turned = format!("{}{}", &text[4..], &text[..4]);
    let digits: String = turned.chars().map(|it| it.to_digit(36).unwrap().to_string()).collect();
    digits.bytes().fold(0, |rest, digit| (rest * 10 + u32::from(digit - b'0')) % 97) == 1
}
