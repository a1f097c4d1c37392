//! The contract of [`SandboxControls`], as functions that check an implementation: one per promise. The caller supplies the facts
//! about the sandbox that it built.

pub mod accounts;
pub mod entries;
pub mod orders;
mod promise;

use super::{
    AccountClosure, ClockMove, ConsentDecision, ControlError, CustomerChange, CustomerView, DecisionChoice, EVENTS_MAX,
    ResetContents, SandboxControls,
};
use jiff::{SignedDuration, Timestamp};
use lombard_domain::account::PostalAddress;
use lombard_domain::consent::{Consent, ConsentState, RevokedBy};
use lombard_domain::ids::{BankAccountId, ClientId, ConsentId, PsuId};
pub use promise::ControlsContractViolation;
use promise::ensure;
use std::collections::BTreeSet;

/// The facts about the sandbox under test. Its wall clock must be constant.
#[derive(Debug, Clone)]
pub struct ControlsFacts {
    /// A customer with at least two shareable accounts.
    pub psu: PsuId,
    /// Another customer with a shareable account.
    pub other: PsuId,
    /// A customer without shareable accounts.
    pub nobody: PsuId,
    /// Consents without expiration that await authorisation; each promise about consents uses one of them.
    pub waiting: [ConsentId; 5],
    /// A client with a consent.
    pub client: ClientId,
    /// Orders.
    pub orders: orders::Orders,
}

/// Checks the whole contract.
///
/// # Errors
/// The first [`ControlsContractViolation`].
pub async fn check_controls_contract(
    controls: &dyn SandboxControls,
    facts: &ControlsFacts,
) -> Result<(), ControlsContractViolation> {
    let [named, all, rejected, barred, revoked] = &facts.waiting;
    the_clock_goes_where_it_is_told(controls).await?;
    a_time_out_of_reach_leaves_the_clock(controls).await?;
    customers_come_with_their_accounts(controls, facts).await?;
    an_approval_shares_what_was_named(controls, facts, named).await?;
    an_approval_without_names_shares_everything(controls, facts, all).await?;
    a_rejection_is_final(controls, facts, rejected).await?;
    what_is_not_there_decides_nothing(controls, facts, barred).await?;
    access_ends_once_and_may_be_given_again(controls, facts, revoked).await?;
    events_are_raised_for_clients_that_exist(controls, facts).await?;
    orders::only_orders_of_payments_are_planned(controls, named).await?;
    orders::every_promise(controls, &facts.orders).await?;
    entries::an_entry_moves_money_on_an_open_account(controls, &facts.psu).await?;
    entries::what_is_due_is_carried_out(controls, &facts.psu).await?;
    accounts::a_change_of_an_account_shows_at_once(controls, &facts.psu).await?;
    a_customer_is_unlocked_who_exists(controls, facts).await?;
    a_change_of_a_customer_shows_at_once(controls, facts).await?;
    an_account_ends_once_and_is_no_longer_shareable(controls, facts).await?;
    a_new_beginning_leaves_nothing_of_the_old(controls, facts).await
}

/// Unlocking a customer who is not locked has no effect; unlocking an unknown customer is refused.
///
/// # Errors
/// [`ControlsContractViolation`].
pub async fn a_customer_is_unlocked_who_exists(
    controls: &dyn SandboxControls,
    facts: &ControlsFacts,
) -> Result<(), ControlsContractViolation> {
    controls.customer_unlock(&facts.psu).await?;
    let unknown = controls.customer_unlock(&PsuId::from("no such customer")).await;
    ensure(matches!(unknown, Err(ControlError::NotFound(_))), "a customer is unlocked who exists", unknown)
}

/// A change is visible at once and does not affect the accounts or the login; a change of an unknown customer is refused.
///
/// # Errors
/// [`ControlsContractViolation`].
pub async fn a_change_of_a_customer_shows_at_once(
    controls: &dyn SandboxControls,
    facts: &ControlsFacts,
) -> Result<(), ControlsContractViolation> {
    const PROMISE: &str = "a change of a customer shows at once";
    let before = customer(controls, &facts.psu).await?;
    let renamed = CustomerChange { name: Some("Amelia Mill".to_owned()), ..CustomerChange::default() };
    let expected = CustomerView { name: "Amelia Mill".to_owned(), ..before };
    let changed = controls.customer_change(&facts.psu, &renamed).await?;
    ensure(changed == expected && customer(controls, &facts.psu).await? == expected, PROMISE, changed)?;
    let about = CustomerChange { about: Some("Has moved.".to_owned()), ..CustomerChange::default() };
    let expected = CustomerView { about: "Has moved.".to_owned(), ..expected };
    let changed = controls.customer_change(&facts.psu, &about).await?;
    ensure(changed == expected && customer(controls, &facts.psu).await? == expected, PROMISE, changed)?;
    // The customer listed here has no personal data.
    let moved = CustomerChange {
        mobile: Some("+44-7700900999".to_owned()),
        address: Some(PostalAddress { country: Some("GB".to_owned()), ..PostalAddress::default() }),
        ..CustomerChange::default()
    };
    let changed = controls.customer_change(&facts.psu, &moved).await?;
    ensure(changed == expected, PROMISE, changed)?;
    let unknown = controls.customer_change(&PsuId::from("no such customer"), &renamed).await;
    ensure(matches!(unknown, Err(ControlError::NotFound(_))), PROMISE, unknown)
}

