//! The handlers of endpoints that only VRP consents have: confirmation of funds with an amount, deletion by the TPP, and migration to a
//! newer version. All other endpoints have the handlers of every payment ([`payments`](super::payments)).

use super::payments::{render_consent, show_consent};
use crate::extract::{AuthorisedCall, ClientOnly, ClientOrPsu, IdempotentJson, Json, PatchJson, PsuBound};
use axum::response::IntoResponse;
use http::StatusCode;
use lombard_domain::consent::{Consent, PaymentConsentView};
use lombard_domain::ids::ConsentId;
use lombard_domain::payment::PaymentProduct;
use lombard_domain::payment::order::PaymentDraft;
use lombard_domain::payment::vrp::{VrpFundsConfirmationRequest, VrpFundsConfirmationResult};
use lombard_domain::refusal::Fault;
use lombard_edge::endpoint::contract::{CreatedResource, NoContent, OperationContract, ResponseKind, TypedResponse};
use lombard_edge::error::ApiError;
use lombard_service::payments::{consents, vrp, vrp_migration};
use lombard_wire::comparison::find_changes;
use lombard_wire::describe::Describe;
use lombard_wire::patch::ConsentPatch;
use lombard_wire::payments::{DomesticVrp, ProductWire};
use lombard_wire::v4_0::{read_migrated_vrp_consent, read_patched_vrp_consent};
use lombard_wire::{Parse, Render, ResponseEnvelope, StandardVersion};
use std::marker::PhantomData;

/// `POST /domestic-vrp-consents/{ConsentId}/funds-confirmation`. The confirmation has no address of its own (VRP-075). Source: PIS-006,
/// VRP-070 to VRP-075, X-05.
pub(crate) async fn confirm_funds<V>(
    call: AuthorisedCall<PsuBound, Json<V, VrpFundsConfirmationRequest>>,
) -> Result<TypedResponse<CreatedResource<V, VrpFundsConfirmationRequest, VrpFundsConfirmationResult>>, ApiError>
where
    V: Parse<VrpFundsConfirmationRequest> + Render<VrpFundsConfirmationResult> + Describe<VrpFundsConfirmationResult>,
{
    let (call, body) = call.split();
    let id: ConsentId = call.path_id("ConsentId")?;
    let context = &call.context();
    let bound = &call.grant.consent;
    let answer = vrp::confirm_vrp_funds(context, bound, &id, V::VERSION, body.value).await?;
    Ok(TypedResponse::json(StatusCode::CREATED, V::render(&answer, &ResponseEnvelope::unpaged(call.address()))?))
}

/// `DELETE /domestic-vrp-consents/{ConsentId}`. Source: PIS-004, VRP-080 to VRP-084.
pub(crate) async fn delete<V: StandardVersion>(
    call: AuthorisedCall<ClientOrPsu>,
) -> Result<TypedResponse<NoContent>, ApiError> {
    let id: ConsentId = call.path_id("ConsentId")?;
    let reader = call.grant.reader(&call.caller);
    vrp::delete_vrp_consent(&call.app.context, reader, &id, V::VERSION).await?;
    Ok(StatusCode::NO_CONTENT.into_response().into())
}

/// `PUT /domestic-vrp-consents/{ConsentId}`: migrates a consent; the body is the whole consent in the form of this version. Source: V4-020,
/// V4-030.
pub(crate) async fn replace<V>(
    call: AuthorisedCall<ClientOnly, IdempotentJson>,
) -> Result<TypedResponse<ConsentReplaced<V>>, ApiError>
where
    V: Render<PaymentConsentView>,
    DomesticVrp: ProductWire<V>,
{
    let (call, body) = call.split();
    call.require_payload_of(V::VERSION)?;
    let id: ConsentId = call.path_id("ConsentId")?;
    let (draft, idempotent_request) = body.parse(read_migrated_vrp_consent)?;
    let context = &call.app.context;
    let client = &call.caller.client;
    let consent = consents::read_payment_consent(context, client, PaymentProduct::DomesticVrp, &id, V::VERSION).await?;
    let draft = unchanged(&consent, draft)?;
    let consent = vrp_migration::migrate_vrp_consent(context, client, &id, draft, idempotent_request).await?;
    show_consent::<V, _>(&call.app, StatusCode::OK, &consent, call.address())
}

/// `PATCH /domestic-vrp-consents/{ConsentId}`: migrates a consent; the body holds the changes to the form of this version, as operations on
/// the consent that `GET` returns. Source: V4-020, V4-030.
pub(crate) async fn patch<V>(
    call: AuthorisedCall<ClientOnly, IdempotentJson<PatchJson>>,
) -> Result<TypedResponse<ConsentPatched<V>>, ApiError>
where
    V: Render<PaymentConsentView>,
    DomesticVrp: ProductWire<V>,
{
    let (call, body) = call.split();
    call.require_payload_of(V::VERSION)?;
    let id: ConsentId = call.path_id("ConsentId")?;
    let depth_max = body.depth_max();
    let (patch, idempotent_request) = body.parse(ConsentPatch::parse)?;
    let context = &call.app.context;
    let client = &call.caller.client;
    let consent = consents::read_payment_consent(context, client, PaymentProduct::DomesticVrp, &id, V::VERSION).await?;
    let rendered = render_consent::<V>(&call.app, &consent, call.address())?;
    // A hundred operations on a large consent take too long for a thread that serves other requests.
    let apply =
        move || patch.apply(&rendered).and_then(|patched| read_patched_vrp_consent(&rendered, &patched, depth_max));
    let patched = call.app.patch_permits.run(client, apply).await;
    let draft = match patched.map_err(|error| ApiError::Internal(error.into()))? {
        Ok(draft) => unchanged(&consent, draft)?,
        Err(faults) => Err(faults),
    };
    let consent = vrp_migration::migrate_vrp_consent(context, client, &id, draft, idempotent_request).await?;
    show_consent::<V, _>(&call.app, StatusCode::OK, &consent, call.address())
}

/// Returns the draft, unless it changes the submitted consent. Source: V4-020.
///
/// # Errors
/// [`ApiError::Internal`] if a stored document cannot be parsed.
fn unchanged(consent: &Consent, draft: PaymentDraft) -> Result<Result<PaymentDraft, Vec<Fault>>, ApiError> {
    let changes = find_changes(&consent.submitted, &draft.submitted)?;
    // A consent that already has this form is refused later, and a repeated request gets its first result.
    let is_older = consent.submitted.version < draft.submitted.version;
    Ok(if is_older && !changes.is_empty() { Err(changes) } else { Ok(draft) })
}

/// The response of a `PUT` of a consent.
#[derive(Debug)]
pub(crate) struct ConsentReplaced<V>(PhantomData<fn() -> V>);

impl<V: StandardVersion> ResponseKind for ConsentReplaced<V>
where
    DomesticVrp: ProductWire<V>,
{
    fn contract() -> OperationContract {
        let schemas = <DomesticVrp as ProductWire<V>>::schemas();
        OperationContract::changing(schemas.consent_request, "application/json", schemas.consent)
    }
}

/// The response of a `PATCH` of a consent.
#[derive(Debug)]
pub(crate) struct ConsentPatched<V>(PhantomData<fn() -> V>);

impl<V: StandardVersion> ResponseKind for ConsentPatched<V>
where
    DomesticVrp: ProductWire<V>,
{
    fn contract() -> OperationContract {
        let consent = <DomesticVrp as ProductWire<V>>::schemas().consent;
        OperationContract::changing(ConsentPatch::schema(), ConsentPatch::MEDIA_TYPE, consent)
    }
}
