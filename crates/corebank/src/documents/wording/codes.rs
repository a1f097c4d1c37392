//! The standard's codes in words that customers understand.

use lombard_domain::account::{
    AccountSubType, FeeFrequency, FeeRateType, InterestFrequency, InterestRateType, StatementAmountType,
    StatementBenefitType, StatementDateType, StatementFee, StatementFeeType, StatementInterest, StatementInterestType,
    StatementRateType, StatementType, StatementValueType,
};
use rust_decimal::Decimal;

/// The title of a statement, such as `Current account statement`.
pub(in super::super) fn title(account: AccountSubType, statement: StatementType) -> String {
    let account = match account {
        AccountSubType::ChargeCard => "Charge card",
        AccountSubType::CreditCard => "Credit card",
        AccountSubType::CurrentAccount => "Current account",
        AccountSubType::EMoney => "E-money account",
        AccountSubType::Loan => "Loan",
        AccountSubType::Mortgage => "Mortgage",
        AccountSubType::PrePaidCard => "Prepaid card",
        AccountSubType::Savings => "Savings account",
    };
    let statement = match statement {
        StatementType::AccountClosure => "closing statement",
        StatementType::AccountOpening => "opening statement",
        StatementType::Annual => "annual statement",
        StatementType::Interim => "interim statement",
        StatementType::RegularPeriodic => "statement",
    };
    format!("{account} {statement}")
}

pub(in super::super) const fn amount_kind(kind: StatementAmountType) -> &'static str {
    match kind {
        StatementAmountType::ArrearsClosingBalance => "In arrears",
        StatementAmountType::AvailableBalance => "Available to spend",
        StatementAmountType::AverageBalanceWhenInCredit => "Average balance when in credit",
        StatementAmountType::AverageBalanceWhenInDebit => "Average balance when overdrawn",
        StatementAmountType::AverageDailyBalance => "Average daily balance",
        StatementAmountType::BalanceTransferClosingBalance => "Balance transfers",
        StatementAmountType::CashClosingBalance => "Cash",
        StatementAmountType::ClosingBalance => "Closing balance",
        StatementAmountType::CreditLimit => "Credit limit",
        StatementAmountType::CurrentPayment => "Payments since the last statement",
        StatementAmountType::DirectDebitPaymentDue => "To be collected by direct debit",
        StatementAmountType::FscsInsurance => "Protected by the compensation scheme",
        StatementAmountType::MinimumPaymentDue => "Minimum payment due",
        StatementAmountType::PendingTransactionsBalance => "Pending at the end",
        StatementAmountType::PreviousClosingBalance => "Closing balance of the last statement",
        StatementAmountType::PreviousPayment => "Payments in the period before",
        StatementAmountType::PurchaseClosingBalance => "Purchases owed",
        StatementAmountType::StartingBalance => "Opening balance",
        StatementAmountType::TotalAdjustments => "Total adjustments",
        StatementAmountType::TotalCashAdvances => "Total cash advances",
        StatementAmountType::TotalCharges => "Total charges",
        StatementAmountType::TotalCredits => "Money in",
        StatementAmountType::TotalDebits => "Money out",
        StatementAmountType::TotalPurchases => "Total purchases",
    }
}

pub(in super::super) const fn benefit_kind(kind: StatementBenefitType) -> &'static str {
    match kind {
        StatementBenefitType::Cashback => "Cashback",
        StatementBenefitType::Insurance => "Insurance",
        StatementBenefitType::TravelDiscount => "Travel discount",
        StatementBenefitType::TravelInsurance => "Travel insurance",
    }
}

pub(in super::super) const fn fee_kind(kind: StatementFeeType) -> &'static str {
    match kind {
        StatementFeeType::Annual => "Annual fee",
        StatementFeeType::BalanceTransfer => "Balance transfer fee",
        StatementFeeType::CashAdvance => "Cash advance fee",
        StatementFeeType::CashTransaction => "Cash fee",
        StatementFeeType::ForeignCashTransaction => "Foreign cash fee",
        StatementFeeType::ForeignTransaction => "Foreign payment fee",
        StatementFeeType::Gambling => "Gambling fee",
        StatementFeeType::LatePayment => "Late payment fee",
        StatementFeeType::MoneyTransfer => "Money transfer fee",
        StatementFeeType::Monthly => "Monthly fee",
        StatementFeeType::Overlimit => "Over limit fee",
        StatementFeeType::PostalOrder => "Postal order fee",
        StatementFeeType::PrizeEntry => "Prize draw entry",
        StatementFeeType::InstalmentPlan => "Instalment plan fee",
        StatementFeeType::ReturnedPayment => "Returned payment fee",
        StatementFeeType::StatementCopy => "Statement copy fee",
        StatementFeeType::Total => "Total fees",
    }
}

