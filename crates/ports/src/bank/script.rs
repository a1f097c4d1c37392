//! What becomes of payments at the quiet bank: whatever a test says. What it was told, the test can look at.

use super::{BankError, News, OrderUpdate, Payer, PaymentBank, PaymentOrder, StubBank};
use crate::store::FailedWork;
use async_trait::async_trait;
use jiff::{SignedDuration, Timestamp};
use lombard_domain::account::{Account, Identification};
use lombard_domain::exchange::{AgreedRate, Basis, ExchangeRateRequest, Pair, Quote, Rate};
use lombard_domain::ids::{BankAccountId, OrderId, PsuId};
use lombard_domain::money::{Currency, Signed};
use lombard_domain::order::{Conditions, PaymentConsentRequest};
use std::collections::{HashMap, HashSet};

/// A call of the payment port.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PaymentCall {
    /// [`PaymentBank::conditions`].
    Conditions,
    /// [`PaymentBank::payers`], [`PaymentBank::payer`] and [`PaymentBank::payer_by_number`].
    Payers,
    /// [`PaymentBank::order`].
    Order,
    /// [`PaymentBank::news`].
    News,
    /// [`PaymentBank::acknowledge_updates`].
    NewsHeard,
}

/// How long it holds a rate.
const RATE_HELD: SignedDuration = SignedDuration::from_mins(30);

/// The scripted results of payments. Without a script nothing happens.
#[derive(Debug, Default)]
pub struct PaymentScript {
    /// What the bank says to every payment.
    pub conditions: Conditions,
    /// Whom it agreed to rates with; with everybody, unless that is said.
    pub parties: Option<HashSet<PsuId>>,
    /// Its prices. It agreed to every rate that is its price.
    pub prices: HashMap<Pair, Rate>,
    /// When it quotes (bank clock).
    pub now: Timestamp,
    /// What may leave an account and who must agree to it, all of them: of the accounts that are not like all others.
    pub means: HashMap<BankAccountId, (Signed, Vec<PsuId>)>,
    /// The calls it does not answer, and does nothing at.
    pub down: HashSet<PaymentCall>,
    /// The calls that never end, and do nothing.
    pub silent: HashSet<PaymentCall>,
    /// How many calls have not ended.
    pub unanswered: u32,
    /// The calls whose answer is lost after they were carried out.
    pub lost: HashSet<PaymentCall>,
    /// The orders it has, in the order they came.
    pub orders: Vec<PaymentOrder>,
    /// The news nobody has marked as heard.
    pub news: Vec<News>,
    told: HashMap<OrderId, u32>,
}

impl PaymentScript {
    /// Adds the next status update of an order.
    pub fn tell(&mut self, order: &OrderId, at: Timestamp, what: OrderUpdate) {
        let number = self.told.entry(order.clone()).or_default();
        *number = number.saturating_add(1);
        self.news.push(News { order: order.clone(), number: *number, at, what });
    }

    fn begin(&self, call: PaymentCall) -> Result<(), BankError> {
        if self.down.contains(&call) { Err(unavailable()) } else { Ok(()) }
    }

    fn end(&self, call: PaymentCall) -> Result<(), BankError> {
        if self.lost.contains(&call) { Err(unavailable()) } else { Ok(()) }
    }

    fn payer(&self, holder: &PsuId, account: &Account) -> Payer {
        let usual = || (Signed::from_minor(100, account.currency), vec![holder.clone()]);
        let (available, signatories) = self.means.get(&account.id).cloned().unwrap_or_else(usual);
        Payer {
            account: account.clone(),
            holder: holder.as_str().to_owned(),
            available,
            authorisers: u16::try_from(signatories.len()).unwrap_or(u16::MAX),
            signatories,
        }
    }
}

fn unavailable() -> BankError {
    BankError::Unavailable("the script says so".into())
}

impl StubBank {
    fn payers_that(&self, fit: impl Fn(&Payer) -> bool) -> Result<Vec<Payer>, BankError> {
        let script = self.script();
        script.begin(PaymentCall::Payers)?;
        let all = self.held(|_, _| true).into_iter().map(|(holder, account)| script.payer(&holder, &account));
        Ok(all.filter(fit).collect())
    }
}

impl StubBank {
    /// Never returns if the script says so of this call.
    async fn answer_at_all(&self, call: PaymentCall) {
        let is_silent = self.script().silent.contains(&call);
        if is_silent {
            self.script().unanswered += 1;
            std::future::pending::<()>().await;
        }
    }
}

#[async_trait]
impl PaymentBank for StubBank {
    async fn conditions(&self, _: &PaymentConsentRequest) -> Result<Conditions, BankError> {
        let script = self.script();
        script.begin(PaymentCall::Conditions)?;
        Ok(script.conditions.clone())
    }

    async fn payers(&self, psu: &PsuId) -> Result<Vec<Payer>, BankError> {
        self.payers_that(|payer| payer.signatories.contains(psu))
    }

    async fn payer(&self, account: &BankAccountId) -> Result<Option<Payer>, BankError> {
        Ok(self.payers_that(|payer| payer.account.id == *account)?.pop())
    }

    async fn payer_by_number(&self, number: &Identification) -> Result<Option<Payer>, BankError> {
        let known = |payer: &Payer| payer.account.identifications.iter().any(|it| it.is_same_account(number));
        Ok(self.payers_that(known)?.pop())
    }

    async fn quote(&self, wish: &ExchangeRateRequest, transfer: Currency) -> Result<Option<Quote>, BankError> {
        let script = self.script();
        script.begin(PaymentCall::Conditions)?;
        let price = script.prices.get(&wish.pair(transfer)).copied();
        let price = if let Basis::Agreed(deal) = &wish.basis { price.filter(|it| *it == deal.rate) } else { price };
        Ok(price.map(|price| wish.quote(transfer, price, RATE_HELD, script.now)))
    }

    async fn has_agreed_rate(&self, psu: &PsuId, _: &AgreedRate) -> Result<bool, BankError> {
        let script = self.script();
        script.begin(PaymentCall::Conditions)?;
        Ok(script.parties.as_ref().is_none_or(|parties| parties.contains(psu)))
    }

    async fn price(&self, pair: Pair) -> Result<Option<Rate>, BankError> {
        let script = self.script();
        script.begin(PaymentCall::Conditions)?;
        Ok(script.prices.get(&pair).copied())
    }

    async fn order(&self, orders: &[PaymentOrder]) -> Result<(), BankError> {
        self.answer_at_all(PaymentCall::Order).await;
        let mut script = self.script();
        script.begin(PaymentCall::Order)?;
        for order in orders {
            if script.orders.iter().all(|known| known.id != order.id) {
                script.orders.push(order.clone());
            }
        }
        script.end(PaymentCall::Order)
    }

    async fn news(&self, limit: u32) -> Result<Vec<News>, BankError> {
        self.answer_at_all(PaymentCall::News).await;
        let script = self.script();
        script.begin(PaymentCall::News)?;
        Ok(script.news.iter().take(usize::try_from(limit).unwrap_or(usize::MAX)).cloned().collect())
    }

    async fn quarantine_updates(&self, work: Vec<FailedWork>) -> Result<usize, BankError> {
        Ok(work.len())
    }

    async fn acknowledge_updates(&self, heard: &[(OrderId, u32)]) -> Result<(), BankError> {
        let mut script = self.script();
        script.begin(PaymentCall::NewsHeard)?;
        script.news.retain(|one| !heard.iter().any(|(order, number)| one.order == *order && one.number <= *number));
        script.end(PaymentCall::NewsHeard)
    }
}
