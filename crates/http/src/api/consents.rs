//! Account-access consents.

use super::json;
use crate::App;
use crate::catalogue::contract::{Answer, Made, Nothing, One};
use crate::catalogue::offered;
use crate::error::ApiError;
use crate::extract::{Call, ClientOnly, Json};
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use lombard_domain::consent::{Consent, ConsentDraft, ConsentView, Kind};
use lombard_domain::ids::ConsentId;
use lombard_domain::refusal::{Fault, FaultCode, Field, Refusal};
use lombard_service::consents;
use lombard_wire::{Links, Meta, Parse, Release, Render, ResponseEnvelope};

/// `POST /account-access-consents`. Source: AIS-010 to AIS-019, AIS-033.
pub(crate) async fn create<W>(
    call: Call<ClientOnly, Json<W, ConsentDraft>>,
) -> Result<Answer<Made<W, ConsentDraft, ConsentView>>, ApiError>
where
    W: Parse<ConsentDraft> + Render<ConsentView>,
{
    let list = call.address();
    let access = call.body.value.terms.account_access();
    let offered = offered::permissions(&call.app.settings.switched_off);
    if access.is_some_and(|access| access.permissions.iter().any(|permission| !offered.contains(permission))) {
        let message = "Permissions must open something that this bank offers.";
        let fault = Fault::field(FaultCode::FieldInvalid, Field::Permissions, message);
        return Err(ApiError::Refused(Refusal::invalid(vec![fault])));
    }
    let consent = consents::create(&call.app.context, &call.caller.client, call.body.value).await?;
    let this = format!("{list}/{}", consent.id);
    Ok(shown::<W>(StatusCode::CREATED, consent, &call.app, this)?.into())
}

/// `GET /account-access-consents/{ConsentId}`. Source: AIS-060, AIS-061, RW-015, RW-017.
pub(crate) async fn read<W: Render<ConsentView>>(
    mut call: Call<ClientOnly>,
) -> Result<Answer<One<W, ConsentView>>, ApiError> {
    let id: ConsentId = call.path_id("ConsentId").await?;
    let consent = consents::read(&call.app.context, &call.caller.client, Kind::AccountAccess, &id, W::VERSION).await?;
    Ok(shown::<W>(StatusCode::OK, consent, &call.app, call.address())?.into())
}

/// `DELETE /account-access-consents/{ConsentId}`. Source: AIS-062, AIS-063, RW-015, RW-017, RW-075.
pub(crate) async fn delete<W: Release>(mut call: Call<ClientOnly>) -> Result<Answer<Nothing>, ApiError> {
    let id: ConsentId = call.path_id("ConsentId").await?;
    consents::delete(&call.app.context, &call.caller.client, Kind::AccountAccess, &id, W::VERSION).await?;
    Ok(StatusCode::NO_CONTENT.into_response().into())
}

/// The consent as it is now at the bank.
fn shown<W: Render<ConsentView>>(
    status: StatusCode,
    consent: Consent,
    app: &App,
    this: String,
) -> Result<Response, ApiError> {
    let view = ConsentView { consent, at: app.context.clocks.bank() };
    let envelope = ResponseEnvelope { links: Links::only(this), meta: Meta::ONE_PAGE };
    Ok(json(status, W::render(&view, &envelope)?))
}
