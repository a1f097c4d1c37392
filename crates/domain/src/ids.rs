//! Identifiers, each with its own type, so that ids of different kinds cannot be confused.
//!
//! Ids are opaque text; cloning copies a reference. Lengths are checked at the edge (`lombard-wire`), not here; an id
//! read from storage is accepted as it is.

use serde::{Deserialize, Serialize};
use std::{fmt, sync::Arc};

macro_rules! id {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(Arc<str>);

        impl $name {
            /// Makes an id from its text.
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
    /// An account as one TPP knows it: stable for the account and the TPP over all consents, at most 40 characters,
    /// without meaning. Source: AIS-087.
    AccountId;
    /// An account as the bank knows it. Never disclosed: a TPP is given the [`AccountId`].
    BankAccountId;
    /// A backchannel authentication request, as pages and jobs name it. It is not the `auth_req_id`.
    BackchannelRequestId;
    /// A registered client: one software statement, called TPP in the rules. Source: DCR-016.
    ClientId;
    /// A consent of any kind; the `openbanking_intent_id`. At most 128 characters. Source: RW-249.
    ConsentId;
    /// One event in a TPP's queue; the `jti` of its SET.
    EventId;
    /// A funds confirmation, at most 40 characters. Source: CBP-032.
    FundsConfirmationId;
    /// A grant of a PSU to a client, or of client credentials; the parent of tokens.
    GrantId;
    /// An authorisation journey in a browser, from request to redirect.
    JourneyId;
    /// A job of a worker.
    JobId;
    /// The interaction id of a request, `x-fapi-interaction-id`. Source: RW-050.
    FapiInteractionId;
    /// A journal: a balanced set of postings in the ledger.
    JournalId;
    /// The id of a key, `kid`.
    KeyId;
    /// A notice of maintenance or of a change. Source: DTN-007.
    NoticeId;
    /// A payment order, at most 40 characters; the `DomesticPaymentId` and its counterparts of the other products.
    /// Source: PIS-042.
    OrderId;
    /// An organisation in the directory (18 alphanumeric characters).
    OrgId;
    /// A person or organisation the bank knows as a party to accounts, at most 40 characters. Source: AIS-188.
    PartyId;
    /// One payment executed under an order, at most 210 characters, immutable. Source: PIS-091.
    PaymentTransactionId;
    /// A record of an account's arrangements (beneficiary, direct debit, standing order and others), at most 40
    /// characters.
    RecordId;
    /// A PSU: a customer of the bank who authorises access.
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
    /// The id of one payment of a file, by its number; the bank handles each payment as a separate order.
    #[must_use]
    pub fn for_line(&self, number: u32) -> Self {
        // Six digits, as many as the largest file needs, so that the ids sort in the order of the file.
        Self::new(format!("{self}{LINE}{number:06}"))
    }

    /// The order, and the number of the payment within its file if there is one.
    pub fn order_and_line(&self) -> (Self, Option<u32>) {
        let line = self.as_str().split_once(LINE).and_then(|(order, number)| Some((order, number.parse().ok()?)));
        line.map_or_else(|| (self.clone(), None), |(order, number)| (order.into(), Some(number)))
    }
}

/// The separator of the order id and the payment number; no order id contains it.
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
