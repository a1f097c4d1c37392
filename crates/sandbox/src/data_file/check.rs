//! Checks the consistency between the records of a file, which a schema cannot express. All faults are reported.

use super::file::{File, RecordList};
use super::records::{FileAccount, RoutineRecord};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use lombard_core_api::form::faults::FaultList;
use lombard_corebank::routine_plan::RoutinePlan;
use lombard_domain::account::{
    AccountScheme, ArrangementStatus, EntryStatus, Instalment, Party, StandingOrder, Statement, Transaction,
};
use lombard_domain::ids::{BankAccountId, PartyId, RecordId};
use lombard_domain::money::{Amount, Currency, SignedAmount};
use lombard_domain::text::comparable_user_name;
use std::collections::{BTreeMap, BTreeSet};

/// The id prefix of external parties' ledger accounts.
const OUTSIDE: &str = "outside:";

/// Checks the records of a file.
pub(super) fn check(file: &File, faults: &mut FaultList) {
    let accounts = file.accounts.records.iter().map(|it| (&it.account.id, it)).collect();
    let mut checker = Checker { file, accounts, faults };
    checker.customers_and_accounts();
    checker.parties();
    checker.arrangements();
    checker.standing_orders();
    checker.statements();
    checker.routines();
    checker.entries();
}

struct Checker<'a> {
    file: &'a File,
    accounts: BTreeMap<&'a BankAccountId, &'a FileAccount>,
    faults: &'a mut FaultList,
}

impl<'a> Checker<'a> {
    fn note(&mut self, list: &str, index: usize, member: &str, sentence: &str) {
        let dot = if member.is_empty() { "" } else { "." };
        self.faults.note_at(format!("{list}[{index}]{dot}{member}"), sentence);
    }

