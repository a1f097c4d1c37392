//! Grants, codes, tokens and one-time values.

use super::samples::{at, client, code, consent, digest, grant, interaction, read, selected, token, write};
use lombard_domain::client::Client;
use lombard_domain::consent::{Consent, RevokedBy, SelectedAccount};
use lombard_domain::core_state::CoreState;
use lombard_domain::grant::{CallerEpochs, Grant, PushedRequest, TokenKind};
use lombard_ports::store::{
    ClientTokenIssue, DirectWriteOutcome, ReplayPurpose, ServerTransaction, Store, StoreError, UsedAssertion,
};

/// Stores client `t`, consent `c` and grant `g` with access token 1, refresh token 2 and code 3.
async fn granted(store: &Store) {
    write(store, |tx| {
        tx.client_insert(&client("t"))?;
        tx.consent_insert(&consent("c", "t"))?;
        tx.grant_insert(&grant("g", "t", Some("c")))?;
        tx.token_insert(&token(1, "g", TokenKind::Access, Some(at(100))))?;
        tx.token_insert(&token(2, "g", TokenKind::Refresh, None))?;
        tx.code_insert(&code(3, "g"))
    })
    .await;
}

/// Source: AS-042, AS-044.
pub(super) async fn a_code_is_redeemed_once_under_concurrency(store: Store) {
    granted(&store).await;
    let racers = (0..12).map(|_| {
        let store = store.clone();
        tokio::spawn(async move {
            write(&store, |tx| {
                let free = tx.code_for_update(&digest(3))?.is_some_and(|code| code.redeemed_at.is_none());
                if free {
                    tx.code_mark_redeemed(&digest(3), at(50))?;
                }
                Ok(free)
            })
            .await
        })
    });
    let mut winners = 0;
    for racer in racers.collect::<Vec<_>>() {
        winners += u32::from(racer.await.unwrap());
    }
    assert_eq!(winners, 1);
}

/// One query finds the same token, grant, client and consent as several queries: with several accounts, none, or no consent.
pub(super) async fn a_token_is_found_with_all_it_stands_on(store: Store) {
    let state = |text: &str| Some(CoreState::new(text).unwrap());
    let selected =
        |account: &str, text: &str| SelectedAccount { core_state: state(text), ..selected(account, account) };
    let accounts = vec![
        selected("z", "{\"é\": \" \\\n'\"}"),
        selected("a", ""),
        SelectedAccount { core_state: None, ..selected("m", "") },
    ];
    write(&store, move |tx| {
        tx.client_insert(&client("t"))?;
        tx.consent_insert(&Consent {
            accounts: accounts.clone(),
            core_state: state("mandate"),
            ..consent("several", "t")
        })?;
        tx.consent_insert(&consent("none", "t"))?;
        for (number, consent) in (1..).zip([Some("several"), Some("none"), None]) {
            let name = format!("g{number}");
            tx.grant_insert(&grant(&name, "t", consent))?;
            tx.token_insert(&token(number, &name, TokenKind::Access, None))?;
        }
        Ok(())
    })
    .await;
    for (number, id) in (1..).zip([Some("several"), Some("none"), None]) {
        let found = store.read_by_one_query::<_, StoreError, _>(move |tx| tx.token_holder(&digest(number))).await;
        let holder = found.unwrap().unwrap();
        let parts = read(&store, move |tx| {
            let consent = id.map(|id| tx.consent_any_owner(&id.into())).transpose()?.flatten();
            Ok((tx.token_state(&digest(number))?.unwrap(), tx.client(&"t".into())?.unwrap(), consent))
        });
        assert_eq!((holder.state, holder.client, holder.consent), parts.await, "{id:?}");
    }
}

/// Source: AS-116.
pub(super) async fn epochs_move_with_every_revocation(store: Store) {
    granted(&store).await;
    let epochs = || {
        let store = store.clone();
        async move { read(&store, |tx| tx.epochs(&"g".into())).await.unwrap() }
    };
    assert_eq!(epochs().await, CallerEpochs { client: 0, grant: 0, consent: 0 });

    write(&store, |tx| tx.token_revoke(&digest(1), at(30))).await;
    assert_eq!(epochs().await.grant, 1);
    write(&store, |tx| tx.token_revoke(&digest(1), at(31))).await;
    assert_eq!(epochs().await.grant, 1, "a token ends once");

    write(&store, |tx| tx.grant_revoke(&"g".into(), at(32))).await;
    assert_eq!(epochs().await.grant, 2);
    write(&store, |tx| tx.grant_revoke(&"g".into(), at(33))).await;
    assert_eq!(epochs().await.grant, 2, "so does a grant");

    write(&store, |tx| {
        let mut it = tx.consent_any_owner(&"c".into())?.unwrap();
        it.authorise(&"amelia".into(), vec![selected("b", "x")], at(34)).unwrap();
        it.revoke(RevokedBy::Psu, at(35));
        tx.consent_update(&it)?;
        let mut it = tx.client(&"t".into())?.unwrap();
        it.epoch += 1;
        tx.client_update(&it)
    })
    .await;
    assert_eq!(epochs().await, CallerEpochs { client: 1, grant: 2, consent: 2 });
    let state = read(&store, |tx| tx.token_state(&digest(2))).await.unwrap();
    assert_eq!(state.epochs, epochs().await, "both ways of asking agree");
    assert_eq!(read(&store, |tx| tx.epochs(&"none".into())).await, None);
}

