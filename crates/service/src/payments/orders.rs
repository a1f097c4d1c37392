//! Orders: made by the TPP under a consent, once, and read by it afterwards.

use super::Once;
use super::consents::of_product;
use super::execution;
use crate::consents::mine;
use crate::{Context, Failure};
use lombard_domain::consent::{Consent, Submitted};
use lombard_domain::ids::{ClientId, ConsentId, OrderId};
use lombard_domain::order::{DetailsView, Family, OrderDraft, OrderView, Product};
use lombard_domain::refusal::{Fault, FaultCode, Field, Refusal, RefusalKind};
use lombard_domain::version::Version;
use lombard_ports::store::{Owned, Transaction};

/// Most payments that the details of one order list: every line of the largest file.
const DETAILS_MAX: u32 = 100_000;

/// What a TPP orders, and how it is compared with its consent.
#[derive(Debug)]
pub struct Ordered<E> {
    /// Its product.
    pub product: Product,
    /// The version it comes through.
    pub through: Version,
    /// The request.
    pub draft: OrderDraft,
    /// Every place where the order says something else than its consent. Source: PIS-050.
    pub differences: fn(&Submitted, &Submitted) -> Result<Vec<Fault>, E>,
}

/// Makes the order of a consent, which is used up with it, or answers with the order the same request made before, as it
/// stands now. `bound` is the consent the token stands on. One transaction: key, consent, order and the promise to tell
/// the bank. Source: PIS-006, PIS-040 to PIS-046, PIS-050, PIS-055, PIS-061 to PIS-069, PIS-106, PIS-160.
///
/// # Errors
/// [`Failure::Refused`] when ids, state, content or time do not fit; nothing has changed then. Otherwise storage's failure.
pub async fn place<E: std::error::Error + Send + Sync + 'static>(
    context: &Context,
    bound: &Consent,
    ordered: Ordered<E>,
    once: Once,
) -> Result<OrderView, Failure> {
    let Ordered { product, through, draft, differences } = ordered;
    if draft.consent != bound.id {
        return Err(another(context, &bound.client, draft.consent).await?.into());
    }
    of_product(bound.clone(), product, through).map_err(|_| no_such_consent())?;
    let differing = differences(&bound.submitted, &draft.submitted).map_err(|error| Failure::Broken(error.into()))?;
    let now = context.clocks.bank();
    let order = OrderId::new(context.ids.ordered().hyphenated().to_string());
    let job = execution::job(context, &order);
    let (client, consent, settings) = (bound.client.clone(), bound.id.clone(), context.payments.clone());
    let placed = context.store.write(move |tx| {
        if let Some(earlier) = once.earlier(tx, &settings, now)? {
            return view(tx, &client, &OrderId::new(earlier));
        }
        let mut consent = mine(tx.consent_for_update(&client, &consent)?)?;
        let order = consent.consume(order.clone(), now)?;
        if !differing.is_empty() {
            return Err(Refusal::invalid(differing.clone()).into());
        }
        tx.consent_update(&consent)?;
        tx.order_insert(&order)?;
        if order.is_ready() {
            tx.job_enqueue(&job)?;
        }
        once.complete(tx, order.id.as_str())?;
        shown(&consent, &order)
    });
    let placed = placed.await?;
    context.payments.ordered.notify_one();
    Ok(placed)
}

/// The refusal of an order that names another consent than its token's. Source: PIS-006, PIS-007, PIS-055.
async fn another(context: &Context, client: &ClientId, named: ConsentId) -> Result<Refusal, Failure> {
    let client = client.clone();
    let found = context.store.read(move |tx| Ok::<_, Failure>(tx.consent(&client, &named)?)).await?;
    Ok(match found {
        Owned::Mine(_) | Owned::Foreign => Refusal::of(RefusalKind::ForeignOwner),
        Owned::Absent => no_such_consent(),
    })
}

fn no_such_consent() -> Refusal {
    Refusal::invalid(vec![Fault::field(FaultCode::NotFound, Field::ConsentId, "There is no consent with this id.")])
}

/// The order of a product, for the TPP that made it, through the version it was made in or a newer one.
/// Source: PIS-007, PIS-008, PIS-161.
///
/// # Errors
/// [`Failure::Refused`]: not found, or another TPP's; otherwise storage's failure.
pub async fn read(
    context: &Context,
    client: &ClientId,
    product: Product,
    id: &OrderId,
    through: Version,
) -> Result<OrderView, Failure> {
    let (client, id) = (client.clone(), id.clone());
    context
        .store
        .read(move |tx| {
            known(tx, &client, product, &id, through)?;
            view(tx, &client, &id)
        })
        .await
}

/// What became of each payment of an order. Source: PIS-090 to PIS-095.
///
/// # Errors
/// As [`read`].
pub async fn details(
    context: &Context,
    client: &ClientId,
    product: Product,
    id: &OrderId,
    through: Version,
) -> Result<DetailsView, Failure> {
    let (client, id) = (client.clone(), id.clone());
    context
        .store
        .read(move |tx| {
            let order = known(tx, &client, product, &id, through)?;
            let payments = match product.family() {
                Family::Immediate | Family::Scheduled => {
                    let detail = tx.execution(&id, 1)?.and_then(|execution| execution.detail);
                    order.entry(detail).into_iter().collect()
                }
                Family::StandingOrder | Family::File => {
                    tx.executions(&id, 0, DETAILS_MAX)?.iter().map(|execution| execution.entry()).collect()
                }
            };
            Ok(DetailsView { payments })
        })
        .await
}

fn known(
    tx: &mut dyn Transaction,
    client: &ClientId,
    product: Product,
    id: &OrderId,
    through: Version,
) -> Result<lombard_domain::order::Order, Failure> {
    let order = mine(tx.order(client, id)?)?;
    let fits = order.product == product && order.version <= through;
    if fits { Ok(order) } else { Err(Refusal::of(RefusalKind::NotFound).into()) }
}

fn view(tx: &mut dyn Transaction, client: &ClientId, id: &OrderId) -> Result<OrderView, Failure> {
    let order = mine(tx.order(client, id)?)?;
    let consent = mine(tx.consent(client, &order.consent)?)?;
    shown(&consent, &order)
}

fn shown(consent: &Consent, order: &lombard_domain::order::Order) -> Result<OrderView, Failure> {
    consent.order_view(order).ok_or_else(|| Failure::Broken("an order whose consent is not to a payment".into()))
}
