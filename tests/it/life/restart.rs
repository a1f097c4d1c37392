use crate::harness::{Bank, EVERYTHING, ExchangeExt, access};

#[tokio::test]
async fn consents_tokens_and_accounts_outlive_a_restart() {
    for mut bank in Bank::each_engine().await {
        let before = access(&bank.tpp("robot"), &EVERYTHING).await;
        let accounts = before.account_ids().await;
        bank.stop().await;
        bank.restart().await;
        let tpp = bank.tpp("robot");
        let answer = tpp.get(before.token(), "aisp/accounts").await.unwrap().ok(200);
        let ids: Vec<_> =
            answer["Data"]["Account"].as_array().unwrap().iter().map(|it| it["AccountId"].clone()).collect();
        assert_eq!(ids, accounts, "AIS-087");
        let consent = tpp.get(&before.own, &before.consent_path()).await.unwrap().ok(200);
        assert_eq!(consent["Data"]["Status"], "Authorised");
        let refreshed = tpp.refresh(before.tokens.refresh_token.as_deref().unwrap()).await.unwrap();
        refreshed.ok(200);
    }
}

#[tokio::test]
async fn the_same_seed_gives_the_same_history() {
    let mut first = Vec::new();
    for bank in [Bank::start().await, Bank::start().await] {
        let access = access(&bank.tpp("robot"), &EVERYTHING).await;
        let mut answer = access.read("aisp/transactions").await;
        answer.as_object_mut().unwrap().remove("Links");
        first.push(answer);
    }
    assert_eq!(first[0], first[1]);
}
