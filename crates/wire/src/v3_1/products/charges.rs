//! Fees and caps: of overdrafts, accounts, loans and repayment.

use super::object::{In, Object, said};
use super::words::{Dialect, Word};
use lombard_domain::account::product::{
    AccountFee, AccountFeeType, Charges, Choice, Fee, FeeCap, FeeFrequency, FeeLimit, OverdraftFee, OverdraftFeeType,
    Period, Range,
};
use serde::ser::{Serialize, SerializeMap, Serializer};

/// Where charges stand: what they are called there, and what a fee may say of itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// `OverdraftFeesCharges`.
    Overdraft,
    /// `OtherFeesCharges`.
    Account,
    /// `LoanInterestFeesCharges`.
    Loan,
    /// `RepaymentFeeCharges`.
    Repayment,
}

impl Place {
    /// What a list of fees and a list of caps are called.
    const fn names(self) -> (&'static str, &'static str) {
        match self {
            Self::Overdraft => ("OverdraftFeeChargeDetail", "OverdraftFeeChargeCap"),
            Self::Account => ("FeeChargeDetail", "FeeChargeCap"),
            Self::Loan => ("LoanInterestFeeChargeDetail", "LoanInterestFeeChargeCap"),
            Self::Repayment => ("RepaymentFeeChargeDetail", "RepaymentFeeChargeCap"),
        }
    }

    /// How many of its limits a fee shows itself; the others become caps beside it.
    const fn own_limits_max(self, dialect: Dialect) -> usize {
        match (self, dialect) {
            (Self::Overdraft, Dialect::Personal) => 1,
            (Self::Overdraft, Dialect::Business | Dialect::Other) | (Self::Account, _) => usize::MAX,
            (Self::Loan | Self::Repayment, _) => 0,
        }
    }
}

/// Charges at their place.
#[derive(Debug)]
pub(super) struct Placed<'a, K, T> {
    dialect: Dialect,
    place: Place,
    charges: &'a Charges<K, T>,
}

/// The charges, if there are any.
pub(super) fn said_charges<K, T>(dialect: Dialect, place: Place, charges: &Charges<K, T>) -> Option<Placed<'_, K, T>> {
    (!charges.fees.is_empty()).then_some(Placed { dialect, place, charges })
}

impl<K: Kind> Placed<'_, K, K::Type> {
    /// The members of the charges.
    pub(super) fn write<M: SerializeMap>(&self, object: &mut Object<M>) -> Result<(), M::Error> {
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

impl<K: Kind> Serialize for Placed<'_, K, K::Type> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = Object::begin(self.dialect, serializer)?;
        self.write(&mut object)?;
        object.end()
    }
}

/// What only fees of one kind say.
pub(super) trait Kind {
    /// The list its types are from.
    type Type: Word;

    /// What it is for.
    fn kind(&self) -> &Choice<Self::Type>;

    /// Whether an overdraft control fee covers it.
    fn overdraft_control(&self) -> Option<bool>;

    /// What comes first in a fee.
    fn head<M: SerializeMap>(&self, dialect: Dialect, place: Place, object: &mut Object<M>) -> Result<(), M::Error>;

    /// What comes last.
    fn tail<M: SerializeMap>(&self, dialect: Dialect, place: Place, object: &mut Object<M>) -> Result<(), M::Error>;
}

impl Kind for OverdraftFee {
    type Type = OverdraftFeeType;

    fn kind(&self) -> &Choice<OverdraftFeeType> {
        &self.kind
    }

    fn overdraft_control(&self) -> Option<bool> {
        self.overdraft_control
    }

    fn head<M: SerializeMap>(&self, _: Dialect, _: Place, object: &mut Object<M>) -> Result<(), M::Error> {
        object.choice("FeeType", "OtherFeeType", &self.kind)?;
        object.maybe("OverdraftControlIndicator", self.overdraft_control)?;
        object.maybe("IncrementalBorrowingAmount", self.increment)
    }

    fn tail<M: SerializeMap>(&self, _: Dialect, _: Place, _: &mut Object<M>) -> Result<(), M::Error> {
        Ok(())
    }
}

impl Kind for AccountFee {
    type Type = AccountFeeType;

    fn kind(&self) -> &Choice<AccountFeeType> {
        &self.kind
    }

    fn overdraft_control(&self) -> Option<bool> {
        None
    }

