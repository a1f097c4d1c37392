//! Products and their terms. Enumerations use the standard's names. Members use the bank's model, which is mapped to the
//! standard's three product formats only in responses.

use super::super::faults::FileLocation;
use super::super::node::FileNode;
use super::super::shape::{
    Definitions, FileReader, FormOf, MemberList, MemberReader, MemberWriter, ObjectForm, SchemaNamePart, SingleForm,
    objects,
};
use super::super::values::{AsciiKey, BoundedText};
use super::super::words::{NamedValue, ProductWord};
use lombard_domain::account::product::{
    AccountCharges, AccountFee, AccountFeeType, AccountProduct, BusinessCurrentAccount, BusinessFeatures,
    BusinessSegment, CodeOrOther, CreditTier, CreditTierSet, Fee, FeeCap, FeeCategory, FeeLimit, FeeLimitBound,
    FeeRange, InterestCalculation, InterestDestination, LendingSegment, LoanInterest, LoanTier, LoanTierSet, OtherCode,
    OtherFeatures, OtherProduct, Overdraft, OverdraftAgreement, OverdraftCharges, OverdraftFee, OverdraftFeeType,
    OverdraftTier, OverdraftTierSet, OverdraftType, PersonalCurrentAccount, PersonalFeatures, PersonalSegment,
    PersonalTiering, ProductCharges, ProductFeeFrequency, ProductInterestFrequency, ProductKind, ProductRateType, Rate,
    RateVariation, Repayment, RepaymentAmount, RepaymentFrequency, RepaymentHoliday, RepaymentType, Segment, Sum,
    Tariff, TariffType, TermLength, Tiering, TimeUnit,
};

