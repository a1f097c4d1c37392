//! What must be true of the database after every step, looked at from outside.

mod orders;

use crate::deeds::is_final;
use crate::gate::at_once;
use crate::model::{Broken, Model, holds};
use crate::wishes::CLIENTS;
use crate::world::{ACCOUNTS, World};
use lombard_domain::consent::{Consent, State};
use lombard_domain::ids::{BankAccountId, ClientId, ConsentId, EventId, OrderId};
use lombard_domain::ledger::Sums;
use lombard_domain::money::Currency;
use lombard_domain::order::{ApprovalStatus, Execution, Order, PaymentStatus, Stage};
use lombard_domain::page::Window;
use lombard_ports::bank::{EntryFilter, News};
use lombard_ports::store::{OfferedForm, StoreError, Transaction};
use orders::{add, has_come_to_rest, is_as_instructed, payments, visible};
use std::collections::{BTreeMap, HashMap};

/// Most of anything that is read at once; an episode makes far less.
const MOST: u32 = 10_000;

/// What is known of an order from looking.
#[derive(Debug)]
struct Seen {
    order: Order,
    /// Its payments as the bank has them: what was heard of them, and what was told and not heard yet.
    payments: BTreeMap<u32, (PaymentStatus, u64)>,
    /// Whether nothing can happen to it any more.
    over: bool,
}

/// What was found by looking so far.
#[derive(Debug, Default)]
pub(crate) struct Audit {
    consents: HashMap<ConsentId, Consent>,
    seen: BTreeMap<OrderId, Seen>,
    /// How often a TPP was told of each resource.
    told: HashMap<String, usize>,
    /// How many news there were of each order.
    news: HashMap<OrderId, u32>,
}

/// What a look reads.
#[derive(Debug)]
struct Look {
    totals: Vec<(Currency, Sums)>,
    sums: Vec<Sums>,
    news: Vec<News>,
    consents: Vec<(Consent, Option<OrderId>)>,
    orders: Vec<(Order, Vec<Execution>)>,
    told: Vec<(EventId, ClientId, String)>,
}

impl Audit {
    /// Looks, and says what is wrong.
    ///
    /// # Errors
    /// The promise that is broken.
    pub(crate) fn look(&mut self, world: &World, model: &Model) -> Result<(), Broken> {
        let open: Vec<_> = model.consents.iter().filter(|id| self.is_open(id)).cloned().collect();
        let moving: Vec<_> = self.seen.iter().filter(|(_, seen)| !seen.over).map(|(id, _)| id.clone()).collect();
        let look = at_once(world.store.read(move |tx| look(tx, &open, &moving)))?;
        for (currency, sums) in &look.totals {
            holds(*sums == Sums::default(), || format!("postings in {currency} sum to {sums:?}"))?;
        }
        self.count(world, &look.told)?;
        self.is_of_the_past(world, &look.news)?;
        for (consent, order) in look.consents {
            self.consent(consent, order)?;
        }
        for (order, executions) in look.orders {
            self.order(order, &executions, &look.news)?;
        }
        for id in &model.orders {
            holds(self.seen.contains_key(id), || format!("order {id} was answered and is not there"))?;
        }
        self.money(&look.sums)
    }

    /// What became of the orders that were seen, and of their payments.
    pub(crate) fn ends(&self) -> BTreeMap<String, usize> {
        let mut ends = BTreeMap::new();
        let mut count = |end: String| {
            let sum: &mut usize = ends.entry(end).or_default();
            *sum = sum.saturating_add(1);
        };
        for seen in self.seen.values() {
            let (product, stage) = (seen.order.product.name(), seen.order.stage());
            let why = seen.order.reason.map(|reason| format!(" ({reason:?})")).unwrap_or_default();
            count(match stage {
                Stage::Payment(status) => format!("{product}: {status:?}{why}"),
                Stage::SetUp | Stage::SetUpFailed => format!("{product}: {stage:?}{why}"),
            });
            if let Some(approvals) = &seen.order.approvals {
                count(format!("of several customers: {:?}", approvals.status));
            }
            if seen.order.product.is_recurring() {
                seen.payments.values().for_each(|(status, _)| count(format!("payment of {product}: {status:?}")));
            }
        }
        ends
    }

