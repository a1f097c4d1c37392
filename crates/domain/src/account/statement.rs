//! Statements. Source: AIS-140 to AIS-148, `OBStatement2`.

use crate::ids::{BankAccountId, StatementId};
use crate::money::{Amount, SignedAmount};
use crate::stored::stored_as_pairs;
use jiff::Timestamp;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

/// Why there is a statement. Source: AIS-141.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StatementType {
    /// The account was closed.
    AccountClosure,
    /// The account was opened.
    AccountOpening,
    /// A year ended.
    Annual,
    /// It was asked for.
    Interim,
    /// A period ended.
    RegularPeriodic,
}

/// What an amount on a statement is. Source: `OBExternalStatementAmountType1Code`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StatementAmountType {
    /// What is in arrears at the end.
    ArrearsClosingBalance,
    /// What can be spent.
    AvailableBalance,
    /// The daily average while in credit.
    AverageBalanceWhenInCredit,
    /// The daily average while in debit.
    AverageBalanceWhenInDebit,
    /// The daily average.
    AverageDailyBalance,
    /// The part of the closing balance from balance transfers.
    BalanceTransferClosingBalance,
    /// The part of the closing balance from cash.
    CashClosingBalance,
    /// The balance at the end.
    ClosingBalance,
    /// The limit of credit.
    CreditLimit,
    /// The payments since the last statement.
    CurrentPayment,
    /// What will be collected by direct debit.
    DirectDebitPaymentDue,
    /// What is protected by the compensation scheme.
    FscsInsurance,
    /// The least that must be paid.
    MinimumPaymentDue,
    /// What is pending at the end.
    PendingTransactionsBalance,
    /// The balance at the end of the statement before.
    PreviousClosingBalance,
    /// The payments of the period before.
    PreviousPayment,
    /// The part of the closing balance from purchases.
    PurchaseClosingBalance,
    /// The balance at the start.
    StartingBalance,
    /// All adjustments.
    TotalAdjustments,
    /// All cash advances.
    TotalCashAdvances,
    /// All charges, interest included.
    TotalCharges,
    /// All that came in.
    TotalCredits,
    /// All that went out.
    TotalDebits,
    /// All purchases.
    TotalPurchases,
}

/// What was granted. Source: `OBExternalStatementBenefitType1Code`.
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

/// What a fee is for. Source: `OBExternalStatementFeeType1Code`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StatementFeeType {
    /// A year.
    Annual,
    /// A balance transfer.
    BalanceTransfer,
    /// A cash advance.
    CashAdvance,
    /// Cash.
    CashTransaction,
    /// Cash abroad.
    ForeignCashTransaction,
    /// A payment abroad.
    ForeignTransaction,
    /// Gambling.
    Gambling,
    /// A late payment.
    LatePayment,
    /// A money transfer.
    MoneyTransfer,
    /// A month.
    Monthly,
    /// Going over the limit.
    Overlimit,
    /// A postal order.
    PostalOrder,
    /// Taking part in a prize draw.
    PrizeEntry,
    /// A copy of a statement.
    StatementCopy,
    /// All of them.
    Total,
}

/// What interest is on. Source: `OBExternalStatementInterestType1Code`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StatementInterestType {
    /// Balance transfers.
    BalanceTransfer,
    /// Cash advances.
    Cash,
    /// What is estimated for the next statement.
    EstimatedNext,
    /// Purchases.
    Purchase,
    /// Everything.
    Total,
}

/// What a yearly or monthly rate is on. Source: `OBExternalStatementRateType1Code`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StatementRateType {
    /// Balance transfers, a year.
    AnnualBalanceTransfer,
    /// The same, after a promotion.
    AnnualBalanceTransferAfterPromo,
    /// The same, during a promotion.
    AnnualBalanceTransferPromo,
    /// Cash, a year.
    AnnualCash,
    /// Purchases, a year.
    AnnualPurchase,
    /// The same, after a promotion.
    AnnualPurchaseAfterPromo,
    /// The same, during a promotion.
    AnnualPurchasePromo,
    /// Balance transfers, a month.
    MonthlyBalanceTransfer,
    /// Cash, a month.
    MonthlyCash,
    /// Purchases, a month.
    MonthlyPurchase,
}

/// What a date on a statement is. Source: `OBExternalStatementDateTimeType1Code`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StatementDateType {
    /// The end of a promotion on balance transfers.
    BalanceTransferPromoEnd,
    /// When a direct debit is collected.
    DirectDebitDue,
    /// When the payment of the statement before was due.
    LastPayment,
    /// When the statement before was ready.
    LastStatement,
    /// When the next one will be ready.
    NextStatement,
    /// When payment is due.
    PaymentDue,
    /// The end of a promotion on purchases.
    PurchasePromoEnd,
    /// When it was ready.
    StatementAvailable,
}

