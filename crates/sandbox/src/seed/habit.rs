//! The row types of the tables in `tables`.

use super::calendar::HabitTiming;
use super::channel::Channel;
use super::numbers;
use super::products::ProductRow;
use lombard_domain::account::{
    AccountIdentification, AccountProxy, AccountScheme, AccountSubType, AccountType, ArrangementStatus,
    BankIdentification, CardScheme, IsoCode, LegalStructure, OfferType, OtherParty, ScheduledType,
};
use lombard_domain::money::Currency;

/// A household or a business: its customers, their accounts and their habits.
#[derive(Debug)]
pub(super) struct SeededHousehold {
    /// The name that labels the random streams of this household.
    pub(super) name: &'static str,
    pub(super) customers: &'static [CustomerRow],
    pub(super) accounts: &'static [AccountRow],
    /// The organisation that owns the accounts; the customers act for it.
    pub(super) organisation: Option<&'static PersonRow>,
    /// The co-owner of the house, if there is one.
    pub(super) partner: Option<&'static PersonRow>,
    /// Mandates that were cancelled, suspended or expired before the history began.
    pub(super) cancelled: &'static [CancelledRow],
    pub(super) scheduled: &'static [PlannedRow],
    /// Payments that are announced already and booked on a later day.
    pub(super) future: &'static [FutureRow],
    pub(super) offers: &'static [OfferRow],
    /// The habits, in the order in which they are executed on a day.
    pub(super) habits: &'static [HabitRow],
}

/// A customer.
#[derive(Debug)]
pub(super) struct CustomerRow {
    /// The login, the password and the PSU's id.
    pub(super) login: &'static str,
    pub(super) name: &'static str,
    pub(super) about: &'static str,
    pub(super) person: &'static PersonRow,
}

/// A person or organisation; empty fields are unknown.
#[derive(Debug)]
pub(super) struct PersonRow {
    pub(super) name: &'static str,
    pub(super) full_legal_name: &'static str,
    pub(super) legal_structure: LegalStructure,
    pub(super) lei: &'static str,
    pub(super) email: &'static str,
    /// The telephone number in the format of AIS-188, like the mobile number.
    pub(super) phone: &'static str,
    pub(super) mobile: &'static str,
    /// The address: building, street, town, post code and county.
    pub(super) address: [&'static str; 5],
}

/// A direct debit mandate that is no longer collected.
#[derive(Debug)]
pub(super) struct CancelledRow {
    pub(super) on: HouseholdAccount,
    /// The final status of the mandate.
    pub(super) status: ArrangementStatus,
    pub(super) name: &'static str,
    /// The number of months between the last collection and the beginning of the history.
    pub(super) months_before: i32,
    /// The amount of the last collection in minor units.
    pub(super) minor: i64,
}

/// A payment by Bacs that was sent and is debited on a later working day. Source: AIS-121.
#[derive(Debug)]
pub(super) struct FutureRow {
    pub(super) on: HouseholdAccount,
    pub(super) days_ahead: i64,
    pub(super) to: &'static OutsideAccount,
    /// The amount in minor units.
    pub(super) minor: i64,
    pub(super) text: &'static str,
}

/// A scheduled payment.
#[derive(Debug)]
pub(super) struct PlannedRow {
    pub(super) on: HouseholdAccount,
    /// The number of days after the bank's present day, rolled to a working day.
    pub(super) days_ahead: i32,
    pub(super) to: &'static OutsideAccount,
    /// The amount in minor units.
    pub(super) minor: i64,
    pub(super) kind: ScheduledType,
    pub(super) reference: &'static str,
    pub(super) own_reference: &'static str,
}

/// An offer for the holder of an account, valid for three months from the first of the current month.
#[derive(Debug)]
pub(super) struct OfferRow {
    pub(super) on: HouseholdAccount,
    pub(super) kind: OfferType,
    /// The description, at most 500 characters.
    pub(super) description: &'static str,
    /// The last path segment of the offer's URL.
    pub(super) slug: &'static str,
    /// The rate in hundredths of a per cent.
    pub(super) rate_per_10k: Option<i64>,
    /// The duration in months.
    pub(super) months: Option<i64>,
    /// The offered amount in minor units; zero for none.
    pub(super) amount: i64,
    /// The fee in minor units; zero for none.
    pub(super) fee: i64,
}

/// The role of an account within a household.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum HouseholdAccount {
    Current,
    Savings,
    Card,
    Dollars,
    Euros,
    Loan,
}

