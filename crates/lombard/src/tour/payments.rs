//! Makes a domestic payment. The tour creates a consent, obtains its authorisation, and sends the order twice with one idempotency key,
//! which executes it once. It then follows the status events until the payee is credited, and finds the transaction on the account.

use super::access::{GrantedAccess, PAYMENTS};
use super::accounts::Account;
use super::checks::{array, at, has, text};
use super::events::PolledEvent;
use super::options::TourOptions;
use super::run::Tour;
use http::StatusCode;
use lombard_domain::version::Version;
use lombard_tpp::{HttpExchange, TppError};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// The amount of the payment.
const AMOUNT: &str = "1.25";
/// The path of domestic payment consents.
const CONSENTS: &str = "pisp/domestic-payment-consents";
/// The path of domestic payment orders.
const ORDERS: &str = "pisp/domestic-payments";
/// The maximum time for which an order is followed; a Faster Payment takes two seconds in a sandbox.
const FOLLOWED_MAX: Duration = Duration::from_secs(60);
/// The poll interval if the bank does not hold polls.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// How the tour authorises payment consents.
pub(super) struct PaymentAuthorisation<'a> {
    pub(super) own_token: &'a str,
    pub(super) options: &'a TourOptions,
}

impl Tour<'_> {
    /// Makes a domestic payment, a scheduled one (which is cancelled), an international one, a file payment and VRP payments. With a
    /// person, it makes only the first. Returns the number of the debtor account; `None` if the person has not decided yet.
    pub(super) async fn payments(
        &mut self,
        options: &TourOptions,
        access: &GrantedAccess,
        accounts: &[Account],
    ) -> Result<Option<String>, TppError> {
        self.step("A payment consent, signed");
        let own_token = self.own_token_for(PAYMENTS).await?;
        let way = PaymentAuthorisation { own_token: &own_token, options };
        let asked = asking(&self.tpp.new_idempotency_key());
        let consent = self.payment_consent(&way, CONSENTS, &asked).await?;
        self.fact(&format!("{consent}: {AMOUNT} GBP to {}", text(payee(&asked), "Name")));
        let Some(leave) = self.obtain_payment_token(&way, &consent).await? else { return Ok(None) };
        self.check(!leave.lasts, "a payment consent has no refresh token (AS-093)");
        self.funds(&leave).await?;
        let (order, refund) = self.pay(&leave, &asked).await?;
        if self.follow_payment(&way, &order).await? {
            self.find_entry(access, accounts, &refund, &asked).await?;
        }
        // With a browser only one payment is authorised.
        if !options.browser {
            self.pay_on_date(&way).await?;
            self.pay_internationally(&way).await?;
            self.pay_file(&way).await?;
            self.pay_by_vrp(&way).await?;
            if options.version == Version::V4_0 {
                self.take_vrp_over(&way).await?;
            }
        }
        Ok(Some(text(&refund, "Identification").to_owned()))
    }

    /// Continues with a payment that a person authorised: sends the order and follows it until the payee is credited.
    pub(super) async fn pay_agreed(&mut self, options: &TourOptions, leave: &GrantedAccess) -> Result<(), TppError> {
        self.step("The payment that you authorised");
        let own_token = self.own_token_for(PAYMENTS).await?;
        let exchange = self.tpp.get(&own_token, &format!("{CONSENTS}/{}", leave.consent)).await?;
        let consent = self.signed_resource(exchange, StatusCode::OK).await?;
        self.check(
            text(at(&consent, "/Data"), "Status") == self.names.authorised,
            "the consent is authorised (PIS-030)",
        );
        self.check(!leave.lasts, "a payment consent has no refresh token (AS-093)");
        let asked = json!({"Data": {"Initiation": at(&consent, "/Data/Initiation")}, "Risk": at(&consent, "/Risk")});
        self.fact(&format!("{}: {AMOUNT} GBP to {}", leave.consent, text(payee(&asked), "Name")));
        self.funds(leave).await?;
        let (order, _) = self.pay(leave, &asked).await?;
        self.follow_payment(&PaymentAuthorisation { own_token: &own_token, options }, &order).await.map(drop)
    }

    /// Creates a payment consent, which awaits authorisation.
    pub(super) async fn payment_consent(
        &mut self,
        way: &PaymentAuthorisation<'_>,
        path: &str,
        asked: &Value,
    ) -> Result<String, TppError> {
        let exchange = self.tpp.payment_post(way.own_token, path, &self.tpp.new_idempotency_key(), asked).await?;
        let answer = self.signed_resource(exchange, StatusCode::CREATED).await?;
        let data = at(&answer, "/Data");
        self.check(text(data, "Status") == self.names.awaiting, "it awaits authorisation (PIS-030)");
        self.check(
            at(data, "/Initiation") == at(asked, "/Data/Initiation"),
            "the payment comes back as sent (PIS-042)",
        );
        let consent = text(data, "ConsentId").to_owned();
        self.check(text(at(&answer, "/Links"), "Self").ends_with(&consent), "Links.Self names it (PIS-156)");
        Ok(consent)
    }

    /// Obtains the token of the authorised consent. Returns `None` if a person has to decide and standard input is not a terminal.
    pub(super) async fn obtain_payment_token(
        &mut self,
        way: &PaymentAuthorisation<'_>,
        consent: &str,
    ) -> Result<Option<GrantedAccess>, TppError> {
        if !way.options.browser {
            return self.authorise_headless(consent, PAYMENTS).await.map(Some);
        }
        self.authorise_by_person(consent, PAYMENTS).await
    }

    async fn funds(&mut self, leave: &GrantedAccess) -> Result<(), TppError> {
        self.step("Confirmation of funds for the payment");
        let path = format!("{CONSENTS}/{}/funds-confirmation", leave.consent);
        let exchange = self.tpp.get(&leave.token, &path).await?;
        let answer = self.signed_resource(exchange, StatusCode::OK).await?;
        let available = at(&answer, "/Data/FundsAvailableResult/FundsAvailable").as_bool();
        self.check(available.is_some(), "the answer is yes or no, without a balance (PIS-083)");
        self.fact(if available == Some(true) { "yes" } else { "no" });
        Ok(())
    }

    /// Sends the order, repeats it with the same key, and sends a different order with that key. Returns the order id and the debtor
    /// account.
    async fn pay(&mut self, leave: &GrantedAccess, asked: &Value) -> Result<(String, Value), TppError> {
        self.step("The order and its repetition: one key, one payment");
        let key = self.tpp.new_idempotency_key();
        let body = order_of(&leave.consent, asked);
        let exchange = self.tpp.payment_post(&leave.token, ORDERS, &key, &body).await?;
        let made = self.signed_resource(exchange, StatusCode::CREATED).await?;
        let order = text(at(&made, "/Data"), "DomesticPaymentId").to_owned();
        self.check((1..=40).contains(&order.len()), "the order has an id (PIS-042)");
        self.check(
            text(at(&made, "/Data"), "Status") == self.names.received,
            "it begins as received (PIS-044, V4-003)",
        );
        let refund = at(&made, "/Data/Refund/Account").clone();
        self.check(has(&refund, "Identification"), "it names the refund account (PIS-097)");

        let exchange = self.tpp.payment_post(&leave.token, ORDERS, &key, &body).await?;
        let again = self.signed_resource(exchange, StatusCode::CREATED).await?;
        let same = text(at(&again, "/Data"), "DomesticPaymentId") == order;
        self.check(same, "a repeated request returns the same order (PIS-061)");
        let exchange = self.tpp.payment_post(&leave.token, ORDERS, &key, &with_another_amount(body)).await?;
        let refused = self.tpp.verify_response(exchange).await?;
        self.answer(refused, self.names.key_reused)?;
        self.fact(&format!("{order}: sent three times, the last time with another amount; ordered once"));
        Ok((order, refund))
    }

    /// Follows the payment until the payee is credited; `false` if it is not credited in time.
    async fn follow_payment(&mut self, way: &PaymentAuthorisation<'_>, order: &str) -> Result<bool, TppError> {
        self.step("The payment on its way: every status change is an event");
        let Some(told) = self.followed(way, ORDERS, order, self.names.credited).await? else { return Ok(false) };
        let what = format!("under way, debited and credited are one event each, not {told} in all (SET-036)");
        self.check(told == 3, &what);
        let exchange = self.tpp.get(way.own_token, &format!("{ORDERS}/{order}/payment-details")).await?;
        let details = array(&self.signed_resource(exchange, StatusCode::OK).await?, "/Data/PaymentStatus");
        let newest = details.last().map_or("", |it| text(it, "Status"));
        self.check(details.len() == 1 && newest == self.names.credited, "its details agree (PIS-094)");
        Ok(true)
    }

    /// Follows an order by long polls until it has this status. Returns the number of its events; `None` if it does not reach the status.
    pub(super) async fn followed(
        &mut self,
        way: &PaymentAuthorisation<'_>,
        path: &str,
        order: &str,
        wanted: &str,
    ) -> Result<Option<usize>, TppError> {
        let began = Instant::now();
        let mut received = Vec::new();
        let mut told = 0_usize;
        let mut status = String::new();
        let mut look = tokio::time::interval(LOOK_EVERY);
        while status != wanted {
            if began.elapsed() > FOLLOWED_MAX || status == self.names.rejected {
                self.check(false, &format!("the order becomes {wanted}; it is {status}"));
                return Ok(None);
            }
            let (events, _) = self.polled(json!({"ack": received}), way.own_token).await?;
            let updates = self.poll_events_of(order, &events);
            received = events.into_iter().map(|event| event.jti).collect();
            if updates == 0 {
                look.tick().await;
                continue;
            }
            told = told.saturating_add(updates);
            status = self.order_status(way, path, order).await?;
            self.fact(&format!("{:>6.1} s  {status}", began.elapsed().as_secs_f64()));
        }
        Ok(Some(told.saturating_add(self.take_rest(way, order, received).await?)))
    }

    /// Polls the queued events without waiting. Returns the number of events of the order.
    pub(super) async fn take_rest(
        &mut self,
        way: &PaymentAuthorisation<'_>,
        order: &str,
        received: Vec<String>,
    ) -> Result<usize, TppError> {
        let (events, _) = self.polled(json!({"returnImmediately": true, "ack": received}), way.own_token).await?;
        let updates = self.poll_events_of(order, &events);
        let received: Vec<_> = events.into_iter().map(|event| event.jti).collect();
        self.polled(json!({"maxEvents": 0, "ack": received}), way.own_token).await?;
        Ok(updates)
    }

    /// The number of these events that concern the order.
    fn poll_events_of(&mut self, order: &str, events: &[PolledEvent]) -> usize {
        let ours = events.iter().filter(|event| event.about.ends_with(order));
        let kinds = ours.clone().all(|event| event.kinds == ["resource-update"]);
        self.check(kinds, "a status change of an order is a resource update (PIS-047)");
        ours.count()
    }

    /// The status of an order.
    pub(super) async fn order_status(
        &mut self,
        way: &PaymentAuthorisation<'_>,
        path: &str,
        order: &str,
    ) -> Result<String, TppError> {
        let exchange = self.tpp.get(way.own_token, &format!("{path}/{order}")).await?;
        let answer = self.signed_resource(exchange, StatusCode::OK).await?;
        Ok(text(at(&answer, "/Data"), "Status").to_owned())
    }

    /// Finds the payment among the account's transactions, with the account access granted before.
    async fn find_entry(
        &mut self,
        access: &GrantedAccess,
        accounts: &[Account],
        refund: &Value,
        asked: &Value,
    ) -> Result<(), TppError> {
        self.step("The payment among the account's transactions");
        let from = accounts.iter().find(|account| account.number == text(refund, "Identification"));
        let Some(account) = from else {
            self.fact("the debtor account is not shared under the account access consent");
            return Ok(());
        };
        let exchange = self.tpp.get(&access.token, &format!("aisp/accounts/{}/transactions", account.id)).await?;
        let entries = array(&self.resource(exchange, StatusCode::OK)?, "/Data/Transaction");
        let reference = text(at(asked, "/Data/Initiation"), "EndToEndIdentification");
        let ours: Vec<_> = entries.iter().filter(|it| text(it, "TransactionReference") == reference).collect();
        let [entry] = ours.as_slice() else {
            self.check(false, &format!("the payment is one entry, not {} (PIS-041)", ours.len()));
            return Ok(());
        };
        let debited = text(entry, "CreditDebitIndicator") == "Debit" && text(entry, "Status") == self.names.booked;
        self.check(debited && text(at(entry, "/Amount"), "Amount") == AMOUNT, "it was debited, once (PIS-041)");
        self.fact(&format!("{}: {AMOUNT} GBP, {}", account.name, text(entry, "TransactionInformation")));
        Ok(())
    }

    /// Verifies the bank's signature of a successful payment response and returns its body.
    pub(super) async fn signed_resource(
        &mut self,
        exchange: HttpExchange,
        status: StatusCode,
    ) -> Result<Value, TppError> {
        let exchange = self.tpp.verify_response(exchange).await?;
        self.resource(exchange, status)
    }
}

