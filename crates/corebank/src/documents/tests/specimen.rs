//! Sample statements.

use super::super::StatementDocument;
use jiff::{SignedDuration, Timestamp};
use lombard_domain::account::{
    Account, AccountIdentification, AccountParty, AccountScheme, BankIdentification, CardAuthorisation, CardInstrument,
    CardScheme, CurrencyExchange, EntryStatus, ExchangeRate, FeeFrequency, FeeRateType, InterestFrequency,
    InterestRateType, Merchant, Mutability, OtherParty, Party, PartyType, PostalAddress, Statement,
    StatementAmountType, StatementBenefit, StatementBenefitType, StatementDateType, StatementFee, StatementFeeType,
    StatementInterest, StatementInterestType, StatementRateType, StatementType, StatementValueType, Transaction,
};
use lombard_domain::ids::TransactionId;
use lombard_domain::money::{Amount, Currency, SignedAmount};
use lombard_ports::bank::sample_account;

pub(super) const PAN: &str = "5555444433332222";
const START: &str = "2026-10-01T00:00:00Z";
const END: &str = "2026-10-31T23:59:59.999999Z";

/// The owned data of a statement file.
#[derive(Debug, Clone)]
pub(super) struct Specimen {
    pub(super) statement: Statement,
    pub(super) account: Account,
    pub(super) parties: Vec<AccountParty>,
    pub(super) entries: Vec<Transaction>,
}

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

impl Specimen {
    /// A statement whose entries have these texts and amounts in minor units. The entries are somewhat more than an hour apart.
    pub(super) fn of(currency: Currency, opening: i64, entries: &[(&str, i64)]) -> Self {
        let start = at(START);
        let every = SignedDuration::from_secs(4_001);
        let time = |index: usize| start + every * i32::try_from(index % 600).unwrap();
        let entries: Vec<_> = entries
            .iter()
            .enumerate()
            .map(|(index, (text, minor))| entry(index, time(index), text, SignedAmount::from_minor(*minor, currency)))
            .collect();
        let sum = |wanted: fn(&i64) -> bool| entries.iter().map(|entry| entry.sum.minor()).filter(wanted).sum::<i64>();
        let (paid_in, paid_out) = (sum(|minor| *minor >= 0), sum(|minor| *minor < 0));
        let mut specimen = Self {
            statement: statement(),
            account: account(currency),
            parties: vec![owner("Amelia Rose Hartley")],
            entries,
        };
        specimen.statement.amounts = vec![
            (StatementAmountType::StartingBalance, SignedAmount::from_minor(opening, currency)),
            (StatementAmountType::TotalCredits, SignedAmount::from_minor(paid_in, currency)),
            (StatementAmountType::TotalDebits, SignedAmount::from_minor(paid_out, currency)),
            (StatementAmountType::ClosingBalance, SignedAmount::from_minor(opening + paid_in + paid_out, currency)),
        ];
        specimen
    }

    pub(super) fn document(&self) -> StatementDocument<'_> {
        let Self { statement, account, parties, entries } = self;
        StatementDocument { statement, account, parties, entries }
    }

    /// A statement with every optional member.
    pub(super) fn rich() -> Self {
        let gbp = Currency::GBP;
        let mut specimen = Self::of(
            gbp,
            123_456,
            &[
                ("Salary October", 245_000),
                ("Card purchase at Bistro Łódź, 25.00 EUR, foreign fee included", -2_214),
                ("Rent", -125_000),
                ("Transfer to savings", -50_000),
                ("Refund from Hartwell & Sons", 1_999),
                (
                    "Card purchase at a place whose name goes on and on, the way the names of some places do when they are long enough to be cut",
                    -799,
                ),
                ("Mortgage overpayment", -250_000),
                ("Interest paid", 12),
            ],
        );
        let card = specimen.entries.get_mut(1).unwrap();
        card.reference = Some("AUTH 004417".to_owned());
        card.charge = Some(Amount::from_minor(68, gbp));
        card.merchant = Some(Merchant { name: "Bistro Łódź".to_owned(), category: Some("5812".to_owned()) });
        card.card = Some(CardInstrument {
            scheme: CardScheme::MasterCard,
            authorisation: Some(CardAuthorisation::Contactless),
            name: None,
            number: Some(PAN.to_owned()),
        });
        card.exchange = Some(CurrencyExchange {
            source: Currency::EUR,
            target: gbp,
            unit: Currency::EUR,
            rate: ExchangeRate("0.8585".parse().unwrap()),
            quoted_at: None,
            instructed: Some(Amount::from_minor(2_500, Currency::EUR)),
        });
        specimen.entries.get_mut(2).unwrap().other_party = Some(OtherParty {
            agent: None,
            account: Some(identification(AccountScheme::SortCodeAccountNumber, "20000055779911", "Hartwell Lettings")),
        });
        costs(&mut specimen.statement);
        specimen
    }
}