pub(in super::super) const fn interest_kind(kind: StatementInterestType) -> &'static str {
    match kind {
        StatementInterestType::BalanceTransfer => "Interest on balance transfers",
        StatementInterestType::Cash => "Interest on cash",
        StatementInterestType::InstalmentPlan => "Interest on instalment plans",
        StatementInterestType::MoneyTransfer => "Interest on money transfers",
        StatementInterestType::EstimatedNext => "Estimated interest of the next statement",
        StatementInterestType::Purchase => "Interest on purchases",
        StatementInterestType::Total => "Interest",
    }
}

pub(in super::super) const fn rate_kind(kind: StatementRateType) -> &'static str {
    match kind {
        StatementRateType::AnnualBalanceTransfer => "Balance transfers, a year",
        StatementRateType::AnnualBalanceTransferAfterPromo => "Balance transfers after the promotion, a year",
        StatementRateType::AnnualBalanceTransferPromo => "Balance transfers during the promotion, a year",
        StatementRateType::AnnualCash => "Cash, a year",
        StatementRateType::AnnualPurchase => "Purchases, a year",
        StatementRateType::AnnualPurchaseAfterPromo => "Purchases after the promotion, a year",
        StatementRateType::AnnualPurchasePromo => "Purchases during the promotion, a year",
        StatementRateType::MonthlyBalanceTransfer => "Balance transfers, a month",
        StatementRateType::MonthlyCash => "Cash, a month",
        StatementRateType::MonthlyPurchase => "Purchases, a month",
    }
}

pub(in super::super) const fn date_kind(kind: StatementDateType) -> &'static str {
    match kind {
        StatementDateType::BalanceTransferPromoEnd => "Balance transfer promotion ends",
        StatementDateType::DirectDebitDue => "Direct debit collected on",
        StatementDateType::LastPayment => "Last payment was due",
        StatementDateType::LastStatement => "Last statement",
        StatementDateType::NextStatement => "Next statement",
        StatementDateType::PaymentDue => "Payment due",
        StatementDateType::PurchasePromoEnd => "Purchase promotion ends",
        StatementDateType::StatementAvailable => "Statement available",
    }
}

pub(in super::super) const fn value_kind(kind: StatementValueType) -> &'static str {
    match kind {
        StatementValueType::AirMilesPoints => "Air miles earned",
        StatementValueType::AirMilesPointsBalance => "Air miles balance",
        StatementValueType::Credits => "Number of payments in",
        StatementValueType::Debits => "Number of payments out",
        StatementValueType::HotelPoints => "Hotel points earned",
        StatementValueType::HotelPointsBalance => "Hotel points balance",
        StatementValueType::RetailShoppingPoints => "Shopping points earned",
        StatementValueType::RetailShoppingPointsBalance => "Shopping points balance",
    }
}

/// The basis of a fee, such as `2.75% (AER), each transaction`.
pub(in super::super) fn about_fee(fee: &StatementFee) -> String {
    let rate = fee.rate.map(|(rate, kind)| {
        let kind = match kind {
            FeeRateType::Aer => "AER",
            FeeRateType::Ear => "EAR",
        };
        per_cent(rate, kind)
    });
    let frequency = fee.frequency.map(|frequency| match frequency {
        FeeFrequency::ChargingPeriod => "each charging period",
        FeeFrequency::PerTransactionAmount | FeeFrequency::PerTransactionPercentage => "each transaction",
        FeeFrequency::Quarterly => "each quarter",
        FeeFrequency::StatementMonthly => "each month",
        FeeFrequency::Weekly => "each week",
    });
    joined(fee.description.as_deref(), rate, frequency)
}

/// The basis of interest, such as `4.15% (gross), worked out daily`.
pub(in super::super) fn about_interest(interest: &StatementInterest) -> String {
    let rate = interest.rate.map(|(rate, kind)| {
        let kind = match kind {
            InterestRateType::BoeBaseRate => "tied to the Bank of England base rate",
            InterestRateType::FixedRate => "fixed",
            InterestRateType::Gross => "gross",
            InterestRateType::LoanProviderBaseRate => "tied to our base rate",
            InterestRateType::Net => "net",
        };
        per_cent(rate, kind)
    });
    let frequency = interest.frequency.map(|frequency| match frequency {
        InterestFrequency::Daily => "worked out daily",
        InterestFrequency::HalfYearly => "worked out twice a year",
        InterestFrequency::Monthly => "worked out monthly",
        InterestFrequency::PerStatementDate => "worked out for each statement",
        InterestFrequency::Quarterly => "worked out quarterly",
        InterestFrequency::Weekly => "worked out weekly",
        InterestFrequency::Yearly => "worked out yearly",
    });
    joined(interest.description.as_deref(), rate, frequency)
}

fn per_cent(rate: Decimal, kind: &str) -> String {
    format!("{}% ({kind})", rate.normalize())
}

fn joined(description: Option<&str>, rate: Option<String>, frequency: Option<&str>) -> String {
    let described = description.map(super::printable).filter(|text| !text.is_empty());
    let parts = described.into_iter().chain(rate).chain(frequency.map(str::to_owned));
    parts.collect::<Vec<_>>().join(", ")
}
