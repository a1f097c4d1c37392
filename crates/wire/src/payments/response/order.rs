//! Serialises payment orders.

use super::parts::{MultiAuthorisation, WireCharge, WireDebtor, WireRefund, payer};
use super::{EchoedRequest, EchoedSchema, expected};
use crate::parts::CashAccount;
use crate::payments::forms::PaymentForms;
use crate::payments::international::ExchangeRateResponse;
use crate::status_reason::StatusReason;
use crate::time::WireInstant;
use crate::{Links, Meta, Render, RenderError, ResponseEnvelope};
use lombard_domain::account::AccountIdentification;
use lombard_domain::payment::order::OrderView;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::marker::PhantomData;

/// The data of an order. The name of its id depends on the product. Source: `OBWriteDomesticResponse5/Data` and its
/// counterparts.
pub(in crate::payments) struct OrderData<'a, V> {
    view: &'a OrderView,
    initiation: &'a RawValue,
    /// Present for a VRP payment only. Source: VRP-059.
    instruction: Option<&'a RawValue>,
    version: PhantomData<V>,
}

/// The name of the order's id in the schema before it is renamed for a product.
pub(in crate::payments) const ORDER_ID: &str = "OrderId";

/// The schema is written by hand like the serialisation; a test compares the two.
impl<V> JsonSchema for OrderData<'_, V> {
    fn schema_name() -> Cow<'static, str> {
        Cow::Borrowed("OrderData")
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let instant = WireInstant::json_schema(generator);
        json_schema!({
            "type": "object",
            "properties": {
                "OrderId": { "type": "string", "minLength": 1, "maxLength": 40 },
                "ConsentId": { "type": "string", "minLength": 1, "maxLength": 128 },
                "CreationDateTime": instant,
                "Status": { "type": "string" },
                "StatusReason": Vec::<StatusReason>::json_schema(generator),
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

impl<V: PaymentForms> Serialize for OrderData<'_, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let OrderView { product, conditions, .. } = self.view;
        let shown = |change| V::order_status(self.view, change);
        let mut data = serializer.serialize_map(None)?;
        data.serialize_entry(product.id_member(), self.view.id.as_str())?;
        data.serialize_entry("ConsentId", self.view.consent.as_str())?;
        data.serialize_entry("CreationDateTime", &WireInstant(self.view.created_at))?;
        data.serialize_entry("Status", shown(self.view.status_history.current()))?;
        let reasons = V::order_reasons(self.view);
        if !reasons.is_empty() {
            data.serialize_entry("StatusReason", &reasons.iter().map(StatusReason::from).collect::<Vec<_>>())?;
        }
        data.serialize_entry("StatusUpdateDateTime", &WireInstant(self.view.status_history.unchanged_since(shown)))?;
        if let Some(at) = expected(*product, conditions.execution_at) {
            data.serialize_entry("ExpectedExecutionDateTime", &at)?;
        }
        if let Some(at) = expected(*product, conditions.settlement_at) {
            data.serialize_entry("ExpectedSettlementDateTime", &at)?;
        }
        if let Some(refund) = &self.view.refund {
            // A VRP payment of v3.1 has the account itself here.
            if product.reuses_consents() && V::FLAT_VRP_REFUND {
                let account: &AccountIdentification = &refund.account;
                data.serialize_entry("Refund", &CashAccount::from(account))?;
            } else {
                data.serialize_entry("Refund", &WireRefund::of::<V>(refund, product.territory()))?;
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
            data.serialize_entry("MultiAuthorisation", &MultiAuthorisation::of::<V>(approvals))?;
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

/// Source: `OBWriteDomesticResponse5` and its counterparts.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
pub(in crate::payments) struct OrderResponse<'a, D> {
    data: D,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "EchoedSchema")]
    risk: Option<&'a RawValue>,
    links: &'a Links,
    meta: Meta,
}

/// Most orders are rendered without the `Risk` block, consents with it (PIS-159).
impl<V: PaymentForms> Render<OrderView> for V {
    fn render(view: &OrderView, envelope: &ResponseEnvelope) -> Result<Vec<u8>, RenderError> {
        let submitted = V::document(&view.submitted)?;
        let EchoedRequest { data: kept, risk } = EchoedRequest::of(&submitted)?;
        let response = OrderResponse {
            data: OrderData::<V> {
                view,
                initiation: kept.initiation,
                instruction: kept.instruction,
                version: PhantomData,
            },
            risk: risk.filter(|_| view.product.orders_repeat_risk()),
            links: &envelope.links,
            meta: envelope.meta,
        };
        serde_json::to_vec(&response).map_err(RenderError)
    }
}
