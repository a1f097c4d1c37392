//! A full run: valid and invalid actions of a TPP, a customer and an operator.

use super::secret::{AllowedPlace, Secret};
use crate::apps::Visitor;
use crate::harness::paying::consents;
use crate::harness::{Bank, Browser, EVERYTHING, ExchangeExt, PayingTpp};
use lombard::operator_file::OperatorFile;
use lombard_domain::payment::PaymentProduct;
use lombard_domain::version::Version;
use lombard_jose::{base64url, sha256};
use lombard_tpp::{ASSERTION_TYPE, AuthorisationResponse, HttpCall, IssuedTokens, Protocol, Tpp};
use serde_json::{Value, json};

const VERIFIER: &str = "a-verifier-that-nobody-but-its-maker-may-ever-see";
const PASSWORD: &str = "correct-horse-battery-staple";
/// Who is paid.
pub(super) const PAYEE: &str = "20000319825731";
const WRONG_CODE: &str = "918273";

/// A run on this bank by these two TPPs.
pub(super) struct Run<'a> {
    pub(super) bank: &'a Bank,
    /// Needs no person.
    pub(super) robot: &'a Tpp,
    /// Needs one.
    pub(super) acme: &'a Tpp,
    /// What was sent that no answer shows.
    pub(super) sent: Vec<Secret>,
    /// What was sent that answers may show, but no log.
    pub(super) logged: Vec<Secret>,
}

