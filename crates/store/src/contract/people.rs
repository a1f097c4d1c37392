//! Customers: failed logins, sessions, and the consents they have given.

use super::samples::{at, client, consent, digest, read, selected, write};
use super::samples_of_payments::{full_terms, payment_consent};
use lombard_domain::consent::{ConsentState, RevokedBy};
use lombard_domain::ids::{ClientId, PsuId};
use lombard_domain::portal::{PortalLink, PortalSession};
use lombard_domain::provider_login::ProviderLogin;
use lombard_domain::session::{Session, SessionStage};
use lombard_domain::staff::{StaffMember, StaffName, StaffRole, StaffSession};
use lombard_ports::store::{ConnectedConsent, CustomerReservation, FormRecord, Store, StoreError};

fn session(byte: u8) -> Session {
    Session {
        browser: digest(byte),
        login: "login".into(),
        psu: "amelia".into(),
        psu_name: Some("Amelia".to_owned()),
        stage: SessionStage::SecondFactor,
        form_token: digest(100),
        idle_at: at(600),
        ends_at: at(3600),
    }
}

/// Concurrent failed attempts are all counted, also when the counter does not exist yet.
pub(super) async fn attempts_at_once_count_each(store: Store) {
    let tasks: Vec<_> = (0..16)
        .map(|second| {
            let store = store.clone();
            tokio::spawn(async move {
                write(&store, move |tx| {
                    let mut made = tx.attempts_for_update(&digest(1))?;
                    made.push(at(second));
                    tx.attempts_update(&digest(1), &made, at(1_000))
                })
                .await;
            })
        })
        .collect();
    for task in tasks {
        task.await.unwrap();
    }
    let mut made = write(&store, |tx| tx.attempts_for_update(&digest(1))).await;
    made.sort();
    assert_eq!(made, (0..16).map(at).collect::<Vec<_>>());
    assert_eq!(write(&store, |tx| tx.attempts_for_update(&digest(2))).await, []);
}

/// Each user is counted once per address, with the latest end, until removed; users of other addresses are not counted. Source:
/// AS-143.
pub(super) async fn an_address_is_known_for_the_users_it_failed_to_be(store: Store) {
    let (here, there) = (digest(1), digest(2));
    for (address, user, until) in [(here, 11, 20), (here, 12, 30), (here, 11, 25), (there, 13, 40)] {
        write(&store, move |tx| tx.address_user_put(&address, &digest(user), at(until))).await;
    }
    let users = |address, except, second| {
        let store = store.clone();
        async move {
            let found = read(&store, move |tx| tx.address_users(&address, &digest(except), at(second))).await;
            (found.count, found.earliest_end)
        }
    };
    assert_eq!(users(here, 99, 0).await, (2, Some(at(25))));
    assert_eq!(users(here, 11, 0).await, (1, Some(at(30))));
    assert_eq!(users(here, 99, 25).await, (1, Some(at(30))), "the boundary instant is over");
    assert_eq!(users(digest(3), 99, 0).await, (0, None));
    write(&store, move |tx| tx.address_user_remove(&here, &digest(12))).await;
    assert_eq!(users(here, 99, 0).await, (1, Some(at(25))));
    for subject in [11, 21, 1, 3] {
        write(&store, move |tx| {
            tx.attempts_for_update(&digest(subject))?;
            tx.attempts_update(&digest(subject), &[at(5)], at(25))
        })
        .await;
    }
    write(&store, |tx| tx.attempts_remove(&digest(11), &digest(21))).await;
    let mut kept = Vec::new();
    for subject in [11, 21, 1, 3] {
        kept.push(write(&store, move |tx| tx.attempts_for_update(&digest(subject))).await.len());
    }
    assert_eq!(kept, [0, 0, 0, 1], "of the user, the user's devices and the place with the user's entry");
    assert_eq!((users(here, 99, 0).await, users(there, 99, 0).await), ((0, None), (1, Some(at(40)))));
    write(&store, move |tx| tx.address_user_put(&here, &digest(11), at(25))).await;
    write(&store, |tx| tx.ended_purge(at(26), 9)).await;
    assert_eq!((users(here, 99, 0).await, users(there, 99, 0).await), ((0, None), (1, Some(at(40)))));
}

/// A session is known by its present secret, keeps its changes, and is absent once removed.
pub(super) async fn a_session_is_known_by_its_secret_until_removed(store: Store) {
    let first = session(1);
    let inserted = first.clone();
    write(&store, move |tx| tx.session_insert(&inserted)).await;
    assert_eq!(read(&store, |tx| tx.session_for_update(&digest(1))).await, Some(first.clone()));
    let again = first.clone();
    let twice = store.write(move |tx| tx.session_insert(&again)).await;
    assert!(matches!(twice, Err(StoreError::Duplicate(_))), "{twice:?}");
    let moved = Session { form_token: digest(101), idle_at: at(700), ..first };
    let updated = moved.clone();
    write(&store, move |tx| tx.session_update(&updated)).await;
    assert_eq!(read(&store, |tx| tx.session_for_update(&digest(1))).await, Some(moved));
    write(&store, |tx| tx.session_remove(&digest(1))).await;
    write(&store, |tx| tx.session_remove(&digest(1))).await;
    assert_eq!(read(&store, |tx| tx.session_for_update(&digest(1))).await, None);
}

