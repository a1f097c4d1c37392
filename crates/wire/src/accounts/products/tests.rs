//! The members of products in each dialect. The products are read from documents as `lombard-corebank` stores them.

use super::dialect::{Dialect, DialectWord};
use crate::v3_1::tests::shown;
use lombard_domain::account::Aliased;
use lombard_domain::account::product::{AccountProduct, OverdraftFeeType, ProductFeeFrequency, ProductRateType};
use serde_json::{Value, json};

/// A product of this kind, as v3.1 shows it.
fn shown_product(kind: &Value) -> Value {
    let product: AccountProduct =
        serde_json::from_value(json!({ "account": "b-1", "id": "P-1", "kind": kind })).unwrap();
    let products = [Aliased { alias: "a-1".into(), record: product }];
    shown(products.as_slice())["Data"]["Product"][0].clone()
}

/// A limit with every member.
fn limit() -> Value {
    json!({ "bound": "maximum", "occurrences": 3, "amount": "20.00", "period": "half-year", "notes": ["cap"] })
}

/// An overdraft with every member; most members are nested two levels deep.
fn overdraft() -> Value {
    let other = json!({ "code": "XX", "name": "Odd", "description": "Something odd" });
    let fee = json!({
        "what": { "kind": "temporary-overdraft", "overdraft_control": true, "increment": "100.00" },
        "negotiable": false, "amount": "5.00", "rate": "1.5", "rate_type": "gross",
        "applied": "per-item", "calculated": other, "limits": [limit(), limit()], "notes": ["fee"],
    });
    let charges = json!({
        "fees": [fee],
        "caps": [
            { "kinds": ["surcharge", other], "overdraft_control": false, "limit": limit() },
            { "kinds": [], "limit": limit() },
        ],
    });
    json!({
        "notes": ["overdraft"],
        "sets": [
            {
                "id": "S1", "method": "banded", "kind": "other", "authorised": true, "buffer": "15.00",
                "notes": ["set"], "charges": [charges, { "fees": [] }],
                "tiers": [{
                    "id": "T1", "from": "0", "to": "1000.00", "ear": "39.90", "apr": "39.9",
                    "agreement": { "min": 1, "max": 12, "period": "month" },
                    "coverage": "banded", "guaranteed": false, "charges": [charges], "notes": ["tier"],
                }],
            },
            { "method": "whole", "tiers": [] },
        ],
    })
}

/// Credit interest with every member, paid to a destination that the dialect allows.
fn credit_interest(method: &str, destination: &Value) -> Value {
    json!([{
        "method": method, "calculation": "compound", "destination": destination, "notes": ["credit"],
        "tiers": [{
            "id": "C1", "from": "0.01", "to": "2500.00", "calculated": "daily", "applied": "academic-term",
            "coverage": method, "variation": "fixed", "aer": "4.2500",
            "rate_type": "net", "rate": "4.17", "notes": ["tier"],
        }],
    }])
}

/// Account charges with every member.
fn account_charges() -> Value {
    let other = json!({ "code": "XX", "name": "Odd", "description": "Something odd" });
    json!({
        "fees": [{
            "what": {
                "kind": other, "category": "servicing",
                "range": { "amount_min": "1", "amount_max": "2", "rate_min": "3", "rate_max": "4" },
            },
            "negotiable": true, "amount": "12.50", "rate": "0.5", "rate_type": other, "applied": "monthly",
            "limits": [limit()], "notes": ["fee"],
        }],
        "caps": [{ "kinds": ["account-monthly", "account-quarterly"], "limit": limit() }],
    })
}

