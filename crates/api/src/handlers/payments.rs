//! The handlers of payments: payment consents, orders, confirmation of funds and payment details. Each generic handler serves all products;
//! its type parameter [`ProductWire`] is the product.

use crate::extract::{AuthorisedCall, ClientOnly, ClientOrPsu, IdempotentJson, PsuBound};
use axum::response::IntoResponse;
use http::{HeaderValue, StatusCode};
use lombard_domain::consent::{Consent, PaymentConsentView};
use lombard_domain::ids::{ConsentId, OrderId};
use lombard_domain::payment::order::{DetailsView, FundsView, OrderView};
use lombard_domain::submitted::Submitted;
use lombard_domain::version::Version;
use lombard_edge::App;
use lombard_edge::endpoint::contract::{OperationContract, ResponseKind, SingleResource, TypedResponse};
use lombard_edge::error::ApiError;
use lombard_service::payments::orders::{OrderSubmission, PAYLOAD_VERSION};
use lombard_service::payments::{consents, orders};
use lombard_wire::comparison::find_differences;
use lombard_wire::describe::Describe;
use lombard_wire::payments::ProductWire;
use lombard_wire::v3_1::V3_1;
use lombard_wire::v4_0;
use lombard_wire::{Render, ResponseEnvelope, StandardVersion};
use std::marker::PhantomData;

/// `POST /domestic-payment-consents`, and the same for each other product. Source: PIS-015 to PIS-023, PIS-061.
pub(crate) async fn create_consent<V, P>(
    call: AuthorisedCall<ClientOnly, IdempotentJson>,
) -> Result<TypedResponse<PaymentConsentCreated<V, P>>, ApiError>
where
    V: Render<PaymentConsentView>,
    P: ProductWire<V>,
{
    let list = call.address();
    let (call, body) = call.split();
    if P::PRODUCT.reuses_consents() {
        call.require_payload_of(V::VERSION)?;
    }
    let (draft, idempotent_request) = body.parse(P::read_consent)?;
    let consent =
        consents::create_payment_consent(&call.context(), &call.caller.client, draft, idempotent_request).await?;
    call.log().into_iter().for_each(|log| log.set_consent(&consent.id));
    let this = format!("{list}/{}", consent.id);
    show_consent::<V, _>(&call.app, StatusCode::CREATED, &consent, this)
}

/// `GET /domestic-payment-consents/{ConsentId}`, and the same for each other product. Source: PIS-004, PIS-007, PIS-008, PIS-024.
pub(crate) async fn read_consent<V, P>(
    call: AuthorisedCall<ClientOrPsu>,
) -> Result<TypedResponse<ConsentRead<V, P>>, ApiError>
where
    V: Render<PaymentConsentView>,
    P: ProductWire<V>,
{
    let id: ConsentId = call.path_id("ConsentId")?;
    let reader = call.grant.reader(&call.caller);
    let consent = consents::read_payment_consent(&call.app.context, reader, P::PRODUCT, &id, V::VERSION).await?;
    show_consent::<V, _>(&call.app, StatusCode::OK, &consent, call.address())
}

/// `GET /domestic-payment-consents/{ConsentId}/funds-confirmation`. Source: PIS-006, PIS-080 to PIS-085.
pub(crate) async fn confirm_funds<V, P>(
    call: AuthorisedCall<PsuBound>,
) -> Result<TypedResponse<SingleResource<V, FundsView>>, ApiError>
where
    V: Render<FundsView> + Describe<FundsView>,
    P: ProductWire<V>,
{
    let id: ConsentId = call.path_id("ConsentId")?;
    let context = &call.context();
    let consent = &call.grant.consent;
    consents::check_token_consent(context, consent, P::PRODUCT, &id, V::VERSION).await?;
    let view = consents::confirm_payment_funds(context, consent).await?;
    Ok(TypedResponse::json(StatusCode::OK, V::render(&view, &ResponseEnvelope::unpaged(call.address()))?))
}

/// `POST /domestic-payments`, and the same for each other product. Source: PIS-006, PIS-040 to PIS-055, PIS-061 to PIS-069.
pub(crate) async fn create_order<V, P>(
    call: AuthorisedCall<PsuBound, IdempotentJson>,
) -> Result<TypedResponse<OrderCreated<V, P>>, ApiError>
where
    V: Render<OrderView>,
    P: ProductWire<V> + ProductWire<V3_1>,
{
    let list = call.address();
    let (call, body) = call.split();
    let product = <P as ProductWire<V>>::PRODUCT;
    // Only a VRP consent can be used through a newer version than the one in which it was created (V4-027).
    let payload = if product.reuses_consents() { call.payload_version(V::VERSION)? } else { V::VERSION };
    let read = match payload {
        Version::V3_1 => <P as ProductWire<V3_1>>::read_order,
        Version::V4_0 => <P as ProductWire<V>>::read_order,
    };
    let (mut draft, idempotent_request) = body.parse(read)?;
    let consent = &call.grant.consent;
    let differences = find_differences(&consent.submitted, &draft.submitted)?;
    if payload < V::VERSION {
        let json = v4_0::upgrade(&draft.submitted)?.into_owned();
        draft.submitted = Submitted { version: V::VERSION, json };
    }
    let ordered = OrderSubmission {
        product,
        endpoint_version: V::VERSION,
        payload_version: payload,
        draft,
        customer_address: call.customer_address(),
        differences,
    };
    let view = orders::create_order(&call.context(), consent, ordered, idempotent_request).await?;
    call.log().into_iter().for_each(|log| log.set_order(&view.id));
    let this = format!("{list}/{}", view.id);
    Ok(TypedResponse::json(StatusCode::CREATED, V::render(&view, &ResponseEnvelope::unpaged(this))?))
}

