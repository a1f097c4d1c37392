//! Payment files: their bytes and the lines parsed from them.

use super::samples::{at, read, write};
use super::samples_of_payments::{file_lines, full_terms, payment_consent};
use lombard_domain::consent::{ConsentState, RevokedBy};
use lombard_domain::ids::UploadId;
use lombard_domain::payment::file::FileLine;
use lombard_ports::store::{NewUpload, Store, StoreError, UnusedUploads};

/// The number of concurrent writers.
const RACERS: usize = 8;

/// Builds a new upload of a client for a consent.
pub(super) fn upload(id: &str, client: &str, consent: &str, bytes_max: u64) -> NewUpload {
    NewUpload { id: id.into(), client: client.into(), consent: consent.into(), bytes_max }
}

/// Stores an upload with one chunk and the sample lines.
async fn uploaded(store: &Store, id: &str, second: i64) {
    let id = UploadId::from(id);
    write(store, move |tx| {
        tx.upload_begin(&upload(id.as_str(), "t", "c", 9), at(second))?;
        tx.upload_append(&id, 0, b"bytes")?;
        tx.file_lines_append(&id, &file_lines()).map(drop)
    })
    .await;
}

async fn piece(store: &Store, id: &str, piece: u32) -> Option<Vec<u8>> {
    let id = UploadId::from(id);
    read(store, move |tx| tx.upload_piece(&id, piece)).await
}

async fn lines(store: &Store, id: &str, after: u32, limit: u32) -> Vec<FileLine> {
    let id = UploadId::from(id);
    read(store, move |tx| tx.file_lines(&id, after, limit)).await
}

/// The stored bytes read back unchanged. A chunk cannot be stored twice, or for an upload that does not exist. Source:
/// FILE-020.
pub(super) async fn a_file_comes_back_piece_by_piece(store: Store) {
    let pieces = [vec![0_u8, 255, 0, 39, 92], Vec::new(), (0..=255).cycle().take(300_000).collect::<Vec<u8>>()];
    let first = pieces.clone();
    write(&store, |tx| tx.upload_begin(&upload("u", "t", "c", 9), at(1))).await;
    write(&store, |tx| tx.upload_begin(&upload("other", "t", "c", 9), at(1))).await;
    for (number, bytes) in (0..).zip(first) {
        write(&store, move |tx| tx.upload_append(&"u".into(), number, &bytes)).await;
    }
    for (number, bytes) in (0..).zip(&pieces) {
        assert_eq!(piece(&store, "u", number).await.as_ref(), Some(bytes));
    }
    assert_eq!(piece(&store, "u", 3).await, None, "after the last");
    assert_eq!(piece(&store, "other", 0).await, None);
    let again: Result<(), StoreError> = store.write(|tx| tx.upload_append(&"u".into(), 2, b"x")).await;
    assert!(matches!(again, Err(StoreError::Duplicate("uploads"))), "{again:?}");
    let begun: Result<(), StoreError> = store.write(|tx| tx.upload_begin(&upload("u", "t", "c", 9), at(2))).await;
    assert!(matches!(begun, Err(StoreError::Duplicate("uploads"))), "{begun:?}");
    let none: Result<(), StoreError> = store.write(|tx| tx.upload_append(&"none".into(), 0, b"x")).await;
    assert!(matches!(none, Err(StoreError::Corrupt { .. })), "{none:?}");
    let kept: Result<(), StoreError> = store.write(|tx| tx.upload_attach(&"none".into(), 5)).await;
    assert!(matches!(kept, Err(StoreError::Corrupt { .. })), "{kept:?}");
}

/// Each line reads back with all its members or its rejection reason; each number is stored once. Source: FILE-016, FILE-023.
pub(super) async fn payments_of_a_file_come_by_number(store: Store) {
    uploaded(&store, "u", 1).await;
    uploaded(&store, "other", 1).await;
    assert_eq!(lines(&store, "u", 0, 99).await, file_lines());
    assert_eq!(lines(&store, "u", 2, 3).await, file_lines()[2..5]);
    let count = u32::try_from(file_lines().len()).unwrap();
    assert_eq!(lines(&store, "u", count, 9).await, []);
    assert_eq!(lines(&store, "none", 0, 9).await, []);
    let mut more = file_lines();
    more.truncate(2);
    more[0].number = count + 5;
    let again: Result<u64, StoreError> = store.write(move |tx| tx.file_lines_append(&"u".into(), &more)).await;
    assert!(matches!(again, Err(StoreError::Duplicate("file_lines"))), "{again:?}");
    assert_eq!(lines(&store, "u", 0, 99).await, file_lines(), "not one of the batch");
    let orphan: Result<u64, StoreError> = store.write(|tx| tx.file_lines_append(&"none".into(), &file_lines())).await;
    assert!(matches!(orphan, Err(StoreError::Corrupt { .. })), "{orphan:?}");
    assert_eq!(store.write::<_, StoreError, _>(|tx| tx.file_lines_append(&"u".into(), &[])).await.unwrap(), 0);
}

