//! The contract of accounts, their balances and their entries.

use super::facts::BankFacts;
use super::promise::{
    BankContractViolation, Promise, ensure, is_of_no_open_account, page, promises, shared, walk, window_after,
};
use crate::bank::{Bank, CallContext, EntryFilter, StatementFilter, TimeRange, read_list};
use jiff::{SignedDuration, Timestamp};
use lombard_domain::account::{AccountStatus, BalanceType, Beneficiary, EntryStatus, Transaction};
use lombard_domain::ids::BankAccountId;
use lombard_domain::money::CreditDebit;
use lombard_domain::page::{Direction, ListWindow, Position};
use std::collections::BTreeSet;

/// The promises about accounts, their balances and their entries.
pub(super) const PROMISES: &[Promise] = promises! {
    Accounts, Reads:
    "only open accounts are shared", "Closed, blocked and unknown accounts are left out of every answer."
        => only_open_accounts_are_shared;
    "an unknown account is not an empty one", "A list of accounts none of which is open says so, with Open as false."
        => an_unknown_account_is_not_an_empty_one;
    "accounts come in the order asked for", "Accounts and balances are answered in the order of the requested ids."
        => accounts_come_in_the_order_asked_for;
    "every open account has two balances", "Each open account has a booked and an available balance in its own currency."
        => every_open_account_has_two_balances;
    "a repeated read is answered alike", "The same question has the same answer while nothing changes."
        => a_repeated_read_is_answered_alike;
    "entries come newest first", "Entries come newest first, each once, and only those of the requested accounts."
        => entries_come_newest_first;
    "pages join without gap or repeat", "Small pages, read to the end, have the records of large ones; the way back has the same pages."
        => pages_join_without_gap_or_repeat;
    "bounds are inclusive", "Both bounds of a period belong to it, that of the consent as well as that of the request."
        => bounds_are_inclusive;
    "directions part the entries", "Credits and debits together are all entries, and no entry is both."
        => directions_part_the_entries;
    "the span is from the first entry to the last", "The available period does not depend on the part of it that is requested."
        => the_span_is_from_the_first_entry_to_the_last;
    "the last running balance is the booked balance", "The balance after an account's last booked entry is its booked balance, sign included."
        => the_last_running_balance_is_the_booked_balance;
};

/// A time before every entry that any calendar can represent.
const LONG_AGO: Timestamp = Timestamp::constant(-2_208_988_800, 0);

fn all_of(accounts: &[BankAccountId]) -> EntryFilter {
    EntryFilter::for_accounts(accounts.to_vec())
}

/// Closed, blocked and unknown accounts are omitted from every answer (AIS-082).
///
/// # Errors
/// [`BankContractViolation`].
pub(super) async fn only_open_accounts_are_shared(
    bank: &dyn Bank,
    facts: &BankFacts,
) -> Result<(), BankContractViolation> {
    const PROMISE: &str = "only open accounts are shared";
    ensure(bank.eligible_accounts(&CallContext::default(), &facts.nobody).await?.is_empty(), PROMISE, &facts.nobody)?;
    ensure(bank.list_accounts(&CallContext::default(), &facts.withheld).await?.is_empty(), PROMISE, &facts.withheld)?;
    ensure(bank.list_balances(&CallContext::default(), &facts.withheld).await?.is_empty(), PROMISE, &facts.withheld)?;
    let open = bank.eligible_accounts(&CallContext::default(), &facts.psu).await?;
    let enabled = open.iter().all(|account| account.status == AccountStatus::Enabled);
    ensure(enabled && open.iter().all(|account| !account.identifications.is_empty()), PROMISE, &open)
}

/// A list for accounts none of which is open differs from the empty list of an open account (AIS-082).
///
/// # Errors
/// [`BankContractViolation`].
pub(super) async fn an_unknown_account_is_not_an_empty_one(
    bank: &dyn Bank,
    facts: &BankFacts,
) -> Result<(), BankContractViolation> {
    const PROMISE: &str = "an unknown account is not an empty one";
    let (call, window) = (CallContext::default(), ListWindow::first_page(5));
    for id in &facts.withheld {
        let one = [id.clone()];
        let entries = bank.list_transactions(&call, &all_of(&one), TimeRange::ALWAYS, &window).await?;
        ensure(is_of_no_open_account(&entries), PROMISE, (id, &entries))?;
        let filter = StatementFilter::for_accounts(one.to_vec());
        let statements = bank.list_statements(&call, &filter, TimeRange::ALWAYS, &window).await?;
        ensure(is_of_no_open_account(&statements), PROMISE, (id, &statements))?;
        let payees = read_list::<Beneficiary>(bank, &call, &one, &window).await?;
        ensure(is_of_no_open_account(&payees), PROMISE, (id, &payees))?;
    }
    Ok(())
}

