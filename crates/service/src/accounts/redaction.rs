//! Removes what Basic permissions do not cover and masks card numbers, in this one place. Source: T7, AIS-050 to
//! AIS-054.

use lombard_domain::account::{
    Account, AccountIdentification, AccountScheme, Beneficiary, CardInstrument, ScheduledPayment, StandingOrder,
    Statement, Transaction,
};
use lombard_domain::consent::{Permission, Permissions};

/// An account without the parts that are not granted.
pub(super) fn account(mut account: Account, granted: Permissions) -> Account {
    if !granted.contains(Permission::ReadAccountsDetail) {
        account.identifications = Vec::new();
        account.servicer = None;
        account.lei = None;
        account.statement_delivery = Vec::new();
    }
    if !granted.contains(Permission::ReadPAN) {
        account.identifications.iter_mut().for_each(mask);
    }
    account
}

/// An entry without the parts that are not granted. The card is shown with the Basic permission; without `ReadPAN` its number is
/// masked.
pub(super) fn transaction(mut entry: Transaction, granted: Permissions) -> Transaction {
    if !granted.contains(Permission::ReadTransactionsDetail) {
        entry.information = None;
        entry.balance = None;
        entry.merchant = None;
        entry.other_party = None;
        if let Some(payment) = &mut entry.payment {
            payment.ultimate_creditor = None;
            payment.ultimate_debtor = None;
            payment.intermediaries = Vec::new();
        }
    }
    if !granted.contains(Permission::ReadPAN) {
        if let Some(account) = entry.other_party.as_mut().and_then(|party| party.account.as_mut()) {
            mask(account);
        }
        if let Some(CardInstrument { number: Some(number), .. }) = &mut entry.card {
            *number = masked(number);
        }
        let payment = entry.payment.as_mut();
        let parties = payment.into_iter().flat_map(|it| it.ultimate_creditor.iter_mut().chain(&mut it.ultimate_debtor));
        for party in parties.filter(|party| party.scheme == Some(AccountScheme::Pan)) {
            party.identification = party.identification.as_deref().map(masked);
        }
    }
    entry
}

/// A beneficiary without the parts that are not granted.
pub(super) fn beneficiary(mut it: Beneficiary, granted: Permissions) -> Beneficiary<Option<AccountIdentification>> {
    let detail = granted.contains(Permission::ReadBeneficiariesDetail);
    it.agent = it.agent.filter(|_| detail);
    it.map_payee(|payee| shown(payee, detail, granted))
}

/// A standing order without the parts that are not granted.
pub(super) fn standing_order(
    mut it: StandingOrder,
    granted: Permissions,
) -> StandingOrder<Option<AccountIdentification>> {
    let detail = granted.contains(Permission::ReadStandingOrdersDetail);
    it.agent = it.agent.filter(|_| detail);
    it.map_payee(|payee| shown(payee, detail, granted))
}

/// A scheduled payment without the parts that are not granted.
pub(super) fn scheduled_payment(
    mut it: ScheduledPayment,
    granted: Permissions,
) -> ScheduledPayment<Option<AccountIdentification>> {
    let detail = granted.contains(Permission::ReadScheduledPaymentsDetail);
    it.agent = it.agent.filter(|_| detail);
    it.map_payee(|payee| shown(payee, detail, granted))
}

/// A statement without the parts that are not granted. Its total is Basic (AIS-148).
pub(super) fn statement(mut statement: Statement, granted: Permissions) -> Statement {
    if !granted.contains(Permission::ReadStatementsDetail) {
        statement.amounts = Vec::new();
    }
    statement
}

/// A payee's account, if the Detail permission is granted.
fn shown(mut payee: AccountIdentification, detail: bool, granted: Permissions) -> Option<AccountIdentification> {
    if !granted.contains(Permission::ReadPAN) {
        mask(&mut payee);
    }
    detail.then_some(payee)
}

fn mask(identification: &mut AccountIdentification) {
    if identification.scheme == AccountScheme::Pan {
        identification.number = masked(&identification.number);
    }
}

/// Replaces all but the last four characters by stars; a short number is replaced completely. Source: AIS-053.
fn masked(number: &str) -> String {
    let count = number.chars().count();
    let hidden = if count > 4 { count.saturating_sub(4) } else { count };
    number.chars().enumerate().map(|(index, digit)| if index < hidden { '*' } else { digit }).collect()
}

#[cfg(test)]
mod tests;