#[test]
fn ais_180_a_product_has_an_account_and_a_type() {
    let full = json!({
        "account": "b-1", "id": "P-1", "secondary_id": "S-1", "name": "Card", "marketing_state": "M-1",
        "kind": "commercial-credit-card",
    });
    let product: AccountProduct = serde_json::from_value(full).unwrap();
    assert_eq!(
        shown([Aliased { alias: "a-1".into(), record: product }].as_slice())["Data"],
        json!({ "Product": [{
            "ProductName": "Card", "ProductId": "P-1", "AccountId": "a-1", "SecondaryProductId": "S-1",
            "ProductType": "CommercialCreditCard", "MarketingStateId": "M-1",
        }] })
    );
    for (kind, shown) in [
        (json!("sme-loan"), json!({ "ProductType": "SMELoan" })),
        (json!({ "personal-current-account": {} }), json!({ "ProductType": "PersonalCurrentAccount" })),
        (json!({ "business-current-account": {} }), json!({ "ProductType": "BusinessCurrentAccount" })),
        (
            json!({ "other": { "name": "N", "description": "D" } }),
            json!({ "ProductType": "Other", "OtherProductType": { "Name": "N", "Description": "D" } }),
        ),
    ] {
        let mut expected = json!({ "ProductId": "P-1", "AccountId": "a-1" });
        expected.as_object_mut().unwrap().append(&mut shown.as_object().unwrap().clone());
        assert_eq!(shown_product(&kind), expected);
    }
}

#[test]
fn ais_180_a_personal_current_account_in_full() {
    let pca = &shown_product(&json!({ "personal-current-account": {
        "features": { "segments": ["basic", "other"], "monthly_charge_max": "60.00", "notes": ["pca"] },
        "credit_interest": credit_interest("tiered", &json!("self-credit")),
        "overdraft": overdraft(),
        "charges": account_charges(),
    } }))["PCA"];
    assert_eq!(
        pca["ProductDetails"],
        json!({ "Segment": ["Basic", "Other"], "MonthlyMaximumCharge": "60.00", "Notes": ["pca"] })
    );
    assert_eq!(
        pca["CreditInterest"],
        json!({ "TierBandSet": [{
            "TierBandMethod": "Tiered", "CalculationMethod": "Compound", "Destination": "SelfCredit",
            "Notes": ["credit"],
            "TierBand": [{
                "Identification": "C1", "TierValueMinimum": "0.01", "TierValueMaximum": "2500.00",
                "CalculationFrequency": "Daily", "ApplicationFrequency": "PerAcademicTerm",
                "DepositInterestAppliedCoverage": "Tiered", "FixedVariableInterestRateType": "Fixed",
                "AER": "4.2500", "BankInterestRateType": "Net", "BankInterestRate": "4.17", "Notes": ["tier"],
            }],
        }] })
    );
    // One limit belongs to the fee; the other becomes a cap. A cap states whether overdraft control covers it.
    let cap = |kinds: Value, control: bool| {
        json!({
            "FeeType": kinds, "OverdraftControlIndicator": control, "MinMaxType": "Maximum", "FeeCapOccurrence": 3,
            "FeeCapAmount": "20.00", "CappingPeriod": "Half Year", "Notes": ["cap"],
        })
    };
    let odd = json!({ "Code": "XX", "Name": "Odd", "Description": "Something odd" });
    let mut shared = cap(json!(["Surcharge", "Other"]), false);
    shared["OtherFeeType"] = json!([odd]);
    let charges = json!([{
        "OverdraftFeeChargeDetail": [{
            "FeeType": "TempOverdraft", "OverdraftControlIndicator": true, "IncrementalBorrowingAmount": "100.00",
            "FeeAmount": "5.00", "FeeRate": "1.5", "FeeRateType": "Gross", "ApplicationFrequency": "PerItem",
            "CalculationFrequency": "Other", "OtherCalculationFrequency": odd, "Notes": ["fee"],
            "OverdraftFeeChargeCap": cap(json!(["TempOverdraft"]), true),
        }],
        "OverdraftFeeChargeCap": [shared, cap(json!(["TempOverdraft"]), true)],
    }]);
    assert_eq!(
        pca["Overdraft"],
        json!({
            "Notes": ["overdraft"],
            "OverdraftTierBandSet": [{
                "TierBandMethod": "Banded", "OverdraftType": "Other", "Identification": "S1",
                "AuthorisedIndicator": true, "BufferAmount": "15.00", "Notes": ["set"],
                "OverdraftTierBand": [{
                    "Identification": "T1", "TierValueMin": "0", "TierValueMax": "1000.00", "EAR": "39.90",
                    "RepresentativeAPR": "39.9", "BankGuaranteedIndicator": false, "Notes": ["tier"],
                    "OverdraftFeesCharges": charges,
                }],
                "OverdraftFeesCharges": charges,
            }],
        })
    );
    assert_eq!(
        pca["OtherFeesCharges"],
        json!({
            "FeeChargeDetail": [{
                "FeeCategory": "Servicing", "FeeType": "Other",
                "OtherFeeType": {
                    "Code": "XX", "FeeCategory": "Servicing", "Name": "Odd", "Description": "Something odd",
                },
                "FeeAmount": "12.50", "FeeRate": "0.5", "FeeRateType": "Other", "OtherFeeRateType": odd,
                "ApplicationFrequency": "Monthly", "Notes": ["fee"],
                "FeeChargeCap": [{
                    "FeeType": ["Other"], "OtherFeeType": [odd], "MinMaxType": "Maximum", "FeeCapOccurrence": 3,
                    "FeeCapAmount": "20.00", "CappingPeriod": "Half Year", "Notes": ["cap"],
                }],
                "FeeApplicableRange": {
                    "MinimumAmount": "1", "MaximumAmount": "2", "MinimumRate": "3", "MaximumRate": "4",
                },
            }],
            "FeeChargeCap": [{
                // A fee for which personal accounts have no code.
                "FeeType": ["ServiceCAccountFeeMonthly", "Other"],
                "OtherFeeType": [{ "Name": "Quarterly account fee", "Description": "Quarterly account fee" }],
                "MinMaxType": "Maximum", "FeeCapOccurrence": 3, "FeeCapAmount": "20.00",
                "CappingPeriod": "Half Year", "Notes": ["cap"],
            }],
        })
    );
}

