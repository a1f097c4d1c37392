//! Helpers for payments. The signature of every response is verified with the bank's keys.

use super::{Bank, ExchangeExt, ValueExt, vrp};
use jiff::{SignedDuration, Timestamp};
use lombard_domain::payment::PaymentProduct;
use lombard_domain::version::Version;
use lombard_tpp::{HttpCall, HttpExchange, Tpp, file_hash};
use serde_json::{Value, json};

/// The domestic products.
pub(crate) const DOMESTIC: [PaymentProduct; 3] =
    [PaymentProduct::DomesticPayment, PaymentProduct::DomesticScheduledPayment, PaymentProduct::DomesticStandingOrder];

/// The products that go abroad, in the same order.
pub(crate) const ABROAD: [PaymentProduct; 3] = [
    PaymentProduct::InternationalPayment,
    PaymentProduct::InternationalScheduledPayment,
    PaymentProduct::InternationalStandingOrder,
];

/// Every product whose consents ask for what is paid to one payee, and yield one order.
pub(crate) const TRANSFERS: [PaymentProduct; 6] =
    [DOMESTIC[0], DOMESTIC[1], DOMESTIC[2], ABROAD[0], ABROAD[1], ABROAD[2]];

/// A TPP that pays, with its own token.
#[derive(Debug, Clone)]
pub(crate) struct PayingTpp {
    /// The TPP.
    pub(crate) tpp: Tpp,
    /// Its own token.
    pub(crate) own: String,
    /// The version that it calls.
    pub(crate) version: Version,
}

/// A consent that a customer gave, and the token that stands on it.
#[derive(Debug, Clone)]
pub(crate) struct AgreedConsent {
    /// Of which product.
    pub(crate) product: PaymentProduct,
    /// The consent's id.
    pub(crate) consent: String,
    /// What it was asked with.
    pub(crate) asked: Value,
    /// The customer's token.
    pub(crate) token: String,
}

impl AgreedConsent {
    /// The request for its order.
    pub(crate) fn order(&self) -> Value {
        order_of(&self.consent, &self.asked)
    }
}

/// The request for the order of a consent that was asked with this.
pub(crate) fn order_of(consent: &str, asked: &Value) -> Value {
    if asked.pointer("/Data/ControlParameters").is_some() {
        return vrp::payment(consent, asked, "12.50");
    }
    let mut order = json!({"Data": {"ConsentId": consent, "Initiation": asked["Data"]["Initiation"]}});
    if let Some(risk) = asked.get("Risk") {
        order["Risk"] = risk.clone();
    }
    order
}

/// The path of consents to a product, as the TPP's client takes it.
pub(crate) fn consents(product: PaymentProduct) -> &'static str {
    product.consents_path().trim_start_matches('/')
}

/// The path of its orders.
pub(crate) fn orders(product: PaymentProduct) -> &'static str {
    product.orders_path().trim_start_matches('/')
}

/// What asks for a consent to a product: with no more than must be there.
pub(crate) fn asking(product: PaymentProduct, now: Timestamp) -> Value {
    let later = (now + SignedDuration::from_hours(24 * 10)).to_string();
    let again = json!({"Frequency": "EvryDay", "FirstPaymentDateTime": later});
    let initiation = match product {
        PaymentProduct::DomesticPayment => {
            at_home("InstructedAmount", &[&once(), &json!({"EndToEndIdentification": "E2E-1"})])
        }
        PaymentProduct::DomesticScheduledPayment => {
            at_home("InstructedAmount", &[&once(), &json!({"RequestedExecutionDateTime": later})])
        }
        PaymentProduct::DomesticStandingOrder => at_home("FirstPaymentAmount", &[&again]),
        PaymentProduct::InternationalPayment => abroad(&[&once(), &json!({"EndToEndIdentification": "E2E-1"})]),
        PaymentProduct::InternationalScheduledPayment => {
            abroad(&[&once(), &json!({"RequestedExecutionDateTime": later})])
        }
        PaymentProduct::InternationalStandingOrder => abroad(&[&again]),
        PaymentProduct::FilePayment => json!({"FileType": FILE_TYPE, "FileHash": file_hash(FILE.as_bytes())}),
        PaymentProduct::DomesticVrp => return vrp::asking(),
    };
    let mut body = json!({"Data": {"Initiation": initiation}});
    if product.asks_permission() {
        body["Data"]["Permission"] = "Create".into();
    }
    if product.has_risk() {
        body["Risk"] = json!({});
    }
    body
}

/// A request of v3.1 in the shape of a version: v4.0 has a mandate in place of frequency and dates, and another file type.
fn in_shape_of(version: Version, mut body: Value) -> Value {
    match version {
        Version::V3_1 => return body,
        Version::V4_0 => {}
    }
    let initiation = body["Data"]["Initiation"].as_object_mut().unwrap();
    if initiation.remove("Frequency").is_some() {
        let first = initiation.remove("FirstPaymentDateTime").unwrap();
        let mandate = json!({"Frequency": {"Type": "DAIL"}, "FirstPaymentDateTime": first});
        initiation.insert("MandateRelatedInformation".into(), mandate);
    }
    if initiation.contains_key("FileType") {
        initiation.insert("FileType".into(), json!("UK.OBIE.PaymentInitiation.4.0"));
    }
    body
}

/// What a payment is called that is made once.
fn once() -> Value {
    json!({"InstructionIdentification": "INSTR-1"})
}

/// A payment in the country.
fn at_home(amount: &str, parts: &[&Value]) -> Value {
    let creditor = json!({
        "SchemeName": "UK.OBIE.SortCodeAccountNumber",
        "Identification": "20000319825731",
        "Name": "Somebody Else",
    });
    let amount = json!({amount: {"Amount": "12.50", "Currency": "GBP"}, "CreditorAccount": creditor});
    joined(&[parts, &[&amount]].concat())
}

