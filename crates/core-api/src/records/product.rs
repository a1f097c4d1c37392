//! Products and their terms. Enumerations use the standard's names. Members use the bank's model, which is mapped to the
//! standard's three product formats only in responses.

use crate::form::faults::JsonLocation;
use crate::form::node::JsonNode;
use crate::form::schema::{Definitions, MemberList};
use crate::form::shape::{FormOf, FormReader, MemberReader, MemberWriter, ObjectForm, SingleForm};
use crate::form::values::{AsciiKey, BoundedText};
use crate::form::words::ProductWord;
use crate::{choices, objects};
use lombard_domain::account::product::{
    AccountCharges, AccountFee, AccountFeeType, AccountProduct, BusinessCurrentAccount, BusinessFeatures,
    BusinessSegment, CodeOrOther, CreditTierSet, FeeCategory, FeeLimit, FeeLimitBound, FeeRange, InterestCalculation,
    InterestDestination, LendingSegment, LoanInterest, LoanTier, LoanTierSet, OtherCode, OtherFeatures, OtherProduct,
    Overdraft, OverdraftAgreement, OverdraftCharges, OverdraftFee, OverdraftFeeType, OverdraftTier, OverdraftTierSet,
    OverdraftType, PersonalCurrentAccount, PersonalFeatures, PersonalSegment, PersonalTiering, ProductKind,
    ProductRateType, Rate, RateVariation, Repayment, RepaymentAmount, RepaymentFrequency, RepaymentHoliday,
    RepaymentType, Segment, Sum, Tariff, TariffType, TermLength, Tiering, TimeUnit,
};