/// The consent request, with a unique end-to-end identification.
fn asking(unique: &str) -> Value {
    json!({
        "Data": {
            "ReadRefundAccount": "Yes",
            "Initiation": {
                "InstructionIdentification": unique,
                "EndToEndIdentification": format!("TOUR-{}", unique.get(..12).unwrap_or(unique)),
                "InstructedAmount": {"Amount": AMOUNT, "Currency": "GBP"},
                "CreditorAccount": {
                    "SchemeName": "UK.OBIE.SortCodeAccountNumber",
                    "Identification": "20000319825731",
                    "Name": "Tea and Scones",
                },
            },
        },
        "Risk": {},
    })
}

/// The payee of a consent request.
fn payee(asked: &Value) -> &Value {
    at(asked, "/Data/Initiation/CreditorAccount")
}

/// The order request of a consent.
pub(super) fn order_of(consent: &str, asked: &Value) -> Value {
    json!({"Data": {"ConsentId": consent, "Initiation": at(asked, "/Data/Initiation")}, "Risk": at(asked, "/Risk")})
}

fn with_another_amount(mut body: Value) -> Value {
    if let Some(amount) = body.pointer_mut("/Data/Initiation/InstructedAmount/Amount") {
        *amount = json!("9.75");
    }
    body
}
