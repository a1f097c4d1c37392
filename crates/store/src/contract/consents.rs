//! Consents and aliases.

use super::samples::{at, client, consent, read, selected, write};
use super::samples_of_instructions::vrp_instructions;
use super::samples_of_payments::{payment_consent, plain_terms};
use jiff::Timestamp;
use lombard_domain::authentication::AuthenticationFactor;
use lombard_domain::code::Enumerated;
use lombard_domain::consent::{
    AccountAccess, Consent, ConsentRequest, ConsentStatusReason, DecisionEvidence, EvidencedDecision, RevokedBy,
    SelectedAccount,
};
use lombard_domain::core_state::CoreState;
use lombard_domain::ids::{ClientId, ConsentId, GrantId};
use lombard_domain::instant;
use lombard_domain::payment::order::PayeeFinding;
use lombard_domain::submitted::Submitted;
use lombard_domain::version::Version;
use lombard_ports::store::{Owned, ServerTransaction, Store, StoreError};

/// Source: RW-304, AIS-063.
pub(super) async fn a_deleted_consent_is_absent(store: Store) {
    write(&store, |tx| {
        let mut it = consent("c", "t");
        tx.consent_insert(&it)?;
        it.delete(at(9));
        tx.consent_update(&it)
    })
    .await;
    for owner in ["t", "rival"] {
        assert_eq!(read(&store, move |tx| tx.consent(&owner.into(), &"c".into())).await, Owned::Absent, "{owner}");
        assert_eq!(write(&store, move |tx| tx.consent_for_update(&owner.into(), &"c".into())).await, Owned::Absent);
    }
    let kept = read(&store, |tx| tx.consent_any_owner(&"c".into())).await.unwrap();
    assert_eq!(kept.deleted_at, Some(at(9)));
}

/// Source: SET-036.
pub(super) async fn the_event_of_an_expiry_is_recorded_once_for_each_end(store: Store) {
    let record = |id: &'static str, second| {
        let store = store.clone();
        async move { write(&store, move |tx| tx.consent_record_expiry(&id.into(), at(second))).await }
    };
    let made = consent("c", "t");
    let inserted = made.clone();
    write(&store, move |tx| tx.consent_insert(&inserted)).await;
    for (id, end, expected) in [("c", 5, true), ("c", 5, false), ("c", 6, true), ("none", 5, false)] {
        assert_eq!(record(id, end).await, expected, "{id} {end}");
    }
    assert_eq!(read(&store, |tx| tx.consent(&"t".into(), &"c".into())).await, Owned::Mine(made), "no change of it");
}

/// Source: RW-102, RW-104.
pub(super) async fn foreign_is_told_from_absent(store: Store) {
    write(&store, |tx| {
        tx.consent_insert(&consent("c", "t"))?;
        tx.account_alias(&"t".into(), &"b".into(), &"x".into())
    })
    .await;
    let look = |owner: &'static str, id: &'static str| {
        let store = store.clone();
        async move { read(&store, move |tx| tx.consent(&owner.into(), &id.into())).await }
    };
    assert_eq!(look("t", "c").await, Owned::Mine(consent("c", "t")));
    assert_eq!(look("rival", "c").await, Owned::Foreign);
    assert_eq!(look("t", "none").await, Owned::Absent);

    let look = |owner: &'static str, alias: &'static str| {
        let store = store.clone();
        async move { read(&store, move |tx| tx.account_by_alias(&owner.into(), &alias.into())).await }
    };
    assert_eq!(look("t", "x").await, Owned::Mine("b".into()));
    assert_eq!(look("rival", "x").await, Owned::Foreign);
    assert_eq!(look("t", "none").await, Owned::Absent);
}