objects! {
    /// The product of an account; each account has at most one.
    AccountProduct as "Product" {
        /// The account.
        account: required(AsciiKey<40>, "AccountId");
        /// The bank's id of the product, the same on all its accounts, at most 40 characters.
        id: required(AsciiKey<40>, "ProductId");
        /// The secondary product id, which makes the id unique if needed, at most 70 characters.
        secondary_id: optional(BoundedText<70>, "SecondaryProductId");
        /// The marketing name, at most 350 characters.
        name: optional(BoundedText<350>, "ProductName");
        /// The id of the marketing state, at most 35 characters.
        marketing_state: optional(BoundedText<35>, "MarketingStateId");
        kind: flat(ProductKind);
    }

    /// The terms of a personal current account.
    PersonalCurrentAccount as "PCA" {
        /// The features.
        features: optional(FormOf<PersonalFeatures>, "ProductDetails");
        /// The interest on credit balances.
        credit_interest: list(FormOf<CreditTierSet<PersonalTiering, InterestDestination>>, "CreditInterest");
        /// The overdraft.
        overdraft: optional(FormOf<Overdraft>, "Overdraft");
        /// The other charges.
        charges: optional(FormOf<AccountCharges>, "OtherFeesCharges");
    }

    /// The terms of a business current account.
    BusinessCurrentAccount as "BCA" {
        /// The features.
        features: optional(FormOf<BusinessFeatures>, "ProductDetails");
        /// The interest on credit balances.
        credit_interest: list(FormOf<CreditTierSet<Tiering, InterestDestination>>, "CreditInterest");
        /// The overdraft.
        overdraft: optional(FormOf<Overdraft>, "Overdraft");
        /// The other charges, by tariff.
        tariffs: list(FormOf<Tariff>, "OtherFeesCharges");
    }

    /// A product of another type, with its terms.
    OtherProduct as "OtherProductType" {
        /// The name of the product type, 1 to 350 characters.
        name: required(BoundedText<350>, "Name");
        /// The description of the product type, 1 to 350 characters.
        description: required(BoundedText<350>, "Description");
        /// The features.
        features: optional(FormOf<OtherFeatures>, "ProductDetails");
        /// The interest on credit balances.
        credit_interest: list(FormOf<CreditTierSet<Tiering, CodeOrOther<InterestDestination>>>, "CreditInterest");
        /// The overdraft.
        overdraft: optional(FormOf<Overdraft>, "Overdraft");
        /// The interest on a loan.
        loan_interest: optional(FormOf<LoanInterest>, "LoanInterest");
        /// The repayment of a loan.
        repayment: optional(FormOf<Repayment>, "Repayment");
        /// The other charges, by tariff.
        tariffs: list(FormOf<Tariff>, "OtherFeesCharges");
    }

    /// The features of a personal current account.
    PersonalFeatures as "PersonalFeatures" {
        /// The segments.
        segments: list(FormOf<PersonalSegment>, "Segment");
        /// The monthly maximum of charges for an unarranged overdraft.
        monthly_charge_max: optional(FormOf<Sum>, "MonthlyMaximumCharge");
        /// Remarks of at most 2,000 characters.
        notes: list(BoundedText<2000>, "Notes");
    }

    /// The features of a business current account.
    BusinessFeatures as "BusinessFeatures" {
        /// The segments.
        segments: list(FormOf<BusinessSegment>, "Segment");
        /// The fee-free period.
        fee_free: optional(FormOf<TermLength>, "FeeFreeLength");
        /// Remarks of at most 2,000 characters.
        notes: list(BoundedText<2000>, "Notes");
    }

    /// The features of another product.
    OtherFeatures as "OtherFeatures" {
        /// The segments.
        segments: list(FormOf<Segment>, "Segment");
        /// A segment that the enumerations lack.
        other_segment: optional(FormOf<OtherCode>, "OtherSegment");
        /// The fee-free period.
        fee_free: optional(FormOf<TermLength>, "FeeFreeLength");
        /// The monthly maximum of charges for an unarranged overdraft.
        monthly_charge_max: optional(FormOf<Sum>, "MonthlyMaximumCharge");
        /// Remarks of at most 2,000 characters.
        notes: list(BoundedText<2000>, "Notes");
    }

    /// A period of time.
    TermLength as "Length" {
        /// The number of units.
        count: required(FormOf<u32>, "Count");
        /// The unit.
        period: required(FormOf<TimeUnit>, "Period");
    }

    /// A value outside the standard's enumerations, with its description.
    OtherCode as "OtherCode" {
        /// The bank's mnemonic: at most 4 letters, digits or underscores.
        code: optional(BoundedText<4>, "Code");
        /// Its name, 1 to 70 characters.
        name: required(BoundedText<70>, "Name");
        /// Its description, 1 to 350 characters.
        description: required(BoundedText<350>, "Description");
    }

    /// An overdraft.
    Overdraft as "Overdraft" {
        /// The sets of tiers.
        sets: list(FormOf<OverdraftTierSet>, "OverdraftTierBandSet");
        /// Remarks of at most 2,000 characters.
        notes: list(BoundedText<2000>, "Notes");
    }

    /// A set of tiers of an overdraft; a set without tiers is not shown.
    OverdraftTierSet as "OverdraftTierBandSet" {
        /// Its id, at most 35 characters.
        id: optional(BoundedText<35>, "Identification");
        /// How the rate depends on the amount borrowed.
        method: required(FormOf<Tiering>, "TierBandMethod");
        /// Whether the overdraft is committed.
        kind: optional(FormOf<OverdraftType>, "OverdraftType");
        /// Whether the overdraft is authorised.
        authorised: optional(FormOf<bool>, "AuthorisedIndicator");
        /// The buffer above the limit within which no charge applies.
        buffer: optional(FormOf<Sum>, "BufferAmount");
        /// The tiers, lowest first.
        tiers: list(FormOf<OverdraftTier>, "OverdraftTierBand");
        /// The charges on all tiers.
        charges: list(FormOf<OverdraftCharges>, "OverdraftFeesCharges");
        /// Remarks of at most 2,000 characters.
        notes: list(BoundedText<2000>, "Notes");
    }

    /// A tier of an overdraft.
    OverdraftTier as "OverdraftTierBand" {
        /// Its id, at most 35 characters.
        id: optional(BoundedText<35>, "Identification");
        /// The smallest debt of the tier.
        from: required(FormOf<Sum>, "TierValueMin");
        /// The largest debt of the tier.
        to: optional(FormOf<Sum>, "TierValueMax");
        /// The effective annual rate.
        ear: optional(FormOf<Rate>, "EAR");
        /// The representative annual percentage rate; shown for current accounts only.
        apr: optional(FormOf<Rate>, "RepresentativeAPR");
        /// The period of the agreement; not shown for personal current accounts.
        agreement: optional(FormOf<OverdraftAgreement>, "AgreementLength");
        /// The part of the debt to which interest applies; `Banded` is not shown for personal current accounts.
        coverage: optional(FormOf<Tiering>, "OverdraftInterestChargingCoverage");
        /// Whether the rate is guaranteed to every customer.
        guaranteed: optional(FormOf<bool>, "BankGuaranteedIndicator");
        /// The charges on this tier.
        charges: list(FormOf<OverdraftCharges>, "OverdraftFeesCharges");
        /// Remarks of at most 2,000 characters.
        notes: list(BoundedText<2000>, "Notes");
    }

    /// The period of an overdraft agreement.
    OverdraftAgreement as "AgreementLength" {
        /// The smallest number of units.
        min: optional(FormOf<u32>, "Min");
        /// The largest number of units.
        max: optional(FormOf<u32>, "Max");
        /// The unit.
        period: required(FormOf<TimeUnit>, "Period");
    }

    /// A limit of a fee.
    FeeLimit as "ChargeLimit" {
        /// Whether it is a minimum or a maximum.
        bound: required(FormOf<FeeLimitBound>, "MinMaxType");
        /// The limit as a number of occurrences.
        occurrences: optional(FormOf<u32>, "FeeCapOccurrence");
        /// The limit as an amount.
        amount: optional(FormOf<Sum>, "FeeCapAmount");
        /// The period to which the limit applies.
        period: optional(FormOf<TimeUnit>, "CappingPeriod");
        /// Remarks of at most 2,000 characters.
        notes: list(BoundedText<2000>, "Notes");
    }

    /// The members specific to overdraft fees.
    OverdraftFee as "OverdraftFeeKind" {
        /// The type of fee.
        kind: required(FormOf<CodeOrOther<OverdraftFeeType>>, "FeeType");
        /// Whether an overdraft control fee covers it.
        overdraft_control: optional(FormOf<bool>, "OverdraftControlIndicator");
        /// The increment of borrowing for which the fee is charged.
        increment: optional(FormOf<Sum>, "IncrementalBorrowingAmount");
    }

    /// The members specific to account fees.
    AccountFee as "AccountFeeKind" {
        /// The type of fee.
        kind: required(FormOf<CodeOrOther<AccountFeeType>>, "FeeType");
        /// The category of the fee.
        category: required(FormOf<CodeOrOther<FeeCategory>>, "FeeCategory");
        /// The range to which the fee applies; not shown for loans and repayment.
        range: optional(FormOf<FeeRange>, "FeeApplicableRange");
    }

    /// The range to which a fee applies.
    FeeRange as "FeeApplicableRange" {
        /// The lowest amount.
        amount_min: optional(FormOf<Sum>, "MinimumAmount");
        /// The highest amount.
        amount_max: optional(FormOf<Sum>, "MaximumAmount");
        /// The lowest rate.
        rate_min: optional(FormOf<Rate>, "MinimumRate");
        /// The highest rate.
        rate_max: optional(FormOf<Rate>, "MaximumRate");
    }

    /// A named group of charges.
    Tariff as "Tariff" {
        /// The type of tariff.
        kind: optional(FormOf<CodeOrOther<TariffType>>, "TariffType");
        /// Its name, at most 350 characters.
        name: optional(BoundedText<350>, "TariffName");
        charges: flat(AccountCharges);
    }

    /// The interest on a loan.
    LoanInterest as "LoanInterest" {
        /// The sets of tiers.
        sets: list(FormOf<LoanTierSet>, "LoanInterestTierBandSet");
        /// Remarks of at most 2,000 characters.
        notes: list(BoundedText<2000>, "Notes");
    }

    /// A set of tiers of a loan.
    LoanTierSet as "LoanInterestTierBandSet" {
        /// Its id, at most 35 characters.
        id: optional(BoundedText<35>, "Identification");
        /// How the rate depends on the amount of the loan.
        method: required(FormOf<Tiering>, "TierBandMethod");
        /// How interest is calculated.
        calculation: required(FormOf<CodeOrOther<InterestCalculation>>, "CalculationMethod");
        /// The tiers, lowest first.
        tiers: list(FormOf<LoanTier>, "LoanInterestTierBand");
        /// The charges on all tiers.
        charges: list(FormOf<AccountCharges>, "LoanInterestFeesCharges");
        /// Remarks of at most 2,000 characters.
        notes: list(BoundedText<2000>, "Notes");
    }

    /// A tier of a loan.
    LoanTier as "LoanInterestTierBand" {
        /// Its id, at most 35 characters.
        id: optional(BoundedText<35>, "Identification");
        /// The smallest loan of the tier.
        from: required(FormOf<Sum>, "TierValueMinimum");
        /// The largest loan of the tier.
        to: optional(FormOf<Sum>, "TierValueMaximum");
        /// The shortest term of the tier.
        term_min: required(FormOf<TermLength>, "TierValueMinTerm");
        /// The longest term of the tier.
        term_max: optional(FormOf<TermLength>, "TierValueMaxTerm");
        /// Whether the rate is fixed or variable.
        variation: required(FormOf<RateVariation>, "FixedVariableInterestRateType");
        /// The representative annual percentage rate.
        apr: required(FormOf<Rate>, "RepAPR");
        /// The type of the lender's own rate.
        rate_type: optional(FormOf<CodeOrOther<ProductRateType>>, "LoanProviderInterestRateType");
        /// The lender's own rate.
        rate: optional(FormOf<Rate>, "LoanProviderInterestRate");
        /// The charges on this tier.
        charges: list(FormOf<AccountCharges>, "LoanInterestFeesCharges");
        /// Remarks of at most 2,000 characters.
        notes: list(BoundedText<2000>, "Notes");
    }

    /// How a loan is paid back.
    Repayment as "Repayment" {
        /// The type of repayment.
        kind: optional(FormOf<CodeOrOther<RepaymentType>>, "RepaymentType");
        /// The frequency of repayment.
        frequency: optional(FormOf<CodeOrOther<RepaymentFrequency>>, "RepaymentFrequency");
        /// What a payment consists of.
        amount: optional(FormOf<CodeOrOther<RepaymentAmount>>, "AmountType");
        /// The charges on repayment.
        charges: optional(FormOf<AccountCharges>, "RepaymentFeeCharges");
        /// The repayment holidays.
        holidays: list(FormOf<RepaymentHoliday>, "RepaymentHoliday");
        /// Remarks of at most 2,000 characters.
        notes: list(BoundedText<2000>, "Notes");
    }

    /// A repayment holiday.
    RepaymentHoliday as "RepaymentHoliday" {
        /// The longest duration.
        max: optional(FormOf<TermLength>, "MaxHolidayLength");
        /// Remarks of at most 2,000 characters.
        notes: list(BoundedText<2000>, "Notes");
    }
}

