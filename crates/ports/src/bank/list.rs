//! Lists of the records of accounts, such as beneficiaries, standing orders and products.
//! [`Bank::list_records`](crate::bank::Bank::list_records) returns a page of any of them; [`read_list`](crate::bank::read_list())
//! asks for one by the type of its records.

use super::ListAnswer;
use std::fmt::Debug;

/// The types of records, for [`for_list!`](crate::for_list).
#[doc(hidden)]
pub mod records {
    pub use lombard_domain::account::{
        AccountParty, AccountProduct, Beneficiary, DirectDebit, Offer, ScheduledPayment, StandingOrder,
    };
}

/// A record of such a list.
pub trait ListRecord: Clone + PartialEq + Debug + Send + Sync + 'static {
    /// The list of these records.
    const LIST: ListKind;

    /// The page as a page of any list.
    fn into_listed(answer: ListAnswer<Self>) -> ListedRecords;

    /// The page, if it belongs to this list.
    fn from_listed(listed: ListedRecords) -> Option<ListAnswer<Self>>;
}

/// Declares the lists, each with the type of its records. The first argument is a dollar sign, which the declared macro needs.
macro_rules! declare_lists {
    ($d:tt $($(#[$doc:meta])+ $kind:ident of $record:ident;)+) => {
        /// A list of the records of accounts.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum ListKind {
            $($(#[$doc])+ $kind,)+
        }

        /// A page of one of the lists.
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub enum ListedRecords {
            $($(#[$doc])+ $kind(ListAnswer<records::$record>),)+
        }

        impl ListKind {
            /// Every list.
            pub const ALL: &[Self] = &[$(Self::$kind),+];
        }

        impl ListedRecords {
            /// A page without records; `open` says whether one of the accounts is accessible.
            pub const fn empty(kind: ListKind, open: bool) -> Self {
                match kind {
                    $(ListKind::$kind => Self::$kind(ListAnswer::empty(open)),)+
                }
            }
        }

        $(impl ListRecord for records::$record {
            const LIST: ListKind = ListKind::$kind;

            fn into_listed(answer: ListAnswer<Self>) -> ListedRecords {
                ListedRecords::$kind(answer)
            }

            fn from_listed(listed: ListedRecords) -> Option<ListAnswer<Self>> {
                if let ListedRecords::$kind(answer) = listed { Some(answer) } else { None }
            }
        })+

        /// Implements [`Bank::list_records`](crate::bank::Bank::list_records) by an expression that is evaluated for the type of
        /// the records, under the given type name.
        #[macro_export]
        macro_rules! for_list {
            ($d kind:expr, $d record:ident => $d answer:expr) => {
                match $d kind {
                    $($crate::bank::ListKind::$kind => {
                        type $d record = $crate::bank::list_records::$record;
                        $d answer.map(<$d record as $crate::bank::ListRecord>::into_listed)
                    })+
                }
            };
        }
    };
}

declare_lists! { $
    /// Beneficiaries.
    Beneficiaries of Beneficiary;
    /// Direct debit mandates.
    DirectDebits of DirectDebit;
    /// Standing orders.
    StandingOrders of StandingOrder;
    /// Scheduled payments, without those already made (AIS-173).
    ScheduledPayments of ScheduledPayment;
    /// Products, at most one for each account (AIS-180).
    Products of AccountProduct;
    /// Offers to the account holders.
    Offers of Offer;
    /// The parties to the accounts (AIS-187).
    Parties of AccountParty;
}
