//! Which accounts a request covers, and what the consent opens on them.

use super::by_alias;
use jiff::Timestamp;
use lombard_domain::consent::{AccountAccess, Permission, SelectedAccount};
use lombard_domain::ids::{AccountId, BankAccountId};
use lombard_domain::money::CreditDebit;
use lombard_ports::bank::EntryFilter;

/// The accounts of one request, in list order, under one consent.
#[derive(Debug)]
pub struct AccountScope<'a> {
    accounts: Vec<&'a SelectedAccount>,
    access: &'a AccountAccess,
}

impl<'a> AccountScope<'a> {
    pub(super) fn new(access: &'a AccountAccess, accounts: &'a [SelectedAccount]) -> Self {
        Self { accounts: by_alias(accounts), access }
    }

    /// The bank's ids of the accounts, in list order.
    pub fn bank_ids(&self) -> Vec<BankAccountId> {
        self.accounts.iter().map(|selected| selected.account.clone()).collect()
    }

    /// What the TPP calls an account of the scope.
    pub fn alias(&self, account: &BankAccountId) -> Option<&AccountId> {
        self.accounts.iter().find(|selected| selected.account == *account).map(|selected| &selected.alias)
    }

    /// The entries of these accounts that the consent covers. Source: AIS-041, AIS-090.
    pub fn entries(&self, accounts: Vec<BankAccountId>) -> EntryFilter {
        let AccountAccess { permissions, transactions_from, transactions_to } = self.access;
        let direction = match (
            permissions.contains(Permission::ReadTransactionsCredits),
            permissions.contains(Permission::ReadTransactionsDebits),
        ) {
            (true, false) => Some(CreditDebit::Credit),
            (false, true) => Some(CreditDebit::Debit),
            // Neither cannot be: the resource needs one of them before it asks (`AccountResource::READ`).
            (true, true) | (false, false) => None,
        };
        EntryFilter { accounts, from: *transactions_from, to: *transactions_to, direction }
    }
}

/// The part of a filter inside a caller's bounds; `None` if that is nothing. Source: AIS-095.
pub(super) fn narrowed(filter: &EntryFilter, from: Option<Timestamp>, to: Option<Timestamp>) -> Option<EntryFilter> {
    let from = filter.from.max(from);
    let to = match (filter.to, to) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    };
    let nothing = matches!((from, to), (Some(from), Some(to)) if from > to);
    (!nothing).then(|| EntryFilter { from, to, ..filter.clone() })
}
