//! The methods that read accounts.

use super::answers::{Answer, FileAnswer, OptionalRecord, PageOf, RecordList};
use super::table::{calls, kinds};
use crate::form::shape::{FormOf, ObjectOf};
use crate::form::values::{AsciiKey, BoundedText};
use crate::records::{FullAccount, FullEntry, FullStandingOrder};
use lombard_domain::account::{
    Account, AccountParty, AccountProduct, Balance, Beneficiary, DirectDebit, Offer, Party, ScheduledPayment,
    StandingOrder, Statement, Transaction,
};
use lombard_domain::ids::{BankAccountId, PsuId, StatementId};
use lombard_domain::page::ListWindow;
use lombard_ports::bank::{EntryFilter, ListVersion, StatementFilter, StatementFormat, TimeRange};

kinds! {
    AccountKind: Account, ObjectOf<FullAccount>, "Account", "The accounts.";
    BalanceKind: Balance, FormOf<Balance>, "Balance", "The balances.";
    EntryKind: Transaction, ObjectOf<FullEntry>, "Transaction", "The entries.";
    VersionKind: ListVersion, FormOf<ListVersion>, "Version", "The version of the entries.";
    BeneficiaryKind: Beneficiary, FormOf<Beneficiary>, "Beneficiary", "The beneficiaries.";
    DirectDebitKind: DirectDebit, FormOf<DirectDebit>, "DirectDebit", "The direct debit mandates.";
    StandingOrderKind: StandingOrder, ObjectOf<FullStandingOrder>, "StandingOrder", "The standing orders.";
    ScheduledPaymentKind: ScheduledPayment, FormOf<ScheduledPayment>, "ScheduledPayment", "The scheduled payments.";
    ProductKind: AccountProduct, FormOf<AccountProduct>, "Product", "The products.";
    OfferKind: Offer, FormOf<Offer>, "Offer", "The offers.";
    AccountPartyKind: AccountParty, FormOf<AccountParty>, "AccountParty", "The parties to the accounts.";
    PartyKind: Party, FormOf<Party>, "Party", "The party.";
    StatementKind: Statement, FormOf<Statement>, "Statement", "The statements.";
}

