//! Every account information endpoint of the catalogue with every kind of token and permission.

use super::ALL;
use super::rows::{Form, RULES, Rule};
use crate::harness::{Bank, CustomerAccess, ExchangeExt, ValueExt, access};
use http::Method;
use jiff::SignedDuration;
use lombard_api::catalogue::ENDPOINTS;
use lombard_domain::version::Version;
use lombard_edge::endpoint::ApiEndpoint;
use lombard_edge::endpoint_facts::{EndpointGroup, RequiredGrant};
use lombard_tpp::{HttpCall, HttpExchange, Tpp};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// A row of the catalogue, with what the rules say of it.
#[derive(Debug, Clone, Copy)]
struct Row {
    endpoint: &'static ApiEndpoint,
    rule: Rule,
    version: Version,
}

/// Which ids a row is called with.
#[derive(Debug, Clone)]
struct Names {
    consent: String,
    account: String,
    statement: String,
}

/// Everybody and everything the rows are tried with.
struct MatrixInputs {
    bank: Bank,
    /// The version that the consents are of.
    version: Version,
    access: CustomerAccess,
    names: Names,
}

/// The rows as one version has them.
fn rows_in(version: Version) -> Vec<Row> {
    let rule = |endpoint: &ApiEndpoint| {
        *RULES.iter().find(|rule| rule.name == endpoint.name).unwrap_or_else(|| panic!("no rule for {endpoint:?}"))
    };
    let group = ENDPOINTS.iter().filter(|endpoint| endpoint.group == EndpointGroup::AccountInformation);
    group.map(|endpoint| Row { endpoint, rule: rule(endpoint), version }).collect()
}

/// Both versions; consents of the first are known to the second too (RW-015).
const VERSIONS: [Version; 2] = [Version::V3_1, Version::V4_0];

fn psu_rows(rows: Vec<Row>) -> Vec<Row> {
    rows.into_iter().filter(|row| row.endpoint.grant == RequiredGrant::Psu).collect()
}

impl Row {
    fn names(&self, id: &str) -> bool {
        self.endpoint.path.contains(id)
    }

    /// The call, as a token of this bank opens it.
    fn call(&self, tpp: &Tpp, token: &str, names: &Names) -> HttpCall {
        let path = self.endpoint.path.replace("{ConsentId}", &names.consent).replace("{AccountId}", &names.account);
        let path = path.replace("{StatementId}", &names.statement);
        let method = Method::from_bytes(self.endpoint.method.name().as_bytes()).unwrap();
        let url = tpp.with_version(self.version).resource_url(&format!("aisp{path}"));
        let call = HttpCall::new(method, url).with_bearer(token);
        match self.endpoint.name {
            "CreateAccountAccessConsents" => {
                call.with_json(&json!({"Data": {"Permissions": ["ReadAccountsBasic"]}, "Risk": {}}))
            }
            _ => call,
        }
    }

    /// That the answer is this refusal. Where v4.0 has no code for it, the message says which it is. Source: RW-125.
    fn refused(&self, answer: &HttpExchange, status: u16, name: &str) {
        let (code, told) = match (self.version, name) {
            (Version::V3_1, _) => (name, ""),
            (Version::V4_0, "UK.OBIE.Resource.NotFound") => ("U011", "UK.OBIE.Resource.NotFound"),
            (Version::V4_0, "UK.Lombard.Forbidden.Permission") => ("NARR", "does not hold the permission"),
            (Version::V4_0, "UK.Lombard.Forbidden.Owner") => ("NARR", "belongs to another TPP"),
            (Version::V4_0, "UK.Lombard.Forbidden.Account") => ("NARR", "no longer, part of the consent"),
            (Version::V4_0, other) => panic!("no name in v4.0 for {other}"),
        };
        answer.refused_with(status, code, "");
        let message = answer.json().unwrap()["Errors"][0].text("Message").to_owned();
        assert!(message.contains(told), "{self:?}: {message}");
    }