/// The form of a product's terms: an object with exactly one kind of terms. Two product types have no terms.
impl ObjectForm for ProductKind {
    type Value = Self;

    fn name() -> String {
        "ProductKind".to_owned()
    }

    fn describe(list: &mut MemberList<'_>) {
        list.required::<FormOf<ProductWord>>("ProductType", "The type of product, which says where its terms are.");
        list.optional::<FormOf<PersonalCurrentAccount>>("PCA", "The terms of a personal current account.");
        list.optional::<FormOf<BusinessCurrentAccount>>("BCA", "The terms of a business current account.");
        list.optional::<FormOf<OtherProduct>>("OtherProductType", "The terms of another product.");
    }

    fn parse_members(members: &mut MemberReader<'_, '_>) -> Option<Self> {
        let word = members.required::<ProductWord, FormOf<ProductWord>>("ProductType");
        let personal = members.optional::<PersonalCurrentAccount, FormOf<PersonalCurrentAccount>>("PCA");
        let business = members.optional::<BusinessCurrentAccount, FormOf<BusinessCurrentAccount>>("BCA");
        let other = members.optional::<OtherProduct, FormOf<OtherProduct>>("OtherProductType");
        let wanted = match (word?, personal?, business?, other?) {
            (ProductWord::Personal, Some(it), None, None) => return Some(Self::PersonalCurrentAccount(Box::new(it))),
            (ProductWord::Business, None, Some(it), None) => return Some(Self::BusinessCurrentAccount(Box::new(it))),
            (ProductWord::Other, None, None, Some(it)) => return Some(Self::Other(Box::new(it))),
            (ProductWord::Card, None, None, None) => return Some(Self::CommercialCreditCard),
            (ProductWord::Loan, None, None, None) => return Some(Self::SmeLoan),
            (ProductWord::Personal, ..) => "Products of this type have PCA, and no other terms.",
            (ProductWord::Business, ..) => "Products of this type have BCA, and no other terms.",
            (ProductWord::Other, ..) => "Products of this type have OtherProductType, and no other terms.",
            (ProductWord::Card | ProductWord::Loan, ..) => "Products of this type have no terms here.",
        };
        members.reader.fault(&JsonLocation::Member(members.at, "ProductType"), wanted)
    }

