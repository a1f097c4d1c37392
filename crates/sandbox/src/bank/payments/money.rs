//! How the money of one payment moves: kept aside, debited, credited, let go or given back. Every movement has a cause of
//! its own, so whoever comes again moves nothing.
//!
//! Between the payer and the payee the money lies on a clearing account, one for each payer and rail.

use super::super::booking::{self, Line};
use super::super::channel::Channel;
use super::super::diary::account_in_use;
use super::super::{entry, names};
use super::dossier::{Dossier, UnderWay, When};
use super::kept;
use jiff::Timestamp;
use lombard_domain::account::{Account, Identification, OtherParty, Transaction};
use lombard_domain::ids::{BankAccountId, OrderId};
use lombard_domain::money::Signed;
use lombard_domain::order::{Instrument, Reason};
use lombard_ports::store::{StoreError, Transaction as Tables};

/// Where a payee banks.
#[derive(Debug)]
pub(super) enum Whereabouts {
    /// Here.
    Here(Box<Account>),
    /// Here, and the account cannot be paid to.
    Unusable,
    /// Elsewhere.
    Elsewhere,
}

/// The money of one payment of an order.
#[derive(Debug)]
pub(super) struct Money<'a> {
    pub(super) order: &'a OrderId,
    pub(super) debtor: &'a BankAccountId,
    pub(super) dossier: &'a Dossier,
}

