//! The operations of v4.0, member by member. Source: AIS-010 to AIS-012, AIS-100 to AIS-111, RW-141.

use super::{both, own_token, text};
use crate::harness::{Bank, CustomerAccess, EVERYTHING, ExchangeExt, ValueExt};
use serde_json::{Value, json};

fn members(value: &Value) -> Vec<&str> {
    let mut names: Vec<_> = value.as_object().unwrap().keys().map(String::as_str).collect();
    names.sort_unstable();
    names
}

#[tokio::test]
async fn ais_010_012_073_a_consent_is_made_and_shown() {
    for bank in Bank::each_engine().await {
        let tpp = bank.tpp("robot");
        let (_, new) = both(&tpp);
        let own = own_token(&tpp).await;
        let body = json!({
            "Data": {
                "Permissions": ["ReadAccountsBasic", "ReadAccountsDetail", "ReadAccountsBasic"],
                "ExpirationDateTime": "2099-05-02T01:00+01:00",
                "Later": true,
            },
            "Risk": {},
            "Later": {"a": 1},
        });
        let made = new.post_consent(&own, &body).await.ok(201);
        assert_eq!(members(&made), ["Data", "Links", "Meta", "Risk"], "RW-141: the open root is not repeated");
        assert_eq!(made["Risk"], json!({}), "AIS-012");
        let data = &made["Data"];
        assert_eq!(
            members(data),
            [
                "ConsentId",
                "CreationDateTime",
                "ExpirationDateTime",
                "Permissions",
                "Status",
                "StatusReason",
                "StatusUpdateDateTime"
            ]
        );
        assert_eq!(text(data, "Status"), "AWAU");
        assert_eq!(data["Permissions"], body["Data"]["Permissions"], "AIS-018");
        assert_eq!(text(data, "ExpirationDateTime"), "2099-05-02T01:00:00+01:00", "RW-083");
        let reasons = data.list("/StatusReason");
        assert_eq!(reasons.len(), 1, "AIS-073: an array");
        assert_eq!(members(&reasons[0]), ["StatusReasonCode", "StatusReasonDescription"]);
        assert_eq!(text(&reasons[0], "StatusReasonCode"), "U036", "AIS-074");

        let consent = text(data, "ConsentId");
        let address = new.url(&super::consent_path(&consent));
        assert_eq!((&made["Links"], &made["Meta"]), (&json!({"Self": address}), &json!({"TotalPages": 1})));
        assert_eq!(new.get(&own, &super::consent_path(&consent)).await.ok(200), made);
        CustomerAccess::of(&tpp, &own, &consent).await;
        let authorised = new.shown(&own, &consent).await;
        assert!(authorised.get("StatusReason").is_none(), "AIS-074: nothing to explain: {authorised}");
    }
}

#[tokio::test]
async fn ais_100_105_accounts_have_category_type_code_and_a_named_servicer() {
    for bank in Bank::each_engine().await {
        let tpp = bank.tpp("robot");
        let (old, new) = both(&tpp);
        let own = own_token(&tpp).await;
        let access = CustomerAccess::of(&tpp, &own, &old.consent(&own, &EVERYTHING).await).await;
        let before = old.get(access.token(), "aisp/accounts").await.ok(200).list("/Data/Account");
        let after = new.get(access.token(), "aisp/accounts").await.ok(200).list("/Data/Account");
        assert_eq!(before.len(), after.len());
        let mut kinds = Vec::new();
        for (before, after) in before.iter().zip(&after) {
            let single = new.get(access.token(), &format!("aisp/accounts/{}", text(after, "AccountId"))).await;
            assert_eq!(single.ok(200).list("/Data/Account"), std::slice::from_ref(after), "AIS-100");
            assert_eq!(after["AccountCategory"], before["AccountType"]);
            kinds.push((text(before, "AccountSubType"), text(after, "AccountTypeCode")));
            let mut servicer = after["Servicer"].clone();
            let name = servicer.as_object_mut().unwrap().remove("Name");
            assert!(name.is_some_and(|name| name.is_string()), "AIS-100: {after}");
            assert_eq!(servicer, before["Servicer"]);
            let (mut before, mut after) = (before.clone(), after.clone());
            for renamed in ["AccountType", "AccountSubType", "AccountCategory", "AccountTypeCode", "Servicer"] {
                before.as_object_mut().unwrap().remove(renamed);
                after.as_object_mut().unwrap().remove(renamed);
            }
            assert_eq!(before, after, "nothing else differs");
        }
        kinds.sort();
        let kinds: Vec<_> = kinds.iter().map(|(old, new)| (old.as_str(), new.as_str())).collect();
        assert_eq!(kinds, [("CreditCard", "CARD"), ("CurrentAccount", "CACC"), ("Savings", "SVGS")]);
    }
}

#[tokio::test]
async fn ais_110_111_balances_name_their_types_in_four_letters() {
    for bank in Bank::each_engine().await {
        let tpp = bank.tpp("robot");
        let (old, new) = both(&tpp);
        let own = own_token(&tpp).await;
        let access = CustomerAccess::of(&tpp, &own, &old.consent(&own, &EVERYTHING).await).await;
        let mut paths = vec!["aisp/balances".to_owned()];
        paths.extend(access.account_ids().await.iter().map(|account| format!("aisp/accounts/{account}/balances")));
        for path in paths {
            let before = old.get(access.token(), &path).await.ok(200);
            let after = new.get(access.token(), &path).await.ok(200);
            let mut renamed = before.list("/Data/Balance");
            for balance in &mut renamed {
                balance["Type"] = match balance.text("Type") {
                    "InterimAvailable" => json!("ITAV"),
                    "InterimBooked" => json!("ITBD"),
                    other => panic!("{other}"),
                };
            }
            assert!(!renamed.is_empty(), "AIS-110");
            assert_eq!(after.list("/Data/Balance"), renamed, "nothing else differs");
            assert_eq!(after["Meta"], before["Meta"]);
        }
    }
}