#[test]
fn ais_180_a_business_current_account_in_full() {
    let bca = &shown_product(&json!({ "business-current-account": {
        "features": {
            "segments": ["charity", "startup"], "fee_free": { "count": 18, "period": "month" }, "notes": ["bca"],
        },
        "credit_interest": credit_interest("banded", &json!("pay-away")),
        "overdraft": overdraft(),
        "tariffs": [
            { "kind": "mixed", "name": "Mixed", "charges": account_charges() },
            { "charges": { "fees": [] } },
        ],
    } }))["BCA"];
    assert_eq!(
        bca["ProductDetails"],
        json!({
            "Segment": ["NonCommercialChaitiesClbSoc", "Startup"], "FeeFreeLength": 18,
            "FeeFreeLengthPeriod": "Month", "Notes": ["bca"],
        })
    );
    let tier = &bca["CreditInterest"]["TierBandSet"][0]["TierBand"][0];
    assert_eq!(bca["CreditInterest"]["TierBandSet"][0]["TierBandMethod"], "Banded");
    assert_eq!(tier["DepositInterestAppliedCoverage"], "Banded");
    assert_eq!(tier["BankInterestRateType"], "Other");
    assert_eq!(tier["OtherBankInterestType"], json!({ "Name": "Net", "Description": "Net" }));
    assert_eq!(tier["ApplicationFrequency"], "Other");
    assert_eq!(tier["OtherApplicationFrequency"]["Name"], "Each academic term");

    let set = &bca["Overdraft"]["OverdraftTierBandSet"][0];
    assert_eq!(set["OverdraftType"], Value::Null, "no word for it");
    let tier = &set["OverdraftTierBand"][0];
    assert_eq!(
        (&tier["AgreementLengthMin"], &tier["AgreementLengthMax"], &tier["AgreementPeriod"]),
        (&json!(1), &json!(12), &json!("Month"))
    );
    assert_eq!(
        (&tier["RepresentativeAPR"], &tier["OverdraftInterestChargingCoverage"]),
        (&json!("39.9"), &json!("Banded"))
    );
    let fee = &tier["OverdraftFeesCharges"][0]["OverdraftFeeChargeDetail"][0];
    assert_eq!(fee["NegotiableIndicator"], false);
    assert_eq!(fee["OverdraftFeeChargeCap"].as_array().unwrap().len(), 2, "all limits are the fee's own");
    assert_eq!(fee["OverdraftFeeChargeCap"][0]["OverdraftControlIndicator"], Value::Null);

    let tariffs = bca["OtherFeesCharges"].as_array().unwrap();
    assert_eq!(
        (tariffs.len(), &tariffs[0]["TariffType"], &tariffs[0]["TariffName"]),
        (1, &json!("Mixed"), &json!("Mixed"))
    );
    let detail = &tariffs[0]["FeeChargeDetail"][0];
    assert_eq!((&detail["NegotiableIndicator"], &detail["FeeCategory"]), (&json!(true), &json!("Servicing")));
    assert_eq!(
        tariffs[0]["FeeChargeCap"][0]["FeeType"],
        json!(["ServiceCAccountFeeMonthly", "ServiceCAccountFeeQuarterly"])
    );
}

