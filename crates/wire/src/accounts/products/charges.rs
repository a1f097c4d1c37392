//! Fees and caps: of overdrafts, accounts, loans and repayment.

use super::dialect::{Dialect, DialectWord};
use super::object::{InDialect, ObjectWriter, dialect_code};
use lombard_domain::account::product::{
    AccountFee, AccountFeeType, CodeOrOther, Fee, FeeCap, FeeLimit, FeeRange, OverdraftFee, OverdraftFeeType,
    ProductCharges, ProductFeeFrequency, TimeUnit,
};
use serde::ser::{Serialize, SerializeMap, Serializer};

/// The place of charges in a product, which determines their names and the members of a fee.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ChargePlacement {
    /// `OverdraftFeesCharges`.
    Overdraft,
    /// `OtherFeesCharges`.
    Account,
    /// `LoanInterestFeesCharges`.
    Loan,
    /// `RepaymentFeeCharges`.
    Repayment,
}

impl ChargePlacement {
    /// The member names of the lists of fees and of caps.
    const fn names(self) -> (&'static str, &'static str) {
        match self {
            Self::Overdraft => ("OverdraftFeeChargeDetail", "OverdraftFeeChargeCap"),
            Self::Account => ("FeeChargeDetail", "FeeChargeCap"),
            Self::Loan => ("LoanInterestFeeChargeDetail", "LoanInterestFeeChargeCap"),
            Self::Repayment => ("RepaymentFeeChargeDetail", "RepaymentFeeChargeCap"),
        }
    }

    /// The number of limits that a fee contains itself; further limits become caps beside the fees.
    const fn own_limits_max(self, dialect: Dialect) -> usize {
        match (self, dialect) {
            (Self::Overdraft, Dialect::Personal) => 1,
            (Self::Overdraft, Dialect::Business | Dialect::Other) | (Self::Account, _) => usize::MAX,
            (Self::Loan | Self::Repayment, _) => 0,
        }
    }
}

/// Charges at their place in a dialect.
#[derive(Debug)]
pub(super) struct PlacedCharges<'a, K, T> {
    dialect: Dialect,
    place: ChargePlacement,
    charges: &'a ProductCharges<K, T>,
}

/// The charges; `None` if there are no fees.
pub(super) fn present_charges<K, T>(
    dialect: Dialect,
    place: ChargePlacement,
    charges: &ProductCharges<K, T>,
) -> Option<PlacedCharges<'_, K, T>> {
    (!charges.fees.is_empty()).then_some(PlacedCharges { dialect, place, charges })
}

impl<K: FeeKind> PlacedCharges<'_, K, K::Type> {
    /// Writes the members of the charges.
    pub(super) fn write<M: SerializeMap>(&self, object: &mut ObjectWriter<M>) -> Result<(), M::Error> {
        let &Self { dialect, place, charges } = self;
        let (details, caps) = place.names();
        object.list(details, charges.fees.iter().map(|fee| WireFee { dialect, place, fee }))?;
        let beside = charges.fees.iter().flat_map(|fee| {
            let limits = fee.limits.iter().skip(place.own_limits_max(dialect));
            limits.map(move |limit| WireCap::of_fee(dialect, place, &fee.what, limit))
        });
        let shared = charges.caps.iter().filter(|cap| !cap.kinds.is_empty());
        object.list(caps, shared.map(|cap| WireCap::shared(dialect, place, cap)).chain(beside))
    }
}

impl<K: FeeKind> Serialize for PlacedCharges<'_, K, K::Type> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = ObjectWriter::begin(self.dialect, serializer)?;
        self.write(&mut object)?;
        object.end()
    }
}

/// The members that only fees of one kind have.
pub(super) trait FeeKind {
    /// The enumeration of its types.
    type Type: DialectWord;

    /// The type of the fee.
    fn kind(&self) -> &CodeOrOther<Self::Type>;

    /// Whether an overdraft control fee covers it.
    fn overdraft_control(&self) -> Option<bool>;

