//! Examples of request bodies with little more than the required members. A test validates them against the schemas of
//! their operations.

use lombard_domain::consent::Permission;
use lombard_domain::payment::PaymentProduct;
use lombard_domain::version::Version;
use lombard_edge::endpoint::Operation;
use lombard_edge::endpoint_facts::{EndpointGroup, HttpMethod};
use serde_json::{Map, Value, json};

/// The consent id in examples.
const CONSENT: &str = "the-id-of-your-consent";
/// The date of future payments in examples.
const LATER: &str = "2030-01-31T00:00:00+00:00";
/// The hash of a payment file of a few bytes.
const FILE_HASH: &str = "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=";

/// An example of the operation's request body; `None` if it has no body or its body is a file.
pub fn example_request(operation: &Operation) -> Option<Value> {
    let endpoint = operation.endpoint;
    match (endpoint.group, endpoint.method, endpoint.path) {
        (_, HttpMethod::Get | HttpMethod::Delete, _) => None,
        (EndpointGroup::AccountInformation, ..) => Some(account_access()),
        (EndpointGroup::FundsConfirmation, _, "/funds-confirmation-consents") => {
            Some(json!({ "Data": { "DebtorAccount": account("20000319825731", "Amelia Okafor") } }))
        }
        (EndpointGroup::FundsConfirmation, ..) => Some(
            json!({ "Data": { "ConsentId": CONSENT, "Reference": "ORDER 42", "InstructedAmount": pounds("12.50") } }),
        ),
        (EndpointGroup::Events, ..) => Some(json!({ "maxEvents": 10, "returnImmediately": true })),
        (EndpointGroup::VariableRecurringPayments, HttpMethod::Patch, _) => {
            let path = "/Data/ControlParameters/MaximumIndividualAmount/Amount";
            Some(json!([{ "op": "replace", "path": path, "value": "90.00" }]))
        }
        (EndpointGroup::VariableRecurringPayments, _, path) if path.ends_with("/funds-confirmation") => {
            Some(json!({ "Data": { "ConsentId": CONSENT, "InstructedAmount": pounds("12.50") } }))
        }
        (EndpointGroup::Payments | EndpointGroup::VariableRecurringPayments, _, path) => {
            let path = format!("{}{path}", endpoint.group.segment());
            // The consent that replaces another one has its id in the path.
            let consents = path.trim_end_matches("/{ConsentId}");
            let of = |product: &&PaymentProduct| product.consents_path() == consents || product.orders_path() == path;
            let product = *PaymentProduct::ALL.iter().find(of)?;
            Some(match product.orders_path() == path {
                true => order(product, operation.version),
                false => consent(product, operation.version),
            })
        }
    }
}

fn account_access() -> Value {
    use Permission::{
        ReadAccountsDetail, ReadBalances, ReadTransactionsCredits, ReadTransactionsDebits, ReadTransactionsDetail,
    };
    let permissions =
        [ReadAccountsDetail, ReadBalances, ReadTransactionsDetail, ReadTransactionsCredits, ReadTransactionsDebits];
    json!({ "Data": { "Permissions": permissions.map(|permission| permission.name()) }, "Risk": {} })
}

/// An amount in pounds.
fn pounds(amount: &str) -> Value {
    json!({ "Amount": amount, "Currency": "GBP" })
}

/// A British account.
fn account(number: &str, name: &str) -> Value {
    json!({ "SchemeName": "UK.OBIE.SortCodeAccountNumber", "Identification": number, "Name": name })
}

fn payee() -> Value {
    account("20304012345678", "Waterworks")
}

