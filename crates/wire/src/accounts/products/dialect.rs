//! The codes of product enumerations in the standard's three dialects: one exhaustive table per enumeration, one column
//! per dialect.
//!
//! A blank (`_`) is a value without a code in the dialect. If the dialect has a code `Other`, the value is written as `Other`
//! with its label as the explanation; otherwise the member is omitted.

use lombard_domain::account::product::{
    AccountFeeType, BusinessSegment, FeeCategory, FeeLimitBound, InterestCalculation, InterestDestination,
    LendingSegment, OverdraftFeeType, OverdraftType, PersonalSegment, PersonalTiering, ProductFeeFrequency,
    ProductInterestFrequency, ProductRateType, RateVariation, RepaymentAmount, RepaymentFrequency, RepaymentType,
    Segment, TariffType, Tiering, TimeUnit,
};

/// A dialect of product terms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dialect {
    /// `OBPCAData1`.
    Personal,
    /// `OBBCAData1`.
    Business,
    /// `OtherProductType`.
    Other,
}

impl Dialect {
    /// The entry of a row for this dialect.
    fn pick<T>(self, [personal, business, other]: [T; 3]) -> T {
        match self {
            Self::Personal => personal,
            Self::Business => business,
            Self::Other => other,
        }
    }
}

/// A value with codes in the dialects.
pub(super) trait DialectWord: Copy {
    /// The code in a dialect, if it has one.
    fn in_dialect(self, dialect: Dialect) -> Option<&'static str>;

    /// The explanation for a dialect that has only `Other`.
    fn label(self) -> &'static str;

    /// The dialect's code `Other`, if it has one with an explanation.
    fn other_in(dialect: Dialect) -> Option<&'static str>;
}

macro_rules! cell {
    (_) => {
        None
    };
    ($word:literal) => {
        Some($word)
    };
}

macro_rules! words {
    ($($(#[$doc:meta])* $type:ident [$($other:tt)*] {
        $($value:ident = $label:literal: $personal:tt $business:tt $rest:tt,)*
    })*) => {$(
        $(#[$doc])*
        impl DialectWord for $type {
            fn in_dialect(self, dialect: Dialect) -> Option<&'static str> {
                dialect.pick(match self {
                    $(Self::$value => [cell!($personal), cell!($business), cell!($rest)],)*
                })
            }

            fn label(self) -> &'static str {
                match self { $(Self::$value => $label,)* }
            }

            fn other_in(dialect: Dialect) -> Option<&'static str> {
                dialect.pick([$(cell!($other)),*])
            }
        }
    )*};
}

