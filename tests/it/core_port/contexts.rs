//! The port is walked: every method of a bank is called through a TPP's request, a page or a worker, and what it is called for is
//! compared field by field.

use super::people::{ACCOUNT, AMELIA, NUMBER, OF_THE_TEST, STATE_OF_ACCOUNT, TrustingIdentity, bank_of_amelia};
use super::recording_bank::RecordingBank;
use crate::accounts;
use crate::apps::Visitor;
use crate::harness::funds::{self, FundsTpp};
use crate::harness::paying::{AgreedConsent, consents, orders};
use crate::harness::{Bank, Browser, Engine, ExchangeExt, PayingTpp, PendingConsent, ValueExt, access, until};
use jiff::SignedDuration;
use lombard::server::Core;
use lombard_core_api::calls::methods;
use lombard_domain::authentication::AuthenticationFactor;
use lombard_domain::consent::ConsentKind;
use lombard_domain::ids::ConsentId;
use lombard_domain::money::Currency;
use lombard_domain::payment::PaymentProduct;
use lombard_domain::payment::exchange::CurrencyPair;
use lombard_domain::version::Version;
use lombard_ports::bank::context::Authentication;
use lombard_ports::bank::{
    AccountChange, CallConsent, CallContext, CallingClient, CoreState, OrderUpdate, PaymentRiskFacts, SubmittedRisk,
    TraceParent,
};
use lombard_tpp::{HttpCall, HttpExchange, Tpp};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::net::IpAddr;
use std::sync::Arc;

const INTERACTION: &str = "x-fapi-interaction-id";
const TRACE: &str = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
const CUSTOMER: &str = "203.0.113.9";
const AGENT: &str = "Telephone/1.0";
const BROWSER: &str = "Browser/2.0";
const STATE_OF_CONSENT: &str = "mandate 3";

/// A walk over the port of one bank.
struct Walk {
    bank: Bank,
    core: Arc<RecordingBank>,
    walked: BTreeSet<&'static str>,
}

fn client(tpp: &Tpp) -> Option<CallingClient> {
    Some(CallingClient { id: tpp.client_id().clone(), organisation: tpp.folder.details.org_id.clone() })
}

fn state(text: &str) -> CoreState {
    CoreState::new(text).unwrap()
}

fn consent(id: &str, kind: ConsentKind, core_state: Option<CoreState>) -> Option<CallConsent> {
    Some(CallConsent { id: ConsentId::from(id), kind, core_state })
}

fn local() -> Option<IpAddr> {
    Some("127.0.0.1".parse().unwrap())
}

fn risk(asked: &Value) -> Option<SubmittedRisk> {
    Some(SubmittedRisk { version: Version::V3_1, json: asked["Risk"].to_string().into() })
}

fn facts(risk: Option<SubmittedRisk>, authentication: Option<Authentication>) -> Option<Arc<PaymentRiskFacts>> {
    Some(Arc::new(PaymentRiskFacts { risk, authentication }))
}

/// What a TPP says of its customer with a request.
fn with_customer(call: HttpCall) -> HttpCall {
    call.with_header("x-fapi-customer-ip-address", CUSTOMER)
        .with_header("x-customer-user-agent", AGENT)
        .with_header("traceparent", TRACE)
}

/// The context of such a request, of which nothing else is known.
fn of_request(tpp: &Tpp, exchange: &HttpExchange) -> CallContext {
    CallContext {
        client: client(tpp),
        psu: None,
        consent: None,
        account_states: Vec::new(),
        interaction: Some(exchange.head(INTERACTION).into()),
        trace_parent: TraceParent::parse(TRACE),
        customer_address: Some(CUSTOMER.parse().unwrap()),
        customer_user_agent: Some(AGENT.into()),
        payment: None,
    }
}

/// The context of a page of the bank that a TPP's consent is about.
fn of_page(tpp: &Tpp, exchange: &HttpExchange, agent: Option<&str>) -> CallContext {
    CallContext {
        client: client(tpp),
        psu: Some(AMELIA.into()),
        consent: None,
        account_states: Vec::new(),
        interaction: Some(exchange.head(INTERACTION).into()),
        trace_parent: None,
        customer_address: local(),
        customer_user_agent: agent.map(Arc::from),
        payment: None,
    }
}