/// An id in a request may contain any character, also a character that no stored id can have. Source: RW-102.
pub(super) async fn an_id_no_row_can_have_is_absent(store: Store) {
    write(&store, |tx| tx.consent_insert(&consent("c", "t"))).await;
    for id in ["\0", "c\0", "\u{feff}c", "é\u{10ffff}", "%", "' OR '1'='1"] {
        assert_eq!(read(&store, move |tx| tx.consent(&"t".into(), &id.into())).await, Owned::Absent, "{id:?}");
        assert_eq!(write(&store, move |tx| tx.consent_for_update(&"t".into(), &id.into())).await, Owned::Absent);
        assert_eq!(read(&store, move |tx| tx.account_by_alias(&"t".into(), &id.into())).await, Owned::Absent);
        assert_eq!(read(&store, move |tx| tx.client(&id.into())).await, None);
        assert_eq!(read(&store, move |tx| tx.journey_for_update(&id.into())).await, None);
    }
}

/// The first consents to an account may be authorised at the same moment, for example by two holders. Source: AIS-087.
pub(super) async fn customers_who_select_an_account_at_once_give_it_one_alias(store: Store) {
    for account in 0..ACCOUNTS_SELECTED_AT_ONCE {
        let select = || {
            let store = store.clone();
            let name = format!("account-{account}");
            tokio::spawn(async move {
                let (account, alias) = (name.as_str().into(), format!("alias-of-{name}").into());
                store.write::<_, StoreError, _>(move |tx| tx.account_alias(&"t".into(), &account, &alias)).await
            })
        };
        let selecting: Vec<_> = (0..CUSTOMERS_AT_ONCE).map(|_| select()).collect();
        for selected in selecting {
            assert_eq!(selected.await.unwrap().unwrap(), format!("alias-of-account-{account}").into());
        }
    }
}

/// The number of accounts, each selected by several customers at once: on PostgreSQL enough to provoke a rare interleaving that
/// once failed.
const ACCOUNTS_SELECTED_AT_ONCE: usize = 60;
const CUSTOMERS_AT_ONCE: usize = 8;

/// Source: AIS-087.
pub(super) async fn an_account_keeps_its_alias_and_an_alias_its_account(store: Store) {
    let alias = |client: &'static str, account: &'static str, offered: &'static str| {
        let store = store.clone();
        async move {
            let work = move |tx: &mut dyn lombard_ports::store::ServerTransaction| {
                tx.account_alias(&client.into(), &account.into(), &offered.into())
            };
            store.write::<_, StoreError, _>(work).await
        }
    };
    assert_eq!(alias("t", "b", "x").await.unwrap(), "x".into());
    assert_eq!(alias("t", "b", "y").await.unwrap(), "x".into(), "the first offer stays");
    assert_eq!(alias("rival", "b", "z").await.unwrap(), "z".into(), "another TPP has names of its own");
    let taken = alias("t", "other", "x").await;
    assert!(matches!(taken, Err(StoreError::Duplicate(_))), "one name never means two accounts: {taken:?}");

    let racers = (0..8).map(|number| {
        let store = store.clone();
        let offered = format!("r{number}");
        tokio::spawn(async move {
            write(&store, move |tx| tx.account_alias(&"t".into(), &"raced".into(), &offered.as_str().into())).await
        })
    });
    let mut given = Vec::new();
    for racer in racers.collect::<Vec<_>>() {
        given.push(racer.await.unwrap());
    }
    given.dedup();
    assert_eq!(given.len(), 1, "all racers got the same name");
}