/// An example of a consent request for a product.
fn consent(product: PaymentProduct, version: Version) -> Value {
    let data = json!({ "Initiation": initiation(product, version) });
    let limits = json!({ "ControlParameters": {
        "MaximumIndividualAmount": pounds("100.00"),
        "PeriodicLimits": [
            { "PeriodType": "Month", "PeriodAlignment": "Consent", "Amount": "200.00", "Currency": "GBP" },
        ],
        "VRPType": ["UK.OBIE.VRPType.Sweeping"],
        "PSUAuthenticationMethods": ["UK.OBIE.SCANotRequired"],
    } });
    let limits = if product == PaymentProduct::DomesticVrp { limits } else { Value::Null };
    let permission = if product.asks_permission() { json!({ "Permission": "Create" }) } else { Value::Null };
    with_risk(product, joined([data, limits, permission]))
}

/// An example of an order request for a product.
fn order(product: PaymentProduct, version: Version) -> Value {
    let data = json!({ "ConsentId": CONSENT, "Initiation": initiation(product, version) });
    let instruction = json!({
        "PSUAuthenticationMethod": "UK.OBIE.SCANotRequired",
        "VRPType": "UK.OBIE.VRPType.Sweeping",
        "Instruction": {
            "InstructionIdentification": "ORDER-42",
            "EndToEndIdentification": "ORDER-42",
            "InstructedAmount": pounds("12.50"),
            "CreditorAccount": payee(),
        },
    });
    let instruction = if product == PaymentProduct::DomesticVrp { instruction } else { Value::Null };
    with_risk(product, joined([data, instruction]))
}

fn with_risk(product: PaymentProduct, data: Value) -> Value {
    match product.has_risk() {
        true => json!({ "Data": data, "Risk": {} }),
        false => json!({ "Data": data }),
    }
}

/// An example of the member `Initiation` for a product.
fn initiation(product: PaymentProduct, version: Version) -> Value {
    let once = json!({ "InstructionIdentification": "ORDER-42", "EndToEndIdentification": "ORDER-42" });
    let later = json!({ "InstructionIdentification": "ORDER-42", "RequestedExecutionDateTime": LATER });
    let again = match version {
        Version::V3_1 => json!({ "Frequency": "IntrvlMnthDay:01:28", "FirstPaymentDateTime": LATER }),
        Version::V4_0 => {
            json!({ "MandateRelatedInformation": { "Frequency": { "Type": "MNTH" }, "FirstPaymentDateTime": LATER } })
        }
    };
    let here = json!({ "InstructedAmount": pounds("12.50"), "CreditorAccount": payee() });
    let abroad = json!({
        "InstructedAmount": pounds("12.50"),
        "CurrencyOfTransfer": "EUR",
        "CreditorAccount":
            { "SchemeName": "UK.OBIE.IBAN", "Identification": "DE89370400440532013000", "Name": "Stadtwerke" },
    });
    match product {
        PaymentProduct::DomesticPayment => joined([once, here]),
        PaymentProduct::DomesticScheduledPayment => joined([later, here]),
        PaymentProduct::DomesticStandingOrder => {
            joined([again, json!({ "FirstPaymentAmount": pounds("12.50"), "CreditorAccount": payee() })])
        }
        PaymentProduct::InternationalPayment => joined([once, abroad]),
        PaymentProduct::InternationalScheduledPayment => joined([later, abroad]),
        PaymentProduct::InternationalStandingOrder => joined([again, abroad]),
        PaymentProduct::FilePayment => {
            let number = match version {
                Version::V3_1 => "3.1",
                Version::V4_0 => "4.0",
            };
            json!({ "FileType": format!("UK.OBIE.PaymentInitiation.{number}"), "FileHash": FILE_HASH })
        }
        PaymentProduct::DomesticVrp => json!({ "CreditorAccount": payee() }),
    }
}

/// One object with the members of all these values; a value that is not an object adds none.
fn joined<const PARTS: usize>(parts: [Value; PARTS]) -> Value {
    let members = parts.into_iter().filter_map(|part| match part {
        Value::Object(members) => Some(members),
        _ => None,
    });
    Value::Object(members.flatten().collect::<Map<_, _>>())
}
