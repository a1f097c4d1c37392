//! Checks the invariants of the database after every step.

mod consents;
mod files;
mod limits;
mod observed;
mod orders;
mod quarantine;

pub(crate) use observed::Audit;
pub(crate) use quarantine::is_all_in_quarantine;

use crate::fault_injection::block_on;
use crate::intents::CLIENTS;
use crate::model::ExpectedState;
use crate::promise::{InvariantViolation, ensure};
use crate::world::{ACCOUNTS, World};
use lombard_corebank::storage::BankTransaction;
use lombard_domain::consent::Consent;
use lombard_domain::ids::{BankAccountId, ClientId, ConsentId, EventId, OrderId};
use lombard_domain::ledger::LedgerSums;
use lombard_domain::money::Currency;
use lombard_domain::page::ListWindow;
use lombard_domain::payment::order::{ApprovalStatus, DetailedStatus, Order, PaymentExecution, PaymentStatus};
use lombard_ports::bank::{EntryFilter, StatusUpdate};
use lombard_ports::bank::{OrderUpdate, PaymentUpdate};
use lombard_ports::store::{OfferedEventForm, ReusableSignatures, ServerTransaction, StoreError};
use observed::{MOST, ObservedOrder};
use orders::{add, has_come_to_rest, is_as_instructed, payments, visible};
use std::collections::{BTreeMap, BTreeSet};

/// The state that one audit reads.
#[derive(Debug)]
struct ObservedState {
    totals: Vec<(Currency, LedgerSums)>,
    sums: Vec<LedgerSums>,
    updates: Vec<StatusUpdate>,
    consents: Vec<(Consent, Option<OrderId>)>,
    orders: Vec<(Order, Vec<PaymentExecution>)>,
    events: Vec<(EventId, ClientId, String)>,
}

impl Audit {
    /// Checks the invariants. `doubtful` are the requests that were sent and not answered yet.
    ///
    /// # Errors
    /// The violated invariant.
    pub(crate) fn check_step(
        &mut self,
        world: &World,
        model: &ExpectedState,
        doubtful: &[usize],
    ) -> Result<(), InvariantViolation> {
        let open: Vec<_> = model.consents.iter().filter(|id| self.is_open(id)).cloned().collect();
        let moving = self.seen.iter().filter(|(_, seen)| !seen.over).map(|(id, _)| id);
        let new = limits::placed(world, model, doubtful)?;
        let new = new.iter().chain(&model.orders).filter(|id| !self.seen.contains_key(id));
        let moving: BTreeSet<_> = moving.chain(new).cloned().collect();
        // Nothing happens between the two reads, so they are consistent even with two databases.
        let bank = block_on(world.bank.read(look_at_bank))?;
        let look = block_on(world.store.read(move |tx| look(tx, bank.clone(), &open, &moving)))?;
        for (currency, sums) in &look.totals {
            ensure(*sums == LedgerSums::default(), || format!("postings in {currency} sum to {sums:?}"))?;
        }
        self.count(world, &look.events)?;
        self.is_of_the_past(world, &look.updates)?;
        for (consent, order) in look.consents {
            self.consent(world, model, consent, order)?;
        }
        let mut under: BTreeSet<ConsentId> = BTreeSet::new();
        for (order, executions) in look.orders {
            under.extend(order.product.reuses_consents().then(|| order.consent.clone()));
            self.order(model, order, &executions, &look.updates)?;
        }
        self.are_within_limits(world, &under)?;
        for id in &model.orders {
            ensure(self.seen.contains_key(id), || format!("order {id} was answered and is not there"))?;
        }
        self.money(world, model, &look.sums)
    }

    /// The outcomes of the observed orders and of their payments.
    pub(crate) fn ends(&self) -> BTreeMap<String, usize> {
        let mut ends = BTreeMap::new();
        let mut count = |end: String| {
            let sum: &mut usize = ends.entry(end).or_default();
            *sum = sum.saturating_add(1);
        };
        for seen in self.seen.values() {
            let product = seen.order.product.name();
            let stage = seen.order.detailed_status();
            let why = seen.order.reason.map(|reason| format!(" ({reason:?})")).unwrap_or_default();
            count(match stage {
                DetailedStatus::Payment(status) => format!("{product}: {status:?}{why}"),
                DetailedStatus::SetUp | DetailedStatus::SetUpFailed => format!("{product}: {stage:?}{why}"),
            });
            if let Some(approvals) = &seen.order.approvals {
                count(format!("of several customers: {:?}", approvals.status));
            }
            if seen.order.product.is_recurring() || seen.order.product.requires_file() {
                seen.payments.values().for_each(|paid| count(format!("payment of {product}: {:?}", paid.status)));
            }
        }
        ends
    }