    /// How a consent stood when it was last looked at.
    pub(crate) fn stands(&self, id: &ConsentId) -> Option<State> {
        self.consents.get(id).map(|consent| consent.state)
    }

    fn is_open(&self, id: &ConsentId) -> bool {
        self.consents.get(id).is_none_or(|consent| !is_final(consent.state))
    }

    /// Counts what TPPs were told, and takes it off their queues.
    fn count(&mut self, world: &World, told: &[(EventId, ClientId, String)]) -> Result<(), Broken> {
        if told.is_empty() {
            return Ok(());
        }
        for (_, _, about) in told {
            let count = self.told.entry(about.clone()).or_default();
            *count = count.saturating_add(1);
        }
        let (told, now) = (told.to_vec(), world.clocks.wall());
        Ok(at_once(world.store.write(move |tx| {
            for (id, client, _) in &told {
                tx.events_acknowledge(client, std::slice::from_ref(id), now)?;
            }
            Ok::<_, StoreError>(())
        }))?)
    }

    /// What is new was done by the time the bank's clock shows, whatever its node took that to be.
    fn is_of_the_past(&mut self, world: &World, news: &[News]) -> Result<(), Broken> {
        let now = world.clocks.bank();
        for one in news {
            let known = self.news.entry(one.order.clone()).or_default();
            holds(one.number <= *known || one.at <= now, || format!("it is {now}, and there is {one:?}"))?;
            *known = one.number.max(*known);
        }
        Ok(())
    }

    fn told(&self, about: &str) -> usize {
        self.told.get(about).copied().unwrap_or(0)
    }

    /// A consent makes one order if it is consumed and none otherwise, and each decision on it is one event.
    fn consent(&mut self, consent: Consent, order: Option<OrderId>) -> Result<(), Broken> {
        let (id, state) = (consent.id.clone(), consent.state);
        holds((state == State::Consumed) == order.is_some(), || format!("consent {id} is {state:?} with {order:?}"))?;
        let decided = usize::from(state != State::AwaitingAuthorisation);
        let told = self.told(id.as_str());
        holds(told == decided, || format!("consent {id} is {state:?} and was told {told} times"))?;
        if let Some(before) = self.consents.get(&id) {
            let (was, terms) = (before.state, before.terms.payment().map(|it| &it.terms));
            let same = terms == consent.terms.payment().map(|it| &it.terms);
            holds(!is_final(was) && same, || format!("consent {id} was {was:?} and is {state:?}"))?;
        }
        self.consents.insert(id, consent);
        Ok(())
    }

    /// An order goes only on, its course and its payments say the same, and each visible step of it is one event.
    fn order(&mut self, order: Order, executions: &[Execution], news: &[News]) -> Result<(), Broken> {
        let id = order.id.clone();
        let of_it: Vec<_> = news.iter().filter(|one| one.order == id).collect();
        let payments = payments(executions, &of_it);
        is_as_instructed(&order, executions, &of_it)?;
        let consent = self.consents.get(&order.consent);
        let of_consent = consent.is_some_and(|it| {
            it.state == State::Consumed
                && it.debtor().is_some_and(|debtor| debtor.account == order.debtor)
                && it.terms.payment().is_some_and(|payment| payment.terms.instruction == order.instruction)
        });
        holds(of_consent, || format!("order {id} is not its consent's"))?;
        if let Some(before) = self.seen.get(&id) {
            let was: Vec<_> = before.order.course.steps().collect();
            let is = order.course.steps().take(was.len()).collect::<Vec<_>>();
            holds(was == is, || format!("order {id} went back from {was:?} to {is:?}"))?;
        }
        let told = self.told(id.as_str());
        let visible = visible(&order);
        holds(told == visible, || format!("order {id} moved visibly {visible} times and was told {told} times"))?;
        if let (Stage::Payment(status), Some(first)) = (order.stage(), executions.first())
            && !order.product.is_recurring()
        {
            holds(status == first.status, || format!("order {id} is {status:?}, its payment {:?}", first.status))?;
        }
        let over = order.is_final() && of_it.is_empty();
        self.seen.insert(id, Seen { order, payments, over });
        Ok(())
    }

