//! What an account shows to a TPP: one generic pair of use-cases, by account and across the accounts of a consent.
//!
//! A resource says what it is by [`AccountResource`]; everything that holds for all of them (who may see it, which
//! accounts, how it is paged) is written once, here. The order of checks is that of RW-025: query, permission, id.

mod cursor;
mod redaction;
mod resources;
mod scope;
mod slice;
#[cfg(test)]
pub(crate) mod tests;

pub use resources::{Accounts, Balances, Transactions};
pub use scope::AccountScope;

use crate::{Context, Failure};
use cursor::Cursors;
use jiff::Timestamp;
use lombard_domain::account::Shown;
use lombard_domain::consent::{AccountAccess, Consent, Permission, Permissions, SelectedAccount, Terms};
use lombard_domain::ids::{AccountId, BankAccountId};
use lombard_domain::page::Window;
use lombard_domain::refusal::{Refusal, RefusalKind};
use lombard_ports::bank::{Answer, Bank, BankError, Period};
use lombard_ports::store::Owned;
use std::future::Future;

/// A resource of accounts. A new one is this impl, a way for the bank to be asked, and a way to write it.
pub trait AccountResource: Send + Sync + 'static {
    /// One record.
    type Item: Send;
    /// The resource's name, as in its path.
    const NAME: &'static str;
    /// Of each of these groups the consent must hold at least one permission. Source: T6.
    const READ: &'static [&'static [Permission]];
    /// How a caller may narrow the list.
    const FILTER: Filter;

    /// Asks the bank.
    fn fetch(
        bank: &dyn Bank,
        scope: &AccountScope<'_>,
        query: &Query,
        window: &Window,
    ) -> impl Future<Output = Result<Answer<Self::Item>, BankError>> + Send;

    /// Whose record it is.
    fn account(item: &Self::Item) -> &BankAccountId;

    /// Takes out what these permissions do not open. Source: T7, AIS-050 to AIS-054.
    fn redact(item: Self::Item, granted: Permissions) -> Self::Item;
}

/// How a caller may narrow a list. Source: RW-270.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Filter {
    /// Not at all; filters are ignored.
    None,
    /// By the time of booking.
    Booking,
}

/// What a caller asks of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Query {
    /// Records at or after this time.
    pub from: Option<Timestamp>,
    /// Records at or before this time.
    pub to: Option<Timestamp>,
    /// Which page, in the words of an earlier answer's [`Listing`].
    pub page: Option<String>,
    /// Most records on a page.
    pub page_size: usize,
}

impl Query {
    /// The whole list, from its first page.
    pub const fn first(page_size: usize) -> Self {
        Self { from: None, to: None, page: None, page_size }
    }

    /// The time asked for.
    pub const fn period(&self) -> Period {
        Period { from: self.from, to: self.to }
    }
}

/// A page of a resource, as its TPP may see it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listing<T> {
    /// The records.
    pub items: Vec<Shown<T>>,
    /// What to ask for to get the page before, if there is one. Opaque. Source: RW-275.
    pub prev: Option<String>,
    /// What to ask for to get the page after, if there is one. Opaque.
    pub next: Option<String>,
    /// First and last time available under the consent.
    pub available: Option<(Timestamp, Timestamp)>,
}

/// The resource of one account.
///
/// # Errors
/// [`Failure::Refused`]: page or permission or account, in this order; otherwise the bank's or storage's failure.
pub async fn by_account<R: AccountResource>(
    context: &Context,
    consent: &Consent,
    account: &AccountId,
    query: &Query,
) -> Result<Listing<R::Item>, Failure> {
    let visit = Visit::begin::<R>(context, consent, Some(account), query)?;
    let selected = match consent.accounts.iter().find(|selected| selected.alias == *account) {
        Some(selected) => selected,
        None => return Err(why_not_selected(context, consent, account).await?.into()),
    };
    let scope = AccountScope::new(visit.access, std::slice::from_ref(selected));
    let answer = R::fetch(&*context.bank, &scope, query, &visit.window).await?;
    if !answer.open {
        return Err(Refusal::of(RefusalKind::AccountNotSelected).into());
    }
    visit.listing::<R>(&scope, answer)
}

/// The resource across all accounts of the consent. Source: AIS-081, AIS-084.
///
/// # Errors
/// [`Failure::Refused`]: page or permission, in this order; otherwise the bank's failure.
pub async fn across<R: AccountResource>(
    context: &Context,
    consent: &Consent,
    query: &Query,
) -> Result<Listing<R::Item>, Failure> {
    let visit = Visit::begin::<R>(context, consent, None, query)?;
    let scope = AccountScope::new(visit.access, &consent.accounts);
    if consent.accounts.is_empty() {
        return Ok(Listing { items: Vec::new(), prev: None, next: None, available: None });
    }
    let answer = R::fetch(&*context.bank, &scope, query, &visit.window).await?;
    visit.listing::<R>(&scope, answer)
}

/// What is settled before any account is looked at.
struct Visit<'a> {
    access: &'a AccountAccess,
    cursors: Cursors<'a>,
    window: Window,
}

impl<'a> Visit<'a> {
    fn begin<R: AccountResource>(
        context: &'a Context,
        consent: &'a Consent,
        account: Option<&'a AccountId>,
        query: &'a Query,
    ) -> Result<Self, Refusal> {
        consent.gives_access(context.clocks.bank())?;
        let Terms::AccountAccess(access) = &consent.terms;
        let cursors = Cursors { key: &context.alias_key, consent: &consent.id, resource: R::NAME, account, query };
        let window = cursors.window()?;
        if !R::READ.iter().all(|group| access.permissions.any(group)) {
            return Err(Refusal::of(RefusalKind::PermissionMissing));
        }
        Ok(Self { access, cursors, window })
    }

    fn listing<R: AccountResource>(
        &self,
        scope: &AccountScope<'_>,
        answer: Answer<R::Item>,
    ) -> Result<Listing<R::Item>, Failure> {
        let (prev, next) = self.cursors.around(&answer.page);
        let show = |item: R::Item| {
            let alias = scope.alias(R::account(&item)).cloned().ok_or_else(foreign_record)?;
            Ok(Shown { alias, record: R::redact(item, self.access.permissions) })
        };
        let items = answer.page.items.into_iter().map(show).collect::<Result<Vec<_>, BankError>>()?;
        Ok(Listing { items, prev, next, available: answer.available })
    }
}

/// Nothing the bank says about an account nobody asked for may reach a TPP.
fn foreign_record() -> BankError {
    BankError::Broken("a record of an account that was not asked for".to_owned())
}

/// Why an id is not among the consent's accounts. Source: AIS-088, RW-102, RW-104, RW-107.
async fn why_not_selected(context: &Context, consent: &Consent, account: &AccountId) -> Result<Refusal, Failure> {
    let (client, account) = (consent.client.clone(), account.clone());
    let known: Owned<BankAccountId> =
        context.store.read(move |tx| Ok::<_, Failure>(tx.account_by_alias(&client, &account)?)).await?;
    Ok(Refusal::of(match known {
        Owned::Mine(_) => RefusalKind::AccountNotSelected,
        Owned::Foreign => RefusalKind::ForeignOwner,
        Owned::Absent => RefusalKind::NotFound,
    }))
}

/// Accounts in the order lists have: by the id the TPP knows. Source: RW-277.
fn by_alias(accounts: &[SelectedAccount]) -> Vec<&SelectedAccount> {
    let mut sorted: Vec<_> = accounts.iter().collect();
    sorted.sort_unstable_by(|a, b| a.alias.cmp(&b.alias));
    sorted
}