/// Abandoned uploads are found oldest first, the boundary instant included.
pub(super) async fn only_uploads_that_no_consent_took_are_removed(store: Store) {
    for (id, second) in [("young", 9), ("b", 5), ("taken", 1), ("a", 5), ("old", 2)] {
        uploaded(&store, id, second).await;
    }
    write(&store, |tx| tx.upload_attach(&"taken".into(), 5)).await;
    let abandoned = |second, limit| {
        let store = store.clone();
        async move { read(&store, move |tx| tx.uploads_abandoned(at(second), limit)).await }
    };
    assert_eq!(abandoned(1, 9).await, []);
    assert_eq!(abandoned(5, 9).await, ["old".into(), "a".into(), "b".into()]);
    assert_eq!(abandoned(99, 2).await, ["old".into(), "a".into()]);
    for id in ["old", "taken", "none", "old"] {
        write(&store, move |tx| tx.upload_remove(&id.into())).await;
    }
    assert_eq!(abandoned(5, 9).await, ["a".into(), "b".into()]);
    assert_eq!((piece(&store, "old", 0).await, lines(&store, "old", 0, 9).await), (None, vec![]));
    assert_eq!(piece(&store, "taken", 0).await.as_deref(), Some(&b"bytes"[..]));
    assert_eq!(lines(&store, "taken", 0, 99).await, file_lines());
    uploaded(&store, "old", 3).await;
}

/// Each transaction removes a bounded part. An upload whose removal has begun can no longer be attached to a consent.
pub(super) async fn a_large_upload_is_removed_part_by_part(store: Store) {
    for (id, is_kept) in [("sent", false), ("kept", true)] {
        let pattern = file_lines().remove(0);
        let many: Vec<_> = (1..=1_200).map(|number| FileLine { number, ..pattern.clone() }).collect();
        write(&store, move |tx| {
            tx.upload_begin(&upload(id, "t", id, 1_000), at(5))?;
            for number in 0..40 {
                tx.upload_append(&id.into(), number, b"bytes")?;
            }
            tx.file_lines_append(&id.into(), &many)?;
            if is_kept { tx.upload_attach(&id.into(), 10) } else { Ok(()) }
        })
        .await;
        if is_kept {
            write(&store, move |tx| tx.upload_remove_attached(&id.into())).await;
        } else {
            assert!(!write(&store, move |tx| tx.upload_remove(&id.into())).await);
        }
        assert_eq!(lines(&store, id, 0, 2_000).await.len(), 700, "{id}");
        assert_eq!(read(&store, |tx| tx.uploads_abandoned(at(0), 9)).await, [id.into()], "swept at once");
        let taken: Result<(), StoreError> = store.write(move |tx| tx.upload_attach(&id.into(), 5)).await;
        assert!(matches!(taken, Err(StoreError::Corrupt { .. })), "{taken:?}");
        let left = [write(&store, move |tx| tx.upload_remove(&id.into())).await];
        assert_eq!((left, lines(&store, id, 0, 2_000).await.len()), ([false], 200));
        assert!(write(&store, move |tx| tx.upload_remove(&id.into())).await);
        assert_eq!((piece(&store, id, 39).await, lines(&store, id, 0, 9).await), (None, vec![]));
        assert_eq!(read(&store, |tx| tx.uploads_abandoned(at(99), 9)).await, []);
    }
}

/// If a consent attaches an upload during its removal, one of the two comes first.
pub(super) async fn an_upload_is_kept_or_removed_and_never_half_of_it(store: Store) {
    for round in 0..RACERS {
        let id = format!("u{round}");
        uploaded(&store, &id, 1).await;
        let (sweeper, upload) = (store.clone(), UploadId::from(id.as_str()));
        let swept = tokio::spawn(async move { write(&sweeper, move |tx| tx.upload_remove(&upload)).await });
        let (taker, upload) = (store.clone(), UploadId::from(id.as_str()));
        let kept =
            tokio::spawn(async move { taker.write::<_, StoreError, _>(move |tx| tx.upload_attach(&upload, 5)).await });
        swept.await.unwrap();
        let expected = match kept.await.unwrap() {
            Ok(()) => (Some(b"bytes".to_vec()), file_lines()),
            Err(error) => {
                assert!(matches!(error, StoreError::Corrupt { .. }), "{error:?}");
                (None, vec![])
            }
        };
        assert_eq!((piece(&store, &id, 0).await, lines(&store, &id, 0, 99).await), expected);
    }
}

/// Stores a consent with an attached upload, in this state since this second.
async fn took(store: &Store, id: &'static str, client: &'static str, state: ConsentState, second: i64) {
    let mut consent = payment_consent(id, client, full_terms());
    consent.state = state;
    consent.state_changed_at = at(second);
    write(store, move |tx| {
        tx.consent_insert(&consent)?;
        tx.upload_begin(&upload(id, client, id, 1_000), at(1))?;
        tx.upload_append(&id.into(), 0, b"bytes")?;
        tx.upload_attach(&id.into(), 10)
    })
    .await;
}

async fn unused(store: &Store, client: &'static str) -> (u64, u64) {
    let UnusedUploads { files, bytes } = write(store, move |tx| tx.uploads_unused(&client.into())).await;
    (files, bytes)
}