impl Walk {
    async fn start(engine: Engine) -> Self {
        let stub = bank_of_amelia();
        let mut bank = Bank::bare(engine).await;
        let pair = CurrencyPair { unit: Currency::GBP, transfer: Currency::EUR };
        stub.set_exchange_price(pair, "1.17".parse().unwrap(), bank.now());
        stub.payment_script().takes_consent_changes = true;
        let core = Arc::new(RecordingBank::new(stub));
        let identity = Arc::new(TrustingIdentity);
        let brought = Core { bank: Arc::clone(&core) as _, identity, scheduler: None, quarantine: None };
        bank.restart_with_core(&OF_THE_TEST, brought).await;
        Self { bank, core, walked: BTreeSet::new() }
    }

    /// That a method was called, each time for this.
    fn heard(&mut self, method: &'static str, expected: &CallContext) {
        let calls = self.core.calls_of(method);
        assert!(!calls.is_empty(), "{method} was not called");
        for call in calls {
            assert_eq!(call, *expected, "{method}");
        }
        self.walked.insert(method);
    }

    /// The same of a method that a worker calls in its own time.
    async fn heard_in_time(&mut self, method: &'static str, expected: &CallContext) {
        until(async || (!self.core.calls_of(method).is_empty()).then_some(())).await;
        self.heard(method, expected);
    }

    fn authentication(&self, factors: &[AuthenticationFactor]) -> Option<Authentication> {
        Some(Authentication { at: self.bank.now(), factors: factors.to_vec() })
    }

    /// Reads of account information, under a consent on which the core has set a state.
    async fn reads(&mut self) {
        self.core.bank.payment_script().consent_state = Some(state(STATE_OF_CONSENT));
        let robot = self.bank.tpp("robot");
        let own = robot.client_credentials("accounts").await.unwrap().access_token;
        let id = robot.consent_create(&own, &accounts::ALL).await.unwrap();
        let request = robot.new_authorisation_request(&id, "accounts").await.unwrap();
        let answer = robot.open_authorisation(&request.url(&robot.folder.signing).unwrap()).await.unwrap();
        let consented = consent(&id, ConsentKind::AccountAccess, None);
        let agreeing = CallContext { consent: consented.clone(), ..of_page(&robot, &answer, None) };
        self.heard("eligible_accounts", &agreeing);

        let accounts = vec![(ACCOUNT.into(), state(STATE_OF_ACCOUNT))];
        let reported = CallContext {
            interaction: None,
            customer_address: None,
            account_states: accounts.clone(),
            ..agreeing.clone()
        };
        self.heard_in_time("report_consent_change", &reported).await;

        let channel = lombard_tpp::AuthorisationResponse::parse_redirect(&answer, robot.redirect_uri().unwrap());
        let code = channel.unwrap().expect_code(&request.state).unwrap().0.to_owned();
        let tokens = robot.exchange_code(&code).await.unwrap().json().unwrap();
        let token = tokens.text("access_token").to_owned();
        let get = async |path: &str, accept: &str| {
            let call = HttpCall::get(robot.resource_url(path)).with_bearer(&token).with_header("accept", accept);
            let call = call.with_header(INTERACTION, robot.new_interaction_id());
            robot.send(with_customer(call)).await.unwrap()
        };
        // What the core sets on a consent is stored after its answer.
        let shown = async || {
            self.core.clear();
            let answer = get("aisp/accounts", "application/json").await;
            let told = self.core.calls_of("list_accounts").pop()?.consent?.core_state.is_some();
            told.then(|| answer.ok(200))
        };
        let alias = until(shown).await.list("/Data/Account")[0].text("AccountId").to_owned();
        let of_account = |resource: &str| format!("aisp/accounts/{alias}/{resource}");
        for (path, called) in [
            ("aisp/accounts".to_owned(), &["list_accounts"][..]),
            ("aisp/balances".to_owned(), &["list_balances"]),
            ("aisp/transactions".to_owned(), &["entries_version", "list_transactions"]),
            ("aisp/beneficiaries".to_owned(), &["list_records"]),
            ("aisp/direct-debits".to_owned(), &["list_records"]),
            ("aisp/standing-orders".to_owned(), &["list_records"]),
            ("aisp/scheduled-payments".to_owned(), &["list_records"]),
            ("aisp/products".to_owned(), &["list_records"]),
            ("aisp/offers".to_owned(), &["list_records"]),
            ("aisp/party".to_owned(), &["find_party"]),
            (of_account("parties"), &["list_records"]),
            ("aisp/statements".to_owned(), &["list_statements"]),
            (of_account("statements/s-1"), &["find_statement"]),
            (of_account("statements/s-1/file"), &["find_statement", "read_statement_file"]),
        ] {
            self.core.clear();
            let accept = if path.ends_with("/file") { "application/pdf" } else { "application/json" };
            let answer = get(&path, accept).await;
            let read = CallContext {
                psu: Some(AMELIA.into()),
                consent: consent(&id, ConsentKind::AccountAccess, Some(state(STATE_OF_CONSENT))),
                account_states: accounts.clone(),
                ..of_request(&robot, &answer)
            };
            for method in called {
                self.heard(method, &read);
            }
        }
        self.core.bank.payment_script().consent_state = None;
    }

