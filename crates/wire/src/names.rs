//! The enumerations of account information that have the same names in every version, one exhaustive table each. The other
//! interfaces of this program use the same names.

use lombard_domain::account::{
    AccountRole, AccountScheme, AccountStatus, AccountType, BeneficiaryType, CardAuthorisation, CardScheme,
    CreditLineType, FeeFrequency, FeeRateType, InterestFrequency, InterestRateType, LegalStructure, Mutability,
    OfferType, PartyType, ScheduledType, StatementAmountType, StatementBenefitType, StatementDateType,
    StatementFeeType, StatementInterestType, StatementRateType, StatementType, StatementValueType, SwitchStatus,
};
use lombard_domain::money::CreditDebit;

/// Declares the tables, and a module with the names of each.
macro_rules! names {
    (mod $listed:ident; $($(#[$doc:meta])* $table:ident($type:ident) { $($pattern:pat => $name:literal,)* })*) => {$(
        $(#[$doc])*
        pub const fn $table(value: $type) -> &'static str {
            match value { $($pattern => $name,)* }
        }
    )*

    /// The names of each table, for schemas.
    pub(crate) mod $listed {$(
        $(#[$doc])*
        pub(crate) fn $table() -> Vec<&'static str> {
            $crate::describe::each_once(vec![$($name),*])
        }
    )*}};
}
pub(crate) use names;

names! {
    mod listed;

    /// Source: AIS-102, `OBAccountStatus1Code`.
    account_status(AccountStatus) {
        AccountStatus::Enabled => "Enabled",
        AccountStatus::Disabled => "Disabled",
        AccountStatus::Deleted => "Deleted",
        AccountStatus::ProForma => "ProForma",
        AccountStatus::Pending => "Pending",
    }
    /// Source: AIS-102, `OBExternalAccountType1Code`.
    account_type(AccountType) {
        AccountType::Business => "Business",
        AccountType::Personal => "Personal",
    }
    /// Source: AIS-085, `OBExternalSwitchStatusCode`.
    switch_status(SwitchStatus) {
        SwitchStatus::NotSwitched => "UK.CASS.NotSwitched",
        SwitchStatus::SwitchCompleted => "UK.CASS.SwitchCompleted",
    }
    /// Source: RW-257, `OBExternalAccountIdentification4Code`.
    account_scheme(AccountScheme) {
        AccountScheme::Bban => "UK.OBIE.BBAN",
        AccountScheme::Iban => "UK.OBIE.IBAN",
        AccountScheme::Pan => "UK.OBIE.PAN",
        AccountScheme::Paym => "UK.OBIE.Paym",
        AccountScheme::SortCodeAccountNumber => "UK.OBIE.SortCodeAccountNumber",
        AccountScheme::Wallet => "UK.OBIE.Wallet",
    }
    /// Source: AIS-112, `OBReadBalance1`.
    credit_line_type(CreditLineType) {
        CreditLineType::Available => "Available",
        CreditLineType::Credit => "Credit",
        CreditLineType::Emergency => "Emergency",
        CreditLineType::PreAgreed => "Pre-Agreed",
        CreditLineType::Temporary => "Temporary",
    }
    /// Source: RW-251, `OBCreditDebitCode_1`.
    credit_debit(CreditDebit) {
        CreditDebit::Credit => "Credit",
        CreditDebit::Debit => "Debit",
    }
    /// Source: AIS-123, `OBTransactionMutability1Code`.
    mutability(Mutability) {
        Mutability::Mutable => "Mutable",
        Mutability::Immutable => "Immutable",
    }
    /// Source: AIS-129, `OBTransactionCardInstrument1`.
    card_scheme(CardScheme) {
        CardScheme::AmericanExpress => "AmericanExpress",
        CardScheme::Diners => "Diners",
        CardScheme::Discover => "Discover",
        CardScheme::MasterCard => "MasterCard",
        CardScheme::Visa => "VISA",
    }
    /// Source: AIS-129, `OBTransactionCardInstrument1`.
    card_authorisation(CardAuthorisation) {
        CardAuthorisation::ConsumerDevice => "ConsumerDevice",
        CardAuthorisation::Contactless => "Contactless",
        CardAuthorisation::None => "None",
        CardAuthorisation::Pin => "PIN",
    }
    /// Source: AIS-160, `OBBeneficiaryType1Code`.
    beneficiary_type(BeneficiaryType) {
        BeneficiaryType::Trusted => "Trusted",
        BeneficiaryType::Ordinary => "Ordinary",
    }
    /// Source: AIS-173, `OBExternalScheduleType1Code`.
    scheduled_type(ScheduledType) {
        ScheduledType::Arrival => "Arrival",
        ScheduledType::Execution => "Execution",
    }
    /// Source: AIS-182, `OBReadOffer1`.
    offer_type(OfferType) {
        OfferType::BalanceTransfer => "BalanceTransfer",
        OfferType::LimitIncrease => "LimitIncrease",
        OfferType::MoneyTransfer => "MoneyTransfer",
        OfferType::Other => "Other",
        OfferType::PromotionalRate => "PromotionalRate",
    }
    /// Source: AIS-188, `OBExternalPartyType1Code`.
    party_type(PartyType) {
        PartyType::Delegate => "Delegate",
        PartyType::Joint => "Joint",
        PartyType::Sole => "Sole",
    }
    /// Source: AIS-188, `OBExternalAccountRole1Code`.
    account_role(AccountRole) {
        AccountRole::Administrator => "UK.OBIE.Administrator",
        AccountRole::Beneficiary => "UK.OBIE.Beneficiary",
        AccountRole::CustodianForMinor => "UK.OBIE.CustodianForMinor",
        AccountRole::Granter => "UK.OBIE.Granter",
        AccountRole::LegalGuardian => "UK.OBIE.LegalGuardian",
        AccountRole::OtherParty => "UK.OBIE.OtherParty",
        AccountRole::PowerOfAttorney => "UK.OBIE.PowerOfAttorney",
        AccountRole::Principal => "UK.OBIE.Principal",
        AccountRole::Protector => "UK.OBIE.Protector",
        AccountRole::RegisteredShareholderName => "UK.OBIE.RegisteredShareholderName",
        AccountRole::SecondaryOwner => "UK.OBIE.SecondaryOwner",
        AccountRole::SeniorManagingOfficial => "UK.OBIE.SeniorManagingOfficial",
        AccountRole::Settlor => "UK.OBIE.Settlor",
        AccountRole::SuccessorOnDeath => "UK.OBIE.SuccessorOnDeath",
    }
    /// Source: AIS-188, `OBExternalLegalStructureType1Code`.
    legal_structure(LegalStructure) {
        LegalStructure::CommunityInterestCompany => "UK.OBIE.CIC",
        LegalStructure::CharitableIncorporatedOrganisation => "UK.OBIE.CIO",
        LegalStructure::Charity => "UK.OBIE.Charity",
        LegalStructure::CoOperative => "UK.OBIE.CoOp",
        LegalStructure::GeneralPartnership => "UK.OBIE.GeneralPartnership",
        LegalStructure::Individual => "UK.OBIE.Individual",
        LegalStructure::LimitedLiabilityPartnership => "UK.OBIE.LimitedLiabilityPartnership",
        LegalStructure::LimitedPartnership => "UK.OBIE.LimitedPartnership",
        LegalStructure::PrivateLimitedCompany => "UK.OBIE.PrivateLimitedCompany",
        LegalStructure::PublicLimitedCompany => "UK.OBIE.PublicLimitedCompany",
        LegalStructure::ScottishLimitedPartnership => "UK.OBIE.ScottishLimitedPartnership",
        LegalStructure::SoleTrader => "UK.OBIE.Sole",
    }
    /// Source: AIS-141, `OBExternalStatementType1Code`.
    statement_type(StatementType) {
        StatementType::AccountClosure => "AccountClosure",
        StatementType::AccountOpening => "AccountOpening",
        StatementType::Annual => "Annual",
        StatementType::Interim => "Interim",
        StatementType::RegularPeriodic => "RegularPeriodic",
    }
    /// Source: AIS-141, `OBExternalStatementAmountType1Code`.
    statement_amount_type(StatementAmountType) {
        StatementAmountType::ArrearsClosingBalance => "UK.OBIE.ArrearsClosingBalance",
        StatementAmountType::AvailableBalance => "UK.OBIE.AvailableBalance",
        StatementAmountType::AverageBalanceWhenInCredit => "UK.OBIE.AverageBalanceWhenInCredit",
        StatementAmountType::AverageBalanceWhenInDebit => "UK.OBIE.AverageBalanceWhenInDebit",
        StatementAmountType::AverageDailyBalance => "UK.OBIE.AverageDailyBalance",
        StatementAmountType::BalanceTransferClosingBalance => "UK.OBIE.BalanceTransferClosingBalance",
        StatementAmountType::CashClosingBalance => "UK.OBIE.CashClosingBalance",
        StatementAmountType::ClosingBalance => "UK.OBIE.ClosingBalance",
        StatementAmountType::CreditLimit => "UK.OBIE.CreditLimit",
        StatementAmountType::CurrentPayment => "UK.OBIE.CurrentPayment",
        StatementAmountType::DirectDebitPaymentDue => "UK.OBIE.DirectDebitPaymentDue",
        StatementAmountType::FscsInsurance => "UK.OBIE.FSCSInsurance",
        StatementAmountType::MinimumPaymentDue => "UK.OBIE.MinimumPaymentDue",
        StatementAmountType::PendingTransactionsBalance => "UK.OBIE.PendingTransactionsBalance",
        StatementAmountType::PreviousClosingBalance => "UK.OBIE.PreviousClosingBalance",
        StatementAmountType::PreviousPayment => "UK.OBIE.PreviousPayment",
        StatementAmountType::PurchaseClosingBalance => "UK.OBIE.PurchaseClosingBalance",
        StatementAmountType::StartingBalance => "UK.OBIE.StartingBalance",
        StatementAmountType::TotalAdjustments => "UK.OBIE.TotalAdjustments",
        StatementAmountType::TotalCashAdvances => "UK.OBIE.TotalCashAdvances",
        StatementAmountType::TotalCharges => "UK.OBIE.TotalCharges",
        StatementAmountType::TotalCredits => "UK.OBIE.TotalCredits",
        StatementAmountType::TotalDebits => "UK.OBIE.TotalDebits",
        StatementAmountType::TotalPurchases => "UK.OBIE.TotalPurchases",
    }
    /// Source: AIS-141, `OBExternalStatementBenefitType1Code`.
    statement_benefit_type(StatementBenefitType) {
        StatementBenefitType::Cashback => "UK.OBIE.Cashback",
        StatementBenefitType::Insurance => "UK.OBIE.Insurance",
        StatementBenefitType::TravelDiscount => "UK.OBIE.TravelDiscount",
        StatementBenefitType::TravelInsurance => "UK.OBIE.TravelInsurance",
    }
    /// The list of v3.1 is open; `InstalmentPlan` and `ReturnedPayment` come from v4.0. Source: AIS-141,
    /// `OBExternalStatementFeeType1Code`.
    statement_fee_type(StatementFeeType) {
        StatementFeeType::Annual => "UK.OBIE.Annual",
        StatementFeeType::BalanceTransfer => "UK.OBIE.BalanceTransfer",
        StatementFeeType::CashAdvance => "UK.OBIE.CashAdvance",
        StatementFeeType::CashTransaction => "UK.OBIE.CashTransaction",
        StatementFeeType::ForeignCashTransaction => "UK.OBIE.ForeignCashTransaction",
        StatementFeeType::ForeignTransaction => "UK.OBIE.ForeignTransaction",
        StatementFeeType::Gambling => "UK.OBIE.Gambling",
        StatementFeeType::LatePayment => "UK.OBIE.LatePayment",
        StatementFeeType::MoneyTransfer => "UK.OBIE.MoneyTransfer",
        StatementFeeType::Monthly => "UK.OBIE.Monthly",
        StatementFeeType::Overlimit => "UK.OBIE.Overlimit",
        StatementFeeType::PostalOrder => "UK.OBIE.PostalOrder",
        StatementFeeType::PrizeEntry => "UK.OBIE.PrizeEntry",
        StatementFeeType::InstalmentPlan => "UK.OBIE.InstalmentPlan",
        StatementFeeType::ReturnedPayment => "UK.OBIE.ReturnedPayment",
        StatementFeeType::StatementCopy => "UK.OBIE.StatementCopy",
        StatementFeeType::Total => "UK.OBIE.Total",
    }
    /// The list of v3.1 is open; `InstalmentPlan` and `MoneyTransfer` come from v4.0. Source: AIS-141,
    /// `OBExternalStatementInterestType1Code`.
    statement_interest_type(StatementInterestType) {
        StatementInterestType::BalanceTransfer => "UK.OBIE.BalanceTransfer",
        StatementInterestType::Cash => "UK.OBIE.Cash",
        StatementInterestType::InstalmentPlan => "UK.OBIE.InstalmentPlan",
        StatementInterestType::MoneyTransfer => "UK.OBIE.MoneyTransfer",
        StatementInterestType::EstimatedNext => "UK.OBIE.EstimatedNext",
        StatementInterestType::Purchase => "UK.OBIE.Purchase",
        StatementInterestType::Total => "UK.OBIE.Total",
    }
    /// Source: AIS-141, `OBExternalStatementRateType1Code`.
    statement_rate_type(StatementRateType) {
        StatementRateType::AnnualBalanceTransfer => "UK.OBIE.AnnualBalanceTransfer",
        StatementRateType::AnnualBalanceTransferAfterPromo => "UK.OBIE.AnnualBalanceTransferAfterPromo",
        StatementRateType::AnnualBalanceTransferPromo => "UK.OBIE.AnnualBalanceTransferPromo",
        StatementRateType::AnnualCash => "UK.OBIE.AnnualCash",
        StatementRateType::AnnualPurchase => "UK.OBIE.AnnualPurchase",
        StatementRateType::AnnualPurchaseAfterPromo => "UK.OBIE.AnnualPurchaseAfterPromo",
        StatementRateType::AnnualPurchasePromo => "UK.OBIE.AnnualPurchasePromo",
        StatementRateType::MonthlyBalanceTransfer => "UK.OBIE.MonthlyBalanceTransfer",
        StatementRateType::MonthlyCash => "UK.OBIE.MonthlyCash",
        StatementRateType::MonthlyPurchase => "UK.OBIE.MonthlyPurchase",
    }
    /// Source: AIS-141, `OBExternalStatementDateTimeType1Code`.
    statement_date_type(StatementDateType) {
        StatementDateType::BalanceTransferPromoEnd => "UK.OBIE.BalanceTransferPromoEnd",
        StatementDateType::DirectDebitDue => "UK.OBIE.DirectDebitDue",
        StatementDateType::LastPayment => "UK.OBIE.LastPayment",
        StatementDateType::LastStatement => "UK.OBIE.LastStatement",
        StatementDateType::NextStatement => "UK.OBIE.NextStatement",
        StatementDateType::PaymentDue => "UK.OBIE.PaymentDue",
        StatementDateType::PurchasePromoEnd => "UK.OBIE.PurchasePromoEnd",
        StatementDateType::StatementAvailable => "UK.OBIE.StatementAvailable",
    }
    /// Source: AIS-141, `OBExternalStatementValueType1Code`.
    statement_value_type(StatementValueType) {
        StatementValueType::AirMilesPoints => "UK.OBIE.AirMilesPoints",
        StatementValueType::AirMilesPointsBalance => "UK.OBIE.AirMilesPointsBalance",
        StatementValueType::Credits => "UK.OBIE.Credits",
        StatementValueType::Debits => "UK.OBIE.Debits",
        StatementValueType::HotelPoints => "UK.OBIE.HotelPoints",
        StatementValueType::HotelPointsBalance => "UK.OBIE.HotelPointsBalance",
        StatementValueType::RetailShoppingPoints => "UK.OBIE.RetailShoppingPoints",
        StatementValueType::RetailShoppingPointsBalance => "UK.OBIE.RetailShoppingPointsBalance",
    }
    /// Source: `OBExternalStatementFeeRateType1Code`.
    fee_rate_type(FeeRateType) {
        FeeRateType::Aer => "UK.OBIE.AER",
        FeeRateType::Ear => "UK.OBIE.EAR",
    }
    /// Source: `OBExternalStatementFeeFrequency1Code`.
    fee_frequency(FeeFrequency) {
        FeeFrequency::ChargingPeriod => "UK.OBIE.ChargingPeriod",
        FeeFrequency::PerTransactionAmount => "UK.OBIE.PerTransactionAmount",
        FeeFrequency::PerTransactionPercentage => "UK.OBIE.PerTransactionPercentage",
        FeeFrequency::Quarterly => "UK.OBIE.Quarterly",
        FeeFrequency::StatementMonthly => "UK.OBIE.StatementMonthly",
        FeeFrequency::Weekly => "UK.OBIE.Weekly",
    }
    /// Source: `OBExternalStatementInterestRateType1Code`.
    interest_rate_type(InterestRateType) {
        InterestRateType::BoeBaseRate => "UK.OBIE.BOEBaseRate",
        InterestRateType::FixedRate => "UK.OBIE.FixedRate",
        InterestRateType::Gross => "UK.OBIE.Gross",
        InterestRateType::LoanProviderBaseRate => "UK.OBIE.LoanProviderBaseRate",
        InterestRateType::Net => "UK.OBIE.Net",
    }
    /// Source: `OBExternalStatementInterestFrequency1Code`.
    interest_frequency(InterestFrequency) {
        InterestFrequency::Daily => "UK.OBIE.Daily",
        InterestFrequency::HalfYearly => "UK.OBIE.HalfYearly",
        InterestFrequency::Monthly => "UK.OBIE.Monthly",
        InterestFrequency::PerStatementDate => "UK.OBIE.PerStatementDate",
        InterestFrequency::Quarterly => "UK.OBIE.Quarterly",
        InterestFrequency::Weekly => "UK.OBIE.Weekly",
        InterestFrequency::Yearly => "UK.OBIE.Yearly",
    }
}