    fn write_members(value: &Self, object: &mut MemberWriter) {
        let mut word = |word| object.required::<_, FormOf<ProductWord>>("ProductType", &word);
        match value {
            Self::PersonalCurrentAccount(it) => {
                word(ProductWord::Personal);
                object.required::<_, FormOf<PersonalCurrentAccount>>("PCA", it);
            }
            Self::BusinessCurrentAccount(it) => {
                word(ProductWord::Business);
                object.required::<_, FormOf<BusinessCurrentAccount>>("BCA", it);
            }
            Self::Other(it) => {
                word(ProductWord::Other);
                object.required::<_, FormOf<OtherProduct>>("OtherProductType", it);
            }
            Self::CommercialCreditCard => word(ProductWord::Card),
            Self::SmeLoan => word(ProductWord::Loan),
        }
    }
}

choices! {
    /// A segment of persons, businesses or borrowers, in one member each because the lists share names.
    Segment as "Segment" of Segment {
        /// A segment of persons.
        Personal(FormOf<PersonalSegment>, "Personal");
        /// A segment of businesses.
        Business(FormOf<BusinessSegment>, "Business");
        /// A segment of borrowers.
        Lending(FormOf<LendingSegment>, "Lending");
    }
}

/// Implements the form of sums and rates: numbers as text. Sums are in the currency of the account.
macro_rules! figures {
    ($($type:ty: $pattern:literal;)*) => {$(
        impl SingleForm for $type {
            fn schema(_: &mut Definitions) -> JsonNode<'static> {
                JsonNode::object([("type", JsonNode::text("string")), ("pattern", JsonNode::text($pattern))])
            }

            fn read(node: JsonNode<'_>, at: &JsonLocation<'_>, reader: &mut FormReader) -> Option<Self> {
                let read = match &node {
                    JsonNode::Text(text) => text.parse::<Self>().ok(),
                    _ => None,
                };
                if read.is_none() {
                    return reader.fault(at, "Must be a number as text, in range.");
                }
                read
            }

            fn write(&self) -> JsonNode<'static> {
                JsonNode::text(self.to_string())
            }
        }
    )*};
}

figures! {
    Sum: r"^-?\d{1,14}(\.\d{1,4})?$";
    Rate: r"^-?\d{1,3}(\.\d{1,4})?$";
}
