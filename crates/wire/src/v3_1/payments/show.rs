//! Consents, orders, funds and details as v3.1 shows them. One shape for all products; what a product lacks, its row says.

use super::names::{self, Listed};
use crate::describe::described;
use crate::time::Instant;
use crate::v3_1::parts::{CashAccount, Money};
use crate::v3_1::{Response, V3_1, write};
use crate::{Envelope, Links, Meta, Render, RenderError};
use jiff::Timestamp;
use lombard_domain::account::Identification;
use lombard_domain::consent::Submitted;
use lombard_domain::order::{
    ApprovalStatus, Approvals, Charge, ChargeBearer, ChargeType, Debtor, DetailReason, DetailsView, FundsView,
    Instrument, OrderView, PaymentConsentStatus, PaymentConsentView, PaymentEntry, PaymentStatus, Phase, Product,
    RailDetail,
};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::ser::{SerializeMap, Serializer};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::borrow::Cow;

/// What is kept of a request: the parts that are shown again, as they came. Source: PIS-017, PIS-019.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Kept<'a> {
    #[serde(borrow)]
    data: KeptData<'a>,
    #[serde(borrow)]
    risk: Option<&'a RawValue>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
struct KeptData<'a> {
    #[serde(borrow)]
    permission: Option<&'a RawValue>,
    #[serde(borrow)]
    read_refund_account: Option<&'a RawValue>,
    #[serde(borrow)]
    initiation: &'a RawValue,
    #[serde(borrow)]
    authorisation: Option<&'a RawValue>,
    #[serde(borrow, rename = "SCASupportData")]
    sca_support_data: Option<&'a RawValue>,
}

impl<'a> Kept<'a> {
    fn of(submitted: &'a Submitted) -> Result<Self, RenderError> {
        serde_json::from_str(&submitted.json).map_err(RenderError)
    }
}

/// What is repeated of a request is described as the request is (`describe`).
type Repeated = Option<serde_json::Value>;

/// Source: `OBWriteDomesticConsentResponse5` and its sisters.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
pub(super) struct ConsentResponse<'a> {
    data: ConsentData<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Repeated")]
    risk: Option<&'a RawValue>,
    links: &'a Links,
    meta: Meta,
}

/// Source: `OBWriteDomesticConsentResponse5/Data` and its sisters, table 1.2.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
struct ConsentData<'a> {
    #[schemars(length(min = 1, max = 128))]
    consent_id: &'a str,
    creation_date_time: Instant,
    #[schemars(extend("enum" = PaymentConsentStatus::NAMES))]
    status: &'static str,
    status_update_date_time: Instant,
    #[serde(skip_serializing_if = "Option::is_none")]
    cut_off_date_time: Option<Instant>,
    #[serde(skip_serializing_if = "Option::is_none")]
    expected_execution_date_time: Option<Instant>,
    #[serde(skip_serializing_if = "Option::is_none")]
    expected_settlement_date_time: Option<Instant>,
    charges: Vec<WireCharge>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Repeated")]
    permission: Option<&'a RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Repeated")]
    read_refund_account: Option<&'a RawValue>,
    #[schemars(with = "Repeated")]
    initiation: &'a RawValue,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Repeated")]
    authorisation: Option<&'a RawValue>,
    #[serde(rename = "SCASupportData", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Repeated")]
    sca_support_data: Option<&'a RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    debtor: Option<WireDebtor<'a>>,
}

impl Render<PaymentConsentView> for V3_1 {
    fn render(view: &PaymentConsentView, envelope: &Envelope) -> Result<Vec<u8>, RenderError> {
        let Kept { data: kept, risk } = Kept::of(&view.submitted)?;
        let conditions = &view.conditions;
        let response = ConsentResponse {
            data: ConsentData {
                consent_id: view.id.as_str(),
                creation_date_time: Instant(view.created_at),
                status: names::consent_status(view.status),
                status_update_date_time: Instant(view.status_since),
                cut_off_date_time: conditions.cut_off.map(|cut_off| Instant(cut_off.at)),
                expected_execution_date_time: expected(view.product, conditions.execution_at),
                expected_settlement_date_time: expected(view.product, conditions.settlement_at),
                charges: conditions.charges.iter().map(WireCharge::from).collect(),
                permission: kept.permission,
                read_refund_account: kept.read_refund_account,
                initiation: kept.initiation,
                authorisation: kept.authorisation,
                sca_support_data: kept.sca_support_data,
                debtor: view.debtor.as_ref().map(WireDebtor::from),
            },
            risk,
            links: &envelope.links,
            meta: envelope.meta,
        };
        serde_json::to_vec(&response).map_err(RenderError)
    }
}

