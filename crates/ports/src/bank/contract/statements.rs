//! The contract of statements: complete periods, balances that agree with the entries, and no statements of other accounts.

use super::facts::BankFacts;
use super::promise::{
    BankContractViolation, PageProgress, Promise, ensure, is_of_no_open_account, promises, shared, walk, window_after,
};
use crate::bank::{Bank, CallContext, EntryFilter, StatementFilter, StatementFormat, TimeRange};
use jiff::{SignedDuration, Timestamp};
use lombard_domain::account::{EntryStatus, Statement, StatementAmountType};
use lombard_domain::ids::BankAccountId;
use lombard_domain::page::ListWindow;

/// The promises of statements.
pub(super) const PROMISES: &[Promise] = promises! {
    Accounts, Reads:
    "statements come newest first", "The statement with the latest end comes first, each once; small pages have the records of large ones."
        => come_newest_first_and_page;
    "statements lie wholly in the period", "Only statements wholly within the period are answered."
        => lie_wholly_in_the_period;
    "statements belong to their account", "A statement and its file are found under their own account only."
        => belong_to_their_account;
    "statements add up", "The entries on a statement lead from its opening to its closing balance, and periods have no gaps."
        => add_up;
};

/// Every statement that matches a filter, read page by page.
async fn all(bank: &dyn Bank, filter: &StatementFilter, size: usize) -> Result<Vec<Statement>, BankContractViolation> {
    let mut page = bank
        .list_statements(&CallContext::default(), filter, TimeRange::ALWAYS, &ListWindow::first_page(size))
        .await?
        .page;
    let (mut list, mut progress) = (Vec::new(), PageProgress::default());
    loop {
        let following = window_after(&page, size);
        ensure(page.items.len() <= size, "a page has at most the statements asked for", page.items.len())?;
        progress.note(&page, |statement| statement.id.as_str().to_owned())?;
        list.append(&mut page.items);
        match following {
            Some(window) => {
                page = bank.list_statements(&CallContext::default(), filter, TimeRange::ALWAYS, &window).await?.page
            }
            None => return Ok(list),
        }
    }
}

/// Statements are returned latest end first (RW-277). Small and large pages contain the same statements. Withheld accounts have
/// none.
async fn come_newest_first_and_page(bank: &dyn Bank, facts: &BankFacts) -> Result<(), BankContractViolation> {
    let filter = StatementFilter::for_accounts(shared(bank, facts).await?);
    let list = all(bank, &filter, 1_000).await?;
    ensure(!list.is_empty(), "the facts name accounts with statements", &filter)?;
    let falls = list.is_sorted_by(|newer, older| (newer.ends_at, &newer.id) > (older.ends_at, &older.id));
    ensure(falls, "statements come newest first, each once", list.len())?;
    ensure(all(bank, &filter, 3).await? == list, "pages join without gap or repeat", list.len())?;
    let withheld = bank
        .list_statements(
            &CallContext::default(),
            &StatementFilter::for_accounts(facts.withheld.clone()),
            TimeRange::ALWAYS,
            &ListWindow::first_page(5),
        )
        .await?;
    ensure(is_of_no_open_account(&withheld), "statements of withheld accounts are left out", &withheld)
}

/// Only statements wholly within the period are returned. Source: AIS-092, AIS-096, AIS-143.
async fn lie_wholly_in_the_period(bank: &dyn Bank, facts: &BankFacts) -> Result<(), BankContractViolation> {
    const PROMISE: &str = "statements lie wholly in the period";
    let covered = StatementFilter::for_accounts(shared(bank, facts).await?);
    let list = all(bank, &covered, 1_000).await?;
    let span = list.iter().map(|it| it.starts_at).min().zip(list.iter().map(|it| it.ends_at).max());
    let Some(one) = list.get(list.len().div_euclid(2)) else { return Ok(()) };
    let micro = SignedDuration::from_micros(1);
    let moved = |at: Timestamp, by| at.saturating_add(by).unwrap_or(at);
    for (from, to, inside) in [
        (one.starts_at, one.ends_at, true),
        (moved(one.starts_at, micro), one.ends_at, false),
        (one.starts_at, moved(one.ends_at, -micro), false),
    ] {
        let period = TimeRange { from: Some(from), to: Some(to) };
        let asked =
            bank.list_statements(&CallContext::default(), &covered, period, &ListWindow::first_page(1_000)).await?;
        ensure(asked.available == span, "what is available does not depend on what is asked", asked.available)?;
        ensure(asked.page.items.iter().any(|it| it.id == one.id) == inside, PROMISE, period)?;
        let narrow = StatementFilter { from: Some(from), to: Some(to), ..covered.clone() };
        let narrow = bank
            .list_statements(&CallContext::default(), &narrow, TimeRange::ALWAYS, &ListWindow::first_page(1_000))
            .await?;
        ensure(narrow.page.items == asked.page.items, PROMISE, "a consent's period counts as a caller's")?;
    }
    Ok(())
}

