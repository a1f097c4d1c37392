//! What a life is made of: the types the tables in `tables` are written in.

use super::calendar::When;
use super::channel::Channel;
use super::tables::products::ProductRow;
use lombard_domain::account::{AccountSubType, AccountType, CardScheme};
use lombard_domain::money::Currency;

/// A household or a business: its customers, their accounts and what they do with them.
#[derive(Debug)]
pub(super) struct Life {
    /// Names the life's streams of chance.
    pub(super) name: &'static str,
    pub(super) customers: &'static [CustomerRow],
    pub(super) accounts: &'static [AccountRow],
    /// In the order they happen on a day when they depend on each other's balances.
    pub(super) habits: &'static [Habit],
}

/// A customer.
#[derive(Debug)]
pub(super) struct CustomerRow {
    /// The login, the password and the PSU's id.
    pub(super) login: &'static str,
    pub(super) name: &'static str,
    pub(super) about: &'static str,
}

/// Which of a life's accounts is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Role {
    Current,
    Savings,
    Card,
    Dollars,
    Loan,
}

impl Role {
    /// The role in names of ids and streams.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Current => "current",
            Self::Savings => "savings",
            Self::Card => "card",
            Self::Dollars => "dollars",
            Self::Loan => "loan",
        }
    }
}

/// An account.
#[derive(Debug)]
pub(super) struct AccountRow {
    pub(super) role: Role,
    pub(super) currency: Currency,
    pub(super) account_type: AccountType,
    pub(super) sub_type: AccountSubType,
    /// What it is sold as.
    pub(super) product: &'static ProductRow,
    /// At most 70 characters.
    pub(super) nickname: &'static str,
    /// The name on the account.
    pub(super) owner: &'static str,
    /// The logins of those who hold it.
    pub(super) holders: &'static [&'static str],
    pub(super) eligible: bool,
    /// Minor units.
    pub(super) credit_limit: i64,
    /// Minor units on the account before the first entry.
    pub(super) brought_forward: i64,
    pub(super) opened_years_before: i16,
    /// The card that spends from it.
    pub(super) card: Option<CardRow>,
}

/// A card.
#[derive(Debug)]
pub(super) struct CardRow {
    pub(super) scheme: CardScheme,
    /// The first digits of its number, in a range the scheme keeps for tests.
    pub(super) prefix: &'static str,
    /// At most 70 characters.
    pub(super) name: &'static str,
}

/// One habit: on an account, at times, something.
#[derive(Debug)]
pub(super) struct Habit {
    pub(super) on: Role,
    pub(super) when: When,
    /// From which hour until before which, UTC.
    pub(super) hours: (i8, i8),
    pub(super) what: What,
}

/// How much, in minor units.
#[derive(Debug, Clone, Copy)]
pub(super) enum Sum {
    Exactly(i64),
    Between(i64, i64),
}

/// What a habit does with the money of its account.
#[derive(Debug, Clone, Copy)]
pub(super) enum What {
    /// Somebody pays the customer.
    Receive { from: &'static Party, by: Channel, sum: Sum, text: &'static str },
    /// The customer pays somebody; unless it is collected, nothing when the money does not reach.
    Pay { to: &'static Party, by: Channel, sum: Sum, text: &'static str },
    /// The customer pays somebody all that the account has above what is kept, minor units.
    PayRest { to: &'static Party, by: Channel, keep: i64, text: &'static str },
    /// The account's card is used at one of these shops; refused when the money does not reach.
    Buy { at: &'static [Shop] },
    /// The account's card is refused at one of these shops.
    Refused { at: &'static [Shop], why: &'static str },
    /// One of these shops gives money back.
    Refund { at: &'static [Shop] },
    /// Cash from one of these machines, in tens; nothing when the money does not reach.
    Withdraw { at: &'static [&'static str], sum: Sum },
    /// Money moves to another account of the same life.
    Move { to: Role, by: Channel, sum: Sum, text: &'static str },
    /// The pence that round yesterday's purchases up to pounds move to another account.
    SaveChange { to: Role },
    /// The whole debt of a card account is collected.
    PayCard { card: Role },
    /// Foreign money is sold to the bank for pounds on another account.
    Sell { to: Role, sum: Sum },
    /// A month's interest for the holder, in hundredths of a per cent a year.
    EarnInterest { per_10k_a_year: i64 },
    /// A month's interest from the holder on a debt, in hundredths of a per cent a year.
    OweInterest { per_10k_a_year: i64 },
    /// The bank's charge.
    Fee { sum: Sum, text: &'static str },
    /// The bank's charge on an account that is overdrawn that day.
    OverdraftFee { sum: Sum },
}

/// Somebody pays the customer.
pub(super) const fn receive(from: &'static Party, by: Channel, sum: Sum, text: &'static str) -> What {
    What::Receive { from, by, sum, text }
}

/// The customer pays somebody.
pub(super) const fn pay(to: &'static Party, by: Channel, sum: Sum, text: &'static str) -> What {
    What::Pay { to, by, sum, text }
}

/// The account's card is used at one of these shops.
pub(super) const fn buy(at: &'static [Shop]) -> What {
    What::Buy { at }
}

/// Somebody outside with a bank account.
#[derive(Debug)]
pub(super) struct Party {
    /// Names its ledger account.
    pub(super) key: &'static str,
    pub(super) name: &'static str,
    pub(super) place: Place,
}

/// Where a party's account is.
#[derive(Debug)]
pub(super) enum Place {
    /// At a British bank: sort code and account number as one text of 14 digits.
    Uk { number: &'static str, bic: &'static str },
    /// Where IBANs are used: the country and its own account number.
    Iban { country: &'static str, bban: &'static str, bic: &'static str },
    /// Elsewhere.
    Bban { number: &'static str, bic: &'static str },
}

/// Somewhere a card is used.
#[derive(Debug)]
pub(super) struct Shop {
    /// Names its ledger account.
    pub(super) key: &'static str,
    pub(super) name: &'static str,
    /// The ISO 18245 category.
    pub(super) category: &'static str,
    /// At most 70 characters.
    pub(super) address: &'static str,
    pub(super) currency: Currency,
    /// What is spent there at a time, minor units of its currency.
    pub(super) spend: (i64, i64),
}
