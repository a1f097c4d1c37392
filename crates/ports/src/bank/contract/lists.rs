//! The contract of the lists of arrangements: sorted by account, then id; each record once; no record of a withheld
//! account.

use super::facts::BankFacts;
use super::promise::{
    BankContractViolation, PageProgress, Promise, ensure, is_of_no_open_account, promises, shared, window_after,
};
use crate::bank::{Bank, BankError, CallContext, ListAnswer};
use lombard_domain::ids::BankAccountId;
use lombard_domain::page::{Direction, ListWindow, Page};
use std::fmt::Debug;
use std::future::Future;
use std::pin::Pin;

/// The pending result of a list method of the port.
type ListCall<'a, T> = Pin<Box<dyn Future<Output = Result<ListAnswer<T>, BankError>> + Send + 'a>>;

/// Whom to ask, and for what.
type Asked<'a> = (&'a dyn Bank, &'a CallContext);

/// A list of the port: how it is requested, and the sort key of a record.
struct List<T> {
    name: &'static str,
    ask: for<'a> fn(Asked<'a>, &'a [BankAccountId], &'a ListWindow) -> ListCall<'a, T>,
    place: fn(&T) -> (&str, &str),
}

macro_rules! list {
    ($method:ident, $record:ident => $id:expr) => {
        List {
            name: stringify!($method),
            ask: |(bank, call), accounts, window| bank.$method(call, accounts, window),
            place: |$record| ($record.account.as_str(), $id),
        }
    };
}

/// Declares the promise of each list: its method, its name, the sort key after the account, and the sentence.
macro_rules! declare_lists {
    ($($method:ident, $record:ident => $id:expr, $name:literal, $about:literal;)+) => {
        $(async fn $method(bank: &dyn Bank, facts: &BankFacts) -> Result<(), BankContractViolation> {
            keeps_its_order(bank, facts, &list!($method, $record => $id)).await
        })+

        /// The promises of these lists.
        pub(super) const PROMISES: &[Promise] = promises! { Accounts, Reads: $($name, $about => $method;)+ };
    };
}

declare_lists! {
    beneficiaries, it => it.id.as_str(), "beneficiaries keep their order",
        "Beneficiaries come by account, then id, each once, and page both ways.";
    direct_debits, it => it.id.as_str(), "direct debits keep their order",
        "Direct debits come by account, then id, each once, and page both ways.";
    standing_orders, it => it.id.as_str(), "standing orders keep their order",
        "Standing orders come by account, then id, each once, and page both ways.";
    scheduled_payments, it => it.id.as_str(), "scheduled payments keep their order",
        "Scheduled payments come by account, then id, each once, and page both ways.";
    // An account has one product (AIS-180), so the id does not matter for the order.
    products, it => "", "products keep their order",
        "Products come by account, at most one for each, and page both ways.";
    offers, it => it.id.as_str(), "offers keep their order",
        "Offers come by account, then id, each once, and page both ways.";
    parties, it => it.party.id.as_str(), "parties keep their order",
        "Parties come by account, then id, each once, and page both ways.";
}

/// Large and small pages contain the same records in order, each once; going back returns the same pages; withheld
/// accounts have no records (AIS-082, RW-272, RW-277).
async fn keeps_its_order<T: Clone + PartialEq + Debug>(
    bank: &dyn Bank,
    facts: &BankFacts,
    list: &List<T>,
) -> Result<(), BankContractViolation> {
    let mut accounts = shared(bank, facts).await?;
    accounts.reverse();
    let withheld = (list.ask)((bank, &CallContext::default()), &facts.withheld, &ListWindow::first_page(5)).await?;
    ensure(is_of_no_open_account(&withheld), "records of withheld accounts are left out", (list.name, &withheld))?;
    let whole = (list.ask)((bank, &CallContext::default()), &accounts, &ListWindow::first_page(10_000)).await?;
    ensure(whole.open && whole.page.is_single_page(), "a list that fits one page is whole", list.name)?;
    let sorted = whole.page.items.is_sorted_by(|a, b| (list.place)(a) < (list.place)(b));
    ensure(sorted, "lists come by account, then id, each record once", (list.name, &whole.page.items))?;
    let own = whole.page.items.iter().all(|it| accounts.iter().any(|id| id.as_str() == (list.place)(it).0));
    ensure(own, "records are of the accounts asked for", list.name)?;
    accounts.extend(facts.withheld.iter().cloned());
    let among = (list.ask)((bank, &CallContext::default()), &accounts, &ListWindow::first_page(10_000)).await?;
    ensure(among == whole, "a withheld account drops out alone", list.name)?;
    for size in [1, 3] {
        let pages = turn_pages(bank, &accounts, list, size).await?;
        let joined: Vec<_> = pages.iter().flat_map(|page| page.items.clone()).collect();
        ensure(joined == whole.page.items, "pages join without gap or repeat", (list.name, size))?;
    }
    Ok(())
}

/// Reads all pages forwards, and checks each one against the way back.
async fn turn_pages<T: Clone + PartialEq + Debug>(
    bank: &dyn Bank,
    accounts: &[BankAccountId],
    list: &List<T>,
    size: usize,
) -> Result<Vec<Page<T>>, BankContractViolation> {
    let mut pages =
        vec![(list.ask)((bank, &CallContext::default()), accounts, &ListWindow::first_page(size)).await?.page];
    let mut progress = PageProgress::default();
    while let Some(window) = pages.last().and_then(|page| window_after(page, size)) {
        if let Some(last) = pages.last() {
            progress.note(last, |record| format!("{:?}", (list.place)(record)))?;
        }
        let page = (list.ask)((bank, &CallContext::default()), accounts, &window).await?.page;
        ensure((1..=size).contains(&page.items.len()), "a page has at most the records asked for", list.name)?;
        let Some(prev) = page.prev.clone() else {
            return Err(BankContractViolation {
                promise: "the second page has one before it",
                seen: list.name.to_owned(),
            });
        };
        let back = ListWindow { from: Some((Direction::Prev, prev)), as_of: Some(page.as_of), size };
        let again = (list.ask)((bank, &CallContext::default()), accounts, &back).await?.page;
        let same = pages.last().is_some_and(|before| before.items == again.items);
        ensure(same, "the page before is the one that was left", list.name)?;
        pages.push(page);
    }
    Ok(pages)
}