/// `GET /domestic-payments/{DomesticPaymentId}`, and the same for each other product. Source: PIS-004, PIS-007, PIS-008, PIS-161.
pub(crate) async fn read_order<V, P>(
    call: AuthorisedCall<ClientOrPsu>,
) -> Result<TypedResponse<OrderRead<V, P>>, ApiError>
where
    V: Render<OrderView>,
    P: ProductWire<V>,
{
    let id: OrderId = call.only_path_id()?;
    let reader = call.grant.reader(&call.caller);
    let view = orders::read_order(&call.app.context, reader, P::PRODUCT, &id, V::VERSION).await?;
    Ok(TypedResponse::json(StatusCode::OK, V::render(&view, &ResponseEnvelope::unpaged(call.address()))?))
}

/// `GET /domestic-payments/{DomesticPaymentId}/payment-details`, and the same for each other product. Source: PIS-090 to
/// PIS-095.
pub(crate) async fn read_order_details<V, P>(
    call: AuthorisedCall<ClientOrPsu>,
) -> Result<TypedResponse<SingleResource<V, DetailsView>>, ApiError>
where
    V: Render<DetailsView> + Describe<DetailsView>,
    P: ProductWire<V>,
{
    let id: OrderId = call.only_path_id()?;
    let reader = call.grant.reader(&call.caller);
    let view = orders::read_order_details(&call.app.context, reader, P::PRODUCT, &id, V::VERSION).await?;
    Ok(TypedResponse::json(StatusCode::OK, V::render(&view, &ResponseEnvelope::unpaged(call.address()))?))
}

/// Renders the consent in its present state.
pub(super) fn render_consent<V: Render<PaymentConsentView>>(
    app: &App,
    consent: &Consent,
    this: String,
) -> Result<Vec<u8>, ApiError> {
    let view = consent.payment_view(app.context.clocks.bank_now());
    let view = view.ok_or_else(|| ApiError::Internal("a consent of another kind was found".into()))?;
    Ok(V::render(&view, &ResponseEnvelope::unpaged(this))?)
}

/// The response with the consent in its present state. For a VRP consent in v4.0 a header names the schema of the body. Source: V4-029.
pub(super) fn show_consent<V: Render<PaymentConsentView>, K>(
    app: &App,
    status: StatusCode,
    consent: &Consent,
    this: String,
) -> Result<TypedResponse<K>, ApiError> {
    let mut response = TypedResponse::<K>::json(status, render_consent::<V>(app, consent, this)?).into_response();
    if consent.is_vrp_consent() && V::VERSION == Version::V4_0 {
        response.headers_mut().insert(PAYLOAD_VERSION, HeaderValue::from_static("4.0.1"));
    }
    Ok(response.into())
}

/// The response of a `POST` of a payment consent.
#[derive(Debug)]
pub(crate) struct PaymentConsentCreated<V, P>(PhantomData<fn() -> (V, P)>);

impl<V: StandardVersion, P: ProductWire<V>> ResponseKind for PaymentConsentCreated<V, P> {
    fn contract() -> OperationContract {
        let schemas = P::schemas();
        OperationContract::creating(schemas.consent_request, schemas.consent)
    }
}

/// The response of a `GET` of a payment consent.
#[derive(Debug)]
pub(crate) struct ConsentRead<V, P>(PhantomData<fn() -> (V, P)>);

impl<V: StandardVersion, P: ProductWire<V>> ResponseKind for ConsentRead<V, P> {
    fn contract() -> OperationContract {
        OperationContract::reading(P::schemas().consent)
    }
}

/// The response of a `POST` of a payment order.
#[derive(Debug)]
pub(crate) struct OrderCreated<V, P>(PhantomData<fn() -> (V, P)>);

impl<V: StandardVersion, P: ProductWire<V>> ResponseKind for OrderCreated<V, P> {
    fn contract() -> OperationContract {
        let schemas = P::schemas();
        OperationContract::creating(schemas.order_request, schemas.order)
    }
}

/// The response of a `GET` of a payment order.
#[derive(Debug)]
pub(crate) struct OrderRead<V, P>(PhantomData<fn() -> (V, P)>);

impl<V: StandardVersion, P: ProductWire<V>> ResponseKind for OrderRead<V, P> {
    fn contract() -> OperationContract {
        OperationContract::reading(P::schemas().order)
    }
}