impl Money<'_> {
    /// What a payment takes from the account, its charge included, minor units.
    pub(super) fn needed(&self, minor: u64) -> i64 {
        signed(minor.saturating_add(self.dossier.charge))
    }

    /// Keeps the amount and the charge aside; the payer sees both as pending.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(super) fn reserve(&self, tx: &mut dyn Tables, payment: &UnderWay, at: Timestamp) -> Result<(), StoreError> {
        let out = self.debit(payment);
        let lines = vec![Line::seen(out), self.clearing(signed(payment.minor))];
        booking::reserve(tx, self.cause(payment, "reserve"), at, lines)?;
        if let Some(fee) = self.fee(payment) {
            let lines = vec![Line::seen(fee), self.fees(signed(self.dossier.charge))];
            booking::reserve(tx, self.cause(payment, "reserve-charge"), at, lines)?;
        }
        Ok(())
    }

    /// Debits what was kept aside.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(super) fn debited(&self, tx: &mut dyn Tables, payment: &UnderWay, at: Timestamp) -> Result<(), StoreError> {
        let entries = [Some(self.debit(payment)), self.fee(payment)];
        entries.into_iter().flatten().try_for_each(|entry| booking::settle(tx, Transaction { booked_at: at, ..entry }))
    }

    /// Lets go what was kept aside; the payer sees why.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(super) fn release(
        &self,
        tx: &mut dyn Tables,
        payment: &UnderWay,
        why: Reason,
        at: Timestamp,
    ) -> Result<(), StoreError> {
        let text = self.not_paid(why);
        let entries = [Some(self.debit(payment)), self.fee(payment)];
        entries.into_iter().flatten().try_for_each(|entry| {
            let entry = Transaction { information: Some(text.clone()), booked_at: at, ..entry };
            booking::release(tx, entry)
        })
    }

    /// Enters that a payment was not made at all.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(super) fn refuse(
        &self,
        tx: &mut dyn Tables,
        payment: &UnderWay,
        why: Reason,
        at: Timestamp,
    ) -> Result<(), StoreError> {
        let refused = Transaction {
            id: names::derived(&format!("entry/{}", self.cause(payment, "refuse")), at).into(),
            information: Some(self.not_paid(why)),
            booked_at: at,
            value_at: Some(at),
            ..self.debit(payment)
        };
        booking::refuse(tx, refused)
    }

    /// Credits the payee: an entry of its own if the payee banks here, somebody outside otherwise.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(super) fn credit(
        &self,
        tx: &mut dyn Tables,
        payment: &UnderWay,
        to: &Whereabouts,
        at: Timestamp,
    ) -> Result<(), StoreError> {
        let minor = signed(payment.minor);
        let theirs = match to {
            Whereabouts::Here(account) => self.into(tx, account, payment, at)?,
            Whereabouts::Unusable | Whereabouts::Elsewhere => {
                let payee = names::elsewhere(&self.dossier.payee.account(), self.dossier.currency.0);
                Line::unseen(payee, minor, self.dossier.currency.0)
            }
        };
        let lines = vec![self.clearing(minor.saturating_neg()), theirs];
        booking::book(tx, self.cause(payment, "credit"), at, lines).map(drop)
    }

    /// Gives the payer back the amount and the charge.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(super) fn give_back(
        &self,
        tx: &mut dyn Tables,
        payment: &UnderWay,
        why: Reason,
        at: Timestamp,
    ) -> Result<(), StoreError> {
        let back = |way: &str, minor: u64, channel, text: String| {
            let sum = Signed::from_minor(signed(minor), self.dossier.currency.0);
            let mut seen = entry::new(self.debtor, self.entry_id(payment, way), at, sum, channel);
            seen.reference.clone_from(&self.dossier.reference);
            seen.information = Some(text);
            seen
        };
        let text = format!("Returned from {}: {}", self.dossier.payee.name(), kept::because(why));
        let mut returned = back("return", payment.minor, self.channel(), text);
        returned.other_party = Some(self.payee_as_party(None));
        let mut lines = vec![self.clearing(signed(payment.minor).saturating_neg()), Line::seen(returned)];
        if self.dossier.charge > 0 {
            let refund = back("refund", self.dossier.charge, Channel::Fee, "Payment charge refunded".to_owned());
            lines.extend([self.fees(signed(self.dossier.charge).saturating_neg()), Line::seen(refund)]);
        }
        booking::book(tx, self.cause(payment, "return"), at, lines).map(drop)
    }

    /// Where the payee banks now.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(super) fn whereabouts(&self, tx: &mut dyn Tables) -> Result<Whereabouts, StoreError> {
        let Some(id) = tx.bank_account_by_number(&self.dossier.payee.account())? else {
            return Ok(Whereabouts::Elsewhere);
        };
        let found = account_in_use(tx, &id)?.map(|record| record.account);
        let usable = found.filter(|it| it.currency == self.dossier.currency.0 && it.id != *self.debtor);
        Ok(usable.map_or(Whereabouts::Unusable, |it| Whereabouts::Here(Box::new(it))))
    }

    /// What the payer sees of the amount. It follows from the order, so it need not be kept.
    fn debit(&self, payment: &UnderWay) -> Transaction {
        let sum = Signed::from_minor(signed(payment.minor).saturating_neg(), self.dossier.currency.0);
        let id = self.entry_id(payment, "out");
        let mut out = entry::new(self.debtor, id, payment.debited_at.0, sum, self.channel());
        let says = self.dossier.reference.as_deref().or(self.dossier.message.as_deref()).unwrap_or_default();
        out.reference.clone_from(&self.dossier.reference);
        out.information = Some(format!("{} {says}", self.dossier.payee.name()).trim().to_owned());
        out.other_party = Some(self.payee_as_party(None));
        out
    }

    /// What the payer sees of the charge, if there is one.
    fn fee(&self, payment: &UnderWay) -> Option<Transaction> {
        let sum = Signed::from_minor(signed(self.dossier.charge).saturating_neg(), self.dossier.currency.0);
        let id = self.entry_id(payment, "charge");
        let mut fee = entry::new(self.debtor, id, payment.debited_at.0, sum, Channel::Fee);
        fee.information = Some("Payment charge".to_owned());
        (self.dossier.charge > 0).then_some(fee)
    }

    /// The payee's side at this bank.
    fn into(&self, tx: &mut dyn Tables, to: &Account, payment: &UnderWay, at: Timestamp) -> Result<Line, StoreError> {
        let from = tx.bank_accounts(std::slice::from_ref(self.debtor))?.pop();
        let payer = from.and_then(|record| record.account.identifications.into_iter().next());
        let sum = Signed::from_minor(signed(payment.minor), to.currency);
        let mut into = entry::new(&to.id, self.entry_id(payment, "in"), at, sum, self.channel());
        let name = payer.as_ref().and_then(|it| it.name.as_deref()).unwrap_or_default();
        let says = self.dossier.reference.as_deref().or(self.dossier.message.as_deref()).unwrap_or_default();
        into.information = Some(format!("{name} {says}").trim().to_owned());
        into.reference.clone_from(&self.dossier.reference);
        into.other_party = Some(other_party(payer));
        Ok(Line::seen(into))
    }

    fn payee_as_party(&self, agent: Option<lombard_domain::account::Agent>) -> OtherParty {
        OtherParty { agent, account: Some(self.dossier.payee.account()) }
    }

    fn not_paid(&self, why: Reason) -> String {
        format!("Not paid to {}: {}", self.dossier.payee.name(), kept::because(why))
    }

    /// The account the money is on while it is nobody's.
    fn clearing(&self, minor: i64) -> Line {
        let party = format!("clearing/{}/{}", kept::word(self.dossier.rail.0), self.debtor);
        Line::outside(&party, minor, self.dossier.currency.0)
    }

    fn fees(&self, minor: i64) -> Line {
        Line::outside("bank:fees", minor, self.dossier.currency.0)
    }

    fn channel(&self) -> Channel {
        match (&self.dossier.when, self.dossier.rail.0) {
            (When::Again(_), _) => Channel::StandingOrder,
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

    fn cause(&self, payment: &UnderWay, what: &str) -> String {
        format!("order/{}/{}/{what}", self.order, payment.number)
    }

    fn entry_id(&self, payment: &UnderWay, way: &str) -> lombard_domain::ids::TransactionId {
        names::derived(&format!("entry/{}", self.cause(payment, way)), payment.debited_at.0).into()
    }
}

fn other_party(account: Option<Identification>) -> OtherParty {
    OtherParty { agent: Some(names::own_agent()), account }
}

/// Minor units with a sign; no amount that is ordered comes near the end of the range.
fn signed(minor: u64) -> i64 {
    i64::try_from(minor).unwrap_or(i64::MAX)
}
