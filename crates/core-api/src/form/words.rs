//! The forms of enumerations. The names are the standard's, or the bank's own where the standard has none.

use super::faults::JsonLocation;
use super::node::JsonNode;
use super::schema::{Definitions, HasSchema};
use super::shape::{FieldForm, FormReader, SingleForm};
use lombard_domain::account::product::{self, CodeOrOther, OtherCode};
use lombard_domain::account::{
    AccountRole, AccountScheme, AccountStatus, AccountSubType, AccountType, AddressType, ArrangementStatus,
    BalanceType, BeneficiaryType, CardAuthorisation, CardScheme, CreditLineType, DirectDebitFrequency, EntryStatus,
    FeeFrequency, FeeRateType, InterestFrequency, InterestRateType, LegalStructure, Mutability, OfferType, PartyType,
    ScheduledType, StatementAmountType, StatementBenefitType, StatementDateType, StatementFeeType,
    StatementInterestType, StatementRateType, StatementType, StatementValueType, SwitchStatus,
};
use lombard_domain::money::CreditDebit;
use lombard_wire::v3_1::names;
use std::marker::PhantomData;

/// An enumeration whose values have names in the JSON form.
pub trait NamedValue: Copy + 'static {
    /// All values.
    const VALUES: &'static [Self];

    /// The name of the value.
    fn name(self) -> &'static str;
}

/// A table of names for an enumeration of another crate.
pub trait EnumNames {
    /// The enumeration that the table names.
    type Word: Copy + 'static;
    /// All values.
    const VALUES: &'static [Self::Word];

    /// The name of a value.
    fn name(value: Self::Word) -> &'static str;
}

/// An enumeration that names its own values is its own table of names.
impl<T: NamedValue> EnumNames for T {
    type Word = T;
    const VALUES: &'static [T] = T::VALUES;

    fn name(value: T) -> &'static str {
        value.name()
    }
}

/// The form of an enumeration whose names the table `N` holds.
#[derive(Debug)]
pub struct NamedForm<N>(PhantomData<N>);

impl<N: EnumNames> HasSchema for NamedForm<N> {
    fn schema(_: &mut Definitions) -> JsonNode<'static> {
        JsonNode::object([("enum", JsonNode::texts(N::VALUES.iter().map(|value| N::name(*value))))])
    }
}

impl<N: EnumNames> FieldForm<N::Word> for NamedForm<N> {
    fn read(node: JsonNode<'_>, at: &JsonLocation<'_>, reader: &mut FormReader) -> Option<N::Word> {
        let named = |text: &str| N::VALUES.iter().copied().find(|value| N::name(*value) == text);
        let word = if let JsonNode::Text(text) = &node { named(text) } else { None };
        if word.is_none() {
            return reader.fault(at, one_of::<N>());
        }
        word
    }

    fn write(value: &N::Word) -> JsonNode<'static> {
        JsonNode::text(N::name(*value))
    }
}

/// Parses the name of a value; `None` if no value has this name.
pub fn parse_named_value<T: NamedValue>(text: &str) -> Option<T> {
    T::VALUES.iter().copied().find(|value| value.name() == text)
}

/// Declares the names of enumerations, either from an existing table or as values with names. The generated match has no wildcard, so a
/// value without a name does not compile.
macro_rules! words {
    ($($type:ty: $table:expr;)*) => {$(
        impl $crate::form::words::NamedValue for $type {
            const VALUES: &'static [Self] = <Self as lombard_domain::code::Enumerated>::VALUES;

            fn name(self) -> &'static str {
                $table(self)
            }
        }
        $crate::form::words::words!(@shape $type);
    )*};
    ($($type:ty { $($variant:ident = $name:literal)* })*) => {$(
        impl $crate::form::words::NamedValue for $type {
            const VALUES: &'static [Self] = &[$(Self::$variant),*];

            fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }
        }
        $crate::form::words::words!(@shape $type);
    )*};
    (@shape $type:ty) => {
        impl $crate::form::shape::SingleForm for $type {
            fn schema(definitions: &mut $crate::form::schema::Definitions) -> $crate::form::node::JsonNode<'static> {
                <$crate::form::words::NamedForm<Self> as $crate::form::schema::HasSchema>::schema(definitions)
            }

            fn read(
                node: $crate::form::node::JsonNode<'_>,
                at: &$crate::form::faults::JsonLocation<'_>,
                reader: &mut $crate::form::shape::FormReader,
            ) -> Option<Self> {
                <$crate::form::words::NamedForm<Self> as $crate::form::shape::FieldForm<Self>>::read(node, at, reader)
            }

            fn write(&self) -> $crate::form::node::JsonNode<'static> {
                $crate::form::node::JsonNode::text($crate::form::words::NamedValue::name(*self))
            }
        }
    };
}

pub(crate) use words;

/// Returns the fault message that lists the allowed names.
fn one_of<N: EnumNames>() -> String {
    let names: Vec<_> = N::VALUES.iter().map(|value| N::name(*value)).collect();
    format!("Must be one of {}.", names.join(", "))
}

