//! The schemas of a product's bodies: requests as they are parsed, responses as they are serialised, with the members
//! that they repeat from the request (PIS-017, PIS-042).

use super::forms::PaymentForms;
use super::response::{ConsentResponse, ORDER_ID, OrderData, OrderResponse};
use super::{ProductSchemas, names};
use crate::describe::schema_of;
use crate::parse::FromJson;
use crate::parse::schema::one_of;
use lombard_domain::payment::{ChargeType, PaymentProduct, PaymentTerritory};
use lombard_domain::version::Version;
use serde_json::{Map, Value};

/// The members of `Data` that a response repeats.
const REPEATED: [&str; 6] =
    ["Permission", "ReadRefundAccount", "ControlParameters", "Initiation", "Authorisation", "SCASupportData"];

/// The schemas of a product with these request types in a version.
pub(crate) fn schemas<V: PaymentForms, C: FromJson, O: FromJson>(product: PaymentProduct) -> ProductSchemas {
    let consent_request = C::schema();
    let order_request = O::schema();
    let mut consent = schema_of::<ConsentResponse<'static>>();
    if let Some(data) = consent.pointer_mut("/properties/Data") {
        REPEATED.iter().for_each(|name| repeat(data, &consent_request, name, "/properties/Data"));
        remove_absent(data, product);
        remove_debtor(data, product);
        remove_reasons::<V>(data);
        limit(data, "/properties/Status", V::consent_statuses(product));
        if !product.consents_show_conditions() {
            let conditions = ["CutOffDateTime", "ExpectedExecutionDateTime", "ExpectedSettlementDateTime", "Charges"];
            conditions.iter().for_each(|name| remove_member(data, name));
        }
    }
    repeat(&mut consent, &consent_request, "Risk", "");
    let mut order = schema_of::<OrderResponse<'static, OrderData<'static, V>>>();
    if product.orders_repeat_risk() {
        repeat(&mut order, &consent_request, "Risk", "");
    } else {
        remove_member(&mut order, "Risk");
    }
    if let Some(data) = order.pointer_mut("/properties/Data") {
        repeat(data, &consent_request, "Initiation", "/properties/Data");
        repeat(data, &order_request, "Instruction", "/properties/Data");
        remove_absent(data, product);
        remove_debtor(data, product);
        rename(data, product.id_member());
        remove_reasons::<V>(data);
        limit(data, "/properties/Status", V::order_statuses(product));
        limit(data, "/properties/MultiAuthorisation/properties/Status", V::approval_statuses());
        if let Some(name) = data.pointer_mut("/properties/Refund/properties/Creditor/properties/Name") {
            name["maxLength"] = V::REFUND_NAME_MAX.into();
        }
        if let Some(refund) = data.pointer_mut("/properties/Refund")
            && product.territory() == PaymentTerritory::Domestic
        {
            remove_member(refund, "Creditor");
            remove_member(refund, "Agent");
        }
        // The account for refunds always has its holder's name (PIS-098).
        named(data, "/properties/Refund/properties/Account");
        if V::FLAT_VRP_REFUND {
            flatten_refund(data, product);
        }
    }
    ProductSchemas { consent_request, consent, order_request, order }
}

/// Gives a member its schema in the request; a member that the request lacks is removed.
fn repeat(object: &mut Value, request: &Value, name: &str, at: &str) {
    let asked = request.pointer(&format!("{at}/properties/{name}"));
    let Some(asked) = asked else { return remove_member(object, name) };
    if let Some(members) = properties(object) {
        members.insert(name.to_owned(), asked.clone());
    }
    let needed = request.pointer(&format!("{at}/required")).and_then(Value::as_array);
    let needed = needed.is_some_and(|names| names.iter().any(|it| it == name));
    if let Some(required) = object.get_mut("required").and_then(Value::as_array_mut)
        && needed
        && !required.iter().any(|it| it == name)
    {
        required.push(name.into());
    }
}

/// Removes the debtor member that the product does not show: the holder's name, or the account with the name. Source: PIS-099,
/// VRP-019, VRP-020.
fn remove_debtor(data: &mut Value, product: PaymentProduct) {
    let by_account = product.shows_debtor_account();
    remove_member(data, if by_account { "Debtor" } else { "DebtorAccount" });
    if by_account {
        remove_member(data, "MultiAuthorisation");
    }
    named(data, "/properties/DebtorAccount");
}

/// A VRP order of v3.1 shows the account for refunds without the object around it. Source: X-06.
fn flatten_refund(data: &mut Value, product: PaymentProduct) {
    if product.reuses_consents()
        && let Some(refund) = data.pointer_mut("/properties/Refund")
        && let Some(account) = refund.pointer_mut("/properties/Account").map(Value::take)
    {
        *refund = account;
    }
}

/// An account of the bank always has its holder's name. Source: PIS-098.
fn named(data: &mut Value, account: &str) {
    let required = data.pointer_mut(&format!("{account}/required"));
    if let Some(required) = required.and_then(Value::as_array_mut) {
        required.push("Name".into());
    }
}

