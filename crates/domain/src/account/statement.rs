//! Statements. Source: AIS-140 to AIS-148, `OBStatement2`.

use super::{IsoCode, PostalAddress};
use crate::ids::{BankAccountId, StatementId};
use crate::money::{Amount, SignedAmount};
use crate::stored::stored_as_pairs;
use jiff::Timestamp;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

/// The type of a statement. Source: AIS-141.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StatementType {
    /// A statement for the closure of the account.
    AccountClosure,
    /// A statement for the opening of the account.
    AccountOpening,
    /// An annual statement.
    Annual,
    /// A statement on request.
    Interim,
    /// A regular statement for a period.
    RegularPeriodic,
}

/// The type of an amount on a statement. Source: `OBExternalStatementAmountType1Code`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StatementAmountType {
    /// The arrears at the end.
    ArrearsClosingBalance,
    /// The available balance.
    AvailableBalance,
    /// The average balance while in credit.
    AverageBalanceWhenInCredit,
    /// The average balance while in debit.
    AverageBalanceWhenInDebit,
    /// The average daily balance.
    AverageDailyBalance,
    /// The part of the closing balance due to balance transfers.
    BalanceTransferClosingBalance,
    /// The part of the closing balance due to cash.
    CashClosingBalance,
    /// The balance at the end.
    ClosingBalance,
    /// The credit limit.
    CreditLimit,
    /// The payments since the last statement.
    CurrentPayment,
    /// The payment due by direct debit.
    DirectDebitPaymentDue,
    /// The amount protected by the Financial Services Compensation Scheme.
    FscsInsurance,
    /// The minimum payment due.
    MinimumPaymentDue,
    /// The pending transactions at the end.
    PendingTransactionsBalance,
    /// The closing balance of the previous statement.
    PreviousClosingBalance,
    /// The payments of the previous period.
    PreviousPayment,
    /// The part of the closing balance due to purchases.
    PurchaseClosingBalance,
    /// The balance at the start.
    StartingBalance,
    /// All adjustments.
    TotalAdjustments,
    /// All cash advances.
    TotalCashAdvances,
    /// All charges, interest included.
    TotalCharges,
    /// All credit entries.
    TotalCredits,
    /// All debit entries.
    TotalDebits,
    /// All purchases.
    TotalPurchases,
}

/// The type of a benefit. Source: `OBExternalStatementBenefitType1Code`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StatementBenefitType {
    /// Cash back.
    Cashback,
    /// Insurance.
    Insurance,
    /// A discount on travel.
    TravelDiscount,
    /// Insurance for travel.
    TravelInsurance,
}

/// The type of a fee. Source: `OBExternalStatementFeeType1Code`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StatementFeeType {
    /// The annual fee.
    Annual,
    /// A balance transfer.
    BalanceTransfer,
    /// A cash advance.
    CashAdvance,
    /// A cash transaction.
    CashTransaction,
    /// A cash transaction abroad.
    ForeignCashTransaction,
    /// A transaction abroad or in a foreign currency.
    ForeignTransaction,
    /// Gambling.
    Gambling,
    /// A late payment.
    LatePayment,
    /// An instalment plan. Source: AIS-141.
    InstalmentPlan,
    /// A returned payment. Source: AIS-141.
    ReturnedPayment,
    /// A money transfer.
    MoneyTransfer,
    /// The monthly fee.
    Monthly,
    /// Going over the limit.
    Overlimit,
    /// A postal order.
    PostalOrder,
    /// The entry to a prize draw.
    PrizeEntry,
    /// A copy of a statement.
    StatementCopy,
    /// All fees.
    Total,
}

/// The type of interest. Source: `OBExternalStatementInterestType1Code`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StatementInterestType {
    /// Interest on balance transfers.
    BalanceTransfer,
    /// Interest on cash advances.
    Cash,
    /// The interest estimated for the next statement.
    EstimatedNext,
    /// Interest on an instalment plan. Source: AIS-141.
    InstalmentPlan,
    /// Interest on a money transfer. Source: AIS-141.
    MoneyTransfer,
    /// Interest on purchases.
    Purchase,
    /// All interest.
    Total,
}

/// The type of a rate. Source: `OBExternalStatementRateType1Code`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StatementRateType {
    /// The annual rate on balance transfers.
    AnnualBalanceTransfer,
    /// The annual rate on balance transfers after a promotion.
    AnnualBalanceTransferAfterPromo,
    /// The annual rate on balance transfers during a promotion.
    AnnualBalanceTransferPromo,
    /// The annual rate on cash.
    AnnualCash,
    /// The annual rate on purchases.
    AnnualPurchase,
    /// The annual rate on purchases after a promotion.
    AnnualPurchaseAfterPromo,
    /// The annual rate on purchases during a promotion.
    AnnualPurchasePromo,
    /// The monthly rate on balance transfers.
    MonthlyBalanceTransfer,
    /// The monthly rate on cash.
    MonthlyCash,
    /// The monthly rate on purchases.
    MonthlyPurchase,
}

/// The type of a date. Source: `OBExternalStatementDateTimeType1Code`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StatementDateType {
    /// The end of a promotion on balance transfers.
    BalanceTransferPromoEnd,
    /// When a direct debit is collected.
    DirectDebitDue,
    /// When the last payment was due.
    LastPayment,
    /// When the last statement was available.
    LastStatement,
    /// When the next statement will be available.
    NextStatement,
    /// When payment is due.
    PaymentDue,
    /// The end of a promotion on purchases.
    PurchasePromoEnd,
    /// When the statement was available.
    StatementAvailable,
}

