//! The set-up of the plan: a bank, two clients whose requests are decided at once, one whose requests a person decides, and the flow
//! that the suite's modules vary.

use crate::harness::{Bank, EVERYTHING, Engine, ExchangeExt, ValueExt};
use lombard_jose::{CompactJws, base64url, sha256};
use lombard_tpp::{
    ASSERTION_TYPE, AuthorisationRequest, ExpectedIdToken, HttpCall, HttpExchange, IssuedTokens, Jwt, Tpp,
};
use serde_json::{Map, Value, json};
use url::form_urlencoded::parse;

/// How clients authenticate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ClientAuth {
    PrivateKeyJwt,
    Mtls,
}

/// How requests come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RequestWay {
    ByValue,
    Pushed,
}

/// How responses come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ResponseForm {
    /// `code id_token` in the fragment.
    Plain,
    /// `code` in a signed JWT.
    Jarm,
}

/// A variant of the plan.
#[derive(Debug, Clone, Copy)]
pub(super) struct Variant {
    pub(super) auth: ClientAuth,
    pub(super) request: RequestWay,
    pub(super) response: ResponseForm,
}

/// The verifier of every request that has a challenge.
pub(super) const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";

/// A form as it is posted.
pub(super) type Fields = Vec<(String, String)>;

pub(super) struct Suite {
    pub(super) bank: Bank,
    pub(super) variant: Variant,
    /// Client 1 of the suite.
    pub(super) first: Tpp,
    /// Client 2 of the suite.
    pub(super) second: Tpp,
    /// A client whose requests a person decides.
    pub(super) asking: Tpp,
}

/// What came back to the client.
pub(super) struct Answer {
    /// In words: `code`, `redirect ERROR`, `page`, or `par STATUS ERROR`.
    pub(super) outcome: String,
    pub(super) parameters: Map<String, Value>,
}

impl Answer {
    fn without_parameters(outcome: String) -> Self {
        Self { outcome, parameters: Map::new() }
    }

    pub(super) fn text(&self, name: &str) -> Option<&str> {
        self.parameters.get(name).and_then(Value::as_str)
    }

    pub(super) fn code(&self) -> &str {
        self.text("code").unwrap_or_else(|| panic!("no code: {}", self.outcome))
    }
}

impl Suite {
    pub(super) async fn start(variant: Variant, engine: Engine) -> Self {
        let bank = Bank::start_on(engine).await;
        let auth = match variant.auth {
            ClientAuth::PrivateKeyJwt => "private_key_jwt",
            ClientAuth::Mtls => "tls_client_auth",
        };
        let order = |name: &str, headless: Option<&str>| json!({"name": name, "auth": auth, "headless": headless});
        Self {
            first: bank.create_tpp(&order("client-one", Some("amelia"))).await,
            second: bank.create_tpp(&order("client-two", Some("amelia"))).await,
            asking: bank.create_tpp(&order("client-three", None)).await,
            variant,
            bank,
        }
    }

    /// The wall clock, seconds.
    pub(super) fn now(&self) -> i64 {
        self.bank.now().as_second()
    }

    /// A consent of this client.
    pub(super) async fn consent(&self, tpp: &Tpp) -> String {
        let own = tpp.client_credentials("accounts").await.unwrap().access_token;
        tpp.consent_create(&own, &EVERYTHING).await.unwrap()
    }

    /// A good request of the variant, for a consent of this client's own.
    pub(super) async fn request(&self, tpp: &Tpp) -> AuthorisationRequest {
        self.request_for(tpp, &self.consent(tpp).await).await
    }

    /// A good request of the variant for this consent.
    pub(super) async fn request_for(&self, tpp: &Tpp, consent: &str) -> AuthorisationRequest {
        let mut request = tpp.new_authorisation_request(consent, "accounts").await.unwrap();
        if self.variant.response == ResponseForm::Jarm {
            request = request.claim("response_type", "code").parameter("response_type", "code");
            request = request.claim("response_mode", "jwt");
        }
        if self.variant.request == RequestWay::Pushed { with_challenge(request) } else { request }
    }

    /// Sends a request on the variant's way, signed by its client.
    pub(super) async fn present(&self, tpp: &Tpp, request: &AuthorisationRequest) -> Answer {
        self.present_as(tpp, request, &request.object.sign(&tpp.folder.signing).unwrap()).await
    }

    /// The same with whatever stands for the signed object.
    pub(super) async fn present_as(&self, tpp: &Tpp, request: &AuthorisationRequest, object: &str) -> Answer {
        let url = match self.variant.request {
            RequestWay::ByValue => request.url_with(object).unwrap(),
            RequestWay::Pushed => {
                let pushed = self.push(tpp, &[("request", object)]).await;
                if pushed.status.as_u16() != 201 {
                    return Answer::without_parameters(format!("par {}", came_of_call(&pushed)));
                }
                self.url_of(tpp, &reference_of(&pushed), &request.query).await
            }
        };
        self.open(tpp, &url, Some(request)).await
    }