    fn head<M: SerializeMap>(&self, dialect: Dialect, place: Place, object: &mut Object<M>) -> Result<(), M::Error> {
        if place == Place::Account {
            object.choice("FeeCategory", "OtherFeeCategoryType", &self.category)?;
        }
        // What the type is explained with names the category again.
        let kind = said(dialect, &self.kind);
        let category = said(dialect, &self.category).word;
        object.maybe("FeeType", kind.word)?;
        object.maybe("OtherFeeType", kind.explained.map(|explained| explained.of_category(category)))
    }

    fn tail<M: SerializeMap>(&self, dialect: Dialect, place: Place, object: &mut Object<M>) -> Result<(), M::Error> {
        let range = self.range.as_ref().filter(|range| **range != Range::default() && place == Place::Account);
        object.maybe("FeeApplicableRange", range.map(|range| In(dialect, range)))
    }
}

impl Serialize for In<'_, Range> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let &Self(dialect, range) = self;
        let mut object = Object::begin(dialect, serializer)?;
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
    place: Place,
    fee: &'a Fee<K>,
}

impl<K: Kind> Serialize for WireFee<'_, K> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let &Self { dialect, place, fee } = self;
        let mut object = Object::begin(dialect, serializer)?;
        fee.what.head(dialect, place, &mut object)?;
        object.maybe("NegotiableIndicator", fee.negotiable.filter(|_| dialect != Dialect::Personal))?;
        object.maybe("FeeAmount", fee.amount)?;
        object.maybe("FeeRate", fee.rate)?;
        object.maybe_choice("FeeRateType", "OtherFeeRateType", fee.rate_type.as_ref())?;
        object.choice("ApplicationFrequency", "OtherApplicationFrequency", &fee.applied)?;
        // Loans and repayment must say it (`OtherProductType`).
        let must_say = matches!(place, Place::Loan | Place::Repayment).then_some(&fee.applied);
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
    place: Place,
    kinds: &'a [Choice<T>],
    overdraft_control: Option<bool>,
    limit: &'a FeeLimit,
}

impl<'a, T: Word> WireCap<'a, T> {
    const fn shared(dialect: Dialect, place: Place, cap: &'a FeeCap<T>) -> Self {
        let FeeCap { kinds, overdraft_control, limit } = cap;
        Self { dialect, place, kinds: kinds.as_slice(), overdraft_control: *overdraft_control, limit }
    }

    fn of_fee<K: Kind<Type = T>>(dialect: Dialect, place: Place, fee: &'a K, limit: &'a FeeLimit) -> Self {
        let kinds = std::slice::from_ref(fee.kind());
        Self { dialect, place, kinds, overdraft_control: fee.overdraft_control(), limit }
    }
}

impl<T: Word> Serialize for WireCap<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let &Self { dialect, place, kinds, overdraft_control, limit } = self;
        let mut object = Object::begin(dialect, serializer)?;
        object.list("FeeType", kinds.iter().filter_map(|kind| said(dialect, kind).word))?;
        object.list("OtherFeeType", kinds.iter().filter_map(|kind| said(dialect, kind).explained))?;
        let says_control = place == Place::Overdraft && dialect == Dialect::Personal;
        object.maybe("OverdraftControlIndicator", overdraft_control.filter(|_| says_control))?;
        object.word("MinMaxType", Some(limit.bound))?;
        object.maybe("FeeCapOccurrence", limit.occurrences)?;
        object.maybe("FeeCapAmount", limit.amount)?;
        match place {
            // The one place where the standard tells a period as a frequency.
            Place::Loan => {
                let capping = limit.period.and_then(|period| said(dialect, &as_frequency(period).into()).word);
                object.maybe("CappingPeriod", capping)?;
            }
            Place::Overdraft | Place::Account | Place::Repayment => object.word("CappingPeriod", limit.period)?,
        }
        object.list("Notes", &limit.notes)?;
        object.end()
    }
}

const fn as_frequency(period: Period) -> FeeFrequency {
    match period {
        Period::AcademicTerm => FeeFrequency::AcademicTerm,
        Period::Day => FeeFrequency::Daily,
        Period::HalfYear => FeeFrequency::SixMonthly,
        Period::Month => FeeFrequency::Monthly,
        Period::Quarter => FeeFrequency::Quarterly,
        Period::Week => FeeFrequency::Weekly,
        Period::Year => FeeFrequency::Yearly,
    }
}
