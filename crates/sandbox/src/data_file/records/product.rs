//! Products and their terms. The words are those of the standard; the members those of the bank, which tells the three
//! dialects of the standard apart only where it writes them.

use super::super::faults::At;
use super::super::node::Node;
use super::super::shape::{Definitions, MemberList, Members, Named, Object, Reader, Shape, The, Written, objects};
use super::super::values::{Key, Text};
use super::super::words::{ProductWord, Word};
use lombard_domain::account::product::{
    AccountCharges, AccountFee, AccountFeeType, Agreement, Bound, BusinessCurrentAccount, BusinessFeatures,
    BusinessSegment, Charges, Choice, CreditTier, CreditTierSet, Destination, Fee, FeeCap, FeeCategory, FeeFrequency,
    FeeLimit, Holiday, InterestCalculation, InterestFrequency, LendingSegment, Length, LoanInterest, LoanTier,
    LoanTierSet, OtherCode, OtherFeatures, OtherProduct, Overdraft, OverdraftCharges, OverdraftFee, OverdraftFeeType,
    OverdraftTier, OverdraftTierSet, OverdraftType, Period, PersonalCurrentAccount, PersonalFeatures, PersonalSegment,
    PersonalTiering, Product, ProductKind, Range, Rate, RateType, RateVariation, Repayment, RepaymentAmount,
    RepaymentFrequency, RepaymentType, Segment, Sum, Tariff, TariffType, Tiering,
};

