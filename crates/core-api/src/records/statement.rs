//! Statements. Source: `OBStatement2`.

use crate::form::schema::MemberList;
use crate::form::shape::{FormOf, MemberReader, MemberWriter, ObjectForm};
use crate::form::values::{AsciiKey, BoundedText, ExactDecimal};
use crate::objects;
use jiff::Timestamp;
use lombard_domain::account::{
    FeeFrequency, FeeRateType, InterestFrequency, InterestRateType, Statement, StatementAmountType, StatementBenefit,
    StatementBenefitType, StatementDateType, StatementFee, StatementFeeType, StatementInterest, StatementInterestType,
    StatementRateType, StatementType, StatementValueType,
};
use lombard_domain::money::{Amount, SignedAmount};
use rust_decimal::Decimal;

objects! {
    /// A statement of an account over a period.
    Statement as "Statement" {
        /// The account.
        account: required(AsciiKey<40>, "AccountId");
        /// Its id.
        id: required(AsciiKey<40>, "StatementId");
        /// The reference printed on it, to which entries refer, at most 35 characters.
        reference: optional(BoundedText<35>, "StatementReference");
        /// Its type.
        kind: required(FormOf<StatementType>, "Type");
        /// The first instant of the period, inclusive.
        starts_at: required(FormOf<Timestamp>, "StartDateTime");
        /// The last instant of the period, inclusive.
        ends_at: required(FormOf<Timestamp>, "EndDateTime");
        /// When it was created (bank clock).
        created_at: required(FormOf<Timestamp>, "CreationDateTime");
        /// Remarks of at most 500 characters.
        descriptions: list(BoundedText<500>, "StatementDescription");
        /// The benefits.
        benefits: list(FormOf<StatementBenefit>, "StatementBenefit");
        /// The fees.
        fees: list(FormOf<StatementFee>, "StatementFee");
        /// The interest.
        interest: list(FormOf<StatementInterest>, "StatementInterest");
        /// Balances and totals.
        amounts: list(FormOf<(StatementAmountType, SignedAmount)>, "StatementAmount");
        /// The dates.
        dates: list(FormOf<(StatementDateType, Timestamp)>, "StatementDateTime");
        /// Rates, per cent, at most 3 digits and 4 decimals.
        rates: list(FormOf<(StatementRateType, Decimal)>, "StatementRate");
        /// Counts and points, each at most 40 characters.
        values: list(FormOf<(StatementValueType, String)>, "StatementValue");
        /// The standard's single total, of everything on the statement. Shown also with the Basic permission.
        total: optional(FormOf<Amount>, "TotalValue");
    }

    /// A benefit granted to the account holder.
    StatementBenefit as "StatementBenefit" {
        /// Its type.
        kind: required(FormOf<StatementBenefitType>, "Type");
        /// Its value.
        amount: required(FormOf<Amount>, "Amount");
    }

    /// A fee on a statement.
    StatementFee as "StatementFee" {
        /// Its description, at most 128 characters.
        description: optional(BoundedText<128>, "Description");
        /// Its type.
        kind: required(FormOf<StatementFeeType>, "Type");
        /// The rate of its calculation in per cent, and the type of the rate.
        rate: both(ExactDecimal<3, 4>, "Rate", FormOf<FeeRateType>, "RateType");
        /// How often it is charged.
        frequency: optional(FormOf<FeeFrequency>, "Frequency");
        sum: flat(SignedAmount);
    }

    /// Interest on a statement.
    StatementInterest as "StatementInterest" {
        /// Its description, at most 128 characters.
        description: optional(BoundedText<128>, "Description");
        /// Its type.
        kind: required(FormOf<StatementInterestType>, "Type");
        /// The annual rate of its calculation in per cent, and the type of the rate.
        rate: both(ExactDecimal<3, 4>, "Rate", FormOf<InterestRateType>, "RateType");
        /// How often it is calculated.
        frequency: optional(FormOf<InterestFrequency>, "Frequency");
        sum: flat(SignedAmount);
    }
}

/// Implements the form of a statement's figures: a type with an amount, a date or a number.
macro_rules! figures {
    ($(($kind:ty, $value:ty) as $name:literal: $read:ident $args:tt;)*) => {$(
        impl ObjectForm for ($kind, $value) {
    type Value = Self;

            fn name() -> String {
                $name.to_owned()
            }

            fn describe(list: &mut MemberList<'_>) {
                list.required::<FormOf<$kind>>("Type", "What the figure is.");
                objects!(@describe list, "The figure.", $read $args);
            }

            fn parse_members(members: &mut MemberReader<'_, '_>) -> Option<Self> {
                let kind = members.required::<$kind, FormOf<$kind>>("Type");
                objects!(@take members, value, $read $args);
                Some((kind?, value?))
            }

            fn write_members(value: &Self, object: &mut MemberWriter) {
                object.required::<_, FormOf<$kind>>("Type", &value.0);
                objects!(@put object, &value.1, $read $args);
            }
        }
    )*};
}

figures! {
    (StatementAmountType, SignedAmount) as "StatementAmount": flat(SignedAmount);
    (StatementDateType, Timestamp) as "StatementDateTime": required(FormOf<Timestamp>, "DateTime");
    (StatementRateType, Decimal) as "StatementRate": required(ExactDecimal<3, 4>, "Rate");
    (StatementValueType, String) as "StatementValue": required(BoundedText<40>, "Value");
}