    /// The pages of the bank, in a customer's browser.
    async fn pages(&mut self) {
        let acme = self.bank.tpp("acme");
        let own = acme.client_credentials("accounts").await.unwrap().access_token;
        let id = acme.consent_create(&own, &["ReadAccountsBasic"]).await.unwrap();
        let request = acme.new_authorisation_request(&id, "accounts").await.unwrap();
        let mut browser = Browser::new(&acme);
        let decision = browser.log_in(&request.url(&acme.folder.signing).unwrap(), AMELIA).await;
        self.core.clear();
        let page = browser.send(HttpCall::get(decision.exchange.url.as_str()).with_header("user-agent", BROWSER)).await;
        let consented = consent(&id, ConsentKind::AccountAccess, None);
        let shown = CallContext { consent: consented.clone(), ..of_page(&acme, &page, Some(BROWSER)) };
        self.heard("eligible_accounts", &shown);
        browser.agree(&decision).await;

        let mut visitor = Visitor::beside(&acme);
        visitor.log_in(AMELIA).await;
        self.core.clear();
        let home = HttpCall::get(format!("{}/apps/{id}", acme.endpoints.public)).with_header("user-agent", BROWSER);
        let page = visitor.browser.send(home).await;
        let accounts = vec![(ACCOUNT.into(), state(STATE_OF_ACCOUNT))];
        let shown =
            CallContext { consent: consented, account_states: accounts, ..of_page(&acme, &page, Some(BROWSER)) };
        self.heard("list_accounts", &shown);
    }

    /// A TPP asks for a payment consent with what it knows of its customer. Its id, and the context of the calls that it causes.
    async fn payment_consent(&mut self, robot: &PayingTpp, asked: &Value, product: PaymentProduct) -> String {
        self.core.clear();
        let key = robot.tpp.new_idempotency_key();
        let call = robot.tpp.payment_call(&robot.own, consents(product), &key, asked).unwrap();
        let answer = robot.send(with_customer(call)).await;
        let created = answer.ok(201);
        let asking = CallContext { payment: facts(risk(asked), None), ..of_request(&robot.tpp, &answer) };
        self.heard("quote_conditions", &asking);
        for method in ["find_payer_by_number", "quote_rate"] {
            if !self.core.calls_of(method).is_empty() {
                self.heard(method, &asking);
            }
        }
        created["Data"].text("ConsentId").to_owned()
    }

    /// The customer of a headless TPP agrees. The token, and what was called with its facts.
    async fn agreed(&mut self, robot: &PayingTpp, id: &str, asked: &Value, product: PaymentProduct) -> AgreedConsent {
        self.core.clear();
        let request = robot.tpp.new_authorisation_request(id, "payments").await.unwrap();
        let answer = robot.tpp.open_authorisation(&request.url(&robot.tpp.folder.signing).unwrap()).await.unwrap();
        let agreeing = CallContext {
            consent: consent(id, ConsentKind::Payment(product), None),
            payment: facts(risk(asked), None),
            ..of_page(&robot.tpp, &answer, None)
        };
        self.heard("list_payers", &agreeing);
        for method in ["has_agreed_rate", "quote_exchange_price"] {
            if !self.core.calls_of(method).is_empty() {
                self.heard(method, &agreeing);
            }
        }
        let channel = lombard_tpp::AuthorisationResponse::parse_redirect(&answer, robot.tpp.redirect_uri().unwrap());
        let code = channel.unwrap().expect_code(&request.state).unwrap().0.to_owned();
        let tokens = robot.tpp.exchange_code(&code).await.unwrap().json().unwrap();
        let token = tokens.text("access_token").to_owned();
        AgreedConsent { product, consent: id.to_owned(), asked: asked.clone(), token }
    }