/// A login at the provider is found by its state, replaces the earlier login of its subject, and is removed once or when it has
/// expired.
pub(super) async fn the_answer_of_a_provider_login_is_taken_once(store: Store) {
    let login = |state: u8, subject: &str| ProviderLogin {
        state: digest(state),
        subject: subject.to_owned(),
        browser: digest(state + 1),
        request: format!("{{\"number\":{state}}}"),
        expires_at: at(i64::from(state)),
    };
    for login in [login(10, "journey/a"), login(20, "journey/b"), login(30, "journey/a")] {
        write(&store, move |tx| tx.provider_login_insert(&login)).await;
    }
    let find = async |state: u8| read(&store, move |tx| tx.provider_login(&digest(state))).await;
    assert_eq!(find(10).await, None, "replaced");
    assert_eq!(find(20).await, Some(login(20, "journey/b")));
    assert_eq!(find(30).await, Some(login(30, "journey/a")));
    assert!(write(&store, |tx| tx.provider_login_remove(&digest(30))).await);
    assert!(!write(&store, |tx| tx.provider_login_remove(&digest(30))).await);
    write(&store, |tx| tx.ended_purge(at(20), 9)).await;
    assert!(find(20).await.is_some());
    write(&store, |tx| tx.ended_purge(at(21), 9)).await;
    assert!(find(20).await.is_none());
}

/// A PSU sees only their own long-lived consents, newest first; consents deleted by the TPP are not listed.
pub(super) async fn connections_are_the_psus_own(store: Store) {
    let authorised = |id: &str, psu: &str| {
        let mut consent = consent(id, "t");
        consent.authorise(&psu.into(), vec![selected("b", "x")], at(6)).unwrap();
        consent
    };
    let mut deleted = authorised("c3", "amelia");
    deleted.delete(at(7));
    let mine = [authorised("c2", "amelia"), authorised("c1", "amelia")];
    // Single-use consents, one per payment, must not hide the long-lived ones.
    let mut once = payment_consent("c6", "t", full_terms());
    (once.psu, once.state, once.created_at) = (Some("amelia".into()), ConsentState::Consumed, at(99));
    // Ended consents must not hide them either.
    let (mut revoked, mut expired) = (authorised("c7", "amelia"), authorised("c8", "amelia"));
    assert!(revoked.revoke(RevokedBy::Psu, at(8)));
    expired.expires_at = Some(at(20));
    (revoked.created_at, expired.created_at) = (at(98), at(97));
    let others = [authorised("c4", "bashir"), deleted, consent("c5", "t"), once, revoked, expired];
    let rows: Vec<_> = mine.iter().chain(&others).cloned().collect();
    write(&store, move |tx| {
        tx.client_insert(&client("t"))?;
        rows.iter().try_for_each(|consent| tx.consent_insert(consent))
    })
    .await;
    let found = read(&store, |tx| tx.connected_consents(&"amelia".into(), at(20), 10)).await;
    assert_eq!(found.into_iter().map(|it| it.consent).collect::<Vec<_>>(), mine);
    assert_eq!(read(&store, |tx| tx.connected_consents(&"amelia".into(), at(20), 1)).await.len(), 1);
    let before = read(&store, |tx| tx.connected_consents(&"amelia".into(), at(19), 10)).await;
    assert_eq!(before.len(), 3, "the boundary instant counts as ended");
    for other in ["c3", "c4", "c5", "nothing"] {
        assert_eq!(
            read(&store, move |tx| tx.connected_consent(&"amelia".into(), &other.into())).await,
            None,
            "{other}"
        );
    }
}

/// The latest use of a consent is kept, in whatever order uses are recorded.
pub(super) async fn the_latest_use_is_kept(store: Store) {
    let mut asked = consent("c", "t");
    asked.authorise(&"amelia".into(), vec![selected("b", "x")], at(6)).unwrap();
    let inserted = asked.clone();
    write(&store, move |tx| tx.consent_insert(&inserted)).await;
    let look =
        |tx: &mut dyn lombard_ports::store::ServerTransaction| tx.connected_consent(&"amelia".into(), &"c".into());
    assert_eq!(read(&store, look).await.unwrap().last_used_at, None);
    for second in [20, 30, 10] {
        write(&store, move |tx| tx.consent_use_record(&"c".into(), at(second))).await;
    }
    assert_eq!(read(&store, look).await, Some(ConnectedConsent { consent: asked, last_used_at: Some(at(30)) }));
}

