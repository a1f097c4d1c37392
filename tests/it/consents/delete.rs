use crate::harness::{Bank, EVERYTHING, ExchangeExt, access};

#[tokio::test]
async fn ais_062_063_a_deleted_consent_is_gone_with_all_its_tokens() {
    for bank in Bank::each_engine().await {
        let tpp = bank.tpp("robot");
        let access = access(&tpp, &EVERYTHING).await;
        access.read("aisp/accounts").await;
        let gone = tpp.delete(&access.own, &access.consent_path()).await.unwrap();
        gone.ok(204);
        assert!(gone.body.is_empty() && gone.header("content-type").is_none(), "RW-075");
        tpp.get(access.token(), "aisp/accounts").await.unwrap().unauthorised();
        tpp.refresh(access.tokens.refresh_token.as_deref().unwrap()).await.unwrap().oauth(400, "invalid_grant");
        for _ in 0..2 {
            let read = tpp.get(&access.own, &access.consent_path()).await.unwrap();
            read.refused_with(400, "UK.OBIE.Resource.NotFound", "");
            let again = tpp.delete(&access.own, &access.consent_path()).await.unwrap();
            again.refused_with(400, "UK.OBIE.Resource.NotFound", "");
        }
    }
}

#[tokio::test]
async fn ais_062_a_consent_nobody_decided_can_be_deleted() {
    let bank = Bank::start().await;
    let tpp = bank.tpp("robot");
    let own = tpp.client_credentials("accounts").await.unwrap().access_token;
    let consent = tpp.consent_create(&own, &EVERYTHING).await.unwrap();
    tpp.delete(&own, &format!("aisp/account-access-consents/{consent}")).await.unwrap().ok(204);
}

#[tokio::test]
async fn ais_015_another_consent_of_the_same_person_lives_on() {
    let bank = Bank::start().await;
    let tpp = bank.tpp("robot");
    let first = access(&tpp, &EVERYTHING).await;
    let second = access(&tpp, &EVERYTHING).await;
    tpp.delete(&first.own, &first.consent_path()).await.unwrap().ok(204);
    second.read("aisp/accounts").await;
    tpp.get(first.token(), "aisp/accounts").await.unwrap().unauthorised();
}
