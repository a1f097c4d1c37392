//! Tests of the parties in a file: accepted and refused ones.

use super::{data_file_schema, empty, faults_of, small};
use serde_json::json;

#[tokio::test]
async fn ais_188_party_phone_numbers_and_addresses_follow_the_standard() {
    let mut file = small();
    file["Customer"][0]["Party"] = json!({
        "PartyId": "p-1",
        "Phone": "07700 900142",
        "Mobile": "+44-7700900142",
        "Address": [
            {"TownName": "Leeds"},
            {"Country": "GB", "AddressLine": ["1", "2", "3", "4", "5", "6"]},
            {"Country": "GB", "AddressLine": ["1", "2", "3", "4", "5"]},
        ],
    });
    let faults = faults_of(&empty().await, &file).await;
    let paths: Vec<_> = faults.iter().map(|fault| fault.path.as_str()).collect();
    let party = "Customer[0].Party";
    let expected = ["Phone", "Address[0].Country", "Address[1].AddressLine"].map(|path| format!("{party}.{path}"));
    assert_eq!(paths, expected, "{faults:?}");
    // The schema refuses the same parties.
    let schema = serde_json::from_str(&data_file_schema()).unwrap();
    let validator = jsonschema::draft202012::new(&schema).unwrap();
    let mut refused: Vec<_> = validator.iter_errors(&file).map(|error| error.instance_path().to_string()).collect();
    refused.sort();
    let party = "/Customer/0/Party";
    assert_eq!(refused, ["/Address/0", "/Address/1/AddressLine", "/Phone"].map(|path| format!("{party}{path}")));
}
