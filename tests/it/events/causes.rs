//! The actions that raise an event, and those that do not. Source: table 2.4, SET-030 to SET-041.

use super::{Queue, checked};
use crate::apps::Visitor;
use crate::harness::{Bank, CustomerAccess, EVERYTHING, ExchangeExt, ValueExt, access};
use serde_json::{Value, json};

const UPDATE: &str = "urn:uk:org:openbanking:events:resource-update";
const REVOKED: &str = "urn:uk:org:openbanking:events:consent-authorization-revoked";
const LINKED: &str = "urn:uk:org:openbanking:events:account-access-consent-linked-account-update";

/// What waits for a TPP, checked and taken: names of the events with their subjects' ids and types, and the reason.
async fn told(queue: &Queue) -> Vec<(Vec<String>, String, String, String)> {
    let keys = queue.tpp.bank_keys().await.unwrap();
    let mut all = Vec::new();
    let polled = queue.now().await;
    for token in polled.sets.values() {
        let said = checked(token, &keys);
        let events = said["events"].as_object().unwrap().clone();
        let (_, member) = events.iter().find(|(_, member)| member.get("subject").is_some()).unwrap();
        let subject = &member["subject"];
        let of = |name: &str| subject.text(&format!("http://openbanking.org.uk/{name}")).to_owned();
        all.push((events.keys().cloned().collect(), of("rid"), of("rty"), member.text("reason").to_owned()));
    }
    queue.poll(json!({"maxEvents": 0, "ack": polled.ids()})).await;
    all.sort();
    all
}

fn one(name: &str, id: &str, kind: &str, reason: &str) -> (Vec<String>, String, String, String) {
    (vec![name.to_owned()], id.to_owned(), kind.to_owned(), reason.to_owned())
}

async fn authorise(bank: &Bank, consent: &str, order: &Value) -> Value {
    let (status, answer) = bank.ops_post(&format!("/sandbox/consents/{consent}/authorise"), order).await;
    assert_eq!(status, 200, "{answer}");
    answer
}

#[tokio::test]
async fn the_life_of_a_consent_is_told_as_the_matrix_says() {
    for bank in Bank::each_engine().await {
        let queue = Queue::of(&bank, "robot").await;
        let consent = queue.tpp.consent_create(&queue.token, &EVERYTHING).await.unwrap();
        assert_eq!(told(&queue).await, [], "SET-035: made by the TPP itself");

        let access = CustomerAccess::of(&queue.tpp, &queue.token, &consent).await;
        assert_eq!(told(&queue).await, [one(UPDATE, &consent, "account-access-consent", "")], "authorised");

        let revoked = bank.ops_post(&format!("/sandbox/consents/{consent}/revoke"), &Value::Null).await;
        assert_eq!(revoked.0, 200);
        assert_eq!(told(&queue).await, [one(REVOKED, &consent, "account-access-consents", "")], "SET-031, SET-034");

        CustomerAccess::of(&queue.tpp, &queue.token, &consent).await;
        assert_eq!(told(&queue).await, [], "v3.1 goes on showing Authorised: nothing has changed");
        let (status, answer) = bank.ops_post(&format!("/operations/consents/{consent}/revoke"), &Value::Null).await;
        assert_eq!((status, &answer["revoked"]), (200, &json!(true)), "the bank itself");
        assert_eq!(told(&queue).await, [one(REVOKED, &consent, "account-access-consents", "")]);

        queue.tpp.delete(&queue.token, &access.consent_path()).await.unwrap().ok(204);
        assert_eq!(told(&queue).await, [], "SET-035: deleted by the TPP itself");

        let refused = queue.tpp.consent_create(&queue.token, &EVERYTHING).await.unwrap();
        authorise(&bank, &refused, &json!({"psu": "amelia", "decision": "reject"})).await;
        assert_eq!(told(&queue).await, [one(UPDATE, &refused, "account-access-consent", "")], "rejected");
    }
}

#[tokio::test]
async fn a_consent_made_in_v4_0_is_told_with_its_new_status() {
    for bank in Bank::each_engine().await {
        let queue = Queue::of(&bank, "robot").await;
        let url = format!("{}/v4.0/aisp/account-access-consents", queue.tpp.endpoints.resource_base);
        let body = json!({"Data": {"Permissions": EVERYTHING}, "Risk": {}});
        let made = queue
            .tpp
            .send(lombard_tpp::HttpCall::post(&url).with_bearer(&queue.token).with_json(&body))
            .await
            .unwrap()
            .ok(201);
        let consent = made["Data"]["ConsentId"].as_str().unwrap();
        authorise(&bank, consent, &json!({"psu": "amelia", "decision": "approve"})).await;
        bank.ops_post(&format!("/sandbox/consents/{consent}/revoke"), &Value::Null).await;
        authorise(&bank, consent, &json!({"psu": "amelia", "decision": "approve"})).await;

        let keys = queue.tpp.bank_keys().await.unwrap();
        let polled = queue.now().await;
        let said: Vec<_> = polled.sets.values().map(|token| checked(token, &keys)).collect();
        assert_eq!(said.len(), 3, "authorised, revoked, authorised again");
        for it in &said {
            assert_eq!(it["sub"], format!("{url}/{consent}").as_str(), "SET-015");
            let links = &it["events"][UPDATE]["subject"]["http://openbanking.org.uk/rlk"];
            assert_eq!(*links, json!([{"version": "v4.0", "link": format!("{url}/{consent}")}]), "SET-024");
        }
        let revoked: Vec<_> = said.iter().filter_map(|it| it["events"].get(REVOKED)).collect();
        assert_eq!(revoked, [&json!({})], "SET-031");
    }
}

