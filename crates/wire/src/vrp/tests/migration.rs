//! Random VRP consents of v3.1 in the form of v4.0, and back. Source: V4-020, V4-026 to V4-028, V4-030.

use super::{any_parameters, written};
use crate::payments::{DomesticVrp, ProductWire};
use crate::v3_1::V3_1;
use crate::v4_0::{upgrade, upgrade_vrp_consent};
use lombard_domain::payment::vrp::short_name;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

/// The types of address: the name in v3.1, the code in v4.0. Source: V4-005.
const ADDRESS_TYPES: [(&str, &str); 8] = [
    ("Business", "BIZZ"),
    ("Correspondence", "CORR"),
    ("DeliveryTo", "DLVY"),
    ("MailTo", "MLTO"),
    ("POBox", "PBOX"),
    ("Postal", "ADDR"),
    ("Residential", "HOME"),
    ("Statement", "STAT"),
];

/// Payment contexts of v3.1; v4.0 has deprecated some of them (V4-028).
const CONTEXTS: [&str; 5] = ["BillPayment", "EcommerceGoods", "Other", "PartyToParty", "TransferToSelf"];

prop_compose! {
    fn any_address()(
        kind in prop::option::of(prop::sample::select(&ADDRESS_TYPES[..])),
        town in prop::option::of("[A-Z][a-z]{1,34}"),
        lines in prop::collection::vec("[A-Za-z]{1,70}", 0..=2),
    ) -> Value {
        let mut address = Map::new();
        address.extend(kind.map(|(name, _)| ("AddressType".to_owned(), json!(name))));
        address.extend(town.map(|town| ("TownName".to_owned(), json!(town))));
        if !lines.is_empty() {
            address.insert("AddressLine".to_owned(), json!(lines));
        }
        address.insert("Country".to_owned(), json!("GB"));
        Value::Object(address)
    }
}

prop_compose! {
    /// A consent request of v3.1 whose creditor's name may be longer than v4.0 allows.
    fn any_older()(
        parameters in any_parameters(),
        refund in prop::option::of(prop::sample::select(&["Yes", "No"][..])),
        debtor in any::<bool>(),
        creditor in prop::option::of("[A-Za-z]{1,350}"),
        address in prop::option::of(any_address()),
        message in prop::option::of("[A-Za-z0-9]{1,140}"),
        reference in prop::option::of("[A-Za-z0-9]{1,35}"),
        context in prop::option::of(prop::sample::select(&CONTEXTS[..])),
        contract in prop::option::of(any::<bool>()),
        delivery in prop::option::of("[A-Z][a-z]{1,34}"),
    ) -> Value {
        let account = |number: &str, name: &str| {
            json!({"SchemeName": "UK.OBIE.SortCodeAccountNumber", "Identification": number, "Name": name})
        };
        let mut remittance = Map::new();
        remittance.extend(message.map(|text| ("Unstructured".to_owned(), json!(text))));
        remittance.extend(reference.map(|text| ("Reference".to_owned(), json!(text))));
        let mut controls = written(&parameters);
        controls.as_object_mut().unwrap().retain(|_, value| !value.is_null());
        let mut data = json!({"ControlParameters": controls, "Initiation": {}});
        if let Some(refund) = refund {
            data["ReadRefundAccount"] = json!(refund);
        }
        let initiation = data["Initiation"].as_object_mut().unwrap();
        if debtor {
            initiation.insert("DebtorAccount".to_owned(), account("80200110203341", "Amelia"));
        }
        initiation.extend(creditor.map(|name| ("CreditorAccount".to_owned(), account("20000319825731", &name))));
        initiation.extend(address.map(|address| ("CreditorPostalAddress".to_owned(), address)));
        if !remittance.is_empty() {
            initiation.insert("RemittanceInformation".to_owned(), Value::Object(remittance));
        }
        let mut risk = Map::new();
        risk.extend(context.map(|context| ("PaymentContextCode".to_owned(), json!(context))));
        risk.extend(contract.map(|is_there| ("ContractPresentInidicator".to_owned(), json!(is_there))));
        risk.extend(delivery.map(|town| ("DeliveryAddress".to_owned(), json!({"TownName": town, "Country": "GB"}))));
        json!({"Data": data, "Risk": risk})
    }
}

/// Replaces the codes of an address of v4.0 by the names of v3.1.
fn address_back(address: Option<&mut Value>) {
    if let Some(kind) = address.and_then(|address| address.get_mut("AddressType")) {
        let (name, _) = ADDRESS_TYPES.iter().find(|(_, code)| kind == code).unwrap();
        *kind = json!(name);
    }
}

/// A document of v4.0 in the form of v3.1, member by member as the standard maps them.
fn back(mut newer: Value) -> Value {
    let initiation = &mut newer["Data"]["Initiation"];
    address_back(initiation.get_mut("CreditorPostalAddress"));
    if let Some(Value::Object(remittance)) = initiation.get_mut("RemittanceInformation") {
        if let Some(texts) = remittance.get_mut("Unstructured") {
            assert_eq!(texts.as_array().unwrap().len(), 1);
            *texts = texts[0].take();
        }
        if let Some(entries) = remittance.remove("Structured") {
            assert_eq!(entries.as_array().unwrap().len(), 1);
            let reference = entries[0]["CreditorReferenceInformation"]["Reference"].clone();
            remittance.insert("Reference".to_owned(), reference);
        }
    }
    let risk = newer["Risk"].as_object_mut().unwrap();
    if let Some(is_there) = risk.remove("ContractPresentIndicator") {
        risk.insert("ContractPresentInidicator".to_owned(), is_there);
    }
    newer
}

proptest! {
    #[test]
    fn v4_026_to_v4_028_a_random_older_consent_is_mapped_and_back(older in any_older()) {
        let draft = <DomesticVrp as ProductWire<V3_1>>::read_consent(older.to_string().as_bytes(), 16).unwrap();
        let json = upgrade(&draft.submitted).unwrap().into_owned();

        let mut expected = older;
        if let Some(name) = expected.pointer_mut("/Data/Initiation/CreditorAccount/Name") {
            // Truncated text is not restored (VRP-016).
            *name = json!(short_name(name.as_str().unwrap()));
        }
        prop_assert_eq!(back(serde_json::from_str(&json).unwrap()), expected);

        // Both documents have the same meaning in the domain.
        let migrated = upgrade_vrp_consent(&draft.submitted).unwrap().terms;
        prop_assert_eq!((migrated.refund, &migrated.debtor), (draft.terms.refund, &draft.terms.debtor));
        prop_assert_eq!(migrated.context, draft.terms.context);
        let newer = migrated.instruction.vrp().unwrap();
        let older = draft.terms.instruction.vrp().unwrap();
        prop_assert_eq!(&newer.references, &older.references);
        prop_assert_eq!(&newer.address, &older.address);
        let number = |account: &lombard_domain::payment::transfer::NamedAccount| account.number.clone();
        prop_assert_eq!(newer.creditor.as_ref().map(number), older.creditor.as_ref().map(number));
        let mut controls = newer.controls.clone();
        if older.controls.interactions.is_empty() {
            // v4.0 has a default, which a migration does not apply (VRP-009).
            controls.interactions.clear();
        }
        prop_assert_eq!(&controls, &older.controls);
    }
}