objects! {
    Product as "Product" {
        account: needed(Key<40>, "AccountId");
        id: needed(Key<40>, "ProductId");
        secondary_id: maybe(Text<70>, "SecondaryProductId");
        name: maybe(Text<350>, "ProductName");
        marketing_state: maybe(Text<35>, "MarketingStateId");
        kind: flat(ProductKind);
    }

    PersonalCurrentAccount as "PCA" {
        features: maybe(The<PersonalFeatures>, "ProductDetails");
        credit_interest: list(The<CreditTierSet<PersonalTiering, Destination>>, "CreditInterest");
        overdraft: maybe(The<Overdraft>, "Overdraft");
        charges: maybe(The<AccountCharges>, "OtherFeesCharges");
    }

    BusinessCurrentAccount as "BCA" {
        features: maybe(The<BusinessFeatures>, "ProductDetails");
        credit_interest: list(The<CreditTierSet<Tiering, Destination>>, "CreditInterest");
        overdraft: maybe(The<Overdraft>, "Overdraft");
        tariffs: list(The<Tariff>, "OtherFeesCharges");
    }

    OtherProduct as "OtherProductType" {
        name: needed(Text<350>, "Name");
        description: needed(Text<350>, "Description");
        features: maybe(The<OtherFeatures>, "ProductDetails");
        credit_interest: list(The<CreditTierSet<Tiering, Choice<Destination>>>, "CreditInterest");
        overdraft: maybe(The<Overdraft>, "Overdraft");
        loan_interest: maybe(The<LoanInterest>, "LoanInterest");
        repayment: maybe(The<Repayment>, "Repayment");
        tariffs: list(The<Tariff>, "OtherFeesCharges");
    }

    PersonalFeatures as "PersonalFeatures" {
        segments: list(The<PersonalSegment>, "Segment");
        monthly_charge_max: maybe(The<Sum>, "MonthlyMaximumCharge");
        notes: list(Text<2000>, "Notes");
    }

    BusinessFeatures as "BusinessFeatures" {
        segments: list(The<BusinessSegment>, "Segment");
        fee_free: maybe(The<Length>, "FeeFreeLength");
        notes: list(Text<2000>, "Notes");
    }

    OtherFeatures as "OtherFeatures" {
        segments: list(The<Segment>, "Segment");
        other_segment: maybe(The<OtherCode>, "OtherSegment");
        fee_free: maybe(The<Length>, "FeeFreeLength");
        monthly_charge_max: maybe(The<Sum>, "MonthlyMaximumCharge");
        notes: list(Text<2000>, "Notes");
    }

    Length as "Length" {
        count: needed(The<u32>, "Count");
        period: needed(The<Period>, "Period");
    }

    OtherCode as "OtherCode" {
        code: maybe(Text<4>, "Code");
        name: needed(Text<70>, "Name");
        description: needed(Text<350>, "Description");
    }

    Overdraft as "Overdraft" {
        sets: list(The<OverdraftTierSet>, "OverdraftTierBandSet");
        notes: list(Text<2000>, "Notes");
    }

    OverdraftTierSet as "OverdraftTierBandSet" {
        id: maybe(Text<35>, "Identification");
        method: needed(The<Tiering>, "TierBandMethod");
        kind: maybe(The<OverdraftType>, "OverdraftType");
        authorised: maybe(The<bool>, "AuthorisedIndicator");
        buffer: maybe(The<Sum>, "BufferAmount");
        tiers: list(The<OverdraftTier>, "OverdraftTierBand");
        charges: list(The<OverdraftCharges>, "OverdraftFeesCharges");
        notes: list(Text<2000>, "Notes");
    }

    OverdraftTier as "OverdraftTierBand" {
        id: maybe(Text<35>, "Identification");
        from: needed(The<Sum>, "TierValueMin");
        to: maybe(The<Sum>, "TierValueMax");
        ear: maybe(The<Rate>, "EAR");
        apr: maybe(The<Rate>, "RepresentativeAPR");
        agreement: maybe(The<Agreement>, "AgreementLength");
        coverage: maybe(The<Tiering>, "OverdraftInterestChargingCoverage");
        guaranteed: maybe(The<bool>, "BankGuaranteedIndicator");
        charges: list(The<OverdraftCharges>, "OverdraftFeesCharges");
        notes: list(Text<2000>, "Notes");
    }

    Agreement as "AgreementLength" {
        min: maybe(The<u32>, "Min");
        max: maybe(The<u32>, "Max");
        period: needed(The<Period>, "Period");
    }

    FeeLimit as "ChargeLimit" {
        bound: needed(The<Bound>, "MinMaxType");
        occurrences: maybe(The<u32>, "FeeCapOccurrence");
        amount: maybe(The<Sum>, "FeeCapAmount");
        period: maybe(The<Period>, "CappingPeriod");
        notes: list(Text<2000>, "Notes");
    }

    OverdraftFee as "OverdraftFeeKind" {
        kind: needed(The<Choice<OverdraftFeeType>>, "FeeType");
        overdraft_control: maybe(The<bool>, "OverdraftControlIndicator");
        increment: maybe(The<Sum>, "IncrementalBorrowingAmount");
    }

    AccountFee as "AccountFeeKind" {
        kind: needed(The<Choice<AccountFeeType>>, "FeeType");
        category: needed(The<Choice<FeeCategory>>, "FeeCategory");
        range: maybe(The<Range>, "FeeApplicableRange");
    }

    Range as "FeeApplicableRange" {
        amount_min: maybe(The<Sum>, "MinimumAmount");
        amount_max: maybe(The<Sum>, "MaximumAmount");
        rate_min: maybe(The<Rate>, "MinimumRate");
        rate_max: maybe(The<Rate>, "MaximumRate");
    }

    Tariff as "Tariff" {
        kind: maybe(The<Choice<TariffType>>, "TariffType");
        name: maybe(Text<350>, "TariffName");
        charges: flat(AccountCharges);
    }

    LoanInterest as "LoanInterest" {
        sets: list(The<LoanTierSet>, "LoanInterestTierBandSet");
        notes: list(Text<2000>, "Notes");
    }

    LoanTierSet as "LoanInterestTierBandSet" {
        id: maybe(Text<35>, "Identification");
        method: needed(The<Tiering>, "TierBandMethod");
        calculation: needed(The<Choice<InterestCalculation>>, "CalculationMethod");
        tiers: list(The<LoanTier>, "LoanInterestTierBand");
        charges: list(The<AccountCharges>, "LoanInterestFeesCharges");
        notes: list(Text<2000>, "Notes");
    }

    LoanTier as "LoanInterestTierBand" {
        id: maybe(Text<35>, "Identification");
        from: needed(The<Sum>, "TierValueMinimum");
        to: maybe(The<Sum>, "TierValueMaximum");
        term_min: needed(The<Length>, "TierValueMinTerm");
        term_max: maybe(The<Length>, "TierValueMaxTerm");
        variation: needed(The<RateVariation>, "FixedVariableInterestRateType");
        apr: needed(The<Rate>, "RepAPR");
        rate_type: maybe(The<Choice<RateType>>, "LoanProviderInterestRateType");
        rate: maybe(The<Rate>, "LoanProviderInterestRate");
        charges: list(The<AccountCharges>, "LoanInterestFeesCharges");
        notes: list(Text<2000>, "Notes");
    }

    Repayment as "Repayment" {
        kind: maybe(The<Choice<RepaymentType>>, "RepaymentType");
        frequency: maybe(The<Choice<RepaymentFrequency>>, "RepaymentFrequency");
        amount: maybe(The<Choice<RepaymentAmount>>, "AmountType");
        charges: maybe(The<AccountCharges>, "RepaymentFeeCharges");
        holidays: list(The<Holiday>, "RepaymentHoliday");
        notes: list(Text<2000>, "Notes");
    }

    Holiday as "RepaymentHoliday" {
        max: maybe(The<Length>, "MaxHolidayLength");
        notes: list(Text<2000>, "Notes");
    }
}

