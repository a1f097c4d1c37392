//! Property tests: with any permissions and any record, no resource shows a field that the permissions do not include.
//! Source: T7, AIS-050 to AIS-054.

use super::rows::{Form, RULES, Rule};
use jiff::Timestamp;
use lombard_domain::account::{
    Account, AccountIdentification, AccountScheme, AccountSubType, Aliased, ArrangementStatus, BalanceType,
    BankIdentification, Beneficiary, BeneficiaryType, CardAuthorisation, CardInstrument, CardScheme, EntryBalance,
    EntryPayment, EntryStatus, Instalment, IntermediaryAgent, Merchant, Mutability, OtherParty, PostalAddress,
    ScheduledPayment, ScheduledType, StandingOrder, Statement, StatementAmountType, StatementDelivery, StatementType,
    Transaction, UltimateParty,
};
use lombard_domain::consent::{Permission, Permissions};
use lombard_domain::frequency::Frequency;
use lombard_domain::money::{Amount, Currency, SignedAmount};
use lombard_ports::bank::sample_account;
use lombard_service::accounts::{
    AccountResource, Accounts, Beneficiaries, ScheduledPayments, StandingOrders, Statements, Transactions,
};
use lombard_wire::v3_1::V3_1;
use lombard_wire::v4_0::V4_0;
use lombard_wire::{Links, Meta, Render, ResponseEnvelope};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use serde_json::Value;

const SCHEMES: [AccountScheme; 6] = [
    AccountScheme::Bban,
    AccountScheme::Iban,
    AccountScheme::Pan,
    AccountScheme::Paym,
    AccountScheme::SortCodeAccountNumber,
    AccountScheme::Wallet,
];

fn at() -> impl Strategy<Value = Timestamp> {
    (0_i64..4_000_000_000).prop_map(|second| Timestamp::from_second(second).unwrap())
}

fn sum() -> impl Strategy<Value = SignedAmount> {
    (-1_000_000_i64..1_000_000).prop_map(|minor| SignedAmount::from_minor(minor, Currency::GBP))
}

fn text() -> impl Strategy<Value = Option<String>> {
    option::of("[A-Za-z]{1,12}")
}

fn identification() -> impl Strategy<Value = AccountIdentification> {
    (0..SCHEMES.len(), "[0-9]{0,24}", text(), text()).prop_map(|(scheme, number, name, secondary)| {
        AccountIdentification { scheme: SCHEMES[scheme], number, name, secondary, proxy: None }
    })
}

fn agent() -> impl Strategy<Value = Option<BankIdentification>> {
    let address = text().prop_map(|town| town.map(|town| PostalAddress { town: Some(town), ..Default::default() }));
    option::of((text(), text(), address).prop_map(|(bic, name, address)| BankIdentification {
        bic,
        name,
        address,
        lei: None,
    }))
}

fn account() -> impl Strategy<Value = Account> {
    (vec(identification(), 1..4), agent(), text(), at()).prop_map(|(identifications, servicer, nickname, at)| Account {
        status_changed_at: at,
        sub_type: AccountSubType::CreditCard,
        description: nickname.clone(),
        nickname,
        identifications,
        lei: servicer.as_ref().and_then(|servicer| servicer.name.clone()),
        statement_delivery: vec![StatementDelivery { frequency: "MNTH".parse().ok(), ..StatementDelivery::default() }],
        servicer,
        ..sample_account("bank-1")
    })
}

/// A payment that names the other party in the members of v4.0 as well.
fn payment(other: Option<&OtherParty>) -> EntryPayment {
    let account = other.and_then(|other| other.account.as_ref());
    let ultimate = UltimateParty {
        name: Some("Parent".into()),
        scheme: account.map(|account| account.scheme),
        identification: account.map(|account| account.number.clone()),
        ..UltimateParty::default()
    };
    let agent = other.and_then(|other| other.agent.clone()).unwrap_or_default();
    EntryPayment {
        purpose: "SALA".parse().ok(),
        ultimate_creditor: Some(ultimate.clone()),
        ultimate_debtor: Some(ultimate),
        intermediaries: vec![IntermediaryAgent { agent, status: None }],
        ..EntryPayment::default()
    }
}

