//! Access to resources across versions. Source: RW-009, RW-015 to RW-020.

use super::{both, consent_path, own_token, text};
use crate::harness::{Bank, CustomerAccess, EVERYTHING, ExchangeExt, code_in};
use jiff::SignedDuration;
use lombard_api::catalogue::list_operations;
use lombard_edge::endpoint::Operation;
use lombard_edge::endpoint_facts::{EndpointGroup, RequiredGrant};
use lombard_tpp::HttpCall;
use serde_json::json;

/// Part 5, row 25, first half.
#[tokio::test]
async fn rw_015_016_018_a_consent_of_v3_1_is_read_used_and_deleted_through_v4_0() {
    for bank in Bank::each_engine().await {
        let tpp = bank.tpp("robot");
        let (old, new) = both(&tpp);
        let own = own_token(&tpp).await;
        let end = (bank.now() + SignedDuration::from_hours(48)).to_string();
        let body = json!({
            "Data": {
                "Permissions": EVERYTHING,
                "ExpirationDateTime": end,
                "TransactionFromDateTime": "2020-01-01T00:00:00+01:00",
            },
            "Risk": {},
        });
        let made = old.post_consent(&own, &body).await.ok(201)["Data"].clone();
        let consent = text(&made, "ConsentId");
        let read = new.shown(&own, &consent).await;
        assert_eq!(text(&read, "Status"), "AWAU", "RW-018");
        for same in
            ["Permissions", "ExpirationDateTime", "TransactionFromDateTime", "CreationDateTime", "StatusUpdateDateTime"]
        {
            assert_eq!(read[same], made[same], "RW-018: {same}");
        }
        assert_eq!(old.shown(&own, &consent).await, made, "RW-018: reading changes nothing");

        let access = CustomerAccess::of(&tpp, &own, &consent).await;
        assert_eq!(new.status(&own, &consent).await.0, "AUTH");
        assert_eq!(old.status(&own, &consent).await.0, "Authorised");
        for path in ["aisp/accounts", "aisp/balances"] {
            let old = old.get(access.token(), path).await.ok(200);
            let new = new.get(access.token(), path).await.ok(200);
            let ids = |answer: &serde_json::Value| -> Vec<_> {
                let items = answer["Data"].as_object().unwrap().values().next().unwrap().as_array().unwrap().clone();
                items.iter().map(|item| text(item, "AccountId")).collect()
            };
            assert!(!ids(&new).is_empty());
            assert_eq!(ids(&old), ids(&new), "RW-016: the same accounts under the same ids");
        }

        new.delete(&own, &consent_path(&consent)).await.ok(204);
        for through in [&old, &new] {
            let not_found = code_in(through.version, "UK.OBIE.Resource.NotFound");
            through.get(&own, &consent_path(&consent)).await.refused_with(400, not_found, "");
            through.get(access.token(), "aisp/accounts").await.unauthorised();
        }
    }
}

/// Part 5, row 25, second half.
#[tokio::test]
async fn rw_017_a_consent_of_v4_0_is_neither_read_used_nor_deleted_through_v3_1() {
    for bank in Bank::each_engine().await {
        let tpp = bank.tpp("robot");
        let (old, new) = both(&tpp);
        let own = own_token(&tpp).await;
        let consent = new.consent(&own, &EVERYTHING).await;
        let refused_by_old = async || {
            let path = consent_path(&consent);
            old.get(&own, &path).await.refused_with(400, "UK.OBIE.Resource.NotFound", "");
            old.delete(&own, &path).await.refused_with(400, "UK.OBIE.Resource.NotFound", "");
        };
        refused_by_old().await;
        let access = CustomerAccess::of(&tpp, &own, &consent).await;
        refused_by_old().await;
        let account = new.get(access.token(), "aisp/accounts").await.ok(200)["Data"]["Account"][0].clone();
        let account = text(&account, "AccountId");
        let of_accounts = |it: &Operation| it.endpoint.group == EndpointGroup::AccountInformation;
        let bound = |it: &Operation| it.version == old.version && it.endpoint.grant == RequiredGrant::Psu;
        for row in list_operations().filter(of_accounts).filter(bound) {
            let url = format!("{}{}", bank.endpoints().mtls, row.path().replace("{AccountId}", &account));
            let answer = tpp.read_link(access.token(), &url).await.unwrap();
            answer.refused_with(403, "UK.Lombard.Forbidden.Version", "");
        }
        assert_eq!(new.status(&own, &consent).await.0, "AUTH", "nothing has happened to it");
        new.get(access.token(), &format!("aisp/accounts/{account}/balances")).await.ok(200);
        new.delete(&own, &consent_path(&consent)).await.ok(204);
        refused_by_old().await;
        new.get(&own, &consent_path(&consent)).await.refused_with(400, "U011", "");
        old.get(access.token(), "aisp/accounts").await.unauthorised();
    }
}

#[tokio::test]
async fn rw_104_another_tpps_consent_is_foreign_through_every_version() {
    let bank = Bank::start().await;
    let robot = bank.tpp("robot");
    let rival = bank.tpp("rival");
    let (theirs_old, theirs_new) = both(&robot);
    let robots = own_token(&robot).await;
    let (old, new) = both(&rival);
    let own = own_token(&rival).await;
    for made_through in [theirs_old, theirs_new] {
        let consent = made_through.consent(&robots, &EVERYTHING).await;
        for through in [&old, &new] {
            let code = code_in(through.version, "UK.Lombard.Forbidden.Owner");
            through.get(&own, &consent_path(&consent)).await.refused_with(403, code, "");
            through.delete(&own, &consent_path(&consent)).await.refused_with(403, code, "");
        }
        assert_eq!(made_through.shown(&robots, &consent).await["ConsentId"], consent);
    }
}

