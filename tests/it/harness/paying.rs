//! The way to a payment, as often walked. Every answer on it is checked against the bank's keys.

use super::{Bank, ExchangeExt, ValueExt};
use jiff::{SignedDuration, Timestamp};
use lombard_domain::order::Product;
use lombard_tpp::{Call, Exchange, Tokens, Tpp};
use serde_json::{Value, json};

/// The domestic products.
pub(crate) const DOMESTIC: [Product; 3] =
    [Product::DomesticPayment, Product::DomesticScheduledPayment, Product::DomesticStandingOrder];

/// A TPP that pays, with its own token.
#[derive(Debug, Clone)]
pub(crate) struct Paying {
    /// The TPP.
    pub(crate) tpp: Tpp,
    /// Its own token.
    pub(crate) own: String,
}

/// A consent that a customer gave, and the token that stands on it.
#[derive(Debug, Clone)]
pub(crate) struct Agreed {
    /// Of which product.
    pub(crate) product: Product,
    /// The consent's id.
    pub(crate) consent: String,
    /// What it was asked with.
    pub(crate) asked: Value,
    /// The customer's token.
    pub(crate) token: String,
}

impl Agreed {
    /// The request for its order.
    pub(crate) fn order(&self) -> Value {
        order_of(&self.consent, &self.asked)
    }
}

/// The request for the order of a consent that was asked with this.
pub(crate) fn order_of(consent: &str, asked: &Value) -> Value {
    json!({"Data": {"ConsentId": consent, "Initiation": asked["Data"]["Initiation"]}, "Risk": asked["Risk"]})
}

/// The path of consents to a product, as the TPP's client takes it.
pub(crate) fn consents(product: Product) -> &'static str {
    product.consents_path().trim_start_matches('/')
}

/// The path of its orders.
pub(crate) fn orders(product: Product) -> &'static str {
    product.orders_path().trim_start_matches('/')
}

/// What asks for a consent to a product: with no more than must be there.
pub(crate) fn asking(product: Product, now: Timestamp) -> Value {
    let creditor = json!({
        "SchemeName": "UK.OBIE.SortCodeAccountNumber",
        "Identification": "20000319825731",
        "Name": "Somebody Else",
    });
    let amount = json!({"Amount": "12.50", "Currency": "GBP"});
    let later = (now + SignedDuration::from_hours(24 * 10)).to_string();
    match product {
        Product::DomesticPayment => json!({
            "Data": {"Initiation": {
                "InstructionIdentification": "INSTR-1",
                "EndToEndIdentification": "E2E-1",
                "InstructedAmount": amount,
                "CreditorAccount": creditor,
            }},
            "Risk": {},
        }),
        Product::DomesticScheduledPayment => json!({
            "Data": {"Permission": "Create", "Initiation": {
                "InstructionIdentification": "INSTR-1",
                "RequestedExecutionDateTime": later,
                "InstructedAmount": amount,
                "CreditorAccount": creditor,
            }},
            "Risk": {},
        }),
        Product::DomesticStandingOrder => json!({
            "Data": {"Permission": "Create", "Initiation": {
                "Frequency": "EvryDay",
                "FirstPaymentDateTime": later,
                "FirstPaymentAmount": amount,
                "CreditorAccount": creditor,
            }},
            "Risk": {},
        }),
        other => panic!("{other:?} has no request here"),
    }
}

impl Paying {
    /// The TPP with this folder.
    pub(crate) async fn as_tpp(bank: &Bank, name: &str) -> Self {
        let tpp = bank.tpp(name);
        let own = tpp.client_credentials("payments").await.unwrap().access_token;
        Self { tpp, own }
    }

    /// The TPP whose customer agrees at once.
    pub(crate) async fn robot(bank: &Bank) -> Self {
        Self::as_tpp(bank, "robot").await
    }

    /// The time at the TPP.
    pub(crate) fn now(&self) -> Timestamp {
        self.tpp.now()
    }

    /// What asks for a consent to a product.
    pub(crate) fn asking(&self, product: Product) -> Value {
        asking(product, self.now())
    }

    /// Sends a call; the answer is signed by the bank.
    pub(crate) async fn send(&self, call: Call) -> Exchange {
        self.tpp.verified(self.tpp.send(call).await.unwrap()).await.unwrap_or_else(|error| panic!("{error}"))
    }

    /// Posts under a key of its own.
    pub(crate) async fn post(&self, token: &str, path: &str, body: &Value) -> Exchange {
        self.post_as(token, path, &self.tpp.fresh_key(), body).await
    }

    /// Posts under this key.
    pub(crate) async fn post_as(&self, token: &str, path: &str, key: &str, body: &Value) -> Exchange {
        self.send(self.tpp.payment_call(token, path, key, body).unwrap()).await
    }

    /// Reads with this token.
    pub(crate) async fn get(&self, token: &str, path: &str) -> Exchange {
        self.send(Call::get(self.tpp.resource_url(path)).bearer(token).header("accept", "application/json")).await
    }

    /// Asks for a consent that must be made; gives the answer.
    pub(crate) async fn consent(&self, product: Product, body: &Value) -> Value {
        self.post(&self.own, consents(product), body).await.ok(201)
    }

    /// The consent as it stands.
    pub(crate) async fn consent_now(&self, product: Product, id: &str) -> Value {
        self.get(&self.own, &format!("{}/{id}", consents(product))).await.ok(200)
    }

    /// A consent that the TPP's customer gave at once.
    pub(crate) async fn agreed(&self, product: Product) -> Agreed {
        self.agreed_to(product, self.asking(product)).await
    }

    /// The same, asked with this.
    pub(crate) async fn agreed_to(&self, product: Product, asked: Value) -> Agreed {
        let consent = self.consent(product, &asked).await["Data"].text("ConsentId").to_owned();
        let token = self.token(&consent).await;
        Agreed { product, consent, asked, token }
    }

    /// Has the customer agree, and the code exchanged.
    pub(crate) async fn token(&self, consent: &str) -> String {
        let request = self.tpp.authorisation(consent, "payments").await.unwrap();
        let channel = self.tpp.authorise_headless(&request).await.unwrap();
        let code = channel.accepted(&request.state).unwrap().0.to_owned();
        Tokens::read(self.tpp.exchange_code(&code).await.unwrap()).unwrap().access_token
    }

    /// Makes the order of a consent; gives its id and the answer.
    pub(crate) async fn ordered(&self, agreed: &Agreed) -> (String, Value) {
        let answer = self.post(&agreed.token, orders(agreed.product), &agreed.order()).await.ok(201);
        (answer["Data"].text(agreed.product.id_member()).to_owned(), answer)
    }

    /// The order as it stands.
    pub(crate) async fn order_now(&self, product: Product, id: &str) -> Value {
        self.get(&self.own, &format!("{}/{id}", orders(product))).await.ok(200)
    }

    /// What became of its payments.
    pub(crate) async fn details(&self, product: Product, id: &str) -> Vec<Value> {
        let path = format!("{}/{id}/payment-details", orders(product));
        self.get(&self.own, &path).await.ok(200).list("/Data/PaymentStatus")
    }
}