fn transaction() -> impl Strategy<Value = Transaction> {
    let party = (agent(), option::of(identification())).prop_map(|(agent, account)| OtherParty { agent, account });
    let card = (text(), option::of("[0-9]{0,19}")).prop_map(|(name, number)| CardInstrument {
        scheme: CardScheme::Visa,
        authorisation: Some(CardAuthorisation::Pin),
        name,
        number,
    });
    let merchant = text().prop_map(|name| name.map(|name| Merchant { name, category: None }));
    (at(), sum(), option::of(sum()), text(), merchant, option::of(party), option::of(card)).prop_map(
        |(booked_at, sum, balance, information, merchant, other_party, card)| Transaction {
            account: "bank-1".into(),
            id: "t-1".into(),
            reference: None,
            statement_references: Vec::new(),
            sum,
            status: EntryStatus::Booked,
            mutability: Mutability::Immutable,
            booked_at,
            value_at: None,
            information,
            address_line: None,
            charge: None,
            exchange: None,
            bank_code: None,
            proprietary_code: None,
            balance: balance.map(|sum| EntryBalance { kind: BalanceType::InterimBooked, sum }),
            merchant,
            payment: Some(Box::new(payment(other_party.as_ref()))),
            other_party,
            card,
        },
    )
}

fn beneficiary() -> impl Strategy<Value = Beneficiary> {
    (agent(), identification(), text()).prop_map(|(agent, payee, reference)| Beneficiary {
        id: "r-1".into(),
        account: "bank-1".into(),
        kind: Some(BeneficiaryType::Ordinary),
        reference,
        agent,
        payee,
    })
}

fn standing_order() -> impl Strategy<Value = StandingOrder> {
    (agent(), identification(), text(), at(), any::<u32>()).prop_map(|(agent, payee, reference, at, minor)| {
        let instalment = Some(Instalment { at, amount: Amount::from_minor(minor.into(), Currency::GBP) });
        StandingOrder {
            id: "r-1".into(),
            account: "bank-1".into(),
            frequency: Frequency::EveryDay,
            reference,
            first: instalment,
            next: instalment,
            last: None,
            end: None,
            payments: None,
            status: ArrangementStatus::Active,
            agent,
            payee,
            terms: None,
        }
    })
}

fn scheduled_payment() -> impl Strategy<Value = ScheduledPayment> {
    (agent(), identification(), text(), at(), any::<u32>()).prop_map(|(agent, payee, reference, at, minor)| {
        ScheduledPayment {
            id: "r-1".into(),
            account: "bank-1".into(),
            at,
            kind: ScheduledType::Execution,
            debtor_reference: reference.clone(),
            reference,
            amount: Amount::from_minor(minor.into(), Currency::GBP),
            agent,
            payee,
        }
    })
}

fn statement() -> impl Strategy<Value = Statement> {
    (at(), at(), vec(sum(), 1..4)).prop_map(|(starts_at, ends_at, sums)| Statement {
        id: "s-1".into(),
        account: "bank-1".into(),
        reference: None,
        kind: StatementType::RegularPeriodic,
        starts_at,
        ends_at,
        created_at: ends_at,
        descriptions: Vec::new(),
        benefits: Vec::new(),
        fees: Vec::new(),
        interest: Vec::new(),
        total: sums.first().map(|sum| sum.amount()),
        amounts: sums.into_iter().map(|sum| (StatementAmountType::ClosingBalance, sum)).collect(),
        dates: Vec::new(),
        rates: Vec::new(),
        values: Vec::new(),
    })
}

fn permissions() -> impl Strategy<Value = Permissions> {
    any::<u32>().prop_map(Permissions::from_bits)
}

/// A record as a TPP with these permissions gets it, in both versions.
fn seen<R: AccountResource>(record: R::Item, granted: Permissions) -> [Value; 2]
where
    V3_1: Render<[Aliased<R::Seen>]>,
    V4_0: Render<[Aliased<R::Seen>]>,
{
    let shown = [Aliased { alias: "a-1".into(), record: R::redact(record, granted) }];
    let envelope = ResponseEnvelope { links: Links::self_only("https://bank/x".into()), meta: Meta::ONE_PAGE };
    [V3_1::render(shown.as_slice(), &envelope), V4_0::render(shown.as_slice(), &envelope)].map(|body| {
        let body: Value = serde_json::from_slice(&body.unwrap()).unwrap();
        let list = body["Data"].as_object().unwrap().values().next().unwrap().clone();
        list[0].clone()
    })
}