objects! {
    AccountProduct as "Product" {
        account: needed(AsciiKey<40>, "AccountId");
        id: needed(AsciiKey<40>, "ProductId");
        secondary_id: maybe(BoundedText<70>, "SecondaryProductId");
        name: maybe(BoundedText<350>, "ProductName");
        marketing_state: maybe(BoundedText<35>, "MarketingStateId");
        kind: flat(ProductKind);
    }

    PersonalCurrentAccount as "PCA" {
        features: maybe(FormOf<PersonalFeatures>, "ProductDetails");
        credit_interest: list(FormOf<CreditTierSet<PersonalTiering, InterestDestination>>, "CreditInterest");
        overdraft: maybe(FormOf<Overdraft>, "Overdraft");
        charges: maybe(FormOf<AccountCharges>, "OtherFeesCharges");
    }

    BusinessCurrentAccount as "BCA" {
        features: maybe(FormOf<BusinessFeatures>, "ProductDetails");
        credit_interest: list(FormOf<CreditTierSet<Tiering, InterestDestination>>, "CreditInterest");
        overdraft: maybe(FormOf<Overdraft>, "Overdraft");
        tariffs: list(FormOf<Tariff>, "OtherFeesCharges");
    }

    OtherProduct as "OtherProductType" {
        name: needed(BoundedText<350>, "Name");
        description: needed(BoundedText<350>, "Description");
        features: maybe(FormOf<OtherFeatures>, "ProductDetails");
        credit_interest: list(FormOf<CreditTierSet<Tiering, CodeOrOther<InterestDestination>>>, "CreditInterest");
        overdraft: maybe(FormOf<Overdraft>, "Overdraft");
        loan_interest: maybe(FormOf<LoanInterest>, "LoanInterest");
        repayment: maybe(FormOf<Repayment>, "Repayment");
        tariffs: list(FormOf<Tariff>, "OtherFeesCharges");
    }

    PersonalFeatures as "PersonalFeatures" {
        segments: list(FormOf<PersonalSegment>, "Segment");
        monthly_charge_max: maybe(FormOf<Sum>, "MonthlyMaximumCharge");
        notes: list(BoundedText<2000>, "Notes");
    }

    BusinessFeatures as "BusinessFeatures" {
        segments: list(FormOf<BusinessSegment>, "Segment");
        fee_free: maybe(FormOf<TermLength>, "FeeFreeLength");
        notes: list(BoundedText<2000>, "Notes");
    }

    OtherFeatures as "OtherFeatures" {
        segments: list(FormOf<Segment>, "Segment");
        other_segment: maybe(FormOf<OtherCode>, "OtherSegment");
        fee_free: maybe(FormOf<TermLength>, "FeeFreeLength");
        monthly_charge_max: maybe(FormOf<Sum>, "MonthlyMaximumCharge");
        notes: list(BoundedText<2000>, "Notes");
    }

    TermLength as "Length" {
        count: needed(FormOf<u32>, "Count");
        period: needed(FormOf<TimeUnit>, "Period");
    }

    OtherCode as "OtherCode" {
        code: maybe(BoundedText<4>, "Code");
        name: needed(BoundedText<70>, "Name");
        description: needed(BoundedText<350>, "Description");
    }

    Overdraft as "Overdraft" {
        sets: list(FormOf<OverdraftTierSet>, "OverdraftTierBandSet");
        notes: list(BoundedText<2000>, "Notes");
    }

    OverdraftTierSet as "OverdraftTierBandSet" {
        id: maybe(BoundedText<35>, "Identification");
        method: needed(FormOf<Tiering>, "TierBandMethod");
        kind: maybe(FormOf<OverdraftType>, "OverdraftType");
        authorised: maybe(FormOf<bool>, "AuthorisedIndicator");
        buffer: maybe(FormOf<Sum>, "BufferAmount");
        tiers: list(FormOf<OverdraftTier>, "OverdraftTierBand");
        charges: list(FormOf<OverdraftCharges>, "OverdraftFeesCharges");
        notes: list(BoundedText<2000>, "Notes");
    }

    OverdraftTier as "OverdraftTierBand" {
        id: maybe(BoundedText<35>, "Identification");
        from: needed(FormOf<Sum>, "TierValueMin");
        to: maybe(FormOf<Sum>, "TierValueMax");
        ear: maybe(FormOf<Rate>, "EAR");
        apr: maybe(FormOf<Rate>, "RepresentativeAPR");
        agreement: maybe(FormOf<OverdraftAgreement>, "AgreementLength");
        coverage: maybe(FormOf<Tiering>, "OverdraftInterestChargingCoverage");
        guaranteed: maybe(FormOf<bool>, "BankGuaranteedIndicator");
        charges: list(FormOf<OverdraftCharges>, "OverdraftFeesCharges");
        notes: list(BoundedText<2000>, "Notes");
    }

    OverdraftAgreement as "AgreementLength" {
        min: maybe(FormOf<u32>, "Min");
        max: maybe(FormOf<u32>, "Max");
        period: needed(FormOf<TimeUnit>, "Period");
    }

    FeeLimit as "ChargeLimit" {
        bound: needed(FormOf<FeeLimitBound>, "MinMaxType");
        occurrences: maybe(FormOf<u32>, "FeeCapOccurrence");
        amount: maybe(FormOf<Sum>, "FeeCapAmount");
        period: maybe(FormOf<TimeUnit>, "CappingPeriod");
        notes: list(BoundedText<2000>, "Notes");
    }

    OverdraftFee as "OverdraftFeeKind" {
        kind: needed(FormOf<CodeOrOther<OverdraftFeeType>>, "FeeType");
        overdraft_control: maybe(FormOf<bool>, "OverdraftControlIndicator");
        increment: maybe(FormOf<Sum>, "IncrementalBorrowingAmount");
    }

    AccountFee as "AccountFeeKind" {
        kind: needed(FormOf<CodeOrOther<AccountFeeType>>, "FeeType");
        category: needed(FormOf<CodeOrOther<FeeCategory>>, "FeeCategory");
        range: maybe(FormOf<FeeRange>, "FeeApplicableRange");
    }

    FeeRange as "FeeApplicableRange" {
        amount_min: maybe(FormOf<Sum>, "MinimumAmount");
        amount_max: maybe(FormOf<Sum>, "MaximumAmount");
        rate_min: maybe(FormOf<Rate>, "MinimumRate");
        rate_max: maybe(FormOf<Rate>, "MaximumRate");
    }

    Tariff as "Tariff" {
        kind: maybe(FormOf<CodeOrOther<TariffType>>, "TariffType");
        name: maybe(BoundedText<350>, "TariffName");
        charges: flat(AccountCharges);
    }

    LoanInterest as "LoanInterest" {
        sets: list(FormOf<LoanTierSet>, "LoanInterestTierBandSet");
        notes: list(BoundedText<2000>, "Notes");
    }

    LoanTierSet as "LoanInterestTierBandSet" {
        id: maybe(BoundedText<35>, "Identification");
        method: needed(FormOf<Tiering>, "TierBandMethod");
        calculation: needed(FormOf<CodeOrOther<InterestCalculation>>, "CalculationMethod");
        tiers: list(FormOf<LoanTier>, "LoanInterestTierBand");
        charges: list(FormOf<AccountCharges>, "LoanInterestFeesCharges");
        notes: list(BoundedText<2000>, "Notes");
    }

    LoanTier as "LoanInterestTierBand" {
        id: maybe(BoundedText<35>, "Identification");
        from: needed(FormOf<Sum>, "TierValueMinimum");
        to: maybe(FormOf<Sum>, "TierValueMaximum");
        term_min: needed(FormOf<TermLength>, "TierValueMinTerm");
        term_max: maybe(FormOf<TermLength>, "TierValueMaxTerm");
        variation: needed(FormOf<RateVariation>, "FixedVariableInterestRateType");
        apr: needed(FormOf<Rate>, "RepAPR");
        rate_type: maybe(FormOf<CodeOrOther<ProductRateType>>, "LoanProviderInterestRateType");
        rate: maybe(FormOf<Rate>, "LoanProviderInterestRate");
        charges: list(FormOf<AccountCharges>, "LoanInterestFeesCharges");
        notes: list(BoundedText<2000>, "Notes");
    }

    Repayment as "Repayment" {
        kind: maybe(FormOf<CodeOrOther<RepaymentType>>, "RepaymentType");
        frequency: maybe(FormOf<CodeOrOther<RepaymentFrequency>>, "RepaymentFrequency");
        amount: maybe(FormOf<CodeOrOther<RepaymentAmount>>, "AmountType");
        charges: maybe(FormOf<AccountCharges>, "RepaymentFeeCharges");
        holidays: list(FormOf<RepaymentHoliday>, "RepaymentHoliday");
        notes: list(BoundedText<2000>, "Notes");
    }

    RepaymentHoliday as "RepaymentHoliday" {
        max: maybe(FormOf<TermLength>, "MaxHolidayLength");
        notes: list(BoundedText<2000>, "Notes");
    }
}