    /// Every account holds what its payments say: reserved, debited and credited, to the penny.
    fn money(&self, sums: &[Sums]) -> Result<(), Broken> {
        for (account, sums) in ACCOUNTS.iter().zip(sums) {
            let mut due = Sums { booked: account.opening, pending: 0 };
            for seen in self.seen.values() {
                for (status, minor) in seen.payments.values() {
                    add(&mut due, account, &seen.order, *status, *minor);
                }
            }
            holds(*sums == due, || format!("{} holds {sums:?} instead of {due:?}", account.id))?;
        }
        Ok(())
    }

    /// What must be true once everything has come to rest: nothing was forgotten, and balances are sums of entries.
    ///
    /// # Errors
    /// The promise that is broken.
    pub(crate) fn rest(&mut self, world: &World, model: &Model) -> Result<(), Broken> {
        self.look(world, model)?;
        for (id, seen) in &self.seen {
            let id = id.clone();
            let asked = id.clone();
            let at_bank = at_once(world.store.read(move |tx| tx.bank_order_for_update(&asked)))?;
            let agreed = seen.order.approvals.as_ref().is_none_or(|it| it.status == ApprovalStatus::Authorised);
            holds(agreed == at_bank.is_some(), || {
                format!("order {id} is agreed to: {agreed}; at the bank: {at_bank:?}")
            })?;
            holds(!agreed || has_come_to_rest(&seen.order), || {
                format!("order {id} rests at {:?}; the bank says {at_bank:?}", seen.order.stage())
            })?;
            let asked = id.clone();
            let stored = at_once(world.store.read(move |tx| tx.order_for_update(&asked)))?;
            holds(stored.as_ref() == Some(&seen.order), || format!("order {id} changed after its end"))?;
        }
        for account in &ACCOUNTS {
            let filter = EntryFilter::of(vec![BankAccountId::from(account.id)]);
            let window = Window::first(usize::try_from(MOST).unwrap_or(usize::MAX));
            let entries = at_once(world.store.read(move |tx| tx.entries(&filter, &window)))?.items;
            let of =
                |wanted| entries.iter().filter(move |it| it.status == wanted).map(|it| it.sum.minor()).sum::<i64>();
            let shown = Sums {
                booked: of(lombard_domain::account::EntryStatus::Booked),
                pending: of(lombard_domain::account::EntryStatus::Pending),
            };
            let kept = at_once(world.store.read(|tx| tx.ledger_sums(&[BankAccountId::from(account.id)])))?;
            holds(kept == [shown], || format!("{}: entries say {shown:?}, the ledger {kept:?}", account.id))?;
        }
        Ok(())
    }
}

fn look(tx: &mut dyn Transaction, open: &[ConsentId], moving: &[OrderId]) -> Result<Look, StoreError> {
    let accounts: Vec<_> = ACCOUNTS.iter().map(|account| BankAccountId::from(account.id)).collect();
    let mut look = Look {
        totals: tx.ledger_totals()?,
        sums: tx.ledger_sums(&accounts)?,
        news: tx.bank_news(MOST)?,
        consents: Vec::new(),
        orders: Vec::new(),
        told: Vec::new(),
    };
    let mut orders = moving.to_vec();
    for id in open {
        let Some(consent) = tx.consent_any_owner(id)? else {
            return Err(StoreError::Unavailable(format!("consent {id} was answered and is not there").into()));
        };
        let order = tx.order_of_consent(id)?;
        orders.extend(order.clone());
        look.consents.push((consent, order));
    }
    for id in orders {
        let Some(order) = tx.order_for_update(&id)? else {
            return Err(StoreError::Unavailable(format!("order {id} is not there any more").into()));
        };
        let executions = tx.executions(&id, 0, MOST)?;
        look.orders.push((order, executions));
    }
    for client in CLIENTS.map(ClientId::from) {
        for event in tx.events_waiting(&client, None, &[], MOST)? {
            let OfferedForm::Unsigned(told) = event.form else { continue };
            look.told.push((event.id, client.clone(), told.claims.resource_id));
        }
    }
    Ok(look)
}
