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

/// A record of an account, in a list ordered by account and id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Arrangement {
    /// A payee.
    Beneficiary(Beneficiary),
    /// A direct debit mandate.
    DirectDebit(DirectDebit),
    /// A standing order.
    StandingOrder(StandingOrder),
    /// A scheduled payment.
    ScheduledPayment(ScheduledPayment),
    /// The product behind the account.
    Product(AccountProduct),
    /// An offer to the holder.
    Offer(Offer),
    /// An owner or operator.
    Party(AccountParty),
    /// A scheduled routine of the bank. TPPs never see it.
    Routine(ScheduledRoutine),
}

/// The kind of an arrangement. Each kind has its own list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ArrangementKind {
    /// Payees.
    Beneficiary,
    /// Direct debit mandates.
    DirectDebit,
    /// Standing orders.
    StandingOrder,
    /// Scheduled payments.
    ScheduledPayment,
    /// Products.
    Product,
    /// Offers.
    Offer,
    /// Owners and operators.
    Party,
    /// Scheduled routines of the bank.
    Routine,
}

impl ArrangementKind {
    /// All kinds.
    pub const ALL: [Self; 8] = [
        Self::Beneficiary,
        Self::DirectDebit,
        Self::StandingOrder,
        Self::ScheduledPayment,
        Self::Product,
        Self::Offer,
        Self::Party,
        Self::Routine,
    ];

    /// The name of the list, as it is stored and shown to operators.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Beneficiary => "beneficiary",
            Self::DirectDebit => "direct-debit",
            Self::StandingOrder => "standing-order",
            Self::ScheduledPayment => "scheduled-payment",
            Self::Product => "product",
            Self::Offer => "offer",
            Self::Party => "party",
            Self::Routine => "routine",
        }
    }
}

impl StoredCode for ArrangementKind {
    fn code(&self) -> &'static str {
        self.name()
    }

    fn from_code(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == word)
    }
}

impl Arrangement {
    /// The kind of the arrangement, which determines its list.
    pub const fn kind(&self) -> ArrangementKind {
        match self {
            Self::Beneficiary(_) => ArrangementKind::Beneficiary,
            Self::DirectDebit(_) => ArrangementKind::DirectDebit,
            Self::StandingOrder(_) => ArrangementKind::StandingOrder,
            Self::ScheduledPayment(_) => ArrangementKind::ScheduledPayment,
            Self::Product(_) => ArrangementKind::Product,
            Self::Offer(_) => ArrangementKind::Offer,
            Self::Party(_) => ArrangementKind::Party,
            Self::Routine(_) => ArrangementKind::Routine,
        }
    }

    /// The account to which the arrangement belongs.
    pub const fn account(&self) -> &BankAccountId {
        match self {
            Self::Beneficiary(it) => &it.account,
            Self::DirectDebit(it) => &it.account,
            Self::StandingOrder(it) => &it.account,
            Self::ScheduledPayment(it) => &it.account,
            Self::Product(it) => &it.account,
            Self::Offer(it) => &it.account,
            Self::Party(it) => &it.account,
            Self::Routine(it) => &it.account,
        }
    }

    /// When the arrangement is due next (bank clock); `None` if it is never due.
    pub fn due_at(&self) -> Option<Timestamp> {
        match self {
            Self::StandingOrder(it) => it.next.map(|next| next.at),
            Self::ScheduledPayment(it) => Some(it.at),
            Self::Routine(it) => it.due_at,
            Self::Beneficiary(_) | Self::DirectDebit(_) | Self::Product(_) | Self::Offer(_) | Self::Party(_) => None,
        }
    }

    /// The arrangement's id, unique within list and account. A product has a constant id, so that an account has one product (AIS-180).
    pub fn id(&self) -> &str {
        match self {
            Self::Beneficiary(it) => it.id.as_str(),
            Self::DirectDebit(it) => it.id.as_str(),
            Self::StandingOrder(it) => it.id.as_str(),
            Self::ScheduledPayment(it) => it.id.as_str(),
            Self::Product(_) => "product",
            Self::Offer(it) => it.id.as_str(),
            Self::Party(it) => it.party.id.as_str(),
            Self::Routine(it) => it.id.as_str(),
        }
    }
}

/// A type that is a variant of [`Arrangement`].
pub trait ArrangementVariant: Sized + Send + 'static {
    /// The kind of this variant.
    const KIND: ArrangementKind;

    /// Extracts the record from an arrangement of its kind.
    fn from_arrangement(arrangement: Arrangement) -> Option<Self>;
}

macro_rules! arranged {
    ($($record:ident = $kind:ident,)+) => {$(
        impl ArrangementVariant for $record {
            const KIND: ArrangementKind = ArrangementKind::$kind;

            fn from_arrangement(arrangement: Arrangement) -> Option<Self> {
                if let Arrangement::$kind(record) = arrangement { Some(record) } else { None }
            }
        }

        impl From<$record> for Arrangement {
            fn from(record: $record) -> Self {
                Self::$kind(record)
            }
        }
    )+};
}

arranged! {
    Beneficiary = Beneficiary,
    DirectDebit = DirectDebit,
    StandingOrder = StandingOrder,
    ScheduledPayment = ScheduledPayment,
    AccountProduct = Product,
    Offer = Offer,
    AccountParty = Party,
    ScheduledRoutine = Routine,
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
