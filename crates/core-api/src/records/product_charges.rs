//! The forms of charges and tiers of products. They are generic over the types of fees and of tiering methods.

use crate::form::shape::{FormOf, ObjectForm, SchemaNamePart, SingleForm};
use crate::form::values::BoundedText;
use crate::form::words::NamedValue;
use crate::objects;
use lombard_domain::account::product::{
    AccountFee, AccountFeeType, CodeOrOther, CreditTier, CreditTierSet, Fee, FeeCap, FeeLimit, InterestCalculation,
    InterestDestination, OverdraftFee, OverdraftFeeType, PersonalTiering, ProductCharges, ProductFeeFrequency,
    ProductInterestFrequency, ProductRateType, Rate, RateVariation, Sum, Tiering,
};

objects! {
    /// Fees of kind `K`, and caps on their types `T`. Charges without a fee are not shown.
    ProductCharges<K, T> as "FeesCharges" where [K: ObjectForm<Value = K> + SchemaNamePart, T: NamedValue + SchemaNamePart] named [K] {
        /// The fees.
        fees: list(FormOf<Fee<K>>, "FeeChargeDetail");
        /// Caps on several of them.
        caps: list(FormOf<FeeCap<T>>, "FeeChargeCap");
    }

    /// A fee; `what` holds the members specific to its kind.
    Fee<K> as "FeeChargeDetail" where [K: ObjectForm<Value = K> + SchemaNamePart] named [K] {
        what: flat(K);
        /// Whether the fee is negotiable; not shown for personal current accounts.
        negotiable: optional(FormOf<bool>, "NegotiableIndicator");
        /// The fee as an amount.
        amount: optional(FormOf<Sum>, "FeeAmount");
        /// The fee as a rate.
        rate: optional(FormOf<Rate>, "FeeRate");
        /// The type of that rate.
        rate_type: optional(FormOf<CodeOrOther<ProductRateType>>, "FeeRateType");
        /// When the fee is applied.
        applied: required(FormOf<CodeOrOther<ProductFeeFrequency>>, "ApplicationFrequency");
        /// When the fee is calculated; `None` if that is when it is applied.
        calculated: optional(FormOf<CodeOrOther<ProductFeeFrequency>>, "CalculationFrequency");
        /// The limits of this fee.
        limits: list(FormOf<FeeLimit>, "FeeChargeCap");
        /// Remarks of at most 2,000 characters.
        notes: list(BoundedText<2000>, "Notes");
    }

    /// A common limit of several types of fee.
    FeeCap<T> as "FeeChargeCap" where [T: NamedValue + SchemaNamePart] named [T] {
        /// The types of fee; a cap without any is not shown.
        kinds: list(FormOf<CodeOrOther<T>>, "FeeType");
        /// Whether an overdraft control fee covers it; shown for personal current accounts only.
        overdraft_control: optional(FormOf<bool>, "OverdraftControlIndicator");
        limit: flat(FeeLimit);
    }

    /// A set of tiers of credit interest; a set without tiers is not shown. `M` is the type of the tiering method, `D` that of the destination.
    CreditTierSet<M, D> as "TierBandSet" where [M: NamedValue + SingleForm + SchemaNamePart, D: SingleForm + SchemaNamePart] named [M, D] {
        /// How the rate depends on the balance.
        method: required(FormOf<M>, "TierBandMethod");
        /// How interest is calculated; for current accounts only values of the enumeration are shown.
        calculation: optional(FormOf<CodeOrOther<InterestCalculation>>, "CalculationMethod");
        /// The account to which interest is paid.
        destination: required(FormOf<D>, "Destination");
        /// The tiers, lowest first.
        tiers: list(FormOf<CreditTier<M>>, "TierBand");
        /// Remarks of at most 2,000 characters.
        notes: list(BoundedText<2000>, "Notes");
    }

    /// A tier of credit interest.
    CreditTier<M> as "TierBand" where [M: NamedValue + SingleForm + SchemaNamePart] named [M] {
        /// Its id, at most 35 characters.
        id: optional(BoundedText<35>, "Identification");
        /// The lowest balance of the tier.
        from: required(FormOf<Sum>, "TierValueMinimum");
        /// The highest balance of the tier.
        to: optional(FormOf<Sum>, "TierValueMaximum");
        /// How often interest is calculated.
        calculated: optional(FormOf<CodeOrOther<ProductInterestFrequency>>, "CalculationFrequency");
        /// How often interest is applied.
        applied: required(FormOf<CodeOrOther<ProductInterestFrequency>>, "ApplicationFrequency");
        /// The part of the balance to which the rate applies.
        coverage: optional(FormOf<M>, "DepositInterestAppliedCoverage");
        /// Whether the rate is fixed or variable.
        variation: required(FormOf<RateVariation>, "FixedVariableInterestRateType");
        /// The annual equivalent rate.
        aer: required(FormOf<Rate>, "AER");
        /// The type of the bank's own rate.
        rate_type: optional(FormOf<CodeOrOther<ProductRateType>>, "BankInterestRateType");
        /// The bank's own rate.
        rate: optional(FormOf<Rate>, "BankInterestRate");
        /// Remarks of at most 2,000 characters.
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
