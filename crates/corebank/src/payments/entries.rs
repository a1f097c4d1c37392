//! Builds the entries of a payment for the payer and for a payee at this bank. The entries are derived from the order.

use super::super::channel::Channel;
use super::super::{entry, names};
use super::execution::PaymentInProgress;
use super::funds::{PaymentFunds, PaymentSums, repriced_name};
use super::stored_text;
use super::timing::OrderTiming;
use crate::storage::BankTransaction as Tables;
use jiff::Timestamp;
use lombard_domain::account::{Account, AccountIdentification, BankIdentification, OtherParty, Transaction};
use lombard_domain::ids::TransactionId;
use lombard_domain::money::{Currency, SignedAmount};
use lombard_domain::payment::order::RejectionReason;
use lombard_domain::payment::transfer::Instrument;
use lombard_ports::store::StoreError;

impl PaymentFunds<'_> {
    /// The payer's entries for the amount and, if there is one, the charge.
    pub(super) fn payer_entries(&self, payment: &PaymentInProgress, sums: &PaymentSums) -> Vec<Transaction> {
        std::iter::once(self.debit(payment, sums)).chain(self.fee(payment, sums)).collect()
    }

    /// The payer's entry for the amount.
    pub(super) fn debit(&self, payment: &PaymentInProgress, sums: &PaymentSums) -> Transaction {
        let sum = SignedAmount::from_minor(sums.debit.saturating_neg(), sums.debit_currency);
        let id = self.entry_id(payment, &repriced_name(payment, "out"));
        let mut out = entry::new(self.debtor, id, payment.debited_at.0, sum, self.channel());
        out.reference.clone_from(&self.execution.reference);
        out.information =
            Some(format!("{} {}", self.execution.payee.name(), self.reference_or_message()).trim().to_owned());
        out.other_party = Some(self.payee_as_party());
        out.payment.clone_from(&self.execution.payment);
        let international = self.execution.international.as_ref().zip(payment.priced.as_ref());
        out.exchange =
            international.and_then(|(it, priced)| it.quoted_rate(self.execution.amount(payment.minor), priced));
        out
    }

    /// The payer's entry for the charge, if there is one.
    pub(super) fn fee(&self, payment: &PaymentInProgress, sums: &PaymentSums) -> Option<Transaction> {
        let sum = SignedAmount::from_minor(sums.fee.saturating_neg(), sums.debit_currency);
        let id = self.entry_id(payment, &repriced_name(payment, "charge"));
        let mut fee = entry::new(self.debtor, id, payment.debited_at.0, sum, Channel::Fee);
        fee.information = Some("Payment charge".to_owned());
        (sums.fee > 0).then_some(fee)
    }

    /// The payer's rejected entry for a payment that was not made.
    pub(super) fn refused(
        &self,
        payment: &PaymentInProgress,
        sums: &PaymentSums,
        why: RejectionReason,
        at: Timestamp,
    ) -> Transaction {
        Transaction {
            id: names::derive_id(&format!("entry/{}", self.cause(payment, "refuse")), at).into(),
            information: Some(self.not_paid_text(why)),
            booked_at: at,
            value_at: Some(at),
            ..self.debit(payment, sums)
        }
    }

    /// The payer's entry for the returned amount.
    pub(super) fn returned(
        &self,
        payment: &PaymentInProgress,
        sums: &PaymentSums,
        why: RejectionReason,
        at: Timestamp,
    ) -> Transaction {
        let text = format!("Returned from {}: {}", self.execution.payee.name(), stored_text::reason_text(why));
        let mut returned =
            self.returned_entry(payment, "return", (sums.debit, sums.debit_currency), self.channel(), at);
        returned.information = Some(text);
        returned.other_party = Some(self.payee_as_party());
        returned
    }

    /// The payer's entry for the refunded charge, if the payment had a charge.
    pub(super) fn refunded(
        &self,
        payment: &PaymentInProgress,
        sums: &PaymentSums,
        at: Timestamp,
    ) -> Option<Transaction> {
        let mut refund = self.returned_entry(payment, "refund", (sums.fee, sums.debit_currency), Channel::Fee, at);
        refund.information = Some("Payment charge refunded".to_owned());
        (sums.fee > 0).then_some(refund)
    }

    fn returned_entry(
        &self,
        payment: &PaymentInProgress,
        way: &str,
        (minor, currency): (i64, Currency),
        channel: Channel,
        at: Timestamp,
    ) -> Transaction {
        let sum = SignedAmount::from_minor(minor, currency);
        let mut returned = entry::new(self.debtor, self.entry_id(payment, way), at, sum, channel);
        returned.reference.clone_from(&self.execution.reference);
        returned
    }

    /// The entry of a payee at this bank.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(super) fn received(
        &self,
        tx: &mut dyn Tables,
        to: &Account,
        payment: &PaymentInProgress,
        sums: &PaymentSums,
        at: Timestamp,
    ) -> Result<Transaction, StoreError> {
        let from = tx.bank_accounts(std::slice::from_ref(self.debtor))?.pop();
        let payer = from.and_then(|record| record.account.identifications.into_iter().next());
        let sum = SignedAmount::from_minor(sums.sent, to.currency);
        let mut into = entry::new(&to.id, self.entry_id(payment, "in"), at, sum, self.channel());
        let name = payer.as_ref().and_then(|it| it.name.as_deref()).unwrap_or_default();
        into.information = Some(format!("{name} {}", self.reference_or_message()).trim().to_owned());
        into.reference.clone_from(&self.execution.reference);
        into.other_party = Some(party(Some(names::own_agent()), payer));
        into.payment.clone_from(&self.execution.payment);
        Ok(into)
    }

    /// The text of an entry for a payment that was not made.
    pub(super) fn not_paid_text(&self, why: RejectionReason) -> String {
        format!("Not paid to {}: {}", self.execution.payee.name(), stored_text::reason_text(why))
    }

    /// The text of the entry for a reservation that was replaced at another rate.
    pub(super) fn repriced_text(&self) -> String {
        format!("{}: reserved anew at the rate of the day", self.execution.payee.name())
    }

    fn reference_or_message(&self) -> &str {
        self.execution.reference.as_deref().or(self.execution.message.as_deref()).unwrap_or_default()
    }

    fn payee_as_party(&self) -> OtherParty {
        party(self.execution.payee_agent(), Some(self.execution.payee.account()))
    }

    fn channel(&self) -> Channel {
        match (&self.execution.timing, self.execution.rail.0) {
            (OrderTiming::StandingOrder(_), _) => Channel::StandingOrder,
            (_, Instrument::Bacs) => Channel::Bacs,
            (_, Instrument::Chaps) => Channel::Chaps,
            (_, Instrument::BalanceTransfer | Instrument::MoneyTransfer) => Channel::CardTransfer,
            (_, Instrument::FasterPayments | Instrument::Paym | Instrument::Link) => Channel::FasterPayment,
            (
                _,
                Instrument::Swift
                | Instrument::Euro1
                | Instrument::SepaCreditTransfer
                | Instrument::SepaInstantCreditTransfer
                | Instrument::Target2,
            ) => Channel::CrossBorder,
        }
    }

    fn entry_id(&self, payment: &PaymentInProgress, way: &str) -> TransactionId {
        names::derive_id(&format!("entry/{}", self.cause(payment, way)), payment.debited_at.0).into()
    }
}

const fn party(agent: Option<BankIdentification>, account: Option<AccountIdentification>) -> OtherParty {
    OtherParty { agent, account }
}