    /// Opens an authorisation URL as a browser of this client's customer.
    pub(super) async fn open(&self, tpp: &Tpp, url: &str, request: Option<&AuthorisationRequest>) -> Answer {
        let exchange = tpp.open_authorisation(url).await.unwrap();
        self.answer(tpp, &exchange, request).await
    }

    /// Reads what came back, and checks what every answer of the variant owes.
    pub(super) async fn answer(
        &self,
        tpp: &Tpp,
        exchange: &HttpExchange,
        request: Option<&AuthorisationRequest>,
    ) -> Answer {
        exchange.decent();
        let Some(location) = exchange.header("location") else {
            assert!(exchange.head("content-type").starts_with("text/html"), "{}", exchange.text());
            assert_eq!(exchange.status, 400, "AS-064");
            return Answer::without_parameters("page".to_owned());
        };
        assert!([302, 303].contains(&exchange.status.as_u16()), "AS-087: {}", exchange.status);
        let rest =
            location.strip_prefix(tpp.redirect_uri().unwrap()).unwrap_or_else(|| panic!("elsewhere: {location}"));
        let (place, response) = rest.split_at(1);
        let mut parameters: Map<String, Value> =
            parse(response.as_bytes()).map(|(name, value)| (name.into_owned(), value.into_owned().into())).collect();
        let is_signed = parameters.contains_key("response");
        if is_signed {
            assert_eq!(parameters.len(), 1, "AS-153: {location}");
            parameters = self.opened(tpp, parameters["response"].as_str().unwrap()).await;
        }
        let outcome = match (parameters.get("error"), parameters.contains_key("code")) {
            (Some(error), false) => format!("redirect {}", error.as_str().unwrap()),
            (None, true) => "code".to_owned(),
            _ => panic!("both or neither: {location}"),
        };
        match self.variant.response {
            ResponseForm::Plain => assert_eq!(place, "#", "AS-085: {location}"),
            ResponseForm::Jarm => {
                assert!(outcome != "code" || (is_signed && place == "?"), "AS-153: {location}");
                assert!(!parameters.contains_key("id_token"), "AS-153: {location}");
            }
        }
        if let Some(request) = request {
            let sent = request.object.claims().get("state");
            assert_eq!(parameters.get("state"), sent, "AS-065, AS-075: {location}");
        }
        Answer { outcome, parameters }
    }

    /// The claims of a signed response.
    async fn opened(&self, tpp: &Tpp, response: &str) -> Map<String, Value> {
        let response = CompactJws::parse(response).unwrap();
        response.verify(&tpp.bank_keys().await.unwrap()).unwrap();
        assert_eq!(response.header().alg, "PS256", "AS-153");
        let claims: Map<String, Value> = response.claims().unwrap();
        assert_eq!(claims["iss"], tpp.endpoints.issuer.as_str(), "AS-153");
        assert_eq!(claims["aud"], tpp.client_id().as_str(), "AS-153");
        assert!((1..=600).contains(&(claims["exp"].as_i64().unwrap() - self.now())), "AS-153");
        claims
    }

    /// Pushes parameters with the client's own authentication.
    pub(super) async fn push(&self, tpp: &Tpp, parameters: &[(&str, &str)]) -> HttpExchange {
        self.push_as(tpp, tpp.authentication().await.unwrap(), parameters).await
    }

    /// Pushes parameters with this authentication.
    pub(super) async fn push_as(&self, tpp: &Tpp, mut form: Fields, parameters: &[(&str, &str)]) -> HttpExchange {
        form.extend(parameters.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
        tpp.send(HttpCall::post(format!("{}/par", tpp.endpoints.mtls)).with_form(form)).await.unwrap()
    }

    /// The address that a browser is sent to with a reference and these parameters beside it.
    pub(super) async fn url_of(&self, tpp: &Tpp, reference: &str, beside: &[(String, String)]) -> String {
        let mut url: url::Url = tpp.discovery().await.unwrap().authorization_endpoint.parse().unwrap();
        url.query_pairs_mut().extend_pairs(beside.iter().filter(|(name, _)| name != "client_id"));
        url.query_pairs_mut().append_pair("client_id", tpp.client_id().as_str()).append_pair("request_uri", reference);
        url.into()
    }

    /// The form of a code exchange, without client authentication.
    pub(super) fn exchange_form(&self, tpp: &Tpp, code: &str, verifier: Option<&str>) -> Fields {
        let redirect_uri = tpp.redirect_uri().unwrap();
        let mut form = vec![("grant_type", "authorization_code"), ("code", code), ("redirect_uri", redirect_uri)];
        form.extend(verifier.map(|verifier| ("code_verifier", verifier)));
        form.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
    }

    /// The verifier that the variant's requests need.
    pub(super) fn verifier(&self) -> Option<&'static str> {
        (self.variant.request == RequestWay::Pushed).then_some(VERIFIER)
    }

