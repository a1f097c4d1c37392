//! Payment orders: created once by the TPP under a consent, and read by the same TPP afterwards.

use super::consents::{check_token_consent, current_conditions};
use super::order_call::consent_of;
pub use super::order_view::PAYLOAD_VERSION;
use super::order_view::{at_consent_id, order_view};
use super::pending_order::PendingOrder;
use super::{IdempotentRequest, ReadCaller, vrp};
use crate::consents::require_owned;
use crate::{Context, Failure};
use lombard_domain::consent::Consent;
use lombard_domain::ids::OrderId;
use lombard_domain::payment::order::{DetailsView, Order, OrderDraft, OrderView};
use lombard_domain::payment::transfer::PaymentConditions;
use lombard_domain::payment::{OrderFamily, PaymentProduct};
use lombard_domain::refusal::{Fault, Refusal, RefusalKind};
use lombard_domain::version::Version;
use lombard_ports::store::ServerTransaction;
use std::net::IpAddr;
use std::sync::Arc;

/// The largest number of payments in the details of one order: the lines of the largest file.
const DETAILS_MAX: u32 = 100_000;

/// A payment order request, already compared with the document submitted for the consent of the access token.
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

/// Creates a payment order under a consent. The order consumes a payment consent; a VRP consent allows further orders within its
/// limits. A repeated request returns the order that the first one created, in its present state. `bound` is the consent of the
/// access token. Idempotency key, consent or VRP usage, order and submission job are stored in one transaction. Source: PIS-006,
/// PIS-040 to PIS-046, PIS-050, PIS-055, PIS-061 to PIS-069, PIS-106, PIS-160, VRP-040, VRP-050 to VRP-061, CVRP-008.
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
            let context = context.with_call_facts(|call| call.set_risk(&submitted));
            vrp::may_still_sign(&context, bound).await.map_err(Arc::new)
        }
        None => Ok(true),
    };
    let expected = if payment.is_none() { expected_now(context, bound).await } else { None };
    let placement = PendingOrder {
        bound: bound.clone(),
        product,
        endpoint_version,
        payload_version,
        submitted,
        payment,
        is_signatory,
        differences,
        expected,
        customer_address,
        idempotent_request,
        context: context.clone(),
    };
    let placed = match placement.place_as_known().await? {
        Some(placed) => placed,
        None => placement.place_in_transaction().await?,
    };
    context.payments.submission_notify.notify_one();
    Ok(placed)
}

/// The execution and settlement times that the bank expects for an order placed now. If the bank does not answer, the times
/// stored with the consent are kept; the bank reports new times once it has accepted the order. Source: PIS-104.
async fn expected_now(context: &Context, bound: &Consent) -> Option<PaymentConditions> {
    let said = current_conditions(context, bound.request.payment()?).await;
    if let Err(error) = &said {
        tracing::debug!(error = error as &dyn std::error::Error, "the bank gave no execution time");
    }
    said.ok()
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