#[tokio::test]
async fn set_032_and_040_an_account_end_is_sent_to_every_tpp_it_is_shared_with() {
    for bank in Bank::each_engine().await {
        let mine = Queue::of(&bank, "robot").await;
        let others = Queue::of(&bank, "rival").await;
        let psus = bank.ops_get("/sandbox/psus").await.json().unwrap().list("/psus");
        let amelia = psus.iter().find(|psu| psu["psu"] == "amelia").unwrap();
        let held: Vec<_> = amelia.list("/accounts").iter().map(|account| account.text("id").to_owned()).collect();
        // Per consent: whose it is, and what its TPP calls each account shared.
        let mut aliases = Vec::new();
        for (queue, accounts) in
            [(&mine, &held[..]), (&mine, &held[..1]), (&others, &held[..1]), (&others, &held[1..2])]
        {
            let consent = queue.tpp.consent_create(&queue.token, &EVERYTHING).await.unwrap();
            let order = json!({"psu": "amelia", "decision": "approve", "accounts": accounts});
            aliases.push(authorise(&bank, &consent, &order).await.list("/accounts"));
        }
        for queue in [&mine, &others] {
            assert_eq!(told(queue).await.len(), 2);
        }
        let update = |alias: &Value, reason| one(LINKED, alias.as_str().unwrap(), "account-access-consent", reason);
        for (way, account, reason, for_mine, for_others) in [
            ("close", 0, "UK.OBIE.AccountClosure", vec![&aliases[0][0], &aliases[1][0]], vec![&aliases[2][0]]),
            ("switch", 1, "UK.OBIE.CASS", vec![&aliases[0][1]], vec![&aliases[3][0]]),
            ("bar", 2, "", vec![&aliases[0][2]], vec![]),
        ] {
            let path = format!("/sandbox/accounts/{}/{way}", held[account]);
            assert_eq!(bank.ops_post(&path, &Value::Null).await.0, 200, "{way}");
            for (queue, aliases) in [(&mine, for_mine), (&others, for_others)] {
                let expected: Vec<_> = aliases.into_iter().map(|alias| update(alias, reason)).collect();
                assert_eq!(told(queue).await, expected, "{way}");
            }
            assert_eq!(bank.ops_post(&path, &Value::Null).await.0, 409, "{way}: it is over");
        }
    }
}

#[tokio::test]
async fn accounts_deselected_or_added_by_the_customer_are_told_one_by_one() {
    for bank in Bank::each_engine().await {
        let queue = Queue::of(&bank, "robot").await;
        let psus = bank.ops_get("/sandbox/psus").await.json().unwrap().list("/psus");
        let amelia = psus.iter().find(|psu| psu["psu"] == "amelia").unwrap();
        let held: Vec<_> = amelia.list("/accounts").iter().map(|account| account["id"].clone()).collect();
        let consent = queue.tpp.consent_create(&queue.token, &EVERYTHING).await.unwrap();
        let order = |accounts: &[Value]| json!({"psu": "amelia", "decision": "approve", "accounts": accounts});
        let first = authorise(&bank, &consent, &order(&held[..2])).await.list("/accounts");
        assert_eq!(told(&queue).await.len(), 1);
        let second = authorise(&bank, &consent, &order(&held[1..3])).await.list("/accounts");
        let mut changed: Vec<_> =
            [first.iter().find(|it| !second.contains(it)), second.iter().find(|it| !first.contains(it))]
                .into_iter()
                .map(|alias| one(LINKED, alias.unwrap().as_str().unwrap(), "account-access-consent", ""))
                .collect();
        changed.sort();
        assert_eq!(told(&queue).await, changed);
        authorise(&bank, &consent, &order(&held[1..3])).await;
        assert_eq!(told(&queue).await, [], "the same again is no news");
    }
}

#[tokio::test]
async fn evt_062_what_the_customer_ends_at_the_bank_is_told() {
    for bank in Bank::each_engine().await {
        let access = access(&bank.tpp("robot"), &EVERYTHING).await;
        let queue = Queue { tpp: access.tpp.clone(), token: access.own.clone() };
        assert_eq!(told(&queue).await.len(), 1);
        let mut visitor = Visitor::beside(&access.tpp);
        visitor.log_in("amelia").await;
        let question = visitor.at(&format!("{}/stop", access.consent)).await;
        let form = question.forms.iter().find(|form| form.action.path().ends_with("/stop")).unwrap().clone();
        assert_eq!(told(&queue).await, [], "asking ends nothing");
        visitor.browser.submit(&form, &[]).await;
        assert_eq!(told(&queue).await, [one(REVOKED, &access.consent, "account-access-consents", "")]);
    }
}
