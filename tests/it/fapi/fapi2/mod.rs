//! Clients that are held to FAPI 2.0, with and without Message Signing. Source: AS-154.

mod journey;
mod refusals;
mod signed_messages;

use crate::harness::{Bank, EVERYTHING, ExchangeExt, ValueExt};
use http::Method;
use lombard_jose::{CompactJws, base64url, sha256};
use lombard_tpp::{HttpCall, HttpExchange, IssuedTokens, Jwt, Tpp};
use serde_json::{Map, Value, json};
use url::form_urlencoded::parse;

const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";

/// The two profiles of FAPI 2.0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Profile {
    Security,
    MessageSigning,
}

impl Profile {
    const fn name(self) -> &'static str {
        match self {
            Self::Security => "fapi2",
            Self::MessageSigning => "fapi2-message-signing",
        }
    }
}

/// A client of one of the profiles, and what it asks for.
struct Fapi2Client {
    tpp: Tpp,
    profile: Profile,
}

/// The parameters of a request by name. Text is sent as it is, anything else as JSON.
type Parameters = Map<String, Value>;

impl Fapi2Client {
    /// Made by the operator with its profile. Every client of these tests has a name of its own.
    async fn create(bank: &Bank, profile: Profile, order: Value) -> Self {
        let mut order = order;
        order["profile"] = profile.name().into();
        Self { tpp: bank.create_tpp(&order).await, profile }
    }

    /// A good request for a consent of its own.
    async fn request(&self) -> Parameters {
        let own = self.tpp.client_credentials("accounts").await.unwrap().access_token;
        let consent = self.tpp.consent_create(&own, &EVERYTHING).await.unwrap();
        let request = json!({
            "response_type": "code",
            "redirect_uri": self.tpp.redirect_uri().unwrap(),
            "scope": "openid accounts",
            "state": "s t&a=te",
            "code_challenge": base64url(&sha256(VERIFIER.as_bytes()).0),
            "code_challenge_method": "S256",
            "claims": {"id_token": {
                "openbanking_intent_id": {"essential": true, "value": consent},
                "acr": {"essential": true, "values": ["urn:openbanking:psd2:sca"]},
            }},
        });
        let mut request = request.as_object().unwrap().clone();
        if self.profile == Profile::MessageSigning {
            request.insert("response_mode".to_owned(), "jwt".into());
        }
        request
    }

    /// The request as an object that the client signs.
    fn object(&self, request: &Parameters) -> Jwt {
        let id = self.tpp.client_id().as_str();
        let now = self.tpp.now().as_second();
        let mut claims = request.clone();
        for (name, value) in [
            ("iss", json!(id)),
            ("client_id", json!(id)),
            ("aud", json!(self.tpp.endpoints.issuer)),
            ("nbf", json!(now)),
            ("exp", json!(now + 300)),
        ] {
            claims.insert(name.to_owned(), value);
        }
        Jwt::ps256(&self.tpp.folder.details.signing_kid, claims)
    }

    /// Pushes a request as the profile has it.
    async fn push(&self, request: &Parameters) -> HttpExchange {
        match self.profile {
            Profile::Security => self.push_plain(request).await,
            Profile::MessageSigning => {
                let object = self.object(request).sign(&self.tpp.folder.signing).unwrap();
                self.push_fields(vec![("request".to_owned(), object)]).await
            }
        }
    }

    /// Pushes the parameters themselves.
    async fn push_plain(&self, request: &Parameters) -> HttpExchange {
        let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let sent = request.iter().filter(|(_, value)| !value.is_null());
        self.push_fields(sent.map(|(name, value)| (name.clone(), text(value))).collect()).await
    }

    async fn push_fields(&self, fields: Vec<(String, String)>) -> HttpExchange {
        let mut form = self.tpp.authentication().await.unwrap();
        form.extend(fields);
        self.tpp.send(HttpCall::post(format!("{}/par", self.tpp.endpoints.mtls)).with_form(form)).await.unwrap()
    }