objects! {
    ProductCharges<K, T> as "FeesCharges" where [K: ObjectForm + SchemaNamePart, T: NamedValue + SchemaNamePart] named [K] {
        fees: list(FormOf<Fee<K>>, "FeeChargeDetail");
        caps: list(FormOf<FeeCap<T>>, "FeeChargeCap");
    }

    Fee<K> as "FeeChargeDetail" where [K: ObjectForm + SchemaNamePart] named [K] {
        what: flat(K);
        negotiable: maybe(FormOf<bool>, "NegotiableIndicator");
        amount: maybe(FormOf<Sum>, "FeeAmount");
        rate: maybe(FormOf<Rate>, "FeeRate");
        rate_type: maybe(FormOf<CodeOrOther<ProductRateType>>, "FeeRateType");
        applied: needed(FormOf<CodeOrOther<ProductFeeFrequency>>, "ApplicationFrequency");
        calculated: maybe(FormOf<CodeOrOther<ProductFeeFrequency>>, "CalculationFrequency");
        limits: list(FormOf<FeeLimit>, "FeeChargeCap");
        notes: list(BoundedText<2000>, "Notes");
    }

    FeeCap<T> as "FeeChargeCap" where [T: NamedValue + SchemaNamePart] named [T] {
        kinds: list(FormOf<CodeOrOther<T>>, "FeeType");
        overdraft_control: maybe(FormOf<bool>, "OverdraftControlIndicator");
        limit: flat(FeeLimit);
    }

    CreditTierSet<M, D> as "TierBandSet" where [M: NamedValue + SingleForm + SchemaNamePart, D: SingleForm + SchemaNamePart] named [M, D] {
        method: needed(FormOf<M>, "TierBandMethod");
        calculation: maybe(FormOf<CodeOrOther<InterestCalculation>>, "CalculationMethod");
        destination: needed(FormOf<D>, "Destination");
        tiers: list(FormOf<CreditTier<M>>, "TierBand");
        notes: list(BoundedText<2000>, "Notes");
    }

    CreditTier<M> as "TierBand" where [M: NamedValue + SingleForm + SchemaNamePart] named [M] {
        id: maybe(BoundedText<35>, "Identification");
        from: needed(FormOf<Sum>, "TierValueMinimum");
        to: maybe(FormOf<Sum>, "TierValueMaximum");
        calculated: maybe(FormOf<CodeOrOther<ProductInterestFrequency>>, "CalculationFrequency");
        applied: needed(FormOf<CodeOrOther<ProductInterestFrequency>>, "ApplicationFrequency");
        coverage: maybe(FormOf<M>, "DepositInterestAppliedCoverage");
        variation: needed(FormOf<RateVariation>, "FixedVariableInterestRateType");
        aer: needed(FormOf<Rate>, "AER");
        rate_type: maybe(FormOf<CodeOrOther<ProductRateType>>, "BankInterestRateType");
        rate: maybe(FormOf<Rate>, "BankInterestRate");
        notes: list(BoundedText<2000>, "Notes");
    }
}

macro_rules! named {
    ($($type:ty = $name:literal)*) => {$(
        impl SchemaNamePart for $type {
            const NAME: &'static str = $name;
        }
    )*};
}

