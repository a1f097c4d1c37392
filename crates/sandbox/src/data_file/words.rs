//! Enumerations, by the names of the standard. What the standard has no name for goes by the bank's own.

use super::faults::At;
use super::node::Node;
use super::shape::{Definitions, Reader, Shape};
use lombard_corebank::channel::Channel;
use lombard_corebank::plan::{Roll, Scheme};
use lombard_domain::account::product::{self, Choice, OtherCode};
use lombard_domain::account::{
    AccountRole, AccountScheme, AccountStatus, AccountSubType, AccountType, AddressType, ArrangementStatus,
    BeneficiaryType, CardAuthorisation, CardScheme, DirectDebitFrequency, EntryStatus, FeeFrequency, FeeRateType,
    InterestFrequency, InterestRateType, LegalStructure, OfferType, PartyType, ScheduledType, StatementAmountType,
    StatementBenefitType, StatementDateType, StatementFeeType, StatementInterestType, StatementRateType, StatementType,
    StatementValueType, SwitchStatus,
};
use lombard_domain::money::CreditDebit;
use lombard_wire::v3_1::names;

/// An enumeration whose values have names.
pub(super) trait Word: Copy + 'static {
    /// Every value with its name.
    const ALL: &'static [(Self, &'static str)];

    /// The value's name.
    fn name(self) -> &'static str;
}

/// Reads one of the names of an enumeration.
pub(super) fn read_word<T: Word>(text: &str) -> Option<T> {
    T::ALL.iter().find(|(_, name)| *name == text).map(|(value, _)| *value)
}

fn schema_of<T: Word>() -> Node {
    Node::object([("enum", Node::texts(T::ALL.iter().map(|(_, name)| *name)))])
}

/// Values and their names; the match without wildcard makes a value left out an error.
macro_rules! words {
    ($($type:ty: $table:expr => { $($variant:ident)* })*) => {$(
        impl Word for $type {
            const ALL: &'static [(Self, &'static str)] = &[$((Self::$variant, $table(Self::$variant))),*];

            fn name(self) -> &'static str {
                match self { $(Self::$variant => $table(Self::$variant),)* }
            }
        }
        words!(@shape $type);
    )*};
    ($($type:ty { $($variant:ident = $name:literal)* })*) => {$(
        impl Word for $type {
            const ALL: &'static [(Self, &'static str)] = &[$((Self::$variant, $name)),*];

            fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }
        }
        words!(@shape $type);
    )*};
    (@shape $type:ty) => {
        impl Shape for $type {
            fn schema(_: &mut Definitions) -> Node {
                schema_of::<Self>()
            }

            fn read(node: Node, at: &At<'_>, reader: &mut Reader) -> Option<Self> {
                let word = match &node {
                    Node::Text(text) => read_word(text),
                    _ => None,
                };
                if word.is_none() {
                    return reader.fault(at, one_of::<Self>());
                }
                word
            }

            fn write(&self) -> Node {
                Node::text(self.name())
            }
        }
    };
}

/// A sentence that lists the words there are.
fn one_of<T: Word>() -> String {
    let names: Vec<_> = T::ALL.iter().map(|(_, name)| *name).collect();
    format!("Must be one of {}.", names.join(", "))
}

