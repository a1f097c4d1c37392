//! The operations of v4.0, member by member. Source: AIS-010 to AIS-012, AIS-100 to AIS-111, RW-141.

use super::{both, own_token, text};
use crate::accounts::ALL;
use crate::harness::{Bank, CustomerAccess, EVERYTHING, ExchangeExt, ValueExt, access};
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
            let mut before = before.clone();
            let mut after = after.clone();
            for renamed in [
                "AccountType",
                "AccountSubType",
                "AccountCategory",
                "AccountTypeCode",
                "Servicer",
                "StatementFrequencyAndFormat",
            ] {
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

/// Amelia's leave for everything, in v3.1.
async fn whole_access(bank: &Bank) -> CustomerAccess {
    access(&bank.tpp("robot"), &ALL).await
}

/// The studio's leave for everything, in v3.1.
async fn whole_access_of_studio(bank: &Bank) -> CustomerAccess {
    let order = json!({"name": "studios", "roles": ["aisp"], "headless": "bashir"});
    access(&bank.create_tpp(&order).await, &ALL).await
}

/// The lists of amelia's data through both versions.
async fn lists(access: &CustomerAccess, path: &str, member: &str) -> (Vec<Value>, Vec<Value>) {
    let (old, new) = both(&access.tpp);
    let pointer = format!("/Data/{member}");
    let before = old.get(access.token(), path).await.ok(200).list(&pointer);
    let after = new.get(access.token(), path).await.ok(200).list(&pointer);
    assert!(!before.is_empty() && before.len() == after.len(), "{path}");
    (before, after)
}

/// Takes a member out of an object.
fn take(value: &mut Value, member: &str) -> Value {
    value.as_object_mut().unwrap().remove(member).unwrap_or_default()
}

#[tokio::test]
async fn rw_018_what_v4_0_does_not_change_is_the_same_in_both_versions() {
    for bank in Bank::each_engine().await {
        let access = whole_access(&bank).await;
        for (path, member) in [
            ("aisp/beneficiaries", "Beneficiary"),
            ("aisp/offers", "Offer"),
            ("aisp/products", "Product"),
            ("aisp/scheduled-payments", "ScheduledPayment"),
            ("aisp/statements", "Statement"),
        ] {
            let (before, mut after) = lists(&access, path, member).await;
            for record in &mut after {
                record.get_mut("CreditorAccount").map(|account| take(account, "Proxy"));
                if let Some(agent) = record.get_mut("CreditorAgent") {
                    take(agent, "LEI");
                }
            }
            assert_eq!(before, after, "{path}");
        }
    }
}

#[tokio::test]
async fn ais_128_ais_135_entries_have_codes_for_status_balance_and_kind() {
    for bank in Bank::each_engine().await {
        let access = whole_access(&bank).await;
        let (before, after) = lists(&access, "aisp/transactions", "Transaction").await;
        for (mut before, mut after) in before.into_iter().zip(after) {
            let status = (take(&mut before, "Status"), take(&mut after, "Status"));
            let pairs = [("Booked", "BOOK"), ("Pending", "PDNG"), ("Pending", "FUTR"), ("Rejected", "RJCT")];
            assert!(pairs.iter().any(|(old, new)| status.0 == *old && status.1 == *new), "AIS-135: {status:?}");
            for member in ["Code", "SubCode"] {
                let code = text(&after["BankTransactionCode"], member);
                assert!(code.len() == 4 && code.bytes().all(|it| it.is_ascii_uppercase()), "AIS-128: {code}");
            }
            if let Some(balance) = after.get("Balance") {
                assert_eq!(text(balance, "Type"), "ITBD", "AIS-111");
            }
            for different in [
                "BankTransactionCode",
                "Balance",
                "CategoryPurposeCode",
                "PaymentPurposeCode",
                "CreditorAgent",
                "DebtorAgent",
            ] {
                take(&mut before, different);
                take(&mut after, different);
            }
            for account in ["CreditorAccount", "DebtorAccount"] {
                after.get_mut(account).map(|account| take(account, "Proxy"));
            }
            assert_eq!(before, after, "nothing else differs");
        }
    }
}

#[tokio::test]
async fn ais_132_an_international_entry_names_the_banks_in_between() {
    let bank = Bank::start().await;
    let access = whole_access_of_studio(&bank).await;
    let (_, new) = both(&access.tpp);
    let mut seen = 0;
    let mut url = Some(new.url("aisp/transactions"));
    while let Some(page) = url {
        let page = access.tpp.read_link(access.token(), &page).await.unwrap().ok(200);
        for entry in page.list("/Data/Transaction") {
            let international = text(&entry["BankTransactionCode"], "SubCode") == "XBCT";
            assert_eq!(entry.get("IntermediaryAgent1").is_some(), international, "{entry}");
            if international {
                seen += 1;
                let agent = &entry["IntermediaryAgent1"];
                assert_eq!((agent.text("ProcessingStatus"), agent.text("LEI").len()), ("ACSC", 20));
                let side =
                    if entry.text("CreditDebitIndicator") == "Debit" { "UltimateCreditor" } else { "UltimateDebtor" };
                assert!(entry[side]["Name"].is_string(), "{entry}");
                assert_eq!((entry.text("CategoryPurposeCode"), entry.text("PaymentPurposeCode")), ("SUPP", "SUPP"));
                assert!(!entry.list("/ExtendedProprietaryBankTransactionCodes").is_empty(), "AIS-128");
            }
        }
        url = page["Links"]["Next"].as_str().map(str::to_owned);
    }
    assert!(seen > 0, "the studio is paid from abroad");
}

#[tokio::test]
async fn ais_170_ais_175_a_direct_debit_has_a_mandate_with_its_frequency() {
    for bank in Bank::each_engine().await {
        let access = whole_access(&bank).await;
        let (before, after) = lists(&access, "aisp/direct-debits", "DirectDebit").await;
        for (mut before, mut after) in before.into_iter().zip(after) {
            let mandate = take(&mut after, "MandateRelatedInformation");
            assert_eq!(mandate["MandateIdentification"], take(&mut before, "MandateIdentification"));
            let frequency = (take(&mut before, "Frequency"), mandate["Frequency"]["Type"].clone());
            let expected = match frequency.0.as_str().unwrap() {
                "UK.OBIE.Monthly" => "MNTH",
                "UK.OBIE.Quarterly" => "QURT",
                "UK.OBIE.Annual" => "YEAR",
                "UK.OBIE.NotKnown" => "NONE",
                other => panic!("{other}"),
            };
            assert_eq!(frequency.1, expected);
            let status = (take(&mut before, "DirectDebitStatusCode"), take(&mut after, "DirectDebitStatusCode"));
            let mapped = [("Active", "ACTV"), ("Inactive", "CANC"), ("Inactive", "SUSP")];
            assert!(mapped.iter().any(|(old, new)| status == (json!(old), json!(new))), "{status:?}");
            assert_eq!(before, after, "nothing else differs");
        }
    }
}

#[tokio::test]
async fn ais_171_ais_172_ais_174_a_standing_order_has_mandate_and_remittance() {
    for bank in Bank::each_engine().await {
        let access = whole_access(&bank).await;
        let (before, after) = lists(&access, "aisp/standing-orders", "StandingOrder").await;
        for (mut before, mut after) in before.into_iter().zip(after) {
            let mandate = take(&mut after, "MandateRelatedInformation");
            let pattern = text(&before, "Frequency");
            let day = pattern.strip_prefix("IntrvlMnthDay:01:").unwrap_or_else(|| panic!("{pattern}"));
            assert_eq!(mandate["Frequency"], json!({"Type": "MNTH", "PointInTime": day}), "V4-010");
            take(&mut before, "Frequency");
            assert_eq!(mandate["FirstPaymentDateTime"], take(&mut before, "FirstPaymentDateTime"));
            let reference = take(&mut before, "Reference");
            assert_eq!(
                take(&mut after, "RemittanceInformation"),
                json!({"Structured": [{"CreditorReferenceInformation": {"Reference": reference}}]}),
                "AIS-174"
            );
            assert_eq!(take(&mut before, "StandingOrderStatusCode"), "Active");
            assert_eq!(take(&mut after, "StandingOrderStatusCode"), "ACTV");
            for agent in [&mut before, &mut after] {
                take(agent, "CreditorAgent");
            }
            assert_eq!(before, after, "nothing else differs");
        }
    }
}

#[tokio::test]
async fn ais_188_addresses_have_four_letter_types_and_a_business_its_lei() {
    let bank = Bank::start().await;
    let access = whole_access_of_studio(&bank).await;
    let (old, new) = both(&access.tpp);
    let before = old.get(access.token(), "aisp/accounts").await.ok(200).list("/Data/Account");
    let after = new.get(access.token(), "aisp/accounts").await.ok(200).list("/Data/Account");
    for (before, after) in before.iter().zip(&after) {
        assert!(before["Account"][0].get("LEI").is_none());
        assert_eq!(after["Account"][0].text("LEI").len(), 20, "AIS-100");
        assert_eq!(
            after["StatementFrequencyAndFormat"],
            json!([{"Frequency": "MNTH", "CommunicationMethod": "ONLI", "Format": "DPDF"}])
        );
    }
    let path = format!("aisp/accounts/{}/parties", text(&after[0], "AccountId"));
    let before = old.get(access.token(), &path).await.ok(200).list("/Data/Party");
    let after = new.get(access.token(), &path).await.ok(200).list("/Data/Party");
    assert!(before.iter().all(|party| party.get("LEI").is_none()));
    let of = |parties: &[Value], kind: &str| -> Vec<_> {
        let organisations = parties.iter().filter(|it| it["LegalStructure"] == "UK.OBIE.PrivateLimitedCompany");
        organisations.map(|it| (it["LEI"].is_string(), it["Address"][0][kind].clone())).collect()
    };
    assert_eq!(of(&before, "AddressType"), [(false, json!("Business"))]);
    assert_eq!(of(&after, "AddressType"), [(true, json!("BIZZ"))], "V4-005");
}

/// The statuses of what a list shows, newest first where that is its order.
fn statuses(records: &[Value], member: &str) -> std::collections::BTreeSet<String> {
    records.iter().map(|it| text(it, member)).collect()
}

#[tokio::test]
async fn ais_121_ais_135_ais_170_values_only_in_v4_0_are_mapped_in_v3_1() {
    for bank in Bank::each_engine().await {
        let tpp = bank.tpp("robot");
        let (old, new) = both(&tpp);
        let own = own_token(&tpp).await;
        let access = CustomerAccess::of(&tpp, &own, &old.consent(&own, &ALL).await).await;
        let since = bank.now() - jiff::SignedDuration::from_hours(24 * 40);
        let since = since.strftime("%Y-%m-%dT%H:%M:%S").to_string();
        let mut entries = [Vec::new(), Vec::new()];
        let checked = bank.create_tpp(&json!({ "name": "checks", "roles": ["aisp"], "headless": "deepak" })).await;
        for tpp in [&tpp, &checked] {
            let (old, new) = both(tpp);
            let own = own_token(tpp).await;
            let access = CustomerAccess::of(tpp, &own, &old.consent(&own, &ALL).await).await;
            for (through, found) in [&old, &new].into_iter().zip(&mut entries) {
                let mut path = format!("aisp/transactions?fromBookingDateTime={since}");
                loop {
                    let answer = through.get(access.token(), &path).await.ok(200);
                    found.extend(answer.list("/Data/Transaction"));
                    let Some(next) = answer["Links"].get("Next").and_then(Value::as_str) else { break };
                    path = format!("aisp{}", next.split_once("/aisp").unwrap().1);
                }
            }
        }
        let [before, after] = entries;
        let with = |status: &str| after.iter().filter(|it| it["Status"] == status).cloned().collect::<Vec<_>>();
        let future = with("FUTR");
        let information = with("INFO");
        assert!(!future.is_empty() && !information.is_empty(), "AIS-121: {:?}", statuses(&after, "Status"));
        assert_eq!(before.len() + information.len(), after.len(), "AIS-135: v3.1 leaves information out");
        let older = |id: &Value| before.iter().find(|it| it["TransactionId"] == *id);
        assert!(future.iter().all(|it| older(&it["TransactionId"]).unwrap()["Status"] == "Pending"));
        assert!(information.iter().all(|it| older(&it["TransactionId"]).is_none()));

        let mandates = |answer: Value| statuses(&answer.list("/Data/DirectDebit"), "DirectDebitStatusCode");
        let newer = mandates(new.get(access.token(), "aisp/direct-debits").await.ok(200));
        assert!(newer.contains("SUSP") && newer.contains("CANC") && newer.contains("ACTV"), "{newer:?}");
        let older = mandates(old.get(access.token(), "aisp/direct-debits").await.ok(200));
        assert_eq!(older, ["Active".to_owned(), "Inactive".to_owned()].into());
    }
}

#[tokio::test]
async fn rw_259_ais_110_foreign_balances_have_local_amount_one_currency_total() {
    for bank in Bank::each_engine().await {
        let tpp = bank.create_tpp(&json!({ "name": "works", "roles": ["aisp"], "headless": "bashir" })).await;
        let (old, new) = both(&tpp);
        let own = own_token(&tpp).await;
        let access = CustomerAccess::of(&tpp, &own, &old.consent(&own, &EVERYTHING).await).await;
        for (through, base, local) in [(&old, "BaseCurrency", "LocalCurrency"), (&new, "BCUR", "LCUR")] {
            let all = through.get(access.token(), "aisp/balances").await.ok(200);
            assert!(all["Data"].get("TotalValue").is_none(), "several currencies");
            let mut foreign = 0;
            for balance in all.list("/Data/Balance") {
                let is_foreign = balance["Amount"]["Currency"] != "GBP";
                assert_eq!(balance.get("LocalAmount").is_some(), is_foreign, "{balance}");
                if is_foreign {
                    foreign += 1;
                    assert_eq!(balance["Amount"]["SubType"], base);
                    assert_eq!(balance["LocalAmount"]["SubType"], local);
                    assert_eq!(balance["LocalAmount"]["Currency"], "GBP");
                }
                let account = text(&balance, "AccountId");
                let one = through.get(access.token(), &format!("aisp/accounts/{account}/balances")).await.ok(200);
                let booked = if base == "BCUR" { "ITBD" } else { "InterimBooked" };
                let found = one.list("/Data/Balance").into_iter().find(|it| it["Type"] == booked).unwrap();
                let is_credit = found["CreditDebitIndicator"] == "Credit";
                assert_eq!(one["Data"].get("TotalValue").is_some(), is_credit, "{one}");
                if is_credit {
                    assert_eq!(one["Data"]["TotalValue"]["Amount"], found["Amount"]["Amount"]);
                }
            }
            assert_eq!(foreign, 4, "dollars and euros");
        }
    }
}
