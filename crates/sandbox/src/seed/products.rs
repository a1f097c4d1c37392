//! The products of the bank and their terms.
//!
//! The terms agree with the histories: rates and fees are those of the habits, and an overdraft ends at the account's limit.
//! Interest is calculated monthly, so the compounded annual rate is slightly higher than the nominal one.

use lombard_domain::account::product::{
    AccountCharges, AccountFee, AccountFeeType, AccountProduct, BusinessCurrentAccount, BusinessFeatures,
    BusinessSegment, CodeOrOther, CreditTier, CreditTierSet, Fee, FeeCategory, FeeLimit, FeeLimitBound,
    InterestCalculation, InterestDestination, LoanInterest, LoanTier, LoanTierSet, OtherCode, OtherFeatures,
    OtherProduct, Overdraft, OverdraftAgreement, OverdraftFee, OverdraftFeeType, OverdraftTier, OverdraftTierSet,
    OverdraftType, PersonalCurrentAccount, PersonalFeatures, PersonalSegment, ProductCharges, ProductFeeFrequency,
    ProductInterestFrequency, ProductKind, ProductRateType, Rate, RateVariation, Repayment, RepaymentAmount,
    RepaymentFrequency, RepaymentHoliday, RepaymentType, Segment, Sum, Tariff, TariffType, TermLength, Tiering,
    TimeUnit,
};
use lombard_domain::ids::BankAccountId;

/// A product of the bank.
#[derive(Debug)]
pub(super) struct ProductRow {
    /// The product id, at most 40 characters.
    id: &'static str,
    /// The name, at most 35 characters, so that accounts can show it as their description.
    pub(super) name: &'static str,
    /// The id of the marketing state, at most 35 characters.
    marketing_state: &'static str,
    /// Builds the terms of an account with this credit limit, in hundredths of the currency's unit.
    terms: fn(i32) -> ProductKind,
}

impl ProductRow {
    /// The product of an account with this credit limit, in hundredths of the currency's unit.
    pub(super) fn of(&self, account: BankAccountId, credit_limit: i64) -> AccountProduct {
        AccountProduct {
            account,
            id: self.id.into(),
            secondary_id: None,
            name: Some(self.name.to_owned()),
            marketing_state: Some(self.marketing_state.to_owned()),
            kind: (self.terms)(i32::try_from(credit_limit).unwrap_or(i32::MAX)),
        }
    }
}

