//! The features of a product, and the repayment of a loan.

use super::charges::{ChargePlacement, present_charges};
use super::dialect::{Dialect, DialectWord};
use super::object::{Explained, InDialect, ObjectWriter};
use lombard_domain::account::product::{
    BusinessFeatures, OtherFeatures, PersonalFeatures, PersonalSegment, Repayment, RepaymentHoliday, Segment,
};
use serde::ser::{Serialize, Serializer};

/// The features; `None` if all are absent.
pub(super) fn said_features<T: Default + PartialEq>(
    dialect: Dialect,
    features: Option<&T>,
) -> Option<InDialect<'_, T>> {
    features.filter(|features| **features != T::default()).map(|features| InDialect(dialect, features))
}

/// The codes of segments in a dialect.
fn names<T: DialectWord>(dialect: Dialect, segments: &[T]) -> impl Iterator<Item = &'static str> {
    segments.iter().filter_map(move |segment| segment.in_dialect(dialect))
}

/// Source: `OBPCAData1/ProductDetails`.
impl Serialize for InDialect<'_, PersonalFeatures> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let &Self(dialect, features) = self;
        let mut object = ObjectWriter::begin(dialect, serializer)?;
        object.list("Segment", names(dialect, &features.segments))?;
        object.maybe("MonthlyMaximumCharge", features.monthly_charge_max)?;
        object.list("Notes", &features.notes)?;
        object.end()
    }
}

/// Source: `OBBCAData1/ProductDetails`.
impl Serialize for InDialect<'_, BusinessFeatures> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let &Self(dialect, features) = self;
        let mut object = ObjectWriter::begin(dialect, serializer)?;
        object.list("Segment", names(dialect, &features.segments))?;
        object.maybe("FeeFreeLength", features.fee_free.map(|length| length.count))?;
        object.word("FeeFreeLengthPeriod", features.fee_free.map(|length| length.period))?;
        object.list("Notes", &features.notes)?;
        object.end()
    }
}

/// Source: `OtherProductType/ProductDetails`.
impl Serialize for InDialect<'_, OtherFeatures> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let &Self(dialect, features) = self;
        let mut object = ObjectWriter::begin(dialect, serializer)?;
        // A segment with an explanation is listed as `Other`, once.
        let other = Segment::Personal(PersonalSegment::Other);
        let missing = features.other_segment.is_some() && !features.segments.contains(&other);
        let explained = missing.then(|| other.in_dialect(dialect)).flatten();
        object.list("Segment", names(dialect, &features.segments).chain(explained))?;
        object.maybe("OtherSegment", features.other_segment.as_ref().map(|other| Explained::code(dialect, other)))?;
        object.maybe("FeeFreeLength", features.fee_free.map(|length| length.count))?;
        object.word("FeeFreeLengthPeriod", features.fee_free.map(|length| length.period))?;
        object.maybe("MonthlyMaximumCharge", features.monthly_charge_max)?;
        object.list("Notes", &features.notes)?;
        object.end()
    }
}

/// The repayment; `None` if all of it is absent.
pub(super) fn said_repayment(repayment: Option<&Repayment>) -> Option<InDialect<'_, Repayment>> {
    said_features(Dialect::Other, repayment)
}

/// Source: `OtherProductType/Repayment`.
impl Serialize for InDialect<'_, Repayment> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let &Self(dialect, repayment) = self;
        let mut object = ObjectWriter::begin(dialect, serializer)?;
        object.maybe_choice("RepaymentType", "OtherRepaymentType", repayment.kind.as_ref())?;
        object.maybe_choice("RepaymentFrequency", "OtherRepaymentFrequency", repayment.frequency.as_ref())?;
        object.maybe_choice("AmountType", "OtherAmountType", repayment.amount.as_ref())?;
        object.list("Notes", &repayment.notes)?;
        let charges = repayment
            .charges
            .as_ref()
            .and_then(|charges| present_charges(dialect, ChargePlacement::Repayment, charges));
        object.maybe("RepaymentFeeCharges", charges)?;
        object.list("RepaymentHoliday", repayment.holidays.iter().map(|holiday| InDialect(dialect, holiday)))?;
        object.end()
    }
}

/// Source: `Repayment/RepaymentHoliday`.
impl Serialize for InDialect<'_, RepaymentHoliday> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let &Self(dialect, holiday) = self;
        let mut object = ObjectWriter::begin(dialect, serializer)?;
        object.maybe("MaxHolidayLength", holiday.max.map(|length| length.count))?;
        object.word("MaxHolidayPeriod", holiday.max.map(|length| length.period))?;
        object.list("Notes", &holiday.notes)?;
        object.end()
    }
}
