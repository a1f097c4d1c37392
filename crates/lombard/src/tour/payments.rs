//! A payment: asked and agreed to, ordered twice under one key and made once, followed by its events until the payee has
//! the money, and found among the account's transactions.

use super::access::{GrantedAccess, PAYMENTS};
use super::accounts::Account;
use super::checks::{array, at, has, text};
use super::events::PolledEvent;
use super::options::TourOptions;
use super::run::Tour;
use http::StatusCode;
use lombard_tpp::{HttpExchange, TppError};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// What is paid: little, to somebody at another bank.
const AMOUNT: &str = "1.25";
/// Where consents to domestic payments are asked for.
const CONSENTS: &str = "pisp/domestic-payment-consents";
/// Where domestic payments are ordered.
const ORDERS: &str = "pisp/domestic-payments";
/// The longest an order is followed; Faster Payments take two seconds here.
const FOLLOWED_MAX: Duration = Duration::from_secs(60);
/// How often is asked where the bank holds no polls.
const LOOK_EVERY: Duration = Duration::from_millis(100);
/// The end of a payment that was made.
const CREDITED: &str = "AcceptedCreditSettlementCompleted";

/// The way to a customer's yes to paying.
pub(super) struct PaymentAuthorisation<'a> {
    pub(super) own_token: &'a str,
    pub(super) options: &'a TourOptions,
}

