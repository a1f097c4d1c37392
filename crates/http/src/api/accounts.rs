//! Accounts and what is on them: one handler for every list, and one for each other form an answer has.
//!
//! What a request is about (a consent, an account, a statement) is said by the ids of its path. A new resource needs no
//! new handler.

use super::json;
use crate::catalogue::Media;
use crate::catalogue::contract::{Answer, File, Opened, Pages, PermissionGuarded, ResourceRecord};
use crate::error::ApiError;
use crate::extract::{Call, ListQuery, PsuBound};
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use jiff::tz::Offset;
use lombard_domain::account::{Party, Shown};
use lombard_domain::consent::Permission;
use lombard_ports::bank::StatementFormat;
use lombard_service::accounts::{self, AccountResource, Listing, Query, StatementFile, Within};
use lombard_wire::{Links, Meta, Render, ResponseEnvelope};

/// A list, page by page: `GET /accounts`, `GET /accounts/{AccountId}/transactions` and their like.
pub(crate) async fn list<W, R>(mut call: Call<PsuBound>) -> Result<Answer<Pages<W, R>>, ApiError>
where
    W: Render<[Shown<R::Seen>]>,
    R: AccountResource,
{
    // The query string is judged before the ids (RW-025), by the filter that goes with the path.
    let within = within(&mut call).await;
    let filter = within.as_ref().map_or(R::FILTER, Within::filter::<R>);
    let list = call.list_query(filter)?;
    let listing = accounts::read::<R>(&call.app.context, &call.grant.consent, &within?, &list.query).await?;
    Ok(shown::<W, _>(&listing, &list, &call.address())?.into())
}

/// The same class with one element, never paged: `GET /accounts/{AccountId}` and its like.
/// Source: AIS-100, AIS-146, AIS-180.
pub(crate) async fn one<W, R>(
    mut call: Call<PsuBound>,
) -> Result<Answer<ResourceRecord<W, R, [Shown<R::Seen>]>>, ApiError>
where
    W: Render<[Shown<R::Seen>]>,
    R: AccountResource,
{
    let items = first::<R>(&mut call).await?;
    Ok(json(StatusCode::OK, W::render(&items, &unpaged(&call))?).into())
}

/// The same as an object instead of a list: `GET /accounts/{AccountId}/party`. Source: AIS-185, AIS-189.
pub(crate) async fn object<W, R>(
    mut call: Call<PsuBound>,
) -> Result<Answer<ResourceRecord<W, R, Option<Shown<R::Seen>>>>, ApiError>
where
    W: Render<Option<Shown<R::Seen>>>,
    R: AccountResource,
{
    let item = first::<R>(&mut call).await?.pop();
    Ok(json(StatusCode::OK, W::render(&item, &unpaged(&call))?).into())
}

/// `GET /party`: who authorised, whatever the accounts. Source: AIS-186.
pub(crate) async fn psu_party<W: Render<Option<Party>>>(
    call: Call<PsuBound>,
) -> Result<Answer<PermissionGuarded<W, PsuParty, Option<Party>>>, ApiError> {
    let party = accounts::psu_party(&call.app.context, &call.grant.consent).await?;
    Ok(json(StatusCode::OK, W::render(&party, &unpaged(&call))?).into())
}

/// `GET /accounts/{AccountId}/statements/{StatementId}/file`. A file is the same in every version.
/// Source: AIS-155, AIS-156.
pub(crate) async fn statement_file(mut call: Call<PsuBound>) -> Result<Answer<File<StatementFiles>>, ApiError> {
    let (format, content_type, ending) = match call.media {
        Media::Csv => (StatementFormat::Csv, "text/csv; charset=utf-8", "csv"),
        Media::Pdf | Media::Json | Media::Xml | Media::TextXml => (StatementFormat::Pdf, "application/pdf", "pdf"),
    };
    let (account, statement) = (call.path_id("AccountId").await?, call.path_id("StatementId").await?);
    let (context, consent) = (&call.app.context, &call.grant.consent);
    let StatementFile { ends_at, bytes, .. } =
        accounts::statement_file(context, consent, account, statement, format).await?;
    let name = format!("attachment; filename=\"statement-{}.{ending}\"", Offset::UTC.to_datetime(ends_at).date());
    let headers = [(CONTENT_TYPE, content_type.to_owned()), (CONTENT_DISPOSITION, name)];
    Ok((StatusCode::OK, headers, bytes).into_response().into())
}

/// What opens the party that authorised.
#[derive(Debug)]
pub(crate) struct PsuParty;

impl Opened for PsuParty {
    const BY: &'static [&'static [Permission]] = accounts::PSU_PARTY_READ;
}

/// What opens the files of statements.
#[derive(Debug)]
pub(crate) struct StatementFiles;

impl Opened for StatementFiles {
    const BY: &'static [&'static [Permission]] = accounts::STATEMENT_FILE_READ;
}

/// What the ids of the path say the request is about.
async fn within(call: &mut Call<PsuBound>) -> Result<Within, ApiError> {
    let account = call.path_id_if_any("AccountId").await?;
    let statement = call.path_id_if_any("StatementId").await?;
    Ok(match (account, statement) {
        (None, _) => Within::Consent,
        (Some(account), None) => Within::Account(account),
        (Some(account), Some(statement)) => Within::Statement(account, statement),
    })
}

/// At most one record.
async fn first<R: AccountResource>(call: &mut Call<PsuBound>) -> Result<Vec<Shown<R::Seen>>, ApiError> {
    let within = within(call).await?;
    let listing = accounts::read::<R>(&call.app.context, &call.grant.consent, &within, &Query::first(1)).await?;
    Ok(listing.items)
}

/// What stands around an answer that has no pages.
fn unpaged(call: &Call<PsuBound>) -> ResponseEnvelope {
    ResponseEnvelope { links: Links::only(call.address()), meta: Meta::ONE_PAGE }
}

/// Writes a page with its neighbours' addresses. How many pages there are is only known when there is one (RW-275).
fn shown<W, T>(listing: &Listing<T>, list: &ListQuery, address: &str) -> Result<Response, ApiError>
where
    W: Render<[Shown<T>]>,
{
    let page = |cursor: &Option<String>| cursor.as_deref().map(|cursor| list.address(address, Some(cursor)));
    let whole = listing.prev.is_none() && listing.next.is_none();
    let envelope = ResponseEnvelope {
        links: Links {
            this: list.address(address, list.query.page.as_deref()),
            first: (!whole).then(|| list.address(address, None)),
            prev: page(&listing.prev),
            next: page(&listing.next),
        },
        meta: Meta { total_pages: whole.then_some(1), available: listing.available },
    };
    Ok(json(StatusCode::OK, W::render(&listing.items, &envelope)?))
}
