//! The contract of the lists of arrangements: sorted by account, then id; each record once; no record of a withheld
//! account.

use super::facts::BankFacts;
use super::promise::{
    BankContractViolation, PageProgress, Promise, ensure, is_of_no_open_account, promises, shared, window_after,
};
use crate::bank::{Bank, CallContext, ListRecord, list_records as records, read_list};
use lombard_domain::ids::BankAccountId;
use lombard_domain::page::{Direction, ListWindow, Page};

/// The sort key of a record: its account, then its id.
type SortKey<T> = fn(&T) -> (&str, &str);

/// Declares the promise of each list: its name, its records, the sort key after the account, the promise's name and the sentence.
macro_rules! declare_lists {
    ($($list:ident of $type:ident, $record:ident => $id:expr, $name:literal, $about:literal;)+) => {
        $(async fn $list(bank: &dyn Bank, facts: &BankFacts) -> Result<(), BankContractViolation> {
            keeps_its_order::<records::$type>(bank, facts, |$record| ($record.account.as_str(), $id)).await
        })+

        /// The promises of these lists.
        pub(super) const PROMISES: &[Promise] = promises! { Accounts, Reads: $($name, $about => $list;)+ };
    };
}

declare_lists! {
    beneficiaries of Beneficiary, it => it.id.as_str(), "beneficiaries keep their order",
        "Beneficiaries come by account, then id, each once, and page both ways.";
    direct_debits of DirectDebit, it => it.id.as_str(), "direct debits keep their order",
        "Direct debits come by account, then id, each once, and page both ways.";
    standing_orders of StandingOrder, it => it.id.as_str(), "standing orders keep their order",
        "Standing orders come by account, then id, each once, and page both ways.";
    scheduled_payments of ScheduledPayment, it => it.id.as_str(), "scheduled payments keep their order",
        "Scheduled payments come by account, then id, each once, and page both ways.";
    // An account has one product (AIS-180), so the id does not matter for the order.
    products of AccountProduct, it => "", "products keep their order",
        "Products come by account, at most one for each, and page both ways.";
    offers of Offer, it => it.id.as_str(), "offers keep their order",
        "Offers come by account, then id, each once, and page both ways.";
    parties of AccountParty, it => it.party.id.as_str(), "parties keep their order",
        "Parties come by account, then id, each once, and page both ways.";
}

/// Large and small pages contain the same records in order, each once; going back returns the same pages; withheld
/// accounts have no records (AIS-082, RW-272, RW-277).
async fn keeps_its_order<T: ListRecord>(
    bank: &dyn Bank,
    facts: &BankFacts,
    place: SortKey<T>,
) -> Result<(), BankContractViolation> {
    let mut accounts = shared(bank, facts).await?;
    accounts.reverse();
    let withheld = read_list::<T>(bank, &CallContext::default(), &facts.withheld, &ListWindow::first_page(5)).await?;
    ensure(is_of_no_open_account(&withheld), "records of withheld accounts are left out", (T::LIST, &withheld))?;
    let whole = read_list::<T>(bank, &CallContext::default(), &accounts, &ListWindow::first_page(10_000)).await?;
    ensure(whole.has_open_account && whole.page.is_single_page(), "a list that fits one page is whole", T::LIST)?;
    let sorted = whole.page.items.is_sorted_by(|a, b| place(a) < place(b));
    ensure(sorted, "lists come by account, then id, each record once", (T::LIST, &whole.page.items))?;
    let own = whole.page.items.iter().all(|it| accounts.iter().any(|id| id.as_str() == place(it).0));
    ensure(own, "records are of the accounts asked for", T::LIST)?;
    accounts.extend(facts.withheld.iter().cloned());
    let among = read_list::<T>(bank, &CallContext::default(), &accounts, &ListWindow::first_page(10_000)).await?;
    ensure(among == whole, "a withheld account drops out alone", T::LIST)?;
    for size in [1, 3] {
        let pages = turn_pages(bank, &accounts, place, size).await?;
        let joined: Vec<_> = pages.iter().flat_map(|page| page.items.clone()).collect();
        ensure(joined == whole.page.items, "pages join without gap or repeat", (T::LIST, size))?;
    }
    Ok(())
}

/// Reads all pages forwards, and compares each page with the page read backwards.
async fn turn_pages<T: ListRecord>(
    bank: &dyn Bank,
    accounts: &[BankAccountId],
    place: SortKey<T>,
    size: usize,
) -> Result<Vec<Page<T>>, BankContractViolation> {
    let mut pages =
        vec![read_list::<T>(bank, &CallContext::default(), accounts, &ListWindow::first_page(size)).await?.page];
    let mut progress = PageProgress::default();
    while let Some(window) = pages.last().and_then(|page| window_after(page, size)) {
        if let Some(last) = pages.last() {
            progress.note(last, |record| format!("{:?}", place(record)))?;
        }
        let page = read_list::<T>(bank, &CallContext::default(), accounts, &window).await?.page;
        ensure((1..=size).contains(&page.items.len()), "a page has at most the records asked for", T::LIST)?;
        let Some(prev) = page.prev.clone() else {
            return Err(BankContractViolation {
                promise: "the second page has one before it",
                seen: format!("{:?}", T::LIST),
            });
        };
        let back = ListWindow { from: Some((Direction::Prev, prev)), as_of: Some(page.as_of), size };
        let again = read_list::<T>(bank, &CallContext::default(), accounts, &back).await?.page;
        let same = pages.last().is_some_and(|before| before.items == again.items);
        ensure(same, "the page before is the one that was left", T::LIST)?;
        pages.push(page);
    }
    Ok(pages)
}
