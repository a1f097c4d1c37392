//! Lists of arrangements and of parties.

use super::*;

/// A bank of two accounts with three records of every kind on each.
fn bank() -> SmallBank {
    let mut bank = SmallBank::with(&["b-1", "b-2"], Vec::new());
    for (account, id) in [("b-1", "1"), ("b-1", "2"), ("b-1", "3"), ("b-2", "1"), ("b-2", "2"), ("b-2", "3")] {
        let records = &mut bank.records;
        records.beneficiaries.push(Beneficiary { id: id.into(), ..full_beneficiary(account) });
        records.standing_orders.push(StandingOrder { id: id.into(), ..full_standing_order(account) });
        records.scheduled_payments.push(ScheduledPayment { id: id.into(), ..full_scheduled_payment(account) });
        records.parties.push(account_party(account, id, PartyType::Joint));
        records.party = Some(account_party("b-1", "2", PartyType::Joint).party);
    }
    bank
}

#[tokio::test]
async fn ais_050_and_ais_051_what_basic_hides_and_detail_always_has() {
    use Permission::{
        ReadBeneficiariesBasic, ReadBeneficiariesDetail, ReadScheduledPaymentsBasic, ReadScheduledPaymentsDetail,
        ReadStandingOrdersBasic, ReadStandingOrdersDetail,
    };
    let (context, _) = context(bank()).await;
    let query = ResourceQuery::first_page(100);
    let basic = [ReadBeneficiariesBasic, ReadStandingOrdersBasic, ReadScheduledPaymentsBasic];
    let detail = [ReadBeneficiariesDetail, ReadStandingOrdersDetail, ReadScheduledPaymentsDetail];
    for (permissions, shown) in [(basic, false), (detail, true)] {
        let consent = authorised(&context, "acme", terms(&permissions), &["b-1", "b-2"]).await;
        let payees = across::<Beneficiaries>(&context, &consent, &query).await.unwrap();
        assert_eq!(payees.items.len(), 6);
        assert!(payees.items.iter().all(|it| it.record.payee.is_some() == shown && it.record.agent.is_some() == shown));
        let orders = across::<StandingOrders>(&context, &consent, &query).await.unwrap();
        assert_eq!(orders.items.len(), 6);
        assert!(orders.items.iter().all(|it| it.record.payee.is_some() == shown && it.record.agent.is_some() == shown));
        let payments = across::<ScheduledPayments>(&context, &consent, &query).await.unwrap();
        assert_eq!(payments.items.len(), 6);
        assert!(
            payments.items.iter().all(|it| it.record.payee.is_some() == shown && it.record.agent.is_some() == shown)
        );
    }
}

#[tokio::test]
async fn rw_276_and_rw_277_lists_by_account_and_id_page_without_gap_or_repeat() {
    let (context, _) = context(bank()).await;
    let permissions = [Permission::ReadBeneficiariesBasic, Permission::ReadParty];
    let consent = authorised(&context, "acme", terms(&permissions), &["b-1", "b-2"]).await;
    for size in 1..=7 {
        let pages = walk::<Beneficiaries>(&context, &consent, size).await;
        let met: Vec<_> =
            pages.iter().flat_map(|page| &page.items).map(|it| (it.alias.clone(), it.record.id.clone())).collect();
        assert_eq!(met.len(), 6);
        assert!(met.is_sorted_by(|a, b| (&a.0, &a.1) != (&b.0, &b.1)), "each once");
        let cursors = pages.iter().filter_map(|page| page.next.as_ref());
        assert!(cursors.into_iter().all(|cursor| !cursor.contains("b-")), "AIS-087");
    }
}

#[tokio::test]
async fn ais_039_ais_185_to_ais_187_parties_owner_and_who_authorised() {
    let (context, _) = context(bank()).await;
    let query = ResourceQuery::first_page(100);
    let account = authorised(&context, "acme", terms(&[Permission::ReadParty]), &["b-1"]).await;
    let person = authorised(&context, "acme", terms(&[Permission::ReadPartyPSU]), &["b-1"]).await;
    let alias = account.accounts[0].alias.clone();
    assert_eq!(by_account::<AccountParties>(&context, &account, &alias, &query).await.unwrap().items.len(), 3);
    let owner = by_account::<AccountOwner>(&context, &account, &alias, &query).await.unwrap();
    assert_eq!(owner.items.len(), 1);
    assert_eq!(owner.items[0].record.party.id.as_str(), "2", "of joint owners the one who authorised");
    assert_eq!(refusal(read_psu_party(&context, &account).await), RefusalKind::PermissionMissing);
    assert_eq!(read_psu_party(&context, &person).await.unwrap().unwrap().id.as_str(), "2");
    assert_eq!(
        refusal(by_account::<AccountOwner>(&context, &person, &alias, &query).await),
        RefusalKind::PermissionMissing,
        "neither implies the other"
    );
}

#[tokio::test]
async fn ais_189_nothing_is_known_of_anybody() {
    let (context, _) = context(SmallBank::with(&["b-1"], Vec::new())).await;
    let permissions = [Permission::ReadParty, Permission::ReadPartyPSU];
    let consent = authorised(&context, "acme", terms(&permissions), &["b-1"]).await;
    let alias = consent.accounts[0].alias.clone();
    assert!(
        by_account::<AccountOwner>(&context, &consent, &alias, &ResourceQuery::first_page(1))
            .await
            .unwrap()
            .items
            .is_empty()
    );
    assert_eq!(read_psu_party(&context, &consent).await.unwrap(), None);
}
