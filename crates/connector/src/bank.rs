//! Implements the bank port by calls of the core API.

use crate::caller::CoreCaller;
use crate::held_updates::HeldUpdates;
use crate::settings::{ConnectorError, ConnectorSettings};
use crate::transport::{CoreCalls, CoreTransport};
use async_trait::async_trait;
use lombard_core_api::calls;
use lombard_domain::account::{Account, AccountIdentification, Balance, Party, Statement, Transaction};
use lombard_domain::ids::{BankAccountId, OrderId, PsuId, StatementId};
use lombard_domain::money::Currency;
use lombard_domain::page::ListWindow;
use lombard_domain::payment::exchange::{AgreedRate, ConversionRate, CurrencyPair, ExchangeRateRequest, Quote};
use lombard_domain::payment::order::{PayeeConfirmation, PaymentConsentRequest, UnconfirmedReason};
use lombard_domain::payment::transfer::{NamedAccount, PaymentConditions};
use lombard_ports::bank::{
    AccountChange, Bank, BankError, CallContext, ConsentChange, CoreState, EntryFilter, ListAnswer, ListKind,
    ListVersion, ListedRecords, OrderStanding, OrdersReceived, Payer, PaymentBank, PaymentOrder, StatementFilter,
    StatementFormat, StatusUpdate, SubmittedOrder, TimeRange,
};
use lombard_ports::entropy::Entropy;
use lombard_ports::store::{FailedWork, StoreError};
use std::sync::Arc;

/// A bank's core in another process.
#[derive(Debug)]
pub struct HttpBank {
    core: CoreCalls,
    held: Arc<dyn HeldUpdates>,
    takes_consent_changes: bool,
}

impl HttpBank {
    /// Makes a connector to this core. The core is not called yet.
    ///
    /// # Errors
    /// [`ConnectorError`].
    pub fn new(
        settings: ConnectorSettings,
        held: Arc<dyn HeldUpdates>,
        entropy: Arc<dyn Entropy>,
    ) -> Result<Self, ConnectorError> {
        let takes_consent_changes = settings.consent_changes;
        let transport = Arc::new(CoreCaller::new(settings, entropy)?);
        Ok(Self { takes_consent_changes, ..Self::over_transport(transport, held) })
    }

    /// Makes a connector with another transport than HTTP. The core is not told of changes of consents.
    pub fn over_transport(transport: Arc<dyn CoreTransport>, held: Arc<dyn HeldUpdates>) -> Self {
        Self { core: CoreCalls::new(transport), held, takes_consent_changes: false }
    }
}

fn of_store(error: StoreError) -> BankError {
    BankError::Unavailable(error.into())
}

/// Whether this id, which a TPP sent, can be a statement's id in the core API: 1 to 40 letters, digits or signs.
fn is_statement_id(id: &StatementId) -> bool {
    (1..=40).contains(&id.as_str().len()) && id.as_str().bytes().all(|byte| byte.is_ascii_graphic())
}

#[async_trait]
impl Bank for HttpBank {
    async fn list_accounts(&self, call: &CallContext, ids: &[BankAccountId]) -> Result<Vec<Account>, BankError> {
        self.core.call(call, &calls::Accounts { ids: ids.to_vec() }).await
    }

    async fn eligible_accounts(&self, call: &CallContext, psu: &PsuId) -> Result<Vec<Account>, BankError> {
        self.core.call(call, &calls::EligibleAccounts { psu: psu.clone() }).await
    }

    async fn list_balances(&self, call: &CallContext, ids: &[BankAccountId]) -> Result<Vec<Balance>, BankError> {
        self.core.call(call, &calls::Balances { ids: ids.to_vec() }).await
    }

    async fn list_transactions(
        &self,
        call: &CallContext,
        covered: &EntryFilter,
        asked: TimeRange,
        window: &ListWindow,
    ) -> Result<ListAnswer<Transaction>, BankError> {
        let arguments = calls::Transactions { covered: covered.clone(), asked, window: window.clone() };
        self.core.call(call, &arguments).await
    }