/// An update from a consent that was read without a lock cannot overwrite a newer version.
pub(super) async fn a_stale_consent_cannot_overwrite_a_newer_one(store: Store) {
    write(&store, |tx| {
        tx.client_insert(&client("t"))?;
        tx.consent_insert(&consent("c", "t"))
    })
    .await;
    let mut stale = read(&store, |tx| tx.consent_any_owner(&"c".into())).await.unwrap();
    let mut newer = stale.clone();
    newer.authorise(&"amelia".into(), vec![selected("b", "x")], at(6)).unwrap();
    let update = newer.clone();
    write(&store, move |tx| tx.consent_update(&update)).await;
    assert!(stale.reject(at(7)));
    let outcome: Result<(), StoreError> = store.write(move |tx| tx.consent_update(&stale)).await;
    assert!(matches!(outcome, Err(StoreError::Contended)), "{outcome:?}");
    let again = newer.clone();
    write(&store, move |tx| tx.consent_update(&again)).await;
    assert_eq!(read(&store, |tx| tx.consent_any_owner(&"c".into())).await, Some(newer));
}

/// Every reason reads back, and so does the absence of a reason. Source: V4-002.
pub(super) async fn the_reason_for_a_status_is_stored_with_it(store: Store) {
    write(&store, |tx| tx.consent_insert(&consent("c", "t"))).await;
    let reasons = ConsentStatusReason::VALUES.iter().copied().map(Some).chain([None]);
    for (epoch, status_reason) in (1..).zip(reasons) {
        let authentication_factors = vec![AuthenticationFactor::Possession];
        let authenticated_at = Some(at(epoch));
        let changed = Consent { status_reason, epoch, authenticated_at, authentication_factors, ..consent("c", "t") };
        let stored = changed.clone();
        write(&store, move |tx| tx.consent_update(&stored)).await;
        assert_eq!(read(&store, |tx| tx.consent_any_owner(&"c".into())).await, Some(changed));
    }
}

/// The newest decisions of a consent are listed, with every finding and without any; decisions on other consents are not.
pub(super) async fn what_was_shown_before_decisions_is_kept_newest_first(store: Store) {
    let decision = |second, payee, warnings: &[&str]| EvidencedDecision {
        psu: "p".into(),
        decided_at: at(second),
        evidence: DecisionEvidence { payee, warnings: warnings.iter().map(|it| (*it).to_owned()).collect() },
    };
    let findings = PayeeFinding::VALUES.iter().copied().map(Some).chain([None]);
    let mut all: Vec<_> =
        (1..).zip(findings).map(|(second, payee)| decision(second, payee, &["Is it \u{e9}?", "Stop"])).collect();
    all.push(decision(99, Some(PayeeFinding::Match), &[]));
    let rows = all.clone();
    write(&store, move |tx| {
        for (number, row) in rows.iter().enumerate() {
            tx.decision_evidence_insert(&"c".into(), &GrantId::new(format!("g-{number}")), row)?;
        }
        tx.decision_evidence_insert(&"other".into(), &"g".into(), &decision(50, None, &["x"]))
    })
    .await;
    all.reverse();
    assert_eq!(read(&store, |tx| tx.decision_evidence(&"c".into(), 99)).await, all);
    all.truncate(2);
    assert_eq!(read(&store, |tx| tx.decision_evidence(&"c".into(), 2)).await, all);
}

/// The state that a core sets on a consent and on its accounts reads back unchanged. Setting a state on a consent changes the
/// consent, so that no earlier copy is used or stored; setting the same state again does not.
pub(super) async fn what_a_core_sets_on_a_consent_reads_back(store: Store) {
    let state = |text: &str| CoreState::new(text).unwrap();
    let with =
        |text: &str, account: &str| SelectedAccount { core_state: Some(state(text)), ..selected(account, account) };
    let mut it = consent("c", "t");
    it.authorise(&"p".into(), vec![with("{\"é\": \" \"}", "a"), selected("b", "b")], at(1)).unwrap();
    let (first, stale) = (it.clone(), Consent { epoch: it.epoch + 1, ..it.clone() });
    write(&store, move |tx| {
        tx.consent_insert(&consent("c", "t"))?;
        tx.consent_update(&first)?;
        tx.consent_set_core_state(&"none".into(), &state("x"))?;
        tx.consent_set_core_state(&"c".into(), &state("mandate 7"))?;
        tx.consent_set_core_state(&"c".into(), &state("mandate 7"))
    })
    .await;
    it = Consent { core_state: Some(state("mandate 7")), epoch: it.epoch + 1, ..it };
    let expected = it.clone();
    assert_eq!(read(&store, |tx| tx.consent_any_owner(&"c".into())).await, Some(expected));
    let outcome: Result<(), StoreError> = store.write(move |tx| tx.consent_update(&stale)).await;
    assert!(matches!(outcome, Err(StoreError::Contended)), "{outcome:?}");
    it.revoke(RevokedBy::Bank, at(2));
    let ended = it.clone();
    write(&store, move |tx| tx.consent_update(&ended)).await;
    assert_eq!(read(&store, |tx| tx.consent_any_owner(&"c".into())).await, Some(it), "other changes leave it");
}