/// Resets to seeded contents, to empty contents, and to seeded contents again; clients stay.
///
/// # Errors
/// [`ControlsContractViolation`].
pub async fn a_new_beginning_leaves_nothing_of_the_old(
    controls: &dyn SandboxControls,
    facts: &ControlsFacts,
) -> Result<(), ControlsContractViolation> {
    const PROMISE: &str = "a reset leaves nothing behind";
    let real = controls.clock().await?;
    let mut usual = None;
    for to in [ResetContents::Seeded, ResetContents::Empty, ResetContents::Seeded] {
        controls.clock_move(ClockMove::By(SignedDuration::from_hours(1))).await?;
        let now = controls.reset(to).await?;
        ensure(now == real && controls.clock().await? == real, PROMISE, now)?;
        let psus = controls.customer_views().await?;
        match to {
            ResetContents::Empty => ensure(psus.is_empty(), PROMISE, psus)?,
            ResetContents::Seeded => {
                ensure(!shareable(controls, &facts.psu).await?.is_empty(), PROMISE, &psus)?;
                ensure(usual.get_or_insert_with(|| psus.clone()) == &psus, PROMISE, psus)?;
            }
        }
        for consent in &facts.waiting {
            let gone = controls.consent_revoke(consent).await;
            ensure(matches!(gone, Err(ControlError::NotFound(_))), PROMISE, gone)?;
        }
        for order in &facts.orders.open {
            let gone = controls.order(order).await;
            ensure(matches!(gone, Err(ControlError::NotFound(_))), PROMISE, gone)?;
        }
        let raised = controls.events_raise(&facts.client, 1).await?;
        ensure(raised.len() == 1, "TPPs stay", raised)?;
    }
    Ok(())
}

/// Moves the clock forward, back, and to an instant.
///
/// # Errors
/// [`ControlsContractViolation`].
pub async fn the_clock_goes_where_it_is_told(controls: &dyn SandboxControls) -> Result<(), ControlsContractViolation> {
    const PROMISE: &str = "the clock goes where it is told";
    let hour = SignedDuration::from_hours(1);
    let start = controls.clock().await?;
    let later = controls.clock_move(ClockMove::By(hour)).await?;
    ensure(later.duration_since(start) == hour && controls.clock().await? == later, PROMISE, (start, later))?;
    let back = controls.clock_move(ClockMove::By(-hour)).await?;
    ensure(back == start, PROMISE, (start, back))?;
    let there = Timestamp::from_second(2_000_000_000).unwrap_or(start);
    let set = controls.clock_move(ClockMove::To(there)).await?;
    ensure(set == there && controls.clock().await? == there, PROMISE, set)?;
    ensure(controls.clock_move(ClockMove::To(start)).await? == start, PROMISE, start)
}

/// An instant beyond the range is refused, and the clock is unchanged.
///
/// # Errors
/// [`ControlsContractViolation`].
pub async fn a_time_out_of_reach_leaves_the_clock(
    controls: &dyn SandboxControls,
) -> Result<(), ControlsContractViolation> {
    const PROMISE: &str = "a time out of reach leaves the clock";
    let start = controls.clock().await?;
    for far in [
        ClockMove::By(SignedDuration::MAX),
        ClockMove::By(SignedDuration::MIN),
        ClockMove::To(Timestamp::MAX),
        ClockMove::To(Timestamp::MIN),
    ] {
        let moved = controls.clock_move(far).await;
        ensure(matches!(moved, Err(ControlError::Refused(_))), PROMISE, moved)?;
    }
    ensure(controls.clock().await? == start, PROMISE, start)
}

/// Every account is listed, shareable or not.
///
/// # Errors
/// [`ControlsContractViolation`].
pub async fn customers_come_with_their_accounts(
    controls: &dyn SandboxControls,
    facts: &ControlsFacts,
) -> Result<(), ControlsContractViolation> {
    const PROMISE: &str = "customers come with their accounts";
    ensure(shareable(controls, &facts.psu).await?.len() >= 2, PROMISE, &facts.psu)?;
    ensure(!shareable(controls, &facts.other).await?.is_empty(), PROMISE, &facts.other)?;
    let nobody = customer(controls, &facts.nobody).await?;
    ensure(nobody.accounts.iter().all(|held| !held.shareable), PROMISE, nobody)
}

