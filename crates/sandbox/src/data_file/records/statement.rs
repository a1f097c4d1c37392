//! Statements. Source: `OBStatement2`.

use super::super::shape::{FormOf, MemberList, MemberReader, MemberWriter, ObjectForm, objects};
use super::super::values::{AsciiKey, BoundedText, ExactDecimal};
use jiff::Timestamp;
use lombard_domain::account::{
    FeeFrequency, FeeRateType, InterestFrequency, InterestRateType, Statement, StatementAmountType, StatementBenefit,
    StatementBenefitType, StatementDateType, StatementFee, StatementFeeType, StatementInterest, StatementInterestType,
    StatementRateType, StatementType, StatementValueType,
};
use lombard_domain::money::{Amount, SignedAmount};
use rust_decimal::Decimal;

objects! {
    Statement as "Statement" {
        account: needed(AsciiKey<40>, "AccountId");
        id: needed(AsciiKey<40>, "StatementId");
        reference: maybe(BoundedText<35>, "StatementReference");
        kind: needed(FormOf<StatementType>, "Type");
        starts_at: needed(FormOf<Timestamp>, "StartDateTime");
        ends_at: needed(FormOf<Timestamp>, "EndDateTime");
        created_at: needed(FormOf<Timestamp>, "CreationDateTime");
        descriptions: list(BoundedText<500>, "StatementDescription");
        benefits: list(FormOf<StatementBenefit>, "StatementBenefit");
        fees: list(FormOf<StatementFee>, "StatementFee");
        interest: list(FormOf<StatementInterest>, "StatementInterest");
        amounts: list(FormOf<(StatementAmountType, SignedAmount)>, "StatementAmount");
        dates: list(FormOf<(StatementDateType, Timestamp)>, "StatementDateTime");
        rates: list(FormOf<(StatementRateType, Decimal)>, "StatementRate");
        values: list(FormOf<(StatementValueType, String)>, "StatementValue");
        total: maybe(FormOf<Amount>, "TotalValue");
    }

    StatementBenefit as "StatementBenefit" {
        kind: needed(FormOf<StatementBenefitType>, "Type");
        amount: needed(FormOf<Amount>, "Amount");
    }

    StatementFee as "StatementFee" {
        description: maybe(BoundedText<128>, "Description");
        kind: needed(FormOf<StatementFeeType>, "Type");
        rate: both(ExactDecimal<3, 4>, "Rate", FormOf<FeeRateType>, "RateType");
        frequency: maybe(FormOf<FeeFrequency>, "Frequency");
        sum: flat(SignedAmount);
    }

    StatementInterest as "StatementInterest" {
        description: maybe(BoundedText<128>, "Description");
        kind: needed(FormOf<StatementInterestType>, "Type");
        rate: both(ExactDecimal<3, 4>, "Rate", FormOf<InterestRateType>, "RateType");
        frequency: maybe(FormOf<InterestFrequency>, "Frequency");
        sum: flat(SignedAmount);
    }
}

/// Implements the form of a statement's figures: the type, and an amount, a date or a number.
macro_rules! figures {
    ($(($kind:ty, $value:ty) as $name:literal: $read:ident $args:tt;)*) => {$(
        impl ObjectForm for ($kind, $value) {
            fn name() -> String {
        $name.to_owned()
    }

            fn describe(list: &mut MemberList<'_>) {
                list.needed::<FormOf<$kind>>("Type");
                objects!(@describe list, $read $args);
            }

            fn take(members: &mut MemberReader<'_, '_>) -> Option<Self> {
                let kind = members.needed::<$kind, FormOf<$kind>>("Type");
                objects!(@take members, value, $read $args);
                Some((kind?, value?))
            }

            fn put(&self, object: &mut MemberWriter) {
                object.needed::<_, FormOf<$kind>>("Type", &self.0);
                objects!(@put object, &self.1, $read $args);
            }
        }
    )*};
}

figures! {
    (StatementAmountType, SignedAmount) as "StatementAmount": flat(SignedAmount);
    (StatementDateType, Timestamp) as "StatementDateTime": needed(FormOf<Timestamp>, "DateTime");
    (StatementRateType, Decimal) as "StatementRate": needed(ExactDecimal<3, 4>, "Rate");
    (StatementValueType, String) as "StatementValue": needed(BoundedText<40>, "Value");
}