/// An expected time, for the products that tell. Source: table 1.2.
fn expected(product: Product, at: Option<Timestamp>) -> Option<Instant> {
    at.filter(|_| product.expects_times()).map(Instant)
}

/// The data of an order. Its id has a name of the product's own. Source: `OBWriteDomesticResponse5/Data` and its sisters.
pub(super) struct OrderData<'a> {
    view: &'a OrderView,
    initiation: &'a RawValue,
}

impl OrderData<'_> {
    /// What the order's id is called in the description, until it has its product's name.
    pub(super) const ID: &'static str = "OrderId";
}

/// By hand, as it is written; the two are compared by a test.
impl JsonSchema for OrderData<'_> {
    fn schema_name() -> Cow<'static, str> {
        Cow::Borrowed("OrderData")
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut statuses = Phase::NAMES.to_vec();
        statuses.dedup();
        let instant = Instant::json_schema(generator);
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
                "Refund": Refund::json_schema(generator),
                "Charges": Vec::<WireCharge>::json_schema(generator),
                "Initiation": {},
                "MultiAuthorisation": MultiAuthorisation::json_schema(generator),
                "Debtor": WireDebtor::json_schema(generator)
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
        let (step, family) = (self.view.course.now(), product.family());
        let mut data = serializer.serialize_map(None)?;
        data.serialize_entry(product.id_member(), self.view.id.as_str())?;
        data.serialize_entry("ConsentId", self.view.consent.as_str())?;
        data.serialize_entry("CreationDateTime", &Instant(self.view.created_at))?;
        data.serialize_entry("Status", names::order_status(step.phase(family)))?;
        data.serialize_entry("StatusUpdateDateTime", &Instant(self.view.course.phase_since(family)))?;
        if let Some(at) = expected(*product, conditions.execution_at) {
            data.serialize_entry("ExpectedExecutionDateTime", &at)?;
        }
        if let Some(at) = expected(*product, conditions.settlement_at) {
            data.serialize_entry("ExpectedSettlementDateTime", &at)?;
        }
        if let Some(refund) = &self.view.refund {
            let account: &Identification = &refund.account;
            data.serialize_entry("Refund", &Refund { account: account.into() })?;
        }
        data.serialize_entry("Charges", &conditions.charges.iter().map(WireCharge::from).collect::<Vec<_>>())?;
        data.serialize_entry("Initiation", self.initiation)?;
        if let Some(approvals) = &self.view.approvals {
            data.serialize_entry("MultiAuthorisation", &MultiAuthorisation::from(approvals))?;
        }
        if let Some(debtor) = &self.view.debtor {
            data.serialize_entry("Debtor", &WireDebtor::from(debtor))?;
        }
        data.end()
    }
}

/// Orders are shown without the risk block, consents with it (PIS-159).
impl Render<OrderView> for V3_1 {
    fn render(view: &OrderView, envelope: &Envelope) -> Result<Vec<u8>, RenderError> {
        let kept = Kept::of(&view.submitted)?;
        let size = view.submitted.json.len().saturating_add(1_000);
        write(OrderData { view, initiation: kept.data.initiation }, envelope, size)
    }
}

/// Source: PIS-100, `OBCharge2`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
struct WireCharge {
    #[schemars(extend("enum" = ChargeBearer::NAMES))]
    charge_bearer: &'static str,
    #[serde(rename = "Type")]
    #[schemars(extend("enum" = ChargeType::NAMES))]
    kind: &'static str,
    amount: Money,
}

impl From<&Charge> for WireCharge {
    fn from(charge: &Charge) -> Self {
        Self {
            charge_bearer: names::charge_bearer(charge.bearer),
            kind: names::charge_type(charge.kind),
            amount: charge.amount.into(),
        }
    }
}

/// Source: PIS-097, `OBDomesticRefundAccount1`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
struct Refund<'a> {
    account: CashAccount<'a>,
}

/// Source: PIS-099, `OBCashAccountDebtor4`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
struct WireDebtor<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    scheme_name: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    identification: Option<&'a str>,
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    secondary_identification: Option<&'a str>,
}

