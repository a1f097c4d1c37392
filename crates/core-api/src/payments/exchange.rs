//! Exchange rates: requested, agreed, and quoted by the bank.

use crate::form::faults::JsonLocation;
use crate::form::node::JsonNode;
use crate::form::schema::{Definitions, MemberList};
use crate::form::shape::{FormOf, FormReader, MemberReader, MemberWriter, ObjectForm, SingleForm};
use crate::form::values::BoundedText;
use crate::objects;
use jiff::Timestamp;
use lombard_domain::money::Currency;
use lombard_domain::payment::exchange::{
    AgreedRate, ConversionRate, CurrencyPair, ExchangeRateRequest, ExchangeRateType, Quote, QuoteBasis, RequestedRate,
};

objects! {
    /// A rate that was agreed beforehand.
    AgreedRate as "AgreedRate" {
        /// The agreed rate.
        rate: required(FormOf<ConversionRate>, "ExchangeRate");
        /// The contract identification, at most 256 characters.
        contract: required(BoundedText<256>, "ContractIdentification");
    }

    /// The currencies of an exchange.
    CurrencyPair as "CurrencyPair" {
        /// The debtor's currency: that of the account debited.
        unit: required(FormOf<Currency>, "UnitCurrency");
        /// The currency of transfer.
        transfer: required(FormOf<Currency>, "CurrencyOfTransfer");
    }

    /// A rate that the bank quoted, shown in the consent and its order.
    Quote as "Quote" {
        pair: flat(CurrencyPair);
        /// The rate.
        rate: required(FormOf<ConversionRate>, "ExchangeRate");
        basis: flat(QuoteBasis);
    }
}

impl SingleForm for ConversionRate {
    fn schema(_: &mut Definitions) -> JsonNode<'static> {
        JsonNode::object([("type", JsonNode::text("string")), ("pattern", JsonNode::text(r"^\d{1,15}(\.\d{1,12})?$"))])
    }

    fn read(node: JsonNode<'_>, at: &JsonLocation<'_>, reader: &mut FormReader) -> Option<Self> {
        let rate = if let JsonNode::Text(text) = &node { text.parse().ok() } else { None };
        if rate.is_none() {
            return reader.fault(at, "Must be a rate as text: more than zero, at most 15 digits and 12 decimals.");
        }
        rate
    }

    fn write(&self) -> JsonNode<'static> {
        JsonNode::text(self.decimal().to_string())
    }
}

/// The form of a requested exchange rate. Source: `OBExchangeRate1`.
impl ObjectForm for ExchangeRateRequest {
    type Value = Self;

    const ABOUT: &'static str = "The exchange rate that a TPP asks for.";

    fn name() -> String {
        "ExchangeRateRequest".to_owned()
    }

    fn describe(list: &mut MemberList<'_>) {
        list.required::<FormOf<Currency>>("UnitCurrency", "The currency of the debtor account.");
        list.required::<FormOf<ExchangeRateType>>("RateType", "The kind of rate.");
        list.optional::<FormOf<ConversionRate>>("ExchangeRate", "The rate; with an agreed rate only.");
        list.optional::<BoundedText<256>>("ContractIdentification", "The contract; with an agreed rate only.");
    }

    fn parse_members(members: &mut MemberReader<'_, '_>) -> Option<Self> {
        let unit = members.required::<Currency, FormOf<Currency>>("UnitCurrency");
        let kind = members.required::<ExchangeRateType, FormOf<ExchangeRateType>>("RateType");
        let rate = members.optional::<ConversionRate, FormOf<ConversionRate>>("ExchangeRate");
        let contract = members.optional::<String, BoundedText<256>>("ContractIdentification");
        match Self::new(unit?, kind?, rate?, contract?) {
            Ok(request) => Some(request),
            Err(_) => members
                .reader
                .fault(members.at, "An agreed rate has ExchangeRate and ContractIdentification, others neither."),
        }
    }

    fn write_members(value: &Self, object: &mut MemberWriter) {
        object.required::<_, FormOf<Currency>>("UnitCurrency", &value.unit);
        object.required::<_, FormOf<ExchangeRateType>>("RateType", &value.kind());
        match &value.basis {
            RequestedRate::Agreed(deal) => AgreedRate::write_members(deal, object),
            RequestedRate::Actual | RequestedRate::Indicative => {}
        }
    }
}

/// The form of the basis of a quoted rate. Source: `OBExchangeRate2`.
impl ObjectForm for QuoteBasis {
    type Value = Self;

    fn name() -> String {
        "QuoteBasis".to_owned()
    }

    fn describe(list: &mut MemberList<'_>) {
        list.required::<FormOf<ExchangeRateType>>("RateType", "The kind of rate.");
        let about = "Until when the bank holds the rate; an order at this instant is late. With an actual rate only.";
        list.optional::<FormOf<Timestamp>>("ExpirationDateTime", about);
        list.optional::<BoundedText<256>>("ContractIdentification", "The contract; with an agreed rate only.");
    }

    fn parse_members(members: &mut MemberReader<'_, '_>) -> Option<Self> {
        let kind = members.required::<ExchangeRateType, FormOf<ExchangeRateType>>("RateType");
        let expires_at = members.optional::<Timestamp, FormOf<Timestamp>>("ExpirationDateTime");
        let contract = members.optional::<String, BoundedText<256>>("ContractIdentification");
        match (kind?, expires_at?, contract?) {
            (ExchangeRateType::Actual, Some(expires_at), None) => Some(Self::Actual { expires_at }),
            (ExchangeRateType::Agreed, None, Some(contract)) => Some(Self::Agreed { contract }),
            (ExchangeRateType::Indicative, None, None) => Some(Self::Indicative),
            (ExchangeRateType::Actual, ..) => {
                members.reader.fault(members.at, "An actual rate has ExpirationDateTime and no ContractIdentification.")
            }
            (ExchangeRateType::Agreed, ..) => {
                members.reader.fault(members.at, "An agreed rate has ContractIdentification and no ExpirationDateTime.")
            }
            (ExchangeRateType::Indicative, ..) => {
                let sentence = "An indicative rate has neither ExpirationDateTime nor ContractIdentification.";
                members.reader.fault(members.at, sentence)
            }
        }
    }

    fn write_members(value: &Self, object: &mut MemberWriter) {
        let mut kind = |kind| object.required::<_, FormOf<ExchangeRateType>>("RateType", &kind);
        match value {
            Self::Actual { expires_at } => {
                kind(ExchangeRateType::Actual);
                object.required::<_, FormOf<Timestamp>>("ExpirationDateTime", expires_at);
            }
            Self::Agreed { contract } => {
                kind(ExchangeRateType::Agreed);
                object.required::<_, BoundedText<256>>("ContractIdentification", contract);
            }
            Self::Indicative => kind(ExchangeRateType::Indicative),
        }
    }
}