fn costs(statement: &mut Statement) {
    let gbp = Currency::GBP;
    statement.descriptions =
        vec!["Your overdraft limit is £250.00. Tell us within 13 months about payments you did not make.".to_owned()];
    statement.fees = vec![StatementFee {
        description: Some("Payment abroad".to_owned()),
        kind: StatementFeeType::ForeignTransaction,
        rate: Some(("2.75".parse().unwrap(), FeeRateType::Ear)),
        frequency: Some(FeeFrequency::PerTransactionPercentage),
        sum: SignedAmount::from_minor(-68, gbp),
    }];
    statement.interest = vec![StatementInterest {
        description: None,
        kind: StatementInterestType::Total,
        rate: Some(("1.15".parse().unwrap(), InterestRateType::Gross)),
        frequency: Some(InterestFrequency::Daily),
        sum: SignedAmount::from_minor(12, gbp),
    }];
    statement.benefits =
        vec![StatementBenefit { kind: StatementBenefitType::Cashback, amount: Amount::from_minor(250, gbp) }];
    statement.amounts.push((StatementAmountType::CreditLimit, SignedAmount::from_minor(25_000, gbp)));
    statement.dates = vec![(StatementDateType::NextStatement, at("2026-12-01T00:00:00Z"))];
    statement.rates = vec![(StatementRateType::AnnualPurchase, "22.9000".parse().unwrap())];
    statement.values = vec![(StatementValueType::Credits, "3".to_owned())];
}

fn statement() -> Statement {
    Statement {
        id: "stm-2026-10".into(),
        account: "acc-1".into(),
        reference: Some("2026/10".to_owned()),
        kind: StatementType::RegularPeriodic,
        starts_at: at(START),
        ends_at: at(END),
        created_at: at("2026-11-01T04:00:00Z"),
        descriptions: Vec::new(),
        benefits: Vec::new(),
        fees: Vec::new(),
        interest: Vec::new(),
        amounts: Vec::new(),
        dates: Vec::new(),
        rates: Vec::new(),
        values: Vec::new(),
        total: None,
    }
}

fn account(currency: Currency) -> Account {
    Account {
        status_changed_at: at("2020-01-01T00:00:00Z"),
        currency,
        description: Some("Lombard Everyday".to_owned()),
        nickname: Some("Household".to_owned()),
        identifications: vec![
            identification(AccountScheme::SortCodeAccountNumber, "60837112345678", "Ms A R Hartley"),
            identification(AccountScheme::Iban, "GB33LMBD60837112345678", "Ms A R Hartley"),
            identification(AccountScheme::Pan, PAN, "Ms A R Hartley"),
        ],
        servicer: Some(BankIdentification {
            bic: Some(crate::names::BANK_BIC.to_owned()),
            name: Some("Lombard Sandbox Bank".to_owned()),
            address: None,
            lei: None,
        }),
        ..sample_account("acc-1")
    }
}

pub(super) fn identification(scheme: AccountScheme, number: &str, name: &str) -> AccountIdentification {
    AccountIdentification { name: Some(name.to_owned()), ..AccountIdentification::new(scheme, number) }
}

pub(super) fn owner(name: &str) -> AccountParty {
    AccountParty {
        account: "acc-1".into(),
        kind: PartyType::Sole,
        role: None,
        beneficial_owner: None,
        party: Party {
            id: "party-1".into(),
            number: None,
            name: Some(name.to_owned()),
            full_legal_name: None,
            legal_structure: None,
            email: None,
            phone: None,
            mobile: None,
            addresses: vec![PostalAddress {
                building: Some("14".to_owned()),
                street: Some("Rookery Lane".to_owned()),
                town: Some("Norwich".to_owned()),
                post_code: Some("NR1 9ZZ".to_owned()),
                country: Some("GB".to_owned()),
                ..PostalAddress::default()
            }],
            lei: None,
        },
    }
}

fn entry(index: usize, booked_at: Timestamp, text: &str, sum: SignedAmount) -> Transaction {
    Transaction {
        account: "acc-1".into(),
        id: TransactionId::new(format!("trx-{index:05}")),
        reference: None,
        statement_references: vec!["2026/10".to_owned()],
        sum,
        status: EntryStatus::Booked,
        mutability: Mutability::Immutable,
        booked_at,
        value_at: Some(booked_at),
        information: Some(text.to_owned()),
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
