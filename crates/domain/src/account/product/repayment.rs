//! The repayment of a loan. Source: `OtherProductType/Repayment`.

use super::{AccountCharges, CodeOrOther, TermLength};
use serde::{Deserialize, Serialize};

/// The type of repayment. Source: `RepaymentType`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RepaymentType {
    /// Small payments and a balloon payment at the end.
    Balloon,
    /// One payment at the end.
    Bullet,
    /// Payments of capital and interest.
    CapitalAndInterest,
    /// An agreed custom schedule.
    CustomSchedule,
    /// Early repayment.
    EarlyRepayment,
    /// Fixed payments of capital until all is repaid.
    FixedCapitalFullyAmortising,
    /// Fixed payments of capital, and the rest at the end.
    FixedCapitalWithBullet,
    /// Fixed payments, with interest on the reducing balance.
    FixedReducingBalance,
    /// Payments of interest only.
    InterestOnly,
    /// Early repayment for a fee.
    PrepaymentFee,
    /// Payments, and the rest at the end.
    RepaymentWithBullet,
    /// Equal payments of interest only.
    StraightLineInterestOnly,
}

/// The frequency of repayment. Source: `RepaymentFrequency`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RepaymentFrequency {
    /// Each day.
    Daily,
    /// At the borrower's choice.
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

/// The components of a payment. Source: `AmountType` of repayment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RepaymentAmount {
    /// The balance to date.
    BalanceToDate,
    /// The balloon payment.
    Balloon,
    /// Capital and interest.
    CapitalAndInterest,
    /// Fees up to their cap.
    FeeChargeCap,
    /// Interest.
    InterestOnly,
    /// The whole debt in one payment.
    LumpSum,
}

/// How a loan is paid back.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Repayment {
    /// The type of repayment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<CodeOrOther<RepaymentType>>,
    /// The frequency of repayment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub frequency: Option<CodeOrOther<RepaymentFrequency>>,
    /// The components of a payment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub amount: Option<CodeOrOther<RepaymentAmount>>,
    /// The charges on repayment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub charges: Option<AccountCharges>,
    /// The repayment holidays.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub holidays: Vec<RepaymentHoliday>,
    /// Remarks of at most 2,000 characters.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// A repayment holiday. Source: `RepaymentHoliday`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RepaymentHoliday {
    /// The longest duration.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max: Option<TermLength>,
    /// Remarks of at most 2,000 characters.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}
