//! The handlers of funds-confirmation consents and of confirmations of funds. Source: part 3 of the rules.

use crate::extract::{AuthorisedCall, ClientOnly, Json, PsuBound};
use axum::response::IntoResponse;
use http::StatusCode;
use lombard_domain::consent::{Consent, ConsentKind, FundsConsentDraft, FundsConsentView};
use lombard_domain::funds::{FundsConfirmationRequest, FundsConfirmationResult};
use lombard_domain::ids::ConsentId;
use lombard_edge::App;
use lombard_edge::endpoint::contract::{CreatedResource, NoContent, SingleResource, TypedResponse};
use lombard_edge::error::ApiError;
use lombard_service::{consents, funds};
use lombard_wire::describe::Describe;
use lombard_wire::{Parse, Render, ResponseEnvelope, StandardVersion};

const KIND: ConsentKind = ConsentKind::FundsConfirmation;

/// `POST /funds-confirmation-consents`. Source: CBP-001 to CBP-007.
pub(crate) async fn create<W>(
    call: AuthorisedCall<ClientOnly, Json<W, FundsConsentDraft>>,
) -> Result<TypedResponse<CreatedResource<W, FundsConsentDraft, FundsConsentView>>, ApiError>
where
    W: Parse<FundsConsentDraft> + Render<FundsConsentView>,
{
    let list = call.address();
    let log = call.log().cloned();
    let consent = consents::create_consent(&call.app.context, &call.caller.client, call.body.value.into()).await?;
    log.iter().for_each(|log| log.set_consent(&consent.id));
    let this = format!("{list}/{}", consent.id);
    shown::<W, _>(&call.app, StatusCode::CREATED, &consent, this)
}

/// `GET /funds-confirmation-consents/{ConsentId}`. Source: CBP-010, RW-015, RW-017.
pub(crate) async fn read<W: Render<FundsConsentView>>(
    call: AuthorisedCall<ClientOnly>,
) -> Result<TypedResponse<SingleResource<W, FundsConsentView>>, ApiError> {
    let id: ConsentId = call.path_id("ConsentId")?;
    let consent = consents::read_consent(&call.app.context, &call.caller.client, KIND, &id, W::VERSION).await?;
    shown::<W, _>(&call.app, StatusCode::OK, &consent, call.address())
}

/// `DELETE /funds-confirmation-consents/{ConsentId}`. Source: CBP-014, RW-015, RW-017, RW-075.
pub(crate) async fn delete<W: StandardVersion>(
    call: AuthorisedCall<ClientOnly>,
) -> Result<TypedResponse<NoContent>, ApiError> {
    let id: ConsentId = call.path_id("ConsentId")?;
    consents::delete_consent(&call.app.context, &call.caller.client, KIND, &id, W::VERSION).await?;
    Ok(StatusCode::NO_CONTENT.into_response().into())
}

/// `POST /funds-confirmations`. The created confirmation has an address but cannot be read again. Source: CBP-030 to CBP-042.
pub(crate) async fn confirm<W>(
    call: AuthorisedCall<PsuBound, Json<W, FundsConfirmationRequest>>,
) -> Result<TypedResponse<CreatedResource<W, FundsConfirmationRequest, FundsConfirmationResult>>, ApiError>
where
    W: Parse<FundsConfirmationRequest> + Render<FundsConfirmationResult> + Describe<FundsConfirmationResult>,
{
    let list = call.address();
    let answer = funds::confirm_funds(&call.context(), &call.grant.consent, call.body.value).await?;
    let this = format!("{list}/{}", answer.id);
    Ok(TypedResponse::json(StatusCode::CREATED, W::render(&answer, &ResponseEnvelope::unpaged(this))?))
}

/// Renders the consent in its present state.
fn shown<W: Render<FundsConsentView>, K>(
    app: &App,
    status: StatusCode,
    consent: &Consent,
    this: String,
) -> Result<TypedResponse<K>, ApiError> {
    let view = consent
        .funds_view(app.context.clocks.bank_now())
        .ok_or_else(|| ApiError::Internal("a consent of another kind was found".into()))?;
    Ok(TypedResponse::json(status, W::render(&view, &ResponseEnvelope::unpaged(this))?))
}