/// The type of a value. Source: `OBExternalStatementValueType1Code`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StatementValueType {
    /// Air miles earned.
    AirMilesPoints,
    /// The balance of air miles.
    AirMilesPointsBalance,
    /// The number of credit entries.
    Credits,
    /// The number of debit entries.
    Debits,
    /// Hotel points earned.
    HotelPoints,
    /// The balance of hotel points.
    HotelPointsBalance,
    /// Shopping points earned.
    RetailShoppingPoints,
    /// The balance of shopping points.
    RetailShoppingPointsBalance,
}

/// The type of a fee's rate. Source: `OBExternalStatementFeeRateType1Code`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FeeRateType {
    /// Annual equivalent rate.
    Aer,
    /// Effective annual rate.
    Ear,
}

/// The frequency of a fee. Source: `OBExternalStatementFeeFrequency1Code`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FeeFrequency {
    /// Each charging period.
    ChargingPeriod,
    /// Each transaction, as an amount.
    PerTransactionAmount,
    /// Each transaction, as a percentage.
    PerTransactionPercentage,
    /// Each quarter.
    Quarterly,
    /// Each monthly statement.
    StatementMonthly,
    /// Each week.
    Weekly,
}

/// The type of an interest rate. Source: `OBExternalStatementInterestRateType1Code`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum InterestRateType {
    /// Linked to the Bank of England's base rate.
    BoeBaseRate,
    /// A fixed rate.
    FixedRate,
    /// A gross rate, before tax.
    Gross,
    /// Linked to the lender's base rate.
    LoanProviderBaseRate,
    /// A net rate, after tax.
    Net,
}

/// The frequency of interest. Source: `OBExternalStatementInterestFrequency1Code`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum InterestFrequency {
    /// Each day.
    Daily,
    /// Each half-year.
    HalfYearly,
    /// Each month.
    Monthly,
    /// On the statement date.
    PerStatementDate,
    /// Each quarter.
    Quarterly,
    /// Each week.
    Weekly,
    /// Each year.
    Yearly,
}

/// A benefit granted to the account holder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StatementBenefit {
    /// Its type.
    pub kind: StatementBenefitType,
    /// Its value.
    pub amount: Amount,
}

stored_as_pairs! { StatementBenefit(kind, amount); }

/// A fee on a statement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StatementFee {
    /// Its description, at most 128 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Its type.
    pub kind: StatementFeeType,
    /// The rate of its calculation in per cent, and the type of the rate.
    #[serde(default, with = "crate::stored", skip_serializing_if = "Option::is_none")]
    pub rate: Option<(Decimal, FeeRateType)>,
    /// The frequency at which the fee is charged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub frequency: Option<FeeFrequency>,
    /// The signed amount.
    pub sum: SignedAmount,
}

/// Interest on a statement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StatementInterest {
    /// Its description, at most 128 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Its type.
    pub kind: StatementInterestType,
    /// The annual rate of its calculation in per cent, and the type of the rate.
    #[serde(default, with = "crate::stored", skip_serializing_if = "Option::is_none")]
    pub rate: Option<(Decimal, InterestRateType)>,
    /// The frequency at which the interest is calculated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub frequency: Option<InterestFrequency>,
    /// The signed amount.
    pub sum: SignedAmount,
}

/// How the statements of an account are delivered: how often, by which medium, in which format and where to. Source:
/// AIS-100, `StatementFrequencyAndFormat`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StatementDelivery {
    /// The frequency of delivery (`OBFrequency2Code`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub frequency: Option<IsoCode>,
    /// The medium of delivery (`OBCommunicationMethod`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub medium: Option<IsoCode>,
    /// The file format (`OBFileFormat`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<IsoCode>,
    /// The address of delivery.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub address: Option<PostalAddress>,
}

/// A statement of an account over a period. Source: `OBStatement2`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    /// Its id.
    pub id: StatementId,
    /// The account.
    pub account: BankAccountId,
    /// The reference printed on it, to which entries refer, at most 35 characters.
    pub reference: Option<String>,
    /// Its type.
    pub kind: StatementType,
    /// The first instant of the period, inclusive. Source: AIS-142.
    pub starts_at: Timestamp,
    /// The last instant of the period, inclusive.
    pub ends_at: Timestamp,
    /// When it was created (bank clock).
    pub created_at: Timestamp,
    /// Remarks of at most 500 characters.
    pub descriptions: Vec<String>,
    /// The benefits.
    pub benefits: Vec<StatementBenefit>,
    /// The fees.
    pub fees: Vec<StatementFee>,
    /// The interest.
    pub interest: Vec<StatementInterest>,
    /// Balances and totals. Shown only with the Detail permission.
    pub amounts: Vec<(StatementAmountType, SignedAmount)>,
    /// The dates.
    pub dates: Vec<(StatementDateType, Timestamp)>,
    /// Rates, per cent, at most 3 digits and 4 decimals.
    pub rates: Vec<(StatementRateType, Decimal)>,
    /// Counts and points, each at most 40 characters.
    pub values: Vec<(StatementValueType, String)>,
    /// The single total of the whole statement. Shown also with the Basic permission. Source: AIS-148.
    pub total: Option<Amount>,
}