words! {
    AccountStatus: names::account_status;
    AccountType: names::account_type;
    AccountSubType: names::account_sub_type;
    SwitchStatus: names::switch_status;
    AccountScheme: names::account_scheme;
    CreditDebit: names::credit_debit;
    EntryStatus: entry_status;
    CardScheme: names::card_scheme;
    CardAuthorisation: names::card_authorisation;
    AddressType: names::address_type;
    BeneficiaryType: names::beneficiary_type;
    ArrangementStatus: arrangement_status;
    DirectDebitFrequency: names::direct_debit_frequency;
    ScheduledType: names::scheduled_type;
    OfferType: names::offer_type;
    PartyType: names::party_type;
    AccountRole: names::account_role;
    LegalStructure: names::legal_structure;
    StatementType: names::statement_type;
    StatementAmountType: names::statement_amount_type;
    StatementBenefitType: names::statement_benefit_type;
    StatementFeeType: names::statement_fee_type;
    StatementInterestType: names::statement_interest_type;
    StatementRateType: names::statement_rate_type;
    BalanceType: names::balance_type;
    Mutability: names::mutability;
    StatementDateType: names::statement_date_type;
    StatementValueType: names::statement_value_type;
    FeeRateType: names::fee_rate_type;
    FeeFrequency: names::fee_frequency;
    InterestRateType: names::interest_rate_type;
    InterestFrequency: names::interest_frequency;
}

/// The names of v3.1, and names in the same style for statuses that v3.1 does not have. Source: AIS-135.
const fn entry_status(status: EntryStatus) -> &'static str {
    match status {
        EntryStatus::Booked => "Booked",
        EntryStatus::Pending => "Pending",
        EntryStatus::Rejected => "Rejected",
        EntryStatus::Future => "Future",
        EntryStatus::Information => "Information",
    }
}

/// The names of v3.1, and names in the same style for statuses that v3.1 does not have. Source: AIS-170.
const fn arrangement_status(status: ArrangementStatus) -> &'static str {
    match status {
        ArrangementStatus::Active => "Active",
        ArrangementStatus::Inactive => "Inactive",
        ArrangementStatus::Suspended => "Suspended",
        ArrangementStatus::Expired => "Expired",
    }
}

/// The scheme of a bank's identification; the standard has only this one. Source: AIS-103.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BicScheme {
    /// A BIC.
    Bicfi,
}

/// The product types in the JSON form. Source: AIS-180.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProductWord {
    /// A personal current account.
    Personal,
    /// A business current account.
    Business,
    /// A commercial credit card.
    Card,
    /// A loan to a small or medium-sized enterprise.
    Loan,
    /// Any other product.
    Other,
}

words! {
    BicScheme { Bicfi = "UK.OBIE.BICFI" }
    CreditLineType {
        Available = "Available" Credit = "Credit" Emergency = "Emergency" PreAgreed = "Pre-Agreed"
        Temporary = "Temporary"
    }
    ProductWord {
        Personal = "PersonalCurrentAccount" Business = "BusinessCurrentAccount" Card = "CommercialCreditCard"
        Loan = "SMELoan" Other = "Other"
    }
}

