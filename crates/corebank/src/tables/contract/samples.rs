//! Sample rows for the contract tests, with every optional member set.

use crate::storage::{BankAccountRecord, BankStore, BankTransaction};
use jiff::Timestamp;
use lombard_domain::account::{
    Account, AccountIdentification, AccountScheme, AccountStatus, AccountSubType, AccountType, BalanceType,
    BankIdentification, BankTransactionCode, CardAuthorisation, CardInstrument, CardScheme, CurrencyExchange,
    EntryBalance, EntryPayment, EntryStatus, ExchangeRate, Merchant, Mutability, OtherParty, ProprietaryCode,
    SwitchStatus, Transaction as Entry, UltimateParty,
};
use lombard_domain::ledger::{BalanceLayer, Journal, Posting};
use lombard_domain::money::{Amount, Currency, SignedAmount};
use lombard_domain::payment::order::{DetailReason, RailDetail};
use lombard_domain::payment::transfer::Instrument;
use lombard_ports::store::StoreError;

/// A second after the epoch, with microseconds that must survive.
pub(super) fn at(second: i64) -> Timestamp {
    Timestamp::from_microsecond(second * 1_000_000 + 123_456).unwrap()
}

/// Runs a write transaction and panics if it fails.
pub(super) async fn write<T: Send + 'static>(
    store: &BankStore,
    work: impl FnMut(&mut dyn BankTransaction) -> Result<T, StoreError> + Send + 'static,
) -> T {
    store.write(work).await.unwrap()
}

/// Runs a read transaction and panics if it fails.
pub(super) async fn read<T: Send + 'static>(
    store: &BankStore,
    work: impl FnMut(&mut dyn BankTransaction) -> Result<T, StoreError> + Send + 'static,
) -> T {
    store.read(work).await.unwrap()
}

pub(super) const fn pounds(minor: u64) -> Amount {
    Amount::from_minor(minor, Currency::GBP)
}

pub(super) fn rail_detail() -> RailDetail {
    RailDetail {
        instrument: Some(Instrument::FasterPayments),
        status: String::from("ACSC"),
        reason: Some(DetailReason::PendingSettlement),
        description: Some(String::from("Settled.")),
    }
}

pub(super) fn bank_account(id: &str, currency: Currency) -> BankAccountRecord {
    BankAccountRecord {
        account: Account {
            id: id.into(),
            status: AccountStatus::Enabled,
            status_changed_at: at(2),
            currency,
            account_type: AccountType::Personal,
            sub_type: AccountSubType::CurrentAccount,
            description: Some(String::from("Current account")),
            nickname: Some(String::from("Bills")),
            opened_on: Some(jiff::civil::date(2019, 2, 28)),
            matures_on: None,
            switch_status: Some(SwitchStatus::NotSwitched),
            identifications: vec![AccountIdentification {
                name: Some(String::from("A")),
                ..AccountIdentification::new(AccountScheme::SortCodeAccountNumber, String::from("20000012345678"))
            }],
            servicer: Some(BankIdentification {
                bic: Some(String::from("LOMBGB2L")),
                name: None,
                address: None,
                lei: None,
            }),
            lei: None,
            statement_delivery: Vec::new(),
            core_state: None,
        },
        holders: vec!["amelia".into(), "bashir".into()],
        eligible: true,
        credit_limit: 50_000,
        authorisers: 2,
    }
}

/// A journal with two postings.
pub(super) fn journal(cause: &str, from: &str, to: &str, minor: i64) -> Journal {
    let side = |account: &str, minor| Posting {
        account: account.into(),
        minor,
        currency: Currency::GBP,
        layer: BalanceLayer::Booked,
        entry: None,
    };
    Journal {
        id: format!("j-{cause}").into(),
        cause: cause.into(),
        booked_at: at(40),
        postings: vec![side(from, -minor), side(to, minor)],
    }
}

/// An entry with only its required members.
pub(super) fn entry(id: &str, account: &str, booked_at: Timestamp, minor: i64) -> Entry {
    Entry {
        account: account.into(),
        id: id.into(),
        reference: None,
        statement_references: Vec::new(),
        sum: SignedAmount::from_minor(minor, Currency::GBP),
        status: EntryStatus::Booked,
        mutability: Mutability::Immutable,
        booked_at,
        value_at: None,
        information: None,
        address_line: None,
        charge: None,
        exchange: None,
        bank_code: None,
        proprietary_code: None,
        balance: None,
        merchant: None,
        other_party: None,
        card: None,
        payment: None,
    }
}

/// An entry with every optional member.
pub(super) fn full_entry(id: &str, account: &str) -> Entry {
    let text = |text: &str| Some(String::from(text));
    Entry {
        reference: text("ref"),
        statement_references: vec![String::from("s1"), String::from("s2")],
        status: EntryStatus::Pending,
        mutability: Mutability::Mutable,
        value_at: Some(at(51)),
        information: text("Ünïcode \"quoted\" \\ \u{1F4B7}"),
        address_line: text("1 High St"),
        charge: Some(Amount::from_minor(12, Currency::GBP)),
        exchange: Some(CurrencyExchange {
            source: Currency::USD,
            target: Currency::GBP,
            unit: Currency::GBP,
            rate: ExchangeRate("1.2345000".parse().unwrap()),
            quoted_at: Some(at(49)),
            instructed: Some(Amount::from_minor(1_000, Currency::USD)),
        }),
        bank_code: Some(BankTransactionCode {
            code: String::from("CustomerCardTransactions"),
            sub_code: String::from("PointOfSalePayment"),
        }),
        proprietary_code: Some(ProprietaryCode { code: String::from("POS"), issuer: text("Lombard") }),
        balance: Some(EntryBalance {
            kind: BalanceType::InterimBooked,
            sum: SignedAmount::from_minor(-77, Currency::GBP),
        }),
        merchant: Some(Merchant { name: String::from("Shop"), category: text("5411") }),
        other_party: Some(OtherParty {
            agent: Some(BankIdentification { bic: None, name: text("Other Bank"), address: None, lei: None }),
            account: Some(AccountIdentification {
                secondary: text("roll"),
                ..AccountIdentification::new(AccountScheme::Iban, String::from("GB33BUKB20201555555555"))
            }),
        }),
        card: Some(CardInstrument {
            scheme: CardScheme::Visa,
            authorisation: Some(CardAuthorisation::Contactless),
            name: text("A MELIA"),
            number: text("4111111111111111"),
        }),
        payment: Some(Box::new(EntryPayment {
            purpose: "SALA".parse().ok(),
            ultimate_debtor: Some(UltimateParty { name: text("Parent"), ..UltimateParty::default() }),
            ..EntryPayment::default()
        })),
        ..entry(id, account, at(50), -810)
    }
}
