//! Reading an account resource: the use-case that all of them share.

use super::cursor::Cursors;
use super::{AccountResource, AccountScope, ReadTarget, ResourcePage, ResourceQuery};
use crate::{Context, Failure};
use lombard_domain::account::{Aliased, Statement};
use lombard_domain::consent::{AccountAccess, Consent, Permission, SelectedAccount};
use lombard_domain::ids::{AccountId, BankAccountId, StatementId};
use lombard_domain::page::ListWindow;
use lombard_domain::refusal::{Refusal, RefusalKind};
use lombard_ports::bank::{Bank, BankError, CallContext, ListAnswer, ListVersion};
use lombard_ports::store::Owned;
use std::marker::PhantomData;

/// Reads a page of a resource.
///
/// # Errors
/// [`Failure::Refused`]: page, permission, account, statement, in this order; otherwise the bank's or storage's failure.
pub async fn read_resource<R: AccountResource>(
    context: &Context,
    consent: &Consent,
    within: &ReadTarget,
    query: &ResourceQuery,
) -> Result<ResourcePage<R::Seen>, Failure> {
    begin_read::<R>(context, consent, within, query).await?.page().await
}

/// A read that is allowed: query, permission and ids have been checked, but the records have not been read.
#[derive(Debug)]
pub struct ResourceRead<'a, R> {
    bank: &'a dyn Bank,
    call: &'a CallContext,
    cursors: Cursors<'a>,
    window: ListWindow,
    scope: AccountScope<'a>,
    resource: PhantomData<fn() -> R>,
}

/// Checks the request for a resource, without reading records.
///
/// # Errors
/// As [`read_resource`], except for an account that is no longer open.
pub async fn begin_read<'a, R: AccountResource>(
    context: &'a Context,
    consent: &'a Consent,
    within: &'a ReadTarget,
    query: &'a ResourceQuery,
) -> Result<ResourceRead<'a, R>, Failure> {
    let access = access(context, consent)?;
    let cursors = Cursors { key: &context.alias_key, consent: &consent.id, resource: R::NAME, within, query };
    let window = cursors.window()?;
    permitted(access, R::READ)?;
    let scope = scope(context, consent, access, within).await?;
    Ok(ResourceRead { bank: &*context.bank, call: &context.call, cursors, window, scope, resource: PhantomData })
}

impl<R: AccountResource> ResourceRead<'_, R> {
    /// The version of the list, if the bank keeps versions. While the version is the same, [`page`](Self::page) returns the same
    /// page for the same query under an unchanged consent. The caller reads the version before the page, so a page cached under a
    /// version may be newer than the version but never older.
    ///
    /// # Errors
    /// The bank's failure.
    pub async fn version(&self) -> Result<Option<ListVersion>, Failure> {
        Ok(R::version(self.bank, self.call, &self.scope).await?)
    }

    /// Whether the page carries its version, so that a caller without a cached page need not query the version first.
    pub fn pages_carry_versions(&self) -> bool {
        self.bank.pages_carry_versions()
    }

    /// Reads the page.
    ///
    /// # Errors
    /// [`RefusalKind::AccountNotSelected`] if the account is no longer open, the bank's failure otherwise.
    pub async fn page(&self) -> Result<ResourcePage<R::Seen>, Failure> {
        if self.scope.is_empty() {
            return Ok(ResourcePage::EMPTY);
        }
        let answer = R::fetch(self.bank, self.call, &self.scope, self.cursors.query, &self.window).await?;
        if !answer.has_open_account && *self.cursors.within != ReadTarget::Consent {
            return Err(Refusal::from_kind(RefusalKind::AccountNotSelected).into());
        }
        listing::<R>(&self.cursors, &self.scope, answer)
    }
}

/// The terms of a consent that gives access now.
///
/// # Errors
/// [`RefusalKind::AccessEnded`].
pub(super) fn access<'a>(context: &Context, consent: &'a Consent) -> Result<&'a AccountAccess, Refusal> {
    consent.check_access(context.clocks.bank_now())?;
    consent.request.account_access().ok_or(Refusal::from_kind(RefusalKind::PermissionMissing))
}

