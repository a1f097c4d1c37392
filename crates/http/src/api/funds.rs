//! Funds-confirmation consents, and confirmations of funds. Source: part 3 of the rules.

use super::json;
use crate::catalogue::contract::{Answer, Made, Nothing, One};
use crate::error::ApiError;
use crate::extract::{Call, ClientOnly, Json, PsuBound};
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use lombard_domain::consent::{Consent, FundsConsentDraft, FundsConsentView, Kind};
use lombard_domain::funds::{FundsAnswer, FundsQuestion};
use lombard_domain::ids::ConsentId;
use lombard_service::{consents, funds};
use lombard_wire::describe::Describe;
use lombard_wire::{Links, Meta, Parse, Release, Render, ResponseEnvelope};

const KIND: Kind = Kind::FundsConfirmation;

/// `POST /funds-confirmation-consents`. Source: CBP-001 to CBP-007.
pub(crate) async fn create<W>(
    call: Call<ClientOnly, Json<W, FundsConsentDraft>>,
) -> Result<Answer<Made<W, FundsConsentDraft, FundsConsentView>>, ApiError>
where
    W: Parse<FundsConsentDraft> + Render<FundsConsentView>,
{
    let list = call.address();
    let consent = consents::create(&call.app.context, &call.caller.client, call.body.value.into()).await?;
    let this = format!("{list}/{}", consent.id);
    Ok(shown::<W>(StatusCode::CREATED, &consent, this)?.into())
}

/// `GET /funds-confirmation-consents/{ConsentId}`. Source: CBP-010, RW-015, RW-017.
pub(crate) async fn read<W: Render<FundsConsentView>>(
    mut call: Call<ClientOnly>,
) -> Result<Answer<One<W, FundsConsentView>>, ApiError> {
    let id: ConsentId = call.path_id("ConsentId").await?;
    let consent = consents::read(&call.app.context, &call.caller.client, KIND, &id, W::VERSION).await?;
    Ok(shown::<W>(StatusCode::OK, &consent, call.address())?.into())
}

/// `DELETE /funds-confirmation-consents/{ConsentId}`. Source: CBP-014, RW-015, RW-017, RW-075.
pub(crate) async fn delete<W: Release>(mut call: Call<ClientOnly>) -> Result<Answer<Nothing>, ApiError> {
    let id: ConsentId = call.path_id("ConsentId").await?;
    consents::delete(&call.app.context, &call.caller.client, KIND, &id, W::VERSION).await?;
    Ok(StatusCode::NO_CONTENT.into_response().into())
}

/// `POST /funds-confirmations`. What was answered cannot be read again, though it has an address. Source: CBP-030 to
/// CBP-042.
pub(crate) async fn confirm<W>(
    call: Call<PsuBound, Json<W, FundsQuestion>>,
) -> Result<Answer<Made<W, FundsQuestion, FundsAnswer>>, ApiError>
where
    W: Parse<FundsQuestion> + Render<FundsAnswer> + Describe<FundsAnswer>,
{
    let list = call.address();
    let answer = funds::confirm(&call.app.context, &call.grant.consent, call.body.value).await?;
    let this = format!("{list}/{}", answer.id);
    Ok(json(StatusCode::CREATED, W::render(&answer, &alone(this))?).into())
}

/// The consent as it stands.
fn shown<W: Render<FundsConsentView>>(
    status: StatusCode,
    consent: &Consent,
    this: String,
) -> Result<Response, ApiError> {
    let view = consent.funds_view().ok_or_else(|| ApiError::Broken("a consent of another kind was found".into()))?;
    Ok(json(status, W::render(&view, &alone(this))?))
}

fn alone(this: String) -> ResponseEnvelope {
    ResponseEnvelope { links: Links::only(this), meta: Meta::ONE_PAGE }
}
