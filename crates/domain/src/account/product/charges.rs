//! Fees and their limits: one shape for overdrafts, loans, repayment and everything else.

use super::{CodeOrOther, Rate, Sum, TimeUnit};
use serde::{Deserialize, Serialize};

/// What a fee on an overdraft is for. Source: `OB_OverdraftFeeType1Code`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OverdraftFeeType {
    /// Using an arranged overdraft.
    ArrangedOverdraft,
    /// The review each year.
    AnnualReview,
    /// Borrowing in an emergency.
    EmergencyBorrowing,
    /// Each item paid out of borrowing.
    BorrowingItem,
    /// Renewing the overdraft.
    OverdraftRenewal,
    /// Setting the overdraft up.
    OverdraftSetup,
    /// A surcharge.
    Surcharge,
    /// An overdraft for a while.
    TemporaryOverdraft,
    /// Borrowing without arrangement.
    UnauthorisedBorrowing,
    /// A payment that was made without arrangement.
    UnauthorisedPaidTransaction,
    /// A payment that was refused for want of money.
    UnauthorisedUnpaidTransaction,
}

/// What a fee on an account is for. Source: `OB_FeeType1Code`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AccountFeeType {
    /// Paying back before the time.
    Prepayment,
    /// The account.
    Account,
    /// The account, each month.
    AccountMonthly,
    /// The account, each quarter.
    AccountQuarterly,
    /// A fixed tariff.
    FixedTariff,
    /// Breaking a deposit of a business.
    DepositBreakage,
    /// The least that is charged each month.
    MinimumMonthly,
    /// Another service.
    OtherService,
}

/// What sort of fee it is. Source: `OB_FeeCategory1Code`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FeeCategory {
    /// For paying back.
    Repayment,
    /// For keeping the account.
    Servicing,
}

/// How a rate is meant. Source: `OB_InterestRateType1Code_0`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ProductRateType {
    /// It follows the base rate of the Bank of England.
    LinkedBaseRate,
    /// It is fixed.
    Fixed,
    /// Before tax.
    Gross,
    /// It follows the lender's base rate.
    LoanProviderBaseRate,
    /// After tax.
    Net,
}

/// How often a fee is worked out or taken. Source: `OB_FeeFrequency1Code_0`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ProductFeeFrequency {
    /// When the account is closed.
    OnClosing,
    /// When the account is opened.
    OnOpening,
    /// Each term of a school or university.
    AcademicTerm,
    /// Each charging period.
    ChargingPeriod,
    /// Each day.
    Daily,
    /// Each hour that passes.
    Hourly,
    /// Each item.
    PerItem,
    /// Each month.
    Monthly,
    /// Each year on the day the account was opened.
    OnAnniversary,
    /// Each hundred pounds.
    PerHundredPounds,
    /// Each hour of work.
    PerHour,
    /// Each time it happens.
    PerOccurrence,
    /// Each sheet of paper.
    PerSheet,
    /// Each transaction.
    PerTransaction,
    /// Each transaction, a sum.
    PerTransactionAmount,
    /// Each transaction, a part.
    PerTransactionPercentage,
    /// Each quarter.
    Quarterly,
    /// Each half-year.
    SixMonthly,
    /// Each monthly statement.
    StatementMonthly,
    /// Each week.
    Weekly,
    /// Each year.
    Yearly,
}

/// Which end a limit is. Source: `OB_MinMaxType1Code`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FeeLimitBound {
    /// Not less.
    Minimum,
    /// Not more.
    Maximum,
}

/// How little or how much may be charged. Source: `OverdraftFeeChargeCap`, `FeeChargeCap`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FeeLimit {
    /// Which end it is.
    pub bound: FeeLimitBound,
    /// So many times.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub occurrences: Option<u32>,
    /// So much.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub amount: Option<Sum>,
    /// In that time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub period: Option<TimeUnit>,
    /// Remarks of at most 2,000 characters.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// A limit on several kinds of fee together.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FeeCap<T> {
    /// On which; a cap on nothing is not shown.
    pub kinds: Vec<CodeOrOther<T>>,
    /// Whether an overdraft control fee covers it; said of personal overdrafts only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub overdraft_control: Option<bool>,
    /// The limit.
    pub limit: FeeLimit,
}

/// A fee, with what only its kind of fee says in `what`. Source: `OverdraftFeeChargeDetail`, `FeeChargeDetail`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fee<K> {
    /// What for.
    pub what: K,
    /// Whether it can be negotiated; not said of personal current accounts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub negotiable: Option<bool>,
    /// How much, if it is a sum.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub amount: Option<Sum>,
    /// How much, if it is a rate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate: Option<Rate>,
    /// How that rate is meant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate_type: Option<CodeOrOther<ProductRateType>>,
    /// When it is taken.
    pub applied: CodeOrOther<ProductFeeFrequency>,
    /// When it is worked out; none: when it is taken.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calculated: Option<CodeOrOther<ProductFeeFrequency>>,
    /// The limits of this fee alone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub limits: Vec<FeeLimit>,
    /// Remarks of at most 2,000 characters.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// What a fee on an overdraft says beside what all fees say.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OverdraftFee {
    /// What for.
    pub kind: CodeOrOther<OverdraftFeeType>,
    /// Whether an overdraft control fee covers it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub overdraft_control: Option<bool>,
    /// The step of borrowing that it is charged for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub increment: Option<Sum>,
}

/// What a fee on an account says beside what all fees say.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AccountFee {
    /// What for.
    pub kind: CodeOrOther<AccountFeeType>,
    /// What sort of fee it is.
    pub category: CodeOrOther<FeeCategory>,
    /// Where it applies; said of no loan and no repayment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub range: Option<FeeRange>,
}

/// Where a fee applies. Source: `FeeApplicableRange`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FeeRange {
    /// From this sum on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub amount_min: Option<Sum>,
    /// Up to this sum.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub amount_max: Option<Sum>,
    /// From this rate on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate_min: Option<Rate>,
    /// Up to this rate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate_max: Option<Rate>,
}

/// Fees of kinds `K`, and limits on what their types `T` come to. Charges without a fee are not shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProductCharges<K, T> {
    /// The fees.
    pub fees: Vec<Fee<K>>,
    /// Limits on several of them.
    #[serde(default = "Vec::new", skip_serializing_if = "Vec::is_empty")]
    pub caps: Vec<FeeCap<T>>,
}

/// The charges of an overdraft. Source: `OverdraftFeesCharges`.
pub type OverdraftCharges = ProductCharges<OverdraftFee, OverdraftFeeType>;

/// The charges of an account, a loan or its repayment. Source: `OtherFeesCharges`, `LoanInterestFeesCharges`,
/// `RepaymentFeeCharges`.
pub type AccountCharges = ProductCharges<AccountFee, AccountFeeType>;

/// How the account is used under a tariff. Source: `TariffType`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TariffType {
    /// Without paper and cash.
    Electronic,
    /// Every way.
    Mixed,
}

/// Charges that go together under a name. Source: `OtherFeesCharges` of business and other products.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tariff {
    /// How the account is used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<CodeOrOther<TariffType>>,
    /// Its name, at most 350 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The charges.
    pub charges: AccountCharges,
}
