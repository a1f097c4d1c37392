//! How a loan is paid back. Source: `OtherProductType/Repayment`.

use super::{AccountCharges, CodeOrOther, TermLength};
use serde::{Deserialize, Serialize};

/// How the debt falls. Source: `RepaymentType`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RepaymentType {
    /// By small payments and a large one at the end.
    Balloon,
    /// At once at the end.
    Bullet,
    /// By payments of capital and interest.
    CapitalAndInterest,
    /// As it was agreed.
    CustomSchedule,
    /// Before the time.
    EarlyRepayment,
    /// By the same capital each time, wholly.
    FixedCapitalFullyAmortising,
    /// By the same capital each time, and the rest at the end.
    FixedCapitalWithBullet,
    /// By the same payment each time, interest on what is left.
    FixedReducingBalance,
    /// Interest is paid, no capital.
    InterestOnly,
    /// Before the time, for a fee.
    PrepaymentFee,
    /// By payments, and the rest at the end.
    RepaymentWithBullet,
    /// The same interest each time, no capital.
    StraightLineInterestOnly,
}

/// How often it is paid. Source: `RepaymentFrequency`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RepaymentFrequency {
    /// Each day.
    Daily,
    /// When the borrower likes.
    Flexible,
    /// Every two weeks.
    Fortnightly,
    /// Each half-year.
    HalfYearly,
    /// Each month.
    Monthly,
    /// Each quarter.
    Quarterly,
    /// Each week.
    Weekly,
    /// Each year.
    Yearly,
}

/// What a payment pays. Source: `AmountType` of repayment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RepaymentAmount {
    /// The balance of the day.
    BalanceToDate,
    /// The large payment at the end.
    Balloon,
    /// Capital and interest.
    CapitalAndInterest,
    /// Fees up to their limit.
    FeeChargeCap,
    /// Interest.
    InterestOnly,
    /// The whole at once.
    LumpSum,
}

/// How a loan is paid back.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Repayment {
    /// How the debt falls.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<CodeOrOther<RepaymentType>>,
    /// How often it is paid.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub frequency: Option<CodeOrOther<RepaymentFrequency>>,
    /// What a payment pays.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub amount: Option<CodeOrOther<RepaymentAmount>>,
    /// What paying back costs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub charges: Option<AccountCharges>,
    /// When nothing need be paid.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub holidays: Vec<RepaymentHoliday>,
    /// Remarks of at most 2,000 characters.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// A time in which nothing need be paid. Source: `RepaymentHoliday`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RepaymentHoliday {
    /// How long at most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max: Option<TermLength>,
    /// Remarks of at most 2,000 characters.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}