/// Source: AS-115.
pub(super) async fn revoking_a_grant_ends_its_tokens_and_codes(store: Store) {
    granted(&store).await;
    write(&store, |tx| tx.grant_revoke(&"g".into(), at(30))).await;
    for hash in [1, 2] {
        let state = read(&store, move |tx| tx.token_state(&digest(hash))).await.unwrap();
        assert_eq!((state.token.revoked_at, state.grant.revoked_at), (Some(at(30)), Some(at(30))));
    }
    let code = read(&store, |tx| tx.code_for_update(&digest(3))).await.unwrap();
    assert!(code.redeemed_at.is_some(), "it can no longer be exchanged");
}

/// Source: AS-131.
pub(super) async fn a_grant_ends_the_earlier_ones_of_its_consent(store: Store) {
    granted(&store).await;
    let made = |id: &str, consent: &str, second| Grant { created_at: at(second), ..grant(id, "t", Some(consent)) };
    write(&store, move |tx| {
        tx.grant_insert(&made("g2", "c", 30))?;
        tx.grant_insert(&made("g3", "c", 30))?;
        tx.grant_insert(&made("a-later", "c", 31))?;
        tx.grant_insert(&made("elsewhere", "other", 20))
    })
    .await;
    let successor = made("g2", "c", 30);
    let ended = write(&store, move |tx| tx.grants_revoke_of_consent(&"c".into(), Some(&successor), at(40))).await;
    assert_eq!(ended, 2, "the earlier one, and the one of the same moment");
    let live = |id: &'static str| {
        let store = store.clone();
        async move { read(&store, move |tx| tx.grant(&id.into())).await.unwrap().revoked_at.is_none() }
    };
    assert_eq!(
        [live("g").await, live("g2").await, live("g3").await, live("a-later").await, live("elsewhere").await],
        [false, true, false, true, true]
    );
    let of_consent = write(&store, |tx| tx.grants_of_consent(&"c".into())).await;
    assert_eq!(of_consent, ["a-later".into(), "g2".into()]);
    assert_eq!(write(&store, |tx| tx.grants_revoke_of_consent(&"c".into(), None, at(41))).await, 2);
    assert_eq!(write(&store, |tx| tx.grants_of_consent(&"c".into())).await, []);
}

/// A token whose client does not exist is not found.
pub(super) async fn a_token_without_its_client_is_absent(store: Store) {
    write(&store, |tx| {
        tx.grant_insert(&grant("g", "nobody", None))?;
        tx.token_insert(&token(1, "g", TokenKind::Access, Some(at(100))))
    })
    .await;
    assert_eq!(read(&store, |tx| tx.token_state(&digest(1))).await, None);
    assert_eq!(read(&store, |tx| tx.epochs(&"g".into())).await, None);
}

/// Source: AS-026, AS-080.
pub(super) async fn a_one_time_value_is_claimed_once(store: Store) {
    let racers = (0..8).map(|_| {
        let store = store.clone();
        tokio::spawn(async move {
            write(&store, |tx| tx.one_time_value_claim(&"t".into(), ReplayPurpose::ClientAssertion, "jti", at(60)))
                .await
        })
    });
    let mut winners = 0;
    for racer in racers.collect::<Vec<_>>() {
        winners += u32::from(racer.await.unwrap());
    }
    assert_eq!(winners, 1);
    let claimed = |client: &'static str, purpose| {
        let store = store.clone();
        async move { read(&store, move |tx| tx.one_time_value_is_claimed(&client.into(), purpose, "jti")).await }
    };
    assert!(claimed("t", ReplayPurpose::ClientAssertion).await);
    assert!(!claimed("t", ReplayPurpose::RequestObject).await, "each purpose has values of its own");
    assert!(!claimed("rival", ReplayPurpose::ClientAssertion).await, "so has each client");
}