/// Another product with every member.
fn other_product() -> Value {
    let other = json!({ "code": "XX", "name": "Odd", "description": "Something odd" });
    json!({ "other": {
        "name": "Loan", "description": "A loan",
        "features": {
            "segments": [{ "personal": "general" }, { "business": "switcher" }, { "lending": "agriculture" }],
            "other_segment": other, "fee_free": { "count": 1, "period": "academic-term" },
            "monthly_charge_max": "60", "notes": ["other"],
        },
        "credit_interest": credit_interest("whole", &other),
        "overdraft": overdraft(),
        "loan_interest": {
            "notes": ["loan"],
            "sets": [{
                "id": "L1", "method": "tiered", "calculation": other, "notes": ["set"], "charges": [account_charges()],
                "tiers": [{
                    "id": "L2", "from": "1000", "to": "25000", "term_min": { "count": 1, "period": "year" },
                    "term_max": { "count": 7, "period": "year" }, "variation": "variable", "apr": "6.1",
                    "rate_type": "loan-provider-base-rate", "rate": "5.95", "charges": [account_charges()],
                    "notes": ["tier"],
                }],
            }],
        },
        "repayment": {
            "kind": "capital-and-interest", "frequency": other, "amount": "lump-sum", "charges": account_charges(),
            "holidays": [{ "max": { "count": 3, "period": "month" }, "notes": ["holiday"] }], "notes": ["repayment"],
        },
        "tariffs": [{ "kind": other, "name": "T", "charges": account_charges() }],
    } })
}