/// Uploads of consents that are not authorised count against their client's quota; an upload in progress counts with its maximum
/// size.
pub(super) async fn uploads_count_until_they_are_authorised(store: Store) {
    assert_eq!(unused(&store, "t").await, (0, 0));
    took(&store, "waits", "t", ConsentState::AwaitingAuthorisation, 1).await;
    took(&store, "authorised", "t", ConsentState::Authorised, 1).await;
    took(&store, "used", "t", ConsentState::Consumed, 1).await;
    took(&store, "rejected", "t", ConsentState::Rejected, 1).await;
    took(&store, "theirs", "rival", ConsentState::AwaitingAuthorisation, 1).await;
    write(&store, |tx| tx.upload_begin(&upload("under way", "t", "none", 1_000), at(1))).await;
    assert_eq!(unused(&store, "t").await, (3, 1_020));
    write(&store, |tx| tx.upload_resize(&"under way".into(), 2_000)).await;
    assert_eq!(unused(&store, "t").await, (3, 2_020));
    let lines = write(&store, |tx| tx.file_lines_append(&"under way".into(), &file_lines())).await;
    assert!(lines > 64 * u64::try_from(file_lines().len()).unwrap(), "each takes more than its key: {lines}");
    write(&store, |tx| tx.upload_resize(&"under way".into(), 1_000)).await;
    let none: Result<(), StoreError> = store.write(|tx| tx.upload_resize(&"none".into(), 5)).await;
    assert!(matches!(none, Err(StoreError::Corrupt { .. })), "{none:?}");
    assert_eq!(write(&store, |tx| tx.uploads_mark_consumed(9)).await, 1);
    assert_eq!(write(&store, |tx| tx.uploads_mark_consumed(9)).await, 0, "each once");
    assert_eq!(unused(&store, "t").await, (3, 1_020));
    write(&store, |tx| tx.upload_remove(&"under way".into())).await;
    write(&store, |tx| tx.upload_remove_attached(&"rejected".into())).await;
    assert_eq!((unused(&store, "t").await, unused(&store, "rival").await), ((1, 10), (1, 10)));
}

/// Concurrent uploads of a client are counted one after the other, so they cannot exceed its quota together.
pub(super) async fn uploads_at_once_never_share_what_is_left(store: Store) {
    let tasks: Vec<_> = (0..RACERS * 2)
        .map(|number| {
            let store = store.clone();
            tokio::spawn(async move {
                let upload = upload(&format!("u{number}"), "t", "c", 9);
                write(&store, move |tx| {
                    let room = tx.uploads_unused(&"t".into())?.files < 5;
                    if room {
                        tx.upload_begin(&upload, at(1))?;
                    }
                    Ok(room)
                })
                .await
            })
        })
        .collect();
    let mut begun = 0;
    for task in tasks {
        begun += u32::from(task.await.unwrap());
    }
    assert_eq!((begun, unused(&store, "t").await), (5, (5, 45)));
}

/// Finds the uploads of consents that ended without an order, ordered by id, the boundary instant included.
pub(super) async fn uploads_of_consents_that_ended_are_found(store: Store) {
    for (id, state, second) in [
        ("a-rejected", ConsentState::Rejected, 5),
        ("b-revoked", ConsentState::Revoked(RevokedBy::Psu), 5),
        ("c-revoked", ConsentState::Revoked(RevokedBy::Bank), 5),
        ("d-rejected later", ConsentState::Rejected, 6),
        ("e-waits", ConsentState::AwaitingAuthorisation, 5),
        ("f-authorised", ConsentState::Authorised, 5),
        ("g-used", ConsentState::Consumed, 5),
    ] {
        took(&store, id, "t", state, second).await;
    }
    let mut expired = payment_consent("h-expired", "t", full_terms());
    (expired.state, expired.expires_at) = (ConsentState::Authorised, Some(at(5)));
    write(&store, move |tx| {
        tx.consent_insert(&expired)?;
        tx.upload_begin(&upload("h-expired", "t", "h-expired", 9), at(1))?;
        tx.upload_attach(&"h-expired".into(), 9)
    })
    .await;
    let ended = async |second: i64, after: &'static str, limit: u32| {
        let found = read(&store, move |tx| tx.uploads_ended(at(second), &after.into(), limit)).await;
        found
            .into_iter()
            .map(|(id, consent)| (id.as_str() == consent.as_str()).then(|| id.to_string()))
            .collect::<Vec<_>>()
    };
    let named = |names: &[&str]| names.iter().map(|name| Some((*name).to_owned())).collect::<Vec<_>>();
    assert_eq!(ended(5, "", 9).await, named(&["a-rejected", "b-revoked", "c-revoked", "h-expired"]));
    assert_eq!(ended(5, "a-rejected", 2).await, named(&["b-revoked", "c-revoked"]));
    assert_eq!(ended(4, "", 9).await, []);
    write(&store, |tx| tx.upload_remove_attached(&"b-revoked".into())).await;
    assert_eq!(piece(&store, "b-revoked", 0).await, None);
    assert_eq!(ended(5, "", 9).await, named(&["a-rejected", "c-revoked", "h-expired"]));
}
