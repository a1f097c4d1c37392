//! Payments: consents to pay, orders, funds and details, one handler each for all products. What a product is, its type
//! says ([`ProductWire`]); what is done is the same.

use super::json;
use crate::catalogue::contract::{Answer, Contract, Kind, One};
use crate::error::ApiError;
use crate::extract::{Call, ClientOnly, ClientOrPsu, PsuBound, Reading, Submitted};
use axum::response::Response;
use http::StatusCode;
use lombard_domain::consent::Consent;
use lombard_domain::ids::{ConsentId, OrderId};
use lombard_domain::order::{DetailsView, FundsView, OrderDraft, OrderView, PaymentConsentView, PaymentDraft};
use lombard_domain::refusal::Fault;
use lombard_service::payments::orders::Ordered;
use lombard_service::payments::{consents, orders};
use lombard_wire::describe::Describe;
use lombard_wire::document;
use lombard_wire::payments::ProductWire;
use lombard_wire::{Links, Meta, Release, Render, ResponseEnvelope};
use std::marker::PhantomData;

/// The request for a consent to a product.
#[derive(Debug)]
pub(crate) struct PaymentConsentRequestBody<V, P>(PhantomData<fn() -> (V, P)>);

impl<V: Release, P: ProductWire<V>> Reading for PaymentConsentRequestBody<V, P> {
    type Read = PaymentDraft;

    fn read(body: &[u8], depth_max: usize) -> Result<PaymentDraft, Vec<Fault>> {
        P::read_consent(body, depth_max)
    }
}

/// The request for an order of a product.
#[derive(Debug)]
pub(crate) struct PaymentOrderRequestBody<V, P>(PhantomData<fn() -> (V, P)>);

impl<V: Release, P: ProductWire<V>> Reading for PaymentOrderRequestBody<V, P> {
    type Read = OrderDraft;

    fn read(body: &[u8], depth_max: usize) -> Result<OrderDraft, Vec<Fault>> {
        P::read_order(body, depth_max)
    }
}

/// `POST /domestic-payment-consents` and its sisters. Source: PIS-015 to PIS-023, PIS-061.
pub(crate) async fn create_consent<V, P>(
    call: Call<ClientOnly, Submitted<PaymentConsentRequestBody<V, P>>>,
) -> Result<Answer<ConsentMade<V, P>>, ApiError>
where
    V: Render<PaymentConsentView>,
    P: ProductWire<V>,
{
    let list = call.address();
    let (call, body) = call.split();
    let consent = consents::create(&call.app.context, &call.caller.client, body.value, body.once).await?;
    let this = format!("{list}/{}", consent.id);
    Ok(shown::<V>(StatusCode::CREATED, &consent, this)?.into())
}

/// `GET /domestic-payment-consents/{ConsentId}` and its sisters. Source: PIS-004, PIS-007, PIS-008, PIS-024.
pub(crate) async fn read_consent<V, P>(mut call: Call<ClientOrPsu>) -> Result<Answer<ConsentRead<V, P>>, ApiError>
where
    V: Render<PaymentConsentView>,
    P: ProductWire<V>,
{
    let id: ConsentId = call.path_id("ConsentId").await?;
    let reader = call.grant.reader(&call.caller);
    let consent = consents::read(&call.app.context, reader, P::PRODUCT, &id, V::VERSION).await?;
    Ok(shown::<V>(StatusCode::OK, &consent, call.address())?.into())
}

/// `GET /domestic-payment-consents/{ConsentId}/funds-confirmation`. Source: PIS-006, PIS-080 to PIS-085.
pub(crate) async fn confirm_funds<V, P>(mut call: Call<PsuBound>) -> Result<Answer<One<V, FundsView>>, ApiError>
where
    V: Render<FundsView> + Describe<FundsView>,
    P: ProductWire<V>,
{
    let id: ConsentId = call.path_id("ConsentId").await?;
    let (context, consent) = (&call.app.context, &call.grant.consent);
    consents::check_token_consent(context, consent, P::PRODUCT, &id, V::VERSION).await?;
    let view = consents::funds(context, consent).await?;
    Ok(json(StatusCode::OK, V::render(&view, &alone(call.address()))?).into())
}

