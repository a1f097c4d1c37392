//! One payment of a payment file.

use super::FileInitiation;
use crate::account::{AccountIdentification, PostalAddress};
use crate::calendar::london_date;
use crate::money::Amount;
use crate::payment::PaymentProduct;
use crate::payment::offer::PaymentLimits;
use crate::payment::transfer::{
    CreditorDetails, Instrument, NamedAccount, References, Timing, Transfer, TransferDetails,
};
use crate::refusal::Fault;
use jiff::Timestamp;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};

/// The payee of a payment in a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FilePayee {
    /// The creditor account.
    pub creditor: NamedAccount,
    /// The payee's address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub address: Option<PostalAddress>,
}

/// Why a well-formed payment of a file cannot be executed. The other payments are executed. Source: FILE-023.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum UnpayableReason {
    /// The creditor account is missing.
    NoAccount,
    /// The creditor name is missing. Source: PIS-117.
    NoName,
    /// The account scheme is unknown.
    Account,
    /// The local instrument is unknown.
    Instrument,
    /// The currency of transfer differs; files hold domestic payments.
    Exchange,
    /// The remittance information is longer than any rail carries.
    Remittance,
}

crate::code::document_codes! {
    UnpayableReason {
        NoAccount = "no-account", NoName = "no-name", Account = "account", Instrument = "instrument",
        Exchange = "exchange", Remittance = "remittance",
    }
}

/// Why a payment of a file is not executed. The other payments are executed. Source: FILE-023.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum UnexecutedReason {
    /// Its content does not allow execution.
    Unpayable(UnpayableReason),
    /// The bank does not offer it; the first fault found.
    NotOffered(Fault),
}

/// A payment as the file contains it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileLine {
    /// Its number, from 1, in the order of the file.
    #[serde(skip)]
    pub number: u32,
    /// The amount.
    pub amount: Amount,
    /// The references.
    #[serde(default, skip_serializing_if = "References::is_empty")]
    pub references: References,
    /// The rail, if the file names one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instrument: Option<Instrument>,
    /// The debtor account, if the file names one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub debtor: Option<AccountIdentification>,
    /// The execution day in London, if the file names one.
    #[serde(default, with = "crate::stored", skip_serializing_if = "Option::is_none")]
    pub execute_on: Option<Date>,
    /// The payee, or why there is none.
    #[serde(with = "stored_payee")]
    pub payee: Result<FilePayee, UnpayableReason>,
    /// Its parties and reports, if the file names any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub details: Option<Box<TransferDetails>>,
}

/// Stores a line's payee, or the reason why there is none.
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
    /// The payment of the line, completed by the announcement; [`FileInitiation::faults`] has checked that both agree.
    /// A day not after `today` (London) means at once, because files are sent on the day they name. Source: FILE-016.
    ///
    /// # Errors
    /// [`UnpayableReason`].
    pub fn transfer(self, terms: &FileInitiation, today: Date) -> Result<Transfer, UnpayableReason> {
        let FilePayee { creditor, address } = self.payee?;
        let instrument = self.instrument.or(terms.instrument);
        let credit = CreditorDetails { instrument, creditor, address, references: self.references };
        let later = self.execute_on.or(terms.execute_on).filter(|day| *day > today);
        let timing = later.map_or(Timing::Immediate, Timing::Scheduled);
        let details = match terms.details.as_deref() {
            Some(file) => self.details.map(|own| *own).unwrap_or_default().completed_by(file).boxed(),
            None => self.details,
        };
        Ok(Transfer { details, ..Transfer::domestic(credit, self.amount, timing) })
    }

    /// Why the payment would not be executed if ordered now (bank clock); `None` if it would be. Source: FILE-023.
    pub fn unexecuted_reason(
        &self,
        terms: &FileInitiation,
        now: Timestamp,
        limits: &PaymentLimits,
    ) -> Option<UnexecutedReason> {
        match self.clone().transfer(terms, london_date(now)) {
            Ok(transfer) => {
                let faults = transfer.immediate_payment_faults(PaymentProduct::FilePayment, now, limits);
                faults.into_iter().next().map(UnexecutedReason::NotOffered)
            }
            Err(why) => Some(UnexecutedReason::Unpayable(why)),
        }
    }
}