words! {
    AccountStatus: names::account_status => { Enabled Disabled Deleted ProForma Pending }
    AccountType: names::account_type => { Business Personal }
    AccountSubType: names::account_sub_type => {
        ChargeCard CreditCard CurrentAccount EMoney Loan Mortgage PrePaidCard Savings
    }
    SwitchStatus: names::switch_status => { NotSwitched SwitchCompleted }
    AccountScheme: names::account_scheme => { Bban Iban Pan Paym SortCodeAccountNumber Wallet }
    CreditDebit: names::credit_debit => { Credit Debit }
    EntryStatus: names::entry_status => { Booked Pending Rejected }
    CardScheme: names::card_scheme => { AmericanExpress Diners Discover MasterCard Visa }
    CardAuthorisation: names::card_authorisation => { ConsumerDevice Contactless None Pin }
    AddressType: names::address_type => {
        Business Correspondence DeliveryTo MailTo PoBox Postal Residential Statement
    }
    BeneficiaryType: names::beneficiary_type => { Trusted Ordinary }
    ArrangementStatus: names::arrangement_status => { Active Inactive }
    DirectDebitFrequency: names::direct_debit_frequency => {
        Annual Daily Fortnightly HalfYearly Monthly NotKnown Quarterly Weekly
    }
    ScheduledType: names::scheduled_type => { Arrival Execution }
    OfferType: names::offer_type => { BalanceTransfer LimitIncrease MoneyTransfer Other PromotionalRate }
    PartyType: names::party_type => { Delegate Joint Sole }
    AccountRole: names::account_role => {
        Administrator Beneficiary CustodianForMinor Granter LegalGuardian OtherParty PowerOfAttorney Principal
        Protector RegisteredShareholderName SecondaryOwner SeniorManagingOfficial Settlor SuccessorOnDeath
    }
    LegalStructure: names::legal_structure => {
        CommunityInterestCompany CharitableIncorporatedOrganisation Charity CoOperative GeneralPartnership Individual
        LimitedLiabilityPartnership LimitedPartnership PrivateLimitedCompany PublicLimitedCompany
        ScottishLimitedPartnership SoleTrader
    }
    StatementType: names::statement_type => { AccountClosure AccountOpening Annual Interim RegularPeriodic }
    StatementAmountType: names::statement_amount_type => {
        ArrearsClosingBalance AvailableBalance AverageBalanceWhenInCredit AverageBalanceWhenInDebit
        AverageDailyBalance BalanceTransferClosingBalance CashClosingBalance ClosingBalance CreditLimit CurrentPayment
        DirectDebitPaymentDue FscsInsurance MinimumPaymentDue PendingTransactionsBalance PreviousClosingBalance
        PreviousPayment PurchaseClosingBalance StartingBalance TotalAdjustments TotalCashAdvances TotalCharges
        TotalCredits TotalDebits TotalPurchases
    }
    StatementBenefitType: names::statement_benefit_type => { Cashback Insurance TravelDiscount TravelInsurance }
    StatementFeeType: names::statement_fee_type => {
        Annual BalanceTransfer CashAdvance CashTransaction ForeignCashTransaction ForeignTransaction Gambling
        LatePayment MoneyTransfer Monthly Overlimit PostalOrder PrizeEntry StatementCopy Total
    }
    StatementInterestType: names::statement_interest_type => { BalanceTransfer Cash EstimatedNext Purchase Total }
    StatementRateType: names::statement_rate_type => {
        AnnualBalanceTransfer AnnualBalanceTransferAfterPromo AnnualBalanceTransferPromo AnnualCash AnnualPurchase
        AnnualPurchaseAfterPromo AnnualPurchasePromo MonthlyBalanceTransfer MonthlyCash MonthlyPurchase
    }
    StatementDateType: names::statement_date_type => {
        BalanceTransferPromoEnd DirectDebitDue LastPayment LastStatement NextStatement PaymentDue PurchasePromoEnd
        StatementAvailable
    }
    StatementValueType: names::statement_value_type => {
        AirMilesPoints AirMilesPointsBalance Credits Debits HotelPoints HotelPointsBalance RetailShoppingPoints
        RetailShoppingPointsBalance
    }
    FeeRateType: names::fee_rate_type => { Aer Ear }
    FeeFrequency: names::fee_frequency => {
        ChargingPeriod PerTransactionAmount PerTransactionPercentage Quarterly StatementMonthly Weekly
    }
    InterestRateType: names::interest_rate_type => { BoeBaseRate FixedRate Gross LoanProviderBaseRate Net }
    InterestFrequency: names::interest_frequency => {
        Daily HalfYearly Monthly PerStatementDate Quarterly Weekly Yearly
    }
}

/// The only scheme a bank is named by. Source: AIS-103.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BicScheme {
    Bicfi,
}