    /// Writes the first members of a fee.
    fn head<M: SerializeMap>(
        &self,
        dialect: Dialect,
        place: ChargePlacement,
        object: &mut ObjectWriter<M>,
    ) -> Result<(), M::Error>;

    /// Writes the last members of a fee.
    fn tail<M: SerializeMap>(
        &self,
        dialect: Dialect,
        place: ChargePlacement,
        object: &mut ObjectWriter<M>,
    ) -> Result<(), M::Error>;
}

impl FeeKind for OverdraftFee {
    type Type = OverdraftFeeType;

    fn kind(&self) -> &CodeOrOther<OverdraftFeeType> {
        &self.kind
    }

    fn overdraft_control(&self) -> Option<bool> {
        self.overdraft_control
    }

    fn head<M: SerializeMap>(
        &self,
        _: Dialect,
        _: ChargePlacement,
        object: &mut ObjectWriter<M>,
    ) -> Result<(), M::Error> {
        object.choice("FeeType", "OtherFeeType", &self.kind)?;
        object.maybe("OverdraftControlIndicator", self.overdraft_control)?;
        object.maybe("IncrementalBorrowingAmount", self.increment)
    }

    fn tail<M: SerializeMap>(&self, _: Dialect, _: ChargePlacement, _: &mut ObjectWriter<M>) -> Result<(), M::Error> {
        Ok(())
    }
}

impl FeeKind for AccountFee {
    type Type = AccountFeeType;

    fn kind(&self) -> &CodeOrOther<AccountFeeType> {
        &self.kind
    }

    fn overdraft_control(&self) -> Option<bool> {
        None
    }

    fn head<M: SerializeMap>(
        &self,
        dialect: Dialect,
        place: ChargePlacement,
        object: &mut ObjectWriter<M>,
    ) -> Result<(), M::Error> {
        if place == ChargePlacement::Account {
            object.choice("FeeCategory", "OtherFeeCategoryType", &self.category)?;
        }
        // The explanation of the type repeats the category.
        let kind = dialect_code(dialect, &self.kind);
        let category = dialect_code(dialect, &self.category).word;
        object.maybe("FeeType", kind.word)?;
        object.maybe("OtherFeeType", kind.explained.map(|explained| explained.of_category(category)))
    }

    fn tail<M: SerializeMap>(
        &self,
        dialect: Dialect,
        place: ChargePlacement,
        object: &mut ObjectWriter<M>,
    ) -> Result<(), M::Error> {
        let range =
            self.range.as_ref().filter(|range| **range != FeeRange::default() && place == ChargePlacement::Account);
        object.maybe("FeeApplicableRange", range.map(|range| InDialect(dialect, range)))
    }
}

impl Serialize for InDialect<'_, FeeRange> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let &Self(dialect, range) = self;
        let mut object = ObjectWriter::begin(dialect, serializer)?;
        object.maybe("MinimumAmount", range.amount_min)?;
        object.maybe("MaximumAmount", range.amount_max)?;
        object.maybe("MinimumRate", range.rate_min)?;
        object.maybe("MaximumRate", range.rate_max)?;
        object.end()
    }
}

/// Source: `OverdraftFeeChargeDetail`, `FeeChargeDetail`, `LoanInterestFeeChargeDetail`, `RepaymentFeeChargeDetail`.
struct WireFee<'a, K> {
    dialect: Dialect,
    place: ChargePlacement,
    fee: &'a Fee<K>,
}

