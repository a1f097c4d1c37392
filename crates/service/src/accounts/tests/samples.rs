//! Records with every part that a permission may hide.

use super::at;
use lombard_domain::account::{
    Account, AccountIdentification, AccountParty, AccountScheme, AccountSubType, ArrangementStatus, BalanceType,
    BankIdentification, Beneficiary, BeneficiaryType, CardInstrument, CardScheme, EntryBalance, EntryStatus,
    Instalment, Merchant, Mutability, OtherParty, Party, PartyType, ScheduledPayment, ScheduledType, StandingOrder,
    Statement, StatementAmountType, StatementType, Transaction,
};
use lombard_domain::frequency::Frequency;
use lombard_domain::money::{Amount, Currency, SignedAmount};
use lombard_ports::bank::sample_account;

pub(crate) fn full_account(id: &str) -> Account {
    let identification = |scheme, number: &str| AccountIdentification {
        name: Some("Amelia".into()),
        ..AccountIdentification::new(scheme, number)
    };
    Account {
        sub_type: AccountSubType::CreditCard,
        description: Some("Card".into()),
        nickname: Some("Plastic".into()),
        identifications: vec![
            identification(AccountScheme::SortCodeAccountNumber, "80200110203345"),
            identification(AccountScheme::Pan, "4444333322221111"),
        ],
        servicer: Some(BankIdentification { bic: Some("LOMBGB2L".into()), name: None, address: None, lei: None }),
        ..sample_account(id)
    }
}

/// An entry with every part that a permission may hide.
pub(crate) fn full_transaction(account: &str, id: &str, hour: i64, minor: i64) -> Transaction {
    Transaction {
        account: account.into(),
        id: id.into(),
        reference: Some("REF".into()),
        statement_references: vec!["S1".into()],
        sum: SignedAmount::from_minor(minor, Currency::GBP),
        status: EntryStatus::Booked,
        mutability: Mutability::Immutable,
        booked_at: at(hour),
        value_at: None,
        information: Some("Coffee".into()),
        address_line: Some("High Street".into()),
        charge: None,
        exchange: None,
        bank_code: None,
        proprietary_code: None,
        balance: Some(EntryBalance {
            kind: BalanceType::InterimBooked,
            sum: SignedAmount::from_minor(5, Currency::GBP),
        }),
        merchant: Some(Merchant { name: "Café".into(), category: None }),
        other_party: Some(OtherParty {
            agent: None,
            account: Some(AccountIdentification::new(AccountScheme::Pan, "5555444433332222")),
        }),
        card: Some(CardInstrument {
            scheme: CardScheme::Visa,
            authorisation: None,
            name: None,
            number: Some("4444333322221111".into()),
        }),
        payment: None,
    }
}

/// The payee of an arrangement, identified by a card number.
fn full_payee() -> (Option<BankIdentification>, AccountIdentification) {
    let name = Some("Mr Bates".to_owned());
    let payee = AccountIdentification { name, ..AccountIdentification::new(AccountScheme::Pan, "4444333322221111") };
    (Some(BankIdentification { bic: Some("LOMBGB2L".into()), name: None, address: None, lei: None }), payee)
}

pub(crate) fn full_beneficiary(account: &str) -> Beneficiary {
    let (agent, payee) = full_payee();
    let reference = Some("Towbar Club".into());
    Beneficiary {
        id: "r-1".into(),
        account: account.into(),
        kind: Some(BeneficiaryType::Trusted),
        reference,
        agent,
        payee,
    }
}

pub(crate) fn full_standing_order(account: &str) -> StandingOrder {
    let (agent, payee) = full_payee();
    let instalment = Some(Instalment { at: at(1), amount: Amount::from_minor(100, Currency::GBP) });
    StandingOrder {
        id: "r-1".into(),
        account: account.into(),
        frequency: Frequency::EveryDay,
        reference: Some("Rent".into()),
        first: instalment,
        next: instalment,
        last: instalment,
        end: instalment,
        payments: Some(2),
        status: ArrangementStatus::Active,
        agent,
        payee,
        terms: None,
    }
}

pub(crate) fn full_scheduled_payment(account: &str) -> ScheduledPayment {
    let (agent, payee) = full_payee();
    ScheduledPayment {
        id: "r-1".into(),
        account: account.into(),
        at: at(1),
        kind: ScheduledType::Execution,
        reference: Some("Deposit".into()),
        debtor_reference: Some("Flat".into()),
        amount: Amount::from_minor(100, Currency::GBP),
        agent,
        payee,
    }
}

pub(crate) fn account_party(account: &str, id: &str, kind: PartyType) -> AccountParty {
    let party = Party {
        id: id.into(),
        number: None,
        name: Some(id.to_owned()),
        full_legal_name: None,
        legal_structure: None,
        email: None,
        phone: None,
        mobile: None,
        addresses: Vec::new(),
        lei: None,
    };
    AccountParty { account: account.into(), kind, role: None, beneficial_owner: None, party }
}

/// A statement from hour to hour, whose content depends on its id.
pub(crate) fn full_statement(account: &str, id: &str, from: i64, to: i64) -> Statement {
    let sum = SignedAmount::from_minor(100, Currency::GBP);
    Statement {
        id: id.into(),
        account: account.into(),
        reference: Some(id.into()),
        kind: StatementType::RegularPeriodic,
        starts_at: at(from),
        ends_at: at(to),
        created_at: at(to),
        descriptions: vec!["Rates change".into()],
        benefits: Vec::new(),
        fees: Vec::new(),
        interest: Vec::new(),
        amounts: vec![(StatementAmountType::ClosingBalance, sum)],
        dates: Vec::new(),
        rates: Vec::new(),
        values: Vec::new(),
        total: Some(sum.amount()),
    }
}