/// Only the named accounts are shared, each with an id for the TPP.
///
/// # Errors
/// [`ControlsContractViolation`].
pub async fn an_approval_shares_what_was_named(
    controls: &dyn SandboxControls,
    facts: &ControlsFacts,
    consent: &ConsentId,
) -> Result<(), ControlsContractViolation> {
    const PROMISE: &str = "an approval shares what was named";
    let named: Vec<_> = shareable(controls, &facts.psu).await?.into_iter().skip(1).collect();
    let given = controls.consent_authorise(consent, &approval(&facts.psu, Some(named.clone()))).await?;
    ensure(given.state == ConsentState::Authorised && given.psu.as_ref() == Some(&facts.psu), PROMISE, &given)?;
    ensure(shared(&given) == named, PROMISE, &given)?;
    let renamed = given.accounts.iter().all(|selected| selected.alias.as_str() != selected.account.as_str());
    ensure(renamed, PROMISE, &given)?;
    let other = controls.consent_authorise(consent, &approval(&facts.other, None)).await;
    ensure(matches!(other, Err(ControlError::Conflict(_))), "a consent stays its customer's (AS-131)", other)?;
    let refused = controls.consent_authorise(consent, &rejection(&facts.psu)).await;
    ensure(matches!(refused, Err(ControlError::Conflict(_))), "only a first authorisation is refused (RW-306)", refused)
}

/// Every shareable account is shared.
///
/// # Errors
/// [`ControlsContractViolation`].
pub async fn an_approval_without_names_shares_everything(
    controls: &dyn SandboxControls,
    facts: &ControlsFacts,
    consent: &ConsentId,
) -> Result<(), ControlsContractViolation> {
    const PROMISE: &str = "an approval without names shares everything";
    let given = controls.consent_authorise(consent, &approval(&facts.psu, None)).await?;
    ensure(shared(&given) == shareable(controls, &facts.psu).await?, PROMISE, given)
}

/// A rejected consent cannot be authorised (RW-302).
///
/// # Errors
/// [`ControlsContractViolation`].
pub async fn a_rejection_is_final(
    controls: &dyn SandboxControls,
    facts: &ControlsFacts,
    consent: &ConsentId,
) -> Result<(), ControlsContractViolation> {
    const PROMISE: &str = "a rejection is final";
    let rejected = controls.consent_authorise(consent, &rejection(&facts.psu)).await?;
    ensure(rejected.state == ConsentState::Rejected && rejected.accounts.is_empty(), PROMISE, rejected)?;
    for decision in [rejection(&facts.psu), approval(&facts.psu, None)] {
        let again = controls.consent_authorise(consent, &decision).await;
        ensure(matches!(again, Err(ControlError::Conflict(_))), PROMISE, again)?;
    }
    let revoked = controls.consent_revoke(consent).await;
    ensure(matches!(revoked, Err(ControlError::Conflict(_))), PROMISE, revoked)
}

/// Unknown consents, customers and accounts are refused; the consent then still awaits authorisation.
///
/// # Errors
/// [`ControlsContractViolation`].
pub async fn what_is_not_there_decides_nothing(
    controls: &dyn SandboxControls,
    facts: &ControlsFacts,
    consent: &ConsentId,
) -> Result<(), ControlsContractViolation> {
    const PROMISE: &str = "unknown consents, customers and accounts are refused";
    let unknown = ConsentId::from("no such consent");
    for found in [
        controls.consent_authorise(&unknown, &approval(&facts.psu, None)).await,
        controls.consent_revoke(&unknown).await,
    ] {
        ensure(matches!(found, Err(ControlError::NotFound(_))), PROMISE, found)?;
    }
    let stranger = PsuId::from("no such customer");
    let foreign = shareable(controls, &facts.other).await?;
    let withheld = customer(controls, &facts.nobody).await?.accounts;
    let withheld = withheld.into_iter().map(|held| held.id).collect();
    for decision in [
        approval(&stranger, None),
        rejection(&stranger),
        approval(&facts.psu, Some(foreign)),
        approval(&facts.psu, Some(Vec::new())),
        approval(&facts.nobody, Some(withheld)),
        approval(&facts.nobody, None),
    ] {
        let found = controls.consent_authorise(consent, &decision).await;
        ensure(matches!(found, Err(ControlError::Refused(_))), PROMISE, (decision, found))?;
    }
    let revoked = controls.consent_revoke(consent).await;
    ensure(matches!(revoked, Err(ControlError::Conflict(_))), PROMISE, revoked)?;
    let given = controls.consent_authorise(consent, &approval(&facts.psu, None)).await?;
    ensure(given.epoch == 1, PROMISE, given)
}

