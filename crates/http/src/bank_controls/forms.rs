//! The JSON between a server and the process of the built-in bank: whole records, which both sides write and read.

use http::StatusCode;
use jiff::{SignedDuration, Timestamp};
use lombard_domain::account::{AccountIdentification, AccountStatus, AccountSubType, AccountType};
use lombard_domain::ids::{BankAccountId, PsuId};
use lombard_domain::money::{Amount, Currency, SignedAmount};
use lombard_domain::order::RejectionReason;
use lombard_ports::controls::{
    AccountClosure, AccountView, ClockMove, ControlError, CustomerView, DataFileFault, EndedAccount, OrderOutcome,
    SandboxCustomer,
};
use serde::{Deserialize, Serialize};

/// The offset of the bank's clock from the wall clock.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct ClockForm {
    /// In microseconds.
    pub offset_micros: i64,
}

/// A move of the bank's clock: by a duration or to a time.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum ClockMoveForm {
    /// By this duration.
    By {
        /// Whole seconds.
        secs: i64,
        /// The rest in nanoseconds, of the same sign.
        nanos: i32,
    },
    /// To this time, RFC 3339.
    To(String),
}

impl From<ClockMove> for ClockMoveForm {
    fn from(to: ClockMove) -> Self {
        match to {
            ClockMove::By(by) => Self::By { secs: by.as_secs(), nanos: by.subsec_nanos() },
            ClockMove::To(time) => Self::To(time.to_string()),
        }
    }
}

impl ClockMoveForm {
    /// The move; `None` if it cannot be read.
    pub fn read(&self) -> Option<ClockMove> {
        match self {
            Self::By { secs, nanos } => {
                let by = SignedDuration::from_secs(*secs).checked_add(SignedDuration::from_nanos((*nanos).into()))?;
                Some(ClockMove::By(by))
            }
            Self::To(time) => time.parse::<Timestamp>().ok().map(ClockMove::To),
        }
    }
}

/// A customer, as the sandbox's logins know them.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct CustomerForm {
    psu: PsuId,
    name: String,
    about: String,
}

impl From<SandboxCustomer> for CustomerForm {
    fn from(customer: SandboxCustomer) -> Self {
        let SandboxCustomer { psu, name, about } = customer;
        Self { psu, name, about }
    }
}

impl From<CustomerForm> for SandboxCustomer {
    fn from(form: CustomerForm) -> Self {
        let CustomerForm { psu, name, about } = form;
        Self { psu, name, about }
    }
}

/// A customer with their accounts.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct CustomerViewForm {
    psu: PsuId,
    login: String,
    name: String,
    about: String,
    accounts: Vec<AccountForm>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct AccountForm {
    id: BankAccountId,
    status: AccountStatus,
    account_type: AccountType,
    sub_type: AccountSubType,
    description: Option<String>,
    nickname: Option<String>,
    identifications: Vec<AccountIdentification>,
    /// The ISO 4217 code.
    currency: String,
    shareable: bool,
    /// Sums in minor units of the currency.
    booked: i64,
    pending: i64,
    credit_limit: u64,
    authorisers: u16,
}

impl From<CustomerView> for CustomerViewForm {
    fn from(customer: CustomerView) -> Self {
        let CustomerView { psu, login, name, about, accounts } = customer;
        Self { psu, login, name, about, accounts: accounts.into_iter().map(AccountForm::from).collect() }
    }
}

impl CustomerViewForm {
    /// The customer; `None` if it cannot be read.
    pub fn read(self) -> Option<CustomerView> {
        let Self { psu, login, name, about, accounts } = self;
        let accounts = accounts.into_iter().map(AccountForm::read).collect::<Option<_>>()?;
        Some(CustomerView { psu, login, name, about, accounts })
    }
}

impl From<AccountView> for AccountForm {
    fn from(account: AccountView) -> Self {
        Self {
            id: account.id,
            status: account.status,
            account_type: account.account_type,
            sub_type: account.sub_type,
            description: account.description,
            nickname: account.nickname,
            identifications: account.identifications,
            currency: account.currency.code().to_owned(),
            shareable: account.shareable,
            booked: account.booked.minor(),
            pending: account.pending.minor(),
            credit_limit: account.credit_limit.minor(),
            authorisers: account.authorisers,
        }
    }
}