    /// What a good answer shows, record by record.
    fn records(&self, answer: &HttpExchange) -> Vec<Value> {
        answer.decent();
        match self.rule.form {
            Form::Consent => Vec::new(),
            Form::List(member) => answer.ok(200).list(&format!("/Data/{member}")),
            Form::Party => vec![answer.ok(200)["Data"]["Party"].clone()],
            Form::File => {
                assert_eq!(answer.status, 200, "{self:?}: {}", answer.text());
                assert!(!answer.body.is_empty(), "{self:?}");
                Vec::new()
            }
        }
    }
}

impl MatrixInputs {
    /// On each engine, with a consent of each version.
    async fn each() -> Vec<Self> {
        let mut casts = Vec::new();
        for version in VERSIONS {
            for bank in Bank::each_engine().await {
                casts.push(Self::new(bank, version).await);
            }
        }
        casts
    }

    async fn new(bank: Bank, version: Version) -> Self {
        let access = access(&bank.tpp("robot").with_version(version), &ALL).await;
        let statement = access.read("aisp/statements").await.list("/Data/Statement").remove(0);
        let account = statement.text("AccountId").to_owned();
        let statement = statement.text("StatementId").to_owned();
        let names = Names { consent: access.consent.clone(), account, statement };
        Self { bank, version, access, names }
    }

    /// The rows of the version, and of newer ones.
    fn rows(&self) -> Vec<Row> {
        VERSIONS.into_iter().filter(|version| *version >= self.version).flat_map(rows_in).collect()
    }

    fn psu_rows(&self) -> Vec<Row> {
        psu_rows(self.rows())
    }

    async fn ask(&self, row: &Row, token: &str, names: &Names) -> HttpExchange {
        self.access.tpp.send(row.call(&self.access.tpp, token, names)).await.unwrap()
    }

    /// Ids that the row has something to show for: not every account has offers.
    async fn names_for(&self, row: &Row) -> Names {
        if !row.names("{AccountId}") || row.names("{StatementId}") || !matches!(row.rule.form, Form::List(_)) {
            return self.names.clone();
        }
        for account in self.access.account_ids().await {
            let names = Names { account, ..self.names.clone() };
            if !row.records(&self.ask(row, self.access.token(), &names).await).is_empty() {
                return names;
            }
        }
        panic!("{row:?} has nothing to show for any account");
    }

    /// The same row under another consent of the same customer.
    async fn with(&self, permissions: &[&str]) -> CustomerAccess {
        access(&self.access.tpp, permissions).await
    }
}

