//! People and organisations.

use super::shown;
use lombard_domain::account::{
    AccountParty, AccountRole, AddressType, Aliased, LegalStructure, Party, PartyType, PostalAddress,
};
use serde_json::{Value, json};

fn party() -> Party {
    let text = |text: &str| Some(text.to_owned());
    let home = PostalAddress {
        kind: Some(AddressType::Residential),
        department: text("never shown for a party"),
        street: text("Granger Lane"),
        building: text("7"),
        post_code: text("M1 1AE"),
        town: text("Manchester"),
        county: text("Lancs"),
        country: text("GB"),
        lines: vec!["Flat 2".into()],
        ..PostalAddress::default()
    };
    let nowhere = PostalAddress { country: None, ..home.clone() };
    Party {
        id: "p-1".into(),
        number: text("0000007456"),
        name: text("Mrs D User"),
        full_legal_name: text("Mrs Dahlia Userhead"),
        legal_structure: Some(LegalStructure::SoleTrader),
        email: text("dahlia@example.org"),
        phone: text("+44-1617770000"),
        mobile: text("+44-7700900000"),
        addresses: vec![home, nowhere],
        lei: None,
    }
}

fn on_account() -> Aliased<AccountParty> {
    Aliased {
        alias: "a-1".into(),
        record: AccountParty {
            account: "bank-1".into(),
            kind: PartyType::Joint,
            role: Some(AccountRole::SecondaryOwner),
            beneficial_owner: Some(true),
            party: party(),
        },
    }
}

/// The party by itself.
fn party_json() -> Value {
    json!({
        "PartyId": "p-1", "PartyNumber": "0000007456", "Name": "Mrs D User", "FullLegalName": "Mrs Dahlia Userhead",
        "LegalStructure": "UK.OBIE.Sole", "EmailAddress": "dahlia@example.org", "Phone": "+44-1617770000",
        "Mobile": "+44-7700900000",
        "Address": [{
            "AddressType": "Residential", "AddressLine": ["Flat 2"], "StreetName": "Granger Lane",
            "BuildingNumber": "7", "PostCode": "M1 1AE", "TownName": "Manchester", "CountrySubDivision": "Lancs",
            "Country": "GB",
        }],
    })
}

#[test]
fn ais_187_and_ais_188_the_parties_of_an_account() {
    let mut expected = party_json();
    expected["PartyType"] = json!("Joint");
    expected["AccountRole"] = json!("UK.OBIE.SecondaryOwner");
    expected["BeneficialOwnership"] = json!(true);
    assert_eq!(shown([on_account()].as_slice())["Data"], json!({ "Party": [expected] }));
    assert_eq!(shown::<[Aliased<AccountParty>]>(&[])["Data"], json!({ "Party": [] }), "AIS-189");
}

#[test]
fn ais_185_ais_186_and_ais_189_one_party_is_an_object() {
    assert_eq!(shown(&Some(party()))["Data"], json!({ "Party": party_json() }));
    assert_eq!(shown(&Some(on_account()))["Data"]["Party"]["PartyType"], "Joint");
    assert_eq!(shown::<Option<Party>>(&None)["Data"], json!({}));
    assert_eq!(shown::<Option<Aliased<AccountParty>>>(&None)["Data"], json!({}));
}

#[test]
fn rw_245_a_party_of_which_little_is_known() {
    let bare = Party {
        number: None,
        name: None,
        full_legal_name: None,
        legal_structure: None,
        email: None,
        phone: None,
        mobile: None,
        addresses: Vec::new(),
        ..party()
    };
    assert_eq!(shown(&Some(bare))["Data"]["Party"], json!({ "PartyId": "p-1", "Address": [] }));
}