    /// Exchanges a code of the variant by this client with this authentication.
    pub(super) async fn exchange_as(&self, tpp: &Tpp, code: &str, authentication: Fields) -> HttpExchange {
        let mut form = self.exchange_form(tpp, code, self.verifier());
        form.extend(authentication);
        tpp.request_token_with_form(&form).await.unwrap()
    }

    /// Exchanges a code of the variant.
    pub(super) async fn exchange(&self, tpp: &Tpp, code: &str) -> HttpExchange {
        self.exchange_as(tpp, code, tpp.authentication().await.unwrap()).await
    }

    /// A code of the variant.
    pub(super) async fn code(&self, tpp: &Tpp) -> String {
        self.present(tpp, &self.request(tpp).await).await.code().to_owned()
    }

    /// Goes the whole way with a request and checks what the suite checks of every success; the tokens.
    pub(super) async fn complete(&self, tpp: &Tpp, request: &AuthorisationRequest) -> IssuedTokens {
        let answer = self.present(tpp, request).await;
        self.complete_from(tpp, request, &answer, self.verifier()).await
    }

    /// The rest of the way from the authorisation response on.
    pub(super) async fn complete_from(
        &self,
        tpp: &Tpp,
        request: &AuthorisationRequest,
        answer: &Answer,
        verifier: Option<&str>,
    ) -> IssuedTokens {
        let keys = tpp.bank_keys().await.unwrap();
        let claims = request.object.claims();
        let text = |name: &str| claims.get(name).and_then(Value::as_str);
        let intent = claims["claims"].pointer("/id_token/openbanking_intent_id/value").and_then(Value::as_str);
        // 128 bits of entropy are 22 characters of base64url. Source: AS-103.
        assert!(answer.code().len() >= 22, "AS-103");
        let mut expected =
            ExpectedIdToken { consent: intent, nonce: text("nonce"), code: Some(answer.code()), ..Default::default() };
        if self.variant.response == ResponseForm::Plain {
            expected.state = text("state");
            let token = tpp.check_id_token(answer.text("id_token").unwrap(), &keys, &expected).await.unwrap();
            assert_eq!(token.0.contains_key("s_hash"), text("state").is_some(), "AS-075");
        }
        let mut form = self.exchange_form(tpp, answer.code(), verifier);
        form.extend(tpp.authentication().await.unwrap());
        let tokens = IssuedTokens::from_exchange(tpp.request_token_with_form(&form).await.unwrap()).unwrap();
        assert!(tokens.access_token.len() >= 22, "AS-103");
        let expected =
            ExpectedIdToken { code: None, state: None, access_token: Some(&tokens.access_token), ..expected };
        tpp.check_id_token(tokens.id_token.as_deref().unwrap(), &keys, &expected).await.unwrap();
        tpp.get(&tokens.access_token, "aisp/accounts").await.unwrap().ok(200);
        tokens
    }

    /// The fields of a client assertion changed in this way.
    pub(super) async fn assertion(&self, tpp: &Tpp, change: impl FnOnce(Jwt) -> Jwt) -> Fields {
        let assertion = change(tpp.new_client_assertion().await.unwrap()).sign(&tpp.folder.signing).unwrap();
        assertion_fields(&assertion)
    }
}

/// The fields of this client assertion.
pub(super) fn assertion_fields(assertion: &str) -> Fields {
    [("client_assertion_type", ASSERTION_TYPE), ("client_assertion", assertion)]
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .into()
}

/// A request with the challenge of [`VERIFIER`].
pub(super) fn with_challenge(request: AuthorisationRequest) -> AuthorisationRequest {
    let challenge = base64url(&sha256(VERIFIER.as_bytes()).0);
    request.claim("code_challenge", challenge).claim("code_challenge_method", "S256")
}

/// The reference that a push was answered with.
pub(super) fn reference_of(pushed: &HttpExchange) -> String {
    pushed.ok(201).text("request_uri").to_owned()
}

/// What came of a call that no browser makes: `200`, `401`, or `400 invalid_grant`, with what an OAuth error owes checked.
pub(crate) fn came_of_call(exchange: &HttpExchange) -> String {
    exchange.decent();
    let status = exchange.status.as_u16();
    let body = exchange.json().unwrap_or(Value::Null);
    let error = body.text("error");
    if !error.is_empty() {
        exchange.oauth(status, error);
        assert!(exchange.head("content-type").starts_with("application/json"));
    }
    format!("{status} {error}").trim_end().to_owned()
}