#[test]
fn ais_180_another_product_in_full() {
    let product = &shown_product(&other_product())["OtherProductType"];
    // No code of a bank matches the published pattern.
    let odd = json!({ "Name": "Odd", "Description": "Something odd" });
    assert_eq!((&product["Name"], &product["Description"]), (&json!("Loan"), &json!("A loan")));
    assert_eq!(
        product["ProductDetails"],
        json!({
            "Segment": ["GEG", "PSSW", "GEAS", "GEOT"], "OtherSegment": odd, "FeeFreeLength": 1,
            "FeeFreeLengthPeriod": "PACT", "MonthlyMaximumCharge": "60", "Notes": ["other"],
        })
    );
    let credit = &product["CreditInterest"]["TierBandSet"][0];
    assert_eq!((&credit["Destination"], &credit["OtherDestination"]), (&json!("INOT"), &odd));
    assert_eq!(credit["TierBand"][0]["ApplicationFrequency"], "FQAT");
    let set = &product["Overdraft"]["OverdraftTierBandSet"][0];
    assert_eq!((&set["TierBandMethod"], &set["OverdraftType"]), (&json!("INBA"), &json!("OVOT")));
    assert_eq!(set["OverdraftTierBand"][0]["RepresentativeAPR"], Value::Null);

    let cap = |kinds: Value, period: &str| {
        json!({
            "FeeType": kinds, "MinMaxType": "FMMX", "FeeCapOccurrence": 3, "FeeCapAmount": "20.00",
            "CappingPeriod": period, "Notes": ["cap"],
        })
    };
    // A loan's fee and a repayment fee must state when they are calculated, and have no limits of their own.
    let fee = json!({
        "FeeType": "FTOT", "OtherFeeType": { "FeeCategory": "FCSV", "Name": "Odd", "Description": "Something odd" },
        "NegotiableIndicator": true, "FeeAmount": "12.50", "FeeRate": "0.5", "FeeRateType": "INOT",
        "OtherFeeRateType": odd, "ApplicationFrequency": "FEMO", "CalculationFrequency": "FEMO", "Notes": ["fee"],
    });
    let caps = |period| {
        let mut own = cap(json!(["FTOT"]), period);
        own["OtherFeeType"] = json!([odd]);
        json!([cap(json!(["FYAM", "FYAQ"]), period), own])
    };
    let charges = json!([{ "LoanInterestFeeChargeDetail": [fee], "LoanInterestFeeChargeCap": caps("FESM") }]);
    assert_eq!(
        product["LoanInterest"],
        json!({
            "Notes": ["loan"],
            "LoanInterestTierBandSet": [{
                "TierBandMethod": "INTI", "Identification": "L1", "CalculationMethod": "ITOT",
                "OtherCalculationMethod": odd, "Notes": ["set"],
                "LoanInterestTierBand": [{
                    "Identification": "L2", "TierValueMinimum": "1000", "TierValueMaximum": "25000",
                    "TierValueMinTerm": 1, "MinTermPeriod": "PYER", "TierValueMaxTerm": 7, "MaxTermPeriod": "PYER",
                    "FixedVariableInterestRateType": "INVA", "RepAPR": "6.1",
                    "LoanProviderInterestRateType": "INLR", "LoanProviderInterestRate": "5.95", "Notes": ["tier"],
                    "LoanInterestFeesCharges": charges,
                }],
                "LoanInterestFeesCharges": charges,
            }],
        })
    );
    assert_eq!(
        product["Repayment"],
        json!({
            "RepaymentType": "USCI", "RepaymentFrequency": "SMOT", "OtherRepaymentFrequency": odd,
            "AmountType": "RALT", "Notes": ["repayment"],
            "RepaymentFeeCharges": { "RepaymentFeeChargeDetail": [fee], "RepaymentFeeChargeCap": caps("PHYR") },
            "RepaymentHoliday": [{ "MaxHolidayLength": 3, "MaxHolidayPeriod": "PMTH", "Notes": ["holiday"] }],
        })
    );
    let tariff = &product["OtherFeesCharges"][0];
    assert_eq!(
        (&tariff["TariffType"], &tariff["OtherTariffType"], &tariff["TariffName"]),
        (&json!("TTOT"), &odd, &json!("T"))
    );
    assert_eq!(tariff["FeeChargeDetail"][0]["FeeCategory"], "FCSV");
    assert_eq!(tariff["FeeChargeDetail"][0]["CalculationFrequency"], Value::Null);
}

/// Replaces every choice by a value outside its enumeration.
fn odd_everywhere(value: &mut Value) {
    const CHOICES: [&str; 6] = ["applied", "calculated", "rate_type", "calculation", "category", "frequency"];
    let odd = json!({ "code": "XX", "name": "Odd", "description": "Something odd" });
    if let Value::Array(items) = value {
        items.iter_mut().for_each(odd_everywhere);
    }
    let Value::Object(members) = value else { return };
    let is_set = members.contains_key("method");
    let is_repayment = members.contains_key("holidays");
    for (name, member) in members {
        match name.as_str() {
            // The type of a set of tiers is a plain code.
            "kind" if !is_set => *member = odd.clone(),
            "amount" if is_repayment => *member = odd.clone(),
            "kinds" => *member = json!([odd.clone()]),
            name if CHOICES.contains(&name) => *member = odd.clone(),
            _ => odd_everywhere(member),
        }
    }
}

