//! The accounts that a request covers, and the part of their data that the consent covers.

use lombard_domain::account::Statement;
use lombard_domain::consent::{AccountAccess, Consent, Permission, Permissions, SelectedAccount};
use lombard_domain::ids::{AccountId, BankAccountId, PsuId};
use lombard_domain::money::CreditDebit;
use lombard_ports::bank::{EntryFilter, StatementFilter, TimeRange};

/// The accounts of one request, in list order, under one consent; or one account restricted to one of its statements.
#[derive(Debug)]
pub struct AccountScope<'a> {
    accounts: Vec<&'a SelectedAccount>,
    statement: Option<Statement>,
    access: &'a AccountAccess,
    psu: Option<&'a PsuId>,
}

impl<'a> AccountScope<'a> {
    /// Makes a scope. Lists sort accounts by the ids that the TPP knows. Source: RW-277.
    pub(super) fn new(consent: &'a Consent, access: &'a AccountAccess, accounts: &'a [SelectedAccount]) -> Self {
        let mut accounts: Vec<_> = accounts.iter().collect();
        accounts.sort_unstable_by(|a, b| a.alias.cmp(&b.alias));
        Self { accounts, statement: None, access, psu: consent.psu.as_ref() }
    }

    /// The same account, restricted to this statement.
    pub(super) fn on(self, statement: Statement) -> Self {
        Self { statement: Some(statement), ..self }
    }

    /// Whether the scope has no account. Source: AIS-084.
    pub fn is_empty(&self) -> bool {
        self.accounts.is_empty()
    }

    /// The bank's ids of the accounts, in list order.
    pub fn bank_ids(&self) -> Vec<BankAccountId> {
        self.accounts.iter().map(|selected| selected.account.clone()).collect()
    }

    /// The `AccountId` by which the TPP knows an account of the scope.
    pub fn alias(&self, account: &BankAccountId) -> Option<&AccountId> {
        self.accounts.iter().find(|selected| selected.account == *account).map(|selected| &selected.alias)
    }

    /// The statement, if the request names one.
    pub const fn statement(&self) -> Option<&Statement> {
        self.statement.as_ref()
    }

    /// The PSU who authorised the consent.
    pub const fn psu(&self) -> Option<&PsuId> {
        self.psu
    }

    /// The permissions of the consent.
    pub const fn granted(&self) -> Permissions {
        self.access.permissions
    }

    /// The entries of these accounts that the consent covers. Source: AIS-041, AIS-042, AIS-090, AIS-147.
    pub fn entries(&self) -> EntryFilter {
        let direction = match (
            self.granted().contains(Permission::ReadTransactionsCredits),
            self.granted().contains(Permission::ReadTransactionsDebits),
        ) {
            (true, false) => Some(CreditDebit::Credit),
            (false, true) => Some(CreditDebit::Debit),
            // At least one of the two is granted: the resource requires one of them before it queries (`AccountResource::READ`).
            (true, true) | (false, false) => None,
        };
        let TimeRange { from, to } = self.period();
        let statement = self.statement().map(|statement| statement.id.clone());
        EntryFilter { accounts: self.bank_ids(), from, to, direction, statement }
    }

    /// The statements of these accounts that the consent covers. Source: AIS-092.
    pub fn statements(&self) -> StatementFilter {
        let TimeRange { from, to } = self.period();
        StatementFilter { accounts: self.bank_ids(), from, to }
    }

    /// Whether the consent covers a statement. A statement is covered wholly or not at all. Source: AIS-092, AIS-094.
    pub fn covers(&self, statement: &Statement) -> bool {
        self.period().contains(statement.starts_at) && self.period().contains(statement.ends_at)
    }

    /// The period of the consent. It limits entries and statements, nothing else. Source: AIS-093.
    const fn period(&self) -> TimeRange {
        TimeRange { from: self.access.transactions_from, to: self.access.transactions_to }
    }
}
