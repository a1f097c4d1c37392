//! The TPPs, tokens and resources used in requests to the catalogue's endpoints.

use super::row::{REFERENCE, Row};
use crate::harness::funds::{about, current, question};
use crate::harness::paying::{AgreedConsent, FILE, TRANSFERS};
use crate::harness::vrp::{self, VRP};
use crate::harness::{Bank, CustomerAccess, FundsTpp, PayingTpp, ValueExt, access, until};
use http::Method;
use lombard_api::catalogue::list_operations;
use lombard_domain::consent::Permission;
use lombard_domain::payment::PaymentProduct;
use lombard_domain::version::Version;
use lombard_edge::endpoint::ApiEndpoint;
use lombard_edge::endpoint_facts::{EndpointGroup, HttpMethod, RequiredGrant};
use lombard_tpp::{HttpCall, HttpExchange};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// What rows are called with.
pub(super) struct RowInputs {
    pub(super) bank: Bank,
    pub(super) access: CustomerAccess,
    pub(super) account: String,
    pub(super) statement: Option<String>,
    pub(super) paying: PayingTpp,
    pub(super) paid: Vec<Paid>,
    pub(super) funds: Funds,
}

/// What the rows about funds are called with: an account, the TPP's own token, and two consents to ask about it.
pub(super) struct Funds {
    pub(super) account: Value,
    pub(super) own: String,
    pub(super) given: (String, String),
    pub(super) other: (String, String),
}

/// What the rows of a payment product in a version are called with: an order that was made, a consent it can be made of, and one that
/// stays as it is.
pub(super) struct Paid {
    pub(super) version: Version,
    pub(super) made: AgreedConsent,
    pub(super) order: String,
    pub(super) open: AgreedConsent,
    pub(super) kept: AgreedConsent,
    /// A consent that awaits its file, of the product that pays what is in one.
    pub(super) awaiting: Option<String>,
}

impl RowInputs {
    pub(super) async fn new() -> Self {
        let bank = Bank::start().await;
        let everything: Vec<_> = Permission::ALL.iter().map(|permission| permission.name()).collect();
        let access = access(&bank.tpp("robot"), &everything).await;
        let account = access.account_ids().await.remove(0);
        let statements = access.read(&format!("aisp/accounts/{account}/statements")).await.list("/Data/Statement");
        let statement = statements.first().map(|statement| statement.text("StatementId").to_owned());
        let paying = PayingTpp::robot(&bank).await;
        let mut paid = Vec::new();
        let products = TRANSFERS.into_iter().chain([VRP, PaymentProduct::FilePayment]);
        for (version, product) in
            Version::ALL.into_iter().flat_map(|version| products.clone().map(move |it| (version, it)))
        {
            let paying = paying.through(version);
            let mut asked = paying.asking(product);
            if product == PaymentProduct::InternationalScheduledPayment {
                // Funds are confirmed where the account is debited with the order (PIS-084, INT-022).
                asked["Data"]["Initiation"]["ExchangeRateInformation"] =
                    json!({"UnitCurrency": "GBP", "RateType": "Actual"});
            }
            let agreed = async || paying.agreed_to(product, asked.clone()).await;
            let made = agreed().await;
            let open = agreed().await;
            let kept = agreed().await;
            let (order, _) = paying.ordered(&made).await;
            let awaiting =
                if product.requires_file() { Some(paying.consent(product, &made.asked).await) } else { None };
            let awaiting = awaiting.map(|made| made["Data"].text("ConsentId").to_owned());
            paid.push(Paid { version, made, order, open, kept, awaiting });
        }
        // The bank has the orders, and has told what it makes of them: what is stored then is of requests alone.
        for paid in &paid {
            let moved = async || {
                let now = paying.through(paid.version).order_now(paid.made.product, &paid.order).await;
                let status = now["Data"].text("Status").to_owned();
                let moved = ["AcceptedSettlementInProcess", "InitiationCompleted", "ACSP", "PDNG", "INCO"];
                let is_processed = !(status == "PDNG" && paid.made.product.requires_file());
                (is_processed && moved.contains(&&*status)).then_some(())
            };
            until(moved).await;
        }
        let rests = |rows: &BTreeMap<String, i64>| rows["jobs"] + rows["bank_news"] == 0;
        until(async || rests(&bank.rows()).then_some(())).await;
        let asking = FundsTpp::robot(&bank).await;
        let asked_about = current(&bank, "amelia").await;
        let given = asking.agreed(&asked_about).await;
        let other = asking.agreed(&asked_about).await;
        let funds = Funds { account: asked_about, own: asking.own, given, other };
        Self { bank, access, account, statement, paying, paid, funds }
    }

    /// Every built row, in every version that serves it. What is about a statement needs a bank that has one.
    pub(super) fn rows(&self) -> Vec<Row> {
        let callable =
            list_operations().filter(|it| self.statement.is_some() || !it.endpoint.path.contains("{StatementId}"));
        let rows: Vec<_> = callable.map(|it| self.row(it.endpoint, it.version)).collect();
        for version in Version::ALL {
            assert!(rows.iter().filter(|row| row.version == version).count() >= 7, "{version:?}");
        }
        rows
    }

