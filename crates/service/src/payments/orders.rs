//! Payment orders: created once by the TPP under a consent, and read by the same TPP afterwards.

use super::consents::{check_token_consent, current_conditions, fits_product};
use super::order_call::consent_of;
use super::submission_job::build_submission_job;
use super::{IdempotentRequest, ReadCaller, vrp};
use crate::consents::{require_owned, store_consent};
use crate::context::PaymentSettings;
use crate::{Context, Failure};
use jiff::Timestamp;
use lombard_domain::consent::{Consent, ConsentState};
use lombard_domain::ids::{ClientId, OrderId};
use lombard_domain::payment::order::{DetailsView, Order, OrderDraft, OrderView};
use lombard_domain::payment::transfer::PaymentConditions;
use lombard_domain::payment::vrp::VrpPayment;
use lombard_domain::payment::{OrderFamily, PaymentProduct};
use lombard_domain::refusal::{Fault, FaultCode, FaultLocation, Field, Refusal, RefusalKind};
use lombard_domain::version::Version;
use lombard_ports::store::ServerTransaction;
use std::net::IpAddr;
use std::sync::Arc;

/// The largest number of payments in the details of one order: the lines of the largest file.
const DETAILS_MAX: u32 = 100_000;

/// The header that names the schema of a body. Source: V4-029.
pub const PAYLOAD_VERSION: &str = "payload-version";

/// A payment order request, already compared with what was submitted for the consent of the access token.
#[derive(Debug)]
pub struct OrderSubmission {
    /// Its product.
    pub product: PaymentProduct,
    /// The version of the endpoint that received it.
    pub endpoint_version: Version,
    /// The version whose schema the body followed: that of the endpoint, or an older one that the TPP named. Source: V4-027.
    pub payload_version: Version,
    /// The request, in the form of the endpoint's version.
    pub draft: OrderDraft,
    /// The customer's IP address, if the TPP sent it. Source: PIS-014.
    pub customer_address: Option<IpAddr>,
    /// One fault for each difference between the order and that consent. Source: PIS-050, VRP-052.
    pub differences: Vec<Fault>,
}

/// Creates a payment order under a consent. A payment consent is consumed by it; a VRP consent allows further orders within its
/// limits. A repeated request returns the order that the first one created, in its present state. `bound` is the consent of the
/// access token. Idempotency key, consent or VRP usage, order and submission job are stored in one transaction. Source:
/// PIS-006, PIS-040 to PIS-046, PIS-050, PIS-055,
/// PIS-061 to PIS-069, PIS-106, PIS-160, VRP-040, VRP-050 to VRP-061, CVRP-008.
///
/// # Errors
/// [`Failure::Refused`] when the consent id, the consent's state, the content, a limit or the cut-off does not allow the order;
/// nothing is stored then. Otherwise storage's
/// failure.
pub async fn create_order(
    context: &Context,
    bound: &Consent,
    ordered: OrderSubmission,
    idempotent_request: IdempotentRequest,
) -> Result<OrderView, Failure> {
    let OrderSubmission { product, endpoint_version, payload_version, draft, customer_address, mut differences } =
        ordered;
    check_token_consent(context, bound, product, &draft.consent, endpoint_version).await.map_err(at_consent_id)?;
    let OrderDraft { submitted, payment, .. } = draft;
    differences.extend(payment.as_ref().map(|payment| bound.payment_differences(payment)).unwrap_or_default());
    let is_signatory = match &payment {
        Some(_) => {
            let context = context.narrowed(|call| call.set_risk(&submitted));
            vrp::may_still_sign(&context, bound).await.map_err(Arc::new)
        }
        None => Ok(true),
    };
    let expected = if payment.is_none() { expected_now(context, bound).await } else { None };
    let order: OrderId = context.ids.ordered();
    let job = build_submission_job(context, &order);
    let bound = bound.clone();
    let (clocks, settings, inside) = (context.clocks.clone(), context.payments.clone(), context.clone());
    let interaction_id = context.outbox.interaction_id().cloned();
    let placed = context.store.write(move |tx| {
        let now = clocks.assume_bank_time(tx)?;
        let (request, resource) = (&idempotent_request, order.as_str());
        let (earlier, found) = match &payment {
            None => request.claim_key_updating(tx, &settings, now, resource, &bound)?,
            // What has been paid under the consent is read once it is locked.
            Some(_) => request.claim_vrp_key(tx, &settings, now, resource, (&bound, endpoint_version))?,
        };
        if let Some(earlier) = earlier {
            return view(tx, &bound.client, &OrderId::new(earlier));
        }
        // The consent was found before the transaction, so it has been deleted since (VRP-082).
        let mut consent = require_owned(found).map_err(|_| Refusal::from_kind(RefusalKind::ConsentState))?;
        // A repeated request was answered before: the consent may have been migrated since, and is unknown to an older
        // endpoint then (V4-027).
        fits_product(&consent, product, endpoint_version).map_err(|refusal| at_consent_id(refusal.into()))?;
        vrp::require_permitted(&consent, &settings.limits.vrp)?;
        if payload_version < consent.submitted.version {
            let message = "The consent has been migrated to a newer schema.";
            let at = FaultLocation::Header(PAYLOAD_VERSION);
            return Err(Refusal::invalid(vec![Fault::at(FaultCode::HeaderInvalid, at, message)]).into());
        }
        // The order of the checks: the consent's state, the differences from the consent, then the times and limits.
        if consent.state == ConsentState::Authorised && !differences.is_empty() {
            return Err(Refusal::invalid(differences.clone()).into());
        }
        let order = match &payment {
            None => {
                let before = consent.clone();
                let mut order = consent.consume(order.clone(), now)?;
                store_consent(tx, &inside, &before, &consent)?;
                if let Some(expected) = &expected {
                    order.set_expected_times(expected.execution_at, expected.settlement_at);
                }
                Order { customer_address, interaction_id: interaction_id.clone(), ..order }
            }
            Some(payment) => {
                if consent.state == ConsentState::Authorised {
                    check_vrp_payment(payment, product, &settings, now)?;
                }
                if !*is_signatory.as_ref().map_err(Failure::again)? {
                    return Err(Refusal::from_kind(RefusalKind::ConsentState).into());
                }
                let order = vrp::accept_vrp_order(tx, &consent, order.clone(), payment, now)?;
                let (submitted, interaction_id) = (Some(submitted.clone()), interaction_id.clone());
                Order { version: endpoint_version, customer_address, submitted, interaction_id, ..order }
            }
        };
        tx.order_insert(&order)?;
        if order.is_ready() {
            tx.job_enqueue(&job)?;
        }
        order_view(&consent, &order)
    });
    let placed = placed.await?;
    context.payments.submission_notify.notify_one();
    Ok(placed)
}

