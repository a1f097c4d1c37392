//! Parsing of the three domestic products, and rendering of all products.

mod newer;
mod requests;
mod responses;

use crate::payments::file::tests::announced;
use crate::payments::international::tests as abroad;
use crate::payments::{
    DomesticPayment, DomesticScheduledPayment, DomesticStandingOrder, FilePayment, InternationalPayment,
    InternationalScheduledPayment, InternationalStandingOrder, ProductWire,
};
use crate::v3_1::V3_1;
use lombard_domain::payment::order::{OrderDraft, PaymentDraft};
use lombard_domain::refusal::{Fault, FaultCode, FaultLocation};
use serde_json::{Value, json};

const DEPTH: usize = 16;

fn read<P: ProductWire<V3_1>>(body: &Value) -> Result<PaymentDraft, Vec<Fault>> {
    P::read_consent(body.to_string().as_bytes(), DEPTH)
}

fn read_order<P: ProductWire<V3_1>>(body: &Value) -> Result<OrderDraft, Vec<Fault>> {
    P::read_order(body.to_string().as_bytes(), DEPTH)
}

/// The faults, in order.
fn wrong<T>(read: Result<T, Vec<Fault>>) -> Vec<(FaultCode, String)> {
    let path = |place| match place {
        Some(FaultLocation::Path(path)) => path,
        None => String::new(),
        Some(other) => panic!("a reader names paths, not {other:?}"),
    };
    read.err().unwrap_or_default().into_iter().map(|fault| (fault.code, path(fault.at))).collect()
}

/// Sets the value at a path like `Data.Initiation.DebtorAccount`, or removes it if the value is `null`.
fn with(mut body: Value, path: &str, value: Value) -> Value {
    let (parents, name) = path.rsplit_once('.').unwrap_or(("", path));
    let mut at = &mut body;
    for step in parents.split('.').filter(|step| !step.is_empty()) {
        at = &mut at[step];
    }
    if value.is_null() {
        at.as_object_mut().unwrap().remove(name);
    } else {
        at[name] = value;
    }
    body
}

fn account(number: &str) -> Value {
    json!({"SchemeName": "UK.OBIE.SortCodeAccountNumber", "Identification": number, "Name": "ACME Inc"})
}

/// A request for a consent to an immediate payment, with every member.
fn now() -> Value {
    json!({
        "Data": {
            "ReadRefundAccount": "Yes",
            "Initiation": {
                "InstructionIdentification": "ACME412",
                "EndToEndIdentification": "FRESCO.21302.GFX.20",
                "LocalInstrument": "UK.OBIE.FPS",
                "InstructedAmount": {"Amount": "165.88", "Currency": "GBP"},
                "DebtorAccount": {
                    "SchemeName": "UK.OBIE.IBAN",
                    "Identification": "GB33BUKB20201555555555",
                    "Name": "A N Other",
                    "SecondaryIdentification": "0002"
                },
                "CreditorAccount": account("08080021325698"),
                "CreditorPostalAddress": {
                    "AddressType": "POBox", "Department": "d", "SubDepartment": "s", "StreetName": "Street",
                    "BuildingNumber": "1", "PostCode": "N1 1AA", "TownName": "London", "CountrySubDivision": "Kent",
                    "Country": "GB", "AddressLine": ["a", "b", "c", "d", "e", "f", "g"]
                },
                "RemittanceInformation": {"Unstructured": "Internal ops code 5120101", "Reference": "FRESCO-101"},
                "SupplementaryData": {}
            },
            "Authorisation": {"AuthorisationType": "Single", "CompletionDateTime": "2030-05-30T10:35:27Z"},
            "SCASupportData": {
                "RequestedSCAExemptionType": "Parking", "AppliedAuthenticationApproach": "SCA",
                "ReferencePaymentOrderId": "earlier", "Extra": 1.50
            }
        },
        "Risk": {
            "PaymentContextCode": "EcommerceMerchantInitiatedPayment",
            "MerchantCategoryCode": "5967",
            "MerchantCustomerIdentification": "053598653254",
            "ContractPresentIndicator": true,
            "BeneficiaryPrepopulatedIndicator": false,
            "PaymentPurposeCode": "EPAY",
            "BeneficiaryAccountType": "Business",
            "DeliveryAddress": {
                "AddressLine": ["Flat 7", "Acacia Lodge"], "StreetName": "Acacia Avenue", "BuildingNumber": "27",
                "PostCode": "GU31 2ZZ", "TownName": "Sparsholt", "CountrySubDivision": "Wessex", "Country": "UK"
            }
        }
    })
}

/// The same request for a later day.
fn later() -> Value {
    let body = with(now(), "Data.Permission", json!("Create"));
    let body = with(body, "Data.Initiation.EndToEndIdentification", Value::Null);
    with(body, "Data.Initiation.RequestedExecutionDateTime", json!("2026-07-01T23:30:00+00:00"))
}

/// A request for a standing order, with every member except the other kind of end.
fn again() -> Value {
    json!({
        "Data": {
            "Permission": "Create",
            "ReadRefundAccount": "No",
            "Initiation": {
                "Frequency": "IntrvlMnthDay:01:-01",
                "Reference": "Pocket money",
                "FirstPaymentDateTime": "2026-07-01",
                "RecurringPaymentDateTime": "20260731T0000Z",
                "FinalPaymentDateTime": "2027-03-20T06:06:06+00:00",
                "FirstPaymentAmount": {"Amount": "6.66", "Currency": "GBP"},
                "RecurringPaymentAmount": {"Amount": "7.00", "Currency": "GBP"},
                "FinalPaymentAmount": {"Amount": "7", "Currency": "GBP"},
                "DebtorAccount": {"SchemeName": "SortCodeAccountNumber", "Identification": "11280001234567"},
                "CreditorAccount": account("08080021325698"),
                "SupplementaryData": {}
            },
            "Authorisation": {"AuthorisationType": "Any"},
            "SCASupportData": {}
        },
        "Risk": {}
    })
}

/// The order that goes with a request for a consent.
fn order(consent: &Value) -> Value {
    let initiation = consent["Data"]["Initiation"].clone();
    json!({"Data": {"ConsentId": "c-1", "Initiation": initiation}, "Risk": consent["Risk"].clone()})
}

/// Runs a check on each product, with its request.
macro_rules! each_product {
    ($check:ident) => {
        $check::<DomesticPayment>(now());
        $check::<DomesticScheduledPayment>(later());
        $check::<DomesticStandingOrder>(again());
    };
}
use each_product;

/// Runs a check on each product, including the products whose requests have tests of their own.
macro_rules! each_shown {
    ($check:ident) => {
        each_product!($check);
        $check::<InternationalPayment>(abroad::now());
        $check::<InternationalScheduledPayment>(abroad::later());
        $check::<InternationalStandingOrder>(abroad::again());
        $check::<FilePayment>(announced::consent());
    };
}
use each_shown;
