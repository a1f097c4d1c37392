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
    /// Labels the random streams of this household.
    pub(super) name: &'static str,
    pub(super) customers: &'static [CustomerRow],
    pub(super) accounts: &'static [AccountRow],
    /// The organisation that owns the accounts; the customers act for it.
    pub(super) organisation: Option<&'static PersonRow>,
    /// The co-owner of the house.
    pub(super) partner: Option<&'static PersonRow>,
    /// Mandates that were cancelled, suspended or expired before the history.
    pub(super) cancelled: &'static [CancelledRow],
    pub(super) scheduled: &'static [PlannedRow],
    /// Payments that are on the books already and booked on a later day.
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
    /// In the format of AIS-188, like the mobile number.
    pub(super) phone: &'static str,
    pub(super) mobile: &'static str,
    /// Building, street, town, post code, county.
    pub(super) address: [&'static str; 5],
}

/// A mandate that was cancelled.
#[derive(Debug)]
pub(super) struct CancelledRow {
    pub(super) on: HouseholdAccount,
    /// How it came to be collected no more.
    pub(super) status: ArrangementStatus,
    pub(super) name: &'static str,
    /// The number of months before the history at which it was last collected.
    pub(super) months_before: i32,
    /// Minor units collected then.
    pub(super) minor: i64,
}

/// A payment by Bacs that was sent and is debited on a later working day. Source: AIS-121.
#[derive(Debug)]
pub(super) struct FutureRow {
    pub(super) on: HouseholdAccount,
    pub(super) days_ahead: i64,
    pub(super) to: &'static OutsideAccount,
    /// Minor units.
    pub(super) minor: i64,
    pub(super) text: &'static str,
}

/// A scheduled payment.
#[derive(Debug)]
pub(super) struct PlannedRow {
    pub(super) on: HouseholdAccount,
    /// Days after the bank's present, rolled to a working day.
    pub(super) days_ahead: i32,
    pub(super) to: &'static OutsideAccount,
    /// Minor units.
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
    /// At most 500 characters.
    pub(super) description: &'static str,
    /// The last path segment of its URL.
    pub(super) slug: &'static str,
    /// Hundredths of a per cent.
    pub(super) rate_per_10k: Option<i64>,
    /// The duration in months.
    pub(super) months: Option<i64>,
    /// Minor units; zero for none.
    pub(super) amount: i64,
    /// Minor units; zero for none.
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
    /// Its product.
    pub(super) product: &'static ProductRow,
    /// At most 70 characters.
    pub(super) nickname: &'static str,
    /// The name on the account.
    pub(super) owner: &'static str,
    /// The logins of its holders.
    pub(super) holders: &'static [&'static str],
    pub(super) eligible: bool,
    /// Minor units.
    pub(super) credit_limit: i64,
    /// The number of holders who must authorise a payment.
    pub(super) authorisers: u16,
    /// The balance before the first entry, in minor units.
    pub(super) brought_forward: i64,
    pub(super) opened_years_before: i16,
    /// Its payment card.
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