/// The transaction fails if the value was used before, or if the client has changed since it was read. Then nothing is stored.
/// Source: AS-026.
pub(super) async fn a_one_time_value_is_spent_by_a_client_as_it_was_read(store: Store) {
    let spend = async |client: &Client, value: &'static str, new_grant: &'static str| {
        let client = client.clone();
        store
            .write::<_, StoreError, _>(move |tx| {
                tx.one_time_value_claim_or_fail(&client, ReplayPurpose::ClientAssertion, value, at(60))?;
                tx.grant_insert(&grant(new_grant, "t", None))
            })
            .await
    };
    let is_corrupt =
        |spent: &Result<(), StoreError>| matches!(spent, Err(StoreError::Corrupt { table: ReplayPurpose::TABLE, .. }));
    let before = client("t");
    let changed = Client { epoch: before.epoch + 1, ..before.clone() };
    assert!(is_corrupt(&spend(&before, "a", "1").await), "no such client");
    write(&store, |tx| tx.client_insert(&client("t"))).await;
    spend(&before, "a", "2").await.unwrap();
    let again = spend(&before, "a", "3").await;
    assert!(matches!(again, Err(StoreError::Duplicate(ReplayPurpose::TABLE))), "{again:?}");
    assert!(is_corrupt(&spend(&changed, "b", "4").await), "not changed yet");
    let update = changed.clone();
    write(&store, move |tx| tx.client_update(&update)).await;
    assert!(is_corrupt(&spend(&before, "b", "5").await), "changed since");
    assert!(is_corrupt(&spend(&before, "a", "6").await), "changed since, and spent");
    spend(&changed, "b", "7").await.unwrap();
    let stored =
        read(&store, |tx| ["1", "2", "3", "4", "5", "6", "7"].iter().map(|id| tx.grant(&(*id).into())).collect());
    let stored: Vec<_> = stored.await;
    let stored: Vec<_> = stored.into_iter().flatten().map(|grant: Grant| grant.id).collect();
    assert_eq!(stored, ["2".into(), "7".into()]);
}

/// If many tokens are issued at once, only those that must not be issued are refused, each for its own reason.
pub(super) async fn of_many_one_time_values_each_is_judged_by_itself(store: Store) {
    write(&store, |tx| {
        tx.client_insert(&client("t"))?;
        tx.one_time_value_claim_or_fail(&client("t"), ReplayPurpose::ClientAssertion, "used", at(60))
    })
    .await;
    let calls = (0..60_u8).map(|number| {
        let store = store.clone();
        async move {
            let issue = move |tx: &mut dyn ServerTransaction| {
                let (value, grant_id) = (format!("value {number}"), format!("grant {number}"));
                let (stands_on, value) = match number % 20 {
                    3 => (Client { epoch: 99, ..client("t") }, value),
                    4 => (client("t"), String::from("used")),
                    _ => (client("t"), value),
                };
                tx.one_time_value_claim_or_fail(&stands_on, ReplayPurpose::ClientAssertion, &value, at(60))?;
                tx.grant_insert(&grant(&grant_id, "t", None))?;
                tx.token_insert(&token(number, &grant_id, TokenKind::Access, Some(at(60))))
            };
            store.write::<_, StoreError, _>(issue).await
        }
    });
    for (number, outcome) in (0..60_u8).zip(futures_util::future::join_all(calls).await) {
        let is_stored = read(&store, move |tx| tx.token_state(&digest(number))).await.is_some();
        let is_as_expected = match (number % 20, &outcome) {
            (3, Err(StoreError::Corrupt { table: ReplayPurpose::TABLE, .. }))
            | (4, Err(StoreError::Duplicate(ReplayPurpose::TABLE))) => !is_stored,
            (3 | 4, _) => false,
            (_, outcome) => outcome.is_ok() && is_stored,
        };
        assert!(is_as_expected, "{number} {outcome:?} {is_stored}");
    }
}

/// Issues a token as the token endpoint does, by a direct write or else by a transaction. `false` if the token must not be
/// issued.
pub(crate) async fn issue_client_token(store: &Store, client: &Client, jti: &str, new_grant: &str, hash: u8) -> bool {
    let whole = token(hash, new_grant, TokenKind::Access, Some(at(60)));
    if let Some(direct) = store.direct_writes() {
        let issue = ClientTokenIssue {
            client: client.id.clone(),
            client_epoch: client.epoch,
            assertion: Some(UsedAssertion { jti: jti.to_owned(), remembered_until: at(60) }),
            grant: new_grant.into(),
            scopes: whole.scopes,
            token: whole.hash,
            certificate: whole.certificate,
            issued_at: whole.issued_at,
            expires_at: at(60),
        };
        if direct.client_token_issue(issue).await.unwrap() == DirectWriteOutcome::Stored {
            return true;
        }
    }
    let (client, jti, new_grant) = (client.clone(), jti.to_owned(), new_grant.to_owned());
    let issue = move |tx: &mut dyn ServerTransaction| {
        tx.one_time_value_claim_or_fail(&client, ReplayPurpose::ClientAssertion, &jti, at(60))?;
        tx.grant_insert(&grant(&new_grant, client.id.as_str(), None))?;
        tx.token_insert(&whole)
    };
    store.write::<_, StoreError, _>(issue).await.is_ok()
}