macro_rules! products {
    ($($(#[$doc:meta])* $row:ident = $id:literal, $name:literal, $state:literal, $terms:ident;)*) => {$(
        $(#[$doc])*
        pub(super) const $row: ProductRow =
            ProductRow { id: $id, name: $name, marketing_state: $state, terms: $terms };
    )*};
}

products! {
    /// The usual account of a person.
    EVERYDAY = "LSB-PCA-01", "Everyday Current Account", "LSB-PCA-01-REGULAR", everyday;
    /// A current account for customers with a low income.
    BASIC = "LSB-PCA-02", "Basic Current Account", "LSB-PCA-02-REGULAR", basic;
    /// The usual account of a business.
    BUSINESS = "LSB-BCA-01", "Business Current Account", "LSB-BCA-01-SWITCHER", business;
    /// A business's account in dollars.
    DOLLARS = "LSB-BCA-02", "US Dollar Business Account", "LSB-BCA-02-REGULAR", dollars;
    /// A business's account in euros.
    EUROS = "LSB-BCA-03", "Euro Business Account", "LSB-BCA-03-REGULAR", euros;
    /// Savings that the holder can withdraw at any time.
    SAVER = "LSB-SAV-01", "Instant Access Saver", "LSB-SAV-01-REGULAR", saver;
    /// Savings for a term.
    BOND = "LSB-SAV-02", "Fixed Rate Bond", "LSB-SAV-02-REGULAR", bond;
    /// A credit card of a person.
    TRAVELLER = "LSB-CRC-01", "Traveller Credit Card", "LSB-CRC-01-REGULAR", traveller;
    /// A mortgage.
    MORTGAGE = "LSB-MTG-01", "Repayment Mortgage", "LSB-MTG-01-REGULAR", mortgage;
}

fn everyday(limit: i32) -> ProductKind {
    personal(PersonalSegment::General, overdraft(limit, 3_990, 4_807, None))
}

fn basic(limit: i32) -> ProductKind {
    let usage = OverdraftFee {
        kind: OverdraftFeeType::ArrangedOverdraft.into(),
        overdraft_control: Some(false),
        increment: None,
    };
    let usage = Fee {
        limits: vec![at_most(600, TimeUnit::Month)],
        ..fee(
            usage,
            600,
            ProductFeeFrequency::Monthly,
            "Taken in each month in which the account is overdrawn on the 26th.",
        )
    };
    personal(PersonalSegment::Basic, overdraft(limit, 3_990, 4_807, Some(usage)))
}

fn personal(segment: PersonalSegment, overdraft: Overdraft) -> ProductKind {
    ProductKind::PersonalCurrentAccount(Box::new(PersonalCurrentAccount {
        features: Some(PersonalFeatures {
            segments: vec![segment],
            monthly_charge_max: Some(Sum::hundredths(2_000)),
            notes: vec!["No monthly fee. Credit earns no interest.".to_owned()],
        }),
        overdraft: Some(overdraft),
        charges: Some(charges(vec![
            account_fee(AccountFeeType::AccountMonthly.into(), 0, ProductFeeFrequency::Monthly, "The account is free."),
            abroad(),
            account_fee(
                beyond("CHAP", "CHAPS payment"),
                2_500,
                ProductFeeFrequency::PerOccurrence,
                "Paid out by CHAPS.",
            ),
        ])),
        ..PersonalCurrentAccount::default()
    }))
}

/// An arranged overdraft up to the limit. Payments beyond the limit are refused, so there are no charges for them. `a_year` is the nominal
/// annual rate and `ear` the effective one with monthly interest, in hundredths of a per cent.
fn overdraft(limit: i32, a_year: i16, ear: i16, usage: Option<Fee<OverdraftFee>>) -> Overdraft {
    let tier = |id: &str, from, to, rate| OverdraftTier {
        id: Some(id.to_owned()),
        from: Sum::hundredths(from),
        to,
        ear: Some(Rate::hundredths(rate)),
        apr: Some(Rate::hundredths(rate)),
        agreement: Some(OverdraftAgreement { min: None, max: Some(12), period: TimeUnit::Month }),
        coverage: Some(Tiering::Whole),
        guaranteed: Some(false),
        charges: Vec::new(),
        notes: Vec::new(),
    };
    let set = |id: &str, authorised, tier| OverdraftTierSet {
        id: Some(id.to_owned()),
        method: Tiering::Whole,
        kind: Some(OverdraftType::OnDemand),
        authorised: Some(authorised),
        buffer: None,
        tiers: vec![tier],
        charges: Vec::new(),
        notes: Vec::new(),
    };
    let rate = Rate::hundredths(a_year);
    let refused = OverdraftFee {
        kind: OverdraftFeeType::UnauthorisedUnpaidTransaction.into(),
        overdraft_control: None,
        increment: None,
    };
    let refused = fee(refused, 0, ProductFeeFrequency::PerItem, "Refusing a payment costs nothing.");
    Overdraft {
        sets: vec![
            OverdraftTierSet {
                charges: usage
                    .into_iter()
                    .map(|usage| ProductCharges { fees: vec![usage], caps: Vec::new() })
                    .collect(),
                notes: vec![format!("Interest of {rate} per cent a year is worked out daily and taken monthly.")],
                ..set("ARRANGED", true, tier("ARRANGED-1", 1, Some(Sum::hundredths(limit)), ear))
            },
            OverdraftTierSet {
                charges: vec![ProductCharges { fees: vec![refused], caps: Vec::new() }],
                ..set("UNARRANGED", false, tier("UNARRANGED-1", limit.saturating_add(1), None, ear))
            },
        ],
        notes: vec!["Subject to status. Repayable on demand.".to_owned()],
    }
}

fn business(limit: i32) -> ProductKind {
    let fees = vec![
        account_fee(AccountFeeType::AccountMonthly.into(), 1_250, ProductFeeFrequency::Monthly, "Taken on the 2nd."),
        abroad(),
        account_fee(beyond("CASH", "Cash paid in"), 70, ProductFeeFrequency::PerHundredPounds, "At a branch."),
        account_fee(beyond("CHQS", "Cheque"), 40, ProductFeeFrequency::PerItem, "Paid in or out."),
    ];
    business_account(18, Some(overdraft(limit, 1_190, 1_257, None)), fees)
}

fn dollars(_: i32) -> ProductKind {
    let fees = vec![
        account_fee(
            AccountFeeType::AccountMonthly.into(),
            800,
            ProductFeeFrequency::Monthly,
            "Taken on the 2nd, in dollars.",
        ),
        account_fee(beyond("XBOR", "Payment abroad"), 0, ProductFeeFrequency::PerItem, "Included."),
    ];
    business_account(0, None, fees)
}

fn euros(_: i32) -> ProductKind {
    let fees = vec![
        account_fee(
            AccountFeeType::AccountMonthly.into(),
            700,
            ProductFeeFrequency::Monthly,
            "Taken on the 2nd, in euros.",
        ),
        account_fee(beyond("XBOR", "Payment abroad"), 0, ProductFeeFrequency::PerItem, "Included."),
    ];
    business_account(0, None, fees)
}

/// The terms of a business account that is free of fees for `free` months.
fn business_account(free: u32, overdraft: Option<Overdraft>, fees: Vec<Fee<AccountFee>>) -> ProductKind {
    ProductKind::BusinessCurrentAccount(Box::new(BusinessCurrentAccount {
        features: Some(BusinessFeatures {
            segments: vec![BusinessSegment::Standard],
            fee_free: (free > 0).then_some(TermLength { count: free, period: TimeUnit::Month }),
            notes: vec!["Credit earns no interest.".to_owned()],
        }),
        credit_interest: Vec::new(),
        overdraft,
        tariffs: vec![tariff("Electronic tariff", fees)],
    }))
}

fn saver(_: i32) -> ProductKind {
    savings("A savings account to pay into and take out of at any time.", RateVariation::Variable, 425, 433)
}

fn bond(_: i32) -> ProductKind {
    savings("A deposit for a term at a rate that does not change.", RateVariation::Fixed, 480, 491)
}

/// The terms of savings. `a_year` is the nominal annual rate and `aer` the effective one with monthly interest, in hundredths of a per
/// cent.
fn savings(description: &str, variation: RateVariation, a_year: i16, aer: i16) -> ProductKind {
    let tier = CreditTier {
        id: Some("T1".to_owned()),
        from: Sum::hundredths(1),
        to: None,
        calculated: Some(ProductInterestFrequency::Daily.into()),
        applied: ProductInterestFrequency::Monthly.into(),
        coverage: Some(Tiering::Whole),
        variation,
        aer: Rate::hundredths(aer),
        rate_type: Some(ProductRateType::Gross.into()),
        rate: Some(Rate::hundredths(a_year)),
        notes: Vec::new(),
    };
    ProductKind::Other(Box::new(OtherProduct {
        credit_interest: vec![CreditTierSet {
            method: Tiering::Whole,
            calculation: Some(InterestCalculation::Compound.into()),
            destination: InterestDestination::SelfCredit.into(),
            tiers: vec![tier],
            notes: Vec::new(),
        }],
        ..other("Savings account", description, PersonalSegment::CreditInterest)
    }))
}

fn traveller(_: i32) -> ProductKind {
    let fees = vec![
        abroad(),
        account_fee(AccountFeeType::Account.into(), 2_400, ProductFeeFrequency::Yearly, "Taken in March."),
        Fee {
            amount: None,
            rate: Some(Rate::hundredths(300)),
            limits: vec![FeeLimit { bound: FeeLimitBound::Minimum, period: None, ..at_most(300, TimeUnit::Day) }],
            ..account_fee(
                beyond("CASH", "Cash advance"),
                0,
                ProductFeeFrequency::PerTransactionPercentage,
                "At a machine.",
            )
        },
        account_fee(
            beyond("LATE", "Late payment"),
            1_200,
            ProductFeeFrequency::PerOccurrence,
            "When a payment is late.",
        ),
    ];
    ProductKind::Other(Box::new(OtherProduct {
        repayment: Some(Repayment {
            kind: Some(beyond("FULL", "In full")),
            frequency: Some(RepaymentFrequency::Monthly.into()),
            amount: Some(RepaymentAmount::BalanceToDate.into()),
            notes: vec!["The whole balance is collected on the 18th of each month, so no interest is due.".to_owned()],
            ..Repayment::default()
        }),
        tariffs: vec![tariff("Card tariff", fees)],
        ..other("Credit card", "A credit card for a fee each year.", PersonalSegment::General)
    }))
}

fn mortgage(_: i32) -> ProductKind {
    let years = |count| TermLength { count, period: TimeUnit::Year };
    let tier = LoanTier {
        id: Some("T1".to_owned()),
        from: Sum::hundredths(2_500_000),
        to: Some(Sum::hundredths(75_000_000)),
        term_min: years(5),
        term_max: Some(years(35)),
        variation: RateVariation::Fixed,
        apr: Rate::hundredths(475),
        rate_type: Some(ProductRateType::Fixed.into()),
        rate: Some(Rate::hundredths(465)),
        charges: Vec::new(),
        notes: Vec::new(),
    };
    let early =
        AccountFee { kind: AccountFeeType::Prepayment.into(), category: FeeCategory::Repayment.into(), range: None };
    let early = Fee {
        amount: None,
        rate: Some(Rate::hundredths(100)),
        ..fee(
            early,
            0,
            ProductFeeFrequency::PerOccurrence,
            "Of what is paid back early, beyond a tenth of the debt a year.",
        )
    };
    ProductKind::Other(Box::new(OtherProduct {
        loan_interest: Some(LoanInterest {
            sets: vec![LoanTierSet {
                id: Some("S1".to_owned()),
                method: Tiering::Whole,
                calculation: InterestCalculation::Compound.into(),
                tiers: vec![tier],
                charges: Vec::new(),
                notes: Vec::new(),
            }],
            notes: vec!["Secured on the borrower's home.".to_owned()],
        }),
        repayment: Some(Repayment {
            kind: Some(RepaymentType::CapitalAndInterest.into()),
            frequency: Some(RepaymentFrequency::Monthly.into()),
            amount: Some(RepaymentAmount::CapitalAndInterest.into()),
            charges: Some(charges(vec![early])),
            holidays: vec![RepaymentHoliday {
                max: Some(TermLength { count: 3, period: TimeUnit::Month }),
                notes: Vec::new(),
            }],
            notes: Vec::new(),
        }),
        ..other("Mortgage", "A loan to buy a home with, paid back by the month.", PersonalSegment::General)
    }))
}

fn other(name: &str, description: &str, segment: PersonalSegment) -> OtherProduct {
    OtherProduct {
        name: name.to_owned(),
        description: description.to_owned(),
        features: Some(OtherFeatures { segments: vec![Segment::Personal(segment)], ..OtherFeatures::default() }),
        credit_interest: Vec::new(),
        overdraft: None,
        loan_interest: None,
        repayment: None,
        tariffs: Vec::new(),
    }
}

fn tariff(name: &str, fees: Vec<Fee<AccountFee>>) -> Tariff {
    Tariff { kind: Some(TariffType::Electronic.into()), name: Some(name.to_owned()), charges: charges(fees) }
}

const fn charges(fees: Vec<Fee<AccountFee>>) -> AccountCharges {
    ProductCharges { fees, caps: Vec::new() }
}

fn account_fee(
    kind: CodeOrOther<AccountFeeType>,
    amount: i32,
    applied: ProductFeeFrequency,
    note: &str,
) -> Fee<AccountFee> {
    fee(AccountFee { kind, category: FeeCategory::Servicing.into(), range: None }, amount, applied, note)
}

/// The fee for card payments in other currencies than pounds.
fn abroad() -> Fee<AccountFee> {
    Fee {
        amount: None,
        rate: Some(Rate::hundredths(275)),
        ..account_fee(
            beyond("NSTG", "Non-sterling transaction fee"),
            0,
            ProductFeeFrequency::PerTransactionPercentage,
            "Of what is paid by card in another currency, in pounds.",
        )
    }
}

fn fee<K>(what: K, amount: i32, applied: ProductFeeFrequency, note: &str) -> Fee<K> {
    Fee {
        what,
        negotiable: Some(false),
        amount: Some(Sum::hundredths(amount)),
        rate: None,
        rate_type: None,
        applied: applied.into(),
        calculated: None,
        limits: Vec::new(),
        notes: vec![note.to_owned()],
    }
}

fn at_most(amount: i32, period: TimeUnit) -> FeeLimit {
    FeeLimit {
        bound: FeeLimitBound::Maximum,
        occurrences: None,
        amount: Some(Sum::hundredths(amount)),
        period: Some(period),
        notes: Vec::new(),
    }
}

/// A value that the standard's list does not contain.
fn beyond<T>(code: &str, name: &str) -> CodeOrOther<T> {
    CodeOrOther::Other(OtherCode { code: Some(code.to_owned()), name: name.to_owned(), description: name.to_owned() })
}
