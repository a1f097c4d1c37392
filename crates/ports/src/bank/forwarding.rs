//! A macro for banks that forward every call to another bank.

/// The types that the macro's expansion names.
#[doc(hidden)]
pub mod names {
    pub use crate::bank::{
        AccountChange, Bank, BankError, CallContext, ConsentChange, CoreState, EntryFilter, ListAnswer, ListKind,
        ListVersion, ListedRecords, OrderStanding, OrdersReceived, Payer, PaymentBank, PaymentOrder, StatementFilter,
        StatementFormat, StatusUpdate, SubmittedOrder, TimeRange,
    };
    pub use crate::failed_work::FailedWork;
    pub use async_trait::async_trait;
    pub use lombard_domain::account::{Account, AccountIdentification, Balance, Party, Statement, Transaction};
    pub use lombard_domain::ids::{BankAccountId, OrderId, PsuId, StatementId};
    pub use lombard_domain::money::Currency;
    pub use lombard_domain::page::ListWindow;
    pub use lombard_domain::payment::exchange::{AgreedRate, ConversionRate, CurrencyPair, ExchangeRateRequest, Quote};
    pub use lombard_domain::payment::order::{PayeeConfirmation, PaymentConsentRequest};
    pub use lombard_domain::payment::transfer::{NamedAccount, PaymentConditions};
}

/// Implements [`Bank`](crate::bank::Bank) for a type whose field `bank` is another bank. Every method evaluates the given
/// expression. The expression receives the type, the name of the method, the context of the call, and the call of the other bank
/// as a future.
#[macro_export]
macro_rules! forward_bank {
    ($wrapper:ty, |$this:ident, $method:ident, $context:ident, $call:ident| $answer:expr) => {
        const _: () = {
            use $crate::bank::forwarding::names::*;

            $crate::forward_bank! { @methods $wrapper, [$this $method $context $call $answer] PaymentBank {}
                fn quote_conditions(terms: &PaymentConsentRequest) -> PaymentConditions;
                fn list_payers(psu: &PsuId) -> Vec<Payer>;
                fn find_payer(account: &BankAccountId) -> Option<Payer>;
                fn find_payer_by_number(number: &AccountIdentification) -> Option<Payer>;
                fn quote_rate(rate_request: &ExchangeRateRequest, transfer: Currency) -> Option<Quote>;
                fn has_agreed_rate(psu: &PsuId, deal: &AgreedRate) -> bool;
                fn quote_exchange_price(pair: CurrencyPair) -> Option<ConversionRate>;
                fn confirm_payee(payee: &NamedAccount) -> PayeeConfirmation;
                fn submit_orders(orders: &[PaymentOrder]) -> Vec<SubmittedOrder>;
                fn fetch_status_updates(limit: u32) -> Vec<StatusUpdate>;
                fn quarantine_updates(work: Vec<FailedWork>) -> usize;
                fn acknowledge_updates(acknowledged: &[(OrderId, u32)]) -> ();
                fn find_orders(ids: &[OrderId]) -> Vec<OrderStanding>;
                fn list_orders(asked: &OrdersReceived) -> Vec<OrderStanding>;
            }

            $crate::forward_bank! { @methods $wrapper, [$this $method $context $call $answer] Bank {
                    fn takes_consent_changes(&self) -> bool {
                        self.bank.takes_consent_changes()
                    }

                    fn pages_carry_versions(&self) -> bool {
                        self.bank.pages_carry_versions()
                    }

                    fn allows_early_reads(&self) -> bool {
                        self.bank.allows_early_reads()
                    }
                }
                fn list_accounts(ids: &[BankAccountId]) -> Vec<Account>;
                fn eligible_accounts(psu: &PsuId) -> Vec<Account>;
                fn list_balances(ids: &[BankAccountId]) -> Vec<Balance>;
                fn list_transactions(covered: &EntryFilter, asked: TimeRange, window: &ListWindow) -> ListAnswer<Transaction>;
                fn entries_version(accounts: &[BankAccountId]) -> Option<ListVersion>;
                fn list_records(kind: ListKind, accounts: &[BankAccountId], window: &ListWindow) -> ListedRecords;
                fn find_party(psu: &PsuId) -> Option<Party>;
                fn list_statements(covered: &StatementFilter, asked: TimeRange, window: &ListWindow) -> ListAnswer<Statement>;
                fn find_statement(account: &BankAccountId, id: &StatementId) -> Option<Statement>;
                fn read_statement_file(account: &BankAccountId, id: &StatementId, format: StatementFormat) -> Option<Vec<u8>>;
                fn report_consent_change(change: &ConsentChange) -> Option<CoreState>;
                fn fetch_account_changes(limit: u32) -> Vec<AccountChange>;
                fn acknowledge_account_changes(upto: u64) -> ();
                fn export_customer(psu: &PsuId) -> Option<Vec<u8>>;
                fn erase_customer(psu: &PsuId) -> Option<String>;
            }
        };
    };
    (@methods $wrapper:ty, [$this:ident $method:ident $context:ident $call:ident $answer:expr] $port:ident {$($plain:tt)*}
        $(fn $name:ident($($argument:ident: $type:ty),*) -> $out:ty;)*
    ) => {
        #[async_trait]
        impl $port for $wrapper {
            $(async fn $name(&self, $context: &CallContext, $($argument: $type),*) -> Result<$out, BankError> {
                let ($this, $method) = (self, stringify!($name));
                let $call = $this.bank.$name($context, $($argument),*);
                $answer
            })*
            $($plain)*
        }
    };
}