/// `POST /domestic-payments` and its sisters. Source: PIS-006, PIS-040 to PIS-055, PIS-061 to PIS-069.
pub(crate) async fn place<V, P>(
    call: Call<PsuBound, Submitted<PaymentOrderRequestBody<V, P>>>,
) -> Result<Answer<OrderMade<V, P>>, ApiError>
where
    V: Render<OrderView>,
    P: ProductWire<V>,
{
    let list = call.address();
    let (call, body) = call.split();
    let ordered = Ordered {
        product: P::PRODUCT,
        through: V::VERSION,
        draft: body.value,
        customer_address: call.customer_address(),
        differences: document::differences,
    };
    let view = orders::place(&call.context(), &call.grant.consent, ordered, body.once).await?;
    let this = format!("{list}/{}", view.id);
    Ok(json(StatusCode::CREATED, V::render(&view, &alone(this))?).into())
}

/// `GET /domestic-payments/{DomesticPaymentId}` and its sisters. Source: PIS-004, PIS-007, PIS-008, PIS-161.
pub(crate) async fn read<V, P>(mut call: Call<ClientOrPsu>) -> Result<Answer<OrderRead<V, P>>, ApiError>
where
    V: Render<OrderView>,
    P: ProductWire<V>,
{
    let id: OrderId = call.only_path_id().await?;
    let reader = call.grant.reader(&call.caller);
    let view = orders::read(&call.app.context, reader, P::PRODUCT, &id, V::VERSION).await?;
    Ok(json(StatusCode::OK, V::render(&view, &alone(call.address()))?).into())
}

/// `GET /domestic-payments/{DomesticPaymentId}/payment-details` and its sisters. Source: PIS-090 to PIS-095.
pub(crate) async fn details<V, P>(mut call: Call<ClientOrPsu>) -> Result<Answer<One<V, DetailsView>>, ApiError>
where
    V: Render<DetailsView> + Describe<DetailsView>,
    P: ProductWire<V>,
{
    let id: OrderId = call.only_path_id().await?;
    let reader = call.grant.reader(&call.caller);
    let view = orders::details(&call.app.context, reader, P::PRODUCT, &id, V::VERSION).await?;
    Ok(json(StatusCode::OK, V::render(&view, &alone(call.address()))?).into())
}

/// The consent as it stands.
fn shown<V: Render<PaymentConsentView>>(
    status: StatusCode,
    consent: &Consent,
    this: String,
) -> Result<Response, ApiError> {
    let view = consent.payment_view().ok_or_else(|| ApiError::Broken("a consent of another kind was found".into()))?;
    Ok(json(status, V::render(&view, &alone(this))?))
}

/// What stands around something that is not a list. Source: PIS-156.
pub(super) fn alone(this: String) -> ResponseEnvelope {
    ResponseEnvelope { links: Links::only(this), meta: Meta::ONE_PAGE }
}

/// Declares a kind of answer whose bodies are the product's own.
macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident { status: $status:ident, asked: $asked:expr, answered: $answered:ident })*) => {$(
        $(#[$doc])*
        #[derive(Debug)]
        pub(crate) struct $name<V, P>(PhantomData<fn() -> (V, P)>);

        impl<V: Release, P: ProductWire<V>> Kind for $name<V, P> {
            fn contract() -> Contract {
                let schemas = P::schemas();
                let asked: fn(&lombard_wire::payments::Schemas) -> Option<serde_json::Value> = $asked;
                Contract { status: StatusCode::$status, asked: asked(&schemas), ..Contract::answering(schemas.$answered) }
            }
        }
    )*};
}

kinds! {
    /// A consent, made.
    ConsentMade { status: CREATED, asked: |it| Some(it.consent_request.clone()), answered: consent }
    /// A consent.
    ConsentRead { status: OK, asked: |_| None, answered: consent }
    /// An order, made.
    OrderMade { status: CREATED, asked: |it| Some(it.order_request.clone()), answered: order }
    /// An order.
    OrderRead { status: OK, asked: |_| None, answered: order }
}