/// A portal link can be removed once, and expires. The end of a session is fixed, but its idle expiry can be extended.
pub(super) async fn links_and_sessions_of_the_portal_are_known_by_their_secrets(store: Store) {
    let link =
        |secret: u8| PortalLink { secret: digest(secret), client: "t".into(), expires_at: at(i64::from(secret)) };
    for link in [link(10), link(20)] {
        write(&store, move |tx| tx.portal_link_insert(&link)).await;
    }
    assert_eq!(read(&store, |tx| tx.portal_link(&digest(10))).await, Some(link(10)));
    let removed = async || write(&store, |tx| tx.portal_link_remove(&digest(10))).await;
    assert_eq!((removed().await, removed().await), (true, false));
    let session = PortalSession {
        browser: digest(1),
        client: "t".into(),
        form_token: digest(2),
        idle_at: at(15),
        ends_at: at(30),
    };
    let inserted = session.clone();
    write(&store, move |tx| tx.portal_session_insert(&inserted)).await;
    write(&store, |tx| tx.portal_session_extend(&digest(1), at(25))).await;
    let find = async || read(&store, |tx| tx.portal_session(&digest(1))).await;
    assert_eq!(find().await, Some(PortalSession { idle_at: at(25), ..session }));
    write(&store, |tx| tx.ended_purge(at(21), 9)).await;
    assert_eq!((read(&store, |tx| tx.portal_link(&digest(20))).await, find().await.is_some()), (None, true));
    write(&store, |tx| tx.ended_purge(at(31), 9)).await;
    assert_eq!(find().await, None);
    write(&store, |tx| tx.portal_session_remove(&digest(1))).await;
}

/// A session of staff is known by its secret, is extended, and is removed after its end or at a logout.
pub(super) async fn sessions_of_staff_are_known_by_their_secrets(store: Store) {
    let member = StaffMember { name: StaffName::parse("Ada").unwrap(), role: StaffRole::Security };
    let session = StaffSession { browser: digest(1), member, form_token: digest(2), idle_at: at(15), ends_at: at(30) };
    for session in [session.clone(), StaffSession { browser: digest(3), ..session.clone() }] {
        write(&store, move |tx| tx.staff_session_insert(&session)).await;
    }
    write(&store, |tx| tx.staff_session_extend(&digest(1), at(25))).await;
    let find = async |secret: u8| read(&store, move |tx| tx.staff_session(&digest(secret))).await;
    assert_eq!(find(1).await, Some(StaffSession { idle_at: at(25), ..session }));
    write(&store, |tx| tx.staff_session_remove(&digest(1))).await;
    assert_eq!((find(1).await, find(2).await, find(3).await.is_some()), (None, None, true));
    write(&store, |tx| tx.ended_purge(at(31), 9)).await;
    assert_eq!(find(3).await, None);
}

/// Of concurrent claims one succeeds. The answer is available until the record expires, and a released form can be claimed again.
pub(super) async fn a_form_is_claimed_once_and_its_answer_kept_for_a_while(store: Store) {
    let claim =
        async |second: i64| write(&store, move |tx| tx.form_claim(&digest(1), at(second), at(second + 60))).await;
    let find = async |second: i64| read(&store, move |tx| tx.form_record(&digest(1), at(second))).await;
    let at_once = futures_util::future::join_all((0..8).map(|_| claim(10))).await;
    assert_eq!(at_once.into_iter().filter(|is_claimed| *is_claimed).count(), 1);
    assert_eq!(find(10).await, Some(FormRecord::Pending));
    assert!(!claim(69).await, "it is still being answered");
    assert_eq!(find(70).await, None);
    assert!(claim(70).await, "whoever was to answer it has not");
    write(&store, |tx| tx.form_answer_put(&digest(1), &[7; 9], at(100), at(200))).await;
    let answered = Some(FormRecord::Answered { sealed: vec![7; 9], repeated_until: at(100) });
    assert_eq!((find(150).await, claim(199).await), (answered, false));
    assert_eq!(find(200).await, None);
    for number in 2..8 {
        write(&store, move |tx| tx.form_claim(&digest(number), at(10), at(20))).await;
    }
    assert!(claim(201).await, "it has expired");
    write(&store, |tx| tx.form_release(&digest(1))).await;
    assert!(claim(202).await, "it was released");
    write(&store, |tx| tx.ended_purge(at(300), 99)).await;
    assert_eq!(find(203).await, None);
}

/// Customers that are added at once are counted one after the other.
pub(super) async fn customers_added_at_once_never_exceed_a_clients_share(store: Store) {
    let reserve = async |number: u32, client: &str| {
        let (customer, client) = (PsuId::from(format!("c{number}")), ClientId::from(client));
        write(&store, move |tx| tx.portal_customer_reserve(&customer, &client, 3)).await
    };
    let at_once = futures_util::future::join_all((0..8).map(|number| reserve(number, "greedy"))).await;
    let reserved = at_once.iter().filter(|made| **made == CustomerReservation::Reserved).count();
    assert_eq!((reserved, at_once.len()), (3, 8));
    let added = async |client: &'static str| read(&store, move |tx| tx.portal_customers_added(&client.into())).await;
    assert_eq!((added("greedy").await, added("other").await), (3, 0));
    assert_eq!(reserve(90, "other").await, CustomerReservation::Reserved, "a share is one client's");
    assert_eq!(reserve(90, "other").await, CustomerReservation::Known);
    write(&store, |tx| tx.portal_customer_release(&"c90".into())).await;
    assert_eq!(added("other").await, 0);
}