words! {
    /// Source: `OB_OverdraftFeeType1Code`.
    OverdraftFeeType ["Other" "Other" "FTOT"] {
        ArrangedOverdraft = "Arranged overdraft": "ArrangedOverdraft" "ArrangedOverdraft" "FBAO",
        AnnualReview = "Annual review": "AnnualReview" "AnnualReview" "FBAR",
        EmergencyBorrowing = "Emergency borrowing": "EmergencyBorrowing" "EmergencyBorrowing" "FBEB",
        BorrowingItem = "Borrowing item": "BorrowingItem" "BorrowingItem" "FBIT",
        OverdraftRenewal = "Overdraft renewal": "OverdraftRenewal" "OverdraftRenewal" "FBOR",
        OverdraftSetup = "Overdraft setup": "OverdraftSetup" "OverdraftSetup" "FBOS",
        Surcharge = "Surcharge": "Surcharge" "Surcharge" "FBSC",
        TemporaryOverdraft = "Temporary overdraft": "TempOverdraft" "TempOverdraft" "FBTO",
        UnauthorisedBorrowing = "Unauthorised borrowing": "UnauthorisedBorrowing" "UnauthorisedBorrowing" "FBUB",
        UnauthorisedPaidTransaction = "Unauthorised paid transaction":
            "UnauthorisedPaidTrans" "UnauthorisedPaidTrans" "FBUT",
        UnauthorisedUnpaidTransaction = "Unauthorised unpaid transaction":
            "UnauthorisedUnpaidTrans" "UnauthorisedUnpaidTrans" "FTUT",
    }
    /// Source: `OB_FeeType1Code`.
    AccountFeeType ["Other" "Other" "FTOT"] {
        Prepayment = "Prepayment fee": _ _ "FEPF",
        Account = "Account fee": "ServiceCAccountFee" "ServiceCAccountFee" "FYAF",
        AccountMonthly = "Monthly account fee": "ServiceCAccountFeeMonthly" "ServiceCAccountFeeMonthly" "FYAM",
        AccountQuarterly = "Quarterly account fee": _ "ServiceCAccountFeeQuarterly" "FYAQ",
        FixedTariff = "Fixed tariff": _ "ServiceCFixedTariff" "FYCP",
        DepositBreakage = "Deposit breakage": _ "ServiceCBusiDepAccBreakage" "FYDB",
        MinimumMonthly = "Minimum monthly fee": _ "ServiceCMinimumMonthlyFee" "FYMI",
        OtherService = "Other service": "ServiceCOther" "ServiceCOther" "FYXX",
    }
    /// Source: `OB_FeeCategory1Code`.
    FeeCategory ["Other" "Other" "FCOT"] {
        Repayment = "Repayment": _ _ "FCRE",
        Servicing = "Servicing": "Servicing" "Servicing" "FCSV",
    }
    /// Source: `OB_InterestRateType1Code_0`.
    ProductRateType ["Other" "Other" "INOT"] {
        LinkedBaseRate = "Linked to the base rate": "LinkedBaseRate" _ "INBB",
        Fixed = "Fixed rate": _ _ "INFR",
        Gross = "Gross": "Gross" "Gross" "INGR",
        LoanProviderBaseRate = "Linked to the lender's base rate": _ _ "INLR",
        Net = "Net": "Net" _ "INNE",
    }
    /// Source: `OB_FeeFrequency1Code_0`.
    ProductFeeFrequency ["Other" "Other" "FEOT"] {
        OnClosing = "On closing": "AccountClosing" "OnClosing" "FEAC",
        OnOpening = "On opening": "AccountOpening" "OnOpening" "FEAO",
        AcademicTerm = "Each academic term": "AcademicTerm" _ _,
        ChargingPeriod = "Each charging period": "ChargingPeriod" "ChargingPeriod" "FECP",
        Daily = "Daily": "Daily" "Daily" "FEDA",
        Hourly = "Hourly": _ _ "FEHO",
        PerItem = "Per item": "PerItem" "PerItem" "FEI",
        Monthly = "Monthly": "Monthly" "Monthly" "FEMO",
        OnAnniversary = "On the anniversary": "OnAccountAnniversary" "OnAnniversary" "FEOA",
        PerHundredPounds = "Per hundred pounds": _ "PerHundredPounds" "FEPC",
        PerHour = "Per hour": "PerHour" "PerHour" "FEPH",
        PerOccurrence = "Per occurrence": "PerOccurrence" "PerOccurrence" "FEPO",
        PerSheet = "Per sheet": "PerSheet" "PerSheet" "FEPS",
        PerTransaction = "Per transaction": "PerTransaction" "PerTransaction" "FEPT",
        PerTransactionAmount = "Per transaction, a sum": "PerTransactionAmount" "PerTransactionAmount" "FEPTA",
        PerTransactionPercentage = "Per transaction, a part":
            "PerTransactionPercentage" "PerTransactionPercentage" "FEPTP",
        Quarterly = "Quarterly": "Quarterly" "Quarterly" "FEQU",
        SixMonthly = "Every six months": "SixMonthly" "SixMonthly" "FESM",
        StatementMonthly = "Each monthly statement": "StatementMonthly" "StatementMonthly" "FEST",
        Weekly = "Weekly": "Weekly" "Weekly" "FEWE",
        Yearly = "Yearly": "Yearly" "Yearly" "FEYE",
    }
    /// Source: `OB_MinMaxType1Code`.
    FeeLimitBound [_ _ _] {
        Minimum = "Minimum": "Minimum" "Minimum" "FMMN",
        Maximum = "Maximum": "Maximum" "Maximum" "FMMX",
    }
    /// Source: `OB_Period1Code`.
    TimeUnit [_ _ _] {
        AcademicTerm = "Academic term": "AcademicTerm" _ "PACT",
        Day = "Day": "Day" "Day" "PDAY",
        HalfYear = "Half-year": "Half Year" "Half Year" "PHYR",
        Month = "Month": "Month" "Month" "PMTH",
        Quarter = "Quarter": "Quarter" "Quarter" "PQTR",
        Week = "Week": "Week" "Week" "PWEK",
        Year = "Year": "Year" "Year" "PYER",
    }
    /// Personal current accounts have no tariffs. Source: `TariffType`.
    TariffType [_ "Other" "TTOT"] {
        Electronic = "Electronic": _ "Electronic" "TTEL",
        Mixed = "Mixed": _ "Mixed" "TTMX",
    }
    /// Source: `TierBandMethod`.
    Tiering [_ _ _] {
        Banded = "Banded": "Banded" "Banded" "INBA",
        Tiered = "Tiered": "Tiered" "Tiered" "INTI",
        Whole = "Whole": "Whole" "Whole" "INWH",
    }
    /// Source: `OBPCAData1/CreditInterest/TierBandSet/TierBandMethod`.
    PersonalTiering [_ _ _] {
        Tiered = "Tiered": "Tiered" "Tiered" "INTI",
        Whole = "Whole": "Whole" "Whole" "INWH",
    }
    /// Source: `OB_InterestCalculationMethod1Code`.
    InterestCalculation [_ _ "ITOT"] {
        Compound = "Compound": "Compound" "Compound" "ITCO",
        Simple = "Simple interest": "SimpleInterest" "SimpleInterest" "ITSI",
    }
    /// Source: `Destination`.
    InterestDestination [_ _ "INOT"] {
        PayAway = "Pay away": "PayAway" "PayAway" "INPA",
        SelfCredit = "Self credit": "SelfCredit" "SelfCredit" "INSC",
    }
    /// Source: `OB_InterestFixedVariableType1Code`.
    RateVariation [_ _ _] {
        Fixed = "Fixed": "Fixed" "Fixed" "INFI",
        Variable = "Variable": "Variable" "Variable" "INVA",
    }
    /// Source: `ApplicationFrequency`, `CalculationFrequency` of credit interest.
    ProductInterestFrequency ["Other" "Other" "FQOT"] {
        AcademicTerm = "Each academic term": "PerAcademicTerm" _ "FQAT",
        Daily = "Daily": "Daily" "Daily" "FQDY",
        HalfYearly = "Half-yearly": "HalfYearly" "HalfYearly" "FQHY",
        Monthly = "Monthly": "Monthly" "Monthly" "FQMY",
        Quarterly = "Quarterly": "Quarterly" "Quarterly" "FQQY",
        PerStatementDate = "On the statement date": "PerStatementDate" "PerStatementDate" "FQSD",
        Weekly = "Weekly": "Weekly" "Weekly" "FQWY",
        Yearly = "Yearly": "Yearly" "Yearly" "FQYY",
    }
    /// `Other` has no explanation here. Source: `OverdraftType`.
    OverdraftType [_ _ _] {
        Committed = "Committed": "Committed" "Committed" "OVCO",
        OnDemand = "On demand": "OnDemand" "OnDemand" "OVOD",
        Other = "Other": "Other" _ "OVOT",
    }
    /// Source: `RepaymentType`.
    RepaymentType [_ _ "USOT"] {
        Balloon = "Balloon": _ _ "USBA",
        Bullet = "Bullet": _ _ "USBU",
        CapitalAndInterest = "Capital and interest": _ _ "USCI",
        CustomSchedule = "Custom schedule": _ _ "USCS",
        EarlyRepayment = "Early repayment": _ _ "USER",
        FixedCapitalFullyAmortising = "Fixed capital, fully amortising": _ _ "USFA",
        FixedCapitalWithBullet = "Fixed capital with bullet": _ _ "USFB",
        FixedReducingBalance = "Fixed payment on a reducing balance": _ _ "USFI",
        InterestOnly = "Interest only": _ _ "USIO",
        PrepaymentFee = "Prepayment fee": _ _ "USPF",
        RepaymentWithBullet = "Repayment with bullet": _ _ "USRW",
        StraightLineInterestOnly = "Straight-line interest only": _ _ "USSL",
    }
    /// Source: `RepaymentFrequency`.
    RepaymentFrequency [_ _ "SMOT"] {
        Daily = "Daily": _ _ "SMDA",
        Flexible = "Flexible": _ _ "SMFL",
        Fortnightly = "Fortnightly": _ _ "SMFO",
        HalfYearly = "Half-yearly": _ _ "SMHY",
        Monthly = "Monthly": _ _ "SMMO",
        Quarterly = "Quarterly": _ _ "SMQU",
        Weekly = "Weekly": _ _ "SMWE",
        Yearly = "Yearly": _ _ "SMYE",
    }
    /// Source: `Repayment/AmountType`.
    RepaymentAmount [_ _ "USOT"] {
        BalanceToDate = "Balance to date": _ _ "RABD",
        Balloon = "Balloon": _ _ "RABL",
        CapitalAndInterest = "Capital and interest": _ _ "RACI",
        FeeChargeCap = "Fee up to its cap": _ _ "RAFC",
        InterestOnly = "Interest only": _ _ "RAIO",
        LumpSum = "Lump sum": _ _ "RALT",
    }
    /// Source: `OBPCAData1/ProductDetails/Segment`.
    PersonalSegment [_ _ _] {
        Basic = "Basic": "Basic" _ "GEBA",
        BenefitAndReward = "Benefit and reward": "BenefitAndReward" _ "GEBR",
        CreditInterest = "Credit interest": "CreditInterest" _ "GECI",
        Cashback = "Cashback": "Cashback" _ "GECS",
        General = "General": "General" _ "GEG",
        Graduate = "Graduate": "Graduate" _ "GEGR",
        Other = "Other": "Other" _ "GEOT",
        Overdraft = "Overdraft": "Overdraft" _ "GEOV",
        Packaged = "Packaged": "Packaged" _ "GEPA",
        Premium = "Premium": "Premium" _ "GEPR",
        Reward = "Reward": "Reward" _ "GERE",
        Student = "Student": "Student" _ "GEST",
        YoungAdult = "Young adult": "YoungAdult" _ "GEYA",
        Youth = "Youth": "Youth" _ "GEYO",
    }
    /// The standard misspells the code for charities. Source: `OBBCAData1/ProductDetails/Segment`.
    BusinessSegment [_ _ _] {
        ClientAccount = "Client account": _ "ClientAccount" "PSCA",
        Standard = "Standard": _ "Standard" "PSES",
        Charity = "Charities, clubs and societies": _ "NonCommercialChaitiesClbSoc" "PSNC",
        PublicAuthority = "Public authorities": _ "NonCommercialPublicAuthGovt" "PSNP",
        Religious = "Religious": _ "Religious" "PSRG",
        SectorSpecific = "Sector-specific": _ "SectorSpecific" "PSSS",
        Startup = "Start-up": _ "Startup" "PSST",
        Switcher = "Switcher": _ "Switcher" "PSSW",
    }
    /// Source: `OtherProductType/ProductDetails/Segment`.
    LendingSegment [_ _ _] {
        Agriculture = "Agriculture": _ _ "GEAS",
        Business = "Business": _ _ "GEBU",
        FlexibleBusinessLoan = "Flexible business loan": _ _ "GEFB",
        FixedGroup = "Fixed group": _ _ "GEFG",
        GovernmentScheme = "Government scheme": _ _ "GEGS",
    }
}

impl DialectWord for Segment {
    fn in_dialect(self, dialect: Dialect) -> Option<&'static str> {
        match self {
            Self::Personal(segment) => segment.in_dialect(dialect),
            Self::Business(segment) => segment.in_dialect(dialect),
            Self::Lending(segment) => segment.in_dialect(dialect),
        }
    }

    fn label(self) -> &'static str {
        match self {
            Self::Personal(segment) => segment.label(),
            Self::Business(segment) => segment.label(),
            Self::Lending(segment) => segment.label(),
        }
    }

    fn other_in(_: Dialect) -> Option<&'static str> {
        None
    }
}