impl Run<'_> {
    /// All of it.
    pub(super) async fn all(&mut self) {
        self.client().await;
        self.headless().await;
        self.person().await;
        self.own_pages().await;
        self.operator().await;
        self.payments().await;
        self.registration().await;
    }

    fn sent(&mut self, what: &'static str, value: impl Into<String>) {
        self.sent.push(Secret::new(what, value, AllowedPlace::Nowhere));
    }

    async fn endpoint(&self, name: &str) -> String {
        let document = self.robot.send(HttpCall::get(&self.robot.endpoints.well_known)).await.unwrap().ok(200);
        document[name].as_str().unwrap().to_owned()
    }

    /// Client authentication, taken, refused, repeated; credentials where none belong.
    async fn client(&mut self) {
        let assertion = self.robot.new_client_assertion().await.unwrap();
        let good = assertion.sign(&self.robot.folder.signing).unwrap();
        let late = assertion.clone().claim("exp", 1).claim("jti", "late").sign(&self.robot.folder.signing).unwrap();
        let forged = assertion.claim("jti", "forged").sign(&self.acme.folder.signing).unwrap();
        for assertion in [&good, &good, &late, &forged] {
            let form = [
                ("grant_type", "client_credentials"),
                ("scope", "accounts"),
                ("client_assertion_type", ASSERTION_TYPE),
                ("client_assertion", assertion.as_str()),
            ];
            self.robot
                .request_token_with_form(&form.map(|(name, value)| (name.to_owned(), value.to_owned())))
                .await
                .unwrap();
        }
        for assertion in [good, late, forged] {
            // The signature: the rest of an assertion is no secret.
            self.sent("an assertion", assertion.rsplit('.').next().unwrap());
        }
        let url = self.endpoint("token_endpoint").await;
        let grant = ("grant_type", "client_credentials");
        let basic = HttpCall::post(&url).with_header("authorization", "Basic cm9ib3Q6aHVudGVyMg==").with_form([grant]);
        self.robot.send(basic).await.unwrap().oauth(401, "invalid_client");
        let posted = HttpCall::post(&url).with_form([grant, ("client_id", "robot"), ("client_secret", PASSWORD)]);
        self.robot.send(posted).await.unwrap().oauth(401, "invalid_client");
        self.sent("a client's password", "cm9ib3Q6aHVudGVyMg==");
        self.sent("a client's password", "hunter2");
    }

    /// Consent, code, tokens, reading, refreshing, revoking; and the same by those who may not.
    async fn headless(&mut self) {
        let robot = self.robot;
        let own = robot.client_credentials("accounts").await.unwrap().access_token;
        let consent = robot.consent_create(&own, &EVERYTHING).await.unwrap();
        let challenge = base64url(&sha256(VERIFIER.as_bytes()).0);
        let request = robot.new_authorisation_request(&consent, "accounts").await.unwrap();
        let request = request.claim("code_challenge", challenge).claim("code_challenge_method", "S256");
        let object = request.object.sign(&robot.folder.signing).unwrap();
        self.sent("a verifier", VERIFIER);
        let mut form = robot.authentication().await.unwrap();
        form.push(("request".to_owned(), object));
        let push = HttpCall::post(self.endpoint("pushed_authorization_request_endpoint").await).with_form(form);
        let reference = robot.send(push).await.unwrap().ok(201)["request_uri"].as_str().unwrap().to_owned();
        let mut url: url::Url = self.endpoint("authorization_endpoint").await.parse().unwrap();
        let client = robot.client_id().as_str();
        url.query_pairs_mut().append_pair("client_id", client).append_pair("request_uri", &reference);
        let back = robot.open_authorisation(url.as_str()).await.unwrap();
        let channel = AuthorisationResponse::parse_redirect(&back, robot.redirect_uri().unwrap()).unwrap();
        let (code, _) = channel.expect_code(&request.state).unwrap();
        let redirect_uri = robot.redirect_uri().unwrap();
        let exchange = [("grant_type", "authorization_code"), ("code", code), ("redirect_uri", redirect_uri)];
        robot.request_token(&exchange).await.unwrap().oauth(400, "invalid_grant");
        let mut proven = exchange.to_vec();
        proven.push(("code_verifier", VERIFIER));
        let tokens = IssuedTokens::from_exchange(robot.request_token(&proven).await.unwrap()).unwrap();
        let refresh_token = tokens.refresh_token.clone().unwrap();

        let accounts = robot.get(&tokens.access_token, "aisp/accounts").await.unwrap().ok(200);
        let account = accounts.pointer("/Data/Account/0/AccountId").and_then(Value::as_str).unwrap().to_owned();
        for path in ["balances", "transactions"] {
            robot.get(&tokens.access_token, &format!("aisp/accounts/{account}/{path}")).await.unwrap().ok(200);
        }
        for path in ["accounts/unknown", "transactions?fromBookingDateTime=never", "party"] {
            robot.get(&tokens.access_token, &format!("aisp/{path}")).await.unwrap();
        }
        for name in ["introspection_endpoint", "revocation_endpoint"] {
            for token in [&tokens.access_token, &own, "nonsense-that-might-be-a-token"] {
                let mut form = robot.authentication().await.unwrap();
                form.push(("token".to_owned(), token.to_owned()));
                let refused = name == "revocation_endpoint" && token == own.as_str();
                if !refused {
                    robot.send(HttpCall::post(self.endpoint(name).await).with_form(form)).await.unwrap().ok(200);
                }
            }
            IssuedTokens::from_exchange(robot.refresh(&refresh_token).await.unwrap()).unwrap();
        }
        let fresh = IssuedTokens::from_exchange(robot.refresh(&refresh_token).await.unwrap()).unwrap().access_token;
        let userinfo = self.endpoint("userinfo_endpoint").await;
        robot.send(HttpCall::get(&userinfo).with_bearer(&fresh)).await.unwrap().ok(200);
        self.misplaced(&fresh, &refresh_token, &userinfo).await;
        robot.request_token(&proven).await.unwrap().oauth(400, "invalid_grant");
        robot.get(&fresh, "aisp/accounts").await.unwrap().unauthorised();
    }

    /// Payments, with the numbers and names of both sides.
    async fn payments(&self) {
        let own = self.robot.client_credentials("payments").await.unwrap().access_token;
        let paying = PayingTpp { tpp: self.robot.clone(), own, version: Version::V3_1 };
        for product in [PaymentProduct::DomesticPayment, PaymentProduct::FilePayment] {
            let agreed = paying.agreed(product).await;
            let (order, _) = paying.ordered(&agreed).await;
            paying.order_now(product, &order).await;
            paying.consent_now(product, &agreed.consent).await;
        }
        let mut unreadable = paying.asking(PaymentProduct::DomesticPayment);
        unreadable["Data"]["Initiation"]["DebtorAccount"] = json!({"Identification": PAYEE, PAYEE: PAYEE});
        paying.post(&paying.own, consents(PaymentProduct::DomesticPayment), &unreadable).await.decent();
    }

    /// A TPP registers itself.
    async fn registration(&mut self) {
        let (status, _) = self.bank.ops_post("/operations/tpps", &json!({"name": "shop", "unregistered": true})).await;
        assert_eq!(status, 201);
        let shop =
            Tpp::open_unregistered(self.bank.data_dir(), "shop", self.bank.clocks(), self.bank.ids(), None).unwrap();
        let request = shop.registration_request().await.unwrap().sign(&shop.folder.signing).unwrap();
        shop.register(&request).await.unwrap().ok(201);
        self.logged.push(Secret::new("a software statement", &shop.folder.software_statement, AllowedPlace::Nowhere));
        self.logged.push(Secret::new("a registration request", &request, AllowedPlace::Nowhere));
    }

    /// Tokens where they do not belong.
    async fn misplaced(&self, token: &str, refresh_token: &str, userinfo: &str) {
        let robot = self.robot;
        let accounts = self.robot.resource_url("aisp/accounts");
        let calls = [
            HttpCall::get(&accounts).with_bearer(refresh_token),
            HttpCall::get(&accounts).with_header("authorization", format!("Basic {token}")),
            HttpCall::get(&accounts).with_bearer(&format!("{token} {token}")),
            HttpCall::get(format!("{accounts}?access_token={token}")),
            HttpCall::get(format!("{accounts}/{token}")).with_bearer(token),
            HttpCall::post(userinfo).with_form([("access_token", token)]),
            HttpCall::get(&accounts).with_bearer(token).with_header("x-fapi-auth-date", token),
            HttpCall::get(&accounts).with_bearer(token).with_header("accept", token),
            HttpCall::post(robot.resource_url("aisp/account-access-consents"))
                .with_bearer(token)
                .with_json(&json!({"Data": token})),
        ];
        for call in calls {
            robot.send(call).await.unwrap().decent();
        }
        let naked = robot.with_certificate(None, Protocol::Any).unwrap();
        naked.get(token, "aisp/accounts").await.unwrap().unauthorised();
        self.acme.get(token, "aisp/accounts").await.unwrap().unauthorised();
        self.acme.refresh(refresh_token).await.unwrap().oauth(400, "invalid_grant");
    }

    /// A customer decides, after some mistakes.
    async fn person(&mut self) {
        let acme = self.acme;
        let own = acme.client_credentials("accounts").await.unwrap().access_token;
        for (person, approve) in [("amelia", true), ("bashir", false)] {
            let consent = acme.consent_create(&own, &EVERYTHING).await.unwrap();
            let request = acme.new_authorisation_request(&consent, "accounts").await.unwrap();
            let mut browser = Browser::new(acme);
            let login = browser.open(&request.url(&acme.folder.signing).unwrap()).await;
            let wrong = [("name", person), ("password", PASSWORD)];
            let login = browser.submit(login.form_with("password"), &wrong).await;
            let right = [("name", person), ("password", person)];
            let second = browser.submit(login.form_with("password"), &right).await;
            let code = second.shown_code();
            self.sent.push(Secret::new("a one-time code", &code, AllowedPlace::Page));
            let second = browser.submit(second.form_with("code"), &[("code", WRONG_CODE)]).await;
            let decision = browser.submit(second.form_with("code"), &[("code", &code)]).await;
            let back = if approve {
                browser.agree(&decision).await
            } else {
                browser.submit(decision.form_with("decision"), &[("decision", "refuse")]).await.exchange
            };
            let channel = AuthorisationResponse::parse_redirect(&back, acme.redirect_uri().unwrap()).unwrap();
            if let Some(code) = &channel.code {
                IssuedTokens::from_exchange(acme.exchange_code(code).await.unwrap()).unwrap();
            }
            browser.submit(decision.form_with("decision"), &[("decision", "approve")]).await;
        }
        self.sent("a password", PASSWORD);
        self.sent("a one-time code", WRONG_CODE);
    }

    /// The same customer at the bank's own pages.
    async fn own_pages(&mut self) {
        let mut visitor = Visitor::beside(self.acme);
        visitor.try_password("amelia", PASSWORD).await;
        let list = visitor.log_in("amelia").await;
        let stop = list
            .exchange
            .text()
            .split("href=\"/apps/")
            .filter_map(|it| it.split('"').next())
            .find(|it| it.ends_with("/stop"))
            .unwrap()
            .to_owned();
        let question = visitor.at(&stop).await;
        let form = question.forms.iter().find(|form| form.action.path().ends_with("/stop")).unwrap();
        visitor.browser.submit(form, &[]).await;
    }

    /// What operators and testers do.
    async fn operator(&mut self) {
        let OperatorFile { password, token, .. } = OperatorFile::read(self.bank.data_dir()).unwrap().unwrap();
        self.sent("the operator's password", password);
        self.sent("the operator's token", token);
        let (status, _) = self.bank.ops_post("/operations/tpps", &json!({"name": "fresh"})).await;
        assert_eq!(status, 201);
        let (status, _) = self.bank.ops_post("/operations/keys/rotate", &Value::Null).await;
        assert_eq!(status, 200);
        let own = self.robot.client_credentials("accounts").await.unwrap().access_token;
        let consent = self.robot.consent_create(&own, &EVERYTHING).await.unwrap();
        let order = json!({"psu": "amelia", "decision": "approve"});
        let (status, answer) = self.bank.ops_post(&format!("/sandbox/consents/{consent}/authorise"), &order).await;
        assert_eq!(status, 200, "{answer}");
    }
}