    /// Payments: conditions, rates, payers, and what an order is submitted for.
    async fn payments(&mut self) {
        let robot = PayingTpp::robot(&self.bank).await;
        for rate in [None, Some(json!({"UnitCurrency": "GBP", "RateType": "Actual"})), Some(deal())] {
            let mut asked = robot.asking(PaymentProduct::InternationalPayment);
            asked["Risk"] = json!({"PaymentContextCode": "PartyToParty"});
            if let Some(rate) = rate {
                asked["Data"]["Initiation"]["ExchangeRateInformation"] = rate;
            }
            let id = self.payment_consent(&robot, &asked, PaymentProduct::InternationalPayment).await;
            self.agreed(&robot, &id, &asked, PaymentProduct::InternationalPayment).await;
        }

        let product = PaymentProduct::DomesticPayment;
        let mut asked = robot.asking(product);
        asked["Risk"] = json!({"PaymentContextCode": "PartyToParty"});
        asked["Data"]["Initiation"]["DebtorAccount"] =
            json!({"SchemeName": "UK.OBIE.SortCodeAccountNumber", "Identification": NUMBER});
        let id = self.payment_consent(&robot, &asked, product).await;
        let agreed = self.agreed(&robot, &id, &asked, product).await;
        let standing = |exchange: &HttpExchange, facts| CallContext {
            psu: Some(AMELIA.into()),
            consent: consent(&id, ConsentKind::Payment(product), None),
            account_states: vec![(ACCOUNT.into(), state(STATE_OF_ACCOUNT))],
            payment: facts,
            ..of_request(&robot.tpp, exchange)
        };
        let authenticated = facts(risk(&asked), self.authentication(&[]));

        self.core.clear();
        let path = format!("{}/{id}/funds-confirmation", consents(product));
        let call = HttpCall::get(robot.tpp.resource_url(&path)).with_bearer(&agreed.token);
        let call = call.with_header("accept", "application/json").with_header(INTERACTION, "funds-1");
        let answer = robot.send(with_customer(call)).await;
        assert_eq!(answer.ok(200)["Data"]["FundsAvailableResult"]["FundsAvailable"], true);
        self.heard("find_payer", &standing(&answer, authenticated.clone()));

        self.core.clear();
        let key = robot.tpp.new_idempotency_key();
        let call = robot.tpp.payment_call(&agreed.token, orders(product), &key, &agreed.order()).unwrap();
        let answer = robot.send(with_customer(call)).await;
        answer.ok(201);
        self.heard_in_time("submit_orders", &CallContext::default()).await;
        let order = self.core.bank.payment_script().orders.last().unwrap().clone();
        // An order keeps the request that made it, but neither its trace nor the user agent.
        let made = CallContext { trace_parent: None, customer_user_agent: None, ..standing(&answer, authenticated) };
        assert_eq!(order.call, made, "the context of an order");

        let warehoused = OrderUpdate::Warehoused;
        self.core.bank.payment_script().push_update(&order.id, self.bank.now(), warehoused);
        self.heard_in_time("fetch_status_updates", &CallContext::default()).await;
        self.heard_in_time("acknowledge_updates", &CallContext::default()).await;
    }

    /// A customer agrees to a payment on the bank's pages: the core is told with which factors.
    async fn payment_on_pages(&mut self) {
        let product = PaymentProduct::DomesticPayment;
        let asked = PendingConsent::of(&self.bank, product).await;
        let mut browser = Browser::new(&asked.paying.tpp);
        let decision = browser.log_in(&asked.url(), AMELIA).await;
        let first_shown = CallContext {
            consent: consent(&asked.consent, ConsentKind::Payment(product), None),
            payment: facts(risk(&asked.body), None),
            ..of_page(&asked.paying.tpp, &decision.exchange, None)
        };
        self.heard("confirm_payee", &first_shown);
        self.core.clear();
        let page = browser.send(HttpCall::get(decision.exchange.url.as_str()).with_header("user-agent", BROWSER)).await;
        let shown = CallContext {
            consent: consent(&asked.consent, ConsentKind::Payment(product), None),
            payment: facts(risk(&asked.body), None),
            ..of_page(&asked.paying.tpp, &page, Some(BROWSER))
        };
        self.heard("list_payers", &shown);
        assert!(
            self.core.calls_of("confirm_payee").is_empty(),
            "a page that is shown again asks nobody about the payee"
        );
        let answer = browser.agree(&decision).await;
        let channel = lombard_tpp::AuthorisationResponse::parse_redirect(&answer, &asked.callback).unwrap();
        let agreed = asked.agreed(&channel).await;
        self.core.clear();
        let (id, _) = asked.paying.ordered(&agreed).await;
        self.heard_in_time("submit_orders", &CallContext::default()).await;
        let order = self.core.bank.payment_script().orders.last().unwrap().clone();
        assert_eq!(order.id.as_str(), id);
        let factors = [AuthenticationFactor::Knowledge, AuthenticationFactor::Possession];
        assert_eq!(order.call.payment, facts(risk(&asked.body), self.authentication(&factors)));
    }

