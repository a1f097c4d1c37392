//! Standing orders. Source: AIS-171, AIS-172.

use super::parts::{Bic, CashAccount, Money};
use super::{Response, V3_1, names, write};
use crate::describe::described;
use crate::time::Instant;
use crate::{Render, RenderError, ResponseEnvelope};
use lombard_domain::account::{Identification, Instalment, Shown, StandingOrder};
use lombard_domain::frequency::{Frequency, Quarter};
use schemars::JsonSchema;
use serde::Serialize;

/// The payee only where the consent opens it (AIS-050, AIS-051).
type Seen = StandingOrder<Option<Identification>>;

/// Source: `OBReadStandingOrder6/Data`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
struct StandingOrders<'a> {
    standing_order: Vec<WireStandingOrder<'a>>,
}

/// Source: `OBStandingOrder6`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
struct WireStandingOrder<'a> {
    account_id: &'a str,
    standing_order_id: &'a str,
    frequency: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    reference: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    first_payment_date_time: Option<Instant>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_payment_date_time: Option<Instant>,
    #[serde(skip_serializing_if = "Option::is_none")]
    last_payment_date_time: Option<Instant>,
    #[serde(skip_serializing_if = "Option::is_none")]
    final_payment_date_time: Option<Instant>,
    #[serde(skip_serializing_if = "Option::is_none")]
    number_of_payments: Option<String>,
    #[schemars(extend("enum" = names::listed::arrangement_status()))]
    standing_order_status_code: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    first_payment_amount: Option<Money>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_payment_amount: Option<Money>,
    #[serde(skip_serializing_if = "Option::is_none")]
    last_payment_amount: Option<Money>,
    #[serde(skip_serializing_if = "Option::is_none")]
    final_payment_amount: Option<Money>,
    #[serde(skip_serializing_if = "Option::is_none")]
    creditor_agent: Option<Bic<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    creditor_account: Option<CashAccount<'a>>,
}

impl<'a> From<&'a Shown<Seen>> for WireStandingOrder<'a> {
    fn from(Shown { alias, record }: &'a Shown<Seen>) -> Self {
        let at = |instalment: Option<Instalment>| instalment.map(|instalment| Instant(instalment.at));
        let amount = |instalment: Option<Instalment>| instalment.map(|instalment| Money::from(instalment.amount));
        Self {
            account_id: alias.as_str(),
            standing_order_id: record.id.as_str(),
            frequency: frequency(record.frequency),
            reference: record.reference.as_deref(),
            first_payment_date_time: at(record.first),
            next_payment_date_time: at(record.next),
            last_payment_date_time: at(record.last),
            final_payment_date_time: at(record.end),
            number_of_payments: record.payments.map(|count| count.to_string()),
            standing_order_status_code: names::arrangement_status(record.status),
            first_payment_amount: amount(record.first),
            next_payment_amount: amount(record.next),
            last_payment_amount: amount(record.last),
            final_payment_amount: amount(record.end),
            creditor_agent: record.agent.as_ref().and_then(Bic::of),
            creditor_account: record.payee.as_ref().map(CashAccount::from),
        }
    }
}

/// The text of a frequency; weekdays count from Monday, `01`. Source: AIS-172.
pub fn frequency(frequency: Frequency) -> String {
    match frequency {
        Frequency::NotKnown => "NotKnown".into(),
        Frequency::EveryDay => "EvryDay".into(),
        Frequency::EveryWorkingDay => "EvryWorkgDay".into(),
        Frequency::IntervalDay(days) => format!("IntrvlDay:{days:02}"),
        Frequency::IntervalWeekDay(weeks, day) => format!("IntrvlWkDay:{weeks:02}:{:02}", day.to_monday_one_offset()),
        Frequency::WeekInMonthDay(week, day) => format!("WkInMnthDay:{week:02}:{:02}", day.to_monday_one_offset()),
        Frequency::IntervalMonthDay(months, day) if day < 0 => format!("IntrvlMnthDay:{months:02}:{day:03}"),
        Frequency::IntervalMonthDay(months, day) => format!("IntrvlMnthDay:{months:02}:{day:02}"),
        Frequency::QuarterDay(Quarter::English) => "QtrDay:ENGLISH".into(),
        Frequency::QuarterDay(Quarter::Scottish) => "QtrDay:SCOTTISH".into(),
        Frequency::QuarterDay(Quarter::Received) => "QtrDay:RECEIVED".into(),
    }
}

described!(V3_1, [Shown<Seen>], Response<'static, StandingOrders<'static>>);

impl Render<[Shown<Seen>]> for V3_1 {
    fn render(standing_orders: &[Shown<Seen>], envelope: &ResponseEnvelope) -> Result<Vec<u8>, RenderError> {
        let data = StandingOrders { standing_order: standing_orders.iter().map(WireStandingOrder::from).collect() };
        write(data, envelope, standing_orders.len().saturating_mul(900).saturating_add(400))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::Weekday;

    #[test]
    fn ais_172_every_kind_of_frequency_in_the_words_of_the_pattern() {
        for (value, text) in [
            (Frequency::NotKnown, "NotKnown"),
            (Frequency::EveryDay, "EvryDay"),
            (Frequency::EveryWorkingDay, "EvryWorkgDay"),
            (Frequency::IntervalDay(2), "IntrvlDay:02"),
            (Frequency::IntervalDay(31), "IntrvlDay:31"),
            (Frequency::IntervalWeekDay(1, Weekday::Monday), "IntrvlWkDay:01:01"),
            (Frequency::IntervalWeekDay(9, Weekday::Sunday), "IntrvlWkDay:09:07"),
            (Frequency::WeekInMonthDay(5, Weekday::Friday), "WkInMnthDay:05:05"),
            (Frequency::IntervalMonthDay(1, 1), "IntrvlMnthDay:01:01"),
            (Frequency::IntervalMonthDay(24, 31), "IntrvlMnthDay:24:31"),
            (Frequency::IntervalMonthDay(6, -1), "IntrvlMnthDay:06:-01"),
            (Frequency::IntervalMonthDay(12, -5), "IntrvlMnthDay:12:-05"),
            (Frequency::QuarterDay(Quarter::English), "QtrDay:ENGLISH"),
            (Frequency::QuarterDay(Quarter::Scottish), "QtrDay:SCOTTISH"),
            (Frequency::QuarterDay(Quarter::Received), "QtrDay:RECEIVED"),
        ] {
            assert_eq!(frequency(value), text);
        }
    }
}