impl Tour<'_> {
    /// Pays in every way there is: once, later (and takes that back), abroad, by a file, and within limits; with a person once.
    /// Gives the number of the account that was paid from; `None` if a person still decides.
    pub(super) async fn payments(
        &mut self,
        options: &TourOptions,
        access: &GrantedAccess,
        accounts: &[Account],
    ) -> Result<Option<String>, TppError> {
        self.step("A payment: what we would like the customer to pay, signed");
        let own_token = self.own_token_for(PAYMENTS).await?;
        let way = PaymentAuthorisation { own_token: &own_token, options };
        let asked = asking(&self.tpp.fresh_key());
        let consent = self.payment_consent(&way, CONSENTS, &asked).await?;
        self.fact(&format!("{consent}: {AMOUNT} GBP to {}", text(payee(&asked), "Name")));
        let Some(leave) = self.obtain_payment_token(&way, &consent).await? else { return Ok(None) };
        self.check(!leave.lasts, "leave to pay once cannot be refreshed (AS-093)");
        self.funds(&leave).await?;
        let (order, refund) = self.pay(&leave, &asked).await?;
        if self.follow_payment(&way, &order).await? {
            self.find_entry(access, accounts, &refund, &asked).await?;
        }
        // A person has agreed often enough by now.
        if !options.browser {
            self.pay_on_date(&way).await?;
            self.pay_internationally(&way).await?;
            self.pay_file(&way).await?;
            self.pay_by_vrp(&way).await?;
        }
        Ok(Some(text(&refund, "Identification").to_owned()))
    }

    /// Goes on with a payment that a person has agreed to: orders it and follows it until the payee has the money.
    pub(super) async fn pay_agreed(&mut self, options: &TourOptions, leave: &GrantedAccess) -> Result<(), TppError> {
        self.step("The payment that you agreed to");
        let own_token = self.own_token_for(PAYMENTS).await?;
        let exchange = self.tpp.get(&own_token, &format!("{CONSENTS}/{}", leave.consent)).await?;
        let consent = self.signed_resource(exchange, StatusCode::OK).await?;
        self.check(text(at(&consent, "/Data"), "Status") == "Authorised", "the consent is authorised (PIS-030)");
        self.check(!leave.lasts, "leave to pay once cannot be refreshed (AS-093)");
        let asked = json!({"Data": {"Initiation": at(&consent, "/Data/Initiation")}, "Risk": at(&consent, "/Risk")});
        self.fact(&format!("{}: {AMOUNT} GBP to {}", leave.consent, text(payee(&asked), "Name")));
        self.funds(leave).await?;
        let (order, _) = self.pay(leave, &asked).await?;
        self.follow_payment(&PaymentAuthorisation { own_token: &own_token, options }, &order).await.map(drop)
    }

    /// A consent to pay, awaiting authorisation.
    pub(super) async fn payment_consent(
        &mut self,
        way: &PaymentAuthorisation<'_>,
        path: &str,
        asked: &Value,
    ) -> Result<String, TppError> {
        let exchange = self.tpp.payment_post(way.own_token, path, &self.tpp.fresh_key(), asked).await?;
        let answer = self.signed_resource(exchange, StatusCode::CREATED).await?;
        let data = at(&answer, "/Data");
        self.check(text(data, "Status") == "AwaitingAuthorisation", "it awaits authorisation (PIS-030)");
        self.check(
            at(data, "/Initiation") == at(asked, "/Data/Initiation"),
            "the payment comes back as sent (PIS-042)",
        );
        let consent = text(data, "ConsentId").to_owned();
        self.check(text(at(&answer, "/Links"), "Self").ends_with(&consent), "Links.Self names it (PIS-156)");
        Ok(consent)
    }

    /// The customer's leave: the robot's at once, a person's from the browser; `None` if nobody sits at the terminal.
    pub(super) async fn obtain_payment_token(
        &mut self,
        way: &PaymentAuthorisation<'_>,
        consent: &str,
    ) -> Result<Option<GrantedAccess>, TppError> {
        if !way.options.browser {
            return self.access_at_once(consent, PAYMENTS).await.map(Some);
        }
        self.person_agrees(consent, PAYMENTS).await
    }

    async fn funds(&mut self, leave: &GrantedAccess) -> Result<(), TppError> {
        self.step("Is there money for it?");
        let path = format!("{CONSENTS}/{}/funds-confirmation", leave.consent);
        let exchange = self.tpp.get(&leave.token, &path).await?;
        let answer = self.signed_resource(exchange, StatusCode::OK).await?;
        let available = at(&answer, "/Data/FundsAvailableResult/FundsAvailable").as_bool();
        self.check(available.is_some(), "yes or no, and no balance (PIS-083)");
        self.fact(if available == Some(true) { "yes" } else { "no" });
        Ok(())
    }

    /// Orders the payment, again under the same key, and another one under it. Gives its id and the account it is paid from.
    async fn pay(&mut self, leave: &GrantedAccess, asked: &Value) -> Result<(String, Value), TppError> {
        self.step("The order, and the same once more: one key, one payment");
        let key = self.tpp.fresh_key();
        let body = order_of(&leave.consent, asked);
        let exchange = self.tpp.payment_post(&leave.token, ORDERS, &key, &body).await?;
        let made = self.signed_resource(exchange, StatusCode::CREATED).await?;
        let order = text(at(&made, "/Data"), "DomesticPaymentId").to_owned();
        self.check((1..=40).contains(&order.len()), "the order has an id (PIS-042)");
        self.check(text(at(&made, "/Data"), "Status") == "Pending", "it begins as Pending (PIS-044)");
        let refund = at(&made, "/Data/Refund/Account").clone();
        self.check(has(&refund, "Identification"), "it says where a refund would go (PIS-097)");

        let exchange = self.tpp.payment_post(&leave.token, ORDERS, &key, &body).await?;
        let again = self.signed_resource(exchange, StatusCode::CREATED).await?;
        let same = text(at(&again, "/Data"), "DomesticPaymentId") == order;
        self.check(same, "the same request is answered with the same order (PIS-061)");
        let exchange = self.tpp.payment_post(&leave.token, ORDERS, &key, &with_another_amount(body)).await?;
        let refused = self.tpp.verified(exchange).await?;
        self.answer(refused, StatusCode::BAD_REQUEST)?;
        self.fact(&format!("{order}: sent three times, the last time with another amount; ordered once"));
        Ok((order, refund))
    }

    /// Follows the payment until the payee has the money; false if that does not come.
    async fn follow_payment(&mut self, way: &PaymentAuthorisation<'_>, order: &str) -> Result<bool, TppError> {
        self.step("The payment on its way: every status it takes is an event");
        let Some(told) = self.followed(way, ORDERS, order, CREDITED).await? else { return Ok(false) };
        let what = format!("under way, debited and credited are one event each, not {told} in all (SET-036)");
        self.check(told == 3, &what);
        let exchange = self.tpp.get(way.own_token, &format!("{ORDERS}/{order}/payment-details")).await?;
        let details = array(&self.signed_resource(exchange, StatusCode::OK).await?, "/Data/PaymentStatus");
        let newest = details.last().map_or("", |it| text(it, "Status"));
        self.check(details.len() == 1 && newest == CREDITED, "its details agree (PIS-094)");
        Ok(true)
    }

    /// Follows an order by held polls until it stands there. Gives how many events told of it; none if it does not come.
    pub(super) async fn followed(
        &mut self,
        way: &PaymentAuthorisation<'_>,
        path: &str,
        order: &str,
        wanted: &str,
    ) -> Result<Option<usize>, TppError> {
        let began = Instant::now();
        let (mut received, mut told, mut status) = (Vec::new(), 0_usize, String::new());
        let mut look = tokio::time::interval(LOOK_EVERY);
        while status != wanted {
            if began.elapsed() > FOLLOWED_MAX || status == "Rejected" {
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

    /// Takes what waits without waiting for more. Gives how many events told of the order.
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

    /// How many of these events tell of the order.
    fn poll_events_of(&mut self, order: &str, events: &[PolledEvent]) -> usize {
        let ours = events.iter().filter(|event| event.about.ends_with(order));
        let kinds = ours.clone().all(|event| event.kind == "resource-update");
        self.check(kinds, "an order that moved is told as what it is (PIS-047)");
        ours.count()
    }

    /// How an order stands.
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

    /// Finds the payment on the account, with the leave to read that the customer gave before.
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
            self.fact("it was paid from an account that the customer does not let us read");
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
        let debited = text(entry, "CreditDebitIndicator") == "Debit" && text(entry, "Status") == "Booked";
        self.check(debited && text(at(entry, "/Amount"), "Amount") == AMOUNT, "it was debited, once (PIS-041)");
        self.fact(&format!("{}: {AMOUNT} GBP, {}", account.name, text(entry, "TransactionInformation")));
        Ok(())
    }

    /// The body of a successful payment answer, which the bank has signed.
    pub(super) async fn signed_resource(
        &mut self,
        exchange: HttpExchange,
        status: StatusCode,
    ) -> Result<Value, TppError> {
        let exchange = self.tpp.verified(exchange).await?;
        self.resource(exchange, status)
    }
}

/// What asks for the consent. Its end-to-end identification is the payment's own.
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

/// The payee.
fn payee(asked: &Value) -> &Value {
    at(asked, "/Data/Initiation/CreditorAccount")
}

/// What orders the payment of a consent.
pub(super) fn order_of(consent: &str, asked: &Value) -> Value {
    json!({"Data": {"ConsentId": consent, "Initiation": at(asked, "/Data/Initiation")}, "Risk": at(asked, "/Risk")})
}

fn with_another_amount(mut body: Value) -> Value {
    if let Some(amount) = body.pointer_mut("/Data/Initiation/InstructedAmount/Amount") {
        *amount = json!("9.75");
    }
    body
}