/// What a number on a statement counts. Source: `OBExternalStatementValueType1Code`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StatementValueType {
    /// Air miles.
    AirMilesPoints,
    /// Air miles in all.
    AirMilesPointsBalance,
    /// Entries that came in.
    Credits,
    /// Entries that went out.
    Debits,
    /// Hotel points.
    HotelPoints,
    /// Hotel points in all.
    HotelPointsBalance,
    /// Shopping points.
    RetailShoppingPoints,
    /// Shopping points in all.
    RetailShoppingPointsBalance,
}

/// How the rate of a fee is meant. Source: `OBExternalStatementFeeRateType1Code`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FeeRateType {
    /// Annual equivalent rate.
    Aer,
    /// Effective annual rate.
    Ear,
}

/// When a fee is taken. Source: `OBExternalStatementFeeFrequency1Code`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FeeFrequency {
    /// Each charging period.
    ChargingPeriod,
    /// Each transaction, a sum.
    PerTransactionAmount,
    /// Each transaction, a part.
    PerTransactionPercentage,
    /// Each quarter.
    Quarterly,
    /// Each monthly statement.
    StatementMonthly,
    /// Each week.
    Weekly,
}

/// What a rate of interest is tied to. Source: `OBExternalStatementInterestRateType1Code`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum InterestRateType {
    /// The base rate of the Bank of England.
    BoeBaseRate,
    /// Nothing.
    FixedRate,
    /// Before tax.
    Gross,
    /// The lender's base rate.
    LoanProviderBaseRate,
    /// After tax.
    Net,
}

/// When interest is worked out. Source: `OBExternalStatementInterestFrequency1Code`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum InterestFrequency {
    /// Each day.
    Daily,
    /// Each half-year.
    HalfYearly,
    /// Each month.
    Monthly,
    /// On the day of the statement.
    PerStatementDate,
    /// Each quarter.
    Quarterly,
    /// Each week.
    Weekly,
    /// Each year.
    Yearly,
}

/// Something the account holder was granted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StatementBenefit {
    /// What.
    pub kind: StatementBenefitType,
    /// How much it was worth.
    pub amount: Amount,
}

stored_as_pairs! { StatementBenefit(kind, amount); }

/// A fee.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StatementFee {
    /// In words, at most 128 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// What for.
    pub kind: StatementFeeType,
    /// The rate it was worked out with, per cent, and how that is meant.
    #[serde(default, with = "crate::stored", skip_serializing_if = "Option::is_none")]
    pub rate: Option<(Decimal, FeeRateType)>,
    /// When it is taken.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub frequency: Option<FeeFrequency>,
    /// How much, and which way.
    pub sum: SignedAmount,
}

/// Interest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StatementInterest {
    /// In words, at most 128 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// On what.
    pub kind: StatementInterestType,
    /// The rate it was worked out with, per cent a year, and what that is tied to.
    #[serde(default, with = "crate::stored", skip_serializing_if = "Option::is_none")]
    pub rate: Option<(Decimal, InterestRateType)>,
    /// When it is worked out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub frequency: Option<InterestFrequency>,
    /// How much, and which way.
    pub sum: SignedAmount,
}

/// A statement of an account over a period. Source: `OBStatement2`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    /// Its id.
    pub id: StatementId,
    /// The account.
    pub account: BankAccountId,
    /// What is printed on it and what entries refer to, at most 35 characters.
    pub reference: Option<String>,
    /// Why there is one.
    pub kind: StatementType,
    /// The first instant of the period, inclusive. Source: AIS-142.
    pub starts_at: Timestamp,
    /// The last instant of the period, inclusive.
    pub ends_at: Timestamp,
    /// When it was made (bank clock).
    pub created_at: Timestamp,
    /// Remarks of at most 500 characters.
    pub descriptions: Vec<String>,
    /// What was granted.
    pub benefits: Vec<StatementBenefit>,
    /// Fees.
    pub fees: Vec<StatementFee>,
    /// Interest.
    pub interest: Vec<StatementInterest>,
    /// Balances and totals. Detail.
    pub amounts: Vec<(StatementAmountType, SignedAmount)>,
    /// Dates.
    pub dates: Vec<(StatementDateType, Timestamp)>,
    /// Rates, per cent, at most 3 digits and 4 decimals.
    pub rates: Vec<(StatementRateType, Decimal)>,
    /// Counts and points, each at most 40 characters.
    pub values: Vec<(StatementValueType, String)>,
    /// All that is on it, as the standard's single total. Basic. Source: AIS-148.
    pub total: Option<Amount>,
}