    /// The address of a pushed request: `client_id` and `request_uri` and nothing else.
    async fn url_of(&self, pushed: &HttpExchange) -> String {
        let reference = pushed.ok(201).text("request_uri").to_owned();
        let mut url: url::Url = self.tpp.discovery().await.unwrap().authorization_endpoint.parse().unwrap();
        url.query_pairs_mut().append_pair("client_id", self.tpp.client_id().as_str());
        url.query_pairs_mut().append_pair("request_uri", &reference);
        url.into()
    }

    /// Where a browser is sent with a pushed request.
    async fn url(&self, request: &Parameters) -> String {
        self.url_of(&self.push(request).await).await
    }

    /// The response in a redirect: never in a fragment, with the issuer, and signed by Message Signing.
    async fn response(&self, exchange: &HttpExchange) -> Map<String, Value> {
        exchange.decent();
        assert!([302, 303].contains(&exchange.status.as_u16()), "{} {}", exchange.status, exchange.text());
        let location = exchange.head("location");
        let query = location.strip_prefix(self.tpp.redirect_uri().unwrap()).and_then(|rest| rest.strip_prefix('?'));
        let query = query.unwrap_or_else(|| panic!("not in the query: {location}"));
        assert!(!location.contains('#'), "{location}");
        let plain: Vec<_> =
            parse(query.as_bytes()).map(|(name, value)| (name.into_owned(), value.into_owned())).collect();
        let response: Map<String, Value> = match (self.profile, plain.as_slice()) {
            (Profile::Security, [rest @ .., (name, _)]) => {
                assert_eq!(name, "iss", "AS-088: {location}");
                assert!(rest.iter().all(|(name, _)| name != "response"));
                plain.into_iter().map(|(name, value)| (name, value.into())).collect()
            }
            (Profile::MessageSigning, [(name, response)]) if name == "response" => {
                let response = CompactJws::parse(response).unwrap();
                response.verify(&self.tpp.bank_keys().await.unwrap()).unwrap();
                let claims: Map<String, Value> = response.claims().unwrap();
                assert_eq!(claims["aud"], self.tpp.client_id().as_str());
                claims
            }
            _ => panic!("{:?}: {location}", self.profile),
        };
        assert_eq!(response["iss"], self.tpp.endpoints.issuer.as_str());
        assert!(!response.contains_key("id_token"), "a code alone");
        response
    }

    /// Exchanges a code with this verifier.
    async fn exchange(&self, code: &str, verifier: Option<&str>) -> HttpExchange {
        let redirect_uri = self.tpp.redirect_uri().unwrap();
        let mut fields = vec![("grant_type", "authorization_code"), ("code", code), ("redirect_uri", redirect_uri)];
        fields.extend(verifier.map(|verifier| ("code_verifier", verifier)));
        self.tpp.request_token(&fields).await.unwrap()
    }

    /// A code of a headless client.
    async fn code(&self) -> String {
        let url = self.url(&self.request().await).await;
        let response = self.response(&self.tpp.open_authorisation(&url).await.unwrap()).await;
        response["code"].as_str().unwrap_or_else(|| panic!("{response:?}")).to_owned()
    }

    /// The tokens of a code.
    async fn tokens(&self, code: &str) -> IssuedTokens {
        IssuedTokens::from_exchange(self.exchange(code, Some(VERIFIER)).await).unwrap()
    }
}

/// Has an operator set the profile of a TPP; gives its view.
async fn set_profile(bank: &Bank, name: &str, profile: &str) -> Value {
    let url = format!("{}/operations/tpps/{name}/profile", bank.endpoints().ops);
    let body = json!({"profile": profile, "reason": "moves to FAPI 2.0"});
    bank.ops(HttpCall::new(Method::PUT, url).with_json(&body)).await.ok(200)
}
