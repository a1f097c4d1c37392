//! The set-up of the negative tests: a bank, two clients, and the results of an attempt.

use crate::harness::{Bank, EVERYTHING, Engine, ExchangeExt, ValueExt, access};
use futures_util::future::BoxFuture;
use lombard_tpp::{ASSERTION_TYPE, AuthorisationRequest, HttpExchange, IssuedTokens, Jwt, Tpp};
use serde_json::Value;
use url::form_urlencoded::parse;

/// A bank with two clients.
pub(super) struct World {
    pub(super) bank: Bank,
    /// Proves itself by assertions; its requests are answered at once.
    pub(super) robot: Tpp,
    /// Proves itself by its certificate.
    pub(super) rival: Tpp,
}

/// A try, as a row of the list holds it.
pub(super) type Try = fn(&World) -> BoxFuture<'_, String>;

impl World {
    pub(super) async fn start(engine: Engine) -> Self {
        let bank = Bank::start_on(engine).await;
        Self { robot: bank.tpp("robot"), rival: bank.tpp("rival"), bank }
    }

    /// The wall clock, seconds.
    pub(super) fn now(&self) -> i64 {
        self.bank.now().as_second()
    }

    /// A good request of the robot.
    pub(super) async fn request(&self) -> AuthorisationRequest {
        let own = self.robot.client_credentials("accounts").await.unwrap().access_token;
        let consent = self.robot.consent_create(&own, &EVERYTHING).await.unwrap();
        self.robot.new_authorisation_request(&consent, "accounts").await.unwrap()
    }

    /// What comes of a request with this claim instead; `null` takes it out.
    pub(super) fn claim(&self, name: &'static str, value: impl Into<Value>) -> BoxFuture<'_, String> {
        let value = value.into();
        Box::pin(async move { self.asked(self.request().await.claim(name, value)).await })
    }

    /// What comes of this request, signed as it should be.
    pub(super) async fn asked(&self, request: AuthorisationRequest) -> String {
        let object = request.object.sign(&self.robot.folder.signing).unwrap();
        self.asked_with(&request, &object).await
    }

    /// What comes of this request with whatever stands for its signed object.
    pub(super) async fn asked_with(&self, request: &AuthorisationRequest, object: &str) -> String {
        came_of(&self.robot.open_authorisation(&request.url_with(object).unwrap()).await.unwrap(), Some(request))
    }

    /// What comes of asking for a token with an assertion changed in this way.
    pub(super) fn assertion(&self, change: fn(&World, Jwt) -> Jwt) -> BoxFuture<'_, String> {
        Box::pin(async move {
            let assertion =
                change(self, self.robot.new_client_assertion().await.unwrap()).sign(&self.robot.folder.signing);
            self.assertion_as(&assertion.unwrap()).await
        })
    }

    /// What comes of asking for a token with this assertion.
    pub(super) async fn assertion_as(&self, assertion: &str) -> String {
        let form = [
            ("grant_type", "client_credentials"),
            ("client_assertion_type", ASSERTION_TYPE),
            ("client_assertion", assertion),
        ];
        self.form(&self.robot, &form).await
    }

    /// What comes of this token form, with nothing added.
    pub(super) async fn form(&self, tpp: &Tpp, form: &[(&str, &str)]) -> String {
        let form: Vec<_> = form.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        came_of(&tpp.request_token_with_form(&form).await.unwrap(), None)
    }

    /// Tokens of the robot that stand on a consent.
    pub(super) async fn tokens(&self) -> IssuedTokens {
        access(&self.robot, &EVERYTHING).await.tokens
    }
}

/// What came of a try, in words: `page`, `redirect invalid_scope`, `code`, `400 invalid_grant`, `401`, `200`.
///
/// A page must lead nowhere; a redirect must carry the state of the request, and an error never a code beside it.
pub(super) fn came_of(answer: &HttpExchange, request: Option<&AuthorisationRequest>) -> String {
    answer.decent();
    let status = answer.status.as_u16();
    if let Some(location) = answer.header("location") {
        assert!([302, 303].contains(&status), "AS-087: {status}");
        let (address, response) = location.split_once(['#', '?']).unwrap();
        assert!(!address.contains("evil"), "{location}");
        let member =
            |wanted: &str| parse(response.as_bytes()).find(|(name, _)| name == wanted).map(|(_, it)| it.into_owned());
        assert_eq!(member("state").as_deref(), request.map(|request| request.state.as_str()), "AS-065: {location}");
        return match (member("error"), member("code")) {
            (Some(error), None) => format!("redirect {error}"),
            (None, Some(_)) if location.contains('#') => "code".to_owned(),
            _ => panic!("AS-085: {location}"),
        };
    }
    if answer.head("content-type").starts_with("text/html") {
        assert_eq!(status, 400, "{}", answer.text());
        return "page".to_owned();
    }
    let body = answer.json().unwrap_or(Value::Null);
    format!("{status} {}", body.text("error")).trim_end().to_owned()
}
