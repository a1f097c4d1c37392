//! The amounts of an order's payments, and the causes of their journals.

use super::execution::{OrderExecution, PaymentInProgress};
use lombard_domain::ids::{BankAccountId, OrderId};
use lombard_domain::money::Currency;
use lombard_domain::payment::exchange::TotalDebit;
use lombard_ports::store::StoreError;

/// The prefix of the journal causes of orders.
const CAUSE: &str = "order/";

/// The order of a journal, by the journal's cause; `None` for other journals.
pub(crate) fn order_of_cause(cause: &str) -> Option<OrderId> {
    // The id of a payment in a file contains a slash.
    let (order, _) = cause.strip_prefix(CAUSE)?.rsplit_once('/')?.0.rsplit_once('/')?;
    Some(order.into())
}

/// An order whose payments move money.
#[derive(Debug)]
pub(super) struct PaymentFunds<'a> {
    pub(super) order: &'a OrderId,
    pub(super) debtor: &'a BankAccountId,
    pub(super) execution: &'a OrderExecution,
}

/// The amounts of one payment in minor units.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PaymentSums {
    /// The currency of the account that is debited.
    pub(super) debit_currency: Currency,
    /// The debit for the payment itself.
    pub(super) debit: i64,
    /// The debit for the charge.
    pub(super) fee: i64,
    /// The currency of transfer.
    pub(super) transfer_currency: Currency,
    /// The amount sent.
    pub(super) sent: i64,
}

impl PaymentSums {
    /// The total debit of the account.
    pub(super) const fn total_debit_minor(&self) -> i64 {
        self.debit.saturating_add(self.fee)
    }
}

impl PaymentFunds<'_> {
    /// Computes the amounts of a payment.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] if they cannot be computed from the stored execution.
    pub(super) fn sums(&self, payment: &PaymentInProgress) -> Result<PaymentSums, StoreError> {
        let (debit_currency, transfer_currency) = (self.execution.debit_currency(), self.execution.transfer_currency());
        let (debit, fee, sent) = match self.total_debit(payment)? {
            Some(total_debit) => {
                (total_debit.legs().debit().minor(), total_debit.charges_on_payer().minor(), total_debit.sent().minor())
            }
            None => (payment.minor, self.execution.charge, payment.minor),
        };
        Ok(PaymentSums {
            debit_currency,
            debit: signed(debit),
            fee: signed(fee),
            transfer_currency,
            sent: signed(sent),
        })
    }

    /// The cause of one movement of a payment.
    pub(super) fn cause(&self, payment: &PaymentInProgress, what: &str) -> String {
        format!("{CAUSE}{}/{}/{what}", self.order, payment.number)
    }

    /// The total debit of an international payment; `None` for a domestic one.
    pub(super) fn total_debit(&self, payment: &PaymentInProgress) -> Result<Option<TotalDebit>, StoreError> {
        let Some(international) = &self.execution.international else { return Ok(None) };
        let priced = payment.priced.as_ref().ok_or_else(|| self.corrupt("a payment abroad has no rate"))?;
        let total_debit = international.total_debit(self.execution.amount(payment.minor), priced);
        total_debit.map(Some).map_err(|why| self.corrupt(why))
    }

    /// The error for inconsistent stored execution data.
    pub(super) fn corrupt(&self, why: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> StoreError {
        StoreError::Corrupt { table: "bank_orders", id: self.order.to_string(), source: why.into() }
    }
}

/// The name of a reservation. The name changes each time the payment is repriced.
pub(super) fn repriced_name(payment: &PaymentInProgress, what: &str) -> String {
    match payment.priced.map_or(0, |priced| priced.repriced) {
        0 => what.to_owned(),
        times => format!("{what}-{times}"),
    }
}

/// Converts minor units to a signed number; ordered amounts are far below the limit.
fn signed(minor: u64) -> i64 {
    i64::try_from(minor).unwrap_or(i64::MAX)
}