    pub(super) fn row(&self, endpoint: &'static ApiEndpoint, version: Version) -> Row {
        let ours = |paid: &&Paid| {
            let path = format!("/pisp{}", endpoint.path);
            let begins = |with: &str| path == with || path.starts_with(&format!("{with}/"));
            let product = paid.made.product;
            paid.version == version && (begins(product.consents_path()) || begins(product.orders_path()))
        };
        let row = match self.paid.iter().find(ours) {
            Some(paid) => self.payment_row(endpoint, paid),
            None if endpoint.group == EndpointGroup::FundsConfirmation => self.funds_row(endpoint),
            None => self.account_row(endpoint),
        };
        let (path, id, token, wrong, body) = row;
        let url =
            format!("{}{}", self.bank.endpoints().mtls, endpoint.full_path(version).replace(endpoint.path, &path));
        Row { endpoint, version, url, body, id, token, wrong, tpp: self.access.tpp.clone() }
    }

    /// Path, id, the right and a wrong token, body.
    fn account_row(&self, endpoint: &ApiEndpoint) -> (String, Option<String>, String, String, Option<String>) {
        let path = endpoint.path.replace("{ConsentId}", &self.access.consent).replace("{AccountId}", &self.account);
        let path = path.replace("{StatementId}", self.statement.as_deref().unwrap_or("none"));
        let body = match endpoint.name {
            "CreateAccountAccessConsents" => Some(r#"{"Data":{"Permissions":["ReadAccountsBasic"]},"Risk":{}}"#),
            "CreateEvents" => Some(r#"{"maxEvents":0,"returnImmediately":true}"#),
            _ => None,
        };
        let id = [&self.access.consent, &self.account].into_iter().find(|id| path.contains(*id)).cloned();
        let own = self.access.own.clone();
        let customers = self.access.token().to_owned();
        let (token, wrong) = match endpoint.grant {
            RequiredGrant::Client | RequiredGrant::Either => (own, customers),
            RequiredGrant::Psu => (customers, own),
        };
        (path, id, token, wrong, body.map(str::to_owned))
    }

    /// The same of a payment product.
    fn payment_row(
        &self,
        endpoint: &ApiEndpoint,
        paid: &Paid,
    ) -> (String, Option<String>, String, String, Option<String>) {
        let is_order = format!("/pisp{}", endpoint.path).starts_with(paid.made.product.orders_path());
        let used = match (endpoint.method, endpoint.grant) {
            (HttpMethod::Post, RequiredGrant::Psu) => &paid.open,
            (_, RequiredGrant::Psu) => &paid.kept,
            _ => &paid.made,
        };
        let sends_file = endpoint.method == HttpMethod::Post && endpoint.path.ends_with("/file");
        let consent = paid.awaiting.as_ref().filter(|_| sends_file).unwrap_or(&used.consent);
        let id = endpoint.path.contains('{').then(|| if is_order { paid.order.clone() } else { consent.clone() });
        let path = endpoint.path.split('/').map(|word| match &id {
            Some(id) if word.starts_with('{') => id,
            _ => word,
        });
        let path = path.collect::<Vec<_>>().join("/");
        let body = match endpoint.grant {
            _ if is_order => used.order(),
            RequiredGrant::Psu => vrp::question(&used.consent, "1.00"),
            RequiredGrant::Client | RequiredGrant::Either => used.asked.clone(),
        };
        let own = self.paying.own.clone();
        let body = if sends_file { FILE.to_owned() } else { body.to_string() };
        let body = match endpoint.method {
            HttpMethod::Post | HttpMethod::Put => Some(body),
            HttpMethod::Patch => Some(json!([{"op": "test", "path": "/Risk", "value": {}}]).to_string()),
            HttpMethod::Get | HttpMethod::Delete => None,
        };
        let (token, wrong) = match endpoint.grant {
            RequiredGrant::Psu => (used.token.clone(), own),
            // PIS-004: a customer's token of another consent opens nothing.
            RequiredGrant::Client | RequiredGrant::Either => (own, paid.kept.token.clone()),
        };
        (path, id, token, wrong, body)
    }

    /// The same of funds.
    fn funds_row(&self, endpoint: &ApiEndpoint) -> (String, Option<String>, String, String, Option<String>) {
        let Funds { account, own, given: (consent, token), other } = &self.funds;
        let id = endpoint.path.contains('{').then(|| consent.clone());
        let path = endpoint.path.replace("{ConsentId}", consent);
        let body = match endpoint.name {
            "CreateFundsConfirmationConsents" => Some(about(account)),
            "CreateFundsConfirmations" => Some(question(consent, REFERENCE, "1.00", "GBP")),
            _ => None,
        };
        let (token, wrong) = match endpoint.grant {
            RequiredGrant::Psu => (token.clone(), own.clone()),
            RequiredGrant::Client | RequiredGrant::Either => (own.clone(), other.1.clone()),
        };
        (path, id, token, wrong, body.map(|body| body.to_string()))
    }

    /// The call a row is made for.
    pub(super) fn good(&self, row: &Row) -> HttpCall {
        row.call().with_bearer(&row.token)
    }

    /// Sends a call. Whatever is answered about payments is signed (RW-135).
    pub(super) async fn send(&self, call: HttpCall) -> HttpExchange {
        let answer = self.access.tpp.send(call).await.unwrap();
        let signed = answer.url.path().split('/').nth(3) == Some("pisp") && answer.method != Method::HEAD;
        if signed { self.access.tpp.verify_response(answer).await.unwrap() } else { answer }
    }
}

/// The path of a product's consents, as rows have it.
pub(super) fn consents_of(product: PaymentProduct) -> &'static str {
    product.consents_path().trim_start_matches("/pisp")
}