/// A consent is revoked once and can be authorised again. Source: AIS-071.
///
/// # Errors
/// [`ControlsContractViolation`].
pub async fn access_ends_once_and_may_be_given_again(
    controls: &dyn SandboxControls,
    facts: &ControlsFacts,
    consent: &ConsentId,
) -> Result<(), ControlsContractViolation> {
    const PROMISE: &str = "access ends once and may be given again";
    controls.consent_authorise(consent, &approval(&facts.psu, None)).await?;
    let revoked = controls.consent_revoke(consent).await?;
    ensure(revoked.state == ConsentState::Revoked(RevokedBy::Psu), PROMISE, revoked)?;
    let again = controls.consent_revoke(consent).await;
    ensure(matches!(again, Err(ControlError::Conflict(_))), PROMISE, again)?;
    let given = controls.consent_authorise(consent, &approval(&facts.psu, None)).await?;
    ensure(given.state == ConsentState::Authorised, PROMISE, given)
}

/// The requested number of events is raised, each with its own id.
///
/// # Errors
/// [`ControlsContractViolation`].
pub async fn events_are_raised_for_clients_that_exist(
    controls: &dyn SandboxControls,
    facts: &ControlsFacts,
) -> Result<(), ControlsContractViolation> {
    const PROMISE: &str = "events are raised for clients that exist";
    for count in [1, 3] {
        let raised = controls.events_raise(&facts.client, count).await?;
        let distinct: BTreeSet<_> = raised.iter().collect();
        let asked = usize::try_from(count).unwrap_or_default();
        ensure(raised.len() == asked && distinct.len() == asked, PROMISE, &raised)?;
    }
    for count in [0, EVENTS_MAX.saturating_add(1)] {
        let refused = controls.events_raise(&facts.client, count).await;
        ensure(matches!(refused, Err(ControlError::Refused(_))), PROMISE, refused)?;
    }
    let unknown = controls.events_raise(&ClientId::from("no such client"), 1).await;
    ensure(matches!(unknown, Err(ControlError::NotFound(_))), PROMISE, unknown)
}

/// An account can be closed once, in any of the ways, and is not shareable afterwards.
///
/// # Errors
/// [`ControlsContractViolation`].
pub async fn an_account_ends_once_and_is_no_longer_shareable(
    controls: &dyn SandboxControls,
    facts: &ControlsFacts,
) -> Result<(), ControlsContractViolation> {
    const PROMISE: &str = "an account ends once and is no longer shareable";
    let ends = [AccountClosure::Closed, AccountClosure::Switched, AccountClosure::Blocked];
    for (account, end) in shareable(controls, &facts.psu).await?.into_iter().zip(ends) {
        let ended = controls.account_close(&account, end).await?;
        ensure(ended.id == account, PROMISE, &ended)?;
        ensure(!shareable(controls, &facts.psu).await?.contains(&account), PROMISE, &ended)?;
        for again in ends {
            let again = controls.account_close(&account, again).await;
            ensure(matches!(again, Err(ControlError::Conflict(_))), PROMISE, again)?;
        }
    }
    let unknown = controls.account_close(&BankAccountId::from("no such account"), AccountClosure::Closed).await;
    ensure(matches!(unknown, Err(ControlError::NotFound(_))), PROMISE, unknown)
}

fn approval(psu: &PsuId, accounts: Option<Vec<BankAccountId>>) -> ConsentDecision {
    ConsentDecision { psu: psu.clone(), choice: DecisionChoice::Approve(accounts) }
}

fn rejection(psu: &PsuId) -> ConsentDecision {
    ConsentDecision { psu: psu.clone(), choice: DecisionChoice::Reject }
}

fn shared(consent: &Consent) -> Vec<BankAccountId> {
    consent.accounts.iter().map(|selected| selected.account.clone()).collect()
}

async fn customer(controls: &dyn SandboxControls, psu: &PsuId) -> Result<CustomerView, ControlsContractViolation> {
    let found = controls.customer_views().await?.into_iter().find(|customer| customer.psu == *psu);
    found.ok_or_else(|| ControlsContractViolation { promise: "every customer is shown", seen: psu.to_string() })
}

async fn shareable(
    controls: &dyn SandboxControls,
    psu: &PsuId,
) -> Result<Vec<BankAccountId>, ControlsContractViolation> {
    let held = customer(controls, psu).await?.accounts;
    Ok(held.into_iter().filter(|held| held.shareable).map(|held| held.id).collect())
}