impl AccountForm {
    fn read(self) -> Option<AccountView> {
        let currency: Currency = self.currency.parse().ok()?;
        Some(AccountView {
            id: self.id,
            status: self.status,
            account_type: self.account_type,
            sub_type: self.sub_type,
            description: self.description,
            nickname: self.nickname,
            identifications: self.identifications,
            currency,
            shareable: self.shareable,
            booked: SignedAmount::from_minor(self.booked, currency),
            pending: SignedAmount::from_minor(self.pending, currency),
            credit_limit: Amount::from_minor(self.credit_limit, currency),
            authorisers: self.authorisers,
        })
    }
}

/// How an account is ended.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AccountClosureForm {
    /// The customer closes it.
    Closed,
    /// The customer switches to another bank.
    Switched,
    /// The bank blocks it.
    Blocked,
}

impl From<AccountClosure> for AccountClosureForm {
    fn from(end: AccountClosure) -> Self {
        match end {
            AccountClosure::Closed => Self::Closed,
            AccountClosure::Switched => Self::Switched,
            AccountClosure::Blocked => Self::Blocked,
        }
    }
}

impl From<AccountClosureForm> for AccountClosure {
    fn from(form: AccountClosureForm) -> Self {
        match form {
            AccountClosureForm::Closed => Self::Closed,
            AccountClosureForm::Switched => Self::Switched,
            AccountClosureForm::Blocked => Self::Blocked,
        }
    }
}

/// An account that was ended.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct EndedAccountForm {
    id: BankAccountId,
    status: AccountStatus,
}

impl From<EndedAccount> for EndedAccountForm {
    fn from(ended: EndedAccount) -> Self {
        Self { id: ended.id, status: ended.status }
    }
}

impl From<EndedAccountForm> for EndedAccount {
    fn from(form: EndedAccountForm) -> Self {
        Self { id: form.id, status: form.status }
    }
}

/// The outcome of an order.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OutcomeForm {
    /// The debtor account is debited.
    Settled,
    /// The creditor account is credited.
    Credited,
    /// The payee's bank received the payment and does not post it.
    WithoutPosting,
    /// The payment is rejected for this reason.
    Rejected(RejectionReason),
    /// The PSU cancels it.
    Cancelled,
}

impl From<OrderOutcome> for OutcomeForm {
    fn from(outcome: OrderOutcome) -> Self {
        match outcome {
            OrderOutcome::Settled => Self::Settled,
            OrderOutcome::Credited => Self::Credited,
            OrderOutcome::WithoutPosting => Self::WithoutPosting,
            OrderOutcome::Rejected(reason) => Self::Rejected(reason),
            OrderOutcome::Cancelled => Self::Cancelled,
        }
    }
}

impl From<OutcomeForm> for OrderOutcome {
    fn from(form: OutcomeForm) -> Self {
        match form {
            OutcomeForm::Settled => Self::Settled,
            OutcomeForm::Credited => Self::Credited,
            OutcomeForm::WithoutPosting => Self::WithoutPosting,
            OutcomeForm::Rejected(reason) => Self::Rejected(reason),
            OutcomeForm::Cancelled => Self::Cancelled,
        }
    }
}

/// Why a control was refused.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct RefusalForm {
    /// The sentence for the tester.
    pub error: String,
    /// The faults of a data file.
    #[serde(default)]
    pub faults: Vec<DataFileFault>,
}

impl RefusalForm {
    /// The error of a response with this status.
    pub fn into_error(self, status: StatusCode) -> ControlError {
        let Self { error, faults } = self;
        match status {
            StatusCode::BAD_REQUEST if !faults.is_empty() => ControlError::Faulty(faults),
            StatusCode::BAD_REQUEST => ControlError::Refused(error.into()),
            StatusCode::NOT_FOUND => ControlError::NotFound(error.into()),
            StatusCode::CONFLICT => ControlError::Conflict(error.into()),
            StatusCode::SERVICE_UNAVAILABLE => ControlError::Unavailable(error.into()),
            _ => ControlError::Broken(error.into()),
        }
    }
}
