//! Calls the method of the bank that a request names.

use lombard_core_api::calls::{self, AnswerBody, FetchStatusUpdates, read_request, write_answer};
use lombard_core_api::form::faults::FormFault;
use lombard_core_api::{ErrorBody, ErrorCode};
use lombard_domain::ids::OrderId;
use lombard_ports::bank::{Bank, BankError, CallContext, StatusUpdate, read_list};
use std::collections::HashSet;
use std::time::Duration;

/// Why a call failed.
#[derive(Debug)]
pub enum CallFailure {
    /// The request is refused.
    Error(ErrorBody),
    /// The bank is unavailable, or busy for this long.
    Unavailable(String, Option<Duration>),
    /// The bank has an internal error.
    Broken(String),
}

impl From<BankError> for CallFailure {
    fn from(error: BankError) -> Self {
        match &error {
            BankError::Unavailable(cause) => Self::Unavailable(cause.to_string(), None),
            BankError::Busy { retry_after, source } => Self::Unavailable(source.to_string(), *retry_after),
            BankError::Broken(_) | BankError::UnknownMethod(_) => Self::Broken(error.to_string()),
        }
    }
}

impl From<Vec<FormFault>> for CallFailure {
    fn from(faults: Vec<FormFault>) -> Self {
        Self::Error(ErrorBody { faults, ..ErrorBody::new(ErrorCode::Invalid, "The request cannot be read.") })
    }
}

/// Generates the dispatch from the list of methods and the functions that they call.
macro_rules! dispatch {
    ($bank:ident, $body:ident, $name:ident; $($call:ident: $context:ident, $arguments:pat => $answer:expr;)+) => {
        match $name {
            $(name if name == <calls::$call as calls::CoreCall>::METHOD.name => {
                let ($context, $arguments) = read_request::<calls::$call>($body)?;
                let $context = &$context;
                Ok(write_answer::<calls::$call>(&$answer.await?))
            })+
            _ => Err(CallFailure::Error(ErrorBody::new(ErrorCode::UnknownMethod, "There is no such method."))),
        }
    };
}

/// Calls this method of the bank with a JSON request and returns the answer.
///
/// # Errors
/// [`CallFailure`].
pub async fn answer_call(bank: &dyn Bank, name: &str, body: &[u8]) -> Result<AnswerBody, CallFailure> {
    dispatch! { bank, body, name;
        Accounts: call, it => bank.list_accounts(call, &it.ids);
        EligibleAccounts: call, it => bank.eligible_accounts(call, &it.psu);
        Balances: call, it => bank.list_balances(call, &it.ids);
        Transactions: call, it => bank.list_transactions(call, &it.covered, it.asked, &it.window);
        EntriesVersion: call, it => bank.entries_version(call, &it.accounts);
        Beneficiaries: call, it => read_list(bank, call, &it.accounts, &it.window);
        DirectDebits: call, it => read_list(bank, call, &it.accounts, &it.window);
        StandingOrders: call, it => read_list(bank, call, &it.accounts, &it.window);
        ScheduledPayments: call, it => read_list(bank, call, &it.accounts, &it.window);
        Products: call, it => read_list(bank, call, &it.accounts, &it.window);
        Offers: call, it => read_list(bank, call, &it.accounts, &it.window);
        Parties: call, it => read_list(bank, call, &it.accounts, &it.window);
        FindParty: call, it => bank.find_party(call, &it.psu);
        Statements: call, it => bank.list_statements(call, &it.covered, it.asked, &it.window);
        FindStatement: call, it => bank.find_statement(call, &it.account, &it.id);
        StatementFile: call, it => bank.read_statement_file(call, &it.account, &it.id, it.format);
        QuoteConditions: call, it => bank.quote_conditions(call, &it.terms);
        QuoteRate: call, it => bank.quote_rate(call, &it.rate_request, it.transfer);
        HasAgreedRate: call, it => bank.has_agreed_rate(call, &it.psu, &it.deal);
        QuoteExchangePrice: call, it => bank.quote_exchange_price(call, it.pair);
        ListPayers: call, it => bank.list_payers(call, &it.psu);
        FindPayer: call, it => bank.find_payer(call, &it.account);
        FindPayerByNumber: call, it => bank.find_payer_by_number(call, &it.number);
        ConfirmPayee: call, it => bank.confirm_payee(call, &it.payee);
        Submit: call, it => bank.submit_orders(call, &it.orders);
        FetchStatusUpdates: call, it => fetch_status_updates(bank, call, it);
        AcknowledgeUpdates: call, it => bank.acknowledge_updates(call, &it.acknowledged);
        FindOrders: call, it => bank.find_orders(call, &it.ids);
        ListOrders: call, it => bank.list_orders(call, &it.asked);
        ReportConsentChange: call, it => bank.report_consent_change(call, &it.change);
        FetchAccountChanges: call, it => bank.fetch_account_changes(call, it.limit);
        AcknowledgeAccountChanges: call, it => bank.acknowledge_account_changes(call, it.upto);
        ExportCustomer: call, it => bank.export_customer(call, &it.psu);
        EraseCustomer: call, it => bank.erase_customer(call, &it.psu);
    }
}

/// The most updates that are read in search of those that are not left out.
const UPDATES_READ_MAX: u32 = 100_000;

/// Fetches updates, without those of the orders that the caller leaves out, which do not count towards the limit.
async fn fetch_status_updates(
    bank: &dyn Bank,
    call: &CallContext,
    asked: FetchStatusUpdates,
) -> Result<Vec<StatusUpdate>, BankError> {
    let except: HashSet<OrderId> = asked.except.into_iter().collect();
    let mut limit = asked.limit;
    let wanted = usize::try_from(asked.limit).unwrap_or(usize::MAX);
    loop {
        let mut updates = bank.fetch_status_updates(call, limit).await?;
        let is_all = updates.len() < usize::try_from(limit).unwrap_or(usize::MAX);
        updates.retain(|update| !except.contains(&update.order));
        if is_all || updates.len() >= wanted || limit >= UPDATES_READ_MAX || except.is_empty() {
            updates.truncate(wanted);
            return Ok(updates);
        }
        limit = limit.saturating_mul(2);
    }
}