    async fn entries_version(
        &self,
        call: &CallContext,
        accounts: &[BankAccountId],
    ) -> Result<Option<ListVersion>, BankError> {
        self.core.call(call, &calls::EntriesVersion { accounts: accounts.to_vec() }).await
    }

    async fn list_records(
        &self,
        call: &CallContext,
        kind: ListKind,
        accounts: &[BankAccountId],
        window: &ListWindow,
    ) -> Result<ListedRecords, BankError> {
        /// Calls the method of the requested list.
        macro_rules! call_of_list {
            ($($list:ident),+) => {
                match kind {
                    $(ListKind::$list => {
                        let arguments = calls::$list { accounts: accounts.to_vec(), window: window.clone() };
                        self.core.call(call, &arguments).await.map(ListedRecords::$list)
                    })+
                }
            };
        }
        call_of_list!(Beneficiaries, DirectDebits, StandingOrders, ScheduledPayments, Products, Offers, Parties)
    }

    async fn find_party(&self, call: &CallContext, psu: &PsuId) -> Result<Option<Party>, BankError> {
        self.core.call(call, &calls::FindParty { psu: psu.clone() }).await
    }

    async fn list_statements(
        &self,
        call: &CallContext,
        covered: &StatementFilter,
        asked: TimeRange,
        window: &ListWindow,
    ) -> Result<ListAnswer<Statement>, BankError> {
        let arguments = calls::Statements { covered: covered.clone(), asked, window: window.clone() };
        self.core.call(call, &arguments).await
    }

    async fn find_statement(
        &self,
        call: &CallContext,
        account: &BankAccountId,
        id: &StatementId,
    ) -> Result<Option<Statement>, BankError> {
        if !is_statement_id(id) {
            return Ok(None);
        }
        self.core.call(call, &calls::FindStatement { account: account.clone(), id: id.clone() }).await
    }

    async fn read_statement_file(
        &self,
        call: &CallContext,
        account: &BankAccountId,
        id: &StatementId,
        format: StatementFormat,
    ) -> Result<Option<Vec<u8>>, BankError> {
        if !is_statement_id(id) {
            return Ok(None);
        }
        let arguments = calls::StatementFile { account: account.clone(), id: id.clone(), format };
        self.core.call(call, &arguments).await
    }

    fn takes_consent_changes(&self) -> bool {
        self.takes_consent_changes
    }

    async fn report_consent_change(
        &self,
        call: &CallContext,
        change: &ConsentChange,
    ) -> Result<Option<CoreState>, BankError> {
        self.core.call(call, &calls::ReportConsentChange { change: change.clone() }).await
    }

    async fn fetch_account_changes(&self, call: &CallContext, limit: u32) -> Result<Vec<AccountChange>, BankError> {
        self.core.call(call, &calls::FetchAccountChanges { limit }).await
    }

    async fn acknowledge_account_changes(&self, call: &CallContext, upto: u64) -> Result<(), BankError> {
        self.core.call(call, &calls::AcknowledgeAccountChanges { upto }).await
    }

    async fn export_customer(&self, call: &CallContext, psu: &PsuId) -> Result<Option<Vec<u8>>, BankError> {
        self.core.call(call, &calls::ExportCustomer { psu: psu.clone() }).await
    }

    async fn erase_customer(&self, call: &CallContext, psu: &PsuId) -> Result<Option<String>, BankError> {
        self.core.call(call, &calls::EraseCustomer { psu: psu.clone() }).await
    }
}

#[async_trait]
impl PaymentBank for HttpBank {
    async fn quote_conditions(
        &self,
        call: &CallContext,
        terms: &PaymentConsentRequest,
    ) -> Result<PaymentConditions, BankError> {
        self.core.call(call, &calls::QuoteConditions { terms: terms.clone() }).await
    }

    async fn quote_rate(
        &self,
        call: &CallContext,
        rate_request: &ExchangeRateRequest,
        transfer: Currency,
    ) -> Result<Option<Quote>, BankError> {
        self.core.call(call, &calls::QuoteRate { rate_request: rate_request.clone(), transfer }).await
    }

    async fn has_agreed_rate(&self, call: &CallContext, psu: &PsuId, deal: &AgreedRate) -> Result<bool, BankError> {
        self.core.call(call, &calls::HasAgreedRate { psu: psu.clone(), deal: deal.clone() }).await
    }