/// A repeated query has the same answer while nothing changes.
///
/// # Errors
/// [`BankContractViolation`].
pub(super) async fn a_repeated_read_is_answered_alike(
    bank: &dyn Bank,
    facts: &BankFacts,
) -> Result<(), BankContractViolation> {
    const PROMISE: &str = "a repeated read is answered alike";
    let call = CallContext::default();
    let ids = shared(bank, facts).await?;
    let (first, second) = (bank.list_accounts(&call, &ids).await?, bank.list_accounts(&call, &ids).await?);
    ensure(first == second, PROMISE, (&first, &second))?;
    let window = ListWindow::first_page(20);
    let first = bank.list_transactions(&call, &all_of(&ids), TimeRange::ALWAYS, &window).await?;
    let second = bank.list_transactions(&call, &all_of(&ids), TimeRange::ALWAYS, &window).await?;
    ensure(first == second, PROMISE, (&first, &second))
}

/// Accounts and balances are returned in the order of the requested ids.
///
/// # Errors
/// [`BankContractViolation`].
pub(super) async fn accounts_come_in_the_order_asked_for(
    bank: &dyn Bank,
    facts: &BankFacts,
) -> Result<(), BankContractViolation> {
    const PROMISE: &str = "accounts come in the order asked for";
    let mut ids = shared(bank, facts).await?;
    for _ in 0..2 {
        ids.reverse();
        let accounts: Vec<_> =
            bank.list_accounts(&CallContext::default(), &ids).await?.into_iter().map(|account| account.id).collect();
        ensure(accounts == ids, PROMISE, (&ids, &accounts))?;
        let mut balances: Vec<_> = bank
            .list_balances(&CallContext::default(), &ids)
            .await?
            .into_iter()
            .map(|balance| balance.account)
            .collect();
        balances.dedup();
        ensure(balances == ids, PROMISE, (&ids, &balances))?;
    }
    Ok(())
}

/// Each open account has a booked and an available balance in its own currency (AIS-110, AIS-111).
///
/// # Errors
/// [`BankContractViolation`].
pub(super) async fn every_open_account_has_two_balances(
    bank: &dyn Bank,
    facts: &BankFacts,
) -> Result<(), BankContractViolation> {
    for account in bank.eligible_accounts(&CallContext::default(), &facts.psu).await? {
        let balances = bank.list_balances(&CallContext::default(), std::slice::from_ref(&account.id)).await?;
        for kind in [BalanceType::InterimAvailable, BalanceType::InterimBooked] {
            let once = balances.iter().filter(|balance| balance.kind == kind).count() == 1;
            ensure(once, "every open account has two balances", &balances)?;
        }
        let own_currency = balances.iter().all(|balance| balance.sum.currency() == account.currency);
        ensure(own_currency, "a balance is in its account's currency", &balances)?;
    }
    Ok(())
}

/// Entries are returned newest first with the id as tie-break (RW-277), each once, and only those of the requested
/// accounts.
///
/// # Errors
/// [`BankContractViolation`].
pub(super) async fn entries_come_newest_first(bank: &dyn Bank, facts: &BankFacts) -> Result<(), BankContractViolation> {
    let ids = shared(bank, facts).await?;
    let page = page(bank, &all_of(&ids), &ListWindow::first_page(200)).await?;
    ensure(!page.items.is_empty(), "the facts name accounts with entries", &ids)?;
    let place = |entry: &Transaction| Position { at: entry.booked_at, id: entry.id.as_str().to_owned() };
    let times_fall = page.items.is_sorted_by(|newer, older| newer.booked_at >= older.booked_at);
    ensure(times_fall, "entries come newest first", page.items.iter().map(place).collect::<Vec<_>>())?;
    let distinct: BTreeSet<_> = page.items.iter().map(place).collect();
    ensure(distinct.len() == page.items.len(), "each entry comes once", distinct.len())?;
    let own = page.items.iter().all(|entry| ids.contains(&entry.account));
    ensure(own, "entries are of the accounts asked for", &ids)
}

/// Small pages, read to the end, contain the same records as large ones; the page before the second is the first.
///
/// # Errors
/// [`BankContractViolation`].
pub(super) async fn pages_join_without_gap_or_repeat(
    bank: &dyn Bank,
    facts: &BankFacts,
) -> Result<(), BankContractViolation> {
    const PROMISE: &str = "pages join without gap or repeat";
    for id in shared(bank, facts).await? {
        let filter = all_of(&[id]);
        let (small, large) = (walk(bank, &filter, 37).await?, walk(bank, &filter, 1_000).await?);
        ensure(small == large, PROMISE, (small.len(), large.len()))?;
        let first = page(bank, &filter, &ListWindow::first_page(10)).await?;
        ensure(first.prev.is_none(), "nothing lies before the first page", &first.prev)?;
        let Some(window) = window_after(&first, 10) else { continue };
        let second = page(bank, &filter, &window).await?;
        let Some(prev) = second.prev.clone() else {
            return ensure(false, "the second page has one before it", &filter);
        };
        let back = ListWindow { from: Some((Direction::Prev, prev)), as_of: Some(second.as_of), size: 10 };
        let again = page(bank, &filter, &back).await?;
        ensure(again.items == first.items, PROMISE, (again.items.len(), first.items.len()))?;
    }
    Ok(())
}

