//! Builds the bank's accounts from the tables: ids, numbers and names.

pub(super) use lombard_corebank::names::{BANK_NAME, own_agent};

use super::habit::{AccountRow, CardRow, HouseholdAccount, SeededHousehold, iso_code};
use super::numbers;
use super::random::SeededRandom;
use jiff::ToSpan;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use lombard_corebank::storage::BankAccountRecord;
use lombard_domain::account::{
    Account, AccountIdentification, AccountProduct, AccountScheme, AccountStatus, AccountSubType, CardAuthorisation,
    CardInstrument, StatementDelivery, SwitchStatus,
};
use lombard_domain::ids::{BankAccountId, PsuId};
use lombard_domain::money::Currency;

/// The bank code and the sort code, which follow each other in an IBAN.
const BANK_CODE: &str = "LMBD";
const SORT_CODE: &str = "608371";

/// An account with additional data for seeding.
#[derive(Debug)]
pub(super) struct OpenedAccount {
    pub(super) role: HouseholdAccount,
    pub(super) record: BankAccountRecord,
    /// The account's product with its terms.
    pub(super) product: AccountProduct,
    /// The account's payment card.
    pub(super) card: Option<CardInstrument>,
}

impl OpenedAccount {
    pub(super) const fn id(&self) -> &BankAccountId {
        &self.record.account.id
    }

    pub(super) const fn currency(&self) -> Currency {
        self.record.account.currency
    }

    pub(super) const fn is_credit_card(&self) -> bool {
        matches!(self.record.account.sub_type, AccountSubType::CreditCard)
    }

    pub(super) fn nickname(&self) -> &str {
        self.record.account.nickname.as_deref().unwrap_or_default()
    }

    /// The account number that other banks use.
    pub(super) fn outward(&self) -> Option<&AccountIdentification> {
        self.record.account.identifications.first()
    }
}

/// Opens the accounts of a household. Ids and numbers depend only on the seed and the account's name.
pub(super) fn open(life: &SeededHousehold, seed: u64, first_day: Date) -> Vec<OpenedAccount> {
    let lei = life.organisation.map(|organisation| organisation.lei);
    life.accounts
        .iter()
        .map(|row| {
            let mut chance = SeededRandom::named(seed, &format!("account/{}/{}", life.name, row.role.name()));
            open_one(row, lei, first_day, &mut chance)
        })
        .collect()
}

fn open_one(row: &AccountRow, lei: Option<&str>, first_day: Date, chance: &mut SeededRandom) -> OpenedAccount {
    let id = BankAccountId::new(chance.id());
    let card = row.card.as_ref().map(|card| instrument(card, chance));
    let days_earlier = chance.between(1, 300);
    let opened_on = first_day.saturating_sub(row.opened_years_before.years()).saturating_sub(days_earlier.days());
    let account = Account {
        id,
        status: AccountStatus::Enabled,
        status_changed_at: opened_on
            .at(9, 0, 0, 0)
            .to_zoned(TimeZone::UTC)
            .map(|at| at.timestamp())
            .unwrap_or_default(),
        currency: row.currency,
        account_type: row.account_type,
        sub_type: row.sub_type,
        description: Some(row.product.name.to_owned()),
        nickname: Some(row.nickname.to_owned()),
        opened_on: Some(opened_on),
        matures_on: None,
        switch_status: Some(SwitchStatus::NotSwitched),
        identifications: identifications(row, card.as_ref(), chance),
        servicer: Some(own_agent()),
        lei: lei.map(str::to_owned),
        core_state: None,
        statement_delivery: vec![StatementDelivery {
            frequency: iso_code("MNTH"),
            medium: iso_code("ONLI"),
            format: iso_code("DPDF"),
            address: None,
        }],
    };
    let product = row.product.of(account.id.clone(), row.credit_limit);
    let record = BankAccountRecord {
        account,
        holders: row.holders.iter().map(|login| PsuId::from(*login)).collect(),
        eligible: row.eligible,
        credit_limit: row.credit_limit,
        authorisers: row.authorisers,
    };
    OpenedAccount { role: row.role, record, product, card }
}

fn instrument(card: &CardRow, chance: &mut SeededRandom) -> CardInstrument {
    let body = format!("{}{}", card.prefix, chance.digits(15_usize.saturating_sub(card.prefix.len())));
    CardInstrument {
        scheme: card.scheme,
        authorisation: Some(CardAuthorisation::Contactless),
        name: Some(card.name.to_owned()),
        number: Some(numbers::card_number(&body)),
    }
}

fn identifications(
    row: &AccountRow,
    card: Option<&CardInstrument>,
    chance: &mut SeededRandom,
) -> Vec<AccountIdentification> {
    let identification = |scheme, number, secondary| AccountIdentification {
        scheme,
        number,
        name: Some(row.owner.to_owned()),
        secondary,
        proxy: None,
    };
    if let (AccountSubType::CreditCard, Some(number)) = (row.sub_type, card.and_then(|card| card.number.clone())) {
        return vec![identification(AccountScheme::Pan, number, None)];
    }
    let number = chance.digits(8);
    let roll = (row.role == HouseholdAccount::Loan).then(|| format!("ROLL {}", chance.digits(9)));
    vec![
        identification(AccountScheme::SortCodeAccountNumber, format!("{SORT_CODE}{number}"), roll),
        identification(AccountScheme::Iban, numbers::iban("GB", &format!("{BANK_CODE}{SORT_CODE}{number}")), None),
    ]
}
