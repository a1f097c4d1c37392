//! Consents of v4.0 are told when they expire, those of v3.1 are not. Source: table 2.4, AIS-072, AIS-078, SET-035, SET-036.

use super::{Queue, checked};
use crate::harness::funds::{CONSENTS, about, current};
use crate::harness::paying::consents;
use crate::harness::vrp::{VRP, asking};
use crate::harness::{Bank, CustomerAccess, EVERYTHING, ExchangeExt, FundsTpp, PayingTpp, ValueExt};
use crate::workers::rows::{change, texts};
use jiff::{SignedDuration, Timestamp};
use lombard_domain::version::Version;
use lombard_tpp::HttpExchange;
use serde_json::{Value, json};

const UPDATE: &str = "urn:uk:org:openbanking:events:resource-update";

/// The last days of VRP consents around a change of the clocks in London, and when they end.
const LONDON_DAYS: [(&str, &str); 4] = [
    ("2021-10-30T12:00:00Z", "2021-10-30T23:00:00Z"),
    ("2021-10-31T12:00:00Z", "2021-11-01T00:00:00Z"),
    ("2022-03-26T12:00:00Z", "2022-03-27T00:00:00Z"),
    ("2022-03-27T12:00:00Z", "2022-03-27T23:00:00Z"),
];

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

/// Sets the bank's clock; everything that is due then is done.
async fn set(bank: &Bank, time: Timestamp) {
    let (status, answer) = bank.ops_post("/sandbox/clock", &json!({"set": time.to_string()})).await;
    assert_eq!((status, &answer["settled"]), (200, &json!(true)), "{answer}");
}

/// What waits for the TPP, taken: the resource updates, by id and type.
async fn told(queue: &Queue) -> Vec<(String, String)> {
    let keys = queue.tpp.bank_keys().await.unwrap();
    let polled = queue.now().await;
    queue.poll(json!({"maxEvents": 0, "ack": polled.ids()})).await;
    let of = |token: &String| {
        let said = checked(token, &keys);
        let subject = &said["events"][UPDATE]["subject"];
        let text = |name: &str| subject.text(&format!("http://openbanking.org.uk/{name}")).to_owned();
        (text("rid"), text("rty"))
    };
    let mut all: Vec<_> = polled.sets.values().map(of).collect();
    all.sort();
    all
}

fn id(made: &HttpExchange) -> String {
    made.ok(201)["Data"].text("ConsentId").to_owned()
}

/// The robot, whose customer agrees at once, through one version, with its tokens.
struct Client {
    accounts: Queue,
    funds: FundsTpp,
    paying: PayingTpp,
}

impl Client {
    async fn through(bank: &Bank, version: Version) -> Self {
        let tpp = bank.tpp("robot").with_version(version);
        let paying = PayingTpp::robot(bank).await.through(version);
        Self { accounts: Queue::with(&tpp).await, funds: FundsTpp::with(tpp).await, paying }
    }

    async fn account_access(&self, end: Timestamp) -> String {
        let body = json!({"Data": {"Permissions": EVERYTHING, "ExpirationDateTime": end.to_string()}, "Risk": {}});
        let Queue { tpp, token } = &self.accounts;
        let consent = id(&tpp.consent_post(token, &body).await.unwrap());
        CustomerAccess::of(tpp, token, &consent).await;
        consent
    }

    async fn funds_confirmation(&self, bank: &Bank, end: Timestamp) -> String {
        let mut body = about(&current(bank, "amelia").await);
        body["Data"]["ExpirationDateTime"] = json!(end.to_string());
        let consent = id(&self.funds.post(&self.funds.own, CONSENTS, &body).await);
        self.funds.tokens(&consent).await;
        consent
    }

    async fn vrp(&self, last_day: &str) -> String {
        let mut body = asking();
        body["Data"]["ControlParameters"]["ValidToDateTime"] = json!(last_day);
        self.paying.agreed_to(VRP, body).await.consent
    }

    /// One of each kind that ends at the end of the day in London on which the clocks go back, in the order of [`told`].
    async fn one_of_each(&self, bank: &Bank) -> Vec<(String, String)> {
        let (last_day, end) = LONDON_DAYS[1];
        let mut all = vec![
            (self.account_access(at(end)).await, "account-access-consent".to_owned()),
            (self.funds_confirmation(bank, at(end)).await, "funds-confirmation-consents".to_owned()),
            (self.vrp(last_day).await, "domestic-vrp-consents".to_owned()),
        ];
        all.sort();
        all
    }
}