/// If many tokens are issued at once, some of them with the same assertion, only those that must not be issued are refused.
pub(super) async fn of_many_tokens_that_are_issued_at_once_each_is_judged_by_itself(store: Store) {
    write(&store, |tx| {
        tx.client_insert(&client("t"))?;
        tx.one_time_value_claim_or_fail(&client("t"), ReplayPurpose::ClientAssertion, "used", at(60))
    })
    .await;
    let calls = (0..60_u8).map(|number| {
        let store = &store;
        async move {
            let client = if number % 20 == 3 { Client { epoch: 99, ..client("t") } } else { client("t") };
            let jti = match number % 20 {
                4 => String::from("used"),
                5 => String::from("shared"),
                _ => format!("value {number}"),
            };
            issue_client_token(store, &client, &jti, &format!("grant {number}"), number).await
        }
    });
    let issued = futures_util::future::join_all(calls).await;
    for (number, is_issued) in (0..60_u8).zip(&issued) {
        let found = read(&store, move |tx| tx.token_state(&digest(number))).await;
        assert_eq!(found.is_some(), *is_issued, "{number}");
        if let Some(found) = found {
            assert_eq!(found.token, token(number, &format!("grant {number}"), TokenKind::Access, Some(at(60))));
            assert_eq!(found.grant.client.as_str(), "t");
        }
        match number % 20 {
            3 | 4 => assert!(!is_issued, "{number}"),
            5 => {}
            _ => assert!(is_issued, "{number}"),
        }
    }
    assert_eq!(issued.iter().skip(5).step_by(20).filter(|is_issued| **is_issued).count(), 1, "of one assertion");
}

/// A pushed request is found by its reference until it is purged. Source: AS-152.
pub(super) async fn a_pushed_request_is_kept_until_it_ends(store: Store) {
    let pushed = PushedRequest {
        reference: digest(1),
        client: "t".into(),
        request: String::from("{}"),
        pushed_at: at(10),
        expires_at: at(100),
    };
    let row = pushed.clone();
    write(&store, move |tx| tx.pushed_request_insert(&row)).await;
    assert_eq!(write(&store, |tx| tx.ended_purge(at(100), 100)).await, 0);
    assert_eq!(read(&store, |tx| tx.pushed_request(&digest(1))).await, Some(pushed));
    assert_eq!(read(&store, |tx| tx.pushed_request(&digest(2))).await, None);
    assert_eq!(write(&store, |tx| tx.ended_purge(at(101), 100)).await, 1);
    assert_eq!(read(&store, |tx| tx.pushed_request(&digest(1))).await, None);
}

/// The purge removes expired rows, a bounded number at a time, and keeps all others.
pub(super) async fn what_ended_is_purged_and_a_grant_with_its_last_token(store: Store) {
    granted(&store).await;
    write(&store, |tx| {
        tx.one_time_value_claim(&"t".into(), ReplayPurpose::ClientAssertion, "old", at(10))?;
        tx.one_time_value_claim(&"t".into(), ReplayPurpose::ClientAssertion, "new", at(9_000))?;
        tx.journey_insert(&interaction("i", "c"))
    })
    .await;
    assert_eq!(write(&store, |tx| tx.ended_purge(at(10), 100)).await, 0, "an end at the bound has not passed");
    assert_eq!(write(&store, |tx| tx.ended_purge(at(200), 100)).await, 3, "value, access token, code");
    assert!(read(&store, |tx| tx.grant(&"g".into())).await.is_some(), "its refresh token lives");
    assert!(read(&store, |tx| tx.one_time_value_is_claimed(&"t".into(), ReplayPurpose::ClientAssertion, "new")).await);

    write(&store, |tx| tx.token_revoke(&digest(2), at(300))).await;
    assert_eq!(write(&store, |tx| tx.ended_purge(at(601), 1)).await, 3, "token, its grant, journey");
    assert_eq!(read(&store, |tx| tx.grant(&"g".into())).await, None);
    assert_eq!(read(&store, |tx| tx.journey_for_update(&"i".into())).await, None);
    assert_eq!(write(&store, |tx| tx.ended_purge(at(601), 100)).await, 0);
}
