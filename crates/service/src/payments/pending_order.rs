//! A payment order request that is ready to be checked under its consent and stored.
//!
//! If the database has direct writes, an order that consumes its consent is placed by one statement; it is checked under the
//! consent as the access check read it. All other orders, and orders for which that statement finds changed rows, are placed by a
//! transaction, which locks the consent, claims the key and checks the order. Both ways use the same check functions.

use super::consents::check_product;
use super::order_call::consent_of;
use super::order_id::{VrpPaymentKey, derive_order_id};
use super::order_view::{PAYLOAD_VERSION, at_consent_id, order_view};
use super::submission_job::build_submission_job;
use super::{IdempotentRequest, vrp};
use crate::consents::{require_owned, store_consent};
use crate::context::PaymentSettings;
use crate::{Context, Failure};
use jiff::Timestamp;
use lombard_domain::consent::{Consent, ConsentState};
use lombard_domain::ids::OrderId;
use lombard_domain::payment::PaymentProduct;
use lombard_domain::payment::order::{Order, OrderView};
use lombard_domain::payment::transfer::PaymentConditions;
use lombard_domain::payment::vrp::VrpPayment;
use lombard_domain::refusal::{Fault, FaultCode, FaultLocation, Refusal, RefusalKind};
use lombard_domain::submitted::Submitted;
use lombard_domain::version::Version;
use lombard_ports::bank::ConsentChangeKind;
use lombard_ports::store::{DirectWriteOutcome, OrderPlacement, ServerTransaction, StoreError};
use std::collections::HashSet;
use std::net::IpAddr;
use std::sync::Arc;

/// The number of ids that are looked up at a time for a key that was used before.
const IDS_TRIED: u32 = 64;

/// Whether storage refused an order because an order with its id exists.
fn is_order_there(failure: &Failure) -> bool {
    let Failure::Broken(cause) = failure else { return false };
    matches!(cause.downcast_ref(), Some(StoreError::Duplicate("orders")))
}

/// The request with all facts that were gathered before it is stored.
pub(super) struct PendingOrder {
    /// The consent of the access token, as the access check read it.
    pub(super) bound: Consent,
    pub(super) product: PaymentProduct,
    pub(super) endpoint_version: Version,
    pub(super) payload_version: Version,
    pub(super) submitted: Submitted,
    /// The payment, for an order under a VRP consent.
    pub(super) payment: Option<Box<VrpPayment>>,
    /// Whether the customer may still sign for the account without further authorisers.
    pub(super) is_signatory: Result<bool, Arc<Failure>>,
    /// The differences between the order and its consent.
    pub(super) differences: Vec<Fault>,
    /// The bank's presently expected times.
    pub(super) expected: Option<PaymentConditions>,
    pub(super) customer_address: Option<IpAddr>,
    pub(super) idempotent_request: IdempotentRequest,
    pub(super) context: Context,
}

/// How the id of a new order is chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum OrderIdChoice {
    /// The id for the first use of the idempotency key.
    FirstUse,
    /// The id for the first use of the key whose id is not taken by an order.
    NextUse,
}

impl PendingOrder {
    /// Places an order that consumes its consent by a direct write, if the database has them and no row has changed since it was
    /// read. `None` if a transaction must decide; nothing is stored then.
    ///
    /// # Errors
    /// Storage's failure.
    pub(super) async fn place_as_known(&self) -> Result<Option<OrderView>, Failure> {
        let Some(direct) = self.context.store.direct_writes().filter(|_| self.payment.is_none()) else {
            return Ok(None);
        };
        let (time, mut consumed) = (self.context.clocks.known_bank_time(), self.bound.clone());
        let id = self.order_id(&consumed, 0);
        let accepted = self.check_consent(&consumed).and_then(|()| self.consume(&mut consumed, id.clone(), time.now));
        // A refusal must come from the transaction, which first looks for an earlier request with the same key.
        let Ok(order) = accepted else { return Ok(None) };
        let is_reported = ConsentChangeKind::between(&self.bound, &consumed).is_some();
        if is_reported || !order.is_ready() {
            return Ok(None);
        }
        let placement = OrderPlacement {
            time,
            claim: self.idempotent_request.claim(&self.context.payments, time.now, id.as_str()),
            consent_epoch: self.bound.epoch,
            consumed: &consumed,
            order: &order,
            job: &build_submission_job(&self.context.clocks, &id),
        };
        Ok(match direct.order_place(placement).await? {
            DirectWriteOutcome::Stored => Some(order_view(&consumed, &order)?),
            DirectWriteOutcome::RowsChanged => None,
        })
    }

    /// Places the order in a transaction. A repeated request is answered with the order that the first one created.
    ///
    /// # Errors
    /// [`Failure::Refused`] when the key, the consent, the content or a limit does not allow the order; otherwise storage's failure.
    pub(super) async fn place_in_transaction(self) -> Result<OrderView, Failure> {
        let placement = Arc::new(self);
        let first = Arc::clone(&placement);
        let placed = placement.context.store.write(move |tx| first.place(tx, OrderIdChoice::FirstUse)).await;
        match placed {
            // The idempotency key was used for an earlier payment, and is free again.
            Err(failure) if placement.payment.is_some() && is_order_there(&failure) => {
                let next = Arc::clone(&placement);
                placement.context.store.write(move |tx| next.place(tx, OrderIdChoice::NextUse)).await
            }
            placed => placed,
        }
    }