    async fn quote_exchange_price(
        &self,
        call: &CallContext,
        pair: CurrencyPair,
    ) -> Result<Option<ConversionRate>, BankError> {
        self.core.call(call, &calls::QuoteExchangePrice { pair }).await
    }

    async fn list_payers(&self, call: &CallContext, psu: &PsuId) -> Result<Vec<Payer>, BankError> {
        self.core.call(call, &calls::ListPayers { psu: psu.clone() }).await
    }

    async fn find_payer(&self, call: &CallContext, account: &BankAccountId) -> Result<Option<Payer>, BankError> {
        self.core.call(call, &calls::FindPayer { account: account.clone() }).await
    }

    async fn find_payer_by_number(
        &self,
        call: &CallContext,
        number: &AccountIdentification,
    ) -> Result<Option<Payer>, BankError> {
        self.core.call(call, &calls::FindPayerByNumber { number: number.clone() }).await
    }

    async fn confirm_payee(&self, call: &CallContext, payee: &NamedAccount) -> Result<PayeeConfirmation, BankError> {
        match self.core.call(call, &calls::ConfirmPayee { payee: payee.clone() }).await {
            // The core is older than the method.
            Err(BankError::UnknownMethod(_)) => Ok(PayeeConfirmation::Unavailable(UnconfirmedReason::NotOffered)),
            answered => answered,
        }
    }

    async fn submit_orders(
        &self,
        call: &CallContext,
        orders: &[PaymentOrder],
    ) -> Result<Vec<SubmittedOrder>, BankError> {
        let submitted = self.core.call(call, &calls::Submit { orders: orders.to_vec() }).await?;
        let is_whole = submitted.iter().map(|it| &it.id).eq(orders.iter().map(|it| &it.id));
        if is_whole {
            Ok(submitted)
        } else {
            Err(BankError::Broken("submit: Order: not the orders of the request".to_owned()))
        }
    }

    async fn fetch_status_updates(&self, call: &CallContext, limit: u32) -> Result<Vec<StatusUpdate>, BankError> {
        let except = self.held.orders().await.map_err(of_store)?;
        self.core.call(call, &calls::FetchStatusUpdates { limit, except }).await
    }

    async fn quarantine_updates(&self, _: &CallContext, work: Vec<FailedWork>) -> Result<usize, BankError> {
        self.held.hold(work).await.map_err(of_store)
    }

    async fn acknowledge_updates(&self, call: &CallContext, acknowledged: &[(OrderId, u32)]) -> Result<(), BankError> {
        self.core.call(call, &calls::AcknowledgeUpdates { acknowledged: acknowledged.to_vec() }).await
    }

    async fn find_orders(&self, call: &CallContext, ids: &[OrderId]) -> Result<Vec<OrderStanding>, BankError> {
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let found = self.core.call(call, &calls::FindOrders { ids: ids.to_vec() }).await?;
        // An order that was not asked for, or a second record of one, would be taken for another order's.
        let mut asked = ids.iter();
        if found.iter().all(|order| asked.any(|id| *id == order.id)) {
            Ok(found)
        } else {
            Err(BankError::Broken("orders: Standing: not the orders of the request, in its sequence".to_owned()))
        }
    }

    async fn list_orders(&self, call: &CallContext, asked: &OrdersReceived) -> Result<Vec<OrderStanding>, BankError> {
        let found = self.core.call(call, &calls::ListOrders { asked: asked.clone() }).await?;
        let follows = |it: &OrderStanding| {
            it.received_at > asked.from
                || it.received_at == asked.from && asked.after.as_ref().is_none_or(|after| it.id > *after)
        };
        let is_sorted = found.is_sorted_by(|one, other| (one.received_at, &one.id) < (other.received_at, &other.id));
        // Otherwise the list would not end.
        if is_sorted && found.first().is_none_or(follows) {
            Ok(found)
        } else {
            Err(BankError::Broken(
                "orders-received: Standing: not the orders after those before, by time and id".to_owned(),
            ))
        }
    }
}