    /// Records a fault for each record whose key occurs in an earlier record.
    fn unique<T, K: Ord>(&mut self, name: &str, list: &'a RecordList<T>, member: &str, key: impl Fn(&'a T) -> K) {
        let mut seen = BTreeSet::new();
        for (index, record) in list.placed() {
            if !seen.insert(key(record)) {
                self.note(name, index, member, "Another record of the file has the same.");
            }
        }
    }

    /// Returns the account of a record; records a fault if the file has no account of that id.
    fn account(&mut self, name: &str, index: usize, id: &BankAccountId) -> Option<&'a FileAccount> {
        let found = self.accounts.get(id).copied();
        // The account may be among the records that could not be parsed.
        if found.is_none() && self.file.accounts.is_whole() {
            self.note(name, index, "AccountId", "There is no account of this id in the file.");
        }
        found
    }

    fn currency(&mut self, name: &str, index: usize, member: &str, account: Option<&FileAccount>, found: Currency) {
        if account.is_some_and(|it| it.account.currency != found) {
            self.note(name, index, member, "Must be in the currency of the account.");
        }
    }

    fn customers_and_accounts(&mut self) {
        let file = self.file;
        self.unique("Customer", &file.customers, "Login", |it| comparable_user_name(it.psu.as_str()));
        self.unique("Account", &file.accounts, "AccountId", |it| &it.account.id);
        let mut numbers: BTreeSet<(&str, &str)> = BTreeSet::new();
        for (index, record) in file.accounts.placed() {
            let account = &record.account;
            if account.id.as_str().starts_with(OUTSIDE) {
                self.note("Account", index, "AccountId", "Must not begin with outside:, which names other parties.");
            }
            if account.identifications.is_empty() {
                self.note("Account", index, "Account", "An account has at least one number.");
            }
            for number in &account.identifications {
                if !numbers.insert((scheme(number.scheme), &number.number)) {
                    self.note("Account", index, "Account", "Another account of the file has the same number.");
                }
            }
            if record.holders.is_empty() {
                self.note("Account", index, "Holder", "An account has at least one holder.");
            }
            if record.holders.iter().collect::<BTreeSet<_>>().len() != record.holders.len() {
                self.note("Account", index, "Holder", "Each holder is named once.");
            }
            let holders = u16::try_from(record.holders.len()).unwrap_or(u16::MAX);
            if record.authorisers.is_some_and(|count| !(1..=holders).contains(&count)) {
                self.note("Account", index, "Authorisers", "At least one holder must agree, at most all of them.");
            }
            if account.opened_on.zip(account.matures_on).is_some_and(|(opened, matures)| opened > matures) {
                self.note("Account", index, "MaturityDate", "Must not be before the account was opened.");
            }
            let sums = [("OpeningBalance", record.opening), ("BookedBalance", record.booked)];
            for (member, sum) in sums.into_iter().filter_map(|(member, sum)| Some((member, sum?))) {
                self.currency("Account", index, member, Some(record), sum.currency());
            }
            if let Some(limit) = record.credit_limit {
                self.currency("Account", index, "CreditLimit", Some(record), limit.currency());
            }
        }
    }

    fn parties(&mut self) {
        let file = self.file;
        self.unique("Party", &file.parties, "PartyId", |it| (&it.account, &it.party.id));
        let mut known: BTreeMap<&PartyId, &Party> = BTreeMap::new();
        let persons = file.customers.placed().filter_map(|(index, it)| Some(("Customer", index, it.party.as_ref()?)));
        let parties = file.parties.placed().map(|(index, it)| ("Party", index, &it.party));
        let all: Vec<_> = persons.chain(parties).collect();
        for (name, index, party) in all {
            if *known.entry(&party.id).or_insert(party) != party {
                self.note(name, index, "PartyId", "The file says something else of the party with this id, too.");
            }
        }
        for (index, party) in file.parties.placed() {
            self.account("Party", index, &party.account);
        }
    }

    fn arrangements(&mut self) {
        let file = self.file;
        self.unique("Product", &file.products, "AccountId", |it| &it.account);
        for (index, it) in file.products.placed() {
            self.account("Product", index, &it.account);
        }
        self.unique("Beneficiary", &file.beneficiaries, "BeneficiaryId", |it| (&it.account, &it.id));
        for (index, it) in file.beneficiaries.placed() {
            self.account("Beneficiary", index, &it.account);
        }
        self.unique("DirectDebit", &file.direct_debits, "DirectDebitId", |it| (&it.account, &it.id));
        for (index, it) in file.direct_debits.placed() {
            let account = self.account("DirectDebit", index, &it.account);
            if let Some((_, amount)) = it.previous {
                self.currency("DirectDebit", index, "PreviousPaymentAmount", account, amount.currency());
            }
        }
        self.unique("ScheduledPayment", &file.scheduled_payments, "ScheduledPaymentId", |it| (&it.account, &it.id));
        for (index, it) in file.scheduled_payments.placed() {
            let account = self.account("ScheduledPayment", index, &it.account);
            self.currency("ScheduledPayment", index, "InstructedAmount", account, it.amount.currency());
        }
        self.unique("Offer", &file.offers, "OfferId", |it| (&it.account, &it.id));
        for (index, it) in file.offers.placed() {
            let account = self.account("Offer", index, &it.account);
            for (member, amount) in [("Amount", it.amount), ("Fee", it.fee)] {
                let Some(amount) = amount else { continue };
                self.currency("Offer", index, member, account, amount.currency());
            }
            if it.from.zip(it.until).is_some_and(|(from, until)| from > until) {
                self.note("Offer", index, "EndDateTime", "Must not be before StartDateTime.");
            }
        }
    }

    fn standing_orders(&mut self) {
        const NAME: &str = "StandingOrder";
        let file = self.file;
        self.unique(NAME, &file.standing_orders, "StandingOrderId", |it| (&it.account, &it.id));
        for (index, it) in file.standing_orders.placed() {
            let account = self.account(NAME, index, &it.account);
            for (member, instalment) in instalments(it) {
                self.currency(NAME, index, member, account, instalment.amount.currency());
            }
            match (it.status, it.next) {
                (ArrangementStatus::Active, None) => {
                    self.note(NAME, index, "NextPaymentDateTime", "An active standing order has a next payment.");
                }
                (ArrangementStatus::Inactive, Some(_)) => {
                    self.note(NAME, index, "NextPaymentDateTime", "An inactive standing order has no next payment.");
                }
                (ArrangementStatus::Suspended | ArrangementStatus::Expired, Some(_)) => {
                    let sentence = "A suspended or expired standing order has no next payment.";
                    self.note(NAME, index, "NextPaymentDateTime", sentence);
                }
                (ArrangementStatus::Active, Some(_))
                | (ArrangementStatus::Inactive | ArrangementStatus::Suspended | ArrangementStatus::Expired, None) => {}
            }
            let at = |instalment: Option<Instalment>| instalment.map(|it| it.at);
            for (member, earlier, later) in [
                ("LastPaymentDateTime", at(it.first), at(it.last)),
                ("NextPaymentDateTime", at(it.first), at(it.next)),
                ("NextPaymentDateTime", at(it.last), at(it.next)),
                ("FinalPaymentDateTime", at(it.next), at(it.end)),
            ] {
                if earlier.zip(later).is_some_and(|(earlier, later)| earlier > later) {
                    self.note(NAME, index, member, "The payments are out of order: first, last, next, final.");
                }
            }
        }
    }

    fn statements(&mut self) {
        const NAME: &str = "Statement";
        let file = self.file;
        self.unique(NAME, &file.statements, "StatementId", |it| &it.id);
        let mut by_account: BTreeMap<&BankAccountId, Vec<(Timestamp, Timestamp, usize)>> = BTreeMap::new();
        for (index, it) in file.statements.placed() {
            let account = self.account(NAME, index, &it.account);
            if sums_of(it).any(|currency| account.is_some_and(|it| it.account.currency != currency)) {
                self.note(NAME, index, "", "Every sum must be in the currency of the account.");
            }
            if it.starts_at > it.ends_at {
                self.note(NAME, index, "EndDateTime", "Must not be before StartDateTime.");
            } else {
                by_account.entry(&it.account).or_default().push((it.starts_at, it.ends_at, index));
            }
        }
        for mut periods in by_account.into_values() {
            periods.sort_unstable();
            for (one, next) in periods.iter().zip(periods.iter().skip(1)) {
                if next.0 <= one.1 {
                    self.note(NAME, next.2, "StartDateTime", "The period overlaps that of another statement.");
                }
            }
        }
    }

    fn routines(&mut self) {
        const NAME: &str = "Routine";
        let file = self.file;
        self.unique(NAME, &file.routines, "RoutineId", |it| (&it.account, &it.id));
        let mandates: BTreeSet<_> = file.direct_debits.records.iter().map(|it| (&it.account, &it.id)).collect();
        for (index, it) in file.routines.placed() {
            let account = self.account(NAME, index, &it.account);
            let mandate = self.plan(index, it, account);
            // The direct debit may be among the records that could not be parsed.
            if let Some((member, mandate)) = mandate
                && file.direct_debits.is_whole()
                && !mandates.contains(&(&it.account, mandate))
            {
                self.note(NAME, index, member, "The account has no direct debit with this id in the file.");
            }
        }
    }

    /// Checks the plan of a routine. Returns the direct debit under which it collects, and the name of the member.
    fn plan<'r>(
        &mut self,
        index: usize,
        routine: &'r RoutineRecord,
        account: Option<&FileAccount>,
    ) -> Option<(&'static str, &'r RecordId)> {
        match &routine.plan {
            RoutinePlan::Regular(regular) => {
                let end = account.map_or(String::new(), |it| format!(":{}", it.account.currency));
                let name = regular.counterparty.as_str();
                if !name.starts_with(OUTSIDE) || !name.ends_with(&end) {
                    let sentence = "Must be outside:NAME:CURRENCY, in the currency of the account.";
                    self.note("Routine", index, "Regular.Counterparty", sentence);
                }
                regular.mandate.as_ref().map(|mandate| ("Regular.DirectDebitId", mandate))
            }
            RoutinePlan::PayCard { card, mandate, .. } => {
                if !self.accounts.contains_key(card) && self.file.accounts.is_whole() {
                    let sentence = "There is no account of this id in the file.";
                    self.note("Routine", index, "PayCard.CardAccountId", sentence);
                }
                Some(("PayCard.DirectDebitId", mandate))
            }
            RoutinePlan::Close(_) => None,
        }
    }

    fn entries(&mut self) {
        const NAME: &str = "Transaction";
        let file = self.file;
        self.unique(NAME, &file.transactions, "TransactionId", |it| &it.id);
        let mut sums: BTreeMap<&BankAccountId, Option<i64>> = BTreeMap::new();
        for (index, entry) in file.transactions.placed() {
            let account = self.account(NAME, index, &entry.account);
            self.currency(NAME, index, "Amount.Currency", account, entry.sum.currency());
            if let Some(charge) = entry.charge {
                self.currency(NAME, index, "ChargeAmount.Currency", account, charge.currency());
            }
            if account.is_some_and(|it| is_before_opening(entry, it)) {
                self.note(NAME, index, "BookingDateTime", "Must not be before the account was opened.");
            }
            if entry.status == EntryStatus::Booked {
                let opening = || account.and_then(|it| it.opening).map_or(0, SignedAmount::minor);
                let sum = sums.entry(&entry.account).or_insert_with(|| Some(opening()));
                *sum = sum.and_then(|sum| sum.checked_add(entry.sum.minor()));
            }
        }
        for (index, record) in file.accounts.placed() {
            let opening = record.opening.map_or(0, SignedAmount::minor);
            let sum = sums.get(&record.account.id).copied().unwrap_or(Some(opening));
            if sum.is_none() {
                self.note("Account", index, "", "Its entries add up to more than a bank can count.");
            }
            // If entries could not be parsed, the sum would be too small.
            let stated = record.booked.filter(|_| file.transactions.is_whole());
            if stated.is_some_and(|stated| sum.is_some_and(|sum| sum != stated.minor())) {
                let sentence = "The opening balance and the booked entries do not add up to this.";
                self.note("Account", index, "BookedBalance", sentence);
            }
        }
    }
}

