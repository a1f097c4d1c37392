//! Accounts and what is on them: a pair of handlers for every resource, and the account itself.

use super::json;
use crate::error::ApiError;
use crate::extract::{Call, ListQuery, PsuBound};
use axum::response::Response;
use http::StatusCode;
use lombard_domain::account::{Account, Shown};
use lombard_domain::ids::AccountId;
use lombard_service::accounts::{self, AccountResource, Accounts, Listing, Query};
use lombard_wire::{Envelope, Links, Meta, Render};

/// `GET /accounts/{AccountId}/…`.
pub(crate) async fn by_account<W, R>(mut call: Call<PsuBound>) -> Result<Response, ApiError>
where
    W: Render<[Shown<R::Item>]>,
    R: AccountResource,
{
    let list = call.list_query(R::FILTER)?;
    let account: AccountId = call.path_id("AccountId").await?;
    let listing = accounts::by_account::<R>(&call.app.context, &call.grant.consent, &account, &list.query).await?;
    shown::<W, R>(&listing, &list, &call.address())
}

/// `GET /accounts`, `GET /balances`, `GET /transactions` and their like.
pub(crate) async fn across<W, R>(call: Call<PsuBound>) -> Result<Response, ApiError>
where
    W: Render<[Shown<R::Item>]>,
    R: AccountResource,
{
    let list = call.list_query(R::FILTER)?;
    let listing = accounts::across::<R>(&call.app.context, &call.grant.consent, &list.query).await?;
    shown::<W, R>(&listing, &list, &call.address())
}

/// `GET /accounts/{AccountId}`: the same class with one element, never paged. Source: AIS-100.
pub(crate) async fn one<W: Render<[Shown<Account>]>>(mut call: Call<PsuBound>) -> Result<Response, ApiError> {
    let id: AccountId = call.path_id("AccountId").await?;
    let listing =
        accounts::by_account::<Accounts>(&call.app.context, &call.grant.consent, &id, &Query::first(1)).await?;
    let envelope = Envelope { links: Links::only(call.address()), meta: Meta::ONE_PAGE };
    Ok(json(StatusCode::OK, W::render(&listing.items, &envelope)?))
}

/// Writes a page with its neighbours' addresses. How many pages there are is only known when there is one (RW-275).
fn shown<W, R>(listing: &Listing<R::Item>, list: &ListQuery, address: &str) -> Result<Response, ApiError>
where
    W: Render<[Shown<R::Item>]>,
    R: AccountResource,
{
    let page = |cursor: &Option<String>| cursor.as_deref().map(|cursor| list.address(address, Some(cursor)));
    let whole = listing.prev.is_none() && listing.next.is_none();
    let envelope = Envelope {
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
