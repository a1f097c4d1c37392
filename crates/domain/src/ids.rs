//! Identifiers, each its own type, so that a consent's id can never be passed for a client's.
//!
//! All are opaque text to their readers; cloning is a reference count. Lengths are checked where ids enter
//! (`lombard-wire`), not here: an id that reached us from storage is taken as it is.

use serde::{Deserialize, Serialize};
use std::{fmt, sync::Arc};

macro_rules! id {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(Arc<str>);

        impl $name {
            /// Takes the text as the id.
            pub fn new(text: impl Into<Arc<str>>) -> Self { Self(text.into()) }
            /// The id as text.
            pub fn as_str(&self) -> &str { &self.0 }
        }
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result { f.write_str(&self.0) }
        }
        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result { write!(f, "{}({})", stringify!($name), self.0) }
        }
        impl From<&str> for $name { fn from(text: &str) -> Self { Self::new(text) } }
        impl From<String> for $name { fn from(text: String) -> Self { Self::new(text) } }
        impl AsRef<str> for $name { fn as_ref(&self) -> &str { &self.0 } }
    )*};
}

id! {
    /// An account as one TPP sees it: stable per account and TPP over all consents, at most 40 characters,
    /// meaningless to the owner. Source: AIS-087.
    AccountId;
    /// An account as the bank knows it. Never leaves the server: a TPP sees the [`AccountId`] made for it.
    BankAccountId;
    /// A registered client: one software statement, "the TPP" of the rules. Source: DCR-016.
    ClientId;
    /// A consent of any kind; the `openbanking_intent_id`. At most 128 characters. Source: RW-249.
    ConsentId;
    /// One event in a TPP's queue; the `jti` of its SET.
    EventId;
    /// One answer whether there is enough money, at most 40 characters. Source: CBP-032.
    FundsConfirmationId;
    /// What a PSU gave a client (or, for client credentials, what a client took for itself): the parent of tokens.
    GrantId;
    /// One authorisation journey in a browser, from request to redirect.
    JourneyId;
    /// One unit of work for a worker.
    JobId;
    /// The id of one request, `x-fapi-interaction-id`. Source: RW-050.
    FapiInteractionId;
    /// One balanced set of postings in the ledger.
    JournalId;
    /// The id of a key, `kid`.
    KeyId;
    /// A payment order, at most 40 characters; the `DomesticPaymentId` and its seven sisters. Source: PIS-042.
    OrderId;
    /// An organisation in the directory (18 alphanumeric characters).
    OrgId;
    /// A person or organisation the bank knows as a party to accounts, at most 40 characters. Source: AIS-188.
    PartyId;
    /// One payment executed under an order, at most 210 characters, immutable. Source: PIS-091.
    PaymentTransactionId;
    /// A record of what an account holder has arranged (payee, mandate, standing order, …), at most 40 characters.
    RecordId;
    /// A customer of the bank who authorises access (payment service user).
    PsuId;
    /// One upload of a payment file.
    UploadId;
    /// A software statement in the directory (at most 22 alphanumeric characters).
    SoftwareId;
    /// A bank statement.
    StatementId;
    /// An entry on an account; unique and immutable, at most 210 characters. Source: AIS-120.
    TransactionId;
}

impl OrderId {
    /// One payment of a file, by its number: what the bank takes and tells of as an order of its own.
    #[must_use]
    pub fn for_line(&self, number: u32) -> Self {
        // As many digits as the largest file needs: by their ids they are in the order of the file.
        Self::new(format!("{self}{LINE}{number:06}"))
    }

    /// The order, and of a payment of a file its number there.
    pub fn order_and_line(&self) -> (Self, Option<u32>) {
        let line = self.as_str().split_once(LINE).and_then(|(order, number)| Some((order, number.parse().ok()?)));
        line.map_or_else(|| (self.clone(), None), |(order, number)| (order.into(), Some(number)))
    }
}

/// Between an order and the number of a payment in its file; no order's own id holds it.
const LINE: char = '/';

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_payments_of_a_file_have_ids_in_the_order_of_the_file() {
        let order = OrderId::from("0190-a");
        assert_eq!(order.order_and_line(), (order.clone(), None));
        let lines = [1, 2, 9, 10, 99_999, 100_000].map(|number| (order.for_line(number), number));
        for (line, number) in &lines {
            assert_eq!(line.order_and_line(), (order.clone(), Some(*number)));
        }
        assert!(lines.is_sorted_by_key(|(line, _)| line));
    }
}