/// What the table of rules says of the records in this member of `Data`.
fn rule(member: &'static str) -> &'static Rule {
    RULES.iter().find(|rule| rule.form == Form::List(member)).unwrap()
}

/// Holds a record to its rule, in every version.
fn judge(versions: &[Value; 2], member: &'static str, granted: Permissions) -> Result<(), TestCaseError> {
    versions.iter().try_for_each(|record| judge_one(record, rule(member), granted))
}

fn judge_one(record: &Value, rule: &Rule, granted: Permissions) -> Result<(), TestCaseError> {
    let detail = Permission::from_name(rule.detail[0]).unwrap();
    if granted.contains(detail) {
        for must in rule.must {
            prop_assert!(record.get(must).is_some(), "AIS-051: {} of {}", must, record);
        }
    } else {
        for hidden in rule.hidden {
            prop_assert!(record.get(hidden).is_none(), "AIS-050: {} of {}", hidden, record);
        }
    }
    masked(record, granted)
}

/// Every card number is masked, or in clear with `ReadPAN`. Source: AIS-052 to AIS-054.
fn masked(value: &Value, granted: Permissions) -> Result<(), TestCaseError> {
    match value {
        Value::Object(members) => {
            let card = value["SchemeName"] == "UK.OBIE.PAN" || members.contains_key("CardSchemeName");
            if let Some(number) = value["Identification"].as_str().filter(|_| card) {
                let hidden = number.len().saturating_sub(if number.len() > 4 { 4 } else { 0 });
                let (front, back) = number.split_at(hidden);
                if granted.contains(Permission::ReadPAN) {
                    prop_assert!(!number.contains('*'), "AIS-054: {}", value);
                } else {
                    prop_assert!(front.bytes().all(|it| it == b'*'), "AIS-052: {}", value);
                    prop_assert!(back.bytes().all(|it| it.is_ascii_digit()), "AIS-053: {}", value);
                }
            }
            members.values().try_for_each(|member| masked(member, granted))
        }
        Value::Array(items) => items.iter().try_for_each(|item| masked(item, granted)),
        _ => Ok(()),
    }
}

proptest! {
    #[test]
    fn t7_accounts(record in account(), granted in permissions()) {
        judge(&seen::<Accounts>(record, granted), "Account", granted)?;
    }

    #[test]
    fn t7_transactions(record in transaction(), granted in permissions()) {
        judge(&seen::<Transactions>(record, granted), "Transaction", granted)?;
    }

    #[test]
    fn t7_beneficiaries(record in beneficiary(), granted in permissions()) {
        judge(&seen::<Beneficiaries>(record, granted), "Beneficiary", granted)?;
    }

    #[test]
    fn t7_standing_orders(record in standing_order(), granted in permissions()) {
        judge(&seen::<StandingOrders>(record, granted), "StandingOrder", granted)?;
    }

    #[test]
    fn t7_scheduled_payments(record in scheduled_payment(), granted in permissions()) {
        judge(&seen::<ScheduledPayments>(record, granted), "ScheduledPayment", granted)?;
    }

    #[test]
    fn t7_statements(record in statement(), granted in permissions()) {
        judge(&seen::<Statements>(record, granted), "Statement", granted)?;
    }
}

/// Resources with fields that only some permissions open are the six above: a further one must be added here.
#[test]
fn t7_every_resource_that_hides_something_is_tried() {
    let mut hiding: Vec<_> = RULES.iter().filter(|rule| !rule.hidden.is_empty()).map(|rule| rule.form).collect();
    hiding.dedup();
    hiding.sort_unstable_by_key(|form| format!("{form:?}"));
    hiding.dedup();
    let tried = ["Account", "Beneficiary", "ScheduledPayment", "StandingOrder", "Statement", "Transaction"];
    assert_eq!(hiding, tried.map(Form::List));
}