/// A habit: an action on an account with a timing.
#[derive(Debug)]
pub(super) struct HabitRow {
    pub(super) on: HouseholdAccount,
    pub(super) when: HabitTiming,
    /// From which hour until before which, UTC.
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
    /// Somebody pays the customer.
    Receive { from: &'static OutsideAccount, by: Channel, sum: AmountRange, text: &'static str },
    /// The customer pays a party. Unless it is a direct debit, nothing is paid if funds are insufficient.
    Pay { to: &'static OutsideAccount, by: Channel, sum: AmountRange, text: &'static str },
    /// The customer pays a party everything above the amount kept, in minor units.
    PayRest { to: &'static OutsideAccount, by: Channel, keep: i64, text: &'static str },
    /// A card purchase at one of these shops; refused if funds are insufficient.
    Buy { at: &'static [MerchantRow] },
    /// The account's card is refused at one of these shops.
    Refused { at: &'static [MerchantRow], why: &'static str },
    /// One of these shops asks whether the account's card is valid; no money moves.
    CardCheck { at: &'static [MerchantRow] },
    /// A refund from one of these shops.
    Refund { at: &'static [MerchantRow] },
    /// A cash withdrawal at one of these machines, in multiples of ten; none if funds are insufficient.
    Withdraw { at: &'static [&'static str], sum: AmountRange },
    /// A transfer to another account of the household.
    Move { to: HouseholdAccount, by: Channel, sum: AmountRange, text: &'static str },
    /// The pence that round yesterday's purchases up to pounds move to another account.
    SaveChange { to: HouseholdAccount },
    /// The whole debt of a card account is collected.
    PayCard { card: HouseholdAccount },
    /// Foreign money is sold to the bank for pounds on another account.
    Sell { to: HouseholdAccount, sum: AmountRange },
    /// A month's interest for the holder, in hundredths of a per cent a year.
    EarnInterest { per_10k_a_year: i64 },
    /// A month's interest from the holder on a debt, in hundredths of a per cent a year.
    OweInterest { per_10k_a_year: i64 },
    /// What the account's card purchases since the last time bring back, in hundredths of a per cent.
    Cashback { per_10k: i64 },
    /// The bank's charge.
    Fee { sum: AmountRange, text: &'static str },
    /// The bank's charge on an account that is overdrawn that day.
    OverdraftFee { sum: AmountRange },
}

/// Somebody pays the customer.
pub(super) const fn receive(
    from: &'static OutsideAccount,
    by: Channel,
    sum: AmountRange,
    text: &'static str,
) -> HabitAction {
    HabitAction::Receive { from, by, sum, text }
}

/// The customer pays somebody.
pub(super) const fn pay(to: &'static OutsideAccount, by: Channel, sum: AmountRange, text: &'static str) -> HabitAction {
    HabitAction::Pay { to, by, sum, text }
}

/// The account's card is used at one of these shops.
pub(super) const fn buy(at: &'static [MerchantRow]) -> HabitAction {
    HabitAction::Buy { at }
}

/// Somebody outside with a bank account.
#[derive(Debug)]
pub(super) struct OutsideAccount {
    /// Names its ledger account.
    pub(super) key: &'static str,
    pub(super) name: &'static str,
    pub(super) place: OutsideAccountNumber,
    /// Its legal entity identifier; empty if it has none.
    pub(super) lei: &'static str,
    /// The telephone number by which payers know its account; empty if there is none.
    pub(super) phone: &'static str,
}

/// The number of a party's account.
#[derive(Debug)]
pub(super) enum OutsideAccountNumber {
    /// At a British bank: sort code and account number as one text of 14 digits.
    Uk { number: &'static str, bic: &'static str },
    /// Where IBANs are used: the country and its own account number.
    Iban { country: &'static str, bban: &'static str, bic: &'static str },
    /// Elsewhere.
    Bban { number: &'static str, bic: &'static str },
}

impl OutsideAccount {
    /// The counterparty of an entry. Source: AIS-130.
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
    /// The telephone number as an alias of the account.
    fn proxy(&self) -> Option<Box<AccountProxy>> {
        let identification = (!self.phone.is_empty()).then(|| self.phone.to_owned())?;
        Some(Box::new(AccountProxy { identification, code: iso_code("TELE")?, kind: None }))
    }
}

/// The code of a text; the tables and tests hold no text that is not a code.
pub(super) fn iso_code(text: &str) -> Option<IsoCode> {
    text.parse().ok()
}

/// A shop.
#[derive(Debug)]
pub(super) struct MerchantRow {
    /// Names its ledger account.
    pub(super) key: &'static str,
    pub(super) name: &'static str,
    /// The ISO 18245 category.
    pub(super) category: &'static str,
    /// At most 70 characters.
    pub(super) address: &'static str,
    pub(super) currency: Currency,
    /// The range of a purchase, in minor units of its currency.
    pub(super) spend: (i64, i64),
}