/// What a product is. Source: AIS-180.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ProductWord {
    Personal,
    Business,
    Card,
    Loan,
    Other,
}

words! {
    BicScheme { Bicfi = "UK.OBIE.BICFI" }
    ProductWord {
        Personal = "PersonalCurrentAccount" Business = "BusinessCurrentAccount" Card = "CommercialCreditCard"
        Loan = "SMELoan" Other = "Other"
    }
    Channel {
        FasterPayment = "FasterPayment" Bacs = "Bacs" Chaps = "Chaps" CardTransfer = "CardTransfer"
        Salary = "Salary" DirectDebit = "DirectDebit" StandingOrder = "StandingOrder" CrossBorder = "CrossBorder" Internal = "Internal" DebitCard = "DebitCard"
        CreditCard = "CreditCard" CashMachine = "CashMachine" Interest = "Interest" Fee = "Fee" Cashback = "Cashback"
    }
    Roll { Stays = "Stays" Next = "Next" Before = "Before" }
    Scheme { SortCode = "UK.OBIE.SortCodeAccountNumber" Iban = "UK.OBIE.IBAN" Bban = "UK.OBIE.BBAN" }
}

words! {
    product::Tiering { Banded = "Banded" Tiered = "Tiered" Whole = "Whole" }
    product::PersonalTiering { Tiered = "Tiered" Whole = "Whole" }
    product::InterestCalculation { Compound = "Compound" Simple = "Simple" }
    product::Destination { PayAway = "PayAway" SelfCredit = "SelfCredit" }
    product::RateVariation { Fixed = "Fixed" Variable = "Variable" }
    product::InterestFrequency {
        AcademicTerm = "AcademicTerm" Daily = "Daily" HalfYearly = "HalfYearly" Monthly = "Monthly"
        Quarterly = "Quarterly" PerStatementDate = "PerStatementDate" Weekly = "Weekly" Yearly = "Yearly"
    }
    product::Period {
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
    product::RateType {
        LinkedBaseRate = "LinkedBaseRate" Fixed = "FixedRate" Gross = "Gross"
        LoanProviderBaseRate = "LoanProviderBaseRate" Net = "Net"
    }
    product::FeeFrequency {
        OnClosing = "OnClosing" OnOpening = "OnOpening" AcademicTerm = "AcademicTerm"
        ChargingPeriod = "ChargingPeriod" Daily = "Daily" Hourly = "PerItemHourly" PerItem = "PerItem"
        Monthly = "Monthly" OnAnniversary = "OnAnniversary" PerHundredPounds = "PerHundredPounds" PerHour = "PerHour"
        PerOccurrence = "PerOccurrence" PerSheet = "PerSheet" PerTransaction = "PerTransaction"
        PerTransactionAmount = "PerTransactionAmount" PerTransactionPercentage = "PerTransactionPercentage"
        Quarterly = "Quarterly" SixMonthly = "SixMonthly" StatementMonthly = "StatementMonthly" Weekly = "Weekly"
        Yearly = "Yearly"
    }
    product::Bound { Minimum = "Minimum" Maximum = "Maximum" }
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

/// A word of a list, or an object that explains another: what is in no list is told in words.
impl<T: Word> Shape for Choice<T> {
    fn schema(definitions: &mut Definitions) -> Node {
        Node::object([("anyOf", Node::List(vec![schema_of::<T>(), OtherCode::schema(definitions)]))])
    }

    fn read(node: Node, at: &At<'_>, reader: &mut Reader) -> Option<Self> {
        let Node::Text(text) = &node else { return OtherCode::read(node, at, reader).map(Self::Other) };
        match read_word(text) {
            Some(word) => Some(Self::Listed(word)),
            None => reader.fault(at, format!("{} Or an object that explains it.", one_of::<T>())),
        }
    }

    fn write(&self) -> Node {
        match self {
            Self::Listed(word) => Node::text(word.name()),
            Self::Other(other) => other.write(),
        }
    }
}