/// The accounts are those of the last update, whether or not the consent was locked first, and however often it is stored.
pub(super) async fn the_accounts_of_a_consent_are_those_stored_last(store: Store) {
    let shared = |accounts: &[&str]| accounts.iter().map(|id| selected(id, &format!("x-{id}"))).collect::<Vec<_>>();
    let (both, one) = (shared(&["b2", "b1"]), shared(&["b1"]));
    write(&store, |tx| {
        tx.consent_insert(&consent("c", "t"))?;
        tx.consent_insert(&consent("other", "t"))
    })
    .await;
    for (second, accounts) in [(6, vec![both.clone()]), (7, vec![both.clone()]), (8, vec![one.clone(), both.clone()])] {
        let expected = accounts.last().cloned().unwrap();
        write(&store, move |tx| {
            tx.consent_for_update(&"t".into(), &"other".into())?;
            let Owned::Mine(mut it) = tx.consent_for_update(&"t".into(), &"c".into())? else { panic!("it is there") };
            for accounts in &accounts {
                it.authorise(&"amelia".into(), accounts.clone(), at(second)).unwrap();
                tx.consent_update(&it)?;
            }
            Ok(())
        })
        .await;
        assert_eq!(read(&store, |tx| tx.consent_any_owner(&"c".into())).await.unwrap().accounts, expected, "{second}");
    }
    write(&store, move |tx| {
        tx.consent_for_update(&"t".into(), &"c".into())?;
        let mut other = tx.consent_any_owner(&"other".into())?.unwrap();
        other.authorise(&"amelia".into(), both.clone(), at(9)).unwrap();
        tx.consent_update(&other)
    })
    .await;
    assert_eq!(read(&store, |tx| tx.consent_any_owner(&"other".into())).await.unwrap().accounts.len(), 2);
}

/// Lists the authorised consents of all TPPs that share an account, one page at a time.
pub(super) async fn consents_are_found_by_the_account_they_share(store: Store) {
    write(&store, |tx| {
        for (id, client, accounts) in
            [("c1", "t", &["b1", "b2"][..]), ("c2", "rival", &["b1"]), ("c3", "t", &["b2"]), ("c4", "t", &["b1"])]
        {
            let mut it = consent(id, client);
            tx.consent_insert(&it)?;
            let selected = accounts.iter().map(|account| selected(account, &format!("{account}-{client}"))).collect();
            it.authorise(&"amelia".into(), selected, at(6)).unwrap();
            if id == "c4" {
                it.revoke(RevokedBy::Psu, at(7));
            }
            tx.consent_update(&it)?;
        }
        tx.consent_insert(&consent("waits", "t"))
    })
    .await;
    let sharing = |after: Option<&'static str>, limit| {
        let store = store.clone();
        async move {
            let after = after.map(ConsentId::from);
            let found = read(&store, move |tx| tx.consents_sharing(&"b1".into(), after.as_ref(), limit)).await;
            found.iter().map(|it| (it.id.to_string(), it.accounts.len())).collect::<Vec<_>>()
        }
    };
    let (c1, c2) = ((String::from("c1"), 2), (String::from("c2"), 1));
    assert_eq!(sharing(None, 9).await, [c1.clone(), c2.clone()]);
    assert_eq!(sharing(None, 1).await, [c1]);
    assert_eq!(sharing(Some("c1"), 9).await, [c2]);
    assert_eq!(sharing(Some("c2"), 9).await, []);
}

