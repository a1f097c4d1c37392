//! Confirmation of funds for a VRP payment. Source: VRP-070 to VRP-075.

use crate::describe::{Describe, schema_of};
use crate::parse::{self, FromJson, object};
use crate::parts::WireMoney;
use crate::payments::forms::PaymentForms;
use crate::payments::open_amount::OpenAmount as Asked;
use crate::payments::values::RailText;
use crate::response::{Response, write};
use crate::time::WireInstant;
use crate::{Parse, Render, RenderError, ResponseEnvelope};
use lombard_domain::payment::vrp::{VrpFundsConfirmationRequest, VrpFundsConfirmationResult};
use lombard_domain::refusal::Fault;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

object! {
    /// Source: VRP-071, `OBVRPFundsConfirmationRequest`.
    struct Request: Open {
        required data: RequestData = "Data",
    }
}

object! {
    /// Source: VRP-071, `OBVRPFundsConfirmationRequest/Data`.
    struct RequestData: Open {
        required consent: RailText<1, 128> = "ConsentId",
        optional reference: RailText<1, 35> = "Reference",
        required amount: Asked = "InstructedAmount",
    }
}

impl<V: PaymentForms> Parse<VrpFundsConfirmationRequest> for V {
    fn parse(body: &[u8], depth_max: usize) -> Result<VrpFundsConfirmationRequest, Vec<Fault>> {
        let Request { data: RequestData { consent, reference, amount } } = parse::body(body, depth_max)?;
        let reference = reference.map(|text| text.0);
        Ok(VrpFundsConfirmationRequest { consent: consent.0.into(), reference, amount: amount.0 })
    }
}

/// Source: VRP-072, `OBVRPFundsConfirmationResponse/Data`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
struct Confirmation<'a> {
    #[schemars(length(min = 1, max = 40))]
    funds_confirmation_id: &'a str,
    #[schemars(length(min = 1, max = 128))]
    consent_id: &'a str,
    creation_date_time: WireInstant,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 35))]
    reference: Option<&'a str>,
    funds_available_result: FundsAvailableResult,
    instructed_amount: WireMoney,
}

/// The result is a code, whereas other payments have a boolean. Source: VRP-072, `OBPAFundsAvailableResult1`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
struct FundsAvailableResult {
    funds_available_date_time: WireInstant,
    #[schemars(extend("enum" = ["Available", "NotAvailable"]))]
    funds_available: &'static str,
}

impl<V: PaymentForms> Render<VrpFundsConfirmationResult> for V {
    fn render(answer: &VrpFundsConfirmationResult, envelope: &ResponseEnvelope) -> Result<Vec<u8>, RenderError> {
        let confirmation = Confirmation {
            funds_confirmation_id: answer.id.as_str(),
            consent_id: answer.question.consent.as_str(),
            creation_date_time: WireInstant(answer.created_at),
            reference: answer.question.reference.as_deref(),
            funds_available_result: FundsAvailableResult {
                funds_available_date_time: WireInstant(answer.created_at),
                funds_available: if answer.available { "Available" } else { "NotAvailable" },
            },
            instructed_amount: answer.question.amount.into(),
        };
        write(confirmation, envelope, 600)
    }
}

impl<V: PaymentForms> Describe<VrpFundsConfirmationResult> for V {
    fn schema() -> Value {
        schema_of::<Response<'static, Confirmation<'static>>>()
    }
}

impl<V: PaymentForms> Describe<VrpFundsConfirmationRequest> for V {
    fn schema() -> Value {
        Request::schema()
    }
}
