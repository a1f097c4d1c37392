//! Which accounts a request covers, and what the consent opens on them.

use super::by_alias;
use lombard_domain::consent::{AccountAccess, Permission, SelectedAccount};
use lombard_domain::ids::{AccountId, BankAccountId};
use lombard_domain::money::CreditDebit;
use lombard_ports::bank::{EntryFilter, StatementFilter};

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
    pub fn entries(&self) -> EntryFilter {
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
        let (from, to) = (*transactions_from, *transactions_to);
        EntryFilter { accounts: self.bank_ids(), from, to, direction, statement: None }
    }

    /// The statements of these accounts that the consent covers. Source: AIS-092.
    pub fn statements(&self) -> StatementFilter {
        let AccountAccess { transactions_from, transactions_to, .. } = self.access;
        StatementFilter { accounts: self.bank_ids(), from: *transactions_from, to: *transactions_to }
    }
}
