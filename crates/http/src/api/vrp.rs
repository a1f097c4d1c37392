//! What consents to variable recurring payments have and no others: questions about funds with an amount, and an end that
//! the TPP sets. All else is what every payment has ([`payments`](super::payments)).

use crate::catalogue::contract::{CreatedResource, NoContent, TypedResponse};
use crate::error::ApiError;
use crate::extract::{AuthorisedCall, ClientOrPsu, Json, PsuBound};
use axum::response::IntoResponse;
use http::StatusCode;
use lombard_domain::ids::ConsentId;
use lombard_domain::vrp::{VrpFundsAnswer, VrpFundsQuestion};
use lombard_service::payments::vrp;
use lombard_wire::describe::Describe;
use lombard_wire::{Parse, Render, ResponseEnvelope, StandardVersion};

/// `POST /domestic-vrp-consents/{ConsentId}/funds-confirmation`. What was answered has no address of its own (VRP-075).
/// Source: PIS-006, VRP-070 to VRP-075, X-05.
pub(crate) async fn confirm_funds<V>(
    call: AuthorisedCall<PsuBound, Json<V, VrpFundsQuestion>>,
) -> Result<TypedResponse<CreatedResource<V, VrpFundsQuestion, VrpFundsAnswer>>, ApiError>
where
    V: Parse<VrpFundsQuestion> + Render<VrpFundsAnswer> + Describe<VrpFundsAnswer>,
{
    let (mut call, body) = call.split();
    let id: ConsentId = call.path_id("ConsentId").await?;
    let (context, bound) = (&call.app.context, &call.grant.consent);
    let answer = vrp::confirm_vrp_funds(context, bound, &id, V::VERSION, body.value).await?;
    Ok(TypedResponse::json(StatusCode::CREATED, V::render(&answer, &ResponseEnvelope::unpaged(call.address()))?))
}

/// `DELETE /domestic-vrp-consents/{ConsentId}`. Source: PIS-004, VRP-080 to VRP-084.
pub(crate) async fn delete<V: StandardVersion>(
    mut call: AuthorisedCall<ClientOrPsu>,
) -> Result<TypedResponse<NoContent>, ApiError> {
    let id: ConsentId = call.path_id("ConsentId").await?;
    let reader = call.grant.reader(&call.caller);
    vrp::delete_vrp_consent(&call.app.context, reader, &id, V::VERSION).await?;
    Ok(StatusCode::NO_CONTENT.into_response().into())
}