/// Checks that the consent holds a permission of each group. Source: AIS-040.
///
/// # Errors
/// [`RefusalKind::PermissionMissing`].
pub(super) fn permitted(access: &AccountAccess, groups: &[&[Permission]]) -> Result<(), Refusal> {
    let lacking = groups.iter().find(|group| !access.permissions.contains_any(group));
    lacking.map_or(Ok(()), |group| Err(Refusal::lacking_one_of(group.iter().map(|permission| permission.name()))))
}

/// The accounts that a request covers, and the statement, if the request names one.
///
/// # Errors
/// [`Failure::Refused`]: account, then statement; otherwise the bank's or storage's failure.
pub(super) async fn scope<'a>(
    context: &Context,
    consent: &'a Consent,
    access: &'a AccountAccess,
    within: &ReadTarget,
) -> Result<AccountScope<'a>, Failure> {
    let Some(account) = within.account() else {
        return Ok(AccountScope::new(consent, access, &consent.accounts));
    };
    let selected = match consent.accounts.iter().find(|selected| selected.alias == *account) {
        Some(selected) => selected,
        None => return Err(why_not_selected(context, consent, account).await?.into()),
    };
    let scope = AccountScope::new(consent, access, std::slice::from_ref(selected));
    match within.statement() {
        None => Ok(scope),
        Some(id) => {
            let statement = statement(context, selected, id).await?;
            if !scope.covers(&statement) {
                return Err(Refusal::from_kind(RefusalKind::OutsidePeriod).into());
            }
            Ok(scope.on(statement))
        }
    }
}

/// A statement of an account that is still open. Source: AIS-082, AIS-145.
async fn statement(context: &Context, selected: &SelectedAccount, id: &StatementId) -> Result<Statement, Failure> {
    if let Some(statement) = context.bank.find_statement(&context.call, &selected.account, id).await? {
        return Ok(statement);
    }
    let open = context.bank.list_accounts(&context.call, std::slice::from_ref(&selected.account)).await?;
    let why = if open.is_empty() { RefusalKind::AccountNotSelected } else { RefusalKind::NotFound };
    Err(Refusal::from_kind(why).into())
}

fn listing<R: AccountResource>(
    cursors: &Cursors<'_>,
    scope: &AccountScope<'_>,
    answer: ListAnswer<R::Item>,
) -> Result<ResourcePage<R::Seen>, Failure> {
    let (prev, next) = cursors.around(&answer.page);
    let show = |item: R::Item| {
        let alias = scope.alias(R::account(&item)).cloned().ok_or_else(foreign_record)?;
        Ok(Aliased { alias, record: R::redact(item, scope.granted()) })
    };
    let items = answer.page.items.into_iter().map(show).collect::<Result<Vec<_>, BankError>>()?;
    Ok(ResourcePage { items, prev, next, available: answer.available, version: answer.version })
}

/// Rejects records of accounts that the request did not name.
fn foreign_record() -> BankError {
    BankError::Broken("a record of an account that was not asked for".to_owned())
}

/// The refusal for an id that is not among the consent's accounts. Source: AIS-088, RW-102, RW-104, RW-107.
async fn why_not_selected(context: &Context, consent: &Consent, account: &AccountId) -> Result<Refusal, Failure> {
    let (client, account) = (consent.client.clone(), account.clone());
    let known: Owned<BankAccountId> =
        context.store.read(move |tx| Ok::<_, Failure>(tx.account_by_alias(&client, &account)?)).await?;
    Ok(Refusal::from_kind(match known {
        Owned::Mine(_) => RefusalKind::AccountNotSelected,
        Owned::Foreign => RefusalKind::ForeignOwner,
        Owned::Absent => RefusalKind::NotFound,
    }))
}