named! {
    OverdraftFee = "OfOverdraft"
    OverdraftFeeType = "OfOverdraft"
    AccountFee = "OfAccount"
    AccountFeeType = "OfAccount"
    PersonalTiering = "OfPerson"
    Tiering = "OfOthers"
    InterestDestination = ""
    CodeOrOther<InterestDestination> = "WithChoice"
}

/// An object with exactly one kind of terms; two product types have none.
impl ObjectForm for ProductKind {
    fn name() -> String {
        "ProductKind".to_owned()
    }

    fn describe(list: &mut MemberList<'_>) {
        list.needed::<FormOf<ProductWord>>("ProductType");
        list.maybe::<FormOf<PersonalCurrentAccount>>("PCA");
        list.maybe::<FormOf<BusinessCurrentAccount>>("BCA");
        list.maybe::<FormOf<OtherProduct>>("OtherProductType");
    }

    fn take(members: &mut MemberReader<'_, '_>) -> Option<Self> {
        let word = members.needed::<ProductWord, FormOf<ProductWord>>("ProductType");
        let personal = members.maybe::<PersonalCurrentAccount, FormOf<PersonalCurrentAccount>>("PCA");
        let business = members.maybe::<BusinessCurrentAccount, FormOf<BusinessCurrentAccount>>("BCA");
        let other = members.maybe::<OtherProduct, FormOf<OtherProduct>>("OtherProductType");
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
        members.reader.fault(&FileLocation::Member(members.at, "ProductType"), wanted)
    }

    fn put(&self, object: &mut MemberWriter) {
        let mut word = |word| object.needed::<_, FormOf<ProductWord>>("ProductType", &word);
        match self {
            Self::PersonalCurrentAccount(it) => {
                word(ProductWord::Personal);
                object.needed::<_, FormOf<PersonalCurrentAccount>>("PCA", it);
            }
            Self::BusinessCurrentAccount(it) => {
                word(ProductWord::Business);
                object.needed::<_, FormOf<BusinessCurrentAccount>>("BCA", it);
            }
            Self::Other(it) => {
                word(ProductWord::Other);
                object.needed::<_, FormOf<OtherProduct>>("OtherProductType", it);
            }
            Self::CommercialCreditCard => word(ProductWord::Card),
            Self::SmeLoan => word(ProductWord::Loan),
        }
    }
}

/// A segment of persons, businesses or borrowers, in one member each because the lists share names.
impl ObjectForm for Segment {
    fn name() -> String {
        "Segment".to_owned()
    }

    fn describe(list: &mut MemberList<'_>) {
        list.maybe::<FormOf<PersonalSegment>>("Personal");
        list.maybe::<FormOf<BusinessSegment>>("Business");
        list.maybe::<FormOf<LendingSegment>>("Lending");
    }

    fn take(members: &mut MemberReader<'_, '_>) -> Option<Self> {
        let personal = members.maybe::<PersonalSegment, FormOf<PersonalSegment>>("Personal");
        let business = members.maybe::<BusinessSegment, FormOf<BusinessSegment>>("Business");
        let lending = members.maybe::<LendingSegment, FormOf<LendingSegment>>("Lending");
        match (personal?, business?, lending?) {
            (Some(it), None, None) => Some(Self::Personal(it)),
            (None, Some(it), None) => Some(Self::Business(it)),
            (None, None, Some(it)) => Some(Self::Lending(it)),
            _ => members.reader.fault(members.at, "Must have exactly one of Personal, Business and Lending."),
        }
    }

    fn put(&self, object: &mut MemberWriter) {
        match self {
            Self::Personal(it) => object.needed::<_, FormOf<PersonalSegment>>("Personal", it),
            Self::Business(it) => object.needed::<_, FormOf<BusinessSegment>>("Business", it),
            Self::Lending(it) => object.needed::<_, FormOf<LendingSegment>>("Lending", it),
        }
    }
}

/// Implements the form of sums and rates: numbers as text, in the currency of the account.
macro_rules! figures {
    ($($type:ty: $pattern:literal;)*) => {$(
        impl SingleForm for $type {
            fn schema(_: &mut Definitions) -> FileNode {
                FileNode::object([("type", FileNode::text("string")), ("pattern", FileNode::text($pattern))])
            }

            fn read(node: FileNode, at: &FileLocation<'_>, reader: &mut FileReader) -> Option<Self> {
                let read = match &node {
                    FileNode::Text(text) => text.parse::<Self>().ok(),
                    _ => None,
                };
                if read.is_none() {
                    return reader.fault(at, "Must be a number as text, in range.");
                }
                read
            }

            fn write(&self) -> FileNode {
                FileNode::text(self.to_string())
            }
        }
    )*};
}

figures! {
    Sum: r"^-?\d{1,14}(\.\d{1,4})?$";
    Rate: r"^-?\d{1,3}(\.\d{1,4})?$";
}