/// A statement is found under its own account only. Source: AIS-145.
async fn belong_to_their_account(bank: &dyn Bank, facts: &BankFacts) -> Result<(), BankContractViolation> {
    let ids = shared(bank, facts).await?;
    let list = all(bank, &StatementFilter::for_accounts(ids.clone()), 1_000).await?;
    let Some(one) = list.first() else { return Ok(()) };
    let found = bank.find_statement(&CallContext::default(), &one.account, &one.id).await?;
    ensure(found.as_ref() == Some(one), "a statement is found by its id", &found)?;
    let others = ids.iter().filter(|id| **id != one.account).chain(&facts.withheld);
    for account in others {
        let found = bank.find_statement(&CallContext::default(), account, &one.id).await?;
        ensure(found.is_none(), "a statement is found under its own account only", account)?;
        let file = bank.read_statement_file(&CallContext::default(), account, &one.id, StatementFormat::Pdf).await?;
        ensure(file.is_none(), "a file is found under its statement's account only", account)?;
    }
    let none = bank.find_statement(&CallContext::default(), &one.account, &"no such statement".into()).await?;
    ensure(none.is_none(), "an unknown statement is absent", none)
}

/// Periods follow each other without gaps. The entries on a statement (AIS-147) agree with its balances and refer to
/// it.
async fn add_up(bank: &dyn Bank, facts: &BankFacts) -> Result<(), BankContractViolation> {
    for account in shared(bank, facts).await? {
        let mut list = all(bank, &StatementFilter::for_accounts(vec![account.clone()]), 1_000).await?;
        list.reverse();
        let mut before: Option<&Statement> = None;
        for statement in &list {
            adds_up(bank, &account, statement, before).await?;
            before = Some(statement);
        }
    }
    Ok(())
}

async fn adds_up(
    bank: &dyn Bank,
    account: &BankAccountId,
    statement: &Statement,
    before: Option<&Statement>,
) -> Result<(), BankContractViolation> {
    let amount = |of: &Statement, kind| of.amounts.iter().find(|(it, _)| *it == kind).map(|(_, sum)| sum.minor());
    let opening = amount(statement, StatementAmountType::StartingBalance);
    let closing = amount(statement, StatementAmountType::ClosingBalance);
    let on_it =
        EntryFilter { statement: Some(statement.id.clone()), ..EntryFilter::for_accounts(vec![account.clone()]) };
    let entries = walk(bank, &on_it, 200).await?;
    let sum = entries.iter().fold(0_i64, |sum, entry| sum.saturating_add(entry.sum.minor()));
    let sums_agree = opening.zip(closing).is_some_and(|(opening, closing)| opening.saturating_add(sum) == closing);
    ensure(sums_agree, "a statement's entries lead from its opening to its closing balance", (opening, sum, closing))?;
    let period = TimeRange { from: Some(statement.starts_at), to: Some(statement.ends_at) };
    for entry in &entries {
        let refers = statement.reference.as_ref().is_none_or(|text| entry.statement_references.contains(text));
        let kept = refers && entry.status == EntryStatus::Booked && period.contains(entry.booked_at);
        ensure(kept, "entries on a statement are booked in its period and refer to it", &entry.id)?;
    }
    let Some(before) = before else { return Ok(()) };
    let joined = before.ends_at < statement.starts_at && amount(before, StatementAmountType::ClosingBalance) == opening;
    ensure(joined, "a statement begins where the one before it ended", (before.ends_at, statement.starts_at))
}