#[tokio::test]
async fn rw_020_an_older_consent_opens_no_more_through_a_newer_version() {
    let bank = Bank::start().await;
    let tpp = bank.tpp("robot");
    let (old, new) = both(&tpp);
    let own = own_token(&tpp).await;
    let consent = old.consent(&own, &["ReadAccountsBasic"]).await;
    let access = CustomerAccess::of(&tpp, &own, &consent).await;
    new.get(access.token(), "aisp/balances").await.refused_with(403, "NARR", "");
    let accounts = new.get(access.token(), "aisp/accounts").await.ok(200)["Data"]["Account"].clone();
    for account in accounts.as_array().unwrap() {
        assert!(account.get("Account").is_none() && account.get("Servicer").is_none(), "AIS-050, AIS-105: {account}");
        let path = format!("aisp/accounts/{}/balances", text(account, "AccountId"));
        new.get(access.token(), &path).await.refused_with(403, "NARR", "");
    }
}

#[tokio::test]
async fn rw_107_an_unselected_account_is_inaccessible_through_every_version() {
    let bank = Bank::start().await;
    let tpp = bank.tpp("robot");
    let (old, new) = both(&tpp);
    let own = own_token(&tpp).await;
    let whole = CustomerAccess::of(&tpp, &own, &old.consent(&own, &EVERYTHING).await).await;
    let dropped = whole.account_ids().await.remove(0);
    let psus = bank.ops_get("/sandbox/psus").await.json().unwrap();
    let amelia = psus["psus"].as_array().unwrap().iter().find(|psu| psu["psu"] == "amelia").unwrap().clone();
    for made_through in [&old, &new] {
        let consent = made_through.consent(&own, &EVERYTHING).await;
        let access = CustomerAccess::of(&tpp, &own, &consent).await;
        for held in amelia["accounts"].as_array().unwrap() {
            let only = json!({"psu": "amelia", "accounts": [held["id"]], "decision": "approve"});
            super::at_the_bank(&bank, &consent, "authorise", &only).await;
            let seen = new.get(access.token(), "aisp/accounts").await.ok(200)["Data"]["Account"].clone();
            assert_eq!(seen.as_array().unwrap().len(), 1, "AIS-081");
            if seen[0]["AccountId"] != dropped {
                let path = format!("aisp/accounts/{dropped}");
                new.get(access.token(), &path).await.refused_with(403, "NARR", "");
            }
        }
    }
}

#[tokio::test]
async fn rw_009_versions_and_paths_that_are_not_offered_are_404() {
    let bank = Bank::start().await;
    let tpp = bank.tpp("robot");
    let (old, new) = both(&tpp);
    let own = own_token(&tpp).await;
    let consent = old.consent(&own, &EVERYTHING).await;
    let access = CustomerAccess::of(&tpp, &own, &consent).await;
    let base = tpp.resource_url("").replace("v3.1/", "");
    for path in [
        "v3.0/aisp/accounts",
        "v3.2/aisp/accounts",
        "v4/aisp/accounts",
        "v4.1/aisp/accounts",
        "v4.00/aisp/accounts",
        "V4.0/aisp/accounts",
        "aisp/accounts",
    ] {
        for token in [access.token(), own.as_str(), "x"] {
            let answer = tpp.read_link(token, &format!("{base}{path}")).await.unwrap();
            answer.refused_with(404, "UK.Lombard.Path.NotFound", "");
        }
    }
    for path in ["aisp/accounts/1/foobar", "aisp/foobar"] {
        new.get(access.token(), path).await.refused_with(404, "NARR", "");
    }
}

#[tokio::test]
async fn rw_006_a_payload_version_header_selects_nothing() {
    let bank = Bank::start().await;
    let tpp = bank.tpp("robot");
    let (old, new) = both(&tpp);
    let own = own_token(&tpp).await;
    let consent = old.consent(&own, &EVERYTHING).await;
    for (through, status) in [(&old, "AwaitingAuthorisation"), (&new, "AWAU")] {
        for sent in ["3.1.11", "4.0.1", "anything"] {
            let call = HttpCall::get(through.url(&consent_path(&consent)))
                .with_bearer(&own)
                .with_header("payload-version", sent);
            assert_eq!(tpp.send(call).await.unwrap().ok(200)["Data"]["Status"], status);
        }
    }
}

#[tokio::test]
async fn rw_241_links_stay_in_the_version_that_was_asked() {
    let bank = Bank::start().await;
    let tpp = bank.tpp("robot");
    let (old, new) = both(&tpp);
    let own = own_token(&tpp).await;
    let consent = old.consent(&own, &EVERYTHING).await;
    let access = CustomerAccess::of(&tpp, &own, &consent).await;
    for through in [&old, &new] {
        for (token, path) in
            [(&*own, &*consent_path(&consent)), (access.token(), "aisp/accounts"), (access.token(), "aisp/balances")]
        {
            let answer = through.get(token, path).await.ok(200);
            assert_eq!(answer["Links"]["Self"], through.url(path));
        }
    }
}