/// Checks that every explanation stands beside the code that it explains, and returns the number of explanations.
fn explained(value: &Value, others: &[&str]) -> usize {
    let inside = |values: &mut dyn Iterator<Item = &Value>| values.map(|value| explained(value, others)).sum::<usize>();
    let members = match value {
        Value::Array(items) => return inside(&mut items.iter()),
        Value::Object(members) => members,
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => return 0,
    };
    let mut found = inside(&mut members.values());
    for (name, explanation) in members {
        let Some(word) = name.strip_prefix("Other").filter(|word| *word != "FeesCharges") else { continue };
        let word = match word {
            "FeeCategoryType" => "FeeCategory",
            "BankInterestType" => "BankInterestRateType",
            word => word,
        };
        let first = explanation.get(0).unwrap_or(explanation);
        let said = members.get(word).unwrap_or_else(|| panic!("{name} explains nothing: {value}"));
        let said = said.as_array().and_then(|words| words.last()).unwrap_or(said);
        assert!(others.contains(&said.as_str().unwrap()), "{word} is {said}");
        assert_eq!((&first["Name"], &first["Description"]), (&json!("Odd"), &json!("Something odd")));
        found = found.saturating_add(1);
    }
    found
}

#[test]
fn what_no_list_has_is_other_and_explained() {
    let personal = json!({ "personal-current-account": {
        "credit_interest": credit_interest("tiered", &json!("self-credit")), "overdraft": overdraft(),
        "charges": account_charges(),
    } });
    let business = json!({ "business-current-account": {
        "credit_interest": credit_interest("banded", &json!("self-credit")), "overdraft": overdraft(),
        "tariffs": [{ "kind": "mixed", "charges": account_charges() }],
    } });
    let codes = ["FTOT", "FCOT", "INOT", "FEOT", "TTOT", "ITOT", "FQOT", "USOT", "SMOT", "GEOT"];
    for (mut kind, member, others, expected) in [
        (personal, "PCA", &["Other"][..], 25),
        (business, "BCA", &["Other"], 26),
        (other_product(), "OtherProductType", &codes, 52),
    ] {
        kind.as_object_mut().unwrap().values_mut().for_each(odd_everywhere);
        let shown = &shown_product(&kind)[member];
        assert_eq!(explained(shown, others), expected, "{member}: {shown:#}");
    }
}

#[test]
fn rw_245_nothing_empty_is_written() {
    let empty = json!({ "personal-current-account": {
        "features": {}, "credit_interest": [{ "method": "whole", "destination": "self-credit", "tiers": [] }],
        "overdraft": { "sets": [{ "method": "whole", "tiers": [] }] }, "charges": { "fees": [] },
    } });
    assert_eq!(
        shown_product(&empty),
        json!({ "ProductId": "P-1", "AccountId": "a-1", "ProductType": "PersonalCurrentAccount" })
    );
}

#[test]
fn each_dialect_has_its_word() {
    let all = [Dialect::Personal, Dialect::Business, Dialect::Other];
    let words = |word: fn(Dialect) -> Option<&'static str>| all.map(word);
    assert_eq!(
        words(|it| ProductFeeFrequency::OnClosing.in_dialect(it)),
        [Some("AccountClosing"), Some("OnClosing"), Some("FEAC")]
    );
    assert_eq!(words(|it| ProductFeeFrequency::AcademicTerm.in_dialect(it)), [Some("AcademicTerm"), None, None]);
    assert_eq!(
        words(|it| ProductRateType::LinkedBaseRate.in_dialect(it)),
        [Some("LinkedBaseRate"), None, Some("INBB")]
    );
    assert_eq!(words(OverdraftFeeType::other_in), [Some("Other"), Some("Other"), Some("FTOT")]);
}