objects! {
    Charges<K, T> as "FeesCharges" where [K: Object + Named, T: Word + Named] named [K] {
        fees: list(The<Fee<K>>, "FeeChargeDetail");
        caps: list(The<FeeCap<T>>, "FeeChargeCap");
    }

    Fee<K> as "FeeChargeDetail" where [K: Object + Named] named [K] {
        what: flat(K);
        negotiable: maybe(The<bool>, "NegotiableIndicator");
        amount: maybe(The<Sum>, "FeeAmount");
        rate: maybe(The<Rate>, "FeeRate");
        rate_type: maybe(The<Choice<RateType>>, "FeeRateType");
        applied: needed(The<Choice<FeeFrequency>>, "ApplicationFrequency");
        calculated: maybe(The<Choice<FeeFrequency>>, "CalculationFrequency");
        limits: list(The<FeeLimit>, "FeeChargeCap");
        notes: list(Text<2000>, "Notes");
    }

    FeeCap<T> as "FeeChargeCap" where [T: Word + Named] named [T] {
        kinds: list(The<Choice<T>>, "FeeType");
        overdraft_control: maybe(The<bool>, "OverdraftControlIndicator");
        limit: flat(FeeLimit);
    }

    CreditTierSet<M, D> as "TierBandSet" where [M: Word + Shape + Named, D: Shape + Named] named [M, D] {
        method: needed(The<M>, "TierBandMethod");
        calculation: maybe(The<Choice<InterestCalculation>>, "CalculationMethod");
        destination: needed(The<D>, "Destination");
        tiers: list(The<CreditTier<M>>, "TierBand");
        notes: list(Text<2000>, "Notes");
    }

    CreditTier<M> as "TierBand" where [M: Word + Shape + Named] named [M] {
        id: maybe(Text<35>, "Identification");
        from: needed(The<Sum>, "TierValueMinimum");
        to: maybe(The<Sum>, "TierValueMaximum");
        calculated: maybe(The<Choice<InterestFrequency>>, "CalculationFrequency");
        applied: needed(The<Choice<InterestFrequency>>, "ApplicationFrequency");
        coverage: maybe(The<M>, "DepositInterestAppliedCoverage");
        variation: needed(The<RateVariation>, "FixedVariableInterestRateType");
        aer: needed(The<Rate>, "AER");
        rate_type: maybe(The<Choice<RateType>>, "BankInterestRateType");
        rate: maybe(The<Rate>, "BankInterestRate");
        notes: list(Text<2000>, "Notes");
    }
}