    fn place(&self, tx: &mut dyn ServerTransaction, choice: OrderIdChoice) -> Result<OrderView, Failure> {
        let now = self.context.clocks.read_bank_time(tx)?;
        let found = tx.consent_for_update(&self.bound.client, &self.bound.id)?;
        let id = match choice {
            OrderIdChoice::FirstUse => self.order_id(&self.bound, 0),
            OrderIdChoice::NextUse => self.next_order_id(tx)?,
        };
        let (request, settings, resource) = (&self.idempotent_request, &self.context.payments, id.as_str());
        let earlier = match &self.payment {
            None => request.claim_key(tx, settings, now, resource)?,
            Some(_) => request.claim_vrp_key(tx, settings, now, resource, self.endpoint_version)?,
        };
        if let Some(earlier) = earlier {
            let order = require_owned(tx.order(&self.bound.client, &OrderId::new(earlier))?)?;
            return order_view(&consent_of(tx, &order)?, &order);
        }
        // The consent was found before the transaction, so it has been deleted since (VRP-082).
        let mut consent = require_owned(found).map_err(|_| Refusal::from_kind(RefusalKind::ConsentState))?;
        self.check_consent(&consent)?;
        let order = match &self.payment {
            None => {
                let before = consent.clone();
                let order = self.consume(&mut consent, id, now)?;
                store_consent(tx, &self.context, &before, &consent)?;
                order
            }
            Some(payment) => self.accept_vrp_order(tx, &consent, id, payment, now)?,
        };
        tx.order_insert(&order)?;
        if order.is_ready() {
            tx.job_enqueue(&build_submission_job(&self.context.clocks, &order.id))?;
        }
        order_view(&consent, &order)
    }

    /// Checks that the consent allows the request. Repeated requests are answered before this check, because the consent may have
    /// been migrated since and is then unknown to an older endpoint (V4-027). The order of the checks: the consent's state, the
    /// differences from the consent, then the times and limits.
    fn check_consent(&self, consent: &Consent) -> Result<(), Failure> {
        check_product(consent, self.product, self.endpoint_version).map_err(|refusal| at_consent_id(refusal.into()))?;
        vrp::require_permitted(consent, &self.context.payments.limits.vrp)?;
        if self.payload_version < consent.submitted.version {
            let message = "The consent has been migrated to a newer schema.";
            let at = FaultLocation::Header(PAYLOAD_VERSION);
            return Err(Refusal::invalid(vec![Fault::at(FaultCode::HeaderInvalid, at, message)]).into());
        }
        if consent.state == ConsentState::Authorised && !self.differences.is_empty() {
            return Err(Refusal::invalid(self.differences.clone()).into());
        }
        Ok(())
    }

    /// The id of the order. For a VRP consent it depends on how many payments used the idempotency key before.
    fn order_id(&self, consent: &Consent, uses_before: u32) -> OrderId {
        let payment = self.payment.as_ref();
        let payment = payment.map(|_| VrpPaymentKey { key: &self.idempotent_request.key.key, uses_before });
        derive_order_id(&self.context.alias_key, consent, payment)
    }

    /// The first id for the idempotency key under which there is no order. The locked consent keeps others from taking it.
    fn next_order_id(&self, tx: &mut dyn ServerTransaction) -> Result<OrderId, Failure> {
        let mut uses_before = 0_u32;
        loop {
            let next = uses_before.saturating_add(IDS_TRIED);
            let ids: Vec<_> = (uses_before..next).map(|uses| self.order_id(&self.bound, uses)).collect();
            let taken: HashSet<_> = tx.orders_existing(&ids)?.into_iter().collect();
            if let Some(free) = ids.into_iter().find(|id| !taken.contains(id)) {
                return Ok(free);
            }
            uses_before = next;
        }
    }

    /// Consumes the consent, and returns the order.
    fn consume(&self, consent: &mut Consent, id: OrderId, now: Timestamp) -> Result<Order, Failure> {
        let mut order = consent.consume(id, now)?;
        if let Some(expected) = &self.expected {
            order.set_expected_times(expected.execution_at, expected.settlement_at);
        }
        let interaction_id = self.context.outbox.interaction_id().cloned();
        Ok(Order { customer_address: self.customer_address, interaction_id, ..order })
    }

    /// Accepts a payment under a VRP consent that is locked.
    fn accept_vrp_order(
        &self,
        tx: &mut dyn ServerTransaction,
        consent: &Consent,
        id: OrderId,
        payment: &VrpPayment,
        now: Timestamp,
    ) -> Result<Order, Failure> {
        if consent.state == ConsentState::Authorised {
            check_vrp_payment(payment, self.product, &self.context.payments, now)?;
        }
        if !*self.is_signatory.as_ref().map_err(Failure::again)? {
            return Err(Refusal::from_kind(RefusalKind::ConsentState).into());
        }
        let order = vrp::accept_vrp_order(tx, consent, id, payment, now)?;
        let interaction_id = self.context.outbox.interaction_id().cloned();
        Ok(Order {
            version: self.endpoint_version,
            customer_address: self.customer_address,
            submitted: Some(self.submitted.clone()),
            interaction_id,
            ..order
        })
    }
}

/// Checks a VRP payment against the bank's payment limits, as a payment consent is checked. Source: PIS-021, VRP-053.
fn check_vrp_payment(
    payment: &VrpPayment,
    product: PaymentProduct,
    settings: &PaymentSettings,
    now: Timestamp,
) -> Result<(), Refusal> {
    let mut faults = payment.transfer.immediate_payment_faults(product, now, &settings.limits);
    faults.extend(payment.commercial_faults(&settings.limits.vrp));
    if faults.is_empty() {
        return Ok(());
    }
    Err(Refusal::invalid(faults.into_iter().map(Fault::for_vrp_payment).collect()))
}
