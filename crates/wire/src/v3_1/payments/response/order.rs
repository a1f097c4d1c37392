//! Payment orders.

use super::parts::{MultiAuthorisation, WireCharge, WireDebtor, WireRefund, payer};
use super::{EchoedRequest, EchoedSchema, expected};
use crate::time::WireInstant;
use crate::v3_1::V3_1;
use crate::v3_1::parts::CashAccount;
use crate::v3_1::payments::international::ExchangeRateResponse;
use crate::v3_1::payments::names::{self, Listed};
use crate::{Links, Meta, Render, RenderError, ResponseEnvelope};
use lombard_domain::account::AccountIdentification;
use lombard_domain::order::{OrderView, SummaryStatus};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};
use serde_json::value::RawValue;
use std::borrow::Cow;

/// The data of an order. The name of its id depends on the product. Source: `OBWriteDomesticResponse5/Data` and its
/// counterparts.
pub(in crate::v3_1::payments) struct OrderData<'a> {
    view: &'a OrderView,
    initiation: &'a RawValue,
    /// Only of a VRP payment. Source: VRP-059.
    instruction: Option<&'a RawValue>,
}

impl OrderData<'_> {
    /// The name of the order's id in the schema before it is renamed for a product.
    pub(in crate::v3_1::payments) const ID: &'static str = "OrderId";
}

/// Written by hand like the serialisation; a test compares the two.
impl JsonSchema for OrderData<'_> {
    fn schema_name() -> Cow<'static, str> {
        Cow::Borrowed("OrderData")
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut statuses = SummaryStatus::NAMES.to_vec();
        statuses.dedup();
        let instant = WireInstant::json_schema(generator);
        json_schema!({
            "type": "object",
            "properties": {
                "OrderId": { "type": "string", "minLength": 1, "maxLength": 40 },
                "ConsentId": { "type": "string", "minLength": 1, "maxLength": 128 },
                "CreationDateTime": instant,
                "Status": { "type": "string", "enum": statuses },
                "StatusUpdateDateTime": instant,
                "ExpectedExecutionDateTime": instant,
                "ExpectedSettlementDateTime": instant,
                "Refund": WireRefund::json_schema(generator),
                "Charges": Vec::<WireCharge>::json_schema(generator),
                "ExchangeRateInformation": ExchangeRateResponse::json_schema(generator),
                "Initiation": {},
                "Instruction": {},
                "MultiAuthorisation": MultiAuthorisation::json_schema(generator),
                "Debtor": WireDebtor::json_schema(generator),
                "DebtorAccount": CashAccount::json_schema(generator)
            },
            "required": [
                "OrderId", "ConsentId", "CreationDateTime", "Status", "StatusUpdateDateTime", "Charges", "Initiation"
            ]
        })
    }
}

impl Serialize for OrderData<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let OrderView { product, conditions, .. } = self.view;
        let (step, family) = (self.view.course.current(), product.family());
        let mut data = serializer.serialize_map(None)?;
        data.serialize_entry(product.id_member(), self.view.id.as_str())?;
        data.serialize_entry("ConsentId", self.view.consent.as_str())?;
        data.serialize_entry("CreationDateTime", &WireInstant(self.view.created_at))?;
        data.serialize_entry("Status", names::order_status(step.summary(family)))?;
        data.serialize_entry("StatusUpdateDateTime", &WireInstant(self.view.course.summary_since(family)))?;
        if let Some(at) = expected(*product, conditions.execution_at) {
            data.serialize_entry("ExpectedExecutionDateTime", &at)?;
        }
        if let Some(at) = expected(*product, conditions.settlement_at) {
            data.serialize_entry("ExpectedSettlementDateTime", &at)?;
        }
        if let Some(refund) = &self.view.refund {
            // For a VRP payment it is the account itself.
            if product.reuses_consents() {
                let account: &AccountIdentification = &refund.account;
                data.serialize_entry("Refund", &CashAccount::from(account))?;
            } else {
                data.serialize_entry("Refund", &WireRefund::of(refund, product.territory()))?;
            }
        }
        data.serialize_entry("Charges", &conditions.charges.iter().map(WireCharge::from).collect::<Vec<_>>())?;
        if let Some(quote) = &conditions.quote {
            data.serialize_entry("ExchangeRateInformation", &ExchangeRateResponse::from(quote))?;
        }
        data.serialize_entry("Initiation", self.initiation)?;
        if let Some(instruction) = self.instruction {
            data.serialize_entry("Instruction", instruction)?;
        }
        if let Some(approvals) = &self.view.approvals {
            data.serialize_entry("MultiAuthorisation", &MultiAuthorisation::from(approvals))?;
        }
        let (debtor, debtor_account) = payer(*product, self.view.debtor.as_ref());
        if let Some(debtor) = debtor {
            data.serialize_entry("Debtor", &debtor)?;
        }
        if let Some(account) = debtor_account {
            data.serialize_entry("DebtorAccount", &account)?;
        }
        data.end()
    }
}

/// Source: `OBWriteDomesticResponse5` and its sisters.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
pub(in crate::v3_1::payments) struct OrderResponse<'a> {
    data: OrderData<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "EchoedSchema")]
    risk: Option<&'a RawValue>,
    links: &'a Links,
    meta: Meta,
}

/// Most orders are rendered without the `Risk` block, consents with it (PIS-159).
impl Render<OrderView> for V3_1 {
    fn render(view: &OrderView, envelope: &ResponseEnvelope) -> Result<Vec<u8>, RenderError> {
        let EchoedRequest { data: kept, risk } = EchoedRequest::of(&view.submitted)?;
        let response = OrderResponse {
            data: OrderData { view, initiation: kept.initiation, instruction: kept.instruction },
            risk: risk.filter(|_| view.product.orders_repeat_risk()),
            links: &envelope.links,
            meta: envelope.meta,
        };
        serde_json::to_vec(&response).map_err(RenderError)
    }
}
