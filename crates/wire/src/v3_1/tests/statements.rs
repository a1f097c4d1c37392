//! Statements.

use super::super::V3_1;
use super::{at, envelope, shown};
use crate::Render;
use lombard_domain::account::{
    Aliased, FeeFrequency, FeeRateType, InterestFrequency, InterestRateType, Statement, StatementAmountType,
    StatementBenefit, StatementBenefitType, StatementDateType, StatementFee, StatementFeeType, StatementInterest,
    StatementInterestType, StatementRateType, StatementType, StatementValueType,
};
use lombard_domain::money::{Amount, Currency, SignedAmount};
use serde_json::json;

fn statement() -> Statement {
    let signed = |minor| SignedAmount::from_minor(minor, Currency::GBP);
    Statement {
        id: "s-1".into(),
        account: "bank-1".into(),
        reference: Some("002".into()),
        kind: StatementType::RegularPeriodic,
        starts_at: at(0),
        ends_at: at(1),
        created_at: at(2),
        descriptions: vec!["Rates change in May".into()],
        benefits: vec![StatementBenefit {
            kind: StatementBenefitType::Cashback,
            amount: Amount::from_minor(150, Currency::GBP),
        }],
        fees: vec![StatementFee {
            description: Some("Monthly fee".into()),
            kind: StatementFeeType::Monthly,
            rate: Some(("0.1234567890123456789".parse().unwrap(), FeeRateType::Aer)),
            frequency: Some(FeeFrequency::StatementMonthly),
            sum: signed(-500),
        }],
        interest: vec![StatementInterest {
            description: Some("On what you saved".into()),
            kind: StatementInterestType::Total,
            rate: Some(("2.50".parse().unwrap(), InterestRateType::BoeBaseRate)),
            frequency: Some(InterestFrequency::PerStatementDate),
            sum: signed(34),
        }],
        amounts: vec![
            (StatementAmountType::ClosingBalance, signed(40_000)),
            (StatementAmountType::FscsInsurance, signed(-1)),
        ],
        dates: vec![(StatementDateType::NextStatement, at(3))],
        rates: vec![(StatementRateType::AnnualPurchasePromo, "18.9000".parse().unwrap())],
        values: vec![(StatementValueType::AirMilesPoints, "120".into())],
        total: Some(Amount::from_minor(40_000, Currency::GBP)),
    }
}

fn one(record: Statement) -> [Aliased<Statement>; 1] {
    [Aliased { alias: "a-1".into(), record }]
}

#[test]
fn ais_140_to_ais_148_a_statement() {
    assert_eq!(
        shown(one(statement()).as_slice())["Data"],
        json!({ "Statement": [{
            "AccountId": "a-1", "StatementId": "s-1", "StatementReference": "002", "Type": "RegularPeriodic",
            "StartDateTime": "1970-01-01T00:00:00+00:00", "EndDateTime": "1970-01-01T00:00:01+00:00",
            "CreationDateTime": "1970-01-01T00:00:02+00:00", "StatementDescription": ["Rates change in May"],
            "StatementBenefit": [
                { "Type": "UK.OBIE.Cashback", "Amount": { "Amount": "1.50", "Currency": "GBP" } },
            ],
            "StatementFee": [{
                "Description": "Monthly fee", "CreditDebitIndicator": "Debit", "Type": "UK.OBIE.Monthly",
                "Rate": 0.123_456_789_012_345_68, "RateType": "UK.OBIE.AER", "Frequency": "UK.OBIE.StatementMonthly",
                "Amount": { "Amount": "5.00", "Currency": "GBP" },
            }],
            "StatementInterest": [{
                "Description": "On what you saved", "CreditDebitIndicator": "Credit", "Type": "UK.OBIE.Total",
                "Rate": 2.5, "RateType": "UK.OBIE.BOEBaseRate", "Frequency": "UK.OBIE.PerStatementDate",
                "Amount": { "Amount": "0.34", "Currency": "GBP" },
            }],
            "StatementAmount": [
                {
                    "CreditDebitIndicator": "Credit", "Type": "UK.OBIE.ClosingBalance",
                    "Amount": { "Amount": "400.00", "Currency": "GBP" },
                },
                {
                    "CreditDebitIndicator": "Debit", "Type": "UK.OBIE.FSCSInsurance",
                    "Amount": { "Amount": "0.01", "Currency": "GBP" },
                },
            ],
            "StatementDateTime": [{ "DateTime": "1970-01-01T00:00:03+00:00", "Type": "UK.OBIE.NextStatement" }],
            "StatementRate": [{ "Rate": "18.9", "Type": "UK.OBIE.AnnualPurchasePromo" }],
            "StatementValue": [{ "Value": "120", "Type": "UK.OBIE.AirMilesPoints" }],
            "TotalValue": { "Amount": "400.00", "Currency": "GBP" },
        }] })
    );
    let text = V3_1::render(one(statement()).as_slice(), &envelope()).unwrap();
    assert!(String::from_utf8(text).unwrap().contains("\"Rate\":0.1234567890123456789,"), "exact");
}

#[test]
fn rw_247_of_the_nested_lists_only_the_amounts_are_ever_absent() {
    let bare = Statement {
        reference: None,
        descriptions: Vec::new(),
        benefits: Vec::new(),
        fees: Vec::new(),
        interest: Vec::new(),
        amounts: Vec::new(),
        dates: Vec::new(),
        rates: Vec::new(),
        values: Vec::new(),
        total: None,
        ..statement()
    };
    assert_eq!(
        shown(one(bare).as_slice())["Data"]["Statement"][0],
        json!({
            "AccountId": "a-1", "StatementId": "s-1", "Type": "RegularPeriodic",
            "StartDateTime": "1970-01-01T00:00:00+00:00", "EndDateTime": "1970-01-01T00:00:01+00:00",
            "CreationDateTime": "1970-01-01T00:00:02+00:00", "StatementDescription": [], "StatementBenefit": [],
            "StatementFee": [], "StatementInterest": [], "StatementDateTime": [], "StatementRate": [],
            "StatementValue": [],
        })
    );
    let plain = StatementFee {
        description: None,
        kind: StatementFeeType::Total,
        rate: None,
        frequency: None,
        sum: SignedAmount::from_minor(0, Currency::GBP),
    };
    let body = shown(one(Statement { fees: vec![plain], ..statement() }).as_slice());
    assert_eq!(
        body["Data"]["Statement"][0]["StatementFee"],
        json!([{
            "CreditDebitIndicator": "Credit", "Type": "UK.OBIE.Total",
            "Amount": { "Amount": "0.00", "Currency": "GBP" },
        }])
    );
}