/// Removes the members that the orders and consents of a product lack. Source: table 1.2.
fn remove_absent(data: &mut Value, product: PaymentProduct) {
    if !product.expects_times() {
        remove_member(data, "ExpectedExecutionDateTime");
        remove_member(data, "ExpectedSettlementDateTime");
    }
    if !product.quotes_rates() {
        remove_member(data, "ExchangeRateInformation");
    }
    if !product.reads_refund_account() {
        remove_member(data, "Refund");
    }
    let charges = data.pointer_mut("/properties/Charges/items/properties/Type/enum").and_then(Value::as_array_mut);
    if let Some(kinds) = charges
        && product.territory() == PaymentTerritory::Domestic
    {
        kinds.retain(|kind| kind != names::charge_type(ChargeType::SwiftOut));
    }
}

/// Removes the status reasons, which only v4.0 has. Source: V4-002.
fn remove_reasons<V: PaymentForms>(data: &mut Value) {
    match V::VERSION {
        Version::V3_1 => remove_member(data, "StatusReason"),
        Version::V4_0 => {}
    }
}

/// Lists the possible names.
fn limit(data: &mut Value, at: &str, names: Vec<&'static str>) {
    if let Some(member) = data.pointer_mut(at) {
        *member = one_of(names);
    }
}

fn remove_member(object: &mut Value, name: &str) {
    if let Some(members) = properties(object) {
        members.remove(name);
    }
    if let Some(required) = object.get_mut("required").and_then(Value::as_array_mut) {
        required.retain(|it| it != name);
    }
}

/// Renames the id of the order to the product's member name. Source: SO-017.
fn rename(data: &mut Value, to: &str) {
    let Some(id) = properties(data).and_then(|members| members.remove(ORDER_ID)) else { return };
    if let Some(members) = properties(data) {
        members.insert(to.to_owned(), id);
    }
    for name in data.get_mut("required").and_then(Value::as_array_mut).into_iter().flatten() {
        if name == ORDER_ID {
            *name = to.into();
        }
    }
}

fn properties(object: &mut Value) -> Option<&mut Map<String, Value>> {
    object.get_mut("properties").and_then(Value::as_object_mut)
}

#[cfg(test)]
mod tests {
    use crate::payments::{
        DomesticPayment, DomesticScheduledPayment, DomesticStandingOrder, FilePayment, InternationalPayment,
        InternationalScheduledPayment, InternationalStandingOrder, ProductSchemas, ProductWire,
    };
    use crate::v3_1::V3_1;
    use serde_json::Value;

    fn of<P: ProductWire<V3_1>>() -> ProductSchemas {
        P::schemas()
    }

    fn members(schema: &Value, at: &str) -> Vec<String> {
        let members = schema.pointer(&format!("{at}/properties")).unwrap().as_object().unwrap();
        let mut names: Vec<_> = members.keys().cloned().collect();
        names.sort_unstable();
        names
    }

