//! The members of records that only the core API has. A data file omits them, because other records determine them or because a file has
//! no use for them.

use super::AnyFrequency;
use crate::form::schema::MemberList;
use crate::form::shape::{FormOf, MemberReader, MemberWriter, ObjectForm};
use crate::form::values::{AsciiKey, BoundedText};
use crate::objects;
use jiff::Timestamp;
use lombard_domain::account::{
    Account, Balance, BalanceType, CreditLine, CreditLineType, EntryBalance, Mutability, StandingOrder, Transaction,
};
use lombard_domain::core_state::CoreState;
use lombard_domain::frequency::Frequency;
use lombard_domain::money::{Amount, SignedAmount};

objects! {
    /// A balance of an account.
    Balance as "Balance" {
        /// The account.
        account: required(AsciiKey<128>, "AccountId");
        /// Its type.
        kind: required(FormOf<BalanceType>, "Type");
        /// The time of the balance (bank clock).
        at: required(FormOf<Timestamp>, "DateTime");
        sum: flat(SignedAmount);
        /// The equivalent in the bank's own currency of an account that is kept in another.
        local: optional(FormOf<Amount>, "LocalAmount");
        /// The account's credit lines.
        credit_lines: list(FormOf<CreditLine>, "CreditLine");
    }

    /// A credit line on an account.
    CreditLine as "CreditLine" {
        /// Whether the balance includes it.
        included: required(FormOf<bool>, "Included");
        /// Its type.
        kind: required(FormOf<CreditLineType>, "Type");
        /// Its amount.
        amount: required(FormOf<Amount>, "Amount");
    }

    /// The account's balance after an entry.
    EntryBalance as "EntryBalance" {
        /// Its type.
        kind: required(FormOf<BalanceType>, "Type");
        sum: flat(SignedAmount);
    }
}

/// The form of an account, including the state that the core has set on it.
#[derive(Debug)]
pub struct FullAccount;

impl ObjectForm for FullAccount {
    type Value = Account;

    const ABOUT: &'static str = "An account.";

    fn name() -> String {
        "Account".to_owned()
    }

    fn describe(list: &mut MemberList<'_>) {
        Account::describe(list);
        let about = "What the core sets on the account: a text that comes back with every call about it. Without it, what was set before stays.";
        list.optional::<FormOf<CoreState>>("CoreState", about);
    }

    fn parse_members(members: &mut MemberReader<'_, '_>) -> Option<Account> {
        let account = Account::parse_members(members);
        let core_state = members.optional::<CoreState, FormOf<CoreState>>("CoreState");
        Some(Account { core_state: core_state?, ..account? })
    }

    fn write_members(value: &Account, object: &mut MemberWriter) {
        Account::write_members(value, object);
        object.optional::<_, FormOf<CoreState>>("CoreState", &value.core_state);
    }
}

/// The form of an entry with its running balance, its statements, and whether it may still change.
#[derive(Debug)]
pub struct FullEntry;

impl ObjectForm for FullEntry {
    type Value = Transaction;

    const ABOUT: &'static str = "An entry on an account.";

    fn name() -> String {
        "Entry".to_owned()
    }

    fn describe(list: &mut MemberList<'_>) {
        Transaction::describe(list);
        let about = "References of the statements on which the entry appears.";
        list.list::<BoundedText<35>>("StatementReference", about);
        let about = "Whether the entry may still change; if absent, it follows from the status.";
        list.optional::<FormOf<Mutability>>("TransactionMutability", about);
        list.optional::<FormOf<EntryBalance>>("Balance", "The balance of the account after the entry.");
    }

    fn parse_members(members: &mut MemberReader<'_, '_>) -> Option<Transaction> {
        let entry = Transaction::parse_members(members);
        let statement_references = members.list::<String, BoundedText<35>>("StatementReference");
        let mutability = members.optional::<Mutability, FormOf<Mutability>>("TransactionMutability");
        let balance = members.optional::<EntryBalance, FormOf<EntryBalance>>("Balance");
        let entry = entry?;
        let statement_references = statement_references?;
        let mutability = mutability?;
        let balance = balance?;
        Some(Transaction { statement_references, mutability: mutability.unwrap_or(entry.mutability), balance, ..entry })
    }

    fn write_members(value: &Transaction, object: &mut MemberWriter) {
        Transaction::write_members(value, object);
        object.list::<_, BoundedText<35>>("StatementReference", &value.statement_references);
        object.required::<_, FormOf<Mutability>>("TransactionMutability", &value.mutability);
        object.optional::<_, FormOf<EntryBalance>>("Balance", &value.balance);
    }
}

/// The form of a standing order, whose frequency may be one that the patterns of v3.1 cannot express.
#[derive(Debug)]
pub struct FullStandingOrder;

impl ObjectForm for FullStandingOrder {
    type Value = StandingOrder;

    const ABOUT: &'static str = "A standing order.";

    fn name() -> String {
        "StandingOrder".to_owned()
    }

    fn describe(list: &mut MemberList<'_>) {
        StandingOrder::describe(list);
        let about = "The exact frequency, if Frequency is only near to it.";
        list.optional::<AnyFrequency>("ExactFrequency", about);
    }

    fn parse_members(members: &mut MemberReader<'_, '_>) -> Option<StandingOrder> {
        let order = StandingOrder::parse_members(members);
        let exact = members.optional::<Frequency, AnyFrequency>("ExactFrequency");
        let order = order?;
        let exact = exact?;
        Some(StandingOrder { frequency: exact.unwrap_or(order.frequency), ..order })
    }

    fn write_members(value: &StandingOrder, object: &mut MemberWriter) {
        StandingOrder::write_members(value, object);
        if !AnyFrequency::is_pattern(value.frequency) {
            object.required::<_, AnyFrequency>("ExactFrequency", &value.frequency);
        }
    }
}
