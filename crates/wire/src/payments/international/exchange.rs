//! The exchange rate in requests and responses.

use super::names;
use crate::parse::{FaultCollector, FromJson, JsonMember, JsonPath, ObjectSource, Stopped, object};
use crate::parts::ExactNumber;
use crate::payments::number::Number;
use crate::payments::values::RailText;
use crate::time::WireInstant;
use lombard_domain::money::Currency;
use lombard_domain::payment::exchange::{ConversionRate, ExchangeRateRequest, ExchangeRateType, Quote};
use lombard_domain::refusal::{ExchangeField, FaultCode};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

object! {
    /// Source: INT-010, `OBExchangeRate1`.
    struct Members: Closed {
        required unit: Currency = "UnitCurrency",
        optional rate: ConversionRate = "ExchangeRate",
        required kind: ExchangeRateType = "RateType",
        optional contract: RailText<1, 256> = "ContractIdentification",
    }
}

impl FromJson for ExchangeRateRequest {
    const WANTED: &'static str = "an object";

    fn schema() -> Value {
        Members::schema()
    }

    fn object(
        reader: &FaultCollector,
        at: &JsonPath<'_>,
        members: &mut dyn ObjectSource,
    ) -> Result<Option<Self>, Stopped> {
        let Some(Members { unit, rate, kind, contract }) = Members::object(reader, at, members)? else {
            return Ok(None);
        };
        let rate_request = Self::new(unit, kind, rate, contract.map(|text| text.0));
        Ok(rate_request
            .map_err(|faults| faults.iter().for_each(|it| reader.fault(it.code, &at.member(name(it.at)), it.message)))
            .ok())
    }
}

impl FromJson for ConversionRate {
    const WANTED: &'static str = Number::WANTED;

    const IS_NOTATION: bool = true;

    fn notation(reader: &FaultCollector, at: &JsonPath<'_>, text: &str) -> JsonMember<Self> {
        match Number::notation(reader, at, text) {
            JsonMember::Null => JsonMember::Null,
            JsonMember::Faulty => JsonMember::Faulty,
            JsonMember::Value(Number(number)) => match Self::try_from(number) {
                Ok(rate) => JsonMember::Value(rate),
                Err(_) => {
                    let message = "Must be more than zero, with at most 15 significant digits and 12 decimals.";
                    reader.fault(FaultCode::FieldInvalid, at, message);
                    JsonMember::Faulty
                }
            },
        }
    }
}

/// The path of an exchange field, the same in both versions. Source: RW-124.
pub const fn exchange_field_path(field: ExchangeField) -> &'static str {
    match field {
        ExchangeField::InstructedAmount => "Data.Initiation.InstructedAmount.Amount",
        ExchangeField::InstructedCurrency => "Data.Initiation.InstructedAmount.Currency",
        ExchangeField::TransferCurrency => "Data.Initiation.CurrencyOfTransfer",
        ExchangeField::UnitCurrency => "Data.Initiation.ExchangeRateInformation.UnitCurrency",
        ExchangeField::RateType => "Data.Initiation.ExchangeRateInformation.RateType",
        ExchangeField::Rate => "Data.Initiation.ExchangeRateInformation.ExchangeRate",
        ExchangeField::Contract => "Data.Initiation.ExchangeRateInformation.ContractIdentification",
        // The bank's own object, because the TPP's has no expiry (INT-010, INT-020).
        ExchangeField::QuoteExpiry => "Data.ExchangeRateInformation.ExpirationDateTime",
        ExchangeField::ChargeBearer => "Data.Initiation.ChargeBearer",
        ExchangeField::CreditorAgent => "Data.Initiation.CreditorAgent",
        ExchangeField::AgentIdentification => "Data.Initiation.CreditorAgent.Identification",
    }
}

/// The last member name of a field's path.
fn name(field: ExchangeField) -> &'static str {
    exchange_field_path(field).rsplit('.').next().unwrap_or_default()
}

/// The bank's quote, as rendered in `Data` of consents and orders. Source: INT-010, INT-025, `OBExchangeRate2`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct ExchangeRateResponse<'a> {
    #[schemars(regex(pattern = "^[A-Z]{3}$"))]
    unit_currency: &'static str,
    exchange_rate: ExactNumber,
    #[schemars(extend("enum" = ExchangeRateType::ALL.map(names::rate_type)))]
    rate_type: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    contract_identification: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    expiration_date_time: Option<WireInstant>,
}

impl<'a> From<&'a Quote> for ExchangeRateResponse<'a> {
    fn from(quote: &'a Quote) -> Self {
        Self {
            unit_currency: quote.pair.unit.code(),
            exchange_rate: ExactNumber(quote.rate.decimal()),
            rate_type: names::rate_type(quote.kind()),
            contract_identification: quote.contract(),
            expiration_date_time: quote.expires_at().map(WireInstant),
        }
    }
}