calls! {
    /// The accounts among these that exist and are accessible to third parties. Closed, blocked and unknown accounts are left out, in
    /// this answer and in every other.
    Accounts "accounts" for list_accounts, Reads, 5, "The accounts come in the order of the ids." {
        /// The accounts.
        ids: Vec<BankAccountId>, list(AsciiKey<40>, "AccountId");
    } -> Answer<RecordList<AccountKind>>

    /// The accounts that a customer may share with a TPP.
    EligibleAccounts "eligible-accounts" for eligible_accounts, Reads, 5, "The accounts come by id." {
        /// The customer.
        psu: PsuId, required(BoundedText<255>, "PSU");
    } -> Answer<RecordList<AccountKind>>

    /// The balances of the open accounts among these: at least the booked and the available balance of each.
    Balances "balances" for list_balances, Reads, 5, "The balances come in the order of the ids." {
        /// The accounts.
        ids: Vec<BankAccountId>, list(AsciiKey<40>, "AccountId");
    } -> Answer<RecordList<BalanceKind>>

    /// The entries that the consent covers, within the period asked for. Both bounds of a period belong to it.
    Transactions "transactions" for list_transactions, Reads, 10,
    "The newest entry comes first; entries of one time come by id. Pages join without gap or repeat while entries are added." {
        /// What the consent covers.
        covered: EntryFilter, flat(EntryFilter);
        /// The period asked for.
        asked: TimeRange, flat(TimeRange);
        /// The part of the list.
        window: ListWindow, flat(ListWindow);
    } -> Answer<PageOf<EntryKind>>

    /// The version of the entries of these accounts: while it is equal, the same question about them has the same answer. A core that
    /// keeps no versions answers without one.
    EntriesVersion "entries-version" for entries_version, Reads, 5,
    "The version changes in the transaction that changes the entries, and when an account is opened or closed." {
        /// The accounts.
        accounts: Vec<BankAccountId>, list(AsciiKey<40>, "AccountId");
    } -> Answer<OptionalRecord<VersionKind>>

    /// The beneficiaries of these accounts.
    Beneficiaries "beneficiaries" for list_records, Reads, 10, "The records come by account, then by id." {
        /// The accounts.
        accounts: Vec<BankAccountId>, list(AsciiKey<40>, "AccountId");
        /// The part of the list.
        window: ListWindow, flat(ListWindow);
    } -> Answer<PageOf<BeneficiaryKind>>

    /// The direct debit mandates of these accounts.
    DirectDebits "direct-debits" for list_records, Reads, 10, "The records come by account, then by id." {
        /// The accounts.
        accounts: Vec<BankAccountId>, list(AsciiKey<40>, "AccountId");
        /// The part of the list.
        window: ListWindow, flat(ListWindow);
    } -> Answer<PageOf<DirectDebitKind>>

    /// The standing orders of these accounts.
    StandingOrders "standing-orders" for list_records, Reads, 10, "The records come by account, then by id." {
        /// The accounts.
        accounts: Vec<BankAccountId>, list(AsciiKey<40>, "AccountId");
        /// The part of the list.
        window: ListWindow, flat(ListWindow);
    } -> Answer<PageOf<StandingOrderKind>>

    /// The scheduled payments of these accounts, without those that are made.
    ScheduledPayments "scheduled-payments" for list_records, Reads, 10, "The records come by account, then by id." {
        /// The accounts.
        accounts: Vec<BankAccountId>, list(AsciiKey<40>, "AccountId");
        /// The part of the list.
        window: ListWindow, flat(ListWindow);
    } -> Answer<PageOf<ScheduledPaymentKind>>

    /// The products of these accounts, at most one for each.
    Products "products" for list_records, Reads, 10, "The products come by account." {
        /// The accounts.
        accounts: Vec<BankAccountId>, list(AsciiKey<40>, "AccountId");
        /// The part of the list.
        window: ListWindow, flat(ListWindow);
    } -> Answer<PageOf<ProductKind>>

    /// The offers to the holders of these accounts.
    Offers "offers" for list_records, Reads, 10, "The records come by account, then by id." {
        /// The accounts.
        accounts: Vec<BankAccountId>, list(AsciiKey<40>, "AccountId");
        /// The part of the list.
        window: ListWindow, flat(ListWindow);
    } -> Answer<PageOf<OfferKind>>

    /// The parties to these accounts.
    Parties "parties" for list_records, Reads, 10, "The records come by account, then by id." {
        /// The accounts.
        accounts: Vec<BankAccountId>, list(AsciiKey<40>, "AccountId");
        /// The part of the list.
        window: ListWindow, flat(ListWindow);
    } -> Answer<PageOf<AccountPartyKind>>

    /// The customer as a party; without one if the bank has no such record.
    FindParty "party" for find_party, Reads, 5, "" {
        /// The customer.
        psu: PsuId, required(BoundedText<255>, "PSU");
    } -> Answer<OptionalRecord<PartyKind>>

    /// The statements that the consent covers, wholly within the period asked for.
    Statements "statements" for list_statements, Reads, 10, "The statement with the latest end comes first; those of one end come by id." {
        /// What the consent covers.
        covered: StatementFilter, flat(StatementFilter);
        /// The period asked for.
        asked: TimeRange, flat(TimeRange);
        /// The part of the list.
        window: ListWindow, flat(ListWindow);
    } -> Answer<PageOf<StatementKind>>

    /// A statement of an open account; without one if the account has no statement of this id.
    FindStatement "statement" for find_statement, Reads, 5, "" {
        /// The account.
        account: BankAccountId, required(AsciiKey<40>, "AccountId");
        /// The statement.
        id: StatementId, required(AsciiKey<40>, "StatementId");
    } -> Answer<OptionalRecord<StatementKind>>

    /// The file of a statement of an open account: the bytes of the file, or 204 if the account has no statement of this id.
    StatementFile "statement-file" for read_statement_file, Reads, 20, "" {
        /// The account.
        account: BankAccountId, required(AsciiKey<40>, "AccountId");
        /// The statement.
        id: StatementId, required(AsciiKey<40>, "StatementId");
        /// The format of the file.
        format: StatementFormat, required(FormOf<StatementFormat>, "Format");
    } -> FileAnswer
}
