//! Offers. Source: AIS-182.

use super::{AccountForms, described_in_all};
use crate::names;
use crate::parts::{WireMoney, rate};
use crate::response::{Response, write};
use crate::time::WireInstant;
use crate::{Render, RenderError, ResponseEnvelope};
use lombard_domain::account::{Aliased, Offer};
use schemars::JsonSchema;
use serde::Serialize;

/// Source: `OBReadOffer1/Data`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
struct Offers<'a> {
    offer: Vec<WireOffer<'a>>,
}

/// Source: `OBReadOffer1/Data/Offer`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
struct WireOffer<'a> {
    account_id: &'a str,
    offer_id: &'a str,
    #[schemars(extend("enum" = names::listed::offer_type()))]
    offer_type: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    start_date_time: Option<WireInstant>,
    #[serde(skip_serializing_if = "Option::is_none")]
    end_date_time: Option<WireInstant>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rate: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    term: Option<&'a str>,
    #[serde(rename = "URL", skip_serializing_if = "Option::is_none")]
    url: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    amount: Option<WireMoney>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fee: Option<WireMoney>,
}

impl<'a> From<&'a Aliased<Offer>> for WireOffer<'a> {
    fn from(Aliased { alias, record }: &'a Aliased<Offer>) -> Self {
        Self {
            account_id: alias.as_str(),
            offer_id: record.id.as_str(),
            offer_type: names::offer_type(record.kind),
            description: record.description.as_deref(),
            start_date_time: record.from.map(WireInstant),
            end_date_time: record.until.map(WireInstant),
            rate: record.rate.map(rate),
            value: record.value,
            term: record.term.as_deref(),
            url: record.url.as_deref(),
            amount: record.amount.map(WireMoney::from),
            fee: record.fee.map(WireMoney::from),
        }
    }
}

described_in_all!([Aliased<Offer>], Response<'static, Offers<'static>>);

impl<V: AccountForms> Render<[Aliased<Offer>]> for V {
    fn render(offers: &[Aliased<Offer>], envelope: &ResponseEnvelope) -> Result<Vec<u8>, RenderError> {
        let data = Offers { offer: offers.iter().map(WireOffer::from).collect() };
        write(data, envelope, offers.len().saturating_mul(600).saturating_add(400))
    }
}
