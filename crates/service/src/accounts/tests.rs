//! The use-cases over a real store and a small bank.

mod bank;
mod lists;
mod samples;
mod statements;

pub(crate) use bank::SmallBank;
pub(crate) use samples::{
    account_party, full_account, full_beneficiary, full_scheduled_payment, full_standing_order, full_statement,
    full_transaction,
};

use super::*;
use crate::events::Outbox;
use crate::{Context, Failure, consents};
use jiff::SignedDuration;
use lombard_domain::account::{Beneficiary, PartyType, ScheduledPayment, StandingOrder, Statement, Transaction};
use lombard_domain::consent::{AccountAccess, Consent, ConsentDraft, ConsentRequest, RevokedBy};
use lombard_domain::event::{ResourceAddresses, ResourceType};
use lombard_domain::ids::{ClientId, PsuId};
use lombard_domain::money::CreditDebit;
use lombard_domain::refusal::{FaultCode, FaultLocation, RefusalKind};
use lombard_domain::submitted::Submitted;
use lombard_domain::version::Version;
use lombard_ports::bank::{StatementFormat, sample_account};
use lombard_ports::clock::{Clocks, ManualClock};
use lombard_ports::entropy::{CountingEntropy, IdGenerator};
use lombard_ports::store::StoreError;
use std::sync::Arc;

pub(crate) fn now() -> Timestamp {
    "2026-01-01T00:00:00Z".parse().unwrap()
}

/// Resource addresses of a bank whose consents and accounts can be read in both versions.
pub(crate) fn places() -> ResourceAddresses {
    let readable = [ResourceType::AccountAccessConsent, ResourceType::Account]
        .into_iter()
        .flat_map(|kind| [(kind, Version::V3_1), (kind, Version::V4_0)]);
    let places = ResourceAddresses::new("https://bank.example", "https://mtls.bank.example/open-banking");
    ResourceAddresses { readable: readable.collect(), ..places }
}

pub(crate) async fn context(bank: SmallBank) -> (Context, ManualClock) {
    let clock = ManualClock::starting_at(now());
    let clocks = Clocks::new(Arc::new(clock.clone()));
    let ids = IdGenerator::new(Arc::new(CountingEntropy::default()), clocks.clone());
    let context = Context {
        store: lombard_store::open_temporary_store().await.unwrap(),
        bank: Arc::new(bank),
        outbox: Outbox::new(places(), ids.clone(), clocks.clone()),
        ids,
        clocks,
        alias_key: Arc::from(*b"a key of the tests"),
        call: Arc::default(),
        payments: crate::payments::PaymentSettings::default(),
    };
    (context, clock)
}

fn at(hour: i64) -> Timestamp {
    Timestamp::from_second(hour * 3600).unwrap()
}

fn terms(permissions: &[Permission]) -> AccountAccess {
    AccountAccess {
        permissions: permissions.iter().copied().chain([Permission::ReadAccountsBasic]).collect(),
        transactions_from: None,
        transactions_to: None,
    }
}