#[tokio::test]
async fn ais_078_and_set_036_each_kind_of_consent_is_told_once_when_it_expires() {
    let start = at("2021-10-20T12:00:00Z");
    let end = at(LONDON_DAYS[1].1);
    for bank in Bank::each_engine().await {
        set(&bank, start).await;
        let older = Client::through(&bank, Version::V3_1).await;
        older.one_of_each(&bank).await;
        let client = Client::through(&bank, Version::V4_0).await;
        let made = client.one_of_each(&bank).await;
        // Given again: the second job for the same end raises nothing.
        let (access, _) = made.iter().find(|(_, kind)| kind == "account-access-consent").unwrap();
        CustomerAccess::of(&client.accounts.tpp, &client.accounts.token, access).await;
        let queue = &client.accounts;
        told(queue).await;

        set(&bank, end - SignedDuration::from_secs(1)).await;
        assert_eq!(told(queue).await, []);
        set(&bank, end).await;
        assert_eq!(told(queue).await, made, "of v4.0 alone, each once");
        for (consent, kind) in &made {
            let (path, token) = match kind.as_str() {
                "account-access-consent" => ("aisp/account-access-consents", &queue.token),
                "domestic-vrp-consents" => (consents(VRP), &client.paying.own),
                _ => (CONSENTS, &client.funds.own),
            };
            let read = queue.tpp.get(token, &format!("{path}/{consent}")).await.unwrap().ok(200);
            assert_eq!(read["Data"].text("Status"), "EXPD", "{kind}");
        }
        // The clock may be set back; what was told stays told.
        set(&bank, start).await;
        set(&bank, end + SignedDuration::from_hours(1)).await;
        assert_eq!(told(queue).await, []);
    }
}

#[tokio::test]
async fn vrp_022_a_vrp_consent_ends_with_its_day_in_london() {
    for bank in Bank::each_engine().await {
        set(&bank, at("2021-10-20T12:00:00Z")).await;
        let client = Client::through(&bank, Version::V4_0).await;
        let mut all = Vec::new();
        for (last_day, end) in LONDON_DAYS {
            all.push((client.vrp(last_day).await, at(end)));
        }
        told(&client.accounts).await;
        for (consent, end) in all {
            set(&bank, end - SignedDuration::from_secs(1)).await;
            assert_eq!(told(&client.accounts).await, [], "{end}");
            set(&bank, end).await;
            assert_eq!(told(&client.accounts).await, [(consent, "domestic-vrp-consents".to_owned())], "{end}");
        }
    }
}

#[tokio::test]
async fn set_035_consents_that_were_revoked_or_deleted_are_not_told_to_expire() {
    let end = at("2021-11-01T00:00:00Z");
    for bank in Bank::each_engine().await {
        set(&bank, at("2021-10-20T12:00:00Z")).await;
        let client = Client::through(&bank, Version::V4_0).await;
        for (consent, kind) in client.one_of_each(&bank).await {
            if kind == "funds-confirmation-consents" {
                let url = client.funds.tpp.resource_url(&format!("{CONSENTS}/{consent}"));
                let call = lombard_tpp::HttpCall::new(http::Method::DELETE, url).with_bearer(&client.funds.own);
                client.funds.tpp.send(call).await.unwrap().ok(204);
            } else {
                let revoked = bank.ops_post(&format!("/sandbox/consents/{consent}/revoke"), &Value::Null).await;
                assert_eq!(revoked.0, 200);
            }
        }
        told(&client.accounts).await;
        set(&bank, end).await;
        assert_eq!(told(&client.accounts).await, []);
    }
}

/// A restart from a database of the earlier release: its consents have no jobs. The statement is that of the migration.
#[tokio::test]
async fn set_036_consents_that_were_authorised_before_the_upgrade_are_told_too() {
    let migration = include_str!("../../../crates/store/migrations/sqlite/0042_expiry_events.sql");
    let (_, insert) = migration.split_once("INSERT").unwrap();
    for bank in Bank::each_engine().await {
        set(&bank, at("2021-10-20T12:00:00Z")).await;
        let older = Client::through(&bank, Version::V3_1).await;
        older.one_of_each(&bank).await;
        let client = Client::through(&bank, Version::V4_0).await;
        let made = client.one_of_each(&bank).await;
        let open_ended = client.accounts.tpp.consent_create(&client.accounts.token, &EVERYTHING).await.unwrap();
        CustomerAccess::of(&client.accounts.tpp, &client.accounts.token, &open_ended).await;
        client.paying.agreed_to(VRP, asking()).await;
        change(&bank, "DELETE FROM jobs WHERE kind = 'consent-expiry'").await;
        change(&bank, &format!("INSERT{insert}")).await;
        told(&client.accounts).await;

        set(&bank, at("2021-10-20T13:00:00Z")).await;
        assert_eq!(told(&client.accounts).await, []);
        let left = texts(&bank, "SELECT subject FROM jobs WHERE kind = 'consent-expiry'").await;
        assert_eq!(left.len(), made.len(), "a VRP consent without an end needs no job: {left:?}");
        set(&bank, at(LONDON_DAYS[1].1)).await;
        assert_eq!(told(&client.accounts).await, made);
    }
}
