//! The handlers of account-access consents.

use crate::extract::{AuthorisedCall, ClientOnly, Json};
use axum::response::IntoResponse;
use http::StatusCode;
use lombard_domain::consent::{Consent, ConsentDraft, ConsentKind, ConsentView};
use lombard_domain::ids::ConsentId;
use lombard_domain::refusal::{Fault, FaultCode, Field, Refusal};
use lombard_edge::App;
use lombard_edge::endpoint::contract::{CreatedResource, NoContent, SingleResource, TypedResponse};
use lombard_edge::error::ApiError;
use lombard_service::consents;
use lombard_wire::{Parse, Render, ResponseEnvelope, StandardVersion};

/// `POST /account-access-consents`. Source: AIS-010 to AIS-019, AIS-033.
pub(crate) async fn create<W>(
    call: AuthorisedCall<ClientOnly, Json<W, ConsentDraft>>,
) -> Result<TypedResponse<CreatedResource<W, ConsentDraft, ConsentView>>, ApiError>
where
    W: Parse<ConsentDraft> + Render<ConsentView>,
{
    let list = call.address();
    let log = call.log().cloned();
    let access = call.body.value.request.account_access();
    let offered = call.app.settings.offered;
    if access.is_some_and(|access| access.permissions.iter().any(|permission| !offered.contains(permission))) {
        let message = "At least one permission must apply to a resource that this bank offers.";
        let fault = Fault::field(FaultCode::FieldInvalid, Field::Permissions, message);
        return Err(ApiError::Refused(Refusal::invalid(vec![fault])));
    }
    let consent = consents::create_consent(&call.app.context, &call.caller.client, call.body.value).await?;
    log.iter().for_each(|log| log.set_consent(&consent.id));
    let this = format!("{list}/{}", consent.id);
    shown::<W, _>(StatusCode::CREATED, consent, &call.app, this)
}

/// `GET /account-access-consents/{ConsentId}`. Source: AIS-060, AIS-061, RW-015, RW-017.
pub(crate) async fn read<W: Render<ConsentView>>(
    call: AuthorisedCall<ClientOnly>,
) -> Result<TypedResponse<SingleResource<W, ConsentView>>, ApiError> {
    let id: ConsentId = call.path_id("ConsentId")?;
    let consent =
        consents::read_consent(&call.app.context, &call.caller.client, ConsentKind::AccountAccess, &id, W::VERSION)
            .await?;
    shown::<W, _>(StatusCode::OK, consent, &call.app, call.address())
}

/// `DELETE /account-access-consents/{ConsentId}`. Source: AIS-062, AIS-063, RW-015, RW-017, RW-075.
pub(crate) async fn delete<W: StandardVersion>(
    call: AuthorisedCall<ClientOnly>,
) -> Result<TypedResponse<NoContent>, ApiError> {
    let id: ConsentId = call.path_id("ConsentId")?;
    consents::delete_consent(&call.app.context, &call.caller.client, ConsentKind::AccountAccess, &id, W::VERSION)
        .await?;
    Ok(StatusCode::NO_CONTENT.into_response().into())
}

/// Renders the consent in its present state.
fn shown<W: Render<ConsentView>, K>(
    status: StatusCode,
    consent: Consent,
    app: &App,
    this: String,
) -> Result<TypedResponse<K>, ApiError> {
    let view = ConsentView { consent, at: app.context.clocks.bank_now() };
    Ok(TypedResponse::json(status, W::render(&view, &ResponseEnvelope::unpaged(this))?))
}
