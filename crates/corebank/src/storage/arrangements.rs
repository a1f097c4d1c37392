//! Storage of the built-in bank's arrangements and statements.

use super::ScheduledRoutine;
use jiff::Timestamp;
use lombard_domain::account::{
    AccountParty, AccountProduct, Beneficiary, DirectDebit, Offer, ScheduledPayment, StandingOrder, Statement,
};
use lombard_domain::code::StoredCode;
use lombard_domain::ids::{BankAccountId, RecordId, StatementId};
use lombard_domain::page::{ListWindow, Page};
use lombard_ports::bank::StatementFilter;
use lombard_ports::store::StoreError;

/// A type that is a variant of [`Arrangement`].
pub trait ArrangementVariant: Sized + Send + 'static {
    /// The kind of this variant.
    const KIND: ArrangementKind;

    /// Extracts the record from an arrangement of its kind.
    fn from_arrangement(arrangement: Arrangement) -> Option<Self>;
}

/// Declares the kinds of arrangements. Each row has the kind, the type of its records, the name of the list, the id of a record within list
/// and account, and when it is due next.
macro_rules! declare_arrangements {
    ($($(#[$doc:meta])+ $kind:ident of $record:ident, $name:literal, id $with_id:pat => $id:expr, due $with_due:pat => $due:expr;)+) => {
        /// A record of an account, in a list ordered by account and id.
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub enum Arrangement {
            $($(#[$doc])+ $kind($record),)+
        }

        /// The kind of an arrangement. Each kind has its own list.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum ArrangementKind {
            $($(#[$doc])+ $kind,)+
        }

        impl ArrangementKind {
            /// All kinds.
            pub const ALL: &[Self] = &[$(Self::$kind),+];

            /// The name of the list, as it is stored and shown to operators.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$kind => $name,)+
                }
            }
        }

        impl Arrangement {
            /// The kind of the arrangement, which determines its list.
            pub const fn kind(&self) -> ArrangementKind {
                match self {
                    $(Self::$kind(_) => ArrangementKind::$kind,)+
                }
            }

            /// The account to which the arrangement belongs.
            pub const fn account(&self) -> &BankAccountId {
                match self {
                    $(Self::$kind(record) => &record.account,)+
                }
            }

            /// When the arrangement is due next (bank clock); `None` if it is never due.
            pub fn due_at(&self) -> Option<Timestamp> {
                match self {
                    $(Self::$kind($with_due) => $due,)+
                }
            }

            /// The arrangement's id, unique within list and account.
            pub fn id(&self) -> &str {
                match self {
                    $(Self::$kind($with_id) => $id,)+
                }
            }
        }

        $(impl ArrangementVariant for $record {
            const KIND: ArrangementKind = ArrangementKind::$kind;

            fn from_arrangement(arrangement: Arrangement) -> Option<Self> {
                if let Arrangement::$kind(record) = arrangement { Some(record) } else { None }
            }
        }

        impl From<$record> for Arrangement {
            fn from(record: $record) -> Self {
                Self::$kind(record)
            }
        })+
    };
}

declare_arrangements! {
    /// A payee.
    Beneficiary of Beneficiary, "beneficiary", id it => it.id.as_str(), due _ => None;
    /// A direct debit mandate.
    DirectDebit of DirectDebit, "direct-debit", id it => it.id.as_str(), due _ => None;
    /// A standing order.
    StandingOrder of StandingOrder, "standing-order", id it => it.id.as_str(), due it => it.next.map(|next| next.at);
    /// A scheduled payment.
    ScheduledPayment of ScheduledPayment, "scheduled-payment", id it => it.id.as_str(), due it => Some(it.at);
    /// The product behind the account. Its id is constant, so that an account has one product (AIS-180).
    Product of AccountProduct, "product", id _ => "product", due _ => None;
    /// An offer to the holder.
    Offer of Offer, "offer", id it => it.id.as_str(), due _ => None;
    /// An owner or operator.
    Party of AccountParty, "party", id it => it.party.id.as_str(), due _ => None;
    /// A scheduled routine of the bank. TPPs never see it.
    Routine of ScheduledRoutine, "routine", id it => it.id.as_str(), due it => it.due_at;
}

impl StoredCode for ArrangementKind {
    fn code(&self) -> &'static str {
        self.name()
    }

    fn from_code(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|kind| kind.name() == word)
    }
}

/// Storage of arrangements and statements. Only the built-in bank uses it.
pub trait ArrangementStore {
    /// Stores arrangements. Each replaces the arrangement of the same list, account and id.
    ///
    /// # Errors
    /// [`StoreError`].
    fn arrangements_put(&mut self, arrangements: &[Arrangement]) -> Result<(), StoreError>;

    /// The arrangement of a kind with this account and id.
    ///
    /// # Errors
    /// [`StoreError`].
    fn arrangement(
        &mut self,
        kind: ArrangementKind,
        account: &BankAccountId,
        id: &RecordId,
    ) -> Result<Option<Arrangement>, StoreError>;

    /// Removes an arrangement; returns whether it existed.
    ///
    /// # Errors
    /// [`StoreError`].
    fn arrangement_remove(
        &mut self,
        kind: ArrangementKind,
        account: &BankAccountId,
        id: &RecordId,
    ) -> Result<bool, StoreError>;

    /// A page of a list, ordered by account, then id. The cost of a page does not depend on its position.
    ///
    /// # Errors
    /// [`StoreError`].
    fn arrangements(
        &mut self,
        kind: ArrangementKind,
        accounts: &[BankAccountId],
        window: &ListWindow,
    ) -> Result<Page<Arrangement>, StoreError>;

    /// Adds a statement and assigns entries to it: every booked entry that is on no statement yet and was booked no later than the
    /// statement's end. Returns the number of these entries.
    ///
    /// # Errors
    /// [`StoreError::Duplicate`] if its id is taken, or the account has a statement that ends at that instant.
    fn statement_close(&mut self, statement: &Statement) -> Result<u64, StoreError>;

    /// Returns those of these ids for which a statement exists, in no defined order.
    ///
    /// # Errors
    /// [`StoreError`].
    fn statements_known(&mut self, ids: &[StatementId]) -> Result<Vec<StatementId>, StoreError>;

    /// A page of statements, newest end first, then by id. The cost of a page does not depend on its position.
    ///
    /// # Errors
    /// [`StoreError`].
    fn statements(&mut self, filter: &StatementFilter, window: &ListWindow) -> Result<Page<Statement>, StoreError>;

    /// The earliest start and the latest end among the statements that satisfy a filter.
    ///
    /// # Errors
    /// [`StoreError`].
    fn statement_span(&mut self, filter: &StatementFilter) -> Result<Option<(Timestamp, Timestamp)>, StoreError>;

    /// The statement of this account with this id.
    ///
    /// # Errors
    /// [`StoreError`].
    fn statement(&mut self, account: &BankAccountId, id: &StatementId) -> Result<Option<Statement>, StoreError>;
}