impl<K: FeeKind> Serialize for WireFee<'_, K> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let &Self { dialect, place, fee } = self;
        let mut object = ObjectWriter::begin(dialect, serializer)?;
        fee.what.head(dialect, place, &mut object)?;
        object.maybe("NegotiableIndicator", fee.negotiable.filter(|_| dialect != Dialect::Personal))?;
        object.maybe("FeeAmount", fee.amount)?;
        object.maybe("FeeRate", fee.rate)?;
        object.maybe_choice("FeeRateType", "OtherFeeRateType", fee.rate_type.as_ref())?;
        object.choice("ApplicationFrequency", "OtherApplicationFrequency", &fee.applied)?;
        // Required for loans and repayment (`OtherProductType`).
        let must_say = matches!(place, ChargePlacement::Loan | ChargePlacement::Repayment).then_some(&fee.applied);
        let calculated = fee.calculated.as_ref().or(must_say);
        object.maybe_choice("CalculationFrequency", "OtherCalculationFrequency", calculated)?;
        object.list("Notes", &fee.notes)?;
        let (_, caps) = place.names();
        let own = place.own_limits_max(dialect);
        let mut limits = fee.limits.iter().take(own).map(|limit| WireCap::of_fee(dialect, place, &fee.what, limit));
        if own == 1 {
            object.maybe(caps, limits.next())?;
        } else {
            object.list(caps, limits)?;
        }
        fee.what.tail(dialect, place, &mut object)?;
        object.end()
    }
}

/// Source: `OverdraftFeeChargeCap`, `FeeChargeCap`, `LoanInterestFeeChargeCap`, `RepaymentFeeChargeCap`.
struct WireCap<'a, T> {
    dialect: Dialect,
    place: ChargePlacement,
    kinds: &'a [CodeOrOther<T>],
    overdraft_control: Option<bool>,
    limit: &'a FeeLimit,
}

impl<'a, T: DialectWord> WireCap<'a, T> {
    const fn shared(dialect: Dialect, place: ChargePlacement, cap: &'a FeeCap<T>) -> Self {
        let FeeCap { kinds, overdraft_control, limit } = cap;
        Self { dialect, place, kinds: kinds.as_slice(), overdraft_control: *overdraft_control, limit }
    }

    fn of_fee<K: FeeKind<Type = T>>(dialect: Dialect, place: ChargePlacement, fee: &'a K, limit: &'a FeeLimit) -> Self {
        let kinds = std::slice::from_ref(fee.kind());
        Self { dialect, place, kinds, overdraft_control: fee.overdraft_control(), limit }
    }
}

impl<T: DialectWord> Serialize for WireCap<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let &Self { dialect, place, kinds, overdraft_control, limit } = self;
        let mut object = ObjectWriter::begin(dialect, serializer)?;
        object.list("FeeType", kinds.iter().filter_map(|kind| dialect_code(dialect, kind).word))?;
        object.list("OtherFeeType", kinds.iter().filter_map(|kind| dialect_code(dialect, kind).explained))?;
        let says_control = place == ChargePlacement::Overdraft && dialect == Dialect::Personal;
        object.maybe("OverdraftControlIndicator", overdraft_control.filter(|_| says_control))?;
        object.word("MinMaxType", Some(limit.bound))?;
        object.maybe("FeeCapOccurrence", limit.occurrences)?;
        object.maybe("FeeCapAmount", limit.amount)?;
        match place {
            // The only place where the standard gives a period as a frequency.
            ChargePlacement::Loan => {
                let capping = limit.period.and_then(|period| dialect_code(dialect, &as_frequency(period).into()).word);
                object.maybe("CappingPeriod", capping)?;
            }
            ChargePlacement::Overdraft | ChargePlacement::Account | ChargePlacement::Repayment => {
                object.word("CappingPeriod", limit.period)?
            }
        }
        object.list("Notes", &limit.notes)?;
        object.end()
    }
}

const fn as_frequency(period: TimeUnit) -> ProductFeeFrequency {
    match period {
        TimeUnit::AcademicTerm => ProductFeeFrequency::AcademicTerm,
        TimeUnit::Day => ProductFeeFrequency::Daily,
        TimeUnit::HalfYear => ProductFeeFrequency::SixMonthly,
        TimeUnit::Month => ProductFeeFrequency::Monthly,
        TimeUnit::Quarter => ProductFeeFrequency::Quarterly,
        TimeUnit::Week => ProductFeeFrequency::Weekly,
        TimeUnit::Year => ProductFeeFrequency::Yearly,
    }
}
