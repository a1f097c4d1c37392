//! Converts a document submitted in the form of v3.1 to the form of v4.0. The result is used to read older payments and consents
//! through v4.0, to compare a payment with an older consent, and to migrate VRP consents. Source: V4-022, V4-026, PIS-161.
//!
//! Some objects of v3.1 may have unknown members (PIS-157). An unknown member whose name has a meaning in v4.0 only is dropped,
//! because neither the customer nor the bank knew that meaning when the consent was given. Unknown members of delivery addresses
//! and purpose codes outside ISO 20022 are dropped as well, because v4.0 has no form for them.

use super::frequency::{FrequencyForm, render};
use super::names::address_type;
use crate::document::{BadDocument, DocumentNode};
use crate::payments::codes::is_purpose;
use crate::spelling::correct_spelling;
use crate::time::read_sent;
use crate::v3_1::names::read_frequency;
use crate::v3_1::payments::address::read_address_type;
use lombard_domain::calendar::london_date;
use lombard_domain::payment::vrp::short_name;
use lombard_domain::submitted::Submitted;
use lombard_domain::version::Version;
use std::borrow::Cow;

type Member<'a> = (String, DocumentNode<'a>);

/// The submitted document in the form of v4.0; unchanged if it has that form already. Only for documents that were parsed
/// without faults.
///
/// # Errors
/// [`BadDocument`] when the stored document cannot be parsed.
pub fn upgrade(submitted: &Submitted) -> Result<Cow<'_, str>, BadDocument> {
    match submitted.version {
        Version::V4_0 => Ok(Cow::Borrowed(&submitted.json)),
        Version::V3_1 => upgraded(DocumentNode::read(&submitted.json)?).to_json().map(Cow::Owned),
    }
}