    /// Counts the events that TPPs received, and removes them from the queues.
    fn count(&mut self, world: &World, told: &[(EventId, ClientId, String)]) -> Result<(), InvariantViolation> {
        if told.is_empty() {
            return Ok(());
        }
        for (_, _, about) in told {
            let count = self.events.entry(about.clone()).or_default();
            *count = count.saturating_add(1);
        }
        let told = told.to_vec();
        let now = world.clocks.wall_now();
        Ok(block_on(world.store.write(move |tx| {
            for (id, client, _) in &told {
                tx.events_acknowledge(client, std::slice::from_ref(id), now)?;
            }
            Ok::<_, StoreError>(())
        }))?)
    }

    /// Checks that every new update has a time that the bank's clock has reached, even if its node's clock differed.
    fn is_of_the_past(&mut self, world: &World, updates: &[StatusUpdate]) -> Result<(), InvariantViolation> {
        let now = world.clocks.bank_now();
        for one in updates {
            let known = self.updates.entry(one.order.clone()).or_default();
            if one.number <= *known {
                continue;
            }
            ensure(one.at <= now, || format!("it is {now}, and there is {one:?}"))?;
            *known = one.number;
            self.note(one);
        }
        Ok(())
    }

    /// Records what a status update reports for the first time, and the time at which a payment was priced.
    fn note(&mut self, one: &StatusUpdate) {
        let made = match &one.change {
            OrderUpdate::Warehoused => Some(true),
            OrderUpdate::Refused(_) | OrderUpdate::Cancelled(_) => Some(false),
            OrderUpdate::TimesChanged { .. } => None,
            OrderUpdate::PaymentChanged(PaymentUpdate { number, status, .. }) => {
                if matches!(status, PaymentStatus::InProcess | PaymentStatus::Settled) {
                    self.priced_at.insert((one.order.clone(), *number), one.at);
                }
                Some(!matches!(status, PaymentStatus::Rejected | PaymentStatus::Cancelled))
            }
        };
        if let Some(made) = made {
            self.made.entry(one.order.clone()).or_insert(made);
        }
    }

    /// Checks that an order's status never goes back, that it agrees with the payments, and that each visible transition raised one event.
    fn order(
        &mut self,
        model: &ExpectedState,
        order: Order,
        executions: &[PaymentExecution],
        updates: &[StatusUpdate],
    ) -> Result<(), InvariantViolation> {
        let id = order.id.clone();
        let of_it: Vec<_> = updates.iter().filter(|one| one.order.order_and_line().0 == id).collect();
        let mut payments = payments(&order, executions, &of_it);
        for (number, paid) in &mut payments {
            let at_bank = if order.product.requires_file() { (id.for_line(*number), 1) } else { (id.clone(), *number) };
            paid.priced_at = self.priced_at.get(&at_bank).copied();
        }
        let consent = self.consents.get(&order.consent);
        let Some(consent) = consent else { return Err(InvariantViolation(format!("order {id} is of no consent"))) };
        consents::is_of(&order, consent)?;
        if order.product.requires_file() {
            self.is_of_its_file(model, consent, &order, executions)?;
        } else {
            is_as_instructed(&order, executions, &of_it)?;
        }
        match self.seen.get(&id) {
            Some(before) => {
                let was: Vec<_> = before.order.status_history.changes().collect();
                let is = order.status_history.changes().take(was.len()).collect::<Vec<_>>();
                ensure(was == is, || format!("order {id} went back from {was:?} to {is:?}"))?;
            }
            None => consents::was_asked_for(model, &order)?,
        }
        let told = self.event_count(id.as_str());
        let visible = visible(&order);
        ensure(told == visible, || format!("order {id} moved visibly {visible} times and was told {told} times"))?;
        if let (DetailedStatus::Payment(status), Some(first)) = (order.detailed_status(), executions.first())
            && !order.product.is_recurring()
            && !order.product.requires_file()
        {
            ensure(status == first.status, || format!("order {id} is {status:?}, its payment {:?}", first.status))?;
        }
        let done = payments.values().all(|paid| paid.status.is_final());
        let over = order.is_final() && of_it.is_empty() && (done || !order.product.requires_file());
        self.seen.insert(id, ObservedOrder { order, payments, over });
        Ok(())
    }

