//! The enumerations of v3.1, one exhaustive table each. The bank's own interfaces use the same names.

use lombard_domain::account::{
    AccountRole, AccountScheme, AccountStatus, AccountSubType, AccountType, AddressType, ArrangementStatus,
    BalanceType, BeneficiaryType, CardAuthorisation, CardScheme, CreditLineType, DirectDebitFrequency, EntryStatus,
    FeeFrequency, FeeRateType, InterestFrequency, InterestRateType, LegalStructure, Mutability, OfferType, PartyType,
    ScheduledType, StatementAmountType, StatementBenefitType, StatementDateType, StatementFeeType,
    StatementInterestType, StatementRateType, StatementType, StatementValueType, SwitchStatus,
};
use lombard_domain::consent::{ConsentState, RevokedBy};
use lombard_domain::money::CreditDebit;

pub use super::frequency::{frequency, parse_frequency as read_frequency};

macro_rules! names {
    ($($(#[$doc:meta])* $table:ident($type:ident) { $($pattern:pat => $name:literal,)* })*) => {$(
        $(#[$doc])*
        pub const fn $table(value: $type) -> &'static str {
            match value { $($pattern => $name,)* }
        }
    )*

    /// The names of each table, for schemas.
    pub(crate) mod listed {$(
        $(#[$doc])*
        pub(crate) fn $table() -> Vec<&'static str> {
            $crate::describe::each_once(vec![$($name),*])
        }
    )*}};
}

/// The status of an entry; `None` for one that v3.1 leaves out. Source: AIS-121, AIS-135, `OBEntryStatus1Code`.
pub const fn entry_status(value: EntryStatus) -> Option<&'static str> {
    match value {
        EntryStatus::Booked => Some("Booked"),
        EntryStatus::Pending | EntryStatus::Future => Some("Pending"),
        EntryStatus::Rejected => Some("Rejected"),
        EntryStatus::Information => None,
    }
}

/// Every status of an entry, for schemas.
pub(crate) const ENTRY_STATUSES: [&str; 3] = ["Booked", "Pending", "Rejected"];

names! {
    /// The status of an account-access consent, which is never consumed. A revoked consent is still shown as
    /// authorised. Source: T8, AIS-070 to AIS-072.
    consent_status(ConsentState) {
        ConsentState::AwaitingUpload | ConsentState::AwaitingAuthorisation => "AwaitingAuthorisation",
        ConsentState::Authorised | ConsentState::Consumed | ConsentState::Revoked(_) => "Authorised",
        ConsentState::Rejected => "Rejected",
    }
    /// The status of a funds-confirmation consent, which is never consumed. A consent revoked by the bank is still
    /// shown as authorised. Source: T8, CBP-012, CBP-016.
    funds_consent_status(ConsentState) {
        ConsentState::AwaitingUpload | ConsentState::AwaitingAuthorisation => "AwaitingAuthorisation",
        ConsentState::Authorised | ConsentState::Consumed | ConsentState::Revoked(RevokedBy::Bank) => "Authorised",
        ConsentState::Rejected => "Rejected",
        ConsentState::Revoked(RevokedBy::Psu) => "Revoked",
    }
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
    /// Source: AIS-102, `OBExternalAccountSubType1Code`.
    account_sub_type(AccountSubType) {
        AccountSubType::ChargeCard => "ChargeCard",
        AccountSubType::CreditCard => "CreditCard",
        AccountSubType::CurrentAccount => "CurrentAccount",
        AccountSubType::EMoney => "EMoney",
        AccountSubType::Loan => "Loan",
        AccountSubType::Mortgage => "Mortgage",
        AccountSubType::PrePaidCard => "PrePaidCard",
        AccountSubType::Savings => "Savings",
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
    /// Source: AIS-111, `OBBalanceType1Code`.
    balance_type(BalanceType) {
        BalanceType::ClosingAvailable => "ClosingAvailable",
        BalanceType::ClosingBooked => "ClosingBooked",
        BalanceType::Expected => "Expected",
        BalanceType::ForwardAvailable => "ForwardAvailable",
        BalanceType::Information => "Information",
        BalanceType::InterimAvailable => "InterimAvailable",
        BalanceType::InterimBooked => "InterimBooked",
        BalanceType::OpeningAvailable => "OpeningAvailable",
        BalanceType::OpeningBooked => "OpeningBooked",
        BalanceType::PreviouslyClosedBooked => "PreviouslyClosedBooked",
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
    /// Source: `OBAddressTypeCode`.
    address_type(AddressType) {
        AddressType::Business => "Business",
        AddressType::Correspondence => "Correspondence",
        AddressType::DeliveryTo => "DeliveryTo",
        AddressType::MailTo => "MailTo",
        AddressType::PoBox => "POBox",
        AddressType::Postal => "Postal",
        AddressType::Residential => "Residential",
        AddressType::Statement => "Statement",
    }
    /// Source: AIS-160, `OBBeneficiaryType1Code`.
    beneficiary_type(BeneficiaryType) {
        BeneficiaryType::Trusted => "Trusted",
        BeneficiaryType::Ordinary => "Ordinary",
    }
    /// Source: AIS-170, AIS-171, `OBExternalDirectDebitStatus1Code`, `OBExternalStandingOrderStatus1Code`.
    arrangement_status(ArrangementStatus) {
        ArrangementStatus::Active => "Active",
        ArrangementStatus::Inactive | ArrangementStatus::Suspended | ArrangementStatus::Expired => "Inactive",
    }
    /// Source: AIS-170, `OBReadDirectDebit2`.
    direct_debit_frequency(DirectDebitFrequency) {
        DirectDebitFrequency::Annual => "UK.OBIE.Annual",
        DirectDebitFrequency::Daily => "UK.OBIE.Daily",
        DirectDebitFrequency::Fortnightly => "UK.OBIE.Fortnightly",
        DirectDebitFrequency::HalfYearly => "UK.OBIE.HalfYearly",
        DirectDebitFrequency::Monthly => "UK.OBIE.Monthly",
        DirectDebitFrequency::NotKnown => "UK.OBIE.NotKnown",
        DirectDebitFrequency::Quarterly => "UK.OBIE.Quarterly",
        DirectDebitFrequency::Weekly => "UK.OBIE.Weekly",
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
