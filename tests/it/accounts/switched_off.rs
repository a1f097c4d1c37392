//! Endpoints that an operator has switched off.

use super::ALL;
use super::rows::RULES;
use crate::harness::{Bank, Engine, ExchangeExt, access};
use lombard_api::catalogue::ENDPOINTS;
use lombard_domain::version::Version;
use lombard_edge::endpoint::ApiEndpoint;
use lombard_edge::endpoint_facts::EndpointGroup;
use lombard_tpp::HttpCall;
use serde_json::json;

/// The permissions that open what is mandatory.
const MANDATORY: [&str; 6] = [
    "ReadAccountsDetail",
    "ReadBalances",
    "ReadPAN",
    "ReadTransactionsCredits",
    "ReadTransactionsDebits",
    "ReadTransactionsDetail",
];

#[tokio::test]
async fn ais_001_rw_009_all_that_is_not_mandatory_can_be_switched_off() {
    let optional = |row: &&ApiEndpoint| row.group == EndpointGroup::AccountInformation && row.may_be_switched_off();
    let optional: Vec<_> = ENDPOINTS.iter().filter(optional).collect();
    assert_eq!((optional.len(), RULES.len() - optional.len()), (22, 7));
    let names: Vec<_> = optional.iter().map(|row| row.name).collect();
    let mut bank = Bank::unstarted(Engine::Sqlite).await;
    bank.restart_with(&[("endpoints.off", &names.join(","))]).await;
    let access = access(&bank.tpp("robot"), &MANDATORY).await;
    let account = access.account_ids().await.remove(0);
    for row in optional {
        let path = row.full_path(Version::V3_1).replace("{AccountId}", &account).replace("{StatementId}", "s");
        let call = HttpCall::get(format!("{}{path}", bank.endpoints().mtls)).with_bearer(access.token());
        access.tpp.send(call).await.unwrap().refused_with(404, "UK.Lombard.Path.NotFound", "");
    }
    for path in ["accounts".into(), format!("accounts/{account}"), format!("accounts/{account}/balances")] {
        access.read(&format!("aisp/{path}")).await;
    }

    // AIS-033: what nothing is left to open for cannot be asked for.
    for permission in ALL.into_iter().filter(|it| !MANDATORY.contains(it)) {
        let body = json!({"Data": {"Permissions": ["ReadAccountsBasic", permission]}, "Risk": {}});
        let answer = access.tpp.consent_post(&access.own, &body).await.unwrap();
        answer.refused_with(400, "UK.OBIE.Field.Invalid", "Data.Permissions");
    }
}