    fn required<'a>(schema: &'a Value, at: &str) -> Vec<&'a str> {
        let names = schema.pointer(&format!("{at}/required")).unwrap().as_array().unwrap();
        names.iter().map(|name| name.as_str().unwrap()).collect()
    }

    #[test]
    fn table_1_2_what_a_products_bodies_hold() {
        const DATA: &str = "/properties/Data";
        let now = of::<DomesticPayment>();
        let later = of::<DomesticScheduledPayment>();
        let often = of::<DomesticStandingOrder>();
        let has = |schema: &Value, name: &str| members(schema, DATA).iter().any(|it| it == name);
        for (it, permission, times) in [(&now, false, true), (&later, true, true), (&often, true, false)] {
            assert_eq!(has(&it.consent_request, "Permission"), permission);
            assert_eq!(has(&it.consent, "Permission"), permission);
            assert_eq!(required(&it.consent, DATA).contains(&"Permission"), permission);
            assert_eq!(has(&it.consent, "ExpectedExecutionDateTime"), times);
            assert_eq!(has(&it.order, "ExpectedSettlementDateTime"), times);
            assert_eq!(members(&it.consent, ""), ["Data", "Links", "Meta", "Risk"]);
            assert_eq!(members(&it.order, ""), ["Data", "Links", "Meta"], "PIS-159");
            assert_eq!(members(&it.order_request, DATA), ["ConsentId", "Initiation"], "PIS-054");
            assert_eq!(
                it.consent.pointer("/properties/Data/properties/Initiation"),
                it.consent_request.pointer("/properties/Data/properties/Initiation"),
                "PIS-017"
            );
            assert!(required(&it.consent, "").contains(&"Risk"));
        }
        assert!(required(&now.order, DATA).contains(&"DomesticPaymentId"));
        assert!(required(&often.order, DATA).contains(&"DomesticStandingOrderId"));
        let statuses = |schema: &Value| schema.pointer("/properties/Data/properties/Status/enum").unwrap().to_string();
        assert!(statuses(&now.order).contains("Pending") && !statuses(&now.order).contains("Initiation"), "table 1.4");
        assert!(statuses(&often.order).contains("Cancelled") && !statuses(&often.order).contains("Settlement"));
    }

    #[test]
    fn table_1_2_what_bodies_hold_of_payments_abroad_and_of_files() {
        const DATA: &str = "/properties/Data";
        let has = |schema: &Value, name: &str| members(schema, DATA).iter().any(|it| it == name);
        let statuses = |schema: &Value| schema.pointer("/properties/Data/properties/Status/enum").unwrap().clone();
        let refunds = |schema: &Value| members(schema, "/properties/Data/properties/Refund");
        for (it, rate) in [
            (of::<InternationalPayment>(), true),
            (of::<InternationalScheduledPayment>(), true),
            (of::<InternationalStandingOrder>(), false),
            (of::<DomesticPayment>(), false),
            (of::<FilePayment>(), false),
        ] {
            for answer in [&it.consent, &it.order] {
                assert_eq!(has(answer, "ExchangeRateInformation"), rate, "INT-010");
            }
        }
        assert_eq!(refunds(&of::<InternationalStandingOrder>().order), ["Account", "Agent", "Creditor"], "PIS-097");
        assert_eq!(refunds(&of::<DomesticStandingOrder>().order), ["Account"]);
        let charges = |schema: &Value| {
            schema.pointer("/properties/Data/properties/Charges/items/properties/Type/enum").unwrap().to_string()
        };
        assert!(charges(&of::<InternationalPayment>().order).contains("UK.Lombard.SWIFTOut"), "PIS-100");
        assert!(!charges(&of::<DomesticPayment>().consent).contains("UK.Lombard"), "PIS-100");
        let file = of::<FilePayment>();
        assert_eq!(members(&file.consent_request, DATA), ["Authorisation", "Initiation", "SCASupportData"], "FILE-002");
        for it in [&file.consent_request, &file.order_request] {
            assert_eq!(members(it, ""), ["Data"], "FILE-002, FILE-021");
        }
        assert_eq!(members(&file.consent, ""), ["Data", "Links", "Meta"]);
        for absent in ["Refund", "Permission", "ReadRefundAccount", "ExpectedExecutionDateTime"] {
            assert!(!has(&file.consent, absent) && !has(&file.order, absent), "{absent}: FILE-025");
        }
        let upload = serde_json::json!("AwaitingUpload");
        let awaits = |it: &ProductSchemas| statuses(&it.consent).as_array().unwrap().contains(&upload);
        assert!(awaits(&file) && !awaits(&of::<InternationalPayment>()), "table 1.4");
        assert_eq!(
            statuses(&file.order),
            serde_json::json!(["InitiationPending", "InitiationCompleted", "InitiationFailed"]),
            "table 1.4: no Cancelled"
        );
    }

    #[test]
    fn int_003_010_what_is_asked_of_the_exchange_is_described_as_it_is_read() {
        let now = of::<InternationalPayment>().consent_request;
        let at =
            |path: &str| now.pointer(&format!("/properties/Data/properties/Initiation/properties/{path}")).unwrap();
        let exchange = at("ExchangeRateInformation");
        assert_eq!(exchange["required"], serde_json::json!(["UnitCurrency", "RateType"]));
        assert_eq!(exchange["properties"]["ExchangeRate"]["type"], "number", "INT-025");
        assert_eq!(exchange["properties"]["RateType"]["enum"].as_array().unwrap().len(), 3);
        assert_eq!(at("CreditorAgent")["properties"]["Identification"]["maxLength"], 35);
        assert_eq!(at("ChargeBearer")["enum"].as_array().unwrap().len(), 4, "PIS-101");
        let often = of::<InternationalStandingOrder>().consent_request;
        let initiation = often.pointer("/properties/Data/properties/Initiation/properties").unwrap();
        assert!(initiation.get("Frequency").is_some() && initiation.get("ExchangeRateInformation").is_none(), "SO-014");
    }

    #[test]
    fn pis_120_131_requests_are_described_as_they_are_read() {
        let now = of::<DomesticPayment>().consent_request;
        let at =
            |path: &str| now.pointer(&format!("/properties/Data/properties/Initiation/properties/{path}")).unwrap();
        assert_eq!(at("InstructionIdentification")["maxLength"], 35);
        assert_eq!(at("RemittanceInformation/properties/Unstructured")["maxLength"], 140);
        assert_eq!(at("CreditorAccount")["required"], serde_json::json!(["SchemeName", "Identification", "Name"]));
        assert_eq!(at("InstructedAmount/properties/Amount")["type"], "string");
        assert_eq!(at("CreditorAccount")["additionalProperties"], false, "PIS-157");
        assert!(at("LocalInstrument")["enum"].as_array().unwrap().contains(&"UK.OBIE.FPS".into()));
        let often = of::<DomesticStandingOrder>().consent_request;
        let first = "/properties/Data/properties/Initiation/properties/FirstPaymentDateTime/format";
        assert_eq!(often.pointer(first).unwrap(), "date-time", "SO-007");
    }
}