impl HouseholdAccount {
    /// The name of the role, as used for ids and random streams.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Current => "current",
            Self::Savings => "savings",
            Self::Card => "card",
            Self::Dollars => "dollars",
            Self::Euros => "euros",
            Self::Loan => "loan",
        }
    }
}

/// An account.
#[derive(Debug)]
pub(super) struct AccountRow {
    pub(super) role: HouseholdAccount,
    pub(super) currency: Currency,
    pub(super) account_type: AccountType,
    pub(super) sub_type: AccountSubType,
    /// The account's product.
    pub(super) product: &'static ProductRow,
    /// The nickname, at most 70 characters.
    pub(super) nickname: &'static str,
    /// The name on the account.
    pub(super) owner: &'static str,
    /// The logins of the account's holders.
    pub(super) holders: &'static [&'static str],
    pub(super) eligible: bool,
    /// The arranged overdraft or credit limit in minor units.
    pub(super) credit_limit: i64,
    /// The number of holders who must authorise a payment.
    pub(super) authorisers: u16,
    /// The balance before the first entry, in minor units.
    pub(super) brought_forward: i64,
    pub(super) opened_years_before: i16,
    /// The account's payment card.
    pub(super) card: Option<CardRow>,
}

/// A card.
#[derive(Debug)]
pub(super) struct CardRow {
    pub(super) scheme: CardScheme,
    /// The first digits of the card number, in a range that the scheme reserves for tests.
    pub(super) prefix: &'static str,
    /// The name on the card, at most 70 characters.
    pub(super) name: &'static str,
}

/// A habit: an action on an account with a timing.
#[derive(Debug)]
pub(super) struct HabitRow {
    pub(super) on: HouseholdAccount,
    pub(super) when: HabitTiming,
    /// The hours of the day at which the habit occurs, UTC: from the first, before the second.
    pub(super) hours: (i8, i8),
    pub(super) what: HabitAction,
}

/// A range of amounts in minor units.
#[derive(Debug, Clone, Copy)]
pub(super) enum AmountRange {
    Exactly(i64),
    Between(i64, i64),
}

