//! The announcement of a payment file. The server submits each payment of the file as a separate order.

use crate::form::shape::{Boxed, FormOf};
use crate::form::values::{BoundedText, ExactDecimal, HexDigest};
use crate::objects;
use jiff::civil::Date;
use lombard_domain::account::AccountIdentification;
use lombard_domain::payment::file::{FileInitiation, FileType};
use lombard_domain::payment::transfer::{Instrument, References, TransferDetails};

objects! {
    /// The announcement of a payment file by the TPP.
    FileInitiation as "File" {
        /// The file type.
        kind: required(FormOf<FileType>, "FileType");
        /// The SHA-256 hash of the file, as 64 hexadecimal digits.
        hash: required(HexDigest, "FileHash");
        /// The TPP's reference for the file, at most 40 characters.
        reference: optional(BoundedText<40>, "FileReference");
        /// The number of transactions.
        count: optional(FormOf<u64>, "NumberOfTransactions");
        /// The control sum: the sum of all amounts, whatever their currencies.
        sum: optional(ExactDecimal<28, 28>, "ControlSum");
        /// The requested execution day, in London.
        execute_on: optional(FormOf<Date>, "RequestedExecutionDate");
        /// The local instrument.
        instrument: optional(FormOf<Instrument>, "LocalInstrument");
        /// The debtor account; the PSU may select no other.
        debtor: optional(FormOf<AccountIdentification>, "DebtorAccount");
        references: flat(References);
        /// The creditor agent and the ultimate debtor of payments that name none of their own.
        details: optional(Boxed<FormOf<TransferDetails>>, "Details");
    }
}
