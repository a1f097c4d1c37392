use super::{accounts_of, order, refused};
use crate::harness::{Bank, EVERYTHING, ExchangeExt, ValueExt, access};
use serde_json::json;

#[tokio::test]
async fn every_customer_is_shown_with_a_login_and_the_accounts() {
    for bank in Bank::each_engine().await {
        let answer = bank.ops_get("/sandbox/psus").await;
        let psus = answer.ok(200).list("/psus");
        let logins: Vec<_> = psus.iter().map(|psu| psu.text("login")).collect();
        assert_eq!(logins, ["amelia", "bashir", "chloe", "deepak", "esther"]);
        assert!(psus.iter().all(|psu| !psu.text("name").is_empty() && !psu.text("about").is_empty()));
        for account in accounts_of(&bank, "amelia").await {
            assert!(!account.text("nickname").is_empty() && account["shareable"] == true, "{account}");
            assert_eq!((account.text("type"), account.text("currency")), ("Personal", "GBP"));
            assert!(account.text("booked").rsplit_once('.').is_some_and(|(_, pence)| pence.len() == 2), "{account}");
            assert!(!account.list("/identifications").is_empty());
        }
        let withheld = accounts_of(&bank, "esther").await;
        assert!(!withheld.is_empty() && withheld.iter().all(|account| account["shareable"] == false));
    }
}

#[tokio::test]
async fn ais_186_a_changed_name_and_address_are_read_by_tpps_as_the_partys() {
    for bank in Bank::each_engine().await {
        let path = "/sandbox/psus/amelia/change";
        let changed = order(&bank, path, &json!({"name": "Amelia Mill", "email": "amelia@mill.example"})).await;
        assert_eq!((changed.text("psu"), changed.text("name")), ("amelia", "Amelia Mill"));
        let permissions = ["ReadAccountsDetail", "ReadParty", "ReadPartyPSU"];
        let reading = access(&bank.tpp("robot"), &permissions).await;
        let account = reading.account_ids().await.remove(0);
        let party = reading.read("aisp/party").await["Data"]["Party"].clone();
        let of_account = reading.read(&format!("aisp/accounts/{account}/parties")).await;
        let of_account = of_account.list("/Data/Party");
        let of_account = of_account.iter().find(|it| it["PartyId"] == party["PartyId"]).unwrap();
        for read in [&party, of_account] {
            assert_eq!(
                (read.text("Name"), read.text("EmailAddress")),
                ("Amelia Mill", "amelia@mill.example"),
                "{read}"
            );
        }
        assert_eq!(accounts_of(&bank, "amelia").await[0]["holder"], changed["accounts"][0]["holder"]);
        let about = order(&bank, path, &json!({"about": "Has moved."})).await;
        assert_eq!((about.text("name"), about.text("about")), ("Amelia Mill", "Has moved."));
        refused(&bank, "/sandbox/psus/nobody/change", &json!({"name": "N"}), 404).await;
        assert!(refused(&bank, path, &json!({"login": "amy"}), 400).await.contains("login"));
    }
}

#[tokio::test]
async fn ais_188_changed_phone_numbers_and_postal_address_are_read_by_tpps() {
    for bank in Bank::each_engine().await {
        let path = "/sandbox/psus/amelia/change";
        let address = json!({
            "AddressType": "Residential", "BuildingNumber": "7", "StreetName": "Mill Yard", "TownName": "Leeds",
            "PostCode": "LS1 4AP", "Country": "GB",
        });
        let moved = json!({"phone": "+44-1132960000", "mobile": "+44-7700900999", "address": address});
        assert_eq!(order(&bank, path, &moved).await.text("name"), "Amelia Hart");
        let robot = bank.tpp("robot");
        let reading = access(&robot, &["ReadAccountsBasic", "ReadParty", "ReadPartyPSU"]).await;
        let account = reading.account_ids().await.remove(0);
        let own = reading.read("aisp/party").await["Data"]["Party"].clone();
        assert_eq!((own.text("Name"), own.text("EmailAddress")), ("Amelia Hart", "amelia.hart@mail.example"));
        let of_account = reading.read(&format!("aisp/accounts/{account}/party")).await["Data"]["Party"].clone();
        let parties = reading.read(&format!("aisp/accounts/{account}/parties")).await.list("/Data/Party");
        let listed = parties.into_iter().find(|it| it["PartyId"] == own["PartyId"]).unwrap();
        for read in [&own, &of_account, &listed] {
            assert_eq!((read.text("Phone"), read.text("Mobile")), ("+44-1132960000", "+44-7700900999"), "{read}");
            let [written] = &read.list("/Address")[..] else { panic!("one address in place of all: {read}") };
            for member in ["BuildingNumber", "StreetName", "TownName", "PostCode", "Country"] {
                assert_eq!(written[member], address[member], "{member}: {read}");
            }
        }
        let without = access(&robot, &["ReadAccountsDetail", "ReadParty"]).await;
        assert_eq!(robot.get(without.token(), "aisp/party").await.unwrap().status, 403, "AIS-039");

        order(&bank, path, &json!({"mobile": "+44-7700900998"})).await;
        let own = reading.read("aisp/party").await["Data"]["Party"].clone();
        assert_eq!(
            (own.text("Phone"), own.text("Mobile")),
            ("+44-1132960000", "+44-7700900998"),
            "what is left out stays"
        );
        for (wrong, why) in [
            (json!({"phone": "0113 296 0000"}), "phone: "),
            (json!({"address": {"TownName": "Leeds"}}), "address.Country: "),
            (
                json!({"address": {"Country": "GB", "AddressLine": ["1", "2", "3", "4", "5", "6"]}}),
                "address.AddressLine: ",
            ),
        ] {
            assert!(refused(&bank, path, &wrong, 400).await.starts_with(why), "{wrong}");
        }
        assert_eq!(reading.read("aisp/party").await["Data"]["Party"], own, "a refused change changes nothing");
    }
}

#[tokio::test]
async fn ais_087_the_names_tpps_have_for_accounts_are_not_shown() {
    let bank = Bank::start().await;
    let aliases = access(&bank.tpp("robot"), &EVERYTHING).await.account_ids().await;
    let answer = bank.ops_get("/sandbox/psus").await;
    assert!(aliases.iter().all(|alias| !answer.text().contains(alias.as_str())));
}