/// A payment abroad: pounds are debited and euros are sent, at no rate that was told.
fn abroad(parts: &[&Value]) -> Value {
    let creditor =
        json!({"SchemeName": "UK.OBIE.IBAN", "Identification": "DE89370400440532013000", "Name": "Jemand Anders"});
    let amount = json!({
        "InstructedAmount": {"Amount": "12.50", "Currency": "GBP"},
        "CurrencyOfTransfer": "EUR",
        "CreditorAccount": creditor,
    });
    joined(&[parts, &[&amount]].concat())
}

/// An object of the members of all of these.
fn joined(parts: &[&Value]) -> Value {
    parts.iter().flat_map(|part| part.as_object().unwrap().clone()).collect::<serde_json::Map<_, _>>().into()
}

/// A file of one payment.
pub(crate) const FILE: &str = r#"{"Data":{"DomesticPayments":[{"InstructionIdentification":"INSTR-1","EndToEndIdentification":"E2E-1","InstructedAmount":{"Amount":"12.50","Currency":"GBP"},"CreditorAccount":{"SchemeName":"UK.OBIE.SortCodeAccountNumber","Identification":"20000319825731","Name":"Somebody Else"}}]}}"#;

/// What it is called.
const FILE_TYPE: &str = "UK.OBIE.PaymentInitiation.3.1";

impl PayingTpp {
    /// The TPP with this folder.
    pub(crate) async fn as_tpp(bank: &Bank, name: &str) -> Self {
        let tpp = bank.tpp(name);
        let own = tpp.client_credentials("payments").await.unwrap().access_token;
        Self { tpp, own, version: Version::V3_1 }
    }

    /// The TPP whose customer agrees at once.
    pub(crate) async fn robot(bank: &Bank) -> Self {
        Self::as_tpp(bank, "robot").await
    }

    /// The same TPP calling this version.
    pub(crate) fn through(&self, version: Version) -> Self {
        Self { tpp: self.tpp.with_version(version), own: self.own.clone(), version }
    }

    /// The time at the TPP.
    pub(crate) fn now(&self) -> Timestamp {
        self.tpp.now()
    }

    /// What asks for a consent to a product.
    pub(crate) fn asking(&self, product: PaymentProduct) -> Value {
        in_shape_of(self.version, asking(product, self.now()))
    }

    /// Sends a call; the answer is signed by the bank.
    pub(crate) async fn send(&self, call: HttpCall) -> HttpExchange {
        self.tpp.verify_response(self.tpp.send(call).await.unwrap()).await.unwrap_or_else(|error| panic!("{error}"))
    }

    /// Posts under a key of its own.
    pub(crate) async fn post(&self, token: &str, path: &str, body: &Value) -> HttpExchange {
        self.post_as(token, path, &self.tpp.new_idempotency_key(), body).await
    }

    /// Posts under this key.
    pub(crate) async fn post_as(&self, token: &str, path: &str, key: &str, body: &Value) -> HttpExchange {
        self.send(self.tpp.payment_call(token, path, key, body).unwrap()).await
    }

    /// Reads with this token.
    pub(crate) async fn get(&self, token: &str, path: &str) -> HttpExchange {
        self.send(
            HttpCall::get(self.tpp.resource_url(path)).with_bearer(token).with_header("accept", "application/json"),
        )
        .await
    }

    /// Asks for a consent that must be made; gives the answer.
    pub(crate) async fn consent(&self, product: PaymentProduct, body: &Value) -> Value {
        self.post(&self.own, consents(product), body).await.ok(201)
    }

    /// The consent as it stands.
    pub(crate) async fn consent_now(&self, product: PaymentProduct, id: &str) -> Value {
        self.get(&self.own, &format!("{}/{id}", consents(product))).await.ok(200)
    }

    /// A consent that the TPP's customer gave at once.
    pub(crate) async fn agreed(&self, product: PaymentProduct) -> AgreedConsent {
        self.agreed_to(product, self.asking(product)).await
    }

    /// The same, asked with this.
    pub(crate) async fn agreed_to(&self, product: PaymentProduct, asked: Value) -> AgreedConsent {
        let consent = self.consent(product, &asked).await["Data"].text("ConsentId").to_owned();
        if product.requires_file() {
            let path = format!("{}/{consent}/file", consents(product));
            let key = self.tpp.new_idempotency_key();
            let upload = self.tpp.upload(&self.own, &path, &key, "application/json", FILE).await.unwrap();
            assert_eq!(upload.status, 200, "FILE-009");
        }
        let token = self.token(&consent).await;
        AgreedConsent { product, consent, asked, token }
    }

    /// Has the customer agree, and the code exchanged.
    pub(crate) async fn token(&self, consent: &str) -> String {
        self.tokens(consent).await.access_token
    }

    /// Makes the order of a consent; gives its id and the answer.
    pub(crate) async fn ordered(&self, agreed: &AgreedConsent) -> (String, Value) {
        let answer = self.post(&agreed.token, orders(agreed.product), &agreed.order()).await.ok(201);
        (answer["Data"].text(agreed.product.id_member()).to_owned(), answer)
    }

    /// The order as it stands.
    pub(crate) async fn order_now(&self, product: PaymentProduct, id: &str) -> Value {
        self.get(&self.own, &format!("{}/{id}", orders(product))).await.ok(200)
    }

    /// What became of its payments.
    pub(crate) async fn details(&self, product: PaymentProduct, id: &str) -> Vec<Value> {
        let path = format!("{}/{id}/payment-details", orders(product));
        self.get(&self.own, &path).await.ok(200).list("/Data/PaymentStatus")
    }
}