/// The permissions of a consent that can be made: one for accounts is always there (AIS-031).
fn at_least(permissions: &[&'static str]) -> Vec<&'static str> {
    let accounts = permissions.iter().any(|it| it.starts_with("ReadAccounts"));
    permissions.iter().copied().chain((!accounts).then_some("ReadAccountsBasic")).collect()
}

#[test]
fn t6_every_endpoint_is_built_and_has_its_rule() {
    let known: BTreeSet<_> = RULES.iter().map(|rule| rule.name).collect();
    assert_eq!(known.len(), 29);
    assert_eq!(rows_in(Version::V3_1).len(), 29);
    for row in rows_in(Version::V3_1) {
        assert!(known.contains(row.endpoint.name), "{:?} has no rule", row.endpoint);
        let versions: Vec<_> = row.endpoint.versions().collect();
        assert_eq!(versions, VERSIONS, "{:?} is not built", row.endpoint);
    }
}

#[tokio::test]
async fn ais_001_every_endpoint_answers_who_may_ask() {
    for cast in MatrixInputs::each().await {
        for row in cast.rows().into_iter().filter(|row| row.endpoint.name != "DeleteAccountAccessConsentsConsentId") {
            let row = &row;
            let token = match row.endpoint.grant {
                RequiredGrant::Client | RequiredGrant::Either => &cast.access.own,
                RequiredGrant::Psu => cast.access.token(),
            };
            let names = cast.names_for(row).await;
            let answer = cast.ask(row, token, &names).await;
            assert!(answer.status.is_success(), "{row:?}: {} {}", answer.status, answer.text());
            let records = row.records(&answer);
            let empty = records.is_empty() && matches!(row.rule.form, Form::List(_));
            assert!(!empty, "{row:?} shows nothing of amelia's");
            let other = records
                .iter()
                .find(|it| row.names("{AccountId}") && it.get("AccountId").is_some_and(|id| *id != *names.account));
            assert_eq!(other, None, "{row:?} shows another account");
        }
    }
}

#[tokio::test]
async fn ais_040_without_its_permission_every_endpoint_is_403_whatever_the_ids() {
    for cast in MatrixInputs::each().await {
        for row in cast.psu_rows() {
            let opened_by = row.rule.opened_by();
            if opened_by.contains(&"ReadAccountsBasic") {
                continue;
            }
            // Basic opens what Detail opens, except the file.
            let mut without: Vec<_> = ALL.into_iter().filter(|it| !opened_by.contains(it)).collect();
            if row.rule.form == Form::File {
                without.push("ReadStatementsBasic");
            }
            let poor = cast.with(&at_least(&without)).await;
            let unknown = Names { account: "unknown".into(), statement: "unknown".into(), ..cast.names.clone() };
            for names in [&cast.names, &unknown] {
                let answer = cast.ask(&row, poor.token(), names).await;
                row.refused(&answer, 403, "UK.Lombard.Forbidden.Permission");
            }
        }
    }
}

#[tokio::test]
async fn ais_038_read_pan_opens_nothing_by_itself() {
    for cast in MatrixInputs::each().await {
        let pan = cast.with(&["ReadAccountsBasic", "ReadPAN"]).await;
        for row in cast.psu_rows() {
            let answer = cast.ask(&row, pan.token(), &cast.names).await;
            if row.rule.opened_by().contains(&"ReadAccountsBasic") {
                answer.ok(200);
            } else {
                row.refused(&answer, 403, "UK.Lombard.Forbidden.Permission");
            }
        }
    }
}

#[tokio::test]
async fn ais_093_ais_095_the_consent_period_limits_only_entries_and_statements() {
    for cast in MatrixInputs::each().await {
        let CustomerAccess { tpp, own, .. } = &cast.access;
        let data = json!({"Permissions": ALL, "TransactionToDateTime": "1999-12-31T00:00:00Z"});
        let consent = tpp.consent_post(own, &json!({"Data": data, "Risk": {}})).await.unwrap().ok(201);
        let past = CustomerAccess::of(tpp, own, consent["Data"].text("ConsentId")).await;
        for row in cast.psu_rows().iter().filter(|row| !row.names("{StatementId}")) {
            let names = cast.names_for(row).await;
            let limited = cast.ask(row, past.token(), &names).await.ok(200);
            let open = cast.ask(row, cast.access.token(), &names).await.ok(200);
            match row.rule.form {
                Form::List(member @ ("Transaction" | "Statement")) => {
                    assert_eq!(limited["Data"], json!({ member: [] }), "RW-103: {row:?}");
                    assert!(limited["Meta"].get("FirstAvailableDateTime").is_none(), "AIS-096: {row:?}");
                }
                _ => assert_eq!(limited["Data"], open["Data"], "{row:?}"),
            }
        }
    }
}

#[tokio::test]
async fn ais_050_and_ais_051_basic_hides_and_detail_shows() {
    for cast in MatrixInputs::each().await {
        for row in &cast.psu_rows().into_iter().filter(|row| !row.rule.hidden.is_empty()).collect::<Vec<_>>() {
            let basic = cast.with(&at_least(row.rule.basic)).await;
            let detail = cast.with(&at_least(row.rule.detail)).await;
            let names = cast.names_for(row).await;
            let plain = row.records(&cast.ask(row, basic.token(), &names).await);
            let full = row.records(&cast.ask(row, detail.token(), &names).await);
            assert!(!plain.is_empty() && plain.len() == full.len(), "{row:?}");
            for (plain, full) in plain.into_iter().zip(full) {
                for member in row.rule.hidden {
                    assert!(plain.get(member).is_none(), "AIS-050: {row:?} shows {member}: {plain}");
                }
                for member in row.rule.must {
                    assert!(full.get(member).is_some(), "AIS-051: {row:?} lacks {member}: {full}");
                }
                let mut reduced = full.clone();
                reduced.as_object_mut().unwrap().retain(|name, _| !row.rule.hidden.contains(&name.as_str()));
                assert_eq!(plain, reduced, "AIS-037: nothing else differs");
            }
        }
    }
}

#[tokio::test]
async fn rw_104_as_111_another_tpps_tokens_and_ids_open_nothing() {
    for cast in MatrixInputs::each().await {
        let rival = cast.bank.tpp("rival").with_version(cast.version);
        let own = rival.client_credentials("accounts").await.unwrap().access_token;
        let consent = rival.consent_create(&own, &ALL).await.unwrap();
        let given = authorise(&cast.bank, &consent, &json!({"psu": "amelia", "decision": "approve"})).await;
        let account = given.list("/accounts")[0].as_str().unwrap().to_owned();
        let foreign = Names { consent, account, ..cast.names.clone() };
        for row in cast.rows() {
            cast.ask(&row, &own, &cast.names).await.unauthorised();
            let token = match row.endpoint.grant {
                RequiredGrant::Client | RequiredGrant::Either => &cast.access.own,
                RequiredGrant::Psu => cast.access.token(),
            };
            if row.names("{ConsentId}") || row.names("{AccountId}") {
                let answer = cast.ask(&row, token, &foreign).await;
                row.refused(&answer, 403, "UK.Lombard.Forbidden.Owner");
            }
            // The right token by the rival's certificate.
            rival.send(row.call(&rival, token, &cast.names)).await.unwrap().unauthorised();
        }
    }
}

#[tokio::test]
async fn rw_107_another_customers_account_and_one_not_selected_are_403() {
    for cast in MatrixInputs::each().await {
        let CustomerAccess { tpp, own, .. } = &cast.access;
        let bashirs = tpp.consent_create(own, &ALL).await.unwrap();
        let given = authorise(&cast.bank, &bashirs, &json!({"psu": "bashir", "decision": "approve"})).await;
        let other = Names { account: given.list("/accounts")[0].as_str().unwrap().into(), ..cast.names.clone() };
        for row in cast.psu_rows().iter().filter(|row| row.names("{AccountId}")) {
            let answer = cast.ask(row, cast.access.token(), &other).await;
            row.refused(&answer, 403, "UK.Lombard.Forbidden.Account");
        }

        // Amelia now shares all but the account that the rows name.
        let all: Vec<Value> = held(&cast.bank, "amelia").await;
        let shared = json!({"psu": "amelia", "accounts": all, "decision": "approve"});
        let told = authorise(&cast.bank, &cast.access.consent, &shared).await.list("/accounts");
        let named = told.iter().position(|alias| *alias == *cast.names.account).unwrap();
        let rest: Vec<_> = all.iter().enumerate().filter(|(at, _)| *at != named).map(|(_, id)| id).collect();
        let order = json!({"psu": "amelia", "accounts": rest, "decision": "approve"});
        authorise(&cast.bank, &cast.access.consent, &order).await;
        let token = cast.access.token();
        for row in cast.psu_rows() {
            let answer = cast.ask(&row, token, &cast.names).await;
            if row.names("{AccountId}") {
                row.refused(&answer, 403, "UK.Lombard.Forbidden.Account");
            } else {
                let named = |it: &Value| it.text("AccountId") == cast.names.account;
                assert!(!row.records(&answer).iter().any(named), "AIS-081: {row:?}");
            }
        }
    }
}

#[tokio::test]
async fn rw_102_ais_145_unknown_ids_are_400() {
    for cast in MatrixInputs::each().await {
        let mut of_another = None;
        for statement in cast.access.read("aisp/statements").await.list("/Data/Statement") {
            let other = statement.text("AccountId") != cast.names.account;
            of_another = of_another.or(other.then(|| statement.text("StatementId").to_owned()));
        }
        let of_another = of_another.expect("statements of two accounts");
        let unknown = |names: &Names, statement: &str| Names { statement: statement.into(), ..names.clone() };
        let nothing = Names { consent: "unknown".into(), account: "unknown".into(), ..cast.names.clone() };
        for row in cast.rows() {
            let token = match row.endpoint.grant {
                RequiredGrant::Client | RequiredGrant::Either => &cast.access.own,
                RequiredGrant::Psu => cast.access.token(),
            };
            if row.names("{ConsentId}") || row.names("{AccountId}") {
                let answer = cast.ask(&row, token, &nothing).await;
                row.refused(&answer, 400, "UK.OBIE.Resource.NotFound");
            }
            if row.names("{StatementId}") {
                for id in ["unknown", "%00", of_another.as_str()] {
                    let answer = cast.ask(&row, token, &unknown(&cast.names, id)).await;
                    row.refused(&answer, 400, "UK.OBIE.Resource.NotFound");
                }
            }
        }
    }
}

#[tokio::test]
async fn ais_066_ais_078_an_expired_consent_opens_nothing_and_is_still_there() {
    for cast in MatrixInputs::each().await {
        let CustomerAccess { tpp, own, .. } = &cast.access;
        let end = cast.bank.now() + SignedDuration::from_mins(30);
        let body = json!({"Data": {"Permissions": ALL, "ExpirationDateTime": end.to_string()}, "Risk": {}});
        let consent = tpp.consent_post(own, &body).await.unwrap().ok(201)["Data"].text("ConsentId").to_owned();
        let ending = CustomerAccess::of(tpp, own, &consent).await;
        let names = Names { consent, ..cast.names.clone() };
        cast.ask(&cast.psu_rows()[0], ending.token(), &names).await.ok(200);
        cast.bank.clock.advance(SignedDuration::from_mins(30));
        // Once in each version: a row deletes the consent.
        for row in rows_in(cast.version) {
            match row.endpoint.grant {
                RequiredGrant::Psu => cast.ask(&row, ending.token(), &names).await.unauthorised(),
                RequiredGrant::Client | RequiredGrant::Either => {
                    let answer = cast.ask(&row, own, &names).await;
                    assert!(answer.status.is_success(), "{row:?}: {}", answer.text());
                }
            }
        }
    }
}

#[tokio::test]
async fn ais_063_a_deleted_consent_opens_nothing_and_is_gone() {
    for cast in MatrixInputs::each().await {
        let CustomerAccess { tpp, own, .. } = &cast.access;
        tpp.delete(own, &cast.access.consent_path()).await.unwrap().ok(204);
        for row in cast.rows() {
            match row.endpoint.grant {
                RequiredGrant::Psu => cast.ask(&row, cast.access.token(), &cast.names).await.unauthorised(),
                RequiredGrant::Client if row.names("{ConsentId}") => {
                    let answer = cast.ask(&row, own, &cast.names).await;
                    row.refused(&answer, 400, "UK.OBIE.Resource.NotFound");
                }
                RequiredGrant::Client | RequiredGrant::Either => {
                    cast.ask(&row, own, &cast.names).await.ok(201);
                }
            }
        }
    }
}

/// Has the sandbox decide about a consent.
async fn authorise(bank: &Bank, consent: &str, body: &Value) -> Value {
    let (status, answer) = bank.ops_post(&format!("/sandbox/consents/{consent}/authorise"), body).await;
    assert_eq!(status, 200, "{body}: {answer}");
    answer
}

/// The bank's ids of a customer's accounts.
async fn held(bank: &Bank, psu: &str) -> Vec<Value> {
    let psus = bank.ops_get("/sandbox/psus").await.json().unwrap().list("/psus");
    let found = psus.into_iter().find(|it| it["psu"] == psu).unwrap();
    found.list("/accounts").iter().map(|account| account["id"].clone()).collect()
}