/// The whole request in the form of v4.0.
pub(crate) fn upgraded(document: DocumentNode<'_>) -> DocumentNode<'_> {
    map_members(document, |(name, value)| {
        let value = match name.as_str() {
            "Data" => data(value),
            "Risk" => risk(value),
            _ => value,
        };
        (name, value)
    })
}

fn data(data: DocumentNode<'_>) -> DocumentNode<'_> {
    let is_vrp = data.member("ControlParameters").or_else(|| data.member("Instruction")).is_some();
    map_members(data, |(name, value)| {
        let value = match name.as_str() {
            "Initiation" | "Instruction" if is_vrp => vrp_initiation(value),
            "Initiation" => initiation(value),
            _ => value,
        };
        (name, value)
    })
}

/// The risk block with misspelt members renamed and the address in codes. If a member occurs in both spellings, the correct one
/// is kept. Source.
fn risk(risk: DocumentNode<'_>) -> DocumentNode<'_> {
    let DocumentNode::Object(members) = risk else { return risk };
    let right: Vec<_> =
        members.iter().map(|(name, _)| name.clone()).filter(|name| correct_spelling(name) == name).collect();
    let is_kept = |(name, value): &Member<'_>| match (name.as_str(), value) {
        ("PaymentPurposeCode", DocumentNode::Text(code)) => is_purpose(code),
        (name, _) => correct_spelling(name) == name || !right.iter().any(|it| it == correct_spelling(name)),
    };
    let kept = members.into_iter().filter(is_kept).map(|(name, value)| {
        let name = correct_spelling(&name).to_owned();
        let value = if name == "DeliveryAddress" { delivery_address(value) } else { value };
        (name, value)
    });
    DocumentNode::Object(kept.collect())
}

/// The initiation or the instruction of a VRP request. Members that are unknown to both versions are unchanged (PIS-157).
fn vrp_initiation(initiation: DocumentNode<'_>) -> DocumentNode<'_> {
    const NEWER: [&str; 3] = ["UltimateCreditor", "UltimateDebtor", "RegulatoryReporting"];
    map_members(without_members(initiation, |name| NEWER.contains(&name)), |(name, value)| {
        let value = match name.as_str() {
            "RemittanceInformation" => remittance(value),
            "CreditorPostalAddress" => address(value),
            "DebtorAccount" => account(value),
            "CreditorAccount" => with_short_name(account(value)),
            _ => value,
        };
        (name, value)
    })
}

fn account(account: DocumentNode<'_>) -> DocumentNode<'_> {
    without_members(account, |name| name == "Proxy")
}

/// The initiation of another payment, which has no unknown members.
fn initiation(initiation: DocumentNode<'_>) -> DocumentNode<'_> {
    let DocumentNode::Object(members) = initiation else { return initiation };
    let repeats = members.iter().any(|(name, _)| name == FREQUENCY);
    let mut kept = Vec::new();
    let mut mandate = Vec::new();
    let mut reference = None;
    for (name, value) in members {
        match name.as_str() {
            // The payment purpose is a member of `Risk` in v4.0 (INT-006).
            "Purpose" => {}
            "Reference" if repeats => reference = Some(value),
            FREQUENCY | FIRST | RECURRING | FINAL if repeats => mandate.push((name, value)),
            "RemittanceInformation" => kept.push((name, remittance(value))),
            "CreditorPostalAddress" => kept.push((name, address(value))),
            "Creditor" | "CreditorAgent" => kept.push((name, party(value))),
            _ => kept.push((name, value)),
        }
    }
    if let Some(reference) = reference {
        kept.push(("RemittanceInformation".to_owned(), DocumentNode::Object(vec![structured(reference)])));
    }
    if repeats {
        kept.push(("MandateRelatedInformation".to_owned(), mandate_information(mandate)));
    }
    DocumentNode::Object(kept)
}

const FREQUENCY: &str = "Frequency";
const FIRST: &str = "FirstPaymentDateTime";
const RECURRING: &str = "RecurringPaymentDateTime";
const FINAL: &str = "FinalPaymentDateTime";

/// The two texts as lists: the message unstructured, the reference in structured form. Source: V4-026, AIS-174.
fn remittance(remittance: DocumentNode<'_>) -> DocumentNode<'_> {
    map_members(without_members(remittance, |name| name == "Structured"), |(name, value)| {
        match (name.as_str(), value) {
            ("Unstructured", text @ DocumentNode::Text(_)) => (name, DocumentNode::Array(vec![text])),
            ("Reference", text @ DocumentNode::Text(_)) => structured(text),
            (_, other) => (name, other),
        }
    })
}

fn structured(reference: DocumentNode<'_>) -> Member<'_> {
    let object = |name: &str, value| DocumentNode::Object(vec![(name.to_owned(), value)]);
    let entry = object("CreditorReferenceInformation", object("Reference", reference));
    ("Structured".to_owned(), DocumentNode::Array(vec![entry]))
}

/// The frequency as a code and a point in time, with the dates beside it. Source: V4-010.
fn mandate_information<'a>(members: Vec<Member<'a>>) -> DocumentNode<'a> {
    let day = |name: &str| {
        let (_, value) = members.iter().find(|(it, _)| it == name)?;
        let DocumentNode::Text(text) = value else { return None };
        read_sent(text).map(|sent| london_date(sent.instant))
    };
    let anchor = day(RECURRING).or_else(|| day(FIRST));
    let members = members.into_iter().map(|(name, value)| match (name.as_str(), value) {
        (FREQUENCY, DocumentNode::Text(pattern)) => {
            let form = read_frequency(&pattern).map(|frequency| render(frequency, anchor));
            let FrequencyForm { kind, point_in_time } =
                form.unwrap_or(FrequencyForm { kind: Cow::Owned(pattern), point_in_time: None });
            let mut frequency = vec![("Type".to_owned(), DocumentNode::Text(kind.into_owned()))];
            frequency.extend(point_in_time.map(|point| ("PointInTime".to_owned(), DocumentNode::Text(point))));
            (name, DocumentNode::Object(frequency))
        }
        (_, value) => (name, value),
    });
    DocumentNode::Object(members.collect())
}

/// The account with the creditor's name truncated to the length that v4.0 allows for VRP. Source: VRP-016.
fn with_short_name(account: DocumentNode<'_>) -> DocumentNode<'_> {
    map_members(account, |(name, value)| match (name.as_str(), value) {
        ("Name", DocumentNode::Text(text)) => (name, DocumentNode::Text(short_name(&text))),
        (_, other) => (name, other),
    })
}

fn party(party: DocumentNode<'_>) -> DocumentNode<'_> {
    map_members(party, |(name, value)| {
        let value = if name == "PostalAddress" { address(value) } else { value };
        (name, value)
    })
}

/// The address with its type as a code. Source: V4-005.
fn address(address_object: DocumentNode<'_>) -> DocumentNode<'_> {
    map_members(address_object, |(name, value)| match (name.as_str(), value) {
        ("AddressType", DocumentNode::Text(text)) => {
            let code = read_address_type(&text).map_or(text, |kind| address_type(kind).to_owned());
            (name, DocumentNode::Text(code))
        }
        (_, other) => (name, other),
    })
}

/// The members of a delivery address that v3.1 names; v4.0 has all of them. Source: PIS-147.
fn delivery_address(delivery: DocumentNode<'_>) -> DocumentNode<'_> {
    const MEMBERS: [&str; 7] =
        ["AddressLine", "StreetName", "BuildingNumber", "PostCode", "TownName", "CountrySubDivision", "Country"];
    without_members(delivery, |name| !MEMBERS.contains(&name))
}

fn without_members<'a>(mut node: DocumentNode<'a>, is_left_out: impl Fn(&str) -> bool) -> DocumentNode<'a> {
    if let DocumentNode::Object(members) = &mut node {
        members.retain(|(name, _)| !is_left_out(name));
    }
    node
}

fn map_members<'a>(node: DocumentNode<'a>, change: impl Fn(Member<'a>) -> Member<'a>) -> DocumentNode<'a> {
    match node {
        DocumentNode::Object(members) => DocumentNode::Object(members.into_iter().map(change).collect()),
        DocumentNode::Null
        | DocumentNode::Bool(_)
        | DocumentNode::Number(_)
        | DocumentNode::Text(_)
        | DocumentNode::Array(_) => node,
    }
}