macro_rules! named {
    ($($type:ty = $name:literal)*) => {$(
        impl Named for $type {
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
    Destination = ""
    Choice<Destination> = "WithChoice"
}

/// Exactly one kind of terms; two kinds have none.
impl Object for ProductKind {
    fn name() -> String {
        "ProductKind".to_owned()
    }

    fn describe(list: &mut MemberList<'_>) {
        list.needed::<The<ProductWord>>("ProductType");
        list.maybe::<The<PersonalCurrentAccount>>("PCA");
        list.maybe::<The<BusinessCurrentAccount>>("BCA");
        list.maybe::<The<OtherProduct>>("OtherProductType");
    }

    fn take(members: &mut Members<'_, '_>) -> Option<Self> {
        let word = members.needed::<ProductWord, The<ProductWord>>("ProductType");
        let personal = members.maybe::<PersonalCurrentAccount, The<PersonalCurrentAccount>>("PCA");
        let business = members.maybe::<BusinessCurrentAccount, The<BusinessCurrentAccount>>("BCA");
        let other = members.maybe::<OtherProduct, The<OtherProduct>>("OtherProductType");
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
        members.reader.fault(&At::Member(members.at, "ProductType"), wanted)
    }

    fn put(&self, object: &mut Written) {
        let mut word = |word| object.needed::<_, The<ProductWord>>("ProductType", &word);
        match self {
            Self::PersonalCurrentAccount(it) => {
                word(ProductWord::Personal);
                object.needed::<_, The<PersonalCurrentAccount>>("PCA", it);
            }
            Self::BusinessCurrentAccount(it) => {
                word(ProductWord::Business);
                object.needed::<_, The<BusinessCurrentAccount>>("BCA", it);
            }
            Self::Other(it) => {
                word(ProductWord::Other);
                object.needed::<_, The<OtherProduct>>("OtherProductType", it);
            }
            Self::CommercialCreditCard => word(ProductWord::Card),
            Self::SmeLoan => word(ProductWord::Loan),
        }
    }
}

/// A segment of persons, businesses or borrowers: one word each, since the lists share some.
impl Object for Segment {
    fn name() -> String {
        "Segment".to_owned()
    }

    fn describe(list: &mut MemberList<'_>) {
        list.maybe::<The<PersonalSegment>>("Personal");
        list.maybe::<The<BusinessSegment>>("Business");
        list.maybe::<The<LendingSegment>>("Lending");
    }

    fn take(members: &mut Members<'_, '_>) -> Option<Self> {
        let personal = members.maybe::<PersonalSegment, The<PersonalSegment>>("Personal");
        let business = members.maybe::<BusinessSegment, The<BusinessSegment>>("Business");
        let lending = members.maybe::<LendingSegment, The<LendingSegment>>("Lending");
        match (personal?, business?, lending?) {
            (Some(it), None, None) => Some(Self::Personal(it)),
            (None, Some(it), None) => Some(Self::Business(it)),
            (None, None, Some(it)) => Some(Self::Lending(it)),
            _ => members.reader.fault(members.at, "Must have exactly one of Personal, Business and Lending."),
        }
    }

    fn put(&self, object: &mut Written) {
        match self {
            Self::Personal(it) => object.needed::<_, The<PersonalSegment>>("Personal", it),
            Self::Business(it) => object.needed::<_, The<BusinessSegment>>("Business", it),
            Self::Lending(it) => object.needed::<_, The<LendingSegment>>("Lending", it),
        }
    }
}

/// Sums and rates are numbers as text, in the currency of the account.
macro_rules! figures {
    ($($type:ty: $pattern:literal;)*) => {$(
        impl Shape for $type {
            fn schema(_: &mut Definitions) -> Node {
                Node::object([("type", Node::text("string")), ("pattern", Node::text($pattern))])
            }

            fn read(node: Node, at: &At<'_>, reader: &mut Reader) -> Option<Self> {
                let read = match &node {
                    Node::Text(text) => text.parse::<Self>().ok(),
                    _ => None,
                };
                if read.is_none() {
                    return reader.fault(at, "Must be a number as text, in range.");
                }
                read
            }

            fn write(&self) -> Node {
                Node::text(self.to_string())
            }
        }
    )*};
}

figures! {
    Sum: r"^-?\d{1,14}(\.\d{1,4})?$";
    Rate: r"^-?\d{1,3}(\.\d{1,4})?$";
}