    /// A card issuer asks about funds.
    async fn funds(&mut self) {
        let asking = FundsTpp::robot(&self.bank).await;
        let account = json!({"SchemeName": "UK.OBIE.SortCodeAccountNumber", "Identification": NUMBER});
        let id = asking.consent(&json!({"Data": {"DebtorAccount": account}})).await;
        let token = asking.tokens(&id).await.access_token;
        self.core.clear();
        let question = funds::question(&id, "a", "1.00", "GBP");
        let call = HttpCall::post(asking.tpp.resource_url(funds::QUESTIONS)).with_bearer(&token).with_json(&question);
        let answer = asking.tpp.send(with_customer(call)).await.unwrap();
        answer.ok(201);
        let standing = CallContext {
            psu: Some(AMELIA.into()),
            consent: consent(&id, ConsentKind::FundsConfirmation, None),
            account_states: vec![(ACCOUNT.into(), state(STATE_OF_ACCOUNT))],
            ..of_request(&asking.tpp, &answer)
        };
        self.heard("find_payer", &standing);
    }

    /// An operator compares the orders with the core's.
    async fn comparison(&mut self) {
        self.core.clear();
        let mut order = json!({"dry_run": true});
        loop {
            let (status, batch) = self.bank.ops_post("/operations/reconcile", &order).await;
            assert_eq!(status, 200, "{batch}");
            let Some(next) = batch.get("next") else { break };
            order = json!({"since": batch["since"], "position": next, "dry_run": true});
        }
        self.heard("find_orders", &CallContext::default());
        self.heard("list_orders", &CallContext::default());
    }

    /// The bank tells of an account.
    async fn changes(&mut self) {
        let at = self.bank.now() - SignedDuration::from_mins(1);
        let change = AccountChange { number: 1, account: ACCOUNT.into(), at, reason: None, interaction_id: None };
        self.core.clear();
        self.core.bank.payment_script().account_changes.push(change);
        self.heard_in_time("acknowledge_account_changes", &CallContext::default()).await;
        self.heard("fetch_account_changes", &CallContext::default());
    }

    /// An operator exports and erases a customer who has no records.
    async fn customers(&mut self) {
        self.core.clear();
        let path = "/operations/customers/nobody";
        assert_eq!(self.bank.ops_get(&format!("{path}/export?reason=case")).await.status.as_u16(), 200);
        self.heard("export_customer", &CallContext::default());
        let (status, erased) = self.bank.ops_post(&format!("{path}/erase?reason=case"), &Value::Null).await;
        assert_eq!(status, 200, "{erased}");
        self.heard("erase_customer", &CallContext::default());
    }
}

/// A rate that was agreed with the customer.
fn deal() -> Value {
    json!({"UnitCurrency": "GBP", "RateType": "Agreed", "ExchangeRate": 1.17, "ContractIdentification": "LSB-FX-0001"})
}

#[tokio::test]
async fn every_method_of_the_port_is_told_what_it_is_called_for() {
    for engine in Engine::at_hand() {
        let mut walk = Walk::start(engine).await;
        walk.reads().await;
        walk.pages().await;
        walk.payments().await;
        walk.payment_on_pages().await;
        walk.funds().await;
        walk.comparison().await;
        walk.changes().await;
        walk.customers().await;
        let all: BTreeSet<_> = methods().map(|method| method.port).collect();
        assert_eq!(walk.walked, all, "a method of the core API is driven by this test, and its context compared");
        walk.bank.stop().await;
    }
}

#[tokio::test]
async fn what_a_tpp_does_not_say_of_its_customer_is_not_made_up() {
    let mut walk = Walk::start(Engine::Sqlite).await;
    let access = access(&walk.bank.tpp("robot"), &["ReadBalances", "ReadAccountsBasic"]).await;
    walk.core.clear();
    let call = HttpCall::get(access.tpp.resource_url("aisp/balances")).with_bearer(access.token());
    let call = call.with_header("accept", "application/json").with_header("traceparent", "00-zz-yy-01");
    access.tpp.send(call).await.unwrap().ok(200);
    let told = walk.core.calls_of("list_balances").pop().unwrap();
    assert!(told.trace_parent.is_none() && told.customer_address.is_none(), "{told:?}");
    assert!(told.customer_user_agent.is_none() && told.interaction.is_some(), "{told:?}");
    walk.bank.stop().await;
}