    /// Checks that the sums of every account equal its reserved, debited and credited payments at the applicable rates.
    fn money(&self, world: &World, model: &ExpectedState, sums: &[LedgerSums]) -> Result<(), InvariantViolation> {
        let mut due: Vec<_> =
            ACCOUNTS.iter().map(|account| LedgerSums { booked: account.opening, pending: 0 }).collect();
        for seen in self.seen.values() {
            for (number, paid) in &seen.payments {
                let transfer = self.transfer(model, &seen.order, *number, paid);
                let Some(transfer) = transfer else { continue };
                add(&mut due, &world.market, &seen.order, &transfer, paid)?;
            }
        }
        for ((account, sums), due) in ACCOUNTS.iter().zip(sums).zip(&due) {
            ensure(sums == due, || format!("{} holds {sums:?} instead of {due:?}", account.id))?;
        }
        Ok(())
    }

    /// Checks the invariants of the final state: no work is left, and balances are the sums of entries.
    ///
    /// # Errors
    /// The violated invariant.
    pub(crate) fn check_final_state(&mut self, world: &World, model: &ExpectedState) -> Result<(), InvariantViolation> {
        self.check_step(world, model, &[])?;
        self.nothing_is_abandoned(world)?;
        self.all_are_within_limits(world)?;
        for (id, seen) in &self.seen {
            let id = id.clone();
            let agreed = seen.order.approvals.as_ref().is_none_or(|it| it.status == ApprovalStatus::Authorised);
            let at_bank = if seen.order.product.requires_file() {
                self.lines_at_bank(world, seen, agreed)?
            } else {
                let asked = id.clone();
                let at_bank = block_on(world.bank.read(move |tx| tx.bank_order_for_update(&asked)))?;
                ensure(agreed == at_bank.is_some(), || {
                    format!("order {id} is agreed to: {agreed}; at the bank: {at_bank:?}")
                })?;
                format!("{at_bank:?}")
            };
            ensure(!agreed || has_come_to_rest(&seen.order, &seen.payments), || {
                format!("order {id} rests at {:?}; the bank says {at_bank}", seen.order.detailed_status())
            })?;
            let asked = id.clone();
            let stored = block_on(world.store.read(move |tx| tx.order_for_update(&asked)))?;
            ensure(stored.as_ref() == Some(&seen.order), || format!("order {id} changed after its end"))?;
        }
        for account in &ACCOUNTS {
            let filter = EntryFilter::for_accounts(vec![BankAccountId::from(account.id)]);
            let window = ListWindow::first_page(usize::try_from(MOST).unwrap_or(usize::MAX));
            let entries = block_on(world.bank.read(move |tx| tx.entries(&filter, &window)))?.items;
            let of =
                |wanted| entries.iter().filter(move |it| it.status == wanted).map(|it| it.sum.minor()).sum::<i64>();
            let shown = LedgerSums {
                booked: of(lombard_domain::account::EntryStatus::Booked),
                pending: of(lombard_domain::account::EntryStatus::Pending),
            };
            let kept = block_on(world.bank.read(|tx| tx.ledger_sums(&[BankAccountId::from(account.id)])))?;
            ensure(kept == [shown], || format!("{}: entries say {shown:?}, the ledger {kept:?}", account.id))?;
        }
        Ok(())
    }
}

/// The ledger's totals, the sums of the accounts, and the status updates.
type ObservedBank = (Vec<(Currency, LedgerSums)>, Vec<LedgerSums>, Vec<StatusUpdate>);

fn look_at_bank(bank: &mut dyn BankTransaction) -> Result<ObservedBank, StoreError> {
    let accounts: Vec<_> = ACCOUNTS.iter().map(|account| BankAccountId::from(account.id)).collect();
    Ok((bank.ledger_totals()?, bank.ledger_sums(&accounts)?, bank.bank_updates(MOST)?.rows))
}

fn look(
    tx: &mut dyn ServerTransaction,
    (totals, sums, updates): ObservedBank,
    open: &[ConsentId],
    moving: &BTreeSet<OrderId>,
) -> Result<ObservedState, StoreError> {
    let mut look =
        ObservedState { totals, sums, updates, consents: Vec::new(), orders: Vec::new(), events: Vec::new() };
    let mut orders = moving.clone();
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
        for event in tx.events_waiting(&client, None, &ReusableSignatures::default(), MOST)? {
            let OfferedEventForm::Unsigned(told) = event.form else { continue };
            look.events.push((event.id, client.clone(), told.claims.resource_id));
        }
    }
    Ok(look)
}
