//! Account information: one generic handler for every list, and one for each other form of response.
//!
//! The ids in the path determine what a request reads: a consent, an account or a statement. A new resource needs no new handler.

use crate::extract::{AuthorisedCall, ListQuery, PsuBound};
use axum::response::IntoResponse;
use bytes::Bytes;
use http::StatusCode;
use http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use jiff::tz::Offset;
use lombard_domain::account::{Aliased, Party};
use lombard_domain::consent::Permission;
use lombard_edge::endpoint::contract::{
    PagedResource, PermissionGuarded, PermissionGuardedFile, PermissionRequirement, ResourceRecord, TypedResponse,
};
use lombard_edge::endpoint_facts::ResponseMedia;
use lombard_edge::error::ApiError;
use lombard_ports::bank::StatementFormat;
use lombard_service::accounts::{self, AccountResource, ReadTarget, ResourcePage, ResourceQuery, StatementFile};
use lombard_wire::{Links, Meta, Render, ResponseEnvelope};

/// A paged list: `GET /accounts`, `GET /accounts/{AccountId}/transactions` and similar paths.
pub(crate) async fn list<W, R>(call: AuthorisedCall<PsuBound>) -> Result<TypedResponse<PagedResource<W, R>>, ApiError>
where
    W: Render<[Aliased<R::Seen>]>,
    R: AccountResource,
{
    // The query string is validated before the ids (RW-025), by the filter of the path's resource.
    let within = read_target(&call);
    let filter = within.as_ref().map_or(R::FILTER, ReadTarget::filter::<R>);
    let list = call.list_query(filter)?;
    let within = within?;
    let context = call.context();
    let read = accounts::begin_read::<R>(&context, &call.grant.consent, &within, &list.query).await?;
    let pages = &call.app.rendered_pages;
    let owner = call.page_owner();
    // The version is queried first only if there is a cached page to compare it with, or if pages carry no version.
    let asks_first = pages.contains(owner) || !read.pages_carry_versions();
    let version = if asks_first { read.version().await? } else { None };
    if let Some(page) = version.as_ref().and_then(|version| pages.find(owner, version)) {
        return Ok(TypedResponse::kept_json_bytes(page));
    }
    let mut found = read.page().await?;
    // Each version is no newer than the page.
    let version = found.version.take().or(version);
    let page = Bytes::from(render_page::<W, _>(&found, &list, &call.address())?.into_boxed_slice());
    if let Some(version) = version {
        pages.insert(owner, version, &page);
    }
    Ok(TypedResponse::json_bytes(StatusCode::OK, page))
}

/// A list with one element, which is never paged: `GET /accounts/{AccountId}` and similar paths. Source: AIS-100, AIS-146, AIS-180.
pub(crate) async fn single_element_list<W, R>(
    call: AuthorisedCall<PsuBound>,
) -> Result<TypedResponse<ResourceRecord<W, R, [Aliased<R::Seen>]>>, ApiError>
where
    W: Render<[Aliased<R::Seen>]>,
    R: AccountResource,
{
    let items = first::<R>(&call).await?;
    Ok(TypedResponse::json(StatusCode::OK, W::render(&items, &ResponseEnvelope::unpaged(call.address()))?))
}

/// One element as an object instead of a list: `GET /accounts/{AccountId}/party`. Source: AIS-185, AIS-189.
pub(crate) async fn object<W, R>(
    call: AuthorisedCall<PsuBound>,
) -> Result<TypedResponse<ResourceRecord<W, R, Option<Aliased<R::Seen>>>>, ApiError>
where
    W: Render<Option<Aliased<R::Seen>>>,
    R: AccountResource,
{
    let item = first::<R>(&call).await?.pop();
    Ok(TypedResponse::json(StatusCode::OK, W::render(&item, &ResponseEnvelope::unpaged(call.address()))?))
}

/// `GET /party`: the PSU who authorised the consent, independent of the selected accounts. Source: AIS-186.
pub(crate) async fn psu_party<W: Render<Option<Party>>>(
    call: AuthorisedCall<PsuBound>,
) -> Result<TypedResponse<PermissionGuarded<W, PsuParty, Option<Party>>>, ApiError> {
    let party = accounts::read_psu_party(&call.context(), &call.grant.consent).await?;
    Ok(TypedResponse::json(StatusCode::OK, W::render(&party, &ResponseEnvelope::unpaged(call.address()))?))
}

/// `GET /accounts/{AccountId}/statements/{StatementId}/file`. A file is the same in every version.
/// Source: AIS-155, AIS-156.
pub(crate) async fn statement_file(
    call: AuthorisedCall<PsuBound>,
) -> Result<TypedResponse<PermissionGuardedFile<StatementFiles>>, ApiError> {
    let (format, content_type, ending) = match call.media {
        ResponseMedia::Csv => (StatementFormat::Csv, "text/csv; charset=utf-8", "csv"),
        ResponseMedia::Pdf | ResponseMedia::Json | ResponseMedia::Xml | ResponseMedia::TextXml => {
            (StatementFormat::Pdf, "application/pdf", "pdf")
        }
    };
    let account = call.path_id("AccountId")?;
    let statement = call.path_id("StatementId")?;
    let context = &call.context();
    let consent = &call.grant.consent;
    let StatementFile { ends_at, bytes, .. } =
        accounts::read_statement_file(context, consent, account, statement, format).await?;
    let name = format!("attachment; filename=\"statement-{}.{ending}\"", Offset::UTC.to_datetime(ends_at).date());
    let headers = [(CONTENT_TYPE, content_type.to_owned()), (CONTENT_DISPOSITION, name)];
    Ok((StatusCode::OK, headers, bytes).into_response().into())
}

/// The permissions that allow reading the PSU's own party.
#[derive(Debug)]
pub(crate) struct PsuParty;

impl PermissionRequirement for PsuParty {
    const BY: &'static [&'static [Permission]] = accounts::PSU_PARTY_READ;
}

/// The permissions that allow downloading statement files.
#[derive(Debug)]
pub(crate) struct StatementFiles;

impl PermissionRequirement for StatementFiles {
    const BY: &'static [&'static [Permission]] = accounts::STATEMENT_FILE_READ;
}

/// The read target that the ids of the path name.
fn read_target(call: &AuthorisedCall<PsuBound>) -> Result<ReadTarget, ApiError> {
    Ok(match call.path_ids(["AccountId", "StatementId"])? {
        [None, _] => ReadTarget::Consent,
        [Some(account), None] => ReadTarget::Account(account.into()),
        [Some(account), Some(statement)] => ReadTarget::Statement(account.into(), statement.into()),
    })
}

/// Reads at most one record.
async fn first<R: AccountResource>(call: &AuthorisedCall<PsuBound>) -> Result<Vec<Aliased<R::Seen>>, ApiError> {
    let within = read_target(call)?;
    let listing =
        accounts::read_resource::<R>(&call.context(), &call.grant.consent, &within, &ResourceQuery::first_page(1))
            .await?;
    Ok(listing.items)
}

/// Renders a page with the links to the pages before and after it. `TotalPages` is known only if there is one page (RW-275).
fn render_page<W, T>(listing: &ResourcePage<T>, list: &ListQuery, address: &str) -> Result<Vec<u8>, ApiError>
where
    W: Render<[Aliased<T>]>,
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
    Ok(W::render(&listing.items, &envelope)?)
}
