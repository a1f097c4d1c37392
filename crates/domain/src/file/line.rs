//! One payment of a file.

use super::FileInitiation;
use crate::account::{AccountIdentification, PostalAddress};
use crate::calendar::london_date;
use crate::money::Amount;
use crate::order::{Credit, Instrument, NamedAccount, PaymentLimits, PaymentProduct, References, Timing, Transfer};
use crate::refusal::Fault;
use jiff::Timestamp;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};

/// To whom a payment of a file goes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FilePayee {
    /// The account.
    pub creditor: NamedAccount,
    /// The address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub address: Option<PostalAddress>,
}

/// Why a payment of a file cannot be made, though it is well formed. The other payments of the file are made. Source:
/// FILE-023.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum UnpayableReason {
    /// It names no account to pay to.
    NoAccount,
    /// It names no payee. Source: PIS-117.
    NoName,
    /// Its account is named in a way that is not known here.
    Account,
    /// It asks for a rail that is not known here.
    Instrument,
    /// It is to arrive in another currency; files hold domestic payments.
    Exchange,
    /// It says more to the payee than any rail carries.
    Remittance,
}

/// Why a payment of a file is not made, while the others are. Source: FILE-023.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotMadeReason {
    /// It cannot be made as it stands.
    Unpayable(UnpayableReason),
    /// It is not one that is offered; the first of its faults.
    NotOffered(Fault),
}

/// A payment of a file, as the file says it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileLine {
    /// Which one it is, from 1, in the order of the file.
    #[serde(skip)]
    pub number: u32,
    /// How much.
    pub amount: Amount,
    /// What identifies it.
    #[serde(default, skip_serializing_if = "References::is_empty")]
    pub references: References,
    /// The rail, where the file names it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instrument: Option<Instrument>,
    /// The account to pay from, where the file names it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub debtor: Option<AccountIdentification>,
    /// The day it is to be paid on, where the file names it; London's.
    #[serde(default, with = "crate::stored", skip_serializing_if = "Option::is_none")]
    pub execute_on: Option<Date>,
    /// To whom.
    #[serde(with = "stored_payee")]
    pub payee: Result<FilePayee, UnpayableReason>,
}

/// A line's payee in its document: the payee, or why there is none.
mod stored_payee {
    use super::{FilePayee, UnpayableReason};
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    enum Stored<T> {
        To(T),
        Unpayable(UnpayableReason),
    }

    pub(super) fn serialize<S: Serializer>(
        payee: &Result<FilePayee, UnpayableReason>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        payee.as_ref().map_or_else(|why| Stored::Unpayable(*why), Stored::To).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Result<FilePayee, UnpayableReason>, D::Error> {
        Ok(match Stored::deserialize(deserializer)? {
            Stored::To(payee) => Ok(payee),
            Stored::Unpayable(why) => Err(why),
        })
    }
}

impl FileLine {
    /// The payment, with what was said of the whole file beforehand; what the line says itself agrees with that
    /// ([`FileInitiation::faults`]). A day that is not later than `today`, London's, is now: files are written for the day
    /// they are sent on. Source: FILE-016.
    ///
    /// # Errors
    /// [`UnpayableReason`].
    pub fn transfer(self, terms: &FileInitiation, today: Date) -> Result<Transfer, UnpayableReason> {
        let FilePayee { creditor, address } = self.payee?;
        let instrument = self.instrument.or(terms.instrument);
        let credit = Credit { instrument, creditor, address, references: self.references };
        let later = self.execute_on.or(terms.execute_on).filter(|day| *day > today);
        let timing = later.map_or(Timing::Immediate, Timing::Scheduled);
        Ok(Transfer::domestic(credit, self.amount, timing))
    }

    /// Why it would not be made if it were ordered now (bank clock), if so. Source: FILE-023.
    pub fn not_made_reason(
        &self,
        terms: &FileInitiation,
        now: Timestamp,
        limits: &PaymentLimits,
    ) -> Option<NotMadeReason> {
        match self.clone().transfer(terms, london_date(now)) {
            Ok(transfer) => {
                let faults = transfer.faults_alone(PaymentProduct::FilePayment, now, limits);
                faults.into_iter().next().map(NotMadeReason::NotOffered)
            }
            Err(why) => Some(NotMadeReason::Unpayable(why)),
        }
    }
}