pub(crate) fn draft(access: AccountAccess, expires_at: Option<Timestamp>) -> ConsentDraft {
    let submitted = Submitted { version: Version::V3_1, json: r#"{"Permissions":[]}"#.into() };
    ConsentDraft { request: ConsentRequest::AccountAccess(access), expires_at, submitted }
}

/// A consent of `acme`, authorised by amelia for these accounts.
pub(crate) async fn authorised(context: &Context, client: &str, access: AccountAccess, accounts: &[&str]) -> Consent {
    let expires_at = Some(now() + SignedDuration::from_hours(1));
    let consent = consents::create_consent(context, &ClientId::from(client), draft(access, expires_at)).await.unwrap();
    let accounts: Vec<_> = accounts.iter().copied().map(BankAccountId::from).collect();
    let inside = context.clone();
    let authorise = move |tx: &mut dyn lombard_ports::store::ServerTransaction| {
        consents::authorise_consent_in(
            tx,
            &inside,
            &consent,
            &PsuId::from("amelia"),
            &consents::AuthorisedSelection::Accounts(
                accounts.iter().map(|id| sample_account(id.clone()).into()).collect(),
            ),
        )
        .map_err(|_| StoreError::Contended)
    };
    context.store.write(authorise).await.unwrap()
}

fn refusal<T: std::fmt::Debug>(result: Result<T, Failure>) -> RefusalKind {
    match result {
        Err(Failure::Refused(refusal)) => refusal.kind,
        other => panic!("not refused: {other:?}"),
    }
}

fn ids(listing: &ResourcePage<Transaction>) -> Vec<&str> {
    listing.items.iter().map(|shown| shown.record.id.as_str()).collect()
}

const EVERY_ENTRY: [Permission; 3] =
    [Permission::ReadTransactionsBasic, Permission::ReadTransactionsCredits, Permission::ReadTransactionsDebits];

#[tokio::test]
async fn ais_081_and_ais_087_accounts_are_shown_under_the_ids_of_the_tpp() {
    let (context, _) = context(SmallBank::with(&["b-1", "b-2", "b-3"], Vec::new())).await;
    let consent = authorised(&context, "acme", terms(&[]), &["b-1", "b-3"]).await;
    let listing = across::<Accounts>(&context, &consent, &ResourceQuery::first_page(100)).await.unwrap();
    let mut shown: Vec<_> = listing.items.iter().map(|shown| shown.record.id.as_str()).collect();
    shown.sort_unstable();
    assert_eq!(shown, ["b-1", "b-3"]);
    assert!(listing.items.is_sorted_by_key(|shown| shown.alias.clone()), "RW-277");
    assert!(listing.items.iter().all(|shown| shown.record.identifications.is_empty()), "AIS-050");
    let one = by_account::<Accounts>(&context, &consent, &listing.items[1].alias, &ResourceQuery::first_page(100))
        .await
        .unwrap();
    assert_eq!(one.items, [listing.items[1].clone()]);
    let again = authorised(&context, "acme", terms(&[]), &["b-1"]).await;
    assert!(listing.items.iter().any(|shown| shown.alias == again.accounts[0].alias), "stable over consents");
}

#[tokio::test]
async fn ais_088_rw_104_and_rw_107_tell_unknown_foreign_and_unselected_apart() {
    let (context, _) = context(SmallBank::with(&["b-1", "b-2"], Vec::new())).await;
    let wide = authorised(&context, "acme", terms(&[]), &["b-1", "b-2"]).await;
    let narrow = authorised(&context, "acme", terms(&[]), &["b-1"]).await;
    let rival = authorised(&context, "rival", terms(&[]), &["b-2"]).await;
    let unselected = wide.accounts.iter().find(|selected| selected.account.as_str() == "b-2").unwrap();
    for (alias, kind) in [
        (&unselected.alias, RefusalKind::AccountNotSelected),
        (&rival.accounts[0].alias, RefusalKind::ForeignOwner),
        (&AccountId::from("b-1"), RefusalKind::NotFound),
    ] {
        let answer = by_account::<Accounts>(&context, &narrow, alias, &ResourceQuery::first_page(100)).await;
        assert_eq!(refusal(answer), kind, "{alias}");
    }
}

#[tokio::test]
async fn rw_025_the_permission_is_checked_before_the_id_and_the_page_first() {
    let (context, _) = context(SmallBank::with(&["b-1"], Vec::new())).await;
    let consent = authorised(&context, "acme", terms(&[]), &["b-1"]).await;
    let unknown = AccountId::from("nobody");
    let asked = by_account::<Balances>(&context, &consent, &unknown, &ResourceQuery::first_page(100)).await;
    assert_eq!(refusal(asked), RefusalKind::PermissionMissing, "AIS-040");
    let asked = across::<Transactions>(&context, &consent, &ResourceQuery::first_page(100)).await;
    assert_eq!(refusal(asked), RefusalKind::PermissionMissing);
    let query = ResourceQuery { page: Some("nonsense".into()), ..ResourceQuery::first_page(100) };
    match by_account::<Balances>(&context, &consent, &unknown, &query).await {
        Err(Failure::Refused(refusal)) => {
            assert_eq!(refusal.faults[0].code, FaultCode::FieldInvalid);
            assert_eq!(refusal.faults[0].at, Some(FaultLocation::Query("pg")));
        }
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn ais_082_and_ais_084_a_closed_account_drops_out_alone() {
    let entries = vec![full_transaction("b-1", "t-1", 1, 1), full_transaction("b-2", "t-2", 2, 1)];
    let (mut context, _) = context(SmallBank::with(&["b-1", "b-2"], entries.clone())).await;
    let access = terms(&[EVERY_ENTRY.as_slice(), &[Permission::ReadBalances]].concat());
    let consent = authorised(&context, "acme", access, &["b-1", "b-2"]).await;
    let alias =
        |id: &str| consent.accounts.iter().find(|selected| selected.account.as_str() == id).unwrap().alias.clone();
    let query = ResourceQuery::first_page(100);
    context.bank = Arc::new(SmallBank::with(&["b-1"], entries.clone()));
    assert_eq!(across::<Accounts>(&context, &consent, &query).await.unwrap().items.len(), 1);
    assert_eq!(across::<Balances>(&context, &consent, &query).await.unwrap().items.len(), 2);
    assert_eq!(ids(&across::<Transactions>(&context, &consent, &query).await.unwrap()), ["t-1"]);
    let closed = alias("b-2");
    assert_eq!(
        refusal(by_account::<Accounts>(&context, &consent, &closed, &query).await),
        RefusalKind::AccountNotSelected
    );
    assert_eq!(
        refusal(by_account::<Balances>(&context, &consent, &closed, &query).await),
        RefusalKind::AccountNotSelected
    );
    assert_eq!(
        refusal(by_account::<Transactions>(&context, &consent, &closed, &query).await),
        RefusalKind::AccountNotSelected
    );
    assert!(by_account::<Balances>(&context, &consent, &alias("b-1"), &query).await.is_ok());
    context.bank = Arc::new(SmallBank::with(&[], entries));
    assert!(across::<Accounts>(&context, &consent, &query).await.unwrap().items.is_empty());
    assert!(across::<Transactions>(&context, &consent, &query).await.unwrap().items.is_empty());
}

#[tokio::test]
async fn ais_041_credits_and_debits_filter_rows() {
    let entries = vec![full_transaction("b-1", "in", 2, 500), full_transaction("b-1", "out", 1, -500)];
    let (context, _) = context(SmallBank::with(&["b-1"], entries)).await;
    let basic = Permission::ReadTransactionsBasic;
    for (permissions, expected) in [
        (vec![basic, Permission::ReadTransactionsCredits], vec!["in"]),
        (vec![basic, Permission::ReadTransactionsDebits], vec!["out"]),
        (EVERY_ENTRY.to_vec(), vec!["in", "out"]),
    ] {
        let consent = authorised(&context, "acme", terms(&permissions), &["b-1"]).await;
        let listing = across::<Transactions>(&context, &consent, &ResourceQuery::first_page(100)).await.unwrap();
        assert_eq!(ids(&listing), expected);
        let directions = |direction| listing.items.iter().all(|shown| shown.record.sum.direction() == direction);
        assert_eq!(directions(CreditDebit::Credit), expected == ["in"]);
    }
}

#[tokio::test]
async fn ais_090_to_ais_096_period_and_filter_are_intersected() {
    let entries = (1..=9).map(|hour| full_transaction("b-1", &format!("t-{hour}"), hour, 1)).collect();
    let (context, _) = context(SmallBank::with(&["b-1"], entries)).await;
    let access = AccountAccess { transactions_from: Some(at(3)), transactions_to: Some(at(7)), ..terms(&EVERY_ENTRY) };
    let consent = authorised(&context, "acme", access, &["b-1"]).await;
    let alias = consent.accounts[0].alias.clone();
    for (from, to, expected) in [
        (None, None, vec!["t-7", "t-6", "t-5", "t-4", "t-3"]),
        (Some(at(6)), None, vec!["t-7", "t-6"]),
        (None, Some(at(4)), vec!["t-4", "t-3"]),
        (Some(at(1)), Some(at(3)), vec!["t-3"]),
        (Some(at(8)), Some(at(9)), vec![]),
        (Some(at(9)), None, vec![]),
    ] {
        let query = ResourceQuery { from, to, ..ResourceQuery::first_page(100) };
        let listing = by_account::<Transactions>(&context, &consent, &alias, &query).await.unwrap();
        assert_eq!(ids(&listing), expected, "{from:?} {to:?}");
        assert_eq!(listing.available, Some((at(3), at(7))), "AIS-096: before filtering");
    }
}

#[tokio::test]
async fn ais_078_a_consent_that_ended_gives_nothing() {
    let (context, clock) = context(SmallBank::with(&["b-1"], Vec::new())).await;
    let consent = authorised(&context, "acme", terms(&[]), &["b-1"]).await;
    let mut revoked = consent.clone();
    revoked.revoke(RevokedBy::Psu, now());
    let asked = across::<Accounts>(&context, &revoked, &ResourceQuery::first_page(100)).await;
    assert_eq!(refusal(asked), RefusalKind::AccessEnded, "AIS-071");
    assert!(across::<Accounts>(&context, &consent, &ResourceQuery::first_page(100)).await.is_ok());
    clock.advance(SignedDuration::from_hours(1));
    let asked = across::<Accounts>(&context, &consent, &ResourceQuery::first_page(100)).await;
    assert_eq!(refusal(asked), RefusalKind::AccessEnded, "the boundary instant counts as expired");
}

/// The resource across the accounts of a consent.
async fn across<R: AccountResource>(
    context: &Context,
    consent: &Consent,
    query: &ResourceQuery,
) -> Result<ResourcePage<R::Seen>, Failure> {
    read_resource::<R>(context, consent, &ReadTarget::Consent, query).await
}

/// The resource of one account.
async fn by_account<R: AccountResource>(
    context: &Context,
    consent: &Consent,
    account: &AccountId,
    query: &ResourceQuery,
) -> Result<ResourcePage<R::Seen>, Failure> {
    read_resource::<R>(context, consent, &ReadTarget::Account(account.clone()), query).await
}

/// Follows `next` to the end, then `prev` to the start; returns the pages in forward order.
async fn walk<R: AccountResource>(context: &Context, consent: &Consent, size: usize) -> Vec<ResourcePage<R::Seen>>
where
    R::Seen: Clone + PartialEq + std::fmt::Debug,
{
    let mut pages: Vec<ResourcePage<R::Seen>> = Vec::new();
    let mut query = ResourceQuery::first_page(size);
    loop {
        let page = across::<R>(context, consent, &query).await.unwrap();
        assert_eq!(page.prev.is_some(), !pages.is_empty(), "RW-272");
        query.page = page.next.clone();
        pages.push(page);
        if query.page.is_none() {
            break;
        }
    }
    for (earlier, later) in pages.iter().zip(&pages[1..]) {
        query.page = later.prev.clone();
        let back = across::<R>(context, consent, &query).await.unwrap();
        assert_eq!(back.items, earlier.items);
    }
    pages
}

#[tokio::test]
async fn rw_278_every_list_pages_by_its_own_records() {
    let accounts = ["b-1", "b-2", "b-3", "b-4", "b-5"];
    // Three entries at each instant, so that pages end within a tie.
    let entries = (0..30).map(|n| full_transaction(accounts[n % 5], &format!("t-{n:02}"), n as i64 / 3, 1)).collect();
    let (context, _) = context(SmallBank::with(&accounts, entries)).await;
    let access = terms(&[EVERY_ENTRY.as_slice(), &[Permission::ReadBalances]].concat());
    let consent = authorised(&context, "acme", access, &accounts).await;
    for size in [1, 2, 3, 7, 10, 30] {
        let pages = walk::<Transactions>(&context, &consent, size).await;
        assert_eq!(pages.len(), 30_usize.div_ceil(size));
        let met: Vec<_> = pages.iter().flat_map(ids).collect();
        let distinct: std::collections::HashSet<_> = met.iter().collect();
        assert_eq!((met.len(), distinct.len()), (30, 30), "size {size}");
        let balances = walk::<Balances>(&context, &consent, size).await;
        assert_eq!(balances.iter().map(|page| page.items.len()).sum::<usize>(), 10);
        let listed = walk::<Accounts>(&context, &consent, size).await;
        assert_eq!(listed.iter().map(|page| page.items.len()).sum::<usize>(), 5);
    }
}