const fn scheme(scheme: AccountScheme) -> &'static str {
    lombard_wire::v3_1::names::account_scheme(scheme)
}

fn instalments(it: &StandingOrder) -> impl Iterator<Item = (&'static str, Instalment)> {
    let named = [
        ("FirstPaymentAmount", it.first),
        ("NextPaymentAmount", it.next),
        ("LastPaymentAmount", it.last),
        ("FinalPaymentAmount", it.end),
    ];
    named.into_iter().filter_map(|(member, instalment)| Some((member, instalment?)))
}

/// The currencies of all sums on a statement.
fn sums_of(it: &Statement) -> impl Iterator<Item = Currency> {
    let benefits = it.benefits.iter().map(|it| it.amount.currency());
    let fees = it.fees.iter().map(|it| it.sum.currency());
    let interest = it.interest.iter().map(|it| it.sum.currency());
    let amounts = it.amounts.iter().map(|(_, sum)| sum.currency());
    benefits.chain(fees).chain(interest).chain(amounts).chain(it.total.map(Amount::currency))
}

fn is_before_opening(entry: &Transaction, record: &FileAccount) -> bool {
    let day = entry.booked_at.to_zoned(TimeZone::UTC).date();
    record.account.opened_on.is_some_and(|opened| day < opened)
}
