//! Account-access consents.

use super::json;
use crate::error::ApiError;
use crate::extract::{Call, ClientOnly, Json};
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use lombard_domain::consent::{Consent, ConsentDraft};
use lombard_domain::ids::ConsentId;
use lombard_service::consents;
use lombard_wire::{Envelope, Links, Meta, Parse, Release, Render};

/// `POST /account-access-consents`. Source: AIS-010 to AIS-019.
pub(crate) async fn create<W>(call: Call<ClientOnly, Json<W, ConsentDraft>>) -> Result<Response, ApiError>
where
    W: Parse<ConsentDraft> + Render<Consent>,
{
    let list = call.address();
    let consent = consents::create(&call.app.context, &call.caller.client, call.body.value).await?;
    shown::<W>(StatusCode::CREATED, &consent, format!("{list}/{}", consent.id))
}

/// `GET /account-access-consents/{ConsentId}`. Source: AIS-060, AIS-061.
pub(crate) async fn read<W: Render<Consent>>(mut call: Call<ClientOnly>) -> Result<Response, ApiError> {
    let id: ConsentId = call.path_id("ConsentId").await?;
    let consent = consents::read(&call.app.context, &call.caller.client, &id).await?;
    shown::<W>(StatusCode::OK, &consent, call.address())
}

/// `DELETE /account-access-consents/{ConsentId}`. Source: AIS-062, AIS-063, RW-075.
pub(crate) async fn delete<W: Release>(mut call: Call<ClientOnly>) -> Result<Response, ApiError> {
    let id: ConsentId = call.path_id("ConsentId").await?;
    consents::delete(&call.app.context, &call.caller.client, &id).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

fn shown<W: Render<Consent>>(status: StatusCode, consent: &Consent, this: String) -> Result<Response, ApiError> {
    let envelope = Envelope { links: Links::only(this), meta: Meta::ONE_PAGE };
    Ok(json(status, W::render(consent, &envelope)?))
}
