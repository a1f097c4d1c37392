//! Statements. Source: `OBStatement2`.

use super::super::shape::{MemberList, Members, Object, The, Written, objects};
use super::super::values::{Exact, Key, Text};
use jiff::Timestamp;
use lombard_domain::account::{
    FeeFrequency, FeeRateType, InterestFrequency, InterestRateType, Statement, StatementAmountType, StatementBenefit,
    StatementBenefitType, StatementDateType, StatementFee, StatementFeeType, StatementInterest, StatementInterestType,
    StatementRateType, StatementType, StatementValueType,
};
use lombard_domain::money::{Amount, Signed};
use rust_decimal::Decimal;

objects! {
    Statement as "Statement" {
        account: needed(Key<40>, "AccountId");
        id: needed(Key<40>, "StatementId");
        reference: maybe(Text<35>, "StatementReference");
        kind: needed(The<StatementType>, "Type");
        starts_at: needed(The<Timestamp>, "StartDateTime");
        ends_at: needed(The<Timestamp>, "EndDateTime");
        created_at: needed(The<Timestamp>, "CreationDateTime");
        descriptions: list(Text<500>, "StatementDescription");
        benefits: list(The<StatementBenefit>, "StatementBenefit");
        fees: list(The<StatementFee>, "StatementFee");
        interest: list(The<StatementInterest>, "StatementInterest");
        amounts: list(The<(StatementAmountType, Signed)>, "StatementAmount");
        dates: list(The<(StatementDateType, Timestamp)>, "StatementDateTime");
        rates: list(The<(StatementRateType, Decimal)>, "StatementRate");
        values: list(The<(StatementValueType, String)>, "StatementValue");
        total: maybe(The<Amount>, "TotalValue");
    }

    StatementBenefit as "StatementBenefit" {
        kind: needed(The<StatementBenefitType>, "Type");
        amount: needed(The<Amount>, "Amount");
    }

    StatementFee as "StatementFee" {
        description: maybe(Text<128>, "Description");
        kind: needed(The<StatementFeeType>, "Type");
        rate: both(Exact<3, 4>, "Rate", The<FeeRateType>, "RateType");
        frequency: maybe(The<FeeFrequency>, "Frequency");
        sum: flat(Signed);
    }

    StatementInterest as "StatementInterest" {
        description: maybe(Text<128>, "Description");
        kind: needed(The<StatementInterestType>, "Type");
        rate: both(Exact<3, 4>, "Rate", The<InterestRateType>, "RateType");
        frequency: maybe(The<InterestFrequency>, "Frequency");
        sum: flat(Signed);
    }
}

/// A figure of a statement: what it is, and how much, when or how many.
macro_rules! figures {
    ($(($kind:ty, $value:ty) as $name:literal: $read:ident $args:tt;)*) => {$(
        impl Object for ($kind, $value) {
            fn name() -> String {
        $name.to_owned()
    }

            fn describe(list: &mut MemberList<'_>) {
                list.needed::<The<$kind>>("Type");
                objects!(@describe list, $read $args);
            }

            fn take(members: &mut Members<'_, '_>) -> Option<Self> {
                let kind = members.needed::<$kind, The<$kind>>("Type");
                objects!(@take members, value, $read $args);
                Some((kind?, value?))
            }

            fn put(&self, object: &mut Written) {
                object.needed::<_, The<$kind>>("Type", &self.0);
                objects!(@put object, &self.1, $read $args);
            }
        }
    )*};
}

figures! {
    (StatementAmountType, Signed) as "StatementAmount": flat(Signed);
    (StatementDateType, Timestamp) as "StatementDateTime": needed(The<Timestamp>, "DateTime");
    (StatementRateType, Decimal) as "StatementRate": needed(Exact<3, 4>, "Rate");
    (StatementValueType, String) as "StatementValue": needed(Text<40>, "Value");
}
