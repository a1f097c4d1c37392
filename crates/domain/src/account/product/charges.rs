//! Fees and their limits, in one form for overdrafts, loans, repayment and accounts.

use super::{CodeOrOther, Rate, Sum, TimeUnit};
use serde::{Deserialize, Serialize};

/// The type of an overdraft fee. Source: `OB_OverdraftFeeType1Code`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OverdraftFeeType {
    /// Using an arranged overdraft.
    ArrangedOverdraft,
    /// The annual review.
    AnnualReview,
    /// Borrowing in an emergency.
    EmergencyBorrowing,
    /// Each item paid by borrowing.
    BorrowingItem,
    /// Renewing the overdraft.
    OverdraftRenewal,
    /// Setting the overdraft up.
    OverdraftSetup,
    /// A surcharge.
    Surcharge,
    /// A temporary overdraft.
    TemporaryOverdraft,
    /// Unauthorised borrowing.
    UnauthorisedBorrowing,
    /// A payment made by unauthorised borrowing.
    UnauthorisedPaidTransaction,
    /// A payment refused for lack of funds.
    UnauthorisedUnpaidTransaction,
}

/// The type of an account fee. Source: `OB_FeeType1Code`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AccountFeeType {
    /// Early repayment.
    Prepayment,
    /// Keeping the account.
    Account,
    /// Keeping the account, monthly.
    AccountMonthly,
    /// Keeping the account, quarterly.
    AccountQuarterly,
    /// A fixed tariff.
    FixedTariff,
    /// The early withdrawal of a business deposit.
    DepositBreakage,
    /// The minimum monthly fee.
    MinimumMonthly,
    /// Another service.
    OtherService,
}

/// The category of a fee. Source: `OB_FeeCategory1Code`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FeeCategory {
    /// Repayment.
    Repayment,
    /// Servicing of the account.
    Servicing,
}

/// The type of a rate. Source: `OB_InterestRateType1Code_0`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ProductRateType {
    /// Linked to the Bank of England's base rate.
    LinkedBaseRate,
    /// A fixed rate.
    Fixed,
    /// A gross rate, before tax.
    Gross,
    /// Linked to the lender's base rate.
    LoanProviderBaseRate,
    /// A net rate, after tax.
    Net,
}

/// The frequency at which a fee is calculated or applied. Source: `OB_FeeFrequency1Code_0`.
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
    /// Each hour of elapsed time.
    Hourly,
    /// Each item.
    PerItem,
    /// Each month.
    Monthly,
    /// Each year on the day the account was opened.
    OnAnniversary,
    /// Per hundred pounds.
    PerHundredPounds,
    /// Each hour of work.
    PerHour,
    /// Each occurrence.
    PerOccurrence,
    /// Each sheet of paper.
    PerSheet,
    /// Each transaction.
    PerTransaction,
    /// Each transaction, as an amount.
    PerTransactionAmount,
    /// Each transaction, as a percentage.
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

/// Whether a limit is a minimum or a maximum. Source: `OB_MinMaxType1Code`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FeeLimitBound {
    /// A minimum.
    Minimum,
    /// A maximum.
    Maximum,
}

/// A limit of a fee. Source: `OverdraftFeeChargeCap`, `FeeChargeCap`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FeeLimit {
    /// Whether it is a minimum or a maximum.
    pub bound: FeeLimitBound,
    /// The limit as a number of occurrences.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub occurrences: Option<u32>,
    /// The limit as an amount.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub amount: Option<Sum>,
    /// The period to which the limit applies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub period: Option<TimeUnit>,
    /// Remarks of at most 2,000 characters.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// A common limit of several types of fee.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FeeCap<T> {
    /// The types of fee; a cap without any is not shown.
    pub kinds: Vec<CodeOrOther<T>>,
    /// Whether an overdraft control fee covers it; shown for personal current accounts only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub overdraft_control: Option<bool>,
    /// The limit.
    pub limit: FeeLimit,
}

/// A fee; `what` holds the members specific to its kind. Source: `OverdraftFeeChargeDetail`, `FeeChargeDetail`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fee<K> {
    /// The members specific to its kind.
    pub what: K,
    /// Whether the fee is negotiable; not shown for personal current accounts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub negotiable: Option<bool>,
    /// The fee as an amount.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub amount: Option<Sum>,
    /// The fee as a rate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate: Option<Rate>,
    /// The type of that rate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate_type: Option<CodeOrOther<ProductRateType>>,
    /// When the fee is applied.
    pub applied: CodeOrOther<ProductFeeFrequency>,
    /// When the fee is calculated; `None` if that is when it is applied.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calculated: Option<CodeOrOther<ProductFeeFrequency>>,
    /// The limits of this fee.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub limits: Vec<FeeLimit>,
    /// Remarks of at most 2,000 characters.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// The members specific to overdraft fees.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OverdraftFee {
    /// The type of fee.
    pub kind: CodeOrOther<OverdraftFeeType>,
    /// Whether an overdraft control fee covers it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub overdraft_control: Option<bool>,
    /// The increment of borrowing for which the fee is charged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub increment: Option<Sum>,
}

/// The members specific to account fees.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AccountFee {
    /// The type of fee.
    pub kind: CodeOrOther<AccountFeeType>,
    /// The category of the fee.
    pub category: CodeOrOther<FeeCategory>,
    /// The range to which the fee applies; not shown for loans and repayment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub range: Option<FeeRange>,
}

/// The range to which a fee applies. Source: `FeeApplicableRange`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FeeRange {
    /// The lowest amount.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub amount_min: Option<Sum>,
    /// The highest amount.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub amount_max: Option<Sum>,
    /// The lowest rate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate_min: Option<Rate>,
    /// The highest rate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate_max: Option<Rate>,
}

/// Fees of kind `K`, and caps on their types `T`. Charges without a fee are not shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProductCharges<K, T> {
    /// The fees.
    pub fees: Vec<Fee<K>>,
    /// Caps on several of them.
    #[serde(default = "Vec::new", skip_serializing_if = "Vec::is_empty")]
    pub caps: Vec<FeeCap<T>>,
}

/// The charges of an overdraft. Source: `OverdraftFeesCharges`.
pub type OverdraftCharges = ProductCharges<OverdraftFee, OverdraftFeeType>;

/// The charges of an account, a loan or its repayment. Source: `OtherFeesCharges`, `LoanInterestFeesCharges`,
/// `RepaymentFeeCharges`.
pub type AccountCharges = ProductCharges<AccountFee, AccountFeeType>;

/// The type of a tariff. Source: `TariffType`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TariffType {
    /// Electronic transactions only.
    Electronic,
    /// All kinds of transaction.
    Mixed,
}

/// A named group of charges. Source: `OtherFeesCharges` of business and other products.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tariff {
    /// The type of tariff.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<CodeOrOther<TariffType>>,
    /// Its name, at most 350 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The charges.
    pub charges: AccountCharges,
}