/// Both bounds of a period are inclusive (AIS-091, AIS-124); entries just beyond them are excluded.
///
/// # Errors
/// [`BankContractViolation`].
pub(super) async fn bounds_are_inclusive(bank: &dyn Bank, facts: &BankFacts) -> Result<(), BankContractViolation> {
    let ids = shared(bank, facts).await?;
    let Some(entry) = page(bank, &all_of(&ids), &ListWindow::first_page(100)).await?.items.pop() else { return Ok(()) };
    let micro = SignedDuration::from_micros(1);
    let moved = |by| entry.booked_at.saturating_add(by).unwrap_or(Timestamp::MAX);
    for (from, to, inside) in [
        (entry.booked_at, entry.booked_at, true),
        (moved(micro), Timestamp::MAX, false),
        (LONG_AGO, moved(-micro), false),
    ] {
        let filter = EntryFilter { from: Some(from), to: Some(to), ..all_of(std::slice::from_ref(&entry.account)) };
        let found = walk(bank, &filter, 500).await?.iter().any(|found| found.id == entry.id);
        ensure(found == inside, "bounds are inclusive", (from, to, found))?;
    }
    Ok(())
}

/// Credits and debits together are all entries, and no entry is both (AIS-041).
///
/// # Errors
/// [`BankContractViolation`].
pub(super) async fn directions_part_the_entries(
    bank: &dyn Bank,
    facts: &BankFacts,
) -> Result<(), BankContractViolation> {
    const PROMISE: &str = "directions part the entries";
    let ids = shared(bank, facts).await?;
    let mut counted = 0_usize;
    for direction in [CreditDebit::Credit, CreditDebit::Debit] {
        let filter = EntryFilter { direction: Some(direction), ..all_of(&ids) };
        let entries = walk(bank, &filter, 1_000).await?;
        ensure(entries.iter().all(|entry| entry.sum.direction() == direction), PROMISE, direction)?;
        counted = counted.saturating_add(entries.len());
    }
    let all = walk(bank, &all_of(&ids), 1_000).await?.len();
    ensure(counted == all, PROMISE, (counted, all))
}

/// The available period reaches from the oldest covered entry to the newest, whatever part of it is requested (AIS-096). Without
/// entries there is no available period.
///
/// # Errors
/// [`BankContractViolation`].
pub(super) async fn the_span_is_from_the_first_entry_to_the_last(
    bank: &dyn Bank,
    facts: &BankFacts,
) -> Result<(), BankContractViolation> {
    const PROMISE: &str = "the span is from the first entry to the last";
    let filter = all_of(&shared(bank, facts).await?);
    let entries = walk(bank, &filter, 1_000).await?;
    let expected = entries.last().zip(entries.first()).map(|(oldest, newest)| (oldest.booked_at, newest.booked_at));
    let newest = expected.map(|(_, newest)| newest);
    let never = TimeRange { to: Some(LONG_AGO), ..TimeRange::ALWAYS };
    for (asked, some) in [(TimeRange::ALWAYS, true), (TimeRange { from: newest, to: None }, true), (never, false)] {
        let answer =
            bank.list_transactions(&CallContext::default(), &filter, asked, &ListWindow::first_page(1)).await?;
        let kept = answer.available == expected && answer.has_open_account && answer.page.items.is_empty() != some;
        ensure(kept, PROMISE, (asked, answer.available, expected))?;
    }
    let nothing = EntryFilter { to: Some(LONG_AGO), ..filter };
    let answer = bank
        .list_transactions(&CallContext::default(), &nothing, TimeRange::ALWAYS, &ListWindow::first_page(1))
        .await?;
    let none = answer.has_open_account && answer.available.is_none() && answer.page.items.is_empty();
    ensure(none, PROMISE, "a span without entries")?;
    let answer = bank
        .list_transactions(
            &CallContext::default(),
            &all_of(&facts.withheld),
            TimeRange::ALWAYS,
            &ListWindow::first_page(1),
        )
        .await?;
    ensure(is_of_no_open_account(&answer), "entries of withheld accounts are left out", &answer)
}

/// The balance after an account's last booked entry equals its booked balance.
///
/// # Errors
/// [`BankContractViolation`].
pub(super) async fn the_last_running_balance_is_the_booked_balance(
    bank: &dyn Bank,
    facts: &BankFacts,
) -> Result<(), BankContractViolation> {
    for id in shared(bank, facts).await? {
        let balances = bank.list_balances(&CallContext::default(), std::slice::from_ref(&id)).await?;
        let booked = balances.iter().find(|balance| balance.kind == BalanceType::InterimBooked).map(|found| found.sum);
        let entries = page(bank, &all_of(&[id]), &ListWindow::first_page(200)).await?.items;
        let last = entries.iter().find(|entry| entry.status == EntryStatus::Booked);
        let running = last.and_then(|entry| entry.balance).map(|after| after.sum);
        ensure(running == booked, "the last running balance is the booked balance", (running, booked))?;
    }
    Ok(())
}