words! {
    product::Tiering { Banded = "Banded" Tiered = "Tiered" Whole = "Whole" }
    product::PersonalTiering { Tiered = "Tiered" Whole = "Whole" }
    product::InterestCalculation { Compound = "Compound" Simple = "Simple" }
    product::InterestDestination { PayAway = "PayAway" SelfCredit = "SelfCredit" }
    product::RateVariation { Fixed = "Fixed" Variable = "Variable" }
    product::ProductInterestFrequency {
        AcademicTerm = "AcademicTerm" Daily = "Daily" HalfYearly = "HalfYearly" Monthly = "Monthly"
        Quarterly = "Quarterly" PerStatementDate = "PerStatementDate" Weekly = "Weekly" Yearly = "Yearly"
    }
    product::TimeUnit {
        AcademicTerm = "AcademicTerm" Day = "Day" HalfYear = "Half Year" Month = "Month" Quarter = "Quarter"
        Week = "Week" Year = "Year"
    }
    product::OverdraftFeeType {
        ArrangedOverdraft = "ArrangedOverdraft" AnnualReview = "AnnualReview"
        EmergencyBorrowing = "EmergencyBorrowing" BorrowingItem = "BorrowingItem"
        OverdraftRenewal = "OverdraftRenewal" OverdraftSetup = "OverdraftSetup" Surcharge = "Surcharge"
        TemporaryOverdraft = "TempOverdraft" UnauthorisedBorrowing = "UnauthorisedBorrowing"
        UnauthorisedPaidTransaction = "UnauthorisedPaidTrans" UnauthorisedUnpaidTransaction = "UnauthorisedUnpaidTrans"
    }
    product::AccountFeeType {
        Prepayment = "Prepayment" Account = "ServiceCAccountFee" AccountMonthly = "ServiceCAccountFeeMonthly"
        AccountQuarterly = "ServiceCAccountFeeQuarterly" FixedTariff = "ServiceCFixedTariff"
        DepositBreakage = "ServiceCBusiDepAccBreakage" MinimumMonthly = "ServiceCMinimumMonthlyFee"
        OtherService = "ServiceCOther"
    }
    product::FeeCategory { Repayment = "Repayment" Servicing = "Servicing" }
    product::ProductRateType {
        LinkedBaseRate = "LinkedBaseRate" Fixed = "FixedRate" Gross = "Gross"
        LoanProviderBaseRate = "LoanProviderBaseRate" Net = "Net"
    }
    product::ProductFeeFrequency {
        OnClosing = "OnClosing" OnOpening = "OnOpening" AcademicTerm = "AcademicTerm"
        ChargingPeriod = "ChargingPeriod" Daily = "Daily" Hourly = "PerItemHourly" PerItem = "PerItem"
        Monthly = "Monthly" OnAnniversary = "OnAnniversary" PerHundredPounds = "PerHundredPounds" PerHour = "PerHour"
        PerOccurrence = "PerOccurrence" PerSheet = "PerSheet" PerTransaction = "PerTransaction"
        PerTransactionAmount = "PerTransactionAmount" PerTransactionPercentage = "PerTransactionPercentage"
        Quarterly = "Quarterly" SixMonthly = "SixMonthly" StatementMonthly = "StatementMonthly" Weekly = "Weekly"
        Yearly = "Yearly"
    }
    product::FeeLimitBound { Minimum = "Minimum" Maximum = "Maximum" }
    product::TariffType { Electronic = "Electronic" Mixed = "Mixed" }
    product::PersonalSegment {
        Basic = "Basic" BenefitAndReward = "BenefitAndReward" CreditInterest = "CreditInterest" Cashback = "Cashback"
        General = "General" Graduate = "Graduate" Other = "Other" Overdraft = "Overdraft" Packaged = "Packaged"
        Premium = "Premium" Reward = "Reward" Student = "Student" YoungAdult = "YoungAdult" Youth = "Youth"
    }
    product::BusinessSegment {
        ClientAccount = "ClientAccount" Standard = "Standard" Charity = "NonCommercialCharitiesClbSoc"
        PublicAuthority = "NonCommercialPublicAuthGovt" Religious = "Religious" SectorSpecific = "SectorSpecific"
        Startup = "Startup" Switcher = "Switcher"
    }
    product::LendingSegment {
        Agriculture = "Agriculture" Business = "Business" FlexibleBusinessLoan = "FlexibleBusinessLoan"
        FixedGroup = "FixedGroup" GovernmentScheme = "GovernmentScheme"
    }
    product::OverdraftType { Committed = "Committed" OnDemand = "OnDemand" Other = "Other" }
    product::RepaymentType {
        Balloon = "Balloon" Bullet = "Bullet" CapitalAndInterest = "CapitalAndInterest"
        CustomSchedule = "CustomSchedule" EarlyRepayment = "EarlyRepayment"
        FixedCapitalFullyAmortising = "FixedCapitalFullyAmortising" FixedCapitalWithBullet = "FixedCapitalWithBullet"
        FixedReducingBalance = "FixedReducingBalance" InterestOnly = "InterestOnly" PrepaymentFee = "PrepaymentFee"
        RepaymentWithBullet = "RepaymentWithBullet" StraightLineInterestOnly = "StraightLineInterestOnly"
    }
    product::RepaymentFrequency {
        Daily = "Daily" Flexible = "Flexible" Fortnightly = "Fortnightly" HalfYearly = "HalfYearly"
        Monthly = "Monthly" Quarterly = "Quarterly" Weekly = "Weekly" Yearly = "Yearly"
    }
    product::RepaymentAmount {
        BalanceToDate = "BalanceToDate" Balloon = "Balloon" CapitalAndInterest = "CapitalAndInterest"
        FeeChargeCap = "FeeChargeCap" InterestOnly = "InterestOnly" LumpSum = "LumpSum"
    }
}

/// The form of a value or its description: a listed name, or an object that describes a value that is not listed.
impl<T: NamedValue> SingleForm for CodeOrOther<T> {
    fn schema(definitions: &mut Definitions) -> JsonNode<'static> {
        JsonNode::object([(
            "anyOf",
            JsonNode::List(vec![NamedForm::<T>::schema(definitions), OtherCode::schema(definitions)]),
        )])
    }

    fn read(node: JsonNode<'_>, at: &JsonLocation<'_>, reader: &mut FormReader) -> Option<Self> {
        let JsonNode::Text(text) = &node else { return OtherCode::read(node, at, reader).map(Self::Other) };
        match parse_named_value(text) {
            Some(word) => Some(Self::Listed(word)),
            None => reader.fault(at, format!("{} Or an object that explains it.", one_of::<T>())),
        }
    }

    fn write(&self) -> JsonNode<'static> {
        match self {
            Self::Listed(word) => JsonNode::text(word.name()),
            Self::Other(other) => other.write(),
        }
    }
}
