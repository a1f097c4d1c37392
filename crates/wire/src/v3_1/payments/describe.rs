//! What the bodies of a product look like: requests as they are read, answers as they are written, with what they repeat
//! of the request (PIS-017, PIS-042).

use super::names;
use super::show::{ConsentResponse, OrderData};
use crate::describe::schema_of;
use crate::parse::Read;
use crate::parse::schema::one_of;
use crate::payments::Schemas;
use crate::v3_1::Response;
use lombard_domain::order::{Family, Phase, Product};
use serde_json::{Map, Value};

/// Members of `Data` that an answer repeats.
const REPEATED: [&str; 5] = ["Permission", "ReadRefundAccount", "Initiation", "Authorisation", "SCASupportData"];

/// The bodies of a product whose requests are read as these.
pub(super) fn schemas<C: Read, O: Read>(product: Product) -> Schemas {
    let (consent_request, order_request) = (C::schema(), O::schema());
    let mut consent = schema_of::<ConsentResponse<'static>>();
    if let Some(data) = consent.pointer_mut("/properties/Data") {
        REPEATED.iter().for_each(|name| repeat(data, &consent_request, name, "/properties/Data"));
        strike_times(data, product);
    }
    repeat(&mut consent, &consent_request, "Risk", "");
    let mut order = schema_of::<Response<'static, OrderData<'static>>>();
    if let Some(data) = order.pointer_mut("/properties/Data") {
        repeat(data, &consent_request, "Initiation", "/properties/Data");
        strike_times(data, product);
        rename(data, product.id_member());
        limit_statuses(data, product.family());
        if !product.reads_refund_account() {
            strike(data, "Refund");
        }
        // An account for refunds always has its holder's name (PIS-098).
        let refund = data.pointer_mut("/properties/Refund/properties/Account/required");
        if let Some(required) = refund.and_then(Value::as_array_mut) {
            required.push("Name".into());
        }
    }
    Schemas { consent_request, consent, order_request, order }
}

/// Gives a member the description it has in the request; one that is not there is not in the answer either.
fn repeat(object: &mut Value, request: &Value, name: &str, at: &str) {
    let asked = request.pointer(&format!("{at}/properties/{name}"));
    let Some(asked) = asked else { return strike(object, name) };
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

/// Source: table 1.2.
fn strike_times(data: &mut Value, product: Product) {
    if !product.expects_times() {
        strike(data, "ExpectedExecutionDateTime");
        strike(data, "ExpectedSettlementDateTime");
    }
}

/// The statuses that orders of a family have. Source: table 1.4.
fn limit_statuses(data: &mut Value, family: Family) {
    let phases: &[Phase] = match family {
        Family::Immediate => {
            &[Phase::Pending, Phase::InProcess, Phase::Settled, Phase::WithoutPosting, Phase::Credited, Phase::Rejected]
        }
        Family::Scheduled | Family::StandingOrder => {
            &[Phase::InitiationPending, Phase::InitiationCompleted, Phase::InitiationFailed, Phase::Cancelled]
        }
        Family::File => &[Phase::InitiationPending, Phase::InitiationCompleted, Phase::InitiationFailed],
    };
    if let Some(status) = data.pointer_mut("/properties/Status") {
        *status = one_of(phases.iter().map(|phase| names::order_status(*phase)));
    }
}

fn strike(object: &mut Value, name: &str) {
    if let Some(members) = properties(object) {
        members.remove(name);
    }
    if let Some(required) = object.get_mut("required").and_then(Value::as_array_mut) {
        required.retain(|it| it != name);
    }
}

/// The order's id has a name of the product's own. Source: SO-017.
fn rename(data: &mut Value, to: &str) {
    let Some(id) = properties(data).and_then(|members| members.remove(OrderData::ID)) else { return };
    if let Some(members) = properties(data) {
        members.insert(to.to_owned(), id);
    }
    for name in data.get_mut("required").and_then(Value::as_array_mut).into_iter().flatten() {
        if name == OrderData::ID {
            *name = to.into();
        }
    }
}

fn properties(object: &mut Value) -> Option<&mut Map<String, Value>> {
    object.get_mut("properties").and_then(Value::as_object_mut)
}

#[cfg(test)]
mod tests {
    use crate::payments::{DomesticPayment, DomesticScheduledPayment, DomesticStandingOrder, ProductWire, Schemas};
    use crate::v3_1::V3_1;
    use serde_json::Value;

    fn of<P: ProductWire<V3_1>>() -> Schemas {
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
        let (now, later, often) =
            (of::<DomesticPayment>(), of::<DomesticScheduledPayment>(), of::<DomesticStandingOrder>());
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