/// The action of a habit.
#[derive(Debug, Clone, Copy)]
pub(super) enum HabitAction {
    /// A party pays the customer.
    Receive { from: &'static OutsideAccount, by: Channel, sum: AmountRange, text: &'static str },
    /// The customer pays a party. Except for direct debits, the payment is not made if funds are insufficient.
    Pay { to: &'static OutsideAccount, by: Channel, sum: AmountRange, text: &'static str },
    /// The customer pays a party the whole balance above the amount kept, in minor units.
    PayRest { to: &'static OutsideAccount, by: Channel, keep: i64, text: &'static str },
    /// A card purchase at one of these shops; it is refused if funds are insufficient.
    Buy { at: &'static [MerchantRow] },
    /// One of these shops refuses the account's card.
    Refused { at: &'static [MerchantRow], why: &'static str },
    /// One of these shops checks whether the account's card is valid; no money moves.
    CardCheck { at: &'static [MerchantRow] },
    /// A refund from one of these shops.
    Refund { at: &'static [MerchantRow] },
    /// A cash withdrawal at one of these machines, in multiples of ten; it is not made if funds are insufficient.
    Withdraw { at: &'static [&'static str], sum: AmountRange },
    /// A transfer to another account of the household.
    Move { to: HouseholdAccount, by: Channel, sum: AmountRange, text: &'static str },
    /// The pence by which yesterday's purchases are rounded up to pounds move to another account.
    SaveChange { to: HouseholdAccount },
    /// The whole debt of a card account is collected.
    PayCard { card: HouseholdAccount },
    /// Foreign money is sold to the bank for pounds on another account.
    Sell { to: HouseholdAccount, sum: AmountRange },
    /// A month's credit interest, from an annual rate in hundredths of a per cent.
    EarnInterest { per_10k_a_year: i64 },
    /// A month's debit interest, from an annual rate in hundredths of a per cent.
    OweInterest { per_10k_a_year: i64 },
    /// The cashback on the card purchases since the last time, at a rate in hundredths of a per cent.
    Cashback { per_10k: i64 },
    /// A charge of the bank.
    Fee { sum: AmountRange, text: &'static str },
    /// A charge of the bank if the account is overdrawn on that day.
    OverdraftFee { sum: AmountRange },
}

/// Shorthand for [`HabitAction::Receive`].
pub(super) const fn receive(
    from: &'static OutsideAccount,
    by: Channel,
    sum: AmountRange,
    text: &'static str,
) -> HabitAction {
    HabitAction::Receive { from, by, sum, text }
}

/// Shorthand for [`HabitAction::Pay`].
pub(super) const fn pay(to: &'static OutsideAccount, by: Channel, sum: AmountRange, text: &'static str) -> HabitAction {
    HabitAction::Pay { to, by, sum, text }
}

/// Shorthand for [`HabitAction::Buy`].
pub(super) const fn buy(at: &'static [MerchantRow]) -> HabitAction {
    HabitAction::Buy { at }
}

/// An external party with a bank account.
#[derive(Debug)]
pub(super) struct OutsideAccount {
    /// The key that names the party's ledger account.
    pub(super) key: &'static str,
    pub(super) name: &'static str,
    pub(super) place: OutsideAccountNumber,
    /// The party's legal entity identifier; empty if it has none.
    pub(super) lei: &'static str,
    /// The telephone number by which payers know the party's account; empty if there is none.
    pub(super) phone: &'static str,
}

/// The account number of an external party.
#[derive(Debug)]
pub(super) enum OutsideAccountNumber {
    /// An account at a British bank: sort code and account number as one text of 14 digits.
    Uk { number: &'static str, bic: &'static str },
    /// An account in a country with IBANs: the country and its domestic account number.
    Iban { country: &'static str, bban: &'static str, bic: &'static str },
    /// An account in another country.
    Bban { number: &'static str, bic: &'static str },
}

impl OutsideAccount {
    /// The party as the counterparty of an entry. Source: AIS-130.
    pub(super) fn other_party(&self) -> OtherParty {
        let (scheme, number, bic) = match self.place {
            OutsideAccountNumber::Uk { number, bic } => (AccountScheme::SortCodeAccountNumber, number.to_owned(), bic),
            OutsideAccountNumber::Iban { country, bban, bic } => {
                (AccountScheme::Iban, numbers::iban(country, bban), bic)
            }
            OutsideAccountNumber::Bban { number, bic } => (AccountScheme::Bban, number.to_owned(), bic),
        };
        OtherParty {
            agent: Some(BankIdentification { bic: Some(bic.to_owned()), name: None, address: None, lei: None }),
            account: Some(AccountIdentification {
                scheme,
                number,
                name: Some(self.name.to_owned()),
                secondary: None,
                proxy: self.proxy(),
            }),
        }
    }
}

impl OutsideAccount {
    /// The telephone number as a proxy of the account.
    fn proxy(&self) -> Option<Box<AccountProxy>> {
        let identification = (!self.phone.is_empty()).then(|| self.phone.to_owned())?;
        Some(Box::new(AccountProxy { identification, code: iso_code("TELE")?, kind: None }))
    }
}

/// Parses a code; `None` for a text that is not a code, which the tables do not contain.
pub(super) fn iso_code(text: &str) -> Option<IsoCode> {
    text.parse().ok()
}

/// A shop.
#[derive(Debug)]
pub(super) struct MerchantRow {
    /// The key that names the shop's ledger account.
    pub(super) key: &'static str,
    pub(super) name: &'static str,
    /// The ISO 18245 category code.
    pub(super) category: &'static str,
    /// The address, at most 70 characters.
    pub(super) address: &'static str,
    pub(super) currency: Currency,
    /// The smallest and the largest amount of a purchase, in minor units of the shop's currency.
    pub(super) spend: (i64, i64),
}