impl<'a> From<&'a Debtor> for WireDebtor<'a> {
    fn from(debtor: &'a Debtor) -> Self {
        let account = debtor.account.as_ref();
        Self {
            scheme_name: account.map(|account| crate::v3_1::names::account_scheme(account.scheme)),
            identification: account.map(|account| account.number.as_str()),
            name: &debtor.name,
            secondary_identification: account.and_then(|account| account.secondary.as_deref()),
        }
    }
}

/// Source: PIS-112, `OBMultiAuthorisation1`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
struct MultiAuthorisation {
    #[schemars(extend("enum" = ApprovalStatus::NAMES))]
    status: &'static str,
    number_required: u16,
    number_received: u16,
    last_update_date_time: Instant,
    #[serde(skip_serializing_if = "Option::is_none")]
    expiration_date_time: Option<Instant>,
}

impl From<&Approvals> for MultiAuthorisation {
    fn from(approvals: &Approvals) -> Self {
        Self {
            status: names::approval_status(approvals.status),
            number_required: approvals.required,
            number_received: approvals.count(),
            last_update_date_time: Instant(approvals.changed_at),
            expiration_date_time: approvals.expires_at.map(Instant),
        }
    }
}

/// Source: PIS-082, `OBWriteFundsConfirmationResponse1/Data`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
struct Funds {
    funds_available_result: FundsAvailableResult,
}

/// Source: `OBWriteFundsConfirmationResponse1/Data/FundsAvailableResult`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
struct FundsAvailableResult {
    funds_available_date_time: Instant,
    funds_available: bool,
}

impl Render<FundsView> for V3_1 {
    fn render(view: &FundsView, envelope: &Envelope) -> Result<Vec<u8>, RenderError> {
        let result =
            FundsAvailableResult { funds_available_date_time: Instant(view.at), funds_available: view.available };
        write(Funds { funds_available_result: result }, envelope, 400)
    }
}

/// Source: PIS-090, `OBWritePaymentDetailsResponse1/Data`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
struct Details<'a> {
    payment_status: Vec<WirePaymentStatus<'a>>,
}

/// Source: PIS-091, `OBWritePaymentDetails1`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
struct WirePaymentStatus<'a> {
    #[schemars(length(min = 1, max = 210))]
    payment_transaction_id: &'a str,
    #[schemars(extend("enum" = payment_statuses()))]
    status: &'static str,
    status_update_date_time: Instant,
    #[serde(skip_serializing_if = "Option::is_none")]
    status_detail: Option<StatusDetail<'a>>,
}

/// Source: PIS-091, PIS-093, `OBWritePaymentDetails1/StatusDetail`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
struct StatusDetail<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("enum" = Instrument::NAMES))]
    local_instrument: Option<&'static str>,
    #[schemars(length(min = 1, max = 128))]
    status: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("enum" = DetailReason::NAMES))]
    status_reason: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    status_reason_description: Option<&'a str>,
}

impl<'a> From<&'a RailDetail> for StatusDetail<'a> {
    fn from(detail: &'a RailDetail) -> Self {
        Self {
            local_instrument: detail.instrument.map(names::instrument),
            status: &detail.status,
            status_reason: detail.reason.map(names::detail_reason),
            status_reason_description: detail.description.as_deref(),
        }
    }
}

impl<'a> From<&'a PaymentEntry> for WirePaymentStatus<'a> {
    fn from(entry: &'a PaymentEntry) -> Self {
        Self {
            payment_transaction_id: entry.id.as_str(),
            status: names::payment_status(entry.status),
            status_update_date_time: Instant(entry.since),
            status_detail: entry.detail.as_ref().map(StatusDetail::from),
        }
    }
}

described!(V3_1, FundsView, Response<'static, Funds>);
described!(V3_1, DetailsView, Response<'static, Details<'static>>);

fn payment_statuses() -> Vec<&'static str> {
    let mut names = PaymentStatus::NAMES.to_vec();
    names.sort_unstable();
    names.dedup();
    names
}

impl Render<DetailsView> for V3_1 {
    fn render(view: &DetailsView, envelope: &Envelope) -> Result<Vec<u8>, RenderError> {
        let size = view.payments.len().saturating_mul(400).saturating_add(400);
        write(Details { payment_status: view.payments.iter().map(WirePaymentStatus::from).collect() }, envelope, size)
    }
}
