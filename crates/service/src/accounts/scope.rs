//! The accounts that a request covers, and the data of them that the consent covers.

use lombard_domain::account::Statement;
use lombard_domain::consent::{AccountAccess, Consent, Permission, Permissions, SelectedAccount};
use lombard_domain::ids::{AccountId, BankAccountId, PsuId};
use lombard_domain::money::CreditDebit;
use lombard_ports::bank::{EntryFilter, StatementFilter, TimeRange};

/// The accounts of one request, in list order, under one consent; of them all, or of one statement of one of them.
#[derive(Debug)]
pub struct AccountScope<'a> {
    accounts: Vec<&'a SelectedAccount>,
    statement: Option<Statement>,
    access: &'a AccountAccess,
    psu: Option<&'a PsuId>,
}

impl<'a> AccountScope<'a> {
    /// Lists have accounts in the order of the ids the TPP knows. Source: RW-277.
    pub(super) fn new(consent: &'a Consent, access: &'a AccountAccess, accounts: &'a [SelectedAccount]) -> Self {
        let mut accounts: Vec<_> = accounts.iter().collect();
        accounts.sort_unstable_by(|a, b| a.alias.cmp(&b.alias));
        Self { accounts, statement: None, access, psu: consent.psu.as_ref() }
    }

    /// The same account, only what is on this statement of it.
    pub(super) fn on(self, statement: Statement) -> Self {
        Self { statement: Some(statement), ..self }
    }

    /// Whether no account is left. Source: AIS-084.
    pub fn is_empty(&self) -> bool {
        self.accounts.is_empty()
    }

    /// The bank's ids of the accounts, in list order.
    pub fn bank_ids(&self) -> Vec<BankAccountId> {
        self.accounts.iter().map(|selected| selected.account.clone()).collect()
    }

    /// What the TPP calls an account of the scope.
    pub fn alias(&self, account: &BankAccountId) -> Option<&AccountId> {
        self.accounts.iter().find(|selected| selected.account == *account).map(|selected| &selected.alias)
    }

    /// The statement the request is about, if it is about one.
    pub const fn statement(&self) -> Option<&Statement> {
        self.statement.as_ref()
    }

    /// Who authorised the consent.
    pub const fn psu(&self) -> Option<&PsuId> {
        self.psu
    }

    /// What the consent permits.
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
            // Neither cannot be: the resource needs one of them before it asks (`AccountResource::READ`).
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

    /// Whether the consent covers a statement: wholly or not at all. Source: AIS-092, AIS-094.
    pub fn covers(&self, statement: &Statement) -> bool {
        self.period().contains(statement.starts_at) && self.period().contains(statement.ends_at)
    }

    /// The period of the consent. It limits entries and statements, nothing else. Source: AIS-093.
    const fn period(&self) -> TimeRange {
        TimeRange { from: self.access.transactions_from, to: self.access.transactions_to }
    }
}