/// The execution and settlement times that the bank expects for an order placed now. If the bank does not answer, the times
/// stored with the consent are kept; the bank reports new times once it has accepted the order. Source: PIS-104.
async fn expected_now(context: &Context, bound: &Consent) -> Option<PaymentConditions> {
    let said = current_conditions(context, bound.terms.payment()?).await;
    if let Err(error) = &said {
        tracing::debug!(error = error as &dyn std::error::Error, "the bank gave no execution time");
    }
    said.ok()
}

/// Checks a VRP payment against the bank's payment limits, as a payment consent is checked. Source: PIS-021, VRP-053.
fn check_vrp_payment(
    payment: &VrpPayment,
    product: PaymentProduct,
    settings: &PaymentSettings,
    now: Timestamp,
) -> Result<(), Refusal> {
    let mut faults = payment.transfer.faults_alone(product, now, &settings.limits);
    faults.extend(payment.commercial_faults(&settings.limits.vrp));
    if faults.is_empty() {
        return Ok(());
    }
    Err(Refusal::invalid(faults.into_iter().map(Fault::for_vrp_payment).collect()))
}

/// An order names its consent in the body, so an unknown consent is a fault of the field `ConsentId`. Source: PIS-055.
fn at_consent_id(failure: Failure) -> Failure {
    match failure {
        Failure::Refused(refusal) if refusal.kind == RefusalKind::NotFound => {
            let message = "There is no consent with this id.";
            Refusal::invalid(vec![Fault::field(FaultCode::NotFound, Field::ConsentId, message)]).into()
        }
        other => other,
    }
}

/// Reads a payment order of a product for the TPP that created it, by the version it was created in or a newer one.
/// Source: PIS-004, PIS-007, PIS-008, PIS-161.
///
/// # Errors
/// [`Failure::Refused`]: not found, another TPP's, or not of the token's consent; otherwise storage's failure.
pub async fn read_order(
    context: &Context,
    reader: impl Into<ReadCaller>,
    product: PaymentProduct,
    id: &OrderId,
    endpoint_version: Version,
) -> Result<OrderView, Failure> {
    let (reader, id) = (reader.into(), id.clone());
    context
        .store
        .read(move |tx| {
            let order = find_readable_order(tx, &reader, product, &id, endpoint_version)?;
            order_view(&consent_of(tx, &order)?, &order)
        })
        .await
}

/// Reads the status of each payment of an order. Source: PIS-090 to PIS-095.
///
/// # Errors
/// As [`read_order`].
pub async fn read_order_details(
    context: &Context,
    reader: impl Into<ReadCaller>,
    product: PaymentProduct,
    id: &OrderId,
    endpoint_version: Version,
) -> Result<DetailsView, Failure> {
    let (reader, id) = (reader.into(), id.clone());
    context
        .store
        .read(move |tx| {
            let order = find_readable_order(tx, &reader, product, &id, endpoint_version)?;
            let payments = match product.family() {
                OrderFamily::Immediate | OrderFamily::Scheduled => {
                    let detail = tx.execution(&id, 1)?.and_then(|execution| execution.detail);
                    order.entry(detail).into_iter().collect()
                }
                OrderFamily::StandingOrder | OrderFamily::File => {
                    tx.executions(&id, 0, DETAILS_MAX)?.iter().map(|execution| execution.entry()).collect()
                }
            };
            Ok(DetailsView { payments })
        })
        .await
}

fn find_readable_order(
    tx: &mut dyn ServerTransaction,
    reader: &ReadCaller,
    product: PaymentProduct,
    id: &OrderId,
    endpoint_version: Version,
) -> Result<Order, Failure> {
    let fits = |order: &Order| order.product == product && order.version <= endpoint_version;
    let found = require_owned(tx.order(&reader.client, id)?);
    let found =
        found.and_then(|order| if fits(&order) { Ok(order) } else { Err(Refusal::from_kind(RefusalKind::NotFound)) });
    Ok(reader.may_read(found, |order| &order.consent)?)
}

fn view(tx: &mut dyn ServerTransaction, client: &ClientId, id: &OrderId) -> Result<OrderView, Failure> {
    let order = require_owned(tx.order(client, id)?)?;
    order_view(&consent_of(tx, &order)?, &order)
}

fn order_view(consent: &Consent, order: &Order) -> Result<OrderView, Failure> {
    consent.order_view(order).ok_or_else(|| Failure::Broken("an order whose consent is not to a payment".into()))
}