/// Consents of other clients and deleted consents are not counted.
pub(super) async fn the_newest_consent_is_the_last_one_made(store: Store) {
    assert_eq!(read(&store, |tx| tx.consent_newest(&"t".into())).await, None);
    write(&store, |tx| {
        for (id, client, second) in [("a", "t", 2), ("b", "t", 1), ("c", "rival", 3)] {
            tx.consent_insert(&Consent { created_at: at(second), ..consent(id, client) })?;
        }
        Ok(())
    })
    .await;
    let newest = |tx: &mut dyn ServerTransaction| Ok(tx.consent_newest(&"t".into())?.map(|it| it.id));
    assert_eq!(read(&store, newest).await, Some("a".into()));
    write(&store, |tx| {
        let mut it = tx.consent_any_owner(&"a".into())?.unwrap();
        it.delete(at(9));
        tx.consent_update(&it)
    })
    .await;
    assert_eq!(read(&store, newest).await, Some("b".into()));
}

/// Builds a consent with this value in every timestamp.
fn consent_at(id: &str, at: Timestamp) -> Consent {
    let made = consent(id, "t");
    let terms = match made.request.clone() {
        ConsentRequest::AccountAccess(access) => ConsentRequest::AccountAccess(AccountAccess {
            transactions_from: Some(at),
            transactions_to: Some(at),
            ..access
        }),
        other @ (ConsentRequest::Payment(_) | ConsentRequest::FundsConfirmation(_)) => other,
    };
    Consent {
        request: terms,
        created_at: at,
        expires_at: Some(at),
        state_changed_at: at,
        authorised_at: Some(at),
        authenticated_at: Some(at),
        deleted_at: Some(at),
        ..made
    }
}

/// Stores timestamps over the whole calendar, with its edges: each reads back as [`instant::truncate_to_micros`] returns it.
pub(super) async fn every_instant_of_a_consent_reads_back(store: Store) {
    let (first, last) = (Timestamp::MIN.as_second(), Timestamp::MAX.as_second());
    let edges = [-1, 0, 1].into_iter().flat_map(|by| [first, 0, instant::LAST.as_second(), last].map(|edge| edge + by));
    let spread = (0..400).map(|part| first + (last - first) / 400 * part + part * 7_919);
    let seconds: Vec<_> = edges.chain(spread).filter(|second| (first..=last).contains(second)).collect();
    let times: Vec<_> = seconds
        .into_iter()
        .flat_map(|second| [0, 1, 999_999, 500_000_000, 999_999_999].map(|nanos| (second, nanos)))
        .filter_map(|(second, nanos)| Timestamp::new(second, nanos).ok())
        .collect();
    let stored = times.clone();
    write(&store, move |tx| {
        let rows = stored.iter().enumerate().map(|(number, at)| consent_at(&format!("c{number}"), *at));
        rows.into_iter().try_for_each(|row| tx.consent_insert(&row))
    })
    .await;
    for (number, at) in times.into_iter().enumerate() {
        let id = ConsentId::new(format!("c{number}"));
        let found = read(&store, move |tx| tx.consent_any_owner(&id)).await;
        assert_eq!(found, Some(consent_at(&format!("c{number}"), instant::truncate_to_micros(at))), "{at}");
    }
}

/// Only VRP consents of the older version that are not deleted are listed, in pages. Source: V4-020, V4-030.
pub(super) async fn a_vrp_consent_is_stored_in_the_form_of_a_newer_version(store: Store) {
    let vrp = |id: &str| payment_consent(id, "t", plain_terms(vrp_instructions().remove(0)));
    write(&store, move |tx| {
        for id in ["v1", "v2", "v3", "v4"] {
            tx.consent_insert(&vrp(id))?;
        }
        tx.consent_insert(&consent("accounts", "t"))?;
        tx.consent_insert(&payment_consent("v5", "u", plain_terms(vrp_instructions().remove(0))))?;
        let mut deleted = vrp("v4");
        deleted.delete(at(9));
        tx.consent_update(&deleted)
    })
    .await;
    let listed = |after: Option<&'static str>, limit| {
        let store = store.clone();
        async move {
            let after = after.map(ConsentId::from);
            read(&store, move |tx| tx.vrp_consents_of_version(Version::V3_1, None, after.as_ref(), limit)).await
        }
    };
    for (client, ids) in [("t", &["v1", "v2", "v3"][..]), ("u", &["v5"]), ("nobody", &[])] {
        let client = ClientId::from(client);
        let of_client = client.clone();
        let listed = read(&store, move |tx| tx.vrp_consents_of_version(Version::V3_1, Some(&of_client), None, 9)).await;
        assert_eq!(listed, ids.iter().copied().map(ConsentId::from).collect::<Vec<_>>(), "{client:?}");
        let count = read(&store, move |tx| tx.vrp_consents_of_version_count(Version::V3_1, Some(&client))).await;
        assert_eq!(usize::try_from(count), Ok(ids.len()));
    }
    assert_eq!(listed(None, 2).await, ["v1".into(), "v2".into()]);
    assert_eq!(listed(Some("v2"), 9).await, ["v3".into(), "v5".into()]);
    assert_eq!(read(&store, |tx| tx.vrp_consents_of_version_count(Version::V3_1, None)).await, 4);
    let submitted = Submitted { version: Version::V4_0, json: r#"{"Data":{"Initiation":{}},"Risk":{}}"#.to_owned() };
    let migrated = Consent { submitted, epoch: 1, ..vrp("v2") };
    let stored = migrated.clone();
    write(&store, move |tx| tx.consent_migrate(&stored)).await;
    assert_eq!(read(&store, |tx| tx.consent_any_owner(&"v2".into())).await, Some(migrated.clone()));
    assert_eq!(listed(None, 9).await, ["v1".into(), "v3".into(), "v5".into()]);
    let stale = store.write::<_, StoreError, _>(move |tx| tx.consent_migrate(&migrated)).await;
    assert!(matches!(stale, Err(StoreError::Contended)), "{stale:?}: an epoch is stored once");
}

/// Source: RW-279.
pub(super) async fn undecided_consents_are_counted_by_client_and_age(store: Store) {
    write(&store, |tx| {
        for (id, client, second) in
            [("1", "t", 1), ("2", "t", 2), ("3", "t", 3), ("4", "t", 4), ("5", "t", 5), ("6", "u", 6)]
        {
            tx.consent_insert(&Consent { created_at: at(second), ..consent(id, client) })?;
        }
        let Owned::Mine(mut decided) = tx.consent_for_update(&"t".into(), &"2".into())? else { panic!("it is there") };
        decided.authorise(&"amelia".into(), vec![selected("a", "alias")], at(7)).unwrap();
        tx.consent_update(&decided)?;
        let Owned::Mine(mut gone) = tx.consent_for_update(&"t".into(), &"3".into())? else { panic!("it is there") };
        gone.delete(at(7));
        tx.consent_update(&gone)
    })
    .await;
    for (client, since, most, expected) in
        [("t", 0, 9, 3), ("t", 1, 9, 2), ("t", 0, 2, 2), ("u", 0, 9, 1), ("v", 0, 9, 0)]
    {
        let counted = read(&store, move |tx| tx.consents_undecided_count(&client.into(), at(since), most)).await;
        assert_eq!(counted, expected, "{client} since {since}");
    }
}
